package stats

import (
	"encoding/json"
	"maps"
	"sync"
	"sync/atomic"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/expr"
)

// A statement of PartiQL is counted as what it does: its text is read once and becomes the shape of the operation that does the
// same, and a call fills in its parameters. From there on it is seen as such a call is.

// statements are those that were met, by their texts as they stand in requests.
type statements struct {
	known atomic.Pointer[map[string]*statement]
	full  atomic.Bool // there is no room for more
	mu    sync.Mutex  // of who adds one
	bytes int         // of their texts
}

// statementsKept bounds how many texts are known, values in them not counted, statementLongest how long one is, in JSON, and statementBytes
// all together: others are counted, and not looked into. The service takes 8,192 characters (API_ExecuteStatement).
const (
	statementsKept   = 1 << 11
	statementLongest = 1 << 14
	statementBytes   = 1 << 20
)

// statement is a text that was read.
type statement struct {
	text    string        // as it stands in requests
	begin   string        // of a request with it, which ends with text
	outline *expr.Outline // nil: it is none that can be read
	pieces  *pieces       // of a text with values in it
	table   string        // at the service
	shape   atomic.Pointer[shapeThen]
}

// shapeThen is the shape of a statement by what was known of tables then.
type shapeThen struct {
	statementShape
	known *map[string]*tableKeys
	keys  *tableKeys
	table string // as declared
}

// find is the statement with a text, which is a JSON string; nil if there are too many.
func (x *statements) find(s *scratch, text []byte) *statement {
	if one := s.statement; one != nil {
		switch {
		case one.text == string(text):
			return one
		case one.pieces.find(&s.opened, text):
			s.give(one.pieces.order, text)
			return one
		}
	}
	one := x.get(text)
	if one == nil && s.opened.read(text) {
		if one = x.read(s.opened.text, s.opened.pieces, text); one.readable() != nil {
			s.give(s.opened.order, text)
		} else {
			one = nil
		}
	}
	if one == nil {
		one = x.read(text, nil, nil)
	}
	s.statement = one
	return one
}

func (t *statement) readable() *statement {
	if t == nil || t.outline == nil {
		return nil
	}
	return t
}

