package prove

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/cost"
	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/wire"
)

// Throttle has a proof hold a model to DynamoDB's limits: all access patterns at once, each at its peak rate, on tables and
// indexes as the model provisions them, of the stated size, with partitions that DynamoDB would divide. The zero Throttle
// has the defaults.
//
// It runs on an engine of its own with throttling on, whose clock is simulated, wherever the rest of the proof runs. Requests
// are not carried out one by one: a request is admitted or refused by what it consumes and by its keys alone
// ([engine.Limits]), so that it is enough to know these. What it consumes is the estimate for the stated sizes, corrected
// by what the proof has measured of the pattern against the estimate for its own data. Its keys are drawn among all that
// are stated, 500,000 customers and not the 40 of the proof's data, by the skew and the laws of the requirements; calls
// come at an even rate, and draws cover the laws evenly (real ones also come in bursts). Many equal requests are
// asked for as one, of at most 1 % of what their partition takes in a second: a limit that lets a second's worth of small
// requests pass, and refuses the next, decides about sums. Nothing that is refused is tried again.
type Throttle struct {
	// Limits are the parameters of the throttling model (engine/THROTTLING.md).
	Limits engine.Throttle
	// Settle is how long the load runs before it counts: burst capacity is used up (300 s), and partitions that DynamoDB
	// divides for their heat are divided. 0: 15 minutes. Time is that for which it counts afterwards; 0: 10 minutes. Both
	// together should stay below the 30 minutes after which a table on demand takes more, for that is to be ready at once.
	Settle, Time time.Duration
	// Allowed is the share of a pattern's calls that may be throttled; 0: 0.01. That much the repetitions of any client
	// absorb.
	Allowed float64
}

func (o Throttle) defaults() Throttle {
	o.Settle = cmp.Or(o.Settle, 15*time.Minute)
	o.Time = cmp.Or(o.Time, 10*time.Minute)
	o.Allowed = cmp.Or(o.Allowed, 0.01)
	return o
}

// Measured is how many times the estimate of what a call consumes at a place, Table or Table.Index, has been measured.
type Measured func(pattern, place string) float64

// AtPeak runs the access patterns of a program at their peak rates and tells what is throttled. measured nil: estimates are
// taken as they are.
func AtPeak(ctx context.Context, p *plan.Program, o Throttle, measured Measured) (t *Throttled, err error) {
	o = o.defaults()
	clock := NewSimulated(time.Date(2026, time.January, 5, 9, 0, 0, 0, time.UTC))
	e, err := engine.Open("", &engine.Options{Clock: clock, Throttle: &o.Limits, SweepEvery: -1, SlowRequest: -1})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	db := tablewright.New(tablewright.InProcess(e), tablewright.Options{Clock: clock})
	if err := tablewright.NewProgram(p).CreateTables(ctx, db); err != nil {
		return nil, fmt.Errorf("create the model's tables: %w", err)
	}
	run := &peakRun{o: o, clock: clock, limits: e.Limits(), report: cost.Price(p, nil), hot: map[hotKey]*hot{}}
	for _, place := range run.report.Places {
		if place.Index == nil || place.Index.Global() {
			if err := run.limits.Holds(place.Table.Name, indexOf(place.Index), place.Stored); err != nil {
				return nil, err
			}
		}
	}
	run.traffic(p, measured)
	if err := run.load(ctx); err != nil {
		return nil, err
	}
	return run.conclude()
}

func indexOf(x *plan.Access) string {
	if x == nil || !x.Global() {
		return ""
	}
	return x.Index
}

// peakRun is a load under way.
type peakRun struct {
	o        Throttle
	clock    *Simulated
	limits   *engine.Limits
	report   *cost.Report
	flows    []*flow
	requests []cost.Request
	order    uint64 // of writes
	counts   bool   // what is refused now counts
	hot      map[hotKey]*hot
}

// flow is the calls of one access pattern.
type flow struct {
	pattern string
	rate    float64 // calls per second
	weight  float64 // calls that are asked for as one
	next    float64 // when the next is asked for, in seconds
	phase   float64 // of what its calls keep from an even beat, and how it goes on
	step    float64
	steps   []*step

	settling, counted share
}

// share is how many calls were throttled.
type share struct{ calls, refused float64 }

func (s share) of() float64 { return s.refused / math.Max(s.calls, 1e-9) }

// step is one request of a call.
type step struct {
	of     *cost.Request
	draws  []*draw
	demand []engine.Demand // of the request that is being asked for
	asked  []asked
}

// asked says what a demand of a request stands for.
type asked struct {
	draw  *draw
	rank  int64
	shard int64
	units float64
}

const (
	lump     = 0.01      // of what a partition takes in a second: most that is asked for as one
	arrivals = 20        // requests per second of a pattern at least, if it has as many calls
	mostRun  = 3_000_000 // calls that are asked for in all
)

