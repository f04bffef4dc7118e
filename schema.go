package tablewright

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/expr"
	"github.com/tablewright/tablewright/schema"
)

// Schema is what items of this kind must be, by the types of T's fields and their tags `check`; see package schema. Every
// write is held to it before it is sent: a write that breaks a rule is [ErrInvalid] and a *[schema.Error], which has every
// problem with its path. Whole values get their defaults and computed attributes. Of an update, each change is checked by
// itself, and computed attributes that follow from what is changed are set; what only the service knows, such as the sum of
// an Add, is not checked: a condition says it. Of a Patch, what differs is checked as a part of the whole.
//
// Reads give what is absent its default. They are not checked unless asked for: see [DB.CheckReads].
func (v *View[K, T]) Schema() (s schema.Typed[T]) {
	if v.d != nil {
		s, _ = schema.Compile[T]() // it did when it was declared
	}
	return s
}

// learnType learns the codec and the schema of the declared type.
func (d *decl) learnType() (err error) {
	if d.rules, err = schema.CompileType(d.typ); err != nil {
		return fmt.Errorf("schema: %w", err)
	}
	if !d.raw() {
		d.shape = d.rules.Shape
	}
	d.codec, err = attr.ItemCodecOf(d.typ)
	return err
}

// prepareItem gives a whole value that is to be written its defaults and computed attributes, and checks it.
func (d *decl) prepareItem(item reflect.Value) error {
	if d.shape == nil {
		return nil
	}
	return d.broken(d.rules.Prepare(item))
}

// broken says of which kind of item an error of its schema is.
func (d *decl) broken(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", d.name, err)
}

// checkPatched checks the whole value after a patch. Only what the patch writes can be wrong: an item that breaks a rule,
// because the rule is younger than it, can be changed elsewhere.
func checkPatched(d *decl, after reflect.Value, edits []edit) error {
	if d.shape == nil || len(edits) == 0 {
		return nil
	}
	err := d.rules.Check(after)
	wrong, ok := errors.AsType[*schema.Error](err)
	if !ok {
		return d.broken(err)
	}
	var written schema.Error
	for _, p := range wrong.Problems {
		for i := range edits {
			if rest, ok := strings.CutPrefix(p.Path, edits[i].n.top()); ok && (rest == "" || rest[0] == '.' || rest[0] == '[') {
				written.Problems = append(written.Problems, p)
				break
			}
		}
	}
	if written.Problems == nil {
		return nil
	}
	return d.broken(&written)
}

// checkEdits checks the changes of an update by themselves, completes values that are set, and adds the changes of computed
// attributes that follow from them.
func (c *updateCall) checkEdits() error {
	d := c.key.d
	if d.shape == nil || c.patch { // a patch is checked as a whole
		return nil
	}
	var wrong schema.Error
	own := false // whether c.edits may be changed: calls are values, whose copies share them
	for i := range c.edits {
		e := &c.edits[i]
		if e.err != nil || e.do == 0 || e.n != nil && e.n.err != nil {
			return nil // it is told where the change is written
		}
		if e.do == doText {
			checkText(d.shape, e.text, &wrong)
			continue
		}
		var steps [4]schema.Step
		ch := schema.Change{Do: e.do.inSchema(), Path: steps[:0], Value: e.v}
		for _, s := range e.n.at {
			if s.index >= 0 {
				ch.Path = append(ch.Path, schema.Step{Index: s.index})
			} else {
				ch.Path = append(ch.Path, schema.Step{Name: s.name})
			}
		}
		v, err := d.shape.CheckChange(ch)
		collectProblems(&wrong, err)
		if !attr.Equal(v, e.v) {
			if !own {
				c.edits, own = append([]edit(nil), c.edits...), true
			}
			c.edits[i].v = v
		}
	}
	if wrong.Problems != nil {
		return d.broken(&wrong)
	}
	return c.derive()
}

func collectProblems(into *schema.Error, err error) {
	if wrong, ok := errors.AsType[*schema.Error](err); ok {
		into.Problems = append(into.Problems, wrong.Problems...)
		into.More += wrong.More
	}
}

// inSchema is what package schema calls a change.
func (k editKind) inSchema() schema.Do {
	switch k {
	case doSet, doSetIfAbsent:
		return schema.SetTo
	case doRemove:
		return schema.Remove
	case doAdd, doPlus, doMinus:
		return schema.Add
	case doInsert, doAppend, doPrepend:
		return schema.AddTo
	}
	return schema.TakeFrom
}

