package invent

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// pattern is an access pattern that is being invented.
type pattern struct {
	doc        *yaml.Node
	entity     *entity
	parameters map[string]*attribute // nil: of no attribute, such as a whole entity
	order      []string              // of parameters that conditions and sets use, in which they can be optional
	ranges     *yaml.Node            // what it says of parameters
	children   float64               // that it writes with their parent, at most
}

func (v *inventor) newPattern(e *entity, stem string) *pattern {
	p := &pattern{doc: block(), entity: e, parameters: map[string]*attribute{"each": nil}, ranges: pairs()}
	set(v.patterns, name(v.taken, stem), p.doc)
	return p
}

// parameter is a new one beside an attribute.
func (p *pattern) parameter(a *attribute, stems ...string) string {
	taken := map[string]bool{}
	for q := range p.parameters {
		taken[q] = true
	}
	n := name(taken, stems...)
	p.parameters[n] = a
	p.order = append(p.order, n)
	return "$" + n
}

// at is an attribute with the path that leads to it.
type at struct {
	path    string
	a       *attribute
	sure    bool    // it is always there
	average float64 // of entities that have one value of it
	most    float64
}

// own are the attributes of an entity, and what is inside its maps.
func own(e *entity) (out []at) {
	var inside func(prefix string, a *attribute, sure bool)
	inside = func(prefix string, a *attribute, sure bool) {
		path := prefix + a.name
		sure = sure && !a.optional
		x := at{path: path, a: a, sure: sure}
		x.average = max(1e-6, e.count/max(1, min(a.distinct, e.count)))
		x.most = math.Ceil(min(e.count, x.average*5))
		if w := a.way; w != nil && len(w.by) == 1 && prefix == "" {
			x.average, x.most = w.average, w.most
		}
		out = append(out, x)
		for _, f := range a.fields {
			inside(path+".", f, sure)
		}
	}
	for _, a := range e.attributes {
		inside("", a, true)
	}
	return out
}

// all are what paths to one lead to: own ones, and of what ways there lead to.
func all(e *entity, depth int) []at {
	out := own(e)
	if depth == 0 {
		return out
	}
	for _, w := range e.there {
		if w.silent || w.to == e {
			continue
		}
		sure := !slices.ContainsFunc(w.by, func(a *attribute) bool { return a.optional })
		for _, x := range all(w.to, depth-1) {
			x.path = w.name + "." + x.path
			if w.by[len(w.by)-1].name == w.name && w.declaredBy().name == w.name {
				// an attribute and its way have one name: nothing to go on with in an answer
				x.sure = false
			}
			x.sure = x.sure && sure
			x.average, x.most = x.average*w.average, math.Ceil(min(e.count, x.most*w.most))
			out = append(out, x)
		}
	}
	return out
}

func (w *way) declaredBy() *attribute { return w.by[len(w.by)-1] }

// backs are what ways back lead to.
func backs(e *entity) (out []at) {
	for _, w := range e.back {
		if w.silent || w.from == e {
			continue
		}
		for _, x := range own(w.from) {
			x.path = w.inverse + "." + x.path
			x.average, x.most = min(x.average, e.count), min(x.most, math.Ceil(e.count))
			out = append(out, x)
		}
	}
	return out
}

func where(in []at, fits func(x at) bool) (out []at) {
	for _, x := range in {
		if fits(x) {
			out = append(out, x)
		}
	}
	return out
}

func segments(path string) []string { return strings.Split(path, ".") }

func last(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }

// silent reports whether an attribute is part of a foreign key of which nobody says how many children it has: stating it
// would need the number.
func (a *attribute) silent() bool {
	if a.entity == nil {
		return false
	}
	return slices.ContainsFunc(a.entity.there, func(w *way) bool { return w.silent && slices.Contains(w.by, a) })
}

