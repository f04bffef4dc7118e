package expr

import "github.com/tablewright/tablewright/attr"

// Printer writes the expressions of one request, giving every name and value a placeholder (#0, :0, …). The zero Printer
// is ready to use; Reset makes it so again and keeps its memory. Its Append methods return the checks' errors (*Error)
// and dst as it was.
type Printer struct {
	names  []string
	values []attr.Value
}

// AppendCondition appends the text of a condition or filter to dst.
func (p *Printer) AppendCondition(dst []byte, c *Condition) ([]byte, error) {
	panic("expr: to be written")
}

// AppendUpdate appends the text of an update to dst.
func (p *Printer) AppendUpdate(dst []byte, u *Update) ([]byte, error) { panic("expr: to be written") }

// AppendProjection appends the text of a projection to dst.
func (p *Printer) AppendProjection(dst []byte, r *Projection) ([]byte, error) {
	panic("expr: to be written")
}

// AppendKey appends the text of a key condition to dst.
func (p *Printer) AppendKey(dst []byte, k *KeyExpression) ([]byte, error) {
	panic("expr: to be written")
}

// Names are the names behind #0, #1, ….
func (p *Printer) Names() []string { return p.names }

// Values are the values behind :0, :1, ….
func (p *Printer) Values() []attr.Value { return p.values }

// Substitutions are the request's names and values, for reading the texts back.
func (p *Printer) Substitutions() *Substitutions { panic("expr: to be written") }

// Reset forgets all names and values.
func (p *Printer) Reset() { p.names, p.values = p.names[:0], p.values[:0] }
