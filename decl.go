package tablewright

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/keys"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/schema"
	"github.com/tablewright/tablewright/spec"
)

// decl is one declared kind of item: how a Go type lies in a table. It does not change once declared, but for alone.
type decl struct {
	table   *Table
	name    string
	typ     reflect.Type // the T of the entity
	fields  map[string]attr.StructField
	entity  *spec.Entity // of T's attributes, for `when`
	wires   []*column    // computed attributes: the key's first
	key     []*column    // of the table's own key: partition, sort
	parts   []attrPath   // what K consists of, in the order of the key
	bound   *keyCodec    // of K
	shards  *sharding    // what {shard} is; nil if the items are not divided
	version string       // attributes with a role; ""
	created string
	updated string
	renamed bool // an attribute, or something inside one, stands under two names
	alone   bool // nothing else lies in the table: set when it is sealed
	project []string
	source  *decl          // of a view: whose items it reads
	codec   attr.ItemCodec // of typ
	rules   *schema.Bound  // of typ
	shape   *schema.Shape  // what items are held to; nil of Raw

	nativeOnce  sync.Once
	nativeNames []string
}

// column is a wire attribute of an item that a key names or a template builds.
type column struct {
	name  string
	typ   plan.Type
	tmpl  *template        // nil: stored under its own name
	field attr.StructField // of a native one
	when  spec.Condition   // nil: always
	deps  []attrPath       // what it is computed from
}

// native reports whether the attribute is one of the item's own.
func (w *column) native() bool { return w.tmpl == nil }

// paths are the parts of the attribute.
func (w *column) paths() []attrPath {
	if w.native() {
		return []attrPath{attrPath(w.name)}
	}
	paths := make([]attrPath, len(w.tmpl.parts))
	for i, p := range w.tmpl.parts {
		paths[i] = p.part()
	}
	return paths
}

// newDecl resolves an item of type typ in t.
func newDecl(t *Table, item plan.Item, typ reflect.Type) (*decl, error) {
	d := &decl{table: t, name: item.Name, typ: typ, fields: map[string]attr.StructField{}}
	if d.name == "" {
		d.name = typ.Name()
	}
	switch {
	case item.Pack != "":
		return nil, errors.New("an item that holds several entities is plans' work (Program); the fields of a Go type are those of one item")
	case len(item.Embed) > 0 || len(item.Copies) > 0 || item.Holds != (plan.Holds{}) && item.Holds != (plan.Holds{Entity: item.Holds.Entity}):
		return nil, errors.New("embedded children, copies and markers are plans' work (Program); the fields of the Go type say what is stored")
	}
	fields, err := attr.Fields(typ)
	if err != nil {
		return nil, err
	}
	for _, f := range fields {
		if f.Role == attr.RoleRest {
			continue
		}
		d.fields[f.Name] = f
		if f.Was != "" && (slices.Contains(t.keyAttributes(), f.Was) || slices.Contains(t.keyAttributes(), f.Name)) {
			return nil, fmt.Errorf("%s was %s, and a key or index names one of them: an index has only items with the name it was made for", f.Name, f.Was)
		}
		if plain := f.Type == timeType || f.Type == reflect.PointerTo(timeType); !plain && (f.Role == attr.RoleCreated || f.Role == attr.RoleUpdated) {
			return nil, fmt.Errorf("%s is %s: a time that is set by the client is a time.Time or a pointer to one", f.Name, f.Type)
		}
		if f.Name == t.p.TTL {
			if err := endsItems(f); err != nil {
				return nil, err
			}
		}
		switch f.Role {
		case attr.RoleVersion:
			d.version = f.Name
		case attr.RoleCreated:
			d.created = f.Name
		case attr.RoleUpdated:
			d.updated = f.Name
		}
	}
	d.renamed = renamed(typ, map[reflect.Type]bool{})
	d.entity = entityOf(d.name, fields)
	if d.shards, err = newSharding(d, item.Shard); err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(item.Key)) {
		if name != t.p.Key.Partition && name != t.p.Key.Sort {
			return nil, fmt.Errorf("key has a template for %s, which is no key attribute of the table", name)
		}
	}
	for _, name := range []string{t.p.Key.Partition, t.p.Key.Sort} {
		if name == "" {
			continue
		}
		w, err := d.keyWire(item, name)
		if err != nil {
			return nil, err
		}
		d.key = append(d.key, w)
		for _, p := range w.paths() {
			if !slices.Contains(d.parts, p) {
				d.parts = append(d.parts, p)
			}
		}
	}
	all := d.parts
	d.parts = slices.DeleteFunc(slices.Clone(all), func(p attrPath) bool { // what follows from another part
		return p == shardPath || p.plain() != p && slices.Contains(all, p.plain())
	})
	if d.shards != nil {
		if err := d.checkShards(item); err != nil {
			return nil, err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(item.Set)) {
		if err := d.addSet(name, item.Set[name]); err != nil {
			return nil, err
		}
	}
	return d, d.learnNative()
}

