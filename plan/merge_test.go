package plan_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/plan"
)

const casesRequirements = `
tablewright: 1
application: cases
entities:
  Case:
    identity: [caseId]
    attributes:
      caseId: {type: string, bytes: 6}
      state: {states: {open: [merged], merged: []}, share: {merged: 30%}}
      into: {type: string, bytes: 6, optional: true, share: 30%}
      weight: {type: number, digits: 3}
    bytes: 100
    count: 1_000
patterns:
  open: {write: {create: Case}, rate: {average: 1/s, peak: 1/s}}
  merge:
    write:
      - {update: Case, set: {state: merged, into: $target}, condition: state = open, refusal: merged}
      - {update: Case, key: {caseId: $target}, condition: state = open, refusal: target-merged}
    rate: {average: 1/s, peak: 1/s}
  hang:
    write:
      - {update: Case, set: {into: $target}}
      - {update: Case, key: {caseId: $target}, condition: weight < 100, refusal: heavy}
    rate: {average: 1/s, peak: 1/s}
  pair:
    write:
      - {update: Case, set: {into: $target}}
      - {update: Case, key: {caseId: $target}, set: {into: $caseId}}
    rate: {average: 1/s, peak: 1/s}
`

const casesModel = `
tablewright: 1
application: cases
tables:
  Cases: {attributes: {caseId: S}, key: {partition: caseId}, items: {Case: {}}}
plans:
  open: {steps: {w: {put: Case, if: absent}}}
  merge:
    steps:
      w:
        transact:
          - {update: Case, key: [caseId], set: {state: "'merged'", into: $target}, if: [present, state in before('merged'), state = 'open'], else: merged}
          - {check: Case, key: {caseId: $target}, if: [present, state = 'open'], else: target-merged}
  hang:
    steps:
      w:
        transact:
          - {update: Case, key: [caseId], set: {into: $target}, if: present}
          - {check: Case, key: {caseId: $target}, if: [present, weight < 100], else: heavy}
  pair:
    steps:
      w:
        transact:
          - {update: Case, key: [caseId], set: {into: $target}, if: present}
          - {update: Case, key: {caseId: $target}, set: {into: $caseId}, if: present}
`

// TestToldByAnUpdate: where an update and a check turn out to be about one item, what the update writes answers what
// the check tests of it, and the item what it tests besides. Two updates that cannot be one are refused.
func TestToldByAnUpdate(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"r.yaml": casesRequirements, "m.yaml": casesModel} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	m, _ := document(t, filepath.Join(dir, "m.yaml"), nil)
	p, problems := plan.Compile(m, requirements(t, filepath.Join(dir, "r.yaml"), nil))
	for _, x := range problems {
		t.Fatal(x)
	}
	f := newFake(p)
	field := func(name, text string) attr.Field { return attr.Field{Name: name, Value: attr.Text(text)} }
	for id, weight := range map[string]int64{"light": 5, "heavy": 500, "other": 1} {
		if _, err := f.run("open", attr.ItemOf(attr.Field{Name: "case", Value: attr.Map(attr.ItemOf(
			field("caseId", id), field("state", "open"), attr.Field{Name: "weight", Value: attr.Num(attr.Int(weight))}))}), nil); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ pattern, id, target, code string }{
		{"pair", "light", "heavy", ""},
		{"pair", "light", "light", plan.RefusedTwice},
		{"merge", "light", "light", "target-merged"}, // by then it is merged itself
		{"merge", "light", "other", ""},
		{"hang", "heavy", "heavy", "heavy"},
		{"hang", "other", "other", ""},
	} {
		_, err := f.run(c.pattern, attr.ItemOf(field("caseId", c.id), field("target", c.target)), nil)
		var no *plan.Refusal
		if code := ""; errors.As(err, &no) {
			if code = no.Code; code != c.code {
				t.Errorf("%s %s into %s: refused as %s, not %q", c.pattern, c.id, c.target, code, c.code)
			}
			if want := "Case, since caseId and target are the same caseId"; code == plan.RefusedTwice && no.Of != want {
				t.Errorf("%s %s into %s: of %q, not %q", c.pattern, c.id, c.target, no.Of, want)
			}
		} else if err != nil || c.code != "" {
			t.Errorf("%s %s into %s: %v, not %q", c.pattern, c.id, c.target, err, c.code)
		}
	}
}

// TestVersionOfWhatCountsTwice: two updates of one item that only count are one with the sums, and each raises the
// version of the item, as one after the other would.
func TestVersionOfWhatCountsTwice(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"r.yaml": `
tablewright: 1
application: bank
entities:
  Account:
    identity: [accountNo]
    attributes:
      accountNo: {type: string, bytes: 6}
      balance: {type: number, digits: 6}
      revision: {type: number, generated: version}
    bytes: 100
    count: 1_000
patterns:
  open: {write: {create: Account}, rate: {average: 1/s, peak: 1/s}}
  move:
    write:
      - {update: Account, key: {accountNo: $from}, set: {balance: balance - $amount}, condition: balance >= $amount, refusal: too-little}
      - {update: Account, key: {accountNo: $to}, set: {balance: balance + $amount}}
    rate: {average: 1/s, peak: 1/s}
`, "m.yaml": `
tablewright: 1
application: bank
tables:
  Accounts: {attributes: {accountNo: S}, key: {partition: accountNo}, items: {Account: {}}}
plans:
  open: {steps: {w: {put: Account, if: absent}}}
  move:
    steps:
      w:
        transact:
          - {update: Account, key: {accountNo: $from}, set: {balance: balance - $amount}, if: [present, balance >= $amount], else: too-little}
          - {update: Account, key: {accountNo: $to}, set: {balance: balance + $amount}, if: present}
`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	m, _ := document(t, filepath.Join(dir, "m.yaml"), nil)
	p, problems := plan.Compile(m, requirements(t, filepath.Join(dir, "r.yaml"), nil))
	for _, x := range problems {
		t.Fatal(x)
	}
	f := newFake(p)
	field := func(name, text string) attr.Field { return attr.Field{Name: name, Value: attr.Text(text)} }
	number := func(name string, n int64) attr.Field { return attr.Field{Name: name, Value: attr.Num(attr.Int(n))} }
	for _, id := range []string{"one", "other"} {
		account := attr.Map(attr.ItemOf(field("accountNo", id), number("balance", 50)))
		if _, err := f.run("open", attr.ItemOf(attr.Field{Name: "account", Value: account}), nil); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		to, code          string
		amount            int64
		balance, revision int64 // of the first account, afterwards
	}{
		{"one", "", 30, 50, 3},
		{"other", "", 30, 20, 4},
		{"one", "too-little", 30, 20, 4},
	} {
		_, err := f.run("move", attr.ItemOf(field("from", "one"), field("to", c.to), number("amount", c.amount)), nil)
		var no *plan.Refusal
		if code := ""; errors.As(err, &no) {
			if code = no.Code; code != c.code {
				t.Errorf("%d to %s: refused as %s, not %q", c.amount, c.to, code, c.code)
			}
		} else if err != nil || c.code != "" {
			t.Errorf("%d to %s: %v, not %q", c.amount, c.to, err, c.code)
		}
		schema, items := f.table("Accounts")
		it := items[keyText(schema, attr.ItemOf(field("accountNo", "one")))]
		if !attr.Equal(it.Get("balance"), attr.Num(attr.Int(c.balance))) || !attr.Equal(it.Get("revision"), attr.Num(attr.Int(c.revision))) {
			t.Errorf("%d to %s: %v", c.amount, c.to, it)
		}
	}
}
