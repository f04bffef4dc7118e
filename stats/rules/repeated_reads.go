package rules

import (
	"fmt"
	"time"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/stats"
)

var repeatedReads = &Rule{
	ID:       "repeated-reads",
	Title:    "The same items read again and again",
	Category: Cost,
	Looks: "At gets of an item that the same caller got a moment before, and that nobody wrote since; and at the items with the most load: how often they are read and " +
		"written, and what share of all gets they have.",
	Fires: "When at least a fifth of an access pattern's gets repeat one of the same caller; or when a few items, six at most, have six tenths of the units of its gets, " +
		"are read a hundred times as often as written, and a cache of a minute saves five dollars a month. The share that a cache answers is computed from the rates of reads and writes of " +
		"each item, for each process.",
	Rests: "When reads are strongly consistent, since who asks for that does not want a copy; when a caller comes back after a second or more, as one that waits for a change; " +
		"when reads are spread over many items, if unevenly: the bestsellers of a shop; when items are written nearly as often as read.",
	Sources: []string{page("bp-partition-key-design"), page("HowItWorks.ReadConsistency"), page("read-write-operations")},
	Find:    findRepeatedReads,
}

const (
	// repeated is the share of gets that have to repeat another one.
	repeated = 0.2
	// moment is how long after a get another one is of the same task, and not to see whether something changed.
	moment = time.Second
	// fewHot is how many items are few, and hotShare the share of the gets' units that they have together.
	fewHot, hotShare = 6, 0.6
	// readOften is how often such an item is read for each time that it is written.
	readOften = 100
	// kept is for how long the cache of the remedy keeps an item, and settling for how long it does not after a write: see
	// cache.Options.
	kept, settling = time.Minute, time.Second
	// cacheWorth is a month's saving below which a cache is not worth its memory and its staleness.
	cacheWorth = 5 * capacity.Dollar
)

func findRepeatedReads(in *Input) (found []Finding) {
	for _, e := range in.episodes(stats.ReadAgain) {
		o := in.completes(e)
		if o == nil || e.Operation != "GetItem" || e.Count-in.ofOthers(e) < repeated*o.Calls || e.Took > moment || !in.related(e) || o.Consistent > 0.5*o.Detailed || e.Calls < in.Thresholds.FewCalls {
			continue
		}
		found = append(found, in.readAgain(e, o))
	}
	for _, o := range in.Stats.Operations {
		if o.Operation == "GetItem" && o.Calls >= in.Thresholds.FewCalls && o.Consistent <= 0.1*o.Detailed {
			if f := in.readOften(o); f != nil {
				found = append(found, *f)
			}
		}
	}
	return found
}

// ofOthers is how many of such gets are another caller's of the same context, who is about to write the item too.
func (in *Input) ofOthers(e *stats.Episode) (n float64) {
	for _, w := range in.Stats.Episodes {
		switch w.Kind {
		case stats.ReadPut, stats.ReadPutChecked, stats.ReadUpdate:
			if w.Table == e.Table && w.First == e.Operation && w.FirstPattern == e.Pattern {
				n += in.crossed(w)
			}
		}
	}
	return n
}

func (in *Input) readAgain(e *stats.Episode, o *stats.Operation) Finding {
	units := in.perSecond(e.Read / e.Calls * e.Count)
	f := in.cached(o, units)
	f.Key = e.Key
	f.Title = fmt.Sprintf("%s gets again what the same caller got just before: %s of its calls", completing(e), percent(min(e.Count/o.Calls, 1)))
	f.Evidence = []Evidence{
		share("of its gets are of an item that the same caller had got, and nobody wrote since", min(e.Count/o.Calls, 1), repeated, ""),
		{What: "from one get to the next, on average", Value: float64(e.Took) / 1e6, Unit: "ms", Limit: float64(moment) / 1e6},
		{What: "read units of the repeated gets", Value: units, Unit: "read units/s"},
	}
	f.Remedy.Text = "Get the item once and hand it on to what needs it, by the context of the request or as a parameter. Where that is far apart in the program, a cache does it: a hook that " +
		"answers eventually consistent gets from memory, forgets what this process writes, and joins equal reads under way. What others write is seen when its time is over."
	f.Saving.Assumes = "Every get that repeats one is left out."
	f.Confidence, f.Because = 0.8, "The second get may be there to see what changed in between."
	return f
}

// hotItem is an item of the list of those with the most load, as a cache would see it.
type hotItem struct {
	read   float64 // units a second
	hits   float64 // share of the gets that a cache in each process answers
	gets   float64 // a second
	often  bool
	writes float64
}

