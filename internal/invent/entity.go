package invent

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// entity is one that is being invented.
type entity struct {
	name       string
	taken      map[string]bool // attributes and ways share one name space
	identity   []*attribute
	attributes []*attribute
	count      float64
	there      []*way
	back       []*way // named ways back
	parent     *way
	unique     []unique
	expires    *attribute
	whole      bool    // its size is stated, not only that of its attributes
	created    float64 // per second, by patterns that create it for sure
	perhaps    bool    // by an upsert, too
}

// attribute is one of an entity, of a map, or what a list or set is of.
type attribute struct {
	name      string
	entity    *entity
	kind      string      // a type, enum or states
	values    []string    // of an enum, or all states
	sorted    string      // how these sort: as stated (true), as texts (false), or not said
	life      []string    // of states: those that only move forward
	next      [][2]string // of states that are a map: from and to
	optional  bool
	present   float64
	generated string
	sequence  *attribute
	derived   string
	way       *way // of which it is (part of) the foreign key
	declares  bool // whether the way is declared here
	digits    int
	scale     int
	min, max  *float64
	size      float64 // of a value: stated, or as it is thought to be
	most      float64
	unsized   bool // the size is not stated
	fields    []*attribute
	of        *attribute
	length    [2]float64
	named     *attribute // the named type that it has
	distinct  float64    // about how many values there are
}

// way is a relationship.
type way struct {
	name, inverse string
	from, to      *entity
	by            []*attribute
	identifying   bool
	average, most float64
	silent        bool // how many children there are is not said: nobody goes along
}

func (a *attribute) given() bool { return a.generated == "" && a.derived == "" && a.sequence == nil }

// kindOf says what has the same type beside another.
func (a *attribute) like(b *attribute) bool {
	if a.kind == "enum" || a.kind == "states" || b.kind == "enum" || b.kind == "states" {
		return slices.Equal(a.values, b.values) && a.base() == b.base()
	}
	return a.kind == b.kind && (a.of == nil || b.of != nil && a.of.like(b.of))
}

func (a *attribute) base() string {
	if a.kind == "enum" || a.kind == "states" {
		return "string"
	}
	return a.kind
}

// ordered reports whether values of it are compared with < and >.
func (a *attribute) ordered() bool {
	return slices.Contains([]string{"string", "number", "binary", "timestamp", "date"}, a.kind)
}

// newEntity makes an entity with its identity and its own attributes.
func (v *inventor) newEntity() *entity {
	e := &entity{name: name(v.taken, some(v, 5, nouns)...), taken: map[string]bool{"all": true, "rest": true}}
	e.count = round(v.wide(20, 2e8))
	if e.count < 1000 {
		e.count = math.Ceil(e.count)
	}
	switch n := v.IntN(100); {
	case len(v.entities) == 0 || n < 25:
		v.ownIdentity(e)
	case n < 65:
		v.child(e, pick(v, v.entities))
	case n < 80 && len(v.entities) > 1:
		v.pair(e)
	case n < 90 || v.plain:
		v.ownIdentity(e)
	default:
		v.under(e, pick(v, v.entities))
	}
	for range v.between(1, 6) {
		v.attribute(e)
	}
	for _, a := range e.attributes {
		switch {
		case a.kind == "timestamp" && a.generated == "" && e.expires == nil && v.chance(15):
			e.expires = a
		case (a.kind == "string" || a.kind == "number" && a.digits > 8) && a.given() && a.way == nil && !a.optional && !slices.Contains(e.identity, a) && v.chance(12):
			if a.kind == "string" {
				a.size, a.most, a.unsized = 20, 60, false
			}
			a.distinct = e.count
			e.unique = append(e.unique, unique{of: []*attribute{a}})
		}
	}
	if len(e.unique) == 0 && v.chance(5) {
		a := v.add(e, "string")
		a.size, a.most, a.distinct, a.unsized, a.optional = 20, 40, e.count, false, false
		b := v.add(e, "enum")
		e.unique = append(e.unique, unique{of: []*attribute{b, a}})
	}
	for i := range e.unique {
		if v.chance(40) {
			e.unique[i].while = v.while(e, e.unique[i].of)
		}
	}
	return e
}

// unique is what no two of an entity have alike: while a condition holds, or always.
type unique struct {
	of    []*attribute
	while string
}

