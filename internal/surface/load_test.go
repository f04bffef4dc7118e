package surface

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/tablewright/tablewright"

// listed is what `go list` says of a package.
type listed struct {
	ImportPath, Dir                    string
	GoFiles, TestGoFiles, XTestGoFiles []string
	Imports, TestImports, XTestImports []string
}

// world type-checks this module's packages from their source, without the bodies of functions unless these are asked for, and
// takes the others from what the compiler left in its cache: so a few seconds do for all of it.
type world struct {
	fset     *token.FileSet
	packages map[string]*listed
	checked  map[string]*types.Package
	others   types.Importer
	files    map[string]*ast.File
}

func newWorld(t *testing.T) *world {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	list := func(args ...string) []byte {
		c := exec.CommandContext(t.Context(), "go", append([]string{"list"}, args...)...)
		c.Dir, c.Stderr = root, os.Stderr
		out, err := c.Output()
		if err != nil {
			t.Fatalf("go list: %v", err)
		}
		return out
	}
	w := &world{fset: token.NewFileSet(), packages: map[string]*listed{}, checked: map[string]*types.Package{"unsafe": types.Unsafe}, files: map[string]*ast.File{}}
	outside := map[string]bool{}
	for d := json.NewDecoder(bytes.NewReader(list("-json=ImportPath,Dir,GoFiles,TestGoFiles,XTestGoFiles,Imports,TestImports,XTestImports", "./..."))); ; {
		p := new(listed)
		if err := d.Decode(p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		w.packages[p.ImportPath] = p
		for _, i := range slices.Concat(p.Imports, p.TestImports, p.XTestImports) {
			if i != "C" && i != "unsafe" && i != module && !strings.HasPrefix(i, module+"/") {
				outside[i] = true
			}
		}
	}
	export := map[string]string{}
	for line := range strings.Lines(string(list(append([]string{"-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}"}, slices.Sorted(maps.Keys(outside))...)...))) {
		if path, file, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			export[path] = file
		}
	}
	w.others = importer.ForCompiler(w.fset, "gc", func(path string) (io.ReadCloser, error) {
		if export[path] == "" {
			return nil, fmt.Errorf("%s was not compiled", path)
		}
		return os.Open(export[path])
	})
	return w
}

// Import makes a world an importer.
func (w *world) Import(path string) (*types.Package, error) {
	if p := w.checked[path]; p != nil {
		return p, nil
	}
	l := w.packages[path]
	if l == nil {
		return w.others.Import(path)
	}
	p, err := w.check(l, l.GoFiles, path, w, nil)
	w.checked[path] = p
	return p, err
}

// check type-checks files of a package. The bodies of functions are left out unless info is wanted.
func (w *world) check(l *listed, names []string, path string, from types.Importer, info *types.Info) (*types.Package, error) {
	files, err := w.parse(l, names)
	if err != nil {
		return nil, err
	}
	c := types.Config{Importer: from, IgnoreFuncBodies: info == nil}
	return c.Check(path, w.fset, files, info)
}

func (w *world) parse(l *listed, names []string) (files []*ast.File, err error) {
	for _, name := range names {
		path := filepath.Join(l.Dir, name)
		if w.files[path] == nil {
			if w.files[path], err = parser.ParseFile(w.fset, path, nil, parser.ParseComments|parser.SkipObjectResolution); err != nil {
				return nil, err
			}
		}
		files = append(files, w.files[path])
	}
	return files, nil
}

// importFunc makes an importer of a function.
type importFunc func(path string) (*types.Package, error)

func (f importFunc) Import(path string) (*types.Package, error) { return f(path) }

// used are the names that a package's tests use, as nameOf writes them.
func (w *world) used(t *testing.T, l *listed, used map[string]bool) {
	t.Helper()
	note := func(info *types.Info) {
		for id, object := range info.Uses {
			if strings.HasSuffix(w.fset.File(id.Pos()).Name(), "_test.go") {
				use(l.ImportPath, object, used)
			}
		}
	}
	within := types.Importer(w)
	if len(l.TestGoFiles) > 0 {
		info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
		own, err := w.check(l, slices.Concat(l.GoFiles, l.TestGoFiles), l.ImportPath, w, info)
		if err != nil {
			t.Fatal(err)
		}
		note(info)
		within = importFunc(func(path string) (*types.Package, error) {
			if path == l.ImportPath {
				return own, nil
			}
			return w.Import(path)
		})
	}
	if len(l.XTestGoFiles) > 0 {
		info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
		// A package that imports this one, such as a test kit, has it without what its tests add: that is another package
		// to the checker, and no mistake here.
		c := types.Config{Importer: within, Error: func(error) {}}
		files, err := w.parse(l, l.XTestGoFiles)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = c.Check(l.ImportPath+"_test", w.fset, files, info)
		note(info)
	}
}

// use notes an object that a test of a package uses: of a function, also the types that it answers, and of a method that is
// called through an interface or a type parameter, that the package's types are called by it.
func use(by string, o types.Object, used map[string]bool) {
	used[nameOf(o)] = true
	f, ok := o.(*types.Func)
	if !ok {
		return
	}
	s := f.Signature()
	for v := range s.Results().Variables() {
		if n := named(v.Type()); n != nil {
			used[nameOf(n.Obj())] = true
		}
	}
	if s.Recv() != nil && types.IsInterface(s.Recv().Type()) {
		used["through "+strings.TrimPrefix(strings.TrimPrefix(by, module), "/")+"."+o.Name()] = true
	}
}

// named is the named type of a value or pointer; nil if it has none.
func named(t types.Type) *types.Named {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	n, _ := t.(*types.Named)
	return n
}

// nameOf is pkg.Name, or pkg.Type.Name of a method.
func nameOf(o types.Object) string {
	if o.Pkg() == nil {
		return o.Name()
	}
	path := strings.TrimPrefix(strings.TrimPrefix(o.Pkg().Path(), module), "/")
	f, ok := o.(*types.Func)
	if !ok {
		return path + "." + o.Name()
	}
	recv := f.Origin().Signature().Recv()
	if recv == nil {
		return path + "." + o.Name()
	}
	if n := named(recv.Type()); n != nil {
		return path + "." + n.Obj().Name() + "." + o.Name()
	}
	return path + ".?." + o.Name()
}
