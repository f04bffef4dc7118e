package doctor_test

import (
	"testing"
	"time"

	"github.com/tablewright/tablewright/doctor"
	"github.com/tablewright/tablewright/model"
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

// A query of keys and the batch that gets their items read what is answered twice, and are held to that.
func TestPromiseOfKeysAndBatch(t *testing.T) {
	r, _, found := model.ReadRequirements("requirements.yaml", []byte(lendingRequirements))
	must(t, found.Err())
	m, source, found := model.ReadModel("model.yaml", []byte(lendingModel))
	must(t, found.Err())
	p, found := model.CompileModel(m, source, r)
	must(t, found.Err())
	for answered, want := range map[float64]doctor.Verdict{8: doctor.Within, 20: doctor.Above, 2: doctor.Below} {
		s := doctor.Empty(stats.Thresholds{})
		s.From, s.To = time.Unix(0, 0), time.Unix(2*86400, 0)
		counts := stats.Counts{Calls: 3_000, Items: 3_000 * answered, Scanned: 3_000 * answered, Read: 3_000}
		s.Operations = []*stats.Operation{
			{Operation: "Query", Table: "Loans", Index: "ByBook", Pattern: "getLoansOfBook", Counts: counts, Traffic: new(stats.Traffic), Sizes: new(stats.Distribution)},
			{Operation: "BatchGetItem", Table: "Loans", Pattern: "getLoansOfBook", Counts: counts, Traffic: new(stats.Traffic), Sizes: new(stats.Distribution)},
		}
		got := doctor.Compare(p, s, nil).Patterns[1].Items
		if got.Promised < 15.9 || got.Promised > 17 || got.Measured != 2*answered || got.Is != want {
			t.Errorf("%v answered: %+v instead of %s", answered, got, want)
		}
	}
}