// traffic makes the flows.
func (r *peakRun) traffic(p *plan.Program, measured Measured) {
	r.requests = cost.Traffic(p, cost.Figures{})
	total := 0.0
	for i := range r.requests {
		q := &r.requests[i]
		if len(r.flows) == 0 || r.flows[len(r.flows)-1].pattern != q.Pattern {
			r.flows = append(r.flows, newFlow(q, len(r.flows)))
		}
		f := r.flows[len(r.flows)-1]
		st := &step{of: q}
		for j := range q.Demands {
			d := &q.Demands[j]
			if measured != nil {
				d.Units = float64(d.Units * measured(q.Pattern, d.Access.Name()))
			}
			w := newDraw(d, len(r.flows)*7+i*3+j, &r.order)
			w.lots = lots(p.Requirements, p.Requirements.Pattern(q.Pattern), d)
			st.draws = append(st.draws, w)
			f.weight = math.Max(math.Min(f.weight, math.Floor(float64(lump*r.takes(d))/w.each)), 1)
		}
		f.steps = append(f.steps, st)
	}
	r.flows = slices.DeleteFunc(r.flows, func(f *flow) bool { return f.rate <= 0 })
	for _, f := range r.flows {
		total += f.rate / f.weight * (r.o.Settle + r.o.Time).Seconds()
	}
	if total > mostRun {
		for _, f := range r.flows {
			f.weight = math.Max(float64(f.weight*total)/mostRun, 1)
		}
	}
}

func newFlow(q *cost.Request, n int) *flow {
	f := &flow{pattern: q.Pattern, rate: q.Rate, weight: math.Max(q.Rate/arrivals, 1)}
	_, f.step = math.Modf(math.Sqrt(float64(primes[n%len(primes)])))
	_, f.phase = math.Modf(float64(n+1) * math.Phi)
	return f
}

// takes is what the place of a demand takes in a second at the point where it takes least.
func (r *peakRun) takes(d *cost.Demand) float64 {
	b := d.Access.Table.Document.Billing
	if d.Write {
		n := float64(cmp.Or(r.o.Limits.PartitionWrites, capacity.PartitionWrites))
		if b.Write > 0 {
			n = math.Min(n, b.Write)
		}
		return n
	}
	n := float64(cmp.Or(r.o.Limits.PartitionReads, capacity.PartitionReads))
	if b.Read > 0 {
		n = math.Min(n, b.Read)
	}
	return n
}

// load runs all flows side by side, each call at its time.
func (r *peakRun) load(ctx context.Context) error {
	start, end := r.clock.Now(), (r.o.Settle + r.o.Time).Seconds()
	for n := 0; ; n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		var f *flow
		for _, other := range r.flows {
			if f == nil || other.next < f.next {
				f = other
			}
		}
		if f == nil || f.next >= end {
			return nil
		}
		r.clock.Advance(start.Add(time.Duration(f.next * float64(time.Second))).Sub(r.clock.Now()))
		r.counts = f.next >= r.o.Settle.Seconds()
		if err := r.call(f); err != nil {
			return err
		}
		f.later()
	}
}

// later is when the flow's next call comes: at its rate on average, but in step with no other flow, so that all find limits
// as far used up.
func (f *flow) later() {
	_, f.phase = math.Modf(f.phase + f.step)
	f.next += float64(f.weight / f.rate * (0.5 + f.phase))
}

// call makes so many calls as are asked for as one: step by step, until one is refused.
func (r *peakRun) call(f *flow) error {
	s := &f.settling
	if r.counts {
		s = &f.counted
	}
	s.calls += f.weight
	for _, st := range f.steps {
		st.fill(f.weight)
		err := r.limits.Take(st.demand...)
		if err == nil {
			continue
		}
		var refused *wire.Error
		if !errors.As(err, &refused) || len(refused.Throttling) == 0 {
			return err
		}
		s.refused += f.weight
		r.refused(f, st, refused)
		return nil
	}
	return nil
}

// conclude makes the evidence.
func (r *peakRun) conclude() (*Throttled, error) {
	t := &Throttled{Settle: r.o.Settle.Seconds(), Time: r.o.Time.Seconds(), Allowed: r.o.Allowed, Within: true, Limits: []LimitMet{}}
	for _, f := range r.flows {
		p := PeakPattern{Name: f.pattern, Rate: f.rate, Throttled: rounded(f.counted.of()), Settling: rounded(f.settling.of())}
		p.Within = p.Throttled <= r.o.Allowed
		t.Within = t.Within && p.Within
		t.Patterns = append(t.Patterns, p)
	}
	for _, place := range r.report.Places {
		if place.Index != nil && !place.Index.Global() {
			continue
		}
		n, err := r.limits.Partitions(place.Table.Name, indexOf(place.Index))
		if err != nil {
			return nil, err
		}
		read, write := r.askedOf(place.Name)
		t.Places = append(t.Places, PeakPlace{Where: place.Name, Read: rounded(read), Write: rounded(write), Partitions: n})
	}
	t.Limits = append(t.Limits, r.met()...)
	slices.SortStableFunc(t.Limits, func(a, b LimitMet) int { return cmp.Compare(b.Throttled, a.Throttled) })
	return t, nil
}

// askedOf are the units per second that all patterns ask of a table, with its local indexes, or of a global index.
func (r *peakRun) askedOf(place string) (read, write float64) {
	for i := range r.requests {
		for j := range r.requests[i].Demands {
			if d := &r.requests[i].Demands[j]; placeOf(d) != place {
				continue
			} else if n := float64(r.requests[i].Rate * d.Units); d.Write {
				write += n
			} else {
				read += n
			}
		}
	}
	return read, write
}

// placeOf is the table or global index whose limits a demand meets.
func placeOf(d *cost.Demand) string {
	if d.Access.Global() {
		return d.Access.Name()
	}
	return d.Access.Table.Name
}
