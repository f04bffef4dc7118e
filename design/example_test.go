package design_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/tablewright/tablewright/design"
	"github.com/tablewright/tablewright/model"
	"github.com/tablewright/tablewright/spec"
)

const library = `
tablewright: 1
application: library
entities:
  Loan:
    identity: [loanId]
    attributes:
      loanId: {type: string, generated: ulid}
      reader: {type: string, bytes: 12}
      lentAt: timestamp
      title: string
    bytes: 200
    count: 50_000
patterns:
  getLoan:
    read: Loan
    given: [loanId]
    rate: {average: 20/s, peak: 80/s}
  getLoansOfReader:
    read: Loan
    given: [reader]
    order: lentAt descending
    results: {average: 4, max: 90}
    rate: {average: 10/s, peak: 40/s}
  lend:
    write: {create: Loan}
    rate: {average: 1/s, peak: 9/s}
`

func requirements(text string) *spec.Requirements {
	r, _, found := model.ReadRequirements("library.yaml", []byte(text))
	if r == nil {
		panic(fmt.Sprint(found))
	}
	return r
}

// Requirements become tables, indexes and a plan per access pattern. Each decision says what its alternatives cost.
func ExampleDesign() {
	found, err := design.Design(context.Background(), requirements(library), design.Options{})
	if err != nil {
		panic(err)
	}
	for _, t := range found.Model.Tables {
		fmt.Println("table", t.Name, t.Key.Partition)
		for name, x := range t.GSI {
			fmt.Println("  index", name, x.Partition, x.Sort, x.Project)
		}
	}
	for _, p := range found.Model.Plans {
		for _, s := range p.Steps {
			fmt.Println(strings.TrimSpace(p.Name + ": " + cmp.Or(s.Get, s.Query, s.Put) + " " + s.Order))
		}
	}
	for _, c := range found.Components {
		fmt.Println(strings.Join(c.Entities, ", "), c.Chosen.Cost, "a month")
	}
	// Output:
	// table Loans loanId
	//   index ByReader [reader] [lentAt] all
	// getLoan: Loan
	// getLoansOfReader: Loans.ByReader descending
	// lend: Loan
	// Loan $8.23 a month
}

// Requirements that no model can serve are answered with the statements that collide.
func ExampleInfeasibleError() {
	text := strings.Replace(library, "rate: {average: 20/s, peak: 80/s}", "skew: hottest 50%\n    rate: {average: 20/s, peak: 20_000/s}", 1)
	_, err := design.Design(context.Background(), requirements(text), design.Options{})
	var none *design.InfeasibleError
	if errors.As(err, &none) {
		for _, c := range none.Conflicts {
			fmt.Printf("%s says %s; %s would fit\n", c.Of, c.Statement, c.Fits)
		}
	}
	// Output:
	// getLoan says peak 20,000/s; peak 11,000/s would fit
}