// always reports whether attributes are among what is unique whatever else an instance is.
func (e *entity) always(all func([]*attribute) bool) bool {
	return slices.ContainsFunc(e.unique, func(u unique) bool { return u.while == "" && all(u.of) })
}

// while is a test of what is kept of an entity beside what is unique; "" if nothing of it can be tested.
func (v *inventor) while(e *entity, of []*attribute) string {
	tested := slices.DeleteFunc(slices.Clone(e.attributes), func(a *attribute) bool {
		return a.derived != "" || slices.Contains(of, a) || len(a.values) == 0 && a.kind != "bool" && !a.optional
	})
	if len(tested) == 0 {
		return ""
	}
	switch a := pick(v, tested); {
	case a.optional:
		return pick(v, []string{"exists", "absent"}) + "(" + a.name + ")"
	case len(a.values) > 2 && v.chance(50):
		return a.name + " in (" + a.values[0] + ", " + a.values[1] + ")"
	case len(a.values) > 0:
		return a.name + pick(v, []string{" = ", " != "}) + pick(v, a.values)
	default:
		return a.name + " = true"
	}
}

// key is a new attribute that can be part of an identity.
func (v *inventor) key(e *entity, distinct float64) *attribute {
	kinds := []string{"string", "string", "string", "number"}
	a := &attribute{entity: e, present: 1, distinct: distinct, kind: pick(v, kinds)}
	switch a.kind {
	case "number":
		a.digits = min(12, max(3, int(math.Ceil(math.Log10(distinct)))+2))
		a.size, a.most = float64(a.digits)/2+1, float64(a.digits)/2+2
		a.min = new(0.0)
		a.name = name(e.taken, pick(v, []string{"number", "code", "serial"}), lower(e.name)+"No")
	default:
		a.name = name(e.taken, lower(e.name)+"Id")
		if v.chance(65) {
			a.generated = pick(v, []string{"ulid", "uuid", "ksuid"})
			a.size = map[string]float64{"ulid": 26, "uuid": 36, "ksuid": 27}[a.generated]
			a.most = a.size
		} else {
			a.size = float64(v.between(8, 30))
			a.most = a.size + float64(v.IntN(3)*20)
		}
	}
	e.attributes = append(e.attributes, a)
	return a
}

func (v *inventor) ownIdentity(e *entity) {
	if v.chance(12) { // two of its own
		tenant := &attribute{name: name(e.taken, "tenant", "area"), entity: e, kind: "string", present: 1, size: 8, most: 12, distinct: max(1, math.Floor(e.count/100))}
		e.attributes = append(e.attributes, tenant)
		e.identity = []*attribute{tenant, v.key(e, e.count)}
		return
	}
	e.identity = []*attribute{v.key(e, e.count)}
}

// child makes an entity that lives and dies with its parent.
func (v *inventor) child(e, parent *entity) {
	average := round(v.wide(0.3, 300))
	if average > 10 {
		average = math.Round(average)
	}
	for parent.count*average > 3e9 {
		average = round(average / 10)
	}
	form := v.IntN(5)
	limit := 1e9
	if form == 2 {
		limit = 3 // values of the enum that is its key
		average = min(average, 1.5)
	}
	e.count = parent.count * average
	w := v.link(e, parent, true, average, limit, 0)
	e.parent = w
	switch form {
	case 0, 1:
		e.identity = []*attribute{v.key(e, e.count)}
	case 2:
		a := v.add(e, "enum")
		a.values, a.optional, a.present = []string{"front", "back", "side"}, false, 1
		e.identity = append(slices.Clone(w.by), a)
	case 3:
		a := &attribute{name: name(e.taken, "number", "position", "serial"), entity: e, kind: "number", digits: 9, present: 1, size: 5, most: 6, distinct: w.most, min: new(0.0)}
		if v.chance(50) && len(w.by) == 1 {
			a.sequence = w.by[0]
		}
		e.attributes = append(e.attributes, a)
		e.identity = append(slices.Clone(w.by), a)
	default:
		e.identity = append(slices.Clone(w.by), v.key(e, w.most))
	}
}

