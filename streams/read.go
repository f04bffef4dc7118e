package streams

import (
	"errors"
	"log/slog"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/wire"
)

// emptyPages is how many empty answers in a row are taken for the end of what there is, where that matters (Options.Drain).
const emptyPages = 2

// consume reads and handles the shard; done says that all of it, to its end, is handled.
func (h *holding) consume() (done bool, err error) {
	var batch []record
	var since time.Time // when the first of batch was read
	iterator, empty := "", 0
	ahead := false // whether this shard has one of w.ahead
	let := func() {
		if ahead && len(batch) == 0 {
			<-h.w.ahead
			ahead = false
		}
	}
	defer func() { batch = nil; let() }()
	for {
		let()
		if h.stop.Err() != nil {
			return false, h.checkpoint()
		}
		if iterator == "" {
			if iterator, err = h.begin(); err != nil {
				return false, err
			}
			if iterator == "" { // the shard is gone, but for what was read of it
				err := h.deliver(batch)
				return err == nil && h.stop.Err() == nil, err
			}
		}
		if !ahead {
			select {
			case h.w.ahead <- struct{}{}:
				ahead = true
			case <-h.stop.Done():
				continue
			}
		}
		page, err := h.w.records(h.stop, iterator, h.w.o.Batch-len(batch))
		switch {
		case err == nil:
		case hasCode(err, wire.CodeExpiredIterator): // handling took longer than one lives: 15 minutes
			iterator = ""
			continue
		case hasCode(err, wire.CodeTrimmedData):
			h.gone()
			iterator = ""
			continue
		case hasCode(err, wire.CodeResourceNotFound):
			if err := h.deliver(batch); err != nil {
				return false, err
			}
			h.gone()
			err := h.tellLoss(nil)
			return err == nil && h.stop.Err() == nil, err
		default:
			let()
			if err := h.again(err); err != nil {
				return false, err
			}
			continue
		}
		for _, r := range page.Records {
			h.read, h.readAt = r.Sequence, time.Unix(r.Created, 0)
			if h.skip && h.readAt.Before(h.w.from.Truncate(time.Minute)) {
				continue
			}
			if len(batch) == 0 {
				since = time.Now()
			}
			batch = append(batch, record{r, h.shard})
		}
		if len(page.Records) > 0 {
			h.caughtUp.Store(false)
			empty = 0
			if err := h.tellLoss(&page.Records[0]); err != nil {
				return false, err
			}
		} else {
			empty++
		}
		h.w.o.Watch.change(h.shard, func(s *ShardState) { s.Pending, s.caughtUp = len(batch), false })
		iterator = page.Next
		if len(batch) >= h.w.o.Batch || len(batch) > 0 && (iterator == "" || time.Since(since) >= h.w.o.Wait) {
			if err := h.deliver(batch); err != nil {
				return false, err
			}
			batch = batch[:0]
			continue
		}
		if iterator == "" {
			err := h.tellLoss(nil)
			return err == nil, err
		}
		if empty >= emptyPages && len(batch) == 0 {
			h.w.o.Watch.change(h.shard, func(s *ShardState) { s.caughtUp = true })
			if !h.caughtUp.Swap(true) && h.w.o.Drain {
				h.w.nudge(false)
			}
		}
		if empty >= emptyPages || !h.w.o.Drain {
			wait := h.w.o.Poll
			if len(batch) > 0 {
				wait = min(wait, max(h.w.o.Wait-time.Since(since), 0))
			}
			let()
			_ = pause(h.stop, wait)
		}
	}
}

// again waits after a failed read that may pass; the error is of one that cannot.
func (h *holding) again(err error) error {
	if h.stop.Err() != nil {
		return nil
	}
	if refused(err) {
		return err
	}
	h.w.o.Logger.Warn("streams: a shard could not be read; it is tried again", slog.String("shard", h.shard), slog.Any("error", err))
	_ = pause(h.stop, h.w.o.Poll)
	return nil
}

// begin gets an iterator to where reading goes on. There is none if the shard is gone, or if nothing more is to be begun.
func (h *holding) begin() (string, error) {
	var answer *wire.Error
	for h.stop.Err() == nil {
		in := h.place()
		iterator, err := h.w.iterator(h.stop, in)
		switch {
		case err == nil:
			return iterator, nil
		case hasCode(err, wire.CodeTrimmedData):
			h.gone()
		case hasCode(err, wire.CodeResourceNotFound): // more than a day after its end nothing is left of a shard
			h.gone()
			return "", h.tellLoss(nil)
		case in.Type == "AT_TIMESTAMP" && errors.As(err, &answer) && !errors.Is(err, tablewright.ErrThrottled):
			// Not there before October 2026, and not on servers that stand in for the service: DynamoDB Local ends with an
			// internal failure. And the clock here may be ahead of the service's. Without it more is read, and passed over.
			h.skip = true
		case errors.Is(err, tablewright.ErrInvalid) && in.Type == "AT_SEQUENCE_NUMBER":
			h.follows = false // not everywhere a shard's own number is one of a place in it
		default:
			if err := h.again(err); err != nil {
				return "", err
			}
		}
	}
	return "", nil
}

// place is where reading goes on.
func (h *holding) place() wire.GetShardIteratorInput {
	in := wire.GetShardIteratorInput{ARN: h.w.arn, Shard: h.shard, Type: "TRIM_HORIZON"}
	switch {
	case h.restart:
	case h.read != "":
		in.Type, in.Sequence = "AFTER_SEQUENCE_NUMBER", &h.read
	case h.follows:
		// A group that read the parent expects all of the child: that its beginning is still there can be told by asking
		// for it by its number.
		if first := h.first(); first != "" {
			in.Type, in.Sequence = "AT_SEQUENCE_NUMBER", &first
		}
	case !h.w.from.IsZero() && !h.skip:
		if h.w.db.Now().Sub(h.w.from) < retention {
			seconds := float64(h.w.from.Unix())
			in.Type, in.Timestamp = "AT_TIMESTAMP", &seconds
		}
	}
	return in
}

// first is the sequence number with which the shard begins; "" if it is not listed any more.
func (h *holding) first() string {
	h.w.mu.Lock()
	defer h.w.mu.Unlock()
	return h.w.starts[h.shard]
}

// gone notes that what follows was removed; what is left is read from its beginning.
func (h *holding) gone() {
	if h.lost == nil {
		h.lost = &Loss{Stream: h.w.arn, Shard: h.shard, After: h.read, Since: h.readAt}
	}
	h.restart = true
}

// tellLoss tells what was lost, up to the first change that is left.
func (h *holding) tellLoss(next *wire.StreamRecord) error {
	if next != nil {
		h.restart = false // reading goes on behind it
	}
	l := h.lost
	if l == nil {
		return nil
	}
	h.lost = nil
	if next != nil {
		l.Next, l.Until = next.Sequence, time.Unix(next.Created, 0)
	}
	h.w.o.Logger.Error("streams: changes were lost", slog.String("shard", l.Shard), slog.String("after", l.After), slog.String("next", l.Next))
	if h.w.o.Lost == nil {
		return l
	}
	if err := h.w.o.Lost(h.ctx, l); err != nil {
		return err
	}
	return nil
}
