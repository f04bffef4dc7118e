package sdk_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/internal/peers"
)

// TestPython runs testdata/lifecycle.py, which goes through the life of a table and its items with boto3, against the
// program: once as it is, and once with keys and a certificate, so that what botocore signs is verified and AWS_CA_BUNDLE is
// what the documentation says.
func TestPython(t *testing.T) {
	for name, secured := range map[string]bool{"plain": false, "signed over TLS": true} {
		t.Run(name, func(t *testing.T) {
			script := peers.Python(t, "boto3", "testdata/lifecycle.py")
			var arguments []string
			script.Env = append(os.Environ(), "AWS_ACCESS_KEY_ID=peers", "AWS_SECRET_ACCESS_KEY=peers", "AWS_CONFIG_FILE=/dev/null",
				"AWS_SHARED_CREDENTIALS_FILE=/dev/null", "AWS_EC2_METADATA_DISABLED=true")
			if secured {
				dir := t.TempDir()
				makeCertificate(t, dir)
				writeKeys(t, dir)
				arguments = []string{"--credentials", filepath.Join(dir, "keys.yaml"), "--tls-cert", filepath.Join(dir, "cert.pem"), "--tls-key", filepath.Join(dir, "key.pem")}
				script.Env = append(script.Env, "AWS_CA_BUNDLE="+filepath.Join(dir, "cert.pem"))
			}
			script.Args = append(script.Args, startServeWith(t, arguments...))
			var failure bytes.Buffer
			script.Stderr = &failure
			said, err := script.Output()
			if err != nil {
				t.Fatalf("%v after\n%s%s", err, said, &failure)
			}
			if !strings.HasSuffix(string(said), "to the end\n") {
				t.Errorf("the script ended early: %s", said)
			}
		})
	}
}
