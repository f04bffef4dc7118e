package engine

import (
	"slices"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/engine/internal/kv"
	"github.com/tablewright/tablewright/wire"
)

// stillGoing are the deleted indexes that are still told.
func (e *Engine) stillGoing(l []goingIndex) (going []goingIndex) {
	now := e.nanoseconds()
	for _, g := range l {
		if now < g.Until {
			going = append(going, g)
		}
	}
	return going
}

// updateIndexes creates, changes and deletes global indexes: one creation or deletion at a time, where an index may also be
// deleted while it is filled (API_GlobalSecondaryIndexDescription).
func (e *session) updateIndexes(def *definition, in *wire.UpdateTableInput, w kv.Writer) *wire.Error {
	if err := e.oneOnline(def, in.Global); err != nil {
		return err
	}
	for _, u := range in.Global {
		var err *wire.Error
		switch {
		case u.Create != nil:
			err = e.createIndex(def, in, u.Create, w)
		case u.Update != nil:
			err = e.updateIndex(def, u.Update)
		case u.Delete != nil:
			err = e.deleteIndex(def, u.Delete.Name, w)
		}
		if err != nil {
			return err
		}
	}
	if len(def.Create.Global) > capacity.GlobalIndexes { // of CreateTable it is a ValidationException (captured on AWS, 2026-10)
		return wire.NewError(wire.CodeLimitExceeded, "Subscriber limit exceeded: Number of global secondary indexes exceeds per-table limit of 20")
	}
	if err := checkIndexLimits(&def.Create); err != nil {
		return err
	}
	used := usedNames(&def.Create)
	def.Create.Attributes = slices.DeleteFunc(def.Create.Attributes, func(a wire.AttributeDefinition) bool { return !slices.Contains(used, a.Name) })
	return nil
}

// oneOnline refuses a second creation or deletion, in the request or beside one that goes on.
func (e *session) oneOnline(def *definition, updates []wire.IndexUpdate) *wire.Error {
	online, now := 0, e.nanoseconds()
	for _, u := range updates {
		if u.Create == nil && u.Delete == nil {
			continue
		}
		online++
		busy := len(def.Going) > 0 || slices.ContainsFunc(def.Indexes, func(x indexDefinition) bool {
			return x.Kind == globalIndex && (x.Filling || x.State.at(now) == creating) && (u.Delete == nil || u.Delete.Name != x.Name)
		})
		if online > 1 || busy {
			return wire.NewError(wire.CodeLimitExceeded, "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table")
		}
	}
	return nil
}

// createIndex adds an index, to be filled. The definitions of a request are added to the table's; only the new index's keys
// must be in it, and types that are known stay (captured on AWS).
func (e *session) createIndex(def *definition, in *wire.UpdateTableInput, x *wire.Index, w kv.Writer) *wire.Error {
	c := &def.Create
	same := func(y wire.Index) bool { return y.Name == x.Name }
	switch {
	case slices.ContainsFunc(c.Global, same) || slices.ContainsFunc(c.Local, same):
		return wire.Invalid("Attempting to create an index which already exists")
	case len(in.Attributes) == 0:
		return wire.Invalid(inv + "AttributeDefinitions is not specified for index: " + x.Name)
	case len(x.Key) > len(in.Attributes): // seen on AWS, 2019-01 (alexdebrie/dynamodbguide.com, issue 16)
		return wire.Invalid("Invalid KeySchema: Some index key attribute have no definition")
	}
	if err := checkGlobalIndex(x, in.Attributes, c.BillingMode, true); err != nil {
		return err
	}
	if err := e.checkQuota(x.Throughput, x.Name); err != nil {
		return err
	}
	for _, a := range in.Attributes {
		if len(undefined([]wire.KeyElement{{Name: a.Name}}, c.Attributes)) > 0 {
			c.Attributes = append(c.Attributes, a)
		}
	}
	c.Global = append(c.Global, *x)
	d := indexDefinition{Name: x.Name, Kind: globalIndex, Space: e.number(w), Filling: true, State: e.entering(creating)}
	d.Warm.grow(x.Throughput)
	d.Warm.raise(x.Warm, d.State)
	def.Indexes = append(def.Indexes, d)
	e.begin(def, doingIndex)
	return nil
}

