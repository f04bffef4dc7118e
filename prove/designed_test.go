package prove_test

import (
	"testing"
	"time"

	"github.com/tablewright/tablewright/cost"
	"github.com/tablewright/tablewright/design"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/prove"
)

func TestDesignedModelsAreProven(t *testing.T) {
	for _, file := range []string{"online-shop.yaml", "complaint-management.yaml", "session-management.yaml"} {
		t.Run(file, func(t *testing.T) {
			r := requirements(t, file)
			start := time.Now()
			d, err := design.Design(t.Context(), r, design.Options{})
			if err != nil {
				t.Fatal(err)
			}
			t.Log("designed in", time.Since(start))
			program, problems := plan.Compile(d.Model, r)
			for _, p := range problems {
				t.Error(p)
			}
			report := cost.Price(program, nil)
			for _, p := range report.Places {
				t.Log(p.Name, p.Bill)
			}
			t.Log(report.Total())
			for _, proc := range program.Procedures {
				for _, s := range proc.Stages {
					if s.Verb == plan.Scan {
						t.Errorf("%s scans", proc.Name)
					}
				}
			}
			start = time.Now()
			evidence, err := prove.Run(t.Context(), program, onEngine(t))
			if err != nil {
				t.Fatal(err)
			}
			t.Log("proven in", time.Since(start), evidence.Entities)
			for _, p := range evidence.Patterns {
				t.Log(p.Name, p.Proven, p.Calls, p.Refused, p.Measured, p.Estimated, p.Consumed)
				if !p.Proven {
					t.Errorf("%s is not proven: %s\ninput %v\nexpected %v\ngot %v%s", p.Name, p.Failure, p.Failure.Input, p.Failure.Expected, p.Failure.Got, sent(p.Failure))
				}
			}
		})
	}
}
