package tablewright

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/expr"
)

// where is a condition of View.Where.
func where(d *decl, text string, args []any) *test {
	t, c, err := parseWhere(d, text, args)
	return &test{op: opText, text: c, phrase: t, err: err}
}

// clause is a change of Entity.Clause.
func clause(d *decl, text string, args []any) *edit {
	u, err := parseClause(d, text, args)
	return &edit{do: doText, text: u, err: err}
}

// parseWhere reads a condition with ? for its values.
func parseWhere(d *decl, text string, args []any) (*phrase, *expr.Condition, error) {
	t, err := prepare(d, text, args)
	if err != nil {
		return nil, nil, err
	}
	c, err := expr.ParseConditionFor(t.prepared, t.s, t.fit)
	if err != nil {
		return nil, nil, t.mistake(err)
	}
	return t, c, t.check(c.Places())
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
	for _, a := range u.Actions() {
		if err := d.changes(a.Path.Attribute()); err != nil {
			return nil, t.here(a.At, err)
		}
	}
	return u, t.check(u.Places())
}

// phrase is a condition or update as text.
type phrase struct {
	d        *decl
	text     string
	args     []any
	prepared string // with a placeholder for each name and value
	s        *expr.Substitutions
	tokens   [][2]int // where something begins in prepared, and in text
	marks    []int    // where each ? stands in text, from 1
	fitted   int      // values that fit was asked for
}

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
	t := &phrase{d: d, text: text, args: args}
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
				return nil, fmt.Errorf("%s: the ? at position %d has no value: %d are given", t.quote(i), i+1, n)
			}
			v, err := attr.Marshal(args[n])
			if err == nil && v.IsZero() {
				err = errAbsentValue
			}
			if err != nil {
				return nil, fmt.Errorf("%s: value %d (position %d): %w", t.quote(i), n+1, i+1, err)
			}
			key := ":v" + strconv.Itoa(n)
			values[key] = v
			out.WriteString(key)
			t.marks = append(t.marks, i+1)
			i++
		case c == '#' || c == ':':
			return nil, fmt.Errorf("%s: %q at position %d: write names as they are, and ? for values", t.quote(i), c, i+1)
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
					keys[name], names[key] = key, name
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
		return nil, fmt.Errorf("%s: %d values for %d ?", t.quote(0), len(args), n)
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
