package sdk_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/internal/peers"
)

// TestJavaScript runs testdata/lifecycle.mjs, which goes through the life of a table and its items.
func TestJavaScript(t *testing.T) {
	script := peers.Node(t, "testdata/lifecycle.mjs", startEngine(t, asItIs))
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
}
