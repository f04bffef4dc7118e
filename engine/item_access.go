package engine

import (
	"github.com/tablewright/tablewright/wire"
)

// What operations on items do, with what policies may ask about it (specifying-conditions): keys and attributes come from the
// decoded request and from the trees that the operation makes of its expressions.

func (e *session) gets(in *wire.GetItemInput) []*access {
	a := e.onTable("GetItem", in.TableName, "")
	a.gets(in.Key, in.AttributesToGet, in.ProjectionExpression, in.Names)
	a.reports(in.ReturnConsumed)
	return []*access{a}
}

// gets adds what is read of an item.
func (a *access) gets(key wire.Attributes, wanted []string, projection *string, names map[string]string) {
	a.item(key.Item)
	a.projects(key, wanted, projection, names)
}

func (a *access) projects(key wire.Attributes, wanted []string, projection *string, names map[string]string) {
	p, refused := readProjection(wanted, projection, names, &key)
	a.unread = a.unread || refused != nil
	a.paths(p.Paths())
	a.selects("", p != nil, false)
}

func (e *session) batchGets(in *wire.BatchGetItemInput) (l []*access) {
	for i := range in.Tables {
		t := &in.Tables[i]
		a := e.onTable("BatchGetItem", t.TableName, "")
		for _, key := range t.Keys {
			a.item(key.Item)
		}
		a.projects(wire.Attributes{}, t.AttributesToGet, t.ProjectionExpression, t.Names)
		a.reports(in.ReturnConsumed)
		l = append(l, a)
	}
	return l
}

func (e *session) batchWrites(in *wire.BatchWriteItemInput) (l []*access) {
	for i := range in.Tables {
		t := &in.Tables[i]
		a := e.onTable("BatchWriteItem", t.TableName, "")
		for _, w := range t.Writes {
			if w.Put != nil {
				a.item(w.Put.Item)
			}
			if w.Delete != nil {
				a.item(w.Delete.Item)
			}
		}
		a.reports(in.Report.ConsumedCapacity)
		l = append(l, a)
	}
	return l
}

// writes is what PutItem and DeleteItem do; it is an item or a key.
func (e *session) writes(table string, it *wire.Attributes, c *wire.Condition, old *wire.Expectations, returned string, report *wire.Report) []*access {
	a := e.onTable(e.operation, table, "")
	a.item(it.Item)
	condition, refused := prefixed.condition(c, old, func() *wire.Error { return nil })
	a.unread = refused != nil
	a.paths(condition.Paths())
	a.returns(returned)
	a.reports(report.ConsumedCapacity)
	return []*access{a}
}

func (e *session) updates(in *wire.UpdateItemInput) []*access {
	a := e.onTable("UpdateItem", in.TableName, "")
	a.item(in.Key.Item)
	update, condition, _, refused := readUpdate(prefixed, in)
	a.unread = refused != nil
	a.paths(update.Paths())
	a.paths(condition.Paths())
	a.returns(in.ReturnValues)
	a.reports(in.Report.ConsumedCapacity)
	return []*access{a}
}

func (e *session) queries(in *wire.QueryInput) []*access {
	q := reading{in: &in.Reading}
	wanted := question{query: true, key: in.KeyConditionExpression, keys: in.KeyConditions, filterName: "QueryFilter", filter: in.QueryFilter}
	key, refused := q.static(&wanted, nil)
	a := e.reading("Query", &q, refused)
	if refused != nil {
		return []*access{a}
	}
	for _, t := range key.Terms() {
		a.attribute(t.Attribute)
	}
	if a.table == nil {
		return []*access{a}
	}
	condition, err := key.For(a.key)
	if err != nil {
		return []*access{a} // the operation refuses it behind the look-up, with a text of its own
	}
	for _, v := range condition.Hash() {
		a.leadingValue(v)
	}
	return []*access{a}
}

func (e *session) scans(in *wire.ScanInput) []*access {
	q := reading{in: &in.Reading}
	_, refused := q.static(&question{filterName: "ScanFilter", filter: in.ScanFilter}, nil)
	return []*access{e.reading("Scan", &q, refused)}
}

// reading is what Query and Scan have in common; refused is why the operation could not be read.
func (e *session) reading(action string, q *reading, refused *wire.Error) *access {
	in, index := q.in, ""
	if in.IndexName != nil {
		index = *in.IndexName
	}
	a := e.onTable(action, in.TableName, index)
	a.unread = refused != nil
	a.paths(q.projection.Paths())
	a.paths(q.filter.Paths())
	a.selects(in.Select, q.projection != nil, in.IndexName != nil)
	a.reports(in.ReturnConsumed)
	return a
}

// transactGets and transactWrites are a transaction's actions, each by itself (transaction-apis-iam).
func (e *session) transactGets(in *wire.TransactGetItemsInput) (l []*access) {
	for i := range in.Items {
		g := &in.Items[i]
		names := g.Names
		if g.ProjectionExpression == nil {
			names = nil // as the operation
		}
		a := e.onTable("GetItem", g.TableName, "")
		a.gets(g.Key, nil, g.ProjectionExpression, names)
		a.encloses(e, in.ReturnConsumed)
		l = append(l, a)
	}
	return l
}

func (e *session) transactWrites(in *wire.TransactWriteItemsInput) (l []*access) {
	for i := range in.Actions {
		x := action{in: &in.Actions[i]}
		refused := x.static()
		a := e.onTable(verbActions[x.in.Verb], x.in.TableName, "")
		a.unread = refused != nil
		a.item(x.in.Item.Item)
		a.paths(x.update.Paths())
		a.paths(x.condition.Paths())
		if x.in.Verb != wire.VerbCheck {
			a.returns("")
		}
		a.encloses(e, in.Report.ConsumedCapacity)
		l = append(l, a)
	}
	return l
}

// verbActions are what policies call the actions of a transaction. What has none or several is refused by the operation.
var verbActions = map[wire.Verb]string{
	wire.VerbPut: "PutItem", wire.VerbUpdate: "UpdateItem", wire.VerbDelete: "DeleteItem", wire.VerbCheck: "ConditionCheckItem",
	wire.VerbNone: "TransactWriteItems", wire.VerbSeveral: "TransactWriteItems",
}

// encloses adds the operation that an action is part of.
func (a *access) encloses(e *session, consumed string) {
	a.add("dynamodb:enclosingoperation", e.operation)
	a.reports(consumed)
}
