package dist_test

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"
	"testing"
)

// TestProductsAreRounded holds the source to the rule that makes results the same on every architecture: a product of
// floats is rounded by a conversion before anything else happens to it, since compilers may fuse it with a sum that it
// reaches later, even statements later (Go specification, "Floating-point operators"). Only a further product or quotient may
// take it unrounded.
func TestProductsAreRounded(t *testing.T) {
	for _, dir := range []string{".", "../../capacity"} {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no files in %s (%v)", dir, err)
		}
		fset := token.NewFileSet()
		var trees []*ast.File
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			tree, err := parser.ParseFile(fset, file, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			trees = append(trees, tree)
		}
		// What cannot be resolved, because its import is not, is taken for a float.
		info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
		config := types.Config{Importer: importer.ForCompiler(fset, "source", nil), Error: func(error) {}}
		config.Check(dir, fset, trees, info)
		products := 0
		for _, tree := range trees {
			products += checkProducts(t, fset, info, tree)
		}
		if products == 0 {
			t.Errorf("%s: no product found", dir)
		}
	}
}

func checkProducts(t *testing.T, fset *token.FileSet, info *types.Info, tree *ast.File) (products int) {
	var parents []ast.Node
	ast.Inspect(tree, func(n ast.Node) bool {
		if n == nil {
			parents = parents[:len(parents)-1]
			return true
		}
		switch x := n.(type) {
		case *ast.BinaryExpr:
			if x.Op == token.MUL && isFloat(info, x) {
				products++
				if !roundedIn(info, parents) {
					t.Errorf("%s: product is not rounded by a conversion", fset.Position(x.OpPos))
				}
			}
		case *ast.AssignStmt:
			if x.Tok == token.MUL_ASSIGN && isFloat(info, x.Lhs[0]) {
				t.Errorf("%s: product is not rounded by a conversion", fset.Position(x.TokPos))
			}
		}
		parents = append(parents, n)
		return true
	})
	return products
}

func isFloat(info *types.Info, x ast.Expr) bool {
	v := info.Types[x]
	if v.Type == nil {
		return true
	}
	if v.Value != nil { // the compiler computes constants exactly
		return false
	}
	b, ok := v.Type.Underlying().(*types.Basic)
	return !ok || b.Info()&types.IsInteger == 0
}

// roundedIn reports whether the innermost parent that is no parenthesis is a conversion, or continues the product.
func roundedIn(info *types.Info, parents []ast.Node) bool {
	for i := len(parents) - 1; i >= 0; i-- {
		switch p := parents[i].(type) {
		case *ast.ParenExpr:
			continue
		case *ast.BinaryExpr:
			return p.Op == token.MUL || p.Op == token.QUO
		case *ast.CallExpr:
			return info.Types[p.Fun].IsType()
		default:
			return false
		}
	}
	return false
}
