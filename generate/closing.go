package generate

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/internal/show"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// tradeOffs says what the model pays for what it gives.
func (in *Input) tradeOffs(p *page) {
	var points []string
	var lagging []string
	var upkeep, storage = in.Price.Bill.Writes, in.Price.Bill.Storage
	upkeep, storage = 0, 0
	indexes := 0
	for _, t := range in.Program.Tables {
		for _, x := range t.Indexes {
			place := in.Price.Place(x.Name())
			indexes++
			upkeep += place.Bill.Writes
			storage += place.Bill.Storage
			if x.Global() {
				reads, _ := in.patternsOf(x)
				for _, r := range reads {
					lagging = appendNew(lagging, r)
				}
			}
		}
	}
	if indexes > 0 {
		points = append(points, fmt.Sprintf("**Indexes cost %s a month in writes and %s in storage**, %s of the whole, so that no read scans or makes a second round.",
			upkeep, storage, show.Percent(float64(upkeep+storage)/math.Max(float64(in.Price.Total()), 1))))
	}
	if len(lagging) > 0 {
		points = append(points, fmt.Sprintf("**Eventual consistency.** Global indexes follow their table with a delay, usually far below a second: %s may miss what was just written. Their requirements tolerate it; the proof ran with the delay on.", show.List(codes(lagging))))
	}
	var transactions []string
	for _, proc := range in.Program.Procedures {
		if slices.ContainsFunc(proc.Stages, func(s *plan.Stage) bool { return s.Verb == plan.Transact }) {
			transactions = append(transactions, proc.Name)
		}
	}
	if len(transactions) > 0 {
		points = append(points, fmt.Sprintf("**Transactions** double the table's write units and can be cancelled by another one on the same item, to be repeated: %s.", show.List(codes(transactions))))
	}
	for _, t := range in.Program.Tables {
		for _, k := range t.Kinds {
			for _, m := range k.Embeds {
				average, most := k.Entity.Bytes.Average+m.Way.PerParent.Average*m.Child.Bytes.Average, math.Max(k.Entity.Bytes.Max, k.Entity.Bytes.Average)+m.Way.PerParent.Max*math.Max(m.Child.Bytes.Max, m.Child.Bytes.Average)
				points = append(points, fmt.Sprintf("**%s inside %s**: a child is not an item, so no index can lead to it and every change of the %s writes the whole (%s on average, at most about %s of 400 KB).",
					m.Child.Name, k.Name, strings.ToLower(k.Name[:1])+k.Name[1:], show.Bytes(average), show.Bytes(most)))
			}
			var copies []string
			for _, s := range k.Stored {
				if s.Copy {
					copies = append(copies, code(s.Name)+kept(s.Kept))
				}
			}
			if len(copies) > 0 {
				points = append(points, fmt.Sprintf("**Duplicated in %s**: %s.", k.Name, strings.Join(copies, "; ")))
			}
		}
	}
	for _, d := range in.decisions() {
		if i := slices.IndexFunc(d.Inputs, func(x plan.Input) bool {
			return strings.Contains(x.Name, "turns") || strings.Contains(x.Name, "cheapest")
		}); i >= 0 {
			points = append(points, fmt.Sprintf("**%s** %s: %s.", d.About, d.Inputs[i].Name, d.Inputs[i].Value))
		}
	}
	if len(points) == 0 {
		return
	}
	p.heading(2, "Trade-offs")
	p.list(points...)
}

// outside says what is not DynamoDB's work here, and how it is connected.
func (in *Input) outside(p *page) {
	p.heading(2, "Outside DynamoDB")
	r := in.Requirements
	var points []string
	for _, e := range r.Application.Streams {
		if k := in.home(e); k != nil {
			points = append(points, fmt.Sprintf("**Followers of %s**: the stream of %s (%s) carries every change to whoever consumes it, search, analytics, other services, with a Lambda trigger or the Kinesis adapter.",
				e.Name, code(k.Table.Name), orNone(k.Table.Document.Stream)))
		}
	}
	for _, t := range in.Program.Tables {
		for _, k := range t.Kinds {
			for _, s := range k.Stored {
				if s.Copy && s.Kept.Stream {
					points = append(points, fmt.Sprintf("**Keeping %s.%s true**: a consumer of the stream rewrites it within %s.", k.Name, s.Name, s.Kept.Within))
				}
			}
			if k.Kept.Stream {
				points = append(points, fmt.Sprintf("**Keeping %s true**: a consumer of the stream rewrites it within %s.", k.Name, k.Kept.Within))
			}
		}
	}
	for _, x := range r.Patterns {
		if in.scans(x) {
			points = append(points, fmt.Sprintf("**%s** reads a whole set by scanning, as its requirement asks. Where it grows beyond what a scan should read, an export to Amazon S3 (from point-in-time recovery, without read units) and a query engine there do it.", code(x.Name)))
		}
	}
	if len(points) == 0 {
		p.text("Nothing: all %s access patterns are served by these tables alone, without a search engine, cache or stream consumer. What the requirements do not state (text search, free reports, "+
			"analytics over everything) is not DynamoDB's work; it would be fed by a stream of the tables concerned or by exports to Amazon S3, and neither is on.", show.Number(float64(len(r.Patterns))))
		return
	}
	p.list(points...)
}

