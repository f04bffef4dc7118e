package workload

import (
	"math"
	"slices"
	"time"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/spec"
)

// half is the share that is taken where nobody states one: of entities that pass a test, as of those that have an
// optional attribute and of calls that state an optional parameter.
const half = 0.5

// presence is the share of an entity's instances that have an attribute.
func presence(a *spec.Attribute) float64 {
	if a == nil || !a.Optional {
		return 1
	}
	return a.Present
}

// together finds the optional attributes that come and go with each other, and gives those of a group the first of
// them: as many instances have them, and no write sets or removes one without the others. All others are taken as
// independent.
func together(r *spec.Requirements) map[*spec.Attribute]*spec.Attribute {
	first := map[*spec.Attribute]*spec.Attribute{}
	for _, e := range r.Entities {
		for i, a := range e.Attributes {
			if !a.Optional || first[a] != nil {
				continue
			}
			for _, b := range e.Attributes[i+1:] {
				if b.Optional && b.Present == a.Present && writtenTogether(r, a, b) {
					first[a], first[b] = a, a
				}
			}
		}
	}
	return first
}

func writtenTogether(r *spec.Requirements, a, b *spec.Attribute) bool {
	written := false
	for _, p := range r.Patterns {
		for _, act := range p.Actions {
			if act.Entity != a.Entity || act.Verb != spec.Update {
				continue
			}
			if act.Sets(a.Name) != act.Sets(b.Name) || act.Removes(a.Name) != act.Removes(b.Name) {
				return false
			}
			if act.Sets(a.Name) && stated(p, act, a.Name) != stated(p, act, b.Name) { // one may be left out without the other
				return false
			}
			written = written || act.Sets(a.Name)
		}
	}
	return written
}

// Same reports whether two optional attributes are there together or not at all.
func (w *Workload) Same(a, b *spec.Attribute) bool {
	return a == b || w.first[a] != nil && w.first[a] == w.first[b]
}

// shares are the shares of an attribute's values among the instances that have it; nil if it has no stated set of
// values. What lies at the end of a way spreads as it does there: whoever points to one of them points to any.
func shares(a *spec.Attribute) []spec.Share {
	if a.Follows() {
		if a = source(a.Entity, a.Derived.Path); a == nil {
			return nil
		}
		return shares(a)
	}
	if len(a.Shares) == 0 && a.Type == spec.Bool {
		return []spec.Share{{Value: "true", Of: half}, {Value: "false", Of: half}}
	}
	return a.Shares
}

// source is the attribute at the end of a path that meets one instance at most; nil if it is another path.
func source(e *spec.Entity, path spec.Path) *spec.Attribute {
	segs, err := e.Resolve(path)
	if err != nil || slices.ContainsFunc(segs, func(s spec.Segment) bool { return s.Back }) {
		return nil
	}
	return segs[len(segs)-1].Attribute
}

// text is a literal as shares name values.
func text(v spec.Expr) (string, bool) {
	if v.Op != "" || v.Now || len(v.Reference) > 0 || len(v.Path) > 0 || v.Literal.IsZero() {
		return "", false
	}
	if v.Literal.Kind() == attr.KindBOOL {
		if v.Literal.Bool() {
			return "true", true
		}
		return "false", true
	}
	return spec.ConstantText(v.Literal), true
}

// Share is the share of an entity's instances for which a condition is true: of those of which something is known.
// Tests on the same attribute are read together, so that states which exclude each other add up; different attributes
// are taken as independent, but for those that come and go together. What nothing is stated about holds.
func (w *Workload) Share(c spec.Condition, e *spec.Entity, sure Known) float64 {
	was, _, _ := w.Turn(c, e, sure, sure)
	return was
}

// Passes returns the share of what a pattern reads that a filter lets pass, from 0 to 1, on average over the
// pattern's calls. A call that leaves out an optional parameter skips the tests on it. A test that no figure
// describes passes half of the instances; guesses lists these tests.
func (w *Workload) Passes(c spec.Condition, p *spec.Pattern) (share float64, guesses []*spec.Test) {
	if c == nil {
		return 1, nil
	}
	j := w.joint(c, p.Read, half)
	j.stated = map[*spec.Test]varKey{}
	for t := range spec.Tests(c) {
		if q := leftOut(p, t); q != nil {
			key := varKey{nil, "$" + q.Name}
			j.stated[t] = key
			j.add(key, variable{[]spec.Share{{Value: "there", Of: q.Stated}, {Value: "gone", Of: 1 - q.Stated}}}, &j.size)
		}
	}
	share, _, _ = j.turn(nil, nil)
	return share, j.guesses
}