// read invents a read.
func (v *inventor) read(e *entity) {
	p := v.newPattern(e, pick(v, []string{"get", "find", "list", "show"})+e.name)
	set(p.doc, "read", e.name)
	given, limit, average, most := v.given(p, e)
	if len(given) > 0 {
		set(p.doc, "given", words(given...))
	}
	single := limit == 1
	condition := ""
	if v.plain && !single && v.chance(25) {
		if condition = v.plainTest(p, e); condition != "" {
			set(p.doc, "where", condition)
			average *= v.wide(0.05, 0.9)
		}
	} else if !v.plain && !single && v.chance(20) || v.unusual(map[bool]int{true: 10, false: 30}[single]) {
		tests := 1
		if !v.mild {
			tests = v.between(1, 3)
		}
		condition = v.condition(p, e, tests)
		if condition != "" {
			set(p.doc, "where", condition)
			average *= v.wide(0.05, 0.9)
		}
	}
	aggregate := !v.plain && v.chance(4) || v.unusual(10)
	if aggregate {
		v.aggregate(p, e)
	} else {
		v.answer(p, e, single)
	}
	average = round(min(average, most))
	if average > 20 {
		average = math.Round(average)
	}
	exactly := limit == 1 || len(given) == 0 && condition == ""
	if limit > 0 {
		most = min(most, limit)
	}
	most = max(1, math.Floor(most))
	average = min(average, most)
	if !exactly || v.chance(10) && limit != 1 && average >= 0 {
		if exactly {
			average, most = math.Floor(e.count), math.Floor(e.count)
		}
		set(p.doc, "results", spread(average, most))
	} else if exactly && limit != 1 {
		most = math.Floor(e.count)
	}
	if !aggregate && most > 1 {
		switch n := v.IntN(100); {
		case most > 50 && n < 60, most > 4 && n < 25:
			set(p.doc, "page", strconv.Itoa(pick(v, []int{2, 10, 20, 50, 100})))
		case n < 75:
			set(p.doc, "top", strconv.Itoa(pick(v, []int{1, 3, 10, 50})))
		case n < 85:
			set(p.doc, "whole", "true")
		}
	} else if aggregate && v.chance(30) {
		set(p.doc, "whole", "true")
	}
	rate, _ := v.rate(1e-5, 3000)
	set(p.doc, "rate", rate)
	if s := v.calls("", !single && len(given) > 0); s != nil {
		set(p.doc, "skew", s)
	}
	switch n := v.IntN(100); {
	case n < 7, single && n < 18: // strong answers to other questions are often infeasible
		set(p.doc, "consistency", "strong")
	case n < 24 && !v.mild:
		set(p.doc, "consistency", "snapshot")
	case n < 32:
		set(p.doc, "consistency", "eventual")
		fallthrough
	case n < 42:
		set(p.doc, "staleness", pick(v, []string{"1s", "5s", "10min", "1 day"}))
	}
	if v.chance(15) {
		set(p.doc, "latency", "20ms")
	}
	v.optional(p)
	v.finish(p)
}

// finish says of parameters what is to be said.
func (v *inventor) finish(p *pattern) {
	if len(p.ranges.Content) > 0 {
		set(p.doc, "parameters", p.ranges)
	}
	if v.chance(4) {
		set(p.doc, "note", "Made by chance.")
	}
}

// optional lets calls leave parameters out.
func (v *inventor) optional(p *pattern) {
	if len(p.order) == 0 || !v.unusual(25) {
		return
	}
	names := some(v, v.between(1, 2), p.order)
	if v.chance(40) {
		set(p.doc, "optional", words(names...))
		return
	}
	m := pairs()
	for _, n := range names {
		set(m, n, strconv.Itoa(v.between(3, 97))+"%")
	}
	set(p.doc, "optional", m)
}

// given chooses what every call states: the paths; the number of entities that there are at most, as far as a reader of the
// file can tell (0: it cannot); and how many match.
func (v *inventor) given(p *pattern, e *entity) (paths []string, limit, average, most float64) {
	average, most = e.count, e.count
	add := func(x at) {
		if _, taken := p.parameters[last(x.path)]; taken || slices.Contains(paths, x.path) {
			return
		}
		p.parameters[last(x.path)] = x.a
		paths = append(paths, x.path)
		average = max(average*x.average/e.count, 1e-4)
		most = min(most, x.most)
	}
	keyed := func(x at) bool {
		return !slices.Contains([]string{"map", "list", "set"}, x.a.kind) && !x.a.silent()
	}
	byName := func(as []*attribute) {
		mine := own(e)
		for _, a := range as {
			add(mine[slices.IndexFunc(mine, func(x at) bool { return x.a == a })])
		}
	}
	mine := where(own(e), keyed)
	plain := where(mine, func(x at) bool { return x.a.way == nil && !slices.Contains(e.identity, x.a) })
	var ways []*way
	for _, w := range e.there {
		if !w.silent {
			ways = append(ways, w)
		}
	}
	through := where(all(e, 2), func(x at) bool { return keyed(x) && len(segments(x.path)) > 1 && x.a.entity != e })
	back := where(backs(e), keyed)
	switch n := v.IntN(100); {
	case n < 25, v.mild && n >= 58 && n < 75 && (v.plain || v.chance(70)):
		byName(e.identity)
	case n < 30 && len(e.unique) > 0:
		byName(pick(v, e.unique).of)
	case n < 58 && len(ways) > 0:
		byName(pick(v, ways).by)
		if v.chance(30) && len(plain) > 0 {
			add(pick(v, plain))
		}
	case n < 68 && len(through) > 0:
		add(pick(v, through))
	case n < 75 && len(back) > 0:
		add(pick(v, back))
	case n < 92 && len(plain) > 0:
		n := v.between(1, 2)
		if v.plain {
			n, plain = 1, where(plain, func(x at) bool { return (x.a.kind == "enum" || x.a.kind == "states") && len(segments(x.path)) == 1 })
		}
		for _, x := range some(v, n, plain) {
			add(x)
		}
	case len(mine) > 0 && n < 95 && !v.plain:
		add(pick(v, mine))
	}
	return paths, v.limit(e, paths), average, most
}

