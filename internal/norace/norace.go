package norace

import (
	"context"
	"flag"
	"os/exec"
	"strings"
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

// run runs a test of the package in whose folder this process runs, as go test lets it, and answers what the test wrote.
func run(ctx context.Context, test string) (out string, err error) {
	which := "^" + test + "$"
	if _, sub, ok := strings.Cut(flag.Lookup("test.run").Value.String(), "/"); ok {
		which += "/" + sub
	}
	arguments := []string{"test", "-race=false", "-vet=off", "-count=1", "-v", "-run", which}
	if deadline, ok := ctx.Deadline(); ok {
		arguments = append(arguments, "-timeout", time.Until(deadline).String())
	}
	arguments = append(arguments, ".")
	flag.Visit(func(f *flag.Flag) {
		if f.Name == "test.short" || !strings.HasPrefix(f.Name, "test.") {
			arguments = append(arguments, "-"+f.Name+"="+f.Value.String())
		}
	})
	text, err := exec.CommandContext(ctx, "go", arguments...).CombinedOutput()
	return string(text), err
}
