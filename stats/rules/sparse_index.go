package rules

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/stats"
)

var sparseIndex = &Rule{
	ID:       "sparse-index",
	Title:    "An index that could be sparse",
	Category: Cost,
	Looks: "At global indexes whose partition key has few values, such as a status: which of these are asked for, which the items have, and to which puts and updates bring them. An item without a key attribute of an " +
		"index has no entry there, which costs neither writes nor storage.",
	Fires: "When the index was asked a hundred times at least (Thresholds.FewCalls), for some values only, while half of the items or more, or of what is put, have a value that nobody asked for, or come to one by updates.",
	Rests: "When the partition key has many values, of which any may be asked for next: more than ten, of which more than two are asked for, are no states but teams, rooms or owners; or when some were asked for once or twice, so that others will be. When keys are hashed, so that values and items cannot be brought together. When the entries " +
		"that nobody asks for cost next to nothing. While units are not reported.",
	Sources: []string{page("bp-indexes-general-sparse-indexes"), page("GSI")},
	Find:    findSparseIndex,
}

const (
	fewValues   = 32 // a partition key with more is no state
	stateValues = 10 // nor one with more, of which more are asked for than the one or two that make a kind or flag
	flagValues  = 2
	unaskedMost = 0.5 // share of entries that nobody asks for
	cycling     = 1.2 // times as many entries as were put, come to such a value by updates, have been there before
)

func findSparseIndex(in *Input) (found []Finding) {
	for _, t := range in.Tables {
		if in.unreported(t.Declared.Name) {
			continue
		}
		for _, index := range sortedKeys(t.Declared.GSI) {
			if f, ok := in.unasked(t, index); ok {
				found = append(found, f)
			}
		}
	}
	return found
}

// askedOnce is how many values may have been asked for a single time: of more, what was not asked for is chance, and comes next.
const askedOnce = 1

// states are the values of an index's partition key, and what writes do with them.
type states struct {
	asked  [][]uint64      // those that were asked for, as Print.Value has them
	hashes map[uint64]bool // the keys that they make
	other  map[uint64]bool // keys that nobody asked for
	// put is what puts bring, in write units of the index, and moved what updates do that set the value: where entries go that is asked
	// for, and where it is not.
	put, moved flow
}

// flow is units under values that are asked for, and under others.
type flow struct{ asked, idle float64 }

func (f flow) all() float64 { return f.asked + f.idle }

// statesOf are the states of an index; ok is false where they cannot be known, or who asks does not seem to have come to an end of them.
func (in *Input) statesOf(table, index string) (s states, ok bool) {
	s.hashes, s.other = map[uint64]bool{}, map[uint64]bool{}
	var read, requests float64
	for _, o := range in.operations(table, index) {
		if o.Operation != "Query" { // a scan asks for all
			return s, false
		}
		read += o.Read
		requests += ended(o)
	}
	once := 0
	for _, k := range in.Stats.Partitions.List {
		if k.Table != table || k.Index != index {
			continue
		}
		if len(k.Values) == 0 {
			return s, false
		}
		if k.Read == 0 {
			s.other[k.Hash] = true
			continue
		}
		s.asked = append(s.asked, k.Values)
		s.hashes[k.Hash] = true
		if k.Read/max(read, k.Read)*requests < 2 {
			once++
		}
	}
	for _, o := range in.everything(table, writes) {
		_, units := in.touched(o, table, index)
		to := &s.put
		if o.Operation == "UpdateItem" {
			to = &s.moved
			units /= 2 // the other half is of the entries that were removed
		}
		share := s.share(o, table, index)
		to.asked += units * share.asked
		to.idle += units * share.idle
	}
	return s, len(s.asked) > 0 && len(s.asked) <= fewValues && once <= askedOnce
}

// share is where an operation puts entries of an index, as shares, by its calls that were looked into; nothing where none tell.
func (s *states) share(o *stats.Operation, table, index string) (f flow) {
	if e := o.EntriesOf(table, index); e != nil {
		for _, k := range e.Keys {
			if s.hashes[k.Hash] {
				f.asked += k.Write
			} else {
				s.other[k.Hash] = true
				f.idle += k.Write
			}
		}
	}
	if all := f.all(); all > 0 {
		f = flow{f.asked / all, f.idle / all}
	}
	return f
}

