package prove

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
	"github.com/tablewright/tablewright/wire"
)

// keeper does what the consumer of a stream does in production: it keeps copies true. It is as late as the model allows, so
// that reads meet copies as old as they can be.
type keeper struct {
	kinds  []*plan.Kind  // with copies kept by a stream
	counts []followed    // numbers of an entity
	within time.Duration // the shortest time that a model allows
}

// followed is a number that a stream keeps, in an item beside its entity or in the entity's own.
type followed struct {
	kind   *plan.Kind
	number *spec.Attribute
}

// newKeeper finds what a stream keeps; nil: nothing. It tells the oracle for how long patterns tolerate what was.
func (s *session) newKeeper() *keeper {
	k := &keeper{}
	s.oracle.sources = map[*spec.Entity]bool{}
	note := func(kind *plan.Kind, kept plan.Kept, path spec.Path) {
		if !slices.Contains(k.kinds, kind) {
			k.kinds = append(k.kinds, kind)
		}
		if d, err := spec.ParseDuration(kept.Within); err == nil && d > 0 && (k.within == 0 || d < k.within) {
			k.within = d
		}
		filled := plan.NewFragments(s.req).Filled(kind)
		segments, _ := kind.Entity.Resolve(path)
		for _, g := range segments {
			if g.Way != nil {
				s.oracle.sources[g.Way.To] = true
				if slices.Contains(filled, g.Way) || kept.Recheck { // what comes, or points to something else, is not true for a while
					s.oracle.sources[g.Way.From] = true
				}
			}
		}
	}
	for _, t := range s.compiled.Tables {
		for _, kind := range t.Kinds {
			for _, a := range kind.Followed() {
				k.counts = append(k.counts, followed{kind, a})
				s.oracle.followLate(a, s.o.Lag)
				kept := kind.Kept
				for _, st := range kind.Stored {
					if kind.Role == plan.EntityItem && st.Attribute == a {
						kept = st.Kept
					}
				}
				if d, err := spec.ParseDuration(kept.Within); err == nil && d > 0 && (k.within == 0 || d < k.within) {
					k.within = d
				}
			}
			for _, st := range kind.Stored {
				if st.Copy && st.Kept.Stream {
					note(kind, st.Kept, st.Path)
				}
			}
		}
	}
	for _, p := range s.asked {
		if !p.Writes() {
			s.oracle.keep = max(s.oracle.keep, p.Staleness)
			for _, a := range p.Read.Attributes {
				if a.Follows() {
					s.oracle.keep = max(s.oracle.keep, a.Derived.Within)
				}
			}
		}
	}
	if len(k.kinds) == 0 || s.oracle.keep == 0 {
		k.kinds, s.oracle.keep = nil, 0
	}
	if len(k.kinds)+len(k.counts) == 0 {
		return nil
	}
	if k.within == 0 {
		k.within = s.oracle.keep
	}
	return k
}

// keep lets the keeper do its work if it has to be done within some time from now.
func (s *session) keep(d time.Duration) {
	if s.keeper == nil || s.oracle.pending.IsZero() || s.oracle.pending.Add(s.keeper.within).After(s.o.Clock.Now().Add(d)) {
		return
	}
	s.catchUp()
}

// catchUp has the keeper write all pending changes now, without waiting for their time.
func (s *session) catchUp() {
	if s.keeper == nil || s.oracle.pending.IsZero() {
		return
	}
	changed, counting := s.oracle.changed, s.oracle.counting
	s.oracle.pending, s.oracle.changed, s.oracle.counting = time.Time{}, nil, map[*spec.Attribute][]*Instance{}
	for _, k := range s.keeper.kinds {
		if err := s.keepCopies(k, changed); err != nil && s.kept == nil {
			s.kept = fmt.Errorf("keep copies in %s true, as the consumer of its stream does: %w", k.Name, err)
		}
	}
	for _, k := range s.keeper.counts {
		if err := s.keepNumbers(k, counting[k.number]); err != nil && s.kept == nil {
			s.kept = fmt.Errorf("keep %s in %s true, as the consumer of a stream does: %w", k.number.Name, k.kind.Name, err)
		}
	}
}

// keepCopies writes the copies of what has changed anew, in the items of a kind where they are not true any more.
func (s *session) keepCopies(k *plan.Kind, changed []*Instance) error {
	for _, in := range s.oracle.showing(k, changed) {
		key, err := k.KeyOf(in.Item, 0)
		if err != nil || k.Shards > 0 {
			return s.keepAll(k)
		}
		item, err := s.itemAt(k.Table, key)
		if err != nil {
			return err
		}
		if item.Len() == 0 || k.Table.KindOf(item) != k {
			return s.keepAll(k) // it lies under another key
		}
		if err := s.keepItemTrue(k, in, item); err != nil {
			return err
		}
	}
	return nil
}

