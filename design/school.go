package design

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/cost"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// Schools are the conventions that a model can follow, the default first.
var Schools = []string{Aggregates, SingleTable}

// The schools.
const (
	Aggregates  = "aggregates"   // a table for each item collection, keys are the entities' attributes
	SingleTable = "single-table" // one table, whose keys and indexes have other meanings for each kind of item
)

// An overload is the structures of a model put into one table. What the search chose stays as it is: which items lie
// in one collection, which indexes there are, what is stored twice. What is written differently is a list of ways
// (school_ways.go), each of which can give in: the compiler judges, and what it refuses is written in the next way,
// down to how it was before. So the result is never a model that the compiler does not accept, and never one that
// answers otherwise.
type overload struct {
	req     *spec.Requirements
	prices  *capacity.Prices
	from    *plan.Model   // in tables of their own
	was     *plan.Program // of it
	known   map[string]bool
	tables  []*joining
	indexes []*overlay
	full    map[string]bool // items that store what their key tells as well
	told    map[string]bool // names that filters and conditions test: they are stored, whatever the key tells
	literal map[string]string
	fillers bool // steps list what lay between the kinds that they ask for, even if it does no more
}

// A joining is a table of the model before, and how it joins.
type joining struct {
	was   *plan.Schema
	apart string // why it stays a table of its own; "": it joins
	own   bool   // its partition key begins with a literal that no other has
	group string // tables of one group join
}

// An overlay is a global index of the model before, and how it lies on one that it shares.
type overlay struct {
	was    *plan.Access
	of     *joining
	kinds  []*plan.Kind // that plans read there
	whole  bool         // it is scanned
	all    bool         // it projects everything, whatever the plans read
	bare   bool         // its key is made of the entity's attributes themselves
	native bool         // its attributes stay apart, each of its own type
	why    string       // what the compiler has against a text of all of them
	sparse sparseness   // which attributes come and go with the items that it leaves out
	own    bool         // its partition key begins with a literal that no other has
	number int          // of the index that it lies on, from 1
	moved  int          // where it lies if another place than the first that is free has turned out cheaper; 0: there
}

// sparseness says which attributes of an index's key an item lacks that is not to be in it.
type sparseness uint8

const (
	bothSparse sparseness = iota
	partitionSparse
	sortSparse
)

// OneTable puts what lies in the tables of a model into one: the school single-table. Tables that cannot join stay as
// they are, and decisions say why. The model has to be without errors.
func OneTable(ctx context.Context, r *spec.Requirements, m *plan.Model, prices *capacity.Prices) (*plan.Model, error) {
	s := &overload{req: r, prices: prices, from: m, known: map[string]bool{}, full: map[string]bool{}, literal: map[string]string{}}
	var problems []plan.Problem
	s.was, problems = plan.Compile(m, r)
	for _, x := range problems {
		if x.Severity == plan.Error {
			return nil, fmt.Errorf("design: one table of a model with mistakes: %s", x)
		}
		s.known[x.Code+x.Message] = true
	}
	s.told = testedNames(m)
	s.study()
	for found := s.problems(); len(found) > 0; found = s.problems() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s.concede(found)
	}
	if err := s.settle(ctx); err != nil {
		return nil, err
	}
	return s.explained(), nil
}

// testedNames lists the names that filters and conditions of a model test.
func testedNames(m *plan.Model) map[string]bool {
	out := map[string]bool{}
	add := func(texts ...string) {
		for _, text := range texts {
			c, err := spec.ParseCondition(text)
			if err != nil {
				continue
			}
			for t := range spec.Tests(c) {
				if len(t.Path) > 0 {
					out[t.Path[0]] = true
				}
				for _, a := range t.Args {
					for x := range a.Terms() {
						if len(x.Path) > 0 {
							out[x.Path[0]] = true
						}
					}
				}
			}
		}
	}
	var step func(s plan.Step)
	step = func(s plan.Step) {
		add(s.Filter)
		add(s.If...)
		for _, name := range slices.Concat(s.Remove, slices.Collect(maps.Keys(s.Set)), slices.Collect(maps.Keys(s.Add))) {
			first, _, _ := strings.Cut(name, ".")
			out[first] = true
		}
		for _, a := range slices.Concat(s.Transact, s.TransactGet, s.BatchWrite) {
			step(a)
		}
	}
	for _, p := range m.Plans {
		add(p.Answer.Keep)
		for _, s := range p.Steps {
			step(s)
		}
	}
	return out
}

