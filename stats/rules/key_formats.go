package rules

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/stats"
)

var keyFormats = &Rule{
	ID:       "key-formats",
	Title:    "Keys of one kind of items in several spellings",
	Category: Practice,
	Looks: "At what the keys of a table and its indexes are made of, in a sample of the items, kind by kind: items of a kind have the same type attribute, or else " +
		"the same attributes.",
	Fires: "When keys of one kind differ in their letters' case, in their separators, or in a prefix that some have and others have shortened or left out: of each spelling " +
		"at least one item in fifty, and two. A read that asks for one spelling does not find the items of the other.",
	Rests: "On differences between kinds of items; on what users or other systems choose, such as names, slugs and identifiers; on kinds of which fewer than 20 items " +
		"were seen; where keys are hashed (Options.HashKeys), of which no words are kept.",
	Sources: []string{page("bp-sort-keys"), page("HowItWorks.NamingRulesDataTypes")},
	Find:    findKeyFormats,
}

const (
	// fewOfKind is how many items of a kind have to be seen.
	fewOfKind = 20
	// spelled is the share of a kind that a spelling has to have: less may be one item that somebody made by hand.
	spelled = 0.02
)

func findKeyFormats(in *Input) (found []Finding) {
	for _, t := range in.Tables {
		keys := t.keyAttributes("")
		for index := range t.Declared.GSI {
			keys = append(keys, t.keyAttributes(index)...)
		}
		for index := range t.Declared.LSI {
			keys = append(keys, t.keyAttributes(index)...)
		}
		slices.Sort(keys)
		keys = slices.Compact(keys)
		for _, name := range keys {
			if f := in.spellings(t, name, keys); f != nil {
				found = append(found, *f)
			}
		}
	}
	return found
}

// spelling is a form of a key, and how many items have it.
type spelling struct {
	form  string
	items int
}

// spellings finds the kind of items whose key attribute is spelled in several ways, most often so of all kinds.
func (in *Input) spellings(t *Table, name string, keys []string) *Finding {
	var worst []spelling
	var of int
	all, kindOf := kinds(in.sample(t.Declared.Name), keys)
	for _, kind := range all {
		if len(kind) < fewOfKind {
			continue
		}
		forms, rest, chosen := map[string]int{}, besideForms{}, 0
		for _, item := range kind {
			if p, _ := printOf(item, name); p.Shape != "" {
				forms[form(p.Shape)]++
				rest.add(form(p.Shape), besideOf(item, name, t.keyAttributes("")))
				if wordFirst(p.Shape) {
					chosen++
				}
			}
		}
		if 2*chosen > len(kind) { // most begin with words of their own: so do those that begin with one that some happen to share
			continue
		}
		least := max(2, int(spelled*float64(len(kind))))
		maps.DeleteFunc(forms, func(_ string, n int) bool { return n < least })
		prefixes := map[string]bool{}
		for f := range forms {
			if prefix, _ := apart(f); prefix != "" {
				prefixes[prefix] = true
			}
		}
		for _, same := range alikeForms(forms, func(a, b string) bool {
			return sameButSpelling(a, b, kindOf, rest.same(a, b), len(prefixes) == 1 && rest.named(a, b))
		}) {
			if len(same) > 1 && (worst == nil || same[1].items > worst[1].items) {
				worst, of = same, len(kind)
			}
		}
	}
	if worst == nil {
		return nil
	}
	table := t.Declared.Name
	f := &Finding{
		Severity: Warning, Table: table, Cause: cause(ofAttribute, table, name),
		Confidence: 0.85, Because: "The spelling may be part of the value, and mean something.",
	}
	var names []string
	for _, s := range worst {
		names = append(names, shown(s.form))
		f.Evidence = append(f.Evidence, Evidence{What: "items of the kind whose " + name + " is written " + shown(s.form), Value: 100 * float64(s.items) / float64(of), Unit: "%"})
	}
	f.Evidence = append(f.Evidence, Evidence{What: "items of the kind in the sample", Value: float64(of), Unit: "items", Limit: fewOfKind})
	f.Evidence[0], f.Evidence[1] = f.Evidence[1], f.Evidence[0] // what is not as the rest is
	rest := float64(of - worst[0].items)
	f.Title = fmt.Sprintf("%s of one kind of items in %s is written %s: %s of them are not as most are", name, table, and(names), percent(rest/float64(of)))
	f.Remedy = Remedy{
		Text: fmt.Sprintf("Write %s in one form, as %s, in one place: a template of the declaration. Find who writes the other form first. An attribute of an index is put right by "+
			"Backfill, which writes anew what is not as its template says; the table's own key does not change: Move puts an item under its other key in one transaction. "+
			"Where letters come from users, the codec lower has the template write them small.", name, shown(worst[0].form)),
		Snippets: []Snippet{{"go", fmt.Sprintf("Key: map[string]string{%q: %q}, // of plan.Item; or in Set, of an index", name, template(worst[0].form))}},
		Ease:     Migration,
	}
	if !slices.Contains(t.keyAttributes(""), name) {
		f.Remedy.Ease = Code
	}
	in.affect(f, in.operations(table, "", "PutItem", "UpdateItem", "GetItem", "Query")...)
	return f
}

