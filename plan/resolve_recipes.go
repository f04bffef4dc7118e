package plan

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/spec"
)

// recipes resolves templates, and the stored attributes that keys name.
func (c *compiler) recipes(k *Kind) {
	t := k.Table
	base := map[string]bool{}
	for _, w := range t.Base.keys() {
		base[w.Name] = true
	}
	for _, n := range sortedKeys(k.Document.Key) {
		path := at(k.Path, "key", n)
		if !base[n] {
			c.errorf(path, CodeKey, "other attributes belong under set", "%s is not part of the key of %s", n, t.Name)
			continue
		}
		c.recipe(k, path, n, Template{Value: k.Document.Key[n]}, true)
	}
	for _, n := range sortedKeys(k.Document.Set) {
		path := at(k.Path, "set", n)
		if base[n] {
			c.errorf(path, CodeKey, "attributes of the table's key belong under key", "%s sets %s, which is part of the key", k.Name, n)
			continue
		}
		c.recipe(k, path, n, k.Document.Set[n], false)
	}
	for _, w := range t.Attributes { // stored attributes that keys and indexes name
		s := k.stored(w.Name)
		if s == nil || k.recipe(w.Name) != nil {
			continue
		}
		if kindOf(s.Attribute) != w.Type {
			if t.names(w.Name) {
				remedy := "give the wire attribute another name and a template"
				if kind := kindOf(s.Attribute); kind != "" {
					remedy = "declare " + w.Name + " as " + string(kind) + ", or " + remedy
				}
				c.errorf(k.Path, CodeType, remedy, "%s stores %s, a %s, and %s declares %s as %s", k.Name, w.Name, s.Attribute.Type, t.Name, w.Name, w.Type)
			}
			continue
		}
		cd, err := nativeCodec(s.Attribute, w.Type)
		if err != nil {
			c.errorf(k.Path, CodeType, "", "%s: %s", k.Name, err)
			continue
		}
		tg := s.where()
		k.Recipes = append(k.Recipes, &Recipe{
			Wire: w, Text: "{" + w.Name + "}", Literals: []string{"", ""}, Key: base[w.Name], Native: true,
			Parts: []*Part{{Path: tg.path, Attribute: s.Attribute, target: tg, codec: cd}},
		})
	}
	for _, w := range t.Base.keys() {
		if k.recipe(w.Name) == nil {
			c.errorf(at(k.Path, "key"), CodeKey, fmt.Sprintf("add a template under key: {%s: …}", w.Name), "%s has no %s, which is part of the key of %s", k.Name, w.Name, t.Name)
		}
	}
	slices.SortFunc(k.Recipes, func(a, b *Recipe) int {
		if a.Key != b.Key {
			if a.Key {
				return -1
			}
			return 1
		}
		return strings.Compare(a.Wire.Name, b.Wire.Name)
	})
}

// names reports whether a key, an index or time to live names the wire attribute.
func (t *Schema) names(wire string) bool {
	for _, a := range append([]*Access{t.Base}, t.Indexes...) {
		for _, w := range a.keys() {
			if w.Name == wire {
				return true
			}
		}
	}
	return t.TTL == wire
}

// nativeCodec is the codec of an attribute that is written as it is stored.
func nativeCodec(a *spec.Attribute, wire Type) (*codec, error) {
	if a.Type == spec.Timestamp && wire == S {
		return newCodec(a, []string{"iso"}, wire, true, 0)
	}
	return newCodec(a, nil, wire, true, 0)
}

// where is the path a stored attribute's value comes from.
func (s *Stored) where() target {
	if s.Copy || len(s.target.segs) > 0 {
		return s.target
	}
	return own(s.Attribute)
}

