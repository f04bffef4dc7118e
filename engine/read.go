package engine

import (
	"bytes"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/engine/internal/kv"
	"github.com/tablewright/tablewright/engine/internal/throttle"
	"github.com/tablewright/tablewright/expr"
	"github.com/tablewright/tablewright/wire"
)

// reading is a Query or Scan being prepared: what both have in common.
type reading struct {
	in         *wire.Reading
	filter     *expr.Condition
	projection *expr.Projection
	count      bool // only numbers are wanted

	table    *table
	index    *index // nil: the table itself
	space    kv.Space
	from, to []byte
	backward bool
	fetch    bool // a local index is asked for more than it projects: items are read from the table
	partial  bool // they are read for the filter only
	single   bool // the whole key of the table is given: nothing follows the one item
}

// question is what Query and Scan are asked for in parameters of their own names.
type question struct {
	query      bool
	key        *string           // KeyConditionExpression
	keys       []wire.Comparison // KeyConditions
	filterName string            // "QueryFilter" or "ScanFilter"
	filter     []wire.Comparison
}

// static does the checks before the table is known. A Query has a key condition.
func (q *reading) static(a *question, segments func() *wire.Error) (key *expr.KeyExpression, err *wire.Error) {
	in := q.in
	kinds := []text{{expr.ProjectionExpression, in.ProjectionExpression}, {expr.FilterExpression, in.FilterExpression}}
	if a.query {
		kinds = append(kinds, text{expr.KeyConditionExpression, a.key})
	}
	old := given(parameter{"AttributesToGet", len(in.AttributesToGet) > 0}, parameter{a.filterName, len(a.filter) > 0},
		parameter{"ConditionalOperator", in.ConditionalOperator != ""},
		// KeyConditions go with expressions other than their own (captured on AWS).
		parameter{"KeyConditions", len(a.keys) > 0 && a.key != nil})
	if err := plain.parameters(old, &in.Expressions, kinds...); err != nil {
		return nil, err
	}
	if q.filter, err = plain.compare(a.filter, in.ConditionalOperator); err != nil {
		return nil, err
	}
	if q.projection, err = plain.attributesToGet(in.AttributesToGet); err != nil {
		return nil, err
	}
	if in.StartKey != nil {
		if err := plain.attributes(in.StartKey); err != nil {
			return nil, err
		}
	}
	if segments != nil {
		if err := segments(); err != nil {
			return nil, err
		}
	}
	s, err := plain.substitutions(&in.Expressions)
	if err != nil {
		return nil, err
	}
	if in.FilterExpression != nil {
		if q.filter, err = parse(plain, in.FilterExpression, s, expr.ParseFilter); err != nil {
			if a.query { // the size of what is too long is told by Scan alone
				err.Message, _, _ = strings.Cut(err.Message, " expression size: ")
			}
			return nil, err
		}
	}
	if in.ProjectionExpression != nil {
		if q.projection, err = parse(plain, in.ProjectionExpression, s, expr.ParseProjection); err != nil {
			return nil, err
		}
	}
	switch {
	case a.key != nil:
		key, err = parse(plain, a.key, s, expr.ParseKey)
	case a.query && a.keys != nil:
		key, err = plain.keyConditions(a.keys)
	}
	if err != nil {
		return nil, err
	}
	if err := plain.unused(s); err != nil {
		return nil, err
	}
	if a.query && a.key == nil && a.keys == nil {
		return nil, wire.Invalid("Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.")
	}
	return key, q.checkSelect(a.query)
}

// checkSelect checks Select against the other parameters.
func (q *reading) checkSelect(query bool) *wire.Error {
	in := q.in
	projects, with := true, "ProjectionExpression"
	switch {
	case in.ProjectionExpression != nil:
	case len(in.AttributesToGet) > 0:
		with = "AttributesToGet"
	default:
		projects = false
	}
	prefix := ""
	if query { // Query has the prefix here, Scan not (captured on AWS, 2026)
		prefix = expr.Prefix
	}
	switch in.Select {
	case "COUNT":
		q.count = true
		if projects {
			return wire.Invalid("Cannot specify the " + with + " when choosing to get only the Count")
		}
	case "ALL_ATTRIBUTES":
		if projects {
			return wire.Invalid("Cannot specify the " + with + " when choosing to get ALL_ATTRIBUTES")
		}
	case "ALL_PROJECTED_ATTRIBUTES":
		if projects {
			return wire.Invalid("Cannot specify the " + with + " when choosing to get ALL_PROJECTED_ATTRIBUTES")
		}
		if in.IndexName == nil {
			return wire.Invalid(prefix + "ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName")
		}
	case "SPECIFIC_ATTRIBUTES":
		if !projects {
			return wire.Invalid(prefix + "Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES")
		}
	}
	return nil
}

