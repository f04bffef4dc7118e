package design

import (
	"slices"
	"strings"

	"github.com/tablewright/tablewright/spec"
)

// A layout says for every entity of a component how it is stored: one option each. Everything else, but for indexes
// and the choice among read plans, follows from it.
type layout struct {
	options map[*spec.Entity]*option
	kinds   map[*spec.Entity]*kind
}

// A kind is what the own items of an entity look like in a layout.
type kind struct {
	entity *spec.Entity
	option *option
	embeds []*embedding // children inside, in the order of the requirements
	mixed  bool         // its table holds several kinds, told apart by the sort key
	table  *spec.Entity // the entity that the table is named after: the root of the collection
	id     string       // canonical: equal ids look the same
	bare   *figure      // without indexes, once it has been asked for
	joined []*kind      // of a root: all that lie in its table, once they have been asked for
	guests []guest      // of a root: the markers of lists that lie in its table
}

// A guest are the markers of a list of some entities that lie in the collection of what they point to.
type guest struct {
	of     *kind
	roster *roster
}

func (g guest) name() string { return g.of.option.markerName(g.roster.of) }

// roots are the entities whose collections an option joins, with its items or the markers of its lists.
func (o *option) roots() (out []*spec.Entity) {
	if o.root != nil {
		out = append(out, o.root)
	}
	for _, r := range o.rosters {
		if r.root != nil {
			out = append(out, r.root)
		}
	}
	return out
}

// arrange makes the layout of some options; false if they do not fit together: what lies in an item or joins a
// collection needs that item and collection.
func arrange(es []*spec.Entity, opts map[*spec.Entity]*option) (*layout, bool) {
	l := &layout{options: opts, kinds: map[*spec.Entity]*kind{}}
	for _, e := range es {
		o := opts[e]
		if o.within != nil {
			host := opts[o.within.way.To]
			if !host.houses() || o.own == nil && host.lagsBy(o.within.way) {
				return nil, false
			}
		}
		for _, root := range o.roots() {
			r := opts[root]
			if r == nil || r.own == nil || r.root != nil || r.within != nil || !r.bare() {
				return nil, false
			}
		}
		if o.own == nil {
			continue
		}
		k := &kind{entity: e, option: o, table: e, mixed: o.cut != nil}
		if o.root != nil {
			k.table, k.mixed = o.root, true
		}
		l.kinds[e] = k
	}
	for _, e := range es {
		o := opts[e]
		if o.within != nil {
			h := l.kinds[o.within.way.To]
			h.embeds = append(h.embeds, o.within)
		}
		if o.root != nil && o.own != nil {
			l.kinds[o.root].mixed = true
		}
		for _, r := range o.rosters {
			if r.root != nil {
				h := l.kinds[r.root]
				h.mixed, h.guests = true, append(h.guests, guest{l.kinds[e], r})
			}
		}
	}
	for _, k := range l.kinds {
		slices.SortFunc(k.embeds, func(a, b *embedding) int { return strings.Compare(a.way.Inverse, b.way.Inverse) })
		k.id = k.describe()
	}
	return l, true
}

// bare reports whether an option's key is the identity as partition and nothing else, so that others can join it.
func (o *option) bare() bool {
	return len(o.own.sort) == 0 && refsKey(o.own.partition) == refsKey(identityRefs(o.entity))
}

func (k *kind) describe() string {
	var b strings.Builder
	b.WriteString(k.entity.Name + k.option.own.key())
	if k.mixed {
		b.WriteString(" mixed")
	}
	for _, m := range k.embeds {
		b.WriteString(" +" + m.way.Inverse + ":" + m.as)
	}
	if k.option.aside != nil {
		b.WriteString(" " + k.option.aside.text())
	}
	if len(k.option.followed) > 0 {
		b.WriteString(" " + followedText(k.option.followed))
	}
	if k.option.cut != nil {
		b.WriteString(" " + k.option.cut.text())
	}
	if k.option.pack != nil {
		b.WriteString(" " + k.option.pack.text())
	}
	if k.option.pointer {
		b.WriteString(" pointer")
	}
	if len(k.option.rosters) > 0 {
		b.WriteString(" " + rostersText(k.option.rosters))
	}
	for _, g := range k.guests {
		b.WriteString(" beside " + g.of.entity.Name + " " + g.roster.text())
	}
	return b.String()
}

