package invent

import (
	"context"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Shrink makes requirements smaller as long as they still fail: it takes out access patterns, entities, attributes, keys,
// elements of lists and parts of conditions, and makes rates and sizes plain. What it answers fails, and is accepted by the
// reader. fails is only asked about requirements that are, and it may take its time: Shrink ends with ctx.
func Shrink(ctx context.Context, text []byte, fails func(text []byte) bool) []byte {
	root, err := parse(text)
	if err != nil {
		return text
	}
	s := &shrinker{ctx: ctx, fails: fails, root: root}
	for s.ended() == nil {
		before := string(print(s.root))
		s.maps([]string{"patterns"}, func(root *yaml.Node, name string) { drop(get(root, "patterns"), name) }, true)
		s.maps([]string{"entities"}, withoutEntity, true)
		for e := range entries(clone(get(s.root, "entities"))) {
			s.maps([]string{"entities", e, "attributes"}, func(root *yaml.Node, name string) {
				if e := get(root, "entities", e); e != nil {
					withoutAttribute(e, name)
				}
			}, false)
		}
		for e := range entries(clone(get(s.root, "entities"))) {
			s.try(true, func(root *yaml.Node) { simpleIdentity(root, e) })
		}
		s.details()
		s.figures()
		if string(print(s.root)) == before {
			break
		}
	}
	return print(s.root)
}

type shrinker struct {
	ctx   context.Context
	fails func(text []byte) bool
	root  *yaml.Node
	tried map[string]bool
}

func (s *shrinker) ended() error { return s.ctx.Err() }

// try changes a copy, and takes it if it still fails.
func (s *shrinker) try(mend bool, change func(root *yaml.Node)) bool {
	if s.ended() != nil {
		return false
	}
	before := print(s.root)
	c := clone(s.root)
	change(c)
	if mend {
		if c = repair(c); c == nil {
			return false
		}
	}
	text := print(c)
	if len(text) > len(before) || string(text) == string(before) || s.tried[string(text)] {
		return false
	}
	if s.tried == nil {
		s.tried = map[string]bool{}
	}
	s.tried[string(text)] = true
	if !mend && accepted(text) == nil {
		return false
	}
	if !s.fails(text) {
		return false
	}
	s.root = c
	return true
}

// maps takes keys out of a map: first halves of it, then smaller parts, then one by one.
func (s *shrinker) maps(path []string, take func(root *yaml.Node, key string), halves bool) {
	keys := func() (out []string) {
		for k := range entries(get(s.root, path...)) {
			out = append(out, k)
		}
		return out
	}
	n := 1
	if halves {
		n = max(1, len(keys())/2)
	}
	for ; n >= 1; n /= 2 {
		for i := 0; i < len(keys()); {
			part := keys()[i:min(i+n, len(keys()))]
			if len(part) == len(keys()) || !s.try(true, func(root *yaml.Node) {
				for _, k := range part {
					take(root, k)
				}
			}) {
				i += n
			}
		}
	}
}

// simpleIdentity has an entity be known by one attribute of its own, so that what it was known by is needed no more.
func simpleIdentity(root *yaml.Node, name string) {
	e := get(root, "entities", name)
	id := get(e, "identity")
	if id == nil || len(id.Content) == 0 {
		return
	}
	own := id.Content[len(id.Content)-1].Value
	id.Content = id.Content[len(id.Content)-1:]
	set(get(e, "attributes"), own, pairs("type", "string", "bytes", "20"))
	if r := accepted(print(root)); get(e, "count") == nil && r != nil {
		set(e, "count", number(r.Entity(name).Count))
	}
	for _, other := range entries(get(root, "entities")) {
		for _, d := range entries(get(other, "attributes")) {
			for _, key := range []string{"references", "parent"} {
				if n := get(d, key); n != nil && n.Value == name {
					drop(d, "by")
				}
			}
		}
	}
}

// details takes out single keys and elements wherever they are, from the outside in.
func (s *shrinker) details() {
	for _, top := range []string{"types", "workflows", "accept"} {
		s.try(true, func(root *yaml.Node) { drop(root, top) })
	}
	s.try(false, func(root *yaml.Node) { set(root, "application", "shrunk") })
	for i := 0; ; i++ {
		places := placesIn(s.root)
		if i >= len(places) || s.ended() != nil {
			return
		}
		at := places[i]
		if s.try(false, func(root *yaml.Node) { at.take(root) }) {
			i-- // what comes next stands here now
		}
	}
}

// place is a key of a map, an element of a list, or an operand of a condition.
type place struct {
	path []int // of contents
	part int   // of a condition; -1: the whole
}

func placesIn(root *yaml.Node) (out []place) {
	var walk func(n *yaml.Node, path []int)
	walk = func(n *yaml.Node, path []int) {
		switch n.Kind {
		case yaml.MappingNode:
			for i := 0; i < len(n.Content); i += 2 {
				at := append(slices.Clone(path), i)
				if !slices.Contains(needed, n.Content[i].Value) && len(path) > 1 {
					out = append(out, place{at, -1})
				}
				walk(n.Content[i+1], append(slices.Clone(path), i+1))
			}
		case yaml.SequenceNode:
			for i, c := range n.Content {
				at := append(slices.Clone(path), i)
				if len(n.Content) > 1 {
					out = append(out, place{at, -1})
				}
				walk(c, at)
			}
		case yaml.ScalarNode:
			for i := range operands(n.Value) {
				out = append(out, place{path, i})
			}
		}
	}
	walk(root, nil)
	return out
}

// operands are the parts of a condition of which one may be left out; none of a text that is not composed.
func operands(text string) []string {
	for _, word := range []string{" and ", " or "} {
		if parts := strings.Split(text, word); len(parts) > 1 && !strings.Contains(text, " between ") {
			return parts
		}
	}
	return nil
}

func (p place) take(root *yaml.Node) {
	parent, n := root, root
	for _, i := range p.path {
		if i >= len(n.Content) {
			return
		}
		parent, n = n, n.Content[i]
	}
	if p.part >= 0 {
		parts := operands(n.Value)
		word := " or "
		if strings.Contains(n.Value, " and ") {
			word = " and "
		}
		n.Value = strings.Join(slices.Delete(parts, p.part, p.part+1), word)
		return
	}
	i, width := p.path[len(p.path)-1], 1
	if parent.Kind == yaml.MappingNode {
		width = 2
	}
	parent.Content = slices.Delete(parent.Content, i, i+width)
}

// figures makes what is left plain.
func (s *shrinker) figures() {
	for p := range entries(clone(get(s.root, "patterns"))) {
		s.try(false, func(root *yaml.Node) {
			set(get(root, "patterns", p), "rate", pairs("average", "1/s", "peak", "1/s"))
		})
	}
	for e := range entries(clone(get(s.root, "entities"))) {
		s.try(false, func(root *yaml.Node) {
			n := get(root, "entities", e)
			set(n, "bytes", "400")
			for _, d := range entries(get(n, "attributes")) {
				drop(d, "bytes")
			}
		})
		s.try(false, func(root *yaml.Node) {
			if c := get(root, "entities", e, "count"); c != nil && len(c.Value) > 4 {
				c.Value = "1000"
			}
		})
		for a := range entries(clone(get(s.root, "entities", e, "attributes"))) {
			s.try(false, func(root *yaml.Node) { set(get(root, "entities", e, "attributes"), a, "string") })
			s.try(false, func(root *yaml.Node) {
				set(get(root, "entities", e, "attributes"), a, pairs("type", "string", "bytes", "20"))
			})
		}
	}
}
