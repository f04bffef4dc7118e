package engine

import (
	"encoding/base64"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/engine/internal/iam"
	"github.com/tablewright/tablewright/expr"
	"github.com/tablewright/tablewright/wire"
)

// Who has signed a request may do what policies allow: the identity policy of the user, and the resource policy of each
// table that is named. What is asked of them is taken from the request's JSON here, before the operation reads it; so that
// both can only mean the same tables, lookup afterwards finds none that was not asked about.

// access is one thing that a request does to one resource.
type access struct {
	action   string // without its service
	resource string // ARN, or "*"
	table    *table // whose policy has a say; nil if there is none
	context  map[string][]string
}

// members are those of a JSON object as they stand there. Of a member that is given twice the last counts, as for the
// operations.
type members map[string]json.RawMessage

func (m members) text(name string) (s string) {
	if json.Unmarshal(m[name], &s) != nil {
		return ""
	}
	return s
}

func (m members) object(name string) (o members) {
	_ = json.Unmarshal(m[name], &o)
	return o
}

func (m members) objects(name string) (l []members) {
	_ = json.Unmarshal(m[name], &l)
	return l
}

// item is a member that is an item or key; empty if it is none.
func (m members) item(name string) attr.Item {
	it, err := attr.ParseItem(m[name])
	if err != nil {
		return attr.Item{}
	}
	return it
}

// authorize refuses a request that the caller's policies and the tables' do not allow. What is not well formed passes: the
// operation refuses it.
func (e *session) authorize(body []byte) error {
	var request members
	if json.Unmarshal(body, &request) != nil {
		return nil
	}
	common := e.caller.context(e)
	e.permitted = map[string]bool{}
	for _, a := range e.accesses(request) {
		maps.Copy(a.context, common)
		if err := e.decide(&a); err != nil {
			return err
		}
		if a.table != nil {
			e.permitted[a.table.name] = true
		}
	}
	return nil
}

// decide asks the policies that have a say: what one denies is denied, what one allows is allowed
// (reference_policies_evaluation-logic, within one account).
func (e *session) decide(a *access) error {
	action := "dynamodb:" + a.action
	r := &iam.Request{Caller: e.caller.Caller, Action: action, Resource: a.resource, Context: a.context}
	identity, resource := e.caller.identity.Decide(r), iam.Silent
	if a.table != nil {
		if p := a.table.policyOf(a.resource); p != nil {
			resource = p.Decide(r)
		}
	}
	why := ""
	switch {
	case identity == iam.Denied:
		why = " with an explicit deny in an identity-based policy"
	case resource == iam.Denied:
		why = " with an explicit deny in a resource-based policy"
	case identity == iam.Allowed || resource == iam.Allowed || e.caller.admin:
		return nil
	default:
		why = " because no identity-based policy allows the " + action + " action"
	}
	return wire.NewError("AccessDeniedException", "User: "+e.caller.ARN+" is not authorized to perform: "+action+" on resource: "+a.resource+why)
}

// accesses are what a request does, with the actions and resources of the Service Authorization Reference.
func (e *session) accesses(m members) []access {
	switch e.operation {
	case "BatchGetItem", "BatchWriteItem":
		return e.batchAccesses(m)
	case "TransactGetItems", "TransactWriteItems":
		return e.transactAccesses(m)
	case "ExecuteStatement":
		return e.statementAccesses([]members{m})
	case "BatchExecuteStatement":
		return e.statementAccesses(m.objects("Statements"))
	case "ExecuteTransaction":
		return e.statementAccesses(m.objects("TransactStatements"))
	case "ListTables", "DescribeLimits", "DescribeEndpoints":
		return []access{{action: e.operation, resource: "*", context: map[string][]string{}}}
	}
	return []access{e.access(e.operation, m)}
}

