package tablewright

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/expr"
	"github.com/tablewright/tablewright/keys"
	"github.com/tablewright/tablewright/spec"
)

// Update changes attributes of one item.
type Update[T any] struct{ c *updateCall }

// If makes the update depend on the item as it is stored: all conditions must hold.
func (u Update[T]) If(c ...Cond[T]) Update[T] { return Update[T]{u.c.with(testsOf(c))} }

// Else gives the conditions the error that they become: errors.Is finds it.
func (u Update[T]) Else(err error) Update[T] { return Update[T]{u.c.otherwise(err)} }

// Upsert lets the update create the item if it is not there, with what the key and the changes tell. DynamoDB creates none for
// an update that does nothing but remove.
func (u Update[T]) Upsert() Update[T] { return Update[T]{u.c.orCreate()} }

// Run changes the item.
func (u Update[T]) Run(ctx context.Context, db *DB) error { return u.c.run(ctx, db) }

// New changes the item and returns it as stored.
func (u Update[T]) New(ctx context.Context, db *DB) (item T, err error) {
	err = u.c.new(ctx, db, &item)
	return item, err
}

// Old changes the item and returns the one before; ErrNotFound says that there was none, and that it was created.
func (u Update[T]) Old(ctx context.Context, db *DB) (item T, err error) {
	err = u.c.old(ctx, db, &item)
	return item, err
}

// Updated changes the item and returns what the update wrote, as stored, and the key; all else of T is zero, whatever the item
// has, and no defaults are given: for the new value of a counter of a large item, all of which New would send. Of a map in
// which something was changed there is only that, of a list only the elements that were, one behind the other (DynamoDB Local
// sends the whole); what was removed is zero. The version and times that the client keeps count as written. It is
// UPDATED_NEW of docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateItem.html.
func (u Update[T]) Updated(ctx context.Context, db *DB) (changed T, err error) {
	err = u.c.updated(ctx, db, &changed)
	return changed, err
}

// Request is what would be sent.
func (u Update[T]) Request() (Request, error) { return u.c.Request() }

func (u Update[T]) tx(add func(write)) { u.c.tx(add) }

// updateCall is an update as it was built, whatever its type.
type updateCall struct {
	key           itemKey
	edits         []edit
	tests         []test
	other         error
	upsert        bool
	gaps          bool // carrying it out twice does no harm: a number is lost
	patch         bool
	before, after attr.Item // of a patch: T's attributes
	err           error
	pattern       string
}

// updateOf is an update of the item with a key of d.
func updateOf[K any](d *decl, key K, edits []edit) *updateCall {
	c := &updateCall{edits: edits}
	setKey(&c.key, d, key)
	return c
}

var noUpdate = &updateCall{key: noKey}

func (c *updateCall) tx(add func(write)) { add(c.or()) }

//go:noinline
func (c *updateCall) or() *updateCall {
	if c == nil {
		return noUpdate
	}
	return c
}

//go:noinline
func (c *updateCall) copy() *updateCall { own := *c.or(); return &own }

func (c *updateCall) with(tests []test) *updateCall {
	c = c.copy()
	c.tests = both(c.tests, tests)
	return c
}

func (c *updateCall) otherwise(err error) *updateCall {
	c = c.copy()
	c.other = err
	return c
}

func (c *updateCall) orCreate() *updateCall {
	c = c.copy()
	c.upsert = true
	return c
}

func (c *updateCall) run(ctx context.Context, db *DB) error {
	if c = c.or(); c.nothing() {
		return nil
	}
	return db.run(ctx, c.pattern, c, returnNothing, nil)
}

// new changes the item and decodes it as stored into item, a pointer.
func (c *updateCall) new(ctx context.Context, db *DB, item any) error {
	c = c.or()
	d := c.key.d
	if c.nothing() {
		return d.codec.Unmarshal(c.after, reflect.ValueOf(item).Elem())
	}
	return db.run(ctx, c.pattern, c, returnNew, func(raw []byte) error { return d.decode(db, raw, item) })
}

// old changes the item and decodes the one before into item, a pointer.
func (c *updateCall) old(ctx context.Context, db *DB, item any) error {
	c = c.or()
	d := c.key.d
	if c.nothing() {
		return d.codec.Unmarshal(c.before, reflect.ValueOf(item).Elem())
	}
	return db.run(ctx, c.pattern, c, returnOld, func(raw []byte) error { return d.decodeOld(db, raw, item, "UpdateItem") })
}

// updated changes the item and decodes what was written, and the key, into item, a pointer.
func (c *updateCall) updated(ctx context.Context, db *DB, item any) error {
	c = c.or()
	told := func(raw []byte) error { return c.key.d.decodePart(db, c.key.beside(raw), item) }
	if c.nothing() {
		return told(nil)
	}
	return db.run(ctx, c.pattern, c, returnUpdated, told)
}

// Request is what would be sent.
func (c *updateCall) Request() (Request, error) { return requestOf(c.or()) }

