// Package practices has the programs of the pages beside it: one file a page.
package practices

import (
	"context"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/docs/internal/local"
)

// open makes tables in an engine in memory: what Connect is where there is a service.
func open(tables ...*tablewright.Table) (context.Context, *tablewright.DB) {
	return local.Open(tables...)
}

// noon is when the examples happen.
var noon = local.Noon
