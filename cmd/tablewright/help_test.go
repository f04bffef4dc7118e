package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/tablewright/tablewright/doctor"
	"github.com/tablewright/tablewright/stats"
)

// examplesNotRun are the lines of help that a test cannot run, or that are run elsewhere.
var examplesNotRun = map[string]string{
	"tablewright build examples/online-shop.yaml":                                                                                     "`make examples` does, it takes long under the race detector",
	"tablewright prove examples/online-shop.yaml examples/online-shop.published-model.yaml":                                           "`make examples` does",
	"tablewright prove shop.yaml model.yaml --endpoint http://127.0.0.1:8000":                                                         "internal/peers does, and TestProveOnServe",
	"tablewright prove shop.yaml model.yaml --aws --region eu-central-1 --yes --max-cost 0.50":                                        "it costs money",
	"aws dynamodb list-tables --endpoint-url http://127.0.0.1:8000":                                                                   "the AWS CLI may not be there",
	"tablewright completion powershell | Out-String | Invoke-Expression":                                                              "PowerShell may not be there",
	`tablewright completion zsh > "${fpath[1]}/_tablewright"`:                                                                         "a zsh expression",
	"tablewright completion fish > ~/.config/fish/completions/tablewright.fish":                                                       "writes to the user's home",
	"tablewright conformance --endpoint http://127.0.0.1:8000":                                                                        "TestConformance does",
	"tablewright conformance --endpoint http://127.0.0.1:8000 --only query --details":                                                 "TestConformance does",
	"tablewright conformance --endpoint http://127.0.0.1:8000 --write-known differences.txt":                                          "TestConformance does",
	"tablewright conformance --endpoint http://127.0.0.1:8000 --known differences.txt --output junit > junit.xml":                     "TestConformance does",
	"tablewright conformance --endpoint https://dynamodb.eu-central-1.amazonaws.com --yes":                                            "it costs money",
	"tablewright serve --in-memory":                                                                                                   "does not end; TestServe",
	"tablewright serve --listen 127.0.0.1:8000 --dir ./data":                                                                          "does not end; TestServe",
	"tablewright serve --in-memory --lag 500ms     # index entries follow within half a second":                                       "does not end; TestServe",
	"tablewright serve --in-memory --throttle      # refuse what exceeds throughput, as the service does":                             "does not end; TestServeThrottle",
	"tablewright serve --config serve.yaml":                                                                                           "does not end; TestServeConfig",
	"tablewright serve --dir ./data --listen 0.0.0.0:8443 --credentials keys.yaml --tls-cert cert.pem --tls-key key.pem":              "does not end; TestServeTLS",
	"tablewright run getLoansOfReader --param readerId=01K0 --endpoint http://127.0.0.1:8000 --all":                                   "TestRunOnServe",
	"tablewright run getLoansOfReader --param readerId=01K0 --aws --region eu-central-1 --table-prefix test- --limit 5 --output json": "it costs money",
	"tablewright describe Books --endpoint http://127.0.0.1:8000 --model model.yaml":                                                  "TestRunOnServe",
	"tablewright describe --aws --region eu-central-1 --model model.yaml --table-prefix test-":                                        "it costs money",
	"tablewright items Shop --partition 'o#7' --prefix 'shipment#' --endpoint http://127.0.0.1:8000 --model model.yaml":               "TestRunOnServe",
	"tablewright items Shop --partition 'o#7' --descending --limit 5 --aws":                                                           "it costs money",
	"tablewright export Shop shop.jsonl.gz --aws --region eu-central-1 --parallel 4 --rate 200 --yes":                                 "it costs money",
	"tablewright import Shop shop.jsonl.gz --aws --region eu-central-1 --parallel 4 --rate 500 --state shop.state --yes":              "it costs money",
	"tablewright doctor http://127.0.0.1:6060/debug/tablewright/ --model model.yaml --promises":                                       "TestDoctorOfAProgram",
	"tablewright doctor --table Shop --aws --region eu-central-1 --read-units 1000":                                                   "it costs money",
	"#   # yaml-language-server: $schema=requirements.schema.json":                                                                    "a remark",
	"# then, as the first line of a requirements file, for editors with the YAML language server:":                                    "a remark",
}