// pair makes an entity that two others meet in.
func (v *inventor) pair(e *entity) {
	two := some(v, 2, v.entities)
	a, b := two[0], two[1]
	e.count = math.Ceil(min(e.count, a.count*b.count*0.3, a.count*200, b.count*2e5))
	kind := v.chance(40)
	first := v.link(e, a, kind, 0, b.count, 0)
	if kind {
		e.parent = first
	}
	second := v.link(e, b, false, 0, a.count, 0)
	for _, k := range slices.Concat(first.by, second.by) {
		if !slices.Contains(e.identity, k) {
			e.identity = append(e.identity, k)
		}
	}
}

// under makes an entity that is identified by a reference and a moment.
func (v *inventor) under(e, to *entity) {
	e.count = max(e.count, math.Ceil(to.count/10))
	limit := 1e9
	kind := "timestamp"
	if v.chance(40) {
		kind, limit = "date", 2000
		e.count = math.Ceil(min(e.count, to.count*300))
	}
	w := v.link(e, to, false, 0, limit, 0)
	a := v.add(e, kind)
	a.optional, a.present, a.generated = false, 1, ""
	if kind == "timestamp" && v.chance(30) {
		a.generated = "now"
	}
	e.identity = append(slices.Clone(w.by), a)
}

// link adds a foreign key. average 0: it follows from the counts; most is how many children a parent can have at all;
// optional is the share of what does without, in percent.
func (v *inventor) link(e, to *entity, identifying bool, average, most float64, optional int) *way {
	w := &way{from: e, to: to, identifying: identifying, average: average}
	present := 1.0
	if optional > 0 {
		present = float64(100-optional) / 100
	}
	if average == 0 {
		w.average = e.count * present / to.count
	}
	most = math.Floor(min(most, max(1, e.count)))
	w.most = math.Ceil(max(w.average, 1))
	switch n := v.IntN(100); {
	case n < 10 && average == math.Floor(average) && average > 0: // the same for all
		w.most = w.average
	case n < 20 && w.average <= 1:
		w.most = 1
	case n < 70:
		w.most = math.Ceil(w.average * v.wide(1.5, 20))
	default:
		w.most = math.Ceil(w.average * v.wide(2, 5000))
	}
	w.most = max(min(w.most, most), math.Ceil(w.average), 1)
	if w.most > 100 {
		w.most = max(min(math.Ceil(round(w.most)), most), math.Ceil(w.average))
	}
	for i, part := range to.identity {
		last := i == len(to.identity)-1
		if old := reused(e, part); old != nil && !last && v.chance(70) {
			w.by = append(w.by, old)
			continue
		}
		a := &attribute{entity: e, kind: part.kind, values: part.values, digits: part.digits, scale: part.scale, min: part.min, max: part.max,
			size: part.size, most: part.most, present: 1, distinct: min(part.distinct, to.count), way: w, declares: last}
		if a.kind == "enum" {
			a.declares = last
		}
		if last && optional > 0 {
			a.optional, a.present = true, present
		}
		stem := lower(to.name)
		switch {
		case len(to.identity) > 1:
			a.name = name(e.taken, stem+upper(part.name), stem+upper(part.name)+"Key")
		case to == e:
			a.name = name(e.taken, pick(v, []string{"leader", "previous", "origin"})+"Id", "sourceId")
		default:
			a.name = name(e.taken, stem+"Id", pick(v, []string{"owner", "target", "keeper"})+"Id", pick(v, []string{"host", "follower", "source"}))
		}
		e.attributes = append(e.attributes, a)
		w.by = append(w.by, a)
	}
	declares := w.by[len(w.by)-1]
	w.name = strings.TrimSuffix(declares.name, "Id")
	if w.name == "" {
		w.name = declares.name
	}
	if w.name != declares.name && e.taken[w.name] || len(w.by) > 1 || v.chance(12) {
		w.name = name(e.taken, lower(to.name), "its"+to.name, "of"+to.name, "the"+to.name)
	} else {
		e.taken[w.name] = true
	}
	if v.chance(85) {
		w.inverse = name(to.taken, lower(e.name)+"s", declares.name+"Of", "all"+e.name+"s")
		to.back = append(to.back, w)
	} else if !identifying && v.chance(50) {
		w.silent = true
	}
	e.there = append(e.there, w)
	return w
}

