package design_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/cost"
	"github.com/tablewright/tablewright/design"
	"github.com/tablewright/tablewright/internal/norace"
	"github.com/tablewright/tablewright/model"
)

// TestWorkloads designs requirements that people wrote who had not seen the designer, each with a model and a price by hand in the
// document beside it. What the designer does not serve yet stands in the golden file as well.
func TestWorkloads(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	files, err := filepath.Glob("testdata/workloads/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	var out strings.Builder
	for _, file := range files {
		fmt.Fprintf(&out, "%s: ", strings.TrimSuffix(filepath.Base(file), ".yaml"))
		r, _, found, err := model.LoadRequirements(file)
		if err != nil {
			t.Fatal(err)
		}
		if found.Errors() > 0 {
			fmt.Fprintf(&out, "refused\n")
			for _, d := range found {
				if d.Severity == model.Error {
					fmt.Fprintf(&out, "  %s\n", d.Message)
				}
			}
			continue
		}
		d, err := design.Design(t.Context(), r, design.Options{})
		if err != nil {
			fmt.Fprintf(&out, "no model\n  %s\n", strings.ReplaceAll(err.Error(), "\n", "\n  "))
			continue
		}
		total := cost.Price(compiled(t, r, d), nil).Total()
		fmt.Fprintf(&out, "%d tables, %d patterns, %s a month\n", len(d.Model.Tables), len(r.Patterns), total)
	}
	golden(t, "testdata/workloads/outcome.golden", out.String())
}
