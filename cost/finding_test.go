package cost_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/cost"
)

// findings are a report's findings as "code of" with a mark on what is exceeded.
func findings(fs []cost.Finding) []string {
	var out []string
	for _, f := range fs {
		s := f.Code + " " + f.Of
		if f.Over {
			s += "!"
		}
		if f.Message == "" {
			s += " without words"
		}
		out = append(out, s)
	}
	return out
}

func expectFindings(t *testing.T, got []cost.Finding, want ...string) {
	t.Helper()
	if !slices.Equal(findings(got), want) {
		t.Errorf("got %q, want %q", findings(got), want)
	}
}

// A ledger of few accounts, of which one takes a share of everything.
func ledger(t *testing.T, rate, skew string, table string) *cost.Report {
	t.Helper()
	return cost.Price(compileText(t, fmt.Sprintf(`
tablewright: 1
application: ledger
entities:
  Account:
    identity: [accountId]
    attributes:
      accountId: {type: string, bytes: 8}
      balance: {type: number, digits: 8}
    bytes: 100
    count: 100
  Entry:
    identity: [accountId, entryId]
    attributes:
      accountId: {parent: Account, inverse: entries, per-parent: {average: 1_000, max: 90_000, skew: %s}}
      entryId: {type: string, generated: ulid}
      amount: {type: number, digits: 6}
    bytes: 100
patterns:
  get: {read: Account, given: [accountId], rate: {average: 1/s, peak: 1/s}}
  addAccount: {write: {create: Account}, rate: {average: 0/s, peak: 1/s}}
  add:
    write:
      - create: Entry
      - update: Account
        key: {accountId: $entry.accountId}
        set: {balance: balance + $entry.amount}
    rate: {average: 1/s, peak: %s/s}
  list: {read: Entry, given: [accountId], page: 100, rate: {average: 1/s, peak: 1/s}}
`, skew, rate), `
tablewright: 1
application: ledger
tables:
  Ledger:
    attributes: {accountId: S, part: S}
    key: {partition: accountId, sort: part}
`+table+`
    items:
      Account: {key: {part: account}}
      Entry: {key: {part: "e#{entryId}"}}
plans:
  get: {steps: {a: {get: Account, key: [accountId]}}}
  addAccount: {steps: {a: {put: Account, if: absent}}}
  add:
    steps:
      tx:
        transact:
          - {put: Entry, if: absent}
          - {update: Account, key: {accountId: $entry.accountId}, set: {balance: balance + $entry.amount}, if: present}
  list: {steps: {e: {query: Ledger, items: [Entry], where: [accountId], evaluate: 100}}, answer: {page: 100}}
`), nil)
}

func TestHotKeys(t *testing.T) {
	// Half of 600 transactions a second fall on one account: 300 x 2 write units on its item, and 2 more on its collection;
	// 300 transactions of 10 ms each are more than one after the other can be.
	r := ledger(t, "600", "hottest 50%", "")
	for _, l := range r.Loads {
		if l.Place != "Ledger" || l.Of != "Account" {
			t.Errorf("a load of %s in %s", l.Of, l.Place)
		}
		near(t, "write units of the hottest", l.Write, 300*2, 0.02) // and what comes of addAccount, in a partition of its own
		near(t, "heat", l.Heat, 0.6, 0.02)
		if l.Item {
			near(t, "contention", l.Contention, 3, 1e-6)
		}
	}
	expectFindings(t, r.Findings(), "hot-key Ledger", "contention Ledger!", "hot-key Ledger")

	expectFindings(t, ledger(t, "1_200", "hottest 50%", "").Findings(), "hot-key Ledger!", "contention Ledger!", "hot-key Ledger!")
	expectFindings(t, ledger(t, "16", "hottest 50%", "").Findings(), "contention Ledger") // 8 a second: 8 %
	expectFindings(t, ledger(t, "8", "hottest 50%", "").Findings())                       // 4 %
	// At 40 % each is sent 1 / (1 - 0.4) times, and all get through.
	expectFindings(t, ledger(t, "80", "hottest 50%", "").Findings(), "contention Ledger")
	if f := ledger(t, "80", "hottest 50%", "").Findings()[0].Message; !strings.Contains(f, "sent 1.7 times") {
		t.Error(f)
	}

	// Every transaction writes 2 items, doubled: 4 units, 44,000 a second. Spread evenly, 110 of them fall on each account.
	busy := ledger(t, "11_000", "hottest 1%", "").Findings()
	expectFindings(t, busy, "contention Ledger", "table-quota Ledger") // 1.1 s of each second, if each takes 10 ms
	if !strings.Contains(busy[0].Message, "while the peak lasts") {
		t.Error(busy[0].Message)
	}
	expectFindings(t, ledger(t, "1", "hottest 1%", "    billing: {read: 5, write: 3}").Findings(), "provisioned Ledger!") // 4 a second
	expectFindings(t, ledger(t, "1", "hottest 1%", "    billing: {read: 5, write: 4}").Findings())
}

