package rules_test

import (
	"cmp"
	"maps"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/internal/norace"
	"github.com/tablewright/tablewright/stats/rules"
	"github.com/tablewright/tablewright/stats/rules/internal/tracebench"
)

// apart are the traces that are something else when they are written in PartiQL, by rule and the beginning of their names, and why.
var apart = map[string]map[string]string{
	"errors-unhandled":  {"a report that asks an index that is gone": "the engine is told to fail the operation"},
	"hot-partition":     {"a key whose range is at its limit": "the same"},
	"retry-budget":      {"reads of which every fourth fails": "the same"},
	"throttle-burst":    {"a table on demand that grows too fast": "the same"},
	"single-puts":       {"readings that must not be there yet": "a batch of statements can ask that of INSERT"},
	"filter-drops-much": {"open tickets of a team that are counted": "they are updated then, of which it is not known what changes"},
	"scan-reads-much":   {"a scan for a ticket by its key": "a SELECT that names the key gets the item"},
	"wide-index":        {"a list of names from an index of products that are put anew": "they are updated then, of which it is not known what changes"},
}

// TestTracesOfStatements plays the traces of every rule as programs do that are written in PartiQL and declare no tables, but have them
// described: the same rules find the same, and save as much.
func TestTracesOfStatements(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	defer debug.SetGCPercent(debug.SetGCPercent(800))
	scores := map[string]*score{}
	for _, r := range rules.All() {
		scores[r.ID] = &score{}
	}
	for _, rule := range slices.Sorted(maps.Keys(traces)) {
		t.Run(cmp.Or(rule, "clean"), func(t *testing.T) {
			for _, tr := range traces[rule] {
				if tr.Foreign || isApart(rule, &tr) { // of which keys are not known by SELECT
					continue
				}
				if tr.Stated, tr.Described = true, true; tr.Remedied != nil && tr.Remedied.Hooks != nil { // a cache, which keeps what gets bring
					cached := *tr.Remedied
					cached.Unstated, tr.Remedied = true, &cached
				}
				t.Run(tr.Name, func(t *testing.T) { play(t, rule, &tr, scores, &examples{}) })
			}
		})
	}
}

func isApart(rule string, tr *tracebench.Trace) bool {
	for name := range apart[rule] {
		if strings.HasPrefix(tr.Name, name) {
			return true
		}
	}
	return false
}

// A finding about statements calls them as they are sent, and says what they are.
func TestFindingsOfStatements(t *testing.T) {
	for _, tr := range traces["single-puts"] {
		if !strings.HasPrefix(tr.Name, "an import of a thousand items") {
			continue
		}
		tr.Stated = true
		for _, f := range rules.Recommend(input(tr.Play(t))) {
			if f.Rule != "single-puts" || !strings.Contains(f.Title, "ExecuteStatement (PutItem) of Readings") || len(f.Operations) != 1 ||
				f.Operations[0] != (rules.OperationRef{Operation: "ExecuteStatement", Table: "Readings"}) || !strings.Contains(f.Remedy.Text, "INSERT") {
				t.Errorf("%+v", f)
			}
			return
		}
	}
	t.Error("nothing is found")
}
