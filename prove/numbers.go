package prove

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// Numbers that the consumer of a stream keeps. They lie beside their entity and follow its children later: an answer may show any
// value that one has had within the time that the requirements allow, and no other.

// A late number is one that may lag.
type late struct {
	at   *spec.Attribute
	way  *spec.Relationship // along which it is derived
	by   time.Duration      // for how long an answer may show what it was
	zero attr.Value         // what it is of an entity that has no number yet
	own  bool               // it follows from own attributes of children alone: it changes only when a child does
	adds bool               // it is what its children add up to, one by one
}

// was is what a number was until some time.
type was struct {
	value attr.Value
	until time.Time
}

// followLate tells the oracle which numbers may lag, and by how much beyond what the requirements allow.
func (o *Oracle) followLate(a *spec.Attribute, lag time.Duration) {
	d := a.Derived
	n := &late{at: a, way: a.Entity.WayBack(d.Path[0]), by: d.Within + lag}
	if d.Func == "count" || d.Func == "sum" {
		n.zero = attr.Num(attr.Int(0))
	}
	stored := func(path spec.Path) bool {
		at := n.way.From.Attribute(path[0])
		return len(path) == 1 && at != nil && at.Derived == nil
	}
	n.own = n.way.From.Expires == nil && (len(d.Path) == 1 || stored(d.Path[1:]))
	for t := range spec.Tests(d.Where) {
		n.own = n.own && stored(t.Path) && !slices.ContainsFunc(t.Args, func(x spec.Expr) bool { return x.Literal.IsZero() })
	}
	n.adds = n.own && (d.Func == "count" || d.Func == "sum")
	if o.late == nil {
		o.late, o.counting = map[*spec.Attribute]*late{}, map[*spec.Attribute][]*Instance{}
	}
	o.late[a] = n
}

// number is what a number is now.
func (o *Oracle) number(in *Instance, n *late) attr.Value {
	if !n.adds {
		return o.attribute(in, n.at)
	}
	sum, known := in.sums[n]
	if !known {
		sum = o.attribute(in, n.at).Number()
		o.summed(in, n, sum)
	}
	return attr.Num(sum)
}

// share is what a child adds to a number.
func (o *Oracle) share(n *late, child *Instance) attr.Number {
	d := n.at.Derived
	switch {
	case d.Where != nil && !o.holds(d.Where, child, attr.Item{}, attr.Item{}):
		return attr.Int(0)
	case d.Func == "count":
		return attr.Int(1)
	}
	return child.Item.Get(d.Path[1]).Number()
}

// summed notes what the children of an instance add up to, so that not all of them are looked at after each change of
// one.
func (o *Oracle) summed(in *Instance, n *late, sum attr.Number) {
	if in.sums == nil {
		in.sums = map[*late]attr.Number{}
	}
	in.sums[n] = sum
}

// add changes what the children of an instance add up to by what an operation makes of it and of the share of one.
func (o *Oracle) add(in *Instance, n *late, op func(sum, share attr.Number) (attr.Number, error), share attr.Number) {
	if sum, err := op(in.sums[n], share); err == nil {
		o.summed(in, n, sum)
	} else {
		delete(in.sums, n)
	}
}

// noteNumbers keeps what numbers are before an instance changes to a value; zero: before it goes.
func (o *Oracle) noteNumbers(in *Instance, next attr.Item) {
	for _, n := range o.late {
		if n.at.Entity == in.Entity && in.Gone != (next.Len() == 0) {
			v := n.zero
			if !in.Gone {
				v = o.number(in, n)
			}
			o.noteNumber(in, n, v)
		}
		if n.way.From != in.Entity {
			continue
		}
		parent := func(item attr.Item) *Instance {
			var id attr.Item
			for i, a := range n.way.By {
				v := item.Get(a.Name)
				if v.IsZero() {
					return nil
				}
				id.Set(n.way.To.Identity[i].Name, v)
			}
			return o.stores[n.way.To].byID[n.way.To.IdentityOf(id)]
		}
		var old *Instance
		if !in.Gone {
			old = parent(in.Item)
		}
		new := parent(next)
		if old != nil {
			o.noteNumber(old, n, o.number(old, n))
		}
		if new != nil && new != old {
			o.noteNumber(new, n, o.number(new, n))
		}
		if !n.adds {
			continue
		}
		if old != nil {
			o.add(old, n, attr.Number.Sub, o.share(n, in))
		}
		if new != nil {
			o.add(new, n, attr.Number.Add, o.share(n, &Instance{Entity: in.Entity, Item: next}))
		}
	}
}

func (o *Oracle) noteNumber(in *Instance, n *late, v attr.Value) {
	if in.numbers == nil {
		in.numbers = map[*spec.Attribute][]was{}
	}
	list, since := in.numbers[n.at], o.now.Add(-n.by)
	for len(list) > 0 && list[0].until.Before(since) {
		list = list[1:]
	}
	in.numbers[n.at] = append(list, was{v, o.now})
	o.counting[n.at] = append(o.counting[n.at], in)
	if o.pending.IsZero() {
		o.pending = o.now
	}
}

