// Package comingfrom has the programs of the pages for those who come from other libraries.
package comingfrom

import (
	"flag"
	"testing"

	"github.com/tablewright/tablewright/internal/pages"
)

var update = flag.Bool("update", false, "write the code of the pages anew")

func TestPages(t *testing.T) { pages.Check(t, *update, nil, "*.md") }
