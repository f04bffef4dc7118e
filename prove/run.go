package prove

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/cost"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// Options of a proof.
type Options struct {
	// Open connects to where the proof runs: an engine in this process or an endpoint. The options it is given have to
	// reach the DB. Required.
	Open func(o tablewright.Options) (*tablewright.DB, error)
	// Clock must be the engine's; nil: the real one.
	Clock Clock
	// Lag is how long index entries may stay behind their table, as the engine is set; 0: the proof assumes a second.
	Lag time.Duration
	// Seed of data and calls; 0: 1.
	Seed uint64
	// Calls of each aim per pattern; 0: 24.
	Calls int
	// Measured is how many calls of each pattern are measured at least; 0: 160. Up to ten times as many are where it is not
	// clear yet that the mean lies within the tolerance.
	Measured int
	// Roots is how many are kept of each entity that nobody is the parent of, where no collection needs more; 0: 40.
	Roots int
	// Scale says how much data and work a proof is, as a factor; 0: 1.
	Scale float64
	// Patterns to prove, by name; empty: all. Of the data only what these look at or change is made, in numbers that
	// these need.
	Patterns []string
	// Throttle has the model also run at its peak rates within DynamoDB's limits, after the rest of the proof, on an engine
	// of its own; a pattern of which too many calls are throttled is not proven. nil: it is not run.
	Throttle *Throttle
	// Prefix of table names.
	Prefix string
	// Progress is told what is under way; nil: nobody is.
	Progress func(Progress)
}

// Progress of a proof.
type Progress struct {
	Phase    string // load, reads, refusals, capacity, writes, concurrency, expiry, peak
	Pattern  string
	Done, Of int
}

func (o *Options) progress(p Progress) {
	if o.Progress != nil {
		o.Progress(p)
	}
}

// Run proves a program: it makes a data set through the program's own write plans, calls every access pattern many
// times, and compares each answer with an oracle that knows the requirements only. It answers evidence also where
// patterns are not proven; the error says what kept the proof from being made.
func Run(ctx context.Context, p *plan.Program, o Options) (*Evidence, error) {
	if o.Clock == nil {
		o.Clock = System{}
	}
	if o.Seed == 0 {
		o.Seed = 1
	}
	if o.Calls == 0 {
		o.Calls = 24
	}
	if o.Measured == 0 {
		o.Measured = 160
	}
	if o.Roots == 0 {
		o.Roots = rootCount
	}
	if o.Scale == 0 {
		o.Scale = 1
	}
	if o.Lag == 0 {
		o.Lag = time.Second
	}
	s := &session{ctx: ctx, o: o, compiled: p, program: tablewright.NewProgram(p), req: p.Requirements, tallies: map[*spec.Pattern]*tally{}, vain: map[*spec.Pattern]int{}, sampler: &sampler{}, replicas: newReplicas(o, p), counted: &operations{by: map[string]map[string]int{}}}
	var err error
	s.db, err = o.Open(tablewright.Options{
		Clock:     o.Clock,
		IDs:       newIDs(o),
		Hooks:     []tablewright.Hook{record, s.counted.hook, takeTurns, s.replicas.hook, s.sampler.hook},
		TableName: func(declared string) string { return o.Prefix + declared },
	})
	if err != nil {
		return nil, err
	}
	s.oracle = NewOracle(s.req)
	s.oracle.SetNow(o.Clock.Now())
	s.src = newSource(o.Seed, o.Clock.Now())
	for _, pattern := range s.req.Patterns {
		if len(o.Patterns) == 0 || slices.Contains(o.Patterns, pattern.Name) {
			s.asked = append(s.asked, pattern)
		}
	}
	s.pop = populate(s.req, s.asked, o.Roots, o.Scale)
	s.cast = newCast(s.pop, s.src)
	s.call = newCaller(s.oracle, s.cast, s.src)
	s.evidence = &Evidence{Tablewright: 1, Application: s.req.Application.Name, Seed: o.Seed, Cuts: s.pop.Cuts}
	s.evidence.Staleness = s.staleness()
	s.keeper = s.newKeeper()
	loads := cost.Price(p, nil).Loads
	for _, l := range loads {
		s.evidence.Peak = append(s.evidence.Peak, PeakLoad{l.Place, l.Of, l.Item, rounded(l.Read), rounded(l.Write), rounded(l.Heat), rounded(l.Contention)})
	}
	for _, pattern := range s.req.Patterns {
		r := &PatternResult{Name: pattern.Name, Kind: "read", Aims: map[string]int{}, Estimated: map[string]float64{}}
		if pattern.Writes() {
			r.Kind, r.Refused = "write", map[string]int{}
		}
		t := &tally{result: r, sum: map[string]float64{}}
		s.tallies[pattern] = t
		if p.Procedure(pattern.Name) == nil {
			r.Failure = &Counterexample{Cause: "the model has no plan for it that can be run", Aim: "none"}
		}
	}
	if err := tablewright.NewProgram(cool(p)).CreateTables(ctx, s.db); err != nil {
		return nil, fmt.Errorf("create the model's tables: %w", err)
	}
	err = s.prove()
	if clean := s.program.DeleteTables(context.WithoutCancel(ctx), s.db); err == nil && clean != nil {
		err = fmt.Errorf("delete the proof's tables: %w", clean)
	}
	if err != nil {
		return nil, err
	}
	s.conclude(heats(loads))
	if o.Throttle != nil {
		if err := s.peak(); err != nil {
			return nil, fmt.Errorf("at peak rates: %w", err)
		}
	}
	return s.evidence, nil
}

