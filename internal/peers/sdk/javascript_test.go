package sdk_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/tablewright/tablewright/internal/peers"
)

// TestJavaScript runs scripts of testdata with the SDK for JavaScript against the program: as it is, and with keys and a
// certificate, so that what the SDK signs is verified; and against engines in this process, one of which is quick enough
// about expiry for a script to wait for it, while with the other things go wrong.
func TestJavaScript(t *testing.T) {
	for _, c := range []struct {
		name    string
		scripts []string
		start   func(t *testing.T) (url, authority string)
	}{
		{"plain", []string{"lifecycle"}, func(t *testing.T) (string, string) { return startServe(t), "" }},
		{"signed over TLS", []string{"statements", "settings", "streams"}, startSecured},
		{"expiry", []string{"lifecycle", "wait"}, func(t *testing.T) (string, string) { return startEngine(t, asItIs), "" }},
		{"faults", []string{"faults"}, func(t *testing.T) (string, string) { return startFaulty(t), "" }},
	} {
		t.Run(c.name, func(t *testing.T) {
			url, authority := c.start(t)
			script := peers.Node(t, "testdata/run.mjs", append([]string{url}, c.scripts...)...)
			script.Env = append(os.Environ(), "NODE_NO_WARNINGS=1", "NODE_EXTRA_CA_CERTS="+authority)
			var failure bytes.Buffer
			script.Stderr = &failure
			said, err := script.Output()
			if err != nil {
				t.Fatalf("%v\n%s", err, &failure)
			}
			noteScript(t, said)
		})
	}
}

// startSecured is startServe with keys and TLS; authority is the file of the certificate to trust.
func startSecured(t *testing.T) (url, authority string) {
	t.Helper()
	dir := t.TempDir()
	makeCertificate(t, dir)
	writeKeys(t, dir)
	authority = filepath.Join(dir, "cert.pem")
	return startServeWith(t, "--credentials", filepath.Join(dir, "keys.yaml"), "--tls-cert", authority, "--tls-key", filepath.Join(dir, "key.pem")), authority
}
