package rules

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/stats"
)

// itemKind is items of a table that are of one kind, as far as their keys tell.
type itemKind struct {
	name  string // the constant beginnings of their keys: "o#… l#…"; "" if there are none
	items []*stats.SizedItem
}

// kindsOf sorts items by kind, in the order of their largest.
func kindsOf(items []*stats.SizedItem) (kinds []*itemKind) {
	for _, item := range items {
		name := kindName(item)
		i := slices.IndexFunc(kinds, func(k *itemKind) bool { return k.name == name })
		if i < 0 {
			kinds = append(kinds, &itemKind{name: name})
			i = len(kinds) - 1
		}
		kinds[i].items = append(kinds[i].items, item)
	}
	return kinds
}

// kindName is the letters that the values of an item's key begin with, up to a separator.
func kindName(item *stats.SizedItem) string {
	var words []string
	for _, p := range keyParts(item.Key) {
		end := strings.IndexAny(p.text, "#|:/")
		if p.kind != "S" || end <= 0 || strings.ContainsAny(p.text[:end], "0123456789") {
			continue
		}
		words = append(words, p.text[:end+1]+"…")
	}
	return strings.Join(words, " ")
}

// sizedItems are the sampled items and the largest of a table that have so many bytes, each once, from the largest.
func sizedItems(s *stats.ItemSizes, least int) (items []*stats.SizedItem) {
	seen := map[uint64]int{}
	for _, list := range [][]stats.SizedItem{s.Sample, s.Largest} {
		for i := range list {
			item := &list[i]
			if item.LastBytes < least {
				continue
			}
			if at, known := seen[item.Hash]; known {
				if len(items[at].Attributes) == 0 && len(item.Attributes) > 0 {
					items[at] = item
				}
				continue
			}
			seen[item.Hash] = len(items)
			items = append(items, item)
		}
	}
	slices.SortStableFunc(items, func(a, b *stats.SizedItem) int {
		return cmp.Or(cmp.Compare(b.LastBytes, a.LastBytes), cmp.Compare(a.Hash, b.Hash))
	})
	return items
}

// mostOfItem is the share of an item that makes one attribute the cause of its size.
const mostOfItem = 0.5

// biggest is the attribute with most of an item's bytes, and its share; "" if nobody looked.
func biggest(item *stats.SizedItem) (p stats.Print, share float64) {
	for _, a := range item.Attributes {
		if a.Bytes > p.Bytes {
			p = a
		}
	}
	return p, float64(p.Bytes) / float64(max(item.LastBytes, 1))
}

// itemName names an item for people.
func itemName(item *stats.SizedItem) string {
	return cmp.Or(strings.Join(keyTexts(item.Key), " "), "(hashed)")
}
