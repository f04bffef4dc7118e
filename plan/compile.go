package plan

import "github.com/tablewright/tablewright/spec"

// Compile resolves a model against the requirements it serves and proves what can be proven without data. The Program
// holds everything that could be resolved, also where there are problems, so that a model can be run to show what a
// problem does; it is nil only if m or r is nil.
func Compile(m *Model, r *spec.Requirements) (*Program, []Problem) { panic("plan: to be written") }

type teller struct{}
type test struct{}
type scope struct{}
