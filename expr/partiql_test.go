package expr_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/expr"
)

var statementParameters = []attr.Value{attr.Text("p"), attr.Num(attr.Int(7)), attr.TextSet("a")}

// statement answers a case of a statement.
func (c testCase) statement() (string, error) {
	s, err := expr.ParseStatement(c.text, statementParameters)
	if err != nil {
		return "", err
	}
	if c.command == "reach" {
		return reach(s.Where, keySchemas[c.arg]), nil
	}
	return show(s), nil
}

// show writes a statement with its values.
func show(s *expr.Statement) string {
	out := []string{s.Verb.String(), s.Table}
	if s.Index != "" {
		out = append(out, "index "+s.Index)
	}
	for _, c := range s.Columns {
		out = append(out, c.Path.String()+" as "+c.Name)
	}
	var p expr.Printer
	if s.Update != nil {
		text, err := p.AppendUpdate(nil, s.Update)
		out = append(out, printed(text, err))
	}
	if s.Item.Len() > 0 {
		out = append(out, string(attr.AppendItem(nil, s.Item)))
	}
	if s.Where != nil {
		text, err := p.AppendFilter(nil, s.Where)
		out = append(out, "where "+printed(text, err))
	}
	for _, o := range s.Order {
		out = append(out, fmt.Sprintf("by %s %v", o.Attribute, o.Descending))
	}
	if s.Returning != 0 {
		out = append(out, s.Returning.String())
	}
	if len(p.Names())+len(p.Values()) > 0 {
		out = append(out, fmt.Sprintf("| %q %v", p.Names(), p.Values()))
	}
	return strings.Join(out, " ")
}

// printed is a printed expression, or why an expression of its own kind could not say it.
func printed(text []byte, err error) string {
	if err != nil {
		return "(" + err.Error() + ")"
	}
	return string(text)
}

// reach writes the boxes of a condition.
func reach(c *expr.Condition, key expr.KeySchema) string {
	boxes, ok := c.Boxes(key)
	if !ok {
		return "all"
	}
	var out []string
	for _, b := range boxes {
		var terms []string
		for _, v := range b.Hash {
			terms = append(terms, string(attr.AppendValue(nil, v)))
		}
		for _, t := range b.Range {
			text := t.Attribute + " " + t.Op.String() + " " + string(attr.AppendValue(nil, t.Low))
			if !t.High.IsZero() {
				text += " AND " + string(attr.AppendValue(nil, t.High))
			}
			terms = append(terms, text)
		}
		out = append(out, "["+strings.Join(terms, ", ")+"]")
	}
	return strings.Join(out, " ") + fmt.Sprintf(" %d", len(boxes))
}

// FuzzStatement: the parser does not panic, every refusal is an *Error, and what is accepted can be evaluated and planned.
func FuzzStatement(f *testing.F) {
	seed(f, "statement")
	seed(f, "reach")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := expr.ParseStatement(text, statementParameters)
		if err != nil {
			refused(t, err)
			return
		}
		if s.Verb == 0 || s.Table == "" {
			t.Fatalf("%+v", s)
		}
		holds := s.Where.Eval(fuzzItem)
		s.Select(fuzzItem)
		for _, k := range keySchemas {
			if boxes, ok := s.Where.Boxes(k); ok && holds && len(boxes) == 0 {
				t.Fatalf("%q holds for the item and leads nowhere", text)
			}
			s.Where.KeyTerms()
			key, rest, err := s.Where.Key([]string{k.Hash[0].Name})
			if err != nil {
				refused(t, err)
			} else if holds && (!attr.Equal(key.Get(k.Hash[0].Name), fuzzItem.Get(k.Hash[0].Name)) || !rest.Eval(fuzzItem)) {
				t.Fatalf("%q holds for the item, but neither %v nor the rest", text, key)
			}
		}
		if s.Update != nil {
			if _, _, err := s.Update.Apply(fuzzItem); err != nil {
				refused(t, err)
			}
		}
	})
}
