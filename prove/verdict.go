package prove

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/cost"
	"github.com/tablewright/tablewright/internal/show"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// Verdicts are the three verdicts on an access pattern: each can hold or fail without the others.
type Verdicts struct {
	Answers AnswersVerdict `json:"answers"`
	Units   UnitsVerdict   `json:"units"`
	Heat    HeatVerdict    `json:"heat"`
}

// AnswersVerdict says whether all answers and refusals were right, and whether calls have shown that.
type AnswersVerdict struct {
	Right bool   `json:"right"`
	Cause string `json:"cause,omitempty"`
}

// UnitsVerdict compares what a call consumes with what was estimated before any run.
type UnitsVerdict struct {
	Within    bool    `json:"within"` // 10 % of the estimate, as far as so many calls can tell
	Estimated float64 `json:"estimated"`
	Consumed  float64 `json:"consumed"` // in the mean
	// The mean of any number of calls lies between these, with a confidence of 95 %; both 0: too few were measured to
	// say.
	Low   float64 `json:"low,omitempty"`
	High  float64 `json:"high,omitempty"`
	Calls int     `json:"calls"`           // that were measured
	Cause string  `json:"cause,omitempty"` // which figure of the requirements explains a difference, as far as that can be told
	// Estimated rests on what calls meet in the proof's data. Where the laws of stated figures, on as much data, come
	// to something else by more than a tenth, Stated is that, and Remark says which figure the data does not have.
	Stated float64 `json:"stated,omitempty"`
	Remark string  `json:"remark,omitempty"`
}

// HeatVerdict says whether the hottest key that the pattern reads or writes fits a partition at peak. It rests on the
// requirements' figures, and with Options.Throttle on a run within DynamoDB's limits.
type HeatVerdict struct {
	Fits      bool     `json:"fits"`
	Share     float64  `json:"share"` // of what a partition does, of the hottest key; 0: none is known
	Where     string   `json:"where,omitempty"`
	Of        string   `json:"of,omitempty"`        // whose key it is
	Throttled *float64 `json:"throttled,omitempty"` // share of its calls, with Options.Throttle
	Cause     string   `json:"cause,omitempty"`
}

// quantiles are those of Student's distribution for a confidence of 95 %, by degrees of freedom.
var quantiles = [...]float64{2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 6: 2.447, 7: 2.365, 8: 2.306, 9: 2.262, 10: 2.228, 12: 2.179, 15: 2.131, 20: 2.086, 30: 2.042}

// fewMeasured calls of a write say nothing: what they change, others of the kind may not have.
const fewMeasured = 8

// interval is where the mean of any number of calls lies, by how much blocks of sixteen differ, or single calls where
// there are fewer than three blocks; false: too few.
func (t *tally) interval() (low, high float64, ok bool) {
	if t.calls < fewMeasured {
		return 0, 0, false
	}
	of, squares, total, each := t.blocks, t.squares, t.total, float64(strata)
	if of < 3 {
		of, squares, total, each = t.calls, t.single, sum(t.sum), 1
	}
	n := float64(of)
	variance := math.Max(squares-float64(total*total)/n, 0) / (n - 1)
	half := quantile(of-1) * math.Sqrt(variance/n) / each
	if t.blocks < 3 { // what has not come up among so many may be three of as many
		half += 3 / float64(t.calls) * t.mean()
	}
	return math.Max(t.mean()-half, 0), t.mean() + half, true
}

// quantile is that of as many degrees of freedom, two at least.
func quantile(freedom int) float64 {
	q := 1.96
	for at := min(freedom, len(quantiles)-1); at >= 2; at-- {
		if quantiles[at] > 0 {
			if freedom < 60 {
				q = quantiles[at]
			}
			break
		}
	}
	return q
}

// readStep is what an eventually consistent read of another 4 KB costs; in reads of few such steps each of them counts.
const (
	readStep = 0.5
	fewSteps = 5
)