// reused is an attribute that points where a part of an identity points: a composite foreign key can share it.
func reused(e *entity, part *attribute) *attribute {
	if part.way == nil || len(part.way.by) != 1 {
		return nil
	}
	for _, a := range e.attributes {
		if a.way != nil && a.declares && len(a.way.by) == 1 && a.way.to == part.way.to && !a.optional {
			return a
		}
	}
	return nil
}

// references adds what points elsewhere, or to the entity itself.
func (v *inventor) references(e *entity) {
	n := []int{0, 0, 1, 1, 2}[v.IntN(5)]
	for range n {
		to := pick(v, v.entities)
		if to == e && (v.plain || to.parent == nil && v.chance(70)) {
			continue
		}
		optional := 0
		if to == e || v.chance(25) {
			optional = v.between(5, 90)
		}
		if len(to.identity) > 1 {
			optional = 0
			if to == e {
				continue
			}
		}
		v.link(e, to, false, 0, 1e9, optional)
	}
}

// add adds an attribute of a kind.
func (v *inventor) add(e *entity, kind string) *attribute {
	a := v.make(kind, 0)
	a.name, a.entity = name(e.taken, some(v, 4, named[kind])...), e
	e.attributes = append(e.attributes, a)
	return a
}

func (v *inventor) attribute(e *entity) {
	kinds := []string{"string", "string", "string", "number", "number", "number", "bool", "binary", "timestamp", "timestamp", "date", "map", "list", "set", "enum", "enum", "states"}
	if v.plain {
		kinds = []string{"string", "string", "number", "number", "bool", "timestamp", "timestamp", "date", "enum", "states"}
	}
	a := v.add(e, pick(v, kinds))
	switch {
	case a.kind == "timestamp" && v.chance(30):
		a.generated = "now"
		return
	case a.kind == "number" && a.min == nil && a.max == nil && a.scale == 0 && v.chance(10):
		a.generated = "version"
		return
	case a.kind == "states":
		return
	}
	if v.chance(25) {
		a.optional, a.present = true, float64(v.between(1, 95))/100
		if v.chance(15) {
			a.present = 0.5 // and not stated
		}
	}
}

// make makes what a value can be; depth is how deep inside another it stands.
func (v *inventor) make(kind string, depth int) *attribute {
	a := &attribute{kind: kind, present: 1}
	switch kind {
	case "string":
		a.size = math.Round(v.wide(4, 300))
		a.most = a.size
		if v.chance(60) {
			a.most = math.Round(a.size * v.wide(1.5, 8))
		}
		a.distinct = v.wide(3, 1e6)
		a.unsized = depth == 0 && v.chance(30)
	case "binary":
		a.size = math.Round(v.wide(8, 3000))
		a.most = math.Round(a.size * v.wide(1, 6))
		a.distinct = 1e9
		a.unsized = depth == 0 && v.chance(30)
	case "number":
		a.digits = v.between(2, 9)
		if v.chance(8) {
			a.digits = v.between(20, 38)
		}
		if v.chance(30) {
			a.scale = v.between(1, min(4, a.digits))
		}
		a.size, a.most = float64(a.digits)/2+2, float64(a.digits)/2+2
		if v.chance(50) {
			a.min = new(0.0)
		}
		if v.chance(25) {
			a.max = new(math.Floor(math.Pow10(min(a.digits-a.scale, 15))) - 1)
			if *a.max < 1 {
				a.max = nil
			}
		}
		if a.min != nil && v.chance(10) {
			a.min = new(-10.0)
		}
		a.distinct = math.Pow10(min(a.digits, 9))
	case "bool":
		a.size, a.most, a.distinct = 1, 1, 2
	case "timestamp":
		a.size, a.most, a.distinct = 24, 24, 1e9
	case "date":
		a.size, a.most, a.distinct = 10, 10, 1500
	case "enum":
		a.values = pick(v, enums)
		a.sorted = pick(v, []string{"", "", "true", "false"})
		a.size, a.most, a.distinct = 6, 11, float64(len(a.values))
	case "states":
		a.life = pick(v, lives)
		a.sorted = pick(v, []string{"", "", "true", "false"})
		a.values = slices.Clone(a.life)
		if v.chance(30) {
			for i, s := range a.life {
				for _, t := range a.life[i+1:] {
					if v.chance(60) || i == 0 && t == a.life[1] {
						a.next = append(a.next, [2]string{s, t})
					}
				}
			}
			if v.chance(50) {
				a.next = append(a.next, [2]string{a.life[len(a.life)-1], a.life[0]}) // round again
			}
		} else if v.chance(50) {
			a.values = append(a.values, some(v, v.between(1, 2), ends)...)
		}
		a.size, a.most, a.distinct = 6, 9, float64(len(a.values))
	case "map":
		if depth == 0 && len(v.types) > 0 && v.chance(60) {
			a.named = pick(v, v.types)
			a.fields, a.size, a.most = a.named.fields, a.named.size, a.named.most
			break
		}
		if v.chance(15) {
			a.size, a.most = 80, 200 // what is inside is not declared
			break
		}
		a.fields = v.fields(depth)
		a.size, a.most = sizeOf(a.fields)
	case "list", "set":
		kinds := []string{"string", "number", "timestamp", "date", "enum", "binary"}
		if kind == "set" {
			kinds = []string{"string", "number", "binary"}
		} else if depth == 0 {
			kinds = append(kinds, "map")
		}
		a.of = v.make(pick(v, kinds), depth+1)
		a.length = [2]float64{round(v.wide(1, 12)), 0}
		a.length[1] = math.Ceil(a.length[0] * v.wide(1, 6))
		a.size, a.most = 3+a.length[0]*(a.of.size+1), 3+a.length[1]*(a.of.most+1)
		a.distinct = 1e9
	}
	return a
}

