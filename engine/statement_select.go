package engine

import (
	"bytes"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/engine/internal/kv"
	"github.com/tablewright/tablewright/expr"
	"github.com/tablewright/tablewright/wire"
)

// A SELECT reads the partitions that its condition names with = or IN, or else all of the table or index (page
// ql-reference.select); the whole condition decides about each item that is read.

// selection is a SELECT being prepared.
type selection struct {
	*partiql
	at       reading // table or index, and what of it is fetched
	parts    []part  // in the order in which they are read; one without bounds for a scan
	keyed    bool    // the condition leads to partitions
	strong   bool    // ConsistentRead
	limit    *int    // items to look at
	backward bool    // in each partition
	single   bool    // the condition leads to one item of the table: nothing follows it
}

// part is a range of keys: all of it in one partition, unless it is a scan.
type part struct {
	hash     []attr.Value
	from, to []byte
	exact    bool // all RANGE attributes have a value
}

// sameAs reports whether both are of one partition.
func (p part) sameAs(o part) bool { return slices.EqualFunc(p.hash, o.hash, attr.Equal) }

// pageOfPartitions is how many values of a list on the partition key a page gets to, after which NextToken leads on (page
// ql-operators).
const pageOfPartitions = 10

// selectPage reads a page.
func (e *session) selectPage(s *partiql, in *wire.ExecuteStatementInput, out *wire.ExecuteStatementOutput) error {
	q := selection{partiql: s, at: reading{table: s.table, space: s.table.space}, strong: in.ConsistentRead, limit: in.Limit}
	if err := q.findIndex(e.nanoseconds()); err != nil {
		return err
	}
	if err := q.plan(); err != nil {
		return err
	}
	if err := q.checkColumns(); err != nil {
		return err
	}
	q.single = q.at.index == nil && q.keyed && len(q.parts) == 1 && q.parts[0].exact
	if in.NextToken != nil {
		if err := q.resume(*in.NextToken); err != nil {
			return err
		}
	}
	if q.at.index != nil && q.at.index.kind == globalIndex {
		_ = e.showDue() // where nothing can be written reads go on, with what the index has
	}
	return e.store.View(func(r kv.Reader) error {
		t, err := e.shown(s.table)
		if err != nil {
			return err
		}
		if q.at.index != nil {
			if x := t.index(q.at.index.name); x == nil || x.space != q.at.space {
				return errNoIndex
			}
		}
		p := selectedPage{e: e, q: &q, r: r, out: out, m: meter{mode: in.ReturnConsumed}}
		if err := p.run(); err != nil {
			return err
		}
		out.ConsumedCapacity = p.m.one(s.table)
		return nil
	})
}

var errNoIndex = wire.Invalid("The table does not have the specified index") // captured on AWS, 2026: without its name

func (q *selection) findIndex(now int64) *wire.Error {
	if q.Index == "" {
		return nil
	}
	x := q.table.index(q.Index)
	if x == nil {
		return errNoIndex
	}
	q.at.index, q.at.space = x, x.space
	if x.kind != globalIndex {
		return nil
	}
	if q.strong { // captured on AWS, 2026
		return wire.Invalid("Strongly consistent read is not supported on Global Secondary Indexes")
	}
	if x.beingMade(now) {
		return wire.Invalid("Cannot read from backfilling global secondary index: " + x.name)
	}
	return nil
}

// plan finds the parts to read and their order.
func (q *selection) plan() *wire.Error {
	key := q.at.schema()
	boxes, keyed := q.Where.Boxes(key)
	q.keyed = keyed
	if err := q.checkTerms(key); err != nil {
		return err
	}
	down, err := q.directions(key)
	if err != nil {
		return err
	}
	if !keyed {
		q.parts = []part{{}}
		return nil
	}
	for _, b := range boxes {
		if p := partOf(b, key); bytes.Compare(p.from, p.to) < 0 {
			q.parts = append(q.parts, p)
		}
	}
	q.sort(down)
	return nil
}

// directions are what ORDER BY asks for: of the partitions, which is answered, and within them.
func (q *selection) directions(key expr.KeySchema) (down bool, err *wire.Error) {
	for _, o := range q.Order {
		named := func(a expr.KeyAttr) bool { return a.Name == o.Attribute }
		switch {
		case slices.ContainsFunc(key.Hash, named):
			down = o.Descending
		case slices.ContainsFunc(key.Range, named):
			q.backward = o.Descending
		default:
			return false, wire.Invalid("Variable reference " + o.Attribute + " in ORDER BY clause must be part of the primary key")
		}
	}
	if len(q.Order) > 0 && !q.keyed {
		return false, wire.Invalid("Must have at least one non-optional hash key condition in WHERE clause when using ORDER BY clause.")
	}
	return down, nil
}

