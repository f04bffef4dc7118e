package plan

import (
	"slices"
	"strings"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/spec"
)

// reader says which parts of a template can be read back.
type reader struct {
	recipe *Recipe
	parts  []int
}

func (k *Kind) stored(name string) *Stored {
	if k.byStored != nil {
		return k.byStored[name]
	}
	for _, s := range k.Stored {
		if s.Name == name {
			return s
		}
	}
	return nil
}

func (k *Kind) recipe(wire string) *Recipe {
	if k.byRecipe != nil {
		return k.byRecipe[wire]
	}
	for _, r := range k.Recipes {
		if r.Wire.Name == wire {
			return r
		}
	}
	return nil
}

// Recipe is how the kind builds a wire attribute; nil if it does not have it. Of an index key attribute that means that
// items of the kind are never in the index.
func (k *Kind) Recipe(wire string) *Recipe { return k.recipe(wire) }

// In reports whether items of the kind can be in the index: they have all of its key attributes. Sparse is true if
// some of them may be missing from it.
func (k *Kind) In(a *Access) (in, sparse bool) {
	for _, w := range a.keys() {
		r := k.recipe(w.Name)
		if r == nil {
			return false, false
		}
		sparse = sparse || r.mayLack()
	}
	return true, sparse
}

// mayLack reports whether an item can be without the attribute.
func (r *Recipe) mayLack() bool {
	if r.When != nil {
		return true
	}
	if r.Else != "" {
		return false
	}
	for _, p := range r.Parts {
		for _, s := range p.target.segs {
			if s.Attribute != nil && s.Attribute.Optional {
				return true
			}
		}
	}
	return false
}

// index finishes a kind whose recipes and stored attributes are known.
func (k *Kind) index() {
	k.byStored, k.byRecipe, k.byPath = map[string]*Stored{}, map[string]*Recipe{}, map[string]*Stored{}
	for _, s := range k.Stored {
		s.target = s.where()
		k.byStored[s.Name] = s
		if k.byPath[s.target.id] == nil {
			k.byPath[s.target.id] = s
		}
	}
	for _, r := range k.Recipes {
		k.byRecipe[r.Wire.Name] = r
		r.finish()
		if len(r.Parts) == 0 {
			k.constants = append(k.constants, r)
		}
		g := reader{recipe: r}
		for i, p := range r.Parts {
			if p.Attribute != nil && p.codec.readable && !r.Native {
				g.parts = append(g.parts, i)
			}
		}
		if len(g.parts) > 0 {
			k.readers = append(k.readers, g)
		}
	}
	k.derived = k.derivations()
	k.part = k.Role == EntityItem && slices.ContainsFunc(k.Entity.Attributes, func(a *spec.Attribute) bool { return kept(a) && !k.offers(own(a), k.Table.Base) })
}

// kept reports whether an item of the entity has to hold the attribute: what is derived may lie elsewhere.
func kept(a *spec.Attribute) bool { return a.Derived == nil }

// Part reports whether items of the kind hold only some attributes of their entity: the others lie in other parts.
func (k *Kind) Part() bool { return k.part }

// has reports whether an item of the kind holds a target, or a template of it is built from the target.
func (k *Kind) has(t target) bool {
	return k.storing(t) != nil || slices.ContainsFunc(k.Recipes, func(r *Recipe) bool { return r.dependsOn([]target{t}) })
}

// finish computes what a recipe with all its parts can produce.
func (r *Recipe) finish() {
	if len(r.Parts) == 0 {
		if r.Wire.Type == N {
			n, _ := attr.ParseNumber(r.Text)
			r.constant = attr.Num(n)
			return
		}
		r.constant = attr.Text(r.Text)
		if r.Wire.Type == B {
			r.constant = attr.Binary([]byte(r.Text))
		}
	}
	if r.Wire.Type != N {
		r.texts = newLang()
		r.describe(r.texts, len(r.Parts))
		r.texts.literal(r.Literals[len(r.Parts)])
		if r.Else != "" { // that as well: what is more than both is near enough, since nothing else has such an attribute
			r.texts = newLang()
			r.texts.any()
		}
	}
}

// describe appends what stands before part n.
func (r *Recipe) describe(l *lang, n int) {
	for i := range n {
		l.literal(r.Literals[i])
		r.Parts[i].codec.describe(l)
	}
	if n < len(r.Parts) {
		l.literal(r.Literals[n])
	}
}

// split cuts a text into the encoded parts; false if the recipe cannot have written it.
func (r *Recipe) split(text string, parts []string) ([]string, bool) {
	text, ok := strings.CutPrefix(text, r.Literals[0])
	if !ok {
		return parts, false
	}
	for i, p := range r.Parts {
		next := r.Literals[i+1]
		n := p.codec.width
		switch {
		case n > 0:
			if len(text) < n {
				return parts, false
			}
		case next == "" && i == len(r.Parts)-1:
			n = len(text)
		default:
			if n = strings.IndexByte(text, next[0]); n < 0 {
				return parts, false
			}
		}
		parts = append(parts, text[:n])
		if text, ok = strings.CutPrefix(text[n:], next); !ok {
			return parts, false
		}
	}
	return parts, text == ""
}

// own reports whether the recipe can have written a wire value.
func (r *Recipe) own(v attr.Value, buf []string) bool {
	if v.IsZero() || v.Kind().String() != string(r.Wire.Type) {
		return false
	}
	if len(r.Parts) == 0 {
		return attr.Equal(v, r.constant)
	}
	if r.Else != "" && attr.Equal(v, r.absent) {
		return true
	}
	if r.Wire.Type == N {
		return true
	}
	parts, ok := r.split(v.Str(), buf[:0])
	if !ok {
		return false
	}
	for i, p := range r.Parts {
		if !p.codec.accepts(parts[i]) {
			return false
		}
	}
	return true
}
