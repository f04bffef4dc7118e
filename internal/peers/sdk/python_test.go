package sdk_test

import (
	"bytes"
	"os"
	"testing"

	"github.com/tablewright/tablewright/internal/peers"
)

// TestPython runs scripts of testdata with boto3 against the program: as it is, and with keys and a certificate, so that what
// botocore signs is verified and AWS_CA_BUNDLE is what the documentation says; and on an engine with which things go wrong.
func TestPython(t *testing.T) {
	for _, c := range []struct {
		name    string
		scripts []string
		start   func(t *testing.T) (url, authority string)
	}{
		{"plain", []string{"resources"}, func(t *testing.T) (string, string) { return startServe(t), "" }},
		{"signed over TLS", []string{"lifecycle", "settings"}, startSecured},
		{"faults", []string{"faults"}, func(t *testing.T) (string, string) { return startFaulty(t), "" }},
	} {
		t.Run(c.name, func(t *testing.T) { runPython(t, "boto3", "testdata/run.py", c.scripts, c.start) })
	}
}

// runPython runs a script of a client for Python that has a module, on a server that start starts.
func runPython(t *testing.T, module, script string, arguments []string, start func(t *testing.T) (url, authority string)) {
	t.Helper()
	run := peers.Python(t, module, script) // first: without it there is nothing to start a server for
	url, authority := start(t)
	run.Args = append(append(run.Args, url), arguments...)
	run.Env = append(os.Environ(), "AWS_ACCESS_KEY_ID=peers", "AWS_SECRET_ACCESS_KEY=peers", "AWS_CONFIG_FILE=/dev/null",
		"AWS_SHARED_CREDENTIALS_FILE=/dev/null", "AWS_EC2_METADATA_DISABLED=true", "PYTHONDONTWRITEBYTECODE=1")
	if authority != "" {
		run.Env = append(run.Env, "AWS_CA_BUNDLE="+authority)
	}
	var failure bytes.Buffer
	run.Stderr = &failure
	said, err := run.Output()
	if err != nil {
		t.Fatalf("%v after\n%s%s", err, said, &failure)
	}
	noteScript(t, said)
}
