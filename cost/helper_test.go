package cost_test

import (
	"math"
	"testing"

	"github.com/tablewright/tablewright/model"
	"github.com/tablewright/tablewright/plan"
)

// compile reads a case from files, or fails the test.
func compile(t testing.TB, requirements, document string) *plan.Program {
	t.Helper()
	r, _, ds, err := model.LoadRequirements(requirements)
	if err != nil || r == nil {
		t.Fatal(err, ds)
	}
	m, source, ds, err := model.LoadModel(document)
	if err != nil || m == nil {
		t.Fatal(err, ds)
	}
	p, ds := model.CompileModel(m, source, r)
	if ds.Err() != nil {
		t.Fatal(ds)
	}
	return p
}

// compileText is compile on texts.
func compileText(t testing.TB, requirements, document string) *plan.Program {
	t.Helper()
	r, _, ds := model.ReadRequirements("requirements.yaml", []byte(requirements))
	if ds.Err() != nil {
		t.Fatal(ds)
	}
	m, source, ds := model.ReadModel("model.yaml", []byte(document))
	if ds.Err() != nil {
		t.Fatal(ds)
	}
	p, ds := model.CompileModel(m, source, r)
	if ds.Err() != nil {
		t.Fatal(ds)
	}
	return p
}

func archive(t testing.TB) *plan.Program {
	return compile(t, "testdata/archive.yaml", "testdata/archive.model.yaml")
}

func publishedShop(t testing.TB) *plan.Program {
	return compile(t, "../examples/online-shop.yaml", "../examples/online-shop.published-model.yaml")
}

// near compares with a tolerance, relative above 1.
func near(t testing.TB, what string, got, want, tolerance float64) {
	t.Helper()
	if math.IsNaN(got) || math.Abs(got-want) > tolerance*math.Max(1, math.Abs(want)) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}
