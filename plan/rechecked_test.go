package plan_test

import (
	"strings"
	"testing"

	"github.com/tablewright/tablewright/plan"
)

// TestRechecking: for a tool that comes, the consumer of a stream gets its owner and compares the town that the put brought. Where a
// tool comes without its owner's town, the consumer fills it in anyway.
func TestRechecking(t *testing.T) {
	for _, x := range []struct {
		create string
		gets   int
	}{{"{create: Tool, requires: [owner]}", 1}, {"{create: Tool}", 0}} {
		r := requirements(t, "loans.yaml", []byte(strings.Replace(strings.Replace(loansRequirements, "optional: true, share: 90%, inverse: tools, per-parent: {average: 3.6", "inverse: tools, per-parent: {average: 4", 1), "{create: Tool}", x.create, 1)))
		m, _ := document(t, "loans.model.yaml", []byte(strings.Replace(loansModel, "within: 1min", "within: 1min, recheck: true", 1)))
		f := plan.NewFragments(r)
		var tables []*plan.Schema
		for _, d := range m.Tables {
			table, err := f.Table(d)
			if err != nil {
				t.Fatal(err)
			}
			tables = append(tables, table)
		}
		tool := tables[1].Kinds[0]
		ways := f.Rechecked(tool)
		if len(ways) != x.gets {
			t.Fatalf("%s: %d ways to recheck, want %d", x.create, len(ways), x.gets)
		}
		for _, way := range ways {
			proc := f.Rechecking(tool, way, r.Pattern("addTool"), tables...)
			if proc == nil || len(proc.Stages) != 1 || proc.Stages[0].Verb != plan.Get || proc.Stages[0].Kind.Name != "Owner" || !proc.Stages[0].Consistent {
				t.Errorf("%s: want one consistent get of Owner, got %+v", x.create, proc)
			}
		}
	}
}
