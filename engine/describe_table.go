package engine

import (
	"slices"
	"strings"

	"github.com/tablewright/tablewright/engine/internal/kv"
	"github.com/tablewright/tablewright/wire"
)

// named finds a table for an operation on tables, whose message has the name.
func (e *session) named(name string) (*table, error) {
	name = e.nameOf(name)
	t := e.find(e.id(name))
	if t == nil || !e.permits(t) {
		return nil, wire.NewError(wire.CodeResourceNotFound, "Requested resource not found: Table: "+name+" not found")
	}
	return t, nil
}

func (e *session) describeTable(body []byte) ([]byte, error) {
	in, err := wire.DecodeNamedTable(body, "DescribeTableInput")
	if err != nil {
		return nil, err
	}
	_ = e.showDue() // where nothing can be written reads go on
	t, err := e.named(in.TableName)
	if err != nil {
		return nil, err
	}
	var out wire.TableOutput
	err = e.store.View(func(r kv.Reader) error {
		out.Table = e.describe(t, r)
		return nil
	})
	return out.Append(nil, true), err
}

func seconds(nanoseconds int64) float64 { return float64(nanoseconds/1e6) / 1e3 }

// describe is what DescribeTable answers.
func (e *session) describe(t *table, r kv.Reader) wire.TableDescription {
	def, now := t.def, e.nanoseconds()
	c := &def.Create
	s := statsOf(r, t.space)
	d := wire.TableDescription{
		Attributes: sortedDefinitions(c.Attributes), TableName: t.name, Key: c.Key, Status: active, Created: seconds(def.Created),
		SizeBytes: s.bytes, ItemCount: s.count, ARN: e.arn(t.name), ID: def.ID, DeletionProtection: c.DeletionProtection,
		OnDemand: c.OnDemand, SSE: e.describeEncryption(def, now), Warm: def.warmthNow().describe(now),
	}
	told := c // of what is told as it was while it is updated: provisioned throughput and class (captured on AWS, 2026-10)
	if is := def.State.at(now); is != "" {
		d.Status = is
		if is == updating && (def.Doing == doingThroughput || def.Doing == doingClass) && def.Before != nil {
			told = def.Before
		}
	}
	d.Throughput = describeThroughput(told.Throughput, def.Increased, def.Decreased, def.Budgets.Decreases.today(e.now()))
	if def.OnDemandSince != 0 {
		d.Billing = &wire.BillingModeSummary{Mode: c.BillingMode, OnDemandSince: seconds(def.OnDemandSince)}
	}
	if c.Stream != nil && c.Stream.Enabled {
		d.Stream = c.Stream
	}
	if def.StreamLabel != "" { // told of a disabled stream, too
		d.StreamLabel, d.StreamARN = def.StreamLabel, e.arn(t.name)+"/stream/"+def.StreamLabel
	}
	if told.Class != "" {
		d.Class = &wire.TableClassSummary{Class: told.Class}
		if l := def.Budgets.ClassChanges; len(l) > 0 {
			d.Class.Updated = seconds(l[len(l)-1])
		}
	}
	for _, x := range t.indexes {
		if x.kind == expiryIndex {
			continue
		}
		e.describeIndex(t, x, r, &d)
	}
	for _, g := range def.Going {
		if now < g.Until {
			xd := e.indexDescription(t, &g.Index, globalIndex)
			xd.Status, xd.Throughput = deleting, describeThroughput(g.Index.Throughput, 0, 0, 0)
			d.Global = append(d.Global, xd)
		}
	}
	return d
}

// describeIndex adds the description of an index.
func (e *session) describeIndex(t *table, x *index, r kv.Reader, d *wire.TableDescription) {
	def, now := t.def, e.nanoseconds()
	list := def.Create.Global
	if x.kind == localIndex {
		list = def.Create.Local
	}
	w := &list[slices.IndexFunc(list, func(w wire.Index) bool { return w.Name == x.name })]
	s := statsOf(r, x.space)
	xd := e.indexDescription(t, w, x.kind)
	xd.SizeBytes, xd.ItemCount = s.bytes, s.count
	if x.kind == localIndex {
		d.Local = append(d.Local, xd)
		return
	}
	xi, told := def.index(x.name), w.Throughput
	xd.Status, xd.OnDemand, xd.Warm = active, w.OnDemand, def.indexWarmth(w).describe(now)
	no, yes := false, true
	switch is := xi.State.at(now); {
	case is == creating:
		xd.Status = creating
		if def.State.at(now) != creating { // the index of a new table has no such phases
			xd.Backfilling = &no
		}
	case is == updating:
		xd.Status = updating
		if def.Before != nil {
			told = throughputBefore(def.Before, x.name)
		}
	case x.filling:
		xd.Status, xd.Backfilling = creating, &yes
	}
	xd.Throughput = describeThroughput(told, xi.Increased, xi.Decreased, xi.Budget.today(e.now()))
	d.Global = append(d.Global, xd)
}