// access is what an operation on one resource does.
func (e *session) access(action string, m members) access {
	a := access{action: action, resource: "*", context: map[string][]string{}}
	switch name := m.text("TableName"); {
	case name != "":
		a.resource = e.arn(e.nameOf(name))
		if strings.HasPrefix(name, "arn:") {
			a.resource = name
		}
		a.table = e.catalog.Load().byID[e.id(e.nameOf(name))]
	case m["ResourceArn"] != nil || m["StreamArn"] != nil || m["ShardIterator"] != nil:
		arn := m.text("ResourceArn") + m.text("StreamArn")
		if iterator := m.text("ShardIterator"); arn == "" {
			arn, _, _ = strings.Cut(iterator, "|") // it begins with the stream's ARN
		}
		a.resource = arn
		table, _, _ := strings.Cut(strings.TrimPrefix(arn, e.arn("")), "/")
		a.table = e.catalog.Load().byID[e.id(table)]
	}
	key := expr.KeySchema{}
	if a.table != nil {
		key = a.table.key
		for _, t := range a.table.def.Create.Tags {
			a.context["aws:resourcetag/"+strings.ToLower(t.Key)] = []string{t.Value}
		}
	}
	if name := m.text("IndexName"); name != "" && a.resource != "*" {
		a.resource += "/index/" + name
		if a.table != nil {
			if x := a.table.index(name); x != nil {
				key = x.key
			}
		}
	}
	switch action {
	case "GetItem", "PutItem", "UpdateItem", "DeleteItem", "ConditionCheckItem", "Query", "Scan", "BatchGetItem":
		itemContext(a.context, action, key, m)
	}
	for _, t := range m.objects("Tags") {
		k := t.text("Key")
		a.context["aws:requesttag/"+strings.ToLower(k)] = []string{t.text("Value")}
		a.context["aws:tagkeys"] = append(a.context["aws:tagkeys"], k)
	}
	return a
}

func (e *session) batchAccesses(m members) (l []access) {
	tables := m.object("RequestItems")
	for _, name := range slices.Sorted(maps.Keys(tables)) {
		text, _ := json.Marshal(name)
		one := members{}
		if e.operation == "BatchGetItem" {
			one = tables.object(name)
		}
		one["TableName"] = text
		a := e.access(e.operation, one)
		var keys []attr.Item
		for _, key := range one.objects("Keys") {
			keys = append(keys, key.asItem())
		}
		for _, write := range tables.objects(name) {
			keys = append(keys, write.object("PutRequest").item("Item"), write.object("DeleteRequest").item("Key"))
		}
		for _, key := range keys {
			if a.table != nil {
				addLeading(a.context, a.table.key, key)
			}
			addNames(a.context, key)
		}
		l = append(l, a)
	}
	return l
}

// asItem is the object as the item that it is.
func (m members) asItem() attr.Item {
	text, err := json.Marshal(m)
	if err != nil {
		return attr.Item{}
	}
	it, err := attr.ParseItem(text)
	if err != nil {
		return attr.Item{}
	}
	return it
}

// transactAccesses are those of a transaction's actions, each by itself (transaction-apis-iam).
func (e *session) transactAccesses(m members) (l []access) {
	actions := map[string]string{"Get": "GetItem", "Put": "PutItem", "Update": "UpdateItem", "Delete": "DeleteItem", "ConditionCheck": "ConditionCheckItem"}
	for _, item := range m.objects("TransactItems") {
		for _, member := range slices.Sorted(maps.Keys(item)) {
			if actions[member] == "" {
				continue
			}
			a := e.access(actions[member], item.object(member))
			a.context["dynamodb:enclosingoperation"] = []string{e.operation}
			l = append(l, a)
		}
	}
	return l
}

// itemContext is what policies may ask about an operation on items (specifying-conditions.html).
func itemContext(c map[string][]string, action string, key expr.KeySchema, m members) {
	for _, name := range []string{"Key", "Item"} {
		it := m.item(name)
		addLeading(c, key, it)
		addNames(c, it)
	}
	if action == "Query" {
		addQueried(c, key, m)
	}
	var names map[string]string
	_ = json.Unmarshal(m["ExpressionAttributeNames"], &names)
	for _, name := range []string{"ProjectionExpression", "FilterExpression", "KeyConditionExpression", "ConditionExpression", "UpdateExpression"} {
		for _, attribute := range namedIn(m.text(name), names) {
			add(c, "dynamodb:attributes", attribute)
		}
	}
	for _, name := range []string{"Expected", "AttributeUpdates", "KeyConditions", "QueryFilter", "ScanFilter"} {
		for _, attribute := range slices.Sorted(maps.Keys(m.object(name))) {
			add(c, "dynamodb:attributes", attribute)
		}
	}
	var legacy []string
	_ = json.Unmarshal(m["AttributesToGet"], &legacy)
	for _, attribute := range legacy {
		add(c, "dynamodb:attributes", attribute)
	}
	switch action {
	case "PutItem", "UpdateItem", "DeleteItem":
		c["dynamodb:returnvalues"] = []string{orNone(m.text("ReturnValues"))}
	case "GetItem", "BatchGetItem", "Query", "Scan":
		selected := m.text("Select")
		switch {
		case selected != "":
		case m["ProjectionExpression"] != nil || m["AttributesToGet"] != nil:
			selected = "SPECIFIC_ATTRIBUTES"
		case m["IndexName"] != nil:
			selected = "ALL_PROJECTED_ATTRIBUTES"
		default:
			selected = "ALL_ATTRIBUTES"
		}
		c["dynamodb:select"] = []string{selected}
	}
	c["dynamodb:returnconsumedcapacity"] = []string{orNone(m.text("ReturnConsumedCapacity"))}
}

