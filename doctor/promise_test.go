package doctor_test

import (
	"strings"
	"testing"
	"time"

	"github.com/tablewright/tablewright/doctor"
	"github.com/tablewright/tablewright/model"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/stats"
)

const lendingRequirements = `tablewright: 1
application: {name: lending, domain: library}
entities:
  Loan:
    identity: [loanId]
    attributes:
      loanId: {type: string, bytes: 12}
      isbn: {type: string, bytes: 13}
      lentAt: timestamp
    bytes: 180
    count: 2_000
    growth: 2_628/month
patterns:
  lend: {write: {create: Loan}, rate: {average: 0.001/s, peak: 1/s}}
  getLoansOfBook:
    read: Loan
    given: [isbn]
    where: lentAt between $from and $to
    order: lentAt descending
    results: {average: 8, max: 20}
    rate: {average: 0.02/s, peak: 0.5/s}
`

const lendingModel = `tablewright: 1
application: lending
tables:
  Loans:
    attributes: {isbn: S, lentAt: S, loanId: S}
    key: {partition: loanId}
    gsi:
      ByBook: {partition: isbn, sort: lentAt, project: keys}
    items:
      Loan: {holds: Loan}
plans:
  lend:
    steps: {write: {put: Loan, value: $loan, if: absent}}
  getLoansOfBook:
    steps:
      keys:
        query: Loans.ByBook
        items: [Loan]
        where: {isbn: $isbn, lentAt: {between: [$from, $to]}}
        order: descending
      loan: {batch-get: Loan, each: $keys, key: [loanId]}
    answer: {from: loan, order-of: keys}
`

func lending(t *testing.T) *plan.Program {
	r, _, found := model.ReadRequirements("requirements.yaml", []byte(lendingRequirements))
	must(t, found.Err())
	m, source, found := model.ReadModel("model.yaml", []byte(lendingModel))
	must(t, found.Err())
	p, found := model.CompileModel(m, source, r)
	must(t, found.Err())
	return p
}

// A query of keys and the batch that gets their items read what is answered twice, and are held to that.
func TestPromiseOfKeysAndBatch(t *testing.T) {
	p := lending(t)
	for answered, want := range map[float64]doctor.Verdict{8: doctor.Within, 20: doctor.Above, 2: doctor.Below} {
		got := doctor.Compare(p, lent(answered, false), nil).Patterns[1].Items
		if got.Promised < 15.9 || got.Promised > 17 || got.Measured != 2*answered || got.Is != want {
			t.Errorf("%v answered: %+v instead of %s", answered, got, want)
		}
	}
}

// lent are two days of a program on lendingModel whose queries find so many, sent as operations or as statements of PartiQL.
func lent(found float64, stated bool) *stats.Snapshot {
	s := doctor.Empty(stats.Thresholds{})
	s.From, s.To, s.Watched = time.Unix(0, 0), time.Unix(2*86400, 0), nil
	counts := stats.Counts{Calls: 3_000, Items: 3_000 * found, Scanned: 3_000 * found, Read: 3_000}
	sizes := new(stats.Distribution)
	sizes.Add(200, 3_000*found)
	s.Operations = []*stats.Operation{
		{Operation: "Query", Table: "Loans", Index: "ByBook", Pattern: "getLoansOfBook", Counts: counts, Traffic: new(stats.Traffic), Sizes: new(stats.Distribution)},
		{Operation: "BatchGetItem", Table: "Loans", Pattern: "getLoansOfBook", Counts: counts, Traffic: new(stats.Traffic), Sizes: sizes},
	}
	if stated {
		s.Operations[0].Operation, s.Operations[0].As = "ExecuteStatement", "Query"
		s.Operations[1].Operation, s.Operations[1].As = "BatchExecuteStatement", "BatchGetItem"
	}
	return s
}

// Result sizes are taken from statements of PartiQL as from the operations that do the same.
func TestUpdateOfStatements(t *testing.T) {
	p := lending(t)
	var texts []string
	for _, stated := range []bool{false, true} {
		u, err := doctor.Update("requirements.yaml", []byte(lendingRequirements), p, lent(12, stated), nil)
		must(t, err)
		texts = append(texts, string(u.Text))
	}
	if !strings.Contains(texts[0], "results: {average: 12, max: 20}") || texts[0] != texts[1] {
		t.Errorf("%s\nas statements:\n%s", texts[0], texts[1])
	}
}

// Requirements that the model was not made of are refused, also where their patterns are called the same.
func TestUpdateOfOtherEntities(t *testing.T) {
	other := strings.ReplaceAll(lendingRequirements, "Loan", "Rental")
	other = strings.ReplaceAll(other, "getRentalsOfBook", "getLoansOfBook")
	_, err := doctor.Update("other.yaml", []byte(other), lending(t), lent(12, false), nil)
	if err == nil || !strings.Contains(err.Error(), "other.yaml has no entity Loan") {
		t.Error(err)
	}
}

// What calls cost that are in no model is part of the month, and of whether it is as promised.
func TestMonthWithUnknownCalls(t *testing.T) {
	s := lent(8, false)
	s.Operations = append(s.Operations, &stats.Operation{Operation: "Scan", Table: "Loans", Counts: stats.Counts{Calls: 1_000, Read: 1e9}, Traffic: new(stats.Traffic), Sizes: new(stats.Distribution)})
	c := doctor.Compare(lending(t), s, nil)
	if len(c.Unknown) != 1 || c.Month.Measured < c.Unknown[0].Month || c.Month.Is != doctor.Above {
		t.Errorf("%+v of %+v", c.Month, c.Unknown)
	}
}
