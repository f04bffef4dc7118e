package terraform_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/internal/peers"
)

// object is a configuration, or a part of one, in Terraform's syntax in JSON.
type object = map[string]any

// workspace is a folder with a configuration, and the engine that it is applied to.
type workspace struct {
	*testing.T
	dir, programs string
	url           string
	engine        *engine.Engine
	clock         *clock
	calls         *recorder
}

// clock is the system's, moved on by what tests skip.
type clock struct{ skipped atomic.Int64 }

func (c *clock) Now() time.Time { return time.Now().Add(time.Duration(c.skipped.Load())) }

func (c *clock) skip(d time.Duration) { c.skipped.Add(int64(d)) }

// newWorkspace is a folder without state, on an engine with options.
func newWorkspace(t *testing.T, options engine.Options) *workspace {
	t.Helper()
	w := &workspace{T: t, dir: t.TempDir(), programs: peers.Terraform(t), clock: &clock{}}
	options.SweepEvery, options.Clock = -1, w.clock
	e, err := engine.Open("", &options)
	if err != nil {
		t.Fatal(err)
	}
	w.calls = &recorder{handler: e.Handler()}
	server := httptest.NewServer(w.calls)
	t.Cleanup(func() {
		server.Close()
		if err := errors.Join(e.Check(), e.Close()); err != nil {
			t.Error(err)
		}
	})
	w.engine, w.url = e, server.URL
	// With a provider from a folder nothing is initialised, and nothing downloaded.
	rc := fmt.Sprintf("provider_installation {\n  dev_overrides {\n    \"hashicorp/aws\" = %q\n  }\n}\ndisable_checkpoint = true\n", w.programs)
	w.write("rc", []byte(rc))
	return w
}

func (w *workspace) write(name string, text []byte) {
	w.Helper()
	if err := os.WriteFile(filepath.Join(w.dir, name), text, 0o600); err != nil {
		w.Fatal(err)
	}
}

// configure writes the configuration: resources by their type and name, of a provider of us-east-1 or of aws.eu of eu-west-1.
func (w *workspace) configure(resources object) {
	w.Helper()
	main := object{
		"terraform": object{"required_providers": object{"aws": object{"source": "hashicorp/aws"}}},
		"provider":  object{"aws": []any{object{"region": "us-east-1", "endpoint": w.url}, object{"alias": "eu", "region": "eu-west-1", "endpoint": w.url}}},
		"resource":  resources,
	}
	text, err := json.MarshalIndent(main, "", "  ")
	if err != nil {
		w.Fatal(err)
	}
	w.write("main.tf.json", text)
}

// tofu runs OpenTofu and answers what it said and its exit code.
func (w *workspace) tofu(arguments ...string) (said string, code int) {
	w.Helper()
	cmd := exec.CommandContext(w.Context(), filepath.Join(w.programs, "tofu"), append(arguments, "-no-color")...)
	cmd.Dir = w.dir
	cmd.Env = append(os.Environ(), "TF_CLI_CONFIG_FILE="+filepath.Join(w.dir, "rc"), "TF_IN_AUTOMATION=1", "TF_INPUT=0")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		w.Fatalf("tofu: %v", err)
	}
	return out.String(), cmd.ProcessState.ExitCode()
}

// apply makes the configuration true, which has to add, change and destroy so many resources; then a plan has to find nothing.
func (w *workspace) apply(want string, arguments ...string) {
	w.Helper()
	said, code := w.tofu(append([]string{"apply", "-auto-approve"}, arguments...)...)
	if code != 0 || !strings.Contains(said, "Apply complete! Resources: "+want+".") {
		w.Fatalf("exit code %d, want %q:\n%s", code, want, said)
	}
	w.planned(0)
}

// planned plans and wants the exit code 0 for nothing to do or 2 for changes, of which the plan has to name all that is given.
func (w *workspace) planned(want int, names ...string) {
	w.Helper()
	said, code := w.tofu("plan", "-detailed-exitcode")
	if code != want {
		w.Fatalf("plan: exit code %d, want %d:\n%s", code, want, said)
	}
	for _, name := range names {
		if !strings.Contains(said, name) {
			w.Errorf("the plan does not name %q:\n%s", name, said)
		}
	}
}

// do does something to the engine that Terraform does not know of.
func (w *workspace) do(operation, request string) (answer string) {
	w.Helper()
	out, err := w.engine.Do(w.Context(), operation, []byte(request))
	if err != nil {
		w.Fatalf("%s: %v", operation, err)
	}
	w.calls.add(call{operation, request, string(out), http.StatusOK})
	return string(out)
}
