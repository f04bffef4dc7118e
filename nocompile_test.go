package tablewright_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestDoesNotCompile holds the promise that what cannot be sent cannot be written: each statement of the data file is
// compiled beside the declarations of these tests, all in one run of the compiler.
func TestDoesNotCompile(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the package's tests")
	}
	text, err := os.ReadFile("testdata/nocompile.txt")
	if err != nil {
		t.Fatal(err)
	}
	type wrong struct{ name, statement, message, file string }
	var all []wrong
	dir := t.TempDir()
	here, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		parts := strings.Split(line, " | ")
		if len(parts) != 3 {
			t.Fatalf("line %q has not three parts", line)
		}
		w := wrong{parts[0], parts[1], parts[2], fmt.Sprintf("zz_case%02d_test.go", len(all))}
		all = append(all, w)
		source := fmt.Sprintf("package tablewright_test\n\nimport (\n\t\"context\"\n\t\"time\"\n\n\t%q\n\t%q\n)\n\n"+
			"func case%02d(ctx context.Context, db *tablewright.DB, t1, t2 time.Time, n attr.Number) { %s }\n",
			module, module+"/attr", len(all), w.statement)
		file := filepath.Join(dir, w.file)
		if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
			t.Fatal(err)
		}
		overlay.Replace[filepath.Join(here, w.file)] = file
	}
	source := filepath.Join(dir, "types_test.go")
	if err := os.WriteFile(source, []byte("package tablewright_test\n\ntype tenantOnly struct{ Tenant string }\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	overlay.Replace[filepath.Join(here, "zz_types_test.go")] = source
	config, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(file, config, 0o600); err != nil {
		t.Fatal(err)
	}
	compile := exec.CommandContext(t.Context(), "go", "test", "-c", "-overlay", file, "-gcflags=-e", "-o", filepath.Join(dir, "test"), ".")
	compile.Env = append(os.Environ(), "CGO_ENABLED=0") // as all else is compiled: what it imports is there already
	out, err := compile.CombinedOutput()
	if err == nil {
		t.Fatal("everything compiles")
	}
	for _, w := range all {
		var message string
		for line := range strings.Lines(string(out)) {
			if strings.Contains(line, w.file+":") {
				message += line
			}
		}
		switch {
		case w.message == "ok" && message != "":
			t.Errorf("%s: should compile: %s", w.name, message)
		case w.message == "ok":
		case message == "":
			t.Errorf("%s: %s compiles", w.name, w.statement)
		case !strings.Contains(message, w.message):
			t.Errorf("%s: refused for another reason: %s", w.name, message)
		}
	}
}
