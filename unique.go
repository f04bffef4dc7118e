package tablewright

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/expr"
	"github.com/tablewright/tablewright/plan"
)

// Unique keeps an attribute of T unique, with a marker item per value: it gives the parts of transactions that claim,
// change and release a value. It is a field of a declared struct, named like T's field with Claim behind it, EmailClaim for
// Email; the table's Items say how the marker's key is made, in an item that holds {Unique: "Customer.email"}.
type Unique[T, V any] struct{ m *marker }

// Claim takes the value for an item that is created: ErrExists if another item has it. An absent value is not claimed.
func (u *Unique[T, V]) Claim(item T) Claim { return u.m.claim(nil, &item) }

// Change releases the value of before and takes that of after; if they have one marker it does nothing.
func (u *Unique[T, V]) Change(before, after T) Claim { return u.m.claim(&before, &after) }

// Release gives the value of a deleted item free.
func (u *Unique[T, V]) Release(item T) Claim { return u.m.claim(&item, nil) }

// Claim is the part of a transaction that keeps a value unique.
type Claim struct {
	m             *marker
	before, after attr.Item // zero: none
	other         error
	err           error
}

// Else gives the claim the error that a taken value becomes: errors.Is finds it.
func (c Claim) Else(err error) Claim { c.other = err; return c }

// marker is a kind of item that stands for a value that is taken.
type marker struct {
	d       *decl
	name    string    // among the table's Items
	columns []*column // the table's key, made from an item of d
}

// uniqueField is a Unique: a field of a declared struct.
type uniqueField interface {
	bindUnique(d *decl, name string) error
}

func (u *Unique[T, V]) bindUnique(d *decl, name string) (err error) {
	u.m, err = bindUnique(d, name, reflect.TypeFor[T](), reflect.TypeFor[V]())
	return err
}

func bindUnique(d *decl, name string, item, value reflect.Type) (*marker, error) {
	if item != d.typ {
		return nil, fmt.Errorf("describes an attribute of %s, not of %s", item, d.typ)
	}
	field, ok := strings.CutSuffix(name, "Claim")
	if !ok {
		return nil, fmt.Errorf("is named like the field that is unique, with Claim behind it")
	}
	for _, f := range d.fields {
		if f.Go != field {
			continue
		}
		if f.Type != value {
			return nil, fmt.Errorf("%s is %s, described as %s", field, f.Type, value)
		}
		return newMarker(d, f.Name)
	}
	return nil, fmt.Errorf("%s has no field %s", d.typ, field)
}

func newMarker(d *decl, attribute string) (*marker, error) {
	want := d.name + "." + attribute
	for _, name := range slices.Sorted(maps.Keys(d.table.p.Items)) {
		item := d.table.p.Items[name]
		if item.Holds.Unique != want {
			continue
		}
		m := &marker{d: d, name: name}
		for _, key := range []string{d.table.p.Key.Partition, d.table.p.Key.Sort} {
			if key == "" {
				continue
			}
			text, ok := item.Key[key]
			if !ok {
				return nil, fmt.Errorf("item %s has no template for %s", name, key)
			}
			tmpl, err := parseTemplate(text, plan.S, nil, d.find)
			if err != nil {
				return nil, fmt.Errorf("item %s: %s: %w", name, key, err)
			}
			m.columns = append(m.columns, &column{name: key, typ: plan.S, tmpl: tmpl})
		}
		d.table.markers = append(d.table.markers, m)
		return m, nil
	}
	return nil, fmt.Errorf("no item of table %s holds {Unique: %q}", d.table.p.Name, want)
}

// claim notes the items before and after, pointers to copies; nil for none.
func (m *marker) claim(before, after any) Claim {
	if m == nil {
		return Claim{m: &marker{d: undeclared}, err: errUndeclared}
	}
	c := Claim{m: m}
	marshal := func(item any) (it attr.Item) {
		if item == nil {
			return it
		}
		v := reflect.ValueOf(item).Elem()
		if m.d.shape != nil {
			m.d.rules.Complete(v) // as it is written: what is unique may be computed
		}
		it, err := m.d.codec.Marshal(v)
		c.err = firstOf(c.err, err)
		return it
	}
	c.before, c.after = marshal(before), marshal(after)
	return c
}

func (c Claim) tx(add func(write)) {
	if c.m == nil {
		c = (*marker)(nil).claim(nil, nil)
	}
	from, err := c.m.key(c.before)
	to, bad := c.m.key(c.after)
	if c.err != nil || err != nil || bad != nil {
		add(&mark{c: &c, err: firstOf(c.err, err, bad)})
		return
	}
	if from.Len() > 0 && attr.EqualItems(from, to) {
		return
	}
	if from.Len() > 0 {
		add(&mark{c: &c, key: from, owner: c.before})
	}
	if to.Len() > 0 {
		add(&mark{c: &c, key: to, owner: c.after, take: true})
	}
}

func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// key is the marker's key for an item; empty if the item has no value to mark.
func (m *marker) key(it attr.Item) (key attr.Item, err error) {
	if it.Len() == 0 {
		return key, nil
	}
	for _, w := range m.columns {
		v, err := w.tmpl.value(itemLookup(it))
		if _, absent := err.(errAbsent); absent {
			return attr.Item{}, nil
		}
		if err != nil {
			return attr.Item{}, fmt.Errorf("marker of %s: %w", m.d.name, err)
		}
		key.Set(w.name, v)
	}
	return key, nil
}

// mark takes or releases a marker.
type mark struct {
	c     *Claim
	key   attr.Item
	owner attr.Item
	take  bool
	err   error
}

func (m *mark) write(db *DB, w *body, p *expr.Printer) (written, error) {
	d := m.c.m.d
	to := written{d: d, marker: true, action: "Delete", other: m.c.other, rep: harmless}
	if m.take {
		to.action, to.guard = "Put", guardAbsent
	}
	if err := d.table.ready(db); err != nil {
		return to, err
	}
	if m.err != nil {
		return to, m.err
	}
	to.key = d.canonical(m.key)
	w.text("TableName", db.actual(d.table.p.Name))
	// The marker says whose it is, as markers of a model do: the parts of the owner's key that are attributes.
	it, own := m.key.Clone(), (*expr.Condition)(nil)
	for _, part := range d.parts {
		if v, _ := itemLookup(m.owner)(part); !v.IsZero() && len(part.names()) == 1 && part.plain() == part {
			it.Set(string(part), v)
			own = expr.And(own, expr.Equal(expr.Name(string(part)), expr.Literal(v)))
		}
	}
	if m.take {
		w.item("Item", it)
		return to, w.conditionAnd(p, to, nil)
	}
	w.item("Key", m.key) // and nobody else's
	return to, w.conditionAnd(p, to, []test{{op: opText, text: own}})
}
