package tablewright

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/expr"
)

// where is a condition of View.Where.
func where(d *decl, text string, args []any) *test {
	c, err := parseWhere(d, text, args)
	return &test{op: opText, text: c, err: err}
}

// clause is a change of Entity.Clause.
func clause(d *decl, text string, args []any) *edit {
	u, err := parseClause(d, text, args)
	return &edit{do: doText, text: u, err: err}
}

// parseWhere reads a condition with ? for its values.
func parseWhere(d *decl, text string, args []any) (*expr.Condition, error) {
	t, err := prepare(d, text, args)
	if err != nil {
		return nil, err
	}
	c, err := expr.ParseCondition(t.prepared, t.s)
	if err != nil {
		return nil, t.mistake(err)
	}
	if err := t.check(c.Paths()); err != nil {
		return nil, err
	}
	return c.Bind(t.fit)
}

// parseClause reads an update with ? for its values.
func parseClause(d *decl, text string, args []any) (*expr.Update, error) {
	t, err := prepare(d, text, args)
	if err != nil {
		return nil, err
	}
	u, err := expr.ParseUpdateFor(t.prepared, t.s, t.fit)
	if err != nil {
		return nil, t.mistake(err)
	}
	return u, t.check(u.Paths())
}

// phrase is a condition or update as text.
type phrase struct {
	d        *decl
	text     string
	args     []any
	prepared string // with a placeholder for each name and value
	s        *expr.Substitutions
	tokens   [][2]int       // where something begins in prepared, and in text
	names    map[string]int // where each name stands first in text, from 1
	marks    []int          // where each ? stands in text, from 1
	fitted   int            // values that fit was asked for
}

// mistake says in the caller's text what the parser says of the prepared one.
func (t *phrase) mistake(err error) error {
	e, ok := errors.AsType[*expr.Error](err)
	switch {
	case !ok:
		return err
	case e.At == 0:
		return fmt.Errorf("%q: %w", t.text, err)
	}
	i, _ := slices.BinarySearchFunc(t.tokens, e.At-1, func(at [2]int, n int) int { return at[0] - n })
	if i == len(t.tokens) {
		return fmt.Errorf("%q: Syntax error at position %d: the text ends too early", t.text, len(t.text)+1)
	}
	at := t.tokens[i][1]
	end := at
	for end < len(t.text) && nameByte(t.text[end]) {
		end++
	}
	if end == at {
		_, n := utf8.DecodeRuneInString(t.text[at:])
		end += n
	}
	hint := ""
	switch c := t.text[at]; {
	case c >= '0' && c <= '9' || c == '\'' || c == '"':
		hint = ": values are written as ?, and handed over behind the text"
	case c == '=' && at > 0 && t.text[at-1] == '=':
		hint = ": equality is one ="
	}
	return fmt.Errorf("%q: Syntax error at position %d: %s cannot stand there%s", t.text, at+1, t.text[at:end], hint)
}

// check refuses paths that the type does not have.
func (t *phrase) check(paths []expr.Path) error {
	for _, p := range paths {
		if _, _, err := t.at(p); err != nil {
			return err
		}
	}
	return nil
}

// at is what the type has at a path. known is false where it does not tell, as inside an interface.
func (t *phrase) at(p expr.Path) (f attr.StructField, known bool, err error) {
	if t.d.raw() || p.Len() == 0 {
		return f, false, nil
	}
	nothing := func(name, format string, args ...any) error {
		return fmt.Errorf("%q: %s (position %d)", t.text, fmt.Sprintf(format, args...), t.names[name])
	}
	top, _ := p.Step(0)
	f, ok := t.d.fields[top]
	if !ok {
		return f, false, nothing(top, "%s has no attribute %s", t.d.typ, top)
	}
	so := expr.Name(top)
	for i := 1; i < p.Len(); i++ {
		name, index := p.Step(i)
		inner := f.Type
		if held, ok := f.Held(); ok {
			inner = held.Type
		}
		switch {
		case f.Kind == 0:
			return f, false, nil
		case name == "" && f.Kind == attr.KindL:
			if f, ok = f.Elem(); !ok {
				return f, false, nil
			}
			so = so.Index(index)
			continue
		case name == "":
			return f, false, nothing(top, "%s is a %s, which has no positions", so, kindWord(f.Kind))
		case f.Kind != attr.KindM:
			return f, false, nothing(name, "%s is a %s: there is no %s in it", so, kindWord(f.Kind), name)
		case inner.Kind() == reflect.Map:
			if f, ok = f.Elem(); !ok {
				return f, false, nil
			}
		default:
			fields, err := attr.Fields(inner)
			if err != nil {
				return f, false, nil // a type that says itself how it is stored
			}
			k := slices.IndexFunc(fields, func(f attr.StructField) bool { return f.Name == name })
			if k < 0 {
				return f, false, nothing(name, "%s is a %s, which has no attribute %s", so, inner, name)
			}
			f = fields[k]
		}
		so = so.Field(name)
	}
	return f, f.Kind != 0, nil
}