// units is the verdict on what calls consumed. A mean that lies too far away counts only if the interval around it does
// not reach back: else so few calls cannot tell. How far the estimate may be off counts as well: it rests on calls that
// were followed, and others were measured. Reads that all consume the same have met one collection, however many they
// are: a single sample of its size, which may round to the next half unit on either side.
func (t *tally) units(reads bool) UnitsVerdict {
	v := UnitsVerdict{Within: true, Estimated: rounded(t.estimated), Consumed: rounded(t.mean()), Calls: t.calls}
	if t.calls == 0 {
		return v
	}
	if low, high, ok := t.interval(); ok {
		v.Low, v.High = rounded(low), rounded(high)
		least, most := t.mean()-math.Hypot(t.mean()-low, t.blur), t.mean()+math.Hypot(high-t.mean(), t.blur)
		v.Within = !t.off() || least <= t.estimated*(1+tolerance) && most >= t.estimated*(1-tolerance)
		if reads && low == high && t.estimated > fewSteps*readStep {
			v.Within = v.Within || math.Abs(t.mean()-t.estimated) <= readStep
		}
	}
	return v
}

// remark says which stated figure the proof's data, or its calls, do not have, where that decides what a call consumes.
func (s *session) remark(p *spec.Pattern, t *tally) string {
	var parts []string
	if p.Writes() {
		parts = s.writesDiffer(p, t, "")
		if share, ok := s.renewed[p]; ok && share > 0 {
			parts = []string{fmt.Sprintf("%s of the calls find what they write there already; what is stated takes it as new", show.Percent(share))}
		}
	} else {
		if found := t.found / float64(max(t.calls, 1)); far(found, s.lawOf(p)) && found > 0 {
			parts = append(parts, fmt.Sprintf("`results`: a call finds %s %s on average where %s are stated for as much data",
				show.Number(rounded(found)), p.Read.Name, show.Number(rounded(s.lawOf(p)))))
		}
		parts = append(parts, s.readsDiffer(p, t)...)
	}
	text := fmt.Sprintf("by stated figures a call consumes %.3f units on as much data as this, by what calls meet in it %.3f", t.byLaw, t.estimated)
	if len(parts) > 0 {
		text += ": " + strings.Join(parts, "; ")
	}
	return text
}

// heats finds the hottest key that each pattern reads or writes.
func heats(loads []cost.Load) map[string]HeatVerdict {
	out := map[string]HeatVerdict{}
	for _, l := range loads {
		for _, name := range l.Patterns {
			if old, ok := out[name]; ok && old.Share >= l.Heat {
				continue
			}
			v := HeatVerdict{Fits: l.Heat <= 1, Share: rounded(l.Heat), Where: l.Place, Of: l.Of}
			if !v.Fits {
				v.Cause = fmt.Sprintf("at peak the hottest %s in %s is asked for %s of what one partition does", l.Of, l.Place, show.Percent(l.Heat))
				if l.Divided {
					v.Cause += "; DynamoDB divides it by its sort key once it stays so hot, and throttles until then"
				}
			}
			out[name] = v
		}
	}
	return out
}

// explain says what makes calls consume something else than estimated: where, and which figure of the requirements is
// another one in the data or in the calls. Where none is, the model reads or writes what its estimate does not count.
func (s *session) explain(p *spec.Pattern, t *tally) string {
	var parts []string
	r := t.result
	places := slices.Sorted(maps.Keys(r.Consumed))
	for place := range maps.Keys(r.Estimated) {
		if _, ok := r.Consumed[place]; !ok {
			places = append(places, place)
		}
	}
	slices.Sort(places)
	worst, most := "", 0.0
	for _, place := range places {
		if d := math.Abs(r.Consumed[place] - r.Estimated[place]); d > most+1e-9 {
			worst, most = place, d
		}
	}
	if worst != "" && len(places) > 1 {
		parts = append(parts, fmt.Sprintf("most of it at %s: %.3f estimated, %.3f consumed", worst, r.Estimated[worst], r.Consumed[worst]))
	}
	if p.Writes() {
		parts = append(parts, s.writesDiffer(p, t, worst)...)
	} else {
		parts = append(parts, s.readsDiffer(p, t)...)
	}
	return strings.Join(parts, "; ")
}

const differs = 0.1 // between a figure and what it was: it may explain a difference

func far(a, b float64) bool { return math.Abs(a-b) > differs*math.Max(math.Abs(a), math.Abs(b)) }

