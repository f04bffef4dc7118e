package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// withoutImports is a file of Go without the imports whose paths contain one of the words, without the elements of literals and
// the statements that use them.
func withoutImports(name string, text []byte, words []string) ([]byte, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, text, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	gone := map[string]bool{}
	for _, d := range file.Decls {
		if d, ok := d.(*ast.GenDecl); ok && d.Tok == token.IMPORT {
			d.Specs = slices.DeleteFunc(d.Specs, func(s ast.Spec) bool {
				i := s.(*ast.ImportSpec)
				drop := slices.ContainsFunc(words, func(word string) bool { return strings.Contains(i.Path.Value, word) })
				if drop {
					gone[importName(i)] = true
				}
				return drop
			})
		}
	}
	if len(gone) == 0 {
		return nil, fmt.Errorf("%s: imports none of %v", name, words)
	}
	uses := func(n ast.Node) bool {
		found := false
		ast.Inspect(n, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if id, ok := s.X.(*ast.Ident); ok && gone[id.Name] {
					found = true
				}
			}
			return !found
		})
		return found
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if c, ok := n.(*ast.CompositeLit); ok {
			c.Elts = slices.DeleteFunc(c.Elts, func(e ast.Expr) bool { return uses(e) })
		}
		return true
	})
	ast.Inspect(file, func(n ast.Node) bool {
		if b, ok := n.(*ast.BlockStmt); ok {
			b.List = slices.DeleteFunc(b.List, func(s ast.Stmt) bool { return uses(s) })
		}
		return true
	})
	file.Comments = nil // their places are gone
	var out bytes.Buffer
	err = format.Node(&out, fset, file)
	return out.Bytes(), err
}

// importName is the name that an import has in its file, for packages named like their folder.
func importName(i *ast.ImportSpec) string {
	if i.Name != nil {
		return i.Name.Name
	}
	p, _ := strconv.Unquote(i.Path.Value)
	return path.Base(p)
}

// declaration is one on the level of a package: a function, or what one specification of a const, type or var declares.
type declaration struct {
	file *ast.File
	node ast.Node
}

// reachable writes what can be reached from roots in the package in a folder to another folder, file by file, with no other
// imports than that needs. What is in apart is taken to be declared elsewhere.
func reachable(from, to string, roots, apart []string) error {
	fset := token.NewFileSet()
	names, err := filepath.Glob(filepath.Join(from, "*.go"))
	if err != nil {
		return err
	}
	declared := map[string]declaration{}  // by name
	methods := map[string][]declaration{} // by the name of their type
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(fset, name, nil, 0)
		if err != nil {
			return err
		}
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					declared[d.Name.Name] = declaration{file, d}
				} else if receiver := receiverOf(d); receiver != "" {
					methods[receiver] = append(methods[receiver], declaration{file, d})
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					one := ast.Node(&ast.GenDecl{Tok: d.Tok, TokPos: s.Pos(), Specs: []ast.Spec{s}})
					if d.Tok == token.CONST {
						one = d // of iota a specification alone means something else
					}
					switch s := s.(type) {
					case *ast.TypeSpec:
						declared[s.Name.Name] = declaration{file, one}
					case *ast.ValueSpec:
						for _, n := range s.Names {
							declared[n.Name] = declaration{file, one}
						}
					}
				}
			}
		}
	}
	taken := map[*ast.File][]ast.Node{}
	seen := map[string]bool{}
	for _, name := range apart {
		seen[name] = true
	}
	for todo := slices.Clone(roots); len(todo) > 0; {
		name := todo[0]
		todo = todo[1:]
		d, ok := declared[name]
		if !ok && slices.Contains(roots, name) {
			return fmt.Errorf("%s declares no %s", from, name)
		}
		if !ok || seen[name] {
			continue
		}
		seen[name] = true
		for _, d := range append(methods[name], d) {
			if !slices.Contains(taken[d.file], d.node) {
				taken[d.file] = append(taken[d.file], d.node)
			}
			ast.Inspect(d.node, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					todo = append(todo, id.Name)
				}
				return true
			})
		}
	}
	for file, nodes := range taken {
		slices.SortFunc(nodes, func(a, b ast.Node) int { return int(a.Pos() - b.Pos()) })
		text, err := source(fset, file, nodes)
		if err != nil {
			return err
		}
		name := filepath.Base(fset.Position(file.Package).Filename)
		if err := os.WriteFile(filepath.Join(to, name), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

func receiverOf(d *ast.FuncDecl) string {
	t := d.Recv.List[0].Type
	if s, ok := t.(*ast.StarExpr); ok {
		t = s.X
	}
	if id, ok := t.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}

// source is the text of some declarations of a file, with the imports that they use.
func source(fset *token.FileSet, file *ast.File, nodes []ast.Node) ([]byte, error) {
	used := map[string]bool{}
	for _, n := range nodes {
		ast.Inspect(n, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if id, ok := s.X.(*ast.Ident); ok {
					used[id.Name] = true
				}
			}
			return true
		})
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "package main\n\nimport (\n")
	for _, i := range file.Imports {
		if name := importName(i); used[name] {
			fmt.Fprintf(&out, "%s %s\n", name, i.Path.Value)
		}
	}
	out.WriteString(")\n")
	for _, n := range nodes {
		out.WriteString("\n")
		if err := format.Node(&out, fset, n); err != nil {
			return nil, err
		}
		out.WriteString("\n")
	}
	return format.Source(out.Bytes())
}
