package expr

import "github.com/tablewright/tablewright/attr"

// Projection is a projection expression. It is immutable and safe for concurrent use. A nil *Projection keeps the whole
// item.
type Projection struct{ paths []Path }

// ParseProjection reads a ProjectionExpression. Errors are *Error.
func ParseProjection(text string, s *Substitutions) (*Projection, error) {
	panic("expr: to be written")
}

// Apply is the part of the item that the projection names. Missing paths drop out; picked list elements are compacted,
// in the order of the list.
func (p *Projection) Apply(it attr.Item) attr.Item { panic("expr: to be written") }

// Paths are the paths as written.
func (p *Projection) Paths() []Path { return p.paths }

// String is the projection with names written out where the language allows it.
func (p *Projection) String() string { panic("expr: to be written") }
