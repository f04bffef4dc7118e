package engine

import (
	"slices"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/expr"
	"github.com/tablewright/tablewright/wire"
)

// What faults find in statements, which name their tables and items in PartiQL.

// statementsIn are the statements of a request of any operation that has some, as far as they can be read: the operation itself refuses others.
func (e *session) statementsIn(body []byte) (all []*expr.Statement) {
	var in []wire.Statement
	switch e.operation {
	case "ExecuteStatement":
		if q, err := wire.DecodeExecuteStatement(body); err == nil {
			in = []wire.Statement{q.Statement}
		}
	case "BatchExecuteStatement":
		if q, err := wire.DecodeBatchExecuteStatement(body); err == nil {
			in = q.Statements
		}
	case "ExecuteTransaction":
		if q, err := wire.DecodeExecuteTransaction(body); err == nil {
			in = q.Statements
		}
	}
	for i := range in {
		if s, err := expr.ParseStatement(in[i].Text, in[i].Parameters); err == nil {
			all = append(all, s)
		}
	}
	return all
}

// writesStatements reports whether a request has statements that write: these wait for what faults want when they are
// under way.
func (e *session) writesStatements(body []byte) bool {
	return slices.ContainsFunc(e.statementsIn(body), func(s *expr.Statement) bool { return s.Verb.Writes() })
}

// statements reads what statements name.
func (n *named) statements(e *session, body []byte) {
	for _, s := range e.statementsIn(body) {
		table := e.nameOf(s.Table)
		if s.Index != "" {
			n.index = s.Index
		}
		n.items = append(n.items, namedItem{table: table})
		if s.Verb == expr.VerbInsert {
			n.items = append(n.items, namedItem{table, s.Item})
			continue
		}
		for _, key := range keysIn(s.Where) {
			n.items = append(n.items, namedItem{table, key})
		}
	}
}

// keysIn are what a condition states with = or IN of top-level attributes: each combination of values.
func keysIn(c *expr.Condition) []attr.Item {
	keys := []attr.Item{{}}
	values := map[string][]attr.Value{}
	var names []string
	for _, t := range c.KeyTerms() {
		if t.Op != expr.KeyEqual {
			continue
		}
		if !slices.Contains(names, t.Attribute) {
			names = append(names, t.Attribute)
		}
		values[t.Attribute] = append(values[t.Attribute], t.Low)
	}
	for _, name := range names {
		var next []attr.Item
		for _, key := range keys {
			for _, v := range values[name] {
				more := key.Clone()
				more.Set(name, v)
				next = append(next, more)
			}
		}
		if keys = next; len(keys) > mostKeys {
			return keys[:mostKeys]
		}
	}
	return keys
}

// mostKeys bounds the combinations: IN takes 50 values of a partition key and 100 of others (ql-operators).
const mostKeys = 5_000