// leftOut is the parameter that decides whether a call of a read makes a test: one that it may leave out; nil: none.
func leftOut(p *spec.Pattern, t *spec.Test) *spec.Parameter {
	for _, v := range t.Args {
		for term := range v.Terms() {
			if len(term.Reference) == 0 {
				continue
			}
			if q := p.Parameter(term.Reference[0]); q != nil && q.Optional {
				return q
			}
		}
	}
	return nil
}

// Turn follows a condition over a change: the shares of instances for which it is true before, after, and both.
func (w *Workload) Turn(c spec.Condition, e *spec.Entity, before, after Known) (was, is, both float64) {
	if c == nil {
		return 1, 1, 1
	}
	return w.joint(c, e, 1).turn(before, after)
}

// joint is what a condition depends on: a set of independent variables.
type joint struct {
	w         *Workload
	stated    map[*spec.Test]varKey // what decides whether a call makes a test; all others are always made
	condition spec.Condition
	entity    *spec.Entity
	vars      []variable
	at        map[varKey]int
	guesses   []*spec.Test
	size      int // combinations of outcomes
}

// varKey names a variable: the presence or value of an attribute, or a test of which nothing else is known.
type varKey struct {
	attribute *spec.Attribute
	what      string // there, value, the text of a test, or a parameter that calls may leave out
}

type variable struct {
	outcomes []spec.Share // of presence: there and gone; of a test: true and false
}

const mostJoint = 20_000 // combinations of outcomes; of more, what comes late is taken as average

func (w *Workload) joint(c spec.Condition, e *spec.Entity, unstated float64) *joint {
	j := &joint{w: w, condition: c, entity: e, at: map[varKey]int{}, size: 1}
	for t := range spec.Tests(c) {
		if a := j.behind(t); a != nil {
			j.add(j.whereto(t), variable{shares(a)}, &j.size)
			continue
		}
		if e == nil || len(t.Path) != 1 || e.Attribute(t.Path[0]) == nil {
			j.guess(t, unstated)
			continue
		}
		a := e.Attribute(t.Path[0])
		if a.Optional {
			j.add(varKey{w.group(a), "there"}, variable{[]spec.Share{{Value: "there", Of: a.Present}, {Value: "gone", Of: 1 - a.Present}}}, &j.size)
		}
		switch {
		case t.Op == "exists" || t.Op == "absent":
		case decided(t, a):
			j.add(varKey{a, "value"}, variable{shares(a)}, &j.size)
		default:
			share, known := w.within(t, e, a, unstated)
			if !known && unstated < 1 {
				j.guess(t, unstated)
				continue
			}
			j.add(testKey(t, a), variable{[]spec.Share{{Value: "true", Of: share}, {Value: "false", Of: 1 - share}}}, &j.size)
		}
	}
	return j
}

// behind is what a test compares that lies at the end of ways which every instance has, and whose shares decide it; nil: another test.
func (j *joint) behind(t *spec.Test) *spec.Attribute {
	if j.entity == nil || len(t.Path) < 2 {
		return nil
	}
	segs, err := j.entity.Resolve(t.Path)
	if err != nil {
		return nil
	}
	for _, s := range segs {
		if s.Back || s.Way != nil && slices.ContainsFunc(s.Way.By, func(by *spec.Attribute) bool { return by.Optional }) || s.Attribute != nil && s.Attribute.Optional {
			return nil
		}
	}
	if a := segs[len(segs)-1].Attribute; a != nil && decided(t, a) {
		return a
	}
	return nil
}

// whereto names the value at the end of a test's path.
func (j *joint) whereto(t *spec.Test) varKey { return varKey{nil, "value of " + t.Path.String()} }

// group is the attribute whose presence stands for that of all that come and go with it.
func (w *Workload) group(a *spec.Attribute) *spec.Attribute {
	if first := w.first[a]; first != nil {
		return first
	}
	return a
}

