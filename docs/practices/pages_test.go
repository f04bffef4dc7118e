package practices

import (
	"testing"

	"github.com/tablewright/tablewright/internal/pages"
	"github.com/tablewright/tablewright/tablewrighttest"
)

func TestPages(t *testing.T) {
	pages.Check(t, tablewrighttest.Updating(), nil, "*.md")
	pages.CheckExamples(t, "*_test.go", "*.md")
}
