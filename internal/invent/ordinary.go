package invent

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Ordinary makes requirements of a size: so many entities and about so many access patterns. They ask for what most
// applications ask for, parents with children and grandchildren, references, states, lists by parent, by reference and by
// state, counts, and writes of all of it, and for nothing that is hard to serve. What it makes says how long the designer
// takes, where [Requirements] looks for what it cannot do. The same arguments give the same text.
func Ordinary(seed uint64, entities, patterns int) []byte {
	o := &ordinary{Rand: rand.New(rand.NewPCG(seed, 7))}
	o.entities.WriteString("entities:\n")
	o.patterns.WriteString("patterns:\n")
	for len(o.all) < entities {
		o.family(min(1+o.IntN(5), entities-len(o.all)))
	}
	for i := 0; o.n < patterns && i < 20*patterns; i++ {
		o.more(o.all[i%len(o.all)])
	}
	return []byte(fmt.Sprintf("tablewright: 1\napplication:\n  name: ordinary-%d-%d\n  figures: invented\n", entities, patterns) + o.entities.String() + o.patterns.String())
}

// ordinary is an application in the making.
type ordinary struct {
	*rand.Rand
	entities, patterns strings.Builder
	all                []*ordinaryEntity
	n                  int // patterns so far
}

type ordinaryEntity struct {
	name, id string
	parent   *ordinaryEntity // nil: none
	key      []string        // its identity
	to       *ordinaryEntity // what it refers to; nil: nothing
	rate     float64         // of creations a second
	count    int
	asked    int    // kinds of further patterns so far
	child    string // a way back to children; none: there are none
}

func (o *ordinary) pattern(name, format string, args ...any) {
	o.n++
	fmt.Fprintf(&o.patterns, "  %s: {%s}\n", name, fmt.Sprintf(format, args...))
}

func rate(x float64) string {
	return fmt.Sprintf("rate: {average: %s/s, peak: %s/s}", number(round(x)), number(round(10*x)))
}

// family is a root and what belongs to it: children, and children of these.
func (o *ordinary) family(n int) {
	roots := o.all
	var here []*ordinaryEntity
	for i := range n {
		e := &ordinaryEntity{name: fmt.Sprintf("Thing%d", len(o.all)+1), id: fmt.Sprintf("thing%dId", len(o.all)+1)}
		var attributes strings.Builder
		switch {
		case i == 0:
			e.key, e.rate, e.count = []string{e.id}, 0.001*float64(1+o.IntN(50)), 10_000*(1+o.IntN(20))
			fmt.Fprintf(&attributes, "      %s: {type: string, generated: ulid}\n", e.id)
		default:
			e.parent = here[o.IntN(min(len(here), 2))]
			per := []int{3, 8, 20, 40}[o.IntN(4)]
			e.rate = e.parent.rate * float64(per)
			if len(e.parent.key) == 1 {
				e.key = []string{e.parent.id, e.id}
				fmt.Fprintf(&attributes, "      %s: {parent: %s, inverse: %ss, per-parent: {average: %d, max: %d}}\n", e.parent.id, e.parent.name, strings.ToLower(e.name), per, 20*per)
			} else {
				e.parent = here[0]
				e.rate = e.parent.rate * float64(per)
				e.key = []string{e.id}
				fmt.Fprintf(&attributes, "      %s: {references: %s, inverse: %ss, per-parent: {average: %d, max: %d}}\n", e.parent.id, e.parent.name, strings.ToLower(e.name), per, 20*per)
			}
			e.count = e.parent.count * per
			e.parent.child = strings.ToLower(e.name) + "s"
			fmt.Fprintf(&attributes, "      %s: {type: string, generated: ulid}\n", e.id)
			if len(roots) > 0 && o.IntN(4) == 0 {
				if to := roots[o.IntN(len(roots))]; len(to.key) == 1 && to.parent == nil {
					e.to = to
					fmt.Fprintf(&attributes, "      %s: {references: %s, inverse: %ssThere, per-parent: {average: %s, max: %d}}\n", to.id, to.name, strings.ToLower(e.name), number(round(float64(e.count)/float64(to.count))), max(2_000, 20*e.count/to.count))
				}
			}
		}
		attributes.WriteString("      at: {type: timestamp, generated: now}\n")
		attributes.WriteString("      due: timestamp\n")
		attributes.WriteString("      label: {type: string, bytes: {average: 24, max: 120}}\n")
		attributes.WriteString("      amount: {type: number, digits: 8, scale: 2}\n")
		attributes.WriteString("      state: {states: [fresh, open, closed], share: {fresh: 5%, open: 15%}}\n")
		fmt.Fprintf(&o.entities, "  %s:\n    identity: [%s]\n    attributes:\n%s    bytes: {average: %d, max: %d}\n", e.name, strings.Join(e.key, ", "), attributes.String(), 250+50*o.IntN(8), 2_000)
		if e.parent == nil || len(e.key) == 1 {
			fmt.Fprintf(&o.entities, "    count: %d\n", e.count)
		}
		requires := ""
		if e.parent != nil {
			requires = ", requires: [" + strings.ToLower(e.parent.name[:1]) + e.parent.name[1:] + "]"
		}
		o.pattern("add"+e.name, "write: {create: %s%s}, %s", e.name, requires, rate(e.rate))
		o.all, here = append(o.all, e), append(here, e)
	}
}

// more adds the next access pattern of an entity.
func (o *ordinary) more(e *ordinaryEntity) {
	e.asked++
	given := strings.Join(e.key, ", ")
	switch e.asked {
	case 1:
		with := ""
		if e.child != "" && o.IntN(3) == 0 {
			with = ", with: [" + e.child + "]"
		}
		o.pattern("get"+e.name, "read: %s%s, given: [%s], %s", e.name, with, given, rate(3*e.rate))
	case 2:
		if e.parent != nil {
			o.pattern("list"+e.name, "read: %s, given: [%s], order: at descending, page: %d, %s", e.name, e.parent.id, []int{10, 25, 50}[o.IntN(3)], rate(2*e.rate))
			return
		}
		o.pattern("change"+e.name, "write: {update: %s, set: [label, amount]}, %s", e.name, rate(e.rate))
	case 3:
		o.pattern("move"+e.name, "write: {update: %s, set: [state]}, %s", e.name, rate(e.rate/2))
	case 4:
		if e.to != nil {
			o.pattern("listThere"+e.name, "read: %s, given: [%s], order: at descending, page: 20, %s", e.name, e.to.id, rate(e.rate/2))
		}
	case 5:
		if e.parent != nil {
			o.pattern("listOpen"+e.name, "read: %s, given: [%s], where: state = open, order: due, results: {average: 2, max: 40}, %s", e.name, e.parent.id, rate(e.rate))
		}
	case 6:
		o.pattern("remove"+e.name, "write: {delete: %s}, %s", e.name, rate(e.rate/10))
	case 7:
		if e.parent != nil {
			o.pattern("listDue"+e.name, "read: %s, given: [%s], where: due between $from and $to, order: due, results: {average: 2, max: 40}, %s", e.name, e.parent.id, rate(e.rate/3))
		}
	}
}
