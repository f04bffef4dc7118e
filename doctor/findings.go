package doctor

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/tablewright/tablewright/internal/show"
	"github.com/tablewright/tablewright/spec"
	"github.com/tablewright/tablewright/stats/rules"
)

// Findings are what has left its range, what runs and is in no model, and what never runs: one finding of each rule for each
// access pattern, kind of item or table, and of those that have one cause one. Nothing in them is about a saving: what a change
// would cost is for a design with the measured figures to say.
func (c *Comparison) Findings() []rules.Finding {
	var out []rules.Finding
	for _, p := range c.Patterns {
		for _, find := range []func(*Pattern) *rules.Finding{c.rate, c.units, c.answers, c.idle} {
			if f := find(p); f != nil {
				f.Patterns = []string{p.Name}
				f.Calls = p.Average.Measured
				out = append(out, *f)
			}
		}
	}
	for _, it := range c.Items {
		if f := c.itemSize(it); f != nil {
			out = append(out, *f)
		}
	}
	for _, p := range c.Places {
		if f := c.skew(p); f != nil {
			out = append(out, *f)
		}
	}
	return append(out, c.strangers()...)
}

// finding begins a finding of a rule of this package.
func finding(r *rules.Rule, severity rules.Severity, cause string, format string, args ...any) *rules.Finding {
	return &rules.Finding{Rule: r.ID, Category: r.Category, Severity: severity, Cause: r.ID + " " + cause, Title: fmt.Sprintf(format, args...)}
}

// severityOf is that of a figure that has left its range: what costs or throttles is a warning.
func severityOf(figures ...Figure) rules.Severity {
	for _, f := range figures {
		if f.Is == Above {
			return rules.Warning
		}
	}
	return rules.Advice
}

// evidence is a figure as evidence; limit is the end of its range that it has passed.
func evidence(what, unit string, f Figure, r Range, name string) rules.Evidence {
	limit := f.Promised * r.Above
	if f.Is == Below {
		limit = f.Promised * r.Below
	}
	promised := show.Number(f.Promised)
	if unit == "B" {
		promised = show.Bytes(f.Promised)
	}
	return rules.Evidence{What: fmt.Sprintf("%s, promised %s", what, promised), Value: f.Measured, Unit: unit, Limit: limit, Source: "Ranges." + name}
}

// compared says how a figure lies to its promise: "2.4 times the 3 that were promised".
func compared(f Figure, number func(float64) string) string {
	switch ratio := f.Ratio(); {
	case f.Promised == 0:
		return "where none was promised"
	case ratio >= 2:
		return fmt.Sprintf("%s times the %s that it was priced with", show.Number(math.Round(ratio*10)/10), number(f.Promised))
	case ratio >= 1:
		return fmt.Sprintf("%s more than the %s that it was priced with", show.Percent(ratio-1), number(f.Promised))
	default:
		return fmt.Sprintf("%s less than the %s that it was priced with", show.Percent(1-ratio), number(f.Promised))
	}
}

// Again is the snippet of remedies by which the model is designed for the figures as they are, with the names that files have unless
// somebody gave them others.
const Again = "tablewright requirements update requirements.yaml --model model.yaml --stats statistics.json --out measured.yaml\n" +
	"tablewright build measured.yaml --out measured"

func remedy(text, requirements string) rules.Remedy {
	r := rules.Remedy{Text: text, Ease: rules.Code}
	if requirements != "" {
		r.Snippets = append(r.Snippets, rules.Snippet{Kind: "requirements", Text: requirements})
	}
	r.Snippets = append(r.Snippets, rules.Snippet{Kind: "shell", Text: Again})
	return r
}

