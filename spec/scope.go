package spec

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tablewright/tablewright/attr"
)

// Scope looks up the names in values and conditions and checks that what stands beside each other has one type.
type Scope struct {
	Entity *Entity // where paths begin; nil: there are no paths
	// Reference is told of every reference, of an attribute that has the type it must have, and where it stands; its
	// error is reported. nil refuses references. Beside arithmetic the attribute has no range of values; a
	// length of time is a number of milliseconds.
	Reference func(ref Reference, like *Attribute, pos int) *Error
}

// Condition resolves a condition: it answers a copy in which bare names of states and enum values are literals, `now`
// beside a date is a day, timestamps have their logical form, and tests of `before` know their states. All errors are
// reported at once; their offsets count from the beginning of the condition's text.
func (s Scope) Condition(c Condition) (Condition, []*Error) {
	r := resolver{Scope: s}
	c = r.condition(c)
	return c, r.errs
}

// Value resolves a value that is to be given to target, or compared with it, likewise. Arithmetic on paths and the
// functions of `set` are allowed.
func (s Scope) Value(v Expr, target *Attribute) (Expr, []*Error) {
	r := resolver{Scope: s}
	v = r.value(v, target)
	return v, r.errs
}

// QuoteRemedy begins the remedy of an [Error] where a text is not quoted; the quoted text follows.
const QuoteRemedy = "a text stands in quotes: "

// SameType reports whether values of one attribute can be values of the other: same type, of lists and sets also of
// the elements, and the same states or enum values if both have such. A type that is not known may be any.
func SameType(a, b *Attribute) bool {
	if a.Type == 0 || b.Type == 0 {
		return true
	}
	if a.Type != b.Type {
		return false
	}
	if x, y := a.Values(), b.Values(); x != nil && y != nil && !slices.Equal(x, y) {
		return false
	}
	return a.Of == nil || b.Of == nil || SameType(a.Of, b.Of)
}

// Unlike says how the type of one attribute differs from that of another, for messages: of two that have values each,
// which values.
func Unlike(name string, a *Attribute, other string, b *Attribute) string {
	x, y := a.Values(), b.Values()
	text := name + " is " + a.Kind() + ", but " + other + " is " + b.Kind()
	if !slices.ContainsFunc(x, func(v string) bool { return slices.Contains(y, v) }) {
		return text
	}
	var lacks []string
	for _, l := range []struct {
		name      string
		has, from []string
	}{{name, x, y}, {other, y, x}} {
		if missing := slices.DeleteFunc(slices.Clone(l.from), func(v string) bool { return slices.Contains(l.has, v) }); len(missing) > 0 {
			lacks = append(lacks, l.name+" cannot be "+strings.Join(missing, ", "))
		}
	}
	if lacks == nil {
		return text + ": the same values in another order"
	}
	return text + ": " + strings.Join(lacks, "; ")
}

// Values are the states or enum values of an attribute; nil if it has neither.
func (a *Attribute) Values() []string {
	if a.States != nil {
		return a.States.Names
	}
	return a.Enum
}

// Kind names what an attribute holds, for messages.
func (a *Attribute) Kind() string {
	switch {
	case a.States != nil:
		return "a state"
	case a.Enum != nil:
		return "an enum value"
	}
	return a.Type.article()
}

type resolver struct {
	Scope
	errs []*Error
}

func (r *resolver) fail(e *Error) {
	if e.Code == "" {
		e.Code = WrongType
	}
	r.errs = append(r.errs, e)
}

func (r *resolver) condition(c Condition) Condition {
	switch c := c.(type) {
	case *Test:
		return r.test(c)
	case *Logic:
		args := make([]Condition, len(c.Args))
		for i, a := range c.Args {
			args[i] = r.condition(a)
		}
		return &Logic{Op: c.Op, Args: args}
	}
	return nil
}

