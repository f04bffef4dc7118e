package doctor

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/tablewright/tablewright/internal/show"
	"github.com/tablewright/tablewright/model"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
	"github.com/tablewright/tablewright/stats"
)

// Updated is a copy of requirements with measured figures in it.
type Updated struct {
	Text    []byte   `json:"-"`
	Changes []Change `json:"changes"` // in the order of the document: patterns, then entities
	Left    []Left   `json:"left"`    // what could not be written, and why
}

// Change is a figure that was written.
type Change struct {
	Of     string `json:"of"`     // pattern or entity
	What   string `json:"what"`   // rate, results, per-parent, bytes, growth, skew
	Before string `json:"before"` // as in the document; "" if it did not stand there
	After  string `json:"after"`
	From   string `json:"from"` // what was measured
}

// Left is a figure that stays as it was.
type Left struct {
	Of   string `json:"of"`
	What string `json:"what"` // as in Change, or peak
	Why  string `json:"why"`
}

// agreement is how far a stated figure may lie from the measured one to stay: the requirements' own measure of
// agreement.
const agreement = 0.05

// Update writes what was measured into a copy of requirements: rates, result sizes, numbers of children, sizes of
// entities, and skew where it is known. Comments and layout stay as they are, and so do figures that agree with what
// was measured within 5 %. A maximum is raised and never lowered: one that was not met may be met tomorrow. So is a
// peak, where less than a day was watched (Ranges.Day). What follows from another figure, as growth does from rates, is
// made to follow.
//
// p is the model that the program runs, compiled with these requirements, and file their name in messages. Each figure
// is written only if the requirements still hold with it: Left has those that contradict what nobody measured. The
// error is that the text is none, or that it does not belong to p.
func Update(file string, text []byte, p *plan.Program, s *stats.Snapshot, o *Options) (*Updated, error) {
	r, _, found := model.ReadRequirements(file, text)
	if err := found.Err(); err != nil {
		return nil, err
	}
	for _, q := range p.Requirements.Patterns {
		if r.Pattern(q.Name) == nil {
			return nil, fmt.Errorf("%s has no access pattern %s, which the model serves: these are not its requirements", file, q.Name)
		}
	}
	for _, e := range p.Requirements.Entities {
		if r.Entity(e.Name) == nil {
			return nil, fmt.Errorf("%s has no entity %s, which the model holds: these are not its requirements", file, e.Name)
		}
	}
	c := Compare(p, s, o)
	u := &updater{file: file, program: p, stats: s.WithoutStatements(), comparison: c, out: &Updated{Changes: []Change{}, Left: []Left{}}}
	for _, q := range c.Patterns {
		spec, proc := r.Pattern(q.Name), p.Procedure(q.Name)
		u.rate(q, spec)
		u.results(q, spec, proc)
		u.skew(q, spec, proc)
	}
	for _, it := range c.Items {
		u.bytes(it, r)
	}
	return u.out, u.apply(text, r)
}

// updater collects the changes to be made.
type updater struct {
	file       string
	program    *plan.Program
	stats      *stats.Snapshot
	comparison *Comparison
	wishes     []wish
	out        *Updated
}

// wish is a change that is to be tried: what belongs together is written together.
type wish struct {
	change Change
	edit   model.Edit
	rate   float64 // of a rate: the new average
}

func (u *updater) left(of, what, format string, args ...any) {
	u.out.Left = append(u.out.Left, Left{of, what, fmt.Sprintf(format, args...)})
}

func (u *updater) want(c Change, e model.Edit) { u.wishes = append(u.wishes, wish{change: c, edit: e}) }

// same reports whether a stated figure may stay.
func same(stated, measured float64) bool {
	return math.Abs(stated-measured) <= agreement*math.Max(stated, measured)
}

// number is a figure as requirements have it.
func number(v float64) string { return spec.FormatNumber(v) }

// averageAndMost are the two figures of a size.
func averageAndMost(average, most string) []model.EditField {
	return []model.EditField{{Name: "average", Value: average}, {Name: "max", Value: most}}
}

// fewest is how many calls of a pattern its rate is told from.
const fewest = 10

