package spec

import (
	"slices"
	"strings"
	"time"

	"github.com/tablewright/tablewright/attr"
)

// ParsePath reads names joined by dots. The error is an *Error.
func ParsePath(text string) (Path, error) {
	if text == "" || dotted(text) != len(text) {
		return nil, errorf(badName(text), "", "`%s` is not a path: names joined by dots", text)
	}
	if isConstant(text) {
		return nil, errorf(0, "", "`%s` is a word of the language and cannot be a path", text)
	}
	return strings.Split(text, "."), nil
}

// badName is the offset of the first byte that cannot belong to names joined by dots.
func badName(text string) int {
	n := dotted(text)
	if n < len(text) && text[n] == '.' {
		n++
	}
	return n
}

func isConstant(word string) bool { return word == "true" || word == "false" || word == "now" }

// ParseReference reads $name.name. The error is an *Error.
func ParseReference(text string) (Reference, error) {
	if !strings.HasPrefix(text, "$") {
		return nil, errorf(0, "write $"+text, "`%s` is not a reference: it begins with $", text)
	}
	if n := dotted(text[1:]); n == 0 || n != len(text)-1 {
		return nil, errorf(1+badName(text[1:]), "", "`%s` is not a reference: $ and names joined by dots", text)
	}
	return strings.Split(text[1:], "."), nil
}

// ParseValue reads a value: a term or a sum of terms. A term is a number, a duration, 'text', true, false, now, a
// reference, a path, or append(path, v), prepend(path, v), if_missing(path, v), as `set` takes them. Names are not
// looked up: see [Scope.Value]. The error is an *Error.
func ParseValue(text string) (Expr, error) {
	p := &parser{text: text}
	v, err := p.value()
	if err == nil {
		err = p.end()
	}
	if err != nil {
		return Expr{}, err
	}
	return v, nil
}

// ParseCondition reads a condition: tests joined with `and`, `or`, `not` and parentheses. `and` binds more tightly than
// `or`, `not` more tightly than both. Names are not looked up: see [Scope.Condition]. The error is an *Error.
func ParseCondition(text string) (Condition, error) {
	p := &parser{text: text}
	c, err := p.or()
	if err == nil {
		err = p.end()
	}
	if err != nil {
		return nil, err
	}
	return c, nil
}

type parser struct {
	text  string
	at    int // offset of what is to be read next
	depth int
}

// maxDepth bounds nesting, so that no text can exhaust the stack.
const maxDepth = 200

func (p *parser) peek() (token, *Error) { return next(p.text, p.at) }

// accept reads the next token if it is the given operator or word.
func (p *parser) accept(text string) bool {
	t, err := p.peek()
	if err != nil || t.text != text || t.kind != tokOp && t.kind != tokName {
		return false
	}
	p.at = t.end
	return true
}

func (p *parser) expect(text, where string) *Error {
	if p.accept(text) {
		return nil
	}
	t, err := p.peek()
	if err != nil {
		return err
	}
	return errorf(t.start, "", "`%s` is expected %s, not %s", text, where, t)
}

func (p *parser) end() *Error {
	t, err := p.peek()
	switch {
	case err != nil:
		return err
	case t.kind == tokEnd:
		return nil
	case t.kind == tokName && isJoin(strings.ToLower(t.text)):
		return errorf(t.start, "write it in lower case", "`%s` is not known here", t.text)
	case t.kind == tokOp && t.text == "-":
		return errorf(t.start, "write ` - `", "a minus between two terms has a space on both sides")
	case p.at > 0 && p.text[p.at-1] == '-':
		return errorf(p.at-1, "write ` - `", "a minus between two terms has a space on both sides: here it belongs to the name")
	}
	return errorf(t.start, "", "%s is not expected here", t)
}

func isJoin(word string) bool {
	return slices.Contains([]string{"and", "or", "not", "between", "in"}, word)
}