// sort puts the parts in order, partitions by their values, and joins those that overlap.
func (q *selection) sort(down bool) {
	slices.SortFunc(q.parts, func(a, b part) int {
		if c := slices.CompareFunc(a.hash, b.hash, attr.Compare); c != 0 {
			return c
		}
		return bytes.Compare(a.from, b.from)
	})
	joined := q.parts[:0]
	for _, p := range q.parts {
		if n := len(joined); n > 0 && bytes.Compare(joined[n-1].from, p.from) <= 0 && bytes.Compare(p.from, joined[n-1].to) <= 0 &&
			joined[n-1].sameAs(p) {
			if bytes.Compare(p.to, joined[n-1].to) > 0 {
				joined[n-1].to, joined[n-1].exact = p.to, false
			}
			continue
		}
		joined = append(joined, p)
	}
	q.parts = joined
	before := func(a, b part) int { return slices.CompareFunc(a.hash, b.hash, attr.Compare) }
	switch {
	case down && q.backward:
		slices.Reverse(q.parts)
	case down:
		slices.SortStableFunc(q.parts, func(a, b part) int { return before(b, a) })
	case q.backward:
		slices.Reverse(q.parts)
		slices.SortStableFunc(q.parts, before)
	}
}

// partOf is the range of keys that a box stands for: RANGE attributes in the order of the schema, as far as there are
// equalities, and the terms of the one behind these.
func partOf(b expr.KeyBox, key expr.KeySchema) part {
	p := part{hash: b.Hash, from: partitionKey(b.Hash), exact: true}
	p.to = append(p.from[:len(p.from):len(p.from)], above)
	for _, a := range key.Range {
		prefix, fixed := p.from, false
		for _, t := range b.Range {
			if t.Attribute != a.Name {
				continue
			}
			from, to := termBounds(prefix, t)
			if bytes.Compare(from, p.from) > 0 {
				p.from = from
			}
			if bytes.Compare(to, p.to) < 0 {
				p.to = to
			}
			fixed = fixed || t.Op == expr.KeyEqual
		}
		if !fixed {
			p.exact = false
			break
		}
	}
	return p
}

// checkTerms checks the values that the condition compares key attributes with.
func (q *selection) checkTerms(key expr.KeySchema) *wire.Error {
	if n := q.Where.LongestIn(key.Hash[0].Name); n > maxInHash {
		return plain.refuse(expr.TooManyIn(n))
	}
	checked := attributesOf(key)
	if q.at.index != nil { // the table's key is in the index too
		checked = append(slices.Clone(checked), attributesOf(q.table.key)...)
	}
	for _, t := range q.Where.KeyTerms() {
		i := slices.IndexFunc(checked, func(a expr.KeyAttr) bool { return a.Name == t.Attribute })
		if i < 0 {
			continue
		}
		leads := q.keyed && t.Op != 0 && i < len(attributesOf(key))
		for _, v := range []attr.Value{t.Low, t.High} {
			switch {
			case v.IsZero():
			case v.Kind() != checked[i].Kind && leads:
				return wrongKeyType(t.Attribute)
			case v.Kind() != checked[i].Kind:
				return wire.Invalid(inv + "Condition parameter type does not match schema type")
			default:
				if err := emptyKey(v, t.Attribute); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// maxInHash is how many values an IN of a partition key may have (page ql-operators).
const maxInHash = 50

// checkColumns looks for attributes that the index does not have. A query of a global index refuses them, a scan of one
// finds them missing (captured on AWS, 2026); for a local index they are read from the table.
func (q *selection) checkColumns() *wire.Error {
	x := q.at.index
	if x == nil || x.entries.Projection == capacity.All {
		return nil
	}
	var wanted, tested []string
	for _, c := range q.Columns {
		wanted = x.missing(wanted, c.Path)
	}
	for _, p := range q.Where.Paths() {
		tested = x.missing(tested, p)
	}
	switch {
	case x.kind == localIndex:
		q.at.fetch = len(wanted)+len(tested) > 0
		q.at.partial = len(wanted) == 0
	case !q.keyed:
	case len(wanted) > 0:
		slices.Sort(wanted)
		return wire.Invalid(inv + "Global secondary index " + x.name + " does not project [" + strings.Join(wanted, ", ") + "]")
	case len(tested) > 0:
		slices.Sort(tested)
		return wire.Invalid(inv + "Secondary index " + x.name + " does not project one or more filter attributes: [" + strings.Join(tested, ", ") + "]")
	}
	return nil
}

// missing adds the path's attribute to names if the index does not have it.
func (x *index) missing(names []string, p expr.Path) []string {
	if name := p.Attribute(); !x.entries.Projects(name) && !slices.Contains(names, name) {
		return append(names, name)
	}
	return names
}
