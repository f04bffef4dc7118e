package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/plan"
)

var attributeNames = &Rule{
	ID:       "attribute-names",
	Title:    "Bytes that are spent on attribute names",
	Category: Cost,
	Looks: "At the items that were seen whole: how many of their bytes are names, which are stored and paid with every item, and what they would cost if names of attributes that are no " +
		"keys had two letters.",
	Fires:   "When a quarter of the bytes are names, and short ones save a tenth of the table's whole bill: units are blocks of 1 and 4 KB, so that shorter names often change nothing but storage.",
	Rests:   "When names are most of small items that fit into one block anyway. When they save less than a tenth: names are read by people, every day. For keys, whose names are the table's. Names inside of maps are not looked at.",
	Sources: []string{page("CapacityUnitCalculations"), page("HowItWorks.NamingRulesDataTypes"), page("read-write-operations")},
	Find:    findAttributeNames,
}

const (
	shortName  = 2    // bytes of a name that is as short as it gets: some thousand of them
	namesShare = 0.25 // of the bytes of an item below which its names are not what makes it large
)

func findAttributeNames(in *Input) (found []Finding) {
	for _, t := range in.Tables {
		name := t.Declared.Name
		keep := t.keyAttributes("")
		for index := range t.Declared.GSI {
			keep = append(keep, t.keyAttributes(index)...)
		}
		for index := range t.Declared.LSI {
			keep = append(keep, t.keyAttributes(index)...)
		}
		keep = append(keep, t.Declared.TTL)
		var was, is sampled
		var names float64
		long := map[string]float64{}
		items := in.sample(name)
		for i := range items {
			var size, named, saved float64
			for _, p := range items[i].Attributes {
				size += float64(p.Bytes)
				named += float64(len(p.Name))
				if n := float64(len(p.Name) - shortName); n > 0 && !slices.Contains(keep, p.Name) {
					saved += n
					long[p.Name] += n
				}
			}
			all := max(1, float64(items[i].LastBytes)/size) // of many attributes only some are known: the others are taken for such
			names += named * all
			was, is = append(was, size*all), append(is, (size-saved)*all)
		}
		if float64(len(was)) < 0.2*in.Thresholds.FewCalls || len(long) == 0 {
			continue
		}
		l := in.ledger(name)
		in.shrink(l, t, "", was, is)
		for _, index := range slices.Concat(sortedKeys(t.Declared.GSI), sortedKeys(t.Declared.LSI)) {
			if x, _, _ := t.index(index); x.Project == "" || x.Project == plan.All {
				in.shrink(l, t, index, was, is)
			}
		}
		saving := l.worth()
		if saving == nil || names/float64(len(was)) < namesShare*was.mean() || 10*saving.Monthly() < in.bill(name).Total() {
			continue
		}
		f := Finding{
			Severity: Advice, Table: name, Cause: cause(ofTable, name, "bytes of names"), Saving: saving,
			Title: fmt.Sprintf("%s of the bytes of %s are attribute names", percent(names/float64(len(was))/was.mean()), name),
			Evidence: []Evidence{
				share("bytes that are names", names/float64(len(was))/was.mean(), 0, page("CapacityUnitCalculations")),
				{What: "bytes of an item, on average", Value: was.mean(), Unit: "B"},
				{What: "bytes of an item with short names", Value: is.mean(), Unit: "B"},
			},
			Remedy: Remedy{
				Text: "Store the attributes under short names, which the declaration keeps apart from those that the program uses, and write the items anew while it runs: " +
					longest(long) + " first. Every other program that reads the table has to know them too.",
				Snippets: []Snippet{{Kind: "go", Text: shortTags(long)}},
				Ease:     Migration,
			},
		}
		f.Confidence, f.Because = in.sure(0.6, "Readable names are worth something, too, and other programs may read the table.")
		in.affect(&f, in.everything(name, consumes)...)
		found = append(found, f)
	}
	return found
}

// shrink notes what a table or index costs whose items or entries are smaller.
func (in *Input) shrink(l *ledger, t *Table, index string, was, is sampled) {
	name := t.Declared.Name
	if c := in.consumed(name, index); c != nil {
		l.writes(index, in.perSecond(c.Write), in.perSecond(c.Write*float64(capacity.ExpectWrite(is)/capacity.ExpectWrite(was))))
	}
	for _, o := range in.operations(name, index) {
		if !reads(o) {
			continue
		}
		ratio := float64(capacity.ExpectGet(is, capacity.Eventual) / capacity.ExpectGet(was, capacity.Eventual))
		if o.Operation == "Query" || o.Operation == "Scan" {
			n := o.Scanned / max(ended(o), 1)
			ratio = queried(n, is) / queried(n, was)
		}
		l.reads(index, in.perSecond(o.Read), in.perSecond(o.Read*ratio))
	}
	if count, bytes, known := t.stored(index); known {
		l.storage(capacity.Stored(count, bytes), capacity.Stored(count, bytes*is.mean()/was.mean()))
	}
}

// byBytes are names with the most bytes first.
func byBytes(long map[string]float64) []string {
	names := sortedKeys(long)
	slices.SortStableFunc(names, func(a, b string) int {
		switch {
		case long[a] > long[b]:
			return -1
		case long[a] < long[b]:
			return 1
		}
		return 0
	})
	return names
}

func longest(long map[string]float64) string {
	names := byBytes(long)
	return strings.Join(names[:min(len(names), 3)], ", ")
}

func shortTags(long map[string]float64) string {
	text := "type Thing struct {\n"
	for i, name := range byBytes(long)[:min(len(long), 3)] {
		text += fmt.Sprintf("\t%s string `ddb:%q` // was %s\n", strings.ToUpper(name[:1])+name[1:], name[:1]+string(rune('a'+i)), name)
	}
	return text + "}"
}
