package design

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tablewright/tablewright/spec"
)

// verb of a read step.
type verb uint8

const (
	verbGet verb = iota
	verbQuery
	verbScan
)

// A readStep is one request of a read plan, or one for each result of an earlier step.
type readStep struct {
	verb    verb
	kinds   []*spec.Entity // whose own items it asks for; the step is for the first
	index   *indexShape    // nil: the table itself
	need    []string       // columns that its items must have; of an index, that it must project
	copies  []ref          // of these, what its items hold for it alone
	after   string         // the step whose answer it must not be older than
	keepers []*indexShape  // by which the consumer of a stream finds what holds copies
	eqs     []equality     // parts it binds by equality, in the order of the key
	rng     *interval      // the range behind them; nil: none
	down    bool           // descending
	limit   int            // items evaluated per request; 0: no limit
	last    bool           // of children, it finds the newest alone
	as      string         // the way to what a write reads first, where it reads another one of the kind as well
	each    string         // the list of a write's parameters whose elements it is repeated for; "": once
	prev    int            // the step whose results it runs for; -1: none
	of      *spec.Entity   // whose grandchildren it reads for each of these, where it is not for their parents; else nil
	atOnce  bool           // it reads by what all entities of a way share, instead of each by its key
	late    bool           // it waits for the condition of the write
	strong  bool
	alone   bool     // no other step has to see the same moment
	filter  []string // conditions at the service
	conds   []string // which a write that needs it demands of what it finds
	orElse  string   // the refusal of these

	found  matches // of the first kind, per request
	per    matches // requests: one, or as many as the earlier step finds
	marker []*spec.Attribute
	parts  which           // of the first kind, where that lies in two
	aside  *spec.Attribute // it reads what is counted of the first kind instead
	inside *embedding      // what the step is for are the children inside its items
	lists  []*roster       // whose markers in the collection it asks for as well
}

// keysOnly reports whether the step is read for its keys only, so that a keys-only index serves it.
func (t *readStep) keysOnly() bool { return len(t.need) == 0 }

// indexShape is a secondary index but for what it projects.
type indexShape struct {
	entity *spec.Entity // whose own items it holds
	shape
	local  bool            // an LSI
	sparse spec.Condition  // under which an item is in it; nil: always
	all    bool            // everything lies under one value, because nothing is given
	state  *spec.Attribute // that the condition tests
	apart  bool            // its key has an attribute of its own, so that no other kind of the table is in it
	id     string          // canonical
}

// marked reports whether the index's partition has an attribute of its own that says that an item is in it. The partition of a local
// index is the table's: its sort key says so.
func (x *indexShape) marked() bool { return x.sparse != nil && !x.local || x.all }

func newIndexShape(e *spec.Entity, s shape, local bool) *indexShape {
	x := &indexShape{entity: e, shape: s, local: local}
	x.id = x.describe()
	return x
}

func (x *indexShape) describe() string {
	var b strings.Builder
	b.WriteString(x.entity.Name + x.shape.key())
	if x.local {
		b.WriteString(" local")
	}
	if x.sparse != nil {
		b.WriteString(" if " + x.sparse.String())
	}
	return b.String()
}

// matches is a number of items: a rank law over its members, or exactly one.
type matches struct {
	average, most float64
	members       float64            // values that the number is spread over
	per           *spec.Relationship // the children of one parent: they coincide with its other children
	skew          spec.Skew          // of the law
	paged         bool               // over all pages; a request reads one
	limit         int                // of those, a request of the step before evaluates; 0: all
}

var oneMatch = matches{average: 1, most: 1, members: 1}

func (m matches) single() bool { return m.most <= 1 }

