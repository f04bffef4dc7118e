package streams

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/wire"
)

// Run consumes the stream of t until ctx ends, and then returns nil: what is being handled is handled to its end, the
// checkpoints are written and the leases released. It ends by itself with ErrEnded when the stream was disabled and all of it
// is handled, with a *PoisonError or *Loss where the options leave these no other way, and when the service refuses what it
// is asked. What may pass is tried again without end.
//
// Any number of processes may run the same group: they divide the shards among them.
func Run(ctx context.Context, db *tablewright.DB, t *tablewright.Table, o Options, handlers ...Handler) error {
	o, err := o.withDefaults()
	if err != nil {
		return err
	}
	if err := checkHandlers(t, handlers); err != nil {
		return err
	}
	if err := t.Seal(); err != nil {
		return err
	}
	leases, err := newStore(db, o.Leases, workerName())
	if err != nil {
		return err
	}
	o.Watch.start(db.Now)
	if o.Create {
		if err := createLeases(ctx, db, o.Leases); err != nil {
			return quiet(ctx, err)
		}
	}
	s := service{db, t.Name()}
	began := false // with an earlier stream of the table
	last := ""     // the stream that was handled to its end
	for {
		all, err := s.streams(ctx)
		if err != nil {
			return quiet(ctx, err)
		}
		if len(all) == 0 {
			return fmt.Errorf("streams: table %s has no stream", t.Name())
		}
		next := after(all, last)
		switch {
		case next == nil && o.Drain:
			return nil
		case next == nil:
			return ErrEnded
		}
		w := &worker{service: s, store: leases.of(o.Group, next.Label), arn: next.ARN, o: o, handlers: handlers,
			held: map[string]*holding{}, seen: map[string]sight{}, slots: make(chan struct{}, o.Workers), ahead: make(chan struct{}, o.Ahead), wake: make(chan struct{}, 1)}
		if w.old = next.ARN != all[len(all)-1].ARN; began {
			w.o.Start = Oldest() // it goes on where the one before ended
		}
		if err := w.run(ctx); err != errEnded {
			return quiet(ctx, err)
		}
		last = next.Label
		had, err := w.store.began(ctx)
		if err != nil {
			return quiet(ctx, err)
		}
		began = began || had
	}
}

// after is the first stream whose label is behind one.
func after(all []wire.StreamSummary, label string) *wire.StreamSummary {
	for i := range all {
		if all[i].Label > label {
			return &all[i]
		}
	}
	return nil
}

// quiet is no error where ctx has ended: that is how a consumer is stopped.
func quiet(ctx context.Context, err error) error {
	var poison *PoisonError
	var loss *Loss
	if ctx.Err() != nil && !errors.As(err, &poison) && !errors.As(err, &loss) {
		return nil
	}
	return err
}

// workerName tells one run from all others, and a reader of the table where it is.
func workerName() string {
	host, _ := os.Hostname()
	return fmt.Sprintf("%s-%d-%s", host, os.Getpid(), rand.Text()[:10])
}

// errEnded says that a stream was handled to its end.
var errEnded = errors.New("streams: end of the stream")

// errDrained says that everything there is was handled.
var errDrained = errors.New("streams: drained")

// worker consumes one stream: it keeps leases and has a goroutine for each shard that it has one on.
type worker struct {
	service
	store    *store
	arn      string
	old      bool // the table has a newer stream
	o        Options
	handlers []Handler
	from     time.Time // where the group began; zero: with the oldest change

	slots chan struct{} // one for each shard whose changes are being handled
	ahead chan struct{} // one for each shard that is being read, or of which changes are in memory
	wake  chan struct{} // there is something to do now

	graph    lineage // as of the last step; used by run alone
	listedAt time.Time
	seen     map[string]sight // leases of others; used by run alone

	mu       sync.Mutex
	held     map[string]*holding
	relisted bool              // the list of shards has to be read
	starts   map[string]string // by shard: the sequence number with which it begins
	running  sync.WaitGroup
	stop     context.CancelCauseFunc
}

// sight is a lease as it was seen, and since when it looks so by this process's own clock.
type sight struct {
	term, beat int64
	since      time.Time
}

// run consumes until ctx ends, the stream does, or something is final. All its goroutines have ended when it returns.
func (w *worker) run(parent context.Context) error {
	ctx, stop := context.WithCancelCause(parent)
	w.stop = stop
	err := w.loop(ctx)
	stop(err)
	grace := time.AfterFunc(w.o.Grace, func() {
		for _, h := range w.holdings() {
			h.cancel(ErrStopped)
		}
	})
	w.running.Wait()
	grace.Stop()
	if errors.Is(err, errDrained) {
		return nil
	}
	return err
}

// loop looks after leases; what it returns is the reason to stop.
func (w *worker) loop(ctx context.Context) error {
	w.relisted = true
	for {
		err := w.step(ctx)
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case errors.Is(err, errEnded), errors.Is(err, errDrained), err != nil && refused(err):
			return err
		case err != nil:
			w.o.Logger.Warn("streams: leases could not be looked after; it is tried again", slog.String("table", w.table), slog.Any("error", err))
		}
		t := time.NewTimer(w.o.Lease / 3)
		select {
		case <-ctx.Done():
		case <-w.wake:
		case <-t.C:
		}
		t.Stop()
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
}

// nudge has the loop look at once; relist that new shards are to be expected.
func (w *worker) nudge(relist bool) {
	w.mu.Lock()
	w.relisted = w.relisted || relist
	w.mu.Unlock()
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

func (w *worker) holdings() (l []*holding) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, h := range w.held {
		l = append(l, h)
	}
	return l
}