// keyWire resolves an attribute of the table's key: one that a template builds, or one of the entity's own.
func (d *decl) keyWire(item plan.Item, name string) (*column, error) {
	text, ok := item.Key[name]
	if !ok {
		f, ok := d.fields[name]
		if !ok {
			return nil, fmt.Errorf("the key attribute %s has no template, and %s no attribute of that name", name, d.typ)
		}
		typ, err := wireType(f)
		if err == nil {
			err = d.table.learn(name, typ)
		}
		return &column{name: name, typ: typ, field: f, deps: []attrPath{attrPath(name)}}, err
	}
	w, err := d.templateWire(name, text)
	if err == nil {
		d.wires = append(d.wires, w)
	}
	return w, err
}

// templateWire resolves a template for a wire attribute.
func (d *decl) templateWire(name, text string) (*column, error) {
	if _, own := d.fields[name]; own {
		return nil, fmt.Errorf("%s is built by a template, but %s also has an attribute of that name", name, d.typ)
	}
	typ := d.table.typeOf(name)
	if typ == "" {
		typ = guessType(text)
	}
	tmpl, err := parseTemplate(text, typ, d.shards, d.find)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	w := &column{name: name, typ: typ, tmpl: tmpl}
	w.deps = w.paths()
	return w, d.table.learn(name, typ)
}

// guessType is the type of a wire attribute that is not stated: a number if its template is one part with a codec that
// writes one.
func guessType(text string) plan.Type {
	if inside, ok := strings.CutPrefix(text, "{"); ok {
		if _, codec, ok := strings.Cut(strings.TrimSuffix(inside, "}"), ":"); ok {
			if c, err := keys.ParseCodec(codec); err == nil && c.Numeric() {
				return plan.N
			}
		}
	}
	return plan.S
}

func (d *decl) addSet(name string, s plan.Template) error {
	w, err := d.templateWire(name, s.Value)
	if err != nil {
		return err
	}
	if s.When != "" {
		c, err := spec.ParseCondition(s.When)
		if err != nil {
			return fmt.Errorf("%s: when: %w", name, err)
		}
		resolved, errs := spec.Scope{Entity: d.entity}.Condition(c)
		for _, e := range errs {
			return fmt.Errorf("%s: when %q: %w", name, s.When, e)
		}
		w.when = resolved
		for test := range spec.Tests(resolved) {
			if len(test.Path) > 0 {
				w.deps = append(w.deps, attrPath(strings.Join(test.Path, ".")))
			}
			for _, a := range test.Args {
				if len(a.Path) > 0 {
					w.deps = append(w.deps, attrPath(strings.Join(a.Path, ".")))
				}
			}
		}
	}
	d.wires = append(d.wires, w)
	return nil
}

// learnNative tells the table the types of attributes of the item that its indexes name.
func (d *decl) learnNative() error {
	for _, name := range d.table.keyAttributes() {
		f, ok := d.fields[name]
		if !ok {
			continue
		}
		typ, err := wireType(f)
		if err == nil {
			err = d.table.learn(name, typ)
		}
		if err != nil {
			return fmt.Errorf("%s, which a key names: %w", name, err)
		}
	}
	return nil
}

// wireType is the type a field has as a key attribute.
func wireType(f attr.StructField) (plan.Type, error) {
	switch f.Kind {
	case attr.KindS, attr.KindN, attr.KindB:
		return plan.Type(f.Kind.String()), nil
	}
	return "", fmt.Errorf("%s is stored as no text, number or binary: keys take only these", f.Type)
}

