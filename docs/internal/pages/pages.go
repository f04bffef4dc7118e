package pages

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

var directive = regexp.MustCompile(`^<!-- code: (\S+\.go)((?: \w+)+) -->$`)

// Fill is the page with the code that its directives name, read from files beside it; used are the declarations it shows,
// as file:name with the file's path. A directive that cannot be followed is an error with its line.
func Fill(page string, text []byte) (filled []byte, used []string, err error) {
	var out bytes.Buffer
	lines := strings.SplitAfter(string(text), "\n")
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		out.WriteString(line)
		m := directive.FindStringSubmatch(strings.TrimRight(line, "\n"))
		if m == nil {
			if strings.HasPrefix(line, "<!-- code") {
				return nil, nil, fmt.Errorf("%s:%d: not of the form <!-- code: FILE.go NAME … -->", page, i+1)
			}
			continue
		}
		file := filepath.Join(filepath.Dir(page), m[1])
		names := strings.Fields(m[2])
		code, err := Declarations(file, names...)
		if err != nil {
			return nil, nil, fmt.Errorf("%s:%d: %w", page, i+1, err)
		}
		for _, name := range names {
			used = append(used, file+":"+name)
		}
		fmt.Fprintf(&out, "```go\n%s\n```\n", code)
		if i+1 < len(lines) && lines[i+1] == "```go\n" { // what was there before
			for i += 2; i < len(lines) && strings.TrimRight(lines[i], "\n") != "```"; i++ {
			}
			if i == len(lines) {
				return nil, nil, fmt.Errorf("%s: a block of code does not end", page)
			}
		}
	}
	return out.Bytes(), used, nil
}

// Declarations is the text of declarations of a Go file, as a page shows it.
func Declarations(file string, names ...string) (string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, file, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return "", err
	}
	source := func(from, to token.Pos) []byte { return text[fset.Position(from).Offset:fset.Position(to).Offset] }
	var shown []string
	for _, name := range names {
		decl := find(parsed, name)
		switch decl := decl.(type) {
		case nil:
			return "", fmt.Errorf("%s declares no %s", file, name)
		case *ast.FuncDecl:
			if strings.HasPrefix(name, "Example") {
				body := strings.ReplaceAll(string(source(decl.Body.Lbrace+1, decl.Body.Rbrace)), "\n\t", "\n")
				shown = append(shown, strings.Trim(body, "\n"))
				continue
			}
		}
		from := decl.Pos()
		if doc := docOf(decl); doc != nil {
			from = doc.Pos()
		}
		shown = append(shown, string(source(from, decl.End())))
	}
	return strings.Join(shown, "\n\n"), nil
}

// find is the declaration of a name at the top of a file; of several in parentheses, all of them together.
func find(file *ast.File, name string) ast.Decl {
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if decl.Recv == nil && decl.Name.Name == name {
				return decl
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					if spec.Name.Name == name {
						return decl
					}
				case *ast.ValueSpec:
					for _, n := range spec.Names {
						if n.Name == name {
							return decl
						}
					}
				}
			}
		}
	}
	return nil
}

func docOf(decl ast.Decl) *ast.CommentGroup {
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		return decl.Doc
	case *ast.GenDecl:
		return decl.Doc
	}
	return nil
}

// Examples are the names of the Example functions in a Go file.
func Examples(file string) (names []string, err error) {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	for _, decl := range parsed.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok && f.Recv == nil && strings.HasPrefix(f.Name.Name, "Example") {
			names = append(names, f.Name.Name)
		}
	}
	return names, nil
}

var link = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// Links are errors about the links of a page to other files that are not there.
func Links(page string, text []byte) error {
	var wrong []error
	code := false
	for i, line := range strings.Split(string(text), "\n") {
		if strings.HasPrefix(line, "```") {
			code = !code
		}
		if code {
			continue
		}
		for _, m := range link.FindAllStringSubmatch(line, -1) {
			target, _, _ := strings.Cut(m[1], "#")
			if target == "" || strings.Contains(target, "://") {
				continue
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), target)); err != nil {
				wrong = append(wrong, fmt.Errorf("%s:%d: a link to %s, which is not there", page, i+1, m[1]))
			}
		}
	}
	return errors.Join(wrong...)
}
