package surface

import (
	"go/ast"
	"go/token"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tablewright/tablewright/internal/norace"
)

// ours are the packages that a user of the client sees.
var ours = []string{"", "attr", "expr", "keys", "plan", "wire", "schema", "sdk", "telemetry", "cache", "streams", "migrate", "tablewrighttest"}

// called are methods that are called through interfaces of the standard library; a test that uses their type uses them.
var called = map[string]bool{
	"Error": true, "Unwrap": true, "Is": true, "As": true, "String": true, "Format": true,
	"MarshalJSON": true, "UnmarshalJSON": true, "MarshalText": true, "UnmarshalText": true, "MarshalYAML": true, "UnmarshalYAML": true,
}

// thing is an exported name as it is declared.
type thing struct {
	name       string // as nameOf writes it
	documented bool
	function   bool
	at         token.Position
}

func path(name string) string {
	if name == "" {
		return module
	}
	return module + "/" + name
}

// TestSurface lists the exported names without a doc comment, and the exported functions and methods that no test uses. What
// is to be done about a line of it: write the comment, or a test (beside the code, or in internal/clienttest).
func TestSurface(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	start := time.Now()
	w := newWorld(t)
	var things []thing
	for _, name := range ours {
		l := w.packages[path(name)]
		if l == nil {
			t.Fatalf("there is no package %s", path(name))
		}
		files, err := w.parse(l, l.GoFiles)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			things = append(things, w.things(name, f)...)
		}
	}
	used := map[string]bool{}
	for _, at := range slices.Sorted(maps.Keys(w.packages)) {
		l := w.packages[at]
		if counts(l) {
			w.used(t, l, used)
		}
	}
	functions := 0
	for _, x := range things {
		if !x.documented {
			t.Errorf("%s: %s has no doc comment", x.at, x.name)
		}
		if !x.function {
			continue
		}
		functions++
		if used[x.name] {
			continue
		}
		i := strings.LastIndexByte(x.name, '.')
		if used[x.name[:i]] && (called[x.name[i+1:]] || used["through "+x.name[:strings.IndexByte(x.name, '.')]+x.name[i:]]) {
			continue
		}
		t.Errorf("%s: no test uses %s", x.at, x.name)
	}
	if len(things) < 1000 || functions < 700 || len(used) < 1000 {
		t.Errorf("only %d names, %d functions, %d used names were looked at", len(things), functions, len(used))
	}
	t.Logf("%d names, %d functions, %v", len(things), functions, time.Since(start).Round(time.Millisecond))
}

// counts reports whether a package's tests are of the client's packages: their own, and those of what is made with the client.
func counts(l *listed) bool {
	name := strings.TrimPrefix(strings.TrimPrefix(l.ImportPath, module), "/")
	return slices.Contains(ours, name) || slices.Contains(l.TestImports, module) || slices.Contains(l.XTestImports, module)
}

// things are the exported names that a file declares.
func (w *world) things(pkg string, f *ast.File) (all []thing) {
	add := func(name *ast.Ident, in string, function bool, docs ...*ast.CommentGroup) {
		if !name.IsExported() {
			return
		}
		documented := slices.ContainsFunc(docs, func(d *ast.CommentGroup) bool { return d != nil && strings.TrimSpace(d.Text()) != "" })
		all = append(all, thing{pkg + "." + in + name.Name, documented, function, w.fset.Position(name.Pos())})
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				add(d.Name, "", true, d.Doc)
			} else if on := receiver(d.Recv.List[0].Type); ast.IsExported(on) {
				add(d.Name, on+".", true, d.Doc)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					add(s.Name, "", false, s.Doc, s.Comment, d.Doc)
				case *ast.ValueSpec:
					for _, name := range s.Names {
						add(name, "", false, s.Doc, s.Comment, d.Doc)
					}
				}
			}
		}
	}
	return all
}

// receiver is the name of the type that a method is on.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	}
	return ""
}
