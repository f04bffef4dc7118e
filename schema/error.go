package schema

import (
	"fmt"
	"strconv"
	"strings"
)

// Error says everything that is wrong with one object. Its text has the paths and the rules, never the values; a path
// through a map with free keys has the key, which is the data's.
type Error struct {
	Problems []Problem // in the order in which the object is walked: by the names of its attributes
	More     int       // problems beyond the first 100, which are not listed

	cause error // what the codec said
}

// maxProblems is how many problems are kept: a list of many wrong elements is described by fewer.
const maxProblems = 100

// Error lists the first problems.
func (e *Error) Error() string {
	const shown = 8
	var b strings.Builder
	for i, p := range e.Problems {
		if i == shown {
			break
		}
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(p.String())
	}
	if rest := len(e.Problems) - shown + e.More; rest > 0 {
		fmt.Fprintf(&b, "; and %d more", rest)
	}
	return b.String()
}

// Unwrap is what the codec said of a value that does not go into its Go type, or cannot be stored; nil of all else. Its text
// may have the value.
func (e *Error) Unwrap() error { return e.cause }

// Problem is one rule that is broken in one place.
type Problem struct {
	Path string // by the names of attributes: lines[2].qty; "" is the object as a whole
	Rule string // by its name: one of those that are listed with Rules
	Text string // what is demanded: must be one of placed, paid or shipped
}

// String is the path and the text.
func (p Problem) String() string {
	if p.Path == "" {
		return p.Text
	}
	return p.Path + ": " + p.Text
}

// The names of rules, as Problem.Rule has them: those of the tag `check`, and what follows from types.
const (
	RuleType     = "type"     // another type of value
	RuleRequired = "required" // absent
	RuleUnknown  = "unknown"  // the shape is closed and does not name it
	RuleJSON     = "json"     // the text is no JSON
	RuleLen      = "len"
	RuleEnum     = "enum"
	RulePattern  = "pattern"
	RuleRange    = "range"
	RuleAbove    = "above"
	RuleBelow    = "below"
	RuleInteger  = "integer"
	RuleDecimals = "decimals"
	RuleMultiple = "multiple"
	RuleUnique   = "unique"   // a set has an element twice
	RuleComputed = "computed" // not what it follows from
)

// step is one step of a path: a name, or the index of an element.
type step struct {
	name  string
	index int // -1: the name counts
}

func pathText(steps []step) string {
	var b []byte
	for _, s := range steps {
		switch {
		case s.index >= 0:
			b = append(strconv.AppendInt(append(b, '['), int64(s.index), 10), ']')
			continue
		case len(b) > 0 && s.name != "[]": // which stands for elements without a place
			b = append(b, '.')
		}
		b = append(b, s.name...)
	}
	return string(b)
}

// report collects problems while an object is walked. A nil one is for those who only want to know whether there are any.
type report struct {
	err  Error
	path []step // where the walk is
}

// enter goes into an attribute, element into an element, leave out again.
func (r *report) enter(name string) {
	if r != nil {
		r.path = append(r.path, step{name, -1})
	}
}

func (r *report) element(i int) {
	if r != nil {
		r.path = append(r.path, step{"", i})
	}
}

func (r *report) leave() {
	if r != nil {
		r.path = r.path[:len(r.path)-1]
	}
}

// add notes a problem where the walk is; it returns false, which is what those who find one answer.
func (r *report) add(rule, text string) bool {
	if r == nil {
		return false
	}
	r.put(Problem{pathText(r.path), rule, text})
	return false
}

func (r *report) put(p Problem) {
	if len(r.err.Problems) == maxProblems {
		r.err.More++
		return
	}
	r.err.Problems = append(r.err.Problems, p)
}

// result is the error, nil without problems.
func (r *report) result() error {
	if len(r.err.Problems) == 0 {
		return nil
	}
	return &r.err
}
