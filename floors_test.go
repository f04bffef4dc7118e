package tablewright_test

import (
	"encoding/json"
	"errors"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/tablewright/tablewright"

// floors says on which floor a package is: imports only point down, and not sideways.
var floors = map[string]int{
	"attr": 0,
	"expr": 1, "keys": 1, "capacity": 1, "spec": 1, "internal/plain": 1,
	"plan": 2, "wire": 2, "schema": 2, "workload": 2,
	"engine": 3, "cost": 3,
	"model": 4, "": 4,
	"design": 5, "prove": 5, "generate": 5, "source": 5, "migrate": 5,
	"streams": 5, "cache": 5, "telemetry": 5, "sdk": 5, "stats": 5,
	"bulk": 5, "relay": 5, "s3blobs": 5, "iam": 5, "internal/invent": 5,
	"tablewrighttest": 6, "doctor": 6, "internal/pipeline": 6, "internal/mcpserver": 6, "internal/dashboard": 6,
	"cmd/tablewright": 7, // above what it shares with the others
	"examples":        7, // programs of users
	"docs":            7, // and those of the documentation
}

// floorOf is a package's floor and the package of the table it belongs to. Helpers under internal/ that the table does not
// list are on floor 0; a package's own internal ones, and others inside it, belong to it.
func floorOf(path string) (floor int, owner string, ok bool) {
	for p := path; ; p = p[:max(strings.LastIndexByte(p, '/'), 0)] {
		if floor, ok := floors[p]; ok && (p != "" || path == "") {
			return floor, p, true
		}
		if p == "internal" || strings.HasPrefix(path, "internal/") && strings.Count(p, "/") <= 1 {
			return 0, path, true
		}
		if p == "" {
			return 0, "", false
		}
	}
}

type goPackage struct {
	ImportPath string
	Imports    []string
}

// TestFloors holds the direction of imports, and keeps the AWS SDK out of what is below the client.
func TestFloors(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "list", "-e", "-json=ImportPath,Imports", "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	packages := 0
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p goPackage
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		packages++
		name := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "/")
		floor, owner, ok := floorOf(name)
		if !ok {
			t.Errorf("%s is on no floor: add it to the table in this test", name)
			continue
		}
		for _, imported := range p.Imports {
			if floor <= 3 && strings.HasPrefix(imported, "github.com/aws/") {
				t.Errorf("%s (floor %d) imports %s: the AWS SDK belongs to the client", name, floor, imported)
			}
			if imported != module && !strings.HasPrefix(imported, module+"/") {
				continue
			}
			below := strings.TrimPrefix(strings.TrimPrefix(imported, module), "/")
			to, its, ok := floorOf(below)
			if !ok || its == owner {
				continue
			}
			if to >= floor && !(to == 0 && floor == 0 && strings.HasPrefix(below, "internal/")) {
				t.Errorf("%s (floor %d) imports %s (floor %d): imports point down", name, floor, below, to)
			}
		}
	}
	if packages < 8 {
		t.Errorf("only %d packages were looked at", packages)
	}
}

// TestRootImports lists what a user of the client compiles besides the standard library and this module.
func TestRootImports(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", module).Output()
	if err != nil {
		t.Fatal(err)
	}
	allowed := []string{module, "github.com/aws/aws-sdk-go-v2", "github.com/aws/smithy-go"}
	for path := range strings.Lines(string(out)) {
		path = strings.TrimSpace(path)
		if !slices.ContainsFunc(allowed, func(a string) bool { return path == a || strings.HasPrefix(path, a+"/") }) {
			t.Errorf("the client depends on %s", path)
		}
		if strings.HasSuffix(path, "/service/dynamodb") || strings.HasPrefix(path, module+"/engine") {
			t.Errorf("the client depends on %s, which it must not", path)
		}
	}
}

// TestPackageDocs demands a doc comment of every package.
func TestPackageDocs(t *testing.T) {
	documented := map[string]bool{}
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := entry.Name(); entry.IsDir() && (name == "testdata" || strings.HasPrefix(name, ".") && path != ".") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, text, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			return err
		}
		dir := filepath.Dir(path)
		documented[dir] = documented[dir] || f.Doc != nil && len(f.Doc.Text()) > 40
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for dir, ok := range documented {
		if !ok {
			t.Errorf("package %s has no doc comment: write doc.go", dir)
		}
	}
}
