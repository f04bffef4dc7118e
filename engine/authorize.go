package engine

import (
	"encoding/base64"
	"maps"
	"strings"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/engine/internal/iam"
	"github.com/tablewright/tablewright/expr"
	"github.com/tablewright/tablewright/wire"
)

// Who has signed a request may do what policies allow: the identity policy of the user, and the resource policy of each
// table that is named. What is asked of them is taken from what the operation itself works on, its input as package wire
// decodes it and its expressions as the operation parses them (accesses.go): a request cannot say one thing to the policies
// and another to the operation. Tables and streams are found afterwards only if the policies were asked about them.

// access is one thing that a request does to one resource.
type access struct {
	action   string // without its service
	resource string // ARN, or "*"
	table    *table // whose policy has a say; nil if there is none
	stream   string // label of the table's stream that it is about; empty: the table or an index
	key      expr.KeySchema
	context  map[string][]string
	has      map[[2]string]bool // which values context has under which key
	unread   bool               // something of it could not be read: the operation must refuse it
}

// permitted is what the policies were asked about.
type permitted struct {
	tables  map[string]*table // by name, as they were then
	streams map[string]bool   // by ARN
}

// authorize refuses a request that the caller's policies and the tables' do not allow, or that the operation cannot read.
func (e *session) authorize(body []byte) error {
	read := readers[e.operation]
	if read == nil {
		return e.denied(&access{action: e.operation, resource: "*"}, "")
	}
	accesses, err := read(e, body)
	if err != nil {
		return err // as the operation would
	}
	common := e.caller.context(e)
	found := &permitted{tables: map[string]*table{}, streams: map[string]bool{}}
	unread := false
	for _, a := range accesses {
		maps.Copy(a.context, common)
		if err := e.decide(a); err != nil {
			return err
		}
		unread = unread || a.unread
		if a.table != nil {
			found.tables[a.table.name] = a.table
		}
		if a.stream != "" {
			found.streams[a.resource] = true
		}
	}
	if unread { // the operation refuses it before it looks for tables; if it did not, it would find none
		found = &permitted{}
	}
	e.permitted = found
	return nil
}

// permits reports whether the policies that have a say about a table were asked, of this table and not of another one that
// had its name.
func (e *session) permits(t *table) bool {
	if e.permitted == nil {
		return true
	}
	asked := e.permitted.tables[t.name]
	return asked != nil && asked.space == t.space
}

// permitsStream is permits of a stream, which may have outlived its table.
func (e *session) permitsStream(arn string) bool {
	return e.permitted == nil || e.permitted.streams[arn]
}

// decide asks the policies that have a say: what one denies is denied, what one allows is allowed
// (reference_policies_evaluation-logic, within one account).
func (e *session) decide(a *access) error {
	action := "dynamodb:" + a.action
	r := &iam.Request{Caller: e.caller.Caller, Action: action, Resource: a.resource, Context: a.context}
	identity, resource := e.caller.identity.Decide(r), iam.Silent
	if a.table != nil {
		resource = a.table.policies[a.stream].Decide(r)
	}
	switch {
	case identity == iam.Denied:
		return e.denied(a, " with an explicit deny in an identity-based policy")
	case resource == iam.Denied:
		return e.denied(a, " with an explicit deny in a resource-based policy")
	case identity == iam.Allowed || resource == iam.Allowed || e.caller.admin:
		return nil
	}
	return e.denied(a, " because no identity-based policy allows the "+action+" action")
}

func (e *session) denied(a *access, why string) *wire.Error {
	return wire.NewError("AccessDeniedException", "User: "+e.caller.ARN+" is not authorized to perform: dynamodb:"+a.action+" on resource: "+a.resource+why)
}

// onTable is an access to a table, which the request names or has the ARN of, or to an index of it; without any of them to
// nothing in particular.
func (e *session) onTable(action, table, index string) *access {
	a := &access{action: action, resource: "*", context: map[string][]string{}}
	if table == "" {
		return a
	}
	a.resource = e.here(table)
	if !strings.HasPrefix(table, "arn:") {
		a.resource = e.arn(table)
	}
	e.about(a, e.nameOf(table))
	if index == "" {
		return a
	}
	a.resource += "/index/" + index
	if a.table != nil {
		if x := a.table.index(index); x != nil {
			a.key = x.key
		}
	}
	return a
}

// onARN is an access to what the request has the ARN of: a table or one of its streams.
func (e *session) onARN(action, arn string) *access {
	arn = e.here(arn)
	a := &access{action: action, resource: arn, context: map[string][]string{}}
	name, own := strings.CutPrefix(arn, e.arn(""))
	if !own {
		return a
	}
	name, sub, _ := strings.Cut(name, "/")
	a.stream, _ = strings.CutPrefix(sub, "stream/")
	if a.stream == sub {
		a.stream = ""
	}
	e.about(a, name)
	return a
}

// about is the table that an access is about, if it exists.
func (e *session) about(a *access, name string) {
	if a.table = e.catalog.Load().byID[e.id(name)]; a.table == nil {
		return
	}
	a.key = a.table.key
	for _, t := range a.table.def.Create.Tags {
		a.add("aws:resourcetag/"+strings.ToLower(t.Key), t.Value)
	}
}

// add adds a value to a context key, once.
func (a *access) add(key, value string) {
	k := [2]string{key, value}
	if a.has[k] {
		return
	}
	if a.has == nil {
		a.has = map[[2]string]bool{}
	}
	a.has[k] = true
	a.context[key] = append(a.context[key], value)
}

// tags adds the tags that a request brings.
func (a *access) tags(l []wire.Tag) {
	for _, t := range l {
		a.add("aws:requesttag/"+strings.ToLower(t.Key), t.Value)
		a.add("aws:tagkeys", t.Key)
	}
}

// item adds an item or key: the value of its partition key and the names of its attributes.
func (a *access) item(it attr.Item) {
	a.leading(it)
	for i := range it.Len() {
		a.attribute(it.At(i).Name)
	}
}

func (a *access) attribute(name string) { a.add("dynamodb:attributes", name) }

// paths adds the attributes that expressions name.
func (a *access) paths(l []expr.Path) {
	for _, p := range l {
		a.attribute(p.Attribute())
	}
}

// leading adds the values of the partition key.
func (a *access) leading(it attr.Item) {
	for _, k := range a.key.Hash {
		a.leadingValue(it.Get(k.Name))
	}
}

func (a *access) leadingValue(v attr.Value) {
	text := ""
	switch v.Kind() {
	case attr.KindS:
		text = v.Str()
	case attr.KindN:
		text = v.Number().String()
	case attr.KindB:
		text = base64.StdEncoding.EncodeToString(v.Bytes())
	default:
		return
	}
	a.add("dynamodb:leadingkeys", text)
}

// selects adds what a reading operation answers of items.
func (a *access) selects(asked string, projects, indexed bool) {
	switch {
	case asked != "":
	case projects:
		asked = "SPECIFIC_ATTRIBUTES"
	case indexed:
		asked = "ALL_PROJECTED_ATTRIBUTES"
	default:
		asked = "ALL_ATTRIBUTES"
	}
	a.add("dynamodb:select", asked)
}

// returns adds what a writing operation answers.
func (a *access) returns(values string) { a.add("dynamodb:returnvalues", orNone(values)) }

func (a *access) reports(consumed string) {
	a.add("dynamodb:returnconsumedcapacity", orNone(consumed))
}

func orNone(s string) string {
	if s == "" {
		return "NONE"
	}
	return s
}
