package prove

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/spec"
)

// normal is an item in a form in which equal answers are equal texts: related entities inside have no order of their
// own, so lists of entities are sorted. Lists that are attributes keep their order.
func normal(item attr.Item, p *spec.Pattern) string {
	return string(attr.AppendItem(nil, inOrder(item, p)))
}

// inOrder is an item whose lists of related entities are sorted.
func inOrder(item attr.Item, p *spec.Pattern) attr.Item {
	for _, path := range p.With {
		item = sortInside(item, path)
	}
	return item
}

func sortInside(item attr.Item, path spec.Path) attr.Item {
	v := item.Get(path[0])
	inner := func(m attr.Item) attr.Item {
		if len(path) > 1 {
			return sortInside(m, path[1:])
		}
		return m
	}
	out := item.Clone()
	switch v.Kind() {
	case attr.KindM:
		out.Set(path[0], attr.Map(inner(v.Map())))
	case attr.KindL:
		list := make([]attr.Value, len(v.Elems()))
		for i, e := range v.Elems() {
			list[i] = attr.Map(inner(e.Map()))
		}
		sortByEncoding(list)
		out.Set(path[0], attr.List(list...))
	}
	return out
}

// sortByEncoding sorts values by their encodings. It encodes each once: a list can have thousands of elements.
func sortByEncoding(list []attr.Value) {
	type encodedValue struct {
		text  string
		value attr.Value
	}
	all := make([]encodedValue, len(list))
	for i, v := range list {
		all[i] = encodedValue{encoded(v), v}
	}
	slices.SortFunc(all, func(a, b encodedValue) int { return strings.Compare(a.text, b.text) })
	for i, e := range all {
		list[i] = e.value
	}
}

// answer is what a model said, over all pages.
type answer struct {
	items      []attr.Item
	aggregates attr.Item
	pages      []int // entities on each page
	more       bool  // reading stopped before the end; what follows is not known
}

// mismatch is how an answer differs from what is expected.
type mismatch struct {
	cause         string
	expected, got any
}

// compare holds an answer against what is expected: contents, order up to ties, each item exactly once over the
// pages, pages full. nil: they agree.
func compare(x *Expected, got answer) *mismatch {
	p := x.Pattern
	if len(p.Aggregates) > 0 {
		if !attr.EqualItems(x.Aggregates, got.aggregates) {
			return &mismatch{"the aggregates differ", x.Aggregates, got.aggregates}
		}
		return nil
	}
	want := len(x.Matches)
	tied := p.Top > 0 && want > p.Top
	if tied {
		want = p.Top
	}
	if got.more { // what has been read is the beginning
		want = min(want, len(got.items))
	}
	waiting := map[string][]int{}
	texts := make([]string, len(x.Matches))
	for i, m := range x.Matches {
		texts[i] = normal(m.Item, p)
		waiting[texts[i]] = append(waiting[texts[i]], i)
	}
	var misplaced *mismatch
	at := 0
	var last []attr.Value
	ordered := true
	if len(x.Matches) > 0 {
		last = x.Matches[0].Keys
	}
	for i, item := range got.items {
		k := normal(item, p)
		same := waiting[k]
		if len(same) == 0 {
			return &mismatch{unexpected(x, got, i, item), shownAt(x, i), item}
		}
		j := same[0]
		waiting[k] = same[1:]
		if misplaced == nil && i < len(x.Matches) && compareKeys(p, x.Matches[j].Keys, x.Matches[i].Keys) != 0 {
			at = i
			misplaced = &mismatch{fmt.Sprintf("item %d stands in the wrong place: the order is %s", i+1, orderText(p)), shownAt(x, i), item}
		}
		ordered = ordered && compareKeys(p, last, x.Matches[j].Keys) <= 0
		last = x.Matches[j].Keys
	}
	switch {
	case misplaced != nil && !ordered:
		return misplaced
	case misplaced != nil && len(got.items) >= want: // what is there stands in order
		misplaced.cause = fmt.Sprintf("an item is missing that belongs before item %d", at+1)
		return misplaced
	}
	switch {
	case len(got.items) < want:
		for i := range x.Matches {
			if at := waiting[texts[i]]; len(at) > 0 {
				return &mismatch{fmt.Sprintf("%d of %d items are missing; this is the first", want-len(got.items), want), x.Matches[i].Item, fmt.Sprintf("%d items", len(got.items))}
			}
		}
	case len(got.items) > want:
		return &mismatch{fmt.Sprintf("%d items instead of %d", len(got.items), want), nil, got.items[want]}
	}
	return pagesFull(p, got)
}

// unexpected says what is wrong with an item that is not, or no longer, expected.
func unexpected(x *Expected, got answer, i int, item attr.Item) string {
	k := normal(item, x.Pattern)
	for _, earlier := range got.items[:i] {
		if normal(earlier, x.Pattern) == k {
			return fmt.Sprintf("item %d was answered before: each is expected once over all pages", i+1)
		}
	}
	e := x.Pattern.Read
	for _, m := range x.Matches {
		if x.Pattern.All && e.IdentityOf(m.Item) == e.IdentityOf(item) {
			return fmt.Sprintf("item %d has other contents than expected: %s", i+1, differing(inOrder(m.Item, x.Pattern), inOrder(item, x.Pattern)))
		}
	}
	return fmt.Sprintf("item %d is not among the %d that match", i+1, len(x.Matches))
}

// differing names the attributes in which two items differ.
func differing(want, got attr.Item) string {
	var names []string
	for name, v := range want.All() {
		if w := got.Get(name); w.IsZero() {
			names = append(names, name+" is missing")
		} else if !attr.Equal(v, w) {
			names = append(names, name+" differs")
		}
	}
	for name := range got.All() {
		if !want.Has(name) {
			names = append(names, name+" is too many")
		}
	}
	return strings.Join(names, ", ")
}

