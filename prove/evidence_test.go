package prove_test

import (
	"bytes"
	"runtime"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/prove"
)

func written(t *testing.T, program *plan.Program, o prove.Options) string {
	t.Helper()
	evidence, err := prove.Run(t.Context(), program, o)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := evidence.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// The same seed gives the same bytes, on however many processors; another seed gives others.
func TestEvidenceIsTheSame(t *testing.T) {
	m, r := tracker(t)
	program, _ := plan.Compile(m, r)
	with := func(seed uint64, processors int) string {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
		o := onEngine(t)
		o.Seed, o.Calls, o.Measured, o.Roots = seed, 6, 32, 12
		o.Patterns = []string{"registerUser", "changeEmail", "moveHook", "getHookByUrl", "createIssue", "listIssues", "logActivity", "recentActivity"}
		return written(t, program, o)
	}
	first := with(7, 1)
	for _, processors := range []int{2, 8} {
		if again := with(7, processors); again != first {
			a, b := firstDifference(first, again)
			t.Errorf("another proof on %d processors has other evidence:\n%s\n%s", processors, a, b)
		}
	}
	if with(8, 2) == first {
		t.Error("another seed has the same evidence")
	}
}

func firstDifference(a, b string) (string, string) {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range x {
		if i >= len(y) || x[i] != y[i] {
			return x[i], strings.Join(y[min(i, len(y)):min(i+1, len(y))], "")
		}
	}
	return "", "more lines"
}

// What a failing proof writes is enough to understand the failure: what was asked, what was expected, what came, and
// what was sent.
func TestCounterexample(t *testing.T) {
	m, r := published(t)
	editStep(t, m, "getProductInventoryByProductId", "i", func(s *plan.Step) { s.Evaluate = 5 })
	program, _ := plan.Compile(m, r)
	o := onEngine(t)
	o.Patterns = []string{"getProductInventoryByProductId"}
	evidence, err := prove.Run(t.Context(), program, o)
	if err != nil {
		t.Fatal(err)
	}
	if evidence.Proven || len(evidence.Patterns) != 1 {
		t.Fatalf("proven: %v, %d patterns", evidence.Proven, len(evidence.Patterns))
	}
	f := evidence.Patterns[0].Failure
	if f == nil {
		t.Fatal("no counterexample")
	}
	input, _ := f.Input.(map[string]any)
	expected, _ := f.Expected.(map[string]any)
	switch {
	case !strings.Contains(f.Cause, "items are missing"):
		t.Error("cause", f.Cause)
	case input["productId"] == nil:
		t.Error("input", f.Input)
	case expected["productId"] != input["productId"] || expected["warehouseId"] == nil:
		t.Error("expected", f.Expected)
	case len(f.Requests) != 1 || f.Requests[0].Operation != "Query" || !bytes.Contains(f.Requests[0].Body, []byte(`"Limit":5`)):
		t.Errorf("requests %+v", f.Requests)
	}
	var b bytes.Buffer
	if err := evidence.Write(&b); err != nil {
		t.Fatal(err)
	}
	t.Logf("%.3000s", b.String())
}

func TestEvidenceIsComplete(t *testing.T) {
	m, r := tracker(t)
	program, _ := plan.Compile(m, r)
	o := onEngine(t)
	o.Calls, o.Measured, o.Roots = 4, 32, 12
	evidence, err := prove.Run(t.Context(), program, o)
	if err != nil {
		t.Fatal(err)
	}
	if len(evidence.Patterns) != len(r.Patterns) {
		t.Errorf("%d verdicts on %d patterns", len(evidence.Patterns), len(r.Patterns))
	}
	for _, p := range evidence.Patterns {
		aimed := 0
		for _, n := range p.Aims {
			aimed += n
		}
		if p.Calls < aimed || aimed == 0 || p.Measured == 0 || len(p.Estimated) == 0 || len(p.Consumed) == 0 || len(p.Requests) == 0 {
			t.Errorf("%+v", p)
		}
	}
	items, keys := 0, 0
	for _, l := range evidence.Peak {
		if l.Item {
			items++
		} else {
			keys++
		}
		if l.Where == "" || l.Of == "" || l.Limit < 0 || l.Read+l.Write <= 0 {
			t.Errorf("%+v", l)
		}
	}
	if items == 0 || keys == 0 {
		t.Errorf("peak loads of %d items and %d keys", items, keys)
	}
	if !strings.Contains(evidence.Staleness, "200ms") {
		t.Error(evidence.Staleness)
	}
	if len(evidence.Uniqueness) == 0 || len(evidence.Cuts) == 0 {
		t.Errorf("%d attempts at once, %d cuts", len(evidence.Uniqueness), len(evidence.Cuts))
	}
}