// nothing reports whether the update is a patch without a difference and without a condition.
func (c *updateCall) nothing() bool {
	return c.patch && len(c.edits) == 0 && len(c.tests) == 0 && c.err == nil && c.key.err == nil
}

func (c *updateCall) write(db *DB, w *body, p *expr.Printer) (written, error) {
	c = c.copy() // the schema adds changes
	d := c.key.d
	to := written{d: d, action: "Update", guard: guardPresent, other: c.other, rep: harmless}
	if c.upsert {
		to.guard = guardNone
	}
	if err := d.table.ready(db); err != nil {
		return to, err
	}
	if c.err != nil {
		return to, c.err
	}
	if err := c.checkEdits(); err != nil {
		return to, err
	}
	w.text("TableName", db.actual(d.table.p.Name))
	w.key("Key")
	start := len(w.b)
	var err error
	if w.b, err = c.key.append(w.b); err != nil {
		return to, err
	}
	to.key = append([]byte(nil), w.b[start:]...)
	var changes []expr.Change
	for i := range c.edits {
		if changes, err = c.edits[i].changes(changes); err != nil {
			return to, err
		}
		to.rep = to.rep && c.edits[i].repeatable()
	}
	touched, err := c.touched()
	if err != nil {
		return to, err
	}
	if changes, err = c.follow(changes, touched); err != nil {
		return to, err
	}
	if len(c.edits) > 0 || c.upsert || c.patch {
		if changes, err = c.roles(db, changes, &to); err != nil {
			return to, err
		}
	}
	if c.gaps {
		to.rep = harmless
	}
	if len(changes) > 0 {
		update := expr.NewUpdate(changes...)
		if err := w.expression("UpdateExpression", func(dst []byte) ([]byte, error) { return p.AppendUpdate(dst, update) }); err != nil {
			return to, err
		}
	}
	return to, w.conditionAnd(p, to, c.tests)
}

// touched are the attributes that the edits change; it refuses parts of the key.
func (c *updateCall) touched() (map[string]bool, error) {
	d := c.key.d
	tops := map[string]bool{}
	for i := range c.edits {
		e := &c.edits[i]
		if e.do != doText {
			tops[e.n.top()] = true
			continue
		}
		for _, p := range e.text.Touched() {
			tops[p.Attribute()] = true
		}
	}
	for _, p := range d.parts {
		if top := p.top(); tops[top] {
			return nil, d.changes(top)
		}
	}
	for _, kept := range [...]string{d.version, d.updated} {
		if tops[kept] {
			return nil, d.changes(kept)
		}
	}
	for _, name := range d.natives() {
		if !tops[name] {
			continue
		}
		for i := range c.edits {
			e := &c.edits[i]
			if e.do <= doSetIfAbsent && e.n.whole() && e.n.top() == name && (e.v.Kind() == attr.KindNULL || e.v.Kind() != attr.KindN && e.v.Str() == "") {
				return nil, fmt.Errorf("%s of %s is set to nothing: an index names it, so it is removed or has a value", name, d.name)
			}
		}
	}
	return tops, nil
}

// changes refuses changes of an attribute that has a part of the key, or that the client keeps.
func (d *decl) changes(top string) error {
	if top == d.version || top == d.updated {
		return fmt.Errorf("%s of %s is kept by the client, which changes it with every write: leave it out", top, d.name)
	}
	for _, p := range d.parts {
		if p.top() == top {
			return fmt.Errorf("%s is a part of the key of %s, which an update cannot change: Move puts the item under its new key", p, d.name)
		}
	}
	return nil
}

// follow adds the changes of computed attributes that depend on what is changed.
func (c *updateCall) follow(changes []expr.Change, touched map[string]bool) ([]expr.Change, error) {
	d := c.key.d
	for _, name := range slices.Sorted(maps.Keys(touched)) { // else the value under the former name would come back
		f := d.fields[name]
		if f.Was == "" {
			continue
		}
		if c.inside(name) {
			return changes, fmt.Errorf("%s may still stand under %s, its name before, where an update cannot go on from it: Set it, or use Patch or Edit", name, f.Was)
		}
		changes = append(changes, expr.Remove(expr.Name(f.Was)))
	}
	for _, w := range d.wires {
		if d.isKey(w) {
			continue
		}
		depends := false
		for _, p := range w.deps {
			depends = depends || touched[p.top()]
		}
		if !depends && !c.upsert {
			continue
		}
		v, err := d.computed(w, c.lookup)
		if err != nil && (!depends || c.stays(w, touched)) {
			continue // as it was; and a new item has none, since it lacks what it is built from
		}
		if err != nil {
			return changes, fmt.Errorf("%w: it must be computed anew, from attributes that are in the key or set here (or use Patch, which knows them all)", err)
		}
		if v.IsZero() {
			changes = append(changes, expr.Remove(expr.Name(w.name)))
		} else {
			changes = append(changes, expr.Set(expr.Name(w.name), expr.Literal(v)))
		}
	}
	return changes, nil
}

