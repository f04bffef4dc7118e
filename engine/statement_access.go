package engine

import (
	"encoding/json"
	"strconv"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/expr"
)

// statementActions are what policies call the verbs (page ql-iam).
var statementActions = map[expr.Verb]string{
	expr.VerbSelect: "PartiQLSelect", expr.VerbExists: "PartiQLSelect",
	expr.VerbInsert: "PartiQLInsert", expr.VerbUpdate: "PartiQLUpdate", expr.VerbDelete: "PartiQLDelete",
}

// statementAccesses are those of statements of PartiQL, each by itself. What is not well formed asks nothing: it is refused
// before a table is looked for.
func (e *session) statementAccesses(list []members) (l []access) {
	for _, m := range list {
		var raw []json.RawMessage
		_ = json.Unmarshal(m["Parameters"], &raw)
		parameters := make([]attr.Value, len(raw))
		for i := range raw {
			parameters[i], _ = attr.ParseValue(raw[i])
		}
		s, err := expr.ParseStatement(m.text("Statement"), parameters)
		if err != nil {
			continue
		}
		table, _ := json.Marshal(s.Table)
		index, _ := json.Marshal(s.Index)
		a := e.access(statementActions[s.Verb], members{"TableName": table, "IndexName": index})
		if e.operation != "ExecuteStatement" {
			a.context["dynamodb:enclosingoperation"] = []string{e.operation}
		}
		e.statementContext(&a, s)
		l = append(l, a)
	}
	return l
}

// statementContext is what policies may ask about a statement (pages ql-iam and specifying-conditions).
func (e *session) statementContext(a *access, s *expr.Statement) {
	addNames(a.context, s.Item)
	for _, c := range s.Columns {
		add(a.context, "dynamodb:attributes", c.Path.Attribute())
	}
	for _, p := range s.Where.Paths() {
		add(a.context, "dynamodb:attributes", p.Attribute())
	}
	for _, p := range s.Update.Touched() {
		add(a.context, "dynamodb:attributes", p.Attribute())
	}
	if a.table == nil {
		return
	}
	key := a.table.key
	if x := a.table.index(s.Index); x != nil {
		key = x.key
	}
	addLeading(a.context, key, s.Item)
	boxes, keyed := s.Where.Boxes(key)
	for _, b := range boxes {
		var it attr.Item
		for i, k := range key.Hash {
			it.Set(k.Name, b.Hash[i])
		}
		addLeading(a.context, key, it)
	}
	if s.Verb == expr.VerbSelect {
		a.context["dynamodb:fulltablescan"] = []string{strconv.FormatBool(!keyed)}
	}
}
