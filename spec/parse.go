package spec

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/tablewright/tablewright/attr"
)

// ParsePath reads names joined by dots. The error is an *Error.
func ParsePath(text string) (Path, error) {
	if text == "" || dotted(text) != len(text) {
		remedy := ""
		if name := strings.TrimLeft(text, "$-+"); name != text && dotted(name) == len(name) && name != "" {
			remedy = "write " + name
		} else if call, _, is := strings.Cut(text, "("); is && meantCall[strings.ToLower(call)] != "" {
			remedy = meantCall[strings.ToLower(call)]
		} else if strings.ContainsAny(text, "=<>") {
			remedy = "name what is tested alone; tests stand in `where` and `condition`"
		}
		return nil, errorf(badName(text), remedy, "`%s` is not a path: names joined by dots", text)
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
	remedy := ""
	if words(p.text) {
		remedy = `a text stands in quotes, and YAML takes one pair away: "'` + p.text + `'"`
	}
	return errorf(t.start, remedy, "%s is not expected here", t)
}

// words reports whether a text is made of several words: it was meant as a text.
func words(text string) bool {
	return strings.Contains(text, " ") && !strings.ContainsFunc(text, func(r rune) bool { return r != ' ' && !unicode.IsLetter(r) })
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

// function reads append(path, v), prepend(path, v) or if_missing(path, v), or larger($a, v) or smaller($a, v).
func (p *parser) function(t token, neg bool) (Expr, *Error) {
	switch {
	case !slices.Contains([]string{"append", "prepend", "if_missing", "larger", "smaller"}, t.text):
		return Expr{}, errorf(t.start, meantCall[strings.ToLower(t.text)], "`%s(…)` is not a value: only append, prepend, if_missing, larger and smaller are", t.text)
	case neg:
		return Expr{}, errorf(t.start, "", "only a number, a reference or a path can have a minus")
	}
	if err := p.deeper(t.start); err != nil {
		return Expr{}, err
	}
	defer p.shallower()
	p.accept("(")
	var first Expr
	var err *Error
	after := "after the path"
	if t.text == "larger" || t.text == "smaller" {
		after = "after the first value"
		if first, err = p.value(); err == nil && len(first.Path) > 0 {
			err = errorf(first.Pos, "", "%s compares values that are known before the write, and not what the item has", t.text)
		}
	} else {
		first, err = p.path("a path is expected first")
	}
	if err != nil {
		return Expr{}, err
	}
	if err := p.expect(",", after); err != nil {
		return Expr{}, err
	}
	v, err := p.value()
	if err != nil {
		return Expr{}, err
	}
	if err := p.expect(")", "here"); err != nil {
		return Expr{}, err
	}
	return Expr{Op: t.text, Args: []Expr{first, v}, Pos: t.start}, nil
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