// fields are attributes inside a map.
func (v *inventor) fields(depth int) (out []*attribute) {
	taken := map[string]bool{}
	for range v.between(1, 3) {
		kind := pick(v, []string{"string", "number", "bool", "timestamp", "enum", "string"})
		if depth == 0 && v.chance(10) {
			kind = "map"
		}
		f := v.make(kind, depth+1)
		f.name = name(taken, some(v, 3, named[kind])...)
		f.unsized = false
		if v.chance(15) {
			f.optional, f.present = true, 0.4
		}
		out = append(out, f)
	}
	return out
}

func sizeOf(as []*attribute) (average, most float64) {
	average, most = 3, 3
	for _, a := range as {
		average += (a.size + float64(len(a.name)) + 1) * a.present
		most += a.most + float64(len(a.name)) + 1
	}
	return average, most
}

func (v *inventor) namedType() *attribute {
	a := &attribute{name: name(v.taken, some(v, 4, typeNames)...), kind: "map", present: 1, fields: v.fields(1)}
	a.size, a.most = sizeOf(a.fields)
	return a
}

// derive adds attributes that follow from others.
func (v *inventor) derive(e *entity) {
	if v.plain || !v.chance(10) && !v.unusual(20) {
		return
	}
	var ways []*way
	for _, w := range slices.Concat(e.there, e.back) {
		if !w.silent {
			ways = append(ways, w)
		}
	}
	if len(ways) == 0 {
		return
	}
	w := pick(v, ways)
	a := &attribute{entity: e, present: 1, kind: "number", digits: 9, size: 4, most: 6, distinct: 1000}
	values := func(of *entity, fits func(b *attribute) bool) *attribute {
		var out []*attribute
		for _, b := range of.attributes {
			if b.derived == "" && fits(b) {
				out = append(out, b)
			}
		}
		if len(out) == 0 {
			return nil
		}
		return pick(v, out)
	}
	switch {
	case slices.Contains(e.there, w) && w.to != e:
		from := values(w.to, func(b *attribute) bool { return b.way == nil && b.kind != "map" && !slices.Contains(w.to.identity, b) })
		if from == nil {
			return
		}
		from.unsized = false // what follows from it has its size
		*a = *from
		a.entity, a.generated, a.sequence = e, "", nil
		a.derived = w.name + "." + from.name
		for _, k := range w.by {
			a.optional, a.present = a.optional || k.optional, a.present*k.present
		}
		if a.kind == "states" {
			a.kind = "enum"
		}
		a.name = name(e.taken, w.name+upper(from.name))
	case w.inverse == "" || w.from == e:
		return
	case v.chance(50):
		a.derived = "count(" + w.inverse + ")"
		a.name = name(e.taken, w.inverse+"Count", w.inverse+"Total")
	case v.chance(60):
		from := values(w.from, func(b *attribute) bool { return b.kind == "number" && b.way == nil && b.digits < 15 })
		if from == nil {
			return
		}
		a.derived = "sum(" + w.inverse + "." + from.name + ")"
		a.digits, a.scale = from.digits+3, from.scale
		a.name = name(e.taken, from.name+"Sum", w.inverse+"Sum")
	default:
		from := values(w.from, func(b *attribute) bool { return b.ordered() && b.way == nil })
		if from == nil {
			return
		}
		from.unsized = false
		*a = *from
		f := pick(v, []string{"min", "max"})
		a.entity, a.generated, a.sequence, a.optional = e, "", nil, true
		a.derived = f + "(" + w.inverse + "." + from.name + ")"
		a.name = name(e.taken, f+upper(from.name), f+upper(from.name)+"Of"+upper(w.inverse))
	}
	e.whole = e.whole || a.kind != "number" // the size of what it follows from may not be known yet
	a.way, a.declares, a.named = nil, false, nil
	e.attributes = append(e.attributes, a)
}