// form is a shape in which only what the program chooses is told apart: prefixes, references and the separators beside them. What
// varies is *, with what may stand inside of it.
func form(shape string) string {
	const inside = "-_. '"
	all := pieces(shape)
	var b strings.Builder
	for i := 0; i < len(all); i++ {
		switch p := all[i]; p.kind {
		case reference:
			b.WriteString("{" + p.text + "}")
		case word, separator:
			b.WriteString(p.text)
		case class:
			b.WriteString("*")
			for i+2 < len(all) && all[i+1].kind == separator && strings.Contains(inside, all[i+1].text) && all[i+2].kind == class {
				i += 2
			}
		}
	}
	return b.String()
}

// wordFirst reports whether a shape begins with a word that too few share for it to be a prefix, set apart as a prefix is.
func wordFirst(shape string) bool {
	all := pieces(shape)
	return len(all) > 1 && all[0].kind == class && strings.EqualFold(all[0].text, "word") && all[1].kind == separator
}

// beside is what an item has beside one of its keys: the names of its attributes, and the words in the other keys of the table. hidden is that
// the key itself has a word that too few share for it to be shown: nobody knows whether that is a prefix.
type beside struct {
	names, words string
	hidden       bool
}

func besideOf(item *stats.SizedItem, key string, keys []string) (b beside) {
	for _, p := range item.Attributes {
		b.names += p.Name + "\x00"
		if p.Name == key {
			b.hidden = strings.Contains(strings.ToLower(p.Shape), "<word>")
		}
		if p.Name == key || !slices.Contains(keys, p.Name) {
			continue
		}
		for _, part := range pieces(p.Shape) {
			if part.kind == word {
				b.words += p.Name + "\x00" + part.text + "\x00"
			}
		}
	}
	return b
}

// besideForms are what items have beside a key of each form.
type besideForms map[string]map[beside]bool

func (s besideForms) add(form string, b beside) {
	if s[form] == nil {
		s[form] = map[beside]bool{}
	}
	s[form][b] = true
}

// same reports whether all items of two forms have the same beside it, a word in another key among that: then they are of one kind.
func (s besideForms) same(a, b string) bool {
	for one := range s[a] {
		return one.words != "" && len(s[a]) == 1 && maps.Equal(s[a], s[b])
	}
	return false
}

// named reports whether all items of two forms have attributes of the same names beside it.
func (s besideForms) named(a, b string) bool {
	names := map[string]bool{}
	for _, form := range []string{a, b} {
		for one := range s[form] {
			names[one.names] = true
		}
	}
	return len(names) == 1
}

// kinds puts items of one kind together: of one value of an attribute that says so, else with at least half of all attributes
// beside the keys in common. by is that attribute.
func kinds(items []stats.SizedItem, keys []string) (all [][]*stats.SizedItem, by string) {
	if name := typeAttribute(items); name != "" {
		of := map[uint64]int{}
		for i := range items {
			p, ok := printOf(&items[i], name)
			if !ok {
				continue
			}
			if _, known := of[p.Value]; !known {
				of[p.Value] = len(all)
				all = append(all, nil)
			}
			all[of[p.Value]] = append(all[of[p.Value]], &items[i])
		}
		return all, name
	}
	for n := range items {
		item := &items[n]
		if len(item.Attributes) < 2 {
			continue
		}
		i := slices.IndexFunc(all, func(kind []*stats.SizedItem) bool { return common(kind[0], item, keys) })
		if i < 0 {
			i = len(all)
			all = append(all, nil)
		}
		all[i] = append(all[i], item)
	}
	return all, ""
}

// typeNames are what the attribute is called that says what kind an item is of.
var typeNames = []string{"type", "entitytype", "entity", "kind", "itemtype", "recordtype", "objecttype", "typename", "et"}