// cool is a program whose tables are not made warm: they are filled with little and slowly, and on AWS being warm is paid.
func cool(p *plan.Program) *plan.Program {
	out := *p
	out.Tables = make([]*plan.Schema, len(p.Tables))
	for i, t := range p.Tables {
		schema, document := *t, *t.Document
		document.Warm = plan.Billing{}
		document.GSI = maps.Clone(document.GSI)
		for name, x := range document.GSI {
			x.Warm = plan.Billing{}
			document.GSI[name] = x
		}
		schema.Document = &document
		out.Tables[i] = &schema
	}
	return &out
}

// peak holds the model to DynamoDB's limits. What of a pattern is wrong already stays its first counterexample.
func (s *session) peak() error {
	s.o.progress(Progress{Phase: "peak"})
	t, err := AtPeak(s.ctx, s.compiled, *s.o.Throttle, s.measured)
	if err != nil {
		return err
	}
	s.evidence.Throttled = t
	for _, r := range s.evidence.Patterns {
		p := t.Pattern(r.Name)
		if p == nil {
			continue
		}
		throttled := p.Throttled
		if r.Verdicts.Heat.Throttled = &throttled; p.Within {
			continue
		}
		r.Verdicts.Heat.Fits, r.Verdicts.Heat.Cause = false, t.cause(p)
		r.Proven, s.evidence.Proven = false, false
		if r.Failure != nil {
			continue
		}
		r.Failure = &Counterexample{Cause: t.cause(p), Aim: "peak", Expected: map[string]float64{"throttled": t.Allowed}, Got: map[string]float64{"throttled": p.Throttled}}
	}
	return nil
}

// measured is how many times its estimate calls of a pattern have consumed at a place.
func (s *session) measured(pattern, place string) float64 {
	t := s.tallies[s.req.Pattern(pattern)]
	estimated := t.result.Estimated[place]
	if t.calls == 0 || estimated <= 0 || t.result.Failure != nil {
		return 1
	}
	return t.sum[place] / float64(t.calls) / estimated
}

func (s *session) prove() error {
	if err := s.load(); err != nil {
		return err
	}
	s.estimate()
	s.evidence.Entities = map[string]int{}
	for _, e := range s.req.Entities {
		s.evidence.Entities[e.Name] = len(s.oracle.Instances(e))
	}
	for _, phase := range []func() error{s.samples, s.reads, s.refusals, s.capacity, s.writes, s.concurrency, s.expiry} {
		if err := phase(); err != nil {
			return err
		}
		if err := s.ctx.Err(); err != nil {
			return err
		}
		if s.kept != nil {
			return s.kept
		}
	}
	return nil
}

// reads calls every read pattern on data at rest: indexes have caught up, answers must be exact.
func (s *session) reads() error { return s.sweep("reads", s.o.Calls, 1) }

