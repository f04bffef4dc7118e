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
	if d == undeclared {
		return nil, errUndeclared
	}
	prepared, s, err := prepare(text, args)
	if err != nil {
		return nil, err
	}
	c, err := expr.ParseCondition(prepared, s)
	if err != nil {
		return nil, inText(text, err)
	}
	return c, checkPaths(d, text, c.Paths())
}

// parseClause reads an update with ? for its values.
func parseClause(d *decl, text string, args []any) (*expr.Update, error) {
	if d == undeclared {
		return nil, errUndeclared
	}
	prepared, s, err := prepare(text, args)
	if err != nil {
		return nil, err
	}
	u, err := expr.ParseUpdate(prepared, s)
	if err != nil {
		return nil, inText(text, err)
	}
	return u, checkPaths(d, text, u.Touched())
}

func inText(text string, err error) error { return fmt.Errorf("%q: %w", text, err) }

// checkPaths refuses attributes that the type does not have, with their position.
func checkPaths(d *decl, text string, paths []expr.Path) error {
	for _, p := range paths {
		if d.raw() {
			break
		}
		if _, ok := d.fields[p.Attribute()]; !ok {
			return fmt.Errorf("%q: %s has no attribute %s (position %d)", text, d.typ, p.Attribute(), strings.Index(text, p.Attribute())+1)
		}
	}
	return nil
}

// words are the words of the language; what else is a name is an attribute, unless a parenthesis follows.
var words = map[string]bool{
	"AND": true, "OR": true, "NOT": true, "IN": true, "BETWEEN": true, "SET": true, "REMOVE": true, "ADD": true, "DELETE": true,
}

// prepare gives every name and value of a text a placeholder: names may be reserved words, and values never stand in
// expressions.
func prepare(text string, args []any) (string, *expr.Substitutions, error) {
	var out strings.Builder
	names := map[string]string{}
	values := map[string]attr.Value{}
	n := 0
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c == '?':
			if n == len(args) {
				return "", nil, fmt.Errorf("%q: more ? than values (%d)", text, len(args))
			}
			v, err := attr.Marshal(args[n])
			if err == nil && v.IsZero() {
				err = fmt.Errorf("it is stored as absent")
			}
			if err != nil {
				return "", nil, fmt.Errorf("%q: value %d: %w", text, n+1, err)
			}
			key := ":v" + strconv.Itoa(n)
			values[key] = v
			out.WriteString(key)
			n++
			i++
		case c == '#' || c == ':':
			return "", nil, fmt.Errorf("%q: %q at position %d: write names as they are, and ? for values", text, c, i+1)
		case nameByte(c) && (c < '0' || c > '9'):
			end := i
			for end < len(text) && nameByte(text[end]) {
				end++
			}
			name := text[i:end]
			if words[strings.ToUpper(name)] && !strings.HasPrefix(text[end:], ".") || strings.HasPrefix(strings.TrimLeft(text[end:], " \t\n"), "(") {
				out.WriteString(name)
			} else {
				key := "#n" + strconv.Itoa(len(names))
				for k, known := range names {
					if known == name {
						key = k
					}
				}
				names[key] = name
				out.WriteString(key)
			}
			i = end
		default:
			out.WriteByte(c)
			i++
		}
	}
	if n < len(args) {
		return "", nil, fmt.Errorf("%q: %d values for %d ?", text, len(args), n)
	}
	if len(names) == 0 {
		names = nil
	}
	if len(values) == 0 {
		values = nil
	}
	return out.String(), expr.NewSubstitutions(names, values), nil
}

func nameByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c >= 0x80
}
