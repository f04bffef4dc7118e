// Package docs holds the pages of its folder to the code that they show.
package docs

import (
	"flag"
	"testing"

	"github.com/tablewright/tablewright/internal/pages"
)

var update = flag.Bool("update", false, "write the code of the pages anew")

// TestPages looks at code and links; tables that programs make are held to them where these are.
func TestPages(t *testing.T) {
	pages.Check(t, *update, nil, "*.md")
	pages.CheckIndex(t, "README.md", "*.md")
}
