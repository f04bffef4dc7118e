package expr

import (
	"strconv"

	"github.com/tablewright/tablewright/attr"
)

// Printer writes the expressions of one request, giving names and values placeholders: #0, #1, … one per name, :0, :1, …
// one per occurrence of a value. The zero Printer is ready to use. Its Append methods check what they write as the service
// would, append it to dst and return that; with an error (an *Error, with the service's message) they return dst as it was,
// and the Printer is only good for Reset.
type Printer struct {
	names  []string
	values []attr.Value
	plain  bool // for String: names written out, values counted only
	count  int
}

// Names are the names behind #0, #1, …. They are good until Reset.
func (p *Printer) Names() []string { return p.names }

// Values are the values behind :0, :1, …. They are good until Reset.
func (p *Printer) Values() []attr.Value { return p.values }

// Substitutions are the request's names and values; a map is nil if it would be empty.
func (p *Printer) Substitutions() *Substitutions {
	s := new(Substitutions)
	if len(p.names) > 0 {
		s.names = make(map[string]string, len(p.names))
		for i, n := range p.names {
			s.names["#"+strconv.Itoa(i)] = n
		}
	}
	if len(p.values) > 0 {
		s.values = make(map[string]attr.Value, len(p.values))
		for i, v := range p.values {
			s.values[":"+strconv.Itoa(i)] = v
		}
	}
	return s
}

// Reset forgets all names and values and keeps the memory.
func (p *Printer) Reset() {
	clear(p.names)
	clear(p.values)
	p.names, p.values, p.count = p.names[:0], p.values[:0], 0
}

// AppendCondition appends the text of a condition to dst. A nil condition appends nothing: the request must leave the
// parameter out.
func (p *Printer) AppendCondition(dst []byte, c *Condition) ([]byte, error) {
	return p.condition(dst, ConditionExpression, c)
}

// AppendFilter appends the text of a filter to dst. It differs from AppendCondition in the word that errors use.
func (p *Printer) AppendFilter(dst []byte, c *Condition) ([]byte, error) {
	return p.condition(dst, FilterExpression, c)
}

func (p *Printer) condition(dst []byte, kind Kind, c *Condition) ([]byte, error) {
	if c == nil {
		return dst, nil
	}
	if err := c.root.verify(kind).nowhere(); err != nil {
		return dst, err
	}
	return finish(kind, dst, p.node(dst, &c.root))
}

// AppendUpdate appends the text of an update to dst. A nil update appends nothing.
func (p *Printer) AppendUpdate(dst []byte, u *Update) ([]byte, error) {
	if u == nil {
		return dst, nil
	}
	if u.err != nil {
		return dst, u.err
	}
	return finish(UpdateExpression, dst, p.update(dst, u))
}

// AppendProjection appends the text of a projection to dst. A nil projection appends nothing.
func (p *Printer) AppendProjection(dst []byte, r *Projection) ([]byte, error) {
	if r == nil {
		return dst, nil
	}
	if len(r.paths) == 0 {
		return dst, RuleEmpty.fail(ProjectionExpression)
	}
	if err := verifyPaths(ProjectionExpression, r.paths); err != nil {
		return dst, err
	}
	return finish(ProjectionExpression, dst, p.projection(dst, r))
}

// AppendKey appends the text of a key condition to dst.
func (p *Printer) AppendKey(dst []byte, k *KeyExpression) ([]byte, error) {
	n, err := k.node()
	if err != nil {
		return dst, err
	}
	return finish(KeyConditionExpression, dst, p.node(dst, n))
}

// finish checks the size of what was appended.
func finish(kind Kind, before, after []byte) ([]byte, error) {
	if n := len(after) - len(before); n > maxText {
		return before, tooLong(kind, n)
	}
	return after, nil
}

// node is the condition that the terms make; an error if they make none that can be sent.
func (k *KeyExpression) node() (*node, error) {
	const kind = KeyConditionExpression
	kids := make([]node, len(k.terms))
	for i, t := range k.terms {
		if t.Op == 0 || int(t.Op) >= len(keyOps) {
			return nil, RuleKeyUnsupported.fail(kind)
		}
		args := []operand{Name(t.Attribute).operand(), {kind: oValue, value: t.Low}}
		if t.Op == KeyBetween {
			args = append(args, operand{kind: oValue, value: t.High})
		}
		kids[i] = node{op: keyOps[t.Op], args: args}
		if err := kids[i].verify(kind); err != nil {
			return nil, err
		}
		if find(k.terms[:i], t.Attribute) != nil {
			return nil, RuleKeyTwice.fail(kind)
		}
	}
	switch len(kids) {
	case 0:
		return nil, RuleEmpty.fail(kind)
	case 1:
		return &kids[0], nil
	}
	return &node{op: opAnd, kids: kids}, nil
}