// checkText checks what a clause says literally; of the rest, only that it leaves computed attributes alone.
func checkText(s *schema.Shape, u *expr.Update, wrong *schema.Error) {
	actions := u.Actions()
	for i := range actions {
		a := &actions[i]
		c := schema.Change{Do: schema.TakeFrom, Path: make([]schema.Step, a.Path.Len())}
		for j := range c.Path {
			c.Path[j].Name, c.Path[j].Index = a.Path.Step(j)
		}
		v, literal := a.Literal()
		switch {
		case a.Section == expr.REMOVE:
			c.Do = schema.Remove
		case !literal || a.Section == expr.DELETE:
		case a.Section == expr.SET:
			c.Do, c.Value = schema.SetTo, v
		case v.Kind() == attr.KindN:
			c.Do, c.Value = schema.Add, v
		default:
			c.Do, c.Value = schema.AddTo, v
		}
		filled, err := s.CheckChange(c)
		collectProblems(wrong, err)
		if err == nil && !attr.Equal(filled, c.Value) {
			wrong.Problems = append(wrong.Problems, schema.Problem{Path: a.Path.String(), Rule: schema.RuleComputed,
				Text: "has defaults or computed attributes inside: set it by its descriptor, not in text"})
		}
	}
}

// derive adds the changes of computed attributes.
func (c *updateCall) derive() error {
	tops := map[string]bool{}
	for i := range c.edits {
		if e := &c.edits[i]; e.do != doText {
			tops[e.n.top()] = true
		} else {
			for _, p := range e.text.Touched() {
				tops[p.Attribute()] = true
			}
		}
	}
	d := c.key.d
	derived, err := d.shape.Derived(func(name string) bool { return tops[name] }, func(name string) (attr.Value, bool) { return c.lookup(attrPath(name)) })
	if err != nil {
		return fmt.Errorf("%s: %w: use Patch or Edit, which know the whole item", d.name, err)
	}
	for i, f := range derived {
		if i == 0 {
			c.edits = append([]edit(nil), c.edits...)
		}
		at := []step{{f.Name, -1}}
		e := edit{do: doSet, n: &node{decl: d, at: at, path: pathOf(at)}, v: f.Value}
		if f.Value.IsZero() {
			e.do = doRemove
		}
		c.edits = append(c.edits, e)
	}
	return nil
}

// BrokenItem is a stored item that breaks the rules of its type: because it was written by other means, or before there was
// the rule. Its text has the kind and what is wrong, no values.
type BrokenItem struct {
	Entity string        // the declared name of the kind of item
	Key    attr.Item     // of the item, in the table; empty where the answer has it not
	Err    *schema.Error // what is wrong
}

// Error names the kind of item and what is wrong.
func (e *BrokenItem) Error() string {
	return fmt.Sprintf("a stored item of %s breaks its rules: %v", e.Entity, e.Err)
}

// Unwrap is the *schema.Error.
func (e *BrokenItem) Unwrap() error { return e.Err }

// Strict makes of an item that breaks the rules of its type an error of the read, which is a *BrokenItem: for
// [DB.CheckReads] and [Options].
func Strict(e *BrokenItem) error { return e }

// CheckReads is the same way; items that are read on it are held to the rules of their type, also those that writes answer.
// broken is called with each one that breaks a rule, concurrently where reads are: what it returns is the error of the read
// (see [Strict]), or nil, and the item is delivered as it is (to count it, log it, or put it right). Attributes that T does
// not have are not looked at. nil ends the checking.
func (db *DB) CheckReads(broken func(*BrokenItem) error) *DB {
	with := *db
	with.broken = broken
	return &with
}

// checkRead gives an item that was read its defaults, and checks it if that is wanted. whole says that all attributes are
// there that a T always has, so that the Go value tells the rest.
func (d *decl) checkRead(db *DB, rules *schema.Bound, raw []byte, item reflect.Value, whole bool) error {
	if db == nil || db.broken == nil {
		rules.Default(item)
		return nil
	}
	sound := whole && rules.Check(item) == nil
	rules.Default(item)
	if sound {
		return nil
	}
	it, err := attr.ParseItem(raw)
	if err != nil {
		return d.unreadable(raw, err)
	}
	wrong, ok := errors.AsType[*schema.Error](rules.Shape.Check(it))
	if !ok {
		return nil
	}
	e := &BrokenItem{Entity: d.name, Err: wrong}
	for _, w := range d.origin().key {
		e.Key.Set(w.name, it.Get(w.name))
	}
	return db.broken(e)
}