func (u *updater) rate(q *Pattern, s *spec.Pattern) {
	switch {
	case q.Calls == 0 && q.Idle:
		u.left(q.Name, "rate", "it never ran: take it out, or keep what is planned")
		return
	case q.Calls < fewest:
		u.left(q.Name, "rate", "%s were seen: too few to tell a rate", many(math.Round(q.Calls), "call"))
		return
	}
	average, peak := digits(q.Average.Measured, 3), digits(max(q.Peak.Measured, q.Average.Measured), 3)
	if same(s.Rate.Average, average) {
		average = s.Rate.Average
	}
	// A minute has few calls of what is rare: a peak that chance explains stays.
	if same(s.Rate.Peak, peak) || math.Abs(peak-s.Rate.Peak) <= noise(s.Rate.Peak, 60) && s.Rate.Peak >= average {
		peak = s.Rate.Peak
	}
	if peak < s.Rate.Peak && u.comparison.Watched < u.comparison.Ranges.Day {
		u.left(q.Name, "peak", "%s were watched: the busiest minute of a day may come later, and what is planned stays", show.Lasting(u.comparison.Watched))
		peak = s.Rate.Peak
	}
	peak = max(peak, average)
	if average == s.Rate.Average && peak == s.Rate.Peak {
		return
	}
	rates := func(average, peak float64) string {
		return spec.FormatRate(average) + ", at peak " + spec.FormatRate(peak)
	}
	from := fmt.Sprintf("%s in %s", many(math.Round(q.Calls), "call"), show.Lasting(u.comparison.Watched))
	if q.Estimated != "" {
		from += "; " + q.Estimated
	}
	u.wishes = append(u.wishes, wish{
		change: Change{q.Name, "rate", rates(s.Rate.Average, s.Rate.Peak), rates(average, peak), from},
		edit:   model.Edit{Path: []string{"patterns", q.Name, "rate"}, Fields: []model.EditField{{Name: "average", Value: spec.FormatRate(average)}, {Name: "peak", Value: spec.FormatRate(peak)}}},
		rate:   average,
	})
}

// results writes how many entities a call of a read finds.
func (u *updater) results(q *Pattern, s *spec.Pattern, proc *plan.Procedure) {
	if q.Calls == 0 || s.Writes() {
		return
	}
	stage := finder(proc)
	if stage == nil || len(s.Given) == 0 || s.Results.Max == 1 {
		return
	}
	const what = "results"
	var first, items, more, resumed float64
	most := 0
	for _, o := range u.stats.Operations {
		if o.Pattern == q.Name && o.Operation == "Query" && o.Table == stage.Access.Table.Name && o.Index == stage.Access.Index {
			first += o.Calls - o.Retries - o.Resumed
			items += o.Items
			more += o.More
			resumed += o.Resumed
			most = max(most, o.MostItems)
		}
	}
	if stage.Scatter > 0 {
		first /= float64(stage.Scatter)
	}
	switch {
	case first < u.comparison.Ranges.FewCalls:
		u.left(q.Name, what, "%s were seen: too few to tell", many(math.Round(first), "call"))
		return
	case more-resumed > agreement*first:
		u.left(q.Name, what, "%s of the answers end at a page from which nobody went on: how many there are in all was not seen", show.Percent((more-resumed)/first))
		return
	case stage.Scatter != 0 || resumed > 0: // the largest answer is put together from several
		most = 0
	}
	average := digits(items/first, 3)
	if way := relationshipOf(s); way != nil {
		u.children(q, s, way, average, most, first)
		return
	}
	stated := s.Results
	maximum := math.Max(stated.Max, float64(most))
	if same(stated.Average, average) && maximum == stated.Max || average <= 0 {
		return
	}
	if same(stated.Average, average) {
		average = stated.Average
	}
	maximum = math.Max(maximum, math.Ceil(average))
	u.want(Change{q.Name, what, sizeText(stated), sizeText(spec.Size{Average: average, Max: maximum}), fmt.Sprintf("%s items in %s", show.Number(math.Round(items)), many(math.Round(first), "call"))},
		model.Edit{Path: []string{"patterns", q.Name, what}, Fields: averageAndMost(number(average), number(maximum))})
}

func sizeText(s spec.Size) string { return number(s.Average) + ", at most " + number(s.Max) }

// finder is the query of a plan that finds what the pattern reads, and nothing else; nil if there is none, or if it
// leaves out some of what it reads.
func finder(proc *plan.Procedure) *plan.Stage {
	if len(proc.Stages) == 0 {
		return nil
	}
	s := proc.Stages[0]
	if s.Verb != plan.Query || len(s.Needs) > 0 || s.Each != nil || s.Scatter < 0 || len(s.Kinds) != 1 || s.Kinds[0].Entity != proc.Pattern.Read ||
		s.Document.Filter != "" || proc.Document.Answer.Keep != "" || proc.Pattern.Top > 0 || len(proc.Pattern.Optional) > 0 {
		return nil
	}
	for _, other := range proc.Stages[1:] {
		if other.Access != nil && other.Access == s.Access { // its requests cannot be told from those of this one
			return nil
		}
	}
	return s
}

