package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// block is the first code block of a language in the README that begins with a text.
func block(t *testing.T, readme, language, begins string) string {
	t.Helper()
	for rest := readme; ; {
		_, after, found := strings.Cut(rest, "\n```"+language+"\n")
		if !found {
			t.Fatalf("the README has no %s block that begins with %q", language, begins)
		}
		text, next, _ := strings.Cut(after, "\n```\n")
		if strings.HasPrefix(text, begins) {
			return text + "\n"
		}
		rest = "\n" + next
	}
}

// TestReadme holds the README to the program: its requirements file builds, its client is the one in examples, its exit
// codes are those of help, its commands and the files it points to exist.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	readme := string(text)

	dir := t.TempDir()
	requirements := block(t, readme, "yaml", "tablewright: 1\n")
	if n := strings.Count(requirements, "\n"); n > 30 {
		t.Errorf("its requirements file has %d lines", n)
	}
	if err := os.WriteFile(filepath.Join(dir, "helpdesk.yaml"), []byte(requirements), 0o600); err != nil {
		t.Fatal(err)
	}
	build := exec.Command(program(), "build", "helpdesk.yaml")
	build.Dir = dir
	out, err := build.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "3 tables, 1 index\n") {
		t.Errorf("%v\n%s", err, out)
	}

	client, err := os.ReadFile("../../examples/client/main.go")
	if err != nil {
		t.Fatal(err)
	}
	if block(t, readme, "go", "// Command client") != string(client) {
		t.Error("its client is not examples/client/main.go")
	}

	for code, meaning := range map[int]string{
		exitOK: "done; of `build` and `prove`", exitFailed: "it could not run", exitUsage: "the command line is wrong", exitFindings: "a document has errors",
		exitNotProven: "at least one access pattern", exitUnmet: "no model can meet", exitUncovered: "the requirements state something", exitDiffers: "of `build` and `prove`: answers are right", exitInterrupted: "interrupted",
	} {
		if row := fmt.Sprintf("| %d | %s", code, meaning); !strings.Contains(readme, row) {
			t.Errorf("it has no row %q", row)
		}
		if line := fmt.Sprintf("\n  %-3d  %s", code, strings.ReplaceAll(meaning, "`", "")); !strings.Contains(about, line) {
			t.Errorf("help has no line %q", line)
		}
	}

	root := (&app{}).root()
	for _, use := range regexp.MustCompile("[`$] ?tablewright ([a-z]+)").FindAllStringSubmatch(readme, -1) {
		if c, _, err := root.Find(use[1:2]); err != nil || c == root {
			if use[1] != "help" {
				t.Errorf("there is no command tablewright %s", use[1])
			}
		}
	}
	for _, link := range regexp.MustCompile(`\]\(([^#() ]+)\)`).FindAllStringSubmatch(readme, -1) {
		if _, err := os.Stat(filepath.Join("../..", link[1])); err != nil {
			t.Error(err)
		}
	}
}
