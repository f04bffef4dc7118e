package practices

import (
	"errors"
	"fmt"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/plan"
)

type Project struct {
	ID   string `ddb:"projectId"`
	Last int    `ddb:"last"` // number given to an issue
}

type Issue struct {
	Project string `ddb:"projectId"`
	No      int    `ddb:"no"`
	Title   string `ddb:"title" check:"len=1.."`
}

type IssueKey struct {
	Project string
	No      int
}

var (
	ProjectsTable = tablewright.NewTable(plan.Table{Name: "Projects", Key: plan.Key{Partition: "projectId"}})
	IssuesTable   = tablewright.NewTable(plan.Table{Name: "Issues", Key: plan.Key{Partition: "projectId", Sort: "no"}})
)

type projects struct {
	tablewright.Entity[string, Project]
	Last tablewright.Number[Project, int]
}

var Projects = tablewright.Declare[projects](ProjectsTable, plan.Item{Name: "Project"})

var Issues = tablewright.Declare[tablewright.Entity[IssueKey, Issue]](IssuesTable, plan.Item{Name: "Issue"})

var IssueNumbers = tablewright.NewSequence(Projects.Entity, Projects.Last)

func Example_sequentialNumbers() {
	ctx, db := open(ProjectsTable, IssuesTable)
	report := func(title string) (int, error) {
		return IssueNumbers.Give(ctx, db, "web", func(no int) ([]tablewright.TxWrite, error) {
			return []tablewright.TxWrite{Issues.Create(Issue{"web", no, title})}, nil
		})
	}
	fmt.Println(report("slow"))
	_, err := report("")
	fmt.Println(errors.Is(err, tablewright.ErrInvalid)) // not written, and no number lost
	fmt.Println(report("ugly"))

	fmt.Println(IssueNumbers.Next(ctx, db, "tickets")) // gaps do not matter: one write
	fmt.Println(IssueNumbers.Next(ctx, db, "tickets"))
	// Output:
	// 1 <nil>
	// true
	// 2 <nil>
	// 1 <nil>
	// 2 <nil>
}
