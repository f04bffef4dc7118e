package prove

import (
	"fmt"
	"math"
	"path/filepath"
	"testing"
	"time"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/cost"
	"github.com/tablewright/tablewright/design"
	"github.com/tablewright/tablewright/model"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// tracked is the program of a model for the tracker.
func tracked(t *testing.T) (*spec.Requirements, *plan.Program) {
	t.Helper()
	r, _, _, err := model.LoadRequirements(filepath.Join("testdata", "tracker.yaml"))
	if err != nil || r == nil {
		t.Fatal(err)
	}
	m, _, _, err := model.LoadModel(filepath.Join("testdata", "tracker.model.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	compiled, problems := plan.Compile(m, r)
	if compiled == nil {
		t.Fatal(problems)
	}
	return r, compiled
}

// TestWalkByShard: a key that says in which shard its item lies is followed like any other.
func TestWalkByShard(t *testing.T) {
	r, compiled := tracked(t)
	src := newSource(1, time.Date(2026, 1, 15, 9, 0, 0, 0, time.UTC))
	o := NewOracle(r)
	o.put(r.Entity("Activity"), attr.ItemOf(attr.Field{Name: "activityId", Value: attr.Text("there")}))
	proc := compiled.Procedure("getActivity")
	w := newWalk(o, proc, src)
	for _, id := range []string{"there", "gone"} {
		w.call(attr.ItemOf(attr.Field{Name: "activityId", Value: attr.Text(id)}))
	}
	runs, known := w.met(proc.Stages[0])
	if !known || len(runs) != 2 {
		t.Errorf("%v %v", runs, known)
	}
}

// TestWalkEndsEarly: what queries only pass counts as well, or calls that list very much would be followed for minutes.
func TestWalkEndsEarly(t *testing.T) {
	r, _, found := model.ReadRequirements("bills.yaml", []byte(`tablewright: 1
application: bills
entities:
  Bill: {identity: [billId], attributes: {billId: {type: string, generated: ulid}, due: timestamp}, bytes: 90, count: 50_000}
patterns:
  add: {write: {create: Bill}, rate: {average: 1/s, peak: 2/s}}
  list: {read: Bill, order: due, rate: {average: 1/day, peak: 1/day}}
`))
	if r == nil || found.Errors() > 0 {
		t.Fatal(found)
	}
	d, err := design.Design(t.Context(), r, design.Options{})
	if err != nil {
		t.Fatal(err)
	}
	compiled, problems := plan.Compile(d.Model, r)
	if compiled == nil {
		t.Fatal(problems)
	}
	list := r.Pattern("list")
	calls := func(n int) int {
		clock := NewSimulated(time.Date(2026, 1, 15, 9, 0, 0, 0, time.UTC))
		src := newSource(1, clock.Now())
		s := &session{ctx: t.Context(), req: r, asked: r.Patterns, oracle: NewOracle(r), compiled: compiled, src: src, o: Options{Seed: 1, Clock: clock}}
		s.cast = newCast(populate(r, r.Patterns, rootCount, 1), src)
		for i := range n {
			s.oracle.put(r.Entity("Bill"), attr.ItemOf(
				attr.Field{Name: "billId", Value: attr.Text(fmt.Sprint(i))},
				attr.Field{Name: "due", Value: attr.Text("2026-01-15T09:00:00.000Z")}))
		}
		x := newEncounters(s)
		x.walk(list)
		return x.walks[list].calls
	}
	if few, many := calls(10), calls(20_000); few != mostDrawn || many > 8*leastDrawn {
		t.Errorf("%d calls that find few are followed, and %d that find many", few, many)
	}
}

// TestWalkOfScan: a scan reads what is stored as it is, in all kinds of its table, whatever the laws say that it has:
// here no lift has the booking that most are to have.
func TestWalkOfScan(t *testing.T) {
	r, _, found := model.ReadRequirements("lifts.yaml", []byte(`tablewright: 1
application: lifts
entities:
  Booking: {identity: [bookingId], attributes: {bookingId: {type: string, bytes: 26}}, bytes: 300, count: 500}
  Lift:
    identity: [liftId]
    attributes:
      liftId: {type: string, bytes: 8}
      bookingId: {references: Booking, optional: true, share: 85%, inverse: lifts, per-parent: {average: 2, max: 90}}
      at: timestamp
    bytes: 120
    count: 1_177
patterns:
  ask: {write: {create: Booking}, rate: {average: 1/s, peak: 2/s}}
  lift: {write: {create: Lift}, rate: {average: 1/s, peak: 2/s}}
  export: {read: Lift, where: at between $from and $to, whole: true, results: {average: 500, max: 1_000}, rate: {average: 1/day, peak: 1/day}}
`))
	if r == nil || found.Errors() > 0 {
		t.Fatal(found)
	}
	m, source, found := model.ReadModel("lifts.model.yaml", []byte(`tablewright: 1
application: lifts
tables:
  Bookings: {attributes: {bookingId: S}, key: {partition: bookingId}, items: {Booking: {holds: Booking}}}
  Lifts: {attributes: {liftId: S}, key: {partition: liftId}, items: {Lift: {holds: Lift}}}
plans:
  ask: {steps: {write: {put: Booking, value: $booking, if: absent}}}
  lift: {steps: {write: {put: Lift, value: $lift, if: absent}}}
  export: {steps: {all: {scan: Lifts, items: [Lift], filter: at between $from and $to}}}
`))
	if m == nil || found.Errors() > 0 {
		t.Fatal(found)
	}
	compiled, found := model.CompileModel(m, source, r)
	if compiled == nil || found.Errors() > 0 {
		t.Fatal(found)
	}
	src := newSource(1, time.Date(2026, 1, 15, 9, 0, 0, 0, time.UTC))
	o := NewOracle(r)
	const n = 1_000
	for i := range n {
		o.put(r.Entity("Lift"), attr.ItemOf(
			attr.Field{Name: "liftId", Value: attr.Text(fmt.Sprintf("%08d", i))},
			attr.Field{Name: "at", Value: attr.Text(fmt.Sprintf("2026-01-%02dT09:00:00.000Z", 1+i%20))}))
	}
	proc := compiled.Procedure("export")
	w := newWalk(o, proc, src)
	args := attr.ItemOf(
		attr.Field{Name: "from", Value: attr.Text("2026-01-03T00:00:00.000Z")},
		attr.Field{Name: "to", Value: attr.Text("2026-01-05T00:00:00.000Z")})
	passed, _ := w.call(args)
	if k := len(passed[proc.Stages[0]]); k != n/10 {
		t.Errorf("%d lifts pass the filter, want those of two days", k)
	}
	each := float64(len("liftId") + 8 + len("at") + 24)
	runs, known := w.met(proc.Stages[0])
	if !known || len(runs) != 1 || runs[0].Items[0] != n || runs[0].Each[0] != each {
		t.Fatalf("%v %+v", known, runs)
	}
	units := cost.EstimateMet(compiled, cost.Figures{}, cost.Seen{Met: w.met})["export"]["Lifts"]
	if want := math.Ceil(n*each/4_096) / 2; units != want {
		t.Errorf("%v units, and what is stored takes %v", units, want)
	}
}