func shownAt(x *Expected, i int) any {
	if i < len(x.Matches) {
		return x.Matches[i].Item
	}
	return nil
}

func orderText(p *spec.Pattern) string {
	var b []string
	for _, k := range p.Order {
		s := pathText(k.Path)
		if k.Descending {
			s += " descending"
		}
		b = append(b, s)
	}
	return strings.Join(b, ", ")
}

func pagesFull(p *spec.Pattern, got answer) *mismatch {
	if p.Page == 0 {
		return nil
	}
	for i, n := range got.pages {
		switch {
		case n > p.Page:
			return &mismatch{fmt.Sprintf("page %d holds more than the pattern's %d", i+1, p.Page), p.Page, n}
		case n < p.Page && i < len(got.pages)-2:
			return &mismatch{fmt.Sprintf("page %d holds less than the pattern's %d, and more follow", i+1, p.Page), p.Page, n}
		}
	}
	return nil
}

// tolerate holds an answer against what is expected where each entity in it may be as old as the lag of an index:
// what is answered must be, or have been within that time, the value of a match; what is missing must have changed
// within it.
func (o *Oracle) tolerate(x *Expected, got answer, lag time.Duration) *mismatch {
	p := x.Pattern
	since := o.now.Add(-lag)
	if len(p.Aggregates) > 0 || !p.All || o.changedNear(p, since) {
		return nil // what else may have been read cannot be told apart
	}
	matching := make(map[*Instance]bool, len(x.Matches))
	for _, m := range x.Matches {
		matching[m.Instance] = true
	}
	for _, m := range x.beyond { // they move up where what stood before them is not seen
		matching[m.Instance] = true
	}
	wrong := func(i int, and string) *mismatch {
		o.complete(x)
		return &mismatch{unexpected(x, got, i, got.items[i]) + and, shownAt(x, i), got.items[i]}
	}
	seen := make(map[*Instance]bool, len(got.items))
	var last *Instance
	for i, item := range got.items {
		in := o.stores[p.Read].byID[p.Read.IdentityOf(item)]
		switch {
		case in == nil:
			return &mismatch{fmt.Sprintf("item %d has never been stored", i+1), nil, item}
		case in.changed(since), !in.Counted.Before(since): // an entry that moved within its index may even be met twice by a reader who passes between
		case seen[in]:
			return wrong(i, "")
		case !matching[in] || normal(o.settled(in, item, p, since), p) != normal(o.settled(in, o.shown(in, p), p, since), p):
			return wrong(i, ", and it has not changed lately")
		default:
			last = in
		}
		seen[in] = true
	}
	if p.Top > 0 && len(got.items)+o.gone(p.Read, since) >= p.Top {
		return nil // entries that are no more can still stand before what is missing, and lead to nothing
	}
	for _, m := range x.Matches {
		if seen[m.Instance] || m.Instance.changed(since) || !m.Instance.Counted.Before(since) {
			continue
		}
		if got.more && (last == nil || len(p.Order) == 0 || compareKeys(p, m.Keys, o.orderKeys(last, p)) >= 0) {
			continue // it may stand on one of the pages that were not read
		}
		return &mismatch{"an item is missing that has not changed lately", o.shown(m.Instance, p), nil}
	}
	return nil
}

// settled is an item without what its ways lead to, as far as that has changed since a time: each entity may be as old
// as that. What others of its own entity belong to it by may lack, and have, any that has changed.
func (o *Oracle) settled(in *Instance, item attr.Item, p *spec.Pattern, since time.Time) attr.Item {
	if last := o.stores[p.Read].lately; last != nil && last.changed(since) {
		for _, path := range p.With {
			segments, _ := p.Read.Resolve(path)
			if slices.ContainsFunc(segments, func(g spec.Segment) bool {
				return g.Way != nil && (g.Back && g.Way.From == p.Read || !g.Back && g.Way.To == p.Read)
			}) {
				item = item.Clone()
				item.Remove(path[0])
			}
		}
	}
	for _, path := range p.Returns {
		for at, i := in, 0; at != nil; i++ {
			way := at.Entity.WayOn(path[i:])
			if way == nil {
				break
			}
			var id attr.Item
			for j, a := range way.By {
				id.Set(way.To.Identity[j].Name, at.Item.Get(a.Name))
			}
			if at = o.stores[way.To].byID[way.To.IdentityOf(id)]; at != nil && at.changed(since) {
				item = item.Clone()
				item.Remove(path[0])
				break
			}
		}
	}
	return item
}

// gone is how many instances have been deleted since a time.
func (o *Oracle) gone(e *spec.Entity, since time.Time) (n int) {
	for _, in := range o.stores[e].made {
		if in.Gone && in.changed(since) {
			n++
		}
	}
	return n
}

// changed reports whether an instance was made, changed or deleted since a time.
func (in *Instance) changed(since time.Time) bool {
	return !in.Changed.IsZero() && !in.Changed.Before(since)
}

// changedNear reports whether related entities that a pattern looks at have changed since a time.
func (o *Oracle) changedNear(p *spec.Pattern, since time.Time) bool {
	if len(p.With) == 0 && !slices.ContainsFunc(p.Given, func(g spec.Path) bool { return len(g) > 1 }) && p.Where == nil {
		return false
	}
	for _, s := range o.stores {
		if s.entity != p.Read && s.lately != nil && s.lately.changed(since) {
			return true
		}
	}
	return false
}