// value = term { (" + " | " - ") term }
func (p *parser) value() (Expr, *Error) {
	sum, err := p.term()
	if err != nil {
		return Expr{}, err
	}
	for {
		t, err := p.peek()
		if err != nil || t.kind != tokOp || t.text != "+" && t.text != "-" {
			return sum, nil // an error is met again by whoever reads on
		}
		if t.text == "-" && (t.start == p.at || t.end == len(p.text) || !isBlank(p.text[t.end])) {
			return sum, errorf(t.start, "write ` - `", "a minus between two terms has a space on both sides")
		}
		p.at = t.end
		arg, err := p.term()
		if err != nil {
			return Expr{}, err
		}
		sum = Expr{Op: t.text, Args: []Expr{sum, arg}, Pos: sum.Pos}
	}
}

func (p *parser) term() (Expr, *Error) {
	t, err := p.peek()
	if err != nil {
		return Expr{}, err
	}
	neg := t.kind == tokOp && t.text == "-"
	pos := t.start
	if neg {
		p.at = t.end
		if t, err = p.peek(); err != nil {
			return Expr{}, err
		}
	}
	p.at = t.end
	v := Expr{Pos: pos}
	switch t.kind {
	case tokNumber:
		return p.number(t, neg, pos)
	case tokRef:
		v.Reference, v.Neg = strings.Split(t.text, "."), neg
		return v, nil
	case tokName:
		if op, err := p.peek(); err == nil && op.kind == tokOp && op.text == "(" {
			return p.function(t, neg)
		}
		if !isConstant(t.text) {
			v.Path, v.Neg = strings.Split(t.text, "."), neg
			return v, nil
		}
		switch t.text {
		case "true", "false":
			v.Literal = attr.Bool(t.text == "true")
		case "now":
			v.Now = true
		}
	case tokText:
		v.Literal = attr.Text(t.text)
	default:
		return Expr{}, errorf(t.start, "", "a value is expected, not %s", t)
	}
	if neg {
		return Expr{}, errorf(pos, "", "only a number, a reference or a path can have a minus")
	}
	return v, nil
}

// number reads a number that may be a duration: the unit follows at once or after blanks.
func (p *parser) number(t token, neg bool, pos int) (Expr, *Error) {
	v := Expr{Pos: pos}
	n, err := parseNumber(t.text, t.start)
	if err != nil {
		return v, err
	}
	unit, err := p.peek()
	if err == nil && unit.kind == tokName {
		if _, ok := units[unit.text]; ok {
			d, err := parseDuration(t.text + " " + unit.text)
			switch {
			case err != nil:
				return v, errorf(t.start, err.Remedy, "%s", err.Message)
			case d%time.Millisecond != 0:
				return v, errorf(t.start, "", "a timestamp has milliseconds, `%s` has fractions of one", p.text[t.start:unit.end])
			}
			n, v.Duration = attr.Int(d.Milliseconds()), true
			p.at = unit.end
		} else if unit.start == t.end {
			return v, errorf(unit.start, "", "`%s` is not a unit of time", unit.text)
		}
	}
	if err == nil && unit.kind == tokOp && unit.text == "%" {
		return v, errorf(unit.start, "", "a percentage is not expected here")
	}
	if neg {
		n = n.Neg()
	}
	v.Literal = attr.Num(n)
	return v, nil
}

// function reads append(path, v), prepend(path, v) or if_missing(path, v).
func (p *parser) function(t token, neg bool) (Expr, *Error) {
	switch {
	case !slices.Contains([]string{"append", "prepend", "if_missing"}, t.text):
		return Expr{}, errorf(t.start, "", "`%s(…)` is not a value: only append, prepend and if_missing are", t.text)
	case neg:
		return Expr{}, errorf(t.start, "", "only a number, a reference or a path can have a minus")
	}
	if err := p.deeper(t.start); err != nil {
		return Expr{}, err
	}
	defer p.shallower()
	p.accept("(")
	path, err := p.path("a path is expected first")
	if err != nil {
		return Expr{}, err
	}
	if err := p.expect(",", "after the path"); err != nil {
		return Expr{}, err
	}
	v, err := p.value()
	if err != nil {
		return Expr{}, err
	}
	if err := p.expect(")", "here"); err != nil {
		return Expr{}, err
	}
	return Expr{Op: t.text, Args: []Expr{path, v}, Pos: t.start}, nil
}

