package engine_test

import (
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestSDKForJavaScript runs AWS's own client through the life cycle of a table. It needs node and the folder with
// @aws-sdk/client-dynamodb in TABLEWRIGHT_NODE_MODULES.
func TestSDKForJavaScript(t *testing.T) {
	if os.Getenv("TABLEWRIGHT_NODE_MODULES") == "" {
		t.Skip("TABLEWRIGHT_NODE_MODULES does not name a folder with @aws-sdk/client-dynamodb")
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed")
	}
	server := httptest.NewServer(open(t, "", nil).Handler())
	defer server.Close()
	out, err := exec.Command(node, "--no-warnings", "testdata/sdk.mjs", server.URL).CombinedOutput()
	if err != nil || strings.TrimSpace(string(out)) != "ok" {
		t.Errorf("%v\n%s", err, out)
	}
}
