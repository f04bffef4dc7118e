package engine

import (
	"strconv"

	"github.com/tablewright/tablewright/expr"
	"github.com/tablewright/tablewright/wire"
)

// statementActions are what policies call the verbs (page ql-iam).
var statementActions = map[expr.Verb]string{
	expr.VerbSelect: "PartiQLSelect", expr.VerbExists: "PartiQLSelect",
	expr.VerbInsert: "PartiQLInsert", expr.VerbUpdate: "PartiQLUpdate", expr.VerbDelete: "PartiQLDelete",
}

// onStatements is what statements of PartiQL do, each by itself. What cannot be read is refused by the operation before it
// looks for a table: with the whole request, or in a batch as that one statement, since both read it in the same way.
func (e *session) onStatements(list []wire.Statement, consumed string) (l []*access) {
	for i := range list {
		s, refused := readStatement(&list[i])
		if refused != nil {
			continue
		}
		a := e.onTable(statementActions[s.Verb], s.Table, s.Index)
		if e.operation != "ExecuteStatement" {
			a.add("dynamodb:enclosingoperation", e.operation)
		}
		a.statement(s.Statement)
		a.reports(consumed)
		l = append(l, a)
	}
	return l
}

// statement adds what policies may ask about a statement (pages ql-iam and specifying-conditions).
func (a *access) statement(s *expr.Statement) {
	a.item(s.Item)
	for _, c := range s.Columns {
		a.attribute(c.Path.Attribute())
	}
	for _, o := range s.Order {
		a.attribute(o.Attribute)
	}
	a.paths(s.Where.Paths())
	a.paths(s.Update.Paths())
	if a.table == nil {
		return
	}
	boxes, keyed := s.Where.Boxes(a.key)
	for _, b := range boxes {
		for _, v := range b.Hash {
			a.leadingValue(v)
		}
	}
	if s.Index == "" && s.Verb != expr.VerbInsert { // what is about one item finds it so
		if key, _, err := s.Where.Key(a.table.names); err == nil {
			a.leading(key)
		}
	}
	if s.Verb == expr.VerbSelect {
		a.add("dynamodb:fulltablescan", strconv.FormatBool(!keyed))
	}
}
