package norace

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

// Here reports whether a test is to run in this binary: whether it has no race detector. If it has one, Here runs the test
// in a binary without before it returns, and fails or skips this one if that one has failed or been skipped. It is for
// tests of the top level.
func Here(t *testing.T) bool {
	t.Helper()
	if !detector {
		return true
	}
	ctx := t.Context()
	if deadline, ok := t.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, deadline)
		defer cancel()
	}
	out, err := run(ctx, t.Name())
	switch {
	case err != nil:
		t.Errorf("%v\n%s", err, out)
	case strings.Contains(out, "--- SKIP: "+t.Name()+" "):
		t.Skip(out)
	default:
		t.Log(out)
	}
	return false
}

// binary is a test binary of the package in whose folder this process runs, without the detector. It is built once for all tests
// and lies beside the binary of this process, in the folder that go test removes in the end.
var binary = sync.OnceValues(func() (path string, err error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	path = strings.TrimSuffix(self, ".exe") + ".norace.exe"
	build := exec.Command("go", "test", "-c", "-race=false", "-vet=off", "-o", path, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0") // as the packages that are tested without the detector are compiled
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go test -c: %w\n%s", err, out)
	}
	return path, nil
})

// run runs a test of that binary, as go test lets it, and answers what the test wrote.
func run(ctx context.Context, test string) (out string, err error) {
	path, err := binary()
	if err != nil {
		return "", err
	}
	which := "^" + test + "$"
	if _, sub, ok := strings.Cut(flag.Lookup("test.run").Value.String(), "/"); ok {
		which += "/" + sub
	}
	arguments := []string{"-test.v", "-test.run", which}
	if deadline, ok := ctx.Deadline(); ok {
		arguments = append(arguments, "-test.timeout", time.Until(deadline).String())
	}
	flag.Visit(func(f *flag.Flag) {
		if f.Name == "test.short" || !strings.HasPrefix(f.Name, "test.") {
			arguments = append(arguments, "-"+f.Name+"="+f.Value.String())
		}
	})
	text, err := exec.CommandContext(ctx, path, arguments...).CombinedOutput()
	return string(text), err
}