// find looks for the table and index and checks what depends on them.
func (q *reading) find(e *session) error {
	in := q.in
	t, err := e.lookup(in.TableName)
	if err != nil {
		return err
	}
	q.table, q.space = t, t.space
	if in.IndexName == nil {
		return nil
	}
	x := t.index(*in.IndexName)
	if x == nil {
		return wire.Invalid("The table does not have the specified index: " + *in.IndexName)
	}
	q.index, q.space = x, x.space
	if x.kind == globalIndex {
		if in.ConsistentRead {
			return wire.Invalid("Consistent reads are not supported on global secondary indexes")
		}
		if x.beingMade(e.nanoseconds()) {
			return wire.Invalid("Cannot read from backfilling global secondary index: " + x.name)
		}
		if in.Select == "ALL_ATTRIBUTES" && x.entries.Projection != capacity.All {
			return wire.Invalid(inv + "Select type ALL_ATTRIBUTES is not supported for global secondary index " + x.name +
				" because its projection type is not ALL")
		}
	}
	return nil
}

// checkProjected looks for attributes that the index does not have: a global index refuses them; for a local one they
// are read from the table, but a Query may not filter by them.
func (q *reading) checkProjected(query bool) error {
	x := q.index
	if x == nil || x.entries.Projection == capacity.All {
		return nil
	}
	missing := func(paths []expr.Path) (names []string) {
		for _, p := range paths {
			if n := p.Attribute(); !x.entries.Projects(n) && !slices.Contains(names, n) {
				names = append(names, n)
			}
		}
		slices.Sort(names)
		return names
	}
	var wanted, filtered []string
	if q.projection != nil {
		wanted = missing(q.projection.Paths())
	}
	if q.filter != nil {
		filtered = missing(q.filter.Paths())
	}
	if x.kind == localIndex {
		whole := len(wanted) > 0 || q.in.Select == "ALL_ATTRIBUTES"
		q.fetch = whole || len(filtered) > 0
		q.partial = q.fetch && !whole
		if !query || len(filtered) == 0 {
			return nil
		}
		wanted = nil
	}
	if len(wanted) > 0 {
		return wire.Invalid(inv + "Global secondary index " + x.name + " does not project [" + strings.Join(wanted, ", ") + "]")
	}
	if len(filtered) > 0 && query { // a Scan filters by what entries have (seen on DynamoDB Local)
		return wire.Invalid(inv + "Secondary index " + x.name + " does not project one or more filter attributes: [" + strings.Join(filtered, ", ") + "]")
	}
	return nil
}

// schema is the key of what is read.
func (q *reading) schema() expr.KeySchema {
	if q.index != nil {
		return q.index.key
	}
	return q.table.key
}

// keyNames are the attributes of a cursor: the keys of index and table, each once.
func (q *reading) keyNames() []string {
	if q.index == nil {
		return q.table.names
	}
	names := slices.Clone(q.index.entries.Key)
	for _, n := range q.table.names {
		if !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	return names
}

// checkStart checks the form of ExclusiveStartKey: exactly the attributes of a cursor, of their types. It need not be
// the key of an item.
func (q *reading) checkStart() bool {
	key := q.in.StartKey
	if key.Len() != len(q.keyNames()) {
		return false
	}
	check := func(s expr.KeySchema) bool {
		for _, a := range attributesOf(s) {
			if v := key.Get(a.Name); v.Kind() != a.Kind || emptyKind(v) != "" {
				return false
			}
		}
		return true
	}
	return check(q.table.key) && check(q.schema())
}

// startAt is the key in the space read that the cursor stands for.
func (q *reading) startAt() []byte {
	if q.index == nil {
		return q.table.itemKey(q.in.StartKey.Item)
	}
	return q.table.entryKey(q.index, q.in.StartKey.Item)
}

// resume narrows the bounds to what follows a key, which has no key behind it that begins with it.
func (q *reading) resume(after []byte) {
	switch {
	case q.backward && (q.to == nil || bytes.Compare(after, q.to) < 0):
		q.to = after
	case !q.backward && bytes.Compare(after, q.from) >= 0:
		q.from = append(after, 0)
	}
}

// run reads one page.
func (q *reading) run(e *session) ([]byte, error) {
	if q.index != nil && q.index.kind == globalIndex {
		_ = e.showDue() // where nothing can be written reads go on, with what the index has
	}
	first := q.from
	if q.backward {
		first = q.to
	}
	if err := e.allow(nil, q.table, q.index, throttle.Read, first); err != nil {
		return nil, err
	}
	var answer []byte
	err := e.store.View(func(r kv.Reader) error {
		t, err := e.shown(q.table)
		if err != nil {
			return err
		}
		if q.index != nil { // it may be gone meanwhile, also for another one of the same name
			if x := t.index(q.index.name); x == nil || x.space != q.space {
				return wire.Invalid("The table does not have the specified index: " + q.index.name)
			}
		}
		p := page{q: q, r: r, limited: e.throttle != nil}
		if !q.count {
			items := pages.Get().(*wire.RawList)
			items.Reset()
			defer pages.Put(items)
			p.out.Items = items
		}
		if q.backward {
			r.Descend(q.space, q.from, q.to, p.entry)
		} else {
			r.Ascend(q.space, q.from, q.to, p.entry)
		}
		answer = p.answer()
		return p.consumed(e.Engine)
	})
	return answer, err
}
