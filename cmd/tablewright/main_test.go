package main

import (
	"errors"
	"flag"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite what the dialogues in testdata compare with")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"tablewright": main})
}

// TestDialogues runs the dialogues in testdata: commands, what they print, and their exit codes.
func TestDialogues(t *testing.T) {
	examples, err := filepath.Abs("../../examples")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("EXAMPLES", examples)
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){"exits": exits},
	})
}

// exits CODE COMMAND ARGS… runs a command that has to end with an exit code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND ARGS...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

func TestFolderName(t *testing.T) {
	for in, want := range map[string]string{"online-shop": "online-shop", "../../etc": "..-..-etc", "..": "model", "Meine Läden": "Meine-L-den", "a/b": "a-b"} {
		if got := folderName(in); got != want {
			t.Errorf("folderName(%q) = %q, want %q", in, got, want)
		}
		if got := folderName(in); filepath.Base(got) != got || got == "." || got == ".." {
			t.Errorf("folderName(%q) = %q leads elsewhere", in, got)
		}
	}
}
