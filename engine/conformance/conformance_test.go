package conformance_test

import (
	"context"
	"net/http/httptest"
	"testing"

	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/engine/conformance"
)

// TestEngine holds the engine to every case: in process, over HTTP, and in a file. In process tables have the very names
// of the cases, which matters to limits of names; elsewhere cases run side by side, beside tables of others.
func TestEngine(t *testing.T) {
	t.Run("in process", func(t *testing.T) {
		run(t, open(t, ""), conformance.Options{Own: true})
	})
	t.Run("http", func(t *testing.T) {
		e := open(t, "")
		server := httptest.NewServer(e.Handler())
		t.Cleanup(server.Close)
		run(t, conformance.HTTP(server.URL), conformance.Options{Parallel: 8})
		if answer, err := e.Do(t.Context(), "ListTables", []byte("{}")); err != nil || string(answer) != `{"TableNames":[]}` {
			t.Errorf("left behind: %s %v", answer, err)
		}
	})
	t.Run("in a file", func(t *testing.T) {
		run(t, open(t, t.TempDir()), conformance.Options{Parallel: 8})
	})
}

func open(t *testing.T, dir string) *engine.Engine {
	t.Helper()
	e, err := engine.Open(dir, &engine.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Check(); err != nil {
			t.Error(err)
		}
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

// run does all cases, and reports each that does not pass by its name.
func run(t *testing.T, target conformance.Target, o conformance.Options) {
	t.Helper()
	report, err := conformance.Run(context.Background(), target, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range report.Results {
		if _, overHTTP := target.(conformance.Sender); r.Status != conformance.Passed && (r.Status != conformance.Skipped || overHTTP) {
			t.Errorf("%s: %s: %s", r.Name, r.Status, r.Detail())
		}
	}
}
