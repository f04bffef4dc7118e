package rules

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/stats"
)

var readBeforeWrite = &Rule{
	ID:       "read-before-write",
	Title:    "Items read only to be written",
	Category: Cost,
	Looks:    "At gets that are followed by a put or an update of the same item by the same caller, and at what conditions those writes have.",
	Fires: "When at least a tenth of an access pattern's gets are followed by a put without a condition, or with one that only asks whether the item is there; " +
		"or by an update that asks nothing of what was read, of an access pattern half of whose calls follow a get, where two in five of those gets are followed by it (a quarter, where they have no name). An update with a condition does all of that in " +
		"one request, and answers the item. The saving is the units of the gets.",
	Rests: "When half a minute and more lies between the two, since somebody looked at the item. When the write asks for what was read, such as a version or a state: that needs the read. When other callers, or a later request of the same " +
		"user, write what was read. When items are read, and made only if they are not there. On writes in transactions, which often need values of several items.",
	Sources: []string{page("Expressions.ConditionExpressions"), page("WorkingWithItems"), page("read-write-operations")},
	Find:    findReadBeforeWrite,
}

const (
	// preceded is the share of an access pattern's updates that have to follow a get, and serving that of the gets that have to be
	// followed by a write: others read for a purpose of their own, and touch the item by the way, or make it if it is not there.
	preceded = 0.5
	serving  = 0.1
	// servingUpdates is serving of updates, where the gets are of an access pattern that has a name, and servingUnnamed where they are not, and may be
	// of many patterns. Who reads, and touches the item now and then, needs the read.
	servingUpdates = 0.4
	servingUnnamed = 0.25
	// considered is how long after the get a write comes that somebody thought about, who had to see the item.
	considered = 30 * time.Second
)

func findReadBeforeWrite(in *Input) (found []Finding) {
	for _, e := range in.episodes(stats.ReadPut) {
		if e.Operation == "PutItem" && in.serves(e) {
			found = append(found, in.readBeforePut(e))
		}
	}
	for _, e := range in.episodes(stats.ReadPutChecked) {
		if e.Operation == "PutItem" && in.serves(e) && !in.asks(e) {
			found = append(found, in.readBeforePut(e))
		}
	}
	for _, e := range in.episodes(stats.ReadUpdate) {
		if o := in.completes(e); e.Operation == "UpdateItem" && o != nil && e.Count >= preceded*o.Calls && in.servesUpdates(e) && !in.asks(e) {
			found = append(found, in.readBeforeUpdate(e))
		}
	}
	return found
}

// serves reports whether the gets of an episode's access pattern are there for the write: not to read, and seldom to write then, and
// not of workers who come to the same item by chance.
func (in *Input) serves(e *stats.Episode) bool {
	o := in.begins(e)
	return in.related(e) && e.Took <= considered && (o == nil || e.Count >= serving*itemsAsked(o) && !makes(e, o))
}

// makes reports whether what is written is what was not there, and what is there is only read: a copy of something else, such as a cache,
// or settings that are made when they are first asked for.
func makes(e *stats.Episode, gets *stats.Operation) bool {
	return e.Returned < 0.1*e.Count && gets.Items >= 0.2*itemsAsked(gets)
}

// itemsAsked is how many items gets asked for, one by one or in batches.
func itemsAsked(gets *stats.Operation) float64 { return max(gets.Calls, gets.Parts) }

func (in *Input) servesUpdates(e *stats.Episode) bool {
	least := servingUpdates
	if e.FirstPattern == "" && (e.First != "" || e.Pattern == "") {
		least = servingUnnamed
	}
	o := in.begins(e)
	return in.serves(e) && (o == nil || e.Count >= least*itemsAsked(o))
}

// asks reports whether the write of an episode has a condition on more than the item's key: on what was read.
func (in *Input) asks(e *stats.Episode) bool {
	o := in.completes(e)
	if o == nil || o.Detailed == 0 {
		return true // not known
	}
	if o.Conditional < 0.1*o.Detailed {
		return false
	}
	keys := in.keysOf(e)
	for name, a := range o.Attributes {
		if tested := a.Tested - a.Keyed - a.Sifted - a.Reckoned; tested > 0.1*o.Detailed && !slices.Contains(keys, name) {
			return true
		}
	}
	return false
}