// left is how much of what is put comes to values that nobody asks for, sooner or later, as far as puts and updates tell: what was seen of an
// item may be long over. Where updates bring more there than was put, and also back, entries come and go, and it is not known: 0.
func (s *states) left() float64 {
	put := s.put.all()
	if put == 0 || s.moved.asked > 0 && s.moved.idle > cycling*s.put.asked {
		return 0
	}
	return (s.put.idle + min(s.moved.idle, s.put.asked)) / put
}

// leaving is how many of the moves to values that nobody asks for come from one that somebody does: the others go on from there.
func (s *states) leaving() float64 {
	if s.moved.idle <= s.put.asked || s.put.asked == 0 || s.moved.asked > 0 {
		return 1
	}
	return s.put.asked / s.moved.idle
}

// kept is what is left of an operation's units when the index has the entries only that are asked for. idle is the share of the others among
// all, one what writing an entry consumes.
func (s *states) kept(o *stats.Operation, table, index string, touches, units, idle, one float64) float64 {
	f := s.share(o, table, index)
	puts := o.Operation == "PutItem" || o.Operation == "BatchWriteItem" || o.Operation == "TransactWriteItems"
	moves := min(max(units/one-touches, 0), touches)
	switch {
	case puts && f.all() > 0:
		return units * f.asked
	case puts && s.put.all() > 0:
		return units * s.put.asked / s.put.all()
	case puts:
		return units
	case moves <= 0.5*touches: // entries stay where they are
		return units * (1 - idle)
	case f.all() > 0: // an entry that leaves for a value that nobody asks for is one write, not two
		return units * (f.asked + s.leaving()*f.idle/2)
	}
	return units / 2
}

func (in *Input) unasked(t *Table, index string) (f Finding, ok bool) {
	name := t.Declared.Name
	var calls float64
	for _, o := range in.operations(name, index) {
		calls += ended(o)
	}
	c := in.consumed(name, index)
	if calls < in.Thresholds.FewCalls || c == nil || c.Partitions == nil || c.Partitions.Count() > fewValues {
		return f, false
	}
	s, ok := in.statesOf(name, index)
	if !ok {
		return f, false
	}
	x := t.Declared.GSI[index]
	entry := t.indexed(x)
	partition := slices.Sorted(slices.Values(x.Partition))
	valueOf := func(item *stats.SizedItem) []uint64 {
		var v []uint64
		for _, attribute := range partition {
			if p, ok := printOf(item, attribute); ok {
				v = append(v, p.Value)
			}
		}
		return v
	}
	isAsked := func(item *stats.SizedItem) bool {
		v := valueOf(item)
		return slices.ContainsFunc(s.asked, func(one []uint64) bool { return slices.Equal(one, v) })
	}
	all, seen := in.entries(name, entry, nil)
	kept, _ := in.entries(name, entry, isAsked)
	if !seen || float64(len(all.sizes)) < 0.2*in.Thresholds.FewCalls {
		return f, false
	}
	different := map[string]bool{}
	items := in.sample(name)
	for i := range items {
		if has(&items[i], slices.Values(entry.Key)) {
			different[fmt.Sprint(valueOf(&items[i]))] = true
		}
	}
	idle := 1 - float64(len(kept.sizes))/float64(len(all.sizes))
	one := float64(capacity.ExpectWrite(all.sizes))
	known := max(len(different), len(s.asked)+len(s.other))
	if len(s.asked) == 1 && s.moved.all() == 0 { // whatever it changes to is not asked for, and perhaps never seen
		if passed := in.passed(name, index, x.Partition, one); passed > idle {
			idle, known = passed, max(known, 2)
		}
	}
	idle = max(idle, s.left()) // what queries bring, which is asked for, is among the sampled items more often than it is among all
	if known <= len(s.asked) || known > fewValues || known > stateValues && len(s.asked) > flagValues {
		return f, false
	}
	if idle < unaskedMost {
		return f, false
	}
	l := in.ledger(name)
	var before, after float64
	var affected []*stats.Operation
	for _, o := range in.everything(name, writes) {
		touches, units := in.touched(o, name, index)
		if units == 0 {
			continue
		}
		affected = append(affected, o)
		before += units
		after += s.kept(o, name, index, touches, units, idle, one)
	}
	l.writes(index, in.perSecond(before), in.perSecond(after))
	if count, bytes, known := t.stored(index); known {
		l.storage(capacity.Stored(count, bytes), capacity.Stored(count*(1-idle), bytes))
	}
	saving := l.worth()
	if saving == nil {
		return f, false
	}
	saving.Assumes = sentences(saving.Assumes, "Entries leave the index once, for a value that nobody asks for.")
	f = Finding{
		Severity: saving.severity(), Table: name, Index: index, Cause: cause(ofIndex, name, index), Saving: saving,
		Title: fmt.Sprintf("%s of the entries of %s have a value that nobody asks for", percent(idle), place(name, index)),
		Evidence: []Evidence{
			share("entries with a value that nobody asks for", idle, unaskedMost, page("bp-indexes-general-sparse-indexes")),
			{What: "values asked for", Value: float64(len(s.asked)), Unit: "values"},
			{What: "values that items have", Value: float64(known), Unit: "values"},
			{What: "write units of the index", Value: in.perSecond(before), Unit: "write units/s"},
		},
		Remedy: in.sparseRemedy(t, index),
	}
	f.Confidence, f.Because = in.sure(0.7, "What nobody asked for while it was watched somebody may ask for at the end of the month.")
	in.affect(&f, affected...)
	return f, true
}