func (s *session) readsDiffer(p *spec.Pattern, t *tally) (out []string) {
	calls := float64(max(t.calls, 1))
	found, expected := t.found/calls, t.expected
	if expected > 0 && far(found, expected) && found > 0 {
		out = append(out, fmt.Sprintf("`results`: a call finds %s %s on average where %s were expected", show.Number(rounded(found)), p.Read.Name, show.Number(rounded(expected))))
	}
	if scanned, returned := t.scanned/calls, t.returned/calls; scanned > 1.5*returned+1 && p.Where != nil {
		out = append(out, fmt.Sprintf("a call looks at %s items to find %s: what `where: %s` leaves out is read all the same, and the estimate has to count it",
			show.Number(rounded(scanned)), show.Number(rounded(returned)), p.Where))
	}
	for t := range spec.Tests(p.Where) {
		if len(p.Given) > 0 || len(t.Path) != 1 || t.Op != "exists" && t.Op != "absent" || p.Read.Count <= 0 {
			continue
		}
		a := p.Read.Attribute(t.Path[0])
		if a == nil || !a.Optional {
			continue
		}
		have := p.Results.Average / p.Read.Count
		if t.Op == "absent" {
			have = 1 - have
		}
		if far(have, a.Present) {
			out = append(out, fmt.Sprintf("`share` of %s.%s: %s are taken to have it, and `results` of %s say %s", p.Read.Name, a.Name, show.Percent(a.Present), p.Name, show.Percent(have)))
		}
	}
	if len(out) == 0 && p.Top > 0 && p.Where != nil {
		out = append(out, fmt.Sprintf("`top: %d`: the call ends as soon as it has as many, and the estimate has to count how far it reads until then", p.Top))
	}
	if len(out) == 0 && p.Read.Bytes.Average > 0 {
		if n := s.meanBytes(p.Read); far(n, p.Read.Bytes.Average) {
			out = append(out, fmt.Sprintf("`bytes` of %s: %s on average are stored where %s are stated", p.Read.Name, show.Bytes(n), show.Bytes(p.Read.Bytes.Average)))
		}
	}
	return out
}

func (s *session) writesDiffer(p *spec.Pattern, t *tally, place string) (out []string) {
	calls := float64(max(t.calls, 1))
	for _, q := range p.Parameters {
		if share := float64(t.stated[q.Name]) / calls; q.Optional && far(share, q.Stated) {
			out = append(out, fmt.Sprintf("`optional: %s`: %s of the calls state it where %s were expected", q.Name, show.Percent(share), show.Percent(q.Stated)))
		}
		stated := s.pop.lengthOf(q).Average
		if n := float64(t.elements[q.Name]) / calls; q.List && stated > 0 && far(n, stated) {
			out = append(out, fmt.Sprintf("`length` of %s: %s elements on average where %s are stated", q.Name, show.Number(rounded(n)), show.Number(stated)))
		}
	}
	for _, a := range p.Actions {
		for _, at := range a.Entity.Attributes {
			if !at.Optional || at.Reference != nil || at.Last() {
				continue
			}
			if share := s.present(a.Entity, at); far(share, at.Present) {
				out = append(out, fmt.Sprintf("`share` of %s.%s: %s of the stored have it where %s are expected", a.Entity.Name, at.Name, show.Percent(share), show.Percent(at.Present)))
			}
		}
	}
	if len(out) > 0 {
		return out
	}
	// What decides over an entry in an index, and changes with the call.
	for _, name := range s.deciding(p, place) {
		out = append(out, fmt.Sprintf("`%s` decides there: how often a call changes it is not how often it is stored", name))
	}
	for _, q := range p.Parameters {
		if q.Optional {
			out = append(out, fmt.Sprintf("`optional: %s`: with it a call writes more than without", q.Name))
		}
	}
	return out
}

// deciding are the attributes that a pattern changes and that a key of a place is made of, or that say whether there is
// an entry at all.
func (s *session) deciding(p *spec.Pattern, place string) (out []string) {
	for _, t := range s.compiled.Tables {
		for _, x := range t.Indexes {
			if x.Name() != place {
				continue
			}
			for _, k := range t.Kinds {
				for _, w := range slices.Concat(x.Partition, x.Sort) {
					r := k.Recipe(w.Name)
					if r == nil {
						continue
					}
					for _, a := range decidedBy(k, r) {
						if changes(p, k.Entity, a) && !slices.Contains(out, k.Entity.Name+"."+a) {
							out = append(out, k.Entity.Name+"."+a)
						}
					}
				}
			}
		}
	}
	return out
}

