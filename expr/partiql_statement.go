package expr

import (
	"slices"
	"strings"

	"github.com/tablewright/tablewright/attr"
)

// translator makes a Statement of its syntax. Of several mistakes the first that it comes to is told.
type translator struct {
	parameters []attr.Value
}

func (t *translator) statement(y *sqlStatement, s *Statement) *Error {
	s.Verb = y.kind
	if err := t.unsupported(y); err != nil {
		return err
	}
	if err := t.target(y, s); err != nil {
		return err
	}
	var err *Error
	switch y.kind {
	case VerbSelect, VerbExists:
		if s.Columns, err = t.columns(y.columns); err != nil {
			return err
		}
	case VerbInsert:
		s.Item, err = t.item(y.value)
		return err
	case VerbUpdate:
		if s.Update, err = t.update(y.assignments); err != nil {
			return err
		}
	case VerbDelete:
		if y.returning > ReturningAllOld {
			return RuleStatementReturningDelete.fail(PartiQL, y.returning)
		}
	}
	if s.Where, err = t.where(y.where); err != nil {
		return err
	}
	s.Order, err = t.order(y)
	s.Returning = y.returning
	return err
}

// unsupported refuses what the grammar allows and DynamoDB does not.
func (t *translator) unsupported(y *sqlStatement) *Error {
	switch {
	case y.kind == 0:
		name := "InsertOp"
		if word := y.verb.text; word != "insert" {
			name = strings.ToUpper(word[:1]) + word[1:] + "Table"
		}
		return RuleStatementOperation.fail(PartiQL, name)
	case y.rejected != nil:
		return y.rejected
	case y.projection:
		return RuleStatementProjection.fail(PartiQL)
	case y.distinct:
		return RuleStatementToken.fail(PartiQL, "DISTINCT")
	case y.clauseAt != nil:
		return RuleStatementClause.at(*y.clauseAt, y.clause)
	case y.clause != "":
		return RuleStatementClause.fail(PartiQL, y.clause)
	case y.at:
		return RuleStatementAt.at(y.verb.at)
	case y.kind == VerbInsert && y.returning != 0:
		return RuleStatementReturningInsert.fail(PartiQL)
	case y.several:
		return RuleStatementSources.fail(PartiQL)
	case y.alias:
		return RuleStatementAlias.fail(PartiQL)
	}
	return nil
}

// target reads the names of table and index.
func (t *translator) target(y *sqlStatement, s *Statement) *Error {
	n := y.source
	if n.kind != yName && n.kind != yPath || n.kind == yPath && n.kids[0].kind != yName {
		return RuleStatementSource.fail(PartiQL)
	}
	names := []string{n.tok.text}
	if n.kind == yPath {
		if y.kind == VerbInsert { // captured on AWS, 2026
			return RuleStatementSourceIndex.at(n.tok.at)
		}
		for _, step := range n.kids[1:] {
			if step.kind != yField {
				return RuleStatementSourceList.fail(PartiQL)
			}
			names = append(names, step.tok.text)
		}
	}
	if len(names) > 2 {
		return RuleStatementSourceSteps.fail(PartiQL)
	}
	for i, name := range names {
		if name == "" {
			return RuleStatementNameEmpty.fail(PartiQL)
		}
		if !isTableName(name) && (i > 0 || !strings.HasPrefix(name, "arn:")) {
			return RuleStatementTableName.fail(PartiQL)
		}
	}
	s.Table = names[0]
	if len(names) == 1 {
		return nil
	}
	s.Index = names[1]
	if y.kind == VerbUpdate || y.kind == VerbDelete {
		return RuleStatementOnIndex.fail(PartiQL)
	}
	return nil
}

// isTableName reports whether a table or index can have the name (page HowItWorks.NamingRulesDataTypes).
func isTableName(name string) bool {
	for i := range len(name) {
		if c := name[i]; !isDigit(c) && (c == '$' || !isSQLName(c)) && c != '-' && c != '.' {
			return false
		}
	}
	return len(name) >= 3 && len(name) <= 255
}