func (c *Comparison) rate(p *Pattern) *rules.Finding {
	if p.Idle || !p.Average.Out() && !p.Peak.Out() {
		return nil
	}
	f := finding(promiseRate, severityOf(p.Average, p.Peak), p.Name, "")
	average := evidence("calls a second on average", "calls/s", p.Average, c.Ranges.Rate, "Rate")
	peak := evidence("calls a second in the busiest minute", "calls/s", p.Peak, c.Ranges.Rate, "Rate")
	if p.Average.Out() {
		f.Title = fmt.Sprintf("%s is called %s a second on average, %s", p.Name, many(p.Average.Measured, "time"), compared(p.Average, show.Number))
		f.Evidence = []rules.Evidence{average, peak}
	} else {
		f.Title = fmt.Sprintf("%s is called %s a second in its busiest minute, %s", p.Name, many(p.Peak.Measured, "time"), compared(p.Peak, show.Number))
		f.Evidence = []rules.Evidence{peak, average}
	}
	if p.Month.Is != Unmeasured {
		f.Evidence = append(f.Evidence, rules.Evidence{What: fmt.Sprintf("reads and writes at this rate, a month, promised $%.2f", p.Month.Promised), Value: p.Month.Measured, Unit: "$"})
	}
	f.Remedy = remedy("State the rates as they are and design the model again: which indexes and copies are worth their upkeep depends on them. Capacity that is provisioned, alarms and budgets follow from the same figures.",
		fmt.Sprintf("patterns:\n  %s:\n    rate: {average: %s, peak: %s}", p.Name, rateText(p.Average.Measured), rateText(max(p.Peak.Measured, p.Average.Measured))))
	f.Confidence, f.Because = c.sureOf(p)
	return f
}

// rateText is a rate as requirements have it, with three digits.
func rateText(perSecond float64) string { return spec.FormatRate(digits(perSecond, 3)) }

// digits rounds to so many significant ones.
func digits(v float64, n int) float64 {
	if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return v
	}
	scale := math.Pow(10, float64(n-1)-math.Floor(math.Log10(math.Abs(v))))
	return math.Round(v*scale) / scale
}

// sureOf is how sure a figure of a pattern is.
func (c *Comparison) sureOf(p *Pattern) (float64, string) {
	switch {
	case p.Estimated != "":
		return 0.6, "the number of calls is an estimate: " + p.Estimated
	case c.Watched < 7*24*time.Hour:
		return 0.8, fmt.Sprintf("only %s were watched: other days of the week may be different", show.Lasting(c.Watched))
	}
	return 0.95, ""
}

func (c *Comparison) units(p *Pattern) *rules.Finding {
	if !p.Read.Out() && !p.Write.Out() || c.unitsToldBySize(p) {
		return nil
	}
	f := finding(promiseUnits, severityOf(p.Read, p.Write), p.Name, "")
	read := evidence("read units of a call", "read units", p.Read, c.Ranges.Units, "Units")
	write := evidence("write units of a call", "write units", p.Write, c.Ranges.Units, "Units")
	first, what := p.Write, "write"
	f.Evidence = []rules.Evidence{write}
	if p.Read.Out() && (!p.Write.Out() || p.Read.Is == Above && p.Write.Is != Above) {
		first, what = p.Read, "read"
		f.Evidence = []rules.Evidence{read}
		if p.Write.Out() {
			f.Evidence = append(f.Evidence, write)
		}
	} else if p.Read.Out() {
		f.Evidence = append(f.Evidence, read)
	}
	f.Title = fmt.Sprintf("a call of %s consumes %s %s units, %s", p.Name, show.Units(first.Measured), what, compared(first, show.Units))
	for _, u := range p.Units {
		if u.Read.Out() {
			f.Evidence = append(f.Evidence, evidence("read units of a call on "+u.Place, "read units", u.Read, c.Ranges.Units, "Units"))
		}
		if u.Write.Out() {
			f.Evidence = append(f.Evidence, evidence("write units of a call on "+u.Place, "write units", u.Write, c.Ranges.Units, "Units"))
		}
	}
	f.Evidence = append(f.Evidence, c.answerEvidence(p)...)
	text := "Look at what has changed first: more items in an answer, larger items of several kinds, or requests that the plan does not have. Then state the sizes as they are and design the model again."
	if c.toldByUnits(p) {
		f.Also = []string{promiseItems.ID}
		text = "It follows from answers that are larger than planned. State their sizes as they are and design the model again. If callers do not need all of it, a limit or pages keep answers, and what they cost, from growing with the data."
	}
	if first.Is == Below {
		text = "Nothing is wrong with that. State the sizes as they are and design the model again: with cheaper calls another model may be the cheapest."
	}
	f.Remedy = remedy(text, "")
	f.Confidence, f.Because = c.sureOf(p)
	return f
}

