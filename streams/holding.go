package streams

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/tablewright/tablewright"
)

// holding is a shard that this worker has the lease on. One goroutine reads and handles the shard, another keeps the lease.
// All writes of the lease's item go through mu: none of them is in another's way, and each of them keeps the lease.
type holding struct {
	w     *worker
	shard string

	ctx    context.Context // of handlers: it ends when the lease is lost, or when Grace is over
	cancel context.CancelCauseFunc
	stop   context.Context // ends when no more is to be begun
	end    context.CancelFunc

	mu       mutex
	lease    lease
	deadline *time.Timer // ends ctx, unless the lease is kept
	until    time.Time

	caughtUp atomic.Bool // everything that there was has been handled

	// Of the goroutine that handles:
	follows bool      // see lease.Follow
	after   string    // the last change that was handled
	at      time.Time // when that was made
	read    string    // the last change that was read
	readAt  time.Time
	restart bool // read from the oldest change that is there, as something was lost
	skip    bool // the service takes no times: what is older than the minute of the group's beginning is passed over (DynamoDB Local tells times to the minute)
	lost    *Loss
}

// mutex is a lock that is held over requests and waits, which makes a channel of it: tests with a clock of their own
// (testing/synctest) see who waits for a channel.
type mutex chan struct{}

func (m mutex) lock()   { m <- struct{}{} }
func (m mutex) unlock() { <-m }

// hold starts to handle a shard, of which the lease was had by a request that began at a time.
func (w *worker) hold(ctx context.Context, l lease, began time.Time) {
	h := &holding{w: w, shard: l.Shard, mu: make(mutex, 1), lease: l, follows: l.Follow, after: l.After, at: l.At, read: l.After, readAt: l.At}
	h.ctx, h.cancel = context.WithCancelCause(context.WithoutCancel(ctx))
	h.stop, h.end = context.WithCancel(ctx)
	h.until = h.limit(began)
	h.deadline = time.AfterFunc(time.Until(h.until), func() { h.lose("it could not be kept in time") })
	w.mu.Lock()
	w.held[l.Shard] = h
	w.mu.Unlock()
	w.o.Watch.change(h.shard, func(s *ShardState) { s.Held, s.After, s.At, s.caughtUp = true, l.After, l.At, false })
	w.running.Add(2)
	go h.run()
	go h.keep()
}

// limit is until when a lease may be counted on that was kept by a request that began at a time: others take it a full
// Lease after they saw that.
func (h *holding) limit(began time.Time) time.Time {
	return began.Add(h.w.o.Lease - h.w.o.Lease/10)
}

// lose ends what is done under the lease.
func (h *holding) lose(why string) {
	if h.ctx.Err() == nil {
		h.w.o.Logger.Warn("streams: a lease was lost", slog.String("shard", h.shard), slog.String("why", why))
	}
	h.cancel(ErrLeaseLost)
	h.end()
}

// run handles the shard until it ends, the worker stops, another worker asks for it or the lease is lost.
func (h *holding) run() {
	defer h.w.running.Done()
	done, err := h.consume()
	if err != nil && h.ctx.Err() == nil && h.stop.Err() == nil {
		h.w.stop(err) // final: it is Run's error
	}
	h.end()
	if h.ctx.Err() == nil || errors.Is(context.Cause(h.ctx), ErrStopped) {
		h.giveUp(done)
	}
	h.cancel(ErrStopped)
	h.mu.lock()
	h.deadline.Stop()
	h.mu.unlock()
	h.w.mu.Lock()
	delete(h.w.held, h.shard)
	h.w.mu.Unlock()
	h.w.o.Watch.change(h.shard, func(s *ShardState) { s.Held, s.Done, s.Pending, s.Failing = false, s.Done || done, 0, nil })
	h.w.nudge(done)
}

// keep keeps the lease until the shard is let go of.
func (h *holding) keep() {
	defer h.w.running.Done()
	for pause(h.ctx, h.w.o.Lease/3) == nil {
		err := h.write(func(ctx context.Context) (lease, error) {
			return h.w.store.keep(ctx, h.lease, "", time.Time{})
		})
		if err != nil && h.ctx.Err() == nil {
			h.w.o.Logger.Warn("streams: a lease was not kept; it is tried again", slog.String("shard", h.shard), slog.Any("error", err))
		}
	}
}

