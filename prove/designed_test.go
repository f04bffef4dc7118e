package prove_test

import (
	"flag"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/tablewright/tablewright/design"
	"github.com/tablewright/tablewright/internal/norace"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/prove"
	"github.com/tablewright/tablewright/spec"
)

// seeds is how many seeds each correct model is proven with: `go test ./prove -run Proven -seeds 20` shows that a verdict
// rests on the model and not on luck.
var seeds = flag.Uint64("seeds", 1, "prove correct models with so many seeds")

func designed(file string) func(testing.TB) (*plan.Model, *spec.Requirements) {
	return func(t testing.TB) (*plan.Model, *spec.Requirements) {
		t.Helper()
		r := requirements(t, file)
		d, err := design.Design(t.Context(), r, design.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return d.Model, r
	}
}

// Correct models, and no pattern of theirs may fail.
var correct = []struct {
	name string
	app  func(testing.TB) (*plan.Model, *spec.Requirements)
}{
	{"online-shop", designed("online-shop.yaml")},
	{"complaint-management", designed("complaint-management.yaml")},
	{"session-management", designed("session-management.yaml")},
	{"desk", designed("../prove/testdata/desk.yaml")},
	{"inbox", designed("../prove/testdata/inbox.yaml")},
	{"baggage", designed("../prove/testdata/baggage.yaml")},
	{"made when missing", designed("../design/testdata/strategies/made-when-missing.yaml")},
	{"theatre", designed("../prove/testdata/theatre.yaml")},
	{"rental", designed("../prove/testdata/rental.yaml")},
	{"auctions", designed("../prove/testdata/auctions.yaml")},
	{"lockers", designed("../prove/testdata/lockers.yaml")},
	{"kennels", designed("../prove/testdata/kennels.yaml")},
	{"guilds", designed("../prove/testdata/guilds.yaml")},
	{"newer wins", designed("../design/testdata/strategies/newer-wins.yaml")},
	{"hot at peak", designed("../design/testdata/strategies/hot-at-peak.yaml")},
	{"online-shop published", published},
	{"tracker", tracker},
	{"museum", museum},
	{"workshops in two parts", designed("../design/testdata/strategies/split.yaml")},
}

// TestEvidenceIsComplete makes a smaller proof, with all of its phases, under the race detector.
func TestCorrectModelsAreProven(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	var mu sync.Mutex
	var all []*prove.Evidence
	t.Cleanup(func() { // of those that run beside each other as well
		got := prove.AccuracyOf(all...)
		t.Logf("%d patterns consume %.4f times their estimate in the median, %.1f %% of them within 5 %%", got.Patterns, got.Median, 100*got.Near)
		if len(all) > 0 && (math.Abs(got.Median-1) > 0.01 || got.Near < 0.95) {
			t.Errorf("want within 1 %%, and 95 %% of them within 5 %%")
		}
	})
	for _, c := range correct {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			m, r := c.app(t)
			program, problems := plan.Compile(m, r)
			for _, p := range problems {
				t.Error(p)
			}
			for _, proc := range program.Procedures {
				for _, s := range proc.Stages {
					if s.Verb == plan.Scan {
						t.Errorf("%s scans", proc.Name)
					}
				}
			}
			for seed := range *seeds {
				t.Run(fmt.Sprintf("seed %d", seed+1), func(t *testing.T) {
					o := onEngine(t)
					o.Seed = seed + 1
					o.Scale = 0.5
					if len(r.Patterns) > 16 { // a quarter of what is stored for so many is thousands of items still
						o.Scale = 0.25
					}
					evidence, err := prove.Run(t.Context(), program, o)
					if err != nil {
						t.Fatal(err)
					}
					allProven(t, evidence)
					notBiased(t, evidence)
					mu.Lock()
					all = append(all, evidence)
					mu.Unlock()
					for _, c := range evidence.Uniqueness {
						if strings.HasPrefix(c.What, "changes of one") && c.Happened == 0 {
							t.Errorf("%s: %s: none happened", c.Pattern, c.What)
						}
					}
				})
			}
		})
	}
}

// notBiased demands of writes of which very many calls were measured that they consume what was estimated, and closer than a
// verdict asks for: a bias hides there, chance does not.
func notBiased(t *testing.T, evidence *prove.Evidence) {
	t.Helper()
	for _, p := range evidence.Patterns {
		if p.Kind != "write" || p.Measured < 1_000 {
			continue
		}
		estimated, consumed := 0.0, 0.0
		for arm := range p.Estimated {
			estimated += p.Estimated[arm]
			consumed += p.Consumed[arm]
		}
		if math.Abs(consumed/estimated-1) > 0.02 {
			t.Errorf("%s consumes %.3f units in the mean of %d calls, %.3f were estimated", p.Name, consumed, p.Measured, estimated)
		}
	}
}
