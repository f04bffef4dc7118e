package spec

import (
	"strings"
	"time"

	"github.com/tablewright/tablewright/attr"
)

// String is the path as it is written: order.customerId.
func (p Path) String() string { return strings.Join(p, ".") }

// String is the reference as it is written: $order.customerId.
func (r Reference) String() string { return "$" + strings.Join(r, ".") }

// String is the value as it is written, so that [ParseValue] reads the same value. The language has no parentheses in
// sums: a - (b + c), which only Go code can make, is written a - b - c.
func (v Expr) String() string {
	var b strings.Builder
	v.print(&b)
	return b.String()
}

func (v Expr) print(b *strings.Builder) {
	switch v.Op {
	case "":
		v.printTerm(b)
	case "+", "-":
		v.printSum(b, "", "")
	default:
		b.WriteString(v.Op)
		b.WriteByte('(')
		for i, a := range v.Args {
			if i > 0 {
				b.WriteString(", ")
			}
			a.print(b)
		}
		b.WriteByte(')')
	}
}

// printSum writes the terms of a sum. plus and minus are the operators before a term that is added and one that is
// taken away; both are empty before the very first.
func (v Expr) printSum(b *strings.Builder, plus, minus string) {
	if v.Op != "+" && v.Op != "-" {
		b.WriteString(plus)
		v.print(b)
		return
	}
	v.Args[0].printSum(b, plus, minus)
	if minus == "" || plus == " + " {
		plus, minus = " + ", " - "
	} else {
		plus, minus = " - ", " + "
	}
	if v.Op == "-" {
		plus, minus = minus, plus
	}
	v.Args[1].printSum(b, plus, minus)
}

func (v Expr) printTerm(b *strings.Builder) {
	if v.Neg {
		b.WriteByte('-')
	}
	switch {
	case v.Now:
		b.WriteString("now")
	case len(v.Reference) > 0:
		b.WriteString(v.Reference.String())
	case len(v.Path) > 0:
		b.WriteString(v.Path.String())
	case v.Duration:
		ms, _ := v.Literal.Number().Int64()
		if ms < 0 {
			b.WriteByte('-')
			ms = -ms
		}
		b.WriteString(FormatDuration(time.Duration(ms) * time.Millisecond))
	case v.Literal.Kind() == attr.KindBOOL:
		if v.Literal.Bool() {
			b.WriteString("true")
		} else {
			b.WriteString("false")
		}
	case v.Literal.Kind() == attr.KindN:
		b.WriteString(v.Literal.Number().String())
	default:
		b.WriteString(quote(v.Literal.Str()))
	}
}

// String is the test as it is written.
func (t *Test) String() string {
	var b strings.Builder
	args := func(between string) {
		for i, a := range t.Args {
			if i > 0 {
				b.WriteString(between)
			}
			a.print(&b)
		}
	}
	path := t.Path.String()
	switch t.Op {
	case "present", "absent", "exists":
		b.WriteString(t.Op)
		if len(t.Path) > 0 {
			b.WriteString("(" + path + ")")
		}
	case "between":
		b.WriteString(path + " between ")
		args(" and ")
	case "in":
		b.WriteString(path + " in (")
		args(", ")
		b.WriteByte(')')
	case "before":
		b.WriteString(path + " in before(")
		args(", ")
		b.WriteByte(')')
	case "begins_with", "contains":
		b.WriteString(t.Op + "(" + path + ", ")
		args(", ")
		b.WriteByte(')')
	case "size":
		b.WriteString("size(" + path + ") " + t.SizeOp + " ")
		args(", ")
	default:
		b.WriteString(path + " " + t.Op + " ")
		args(", ")
	}
	return b.String()
}

// String is the condition as it is written, with parentheses where they are needed.
func (l *Logic) String() string {
	if l.Op == "not" {
		return "not " + inside(l.Args[0], "not")
	}
	var b strings.Builder
	for i, a := range l.Args {
		if i > 0 {
			b.WriteString(" " + l.Op + " ")
		}
		b.WriteString(inside(a, l.Op))
	}
	return b.String()
}

// AllOf is the condition that all of some hold, written so that it reads back to them: what joins with `or` gets
// parentheses where others stand beside it. The texts are conditions as they are written.
func AllOf(texts []string) string {
	out := make([]string, len(texts))
	for i, text := range texts {
		out[i] = text
		if c, err := ParseCondition(text); err == nil && len(texts) > 1 {
			out[i] = inside(c, "and")
		}
	}
	return strings.Join(out, " and ")
}

// inside writes an operand of `and`, `or` or `not`.
func inside(c Condition, op string) string {
	if l, ok := c.(*Logic); ok && l.Op != "not" && !(op == "or" && l.Op == "and") && l.Op != op {
		return "(" + c.String() + ")"
	}
	return c.String()
}