// relationshipOf is the relationship from whose number of children the results of a read follow: nothing else is given
// than the parent. nil: results are stated, or follow from something else.
func relationshipOf(s *spec.Pattern) *spec.Relationship {
	if s.Where != nil {
		return nil
	}
	for _, w := range s.Read.There {
		if len(w.By) != len(s.Given) || !w.PerParent.Stated || w.PerParent.Average != s.Results.Average || w.PerParent.Max != s.Results.Max {
			continue
		}
		all := true
		for _, g := range s.Given {
			all = all && len(g) == 1 && slices.ContainsFunc(w.By, func(a *spec.Attribute) bool { return a.Name == g[0] })
		}
		if all {
			return w
		}
	}
	return nil
}

// children writes the number of children, as the calls find it: it is what one parent has, if parents are asked for
// alike.
func (u *updater) children(q *Pattern, s *spec.Pattern, w *spec.Relationship, average float64, most int, calls float64) {
	of := w.From.Name + "." + w.By[0].Name
	stated := spec.Size{Average: w.PerParent.Average, Max: w.PerParent.Max}
	maximum := math.Max(stated.Max, float64(most))
	if same(stated.Average, average) && maximum == stated.Max || average <= 0 {
		return
	}
	if !s.Skew.Uniform() && !same(stated.Average, average) {
		u.left(of, "per-parent", "%s finds %s on average, but it is asked for some parents more than for others: an average over parents was not seen", q.Name, show.Number(average))
		return
	}
	if same(stated.Average, average) {
		average = stated.Average
	}
	maximum = math.Max(maximum, math.Ceil(average))
	u.want(Change{of, "per-parent", sizeText(stated), sizeText(spec.Size{Average: average, Max: maximum}), fmt.Sprintf("%s of %s", many(math.Round(calls), "call"), q.Name)},
		model.Edit{Path: []string{"entities", w.From.Name, "attributes", w.By[0].Name, "per-parent"}, Fields: averageAndMost(number(average), number(maximum))})
}

// bytes writes the size of an entity: what its items have more than they were priced with.
func (u *updater) bytes(it *Item, r *spec.Requirements) {
	k := u.program.Kind(it.Name)
	if k == nil || k.Role != plan.EntityItem || k.Entity == nil || len(k.Embeds) > 0 || k.Pack != nil || it.Seen == 0 {
		return
	}
	e := r.Entity(k.Entity.Name)
	if k.Part() {
		u.left(e.Name, "bytes", "%s holds a part of it: what whole ones have was not seen", k.Name)
		return
	}
	if it.Seen < u.comparison.Ranges.FewCalls {
		u.left(e.Name, "bytes", "%s were seen: too few to tell", many(math.Round(it.Seen), "item"))
		return
	}
	priced := (&comparer{price: priceOf(u.program)}).item(k, k.Table.Base)
	if priced == nil {
		return
	}
	// What an item has besides its entity, the texts of its keys, is what it was priced with.
	average := math.Round(e.Bytes.Average + it.Bytes.Measured - priced.Bytes)
	most := math.Max(e.Bytes.Max, math.Round(e.Bytes.Max+it.Most.Measured-priced.Most))
	if same(e.Bytes.Average, average) {
		average = e.Bytes.Average
	}
	if average == e.Bytes.Average && same(e.Bytes.Max, most) || average <= 0 {
		return
	}
	most = math.Max(most, average)
	u.want(Change{e.Name, "bytes", sizeText(e.Bytes), sizeText(spec.Size{Average: average, Max: most}), fmt.Sprintf("%s of %s on average", many(math.Round(it.Seen), "item"), show.Bytes(it.Bytes.Measured))},
		model.Edit{Path: []string{"entities", e.Name, "bytes"}, Fields: averageAndMost(number(average), number(most))})
}

// apply makes the changes that the requirements hold with.
func (u *updater) apply(text []byte, r *spec.Requirements) error {
	refused := make([]string, len(u.wishes))
	for range 1 + len(u.wishes) {
		out, changes, again := u.attempt(text, r, refused)
		if again {
			continue
		}
		if _, _, found := model.ReadRequirements(u.file, out); found.Errors() > 0 {
			return fmt.Errorf("the measured figures contradict what else the requirements state: %w", found.Err())
		}
		for i, why := range refused {
			if why != "" {
				u.left(u.wishes[i].change.Of, u.wishes[i].change.What, "%s; measured: %s", why, u.wishes[i].change.After)
			}
		}
		u.out.Text, u.out.Changes = out, append(u.out.Changes, changes...)
		return nil
	}
	return fmt.Errorf("the measured figures contradict what else the requirements state")
}

