package cost

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/internal/dist"
	"github.com/tablewright/tablewright/keys"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
	"github.com/tablewright/tablewright/workload"
)

// size is the size in bytes of an item, or of its entry in an index, over the instances of its entity: a fixed part,
// parts that vary by rank (the largest instance is the largest in all of them), parts that may be absent, each on its
// own, and children inside.
type size struct {
	weight dist.Law // how the instances that count are picked
	fixed  float64
	laws   []dist.Law   // of single attributes, then of the numbers of children inside
	inside []*dist.Sums // of the sizes of these children
	each   []float64    // the largest of these children
	maybe  dist.Dist    // of all that may be absent together

	writes  map[float64]capacity.WriteUnits // by how many bytes a write adds
	get     map[capacity.Consistency]capacity.ReadUnits
	average float64 // 0: not computed yet
	sum     *dist.Sums
	totals  sumsBy
}

// Expect returns the expectation of f over the sizes, and makes size a capacity.Sizes. f must not fall as sizes rise.
func (b *size) Expect(f func(bytes float64) float64) float64 {
	if len(b.laws) == 0 {
		return b.rest(b.fixed, nil, f)
	}
	own := len(b.laws) - len(b.inside)
	return dist.Along(b.weight, func(bytes float64, k []float64) float64 {
		return b.rest(b.fixed+bytes, k, f)
	}, b.laws[:own], b.laws[own:])
}

// written is what it takes to write one.
func (b *size) written() capacity.WriteUnits { return b.longer(0) }

// longer is what it takes to write one that gets some bytes more.
func (b *size) longer(by float64) capacity.WriteUnits {
	n, ok := b.writes[by]
	if !ok {
		if b.writes == nil {
			b.writes = map[float64]capacity.WriteUnits{}
		}
		n = capacity.ExpectWrite(grown{b, by})
		b.writes[by] = n
	}
	return n
}

// grown is what becomes of items to which a write adds some bytes.
type grown struct {
	*size
	by float64
}

func (g grown) Expect(f func(bytes float64) float64) float64 {
	return g.size.Expect(func(bytes float64) float64 { return f(bytes + g.by) })
}

// got is what it takes to read one by key.
func (b *size) got(c capacity.Consistency) capacity.ReadUnits {
	if b.get == nil {
		b.get = map[capacity.Consistency]capacity.ReadUnits{}
	}
	n, ok := b.get[c]
	if !ok {
		n = capacity.ExpectGet(b, c)
		b.get[c] = n
	}
	return n
}

// arm is what an index takes for one.
func (b *size) arm(a capacity.Arm) float64 { return float64(capacity.ArmOf(a, b.written())) }

// rest adds what may be absent and the children inside: k of each kind, each of the size of any child.
func (b *size) rest(bytes float64, k []float64, f func(float64) float64) float64 {
	return b.beside(k).Expect(func(x float64) float64 { return f(bytes + x) })
}

// beside is the distribution of what may be absent and of k children of each kind inside. Members of a population have
// few different numbers of children, so that they are remembered.
func (b *size) beside(k []float64) dist.Stairs {
	if total, ok := b.totals.find(k); ok {
		return total
	}
	total := b.maybe
	for i, n := range k {
		if n > 0 {
			total = dist.Plus(total, b.inside[i].Of(int(n)))
		}
	}
	stairs := dist.StairsOf(total)
	b.totals.keep(k, stairs)
	return stairs
}

// sumsBy remembers distributions by the numbers of what is summed.
type sumsBy struct {
	next map[float64]*sumsBy
	dist dist.Stairs
}

func (m *sumsBy) find(k []float64) (d dist.Stairs, ok bool) {
	for _, n := range k {
		if m = m.next[n]; m == nil {
			return d, false
		}
	}
	return m.dist, !m.dist.None()
}

func (m *sumsBy) keep(k []float64, d dist.Stairs) {
	for _, n := range k {
		if m.next == nil {
			m.next = map[float64]*sumsBy{}
		}
		if m.next[n] == nil {
			m.next[n] = &sumsBy{}
		}
		m = m.next[n]
	}
	m.dist = d
}

// mean is the average size.
func (b *size) mean() float64 {
	if b.average == 0 {
		b.average = b.fixed + b.maybe.Mean()
		own := len(b.laws) - len(b.inside)
		for i, l := range b.laws {
			v := b.weighted(l)
			if i >= own {
				v *= b.inside[i-own].Of(1).Mean()
			}
			b.average += float64(v)
		}
	}
	return b.average
}

