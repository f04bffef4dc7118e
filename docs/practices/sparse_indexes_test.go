package practices

import (
	"fmt"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/plan"
)

type JobState string

const (
	JobWaiting JobState = "waiting"
	JobDone    JobState = "done"
)

type Job struct {
	ID    string    `ddb:"jobId"`
	Queue string    `ddb:"queue"`
	State JobState  `ddb:"state" check:"enum=waiting|done"`
	DueAt time.Time `ddb:"dueAt,iso"`
	Note  string    `ddb:"note,omitzero"`
}

// JobRef is what the index holds: keys only.
type JobRef struct {
	ID    string    `ddb:"jobId"`
	DueAt time.Time `ddb:"dueAt,iso"`
}

var JobsTable = tablewright.NewTable(plan.Table{
	Name: "Jobs", Key: plan.Key{Partition: "jobId"},
	GSI: map[string]plan.Index{
		"Due": {Partition: []string{"dueQueue"}, Sort: []string{"dueAt"}, Project: plan.Keys},
	},
})

type jobs struct {
	tablewright.Entity[string, Job]
	State tablewright.Text[Job, JobState]
	Note  tablewright.Text[Job, string]
	Due   tablewright.Index1[JobRef, string, time.Time]
}

var Jobs = tablewright.Declare[jobs](JobsTable, plan.Item{
	Name: "Job",
	Set:  map[string]plan.Template{"dueQueue": {Value: "{queue}", When: "state = waiting"}},
})

func Example_sparseIndexes() {
	ctx, db := open(JobsTable)
	for i := range 5 {
		_ = Jobs.Create(Job{ID: fmt.Sprint("j", i), Queue: "mail", State: JobWaiting, DueAt: noon.Add(time.Duration(i) * time.Hour)}).Run(ctx, db)
	}
	due := Jobs.Due.Of("mail").To(noon.Add(2 * time.Hour))
	n, err := due.Count(ctx, db)
	fmt.Println(n, "due", err)

	cost := func(what string, change func(*Job)) {
		var used tablewright.Usage
		before, _ := Jobs.Get("j1").Run(ctx, db)
		after := before
		change(&after)
		err := Jobs.Patch(before, after).Run(ctx, db.Measure(&used))
		fmt.Printf("%s: table %v, index %v; %v\n", what, used.Arms["Jobs"].Write, used.Arms["Jobs.Due"].Write, err)
	}
	cost("a note", func(j *Job) { j.Note = "second try" })
	cost("later", func(j *Job) { j.DueAt = noon.Add(9 * time.Hour) })
	cost("done", func(j *Job) { j.State = JobDone })
	cost("a note when done", func(j *Job) { j.Note = "at last" })

	n, err = Jobs.Due.Of("mail").Count(ctx, db)
	fmt.Println(n, "in the index", err)
	// Output:
	// 3 due <nil>
	// a note: table 1, index 0; <nil>
	// later: table 1, index 2; <nil>
	// done: table 1, index 1; <nil>
	// a note when done: table 1, index 0; <nil>
	// 4 in the index <nil>
}
