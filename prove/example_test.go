package prove_test

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/tablewright/tablewright"
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
	// Issue per Project (project): 31 of 900, three pages of listIssues
}