// limit is how many there can be at most of what is given.
func (v *inventor) limit(e *entity, paths []string) float64 {
	has := func(as []*attribute) bool {
		return !slices.ContainsFunc(as, func(a *attribute) bool { return !slices.Contains(paths, a.name) })
	}
	if has(e.identity) || e.always(has) {
		return 1
	}
	for _, w := range e.back {
		if !slices.ContainsFunc(w.from.identity, func(a *attribute) bool { return !slices.Contains(paths, w.inverse+"."+a.name) }) {
			return 1
		}
	}
	limit := 0.0
	for _, w := range e.there {
		if has(w.by) && (limit == 0 || w.most < limit) {
			limit = w.most
		}
	}
	if len(paths) == 0 {
		limit = e.count
	}
	return limit
}

// plainTest is a range of a time or number.
func (v *inventor) plainTest(p *pattern, e *entity) string {
	ranges := where(own(e), func(x at) bool { return (x.a.kind == "timestamp" || x.a.kind == "number") && x.sure && x.a.way == nil })
	if len(ranges) == 0 {
		return ""
	}
	x := pick(v, ranges)
	if v.chance(50) {
		return x.path + " >= " + p.parameter(x.a, "least", "begin")
	}
	return x.path + " between " + p.parameter(x.a, "from", "begin") + " and " + p.parameter(x.a, "until", "finish")
}

func (v *inventor) aggregate(p *pattern, e *entity) {
	m := pairs()
	taken := map[string]bool{}
	ordered := where(all(e, 1), func(x at) bool { return x.a.ordered() })
	numbers := where(ordered, func(x at) bool { return x.a.kind == "number" })
	for range v.between(1, 3) {
		switch n := v.IntN(5); {
		case n == 0:
			set(m, name(taken, "found"), "exists")
		case n == 1 && len(numbers) > 0:
			x := pick(v, numbers)
			set(m, name(taken, "sum"+upper(last(x.path))), "sum("+x.path+")")
		case n == 2 && len(ordered) > 0:
			f := pick(v, []string{"min", "max"})
			x := pick(v, ordered)
			set(m, name(taken, f+upper(last(x.path))), f+"("+x.path+")")
		default:
			set(m, name(taken, "many"), "count")
		}
	}
	set(p.doc, "aggregate", m)
}

// answer says what a read answers, and in which order.
func (v *inventor) answer(p *pattern, e *entity, single bool) {
	var ways []string
	for _, w := range e.there {
		if !w.silent && w.declaredBy().name != w.name {
			ways = append(ways, w.name)
		}
	}
	for _, w := range e.back {
		if !w.silent && (w.most < 5000 || v.chance(20)) {
			ways = append(ways, w.inverse)
			for _, further := range slices.Concat(w.from.there, w.from.back) {
				if further.from == w.from && further != w && !further.silent && further.declaredBy().name != further.name && v.chance(30) {
					ways = append(ways, w.inverse+"."+further.name)
				}
			}
		}
	}
	if len(ways) > 0 && (v.chance(30) && !v.plain || v.plain && single && v.chance(20)) {
		set(p.doc, "with", words(some(v, v.between(1, 2), ways)...))
	}
	if v.chance(30) {
		var out []string
		if v.chance(40) {
			out = append(out, "all")
		}
		depth := 1
		if v.plain {
			depth = 0
		}
		for _, x := range some(v, v.between(1, 4), all(e, depth)) {
			path := segments(x.path)
			if len(path) > 1 && slices.ContainsFunc(e.attributes, func(a *attribute) bool { return a.name == path[0] && a.fields == nil }) {
				continue
			}
			if !slices.Contains(out, x.path) {
				out = append(out, x.path)
			}
		}
		if len(out) > 0 {
			set(p.doc, "returns", words(out...))
		}
	}
	if single || !v.chance(60) {
		return
	}
	var keys []*yaml.Node
	var used []string
	sortable := where(all(e, 1), func(x at) bool {
		return x.a.ordered() || (x.a.kind == "enum" || x.a.kind == "states") && x.a.sorted != "" && x.a.derived == "" && v.unusual(35)
	})
	if v.plain {
		sortable = where(own(e), func(x at) bool { return (x.a.kind == "timestamp" || x.a.kind == "number") && x.sure })
		sortable = some(v, 1, sortable)
	}
	for _, x := range some(v, []int{1, 1, 1, 2, 2, 3}[v.IntN(6)], sortable) {
		if slices.Contains(used, x.path) {
			continue
		}
		used = append(used, x.path)
		key := x.path
		if v.chance(33) {
			key += " descending"
		}
		if x.a.optional && v.chance(40) {
			keys = append(keys, pairs("by", key, "missing", pick(v, []string{"first", "last"})))
			continue
		}
		keys = append(keys, word(key))
	}
	switch {
	case len(keys) == 1 && v.chance(70):
		set(p.doc, "order", keys[0])
	case len(keys) > 0:
		set(p.doc, "order", list(keys...))
	}
}
