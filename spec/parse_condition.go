package spec

import (
	"cmp"
	"slices"
	"strings"
)

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
	return nil, errorf(op.start, cmp.Or(meantTest(test.Path, op.text), "write = != < <= > >=, between … and …, or in (…)"), "a comparison is expected after `%s`, not %s", test.Path, op)
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
				return v, errorf(t.Pos, "keep the result as an attribute of its own, set wherever what it is made of is set, and compare with that",
					"arithmetic on the path `%s` in a condition, where DynamoDB has none", t.Path)
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
		return nil, errorf(name.start, cmp.Or(meantCall[strings.ToLower(name.text)], "write exists(path), absent(path), begins_with(path, v), contains(path, v) or size(path) >= v"),
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