// A readPlan serves a demand.
type readPlan struct {
	demand    *demand
	steps     []*readStep
	keep      []string // conditions at the client
	sorted    bool     // the key gives the order; else the client sorts
	cut       bool     // each call reads everything, and the client makes the page
	stretched bool     // that is so much that it is a candidate only where nothing else serves
	from      []int    // steps the answer is made of
	rule      string   // the rule that made it
	name      string   // canonical
	points    int

	number    int // short for what tells it apart
	indexUses []indexUse
	within    string         // canonical: the demand, and how what it goes over is stored
	touched   []*spec.Entity // whose own items it reads, or their entries in indexes
	based     []*spec.Entity // of these, those whose items it reads
}

// uses are the indexes that a plan needs, each with the columns it must project.
func (p *readPlan) uses() []indexUse {
	var out []indexUse
	use := func(x *indexShape, need []string) {
		i := slices.IndexFunc(out, func(u indexUse) bool { return u.shape.id == x.id })
		if i < 0 {
			out = append(out, indexUse{x, need})
		} else {
			out[i].need = union(out[i].need, need)
		}
	}
	for _, t := range p.steps {
		if t.index != nil {
			use(t.index, t.need)
		}
		for _, x := range t.keepers {
			use(x, nil)
		}
	}
	return out
}

type indexUse struct {
	shape *indexShape
	need  []string
}

// union of two sorted lists without repetitions.
func union(a, b []string) []string {
	out := append(slices.Clone(a), b...)
	slices.Sort(out)
	return slices.Compact(out)
}

// contains reports whether sorted list a has all of b.
func containsAll(a, b []string) bool {
	for _, s := range b {
		if _, ok := slices.BinarySearch(a, s); !ok {
			return false
		}
	}
	return true
}

func (p *readPlan) describe() string {
	var b strings.Builder
	for i, t := range p.steps {
		if i > 0 {
			b.WriteString(", then ")
		}
		switch t.verb {
		case verbGet:
			b.WriteString("get ")
		case verbQuery:
			b.WriteString("query ")
		case verbScan:
			b.WriteString("scan ")
		}
		if t.last {
			b.WriteString("newest ")
		}
		for j, e := range t.kinds {
			if j > 0 {
				b.WriteString("+")
			}
			b.WriteString(e.Name)
		}
		for _, r := range t.lists {
			b.WriteString("+" + r.of[0].Entity.Name + " listed")
		}
		if t.marker != nil {
			b.WriteString(" by marker")
		}
		if t.aside != nil {
			b.WriteString("." + t.aside.Name)
		}
		b.WriteString([...]string{"", " part", " and part"}[t.parts])
		if t.index != nil {
			b.WriteString(" by " + t.index.shape.key())
			if t.index.local {
				b.WriteString(" local")
			}
			if t.index.sparse != nil {
				b.WriteString(" if " + t.index.sparse.String())
			}
			if t.keysOnly() {
				b.WriteString(" keys")
			}
		}
		if t.limit > 0 && len(t.filter) > 0 {
			b.WriteString(" " + strconv.Itoa(t.limit) + " at a time")
		}
		if t.inside != nil {
			b.WriteString(" with " + t.inside.way.Inverse + " inside")
		}
		if t.prev >= 0 && t.verb != verbScan {
			b.WriteString(" each")
			if t.of != nil {
				b.WriteString(" " + t.of.Name)
			}
		}
	}
	if p.cut {
		b.WriteString(", cut by the client")
	}
	for _, x := range p.finders() {
		if len(x.sort) > 0 {
			b.WriteString(", copies found by " + x.shape.key())
		}
	}
	return b.String()
}

// finders are the indexes by which the consumer of a stream finds what holds copies, each once.
func (p *readPlan) finders() (out []*indexShape) {
	for _, t := range p.steps {
		for _, x := range t.keepers {
			if !slices.ContainsFunc(out, func(y *indexShape) bool { return y.id == x.id }) {
				out = append(out, x)
			}
		}
	}
	return out
}

func membersOf(n float64) int64 { return int64(max(math.Round(n), 1)) }

// presence is the share of entities that have an attribute.
func presence(a *spec.Attribute) float64 {
	if !a.Optional {
		return 1
	}
	return a.Present
}