// typeAttribute is the attribute that says what kind an item is of: one of few texts, in nearly all items. "": there is none.
func typeAttribute(items []stats.SizedItem) string {
	seen, values := map[string]int{}, map[string]map[uint64]bool{}
	for _, item := range items {
		for _, p := range item.Attributes {
			if p.Type != "S" || !slices.Contains(typeNames, strings.ToLower(strings.Trim(strings.ReplaceAll(p.Name, "_", ""), "$@"))) {
				continue
			}
			if values[p.Name] == nil {
				values[p.Name] = map[uint64]bool{}
			}
			seen[p.Name]++
			values[p.Name][p.Value] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(seen)) {
		if float64(seen[name]) >= alike*float64(len(items)) && len(values[name]) <= 16 {
			return name
		}
	}
	return ""
}

// common reports whether two items have at least half of their attributes, those of keys left out, in common.
func common(a, b *stats.SizedItem, keys []string) bool {
	both, either := 0, 0
	for _, p := range a.Attributes {
		if !slices.Contains(keys, p.Name) {
			either++
			if hasPrint(b, p.Name) {
				both++
			}
		}
	}
	for _, p := range b.Attributes {
		if !slices.Contains(keys, p.Name) && !hasPrint(a, p.Name) {
			either++
		}
	}
	return both > 0 && 2*both >= either
}

// alikeForms puts forms together that are spellings of one, each from the most items to the fewest.
func alikeForms(forms map[string]int, alike func(a, b string) bool) (all [][]spelling) {
	var sorted []spelling
	for _, f := range slices.Sorted(maps.Keys(forms)) {
		sorted = append(sorted, spelling{f, forms[f]})
	}
	slices.SortStableFunc(sorted, func(a, b spelling) int { return cmp.Compare(b.items, a.items) })
	for _, s := range sorted {
		i := slices.IndexFunc(all, func(same []spelling) bool { return alike(same[0].form, s.form) })
		if i < 0 {
			all = append(all, []spelling{s})
			continue
		}
		all[i] = append(all[i], s)
	}
	return all
}

// sameButSpelling reports whether two forms have the same parts, but for case, separators, and a prefix that one has shortened or
// left out. Without a word or an attribute in them nothing tells that they are the same; of two prefixes, as ORDER and ORDERLINE, that
// has to be an attribute, or the items themselves: by kindOf, the attribute that says what kind they are of, or by alike, which is that they
// have all else in common. Named is that they have the same attributes, and that there
// are no other prefixes, as there are in a table of many kinds.
func sameButSpelling(a, b, kindOf string, alike, named bool) bool {
	pa, ra := apart(a)
	pb, rb := apart(b)
	if kindOf != "" { // its value is one word for all of them: some have it for a prefix, others another
		own := "{" + kindOf + "}"
		if len(ra) > 1 && ra[0] == own && pb != "" {
			return slices.Equal(ra[1:], rb)
		}
		if len(rb) > 1 && rb[0] == own && pa != "" {
			return slices.Equal(rb[1:], ra)
		}
	}
	if !slices.Equal(ra, rb) { // SEED_LOT# and SEEDLOT#
		return pa != "" && pb != "" && pa+strings.Join(ra, "") == pb+strings.Join(rb, "")
	}
	if pa == pb {
		return pa != "" || slices.ContainsFunc(ra, isReference)
	}
	one := slices.ContainsFunc(ra, isReference) || (kindOf != "" || named) && (leftOut(a, b) || leftOut(b, a)) || alike && prefixed(a, pa) && prefixed(b, pb) || kindOf != "" && pa != "" && pb != ""
	return one && (shortened(pa, pb) || shortened(pb, pa))
}

// leftOut reports whether all that a form lacks is another one's prefix, which is set apart as keys of several parts are, and values of users
// and other systems seldom.
func leftOut(without, with string) bool {
	prefix, ok := strings.CutSuffix(with, without)
	n := len(prefix) - 1
	return ok && strings.HasPrefix(without, "*") && n > 0 && strings.Contains("#|", prefix[n:]) && !strings.ContainsFunc(prefix[:n], func(r rune) bool { return !isWordRune(r) })
}

// prefixed reports whether a form's first word, if it has one, is set apart from what follows.
func prefixed(form, word string) bool {
	all := pieces(strings.ReplaceAll(form, "*", "<any>"))
	return word == "" || len(all) > 1 && all[1].kind == separator
}

// shortened reports whether a word is another one with letters left out behind the first, such as CUST or USR, or none.
func shortened(short, long string) bool {
	if short == "" {
		return true
	}
	if long == "" || short[0] != long[0] {
		return false
	}
	for i := 0; i < len(long) && short != ""; i++ {
		if long[i] == short[0] {
			short = short[1:]
		}
	}
	return short == ""
}

func isReference(part string) bool { return strings.HasPrefix(part, "{") }

// apart is a form's first word, in small letters, and its other parts without separators. A sign behind a part is no separator: A+ and A-
// are two things.
func apart(form string) (prefix string, rest []string) {
	all := pieces(strings.ReplaceAll(form, "*", "<any>"))
	for i, p := range all {
		switch {
		case p.kind == separator && len(rest) > 0 && strings.Contains("+-", p.text[:1]) && (len(p.text) > 1 && p.text[1] != p.text[0] || i == len(all)-1):
			rest[len(rest)-1] += p.text[:1]
		case p.kind == word && i == 0:
			prefix = strings.ToLower(p.text)
		case p.kind == word:
			rest = append(rest, strings.ToLower(p.text))
		case p.kind == reference:
			rest = append(rest, "{"+p.text+"}")
		case p.kind == class:
			rest = append(rest, "*")
		}
	}
	return prefix, rest
}

// shown is a form for people.
func shown(form string) string { return strings.ReplaceAll(form, "*", "…") }

// template is a form as a template of plan.Item, with a name for what is not an attribute.
func template(form string) string { return strings.ReplaceAll(form, "*", "{id}") }
