package plan_test

import (
	"strings"
	"testing"

	"github.com/tablewright/tablewright/plan"
)

const bills = `
tablewright: 1
application: bills
entities:
  Bill:
    identity: [hotelId, month]
    attributes:
      hotelId: {type: string, bytes: 6}
      month: {type: string, bytes: 7}
      amount: {type: number, digits: 9}
      state: {states: [running, sent, paid]}
    bytes: 100
    count: 1_000
patterns:
  add: {write: {upsert: Bill, set: {amount: "if_missing(amount, 0) + $rent"} CONDITION}, rate: {average: 1/s, peak: 1/s}}
  send: {write: {update: Bill, set: {state: sent}}, rate: {average: 1/s, peak: 1/s}}
`

const billsModel = `
tablewright: 1
application: bills
tables:
  Bills:
    attributes: {hotelId: S, month: S, listed: S}
    key: {partition: hotelId, sort: month}
    gsi: {Listed: {partition: listed, project: keys}}
    items: {Bill: {set: {listed: {value: y, when: WHEN}}}}
plans:
  add: {steps: {w: {update: Bill, key: [hotelId, month], set: {amount: "if_missing(amount, 0) + $rent" BEGINS} IF}}}
  send: {steps: {w: {update: Bill, key: [hotelId, month], set: {state: "'sent'"}, if: [present, state in before('sent')]}}}
`

// TestMadeInItsFirstState: an update that makes what is not there begins its states, and templates follow where each state that
// the item can have then says the same: all that a condition lets be found there, and the first.
func TestMadeInItsFirstState(t *testing.T) {
	const begins = `, state: "if_missing(state, 'running')"`
	for _, c := range []struct{ when, condition, guard, begins, problem string }{
		{"state = 'running'", ", condition: state = running", ", if: absent or state = 'running'", begins, ""},
		{"state = 'sent'", ", condition: state = running", ", if: absent or state = 'running'", begins, ""},
		{"state = 'sent'", "", "", begins, ""}, // what is made has none, and what is there stays as it is
		{"state in ('running', 'sent')", ", condition: state != paid", ", if: absent or state != 'paid'", begins, ""},
		{"state = 'running'", "", "", begins, "does not know state"},
		{"state != 'paid'", "", "", begins, "does not know state"},
		{"state = 'running'", ", condition: state != paid", ", if: absent or state != 'paid'", begins, "does not know state"},
		{"state = 'sent'", "", "", "", "does not know its state"},
		{"state = 'sent'", "", "", `, state: "if_missing(state, 'sent')"`, "does not know state"},
		{"state = 'sent'", "", "", `, state: "'running'"`, "does not change state"},
	} {
		r := requirements(t, "requirements.yaml", []byte(strings.Replace(bills, " CONDITION", c.condition, 1)))
		m, _ := document(t, "model.yaml", []byte(strings.NewReplacer("WHEN", `"`+c.when+`"`, " BEGINS", c.begins, " IF", c.guard).Replace(billsModel)))
		_, problems := plan.Compile(m, r)
		found := ""
		for _, x := range problems {
			found += x.String() + "\n"
		}
		if (c.problem == "") != (found == "") || !strings.Contains(found, c.problem) {
			t.Errorf("listed when %s, %s, sets %s: %s", c.when, c.guard, c.begins, found)
		}
	}
}