// weighted is the mean of a law over the members as they are picked.
func (b *size) weighted(l dist.Law) float64 {
	return dist.Together(b.weight, func(x []float64) float64 { return x[0] }, l)
}

// dist is the distribution of the size. With several varying parts it is sampled: good enough to be summed with others.
func (b *size) dist() dist.Dist {
	switch {
	case len(b.laws) == 0:
		return b.maybe.Shift(b.fixed)
	case len(b.laws) == 1 && len(b.inside) == 0:
		return dist.Plus(b.maybe, b.laws[0].Weighted(b.weight).Shift(b.fixed).Coarse(samples))
	}
	weights, points := make([]float64, samples), make([]dist.Dist, samples)
	for i := range points {
		weights[i], points[i] = 1, dist.Point(b.quantile((float64(i)+0.5)/samples))
	}
	return dist.Plus(b.maybe, dist.Mix(weights, points))
}

// samples is how many values a distribution of sizes that are summed keeps: enough for blocks of thousands of bytes.
const samples = 64

// quantile is the size of the member picked at q: all parts at its rank, children at their average size.
func (b *size) quantile(q float64) float64 {
	rank := b.weight.Pick(q)
	bytes := b.fixed
	own := len(b.laws) - len(b.inside)
	for i, l := range b.laws {
		v := l.At(min(rank, l.Members()))
		if i >= own {
			v *= b.inside[i-own].Of(1).Mean()
		}
		bytes += float64(v)
	}
	return bytes
}

// sums are the sizes of several.
func (b *size) sums() *dist.Sums {
	if b.sum == nil {
		b.sum = dist.CoarseSums(b.dist(), samples)
	}
	return b.sum
}

// most is the largest size: everything there, and at its maximum.
func (b *size) most() float64 {
	bytes := b.fixed + b.maybe.Max()
	own := len(b.laws) - len(b.inside)
	for i, l := range b.laws {
		v := l.Max()
		if i >= own {
			v *= b.each[i-own]
		}
		bytes += float64(v)
	}
	return bytes
}

// size is that of an item of a kind (in nil or the table itself), or of its entry in an index: only what the index
// projects. Instances are picked as weight spreads over the kind's entity.
func (f *figures) size(k *plan.Kind, in *plan.Access, weight spread) *size {
	return f.sizeWith(k, in, weight, nil)
}

// sizeWith is size, of instances of which something is known.
func (f *figures) sizeWith(k *plan.Kind, in *plan.Access, weight spread, sure known) *size {
	return f.sizeGrown(k, in, weight, sure, growth{})
}

// sizeGrown is sizeWith, of instances in which a share of the children of a way is there.
func (f *figures) sizeGrown(k *plan.Kind, in *plan.Access, weight spread, sure known, so growth) *size {
	if in == nil {
		in = k.Table.Base
	}
	sure = f.entered(k, in, sure)
	key := sizeKey{kind: k, access: in, weight: weight, sure: sure.Optional(k.Entity), grown: so}
	b := f.sizes[key]
	if b == nil {
		var within []held
		for _, e := range k.Embeds {
			within = append(within, held{e, f.lying(e.Way, so), false})
		}
		b = f.measure(k, in, f.Law(weight), sure, within)
		f.sizes[key] = b
	}
	return b
}

// sizeNew is the size of an item that an action creates. It has nothing that only comes with a later state, and the
// only children inside are those that the action creates with it.
func (f *figures) sizeNew(k *plan.Kind, weight spread, p *spec.Pattern, act *spec.Action) *size {
	key := sizeKey{kind: k, access: k.Table.Base, weight: weight, made: true, with: strings.Join(act.With, " ")}
	brought := func(way *spec.Relationship) spread {
		kids := f.Kids(way)
		if q := p.ValueOf(act); q.BringsStated(way) {
			n := q.Brings(way, f.Children(way))
			return spread{Members: kids.Members, Average: n.Average, Most: n.Max}
		}
		return kids
	}
	if q := p.ValueOf(act); q != nil && len(q.Inside) > 0 {
		key.with = p.Name + " " + q.Name
	}
	b := f.sizes[key]
	if b == nil {
		inside := slices.DeleteFunc(slices.Clone(k.Embeds), func(e *plan.Embedding) bool { return !slices.Contains(act.With, e.Way.Inverse) })
		var within []held
		for _, e := range inside {
			within = append(within, held{e, brought(e.Way), true})
		}
		b = f.measure(k, k.Table.Base, f.Law(weight), f.Initial(k.Entity), within)
		f.sizes[key] = b
	}
	return b
}

