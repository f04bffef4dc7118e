package sdk_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/internal/peers"
)

// TestJavaScript runs testdata/lifecycle.mjs, which goes through the life of a table and its items, against the program,
// and against an engine in this process that is quick enough about expiry for the script to wait for it.
func TestJavaScript(t *testing.T) {
	for _, c := range []struct {
		name, expiry string
		start        func(t *testing.T) (url string)
	}{
		{"serve", "leave", startServe},
		{"engine", "wait", func(t *testing.T) string { return startEngine(t, asItIs) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			script := peers.Node(t, "testdata/lifecycle.mjs", c.start(t), c.expiry)
			var failure bytes.Buffer
			script.Stderr = &failure
			said, err := script.Output()
			if err != nil {
				t.Fatalf("%v\n%s", err, &failure)
			}
			// An asynchronous script can end early without an error.
			if !strings.HasSuffix(string(said), "to the end\n") {
				t.Errorf("the script ended early: %s", said)
			}
			t.Logf("%s", said)
		})
	}
}