// keysOf are the attributes of the table's key, as it is declared or as the example of an episode has them.
func (in *Input) keysOf(e *stats.Episode) (names []string) {
	if t := in.table(e.Table); t != nil {
		return t.keyAttributes("")
	}
	for name := range attr.Members([]byte(e.Key)) {
		names = append(names, string(name))
	}
	return names
}

func (in *Input) readBeforePut(e *stats.Episode) Finding {
	f := in.readBefore(e, "put")
	f.Remedy.Text = "Change the item without reading it: by an update of the attributes that change, which reckons with what is stored (add, append, set if absent), " +
		"and says by a condition what must be true of it. Where the get only looks whether the item is there, Create and Replace ask that with the write. " +
		"An item that does not meet the condition comes with the error, free of read units. Where a change needs all of what was read, keep the get and " +
		"give the item a version."
	f.Remedy.Snippets = []Snippet{{"go", "item, err := Items.Update(key, Items.Count.Plus(1)).If(Items.State.Equals(Open)).New(ctx, db)\n" +
		"if stored, ok := Items.Refused(err); ok { … } // what did not meet the condition"}}
	f.Because = "The new value may depend on the whole item in a way that no update expression can say."
	return f
}

func (in *Input) readBeforeUpdate(e *stats.Episode) Finding {
	f := in.readBefore(e, "update")
	f.Remedy.Text = "Leave the get away. An update answers the item as it was or as it is then, without read units; it refuses if there is none, and a condition " +
		"says what else must be true of it, which nobody can change in between. A value that is made of what was read loses what somebody else wrote meanwhile: have the " +
		"update reckon with what is stored, or demand that it is still what was read."
	f.Remedy.Snippets = []Snippet{{"go", "item, err := Items.Update(key, Items.SeenAt.Set(now)).If(Items.Owner.Equals(user)).New(ctx, db) // tablewright.ErrNotFound: there is none"}}
	f.Because = "What was read may decide whether, or how, the item is written."
	return f
}

// readBefore is what is the same for puts and updates.
func (in *Input) readBefore(e *stats.Episode, write string) Finding {
	reads := in.perSecond(e.Read)
	f := Finding{
		Table: e.Table, Key: e.Key, Cause: cause(ofWrites, e.Table, e.Operation, e.Pattern),
		Saving: &Saving{Before: in.reads(e.Table, reads), ReadBefore: reads,
			Assumes: "No get is left that only served the write; the write consumes what it does now."},
		Faster:     &Faster{RoundTrips: in.perSecond(e.Count)},
		Remedy:     Remedy{Ease: Code},
		Confidence: 0.6,
	}
	f.Title = fmt.Sprintf("%s reads the item before each %s, %s, for %s", completing(e), write, rate(in.perSecond(e.Count)), monthly(f.Saving.Before))
	f.Severity = f.Saving.severity()
	f.Evidence = []Evidence{{What: "gets that the same caller followed by a " + write + " of the item", Value: in.perSecond(e.Count), Unit: "a second"}}
	if o := in.completes(e); o != nil && o.Calls > 0 {
		f.Evidence = append(f.Evidence, Evidence{What: "of all calls of " + completing(e), Value: 100 * min(e.Count/o.Calls, 1), Unit: "%"})
	}
	f.Evidence = append(f.Evidence, Evidence{What: "read units of these gets", Value: reads, Unit: "read units/s"})
	if before := typical(in.begins(e)); before > 0 && e.Took > before {
		f.Faster.Before, f.Faster.After = e.Took, e.Took-before
	}
	in.taking(&f, e)
	if first := beginning(e); !strings.EqualFold(first, completing(e)) {
		f.Evidence[0].What += ", by " + first
	}
	return f
}