// updateIndex changes the capacity of an index.
func (e *session) updateIndex(def *definition, u *wire.Index) *wire.Error {
	c, now := &def.Create, e.nanoseconds()
	i := slices.IndexFunc(c.Global, func(x wire.Index) bool { return x.Name == u.Name })
	if i < 0 {
		return e.missingIndex(def, u.Name, "update")
	}
	x, d := &c.Global[i], def.index(u.Name)
	switch {
	case d.State.at(now) == creating:
		return wire.NewError(wire.CodeResourceInUse, inUse+"Index is being created but is not backfilling yet.  Table: "+c.TableName+" Index: "+u.Name)
	case d.State.at(now) == updating:
		return wire.NewError(wire.CodeResourceInUse, inUse+"Index is being updated.  Table: "+c.TableName+" Index: "+u.Name)
	}
	limits := u.OnDemand != nil && *u.OnDemand != wire.OnDemandThroughput{}
	if c.BillingMode == onDemand && (u.Throughput != nil || !limits && u.Warm == nil) {
		return wire.Invalid(inv + "The only Updates for index: " + u.Name + " when TableThroughputMode is PAY_PER_REQUEST can be to OnDemandThroughput, WarmThroughput")
	}
	if c.BillingMode == provisioned {
		if err := noOnDemand(u.OnDemand, u.Name); err != nil {
			return err
		}
		if u.Throughput == nil && u.Warm == nil {
			return wire.Invalid(inv + "Both ReadCapacityUnits and WriteCapacityUnits must be specified for index: " + u.Name)
		}
	}
	if err := checkOnDemand(u.OnDemand, u.Name, true); err != nil {
		return err
	}
	if err := e.checkQuota(u.Throughput, u.Name); err != nil {
		return err
	}
	warm := def.warmthOf(u.Name)
	if err := warm.checkRaise(u.Warm, u.Name); err != nil {
		return err
	}
	if t := u.Throughput; t != nil {
		o := throughputOf{"index", " " + u.Name, &d.Budget, &d.Increased, &d.Decreased}
		if x.Throughput != nil {
			if err := o.change(x.Throughput, t, e.now()); err != nil {
				return err
			}
		}
		x.Throughput = t
		warm.grow(t)
	}
	if limits {
		x.OnDemand = mergeLimits(x.OnDemand, u.OnDemand)
	}
	if u.Throughput != nil || limits {
		d.State = e.entering(updating)
	}
	warm.raise(u.Warm, e.entering(updating))
	return nil
}

// deleteIndex deletes an index with its entries; it may still be told for a while.
func (e *session) deleteIndex(def *definition, name string, w kv.Writer) *wire.Error {
	c := &def.Create
	i := slices.IndexFunc(c.Global, func(x wire.Index) bool { return x.Name == name })
	if i < 0 {
		return e.missingIndex(def, name, "delete")
	}
	d := def.index(name)
	if d.State.at(e.nanoseconds()) == creating {
		return wire.NewError(wire.CodeResourceInUse, inUse+"Index creation is in resource allocation phase. Retry deletion during backfilling phase or when the index is active. "+
			"Table: "+c.TableName+" Index: "+name)
	}
	dropSpace(w, d.Space)
	def.Going = append(def.Going, goingIndex{c.Global[i], e.entering(deleting).Until})
	c.Global = slices.Delete(c.Global, i, i+1)
	def.Indexes = slices.DeleteFunc(def.Indexes, func(x indexDefinition) bool { return x.Name == name })
	def.Insights = slices.DeleteFunc(slices.Clone(def.Insights), func(x insights) bool { return x.Index == name })
	e.begin(def, doingIndex)
	return nil
}

// missingIndex tells that there is no global index of a name to do something with.
func (e *session) missingIndex(def *definition, name, what string) *wire.Error {
	same := func(x wire.Index) bool { return x.Name == name }
	switch {
	case slices.ContainsFunc(def.Going, func(g goingIndex) bool { return g.Index.Name == name }):
		return wire.NewError(wire.CodeResourceInUse, inUse+"Index is being deleted.  Table: "+def.Create.TableName+" Index: "+name)
	case slices.ContainsFunc(def.Create.Local, same):
		return wire.Invalid("Cannot " + what + " an index that is not a GlobalSecondaryIndex: " + name)
	}
	return wire.NewError(wire.CodeResourceNotFound, "Requested resource not found: Index "+name+" for table "+def.Create.TableName)
}

// index is the definition of an index that there is.
func (def *definition) index(name string) *indexDefinition {
	return &def.Indexes[slices.IndexFunc(def.Indexes, func(x indexDefinition) bool { return x.Name == name })]
}

// warmth is the table's warm throughput. One that was stored before there was such a thing has that of its capacity.
func (def *definition) warmth() *warmth {
	if def.Warm.Read == 0 {
		def.Warm.grow(def.Create.Throughput)
	}
	return &def.Warm
}

// warmthNow is warmth for reading.
func (def *definition) warmthNow() warmth {
	w := def.Warm
	if w.Read == 0 {
		w.grow(def.Create.Throughput)
	}
	return w
}

// indexWarmth is warmthNow of a global index.
func (def *definition) indexWarmth(x *wire.Index) warmth {
	w := def.index(x.Name).Warm
	if w.Read == 0 {
		w.grow(x.Throughput)
	}
	return w
}

// warmthOf is warmth of a global index that there is.
func (def *definition) warmthOf(name string) *warmth {
	d := def.index(name)
	if d.Warm.Read == 0 {
		i := slices.IndexFunc(def.Create.Global, func(x wire.Index) bool { return x.Name == name })
		d.Warm.grow(def.Create.Global[i].Throughput)
	}
	return &d.Warm
}
