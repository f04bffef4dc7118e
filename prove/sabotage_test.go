package prove_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/plan"
)

// A sabotage breaks a proven model in one way. Each must be found, by the compiler of models or by the data, and the
// finding must name one of the patterns and say the cause in words that contain one of the given.
type sabotage struct {
	name     string
	breakIt  func(t *testing.T, m *plan.Model)
	patterns []string
	causes   []string
}

func planOf(t *testing.T, m *plan.Model, name string) *plan.Plan {
	t.Helper()
	i := slices.IndexFunc(m.Plans, func(p plan.Plan) bool { return p.Name == name })
	if i < 0 {
		t.Fatalf("the model has no plan %s", name)
	}
	return &m.Plans[i]
}

// editItem changes an item of the model's only table.
func editItem(t *testing.T, m *plan.Model, name string, edit func(it *plan.Item)) {
	t.Helper()
	for i := range m.Tables {
		if it, ok := m.Tables[i].Items[name]; ok {
			edit(&it)
			m.Tables[i].Items[name] = it
			return
		}
	}
	t.Fatalf("the model has no item %s", name)
}

// editStep changes a step of a plan.
func editStep(t *testing.T, m *plan.Model, pattern, step string, edit func(s *plan.Step)) {
	t.Helper()
	p := planOf(t, m, pattern)
	s, ok := p.Steps[step]
	if !ok {
		t.Fatalf("plan %s has no step %s", pattern, step)
	}
	edit(&s)
	p.Steps[step] = s
}

func without(list []string, text string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return strings.Contains(s, text) })
}
