package design_test

import (
	"flag"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/cost"
	"github.com/tablewright/tablewright/design"
	"github.com/tablewright/tablewright/internal/norace"
	"github.com/tablewright/tablewright/model"
)

var allWorkloads = flag.Bool("design.workloads", false, "design all workloads, also those that take more than some seconds")

// quickWorkloads take a second or two of a processor each; the others up to a minute.
var quickWorkloads = []string{"container-terminal", "ev-charging", "fire-equipment", "grocery-delivery", "job-scheduler", "rail-wagons", "rowing-club", "ski-alliance", "ski-gates"}

// TestWorkloads designs requirements of people who had not seen the designer. The document beside each has a model and a
// price by hand. The golden file has what comes out, also where that is a refusal.
func TestWorkloads(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	files, err := filepath.Glob("testdata/workloads/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		t.Run(name, func(t *testing.T) {
			if !slices.Contains(quickWorkloads, name) && !*allWorkloads {
				t.Skip("takes seconds: -design.workloads")
			}
			golden(t, strings.TrimSuffix(file, ".yaml")+".golden", workloadOutcome(t, file))
		})
	}
}

// workloadOutcome is the price of the model that is designed, or why there is none.
func workloadOutcome(t *testing.T, file string) string {
	r, _, found, err := model.LoadRequirements(file)
	if err != nil {
		t.Fatal(err)
	}
	if found.Errors() > 0 {
		var out strings.Builder
		for _, d := range found {
			if d.Severity == model.Error {
				fmt.Fprintln(&out, "refused:", d.Message)
			}
		}
		return out.String()
	}
	d, err := design.Design(t.Context(), r, design.Options{})
	if err != nil {
		return fmt.Sprintf("no model: %s\n", err)
	}
	total := cost.Price(compiled(t, r, d), nil).Total()
	return fmt.Sprintf("%d tables, %d patterns, %s a month\n", len(d.Model.Tables), len(r.Patterns), total)
}