func (c *Comparison) answers(p *Pattern) *rules.Finding {
	if !p.Items.Out() && !p.Bytes.Out() || c.toldBySize(p) || c.toldByUnits(p) {
		return nil
	}
	f := finding(promiseItems, severityOf(p.Items, p.Bytes), p.Name, "")
	if p.Items.Out() {
		f.Title = fmt.Sprintf("a call of %s has %s, %s", p.Name, many(p.Items.Measured, "item"), compared(p.Items, show.Number))
	} else {
		f.Title = fmt.Sprintf("the items of a call of %s have %s, %s", p.Name, show.Bytes(p.Bytes.Measured), compared(p.Bytes, show.Bytes))
	}
	f.Evidence = c.answerEvidence(p)
	f.Remedy = remedy("State the result sizes as they are and design the model again. If callers do not need all of it, a limit or pages keep answers, and what they cost, from growing with the data.", "")
	f.Confidence, f.Because = c.sureOf(p)
	return f
}

// answerEvidence is what is known of answers: what has left its range, or else how many items there are.
func (c *Comparison) answerEvidence(p *Pattern) (all []rules.Evidence) {
	if p.Items.Out() {
		all = append(all, evidence("items of a call", "items", p.Items, c.Ranges.Items, "Items"))
	}
	if p.Bytes.Out() {
		all = append(all, evidence("bytes of a call", "B", p.Bytes, c.Ranges.Bytes, "Bytes"))
	}
	if len(all) == 0 && p.Items.Is != Unmeasured && p.Items.Is != Unpromised {
		all = append(all, rules.Evidence{What: "items of a call, promised " + show.Number(p.Items.Promised), Value: p.Items.Measured, Unit: "items"})
	}
	if p.MostItems > 1 {
		all = append(all, rules.Evidence{What: "items of the largest answer", Value: float64(p.MostItems), Unit: "items"})
	}
	return all
}

// toldByUnits reports whether answers of another size are the cause of other units, which are told.
func (c *Comparison) toldByUnits(p *Pattern) bool {
	return p.Read.Out() && (p.Items.Is == p.Read.Is || p.Bytes.Is == p.Read.Is)
}

// toldBySize reports whether answers have other bytes only because all items of their kind have.
func (c *Comparison) toldBySize(p *Pattern) bool {
	return !p.Items.Out() && p.Bytes.Out() && slices.ContainsFunc(c.Items, func(it *Item) bool { return it.tells(p) })
}

// unitsToldBySize reports whether calls consume other units only because all items of the kind that they read, or put, have another
// size.
func (c *Comparison) unitsToldBySize(p *Pattern) bool {
	switch {
	case p.Items.Out() || !p.Read.Out() && !p.Write.Out():
		return false
	case p.Read.Out() && (!c.toldBySize(p) || p.Read.Is != p.Bytes.Is):
		return false
	}
	return !p.Write.Out() || slices.ContainsFunc(c.Items, func(it *Item) bool { return it.tellsWrites(p) })
}

// tellsWrites reports whether the size of such items is why a pattern's puts consume other units: these are as the size is.
func (it *Item) tellsWrites(p *Pattern) bool {
	if p.Puts != it.Table+"/"+it.Name || !it.Bytes.Out() || it.Bytes.Is != p.Write.Is {
		return false
	}
	units, size := p.Write.Ratio(), it.Bytes.Ratio()
	return min(units/size, size/units) > 0.5 || it.Bytes.Is == Above && units < size // steps of 1 KB hide growth
}

// tells reports whether the size of such items is why a pattern's answers have other bytes.
func (it *Item) tells(p *Pattern) bool {
	return p.Kind == it.Table+"/"+it.Name && it.Bytes.Out() && it.Bytes.Is == p.Bytes.Is
}

func many(n float64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return show.Number(n) + " " + noun + "s"
}

func (c *Comparison) idle(p *Pattern) *rules.Finding {
	if !p.Idle || len(c.unnamedLike(p)) > 0 { // then that the calls have no name says more
		return nil
	}
	f := finding(patternIdle, rules.Advice, p.Name, "%s was never called in %s, and %s a second were promised", p.Name, show.Lasting(c.Watched), many(p.Average.Promised, "call"))
	f.Evidence = []rules.Evidence{
		{What: "calls", Value: 0, Unit: "calls", Limit: c.Ranges.Expected, Source: "Ranges.Expected"},
		{What: "calls that were to be expected", Value: p.Average.Promised * c.Watched.Seconds(), Unit: "calls"},
	}
	f.Remedy = rules.Remedy{
		Text: "If the program does it under another name, or without one, give the calls this name: pattern " + p.Name + ". If nobody needs it, take it out of the requirements and design the model again: what only it needs, an index say, goes with it.",
		Ease: rules.Code,
	}
	f.Confidence, f.Because = 0.7, "processes whose statistics are not among these may call it"
	return f
}

