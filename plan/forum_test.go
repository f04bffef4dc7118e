package plan_test

import (
	"testing"

	"github.com/tablewright/tablewright/plan"
)

func forum(t testing.TB) *plan.Program {
	t.Helper()
	r := requirements(t, "testdata/forum.yaml", nil)
	m, src := document(t, "testdata/forum.model.yaml", nil)
	p, problems := plan.Compile(m, r)
	for _, d := range src.Problems(problems) {
		t.Error(d.Text())
	}
	return p
}

// A model with every kind of item, called likewise.
func TestForum(t *testing.T) {
	runCalls(t, forum(t), "testdata/forum")
}
