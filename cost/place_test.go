package cost_test

import (
	"strings"
	"testing"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/cost"
)

// TestPlaces holds what is stored in the archive, and its size, to figures computed by hand.
func TestPlaces(t *testing.T) {
	r := cost.Price(archive(t), nil)
	for _, x := range []struct {
		place, item  string
		count, bytes float64
	}{
		// 1,500 bytes as stated without docCount, 8 and a number of about 2, which lies beside; part: account 4+7, and open:
		// accountId 4+10 for the 40 % that are fresh or active.
		{"Accounts", "Account", 1_000, 1_490 + 11 + 0.4*14},
		{"Accounts", "Doc", 3_000, 3_000 + 4 + len64("doc#") + 8},
		{"Accounts.ByAgent", "Account", 200, 1_490 + 11 + 0.4*14 + 0.8*(5+6)}, // all of these have an agent, 5+6, not 20 % of them
		{"Accounts.Open", "Account", 400, 4 + 10 + 9 + 10 + 4 + 7},            // open, accountId and part
		{"Accounts.Pinned", "Doc", 300, 9 + 10 + 4 + 12 + 8 + 24 + 6 + 6},     // accountId, part, pinnedAt, folder
		{"Beside", "AccountEmail", 1_000, 2 + 2 + 20 + 9 + 10},                // PK: e#…, and accountId
		{"Orders", "Order", 2_000, 300 + 5 + 3 + 4*(1+4+3+1+4+203)},           // lines: 4 of text 4+203 under a key of 4
		{"Orders.ByAccount", "Order", 2_000, 7 + 26 + 9 + 10},
		{"Signals.Feed", "Signal", 800, 500 + 4 + 1 + 4 + 6}, // feed: one digit; gone: a number of ten
	} {
		p := r.Place(x.place)
		if p == nil {
			t.Fatalf("no %s", x.place)
		}
		found := false
		for _, it := range p.Items {
			if it.Name == x.item {
				found = true
				near(t, x.place+" "+x.item+" count", it.Count, x.count, 1e-9)
				near(t, x.place+" "+x.item+" bytes", it.Bytes, x.bytes, 1e-3)
				if it.Most < it.Bytes-1e-6 {
					t.Errorf("%s %s: at most %v, on average %v", x.place, x.item, it.Most, it.Bytes)
				}
			}
		}
		if !found {
			t.Errorf("no %s in %s", x.item, x.place)
		}
	}
	// Each entry is billed with 100 bytes more: 400 entries of 44.
	if got := r.Place("Accounts.Open").Stored; got != 400*(44+100) {
		t.Errorf("stored %d", got)
	}
	// DocCount: one in each of four shards per account.
	near(t, "shards stored", r.Place("Beside").Items[1].Count, 4_000, 1e-9)
	if r.Place("nowhere") != nil || r.Pattern("nothing") != nil {
		t.Error("what is not there is found")
	}
}

func len64(s string) float64 { return float64(len(s)) }

// A log of 2^30 items of 924 bytes: 1,024 as billed, so 1,024 GB.
const logRequirements = `
tablewright: 1
application: {name: log, prices: us-east-1}
entities:
  Entry:
    identity: [entryId]
    attributes:
      entryId: {type: string, generated: ulid}
      text: string
    bytes: 924
    count: 1_073_741_824
patterns:
  add: {write: {create: Entry}, rate: {average: 10/s, peak: 100/s}}
  get: {read: Entry, given: [entryId], rate: {average: 40/s, peak: 200/s}}
`

func logModel(table string) string {
	return strings.ReplaceAll(`
tablewright: 1
application: log
tables:
  Log:
    attributes: {entryId: S}
    key: {partition: entryId}
    TABLE
    items: {Entry: {}}
plans:
  add: {steps: {e: {put: Entry, if: absent}}}
  get: {steps: {e: {get: Entry, key: [entryId]}}}
`, "TABLE", table)
}

// TestBills prices both table classes and capacity modes: a month of 730 hours is 2.628 million seconds.
func TestBills(t *testing.T) {
	for _, x := range []struct {
		table                  string
		reads, writes, storage float64
	}{
		{"billing: on-demand", 20 * 2.628 * 0.125, 10 * 2.628 * 0.625, 1024 * 0.25},
		{"class: infrequent-access", 20 * 2.628 * 0.155, 10 * 2.628 * 0.78, 1024 * 0.10},
		{"billing: {read: 100, write: 50}", 100 * 730 * 0.00013, 50 * 730 * 0.00065, 1024 * 0.25}, // paid whether consumed or not
	} {
		p := compileText(t, logRequirements, logModel(x.table))
		r := cost.Price(p, nil)
		place := r.Place("Log")
		if place.Stored != 1024*capacity.GB {
			t.Errorf("%s: stored %v", x.table, place.Stored)
		}
		near(t, x.table+" reads", place.Bill.Reads.Dollars(), x.reads, 1e-6)
		near(t, x.table+" writes", place.Bill.Writes.Dollars(), x.writes, 1e-6)
		near(t, x.table+" storage", place.Bill.Storage.Dollars(), x.storage, 1e-6)
		near(t, x.table+" total", r.Total().Dollars(), x.reads+x.writes+x.storage, 1e-6)
		near(t, x.table+" read units per second", place.Read, 20, 1e-9)
		near(t, x.table+" write units at peak", place.PeakWrite, 100, 1e-9)
	}

	// On demand: what provisioning would cost at 70 % utilization, and a month at peak.
	r := cost.Price(compileText(t, logRequirements, logModel("billing: on-demand")), nil)
	near(t, "provisioned", r.Place("Log").Provisioned.Dollars(), 730*(20/0.7*0.00013+10/0.7*0.00065), 1e-6)
	near(t, "at peak", r.Peak().Dollars(), 2.628*(100*0.125+100*0.625)+256, 1e-6)
	near(t, "free tier", r.Free.Dollars(), 25*0.25, 1e-6) // 25 GB of storage
	near(t, "get", r.Pattern("get").Cost.Dollars(), 20*2.628*0.125, 1e-6)
	near(t, "of it reads", r.Pattern("get").Reads.Dollars(), 20*2.628*0.125, 1e-6)
	near(t, "add", r.Pattern("add").Cost.Dollars(), 10*2.628*0.625, 1e-6)
	near(t, "reads of add", r.Pattern("add").Reads.Dollars(), 0, 0)

	// The free tier is of the standard class only.
	if free := cost.Price(compileText(t, logRequirements, logModel("class: infrequent-access")), nil).Free; free != 0 {
		t.Errorf("free of infrequent access: %v", free)
	}

	// Recovery to any point in time is stated by the application, at $0.20 per GB.
	recover := strings.Replace(logRequirements, "{name: log,", "{name: log, recovery: {rpo: 5min, rto: 4h},", 1)
	r = cost.Price(compileText(t, recover, logModel("billing: on-demand")), nil)
	near(t, "recovery", r.Bill.Recovery.Dollars(), 1024*0.20, 1e-6)

	// Another price file.
	file := strings.Replace(capacity.DefaultPriceFile(), "standard.on-demand.read      0.125", "standard.on-demand.read      0.250", 1)
	prices, err := capacity.LoadPrices(strings.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	r = cost.Price(compileText(t, logRequirements, logModel("billing: on-demand")), prices)
	near(t, "reads at twice the price", r.Bill.Reads.Dollars(), 20*2.628*0.25, 1e-6)
	if r.Prices != prices {
		t.Error("the report does not say which prices it used")
	}
}