func (j *joint) guess(t *spec.Test, unstated float64) {
	var a *spec.Attribute
	if j.entity != nil && len(t.Path) == 1 {
		a = j.entity.Attribute(t.Path[0])
	}
	key := testKey(t, a)
	if _, ok := j.at[key]; !ok {
		j.guesses = append(j.guesses, t)
	}
	size := 1
	j.add(key, variable{[]spec.Share{{Value: "true", Of: unstated}, {Value: "false", Of: 1 - unstated}}}, &size)
}

// testKey names a test of which nothing is known: both ends of a range are one.
func testKey(t *spec.Test, a *spec.Attribute) varKey {
	switch t.Op {
	case "<", "<=", ">", ">=", "between":
		return varKey{a, "range " + spec.Path(t.Path).String()}
	}
	return varKey{a, t.String()}
}

func (j *joint) add(k varKey, v variable, size *int) {
	if _, ok := j.at[k]; ok {
		return
	}
	if *size *= max(len(v.outcomes), 1); *size > mostJoint {
		return
	}
	j.at[k] = len(j.vars)
	j.vars = append(j.vars, v)
}

// decided reports whether stated shares decide a test: it compares with values that are stated as well.
func decided(t *spec.Test, a *spec.Attribute) bool {
	if len(shares(a)) == 0 || t.Op != "=" && t.Op != "!=" && t.Op != "in" {
		return false
	}
	return !slices.ContainsFunc(t.Args, func(v spec.Expr) bool { _, ok := text(v); return !ok })
}

// within is the share of instances that have an attribute which pass a test whose arguments are not values that
// shares name: of an enum or state, and of what has a stated number of values, a call states each value as often; of
// what is generated now, time tells.
func (w *Workload) within(t *spec.Test, e *spec.Entity, a *spec.Attribute, unstated float64) (share float64, known bool) {
	if share := w.tells(t, e); share > 0 && len(shares(a)) == 0 {
		return math.Min(share/presence(a), 1), true
	}
	if n := len(shares(a)); n > 0 {
		switch t.Op {
		case "=":
			return 1 / float64(n), true
		case "!=":
			return 1 - 1/float64(n), true
		case "in":
			return min(float64(len(t.Args))/float64(n), 1), true
		case "before":
			return half, true
		}
	}
	if n := w.variety(a); n > 0 && unstated < 1 {
		switch t.Op {
		case "=":
			return 1 / n, true
		case "!=":
			return 1 - 1/n, true
		case "in":
			return min(float64(len(t.Args))/n, 1), true
		}
	}
	if a.Generated == "now" && len(t.Args) == 1 && unstated < 1 {
		if back, ok := ago(t.Args[0]); ok {
			switch recent := w.Since(e, back); t.Op {
			case ">", ">=":
				return recent, true
			case "<", "<=":
				return 1 - recent, true
			}
		}
	}
	return unstated, false
}

// toldOf is a test of an entity with constants.
type toldOf struct {
	entity *spec.Entity
	test   string
}

// tells is the share of an entity's instances that pass a test with constants alone, as the results of a read say that
// lists those of one parent, or of all, which pass; 0: none does.
func (w *Workload) tells(t *spec.Test, e *spec.Entity) float64 {
	if !Constant(t) {
		return 0
	}
	key := toldOf{e, t.String()}
	share, ok := w.told[key]
	if ok {
		return share
	}
	for _, p := range w.reads[e] {
		if c, ok := p.Where.(*spec.Test); !ok || c.String() != key.test {
			continue
		}
		all := w.Count(e)
		if len(p.Given) > 0 {
			o := w.OwnerOf(e, p.Given)
			if o.Entity == nil || o.Entity == e || len(o.Rest) > 0 {
				continue
			}
			under, per := w.Under(o)
			if all = under.Average; per != nil {
				all *= per.Mean()
			}
		}
		if n := w.Results(p).Average; n > 0 && n < all {
			share = n / all
			break
		}
	}
	w.told[key] = share
	return share
}

// Constant reports whether a test compares with constants alone: it is true of an instance at all times, or never until
// that changes.
func Constant(t *spec.Test) bool {
	return len(t.Args) > 0 && !slices.ContainsFunc(t.Args, func(v spec.Expr) bool { return v.Op != "" || v.Literal.IsZero() || len(v.Reference) > 0 })
}