// study finds out what there is to join.
func (s *overload) study() {
	scanned := map[string]bool{}
	read := map[string][]string{} // Table.Index → items
	for _, p := range s.from.Plans {
		for _, name := range p.StepNames() {
			step := p.Steps[name]
			if step.Scan != "" {
				scanned[step.Scan] = true
			}
			for _, it := range step.Items {
				read[step.Query+step.Scan] = appendNew(read[step.Query+step.Scan], it)
			}
		}
	}
	for _, t := range s.was.Tables {
		j := &joining{was: t, group: s.settings(t), apart: s.unfit(t, scanned[t.Name])}
		s.tables = append(s.tables, j)
		for _, a := range t.Indexes {
			x := &overlay{was: a, of: j, whole: scanned[a.Name()]}
			for _, k := range t.Kinds {
				in, _ := k.In(a)
				if slices.Contains(read[a.Name()], k.Name) || in && read[a.Name()] == nil { // the consumer of a stream may read it
					x.kinds = append(x.kinds, k)
				}
			}
			if a.Global() && len(x.kinds) > 0 {
				x.why = x.stiff()
				x.bare = x.why != ""
				s.indexes = append(s.indexes, x)
			}
		}
	}
	taken := map[string]bool{}
	for _, j := range s.tables {
		for _, k := range j.was.Kinds {
			text := screaming(k.Name)
			for taken[text] {
				text += "_"
			}
			taken[text] = true
			s.literal[k.Name] = text
		}
	}
}

// settings is what tables have to have in common to be one.
func (s *overload) settings(t *plan.Schema) string {
	text := t.Document.Class
	if text == "standard" {
		text = ""
	}
	if b := t.Document.Billing; b != (plan.Billing{}) {
		text += " provisioned"
	}
	var groups []string
	for _, k := range t.Kinds {
		groups = appendNew(groups, k.Entity.Group)
	}
	slices.Sort(groups)
	return strings.TrimSpace(text + " " + strings.Join(groups, " "))
}

// unfit is why a table cannot join others; "" if it can.
func (s *overload) unfit(t *plan.Schema, scanned bool) string {
	if scanned {
		return "it is scanned, and a scan of one table for all would read everything else as well"
	}
	if slices.ContainsFunc(t.Indexes, func(a *plan.Access) bool { return a.Local }) {
		return "it has a local index, with which no item collection of the table may be larger than 10 GB"
	}
	return ""
}

// problems are what the compiler has against the model as it stands, and had not before.
func (s *overload) problems() []plan.Problem {
	_, all := plan.Compile(s.model(), s.req)
	return slices.DeleteFunc(all, func(x plan.Problem) bool { return s.known[x.Code+x.Message] })
}

// concede writes something in another way, so that there are fewer problems. If nothing alone helps, what the first
// problem is about stays as it was.
func (s *overload) concede(found []plan.Problem) {
	tables, indexes, items := s.about(found[0])
	for _, c := range s.concessions(tables, indexes, items, found[0].Message) {
		undo := c()
		if now := s.problems(); len(now) < len(found) {
			return
		}
		undo()
	}
	if !slices.ContainsFunc(tables, func(j *joining) bool { return j.apart == "" }) {
		tables = s.tables
	}
	for _, j := range tables {
		if j.apart == "" {
			j.apart = "the compiler refuses its keys beside others: " + found[0].Message
		}
	}
}

// about are the tables, indexes and items of the model before that a problem can be about.
func (s *overload) about(x plan.Problem) (tables []*joining, indexes []*overlay, items []string) {
	table := func(t *plan.Schema) {
		for _, j := range s.tables {
			if j.was == t && !slices.Contains(tables, j) {
				tables = append(tables, j)
			}
		}
	}
	item := func(name string) {
		name, _, _ = strings.Cut(name, ".")
		k := s.was.Kind(name)
		if k == nil || slices.Contains(items, name) {
			return
		}
		items = append(items, name)
		for _, o := range s.indexes {
			if slices.Contains(o.kinds, k) && !slices.Contains(indexes, o) {
				indexes = append(indexes, o)
			}
		}
		table(k.Table)
	}
	var step func(d plan.Step)
	step = func(d plan.Step) {
		for _, name := range append([]string{d.Get, d.BatchGet, d.Put, d.Update, d.Delete, d.Check}, d.Items...) {
			item(name)
		}
		for _, a := range slices.Concat(d.Transact, d.TransactGet, d.BatchWrite) {
			step(a)
		}
	}
	switch {
	case len(x.Path) > 3 && x.Path[0] == "tables" && x.Path[2] == "items":
		item(x.Path[3])
	case len(x.Path) > 1 && x.Path[0] == "plans":
		for _, p := range s.from.Plans {
			if p.Name != x.Path[1] {
				continue
			}
			for _, name := range p.StepNames() {
				if len(x.Path) < 4 || x.Path[3] == name {
					step(p.Steps[name])
				}
			}
		}
	}
	return tables, indexes, items
}

