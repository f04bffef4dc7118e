package conformance_test

import (
	"context"
	"net/http/httptest"
	"testing"

	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/engine/conformance"
)

// TestEngine holds the engine to every case: in process, over HTTP, and in a file.
func TestEngine(t *testing.T) {
	memory := open(t, "")
	server := httptest.NewServer(open(t, "").Handler())
	t.Cleanup(server.Close)
	run(t, "in process", memory)
	run(t, "http", conformance.HTTP(server.URL))
	run(t, "in a file", open(t, t.TempDir()))
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

func run(t *testing.T, name string, target conformance.Target) {
	t.Run(name, func(t *testing.T) {
		cases, err := conformance.Cases()
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range cases {
			t.Run(c.Name, func(t *testing.T) {
				if err := c.Run(context.Background(), target); err != nil {
					t.Errorf("%v\n  because  %s", err, c.Why)
				}
			})
		}
	})
}