// attribute looks a path up that must lead to one attribute.
func (r *resolver) attribute(p Path, pos int) *Attribute {
	if r.Entity == nil {
		r.fail(errorf(pos, "write $"+p.String()+" for a parameter, '"+p.String()+"' for a text", "there is no entity here in which to look up `%s`", p))
		return nil
	}
	segments, err := r.Entity.resolve(p)
	if err != nil {
		err.Offset += pos
		r.fail(err)
		return nil
	}
	offset := pos
	for _, s := range segments {
		if !s.ToOne() {
			r.fail(errorf(offset, "", "the way back %s leads to many %s: a test or value is about one", s.Name, s.Way.From.Name))
			return nil
		}
		offset += len(s.Name) + 1
	}
	last := segments[len(segments)-1]
	if last.Attribute == nil {
		remedy := ""
		if !last.Back {
			remedy = "name an attribute: " + last.Way.By[0].Name + " or " + p.String() + ".…"
		}
		r.fail(errorf(pos, remedy, "`%s` is a way to another entity, not an attribute", p))
	}
	return last.Attribute
}

var (
	sizeLike     = &Attribute{Name: "size", Type: Number, Digits: 6, Present: 1}
	durationLike = &Attribute{Name: "milliseconds", Type: Number, Digits: 13, Present: 1}
)

// unordered is the error of a comparison of what has no order in conditions, with what would say the same.
func unordered(t *Test, a *Attribute) *Error {
	values := a.Values()
	if values == nil {
		return errorf(t.Pos, "", "%s is %s, which has no order", t.Path, a.Kind())
	}
	named := values // those that are meant, where the test says it
	if at := slices.Index(values, plainWord(t.Args[0])); at >= 0 && a.Ranked() {
		switch t.Op {
		case "<":
			named = values[:at]
		case "<=":
			named = values[:at+1]
		case ">":
			named = values[at+1:]
		case ">=":
			named = values[at:]
		}
	}
	among := "…"
	if len(named) > 0 && len(named) < len(values) {
		among = strings.Join(named, ", ")
	}
	remedy := "write " + t.Path.String() + " in (" + among + ")"
	if a.States != nil {
		remedy += " or " + t.Path.String() + " in before(…)"
	}
	if !a.Ranked() {
		return errorf(t.Pos, remedy, "%s is %s, which has no order", t.Path, a.Kind())
	}
	if among == "…" {
		remedy += "; where the call says from which one on, let it be a number, such as 1 for " + values[0] + " and " + strconv.Itoa(len(values)) + " for " + values[len(values)-1]
	}
	return errorf(t.Pos, remedy, "%s is %s: what is `ordered` sorts answers, and no condition asks for its order", t.Path, a.Kind())
}

// plainWord is what stands for a constant before it is resolved; "" if it is more than one word.
func plainWord(v Expr) string {
	switch {
	case v.Op != "" || v.Neg:
	case len(v.Path) == 1:
		return v.Path[0]
	case v.Literal.Kind() == attr.KindS:
		return v.Literal.Str()
	}
	return ""
}

func (r *resolver) test(t *Test) Condition {
	out := *t
	if len(t.Path) == 0 {
		return &out
	}
	pos := t.Pos
	if t.Op == "exists" || t.Op == "absent" || t.Op == "begins_with" || t.Op == "contains" || t.Op == "size" {
		pos += len(t.Op) + len("(")
	}
	left := r.attribute(t.Path, pos)
	if left == nil {
		return &out
	}
	like := left
	op := t.Op
	if left.Type == 0 {
		op = "" // nothing is known of what it can be compared with
	}
	switch op {
	case "<", "<=", ">", ">=", "between":
		if !left.Ordered() {
			r.fail(unordered(t, left))
			return &out
		}
	case "before":
		if left.States == nil {
			r.fail(errorf(t.Pos, "", "%s is %s: only states have a before", t.Path, left.Kind()))
			return &out
		}
		out.States = left.States
	case "begins_with":
		if left.Type != String && left.Type != Binary {
			r.fail(errorf(t.Pos, "", "%s is %s: only strings and binaries begin with something", t.Path, left.Kind()))
			return &out
		}
	case "contains":
		switch left.Type {
		case ListType, SetType:
			if like = left.Of; like == nil {
				r.fail(errorf(t.Pos, "declare it with `of`", "what %s is a list of is not declared", t.Path))
				return &out
			}
		case String, Binary:
		default:
			r.fail(errorf(t.Pos, "", "%s is %s: only strings, binaries, lists and sets contain something", t.Path, left.Kind()))
			return &out
		}
	case "size":
		switch left.Type {
		case Number, Bool:
			r.fail(errorf(t.Pos, "", "%s is %s, which has no size", t.Path, left.Kind()))
			return &out
		}
		like = sizeLike
	}
	out.Args = make([]Expr, len(t.Args))
	for i, a := range t.Args {
		out.Args[i] = r.value(a, like)
	}
	return &out
}

