package rules_test

import (
	"testing"

	"github.com/tablewright/tablewright/internal/norace"
	"github.com/tablewright/tablewright/stats/rules"
	"github.com/tablewright/tablewright/stats/rules/internal/tracebench"
)

// Clean programs have no findings however they are watched: in one process or several, by every call or a part of them, with keys
// or hashes.
func TestCleanHoweverWatched(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	for _, tr := range traces[""] {
		for name, watch := range map[string]func(tr *tracebench.Trace){
			"half of the calls":          func(tr *tracebench.Trace) { tr.Stats.Rate = 0.5 },
			"a fifth of the calls":       func(tr *tracebench.Trace) { tr.Stats.Rate = 0.2 },
			"keys hashed, all looked at": func(tr *tracebench.Trace) { tr.Stats.HashKeys, tr.Stats.Detail = []byte("secret"), 1 },
			"none looked at":             func(tr *tracebench.Trace) { tr.Stats.Detail = -1 },
			"few keys and operations":    func(tr *tracebench.Trace) { tr.Stats.Keys, tr.Stats.Operations = 64, 8 },
			"as the SDK's calls":         func(tr *tracebench.Trace) { tr.Foreign = true },
			"described, not declared":    func(tr *tracebench.Trace) { tr.Described = true },
			"seven processes":            func(tr *tracebench.Trace) { tr.Processes = 7 },
		} {
			of := tr
			watch(&of)
			for _, f := range rules.Recommend(input(of.Play(t))) {
				t.Errorf("%s, %s: %s", tr.Name, name, f.String())
			}
		}
	}
}
