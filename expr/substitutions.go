package expr

import "github.com/tablewright/tablewright/attr"

// Substitutions are the ExpressionAttributeNames and ExpressionAttributeValues of one request, shared by all its
// expressions. They remember which placeholders were used. Not safe for concurrent use; what was parsed with them is.
type Substitutions struct {
	names  map[string]string
	values map[string]attr.Value
}

// NewSubstitutions wraps the two maps of a request: nil where the request has none. The maps must not change
// afterwards. A nil *Substitutions is one without names and values.
func NewSubstitutions(names map[string]string, values map[string]attr.Value) *Substitutions {
	return &Substitutions{names: names, values: values}
}

// Check validates the maps themselves, before any expression is read: empty maps, then placeholder names, as the service
// does.
func (s *Substitutions) Check() error { panic("expr: to be written") }

// Unspecified is the error for a request that has substitutions and none of the expressions it could have; kinds are
// these, in the order the service lists them. It is nil if there are no substitutions.
func (s *Substitutions) Unspecified(kinds ...Kind) error { panic("expr: to be written") }

// Unused is the error for placeholders that no expression used. Call it after all expressions of the request are parsed.
func (s *Substitutions) Unused() error { panic("expr: to be written") }