// write does a write of the lease's item, which keeps the lease; f answers the item as it is then. An error that is
// ErrLeaseLost has ended everything.
func (h *holding) write(f func(ctx context.Context) (lease, error)) error {
	h.mu.lock()
	defer h.mu.unlock()
	if h.ctx.Err() != nil {
		return context.Cause(h.ctx)
	}
	began := time.Now()
	got, err := f(h.ctx)
	switch {
	case err == nil:
	case errors.Is(err, tablewright.ErrNotFound) || errors.Is(err, ErrLeaseLost) || errors.Is(err, tablewright.ErrConditionFailed):
		if !errors.Is(err, tablewright.ErrCancelled) { // of a transaction that may be another's doing: see commit
			h.lose("another worker has it")
			return ErrLeaseLost
		}
		return err
	default:
		return err
	}
	h.lease, h.until = got, h.limit(began)
	h.deadline.Reset(time.Until(h.until))
	if got.Wanted != "" && got.Wanted != h.w.store.me && h.stop.Err() == nil {
		h.w.o.Logger.Info("streams: a lease is handed over", slog.String("shard", h.shard), slog.String("to", got.Wanted))
		h.end()
	}
	return nil
}

// stored is the checkpoint as it was written.
func (h *holding) stored() string {
	h.mu.lock()
	defer h.mu.unlock()
	return h.lease.After
}

// checkpoint notes how far the shard is handled; what may pass is tried again until the lease is lost.
func (h *holding) checkpoint() error {
	for wait := h.w.o.Retry.Wait; h.after != h.stored(); wait = min(2*wait, h.w.o.Retry.Longest) {
		err := h.write(func(ctx context.Context) (lease, error) { return h.w.store.keep(ctx, h.lease, h.after, h.at) })
		if err == nil || h.ctx.Err() != nil || refused(err) {
			return err
		}
		h.w.o.Logger.Warn("streams: a checkpoint was not written; it is tried again", slog.String("shard", h.shard), slog.Any("error", err))
		if err := pause(h.ctx, wait); err != nil {
			return err
		}
	}
	return nil
}

// giveUp releases the lease with the last checkpoint.
func (h *holding) giveUp(done bool) {
	h.mu.lock()
	defer h.mu.unlock()
	ctx, cancel := context.WithDeadlineCause(context.WithoutCancel(h.ctx), h.until, ErrLeaseLost)
	defer cancel()
	err := h.w.store.release(ctx, h.lease, h.after, h.at, done)
	for err != nil && !errors.Is(err, tablewright.ErrConditionFailed) && !refused(err) && pause(ctx, h.w.o.Retry.Wait) == nil {
		err = h.w.store.release(ctx, h.lease, h.after, h.at, done)
	}
	if err != nil { // the lease runs out, and what was handled since the last checkpoint is handled again
		h.w.o.Logger.Warn("streams: a lease was not released", slog.String("shard", h.shard), slog.Any("error", err))
		return
	}
	h.w.o.Logger.Info("streams: a lease was released", slog.String("shard", h.shard), slog.Bool("done", done), slog.String("to", h.lease.Wanted))
}

// commit does writes and the checkpoint behind a change in one transaction.
func (h *holding) commit(r *record, writes []tablewright.TxWrite) error {
	return h.write(func(ctx context.Context) (lease, error) {
		err := h.w.store.transact(ctx, h.lease, r.Sequence, r.at(), writes)
		if err == nil {
			l := h.lease
			l.After, l.At, l.Beat = r.Sequence, r.at(), l.Beat+1
			return l, nil
		}
		if !errors.Is(err, ErrLeaseLost) && !errors.Is(err, tablewright.ErrUnknownOutcome) {
			return h.lease, err
		}
		// Another worker has the shard, or one of the tries that seemed lost was not.
		now, readErr := h.w.store.read(ctx, h.lease)
		switch {
		case readErr != nil:
			return now, Later(readErr)
		case now.Owner != h.w.store.me || now.Term != h.lease.Term:
			return now, ErrLeaseLost
		case now.After == r.Sequence:
			return now, nil
		}
		return h.lease, Later(err)
	})
}
