package wire

import "github.com/tablewright/tablewright/attr"

// TransactWriteItemsInput is the request of TransactWriteItems.
type TransactWriteItemsInput struct {
	Actions []Action
	Token   string // ClientRequestToken; empty if there is none
	Report  Report
}

// Verb is what an action of a transaction does.
type Verb uint8

// The verbs. VerbNone is an element that names none, VerbSeveral one that names more than one: requests only.
const (
	VerbNone Verb = iota
	VerbPut
	VerbUpdate
	VerbDelete
	VerbCheck
	VerbSeveral
)

var verbNames = [...]string{VerbPut: "Put", VerbUpdate: "Update", VerbDelete: "Delete", VerbCheck: "ConditionCheck"}

// Action is one action of a transaction.
type Action struct {
	Verb             Verb
	TableName        string
	Item             Attributes // of a Put: the item; else the key
	UpdateExpression *string    // of an Update
	Condition        Condition

	table text
	item  bool
}

// DecodeTransactWriteItems reads a request. The error is an *Error.
func DecodeTransactWriteItems(body []byte) (*TransactWriteItemsInput, error) {
	in := new(TransactWriteItemsInput)
	r := read(body)
	var token text
	var items bool
	for name := range r.Fields("TransactWriteItemsInput") {
		switch string(name) {
		case "TransactItems":
			if items = !r.Null(); items {
				for range r.Elems() {
					in.Actions = append(in.Actions, decodeAction(r))
				}
			}
		case "ClientRequestToken":
			token = r.text()
		default:
			in.Report.member(r, name)
		}
	}
	return in, r.finish(func() {
		in.Report.check(r)
		r.transactItems(items, len(in.Actions))
		for i := range in.Actions {
			in.Actions[i].check(r, "transactItems."+member(i))
		}
		if token.set {
			r.length("clientRequestToken", "'"+token.s+"'", len(token.s), 1, 36)
			in.Token = token.s
		}
	})
}

func decodeAction(r *request) (a Action) {
	for name := range r.Fields("TransactWriteItem") {
		verb, class := VerbNone, string(name)
		for v := VerbPut; v <= VerbCheck; v++ {
			if verbNames[v] == class {
				verb = v
			}
		}
		if verb == VerbNone || r.Null() {
			continue
		}
		if a.Verb != VerbNone {
			a.Verb = VerbSeveral
			continue
		}
		a.Verb = verb
		for name := range r.Fields(class) {
			switch string(name) {
			case "TableName":
				a.table = r.text()
			case "Key":
				if verb != VerbPut {
					a.Item, a.item = r.attributes()
				}
			case "Item":
				if verb == VerbPut {
					a.Item, a.item = r.attributes()
				}
			case "UpdateExpression":
				if verb == VerbUpdate {
					a.UpdateExpression = r.textPointer()
				}
			default:
				a.Condition.member(r, name)
			}
		}
	}
	return a
}

func (a *Action) check(r *request, path string) {
	switch a.Verb {
	case VerbNone, VerbSeveral:
		return
	case VerbPut:
		path += ".put"
	case VerbUpdate:
		path += ".update"
	case VerbDelete:
		path += ".delete"
	case VerbCheck:
		path += ".conditionCheck"
	}
	a.TableName = r.table(path+".tableName", a.table)
	a.Condition.check(r, path+".returnValuesOnConditionCheckFailure")
	if a.Verb == VerbCheck {
		r.require(path+".conditionExpression", a.Condition.ConditionExpression != nil)
	}
	if a.Verb == VerbPut {
		r.require(path+".item", a.item)
	} else {
		r.require(path+".key", a.item)
	}
	if a.Verb == VerbUpdate {
		r.require(path+".updateExpression", a.UpdateExpression != nil)
	}
}

// Append appends the request's JSON to dst.
func (in *TransactWriteItemsInput) Append(dst []byte) []byte {
	o := begin(dst)
	o.key("TransactItems")
	o.list(len(in.Actions), func(o *object, i int) {
		a := &in.Actions[i]
		o.nested(func(o *object) {
			o.key(verbNames[a.Verb])
			o.nested(func(o *object) {
				o.text("TableName", a.TableName)
				if a.Verb == VerbPut {
					o.item("Item", a.Item.Item)
				} else {
					o.item("Key", a.Item.Item)
				}
				o.optional("UpdateExpression", a.UpdateExpression)
				a.Condition.append(o)
			})
		})
	})
	o.word("ClientRequestToken", in.Token)
	in.Report.append(&o)
	return o.end()
}

// TransactWriteItemsOutput is the answer of TransactWriteItems.
type TransactWriteItemsOutput struct {
	ConsumedCapacity []ConsumedCapacity
	Metrics          map[string][]ItemCollectionMetrics // by table; nil if not asked for
}

// Append appends the answer's JSON to dst.
func (out *TransactWriteItemsOutput) Append(dst []byte) []byte {
	o := begin(dst)
	o.consumedList(out.ConsumedCapacity)
	o.metricsByTable(out.Metrics)
	return o.end()
}

// DecodeTransactWriteItemsOutput reads an answer, except its item collection metrics.
func DecodeTransactWriteItemsOutput(body []byte) (*TransactWriteItemsOutput, error) {
	out := new(TransactWriteItemsOutput)
	d := attr.NewDecoder(body)
	for name := range d.Fields("TransactWriteItemsOutput") {
		if string(name) == "ConsumedCapacity" {
			out.ConsumedCapacity = decodeConsumedList(d)
		}
	}
	return out, d.End()
}
