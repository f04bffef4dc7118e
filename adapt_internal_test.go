package tablewright

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/tablewright/tablewright/wire"
)

// taker is a service that takes so many requests a second, evenly, and throttles the others.
type taker struct {
	clock *steppingClock
	rate  float64
	next  time.Time

	taken, refused int
}

func (s *taker) Do(_ context.Context, c *Call) error {
	now := s.clock.Now()
	if now.Before(s.next) {
		s.refused++
		return wire.NewError(wire.CodeThroughputExceeded, "slow down")
	}
	s.taken++
	s.next = now.Add(time.Duration(float64(time.Second) / s.rate))
	c.Response = append(c.Response[:0], "{}"...)
	s.clock.t = s.clock.t.Add(time.Millisecond)
	return nil
}

// An adaptive DB finds the rate that the service takes; one that is not keeps running against it.
func TestAdaptive(t *testing.T) {
	run := func(adaptive bool) *taker {
		clock := &steppingClock{t: time.Unix(1_700_000_000, 0)}
		s := &taker{clock: clock, rate: 20}
		db := New(s, Options{Clock: clock, Retry: Retry{Adaptive: adaptive, Attempts: 100, Budget: time.Hour}})
		for clock.t.Before(time.Unix(1_700_000_060, 0)) {
			c := newCall("PutItem")
			c.Table = "T"
			c.Request = append(c.Request, `{"TableName":"T"}`...)
			b := db.budget()
			if err := db.send(t.Context(), c, &b, harmless); err != nil {
				t.Fatal(err)
			}
			c.release()
		}
		return s
	}
	plain, adaptive := run(false), run(true)
	t.Logf("in a minute: plain %d taken, %d refused; adaptive %d taken, %d refused", plain.taken, plain.refused, adaptive.taken, adaptive.refused)
	if adaptive.refused*3 > plain.refused {
		t.Errorf("adaptive: %d refused, without it %d", adaptive.refused, plain.refused)
	}
	if adaptive.taken < 400 {
		t.Errorf("only %d of 1,200 possible requests were taken: it does not come back", adaptive.taken)
	}
}

// Reads are not held back for throttled writes; a call whose turn would come after its budget is told so, unsent.
func TestAdaptiveGates(t *testing.T) {
	clock := &steppingClock{t: time.Unix(1_700_000_000, 0)}
	s := TransportFunc(func(_ context.Context, c *Call) error {
		if c.Operation == "PutItem" {
			return wire.NewError(wire.CodeThroughputExceeded, "slow down")
		}
		c.Response = append(c.Response[:0], "{}"...)
		return nil
	})
	db := New(s, Options{Clock: clock, Retry: Retry{Adaptive: true, Attempts: 5, Budget: time.Second}})
	send := func(operation string) error {
		c := newCall(operation)
		defer c.release()
		c.Table = "T"
		c.Request = append(c.Request, `{"TableName":"T"}`...)
		b := db.budget()
		return db.send(t.Context(), c, &b, harmless)
	}
	held := false
	for range 20 {
		err := send("PutItem")
		if !errors.Is(err, ErrThrottled) {
			t.Fatal(err)
		}
		held = held || errors.Is(err, errHeldBack)
	}
	if !held {
		t.Error("no call was held back to the end of its budget")
	}
	for range 20 {
		before := clock.t
		if err := send("GetItem"); err != nil || clock.t != before {
			t.Fatalf("a read waited %v: %v", clock.t.Sub(before), err)
		}
	}
}

func TestAdaptiveCancelled(t *testing.T) {
	g := &gate{rate: 0.5, filled: time.Now()}
	g.on.Store(true)
	ctx, cancel := context.WithCancel(t.Context())
	b := newBudget(Retry{Budget: time.Hour}, systemClock{})
	time.AfterFunc(5*time.Millisecond, cancel)
	start := time.Now()
	if err := g.pass(ctx, &b); !errors.Is(err, context.Canceled) || time.Since(start) > time.Second {
		t.Errorf("%v after %v", err, time.Since(start))
	}
	if g.tokens < 0 || g.tokens > 0.5 {
		t.Errorf("%v tokens: what was not used is given back", g.tokens)
	}
}
