package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/expr"
	"github.com/tablewright/tablewright/spec"
)

// linear is an update that does nothing but add known numbers to attributes, by SET or ADD, raise the version, or make
// the stamp anew. Two such updates of one item, one after the other, are one with the sums, if every test of the second
// is moved by what the first adds.
type linear struct {
	deltas []delta
}

type delta struct {
	name string // the path's text
	path expr.Path
	by   attr.Number
	adds bool // ADD, which begins at 0 where there is nothing yet
}

func (l *linear) of(name string) (attr.Number, bool) {
	for _, d := range l.deltas {
		if d.name == name {
			return d.by, true
		}
	}
	return attr.Number{}, false
}

// delta records an assignment path = path ± number in a linear update; any other assignment makes it not linear.
func (x *translator) delta(r *Request, p expr.Path, a assign) {
	if r.linear == nil {
		return
	}
	var sum attr.Number
	known := false
	var plus, minus []expr.Operand
	if a.value.Op != "+" && a.value.Op != "-" || x.terms(a.value, false, &sum, &known, &plus, &minus) != nil ||
		!known || len(plus) != 1 || len(minus) != 0 {
		r.linear = nil
		return
	}
	if at, ok := plus[0].(expr.Path); !ok || at.String() != p.String() {
		r.linear = nil
		return
	}
	r.linear.deltas = append(r.linear.deltas, delta{p.String(), p, sum, false})
}

// linear notes that a test compares a number in the item with a known one.
func (x *translator) linear(c spec.Condition, t *test) {
	cond, ok := c.(*spec.Test)
	if !ok || len(cond.Path) == 0 || len(cond.Args) != 1 || len(itemPaths(cond.Args[0])) > 0 {
		return
	}
	switch cond.Op {
	case "=", "<", "<=", ">", ">=":
	default:
		return
	}
	v, err := spec.Eval(cond.Args[0], spec.On(attr.Item{}), x.env)
	p, perr := x.path(cond.Path)
	if err != nil || perr != nil || v.Kind() != attr.KindN {
		return
	}
	t.path, t.op, t.value = p.String(), cond.Op, v.Number()
	t.at = p
}

// once makes sure that a transaction or batch has at most one action for each item, as DynamoDB demands: two updates
// that only add become one, a check joins an update; what cannot be joined is an error.
func (c *Call) once(r *Request) error {
	seen := map[string]*Request{}
	out := r.Actions[:0]
	for _, a := range r.Actions {
		id := a.item()
		first := seen[id]
		if first == nil {
			seen[id] = a
			out = append(out, a)
			continue
		}
		if r.Verb == TransactGet {
			continue
		}
		switch err := first.join(a).(type) {
		case nil:
		case *Refusal:
			return err
		case oneItem:
			if r.Verb == Transact {
				return &Refusal{Pattern: r.Stage.Procedure.Name, Code: RefusedTwice, Of: alike(first, a)}
			}
			return fmt.Errorf("step %s: %w", r.Stage.label(), err)
		default:
			return fmt.Errorf("step %s: %w", r.Stage.label(), err)
		}
	}
	r.Actions = out
	if r.Verb != BatchWrite && len(r.Actions) > MaxTransaction {
		return fmt.Errorf("step %s: %d actions, and a transaction takes %d", r.Stage.label(), len(r.Actions), MaxTransaction)
	}
	return nil
}

// Touches names the items that a request writes or checks, the same item always by the same text. A request that only
// reads touches none.
func (r *Request) Touches() []string {
	switch r.Verb {
	case Put, Update, Delete, Check:
		return []string{r.item()}
	case Transact, BatchWrite:
		names := make([]string, len(r.Actions))
		for i, a := range r.Actions {
			names[i] = a.item()
		}
		return names
	}
	return nil
}

// item names the item that a request on one item is about.
func (r *Request) item() string {
	key := r.Key
	if r.Verb == Put {
		for _, w := range r.Kind.Table.Base.keys() {
			key.Set(w.Name, r.Item.Get(w.Name))
		}
	}
	return r.Table + "\x00" + string(attr.AppendItem(nil, key))
}

// oneItem says why two actions on one item cannot be one.
type oneItem string

func (e oneItem) Error() string { return string(e) }

// alike names what two actions are about, and the parts of their keys that turn out to be the same.
func alike(r, a *Request) string {
	text := func(v string) string {
		v = strings.TrimPrefix(v, "$")
		for _, q := range r.Stage.Procedure.Pattern.Found {
			if field, ok := strings.CutPrefix(v, q.Name+"."); ok {
				of := q.From.Entity.Name
				return strings.ToLower(of[:1]) + of[1:] + "." + field
			}
		}
		return v
	}
	var parts []string
	for _, name := range sortedKeys(r.Stage.Document.Key) {
		if one, other := r.Stage.Document.Key[name], a.Stage.Document.Key[name]; one != other && other != "" {
			parts = append(parts, text(one)+" and "+text(other)+" are the same "+name)
		}
	}
	if len(parts) == 0 {
		return r.Kind.Name
	}
	return r.Kind.Name + ", since " + strings.Join(parts, ", ")
}