func orNone(s string) string {
	if s == "" {
		return "to be turned on"
	}
	return s
}

// validation is what the proof found.
func (in *Input) validation(p *page) {
	p.heading(2, "Validation")
	e := in.Proof
	if e == nil {
		p.text("The model has not been proven: run `tablewright prove` on it.")
		return
	}
	proven, all := e.count()
	calls := 0
	for _, r := range e.Patterns {
		calls += r.Calls
	}
	p.text("**%d of %d access patterns are proven**, in %s calls (seed %d). The data was made through the model's own writes. Every answer was compared with an oracle that knows the requirements only, never tables "+
		"or keys: contents, order, each entity exactly once over all pages, what writes change in later reads, refused writes that change nothing. Index entries lagged behind their tables while it ran. "+
		"Consumed units have to lie within 10 %% of the estimate that was computed before. The evidence in full, with the first counterexample of whatever failed, is in `proof.json`.",
		proven, all, show.Number(float64(calls)), e.Seed)
	var rows [][]string
	for _, r := range e.Patterns {
		verdict := "proven"
		if !r.Proven {
			verdict = "**not proven**: " + r.Cause
		}
		estimated, consumed := total(r.Estimated), total(r.Consumed)
		difference := ""
		if r.Measured > 0 && estimated > 0 {
			difference = fmt.Sprintf("%+.1f %%", 100*(consumed/estimated-1))
		}
		rows = append(rows, []string{code(r.Name), verdict, show.Number(float64(r.Calls)), aims(r), counts(r.Refused), show.Units(estimated), show.Units(consumed), difference})
	}
	p.table([]string{"access pattern", "verdict", ">calls", "of which", "refused, as they should be", ">units estimated", ">units consumed", ">difference"}, rows)
	p.text("Units are those on the proof's data, which is smaller than the application's, so they differ from the ones above. It held %s.", entityCounts(in.Requirements, e.Entities))
	if len(e.Concurrent) > 0 {
		var points []string
		for _, c := range e.Concurrent {
			points = append(points, fmt.Sprintf("%s: %s: %d callers at once, %s", code(c.Pattern), c.What, c.Attempts, show.Count(c.Happened, "happened", "happened")))
		}
		p.text("Several callers wanting the same at once:")
		p.list(points...)
	}
	if len(e.Cuts) > 0 {
		rows = nil
		for _, c := range e.Cuts {
			rows = append(rows, []string{c.What, show.Number(c.Stated), show.Number(c.Used), c.Because})
		}
		p.text("What the proof's data does not reach, and why that is enough:")
		p.table([]string{"figure", ">stated", ">in the proof", "reason"}, rows)
	}
}

func total(m map[string]float64) float64 {
	n := 0.0
	for _, k := range sortedKeys(m) {
		n += m[k]
	}
	return n
}

// aims are the calls of a pattern by what their arguments were to hit. The rest have arguments as the requirements spread
// them: what such calls consume is compared with the estimate.
func aims(r Verdict) string {
	rest := r.Calls
	for _, n := range r.Aims {
		rest -= n
	}
	text := counts(r.Aims)
	if rest > 0 {
		text += ", " + show.Number(float64(rest)) + " as the stated rates spread"
	}
	return strings.TrimPrefix(text, ", ")
}

func counts(m map[string]int) string {
	var out []string
	for _, k := range sortedKeys(m) {
		out = append(out, fmt.Sprintf("%s %s", show.Number(float64(m[k])), k))
	}
	return strings.Join(out, ", ")
}

func entityCounts(r *spec.Requirements, n map[string]int) string {
	var out []string
	for _, e := range r.Entities {
		out = append(out, show.Number(float64(n[e.Name]))+" "+e.Name)
	}
	return show.List(out)
}
