package design

import (
	"slices"
	"strings"

	"github.com/tablewright/tablewright/spec"
)

// Texts for people: what an option, a plan or an index is.

// describe says how an option stores its entity.
func (o *option) describe() string {
	var parts []string
	if o.within != nil {
		parts = append(parts, "inside the item of its "+o.within.way.To.Name+" ("+o.within.as+")")
	}
	if o.own != nil {
		s := "items of their own, key " + o.own.key()
		if o.root != nil {
			s = "items in the collection of its " + o.root.Name
			if len(o.own.sort) > 0 {
				s += ", sorted by " + partsKey(o.own.sort)
			}
		}
		if o.within != nil {
			s = "again as " + s
		}
		parts = append(parts, s)
	}
	if o.aside != nil {
		parts = append(parts, o.aside.text())
	}
	if len(o.followed) > 0 {
		parts = append(parts, followedText(o.followed))
	}
	if o.cut != nil {
		parts = append(parts, o.cut.text())
	}
	if o.pack != nil {
		parts = append(parts, o.pack.words())
	}
	if o.pointer {
		parts = append(parts, "found by identity through a pointer")
	}
	for _, r := range o.rosters {
		parts = append(parts, r.text())
	}
	return strings.Join(parts, ", ")
}

// rule names the rule that made an option.
func (o *option) rule() string {
	id := identityRefs(o.entity)
	switch {
	case o.within != nil && o.own != nil:
		return "embedding and items of their own"
	case o.within != nil:
		return "embedding"
	case o.pack != nil:
		return "several in one item"
	case o.pointer:
		return "pointer"
	case slices.ContainsFunc(o.rosters, func(r *roster) bool { return !r.sole }):
		return "transactional list"
	case len(o.rosters) > 0:
		return "telling marker"
	case o.root != nil:
		return "item collection"
	case o.cut != nil:
		return "vertical split"
	case o.own.shards > 1:
		return "write sharding"
	case len(o.own.refs()) > len(id):
		return "key of an access pattern"
	case o.entity.Parent != nil && refsKey(o.own.partition) == refsKey(foreignRefs(o.entity.Parent)):
		return "identifying relationship"
	}
	return "key is the identity"
}

func foreignRefs(w *spec.Relationship) []ref { return refsOf(w.From, w.By) }

// describeKey says what the key of an index is.
func (x *indexShape) describeKey() string {
	s := refsKey(x.partition)
	if x.marked() {
		if len(x.partition) > 0 {
			s += ","
		}
		s += "listed"
	}
	if x.shards > 1 {
		s += ",shard"
	}
	return keyText(s, x.sort)
}

// rule names the rule that made an index.
func (x *indexShape) rule() string {
	switch {
	case x.shards > 1:
		return "write sharding"
	case x.sparse != nil:
		return "sparse index"
	case x.local:
		return "local secondary index"
	case len(x.partition) > 1 || len(x.sort) > 1:
		return "multi-attribute index"
	}
	return "global secondary index"
}

// describe says what an index projects.
func (p projection) describe() string {
	switch {
	case p.all:
		return "all attributes"
	case len(p.include) == 0:
		return "keys only"
	}
	return "keys and " + strings.ReplaceAll(strings.Join(p.include, ", "), "<", "")
}