// A concession writes something in another way, and answers how to undo that.
type concession func() (undo func())

// concessions are the ways in which these can give in, the gentlest first.
func (s *overload) concessions(tables []*joining, indexes []*overlay, items []string, why string) (out []concession) {
	if !s.fillers {
		out = append(out, func() func() {
			s.fillers = true
			return func() { s.fillers = false }
		})
	}
	for _, name := range items {
		if !s.full[name] {
			out = append(out, func() func() {
				s.full[name] = true
				return func() { delete(s.full, name) }
			})
		}
	}
	for _, o := range indexes {
		if o.of.apart != "" {
			continue
		}
		was := *o
		change := func(set func()) {
			out = append(out, func() func() {
				set()
				return func() { *o = was }
			})
		}
		if !o.native && !o.bare {
			change(func() { o.sparse = partitionSparse })
			change(func() { o.sparse = sortSparse })
		}
		change(func() { o.own = true })
		change(func() { o.all = true })
		if !o.native && !o.bare {
			change(func() { o.bare, o.why = true, why })
		}
		if !o.native {
			change(func() { o.native, o.bare, o.why = true, false, cmp.Or(o.why, why) })
			change(func() { o.native, o.bare, o.all, o.why = true, false, true, cmp.Or(o.why, why) })
		}
	}
	for _, j := range tables {
		if j.apart == "" && !j.own {
			out = append(out, func() func() {
				j.own = true
				return func() { j.own = false }
			})
		}
	}
	return out
}

// settle looks at what the model costs and carries: what exceeds a limit because keys are longer, or because others
// lie under them, gives in, and indexes change places where that makes projections smaller.
func (s *overload) settle(ctx context.Context) error {
	before := over(cost.Price(s.was, s.prices))
	now, overs := s.price()
	for again := true; again && overs > before; {
		again = false
		for _, c := range s.cooler() {
			if err := ctx.Err(); err != nil {
				return err
			}
			undo := c()
			if total, fewer := s.price(); fewer < overs && len(s.problems()) == 0 {
				now, overs, again = total, fewer, true
				break
			}
			undo()
		}
	}
	tries := maxMoves
	for i, a := range s.indexes {
		for _, b := range s.indexes[:i] {
			if a.of.apart != "" || b.of.apart != "" || a.number == b.number || tries == 0 {
				continue
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			tries--
			wasA, wasB := *a, *b
			a.moved, b.moved = b.number, a.number
			if total, hot := s.price(); hot <= overs && total < now && len(s.problems()) == 0 {
				now, overs = total, hot
				continue
			}
			*a, *b = wasA, wasB
		}
	}
	return nil
}

// cooler are the ways in which tables and indexes can give in whose keys are too hot, the gentlest first.
func (s *overload) cooler() (out []concession) {
	const why = "with more in its entries the hottest key would take more than a partition can"
	for _, j := range s.tables {
		if j.apart == "" && !j.own {
			out = append(out, func() func() {
				j.own = true
				return func() { j.own = false }
			})
		}
	}
	for _, o := range s.indexes {
		if was := *o; o.of.apart == "" && !o.bare {
			out = append(out, func() func() {
				o.bare, o.native, o.why = true, false, why
				return func() { *o = was }
			})
		}
	}
	for _, j := range s.tables {
		if j.apart == "" {
			out = append(out, func() func() {
				j.apart = "beside the others the hottest key would take more than a partition can"
				return func() { j.apart = "" }
			})
		}
	}
	return out
}

// maxMoves is how many places of indexes are tried against each other by price.
const maxMoves = 60

// price is what the model as it stands costs a month, and how many limits it exceeds.
func (s *overload) price() (capacity.Money, int) {
	p, _ := plan.Compile(s.model(), s.req)
	r := cost.Price(p, s.prices)
	return r.Total(), over(r)
}

// over counts the limits that a model exceeds, and the keys that DynamoDB has to divide.
func over(r *cost.Report) (n int) {
	for _, l := range r.Loads {
		if l.Heat > 1 {
			n++
		}
	}
	for _, f := range r.Findings() {
		if f.Over {
			n++
		}
	}
	return n
}