func (p *parser) deeper(at int) *Error {
	if p.depth++; p.depth > maxDepth {
		return errorf(at, "", "more than %d levels of nesting", maxDepth)
	}
	return nil
}

func (p *parser) shallower() { p.depth-- }

// path reads a path as a value.
func (p *parser) path(expected string) (Expr, *Error) {
	t, err := p.peek()
	switch {
	case err != nil:
		return Expr{}, err
	case t.kind == tokRef:
		return Expr{}, errorf(t.start, "write the attribute on the left, the parameter on the right", "%s, not %s", expected, t)
	case t.kind != tokName:
		return Expr{}, errorf(t.start, "", "%s, not %s", expected, t)
	case isConstant(t.text):
		return Expr{}, errorf(t.start, "", "%s: %s is a word of the language", expected, t)
	}
	p.at = t.end
	return Expr{Path: strings.Split(t.text, "."), Pos: t.start}, nil
}

func (p *parser) or() (Condition, *Error)  { return p.join("or", p.and) }
func (p *parser) and() (Condition, *Error) { return p.join("and", p.not) }

// join reads one or more conditions with a word between. `a and (b and c)` is the same tree as `a and b and c`.
func (p *parser) join(word string, operand func() (Condition, *Error)) (Condition, *Error) {
	var args []Condition
	for {
		c, err := operand()
		if err != nil {
			return nil, err
		}
		if l, ok := c.(*Logic); ok && l.Op == word {
			args = append(args, l.Args...)
		} else {
			args = append(args, c)
		}
		if !p.accept(word) {
			break
		}
	}
	if len(args) == 1 {
		return args[0], nil
	}
	return &Logic{Op: word, Args: args}, nil
}

func (p *parser) not() (Condition, *Error) {
	t, err := p.peek()
	if err != nil {
		return nil, err
	}
	if err := p.deeper(t.start); err != nil {
		return nil, err
	}
	defer p.shallower()
	if t.kind == tokName && t.text == "not" && !p.compares(t.end) {
		p.at = t.end
		c, err := p.not()
		if err != nil {
			return nil, err
		}
		return &Logic{Op: "not", Args: []Condition{c}}, nil
	}
	if p.accept("(") {
		c, err := p.or()
		if err != nil {
			return nil, err
		}
		return c, p.expect(")", "to close a parenthesis")
	}
	return p.test()
}

// compares reports whether a comparison follows at an offset, so that the word before it is an attribute's name.
func (p *parser) compares(at int) bool {
	t, err := next(p.text, at)
	return err == nil && (t.kind == tokOp && isComparison(t.text) || t.kind == tokName && (t.text == "between" || t.text == "in"))
}

func isComparison(op string) bool {
	return slices.Contains([]string{"=", "!=", "<", "<=", ">", ">="}, op)
}

func (p *parser) test() (Condition, *Error) {
	t, err := p.peek()
	if err != nil {
		return nil, err
	}
	if t.kind == tokName {
		after, err := next(p.text, t.end)
		if err != nil {
			return nil, err
		}
		if after.kind == tokOp && after.text == "(" {
			return p.call(t, after)
		}
		if (t.text == "present" || t.text == "absent") && !p.compares(t.end) {
			p.at = t.end
			return &Test{Op: t.text, Pos: t.start}, nil
		}
	}
	left, err := p.path("a test begins with a path")
	if err != nil {
		return nil, err
	}
	test := &Test{Path: left.Path, Pos: left.Pos}
	op, err := p.peek()
	if err != nil {
		return nil, err
	}
	p.at = op.end
	switch {
	case op.kind == tokOp && isComparison(op.text):
		test.Op = op.text
		return p.args(test, "")
	case op.kind == tokName && op.text == "between":
		test.Op = "between"
		return p.args(test, "and")
	case op.kind == tokName && op.text == "in":
		return p.in(test)
	case op.kind == tokName && op.text == "not":
		return nil, errorf(op.start, "put `not` before the test: not "+test.Path.String()+" …", "`not` is not expected here")
	}
	if op.text == "+" || op.text == "-" {
		return nil, arithmeticOn(test.Path, op.start)
	}
	return nil, errorf(op.start, "write = != < <= > >=, between … and …, or in (…)", "a comparison is expected after `%s`, not %s", test.Path, op)
}