// step does once what there is to do about leases.
func (w *worker) step(ctx context.Context) error {
	all, err := w.store.all(ctx) // before the shards are listed: what is done and not listed then is gone
	if hasCode(err, wire.CodeResourceNotFound) {
		return fmt.Errorf("streams: the table of leases is not there (Options.Create makes it): %w", err)
	}
	if err != nil {
		return err
	}
	w.mu.Lock()
	relist := w.relisted || w.o.Drain || time.Since(w.listedAt) >= w.o.Discover
	w.mu.Unlock()
	if relist {
		if all, err = w.discover(ctx, all); err != nil {
			return err
		}
	}
	w.graph.leases = newLineage(nil, all).leases
	if err := w.acquire(ctx, all); err != nil {
		return err
	}
	if !relist {
		return nil
	}
	return w.atEnd()
}

// atEnd reports, as an error, that the stream is handled as far as it can be, or as it has to be.
func (w *worker) atEnd() error {
	if w.old && w.graph.finished() {
		return errEnded
	}
	if !w.o.Drain {
		return nil
	}
	for id := range w.graph.listed {
		if _, ok := w.graph.leases[id]; !ok {
			return nil
		}
	}
	for id, l := range w.graph.leases {
		w.mu.Lock()
		h := w.held[id]
		w.mu.Unlock()
		if l.Done || h != nil && h.caughtUp.Load() || h == nil && w.others(l) {
			continue
		}
		return nil
	}
	return errDrained
}

// others reports whether a lease is another worker's that lives.
func (w *worker) others(l lease) bool {
	return l.Owner != "" && l.Owner != w.store.me && !w.abandoned(l)
}

// discover lists the shards and makes leases for those that have none.
func (w *worker) discover(ctx context.Context, all []lease) ([]lease, error) {
	w.mu.Lock()
	w.relisted = false
	w.mu.Unlock()
	relist := func(err error) error {
		w.mu.Lock()
		w.relisted = true
		w.mu.Unlock()
		return err
	}
	d, err := w.describe(ctx, w.arn)
	if hasCode(err, wire.CodeResourceNotFound) { // gone for good
		if w.old || len(all) > 0 {
			return nil, errEnded
		}
		return nil, err
	}
	if err != nil {
		return nil, relist(err)
	}
	if w.listedAt.IsZero() {
		for _, h := range w.handlers {
			if h.images && d.View != "NEW_AND_OLD_IMAGES" {
				return nil, fmt.Errorf("%w: what is kept of %s needs the items before and after: the stream of %s has the view %s",
					tablewright.ErrInvalid, h.name, w.table, d.View)
			}
		}
		b, err := w.store.begin(ctx, w.start())
		if err != nil {
			return nil, relist(err)
		}
		w.from = b.From
	}
	w.old = w.old || d.Status == "DISABLED"
	g := newLineage(d.Shards, all)
	for _, s := range g.missing() {
		_, follows := g.leases[s.Parent]
		if err := w.store.add(ctx, s, follows); err != nil {
			return nil, relist(err)
		}
		w.o.Logger.Debug("streams: a shard was found", slog.String("shard", s.ID), slog.String("parent", s.Parent))
	}
	for _, l := range g.stale(w.db.Now()) {
		if err := w.store.forget(ctx, l); err != nil {
			return nil, relist(err)
		}
	}
	w.listedAt, w.graph.listed = time.Now(), g.listed
	if all, err = w.store.all(ctx); err != nil {
		return nil, relist(err)
	}
	starts := map[string]string{}
	for id, s := range g.listed {
		starts[id] = s.Range.Start
	}
	w.mu.Lock()
	w.starts = starts
	w.mu.Unlock()
	return all, nil
}

// start is where a new group begins: whole seconds, as changes are stamped; zero: with the oldest change.
func (w *worker) start() time.Time {
	at := w.o.Start.at
	if w.o.Start.latest {
		at = w.db.Now()
	}
	if at.IsZero() {
		return at
	}
	return at.Truncate(time.Second)
}

// abandoned notes how a lease looks and reports whether it has looked so for as long as a lease lasts.
func (w *worker) abandoned(l lease) bool {
	s, ok := w.seen[l.Shard]
	if !ok || s.term != l.Term || s.beat != l.Beat {
		s = sight{l.Term, l.Beat, time.Now()}
		w.seen[l.Shard] = s
	}
	return time.Since(s.since) >= w.o.Lease
}

// acquire starts what this worker has been given, takes what it should and asks for what it would like to have.
func (w *worker) acquire(ctx context.Context, all []lease) error {
	var claims []claim
	for _, l := range all {
		w.mu.Lock()
		_, held := w.held[l.Shard]
		w.mu.Unlock()
		switch {
		case !w.graph.ready(l):
			if l.Owner == "" || l.Done {
				continue
			}
		case l.Owner == w.store.me && !held: // handed over, or taken by a request whose answer was lost
			began := time.Now()
			got, err := w.store.keep(ctx, l, "", time.Time{})
			if err == nil {
				w.hold(ctx, got, began)
			} else if !errors.Is(err, ErrLeaseLost) {
				return err
			}
		}
		claims = append(claims, claim{lease: l, abandoned: l.Owner != "" && l.Owner != w.store.me && w.abandoned(l)})
	}
	take, ask := balance(w.store.me, claims)
	for _, l := range take {
		if !w.graph.ready(l) {
			continue
		}
		began := time.Now()
		got, err := w.store.take(ctx, l)
		switch {
		case err == nil:
			w.o.Logger.Info("streams: a lease was taken", slog.String("shard", l.Shard), slog.String("from", l.Owner))
			w.hold(ctx, got, began)
		case !errors.Is(err, tablewright.ErrConditionFailed): // else somebody was faster, or an answer was lost
			return err
		}
	}
	if ask != nil {
		return w.store.ask(ctx, *ask)
	}
	return nil
}