func (f *figures) measure(k *plan.Kind, in *plan.Access, weight dist.Law, sure known, inside []held) *size {
	var parts ingredients
	seen := map[string]bool{}
	add := func(name string, share float64, value spec.Size) {
		if !seen[name] && in.Projects(name) {
			seen[name] = true
			parts.add(name, share, value)
		}
	}
	for _, r := range k.Recipes {
		share := 1.0
		if !keyOf(in, r.Wire.Name) { // what has an entry has its key
			share = f.indexed(k, []*plan.Recipe{r}, sure)
		}
		add(r.Wire.Name, share, f.recipeSize(k, r, nil))
	}
	for _, s := range k.Stored {
		share := sure.Presence(s.Attribute)
		if keyOf(in, s.Name) {
			share = 1
		}
		add(s.Name, share, f.valueSize(s.Attribute))
	}
	if k.Stamp != "" {
		add(k.Stamp, 1, spec.Size{Average: plan.StampBytes, Max: plan.StampBytes})
	}
	if k.Pack != nil {
		parts.fixed += f.filled(k) * f.entryOf(k).mean()
	}
	for _, e := range inside {
		if in.Projects(e.Attribute) {
			parts.inside = append(parts.inside, e)
		}
	}
	return f.mix(weight, parts)
}

// ingredients are what a size is made of. Items of many models are made of the same.
type ingredients struct {
	fixed  float64
	varies []spec.Size // of attributes that all have
	maybe  []optional
	inside []held
}

// held are the children inside an item, and how many of them are there.
type held struct {
	*plan.Embedding
	kids spread
	new  bool // they have just been made, and lack what comes with later states
}

// lying are the children that lie inside an item, as far as it has grown.
func (f *figures) lying(way *spec.Relationship, so growth) spread {
	kids := f.Kids(way)
	if share := so.of(way); share < 1 {
		kids = kids.Times(share)
	}
	return kids
}

// optional is an attribute, with its name, that a share has.
type optional struct {
	share, name float64
	value       spec.Size
}

// add adds an attribute that a share of the members has: its name and its value.
func (i *ingredients) add(name string, share float64, value spec.Size) {
	switch n := float64(len(name)); {
	case share <= 0:
	case share < 1:
		i.maybe = append(i.maybe, optional{share, n, value})
	case value.Max-value.Average >= 1: // of less than a byte an average that was computed is as good
		i.fixed += n
		i.varies = append(i.varies, value)
	default:
		i.fixed += n + value.Average
	}
}

// text is equal for equal ingredients.
func (i *ingredients) text() string {
	b := fmt.Appendf(nil, "%v %v %v", i.fixed, i.varies, i.maybe)
	for _, e := range i.inside {
		b = fmt.Appendf(b, " %s.%s %s %s %v %t", e.Child.Name, e.Way.Name, e.As, e.Attribute, e.kids, e.new)
		for _, s := range e.Stored {
			b = append(append(b, ' '), s.Name...)
		}
	}
	return string(b)
}

// mixed is what a size depends on.
type mixed struct {
	weight dist.Law
	text   string
}

// arrange puts the attributes in an order of their figures. Distributions are coarse: what they are added up to depends
// on the order, which is not to be that of the document, nor of names.
func (i *ingredients) arrange() {
	slices.SortFunc(i.varies, bySize)
	slices.SortFunc(i.maybe, func(a, b optional) int {
		return cmp.Or(bySize(a.value, b.value), cmp.Compare(a.share, b.share), cmp.Compare(a.name, b.name))
	})
}

func bySize(a, b spec.Size) int {
	return cmp.Or(cmp.Compare(a.Max, b.Max), cmp.Compare(a.Average, b.Average))
}

// mix is the size of what is made of some ingredients.
func (f *figures) mix(weight dist.Law, parts ingredients) *size {
	parts.arrange()
	key := mixed{weight, parts.text()}
	b := f.made[key]
	if b != nil {
		return b
	}
	b = &size{weight: weight, fixed: parts.fixed}
	members := weight.Members()
	law := func(v spec.Size) dist.Law {
		return f.Law(spread{Members: members, Average: v.Average, Most: v.Max})
	}
	for _, v := range parts.varies {
		b.laws = append(b.laws, law(v))
	}
	for _, o := range parts.maybe {
		d := dist.Point(o.value.Average)
		if o.value.Max-o.value.Average >= 1 {
			d = law(o.value).Dist().Coarse(samples / 8)
		}
		absent := []float64{1 - o.share, o.share}
		b.maybe = dist.Plus(b.maybe, dist.Mix(absent, []dist.Dist{dist.Point(0), d.Shift(o.name)})).Coarse(samples / 4)
	}
	for _, e := range parts.inside {
		f.embed(b, e)
	}
	f.made[key] = b
	return b
}