// embedded is the embedding by which the children of way w lie in a kind; nil if they do not.
func (k *kind) embedded(w *spec.Relationship) *embedding {
	for _, m := range k.embeds {
		if m.way == w {
			return m
		}
	}
	return nil
}

// neighbours are the kinds that lie in the same table, in the order of their literals.
func (l *layout) neighbours(k *kind) []*kind {
	root := l.kinds[k.table]
	if root.joined == nil {
		for _, e := range sortedEntities(l.kinds) {
			if l.kinds[e].table == k.table {
				root.joined = append(root.joined, l.kinds[e])
			}
		}
		slices.SortFunc(root.joined, func(a, b *kind) int { return strings.Compare(a.literal(), b.literal()) })
	}
	return root.joined
}

// literal tells a kind from the others in its table: its sort key begins with it.
func (k *kind) literal() string { return lowerFirst(k.entity.Name) }

func lowerFirst(s string) string {
	if s == "" {
		return s
	}
	return strings.ToLower(s[:1]) + s[1:]
}

// lying is an item of a table: an entity, the part that lies beside it, or a marker of a list of another one.
type lying struct {
	kind   *kind
	part   bool
	name   string
	roster *roster
}

// lie lists the items of a kind's table, in the order of their literals.
func (l *layout) lie(k *kind) []lying {
	var out []lying
	literal := map[string]string{}
	for _, n := range l.neighbours(k) {
		out = append(out, lying{kind: n, name: n.entity.Name})
		literal[n.entity.Name] = n.literal()
		if c := n.option.cut; c != nil {
			out = append(out, lying{kind: n, part: true, name: c.name})
			literal[c.name] = c.literal()
		}
		for _, g := range n.guests {
			out = append(out, lying{kind: g.of, name: g.name(), roster: g.roster})
			literal[g.name()] = lowerFirst(g.name())
		}
	}
	slices.SortStableFunc(out, func(a, b lying) int { return strings.Compare(literal[a.name], literal[b.name]) })
	return out
}

// itemsRead are the items that a step evaluates: those it asks for, and what else lies in the range.
func (l *layout) itemsRead(t *readStep) []string {
	first := l.kinds[t.kinds[0]]
	if t.aside != nil {
		return []string{asideName(t.aside)}
	}
	if t.marker != nil {
		return []string{first.option.markerName(t.marker)}
	}
	asked := func(x lying) bool {
		if x.roster != nil {
			return slices.ContainsFunc(t.lists, func(r *roster) bool { return r.kin == x.roster.kin })
		}
		return slices.Contains(t.kinds, x.kind.entity) && (!x.part || x.kind == first && t.parts != restOnly)
	}
	all := l.lie(first)
	from, to := slices.IndexFunc(all, asked), len(all)
	for to > 0 && !asked(all[to-1]) {
		to--
	}
	switch {
	case t.index != nil:
		all = slices.DeleteFunc(all, func(x lying) bool { return !asked(x) })
	case t.verb != verbScan:
		all = all[from:to]
	}
	names := []string{first.entity.Name}
	for _, x := range all {
		if x.name != first.entity.Name {
			names = append(names, x.name)
		}
	}
	return names
}

// shards is over how many parts of a key a query goes.
func (l *layout) shards(t *readStep) int {
	if t.marker != nil {
		return 1
	}
	key := l.kinds[t.kinds[0]].option.own
	if t.index != nil {
		key = &t.index.shape
	}
	return max(key.shards, 1)
}
