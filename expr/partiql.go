package expr

import (
	"unicode/utf8"

	"github.com/tablewright/tablewright/attr"
)

// Statement is a statement of PartiQL, as ExecuteStatement, BatchExecuteStatement and ExecuteTransaction take it (page
// ql-reference of the developer guide). Its parameters are resolved; it is immutable and safe for concurrent use.
type Statement struct {
	Verb  Verb
	Table string // name or ARN
	Index string // "" for the table itself

	Columns []Column // SELECT and EXISTS: what is selected; nil for *
	Where   *Condition
	Order   []Order

	Item attr.Item // INSERT

	Update    *Update // UPDATE
	Returning Returning
}

// Verb is what a statement does.
type Verb uint8

// The verbs. EXISTS is a condition of a transaction, EXISTS(SELECT …).
const (
	VerbSelect Verb = iota + 1
	VerbInsert
	VerbUpdate
	VerbDelete
	VerbExists
)

var verbNames = [...]string{"", "SELECT", "INSERT", "UPDATE", "DELETE", "EXISTS"}

// String is the verb's word.
func (v Verb) String() string { return verbNames[v] }

// Writes reports whether the statement is for the writing operations: all but SELECT, EXISTS too.
func (v Verb) Writes() bool { return v != VerbSelect }

// Column is a path in the list of SELECT, and the name under which its value is answered: that of the path's last step, with
// the indexes that follow it.
type Column struct {
	Path Path
	Name string
}

// Order is a term of ORDER BY.
type Order struct {
	Attribute  string
	Descending bool
}

// Returning is what RETURNING asks for.
type Returning uint8

// What RETURNING can ask for; the zero Returning is nothing. ALL is the whole item, MODIFIED what the statement changes.
const (
	ReturningAllOld Returning = iota + 1
	ReturningAllNew
	ReturningModifiedOld
	ReturningModifiedNew
)

var returningNames = [...]string{"", "RETURNING ALL OLD *", "RETURNING ALL NEW *", "RETURNING MODIFIED OLD *", "RETURNING MODIFIED NEW *"}

// String is the clause.
func (r Returning) String() string { return returningNames[r] }

// maxStatement is the length of a statement in characters (API_ExecuteStatement).
const maxStatement = 8192

// ParseStatement reads a statement; parameters are the values of its ?, of which there may be more than it has. Errors are
// *Error of the Kind PartiQL. What is wrong with a condition or an update is told as it is told of expressions, without the
// name of an expression before it.
func ParseStatement(text string, parameters []attr.Value) (*Statement, error) {
	if utf8.RuneCountInString(text) > maxStatement {
		return nil, RuleStatementSize.fail(PartiQL, maxStatement)
	}
	l := sqlLexer{text: text}
	p := &sqlParser{tokens: l.tokens()}
	syntax := p.statement()
	if p.err != nil {
		return nil, p.err
	}
	s := new(Statement)
	t := translator{parameters: parameters}
	if err := t.statement(syntax, s); err != nil {
		return nil, err
	}
	return s, nil
}

// Projection is what the statement selects, as a projection leaves it: with parts of documents in their places, not under the
// names of columns. It is nil for *.
func (s *Statement) Projection() *Projection {
	if s.Columns == nil {
		return nil
	}
	paths := make([]Path, len(s.Columns))
	for i, c := range s.Columns {
		paths[i] = c.Path
	}
	return Project(paths...)
}

// Select is what the statement selects of an item, as rows have it: each path under the name of its column. A missing path
// drops out.
func (s *Statement) Select(it attr.Item) attr.Item {
	if s.Columns == nil {
		return it
	}
	var out attr.Item
	for _, c := range s.Columns {
		if v := c.Path.Get(it); !v.IsZero() {
			out.Set(c.Name, v)
		}
	}
	return out
}