// Ordered reports whether the attribute's values have an order: numbers, strings, binaries, timestamps and dates, but
// not states and enum values.
func (a *Attribute) Ordered() bool {
	return a.Values() == nil && (a.Type == Number || a.Type == String || a.Type == Binary || a.Type == Timestamp || a.Type == Date)
}

func (r *resolver) value(v Expr, like *Attribute) Expr {
	switch v.Op {
	case "":
		return r.term(v, like)
	case "append", "prepend":
		return r.extend(v, like)
	case "larger", "smaller":
		if !like.Ordered() {
			r.fail(errorf(v.Pos, "", "%s is %s, whose values have no order", like.Name, like.Kind()))
		}
		v.Args = []Expr{r.value(v.Args[0], like), r.value(v.Args[1], like)}
		return v
	case "if_missing":
		path := r.value(v.Args[0], like)
		v.Args = []Expr{path, r.value(v.Args[1], like)}
		return v
	}
	switch like.Type {
	case Number:
		like = unbounded(like)
		v.Args = []Expr{r.value(v.Args[0], like), r.value(v.Args[1], like)}
	case Timestamp, Date:
		v.Args = []Expr{r.value(v.Args[0], like), r.duration(v.Args[1], like)}
	case 0:
		v.Args = []Expr{r.value(v.Args[0], like), r.value(v.Args[1], like)}
	default:
		r.fail(errorf(v.Pos, "", "%s is %s: there is no arithmetic on it", like.Name, like.Kind()))
	}
	return v
}

// unbounded is an attribute without its range: the terms of a sum may lie outside the range of the sum, as -5 does of
// a stock that is never below 0.
func unbounded(a *Attribute) *Attribute {
	b := *a
	b.Min, b.Max = nil, nil
	return &b
}

// duration resolves what is added to or taken from a point in time.
func (r *resolver) duration(v Expr, like *Attribute) Expr {
	switch {
	case v.Duration:
		if ms, _ := v.Literal.Number().Int64(); like.Type == Date && ms%Day.Milliseconds() != 0 {
			r.fail(errorf(v.Pos, "", "%s is a date: it moves by whole days", like.Name))
		}
		return v
	case len(v.Reference) > 0:
		return r.term(v, durationLike)
	}
	r.fail(errorf(v.Pos, "write the point in time first, then + or - and a duration such as 30 days", "`%s` is not a duration", v))
	return v
}

func (r *resolver) extend(v Expr, like *Attribute) Expr {
	switch {
	case like.Type == 0:
		return v
	case like.Type != ListType && !(like.Type == SetType && v.Op == "append"):
		r.fail(errorf(v.Pos, "", "%s is %s: %s is for lists, append also for sets", like.Name, like.Kind(), v.Op))
		return v
	case like.Of == nil:
		r.fail(errorf(v.Pos, "declare it with `of`", "what %s is a list of is not declared", like.Name))
		return v
	}
	v.Args = []Expr{r.term(v.Args[0], like), r.value(v.Args[1], like.Of)}
	return v
}

func (r *resolver) term(v Expr, like *Attribute) Expr {
	if v.Neg && like.Type != Number && like.Type != 0 {
		r.fail(errorf(v.Pos, "", "a minus before what is %s", like.Kind()))
		return v
	}
	switch {
	case v.Now:
		switch like.Type {
		case Timestamp, 0:
		case Date:
			v.Day = true
		default:
			r.fail(errorf(v.Pos, "", "%s is %s, not a point in time", like.Name, like.Kind()))
		}
	case len(v.Reference) > 0:
		if v.Neg {
			like = unbounded(like)
		}
		if r.Reference == nil {
			r.fail(errorf(v.Pos, "", "%s: there are no parameters here", v.Reference))
		} else if err := r.Reference(v.Reference, like, v.Pos); err != nil {
			r.fail(err)
		}
	case len(v.Path) > 0:
		return r.path(v, like)
	default:
		return r.literal(v, like)
	}
	return v
}