// describe writes an entity down.
func (v *inventor) describe(e *entity) *yaml.Node {
	n := block()
	var ids []string
	for _, a := range e.identity {
		ids = append(ids, a.name)
	}
	set(n, "identity", words(ids...))
	attributes := block()
	average, most, unsized := 0.0, 0.0, false
	stated := e.whole || v.chance(60)
	for _, a := range e.attributes {
		if !stated {
			a.unsized = false
		}
		unsized = unsized || a.unsized
		average += (a.size + float64(len(a.name))) * a.present
		most += a.most + float64(len(a.name))
		set(attributes, a.name, v.describeAttribute(e, a))
	}
	set(n, "attributes", attributes)
	if most > 300_000 {
		stated = true
	}
	if stated {
		average = math.Ceil(average*v.wide(1.15, 3)) + 30
		most = min(max(average, math.Ceil(most*v.wide(1.1, 2)))+30, 400*1024)
		most = max(most, average)
		if v.chance(15) && average < 300_000 {
			n1 := pairs("average", number(average), "max", number(math.Ceil(most/1024))+"KB")
			if math.Ceil(most/1024) <= 400 {
				set(n, "bytes", n1)
			} else {
				set(n, "bytes", spread(average, most))
			}
		} else {
			set(n, "bytes", spread(average, most))
		}
	}
	if e.parent == nil || v.chance(20) {
		set(n, "count", number(e.count))
	}
	if e.created > 0 && v.chance(20) {
		set(n, "growth", strconv.FormatFloat(e.created*730*3600, 'f', 6, 64)+"/month")
	}
	if e.expires != nil {
		set(n, "expires", e.expires.name)
	}
	if v.chance(12) {
		set(n, "retention", pick(v, []string{"30 days", "18 months", "7 years", "48h"}))
	}
	if len(e.unique) > 0 {
		var all []*yaml.Node
		for _, u := range e.unique {
			var names []string
			for _, a := range u.of {
				names = append(names, a.name)
			}
			if u.while != "" {
				all = append(all, pairs("of", words(names...), "while", u.while))
			} else if len(names) == 1 {
				all = append(all, word(names[0]))
			} else {
				all = append(all, words(names...))
			}
		}
		set(n, "unique", list(all...))
	}
	if v.chance(10) {
		set(n, "group", "core")
	}
	if v.chance(5) {
		set(n, "note", "Made by chance.")
	}
	return n
}

func (v *inventor) describeAttribute(e *entity, a *attribute) *yaml.Node {
	n := pairs()
	switch {
	case a.declares:
		w := a.way
		key := "references"
		if w.identifying {
			key = "parent"
		}
		set(n, key, w.to.name)
		if len(w.by) > 1 {
			var names []string
			for _, b := range w.by {
				names = append(names, b.name)
			}
			set(n, "by", words(names...))
		}
		if len(w.by) > 1 || w.name != strings.TrimSuffix(a.name, "Id") {
			set(n, "as", w.name)
		}
		if w.inverse != "" {
			set(n, "inverse", w.inverse)
		}
		if !w.silent {
			c := spread(exact(w.average), w.most)
			if s := v.childSkew(w); s != "" && c.Kind == yaml.MappingNode {
				set(c, "skew", s)
			}
			set(n, "per-parent", c)
		}
	case a.derived != "":
		set(n, "derived", a.derived)
		if v.chance(40) {
			set(n, "within", pick(v, []string{"5s", "1min", "1 day"}))
		}
		return n
	default:
		v.describeType(n, a)
	}
	if a.optional {
		set(n, "optional", "true")
		if a.present != 0.5 {
			set(n, "share", number(math.Round(a.present*100))+"%")
		}
	}
	if v.chance(4) && a.given() && !a.declares {
		set(n, "sensitive", "personal")
	}
	if v.chance(3) {
		set(n, "note", "Made by chance.")
	}
	return short(n)
}