// renew makes one put of a delete and a put of the same item, as when a unique attribute is set to the value that it
// has: the delete's conditions are asked of the item, the put's hold on what it leaves, which is nothing.
func (r *Request) renew(a *Request) error {
	for _, t := range a.tests {
		if !t.cond.Eval(attr.Item{}) {
			return fmt.Errorf("an item of %s is deleted and put anew at once, and the put asks what no item can answer", r.Kind.Name)
		}
	}
	tests := r.tests
	*r = *a
	r.tests = tests
	r.condition()
	return nil
}

// Renews reports whether a put of a marker and a delete before it are about one marker in every call: they make one put
// then.
func (s *Stage) Renews(d *Stage) bool {
	if s.Verb != Put || d.Verb != Delete || s.Kind != d.Kind || s.Kind.Role != UniqueItem {
		return false
	}
	return !slices.ContainsFunc(s.Kind.Unique, func(a *spec.Attribute) bool {
		key := d.Document.Key[a.Name]
		return key == "" || key != s.gives(a)
	})
}

// gives is what a put takes an attribute from, as a delete states it in its key; "" if that is more than a reference.
func (s *Stage) gives(a *spec.Attribute) string {
	if has(s.with, own(a)) || s.value == nil {
		return ""
	}
	if from := s.value.stage; from != nil && len(s.valueRef) == 1 {
		if key, ok := from.Document.Key[a.Name]; ok {
			return key
		}
	}
	return s.valueRef.String() + "." + a.Name
}

// told adds a later check of the same item to an update. A test of what the update writes is decided here, by the
// values written; the update's condition takes every other test.
func (r *Request) told(a *Request) error {
	tests := r.tests
	changed := r.Update.Touched()
	among := func(paths []expr.Path) func(p expr.Path) bool {
		return func(p expr.Path) bool {
			return slices.ContainsFunc(paths, func(q expr.Path) bool { return p.Attribute() == q.Attribute() })
		}
	}
	for _, t := range a.tests {
		paths := t.cond.Paths()
		if !slices.ContainsFunc(paths, among(changed)) {
			tests = append(tests, t)
			continue
		}
		var before attr.Item
		for _, q := range changed {
			if !among(paths)(q) { // such as a version that the update raises: any number will do
				before.Set(q.Attribute(), attr.Num(attr.Int(0)))
			}
		}
		after, _, err := r.Update.Apply(before)
		kept := slices.ContainsFunc(paths, func(p expr.Path) bool { return !among(changed)(p) })
		switch {
		case kept || err != nil:
			return oneItem("an update and a check are about one item of " + r.Kind.Name +
				", and the check tests what the update changes with what it keeps: state them as one")
		case !t.cond.Eval(after):
			return &Refusal{Pattern: r.Stage.Procedure.Name, Code: t.code}
		}
	}
	r.tests = tests
	r.condition()
	return nil
}

// join adds a later action on the same item.
func (r *Request) join(a *Request) error {
	switch {
	case r.Kind != nil && r.Kind.Pack != nil:
		return oneItem(fmt.Sprintf("two actions are about one %s, or more than %d in one item of %s", r.Kind.Entity.Name, maxEntries, r.Kind.Name))
	case a.Verb == Check && (r.Verb == Check || r.Verb == Update && r.linear != nil), a.Verb == Update && r.Verb == Update && r.linear != nil && a.linear != nil:
	case r.Verb == Put && (a.Verb == Check || a.Verb == Update && r.Stage.demandsAbsent() && (a.Stage.LeadsOn() || a.Stage.Verb == Put)):
		return r.follows(a)
	case r.Verb == Check && (a.Verb == Update || a.Verb == Delete || a.Verb == Put):
		tests := append(r.tests, a.tests...)
		stage := r.Stage
		*r = *a
		r.tests, r.Stage = tests, stage
		r.condition()
		return nil
	case r.Verb == Delete && a.Verb == Put:
		return r.renew(a)
	case r.Verb == Delete && a.Verb == Delete && !slices.ContainsFunc(a.tests, func(t test) bool { return !t.still }):
		return nil // it is gone by then, which nobody minds
	case r.Verb == Update && (a.Verb == Update || a.Verb == Check) && r.unlike(a):
		r.beside(a)
		return nil
	case r.Verb == Update && a.Verb == Update && a.linear != nil && r.counts(a):
		return nil
	case r.Verb == Update && a.Verb == Update && r.linear != nil && a.counts(r):
		stage := r.Stage
		*r = *a
		r.Stage = stage
		return nil
	case r.Verb == Update && a.Verb == Check:
		return r.told(a)
	default:
		return oneItem(fmt.Sprintf("two actions, %s and %s, are about one item of %s, and DynamoDB takes one: state them as one", r.Verb, a.Verb, r.Kind.Name))
	}
	for _, t := range a.tests {
		moved := t
		if r.linear != nil && t.path != "" {
			if d, ok := r.linear.of(t.path); ok {
				v, err := t.value.Sub(d)
				if err != nil {
					return err
				}
				moved.value = v
				if moved.cond, err = compare(t.op, t.at, expr.Literal(attr.Num(v))); err != nil {
					return err
				}
			}
		} else if r.linear != nil && t.path == "" {
			for _, p := range t.cond.Paths() {
				if _, ok := r.linear.of(p.String()); ok {
					return oneItem("two updates are about one item of " + r.Kind.Name + ", and the second tests what the first changes")
				}
			}
		}
		r.tests = append(r.tests, moved)
	}
	r.condition()
	if a.Verb != Update {
		return nil
	}
	for _, d := range a.linear.deltas {
		i := 0
		for i < len(r.linear.deltas) && r.linear.deltas[i].name != d.name {
			i++
		}
		if i == len(r.linear.deltas) {
			r.linear.deltas = append(r.linear.deltas, delta{name: d.name, path: d.path, adds: d.adds})
		}
		sum, err := r.linear.deltas[i].by.Add(d.by)
		if err != nil {
			return err
		}
		r.linear.deltas[i].by = sum
		r.linear.deltas[i].adds = r.linear.deltas[i].adds && d.adds
	}
	changes := make([]expr.Change, len(r.linear.deltas))
	for i, d := range r.linear.deltas {
		if changes[i] = expr.Set(d.path, expr.Plus(d.path, expr.Literal(attr.Num(d.by)))); d.adds {
			changes[i] = expr.Add(d.path, attr.Num(d.by))
		}
	}
	if a.stamped {
		r.stamp, r.stamped = a.stamp, true
	}
	if r.stamped {
		changes = append(changes, r.stamp)
	}
	r.within = append(r.within, a.within...)
	r.changes = append(changes, r.within...)
	r.Update = expr.NewUpdate(r.changes...)
	return nil
}