// path resolves a path, or a bare name that is a state or an enum value.
func (r *resolver) path(v Expr, like *Attribute) Expr {
	values := like.Values()
	if like.Type == 0 && len(v.Path) == 1 && (r.Entity == nil || !slices.Contains(r.Entity.names(), v.Path[0])) {
		return v // it may be a value of what is not known
	}
	if values != nil && len(v.Path) == 1 && !v.Neg {
		if slices.Contains(values, v.Path[0]) {
			return Expr{Literal: attr.Text(v.Path[0]), Pos: v.Pos}
		}
		if r.Entity == nil || r.Entity.Attribute(v.Path[0]) == nil {
			r.fail(notAValue(v.Pos, v.Path[0], like))
			return v
		}
	}
	if r.Entity != nil && len(v.Path) == 1 && values == nil && !slices.Contains(r.Entity.names(), v.Path[0]) {
		err := unknown(v.Pos, v.Path[0], r.Entity.Name, r.Entity.names())
		switch {
		case like.Type == String:
			err.Remedy = QuoteRemedy + quote(v.Path[0])
		case !strings.HasPrefix(err.Remedy, "did you mean") && !strings.Contains(v.Path[0], "-"):
			err.Remedy = "write $" + v.Path[0] + " for a parameter; " + err.Remedy
		}
		r.fail(err)
		return v
	}
	pos := v.Pos
	if v.Neg {
		pos++
	}
	if a := r.attribute(v.Path, pos); a != nil && !SameType(a, like) {
		r.fail(errorf(pos, "", "%s", Unlike(v.Path.String(), a, like.Name, like)))
	}
	return v
}

func notAValue(pos int, value string, like *Attribute) *Error {
	return unknown(pos, value, like.Name+", "+like.Kind()+",", like.Values())
}

func (r *resolver) literal(v Expr, like *Attribute) Expr {
	wrong := func(remedy string) Expr {
		r.fail(errorf(v.Pos, remedy, "`%s` beside %s, which is %s", v, like.Name, like.Kind()))
		return v
	}
	kind := v.Literal.Kind()
	switch like.Type {
	case Number:
		if v.Duration {
			return wrong("a duration stands beside a point in time")
		}
		if kind != attr.KindN {
			return wrong("")
		}
	case String:
		if values := like.Values(); kind != attr.KindS && values != nil {
			return wrong("it has " + strings.Join(values, ", "))
		}
		if kind != attr.KindS {
			return wrong(QuoteRemedy + quote(v.String()))
		}
		if values := like.Values(); values != nil && !slices.Contains(values, v.Literal.Str()) {
			r.fail(notAValue(v.Pos, v.Literal.Str(), like))
		}
	case Bool:
		if kind != attr.KindBOOL {
			return wrong("write true or false")
		}
	case Timestamp, Date:
		return r.moment(v, like, wrong)
	case 0:
	default:
		return wrong("it can only be compared with a parameter or another attribute")
	}
	return v
}

// moment brings the text of a timestamp or date into its logical form.
func (r *resolver) moment(v Expr, like *Attribute, wrong func(string) Expr) Expr {
	layout, form := time.RFC3339Nano, "'2026-11-21T09:04:00.000Z'"
	if like.Type == Date {
		layout, form = DateLayout, "'2026-11-21'"
	}
	if v.Literal.Kind() != attr.KindS {
		return wrong("write " + form)
	}
	t, err := time.Parse(layout, v.Literal.Str())
	if err != nil {
		for _, other := range []string{DateLayout, time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02 15:04"} {
			if t, err := time.Parse(other, v.Literal.Str()); err == nil {
				form = quote(t.UTC().Format(map[Type]string{Timestamp: TimestampLayout, Date: DateLayout}[like.Type]))
			}
		}
		return wrong("write " + form)
	}
	v.Literal = attr.Text(t.Format(DateLayout))
	if like.Type == Timestamp {
		v.Literal = TimeValue(t)
	}
	return v
}

var typeNames = [...]string{"", "string", "number", "bool", "binary", "timestamp", "date", "map", "list", "set"}

// String is the type's name in a requirements file.
func (t Type) String() string { return typeNames[t] }

// TypeNamed is the type with a name; 0 if there is none.
func TypeNamed(name string) Type {
	if name == "" {
		return 0
	}
	return Type(max(0, slices.Index(typeNames[:], name)))
}

func (t Type) article() string { return "a " + t.String() }