// columns reads the list of SELECT.
func (t *translator) columns(list []*sqlNode) ([]Column, *Error) {
	var columns []Column
	var paths []Path
	for _, n := range list {
		if n.kind != yName && n.kind != yPath {
			return nil, RuleStatementColumn.at(n.tok.at)
		}
		if slices.ContainsFunc(n.kids, func(k *sqlNode) bool { return k.kind == yEvery }) {
			return nil, RuleStatementEvery.fail(PartiQL)
		}
		p, err := t.path(n)
		if err != nil {
			return nil, err
		}
		c := Column{Path: p, Name: p.lastName()}
		if slices.ContainsFunc(columns, func(o Column) bool { return o.Name == c.Name }) {
			return nil, RuleStatementColumnTwice.fail(PartiQL, c.Name)
		}
		columns, paths = append(columns, c), append(paths, p)
	}
	return columns, disjointBackwards(paths)
}

// lastName is the path's last field with the indexes behind it.
func (p Path) lastName() string {
	i := len(p.steps) - 1
	for !p.steps[i].isField() {
		i--
	}
	return Path{p.steps[i:]}.String()
}

// disjointBackwards is disjoint for what a statement has: the paths are looked at from the last to the first, as seen on
// DynamoDB Local.
func disjointBackwards(paths []Path) *Error {
	back := slices.Clone(paths)
	slices.Reverse(back)
	return disjoint(PartiQL, back, sortPaths(back), nil)
}

// path reads an attribute or path.
func (t *translator) path(n *sqlNode) (Path, *Error) {
	if n.kind == yName {
		if n.tok.text == "" {
			return Path{}, RuleStatementNameEmpty.fail(PartiQL)
		}
		return Name(n.tok.text), nil
	}
	if n.kids[0].kind != yName {
		return Path{}, RuleStatementColumn.at(n.kids[0].tok.at)
	}
	steps := make([]step, len(n.kids))
	for i, k := range n.kids {
		var err *Error
		if steps[i], err = t.step(k); err != nil {
			return Path{}, err
		}
	}
	p := Path{steps}
	return p, p.check(PartiQL)
}

// step reads a step of a path.
func (t *translator) step(n *sqlNode) (step, *Error) {
	switch n.kind {
	case yEvery:
		return step{}, RuleStatementEveryPath.at(n.tok.at)
	case yIndex:
		n = n.kids[0]
		if n.kind == yLiteral && n.tok.kind == qNumber {
			return t.index(n)
		}
		if n.kind != yName && (n.kind != yLiteral || n.tok.kind != qString) {
			return step{}, RuleStatementColumn.at(n.tok.at)
		}
	}
	if n.tok.text == "" {
		return step{}, RuleStatementNameEmpty.fail(PartiQL)
	}
	return field(n.tok.text), nil
}

// index reads the index of a list's element.
func (t *translator) index(n *sqlNode) (step, *Error) {
	text := n.tok.text
	digits := strings.TrimPrefix(text, "-")
	if digitsLen(digits) < len(digits) {
		return step{}, RuleStatementColumn.at(n.tok.at)
	}
	i, ok := position(text)
	if !ok {
		return step{}, RuleIndex.at(n.tok.at, text)
	}
	return element(i), nil
}

// where reads a condition; nil if there is none.
func (t *translator) where(n *sqlNode) (*Condition, *Error) {
	if n == nil {
		return nil, nil
	}
	if !n.isCondition() {
		return nil, RuleStatementWhere.fail(PartiQL)
	}
	c := new(Condition)
	if err := t.condition(n, &c.root); err != nil {
		return nil, err
	}
	return c, c.root.checkOperators(PartiQL)
}

func (t *translator) order(y *sqlStatement) (list []Order, err *Error) {
	if len(y.order) > 0 && y.where == nil {
		return nil, RuleStatementOrderWhere.fail(PartiQL)
	}
	for _, o := range y.order {
		if o.by.kind != yName {
			return nil, RuleStatementOrder.fail(PartiQL, o.by.tok.text)
		}
		list = append(list, Order{o.by.tok.text, o.descending})
	}
	return list, nil
}