// inside reports whether the edits change something inside an attribute, which stays what it was otherwise.
func (c *updateCall) inside(name string) bool {
	for i := range c.edits {
		e := &c.edits[i]
		if e.do != doText && e.n.top() == name && (!e.n.whole() || e.do != doSet && e.do != doRemove) {
			return true
		}
	}
	return false
}

// stays reports whether a computed attribute is there and remains as it is: what it is built from does not change, and its
// `when` held before by what the conditions demand, and holds after.
func (c *updateCall) stays(w *column, touched map[string]bool) bool {
	for _, p := range w.paths() {
		if touched[p.top()] {
			return false
		}
	}
	if w.when == nil || c.upsert {
		return false
	}
	before := &subject{d: c.key.d, get: c.demanded}
	held, err := spec.Holds(w.when, before, spec.Env{})
	if err != nil || !held || before.unknown != "" {
		return false
	}
	after := &subject{d: c.key.d, get: c.lookup}
	holds, err := spec.Holds(w.when, after, spec.Env{})
	return err == nil && holds && after.unknown == ""
}

// demands reports whether the conditions hold for one value of an attribute only.
func (c *updateCall) demands(name string) bool {
	for i := range c.tests {
		if t := &c.tests[i]; t.op == opEqual && !t.size && t.err == nil && t.n.whole() && t.n.top() == name {
			return true
		}
	}
	return false
}

// demanded tells the value that an attribute must have for the conditions to hold.
func (c *updateCall) demanded(p attrPath) (attr.Value, bool) {
	for i := range c.tests {
		if t := &c.tests[i]; t.op == opEqual && !t.size && t.err == nil && t.n.whole() && attrPath(t.n.top()) == p.plain() {
			return t.a, true
		}
	}
	return c.key.lookup(p)
}

// lookup tells the value that an attribute will have.
func (c *updateCall) lookup(p attrPath) (attr.Value, bool) {
	if c.patch {
		return itemLookup(c.after)(p)
	}
	names := p.names()
	for i := range c.edits {
		e := &c.edits[i]
		if e.do == doText {
			for _, t := range e.text.Touched() {
				if t.Attribute() == names[0] {
					return attr.Value{}, false
				}
			}
			continue
		}
		if e.n.top() != names[0] {
			continue
		}
		switch {
		case !e.n.whole():
			return attr.Value{}, false
		case e.do == doRemove:
			return attr.Value{}, true
		case e.do == doSet:
			v := e.v
			for _, n := range names[1:] {
				v = v.Map().Get(n)
			}
			return v, true
		}
		return attr.Value{}, false
	}
	if v, known := c.key.lookup(p); known {
		return v, true
	}
	return attr.Value{}, false
}

// roles adds what keeps version and times, and on an upsert the parts of the key that are attributes of their own.
func (c *updateCall) roles(db *DB, changes []expr.Change, to *written) ([]expr.Change, error) {
	d := c.key.d
	if d.version != "" {
		path := expr.Name(d.version)
		if c.patch {
			n, _ := c.before.Get(d.version).Number().Int64()
			next, err := d.nextVersion(n)
			if err != nil {
				return changes, err
			}
			to.version = &n
			changes = c.leaves(append(changes, expr.Set(path, expr.Literal(attr.Num(attr.Int(next))))), d.version)
			to.once = true
		} else {
			var err error
			if changes, err = c.count(changes, d.version); err != nil {
				return changes, err
			}
			to.once = c.demands(d.version)
		}
		// A second one counts a write that nobody made, and overwrites without being seen what others, who have read the
		// first one, wrote meanwhile; unless it asks for the version that it found.
		to.rep = repeatable(to.once)
	}
	if d.updated == "" && !c.upsert {
		return changes, nil
	}
	now, err := keys.TimestampOf(db.now())
	if err == nil && d.updated != "" {
		if v, err := stored(d.fields[d.updated], now); err == nil {
			changes = c.leaves(append(changes, expr.Set(expr.Name(d.updated), expr.Literal(v))), d.updated)
		}
	}
	if !c.upsert {
		return changes, nil
	}
	if err == nil && d.created != "" {
		if v, err := stored(d.fields[d.created], now); err == nil {
			path := expr.Name(d.created)
			if was := d.fields[d.created].Was; was != "" {
				return changes, fmt.Errorf("%s may still stand under %s, its name before, and an upsert cannot tell that from an item which is not there: Put or Update it", d.created, was)
			}
			changes = append(changes, expr.Set(path, expr.IfNotExists(path, expr.Literal(v))))
		}
	}
	for i, p := range d.parts {
		name := string(p.plain())
		if _, own := d.fields[name]; !own || d.isKeyName(name) {
			continue
		}
		path, v := expr.Name(name), expr.Literal(c.key.parts[i])
		if p != p.plain() { // several values have one key, such as the moments of an hour: the first one stays
			changes = append(changes, expr.Set(path, expr.IfNotExists(path, v)))
			continue
		}
		changes = append(changes, expr.Set(path, v))
	}
	return changes, nil
}

// fieldNames are the attributes of T by name.
func fieldNames(d *decl) []string { return slices.Sorted(maps.Keys(d.fields)) }