// fit is the value for the next ?, as the attribute beside it is written, whose type it must have: a time as the tag says,
// a slice as a set.
func (t *phrase) fit(use expr.Use) (attr.Value, error) {
	i := t.fitted
	t.fitted++
	f, known, err := t.at(use.Path)
	if err != nil {
		return use.Value, err
	}
	v, err := use.Value, error(nil)
	switch {
	case use.As == expr.AsSize && v.Kind() != attr.KindN:
		err = fmt.Errorf("a size is compared with a number, not with a %s", kindWord(v.Kind()))
	case use.As == expr.AsSize || use.As == expr.AsType || use.As == expr.AsItself || !known:
	case use.As == expr.AsElement && f.Kind >= attr.KindL && f.Kind != attr.KindM:
		if elem, ok := f.Elem(); ok {
			v, err = fitTo(elem, use, t.args[i], "holds")
		}
	case use.As == expr.AsElement && f.Kind != attr.KindS && f.Kind != attr.KindB:
		err = fmt.Errorf("%s is a %s: contains looks into texts, binaries, sets and lists", use.Path, kindWord(f.Kind))
	default:
		v, err = fitTo(f, use, t.args[i], "is")
	}
	if err == nil && v.IsZero() {
		err = errAbsentValue
	}
	if err != nil {
		return v, fmt.Errorf("%q: value %d (position %d): %w", t.text, i+1, t.marks[i], err)
	}
	return v, nil
}

var errAbsentValue = errors.New("it is stored as absent")

// fitTo is a value as a field writes it.
func fitTo(f attr.StructField, use expr.Use, arg any, verb string) (attr.Value, error) {
	v := use.Value
	given := reflect.ValueOf(arg)
	for given.Kind() == reflect.Pointer && !given.IsNil() && given.Type() != f.Type {
		given = given.Elem()
	}
	if w, ok, err := f.Written(given); err != nil {
		return v, err
	} else if ok {
		v = w
	}
	if k := v.Kind(); f.Kind != 0 && k != f.Kind && k != attr.KindNULL && !v.IsZero() {
		return v, fmt.Errorf("a %s, and %s %s a %s", kindWord(k), use.Path, verb, kindWord(f.Kind))
	}
	return v, nil
}

// kindWords are the types in words.
var kindWords = map[attr.Kind]string{
	attr.KindS: "text", attr.KindN: "number", attr.KindB: "binary", attr.KindBOOL: "boolean", attr.KindNULL: "NULL", attr.KindM: "map", attr.KindL: "list",
	attr.KindSS: "set of texts", attr.KindNS: "set of numbers", attr.KindBS: "set of binaries",
}

func kindWord(k attr.Kind) string { return kindWords[k] }

// words are the words of the language; what else is a name is an attribute, unless a parenthesis follows.
var words = map[string]bool{
	"AND": true, "OR": true, "NOT": true, "IN": true, "BETWEEN": true, "SET": true, "REMOVE": true, "ADD": true, "DELETE": true,
}

// prepare gives every name and value of a text a placeholder: names may be reserved words, and values never stand in
// expressions.
func prepare(d *decl, text string, args []any) (*phrase, error) {
	if d == undeclared {
		return nil, errUndeclared
	}
	t := &phrase{d: d, text: text, args: args, names: map[string]int{}}
	var out strings.Builder
	names := map[string]string{}
	values := map[string]attr.Value{}
	keys := map[string]string{}
	for i := 0; i < len(text); {
		c := text[i]
		if !isBlank(c) {
			t.tokens = append(t.tokens, [2]int{out.Len(), i})
		}
		switch {
		case c == '?':
			n := len(t.marks)
			if n == len(args) {
				return nil, fmt.Errorf("%q: more ? than values (%d)", text, len(args))
			}
			v, err := attr.Marshal(args[n])
			if err == nil && v.IsZero() {
				err = errAbsentValue
			}
			if err != nil {
				return nil, fmt.Errorf("%q: value %d (position %d): %w", text, n+1, i+1, err)
			}
			key := ":v" + strconv.Itoa(n)
			values[key] = v
			out.WriteString(key)
			t.marks = append(t.marks, i+1)
			i++
		case c == '#' || c == ':':
			return nil, fmt.Errorf("%q: %q at position %d: write names as they are, and ? for values", text, c, i+1)
		case nameByte(c) && (c < '0' || c > '9'):
			end := i
			for end < len(text) && nameByte(text[end]) {
				end++
			}
			name := text[i:end]
			if words[strings.ToUpper(name)] && !strings.HasPrefix(text[end:], ".") || strings.HasPrefix(strings.TrimLeft(text[end:], " \t\n"), "(") {
				out.WriteString(name)
			} else {
				key, known := keys[name]
				if !known {
					key = "#n" + strconv.Itoa(len(names))
					keys[name], names[key], t.names[name] = key, name, i+1
				}
				out.WriteString(key)
			}
			i = end
		default:
			out.WriteByte(c)
			i++
		}
	}
	if n := len(t.marks); n < len(args) {
		return nil, fmt.Errorf("%q: %d values for %d ?", text, len(args), n)
	}
	if len(names) == 0 {
		names = nil
	}
	if len(values) == 0 {
		values = nil
	}
	t.prepared, t.s = out.String(), expr.NewSubstitutions(names, values)
	return t, nil
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func nameByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c >= 0x80
}