func decidedBy(k *plan.Kind, r *plan.Recipe) (out []string) {
	for _, part := range r.Parts {
		if len(part.Path) == 1 {
			out = append(out, part.Path[0])
		}
	}
	for t := range spec.Tests(r.When) {
		if len(t.Path) == 1 {
			out = append(out, t.Path[0])
		}
	}
	return out
}

func changes(p *spec.Pattern, e *spec.Entity, attribute string) bool {
	return slices.ContainsFunc(p.Actions, func(a *spec.Action) bool {
		return a.Entity == e && a.Changes(attribute)
	})
}

// meanBytes is how large stored instances are, of some.
func (s *session) meanBytes(e *spec.Entity) float64 {
	all := s.oracle.Instances(e)
	n, sum := 0, 0
	for i := 0; i < len(all); i += max(len(all)/500, 1) {
		n++
		sum += s.oracle.whole(all[i]).Size() // what is derived is stated with the rest
	}
	return float64(sum) / math.Max(float64(n), 1)
}

// present is the share of stored instances that have an attribute.
func (s *session) present(e *spec.Entity, a *spec.Attribute) float64 {
	n, have := 0, 0
	for _, in := range s.oracle.stores[e].made {
		if !in.Gone {
			n++
			if in.Item.Has(a.Name) {
				have++
			}
		}
	}
	return float64(have) / math.Max(float64(n), 1)
}

// unshown says why the calls of a pattern show nothing, and what is to be changed.
func (s *session) unshown(p *spec.Pattern, t *tally) string {
	if p.Writes() {
		return s.neverDone(p, t)
	}
	n := len(s.oracle.Instances(p.Read))
	text := fmt.Sprintf("no call of it ever found anything among %s: nothing is shown", show.Count(n, p.Read.Name, ""))
	if n == 0 {
		return fmt.Sprintf("no call of it ever found anything, for no %s was made: nothing is shown; look at why what creates it is refused", p.Read.Name)
	}
	// Which of the tests, or which pair of them, passes nothing.
	all := spec.Conjuncts(p.Where)
	for _, c := range all {
		if s.neverHolds(p, c) {
			return fmt.Sprintf("%s; `%s` holds for none of them: correct it, or state what makes it true (a `share`, a range of the attribute)", text, c)
		}
	}
	asked := whatever(p, p.Where)
	for _, g := range p.Given {
		asked = append(asked, there(g))
	}
	if c := s.lacked(p.Read, asked); c != nil {
		return fmt.Sprintf("%s; none of them has a %s, which each call asks for: correct it, or state a `share`", text, c.Path)
	}
	if c, d := s.apart(p.Read, asked); c != nil {
		return fmt.Sprintf("%s; `%s` and `%s`, which each call asks for, hold for some of them, and for none together: correct one, or state by `share` how often they meet", text, c, d)
	}
	if len(all) > 1 {
		return fmt.Sprintf("%s; each test of `where: %s` holds for some, all of them together for none: correct it, or state by `results` and `share` how often they meet", text, p.Where)
	}
	if len(p.Given) > 0 {
		return fmt.Sprintf("%s; nothing stored has what `given` states, all together: correct it, or state how many there are (`per-parent`, `results`)", text)
	}
	return text + "; more data may show it (--data-scale)"
}

// neverHolds reports whether a condition that says all it needs, or that values of stored entities fill in, holds for
// none.
func (s *session) neverHolds(p *spec.Pattern, c spec.Condition) bool {
	if s.oracle.stores[p.Read] == nil {
		return false
	}
	for t := range spec.Tests(c) {
		for _, x := range t.Args {
			for term := range x.Terms() {
				if len(term.Reference) > 0 {
					return false
				}
			}
		}
	}
	return s.never(p.Read, c)
}

// mostNoted is what was counted most often; "" if nothing was.
func mostNoted(by map[string]int) string {
	most := ""
	for _, what := range slices.Sorted(maps.Keys(by)) {
		if most == "" || by[what] > by[most] {
			most = what
		}
	}
	return most
}