// counts merges another update of the same item, which only adds to numbers, into this one. It returns false and
// changes nothing if either tests what the other changes, or if both change one attribute in another way.
func (r *Request) counts(a *Request) bool {
	touches := func(q *Request, p expr.Path) bool {
		return slices.ContainsFunc(q.Update.Touched(), func(t expr.Path) bool { return t.Attribute() == p.Attribute() })
	}
	tests := func(q, other *Request) bool {
		return slices.ContainsFunc(q.tests, func(t test) bool {
			return slices.ContainsFunc(t.cond.Paths(), func(p expr.Path) bool { return touches(other, p) })
		})
	}
	if len(r.places)+len(a.places) > 0 || a.ReturnNew || a.ReturnOld || a.stamped || tests(r, a) || tests(a, r) {
		return false
	}
	changes := slices.Clone(r.changes)
	for _, d := range a.linear.deltas {
		i := slices.IndexFunc(changes, func(c expr.Change) bool { return c.Section == expr.ADD && c.Path.String() == d.name })
		switch {
		case !d.adds || i < 0 && touches(r, d.path):
			return false
		case i < 0:
			changes = append(changes, expr.Add(d.path, attr.Num(d.by)))
			continue
		}
		was, ok := changes[i].Added()
		sum, err := was.Number().Add(d.by)
		if !ok || err != nil {
			return false
		}
		changes[i] = expr.Add(d.path, attr.Num(sum))
	}
	r.tests = append(r.tests, a.tests...)
	r.condition()
	r.changes, r.Update = changes, expr.NewUpdate(changes...)
	return true
}

// follows adds to a put what a later action asks of the item, or changes there: a check of what is required, a child
// that is counted in it or lies inside it. It is decided and done by what is put.
func (r *Request) follows(a *Request) error {
	for _, t := range a.tests {
		if !t.cond.Eval(r.Item) {
			return &Refusal{Pattern: r.Stage.Procedure.Name, Code: t.code}
		}
	}
	if a.Verb == Update {
		after, _, err := a.Update.Apply(r.Item)
		if err != nil {
			return err
		}
		r.Item = after
	}
	return nil
}

// unlike reports whether two actions on one item neither change nor test the same: one is about the item itself and the
// other about children inside it, or they are about different children.
func (r *Request) unlike(a *Request) bool {
	return (len(r.places) == 0) != (len(a.places) == 0) || r.inside && a.inside && !slices.ContainsFunc(a.places, func(p string) bool { return slices.Contains(r.places, p) })
}

// beside adds an action that changes and tests something else of the same item.
func (r *Request) beside(a *Request) {
	r.tests = append(r.tests, a.tests...)
	r.condition()
	r.places = append(r.places, a.places...)
	if a.Verb != Update {
		return
	}
	if r.inside && !a.inside {
		r.within, r.linear = append(r.within, r.changes...), a.linear
	} else {
		r.within = append(r.within, a.changes...)
	}
	r.inside = r.inside && a.inside
	r.changes = append(r.changes, a.changes...)
	if a.stamped {
		r.stamp, r.stamped = a.stamp, true
	}
	r.ReturnNew, r.ReturnOld = r.ReturnNew || a.ReturnNew, r.ReturnOld || a.ReturnOld
	r.Update = expr.NewUpdate(r.changes...)
}
