package generate

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/internal/show"
	"github.com/tablewright/tablewright/plan"
)

// index is the section of an index, under its table.
func (in *Input) index(p *page, x *plan.Access) {
	place := in.Price.Place(x.Name())
	sort := "Global secondary index"
	if x.Local {
		sort = "Local secondary index"
	}
	p.heading(4, "%s of %s", x.Index, x.Table.Name)
	p.text("%s on %s, %s entries, %s. %s", sort, keyText(x), show.Number(stored(place)), show.Bytes(float64(place.Stored)), in.serves(x))
	if multi(x) {
		p.text("Its key has several attributes in one part (a multi-attribute key): " + multiText)
	}
	if why := in.reason(x.Name()); why != "" && !strings.HasPrefix(why, "Holds ") { // what it holds is said above
		p.text("%s", in.named(why))
	}
	in.samples(p, x)
	in.keys(p, x)
	p.list(in.projection(x), in.sparse(x))
	in.bounded(p, x)
	in.capacity(p, place)
	if x.Global() {
		warm(p, x.Table.Document.GSI[x.Index].Warm)
	}
}

// multiText is what has to be known of multi-attribute keys: up to four attributes for each part, of global indexes only
// (developer guide, GSI.DesignPattern.MultiAttributeKeys; since November 2025).
const multiText = "a query states every attribute of the partition with =, of the sort part the first ones. Global indexes have such keys since November 2025: " +
	"what creates tables (infrastructure tools, SDKs, emulators) must be new enough to know them."

// multi reports whether an index has several attributes in one part of its key.
func multi(x *plan.Access) bool { return len(x.Partition) > 1 || len(x.Sort) > 1 }

// serves says what an index is for: reads, and writes that find their item there.
func (in *Input) serves(x *plan.Access) string {
	var reads, finds []string
	all, _ := in.patternsOf(x)
	for _, name := range all {
		if p := in.Requirements.Pattern(name); p != nil && p.Writes() {
			finds = append(finds, code(name))
		} else {
			reads = append(reads, code(name))
		}
	}
	verb := " find their items in it"
	if len(finds) == 1 {
		verb = " finds its item in it"
	}
	switch {
	case len(all) == 0:
		return "No access pattern reads it: it can go."
	case len(finds) == 0:
		return "Serves " + show.List(reads) + "."
	case len(reads) == 0:
		return show.List(finds) + verb + " before writing."
	}
	return "Serves " + show.List(reads) + "; " + show.List(finds) + verb + " before writing."
}

// projection justifies what an index copies.
func (in *Input) projection(x *plan.Access) string {
	place, base := in.Price.Place(x.Name()), in.Price.Place(x.Table.Name)
	entry, item := 0.0, 0.0
	for _, it := range place.Items {
		n := it.Count / math.Max(stored(place), 1)
		entry += n * it.Bytes
		for _, b := range base.Items {
			if b.Name == it.Name {
				item += n * b.Bytes
			}
		}
	}
	numbers := fmt.Sprintf("%s of the item's %s", show.Bytes(entry), show.Bytes(item))
	if entry > item { // the items that are in it are larger than the others
		numbers = show.Bytes(entry) + " an entry"
	}
	switch x.Project {
	case plan.Keys:
		return "**Projection: keys only**, " + numbers + ". Answers take the rest from the table."
	case plan.All, "":
		text := "**Projection: all**, " + numbers
		if whole := in.wholeAnswers(x); len(whole) > 0 {
			return text + fmt.Sprintf(". Whole items are the answer of %s: with a narrower entry each would be read a second time, from the table.", show.List(codes(whole)))
		}
		return text + ": answers need no second read."
	}
	spared := place.Bill.Storage
	if entry > 0 {
		spared = capacity.Money(float64(place.Bill.Storage) * max(item-entry, 0) / (entry + float64(capacity.StoredItemOverhead)))
	}
	text := fmt.Sprintf("**Projection: %s** besides the keys, %s: what its reads answer or test, and nothing else.", strings.Join(included(x), ", "), numbers)
	if spared >= capacity.Dollar/200 {
		text += fmt.Sprintf(" All attributes would store %s more a month, and be read and written with it.", spared)
	}
	return text
}

// included are the attributes that an index copies, what has no name last.
func included(x *plan.Access) []string {
	var out []string
	filler := ""
	for _, name := range x.Include {
		if slices.ContainsFunc(x.Table.Kinds, func(k *plan.Kind) bool {
			ok, _ := k.In(x)
			return ok && slices.ContainsFunc(k.Stored, func(s *plan.Stored) bool { return s.Name == name && s.Attribute != nil && s.Attribute.Rest })
		}) {
			filler = code(name) + " (what has no name)"
			continue
		}
		out = append(out, code(name))
	}
	if filler != "" {
		out = append(out, filler)
	}
	return out
}

// wholeAnswers are the reads through an index that answer all attributes of what they find there.
func (in *Input) wholeAnswers(x *plan.Access) []string {
	var out []string
	reads, _ := in.patternsOf(x)
	for _, name := range reads {
		if p := in.Requirements.Pattern(name); p != nil && !p.Writes() && p.All && len(p.Aggregates) == 0 {
			out = append(out, name)
		}
	}
	return out
}

// sparse says which items are in an index.
func (in *Input) sparse(x *plan.Access) string {
	place, base := in.Price.Place(x.Name()), in.Price.Place(x.Table.Name)
	if stored(base) == 0 {
		return "**Sparseness**: the table is empty today."
	}
	var out, partly []string
	for _, k := range x.Table.Kinds {
		ok, may := k.In(x)
		switch {
		case !ok:
			out = append(out, k.Name)
		case may:
			partly = append(partly, k.Name)
		}
	}
	part := show.Percent(stored(place) / stored(base))
	switch {
	case len(out) == 0 && len(partly) == 0:
		return "**Not sparse**: every item has its key attributes."
	case len(partly) == 0:
		verb := "lack its key attributes and cost"
		if len(out) == 1 {
			verb = "lacks its key attributes and costs"
		}
		return fmt.Sprintf("**Sparse by kind**: %s of the table's items are in it; %s %s it nothing.", part, show.List(out), verb)
	}
	text := fmt.Sprintf("**Sparse**: %s of the table's items are in it; items of %s only while they have its key attributes", part, show.List(partly))
	if len(out) > 0 {
		text += ", of " + show.List(out) + " none"
	}
	return text + "."
}