// recipe resolves one template.
func (c *compiler) recipe(k *Kind, path []string, name string, d Template, key bool) {
	text, err := parseTemplate(d.Value)
	if err != nil {
		c.errorf(path, CodeTemplate, "text with parts {path:codec}", "%s: %s", d.Value, err)
		return
	}
	r := &Recipe{Wire: Wire{Name: name, Type: S}, Text: d.Value, Literals: text.literals, WhenText: d.When, Else: d.Else, Key: key}
	alone := len(text.parts) == 1 && text.literals[0] == "" && text.literals[1] == ""
	if ty, ok := k.Table.Document.Attributes[name]; ok {
		r.Wire.Type = ty
	} else if alone && len(text.parts[0].codecs) > 0 && strings.HasPrefix(text.parts[0].codecs[0], "epoch-") {
		r.Wire.Type = N
	}
	ok := true
	for _, p := range text.parts {
		part := &Part{Codecs: p.codecs}
		if len(p.path) == 1 && p.path[0] == "shard" && k.Entity.Attribute("shard") == nil {
			if k.Shards == 0 {
				c.errorf(path, CodeShard, "add shard: {of: …, by: …} to the item", "%s uses {shard}, and %s is not divided", d.Value, k.Name)
				ok = false
				continue
			}
		} else {
			if part.target, err = c.path(path, k.Entity, p.path.String()); err != nil {
				ok = false
				continue
			}
			if !part.target.toOne() {
				c.errorf(path, CodePath, "a template follows ways there", "{%s} in %s leads to several values", p.path, d.Value)
				ok = false
				continue
			}
			part.Path, part.Attribute = part.target.path, part.target.attribute()
		}
		if part.codec, err = newCodec(part.Attribute, p.codecs, r.Wire.Type, alone, k.Shards); err != nil {
			c.errorf(path, CodeCodec, "", "%s: %s", d.Value, err)
			ok = false
			continue
		}
		r.Parts = append(r.Parts, part)
	}
	if !ok || !c.separable(path, r) {
		return
	}
	if len(r.Parts) == 0 && r.Wire.Type == N {
		if _, err := attr.ParseNumber(d.Value); err != nil {
			c.errorf(path, CodeType, "write a number", "%s is an N attribute, and %q is no number", name, d.Value)
			return
		}
	}
	if d.Else != "" && !c.otherwise(path, r, alone, key) {
		return
	}
	if d.When != "" {
		if r.When, err = c.condition(at(path, "when"), k.Entity, nil, d.When); err != nil {
			return
		}
		for t := range spec.Tests(r.When) {
			tg, err := resolvePath(k.Entity, t.Path)
			if err != nil || len(t.Path) == 0 {
				c.errorf(at(path, "when"), CodeSyntax, "test attributes", "%s tests the item itself", d.When)
				return
			}
			r.when = append(r.when, tg)
			for _, a := range t.Args {
				for _, p := range itemPaths(a) {
					if tg, err := resolvePath(k.Entity, p); err == nil {
						r.when = append(r.when, tg)
					}
				}
			}
		}
	}
	if s := k.stored(name); s != nil { // the template and the stored attribute are one and must agree
		same := alone && r.When == nil && r.Else == "" && s.where().id == r.Parts[0].target.id && r.Wire.Type == kindOf(s.Attribute) &&
			r.Parts[0].codec.readable && !slices.ContainsFunc(r.Parts[0].Codecs, func(n string) bool { return n != "iso" && n != "raw" })
		if !same {
			c.errorf(path, CodeDuplicate, "rename the wire attribute, or leave the attribute out with stores", "%s stores its attribute %s under the name that %s is written to", k.Name, name, d.Value)
			return
		}
		r.Native = true
	}
	k.Recipes = append(k.Recipes, r)
}

