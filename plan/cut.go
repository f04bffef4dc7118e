package plan

import (
	"slices"

	"github.com/tablewright/tablewright/attr"
)

// CutAnswer as the cursor of an answer says that every call reads all that matches, and that the client sorts it and cuts the
// page out. It fits what is small, or what no key has in the asked order. A step of that name comes first.
const CutAnswer = "answer"

// cutAnswer makes the client cut the pages.
func (p *Procedure) cutAnswer(c *compiler, path []string) {
	if p.Page == 0 {
		c.errorf(at(path, "cursor"), CodeAnswer, "add page", "%s has a cursor and no page", p.Name)
		return
	}
	p.Cut = true
}

// Paged reports whether an answer comes in pages, whoever makes them.
func (p *Procedure) Paged() bool { return p.Cursor != nil || p.Cut }

// cutPage is the page of a sorted answer that begins behind the cursor. Entities that the order does not tell apart follow
// each other by identity, so that every call has them at the same places.
func (c *Call) cutPage(p *pool, mains []*record) []*record {
	keyed := make(map[*record]attr.Item, len(mains))
	for _, r := range mains {
		keyed[r] = c.place(p, r)
	}
	slices.SortStableFunc(mains, func(a, b *record) int { return c.comparePlaces(keyed[a], keyed[b]) })
	if c.cursor != nil {
		after := c.cursor.Parts[0].After
		mains = slices.DeleteFunc(mains, func(r *record) bool { return c.comparePlaces(keyed[r], after) <= 0 })
	}
	if len(mains) > c.proc.Page {
		mains = mains[:c.proc.Page]
		c.next = &Cursor{Step: CutAnswer, Parts: []CursorPart{{After: keyed[mains[len(mains)-1]]}}}
	}
	return mains
}

// place is where a record stands in the answer: the values that it is ordered by, and its identity.
func (c *Call) place(p *pool, r *record) attr.Item {
	var it, id attr.Item
	for _, a := range c.proc.Pattern.Read.Identity {
		id.Set(a.Name, r.value.Get(a.Name))
	}
	it.Set("order", attr.Map(c.ordering(p, r)))
	it.Set("id", attr.Map(id))
	return it
}

func (c *Call) comparePlaces(a, b attr.Item) int {
	if n := c.compare(a.Get("order").Map(), b.Get("order").Map()); n != 0 {
		return n
	}
	x, y := a.Get("id").Map(), b.Get("id").Map()
	for _, i := range c.proc.Pattern.Read.Identity {
		if n := attr.Compare(x.Get(i.Name), y.Get(i.Name)); n != 0 {
			return n
		}
	}
	return 0
}