// variety is how many values an attribute has among all that are stored, as the requirements state them or as many as
// there are of what it refers to; 0: nobody says. What lies at the end of a way has as many as there.
func (w *Workload) variety(a *spec.Attribute) float64 {
	switch e := a.Entity; {
	case a.Follows():
		if there := source(e, a.Derived.Path); there != nil {
			return w.variety(there)
		}
	case a.Distinct > 0: // among fewer there are fewer
		return math.Max(math.Round(a.Distinct*w.Count(e)/math.Max(e.Count, 1)), 1)
	case a.Reference != nil && len(a.Reference.By) == 1 && a.Reference.To.Count > 0:
		return math.Max(w.Count(a.Reference.To), 1)
	}
	return 0
}

// ago is how far before the call a value lies: now, or now less a duration.
func ago(v spec.Expr) (time.Duration, bool) {
	if v.Op == "" {
		return 0, v.Now && !v.Day
	}
	if len(v.Args) != 2 || v.Op != "-" || !v.Args[0].Now || v.Args[0].Day || !v.Args[1].Duration {
		return 0, false
	}
	ms, whole := v.Args[1].Literal.Number().Int64()
	return time.Duration(ms) * time.Millisecond, whole
}

// Since is the share of an entity's instances that have been created within a time before now.
func (w *Workload) Since(e *spec.Entity, d time.Duration) float64 {
	if n := w.Count(e); n > 0 {
		return min(float64(e.Growth*d.Seconds())/n, 1)
	}
	return 1
}

// turn adds up the outcomes of all variables under which the condition is true.
func (j *joint) turn(before, after Known) (was, is, both float64) {
	picked := make([]string, len(j.vars))
	var add func(i int, p float64)
	add = func(i int, p float64) {
		if p == 0 {
			return
		}
		if i < len(j.vars) {
			for _, o := range j.vars[i].outcomes {
				picked[i] = o.Value
				add(i+1, float64(p*o.Of))
			}
			return
		}
		x, y := j.holds(j.condition, picked, before), j.holds(j.condition, picked, after)
		if x {
			was += p
		}
		if y {
			is += p
		}
		if x && y {
			both += p
		}
	}
	add(0, 1)
	return was, is, both
}

func (j *joint) holds(c spec.Condition, picked []string, sure Known) bool {
	switch c := c.(type) {
	case *spec.Logic:
		for _, a := range c.Args {
			ok := j.holds(a, picked, sure)
			if c.Op == "not" {
				return !ok
			}
			if ok != (c.Op == "and") {
				return ok
			}
		}
		return c.Op == "and"
	case *spec.Test:
		return j.passes(c, picked, sure)
	}
	return true
}

func (j *joint) passes(t *spec.Test, picked []string, sure Known) bool {
	if key, ok := j.stated[t]; ok && j.of(key, picked) == "gone" {
		return true
	}
	if j.behind(t) != nil {
		return alike(t, j.of(j.whereto(t), picked))
	}
	if j.entity == nil || len(t.Path) != 1 || j.entity.Attribute(t.Path[0]) == nil {
		return j.of(testKey(t, nil), picked) != "false"
	}
	a := j.entity.Attribute(t.Path[0])
	value, known := sure[a.Name]
	isThere := value != Gone
	if !known && a.Optional {
		isThere = j.of(varKey{j.w.group(a), "there"}, picked) != "gone"
	}
	switch t.Op {
	case "exists":
		return isThere
	case "absent":
		return !isThere
	}
	if !isThere {
		return false
	}
	if !decided(t, a) {
		return j.of(testKey(t, a), picked) != "false"
	}
	if !known || value == There {
		value = j.of(varKey{a, "value"}, picked)
	}
	return alike(t, value)
}

// alike reports whether a value passes a test that shares decide.
func alike(t *spec.Test, value string) bool {
	return slices.ContainsFunc(t.Args, func(v spec.Expr) bool { s, _ := text(v); return s == value }) == (t.Op != "!=")
}

func (j *joint) of(k varKey, picked []string) string {
	if i, ok := j.at[k]; ok {
		return picked[i]
	}
	return ""
}
