package proofs_test

import (
	"net/http"
	"path/filepath"
	"testing"
	"time"

	"github.com/tablewright/tablewright/internal/norace"
	"github.com/tablewright/tablewright/internal/peers"
	"github.com/tablewright/tablewright/internal/peers/ledger"
	"github.com/tablewright/tablewright/internal/pipeline"
	"github.com/tablewright/tablewright/prove"
)

const examples = "../../../examples"

// cases are the models whose proofs are compared.
var cases = []struct{ name, requirements, model string }{
	{"online shop", "online-shop.yaml", ""},
	{"online shop, published", "online-shop.yaml", "online-shop.published-model.yaml"},
	{"complaint management", "complaint-management.yaml", ""},
	{"session management", "session-management.yaml", ""},
}

// Fewer calls on less data than a proof makes by itself: DynamoDB Local takes about 3 ms for a request. A pattern whose
// consumption is not clear by then is called more often, and collections are as large as ever.
const calls, measured, roots = 3, 48, 8

// TestSameVerdicts proves the examples on DynamoDB Local, as `prove --endpoint` does, and demands the verdicts of the
// embedded engine. On the way every answer of DynamoDB Local is held against an engine's; see mirror.
func TestSameVerdicts(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	local, _ := peers.StartLocal(t, peers.Brief...)
	t.Setenv("AWS_ACCESS_KEY_ID", "peers")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "peers")
	rules, err := ledger.ReadFile("testdata/ledger.txt")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { // after all cases
		for _, r := range rules.Rules {
			t.Logf("%6d figures by the entry of line %d: %s", r.Used, r.Line, r.Why)
		}
		for _, r := range rules.Unused() {
			t.Errorf("testdata/ledger.txt:%d: nothing differs like that any more", r.Line)
		}
	})
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			ours := proof(t, c.requirements, c.model, pipeline.Options{Scale: 0.25})
			m, url := newMirror(t, local, rules, func(h http.Handler) http.Handler { return h })
			started := time.Now()
			theirs := proof(t, c.requirements, c.model, pipeline.Options{
				Endpoint: &pipeline.Endpoint{URL: url, Region: "us-east-1", Calls: calls, Measured: measured, Roots: roots},
			})
			for at, n := range m.found {
				t.Errorf("%d answers differ in %s, which the ledger does not have", n, at)
			}
			if len(ours.Patterns) != len(theirs.Patterns) {
				t.Fatalf("%d access patterns on the engine, %d on DynamoDB Local", len(ours.Patterns), len(theirs.Patterns))
			}
			for i, a := range ours.Patterns {
				b := theirs.Patterns[i]
				if a.Name != b.Name || a.Proven != b.Proven {
					t.Errorf("%s is proven on the engine: %t (%v); %s on DynamoDB Local: %t (%v)", a.Name, a.Proven, a.Failure, b.Name, b.Proven, b.Failure)
				}
			}
			proven, of := theirs.Count()
			t.Logf("%d of %d patterns proven on DynamoDB Local with %d requests in %.0f s; of %d answers that told what was consumed, %d were corrected by the ledger",
				proven, of, m.requests, time.Since(started).Seconds(), m.measured, m.replaced)
		})
	}
}

// proof proves a model, or what is designed without one.
func proof(t *testing.T, requirements, model string, o pipeline.Options) *prove.Evidence {
	t.Helper()
	open := func(name string) pipeline.Document {
		d, err := pipeline.Open(filepath.Join(examples, name))
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	job, err := pipeline.Read(open(requirements))
	if err != nil {
		t.Fatal(err)
	}
	if model == "" {
		err = job.Design(t.Context(), o)
	} else {
		err = job.Load(open(model), o)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := job.Prove(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	return job.Evidence
}