// TestHelpExamples runs what every --help ends with, in a folder as its reader has it: a requirements file, the model
// designed from it, a price file, and the examples of the repository.
func TestHelpExamples(t *testing.T) {
	shell, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("the examples are for a shell, and there is none")
	}
	root := (&app{}).root()
	setup := t.TempDir()
	inDir := func(dir, line string) (string, error) {
		c := exec.Command(shell, "-e", "-o", "pipefail", "-c", line)
		c.Dir = dir
		c.Env = append(os.Environ(), "PATH="+path())
		out, err := c.CombinedOutput()
		return string(out), err
	}
	for _, line := range []string{"tablewright new > shop.yaml", "tablewright design shop.yaml > model.yaml", "gzip > backup.jsonl.gz < " + books(t)} {
		if out, err := inDir(setup, line); err != nil {
			t.Fatalf("%s: %v\n%s", line, err, out)
		}
	}
	kept := map[string][]byte{}
	for name, from := range map[string]string{
		"shop.yaml": filepath.Join(setup, "shop.yaml"), "model.yaml": filepath.Join(setup, "model.yaml"),
		"eu-central-1.txt": "../../capacity/prices/us-east-1.txt", "backup.jsonl.gz": filepath.Join(setup, "backup.jsonl.gz"),
	} {
		if kept[name], err = os.ReadFile(from); err != nil {
			t.Fatal(err)
		}
	}
	kept["books.jsonl"] = []byte(`{"Item":{"isbn":{"S":"9780201896831"}}}` + "\n")
	var statistics bytes.Buffer
	if err := doctor.Empty(stats.Thresholds{}).Write(&statistics); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"statistics.json", "one.json", "two.json"} {
		kept[name] = statistics.Bytes()
	}
	kept["books.csv"] = []byte("isbn,copies\n9780201896831,2\n")
	examples, err := filepath.Abs("../../examples")
	if err != nil {
		t.Fatal(err)
	}
	skipped := map[string]bool{}
	for _, c := range append(commandsOf(root), root) {
		if c.Example == "" {
			t.Errorf("%s has no examples", c.Name())
		}
		if !bytes.HasSuffix(helpOf(t, c), []byte(c.Example+"\n")) {
			t.Errorf("the help of %s does not end with its examples", c.Name())
		}
		for line := range strings.Lines(c.Example) {
			line := strings.TrimSpace(line)
			if examplesNotRun[line] != "" {
				skipped[line] = true
				continue
			}
			t.Run(line, func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				if err := os.Symlink(examples, filepath.Join(dir, "examples")); err != nil {
					t.Fatal(err)
				}
				for name, text := range kept {
					if name == "shop.yaml" && strings.HasPrefix(line, "tablewright new") {
						continue
					}
					if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
						t.Fatal(err)
					}
				}
				if strings.HasPrefix(line, "tablewright engine ") || strings.Contains(line, "--dir ./data") {
					if out, err := inDir(dir, "tablewright engine load ./data backup.jsonl.gz"); err != nil {
						t.Fatalf("%v\n%s", err, out)
					}
				}
				if out, err := inDir(dir, line); err != nil {
					t.Errorf("%v\n%s", err, out)
				}
			})
		}
	}
	for line := range examplesNotRun {
		if !skipped[line] {
			t.Errorf("no help has the example that is not run: %s", line)
		}
	}
}

// commandsOf are all commands below one.
func commandsOf(c *cobra.Command) (l []*cobra.Command) {
	for _, sub := range c.Commands() {
		l = append(append(l, sub), commandsOf(sub)...)
	}
	return l
}

// books is a dump with a table and some items.
func books(t *testing.T) string {
	t.Helper()
	path, err := filepath.Abs("testdata/books.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func helpOf(t *testing.T, c *cobra.Command) []byte {
	t.Helper()
	var out bytes.Buffer
	c.SetOut(&out)
	if err := c.Help(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