// lately are the values that a number has had as long ago as it may lag, and the one that it has.
func (o *Oracle) lately(in *Instance, a *spec.Attribute) []attr.Value {
	n := o.late[a]
	if n == nil {
		return nil
	}
	out := []attr.Value{o.number(in, n)}
	for _, w := range in.numbers[a] {
		if !w.until.Before(o.now.Add(-n.by)) {
			out = append(out, w.value)
		}
	}
	return out
}

// keepNumbers writes a number that may have changed anew, in the items where it is not true any more, as the consumer
// of the children's stream does.
func (s *session) keepNumbers(f followed, changed []*Instance) error {
	k, n := f.kind, s.oracle.late[f.number]
	if !n.own || k.Shards > 1 {
		return s.keepAllNumbers(f)
	}
	slices.SortFunc(changed, func(a, b *Instance) int { return strings.Compare(a.ID, b.ID) })
	for _, in := range slices.Compact(changed) {
		key, err := k.KeyOf(in.Item, 0)
		if err != nil {
			return s.keepAllNumbers(f)
		}
		item, err := s.itemAt(k.Table, key)
		if err != nil {
			return err
		}
		switch {
		case in.Gone && k.Role == plan.AggregateItem && item.Len() > 0:
			err = s.keepItem(k, "DeleteItem", key, nil)
		case in.Gone:
		case item.Len() == 0 && k.Role != plan.AggregateItem:
			return s.keepAllNumbers(f) // it lies under another key
		default:
			err = s.keepNumber(f, in, item.Get(f.number.Name))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// keepAllNumbers is keepNumbers for all items of a kind, wherever they lie.
func (s *session) keepAllNumbers(f followed) error {
	k, number := f.kind, f.number
	all, err := s.everything(k.Table.Base)
	if err != nil {
		return err
	}
	have := map[*Instance]attr.Value{}
	for _, x := range all {
		if x.Kind != k.Name {
			continue
		}
		in := s.oracle.stores[k.Entity].byID[k.Entity.IdentityOf(k.Read(x.Item))]
		if in == nil {
			continue
		}
		if in.Gone && k.Role == plan.AggregateItem {
			if err := s.keepItem(k, "DeleteItem", keyIn(k, x.Item), nil); err != nil {
				return err
			}
			continue
		}
		v := x.Item.Get(number.Name)
		if old := have[in]; !old.IsZero() && !v.IsZero() { // it lies in shards
			sum, err := old.Number().Add(v.Number())
			if err != nil {
				return err
			}
			v = attr.Num(sum)
		}
		have[in] = v
	}
	for _, in := range s.oracle.Instances(k.Entity) {
		if err := s.keepNumber(f, in, have[in]); err != nil {
			return err
		}
	}
	return nil
}

// keepNumber writes a number of an instance anew where it is not what its items have.
func (s *session) keepNumber(f followed, in *Instance, is attr.Value) error {
	k, number, n := f.kind, f.number, s.oracle.late[f.number]
	want := s.oracle.number(in, n)
	if is.IsZero() {
		is = n.zero
	}
	if attr.Equal(is, want) {
		return nil
	}
	key, err := k.KeyOf(in.Item, 0)
	if err != nil {
		return err
	}
	names, mirrors, removed := map[string]string{"#n": number.Name}, "", ""
	for i, m := range k.Mirrors(number) {
		name := "#m" + strconv.Itoa(i)
		names[name] = m
		mirrors, removed = mirrors+", "+name+" = :m", removed+", "+name
	}
	more := map[string]any{"ExpressionAttributeNames": names}
	switch {
	case want.IsZero():
		more["UpdateExpression"] = "REMOVE #n" + removed
	case k.Shards > 1: // what the shards have together
		by, err := want.Number().Sub(is.Number())
		if err != nil {
			return err
		}
		more["UpdateExpression"], want = "ADD #n :v", attr.Num(by)
	default:
		more["UpdateExpression"] = "SET #n = :v" + mirrors
	}
	if !want.IsZero() {
		var values attr.Item
		values.Set(":v", want)
		if mirrors != "" {
			values.Set(":m", attr.Num(want.Number().Neg()))
		}
		more["ExpressionAttributeValues"] = json.RawMessage(attr.AppendItem(nil, values))
	}
	return s.keepItem(k, "UpdateItem", key, more)
}

// keyIn is the key of a wire item.
func keyIn(k *plan.Kind, item attr.Item) attr.Item {
	var key attr.Item
	for _, w := range slices.Concat(k.Table.Base.Partition, k.Table.Base.Sort) {
		key.Set(w.Name, item.Get(w.Name))
	}
	return key
}

// keepItem sends one write of an item, which is no call of a pattern.
func (s *session) keepItem(k *plan.Kind, operation string, key attr.Item, more map[string]any) error {
	body := map[string]any{"TableName": s.o.Prefix + k.Table.Name, "Key": json.RawMessage(attr.AppendItem(nil, key))}
	for name, v := range more {
		body[name] = v
	}
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	return s.sampler.next.Do(s.ctx, &tablewright.Call{Operation: operation, Table: k.Table.Name, Request: text})
}
