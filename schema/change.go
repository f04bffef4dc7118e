package schema

import (
	"fmt"
	"slices"

	"github.com/tablewright/tablewright/attr"
)

// Change is one change of an update, which is checked without knowing the item that it changes.
type Change struct {
	Do    Do
	Path  []Step
	Value attr.Value // zero for Remove
}

// Do is what a change does.
type Do uint8

// What a change does.
const (
	SetTo    Do = iota // puts a value in the place
	Remove             // removes what is there
	Add                // adds a number, or takes it away
	AddTo              // puts elements into a list or set
	TakeFrom           // takes elements out of a set
)

// Step is one step of the path of a change: the name of an attribute or key, or, if the name is "", the position of an
// element.
type Step struct {
	Name  string
	Index int
}

// CheckChange tells what is certainly wrong with a change: nil, or an *Error. Of a value that is set as a whole it returns
// what to set: with the defaults and computed attributes inside. It demands the type and rules of what is set, of the
// elements that are added, that nothing is removed that is required by a rule (not only by a Go type that is always
// written), and that computed attributes are left alone, also those that
// follow from what is changed inside their object. What the service computes, such as the sum, the length of a list that
// grows, and computed attributes at the top, is not known here; see Derived.
func (s *Shape) CheckChange(c Change) (attr.Value, error) {
	var r report
	v := s.self.change(c, 0, &r)
	return v, r.result()
}

// change checks a change from step i on.
func (n *node) change(c Change, i int, r *report) attr.Value {
	if i == len(c.Path) {
		return n.changeHere(c, r)
	}
	at := c.Path[i]
	if at.Name == "" {
		r.element(at.Index)
	} else {
		r.enter(at.Name)
	}
	defer r.leave()
	switch {
	case n.form == objectForm && at.Name != "":
		f := n.shape.find(at.Name)
		last := i == len(c.Path)-1
		switch {
		case f == nil && n.shape.closed:
			r.add(RuleUnknown, "is not known here")
		case f == nil:
		case f.computed != nil:
			r.add(RuleComputed, "is computed, and not changed otherwise")
		case last && c.Do == Remove && !f.optional && !f.implied:
			r.add(RuleRequired, "must be there: it is not removed")
		case i > 0 && n.shape.derives(at.Name):
			r.add(RuleComputed, "is what a computed attribute follows from: it is set with the whole that both are in")
		default:
			return f.typ.change(c, i+1, r)
		}
	case n.form == mapForm && at.Name != "":
		if n.keys != nil && c.Do != Remove && !n.keys.textOK(at.Name) {
			n.keys.checkKey(at.Name, r)
		}
		return n.elem.change(c, i+1, r)
	case n.form == listForm && at.Name == "":
		return n.elem.change(c, i+1, r)
	}
	return c.Value
}

// changeHere checks a change of what the type describes.
func (n *node) changeHere(c Change, r *report) attr.Value {
	switch c.Do {
	case SetTo:
		v := c.Value
		if n.fillable() {
			v = n.fill(v, true)
		}
		n.check(v, r)
		return v
	case Add:
		if n.form == numberForm {
			by := *n // what the sum keeps is kept by what is added
			by.low, by.high, by.enum, by.single = bound{}, bound{}, nil, false
			by.check(c.Value, r)
		}
	case AddTo:
		if n.form != listForm && n.form != setForm {
			break
		}
		elems := make([]attr.Value, len(c.Value.Elems()))
		r.enter("[]")
		defer r.leave()
		for i, e := range c.Value.Elems() {
			elems[i] = n.elem.fill(e, true)
			n.elem.check(elems[i], r)
		}
		if n.form == listForm && c.Value.Kind() == attr.KindL {
			return attr.List(elems...)
		}
	}
	return c.Value
}

// derives reports whether a computed attribute of the object follows from the one with the name.
func (s *Shape) derives(name string) bool {
	return slices.ContainsFunc(s.fields, func(f field) bool {
		return f.computed != nil && (f.from == nil || slices.Contains(f.from, name))
	})
}

// Derived are the computed attributes of the object itself that follow from what is changed, given the names of what is, with
// their new values, zero if they are absent then. known tells the value that an attribute will have, false if that cannot be
// told. It is an error, which names the attribute, if one cannot be computed.
func (s *Shape) Derived(changed func(name string) bool, known func(name string) (attr.Value, bool)) ([]attr.Field, error) {
	var all []attr.Field
	for i := range s.fields {
		f := &s.fields[i]
		if f.computed == nil || f.from != nil && !slices.ContainsFunc(f.from, changed) {
			continue
		}
		if f.from == nil {
			return nil, fmt.Errorf("%s is computed, and its declaration does not say from which attributes (computed=Method:a|b)", f.name)
		}
		var it attr.Item
		for _, name := range f.from {
			v, ok := known(name)
			if !ok {
				return nil, fmt.Errorf("%s is computed from %s, which is not known here", f.name, name)
			}
			it.Set(name, v)
		}
		all = append(all, attr.Field{Name: f.name, Value: f.computed(it)})
	}
	return all, nil
}