// unnamedLike are calls without a name that the pattern may have made.
func (c *Comparison) unnamedLike(p *Pattern) (all []Unknown) {
	for _, u := range c.Unknown {
		if slices.Contains(u.Like, p.Name) {
			all = append(all, u)
		}
	}
	return all
}

func (c *Comparison) itemSize(it *Item) *rules.Finding {
	if !it.Bytes.Out() && !it.Most.Out() {
		return nil
	}
	f := finding(promiseItemSize, severityOf(it.Bytes, it.Most), it.Table+"/"+it.Name, "")
	f.Table = it.Table
	bytes := evidence("bytes of "+it.Name+" on average", "B", it.Bytes, c.Ranges.ItemBytes, "ItemBytes")
	most := evidence("bytes of the largest "+it.Name, "B", it.Most, c.Ranges.ItemBytes, "ItemBytes")
	if it.Bytes.Out() {
		f.Title = fmt.Sprintf("%s has %s on average, %s", it.Name, show.Bytes(it.Bytes.Measured), compared(it.Bytes, show.Bytes))
		f.Evidence = []rules.Evidence{bytes}
		if it.Most.Out() {
			f.Evidence = append(f.Evidence, most)
		}
	} else {
		f.Title = fmt.Sprintf("the largest %s has %s, %s", it.Name, show.Bytes(it.Most.Measured), compared(it.Most, show.Bytes))
		f.Evidence = []rules.Evidence{most}
	}
	f.Evidence = append(f.Evidence, rules.Evidence{What: "items that this is of", Value: it.Seen, Unit: "items"})
	for _, p := range c.Patterns {
		size, units := it.tells(p) && c.toldBySize(p), (it.tells(p) || it.tellsWrites(p)) && c.unitsToldBySize(p)
		if !size && !units {
			continue
		}
		f.Patterns = append(f.Patterns, p.Name)
		if size && !slices.Contains(f.Also, promiseItems.ID) {
			f.Also = append(f.Also, promiseItems.ID)
		}
		if units && !slices.Contains(f.Also, promiseUnits.ID) {
			f.Also = append(f.Also, promiseUnits.ID)
		}
		if size {
			f.Evidence = append(f.Evidence, evidence("bytes of a call of "+p.Name, "B", p.Bytes, c.Ranges.Bytes, "Bytes"))
		}
		if units && p.Read.Out() {
			f.Evidence = append(f.Evidence, evidence("read units of a call of "+p.Name, "read units", p.Read, c.Ranges.Units, "Units"))
		}
		if units && p.Write.Out() {
			f.Evidence = append(f.Evidence, evidence("write units of a call of "+p.Name, "write units", p.Write, c.Ranges.Units, "Units"))
		}
	}
	f.Remedy = remedy("State the sizes as they are and design the model again: units are counted in steps of 4 KB read and 1 KB written, and what is copied into indexes is paid there once more.", "")
	f.Confidence = 0.9
	return f
}

func (c *Comparison) skew(p *Place) *rules.Finding {
	if p.Hottest.Is != Above {
		return nil
	}
	severity := rules.Advice
	if p.Hottest.Measured >= 0.5 {
		severity = rules.Warning
	}
	f := finding(promiseSkew, severity, p.Name, "the hottest key of %s takes %s of what one partition can do in its busiest minute, and %s was promised", p.Name, show.Percent(p.Hottest.Measured), show.Percent(p.Hottest.Promised))
	f.Table, f.Index, _ = strings.Cut(p.Name, ".")
	f.Key = p.Key
	f.Evidence = []rules.Evidence{{What: "share of one partition's throughput in the key's busiest minute, promised " + show.Percent(p.Hottest.Promised), Value: 100 * p.Hottest.Measured, Unit: "%",
		Limit: 100 * p.Hottest.Promised * c.Ranges.Hottest.Above, Source: "Ranges.Hottest"}}
	f.Remedy = remedy("State the skew of the patterns that read and write "+p.Name+" as it is and design the model again: it spreads a key that is too hot for one partition over shards.",
		"patterns:\n  NAME:\n    skew: zipf 1.0   # or: hottest 4%")
	f.Confidence, f.Because = 0.8, "which pattern's calls fall on the key is not told by its load"
	return f
}