func orNone(s string) string {
	if s == "" {
		return "NONE"
	}
	return s
}

// add adds a value to a context key, once.
func add(c map[string][]string, key, value string) {
	if !slices.Contains(c[key], value) {
		c[key] = append(c[key], value)
	}
}

func addNames(c map[string][]string, it attr.Item) {
	for i := range it.Len() {
		add(c, "dynamodb:attributes", it.At(i).Name)
	}
}

// addLeading adds the values of the partition key.
func addLeading(c map[string][]string, key expr.KeySchema, it attr.Item) {
	for _, a := range key.Hash {
		if text, ok := plainText(it.Get(a.Name)); ok {
			add(c, "dynamodb:leadingkeys", text)
		}
	}
}

// addQueried adds the values of the partition key that a Query asks for.
func addQueried(c map[string][]string, key expr.KeySchema, m members) {
	if text := m.text("KeyConditionExpression"); text != "" {
		var names map[string]string
		_ = json.Unmarshal(m["ExpressionAttributeNames"], &names)
		values := map[string]attr.Value{}
		it := m.item("ExpressionAttributeValues")
		for i := range it.Len() {
			values[it.At(i).Name] = it.At(i).Value
		}
		condition, err := expr.ParseKeyCondition(text, expr.NewSubstitutions(names, values), key)
		if err != nil {
			return
		}
		for _, v := range condition.Hash() {
			if text, ok := plainText(v); ok {
				add(c, "dynamodb:leadingkeys", text)
			}
		}
		return
	}
	conditions := m.object("KeyConditions")
	for _, a := range key.Hash {
		var l []json.RawMessage
		_ = json.Unmarshal(conditions.object(a.Name)["AttributeValueList"], &l)
		for _, v := range l {
			if text, ok := plainText(members{"v": v}.asItem().Get("v")); ok {
				add(c, "dynamodb:leadingkeys", text)
			}
		}
	}
}

// plainText is a key's value as policies compare it.
func plainText(v attr.Value) (string, bool) {
	switch v.Kind() {
	case attr.KindS:
		return v.Str(), true
	case attr.KindN:
		return v.Number().String(), true
	case attr.KindB:
		return base64.StdEncoding.EncodeToString(v.Bytes()), true
	}
	return "", false
}

// namedIn are the attributes that an expression names at the beginning of its paths: words that are no function,
// keyword or placeholder of a value. It takes texts that are no expression, which the operation refuses.
func namedIn(text string, names map[string]string) (l []string) {
	letter := func(c byte) bool {
		return c == '_' || c == '#' || c == ':' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
	}
	nested := false // what follows is behind a dot
	for i := 0; i < len(text); {
		if !letter(text[i]) {
			if text[i] != ' ' && text[i] != '\t' && text[i] != '\n' && text[i] != '\r' {
				nested = text[i] == '.'
			}
			i++
			continue
		}
		from := i
		for i < len(text) && letter(text[i]) {
			i++
		}
		word := text[from:i]
		called := strings.HasPrefix(strings.TrimLeft(text[i:], " \t\r\n"), "(")
		switch {
		case nested, word[0] == ':', '0' <= word[0] && word[0] <= '9':
		case word[0] == '#':
			if name, ok := names[word]; ok {
				l = append(l, name)
			}
		case called && !strings.EqualFold(word, "in"), expressionWords[strings.ToUpper(word)]:
		default:
			l = append(l, word)
		}
		nested = false
	}
	return l
}

// expressionWords are reserved: no attribute can be named by them.
var expressionWords = map[string]bool{"AND": true, "OR": true, "NOT": true, "BETWEEN": true, "IN": true,
	"SET": true, "REMOVE": true, "ADD": true, "DELETE": true}
