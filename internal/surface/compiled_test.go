package surface

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// compiledKinds is a package that declares a kind of items, without anything to address and with five things. Its struct has
// a field of another name than any other type, by which the functions that are compiled for it are found: their names have
// the type's name, or its fields.
const compiledKinds = `package kinds

import (
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/plan"
)

var table = tablewright.NewTable(plan.Table{Name: "T", Key: plan.Key{Partition: "PK"}})

type Bare struct {
	BareID string ` + "`ddb:\"PK\"`" + `
}

var Bares = tablewright.Declare[tablewright.Entity[string, Bare]](table, plan.Item{Name: "bare"})

type Full struct {
	FullID string    ` + "`ddb:\"PK\"`" + `
	Owner  string    ` + "`ddb:\"owner\"`" + `
	State  State     ` + "`ddb:\"state\"`" + `
	Count  int64     ` + "`ddb:\"count\"`" + `
	At     time.Time ` + "`ddb:\"at\"`" + `
}

type State string

type fulls struct {
	tablewright.Entity[string, Full]
	Owner   tablewright.Text[Full, string]
	State   tablewright.Text[Full, State]
	Count   tablewright.Number[Full, int64]
	At      tablewright.Time[Full]
	ByOwner tablewright.Index1[Full, string, time.Time]
}

var Fulls = tablewright.Declare[fulls](table, plan.Item{Name: "full"})
`

// Go compiles everything that is generic for every type that it is used with, in every package that does: what a kind of items
// costs its users' builds is the functions that are made for it, most of them a line or two that call what is compiled once.
// It does not grow unseen.
func TestCompiledForEachKind(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	source, overlay, object := filepath.Join(dir, "kinds.go"), filepath.Join(dir, "overlay.json"), filepath.Join(dir, "kinds.a")
	place, err := json.Marshal(map[string]map[string]string{"Replace": {filepath.Join(root, "internal", "kinds", "kinds.go"): source}})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{source: []byte(compiledKinds), overlay: place} {
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run := func(args ...string) []byte {
		cmd := exec.CommandContext(t.Context(), "go", args...)
		cmd.Dir = root
		var problems bytes.Buffer
		cmd.Stderr = &problems
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, &problems)
		}
		return out
	}
	run("build", "-overlay", overlay, "-o", object, "./internal/kinds")
	symbols := run("tool", "nm", "-size", object)
	for _, kind := range []struct {
		name, field      string
		functions, bytes int // at most
	}{
		{"kinds.Bare", "BareID", 450, 65_000},
		{"kinds.Full", "FullID", 1_030, 160_000},
	} {
		functions, size := 0, 0
		for lines := bufio.NewScanner(bytes.NewReader(symbols)); lines.Scan(); {
			line := lines.Text()
			if f := strings.Fields(line); len(f) > 3 && f[2] == "T" && (strings.Contains(line, kind.name) || strings.Contains(line, kind.field)) {
				n, err := strconv.Atoi(f[1])
				if err != nil {
					t.Fatal(err)
				}
				functions, size = functions+1, size+n
			}
		}
		told := fmt.Sprintf("%s: %d functions of %d bytes in all", kind.name, functions, size)
		if t.Log(told); functions > kind.functions || size > kind.bytes || functions < 100 {
			t.Errorf("%s, at most %d of %d: move what does not need the type behind an any, or a function of its own", told, kind.functions, kind.bytes)
		}
	}
}