// neverDone says why a write was never done, and by which statement.
func (s *session) neverDone(p *spec.Pattern, t *tally) string {
	worst := mostNoted(t.turned)
	text := "no call of it was ever done, all were refused: nothing is shown"
	if worst == "" {
		return text
	}
	text += fmt.Sprintf("; most as `%s`", worst)
	for _, a := range p.Actions { // which of the conditions, or which pair of tests, holds for nothing
		all := whatever(p, a.Condition)
		if refusal(a) != worst || s.oracle.stores[a.Entity] == nil || len(s.oracle.Instances(a.Entity)) == 0 {
			continue // other calls may have used up those for which it held
		}
		if c := s.lacked(a.Entity, all); c != nil {
			return text + fmt.Sprintf(": no %s that is stored has a %s, and `condition: %s` tests it; correct it, or state a `share` of those that have one", a.Entity.Name, c.Path, a.Condition)
		}
		for _, c := range all {
			if s.never(a.Entity, c) {
				return text + fmt.Sprintf(": `condition: %s` holds for no %s that is stored; correct it, or state a range or a `share` under which it does", c, a.Entity.Name)
			}
		}
		if c, d := s.apart(a.Entity, all); c != nil {
			return text + fmt.Sprintf(": `condition: %s` and `%s` hold for some %s each, and for none together; correct one, or state by `share` how often they meet", c, d, a.Entity.Name)
		}
	}
	switch worst {
	case "missing":
		if what := mostNoted(t.lacked); what != "" {
			return text + ": there is " + what + "; let the key come from one value, or from what is stored together: a foreign key or a condition that says so"
		}
		return text + ": what it is about, or what it `requires`, is not there with the keys that calls state; let the keys come from one value, or from what is stored together"
	case "state":
		return text + ": nothing stored is in a state from which it can be entered; look at `share` and at the states that it sets"
	case plan.RefusedTwice:
		return text + ": two of its actions are about one item each time, and DynamoDB takes one; state them as one, or let their keys differ"
	case "unique", "exists":
		return text + ": the identities, or unique values, that can be stated are all taken; give them more `bytes` or another type"
	}
	for _, a := range p.Actions {
		if a.Condition != nil && refusal(a) == worst {
			return text + fmt.Sprintf(": `condition: %s` holds for no %s that a call with the other conditions of %s is about; correct it, or state a range or a `share` under which it does", a.Condition, a.Entity.Name, p.Name)
		}
	}
	return text
}

// whatever returns what a condition of a pattern asks of stored entities whatever a call says: its tests of constants,
// and for each other test, that the entity has a value to compare.
func whatever(p *spec.Pattern, c spec.Condition) []spec.Condition {
	out := spec.Conjuncts(ofItself(c))
	for _, c := range spec.Conjuncts(spec.Without(bothEnds(c), func(name string) bool {
		return slices.ContainsFunc(p.Parameters, func(q *spec.Parameter) bool { return q.Name == name && q.Optional })
	})) {
		if t, ok := c.(*spec.Test); ok && len(t.Path) > 0 && ofItself(t) == nil {
			out = append(out, there(t.Path))
		}
	}
	return out
}

// there is the condition that there is something at a path.
func there(path spec.Path) *spec.Test { return &spec.Test{Path: path, Op: "exists"} }

// lacked is the first of some conditions that asks for something that nothing stored has; nil if there is none.
func (s *session) lacked(e *spec.Entity, all []spec.Condition) *spec.Test {
	for _, c := range all {
		if t, ok := c.(*spec.Test); ok && t.Op == "exists" && s.never(e, t) {
			return t
		}
	}
	return nil
}

// apart are the first two of some conditions that hold for nothing stored together; nil if there are none.
func (s *session) apart(e *spec.Entity, all []spec.Condition) (c, d spec.Condition) {
	for i, d := range all {
		for _, c := range all[:i] {
			if s.never(e, &spec.Logic{Op: "and", Args: []spec.Condition{c, d}}) {
				return c, d
			}
		}
	}
	return nil, nil
}

// never reports whether a condition holds for no instance that is stored.
func (s *session) never(e *spec.Entity, c spec.Condition) bool {
	return !slices.ContainsFunc(s.oracle.Instances(e), func(in *Instance) bool { return s.oracle.holds(c, in, attr.Item{}, attr.Item{}) })
}