// exact is a number of children as near as it has to be to the counts that it follows from.
func exact(x float64) float64 {
	r, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 5, 64), 64)
	return r
}

func (v *inventor) childSkew(w *way) string {
	if w.most <= w.average*1.5 || v.chance(60) {
		return ""
	}
	if s := w.most / w.from.count; s > 0.001 && s < 0.5 && v.chance(30) {
		return "hottest " + number(round(100*s)) + "%"
	}
	return "zipf " + number(round(v.wide(0.4, 1.2)))
}

// short writes {type: string} as string.
func short(n *yaml.Node) *yaml.Node {
	if len(n.Content) == 2 && n.Content[0].Value == "type" {
		return n.Content[1]
	}
	return n
}

func (v *inventor) describeType(n *yaml.Node, a *attribute) {
	switch a.kind {
	case "enum":
		set(n, "enum", words(a.values...))
		if a.sorted != "" {
			set(n, "ordered", a.sorted)
		}
		v.shares(n, a)
		return
	case "states":
		if a.next != nil {
			m := pairs()
			for _, s := range a.values {
				set(m, s, words())
			}
			for _, step := range a.next {
				to := get(m, step[0])
				to.Content = append(to.Content, word(step[1]))
			}
			set(n, "states", m)
		} else {
			set(n, "states", words(a.life...))
			if also := a.values[len(a.life):]; len(also) > 0 {
				set(n, "also", words(also...))
			}
		}
		if a.sorted != "" {
			set(n, "ordered", a.sorted)
		}
		v.shares(n, a)
		return
	}
	if a.named != nil {
		set(n, "type", a.named.name)
		return
	}
	set(n, "type", a.kind)
	if a.generated != "" {
		set(n, "generated", a.generated)
	}
	if a.sequence != nil {
		set(n, "sequence", a.sequence.name)
	}
	if (a.kind == "string" || a.kind == "binary" || a.kind == "map" && a.fields == nil) && a.generated == "" && !a.unsized {
		set(n, "bytes", spread(a.size, a.most))
	}
	if a.kind == "bool" && !a.optional && v.chance(30) {
		set(n, "share", pairs("true", strconv.Itoa(v.between(1, 99))+"%"))
	}
	if a.kind == "number" && a.sequence == nil {
		if a.digits != 6 || v.chance(20) {
			set(n, "digits", strconv.Itoa(a.digits))
		}
		if a.scale > 0 {
			set(n, "scale", strconv.Itoa(a.scale))
		}
		if a.min != nil {
			set(n, "min", number(*a.min))
		}
		if a.max != nil {
			set(n, "max", number(*a.max))
		}
	}
	if a.fields != nil {
		set(n, "attributes", v.content(a))
	}
	if a.of != nil {
		of := pairs()
		v.describeType(of, a.of)
		set(n, "of", short(of))
		set(n, "length", spread(a.length[0], a.length[1]))
	}
}

// content is what is inside a map.
func (v *inventor) content(a *attribute) *yaml.Node {
	n := pairs()
	for _, f := range a.fields {
		d := pairs()
		v.describeType(d, f)
		if f.optional {
			set(d, "optional", "true")
			set(d, "share", number(math.Round(f.present*100))+"%")
		}
		set(n, f.name, short(d))
	}
	return n
}

func (v *inventor) shares(n *yaml.Node, a *attribute) {
	if a.optional || !v.chance(40) { // an optional attribute's share is how often it is there
		return
	}
	m := pairs()
	left := 100
	for _, s := range some(v, v.between(1, len(a.values)-1), a.values) {
		share := v.between(0, max(1, left/2))
		left -= share
		text := strconv.Itoa(share)
		if share == 0 {
			text = "0.1"
		}
		set(m, s, text+"%")
	}
	set(n, "share", m)
}
