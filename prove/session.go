package prove

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/cost"
	"github.com/tablewright/tablewright/keys"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// session is one proof under way.
type session struct {
	ctx      context.Context
	o        Options
	program  *tablewright.Program
	compiled *plan.Program
	req      *spec.Requirements
	asked    []*spec.Pattern // to prove
	db       *tablewright.DB
	oracle   *Oracle
	pop      *Population
	cast     *cast
	sampler  *sampler
	replicas *replicas
	counted  *operations
	keeper   *keeper                   // nil: a model keeps its copies itself
	kept     error                     // why the keeper could not do its work
	seeding  *seeding                  // how the data was made
	order    []*creation               // of the data, what is pointed to first
	vain     map[*spec.Pattern]int     // see mostInVain
	figures  cost.Figures              // of the data as it was made, on which estimates rest
	seen     cost.Seen                 // by calls, as well
	lives    func(*spec.Pattern) bool  // see seeding
	renewed  map[*spec.Pattern]float64 // see renews
	looking  budget                    // of reads around the calls of a write pattern
	call     *caller
	src      *source
	evidence *Evidence
	tallies  map[*spec.Pattern]*tally
}

// recorder is a hook that keeps the requests of the calls whose context asks for it.
type recorder struct {
	mu       sync.Mutex
	requests []Request
}

type recorderKey struct{}

// maxRecorded is how many requests of one call are kept: enough to see what a call does.
const maxRecorded = 12

func record(next tablewright.Transport) tablewright.Transport {
	return tablewright.TransportFunc(func(ctx context.Context, c *tablewright.Call) error {
		if r, ok := ctx.Value(recorderKey{}).(*recorder); ok {
			r.mu.Lock()
			if len(r.requests) < maxRecorded {
				r.requests = append(r.requests, Request{c.Operation, slices.Clone(json.RawMessage(c.Request))})
			}
			r.mu.Unlock()
		}
		return next.Do(ctx, c)
	})
}

// operations is a hook that counts the requests of each access pattern by operation.
type operations struct {
	mu sync.Mutex
	by map[string]map[string]int // pattern → operation → requests

	work float64 // of all: see work
}

func (o *operations) hook(next tablewright.Transport) tablewright.Transport {
	return tablewright.TransportFunc(func(ctx context.Context, c *tablewright.Call) error {
		o.mu.Lock()
		if o.by[c.Pattern] == nil {
			o.by[c.Pattern] = map[string]int{}
		}
		o.by[c.Pattern][c.Operation]++
		o.mu.Unlock()
		err := next.Do(ctx, c)
		o.mu.Lock()
		o.work += perRequest + float64(len(c.Response))
		o.mu.Unlock()
		return err
	})
}

// seededIDs makes the identifiers that a client makes, from the proof's clock and seed.
type seededIDs struct{ *keys.IDs }

func newIDs(o Options) seededIDs {
	var seed [32]byte
	binary.LittleEndian.PutUint64(seed[:], o.Seed)
	return seededIDs{keys.NewIDs(o.Clock.Now, rand.NewChaCha8(seed))}
}

func (s seededIDs) ID(kind string) string {
	switch kind {
	case "uuid":
		return s.UUID7()
	case "ksuid":
		return s.KSUID()
	}
	return s.ULID()
}

// run calls a pattern once, on what the session's clock says is now.
func (s *session) run(p *spec.Pattern, args attr.Item, cursor tablewright.Cursor, rec *recorder, use *tablewright.Usage) (tablewright.Result, error) {
	ctx := s.ctx
	if rec != nil {
		ctx = context.WithValue(ctx, recorderKey{}, rec)
	}
	db := s.db
	if use != nil {
		db = db.Measure(use)
	}
	s.oracle.SetNow(s.o.Clock.Now())
	s.result(p).Calls++
	return s.program.Run(ctx, db, p.Name, args, tablewright.RunOptions{Cursor: cursor})
}

// readAll calls a read pattern from its first page to its last, or to the first of which most have been read, or to the fourth
// if its pages so far have taken too much work: each may be cut out of all that matches. The cursor travels as text.
func (s *session) readAll(p *spec.Pattern, args attr.Item, rec *recorder, most int) (answer, error) {
	var got answer
	var cursor tablewright.Cursor
	work := s.budget(mostOfRead)
	for page := 0; ; page++ {
		switch {
		case page > maxPages:
			return got, fmt.Errorf("no end after %d pages", maxPages)
		case page == most, page > fewPages && work.spent():
			got.more = true
			return got, nil
		}
		res, err := s.run(p, args, cursor, rec, nil)
		if err != nil {
			return got, err
		}
		got.items = append(got.items, res.Items...)
		got.pages = append(got.pages, len(res.Items))
		got.aggregates = res.Aggregates
		if res.Cursor == "" {
			return got, nil
		}
		text, err := strconv.Unquote(strconv.Quote(string(res.Cursor)))
		if err != nil {
			return got, err
		}
		cursor = tablewright.Cursor(text)
	}
}

const (
	maxPages = 2_000
	fewPages = 3 // of an answer are read in any case
	// stalePages are read at most where indexes may lag: many calls are made then, and large answers would take most of a
	// proof's time. On data at rest every page is read.
	stalePages = 12
)

func (s *session) result(p *spec.Pattern) *PatternResult { return s.tallies[p].result }

