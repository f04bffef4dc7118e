package rules

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/stats"
)

var concatenatedKeys = &Rule{
	ID:       "concatenated-keys",
	Title:    "An index key of several attributes glued together",
	Category: Practice,
	Looks:    "At what the keys of global indexes are made of, in a sample of the items: other attributes of the same item, constant words, separators.",
	Fires: "When a key attribute of an index is two or more attributes of the item joined by separators, of at least nine in ten sampled items of the index; behind " +
		"them may stand the item's own identifier. A global index takes up to four attributes for its partition and four to sort by, so that nothing has to be glued, kept in step and taken apart.",
	Rests: "On an index that nobody reads, where calls were seen; on the table's own key, and on local indexes, which have one attribute each; on keys whose parts the item does not have as attributes; on an index that " +
		"several kinds of items share, each with parts of its own; on a single attribute behind a prefix.",
	Sources: []string{page("GSI.DesignPattern.MultiAttributeKeys"), page("GSI.OnlineOps")},
	Find:    findConcatenatedKeys,
}

const (
	// fewItems is how many sampled items of an index are needed to tell what its keys are made of.
	fewItems = 10
	// alike is the share of them that have to be made of the same.
	alike = 0.9
)

func findConcatenatedKeys(in *Input) (found []Finding) {
	for _, t := range in.Tables {
		items := in.sample(t.Declared.Name)
		// Without a call these are items alone: of an index nobody knows then whether it is read.
		called := len(in.everything(t.Declared.Name, func(*stats.Operation) bool { return true })) > 0
		for _, index := range slices.Sorted(maps.Keys(t.Declared.GSI)) {
			if called && in.lastRead(t.Declared.Name, index).IsZero() {
				continue // unused-index would drop it
			}
			if f := in.concatenated(t, index, items); f != nil {
				found = append(found, *f)
			}
		}
	}
	return found
}

func (in *Input) concatenated(t *Table, index string, items []stats.SizedItem) *Finding {
	x := t.Declared.GSI[index]
	within := slices.DeleteFunc(slices.Clone(items), func(item stats.SizedItem) bool {
		return slices.ContainsFunc(slices.Concat(x.Partition, x.Sort), func(name string) bool { return !hasPrint(&item, name) })
	})
	if len(within) < fewItems {
		return nil
	}
	own := t.keyAttributes("")
	glued := map[string]gluedKey{}
	parts := func(names []string) (out []string, ok bool) {
		for _, name := range names {
			g, ok := gluedFrom(within, name, own)
			if !ok || slices.Contains(own, name) {
				out = append(out, name)
				continue
			}
			glued[name] = g
			out = append(out, g.parts...)
		}
		return out, len(out) <= capacity.IndexPartitionKeyParts && len(slices.Compact(slices.Sorted(slices.Values(out)))) == len(out)
	}
	partition, fits := parts(x.Partition)
	sort, fitsToo := parts(x.Sort)
	if !fits || !fitsToo {
		return nil
	}
	worst := gluedKey{}
	for _, name := range slices.Sorted(maps.Keys(glued)) {
		if g := glued[name]; len(g.parts) > len(worst.parts) {
			worst = g
		}
	}
	if len(worst.parts) < 2 {
		return nil
	}
	sort = slices.DeleteFunc(sort, func(name string) bool { return slices.Contains(partition, name) }) // the same in all of a partition
	name := t.Declared.Name
	f := &Finding{
		Severity: Advice, Table: name, Index: index, Cause: cause(ofIndex, name, index, "key"),
		Title: fmt.Sprintf("The key %s of %s is %s glued together: an index takes them as they are", worst.name, place(name, index), and(worst.parts)),
		Evidence: []Evidence{
			{What: "sampled items of the index whose " + worst.name + " is " + worst.shape, Value: 100 * worst.share, Unit: "%", Limit: 100 * alike},
			{What: "sampled items of the index", Value: float64(len(within)), Unit: "items", Limit: fewItems},
			{What: "bytes of the glued attributes in an item, on average", Value: meanBytes(within, glued), Unit: "B"},
			{What: "attributes that a partition or sort key of an index may have", Value: float64(max(len(partition), len(sort))), Unit: "attributes", Limit: capacity.IndexPartitionKeyParts,
				Source: page("GSI.DesignPattern.MultiAttributeKeys")},
		},
		Remedy:     in.separated(t, index, partition, sort, slices.Sorted(maps.Keys(glued))),
		Confidence: 0.8,
		Because:    "A query that begins with a part of one attribute's text, or ranges over several of them at once, cannot be put with several attributes.",
	}
	in.affect(f, in.operations(name, index)...)
	return f
}

// gluedKey is a key attribute that is made of others.
type gluedKey struct {
	name, shape string
	parts       []string
	share       float64
}

// gluedFrom is what a key attribute is made of, if it is the same in nearly all items: references and nothing else that varies, but for
// what of the item's own key stands behind them, which every entry of an index has anyway.
func gluedFrom(items []stats.SizedItem, name string, own []string) (gluedKey, bool) {
	shapes := map[string][]*stats.SizedItem{}
	for i := range items {
		p, _ := printOf(&items[i], name)
		shapes[p.Shape] = append(shapes[p.Shape], &items[i])
	}
	for _, shape := range slices.Sorted(maps.Keys(shapes)) {
		if 2*len(shapes[shape]) < len(items) {
			continue
		}
		parts, only := references(withoutOwn(items, name, shape, own))
		if !only || len(parts) == 0 || !scalars(items, parts) {
			continue
		}
		var such int
		for other, of := range shapes {
			for _, item := range of {
				if other == shape || sameShape(item, other, shape) {
					such++
				}
			}
		}
		if share := float64(such) / float64(len(items)); share >= alike {
			return gluedKey{name, shape, parts, share}, true
		}
	}
	return gluedKey{}, false
}

