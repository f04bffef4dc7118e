package spec

import (
	"fmt"
	"iter"
	"slices"

	"github.com/tablewright/tablewright/attr"
)

// Path is names joined by dots: every name but the last is a way there, a way back or a map; the last is an
// attribute or a way. [Entity.Resolve] looks its names up.
type Path []string

// Reference is $name then .names: a parameter, an earlier step, or $each. The name stands without its $.
type Reference []string

// Expr is a value. Exactly one of Literal, Now, Reference, Path and Op says which kind it is:
//
//	Literal     a number, a text, true or false; with Duration, a number of milliseconds
//	Now         the moment of the call; with Day, its day (UTC)
//	Reference   $name
//	Path        an attribute of the subject
//	Op          "+" or "-" of two Args, the first of which may be a sum again; append, prepend or if_missing, the
//	            first of whose two Args is a Path; larger or smaller of two Args
type Expr struct {
	Literal   attr.Value
	Duration  bool
	Now       bool
	Day       bool
	Reference Reference
	Path      Path
	Neg       bool // a minus before Reference or Path; that of a number is part of the Literal
	Op        string
	Args      []Expr

	Pos int // byte offset in the text that was parsed
}

// Condition is a tree of tests, a [*Test] or a [*Logic]; nil holds always. String is its text, which parses back to
// the same tree.
type Condition interface {
	String() string
	condition()
}

// Test is one comparison. Op is one of = != < <= > >= between in before exists absent begins_with contains size, or
// present or absent of the item itself, then without Path.
//   - between has two Args (both inclusive), in has one or more, exists and absent have none, all others have one.
//   - before is `path in before(v)`: the path's state is one from which v may be entered. States is set once resolved.
//   - size has the comparison in SizeOp.
//   - a right-hand bare name is a Path when parsed; once resolved it is a Literal if it is a state or an enum value.
type Test struct {
	Path   Path
	Op     string
	SizeOp string
	Args   []Expr
	States *States

	Pos int // byte offset of the test in the text that was parsed
}

// Logic joins conditions: Op is "and" or "or" of two or more, "not" of one.
type Logic struct {
	Op   string
	Args []Condition
}

func (*Test) condition()  {}
func (*Logic) condition() {}

// Error says what is wrong with a text of the language, or with a name in it.
type Error struct {
	Code    string // UnknownName, WrongType, or "" for a text that cannot be read
	Offset  int    // in bytes, from the beginning of the text
	Message string // what is wrong
	Remedy  string // what to write instead; "" if that is plain from the message
}

// Codes of an [Error] about names in a text.
const (
	UnknownName = "unknown-name"
	WrongType   = "wrong-type"
)

// Error is message and remedy. The place is in Offset.
func (e *Error) Error() string {
	if e.Remedy == "" {
		return e.Message
	}
	return e.Message + "; " + e.Remedy
}

func errorf(offset int, remedy, format string, args ...any) *Error {
	return &Error{Offset: offset, Remedy: remedy, Message: fmt.Sprintf(format, args...)}
}

// Tests yields every test of a condition, from left to right.
func Tests(c Condition) iter.Seq[*Test] {
	return func(yield func(*Test) bool) { walkTests(c, yield) }
}

func walkTests(c Condition, yield func(*Test) bool) bool {
	switch c := c.(type) {
	case *Test:
		return yield(c)
	case *Logic:
		for _, a := range c.Args {
			if !walkTests(a, yield) {
				return false
			}
		}
	}
	return true
}

// Terms yields the literals, references, paths and nows that a value is made of, from left to right.
func (v Expr) Terms() iter.Seq[Expr] {
	return func(yield func(Expr) bool) { v.walkTerms(yield) }
}

func (v Expr) walkTerms(yield func(Expr) bool) bool {
	if v.Op == "" {
		return yield(v)
	}
	for _, a := range v.Args {
		if !a.walkTerms(yield) {
			return false
		}
	}
	return true
}

// Uses reports whether the value refers to $name or to something inside it.
func (v Expr) Uses(name string) bool {
	for t := range v.Terms() {
		if len(t.Reference) > 0 && t.Reference[0] == name {
			return true
		}
	}
	return false
}

// Map is the value with each of its terms replaced by what f answers for it. The value itself is not changed.
func (v Expr) Map(f func(term Expr) Expr) Expr {
	if v.Op == "" {
		return f(v)
	}
	args := make([]Expr, len(v.Args))
	for i, a := range v.Args {
		args[i] = a.Map(f)
	}
	v.Args = args
	return v
}

// MapTerms is a condition with each term of the values in its tests replaced by what f answers for it. The condition
// itself is not changed.
func MapTerms(c Condition, f func(term Expr) Expr) Condition {
	switch c := c.(type) {
	case *Test:
		out := *c
		out.Args = nil
		for _, a := range c.Args {
			out.Args = append(out.Args, a.Map(f))
		}
		return &out
	case *Logic:
		out := &Logic{Op: c.Op}
		for _, a := range c.Args {
			out.Args = append(out.Args, MapTerms(a, f))
		}
		return out
	}
	return c
}

// Without is what is left of a condition when parameters are left out of a call: the tests that use them go, and with
// them an `and`, `or` or `not` of nothing, and an `absent or` of nothing. Of a `between` the end that does not use them
// stays. The condition itself is not changed. nil means that nothing is left.
func Without(c Condition, left func(parameter string) bool) Condition {
	switch c := c.(type) {
	case *Test:
		uses := func(x Expr) bool {
			for t := range x.Terms() {
				if len(t.Reference) > 0 && left(t.Reference[0]) {
					return true
				}
			}
			return false
		}
		switch {
		case !slices.ContainsFunc(c.Args, uses):
			return c
		case c.Op != "between" || len(c.Args) != 2 || uses(c.Args[0]) && uses(c.Args[1]):
			return nil
		}
		end := *c
		if end.Op, end.Args = ">=", c.Args[:1]; uses(c.Args[0]) {
			end.Op, end.Args = "<=", c.Args[1:]
		}
		return &end
	case *Logic:
		var args []Condition
		for _, a := range c.Args {
			if a = Without(a, left); a != nil {
				args = append(args, a)
			}
		}
		switch {
		case len(args) == 0:
			return nil
		case len(args) < len(c.Args) && c.Op == "or" && len(args) == 1 && absentItself(args[0]):
			return nil
		case len(args) == 1 && c.Op != "not":
			return args[0]
		}
		return &Logic{Op: c.Op, Args: args}
	}
	return nil
}

// absentItself reports whether a condition is that the item itself is not there. What it stands beside in an `or` is
// asked of the item that is.
func absentItself(c Condition) bool {
	t, ok := c.(*Test)
	return ok && t.Op == "absent" && len(t.Path) == 0
}

// OrAbsent takes a condition apart that a value is absent or lies on one side of another, `absent(until) or until >=
// now`, whichever stands first. A nil test: it is another condition.
func OrAbsent(c Condition) (Path, *Test) {
	l, ok := c.(*Logic)
	if !ok || l.Op != "or" || len(l.Args) != 2 {
		return nil, nil
	}
	for i, x := range l.Args {
		none, isTest := x.(*Test)
		t, both := l.Args[1-i].(*Test)
		if isTest && both && none.Op == "absent" && slices.Equal(none.Path, t.Path) && len(t.Path) > 0 && slices.Contains([]string{"<", "<=", ">", ">="}, t.Op) {
			return t.Path, t
		}
	}
	return nil, nil
}
