package design

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tablewright/tablewright/spec"
)

// An UnsupportedError names what this version of the designer has no rule for: all of it at once where that is known before
// candidates are made, else the entities for which there are none.
type UnsupportedError struct {
	Cases  []Unsupported
	Of     string   // entities, of Losses
	Losses []string // why candidates were left out, the most frequent reason first
}

// Unsupported is one statement that no rule covers.
type Unsupported struct {
	Pattern   string // or application
	Statement string // of the pattern: what of it
	Because   string // what is in the way; "" if it is only that there is no rule
	Instead   string // what to write instead; "" if that is not known

	At     []string // where it stands in the requirements: the keys that lead there
	Offset int      // within that text
}

// Findings are the cases; without any, the losses as one, at the pattern or entity that they are of.
func (e *UnsupportedError) Findings(r *spec.Requirements) []Unsupported {
	if len(e.Cases) > 0 {
		return e.Cases
	}
	of, _, _ := strings.Cut(e.Of, ", ")
	of, _, _ = strings.Cut(of, "; ")
	at := []string{"entities", of}
	if r.Pattern(of) != nil {
		at[0] = "patterns"
	}
	return []Unsupported{{Pattern: e.Of, Statement: "what is asked of it", Because: strings.Join(slices.Compact(slices.Clone(e.Losses)), "; "), At: at}}
}

// Message says what no rule covers, and why, on one line.
func (c Unsupported) Message() string {
	text := c.Pattern + ": no rule of the designer covers " + c.Statement
	if c.Because != "" {
		text += ", because " + c.Because
	}
	return text
}

// Error says which statements of which patterns, and what to write instead.
func (e *UnsupportedError) Error() string {
	if len(e.Cases) == 0 {
		return fmt.Sprintf("%s: no rule of the designer covers what is asked of it\n  %s", e.Of, strings.Join(e.Losses, "\n  "))
	}
	var lines []string
	for _, c := range e.Cases {
		lines = append(lines, c.String())
	}
	return strings.Join(lines, "\n")
}

// String is one statement with its reason and what to write instead, on lines of their own.
func (c Unsupported) String() string {
	text := fmt.Sprintf("%s: no rule of the designer covers %s", c.Pattern, c.Statement)
	if c.Because != "" {
		text += "\n  because " + c.Because
	}
	if c.Instead != "" {
		text += "\n  instead " + c.Instead
	}
	return text
}

func unsupported(p *spec.Pattern, format string, args ...any) error {
	at := []string{"patterns", p.Name}
	for i, a := range args {
		if path, ok := a.(spec.Path); ok {
			args[i], at = strings.Join(path, "."), statedAt(p, path)
		}
	}
	return &UnsupportedError{Cases: []Unsupported{{
		Pattern: p.Name, Statement: fmt.Sprintf(format, args...), At: at,
		Because: "keys and answers are made of what an entity has, and of what lies at the end of ways to one",
		Instead: "split it into a read for each step, or state the value where it is needed, as a derived attribute",
	}}}
}

// statedAt is where a pattern states a path.
func statedAt(p *spec.Pattern, path spec.Path) []string {
	at := []string{"patterns", p.Name}
	is := func(x spec.Path) bool { return slices.Equal(x, path) }
	if i := slices.IndexFunc(p.Given, is); i >= 0 {
		return append(at, "given", strconv.Itoa(i))
	}
	if i := slices.IndexFunc(p.Order, func(o spec.Order) bool { return is(o.Path) }); i >= 0 {
		return append(at, "order", strconv.Itoa(i))
	}
	if i := slices.IndexFunc(p.With, is); i >= 0 {
		return append(at, "with", strconv.Itoa(i))
	}
	for t := range spec.Tests(p.Where) {
		if is(t.Path) {
			return append(at, "where")
		}
	}
	return at
}