// passed is the share of the items put that had another value of the attributes later on, as far as updates tell: what was seen of an
// item when it was put may be long over. one is what writing an entry of the index consumes.
func (in *Input) passed(table, index string, partition []string, one float64) float64 {
	var put, changed float64
	for _, o := range in.everything(table, writes) {
		if o.Operation != "UpdateItem" {
			put += written(o, partition...)
			continue
		}
		var n float64
		for _, attribute := range partition {
			n = max(n, written(o, attribute))
		}
		if touches, units := in.touched(o, table, index); units > 1.5*one*touches { // two writes for each that moves an entry
			changed += n
		}
	}
	if put == 0 {
		return 0
	}
	return min(changed/put, 1)
}

// askedFor are the values of an index's partition key that were asked for, as conditions name them; none where they are not shown,
// or are no plain words.
func (in *Input) askedFor(table, index string) (values []string) {
	for _, k := range in.Stats.Partitions.List {
		if k.Table != table || k.Index != index || k.Read == 0 {
			continue
		}
		var key map[string]struct{ S string }
		if json.Unmarshal([]byte(k.Key), &key) != nil || len(key) != 1 {
			return nil
		}
		for _, v := range key {
			if v.S == "" || strings.ContainsFunc(v.S, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
				return nil
			}
			values = append(values, v.S)
		}
	}
	slices.Sort(values)
	return values
}

func (in *Input) sparseRemedy(t *Table, index string) Remedy {
	x := t.Declared.GSI[index]
	attribute := x.Partition[len(x.Partition)-1]
	own := strings.ToLower(index[:1]) + index[1:]
	when := attribute + " = …"
	if values := in.askedFor(t.Declared.Name, index); len(values) == 1 {
		when = attribute + " = " + values[0]
	} else if len(values) > 1 {
		when = attribute + " in (" + strings.Join(values, ", ") + ")"
	}
	return Remedy{
		Text: fmt.Sprintf("Give the index an attribute of its own, %s, that only items have which are asked for: with the value of %s while it is one of these, removed when it is not. "+
			"Make the index by it beside the old one, query it, and drop the old one.", own, attribute),
		Snippets: []Snippet{
			{Kind: "go", Text: fmt.Sprintf("// in the plan.Item: the attribute is there while the condition holds\nSet: map[string]plan.Template{%q: {Value: \"{%s}\", When: %q}},\n// in the plan.Table:\nGSI: map[string]plan.Index{%q: {Partition: []string{%q}, …}},",
				own, attribute, when, index+"Sparse", own)},
			{Kind: "model", Text: "set: {" + own + ": {value: \"{" + attribute + "}\", when: " + when + "}}"},
		},
		Ease: NewIndex,
	}
}
