package relay

import (
	"context"
	"fmt"

	"github.com/tablewright/tablewright"
)

// Args are the arguments of a connection, as GraphQL libraries hand them over, and its bounds.
type Args struct {
	First, Last   *int32  // at most one is set; neither: First is Default
	After, Before *string // a cursor; After goes with First, Before with Last

	Default int // page where the caller states none; 0: 20
	Most    int // that a caller may ask for; 0: 100
}

// Connection is a page of a query.
type Connection[T any] struct {
	Edges    []Edge[T]
	PageInfo PageInfo
}

// Edge is an item and its place in the query.
type Edge[T any] struct {
	Node   T
	Cursor string
}

// PageInfo says what there is beyond a page. The cursors are those of the first and last edge; nil where there is none.
type PageInfo struct {
	HasNextPage, HasPreviousPage bool
	StartCursor, EndCursor       *string
}

// Nodes are the items without their cursors.
func (c *Connection[T]) Nodes() []T {
	nodes := make([]T, len(c.Edges))
	for i := range c.Edges {
		nodes[i] = c.Edges[i].Node
	}
	return nodes
}

const (
	defaultPage = 20
	mostPage    = 100
)

// Connect reads the page of a query that the arguments ask for. Edges are in the query's order, with Last too. The query must
// have no Resume and no Top: these are what the arguments state.
func Connect[T any](ctx context.Context, db *tablewright.DB, q tablewright.Query[T], a Args) (Connection[T], error) {
	n, err := a.page()
	if err != nil {
		return Connection[T]{}, err
	}
	var c Connection[T]
	var p tablewright.Page[T]
	if a.Last != nil {
		before := a.cursor(a.Before)
		if p, err = q.Last(ctx, db, before, n); err != nil {
			return c, err
		}
		c.PageInfo.HasPreviousPage, c.PageInfo.HasNextPage = p.Previous != "", before != ""
	} else {
		after := a.cursor(a.After)
		if p, err = q.Resume(after).Page(ctx, db, n+1); err != nil { // one more, so that a filter's next match is known
			return c, err
		}
		// With fewer than that it is the end, unless Evaluate ended it before.
		c.PageInfo.HasNextPage, c.PageInfo.HasPreviousPage = len(p.Items) > n || p.Next != "", after != ""
		p.Items = p.Items[:min(n, len(p.Items))]
	}
	c.Edges = make([]Edge[T], len(p.Items))
	for i, item := range p.Items {
		c.Edges[i] = Edge[T]{item, string(p.At(i))}
	}
	switch last := len(c.Edges) - 1; {
	case last >= 0:
		c.PageInfo.StartCursor, c.PageInfo.EndCursor = &c.Edges[0].Cursor, &c.Edges[last].Cursor
	case a.Last != nil && p.Previous != "":
		text := string(p.Previous) // nothing passed the filter up to where Evaluate ended it: from there it goes on
		c.PageInfo.StartCursor = &text
	case a.Last == nil && p.Next != "":
		text := string(p.Next)
		c.PageInfo.EndCursor = &text
	}
	return c, nil
}

func (a *Args) cursor(c *string) tablewright.Cursor {
	if c == nil {
		return ""
	}
	return tablewright.Cursor(*c)
}

// page is how many items are asked for.
func (a *Args) page() (int, error) {
	most := a.Most
	if most <= 0 {
		most = mostPage
	}
	asked, name := a.First, "first"
	switch {
	case a.First != nil && a.Last != nil:
		return 0, invalid("first and last exclude each other")
	case a.Last != nil:
		asked, name = a.Last, "last"
		if a.After != nil {
			return 0, invalid("after goes with first, before with last")
		}
	case a.Before != nil:
		return 0, invalid("before goes with last, after with first")
	}
	if asked == nil {
		if a.Default <= 0 {
			return min(defaultPage, most), nil
		}
		return min(a.Default, most), nil
	}
	if *asked < 1 || int(*asked) > most {
		return 0, invalid("%s is %d: 1 to %d can be asked for", name, *asked, most)
	}
	return int(*asked), nil
}

func invalid(format string, args ...any) error {
	return fmt.Errorf("relay: %w: %s", tablewright.ErrInvalid, fmt.Sprintf(format, args...))
}