// embed adds children inside an item: a map or list of maps has 3 bytes and 1 for each element, as each map has
// (CapacityUnitCalculations).
func (f *figures) embed(b *size, e held) {
	b.fixed += float64(len(e.Attribute))
	if e.As != "value" {
		b.fixed += 3
	}
	var is known
	if e.new {
		is = f.Initial(e.Child)
	}
	child := f.element(e.Embedding, is)
	kids := e.kids
	sums := child.sums()
	if one := sums.Of(1); kids.Average == 1 && kids.Most == 1 && len(child.laws) == 0 && one.Len() == 1 { // every parent has one, all alike
		b.fixed += one.Mean()
		return
	}
	b.laws = append(b.laws, f.Law(kids))
	b.inside = append(b.inside, sums)
	b.each = append(b.each, child.most()) // sums are coarse
}

// element is the size of a child inside an item about which something is known.
func (f *figures) element(e *plan.Embedding, is known) *size {
	var parts ingredients
	for _, s := range e.Stored {
		parts.fixed++
		parts.add(s.Name, is.Presence(s.Attribute), f.valueSize(s.Attribute))
	}
	parts.fixed += 3
	switch e.As {
	case "value":
	case "map":
		parts.fixed += 1 + f.nameSize(e).Average
	default:
		parts.fixed++
	}
	return f.mix(f.Law(workload.Even(f.Members(e.Child))), parts)
}

// nameSize is the size of the keys of a map of children.
func (f *figures) nameSize(e *plan.Embedding) spec.Size {
	if e.By.Type == spec.Number {
		return e.NameBytes()
	}
	return f.valueSize(e.By)
}

// valueSize is the size of an attribute's value.
func (f *figures) valueSize(a *spec.Attribute) spec.Size {
	if a == nil {
		return spec.Size{}
	}
	return f.Bytes(a)
}

// recipeSize is the size of what a template writes for instances of which something is known.
func (f *figures) recipeSize(k *plan.Kind, r *plan.Recipe, is known) spec.Size {
	if r.Native && len(r.Parts) == 1 {
		return f.valueSize(r.Parts[0].Attribute)
	}
	var s spec.Size
	for _, l := range r.Literals {
		s.Average += float64(len(l))
		s.Max += float64(len(l))
	}
	share := 1.0
	for _, p := range r.Parts {
		v := f.partSize(k, p, is)
		s.Average += v.Average
		s.Max += v.Max
		share *= known(nil).Presence(p.Attribute)
	}
	if r.Else != "" {
		other := len(r.Else)
		if n, err := attr.ParseNumber(strings.ReplaceAll(r.Else, "_", "")); err == nil && r.Wire.Type == plan.N { // digits take half a byte
			other = n.Size()
		}
		s.Average = float64(s.Average*share) + float64((1-share)*float64(other))
	}
	return s
}

func (f *figures) partSize(k *plan.Kind, p *plan.Part, is known) spec.Size {
	if p.Attribute == nil {
		w := float64(keys.Shards{Of: k.Shards}.Width())
		return spec.Size{Average: w, Max: w}
	}
	v := f.valueSize(p.Attribute)
	if p.Attribute.Type == spec.Bool { // written as a word
		v = spec.Size{Max: float64(len("false"))}
		for _, s := range p.Attribute.Shares {
			v.Average += float64(s.Of * float64(len(s.Value)))
		}
	}
	if value := is[p.Attribute.Name]; value != workload.There && value != workload.Gone && k.Entity.Attribute(p.Attribute.Name) == p.Attribute && p.Attribute.Type != spec.Number {
		v = spec.Size{Average: float64(len(value)), Max: float64(len(value))}
	}
	if w := float64(p.Width()); w > 0 {
		return spec.Size{Average: w, Max: w}
	}
	for _, name := range p.Codecs {
		switch name {
		case "epoch-s": // a number of 10 digits
			return spec.Size{Average: 6, Max: 6}
		case "epoch-ms": // of 13
			return spec.Size{Average: 8, Max: 8}
		}
		if c, err := keys.ParseCodec(name); err == nil {
			if least, most := c.Len(int(v.Average), int(v.Average)); least == most {
				v = spec.Size{Average: float64(least), Max: float64(least)}
			}
		}
	}
	return v
}