// attempt makes the changes that are not refused yet, one after the other, and then what follows from them. again says
// that more are refused now.
func (u *updater) attempt(text []byte, r *spec.Requirements, refused []string) (out []byte, changes []Change, again bool) {
	rates := map[string]float64{}
	for i, w := range u.wishes {
		if refused[i] != "" {
			continue
		}
		next, err := model.Rewrite(u.file, text, []model.Edit{w.edit})
		if err != nil {
			refused[i] = strings.TrimPrefix(err.Error(), u.file+": ")
			continue
		}
		_, _, found := model.ReadRequirements(u.file, next)
		if why := otherError(found); why != "" {
			refused[i] = why
			continue
		}
		text, changes = next, append(changes, w.change)
		if w.rate > 0 {
			rates[w.change.Of] = w.rate
		}
	}
	_, _, found := model.ReadRequirements(u.file, text)
	for _, d := range found {
		if d.Code != "growth-disagrees" {
			continue
		}
		e := r.Entity(d.Of)
		growth := created(r, e, rates)
		edit := model.Edit{Path: []string{"entities", e.Name, "growth"}, Value: perMonth(growth)}
		next, err := model.Rewrite(u.file, text, []model.Edit{edit})
		if _, _, still := model.ReadRequirements(u.file, next); err == nil && !disagrees(still, e.Name) {
			text = next
			changes = append(changes, Change{e.Name, "growth", perMonth(e.Growth), perMonth(growth), "follows from the rates of what creates it"})
			continue
		}
		// Then the rates of what creates it stay as they are.
		for i, w := range u.wishes {
			if p := r.Pattern(w.change.Of); refused[i] == "" && w.change.What == "rate" && p != nil && creates(p, e) {
				refused[i], again = "the growth of "+e.Name+" would not follow from it", true
			}
		}
	}
	return text, changes, again
}

// otherError is the first error but that growth is not what rates make of it, which is mended at the end; "" if there
// is none.
func otherError(found model.Diagnostics) string {
	for _, d := range found {
		if d.Severity == model.Error && d.Code != "growth-disagrees" {
			return d.Message
		}
	}
	return ""
}

func disagrees(found model.Diagnostics, entity string) bool {
	return slices.ContainsFunc(found, func(d model.Diagnostic) bool {
		return d.Severity == model.Error && (d.Of == entity || d.Code != "growth-disagrees")
	})
}

// perMonth is a rate as growth is stated.
func perMonth(perSecond float64) string {
	return number(digits(perSecond*spec.Month.Seconds(), 3)) + "/month"
}

func creates(p *spec.Pattern, e *spec.Entity) bool { return perCall(p, e) != 0 }

// created is how many of an entity are created a second if patterns have new rates: by what each call creates, or,
// where a list of unknown length says how many these are, in proportion.
func created(r *spec.Requirements, e *spec.Entity, rates map[string]float64) float64 {
	var before, after float64
	known := true
	for _, p := range r.Patterns {
		n := perCall(p, e)
		if n == 0 {
			continue
		}
		if math.IsNaN(n) {
			known, n = false, 1
		}
		rate := p.Rate.Average
		before += n * rate
		if measured, ok := rates[p.Name]; ok {
			rate = measured
		}
		after += n * rate
	}
	if known || before == 0 {
		return after
	}
	return e.Growth * after / before
}

// perCall is how many of an entity a call of a pattern creates; NaN if a list of unknown length says so.
func perCall(p *spec.Pattern, e *spec.Entity) (n float64) {
	for _, a := range p.Actions {
		if a.Verb != spec.Create && a.Verb != spec.Upsert {
			continue
		}
		times := 1.0
		if len(a.Each) > 0 {
			times = math.NaN()
		}
		if a.Entity == e {
			n += times
		}
		for _, name := range a.With {
			if w := a.Entity.WayBack(name); w != nil && w.From == e {
				n += times * p.ValueOf(a).Brings(w, w.PerParent).Average
			}
		}
	}
	return n
}

// Short says why figures of a short time are to be taken with care; "" if they are of a day or more.
func (c *Comparison) Short() string {
	if c.Watched >= c.Ranges.Day {
		return ""
	}
	return fmt.Sprintf("the statistics cover %s: rates of a whole day may be lower or higher", show.Lasting(c.Watched.Round(time.Second)))
}