// unserved reports a read of which nothing can be in a key: no value is given, no constant narrows it down to an index of its
// own, nothing is ordered, and it does not ask for the whole set.
func (d *demand) unserved() (Unsupported, bool) {
	if slices.ContainsFunc(d.eqs, func(e equality) bool { return len(e.ref.rest) == 0 }) || len(d.back) > 0 || d.whole {
		return Unsupported{}, false
	}
	inside := slices.IndexFunc(d.pattern.Given, func(path spec.Path) bool {
		r, ok := resolveRef(d.target, path)
		return ok && len(r.rest) > 0
	})
	for _, c := range d.filters {
		if constantTest(d.target, c) != nil {
			return Unsupported{}, false
		}
	}
	if inside >= 0 {
		return d.insideMap(d.pattern.Given[inside]), true
	}
	for _, s := range d.sequences() {
		if len(s) > 0 && !slices.ContainsFunc(s, func(p keyPart) bool { return !keyable(p.ref) }) {
			return Unsupported{}, false
		}
	}
	all := spec.FormatNumber(d.target.Count) + " " + d.target.Name
	u := Unsupported{
		Pattern: d.name, Statement: "a read of " + d.target.Name + " of which nothing is given", At: []string{"patterns", d.name},
		Because: "it asks for all " + all + " and neither gives a value nor an order that a key could have",
		Instead: "`whole: true` if all are wanted, which scans; an `order`, by which an index holds them; or `given`",
	}
	for _, c := range d.filters {
		for t := range spec.Tests(c) {
			if d.obstacle(t, c, all, &u) {
				return u, true
			}
		}
	}
	return u, true
}

// insideMap is a read that gives nothing but values inside maps.
func (d *demand) insideMap(path spec.Path) Unsupported {
	own := camel(path...)
	u := Unsupported{
		Pattern: d.name, Statement: "given " + path.String(), At: statedAt(d.pattern, path),
		Because: "what is inside a map is in no key: it would be tested on each of " + spec.FormatNumber(d.target.Count) + " " + d.target.Name,
		Instead: "the value as an attribute of its own, `" + own + "`, beside or instead of that in " + path[:len(path)-1].String() + ", and `given: [" + own + "]`; or `whole: true`, which reads them all",
	}
	return u
}

// obstacle says why no key serves a test.
func (d *demand) obstacle(t *spec.Test, c spec.Condition, all string, u *Unsupported) bool {
	r, ok := resolveRef(d.target, t.Path)
	if !ok {
		return false
	}
	u.Statement, u.At, u.Offset = "where "+c.String(), []string{"patterns", d.name, "where"}, t.Pos
	tested := "`" + t.String() + "` would be tested on each of " + all
	narrow := "`given` with what narrows it down, or `whole: true`, which reads them all"
	_, negated := c.(*spec.Logic)
	switch {
	case t.Op == "contains" && (r.attr.Type == spec.ListType || r.attr.Type == spec.SetType) && len(r.rest) == 0:
		u.Because = "what is inside a list or set is in no key: " + tested
		u.Instead = "make an entity of what " + r.attr.Name + " holds, one for each element, and give its value; else " + narrow
	case t.Op == "contains":
		u.Because = "no key of DynamoDB finds a text by what stands in it: " + tested
		u.Instead = "keep a search index outside, fed by a stream (`application: {streams: [" + d.target.Name + "]}`), and read here by identity what it finds; else " + narrow
	case t.Op == "!=", negated:
		u.Because = "a key finds what is equal, in a range or begins alike, and not what is different or one of several: " + tested
		u.Instead = "an enum or a bool that says it, with its share, for which there is an index of the few; else " + narrow
	case t.Op == "size":
		u.Because = "the size of a value is in no key: " + tested
		u.Instead = "keep the number as an attribute, and give or order by that; else " + narrow
	case t.Op == "exists" && len(r.rest) == 0 && keyable(r):
		u.Because = "an index holds those that have " + r.attr.Name + " in its order, and none is stated"
		u.Instead = "add `order: " + r.key() + "`"
	case t.Op == "absent":
		u.Because = "an index holds what is there, not what is absent: " + tested
		u.Instead = "an enum or a bool that says it, with its share, for which there is an index of the few; else " + narrow
	default:
		u.Because = tested
		u.Instead = narrow
	}
	return true
}