// node appends a condition. Parentheses stand only where they are needed.
func (p *Printer) node(dst []byte, n *node) []byte {
	switch n.op {
	case opAnd, opOr:
		for i := range n.kids {
			if i > 0 {
				dst = append(dst, ' ')
				dst = append(dst, n.op.String()...)
				dst = append(dst, ' ')
			}
			dst = p.kid(dst, n.op, &n.kids[i])
		}
		return dst
	case opNot:
		return p.kid(append(dst, "NOT "...), opNot, &n.kids[0])
	case opBetween:
		dst = append(p.operand(dst, &n.args[0]), " BETWEEN "...)
		dst = append(p.operand(dst, &n.args[1]), " AND "...)
		return p.operand(dst, &n.args[2])
	case opIn:
		return p.list(append(p.operand(dst, &n.args[0]), " IN ("...), n.args[1:])
	case opExists, opNotExists, opType, opBeginsWith, opContains:
		return p.list(append(append(dst, n.op.String()...), '('), n.args)
	}
	dst = append(p.operand(dst, &n.args[0]), ' ')
	dst = append(append(dst, n.op.String()...), ' ')
	return p.operand(dst, &n.args[1])
}

// kid appends a condition that is part of another.
func (p *Printer) kid(dst []byte, parent op, n *node) []byte {
	// NOT binds closer than AND, AND closer than OR; an AND in an AND keeps its parentheses, so that it is read as it was.
	joined := n.op == opAnd || n.op == opOr
	if !joined || parent == opOr && n.op == opAnd {
		return p.node(dst, n)
	}
	return append(p.node(append(dst, '('), n), ')')
}

// list appends operands and the parenthesis behind them.
func (p *Printer) list(dst []byte, args []operand) []byte {
	for i := range args {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = p.operand(dst, &args[i])
	}
	return append(dst, ')')
}

func (p *Printer) operand(dst []byte, o *operand) []byte {
	switch o.kind {
	case oPath:
		return p.path(dst, o.path)
	case oValue:
		dst = strconv.AppendInt(append(dst, ':'), int64(p.count), 10)
		p.count++
		if !p.plain {
			p.values = append(p.values, o.value)
		}
		return dst
	case oPlus, oMinus:
		dst = append(p.operand(dst, &o.args[0]), ' ')
		dst = append(append(dst, o.kind.String()...), ' ')
		return p.operand(dst, &o.args[1])
	}
	return p.list(append(append(dst, o.kind.String()...), '('), o.args)
}

func (p *Printer) path(dst []byte, path Path) []byte {
	for i, s := range path.steps {
		if !s.isField() {
			dst = strconv.AppendInt(append(dst, '['), int64(s.index), 10)
			dst = append(dst, ']')
			continue
		}
		if i > 0 {
			dst = append(dst, '.')
		}
		dst = p.name(dst, s.name)
	}
	return dst
}

// name appends the placeholder of a name.
func (p *Printer) name(dst []byte, name string) []byte {
	if p.plain {
		if isPlainName(name) {
			return append(dst, name...)
		}
		return strconv.AppendQuote(append(dst, '#'), name)
	}
	at := len(p.names)
	for i, n := range p.names {
		if n == name {
			at = i
			break
		}
	}
	if at == len(p.names) {
		p.names = append(p.names, name)
	}
	return strconv.AppendInt(append(dst, '#'), int64(at), 10)
}

// isPlainName reports whether an expression can have the name without a placeholder.
func isPlainName(name string) bool {
	if name == "" || !isLetter(name[0]) {
		return false
	}
	for i := range len(name) {
		if !isWord(name[i]) {
			return false
		}
	}
	return wordKind(name) == tName && !IsReserved(name)
}

func (p *Printer) projection(dst []byte, r *Projection) []byte {
	for i, path := range r.paths {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = p.path(dst, path)
	}
	return dst
}

func (p *Printer) update(dst []byte, u *Update) []byte {
	for i := range u.actions {
		a := &u.actions[i]
		switch {
		case i > 0 && a.Section == u.actions[i-1].Section:
			dst = append(dst, ", "...)
		default:
			if i > 0 {
				dst = append(dst, ' ')
			}
			dst = append(append(dst, a.Section.String()...), ' ')
		}
		dst = p.path(dst, a.Path)
		switch a.Section {
		case SET:
			dst = p.operand(append(dst, " = "...), &a.right)
		case ADD, DELETE:
			dst = p.operand(append(dst, ' '), &a.right)
		}
	}
	return dst
}

// String is the condition with names written out, those that need a placeholder as #"name", and values as :0, :1, …, so
// that it can be logged without showing values. Use a Printer for a text to send.
func (c *Condition) String() string {
	if c == nil {
		return ""
	}
	return string((&Printer{plain: true}).node(nil, &c.root))
}

// String is the update, written as Condition.String does.
func (u *Update) String() string {
	if u == nil {
		return ""
	}
	return string((&Printer{plain: true}).update(nil, u))
}

// String is the projection, written as Condition.String does.
func (p *Projection) String() string {
	if p == nil {
		return ""
	}
	return string((&Printer{plain: true}).projection(nil, p))
}

// String is the key condition, written as Condition.String does; "" if it is none that can be sent.
func (k *KeyExpression) String() string {
	n, err := k.node()
	if err != nil {
		return ""
	}
	return string((&Printer{plain: true}).node(nil, n))
}