// showing returns the instances of a kind whose items hold stream-kept copies of what has changed.
func (o *Oracle) showing(k *plan.Kind, changed []*Instance) (out []*Instance) {
	seen := map[*Instance]bool{}
	add := func(in *Instance) {
		if !in.Gone && !seen[in] {
			seen[in], out = true, append(out, in)
		}
	}
	for _, st := range k.Stored {
		if !st.Copy || !st.Kept.Stream {
			continue
		}
		var hops []hop
		segments, _ := k.Entity.Resolve(st.Path)
		for _, g := range segments {
			if g.Way != nil {
				hops = append(hops, hop{rel: g.Way})
			}
		}
		for _, in := range changed {
			if in.Entity == k.Entity {
				add(in)
			}
			for i, h := range hops {
				if h.rel.To != in.Entity {
					continue
				}
				for _, x := range o.reaching([]*Instance{in}, hops[:i+1]) {
					add(x)
				}
			}
		}
	}
	return out
}

// keepAll is keepCopies for all items of a kind, wherever they lie.
func (s *session) keepAll(k *plan.Kind) error {
	all, err := s.everything(k.Table.Base)
	if err != nil {
		return err
	}
	for _, x := range all {
		if x.Kind != k.Name {
			continue
		}
		if in := s.oracle.Find(k.Entity, k.Read(x.Item)); in != nil {
			if err := s.keepItemTrue(k, in, x.Item); err != nil {
				return err
			}
		}
	}
	return nil
}

// keepItemTrue writes the copies in an item anew that are not true any more.
func (s *session) keepItemTrue(k *plan.Kind, in *Instance, item attr.Item) error {
	var set, remove string
	names, values := map[string]string{}, attr.Item{}
	write := func(name string, v attr.Value) {
		n := strconv.Itoa(len(names))
		names["#"+n] = name
		if v.IsZero() {
			remove += ", #" + n
			return
		}
		set += ", #" + n + " = :" + n
		values.Set(":"+n, v)
	}
	var copies attr.Item
	var gone []string
	for _, st := range k.Stored {
		if !st.Copy || !st.Kept.Stream {
			continue
		}
		v := s.oracle.value(in, st.Path)
		if attr.Equal(v, item.Get(st.Name)) {
			continue
		}
		if write(st.Name, v); v.IsZero() {
			gone = append(gone, st.Name)
		}
		copies.Set(st.Name, v)
	}
	if len(names) == 0 {
		return nil
	}
	follow, err := k.Follow(item, copies, gone...)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(follow)) {
		write(name, follow[name])
	}
	expression := ""
	if set != "" {
		expression = "SET " + set[2:]
	}
	if remove != "" {
		expression += " REMOVE " + remove[2:]
	}
	more := map[string]any{"UpdateExpression": expression, "ExpressionAttributeNames": names}
	if values.Len() > 0 {
		more["ExpressionAttributeValues"] = json.RawMessage(attr.AppendItem(nil, values))
	}
	return s.keepItem(k, "UpdateItem", keyIn(k, item), more)
}

// itemAt gets the item under a key of a table. The item is empty if the table has none.
func (s *session) itemAt(t *plan.Schema, key attr.Item) (attr.Item, error) {
	body, err := json.Marshal(map[string]any{"TableName": s.o.Prefix + t.Name, "Key": json.RawMessage(attr.AppendItem(nil, key)), "ConsistentRead": true})
	if err != nil {
		return attr.Item{}, err
	}
	call := &tablewright.Call{Operation: "GetItem", Table: t.Name, Request: body}
	if err := s.sampler.next.Do(s.ctx, call); err != nil {
		return attr.Item{}, err
	}
	var found struct{ Item json.RawMessage }
	if err := json.Unmarshal(call.Response, &found); err != nil || found.Item == nil {
		return attr.Item{}, err
	}
	return attr.ParseItem(found.Item)
}

// everything reads all items of a table as they lie.
func (s *session) everything(a *plan.Access) ([]Sample, error) {
	var all []Sample
	var start []byte
	for {
		body := []byte(`{"TableName":` + strconv.Quote(s.o.Prefix+a.Table.Name) + `,"ConsistentRead":true`)
		if start != nil {
			body = append(append(body, `,"ExclusiveStartKey":`...), start...)
		}
		call := &tablewright.Call{Operation: "Scan", Table: a.Table.Name, Request: append(body, '}')}
		if err := s.sampler.next.Do(s.ctx, call); err != nil {
			return nil, err
		}
		page, err := wire.DecodeReadOutput(call.Response)
		if err != nil {
			return nil, err
		}
		for raw := range page.Items.All() {
			it, err := attr.ParseItem(raw)
			if err != nil {
				return nil, err
			}
			if k := a.Table.KindOf(it); k != nil {
				all = append(all, Sample{k.Name, it})
			}
		}
		if start = slices.Clone(page.LastKey); start == nil {
			return all, nil
		}
	}
}
