package cost

import (
	"slices"

	"github.com/tablewright/tablewright/internal/dist"
	"github.com/tablewright/tablewright/keys"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// bytes is the size of an item, or of its entry in an index, over the instances of its entity: a fixed part, parts that
// vary by rank (the largest instance is the largest in all of them), and children inside.
type bytes struct {
	weight dist.Law // how the instances that count are picked
	fixed  float64
	laws   []dist.Law // of single attributes, then of the numbers of children inside
	inside []*dist.Sums
}

// Expect is the expectation of f over the sizes; it makes bytes capacity.Sizes.
func (b *bytes) Expect(f func(bytes float64) float64) float64 {
	if len(b.laws) == 0 {
		return f(b.fixed)
	}
	own := len(b.laws) - len(b.inside)
	return dist.Together(b.weight, func(x []float64) float64 {
		size := b.fixed
		for _, v := range x[:own] {
			size += v
		}
		return b.children(size, x[own:], f)
	}, b.laws...)
}

// children adds the children inside: k of each kind, each of the size of any child.
func (b *bytes) children(size float64, k []float64, f func(float64) float64) float64 {
	total := dist.Point(size)
	for i, n := range k {
		total = dist.Plus(total, b.inside[i].Of(int(n)))
	}
	return total.Expect(f)
}

// mean is the average size.
func (b *bytes) mean() float64 { return b.Expect(func(x float64) float64 { return x }) }

// dist is the distribution of the size. With several varying parts it is sampled: good enough to be summed with others.
func (b *bytes) dist() dist.Dist {
	switch {
	case len(b.laws) == 0:
		return dist.Point(b.fixed)
	case len(b.laws) == 1 && len(b.inside) == 0:
		return b.laws[0].Weighted(b.weight).Shift(b.fixed).Coarse(samples)
	}
	weights, points := make([]float64, samples), make([]dist.Dist, samples)
	for i := range points {
		weights[i], points[i] = 1, dist.Point(b.quantile((float64(i)+0.5)/samples))
	}
	return dist.Mix(weights, points)
}

const samples = 64

// quantile is the size of the member picked at q: all parts at its rank, children at their average size.
func (b *bytes) quantile(q float64) float64 {
	rank := b.weight.Pick(q)
	size := b.fixed
	own := len(b.laws) - len(b.inside)
	for i, l := range b.laws {
		v := l.At(min(rank, l.Members()))
		if i >= own {
			v *= b.inside[i-own].Of(1).Mean()
		}
		size += v
	}
	return size
}

// most is the largest size: everything at its maximum.
func (b *bytes) most() float64 {
	size := b.fixed
	own := len(b.laws) - len(b.inside)
	for i, l := range b.laws {
		v := l.Max()
		if i >= own {
			v *= b.inside[i-own].Of(1).Max()
		}
		size += v
	}
	return size
}

// item is the size of an item of a kind, or of its entry in an index: only what the index projects. Instances are picked
// as weight spreads over the kind's entity.
func (f *figures) item(k *plan.Kind, in *plan.Access, weight dist.Law) *bytes {
	b := &bytes{weight: weight}
	n := weight.Members()
	seen := map[string]bool{}
	add := func(name string, share float64, value spec.Size) {
		if seen[name] || in != nil && !projects(in, name) {
			return
		}
		seen[name] = true
		b.fixed += share * float64(len(name))
		if value.Max <= value.Average || share < 1 {
			b.fixed += share * value.Average
			return
		}
		b.laws = append(b.laws, f.size(n, value))
	}
	for _, r := range k.Recipes {
		share := 1.0
		if r.When != nil {
			share = holds(r.When, k.Entity, nil)
		}
		for _, p := range r.Parts {
			share *= presence(p.Attribute)
		}
		add(r.Wire.Name, share, recipeSize(k, r))
	}
	for _, s := range k.Stored {
		add(s.Name, presence(s.Attribute), valueSize(s.Attribute))
	}
	for _, e := range k.Embeds {
		if in != nil && !projects(in, e.Attribute) {
			continue
		}
		f.embed(b, e)
	}
	return b
}

// embed adds children inside an item: a map or list of maps has 3 bytes and 1 for each element, as each map has.
func (f *figures) embed(b *bytes, e *plan.Embedding) {
	child := &bytes{weight: dist.Uniform(f.members(e.Child), 1)}
	for _, s := range e.Stored {
		size := valueSize(s.Attribute)
		share := presence(s.Attribute)
		child.fixed += share * (1 + float64(len(s.Name)))
		if size.Max > size.Average && share == 1 {
			child.laws = append(child.laws, f.size(child.weight.Members(), size))
		} else {
			child.fixed += share * size.Average
		}
	}
	kids := f.kids(e.Way)
	b.fixed += float64(len(e.Attribute))
	switch e.As {
	case "value":
		child.fixed += 3
		if kids.Mean() >= 1 { // every parent has one
			b.fixed += child.mean()
			return
		}
	case "map":
		child.fixed += 1 + 3 + valueSize(e.By).Average
		b.fixed += 3
	default:
		child.fixed += 1 + 3
		b.fixed += 3
	}
	b.laws = append(b.laws, kids)
	b.inside = append(b.inside, dist.CoarseSums(child.dist(), samples))
}

// projects reports whether entries of an index hold a wire attribute.
func projects(in *plan.Access, name string) bool {
	if in.Index == "" || in.Project == plan.All {
		return true
	}
	has := func(ws []plan.Wire) bool {
		return slices.ContainsFunc(ws, func(w plan.Wire) bool { return w.Name == name })
	}
	return has(in.Partition) || has(in.Sort) || has(in.Table.Base.Partition) || has(in.Table.Base.Sort) || slices.Contains(in.Include, name)
}

func presence(a *spec.Attribute) float64 {
	if a == nil || !a.Optional {
		return 1
	}
	return a.Present
}

// valueSize is the size of an attribute's value.
func valueSize(a *spec.Attribute) spec.Size {
	if a == nil {
		return spec.Size{}
	}
	return a.Bytes
}

// recipeSize is the size of what a template writes.
func recipeSize(k *plan.Kind, r *plan.Recipe) spec.Size {
	if r.Native && len(r.Parts) == 1 {
		return valueSize(r.Parts[0].Attribute)
	}
	var s spec.Size
	for _, l := range r.Literals {
		s.Average += float64(len(l))
		s.Max += float64(len(l))
	}
	for _, p := range r.Parts {
		v := partSize(k, r, p)
		s.Average += v.Average
		s.Max += v.Max
	}
	return s
}

func partSize(k *plan.Kind, r *plan.Recipe, p *plan.Part) spec.Size {
	if p.Attribute == nil {
		w := float64(keys.Shards{Of: k.Shards}.Width())
		return spec.Size{Average: w, Max: w}
	}
	v := valueSize(p.Attribute)
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

// holds is the share of instances for which a condition on states, enums and presence is true; fixed are attributes whose
// value is known.
func holds(c spec.Condition, e *spec.Entity, fixed map[string]string) float64 {
	switch c := c.(type) {
	case *spec.Logic:
		switch c.Op {
		case "not":
			return 1 - holds(c.Args[0], e, fixed)
		case "and":
			p := 1.0
			for _, a := range c.Args {
				p *= holds(a, e, fixed)
			}
			return p
		}
		none := 1.0
		for _, a := range c.Args {
			none *= 1 - holds(a, e, fixed)
		}
		return 1 - none
	case *spec.Test:
		return testShare(c, e, fixed)
	}
	return 1
}

func testShare(t *spec.Test, e *spec.Entity, fixed map[string]string) float64 {
	if e == nil || len(t.Path) != 1 {
		return 1
	}
	a := e.Attribute(t.Path[0])
	if a == nil {
		return 1
	}
	switch t.Op {
	case "exists":
		return presence(a)
	case "absent":
		return 1 - presence(a)
	}
	share := func(value string) float64 {
		if v, ok := fixed[a.Name]; ok {
			if v == value {
				return 1
			}
			return 0
		}
		for _, s := range a.Shares {
			if s.Value == value {
				return s.Of
			}
		}
		return 0
	}
	sum := 0.0
	for _, x := range t.Args {
		sum += share(x.Literal.Str())
	}
	switch {
	case len(a.Shares) == 0:
		return 1
	case t.Op == "=", t.Op == "in":
		return presence(a) * sum
	case t.Op == "!=":
		return presence(a) * (1 - sum)
	}
	return 1
}