// args reads one operand, or two with a word between.
func (p *parser) args(test *Test, and string) (Condition, *Error) {
	v, err := p.operand()
	if err != nil {
		return nil, err
	}
	test.Args = []Expr{v}
	if and != "" {
		if err := p.expect(and, "between the two ends"); err != nil {
			return nil, err
		}
		if v, err = p.operand(); err != nil {
			return nil, err
		}
		test.Args = append(test.Args, v)
	}
	return test, nil
}

// operand reads a value of a condition, in which no arithmetic touches a path: DynamoDB has none there.
func (p *parser) operand() (Expr, *Error) {
	v, err := p.value()
	if err != nil {
		return v, err
	}
	if v.Op != "" && v.Op != "+" && v.Op != "-" {
		return v, errorf(v.Pos, "", "%s is for `set`, not for a condition", v.Op)
	}
	if v.Op != "" || v.Neg {
		for t := range v.Terms() {
			if len(t.Path) > 0 {
				return v, arithmeticOn(t.Path, t.Pos)
			}
		}
	}
	return v, nil
}

func arithmeticOn(p Path, at int) *Error {
	return errorf(at, "compare the path itself: write `quantity >= -$delta`, not `quantity + $delta >= 0`",
		"arithmetic on the path `%s` in a condition", p)
}

func (p *parser) in(test *Test) (Condition, *Error) {
	if t, err := p.peek(); err == nil && t.kind == tokName && t.text == "before" {
		p.at = t.end
		test.Op = "before"
		if err := p.expect("(", "after `before`"); err != nil {
			return nil, err
		}
		if _, err := p.args(test, ""); err != nil {
			return nil, err
		}
		return test, p.expect(")", "here")
	}
	test.Op = "in"
	if err := p.expect("(", "after `in`"); err != nil {
		return nil, err
	}
	for {
		v, err := p.operand()
		if err != nil {
			return nil, err
		}
		test.Args = append(test.Args, v)
		if !p.accept(",") {
			return test, p.expect(")", "here")
		}
	}
}

// call reads exists(path), absent(path), begins_with(path, v), contains(path, v) or size(path) >= v.
func (p *parser) call(name, open token) (Condition, *Error) {
	if !slices.Contains([]string{"exists", "absent", "begins_with", "contains", "size"}, name.text) {
		return nil, errorf(name.start, "write exists(path), absent(path), begins_with(path, v), contains(path, v) or size(path) >= v",
			"`%s(…)` is not known", name.text)
	}
	p.at = open.end
	path, err := p.path("a path is expected")
	if err != nil {
		return nil, err
	}
	test := &Test{Path: path.Path, Op: name.text, Pos: name.start}
	if name.text == "begins_with" || name.text == "contains" {
		if err := p.expect(",", "after the path"); err != nil {
			return nil, err
		}
		if _, err := p.args(test, ""); err != nil {
			return nil, err
		}
	}
	if err := p.expect(")", "here"); err != nil {
		return nil, err
	}
	if name.text != "size" {
		return test, nil
	}
	op, err := p.peek()
	if err != nil {
		return nil, err
	}
	if op.kind != tokOp || !isComparison(op.text) {
		return nil, errorf(op.start, "", "a comparison is expected after `size(%s)`, not %s", test.Path, op)
	}
	p.at = op.end
	test.SizeOp = op.text
	return p.args(test, "")
}