// otherwise reads what a template writes where a part has no value. That must be nothing that it can write of a value.
func (c *compiler) otherwise(path []string, r *Recipe, alone, key bool) bool {
	if len(r.Parts) == 0 || key {
		c.errorf(at(path, "else"), CodeTemplate, "leave it out", "%s: `else` is for a template under `set` whose parts may have no value", r.Text)
		return false
	}
	if r.Wire.Type == N {
		n, err := attr.ParseNumber(strings.ReplaceAll(r.Else, "_", ""))
		if err != nil {
			c.errorf(at(path, "else"), CodeType, "write a number", "%s is an N attribute, and %q is no number", r.Wire.Name, r.Else)
			return false
		}
		r.absent = attr.Num(n)
		if a := r.Parts[0].Attribute; a.Type == spec.Number {
			if low, high := span(a); n.Cmp(low) >= 0 && n.Cmp(high) <= 0 {
				c.errorf(at(path, "else"), CodeTemplate, "write one beyond all that it can have", "%s can be %s itself", a.Name, r.Else)
				return false
			}
		}
		return true
	}
	r.absent = r.Wire.text([]byte(r.Else))
	if r.own(r.absent, nil) && r.writes(r.Else) {
		c.errorf(at(path, "else"), CodeTemplate, "begin the template with a literal that `else` does not begin with, such as 1{title} and 2", "%s can write %s itself", r.Text, r.Else)
		return false
	}
	return true
}

// writes reports whether a recipe can write a text of a value.
func (r *Recipe) writes(text string) bool {
	parts, ok := r.split(text, nil)
	for i := range parts {
		ok = ok && r.Parts[i].codec.accepts(parts[i])
	}
	return ok
}

// span is the least and the largest number that an attribute can hold by its digits and its range.
func span(a *spec.Attribute) (low, high attr.Number) {
	high = attr.Dec(strings.Repeat("9", max(a.Digits, 1)) + "e-" + strconv.Itoa(a.Scale))
	low = high.Neg()
	if a.Min != nil {
		low = *a.Min
	}
	if a.Max != nil {
		high = *a.Max
	}
	return low, high
}

// place tells where in the order of an attribute stands what has no value: -1 before all, 1 behind all, 0 in between or not at
// all.
func (r *Recipe) place() int {
	switch {
	case r.Else == "" || len(r.Parts) != 1:
		return 0
	case r.Wire.Type == N:
		a := r.Parts[0].Attribute
		if a.Type != spec.Number {
			return 0
		}
		low, high := span(a)
		return r.absent.Number().Cmp(low) + r.absent.Number().Cmp(high)
	}
	text := r.Literals[0]
	if text == "" && r.Parts[0].codec.width > 0 {
		switch c := r.Parts[0].codec; {
		case r.Else > c.most && !strings.HasPrefix(c.most, r.Else):
			return 1
		case r.Else < c.least:
			return -1
		}
		return 0
	}
	n := min(len(text), len(r.Else))
	return strings.Compare(r.Else[:n], text[:n])
}

// always are the parts without which there is no attribute.
func (r *Recipe) always() []*Part {
	if r.Else != "" {
		return nil
	}
	return r.Parts
}

// separable checks that the parts of a text can be told apart again: what follows a part of varying length begins with
// a byte that the part cannot hold.
func (c *compiler) separable(path []string, r *Recipe) bool {
	for i, p := range r.Parts {
		last := i == len(r.Parts)-1 && r.Literals[i+1] == ""
		if last || p.codec.wire != S || p.codec.width > 0 {
			continue
		}
		if r.Literals[i+1] == "" || r.Literals[i+1][0] >= '$' {
			c.errorf(path, CodeTemplate, "put # behind it", "%s: the text behind {%s} must begin with a byte below $, else values run into each other and sort wrongly", r.Text, p.Path)
			return false
		}
	}
	return true
}

// condition parses and resolves a condition on an entity.
func (c *compiler) condition(place []string, e *spec.Entity, params scopeOf, text string) (spec.Condition, error) {
	cond, err := spec.ParseCondition(text)
	if err == nil {
		cond, err = resolveCondition(e, params, cond)
	}
	if err != nil {
		c.failed(place, err)
		return nil, err
	}
	return cond, nil
}
