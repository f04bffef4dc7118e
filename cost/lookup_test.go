package cost_test

import (
	"strings"
	"testing"

	"github.com/tablewright/tablewright/cost"
)

// TestLookup: a step may read all of the few publishers that a shelf's books name. It is priced as what it reads and no
// finding, for they stay few.
func TestLookup(t *testing.T) {
	text := strings.Replace(booksModel, "{batch-get: Publisher, each: $book, key: [publisherId]}", "{scan: Publishers, items: [Publisher], after: [book]}", 1)
	p := compileText(t, booksRequirements, text)
	near(t, "publishers", cost.Price(p, nil).Pattern("getShelf").Read["Publishers"], 0.5, 1e-9) // 3,000 bytes
	if s := p.Procedure("getShelf").Stages[1]; s.Name != "publisher" || !s.Handful() {
		t.Error("a step that reads all of the few is none of those")
	}
	if found := cost.Scans(p); len(found) > 0 {
		t.Error(found)
	}
}
