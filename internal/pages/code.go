package pages

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"os"
	"strings"
)

const (
	regionBegin = "//page:begin "
	regionEnd   = "//page:end "
)

// Code is parts of a Go file, as pages show them: indented from the left margin, without the lines that mark regions, with
// a line end, a blank line between two. Names are of regions or declarations, as the package's documentation says; without
// any it is the whole file.
func Code(file string, names ...string) (string, error) {
	src, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	if len(names) == 0 {
		return tidy(string(src)), nil
	}
	parts := make([]string, len(names))
	for i, name := range names {
		parts[i], err = region(string(src), name)
		if err == nil && parts[i] == "" {
			parts[i], err = declaration(src, name)
		}
		if err != nil {
			return "", fmt.Errorf("%s: %w", file, err)
		}
	}
	return strings.Join(parts, "\n"), nil
}

// region is what lies between the marks of a name; "" if there are none.
func region(src, name string) (string, error) {
	var parts []string
	var part *strings.Builder
	for line := range strings.Lines(src) {
		switch strings.TrimSpace(line) {
		case regionBegin + name:
			if part != nil {
				return "", fmt.Errorf("region %s begins twice", name)
			}
			part = &strings.Builder{}
		case regionEnd + name:
			if part == nil {
				return "", fmt.Errorf("region %s ends before it begins", name)
			}
			parts = append(parts, tidy(part.String()))
			part = nil
		default:
			if part != nil {
				part.WriteString(line)
			}
		}
	}
	if part != nil {
		return "", fmt.Errorf("region %s does not end", name)
	}
	return strings.Join(parts, "\n"), nil
}

// declaration is a top-level declaration by its name.
func declaration(src []byte, name string) (string, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return "", err
	}
	text := func(from, to token.Pos, doc *ast.CommentGroup) string {
		if doc != nil {
			from = doc.Pos()
		}
		begin := fset.Position(from).Offset
		begin = bytes.LastIndexByte(src[:begin], '\n') + 1
		end := fset.Position(to).Offset
		if i := bytes.IndexByte(src[end:], '\n'); i >= 0 { // a comment on the line belongs to it
			end += i
		}
		return tidy(string(src[begin:end]))
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if funcName(d) != name {
				continue
			}
			if strings.HasPrefix(name, "Example") && d.Recv == nil && d.Body != nil {
				return tidy(string(src[fset.Position(d.Body.Lbrace).Offset+1 : fset.Position(d.Body.Rbrace).Offset])), nil
			}
			return text(d.Pos(), d.End(), d.Doc), nil
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if !declares(s, name) {
					continue
				}
				if d.Lparen == token.NoPos || len(d.Specs) == 1 {
					return text(d.Pos(), d.End(), d.Doc), nil
				}
				return text(s.Pos(), s.End(), specDoc(s)), nil
			}
		}
	}
	return "", errors.New("no region and no declaration " + name)
}

func funcName(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return d.Name.Name
	}
	t := d.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name + "." + d.Name.Name
		default:
			return d.Name.Name
		}
	}
}

func declares(s ast.Spec, name string) bool {
	switch s := s.(type) {
	case *ast.TypeSpec:
		return s.Name.Name == name
	case *ast.ValueSpec:
		for _, n := range s.Names {
			if n.Name == name {
				return true
			}
		}
	}
	return false
}

func specDoc(s ast.Spec) *ast.CommentGroup {
	switch s := s.(type) {
	case *ast.TypeSpec:
		return s.Doc
	case *ast.ValueSpec:
		return s.Doc
	}
	return nil
}

// tidy leaves out marks of regions, the indentation of the first line in all lines that have it, and blank lines before
// and after.
func tidy(code string) string {
	var lines []string
	indent := ""
	for line := range strings.Lines(code) {
		line = strings.TrimRight(line, " \t\r\n")
		trimmed := strings.TrimLeft(line, "\t")
		if strings.HasPrefix(trimmed, regionBegin) || strings.HasPrefix(trimmed, regionEnd) || trimmed == "" && len(lines) == 0 {
			continue
		}
		if len(lines) == 0 {
			indent = line[:len(line)-len(trimmed)]
		}
		lines = append(lines, strings.TrimPrefix(line, indent))
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n") + "\n"
}

// Size counts what there is to write and read in a piece of Go: the lines that have code on them, and the tokens, of which
// a name, a literal, an operator and a bracket are one each. Comments and blank lines are nothing, and tokens do not
// depend on where lines are broken.
func Size(code string) (lines, tokens int) {
	fset := token.NewFileSet()
	file := fset.AddFile("", fset.Base(), len(code))
	var s scanner.Scanner
	s.Init(file, []byte(code), nil, 0)
	on := map[int]bool{}
	for {
		pos, tok, literal := s.Scan()
		if tok == token.EOF {
			return len(on), tokens
		}
		if tok == token.SEMICOLON && literal == "\n" {
			continue // put in by the scanner
		}
		tokens++
		first := file.Line(pos)
		for i := range strings.Count(literal, "\n") + 1 {
			on[first+i] = true
		}
	}
}
