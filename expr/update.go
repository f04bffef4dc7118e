package expr

import "github.com/tablewright/tablewright/attr"

// Update is an update expression. It is immutable and safe for concurrent use. A nil *Update changes nothing.
type Update struct{ actions []Action }

// Section is a clause of an update expression.
type Section uint8

// The sections.
const (
	SET Section = iota + 1
	REMOVE
	ADD
	DELETE
)

// Action is one change of an update expression: a section and the path it changes.
type Action struct {
	Section Section
	Path    Path
}

// ParseUpdate reads an UpdateExpression. Errors are *Error.
func ParseUpdate(text string, s *Substitutions) (*Update, error) { panic("expr: to be written") }

// Actions are the changes as written; of equal sections in their order.
func (u *Update) Actions() []Action { return u.actions }

// Touched are the paths that the expression changes, whatever the item: for the check of key attributes, and what
// UPDATED_OLD answers (Pick them from the item before).
func (u *Update) Touched() []Path { panic("expr: to be written") }

// Apply computes the item after the update; it itself is not changed. All right sides read it. written are the paths in
// the item after of what SET, ADD and DELETE wrote: what UPDATED_NEW answers (Pick them from it). Errors are *Error, with
// DynamoDB's run-time messages.
func (u *Update) Apply(it attr.Item) (after attr.Item, written []Path, err error) {
	panic("expr: to be written")
}

// Pick is the part of the item at the paths, as a projection of them.
func Pick(it attr.Item, paths []Path) attr.Item { panic("expr: to be written") }

// String is the update with names written out where the language allows it and values as :0, :1, ….
func (u *Update) String() string { panic("expr: to be written") }
