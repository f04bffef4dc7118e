package prove_test

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/model"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/prove"
)

// A proof of two access patterns on an engine in this process. The clock is simulated and shared with the engine, so that
// nothing waits.
func Example() {
	r, _, _, err := model.LoadRequirements(filepath.Join("testdata", "tracker.yaml"))
	if err != nil {
		panic(err)
	}
	m, _, _, err := model.LoadModel(filepath.Join("testdata", "tracker.model.yaml"))
	if err != nil {
		panic(err)
	}
	program, _ := plan.Compile(m, r)

	clock := prove.NewSimulated(time.Date(2026, 1, 15, 9, 0, 0, 0, time.UTC))
	lag := 200 * time.Millisecond
	e, err := engine.Open("", &engine.Options{Clock: clock, Lag: &engine.Lag{Max: lag, Seed: 1}, SweepEvery: -1})
	if err != nil {
		panic(err)
	}
	defer e.Close()

	evidence, err := prove.Run(context.Background(), program, prove.Options{
		Clock: clock,
		Lag:   lag,
		Open: func(o tablewright.Options) (*tablewright.DB, error) {
			return tablewright.New(tablewright.InProcess(e), o), nil
		},
		Patterns: []string{"addHook", "getHookByUrl"},
		Measured: 64,
	})
	if err != nil {
		panic(err)
	}
	for _, p := range evidence.Patterns {
		fmt.Println(p.Name, p.Proven, p.Estimated["People"], p.Consumed["People"])
	}
	// Output:
	// addHook true 4 4
	// getHookByUrl true 2 2
}

// A model that forgets the markers of unique e-mail addresses: the proof finds the call that shows it.
func ExampleCounterexample() {
	r, _, _, err := model.LoadRequirements(filepath.Join("testdata", "tracker.yaml"))
	if err != nil {
		panic(err)
	}
	m, _, _, err := model.LoadModel(filepath.Join("testdata", "tracker.model.yaml"))
	if err != nil {
		panic(err)
	}
	for _, p := range m.Plans {
		if p.Name == "registerUser" {
			tx := p.Steps["tx"]
			tx.Transact = tx.Transact[:1] // {put: UserEmail, if: absent} is left out
			p.Steps["tx"] = tx
		}
	}
	program, _ := plan.Compile(m, r) // tells it, too

	clock := prove.NewSimulated(time.Date(2026, 1, 15, 9, 0, 0, 0, time.UTC))
	e, err := engine.Open("", &engine.Options{Clock: clock, SweepEvery: -1})
	if err != nil {
		panic(err)
	}
	defer e.Close()
	evidence, err := prove.Run(context.Background(), program, prove.Options{
		Clock: clock,
		Open: func(o tablewright.Options) (*tablewright.DB, error) {
			return tablewright.New(tablewright.InProcess(e), o), nil
		},
		Patterns: []string{"registerUser"},
	})
	if err != nil {
		panic(err)
	}
	f := evidence.Patterns[0].Failure
	fmt.Println(f.Cause)
	fmt.Println(f.Aim, f.Expected, f.Got)
	fmt.Println(len(f.Requests), f.Requests[0].Operation)
	// Output:
	// it was done and should have been refused
	// again [unique] done
	// 1 TransactWriteItems
}

// The oracle knows entities and patterns only, and is what answers are held against.
func ExampleOracle() {
	r, _, _, err := model.LoadRequirements(filepath.Join("testdata", "tracker.yaml"))
	if err != nil {
		panic(err)
	}
	o := prove.NewOracle(r)
	user := func(id, email string) attr.Item {
		return attr.ItemOf(attr.Field{Name: "user", Value: attr.Map(attr.ItemOf(
			attr.Field{Name: "userId", Value: attr.Text(id)},
			attr.Field{Name: "email", Value: attr.Text(email)},
			attr.Field{Name: "name", Value: attr.Text("Ada")},
		))})
	}
	register := r.Pattern("registerUser")
	fmt.Println(o.Write(register, user("u1", "ada@example.com")).Codes)
	fmt.Println(o.Write(register, user("u2", "ada@example.com")).Codes)

	answer := o.Read(r.Pattern("getUserByEmail"), attr.ItemOf(attr.Field{Name: "email", Value: attr.Text("ada@example.com")}))
	for _, m := range answer.Matches {
		fmt.Println(m.Item.Get("userId").Str())
	}
	// Output:
	// []
	// [unique]
	// u1
}

// What a proof keeps of the stated numbers, and what it cuts.
func ExamplePopulate() {
	r, _, _, err := model.LoadRequirements(filepath.Join("testdata", "tracker.yaml"))
	if err != nil {
		panic(err)
	}
	p := prove.Populate(r)
	fmt.Println(p.Count[r.Entity("Project")], "projects")
	for _, c := range p.Cuts {
		if c.What == "Issue per Project (project)" {
			fmt.Printf("%s: %v of %v, %s\n", c.What, c.Used, c.Stated, c.Because)
		}
	}
	// Output:
	// 40 projects
	// Issue per Project (project): 31 of 900, three pages of listIssues and the beginning of a fourth: a first, a middle and a last one, and how it goes on after each; more are like those in the middle
}

// A model at the peak rates of all its access patterns, within the limits of DynamoDB's tables and partitions.
func ExampleAtPeak() {
	r, _, _, err := model.LoadRequirements(filepath.Join("testdata", "tracker.yaml"))
	if err != nil {
		panic(err)
	}
	m, _, _, err := model.LoadModel(filepath.Join("testdata", "tracker.model.yaml"))
	if err != nil {
		panic(err)
	}
	program, _ := plan.Compile(m, r)
	t, err := prove.AtPeak(context.Background(), program, prove.Throttle{Settle: 20 * time.Second, Time: 10 * time.Second}, nil)
	if err != nil {
		panic(err)
	}
	fmt.Println(t.Within, len(t.Limits))
	fmt.Println(t.Pattern("listIssues").Throttled)
	// Output:
	// true 0
	// 0
}