// sweep calls every read pattern with every aim. part is how much of the work of a first sweep it may do.
func (s *session) sweep(phase string, calls int, part float64) error {
	s.pass(s.o.Lag)
	for i, p := range s.asked {
		if p.Writes() {
			continue
		}
		s.o.progress(Progress{phase, p.Name, i, len(s.asked)})
		for _, aim := range []Aim{Typical, Largest, Edge, Nothing} {
			n := calls
			if aim == Largest || aim == Nothing {
				n = (calls + 5) / 6
			}
			work := s.budget(part / 4)
			for i := range n {
				if s.failed(p) || s.ctx.Err() != nil || i >= s.inAnyCase(p) && work.spent() {
					break
				}
				s.check(p, aim.String(), s.call.read(p, aim, nil), false)
			}
		}
		s.lookFor(p)
	}
	return s.ctx.Err()
}

const mostLookedFor = 12

// lookFor calls a read pattern that has found nothing yet about instances that it finds whatever is stated beside them: where
// few have what it asks for, the keys of all others lead to nothing.
func (s *session) lookFor(p *spec.Pattern) {
	if s.tallies[p].answered > 0 || p.Where == nil {
		return
	}
	asks, left := ofItself(p.Where), mostLookedFor
	for _, in := range s.oracle.Instances(p.Read) {
		if s.tallies[p].answered > 0 || left == 0 || s.failed(p) || s.ctx.Err() != nil {
			return
		}
		s.oracle.looked++
		if !s.oracle.expired(in) && (asks == nil || s.oracle.holds(asks, in, attr.Item{}, attr.Item{})) {
			left--
			s.check(p, Typical.String(), s.call.read(p, Typical, in), false)
		}
	}
}

// writes calls every write pattern with every intent, reads around what it has changed while indexes lag and after, and
// checks that what was refused has changed nothing.
func (s *session) writes() error {
	s.stale(true)
	defer s.stale(false)
	for i, p := range s.asked {
		if !p.Writes() || s.failed(p) {
			continue
		}
		s.o.progress(Progress{"writes", p.Name, i, len(s.asked)})
		s.looking = s.budget(lookAgain)
		intents := []Intent{Regular, Again, Absent, Contrary, Fresh, Freed}
		for _, intent := range intents {
			work := s.budget(1 / float64(len(intents)))
			for n := range s.o.Calls {
				if intent >= Fresh && n >= s.o.Calls/3 || n >= fewCalls && work.spent() {
					break
				}
				if s.failed(p) || s.ctx.Err() != nil {
					break
				}
				s.oneWrite(p, intent, n)
			}
		}
		s.pass(s.o.Lag)
		s.around(p, 6, false)
	}
	return s.sweep("writes", max(s.o.Calls/2, 4), lookAgain)
}

func (s *session) oneWrite(p *spec.Pattern, intent Intent, n int) {
	var about *Instance
	if intent == Fresh {
		if about = s.makeOne(p); about == nil {
			return
		}
	}
	args := attr.Item{}
	if intent == Regular {
		args = s.ready(p, intent)
	} else {
		args = s.call.write(p, intent, -1, about)
	}
	use := &tablewright.Usage{}
	done, completed := s.write(p, intent, args, use)
	if s.failed(p) {
		return
	}
	if done {
		s.enterCreated(p, completed)
		if t := s.tallies[p]; intent == Regular && !t.atRest {
			t.add(use)
		}
	}
	s.around(p, 1, true)
	s.pass(time.Duration(s.src.rnd.IntN(20)) * time.Millisecond)
	if n%4 == 3 {
		s.pass(s.o.Lag)
		s.around(p, 2, false)
	}
}

// makeOne creates an instance of what a pattern changes, so that the pattern meets it while replicas and indexes may not
// show it yet. nil: the pattern changes nothing, or what it changes could not be made.
func (s *session) makeOne(p *spec.Pattern) *Instance {
	for _, a := range p.Actions {
		if a.Verb != spec.Update && a.Verb != spec.Delete {
			continue
		}
		c := creationOf(s.req, a.Entity)
		if c == nil || s.failed(c.pattern) {
			return nil
		}
		args := s.call.write(c.pattern, Regular, -1, nil)
		before := s.oracle.stores[a.Entity].born
		if done, completed := s.write(c.pattern, Regular, args, nil); done {
			s.enterCreated(c.pattern, completed)
		}
		if last := s.oracle.stores[a.Entity].lately; s.oracle.stores[a.Entity].born > before && last != nil {
			return last
		}
		return nil
	}
	return nil
}

