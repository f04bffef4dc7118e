package expr

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tablewright/tablewright/attr"
)

// Outline is what a statement says whatever the values of its ? are: equal texts have equal ones. It is meant for watching statements;
// some that have one are refused when they are carried out. It is immutable and safe for concurrent use.
type Outline struct {
	Verb  Verb
	Table string // name or ARN
	Index string // "" for the table itself

	Columns   []string       // SELECT and EXISTS: the top-level attributes that are selected; nil for *
	Terms     []OutlineTerm  // of WHERE: what AND joins
	Fields    []OutlineField // INSERT: the attributes of the item. UPDATE: what is changed
	Returning Returning

	Parameters int // how many ? there are

	where *sqlNode
}

// OutlineTerm is a part of a condition.
type OutlineTerm struct {
	Attribute string   // the top-level attribute that is compared with values; "" where it is none, or not one alone
	Op        KeyOp    // how it is; 0 of what no key condition can have
	Equal     bool     // with = or IN
	Value     Given    // that it is compared with by =
	Names     []string // all top-level attributes that it names, in the order of the text
}

// OutlineField is an attribute that is written.
type OutlineField struct {
	Attribute string
	Path      bool     // only a part of it
	Value     Given    // what it becomes
	Computed  bool     // UPDATE: of what is stored, by set_add or set_delete
	Names     []string // UPDATE: the top-level attributes that its value names
}

// Given is a value that stands in a statement or comes with it; the zero Given is none.
type Given struct {
	Parameter int        // of which ? it is, from 1; 0 of none
	Literal   attr.Value // that stands in the text
}

// IsZero reports whether there is no value.
func (g Given) IsZero() bool { return g.Parameter == 0 && g.Literal.IsZero() }

// ParseOutline reads a statement without its parameters. Errors are *Error of the Kind PartiQL.
func ParseOutline(text string) (*Outline, error) {
	if utf8.RuneCountInString(text) > maxStatement {
		return nil, RuleStatementSize.fail(PartiQL, maxStatement)
	}
	l := sqlLexer{text: text}
	p := &sqlParser{tokens: l.tokens()}
	y := p.statement()
	if p.err != nil {
		return nil, p.err
	}
	var t translator
	var s Statement
	if err := t.unsupported(y); err != nil {
		return nil, err
	}
	if err := t.target(y, &s); err != nil {
		return nil, err
	}
	o := &Outline{Verb: y.kind, Table: s.Table, Index: s.Index, Returning: y.returning, Parameters: p.parameters, where: y.where}
	for _, n := range y.columns {
		o.Columns = n.names(o.Columns)
	}
	o.terms(y.where)
	switch y.kind {
	case VerbInsert:
		if y.value.kind != yStruct {
			_, err := t.item(y.value)
			return nil, err
		}
		for i := 0; i+1 < len(y.value.kids); i += 2 {
			name, err := tupleName(y.value.kids[i])
			if err != nil {
				return nil, err
			}
			o.Fields = append(o.Fields, OutlineField{Attribute: name, Value: given(y.value.kids[i+1])})
		}
	case VerbUpdate:
		for _, a := range y.assignments {
			o.Fields = append(o.Fields, outlined(a))
		}
	}
	return o, nil
}

// Leads reports whether the condition fixes all of these attributes of a partition key by = or IN, so that the statement is a query and no
// scan: as Condition.Boxes decides it.
func (o *Outline) Leads(partition []string) bool {
	return len(partition) > 0 && !slices.ContainsFunc(partition, func(name string) bool { return !o.where.fixes(name) })
}

// fixes reports whether a condition can hold only for some values of an attribute.
func (n *sqlNode) fixes(name string) bool {
	if n == nil {
		return false
	}
	switch n.kind {
	case yAnd:
		return n.kids[0].fixes(name) || n.kids[1].fixes(name)
	case yOr:
		return n.kids[0].fixes(name) && n.kids[1].fixes(name)
	}
	t := termOf(n)
	return t.Equal && t.Attribute == name
}

// terms collects what AND joins.
func (o *Outline) terms(n *sqlNode) {
	switch {
	case n == nil:
	case n.kind == yAnd:
		o.terms(n.kids[0])
		o.terms(n.kids[1])
	default:
		o.Terms = append(o.Terms, termOf(n))
	}
}

func termOf(n *sqlNode) OutlineTerm {
	t := OutlineTerm{Names: n.names(nil)}
	compared := func(op KeyOp, of *sqlNode, values ...*sqlNode) bool {
		if of.kind != yName || slices.ContainsFunc(values, func(v *sqlNode) bool { return given(v).IsZero() }) {
			return false
		}
		t.Attribute, t.Op = of.tok.text, op
		return true
	}
	switch n.kind {
	case yBinary:
		op := KeyOp(max(0, slices.Index(keyOps[:], comparisons[n.tok.text])))
		left, right := n.kids[0], n.kids[1]
		if !compared(op, left, right) && compared(mirrored[op], right, left) {
			right = left
		}
		if t.Equal = t.Attribute != "" && op == KeyEqual; t.Equal {
			t.Value = given(right)
		}
	case yBetween:
		compared(KeyBetween, n.kids[0], n.kids[1:]...)
	case yIn:
		t.Equal = compared(0, n.kids[0], n.kids[1].kids...)
	case yCall:
		if strings.EqualFold(n.tok.text, "begins_with") && len(n.kids) == 2 {
			compared(KeyBeginsWith, n.kids[0], n.kids[1])
		}
	}
	return t
}

// outlined is what an assignment changes.
func outlined(a sqlAssignment) OutlineField {
	f := OutlineField{Path: a.path.kind == yPath, Attribute: a.path.tok.text}
	if a.value == nil {
		return f
	}
	f.Value, f.Names = given(a.value), a.value.names(nil)
	f.Computed = a.value.kind == yCall && (strings.EqualFold(a.value.tok.text, "set_add") || strings.EqualFold(a.value.tok.text, "set_delete"))
	return f
}

// given is the value that a node is, if it is one.
func given(n *sqlNode) Given {
	switch n.kind {
	case yParameter:
		i, _ := strconv.Atoi(n.tok.text)
		return Given{Parameter: i + 1}
	case yLiteral, yList, yBag, yStruct:
		if v, err := new(translator).value(n, "root", true); err == nil {
			return Given{Literal: v}
		}
	}
	return Given{}
}

// names appends the top-level attributes that are named in a node, in the order of the text.
func (n *sqlNode) names(to []string) []string {
	switch n.kind {
	case yName:
		return append(to, n.tok.text)
	case yPath:
		return n.kids[0].names(to)
	case yStruct: // names of literals' members are none
		return to
	}
	for _, k := range n.kids {
		to = k.names(to)
	}
	return to
}
