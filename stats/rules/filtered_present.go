package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/plan"
)

// present is the table's own key, or an index that is there, by which a filtered read could ask for what it filters.
type present struct {
	index string   // "": the table
	keys  []string // attributes of its key that the read compares with =
	whole bool     // they are the whole key of an item
	rest  []string // attributes that it compares with = and that remain a filter
}

// present finds the key that says most of what a filter says; ok is false where none says any of it, or does not hold what is asked for.
func (in *Input) present(f filtered) (best present, ok bool) {
	t, placed := in.placed(f.o)
	if !placed {
		return best, false
	}
	said, now := slices.Clone(f.equal), []string(nil)
	if f.o.Operation == "Query" {
		now, _ = t.keyOf(f.o.Index)
		said = append(said, now...)
	}
	for _, index := range slices.Concat([]string{""}, sortedKeys(t.Declared.LSI), sortedKeys(t.Declared.GSI)) {
		partition, sort := t.keyOf(index)
		p := present{index: index}
		for i, name := range slices.Concat(partition, sort) {
			if !slices.Contains(said, name) {
				if i < len(partition) {
					p.keys = nil
				}
				break
			}
			p.keys = append(p.keys, name)
		}
		lacks := func(name string) bool { return !slices.Contains(p.keys, name) }
		p.rest = slices.DeleteFunc(slices.Clone(f.equal), func(name string) bool { return !lacks(name) })
		p.whole = index == "" && len(p.keys) == len(partition)+len(sort)
		switch {
		case index == f.o.Index && f.o.Operation == "Query", len(p.rest) == len(f.equal), !t.serves(f, p):
		case slices.ContainsFunc(now, lacks): // it may be for more items than what is read now
		case !ok || len(p.keys) > len(best.keys):
			best, ok = p, true
		}
	}
	return best, ok
}

// serves reports whether an index holds what a read asks for.
func (t *Table) serves(f filtered, p present) bool {
	if p.index == "" {
		return true
	}
	x, _, _ := t.index(p.index)
	if x.Project != plan.Keys && x.Project != plan.Include {
		return true
	}
	needed, include := f.projection(t, x)
	if needed == plan.All {
		return false
	}
	held := append(t.keyAttributes(p.index), x.Include...)
	return !slices.ContainsFunc(append(include, p.rest...), func(name string) bool { return !slices.Contains(held, name) })
}

// byPresent says to query what is there. What that saves is known where nothing remains to be filtered.
func (in *Input) byPresent(found Finding, f filtered, p present) (Finding, bool) {
	o := f.o
	t, _ := in.placed(o)
	strong := o.Consistent > 0.5*o.Detailed
	found.Confidence = 0.9
	if p.index != "" && strong {
		if _, local, _ := t.index(p.index); !local {
			found.Confidence = 0.6
			found.Because = "The reads are strongly consistent now; an index never is: what was written just before may be missing."
		}
	}
	if p.index != "" && in.table(o.Table) == nil {
		found.Because = sentences(found.Because, fmt.Sprintf("How %s is declared is not known: it may not hold all that is asked for.", p.index))
	}
	if len(p.rest)+len(f.other) == 0 {
		var x capacity.Index // of the table: all of each item
		if index, _, known := t.index(p.index); known {
			x = t.indexed(index)
		}
		model, known := in.entries(o.Table, x, nil)
		if !known {
			model, known = in.paidEntries(o, t, new(plan.Index))
		}
		if known {
			consistency := capacity.Eventual
			if strong && p.index == "" {
				consistency = capacity.Strong
			}
			mean := model.sizes.mean()
			l := in.ledger(o.Table)
			l.reads(o.Index, in.perSecond(o.Read), 0)
			l.reads(p.index, 0, in.perSecond(f.requests*float64(capacity.ExpectQuery(capacity.Fixed(capacity.Bytes(f.items*mean)), mean, consistency))))
			if found.Saving = l.worth(); found.Saving == nil {
				return found, false
			}
		}
	} else {
		rest := append(slices.Clone(p.rest), f.other...)
		found.Because = sentences(found.Because, fmt.Sprintf("%s %s a filter, so that more is read than returned.", strings.Join(rest, ", "), remain(len(rest))))
	}
	how := fmt.Sprintf("query %s by %s", place(o.Table, p.index), strings.Join(p.keys, " and "))
	code := fmt.Sprintf("// instead of the filter:\nfor v, err := range Things.%s.Of(…).All(ctx, db) { … }", p.index)
	switch {
	case p.whole:
		how = fmt.Sprintf("get the item of %s by %s, its key", o.Table, strings.Join(p.keys, " and "))
		code = "// instead of the filter:\nv, err := Things.Get(key).Run(ctx, db)"
	case p.index == "":
		code = "// an access pattern of the declared entity, in place of the filter:\nfor v, err := range Things.Of(…).All(ctx, db) { … }"
	}
	found.Remedy = Remedy{
		Text:     fmt.Sprintf("Let the key condition say what the filter says: %s, which is there already. A filter itself saves nothing: what it drops was read and is paid.", how),
		Snippets: []Snippet{{Kind: "go", Text: code}},
		Ease:     Code,
	}
	found.Confidence, found.Because = in.sure(found.Confidence, found.Because)
	if found.Because == "" {
		found.Because = "Some of the calls may ask for something else."
	}
	return found, true
}

func remain(n int) string {
	if n == 1 {
		return "remains"
	}
	return "remain"
}
