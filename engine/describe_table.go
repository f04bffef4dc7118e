package engine

import (
	"slices"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/engine/internal/kv"
	"github.com/tablewright/tablewright/wire"
)

// named finds a table for an operation on tables, whose message has the name.
func (e *session) named(name string) (*table, error) {
	name = e.nameOf(name)
	t := e.catalog.Load().byID[e.id(name)]
	if t == nil {
		return nil, wire.NewError(wire.CodeResourceNotFound, "Requested resource not found: Table: "+name+" not found")
	}
	return t, nil
}

func (e *session) describeTable(body []byte) ([]byte, error) {
	in, err := wire.DecodeNamedTable(body, "DescribeTableInput")
	if err != nil {
		return nil, err
	}
	if err := e.showDue(); err != nil {
		return nil, err
	}
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
	def := t.def
	c := &def.Create
	s := statsOf(r, t.space)
	d := wire.TableDescription{
		Attributes: c.Attributes, TableName: t.name, Key: c.Key, Status: "ACTIVE", Created: seconds(def.Created),
		SizeBytes: s.bytes, ItemCount: s.count, ARN: e.arn(t.name), ID: def.ID, DeletionProtection: c.DeletionProtection,
		OnDemand: c.OnDemand, Throughput: def.describeThroughput(c.Throughput), Warm: warm(c.Throughput),
	}
	if def.OnDemandSince != 0 {
		d.Billing = &wire.BillingModeSummary{Mode: c.BillingMode, OnDemandSince: seconds(def.OnDemandSince)}
	}
	if c.Stream != nil && c.Stream.Enabled {
		d.Stream = c.Stream
	}
	if def.StreamLabel != "" { // told of a disabled stream, too
		d.StreamLabel, d.StreamARN = def.StreamLabel, e.arn(t.name)+"/stream/"+def.StreamLabel
	}
	if c.SSE != nil && c.SSE.Enabled {
		d.SSE = &wire.SSEDescription{Status: "ENABLED", Type: "KMS", KeyARN: e.keyARN(c.SSE.KeyID)}
	}
	if c.Class != "" {
		d.Class = &wire.TableClassSummary{Class: c.Class}
	}
	for _, x := range t.indexes {
		if x.kind == expiryIndex {
			continue
		}
		list, into := c.Global, &d.Global
		if x.kind == localIndex {
			list, into = c.Local, &d.Local
		}
		w := list[slices.IndexFunc(list, func(w wire.Index) bool { return w.Name == x.name })]
		xs := statsOf(r, x.space)
		xd := wire.IndexDescription{Name: x.name, Key: w.Key, Projection: w.Projection, SizeBytes: xs.bytes, ItemCount: xs.count,
			ARN: e.arn(t.name) + "/index/" + x.name}
		if x.kind == globalIndex {
			xd.Status, xd.Throughput, xd.OnDemand, xd.Warm = "ACTIVE", def.describeThroughput(w.Throughput), w.OnDemand, warm(w.Throughput)
			if x.filling {
				xd.Status, xd.Backfilling = "CREATING", true
				d.Status = "UPDATING"
			}
		}
		*into = append(*into, xd)
	}
	return d
}

// keyARN is the key that encrypts a table, as an ARN; the account's own if none was named.
func (e *session) keyARN(id string) string {
	prefix := "arn:aws:kms:" + e.region + ":" + e.options.Account + ":"
	switch {
	case id == "":
		return prefix + "alias/aws/dynamodb"
	case len(id) > 4 && id[:4] == "arn:":
		return id
	}
	return prefix + "key/" + id
}

func (def *definition) describeThroughput(t *wire.Throughput) *wire.ThroughputDescription {
	d := &wire.ThroughputDescription{}
	if t != nil {
		d.Read, d.Write = t.Read, t.Write
		d.Increased, d.Decreased = seconds(def.Increased), seconds(def.Decreased)
	}
	return d
}

// warm is the throughput a table is ready for: what is provisioned, or what a new on-demand table is warm for.
func warm(t *wire.Throughput) *wire.WarmThroughput {
	w := &wire.WarmThroughput{Read: int64(capacity.NewTableReads), Write: int64(capacity.NewTableWrites), Status: "ACTIVE"}
	if t != nil {
		w.Read, w.Write = t.Read, t.Write
	}
	return w
}

func (e *session) listTables(body []byte) ([]byte, error) {
	in, err := wire.DecodeListTables(body)
	if err != nil {
		return nil, err
	}
	names := make([]string, 0, 8)
	for id := range e.catalog.Load().byID {
		if id.region == e.region && id.name > in.Start {
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
		if t.def.Create.DeletionProtection {
			return nil, wire.Invalid("Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.")
		}
		d := e.describe(t, w)
		// The answer lacks these, as captured on AWS.
		d.Status, d.Attributes, d.Key, d.Created, d.Local, d.Global, d.Warm = "DELETING", nil, nil, 0, nil, nil, nil
		out.Table = d
		t.drop(w)
		return nil, nil
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
	var collections [][]byte
	prefix := spaceKey(t.space)
	w.Ascend(spaceCollections, prefix, successor(prefix), func(key, _ []byte) bool {
		collections = append(collections, append([]byte(nil), key...))
		return true
	})
	for _, key := range collections {
		w.Delete(spaceCollections, key)
	}
}

func dropSpace(w kv.Writer, s kv.Space) {
	w.Drop(s)
	w.Delete(spaceStats, spaceKey(s))
}