// read is the statement with a text; nil where no more are kept. If there are pieces it is a text without its values, which come from
// another one.
func (x *statements) read(text []byte, pieces func(of []byte) *pieces, of []byte) *statement {
	if one := x.get(text); one != nil || x.full.Load() || len(text) > statementLongest {
		return one
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if one := x.get(text); one != nil || x.full.Load() {
		return one
	}
	with := map[string]*statement{}
	if known := x.known.Load(); known != nil {
		with = maps.Clone(*known)
	}
	begin := statementMember + string(text)
	one := &statement{text: begin[len(statementMember):], begin: begin}
	if pieces != nil {
		one.pieces = pieces(of)
	}
	var plain string
	if json.Unmarshal(text, &plain) == nil {
		if o, err := expr.ParseOutline(plain); err == nil {
			one.outline = o
			_, one.table = cutLast(":table/"+o.Table, ":table/") // it may be an ARN
		}
	}
	with[one.text] = one
	x.known.Store(&with)
	x.bytes += len(text)
	x.full.Store(len(with) >= statementsKept || x.bytes >= statementBytes)
	return one
}

// statementMember is what a request begins with that the client writes.
const statementMember = `{"Statement":`

// get is the statement with a text; nil if it is not known.
func (x *statements) get(text []byte) *statement {
	if known := x.known.Load(); known != nil {
		return (*known)[string(text)]
	}
	return nil
}

// shapeOf is what a statement of a call is, by what is known of its table.
func (c *Collector) shapeOf(t *statement, call *tablewright.Call) *shapeThen {
	known := c.tables.known.Load()
	if then := t.shape.Load(); then != nil && then.known == known && (call.Table == "" || then.keys != nil && same(call.Table, then.table)) {
		return then
	}
	table := call.Table
	if table == "" {
		table = call.DeclaredName([]byte(t.table))
	}
	keys := c.tables.of(call, table)
	if then := t.shape.Load(); then != nil && then.keys == keys && then.table == table {
		if then.known != c.tables.known.Load() {
			again := *then
			again.known = c.tables.known.Load()
			t.shape.Store(&again)
		}
		return then
	}
	then := &shapeThen{*shapeOf(t.outline, keys), c.tables.known.Load(), keys, table}
	t.shape.Store(then)
	return then
}

// readStatement finds out what a call of ExecuteStatement does, and what its keys are.
func (c *Collector) readStatement(s *scratch, call *tablewright.Call) (partition, item []byte) {
	k := attr.Skim(call.Request)
	var known *statement
	if last := s.statement; last != nil {
		if n := len(last.begin); len(call.Request) > n && string(call.Request[:n]) == last.begin { // the text need not be looked for
			k, known = attr.Skim(call.Request[n:]), last
		}
	}
	of := c.statementOf(s, call, known, &k, &s.request)
	e := &s.event
	e.Resumed = e.Resumed || s.request.resumed
	if s.stated, s.parsed = of != nil, of == nil; of == nil {
		asks, resumed := s.request.asks, s.request.resumed
		s.request.forget()
		s.request.asks, s.request.resumed = asks, resumed
		return nil, nil
	}
	if e.Table == "" {
		e.Table = of.table
	}
	if of.does == "" {
		return nil, nil
	}
	s.kind, e.As, e.Index = of.kind, of.does, s.statement.outline.Index
	switch of.kind {
	case getCall: // nothing follows one item
		e.More = false
	case putCall, updateCall, deleteCall: // what RETURNING answers was not looked for
		e.Items, e.Scanned = 0, 0
	}
	return s.keyOf(of.partition), s.keyOf(of.item)
}

// statementOf reads a statement, unless it is known, and what comes with it; of is nil if it cannot be read. What the request of
// another operation would have is filled in by fill.
func (c *Collector) statementOf(s *scratch, call *tablewright.Call, t *statement, k *attr.Skimmer, r *request) (of *shapeThen) {
	r.of, r.asks, r.resumed = nil, 0, false // the rest, which fill reads or leaves, is forgotten there
	s.given = s.given[:0]
	var text []byte
	for name, ok := k.Member(); ok; name, ok = k.Member() {
		switch string(name) {
		case "Statement":
			text = k.Value()
		case "Parameters":
			for k.Element() {
				s.given = append(s.given, k.Value())
			}
		default:
			r.member(name, k)
		}
	}
	if t == nil {
		t = c.statements.find(s, text)
	}
	if t = t.readable(); t != nil {
		of = c.shapeOf(t, call)
		r.of = of
	}
	return of
}

// keyOf is a key of these values; nil if there is none.
func (s *scratch) keyOf(values []namedValue) []byte {
	if len(values) == 0 {
		return nil
	}
	start := len(s.text)
	if !s.object(values) {
		s.text = s.text[:start]
		return nil
	}
	return s.text[start:len(s.text):len(s.text)]
}

// object writes values down.
func (s *scratch) object(values []namedValue) bool {
	s.text = append(s.text, '{')
	for i := range values {
		value := values[i].of(s.given)
		if value == nil {
			return false
		}
		if i > 0 {
			s.text = append(s.text, ',')
		}
		s.text = append(append(s.text, values[i].member...), value...)
	}
	s.text = append(s.text, '}')
	return true
}

// fill fills in what the request of the operation would have that does the same as a statement.
func (s *scratch) fill(r *request) {
	of, asks, resumed := r.of, r.asks, r.resumed
	r.forget()
	r.of, r.asks, r.resumed, r.after = of, asks|of.asks, resumed, of.after
	start := len(s.text)
	if of.puts && s.object(of.fields) {
		k := attr.Skim(s.text[start:len(s.text):len(s.text)])
		r.fields, r.item = k.AppendFields(r.fields[:0])
		return
	}
	s.text = s.text[:start]
	for i := range of.fields {
		if v := of.fields[i].of(s.given); v != nil {
			name := of.fields[i].member
			r.fields = append(r.fields, attr.RawField{Name: name[1 : len(name)-2], Value: v, Size: len(name) - 3 + attr.ValueSize(v)})
		}
	}
}

// sets is the value that a statement sets an attribute to, if it comes with it.
func (s *scratch) sets(of *shapeThen, attribute string) json.RawMessage {
	for i := range of.statementShape.sets {
		if v := &of.statementShape.sets[i]; v.name == attribute {
			return v.of(s.given)
		}
	}
	return nil
}

// readStatements reads the statements of a batch or transaction, and yields each as a part.
func (c *Collector) readStatements(s *scratch, call *tablewright.Call, k *attr.Skimmer, yield func(p *groupPart)) {
	e := &s.event
	for k.Element() {
		of := c.statementOf(s, call, nil, k, &s.action)
		if of == nil {
			s.gaps = true
			continue
		}
		s.fill(&s.action)
		s.request.partAsks |= s.action.asks
		e.As = groupOf(call.Operation, of.action)
		switch e.As {
		case "BatchGetItem":
			e.Scanned = e.Items
		case "BatchWriteItem":
			e.Items, e.Scanned = 0, 0
		}
		s.part = groupPart{action: of.action, table: of.table, keys: of.keys, fields: s.action.fields, item: s.action.item, of: &s.action}
		yield(&s.part)
	}
}

// groupOf is the operation that does the same as a batch or transaction of statements: all of them read, or all write.
func groupOf(operation, action string) string {
	batch := operation == "BatchExecuteStatement"
	switch {
	case batch && action == "Get":
		return "BatchGetItem"
	case batch:
		return "BatchWriteItem"
	case action == "Get":
		return "TransactGetItems"
	}
	return "TransactWriteItems"
}

// failed counts the statements of a batch that failed for themselves: those whose condition did not hold, and those that the service
// left (API_BatchStatementError).
func (e *Event) failed(answer []byte) {
	for one := range attr.Elements(attr.LookupRaw(answer, "Responses")) {
		failure := attr.LookupRaw(one, "Error")
		if failure == nil {
			continue
		}
		switch string(attr.LookupRaw(failure, "Code")) {
		case `"ConditionalCheckFailed"`, `"DuplicateItem"`:
			e.Refused++
		case `"ThrottlingError"`, `"ProvisionedThroughputExceeded"`, `"RequestLimitExceeded"`:
			e.Unprocessed++
		}
	}
}

// learnStatement takes what a statement tells of the names of key attributes, where nobody declared the table. An UPDATE or DELETE compares
// the whole key by =; where it compares more, the key's attributes are those with usual names (see keyName). In other statements both
// attributes have to have usual names.
func (t *tables) learnStatement(of *shapeThen, o *expr.Outline) {
	if of == nil || of.keys != nil && (of.keys.declared != nil || !of.keys.half) {
		return
	}
	var names []string
	switch o.Verb {
	case expr.VerbUpdate, expr.VerbDelete:
		for _, term := range o.Terms {
			if !term.Value.IsZero() && (len(o.Terms) == 1 || keyName([]byte(term.Attribute)) != 0) {
				names = append(names, term.Attribute)
			}
		}
		if len(names) == 1 && len(o.Terms) > 1 {
			return
		}
	case expr.VerbSelect:
		for _, term := range o.Terms {
			if !term.Value.IsZero() && keyName([]byte(term.Attribute)) != 0 {
				names = append(names, term.Attribute)
			}
		}
	case expr.VerbInsert:
		for _, f := range o.Fields {
			if keyName([]byte(f.Attribute)) != 0 {
				names = append(names, f.Attribute)
			}
		}
	}
	if o.Verb != expr.VerbUpdate && o.Verb != expr.VerbDelete && (len(names) != 2 || of.keys != nil || o.Index != "") {
		return
	}
	t.learnKey(of.table, of.keys, names)
}