// throughputBefore is that of an index in an earlier definition.
func throughputBefore(c *wire.CreateTableInput, name string) *wire.Throughput {
	for _, x := range c.Global {
		if x.Name == name {
			return x.Throughput
		}
	}
	return nil
}

// indexDescription is what stays the same of an index's description.
func (e *session) indexDescription(t *table, w *wire.Index, kind indexKind) wire.IndexDescription {
	p := *w.Projection
	// The service gives back the projected attributes of global indexes by name (measured on AWS, 2026-10) and those of local ones
	// in an order that nobody knows the rule of (reported by users of AWS, 2026-06). Terraform compares the latter as a list,
	// and replaces the table if it differs: they stay as they were given.
	if kind != localIndex {
		p.NonKey = slices.Sorted(slices.Values(p.NonKey))
	}
	return wire.IndexDescription{Name: w.Name, Key: w.Key, Projection: &p, ARN: e.arn(t.name) + "/index/" + w.Name}
}

// sortedDefinitions are definitions by name, as the service gives them back (captured on AWS, 2026-10).
func sortedDefinitions(l []wire.AttributeDefinition) []wire.AttributeDefinition {
	return slices.SortedFunc(slices.Values(l), func(a, b wire.AttributeDefinition) int { return strings.Compare(a.Name, b.Name) })
}

func describeThroughput(t *wire.Throughput, increased, decreased, today int64) *wire.ThroughputDescription {
	d := &wire.ThroughputDescription{Increased: seconds(increased), Decreased: seconds(decreased)}
	if t != nil {
		d.Read, d.Write, d.DecreasesToday = t.Read, t.Write, today
	}
	return d
}

func (e *session) listTables(body []byte) ([]byte, error) {
	in, err := wire.DecodeListTables(body)
	if err != nil {
		return nil, err
	}
	names := make([]string, 0, 8)
	now := e.nanoseconds()
	for id, t := range e.catalog.Load().byID {
		if id.region == e.region && id.name > in.Start && !t.gone(now) {
			names = append(names, id.name)
		}
	}
	slices.Sort(names)
	limit := wire.MaxTableNames
	if in.Limit != nil {
		limit = *in.Limit
	}
	out := wire.ListTablesOutput{Names: names}
	if len(names) > limit {
		out.Names, out.Last = names[:limit], names[limit-1]
	}
	return out.Append(nil), nil
}

func (e *session) deleteTable(body []byte) ([]byte, error) {
	in, err := wire.DecodeNamedTable(body, "DeleteTableInput")
	if err != nil {
		return nil, err
	}
	var out wire.TableOutput
	name := e.nameOf(in.TableName)
	err = e.define(e.id(name), func(w kv.Writer) (*definition, error) {
		t, err := e.named(name)
		if err != nil {
			return nil, err
		}
		if err := e.checkDeletable(t); err != nil {
			return nil, err
		}
		d := e.describe(t, w)
		t.drop(w)
		def := *t.def
		def.State = e.entering(deleting)
		// The answer lacks these, as captured on AWS.
		d.Status, d.Attributes, d.Key, d.Created, d.Local, d.Global, d.Warm = deleting, nil, nil, 0, nil, nil, nil
		out.Table = d
		if e.options.StateTime <= 0 {
			return nil, nil
		}
		def.Indexes, def.Going, def.Create.Local, def.Create.Global = nil, nil, nil, nil
		return &def, nil
	})
	if err != nil {
		return nil, err
	}
	return out.Append(nil, false), nil
}

// drop removes what a table holds.
func (t *table) drop(w kv.Writer) {
	dropSpace(w, t.space)
	for _, x := range t.indexes {
		dropSpace(w, x.space)
	}
	w.Drop(collectionsOf(t.space))
}

func dropSpace(w kv.Writer, s kv.Space) {
	w.Drop(s)
	w.Delete(spaceStats, spaceKey(s))
}