// readOften is the finding that a few items are read all the time.
func (in *Input) readOften(o *stats.Operation) *Finding {
	var few []hotItem
	var hot, saved float64
	written := in.unitsOfWrite(o.Table)
	for i := range in.Stats.Items.List {
		k := &in.Stats.Items.List[i]
		if k.Table != o.Table || k.Operation != o.Operation || k.Pattern != o.Pattern {
			continue
		}
		item := in.hotItem(k, written)
		saved += item.read * item.hits
		if item.often && len(few) < fewHot {
			few = append(few, item)
			hot += item.read
		}
	}
	all := in.perSecond(o.Read)
	if len(few) == 0 || hot < hotShare*all {
		return nil
	}
	saved = min(saved, all)
	f := in.cached(o, saved)
	if f.Saving.Monthly() < cacheWorth {
		return nil
	}
	f.Title = fmt.Sprintf("%s reads %s %s of the time: a cache saves %s", called(o.Operation, o.As, o.Pattern, o.Table, ""), theSame(len(few)), percent(min(hot/all, 1)), monthly(f.Saving.Monthly()))
	f.Evidence = []Evidence{
		share(fmt.Sprintf("of its read units are of %s", theSame(len(few))), min(hot/all, 1), hotShare, ""),
		{What: "gets of the most read one", Value: few[0].gets, Unit: "a second"},
		{What: "writes of it", Value: few[0].writes, Unit: "a second"},
		share("of all its units that a cache of one minute in each process answers", saved/all, 0, ""),
	}
	f.Remedy.Text = "Keep what is read in a cache: a hook that answers eventually consistent gets from memory, forgets what this process writes, and joins equal reads under way. Writes of " +
		"other processes are seen when the time of an item is over, a minute here, or at once where a consumer of the table's stream calls Drop. What decides about money or permission is " +
		"read with Consistent, which goes past it."
	f.Saving.Assumes = fmt.Sprintf("Items may be a minute old; reads stay spread over %s.", processes(in.Stats.Sources))
	f.Confidence, f.Because = 0.75, "Only the program's owner knows whether a minute is too old."
	return &f
}

// unitsOfWrite is what one write of an item of a table consumes of it, on average; 1 if none was seen.
func (in *Input) unitsOfWrite(table string) float64 {
	var calls, units float64
	for _, o := range in.operations(table, "", "PutItem", "UpdateItem", "DeleteItem") {
		calls += o.Outcomes[stats.Done]
		for _, a := range o.Arms {
			if a.Table == table && a.Index == "" {
				units += a.Write
			}
		}
	}
	if calls == 0 || units < calls {
		return 1
	}
	return units / calls
}

func (in *Input) hotItem(k *stats.Key, unitsOfWrite float64) (item hotItem) {
	n := float64(max(in.Stats.Sources, 1))
	writes := min(k.Write/unitsOfWrite, k.Calls)
	item.read, item.writes, item.gets = in.perSecond(k.Read), in.perSecond(writes), in.perSecond(k.Calls-writes)
	if item.gets <= 0 {
		return item
	}
	gets := item.gets / n
	// One get brings the item, and those of a minute find it: a round is that and the wait for the next get. A write begins a second
	// in which gets go past, and ends the round.
	misses := 1/(kept.Seconds()+1/gets) + item.writes/n*(gets*settling.Seconds()+1)
	item.hits = max(1-misses/gets, 0)
	item.often = item.gets >= readOften*item.writes && gets*kept.Seconds() >= fewEpisodes
	return item
}

// cached is what both findings have in common: units per second that are not read any more.
func (in *Input) cached(o *stats.Operation, saved float64) Finding {
	all := in.perSecond(o.Read)
	f := Finding{
		Table: o.Table, Cause: cause(ofReads, o.Table, "", o.Operation, o.Pattern),
		Saving: &Saving{Before: in.reads(o.Table, all), After: in.reads(o.Table, all-saved), ReadBefore: all, ReadAfter: all - saved},
		Faster: &Faster{Before: typical(o)},
		Remedy: Remedy{
			Snippets: []Snippet{{"go", fmt.Sprintf("near, err := cache.New(cache.Options{TTL: time.Minute, Tables: []string{%q}})\n"+
				"db, err := tablewright.Connect(ctx, tablewright.Options{Hooks: []tablewright.Hook{near.Hook}})", o.Table)}},
			Ease: Code,
		},
	}
	if o.Read > 0 {
		f.Faster.RoundTrips = in.perSecond(o.Calls) * saved / all
	}
	f.Severity = f.Saving.severity()
	in.affect(&f, o)
	return f
}

func theSame(n int) string {
	if n == 1 {
		return "one item"
	}
	return number(float64(n)) + " items"
}

func processes(n int) string {
	if n <= 1 {
		return "one process"
	}
	return number(float64(n)) + " processes"
}