// strangers are one finding for each unknown pattern, and for unnamed calls of each table.
func (c *Comparison) strangers() (out []rules.Finding) {
	type key struct{ pattern, table string }
	var order []key
	groups := map[key][]Unknown{}
	for _, u := range c.Unknown {
		k := key{u.Pattern, ""}
		if u.Pattern == "" {
			k.table = u.Table
		}
		if groups[k] == nil {
			order = append(order, k)
		}
		groups[k] = append(groups[k], u)
	}
	for _, k := range order {
		var calls, perSecond, month float64
		var operations []rules.OperationRef
		var places []string
		for _, u := range groups[k] {
			calls += u.Calls
			perSecond += u.PerSecond
			month += u.Month
			operations = append(operations, rules.OperationRef{Operation: u.Operation, Table: u.Table, Index: u.Index, Pattern: u.Pattern})
			if where := placeName(u.Table, u.Index); where != "" && !slices.Contains(places, where) {
				places = append(places, where)
			}
		}
		on := ""
		if len(places) > 0 {
			on = " on " + show.List(places)
		}
		var f *rules.Finding
		if k.pattern != "" {
			f = finding(patternUnknown, rules.Warning, k.pattern, "%s runs%s, %s a second, and is in no model", k.pattern, on, many(perSecond, "request"))
			f.Patterns, f.Confidence = []string{k.pattern}, 1
			if !slices.ContainsFunc(groups[k], func(u Unknown) bool { return !u.Foreign }) {
				f.Severity, f.Confidence, f.Because = rules.Advice, 0.6, "none of its tables is in the model: it may belong to another one"
			}
			f.Remedy = rules.Remedy{Text: "Add the access pattern to the requirements, with its rate and result size, and design the model again: what it reads may then have an index of its own, and what it writes is proven to keep every copy.",
				Snippets: []rules.Snippet{{Kind: "requirements", Text: fmt.Sprintf("patterns:\n  %s:\n    read: ENTITY   # or write: [...]\n    given: [...]\n    rate: {average: %s, peak: %s}", k.pattern, rateText(perSecond), rateText(perSecond))}}, Ease: rules.Code}
		} else {
			f = finding(patternUnknown, rules.Advice, "table/"+k.table, "%s%s have no name that the model knows, %s a second", many(math.Round(calls), "request"), on, show.Number(digits(perSecond, 3)))
			f.Table, f.Confidence = k.table, 1
			f.Remedy = rules.Remedy{Text: "Declare the calls as access patterns: then statistics, errors and traces say which one it was, and the model can be held against them." + c.mayBe(f, groups[k]),
				Snippets: []rules.Snippet{{Kind: "go", Text: "var OrdersOf = tablewright.NewPattern(Shop, \"ordersOf\", func(customer string) tablewright.Query[Order] {\n\treturn Orders.ByCustomer.Of(customer)\n})"}}, Ease: rules.Code}
		}
		f.Operations, f.Calls = operations, perSecond
		f.Evidence = []rules.Evidence{{What: "requests", Value: calls, Unit: "requests"}, {What: "their reads and writes, a month", Value: month, Unit: "$"}}
		out = append(out, *f)
	}
	return out
}

// mayBe says which patterns calls without a name may be, and whose finding that they never ran theirs stands for.
func (c *Comparison) mayBe(f *rules.Finding, unnamed []Unknown) string {
	var words []string
	for _, u := range unnamed {
		if len(u.Like) > 0 {
			words = append(words, fmt.Sprintf("%s on %s may be %s", u.Operation, placeName(u.Table, u.Index), strings.Join(u.Like, " or ")))
		}
	}
	var idle []string
	for _, p := range c.Patterns {
		if p.Idle && slices.ContainsFunc(unnamed, func(u Unknown) bool { return slices.Contains(u.Like, p.Name) }) {
			idle = append(idle, p.Name)
		}
	}
	if len(words) == 0 {
		return ""
	}
	text := " " + show.List(words) + "."
	if len(idle) > 0 {
		f.Also, f.Patterns = []string{patternIdle.ID}, idle
		name := "name"
		if len(idle) > 1 {
			name = "names"
		}
		text += fmt.Sprintf(" Nothing was called by the %s %s.", name, show.List(idle))
	}
	return text
}