// sameShape reports whether a text of one shape is of another one, too: where it names other attributes of the item these have the same
// value, by chance, as small numbers have.
func sameShape(item *stats.SizedItem, a, b string) bool {
	return slices.EqualFunc(pieces(a), pieces(b), func(p, q partOf) bool {
		if p == q || p.kind != reference || q.kind != reference {
			return p == q
		}
		one, has := printOf(item, p.text)
		other, hasToo := printOf(item, q.text)
		return has && hasToo && one.Value == other.Value
	})
}

// withoutOwn is a shape without the item's identifier at its end, if it has one: what looks like an attribute of the table's key, or the
// last part of it, and has no value that two items share.
func withoutOwn(items []stats.SizedItem, name, shape string, own []string) string {
	for _, key := range own {
		first, _ := printOf(&items[0], key)
		id := first.Shape[strings.LastIndexByte(first.Shape, '#')+1:]
		head, ends := strings.CutSuffix(shape, id)
		if names, only := references(head); !ends || !strings.HasPrefix(id, "<") || !only || len(names) < 2 {
			continue
		}
		whose := map[uint64]uint64{}
		shared := slices.ContainsFunc(items, func(item stats.SizedItem) bool {
			p, _ := printOf(&item, name)
			of, _ := printOf(&item, key)
			before, seen := whose[p.Value]
			whose[p.Value] = of.Value
			return seen && before != of.Value
		})
		if !shared {
			return head
		}
	}
	return shape
}

// scalars reports whether attributes are of types that a key can have.
func scalars(items []stats.SizedItem, names []string) bool {
	for i := range items {
		for _, name := range names {
			if p, ok := printOf(&items[i], name); ok && p.Type != "S" && p.Type != "N" && p.Type != "B" {
				return false
			}
		}
	}
	return true
}

func hasPrint(item *stats.SizedItem, name string) bool {
	_, ok := printOf(item, name)
	return ok
}

func meanBytes(items []stats.SizedItem, glued map[string]gluedKey) (sum float64) {
	for i := range items {
		for name := range glued {
			p, _ := printOf(&items[i], name)
			sum += float64(p.Bytes) / float64(len(items))
		}
	}
	return sum
}

// separated is the way to the new index, which package migrate goes.
func (in *Input) separated(t *Table, index string, partition, sort, old []string) Remedy {
	fresh := index + "2"
	for n := 3; t.has(fresh); n++ {
		fresh = index + strconv.Itoa(n)
	}
	x := t.Declared.GSI[index]
	project := ""
	if x.Project != "" && x.Project != plan.All {
		project = fmt.Sprintf(", Project: %q", x.Project)
	}
	if len(x.Include) > 0 {
		project += ", Include: " + stringsLiteral(x.Include)
	}
	declaration := fmt.Sprintf("%q: {Partition: %s", fresh, stringsLiteral(partition))
	if len(sort) > 0 {
		declaration += ", Sort: " + stringsLiteral(sort)
	}
	declaration += project + "}, // in plan.Table.GSI, beside " + index
	variable := variableOf(t.Declared.Name)
	return Remedy{
		Text: fmt.Sprintf("Make an index on the attributes themselves and move to it, while programs go on working: 1. declare it beside %s and roll that out, so that every write "+
			"keeps both; 2. AddIndex, which the service fills from the attributes; 3. Backfill, for items that do not have them yet; 4. Verify that both indexes hold the "+
			"same; then move the queries, which bind every attribute of the partition with = and those of the sort key in their order; 5. take the old index and %s out of "+
			"the declaration, DropIndex, and Backfill with Remove. Until step 5 each write pays for both indexes.", index, and(old)),
		Snippets: []Snippet{
			{"go", declaration},
			{"go", fmt.Sprintf("err := %[1]s.AddIndex(ctx, db, %[2]q)\ndone, err := migrate.Backfill{Table: %[1]s, ReadRate: 100, WriteRate: 100}.Run(ctx, db)\n"+
				"report, err := migrate.Verify{Table: %[1]s, Old: %[3]q, New: %[2]q}.Run(ctx, db)", variable, fresh, index)},
			{"go", fmt.Sprintf("err := %[1]s.DropIndex(ctx, db, %[2]q)\ndone, err := migrate.Backfill{Table: %[1]s, Remove: %[3]s, ReadRate: 100, WriteRate: 100}.Run(ctx, db)",
				variable, index, stringsLiteral(old))},
		},
		Ease: NewIndex,
	}
}

func (t *Table) has(index string) bool {
	_, _, known := t.index(index)
	return known
}

// and joins names as people do.
func and(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

// stringsLiteral is a Go literal.
func stringsLiteral(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = strconv.Quote(name)
	}
	return "[]string{" + strings.Join(quoted, ", ") + "}"
}

// variableOf is what a program may call a table: its name without what no identifier has.
func variableOf(table string) string {
	name := strings.Map(func(r rune) rune {
		if isWordRune(r) {
			return r
		}
		return -1
	}, table)
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		name = "Table" + name
	}
	return strings.ToUpper(name[:1]) + name[1:]
}
