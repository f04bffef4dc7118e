package prove

import (
	"encoding/json"
	"fmt"
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
				if slices.Contains(filled, g.Way) { // what comes, or points to something else, lacks them for a while
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
	s.oracle.pending = time.Time{}
	for _, k := range s.keeper.kinds {
		if err := s.keepAll(k); err != nil && s.kept == nil {
			s.kept = fmt.Errorf("keep copies in %s true, as the consumer of its stream does: %w", k.Name, err)
		}
	}
	for _, k := range s.keeper.counts {
		if err := s.keepNumbers(k); err != nil && s.kept == nil {
			s.kept = fmt.Errorf("keep %s in %s true, as the consumer of a stream does: %w", k.number.Name, k.kind.Name, err)
		}
	}
}

// keepAll writes the copies in all items of a kind anew that are not true any more.
func (s *session) keepAll(k *plan.Kind) error {
	all, err := s.everything(k.Table.Base)
	if err != nil {
		return err
	}
	for _, x := range all {
		if x.Kind != k.Name {
			continue
		}
		in := s.oracle.Find(k.Entity, k.Read(x.Item))
		if in == nil {
			continue
		}
		var set, remove string
		names, values := map[string]string{}, attr.Item{}
		for _, st := range k.Stored {
			if !st.Copy || !st.Kept.Stream {
				continue
			}
			v := s.oracle.value(in, st.Path)
			if attr.Equal(v, x.Item.Get(st.Name)) {
				continue
			}
			n := strconv.Itoa(len(names))
			names["#"+n] = st.Name
			if v.IsZero() {
				remove += ", #" + n
				continue
			}
			set += ", #" + n + " = :" + n
			values.Set(":"+n, v)
		}
		if len(names) == 0 {
			continue
		}
		var key attr.Item
		for _, w := range slices.Concat(k.Table.Base.Partition, k.Table.Base.Sort) {
			key.Set(w.Name, x.Item.Get(w.Name))
		}
		expression := ""
		if set != "" {
			expression = "SET " + set[2:]
		}
		if remove != "" {
			expression += " REMOVE " + remove[2:]
		}
		body := map[string]any{"TableName": s.o.Prefix + k.Table.Name, "Key": json.RawMessage(attr.AppendItem(nil, key)), "UpdateExpression": expression, "ExpressionAttributeNames": names}
		if values.Len() > 0 {
			body["ExpressionAttributeValues"] = json.RawMessage(attr.AppendItem(nil, values))
		}
		text, err := json.Marshal(body)
		if err != nil {
			return err
		}
		if err := s.sampler.next.Do(s.ctx, &tablewright.Call{Operation: "UpdateItem", Table: k.Table.Name, Request: text}); err != nil {
			return err
		}
	}
	return nil
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
