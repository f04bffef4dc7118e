package onetable

import (
	"flag"
	"testing"

	"github.com/tablewright/tablewright/internal/pages"
)

var update = flag.Bool("update", false, "write the code of the pages anew")

func TestPages(t *testing.T) {
	pages.Check(t, *update, nil, "../*.md")
	pages.CheckExamples(t, "../onetable/*_test.go", "../*.md")
}