func TestItemSize(t *testing.T) {
	sized := func(most string) []cost.Finding {
		return cost.Price(compileText(t, strings.ReplaceAll(logRequirements, "bytes: 924", "bytes: {average: 924, max: "+most+"}"), logModel("billing: on-demand")), nil).Findings()
	}
	expectFindings(t, sized("300_000"))
	expectFindings(t, sized("310_000"), "item-size Log") // three quarters of 409,600 bytes are 307,200
}

func TestIndexQuota(t *testing.T) {
	var indexes, attributes, names []string
	for i := range 21 {
		names = append(names, fmt.Sprintf("      a%d: {type: string, bytes: 3}", i))
		attributes = append(attributes, fmt.Sprintf("a%d: S", i))
		indexes = append(indexes, fmt.Sprintf("By%d: {partition: a%d, project: keys}", i, i))
	}
	priced := func(n int) []cost.Finding {
		table := "gsi: {" + strings.Join(indexes[:n], ", ") + "}"
		m := strings.Replace(logModel(table), "{entryId: S}", "{entryId: S, "+strings.Join(attributes[:n], ", ")+"}", 1)
		r := strings.Replace(logRequirements, "      text: string\n", "      text: string\n"+strings.Join(names, "\n")+"\n", 1)
		return cost.Price(compileText(t, r, m), nil).Findings()
	}
	expectFindings(t, priced(20))
	expectFindings(t, priced(21), "index-quota Log")
}

func TestScans(t *testing.T) {
	expectFindings(t, cost.Scans(archive(t)), "scan exportSignals")
	expectFindings(t, cost.Scans(publishedShop(t)))
}

// TestKeptNumbers finds the load of items that stand beside their entities: a sharded count, and a sequence.
func TestKeptNumbers(t *testing.T) {
	loads := map[string]cost.Load{}
	for _, l := range cost.Price(archive(t), nil).Loads {
		if l.Item {
			loads[l.Of] = l
		}
	}
	// addDoc and deleteDoc, 10 a second at peak, change one of four shards of one of 1,000 accounts, in a transaction.
	count := loads["DocCount"]
	near(t, "count", count.Write, 2*10*2/4_000.0, 1e-9)
	near(t, "contention", count.Contention, 2*10/4_000.0*0.010, 1e-9)
	near(t, "reads of a shard", count.Read, 100/1_000.0, 1e-9) // getAccountStrongly reads all four, a unit each
	near(t, "sequence", loads["DocNumber"].Write, 10/1_000.0, 1e-9)

	// 75 % of the accounts are in the south: what is indexed by region goes there. Of two regions one is the south, and an
	// account that moves leaves or enters it: one of the two units is there.
	for _, l := range cost.Price(archive(t), nil).Loads {
		if l.Place == "Accounts.ByRegion" {
			near(t, "south", l.Write, 10*(0.75*(1+2)+1), 1e-9) // openAccount, setLevel and setRegion
		}
	}
}