// staleness describes what the proof lets reads miss.
func (s *session) staleness() string {
	if _, simulated := s.o.Clock.(*Simulated); !simulated {
		return fmt.Sprintf("as the endpoint has it; answers may be up to %s old before they count as wrong", s.o.Lag)
	}
	return fmt.Sprintf("entries of global secondary indexes appear up to %s after the write, each at a time of its own, those of one transaction not together; reads of tables that are not consistent may miss writes of the same time", s.o.Lag)
}

// stale switches on that reads of tables which do not ask for consistency may be answered by replicas that lag.
func (s *session) stale(on bool) {
	_, simulated := s.o.Clock.(*Simulated)
	s.replicas.on = on && simulated
}

// enterCreated gives what a write has created its place in the cast.
func (s *session) enterCreated(p *spec.Pattern, completed attr.Item) {
	for _, a := range p.Actions {
		if a.Verb == spec.Create || a.Verb == spec.Upsert || a.Makes {
			c := &creation{pattern: p, action: a, root: a.Entity}
			s.enter(c, valueParameter(p, a), completed)
		}
	}
}

// around calls read patterns about what changed last in the entities that a write pattern changes.
func (s *session) around(p *spec.Pattern, n int, stale bool) {
	var about []*spec.Pattern
	for _, r := range s.asked {
		if !r.Writes() && !s.failed(r) && touches(p, r) && !s.dear(r) {
			about = append(about, r)
		}
	}
	if len(about) == 0 {
		return
	}
	for range n {
		if s.ctx.Err() != nil || s.looking.spent() && s.src.rnd.IntN(8) > 0 {
			return // enough has been read around this pattern's calls
		}
		r := about[s.src.rnd.IntN(len(about))]
		aim := "after a write"
		if stale {
			aim = "after a write, indexes lagging"
		}
		s.check(r, aim, s.call.read(r, Typical, s.near(p, r.Read)), stale)
	}
}

// near is an instance of an entity that a write pattern has changed lately; any one if it has changed none.
func (s *session) near(p *spec.Pattern, e *spec.Entity) *Instance {
	if last := s.oracle.stores[e].lately; last != nil {
		return last
	}
	return pickOne(s.src, s.cast.byRank[e])
}

// touches reports whether a read looks at an entity that a write changes.
func touches(w, r *spec.Pattern) bool {
	read := map[*spec.Entity]bool{r.Read: true}
	walk := func(path spec.Path) {
		e := r.Read
		for _, name := range path {
			if rel := e.WayThere(name); rel != nil {
				e = rel.To
			} else if rel := e.WayBack(name); rel != nil {
				e = rel.From
			} else {
				return
			}
			read[e] = true
		}
	}
	for _, paths := range [][]spec.Path{r.Given, r.With, r.Returns} {
		for _, path := range paths {
			walk(path)
		}
	}
	for _, a := range w.Actions {
		if read[a.Entity] {
			return true
		}
		for _, way := range a.With {
			if rel := a.Entity.WayBack(way); rel != nil && read[rel.From] {
				return true
			}
		}
	}
	return false
}

// expiry lets everything that expires do so: no read may return it any more.
func (s *session) expiry() error {
	var last time.Time
	for _, e := range s.req.Entities {
		if e.Expires == nil {
			continue
		}
		for _, in := range s.oracle.Instances(e) {
			if t, err := time.Parse(spec.TimestampLayout, in.Item.Get(e.Expires.Name).Str()); err == nil && t.After(last) {
				last = t
			}
		}
	}
	now := s.o.Clock.Now()
	if _, simulated := s.o.Clock.(*Simulated); last.IsZero() || !simulated || !last.After(now) {
		return nil
	}
	for range 2 { // half of them, then all
		s.pass(last.Sub(s.o.Clock.Now())/2 + time.Millisecond)
		if err := s.sweep("expiry", max(s.o.Calls/4, 4), lookAgain); err != nil {
			return err
		}
	}
	return nil
}
