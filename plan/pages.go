package plan

import (
	"slices"

	"github.com/tablewright/tablewright/attr"
)

// cut brings what a paged or topped stage found into the order of the answer and drops what lies behind the page. It
// notes where the next page begins.
func (c *Call) cut(s *Stage, st *state) error {
	p := c.proc
	if len(st.parts) > 1 && s.Scatter > 0 && (s == p.Cursor || s == p.topStage || s == p.orderOf && s.Kind.Entity == p.Pattern.Read) {
		slices.SortStableFunc(st.found, func(a, b *found) int { return c.compare(a.entity, b.entity) })
	}
	n := p.Page
	switch {
	case s == p.topStage:
		n = p.Pattern.Top
	case s != p.Cursor:
		return nil
	}
	selected := make([]int, len(st.parts)) // last of the page, by part
	for i := range selected {
		selected[i] = -1
	}
	for _, f := range st.found {
		if n == 0 {
			break
		}
		if c.main(f) {
			selected[f.part] = f.at
			n--
		}
	}
	ends := make([]int, len(st.parts)) // first item behind the page, by part
	next := &Cursor{Step: s.Name}
	more := false
	for i, part := range st.parts {
		end := selected[i] + 1
		if selected[i] >= 0 || !c.hasMain(part) {
			end = c.groupEnd(s, part, end)
		}
		ends[i] = end
		cp := CursorPart{}
		var began attr.Item
		if c.cursor != nil {
			began = c.cursor.Parts[i].After.Clone()
			began.Remove(entrySign)
		}
		within, amid := attr.Item{}, false
		if end > 0 {
			within, amid = part.within(s, end, began)
		}
		switch {
		case amid:
			cp.After = within
		case end == len(part.items) && part.ended:
			cp.Ended = true
		case end == len(part.items):
			cp.After = part.last
		case end > 0:
			cp.After = s.Access.position(part.items[end-1].wire)
		case c.cursor != nil:
			cp.After = c.cursor.Parts[i].After
		}
		more = more || !cp.Ended
		next.Parts = append(next.Parts, cp)
	}
	if s == p.Cursor && more {
		c.next = next
	}
	st.found = slices.DeleteFunc(st.found, func(f *found) bool { return f.at >= ends[f.part] })
	return nil
}

// groupEnd extends a page that ends before the item at end over what follows and belongs to it: children of the page's
// entities, which lie beside them, and what the pattern does not ask for. It stops before the next entity, or a child
// of it: read from high to low, children come before their parent.
func (c *Call) groupEnd(s *Stage, p *part, end int) int {
	nests := c.proc.nests(s)
	var ours, dropped map[string]bool
	if nests {
		ours, dropped = map[string]bool{}, map[string]bool{}
		for i, f := range p.items {
			switch {
			case c.main(f) && i < end:
				ours[f.id()] = true
			case !c.main(f) && f.kind.Entity == c.proc.Pattern.Read:
				dropped[f.id()] = true
			}
		}
		c.adopt(p, ours)
		c.adopt(p, dropped)
	}
	for end < len(p.items) {
		f := p.items[end]
		if c.main(f) || nests && c.proc.related(f.kind.Entity) && !ours[f.id()] && !dropped[f.id()] {
			break
		}
		end++
	}
	return end
}

// id names the entity that was found.
func (f *found) id() string { return f.kind.Entity.Name + "\x00" + f.kind.Entity.IdentityOf(f.entity) }

// adopt adds the children, and their children, of entities to a set of them.
func (c *Call) adopt(p *part, set map[string]bool) {
	for grown := true; grown; {
		grown = false
		for _, f := range p.items {
			if set[f.id()] || !c.proc.related(f.kind.Entity) {
				continue
			}
			for _, w := range f.kind.Entity.There {
				var id attr.Item
				for i, by := range w.By {
					id.Set(w.To.Identity[i].Name, f.entity.Get(by.Name))
				}
				if set[w.To.Name+"\x00"+w.To.IdentityOf(id)] {
					set[f.id()], grown = true, true
				}
			}
		}
	}
}

func (c *Call) hasMain(p *part) bool { return slices.ContainsFunc(p.items, c.main) }

// position is the key at which reading can go on behind an item.
func (a *Access) position(wire attr.Item) attr.Item {
	var it attr.Item
	for _, w := range append(a.Table.Base.keys(), a.keys()...) {
		it.Set(w.Name, wire.Get(w.Name))
	}
	return it
}

// compare orders two entities by the answer's order.
func (c *Call) compare(a, b attr.Item) int {
	for _, o := range c.proc.order {
		x, y := walkTarget(a, o.target), walkTarget(b, o.target)
		if !x.IsZero() && !y.IsZero() && x.Kind() != y.Kind() {
			continue
		}
		if d := o.by.Compare(x, y); d != 0 {
			return d
		}
	}
	return 0
}

func walkTarget(it attr.Item, t target) attr.Value {
	if v := walk(it, t.path); !v.IsZero() || t.from == t.id {
		return v
	}
	return walk(it, origin(t).path)
}
