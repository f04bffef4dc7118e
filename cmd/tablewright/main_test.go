package main

import (
	"bytes"
	"errors"
	"flag"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/tablewright/tablewright/internal/pipeline"
	"github.com/tablewright/tablewright/model"
	"github.com/tablewright/tablewright/prove"
)

var update = flag.Bool("update", false, "rewrite what the dialogues in testdata compare with")

// bin is the folder of the program that the tests call.
var bin string

// TestMain builds the program as it is delivered: the tests speak with a process, its streams, signals and exit codes, and
// a build with the race detector would make each of its proofs take ten times as long.
func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(func() int {
		var err error
		if bin, err = os.MkdirTemp("", "tablewright-test-*"); err != nil {
			log.Fatal(err)
		}
		defer os.RemoveAll(bin)
		build := exec.Command("go", "build", "-o", program(), ".")
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := build.CombinedOutput(); err != nil {
			log.Printf("go build: %v\n%s", err, out)
			return 1
		}
		return m.Run()
	}())
}

func program() string {
	if runtime.GOOS == "windows" {
		return filepath.Join(bin, "tablewright.exe")
	}
	return filepath.Join(bin, "tablewright")
}

// path is PATH with the program before everything else.
func path() string { return bin + string(os.PathListSeparator) + os.Getenv("PATH") }

// TestDialogues runs the dialogues in testdata: commands, what they print, and their exit codes.
func TestDialogues(t *testing.T) {
	examples, err := filepath.Abs("../../examples")
	if err != nil {
		t.Fatal(err)
	}
	testdata, err := filepath.Abs("testdata")
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
			e.Setenv("BOOKS", filepath.Join(testdata, "books.jsonl"))
			e.Setenv("PATH", path())
			return chatFiles(e.WorkDir)
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){"exits": exits, "validates": validates},
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

// validates SCHEMA DOCUMENT checks a document, YAML or JSON, against a JSON Schema, as an editor does.
func validates(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: [!] validates SCHEMA DOCUMENT")
	}
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft2020)
	schema, err := compiler.Compile(ts.MkAbs(args[0]))
	ts.Check(err)
	text, err := os.ReadFile(ts.MkAbs(args[1]))
	ts.Check(err)
	if text, err = pipeline.JSON(text); err != nil { // JSON is YAML too
		ts.Fatalf("%v", err)
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	ts.Check(err)
	if err := schema.Validate(document); (err != nil) != neg {
		ts.Fatalf("%s: %v", args[1], err)
	}
}

// TestNotProven: what is not proven is said with its cause and where its counterexample is, and ends with its exit code.
func TestNotProven(t *testing.T) {
	r, _ := pipeline.Read(pipeline.Document{Name: "starter", Text: model.Starter()})
	if err := r.Design(t.Context(), pipeline.Options{}); err != nil {
		t.Fatal(err)
	}
	r.Evidence = &prove.Evidence{Patterns: []*prove.PatternResult{
		{Name: "getBook", Proven: true, Calls: 10, Estimated: map[string]float64{"Books": 0.5}, Consumed: map[string]float64{"Books": 0.5}},
		{Name: "lendBook", Calls: 5, Failure: &prove.Counterexample{Cause: "it happened, and should have been refused", Aim: "edge"}},
	}}
	for _, c := range []struct {
		output string
		end    func(a *app) error
		want   []string
	}{
		{"text", func(a *app) error { return a.proven(r, "") }, []string{"lendBook        NOT PROVEN", "getBook         proven", "1 of 2 access patterns proven", "not proven lendBook: it happened, and should have been refused", "written with --evidence FILE"}},
		{"text", func(a *app) error { return a.proven(r, "e.json") }, []string{"is in e.json."}},
		{"text", func(a *app) error { return a.built(r, "out", []pipeline.File{{Name: pipeline.ProofFile}}) }, []string{"is in out/proof.json."}},
		{"json", func(a *app) error { return a.proven(r, "") }, []string{`"proven": false`, `"cause": "it happened`}},
		{"json", func(a *app) error { return a.built(r, "out", nil) }, []string{`"proven": false`}},
	} {
		var out, errs bytes.Buffer
		a := &app{stdout: &out, stderr: &errs}
		root := a.root() // sets the flags to their defaults
		a.output = c.output
		if code := a.report(t.Context(), root, c.end(a)); code != exitNotProven {
			t.Errorf("exit code %d", code)
		}
		for _, want := range c.want {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%q is not in\n%s", want, out.String())
			}
		}
		if errs.Len() > 0 {
			t.Errorf("standard error has %s", errs.String())
		}
	}
}

func TestFolderName(t *testing.T) {
	for in, want := range map[string]string{"online-shop": "online-shop", "../../etc": "etc", "..": "model", "": "model", "Meine  Läden": "Meine-Läden", "a/b": "a-b", ".hidden": "hidden", "v1.2_x": "v1.2_x"} {
		if got := folderName(in); got != want {
			t.Errorf("folderName(%q) = %q, want %q", in, got, want)
		}
		if got := folderName(in); filepath.Base(got) != got || got == "." || got == ".." {
			t.Errorf("folderName(%q) = %q leads elsewhere", in, got)
		}
	}
}
