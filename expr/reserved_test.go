package expr_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/expr"
)

// reservedWords are the words of the source file, read from it: a test of the lookup that does not share it.
func reservedWords(t testing.TB) []string {
	t.Helper()
	source, err := os.ReadFile("reserved.go")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(source), "const reservedWords = `")
	words, _, _ := strings.Cut(rest, "`")
	return strings.Fields(words)
}

// TestReserved holds the list to what can be checked of it without the documentation: 573 words, in order.
func TestReserved(t *testing.T) {
	words := reservedWords(t)
	if len(words) != 573 || !slices.IsSorted(words) || len(slices.Compact(slices.Clone(words))) != len(words) {
		t.Errorf("%d words, sorted: %v", len(words), slices.IsSorted(words))
	}
	for _, w := range words {
		for _, form := range []string{w, strings.ToLower(w), w[:1] + strings.ToLower(w[1:])} {
			if !expr.IsReserved(form) {
				t.Errorf("%s is not reserved", form)
			}
		}
		if expr.IsReserved(w+"_") || expr.IsReserved("x"+w) {
			t.Errorf("%s is not compared whole", w)
		}
	}
	for _, w := range []string{"", "id", "metadata", "flatten", "remove", "contains", "localtimestamp2"} {
		if expr.IsReserved(w) {
			t.Errorf("%s is reserved", w)
		}
	}
}
