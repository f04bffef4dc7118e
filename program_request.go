package tablewright

import (
	"bytes"
	"fmt"
	"strings"
	"sync"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/expr"
	"github.com/tablewright/tablewright/plan"
)

func operation(v plan.Verb) string {
	switch v {
	case plan.Get:
		return "GetItem"
	case plan.BatchGet:
		return "BatchGetItem"
	case plan.Query:
		return "Query"
	case plan.Scan:
		return "Scan"
	case plan.Put:
		return "PutItem"
	case plan.Update:
		return "UpdateItem"
	case plan.Delete:
		return "DeleteItem"
	case plan.Transact:
		return "TransactWriteItems"
	case plan.TransactGet:
		return "TransactGetItems"
	}
	return "BatchWriteItem"
}

// printers keeps expression printers with their memory.
var printers = sync.Pool{New: func() any { return new(expr.Printer) }}

// writeRequest writes a plan's request into c, and says what sending it twice does.
func writeRequest(c *Call, db *DB, q *plan.Request) (repeatable, error) {
	p := printers.Get().(*expr.Printer)
	defer func() { p.Reset(); printers.Put(p) }()
	w := &body{b: c.Request[:0]}
	defer func() { c.Request = w.b }()
	rep := harmless
	w.open()
	switch q.Verb {
	case plan.Transact, plan.TransactGet:
		w.key("TransactItems")
		w.b = append(w.b, '[')
		for i, a := range q.Actions {
			if i > 0 {
				w.b = append(w.b, ',')
			}
			c.names(db, a.Table)
			w.open()
			w.key(actionOf(a))
			w.open()
			p.Reset()
			if err := writeAction(w, p, db.actual(a.Table), a); err != nil {
				return rep, fmt.Errorf("action %d: %w", i, err)
			}
			w.close()
			w.close()
		}
		w.b = append(w.b, ']')
		w.full = true
		if q.Verb == plan.Transact {
			t := q.Token
			if t == "" {
				t = token()
			}
			w.text("ClientRequestToken", t)
		}
	default:
		c.Table, c.Index = q.Table, q.Index
		c.names(db, q.Table)
		if err := writeAction(w, p, db.actual(q.Table), q); err != nil {
			return rep, err
		}
		rep = repetition(q, w.b)
		switch q.Verb {
		case plan.Put, plan.Update, plan.Delete:
			c.Asks = AsksTold | w.asks
		}
		if db.hooked {
			c.planKey(q)
		}
	}
	w.close()
	return rep, nil
}

// names remembers how a table is called here and there.
func (c *Call) names(db *DB, declared string) {
	for _, t := range c.tables {
		if t.declared == declared {
			return
		}
	}
	c.tables = append(c.tables, tableName{declared: declared, actual: db.actual(declared)})
	c.db = db
	if len(c.tables) > 1 {
		c.Table, c.Index = "", ""
	} else {
		c.Table = declared
	}
}

// on remembers it of a declared table.
func (c *Call) on(db *DB, t *Table) {
	c.names(db, t.p.Name)
	for i := range c.tables {
		if c.tables[i].declared == t.p.Name {
			c.tables[i].table = t
		}
	}
}

// actionOf is an action of a transaction. An update that has nothing to change, as all that it would set is left out, only
// checks: an Update without an expression is invalid there.
func actionOf(q *plan.Request) string {
	if q.Verb == plan.Update && q.Update == nil && q.Condition != nil {
		return actionName(plan.Check)
	}
	return actionName(q.Verb)
}

func actionName(v plan.Verb) string {
	switch v {
	case plan.Get:
		return "Get"
	case plan.Put:
		return "Put"
	case plan.Update:
		return "Update"
	case plan.Delete:
		return "Delete"
	}
	return "ConditionCheck"
}