// fail notes the first counterexample of a pattern.
func (s *session) fail(p *spec.Pattern, aim string, args attr.Item, m *mismatch, rec *recorder) {
	r := s.result(p)
	if r.Failure != nil {
		return
	}
	r.Failure = &Counterexample{Cause: m.cause, Aim: aim, Input: plainItem(args), Expected: shownValue(m.expected), Got: shownValue(m.got)}
	if rec != nil {
		r.Failure.Requests = rec.requests
	}
}

// failed reports whether a pattern already has a counterexample; it is not run on.
func (s *session) failed(p *spec.Pattern) bool { return s.result(p).Failure != nil }

// code is the refusal code of an error; "" if it is no refusal.
func code(err error) string {
	var r *tablewright.Refused
	if errors.As(err, &r) {
		return r.Code
	}
	return ""
}

// check calls a read pattern and holds the answer against the oracle. stale says that indexes may lag just now.
func (s *session) check(p *spec.Pattern, aim string, args attr.Item, stale bool) {
	if s.failed(p) {
		return
	}
	begun := s.worked()
	defer func() { s.tallies[p].dearest = max(s.tallies[p].dearest, s.worked()-begun) }()
	rec := &recorder{}
	s.result(p).Aims[aim]++
	stale = stale && p.Consistency == "eventual"
	most := maxPages + 1
	if stale {
		most = stalePages
	}
	got, err := s.readAll(p, args, rec, most)
	if err != nil {
		s.fail(p, aim, args, &mismatch{cause: "the read failed: " + err.Error()}, rec)
		return
	}
	want := s.oracle.find(p, args)
	if len(want.Matches) > 0 || len(p.Aggregates) > 0 {
		s.tallies[p].answered++
	}
	held := func(got answer) *mismatch {
		if stale {
			return s.oracle.tolerate(want, got, s.o.Lag)
		}
		s.oracle.complete(want)
		return compare(want, got)
	}
	m := held(got)
	if m != nil && s.keeper != nil { // what others keep true may be as old as is tolerated
		since := s.oracle.now.Add(-p.Staleness)
		if p.Staleness == 0 {
			since = s.oracle.now.Add(1) // numbers, and what is derived, alone
		}
		s.oracle.complete(want)
		m = held(s.oracle.renewed(want, got, since))
		if keys := lateKeys(p); m != nil && len(keys) > 0 && len(p.Aggregates) == 0 {
			m = s.oracle.tolerateLate(want, got, keys, s.o.Lag, stale, since)
		}
	}
	if m != nil && s.keeper != nil && len(p.Aggregates) > 0 { // a sum of what is late is late: it has to be right in the end
		s.pass(s.keeper.within + s.o.Lag)
		if got, err = s.readAll(p, args, rec, most); err == nil {
			want = s.oracle.find(p, args)
			m = held(got)
		}
	}
	if m != nil {
		s.fail(p, aim, args, m, rec)
	}
}

// write calls a write pattern and holds its outcome against the oracle, which then knows what has happened.
func (s *session) write(p *spec.Pattern, intent Intent, args attr.Item, use *tablewright.Usage) (done bool, completed attr.Item) {
	rec := &recorder{}
	r := s.result(p)
	r.Aims[intent.String()]++
	s.call.claim(p, args)
	res, err := s.run(p, args, "", rec, use)
	completed = res.Arguments
	if completed.Len() == 0 {
		completed = args
	}
	got := code(err)
	if err != nil && got == "" {
		s.fail(p, intent.String(), args, &mismatch{cause: "the write failed: " + err.Error()}, rec)
		return false, completed
	}
	want := s.oracle.Check(p, completed)
	switch {
	case s.oracle.twice(p, completed, got):
		r.Refused[got]++
		return false, completed
	case got == "" && want.Refused():
		s.fail(p, intent.String(), args, &mismatch{"it was done and should have been refused", want.Codes, "done"}, rec)
	case got != "" && !want.Refused():
		if got == "missing" && p.Consistency == "eventual" && s.oracle.keyLately(p, completed, s.o.Clock.Now().Add(-s.o.Lag)) {
			r.Refused[got]++
			return false, completed // what was just created may be refused as missing
		}
		s.fail(p, intent.String(), args, &mismatch{"it was refused as " + got + " and should have been done", "done", got}, rec)
	case got != "" && !slices.Contains(want.Codes, got):
		s.fail(p, intent.String(), args, &mismatch{"it was refused with another code than the pattern says", want.Codes, got}, rec)
	}
	if got != "" {
		r.Refused[got]++
		if intent == Regular {
			s.tallies[p].turned = noted(s.tallies[p].turned, got)
			if what := s.oracle.lacks(p, completed); got == "missing" && what != "" {
				s.tallies[p].lacked = noted(s.tallies[p].lacked, what)
			}
		}
		if want.Partial {
			s.oracle.Write(p, completed)
		}
		return false, completed
	}
	if !want.Refused() {
		s.tallies[p].next = s.touches(p, completed)
		s.oracle.Write(p, completed)
		return true, completed
	}
	return false, completed
}

// noted counts a refusal by its code.
func noted(by map[string]int, code string) map[string]int {
	if by == nil {
		by = map[string]int{}
	}
	by[code]++
	return by
}

// keyLately reports whether what a write is about was made or changed since a time.
func (o *Oracle) keyLately(p *spec.Pattern, args attr.Item, since time.Time) bool {
	args = o.readFirst(p, args)
	for _, a := range p.Actions {
		for _, each := range o.elements(a, args) {
			if in := o.key(a, args, each); in != nil && in.changed(since) {
				return true
			}
		}
	}
	return false
}