// column finds how a wire attribute of the item is made; nil if the item has none.
func (d *decl) column(name string) *column {
	for _, w := range d.key {
		if w.name == name {
			return w
		}
	}
	for _, w := range d.wires {
		if w.name == name {
			return w
		}
	}
	if f, ok := d.fields[name]; ok {
		if typ, err := wireType(f); err == nil {
			return &column{name: name, typ: typ, field: f, deps: []attrPath{attrPath(name)}}
		}
	}
	return nil
}

// find looks up the field at a path.
func (d *decl) find(p attrPath) (attr.StructField, error) {
	fields := d.fields
	var f attr.StructField
	for i, name := range p.names() {
		if i > 0 {
			inner, err := attr.Fields(f.Type)
			if err != nil {
				return f, fmt.Errorf("%s: %s has nothing inside", p, f.Type)
			}
			fields = map[string]attr.StructField{}
			for _, g := range inner {
				fields[g.Name] = g
			}
		}
		var ok bool
		if f, ok = fields[name]; !ok {
			return f, fmt.Errorf("%s has no attribute %s", d.typ, p)
		}
	}
	return f, nil
}

// entityOf describes a Go type to the language of `when`. Texts with `check:"enum=…"` are enums.
func entityOf(name string, fields []attr.StructField) *spec.Entity {
	e := &spec.Entity{Name: name}
	for _, f := range fields {
		if f.Name == "" {
			continue
		}
		a := attributeOf(f)
		a.Name, a.Entity = f.Name, e
		e.Attributes = append(e.Attributes, a)
	}
	return e
}

func attributeOf(f attr.StructField) *spec.Attribute {
	a := &spec.Attribute{Optional: true}
	switch {
	case f.Type == timeType:
		a.Type = spec.Timestamp
	case f.Kind == attr.KindS:
		a.Type = spec.String
		for _, rule := range strings.Split(f.Tag.Get("check"), ",") {
			if list, ok := strings.CutPrefix(rule, "enum="); ok {
				a.Enum = strings.Split(list, "|")
			}
		}
	case f.Kind == attr.KindN:
		a.Type = spec.Number
	case f.Kind == attr.KindBOOL:
		a.Type = spec.Bool
	case f.Kind == attr.KindB:
		a.Type = spec.Binary
	case f.Kind == attr.KindM:
		a.Type = spec.MapType
		if inner, err := attr.Fields(f.Type); err == nil {
			a.Fields = entityOf(f.Name, inner).Attributes
		}
	case f.Kind == attr.KindL:
		a.Type = spec.ListType
	default:
		a.Type = spec.SetType
	}
	if elem, ok := f.Elem(); ok && a.Type != spec.MapType {
		a.Of = attributeOf(elem)
	}
	return a
}

// apart reports whether no item of a can have the key of an item of b.
func apart(a, b *decl) bool {
	for i, w := range a.key {
		if i < len(b.key) && !w.native() && !b.key[i].native() && differ(w.tmpl, b.key[i].tmpl) {
			return true
		}
	}
	return false
}

// differ reports whether no text is one of both templates: their literals tell them apart before or behind the parts. A
// part's text has none of the bytes a literal begins with, but may be anything else.
func differ(a, b *template) bool {
	la, lb := a.literals[0], b.literals[0]
	n := min(len(la), len(lb))
	if la[:n] != lb[:n] {
		return true
	}
	if len(a.parts) == 0 && len(b.parts) == 0 {
		return la != lb
	}
	// A constant, or a longer first literal, against a part that cannot hold what it goes on with.
	if len(la) > len(lb) {
		a, b, la, lb = b, a, lb, la
	}
	if len(a.parts) == 0 {
		return true // a constant is shorter than what b begins with, or b goes on with a part
	}
	if len(la) < len(lb) {
		return partRefuses(a.parts[0], lb[len(la):], a.literals[1])
	}
	if len(b.parts) == 0 {
		return true // a part is never empty
	}
	return false
}

// partRefuses reports whether a part followed by next cannot write text that begins with want.
func partRefuses(p tpart, want, next string) bool {
	holds := p.codec.Holds()
	for i := range len(want) {
		if !holds.Has(want[i]) {
			return next == "" || i == 0 || want[i] != next[0]
		}
	}
	return false
}