// writeAction writes the members of an operation on one item, or of a query or scan.
func writeAction(w *body, p *expr.Printer, table string, q *plan.Request) (err error) {
	add := func(name string, text func(dst []byte) ([]byte, error)) {
		if err == nil {
			err = w.expression(name, text)
		}
	}
	w.text("TableName", table)
	switch q.Verb {
	case plan.Query, plan.Scan:
		if q.Index != "" {
			w.text("IndexName", q.Index)
		}
		if q.KeyExpr != nil {
			add("KeyConditionExpression", func(dst []byte) ([]byte, error) { return p.AppendKey(dst, q.KeyExpr) })
		}
		if q.Filter != nil {
			add("FilterExpression", func(dst []byte) ([]byte, error) { return p.AppendCondition(dst, q.Filter) })
		}
		if q.Descending {
			w.raw("ScanIndexForward", []byte("false"))
		}
		if q.Limit > 0 {
			w.int("Limit", q.Limit)
		}
		if q.Start.Len() > 0 {
			w.item("ExclusiveStartKey", q.Start)
		}
	case plan.Put:
		w.item("Item", q.Item)
	default:
		w.item("Key", q.Key)
	}
	w.flag("ConsistentRead", q.Consistent && q.Verb != plan.TransactGet)
	if q.Projection != nil {
		add("ProjectionExpression", func(dst []byte) ([]byte, error) { return p.AppendProjection(dst, q.Projection) })
	}
	if q.Update != nil {
		add("UpdateExpression", func(dst []byte) ([]byte, error) { return p.AppendUpdate(dst, q.Update) })
	}
	if q.ReturnNew {
		w.text("ReturnValues", "ALL_NEW")
		w.asks |= AsksAnswer
	}
	if q.Condition != nil {
		add("ConditionExpression", func(dst []byte) ([]byte, error) { return p.AppendCondition(dst, q.Condition) })
		w.text("ReturnValuesOnConditionCheckFailure", "ALL_OLD")
		w.asks |= AsksCondition
	}
	if err == nil {
		w.substitutions(p)
	}
	return err
}

// repetition says what a single write does when it is carried out twice. Puts and deletes leave the same as once. An
// update does not if it counts or appends: the texts have placeholders only, so its operators can be seen in them.
func repetition(q *plan.Request, request []byte) repeatable {
	if q.Verb != plan.Update || q.Update == nil {
		return harmless
	}
	const member = `"UpdateExpression":"`
	text := request[bytes.Index(request, []byte(member))+len(member):]
	text = text[:bytes.IndexByte(text, '"')]
	if bytes.ContainsAny(text, "+-") || bytes.Contains(text, []byte("list_append")) {
		return harmful
	}
	for _, a := range q.Update.Actions() {
		if a.Section == expr.ADD {
			return harmful
		}
		if a.Section == expr.REMOVE && strings.HasSuffix(a.Path.String(), "]") {
			return harmful // the next element would follow
		}
	}
	return harmless
}

// planKey keeps the key of a plan's request for hooks.
func (c *Call) planKey(q *plan.Request) {
	c.Resumed = q.Start.Len() > 0
	if q.Stage == nil || q.Stage.Access == nil {
		return
	}
	from := q.Key
	if q.Verb == plan.Put {
		from = q.Item
	}
	var key, item attr.Item
	for _, a := range q.Stage.Access.Partition {
		key.Set(a.Name, from.Get(a.Name))
	}
	if key.Len() == 0 {
		return
	}
	switch q.Verb {
	case plan.Get, plan.Update, plan.Delete:
		item = q.Key
	case plan.Put:
		item = key.Clone()
		for _, a := range q.Stage.Access.Sort {
			item.Set(a.Name, from.Get(a.Name))
		}
	}
	c.keys = attr.AppendItem(c.keys[:0], key)
	n := len(c.keys)
	c.Key = c.keys[:n:n]
	if item.Len() > 0 {
		c.keys = attr.AppendItem(c.keys, item)
		c.Key, c.ItemKey = c.keys[:n:n], c.keys[n:]
	}
}

// readResult reads what a request brought.
func readResult(answer []byte, q *plan.Request) (plan.Result, error) {
	var r plan.Result
	var bad error
	d := attr.NewDecoder(answer)
	read := func() attr.Item {
		it, err := d.Item()
		if err != nil && bad == nil {
			bad = err
		}
		return it
	}
	item := func() { r.Items = append(r.Items, read()) }
	for name := range d.Fields("") {
		switch string(name) {
		case "Item", "Attributes":
			item()
		case "Items":
			for range d.Elems() {
				item()
			}
		case "LastEvaluatedKey":
			r.Last = read()
		case "Responses":
			for range d.Elems() {
				found := false
				for name := range d.Fields("") {
					if string(name) == "Item" {
						item()
						found = true
					}
				}
				if !found {
					r.Items = append(r.Items, attr.Item{})
				}
			}
		}
	}
	if err := d.End(); err != nil {
		return r, err
	}
	return r, bad
}
