package stats_test

import (
	"context"
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/stats"
)

// Whoever asks within a minute gets the same, also where calls of long ago were recorded, until the Collector begins anew.
func TestRecent(t *testing.T) {
	clock := &settable{at: time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC)}
	c := stats.NewCollector(stats.Options{Clock: clock})
	first := c.Recent()
	if clock.at = clock.at.Add(59 * time.Second); c.Recent() != first {
		t.Error("after 59 s it is another one")
	}
	clock.at = clock.at.Add(time.Second)
	second := c.Recent()
	if second == first {
		t.Error("after a minute it is still the same")
	}
	c.Record(&stats.Event{Start: clock.at.Add(-time.Hour).UnixNano(), Operation: "GetItem", Table: "Shop", Weight: 1, Attempt: 1})
	for _, watches := range []bool{false, true} {
		if watches {
			c.Hook(nil)
		}
		clock.at = clock.at.Add(time.Minute)
		recent := c.Recent()
		if len(recent.Operations) != 1 || c.Recent() != recent {
			t.Errorf("a call of an hour ago, watched now: %v: each who asks has another one", watches)
		}
	}
	if last := c.Recent(); c.Reset() == nil || c.Recent() == last {
		t.Error("after a reset it is the one from before")
	}
}

// A clock that nobody set stands at the zero time, which is no reason to fail.
func TestZeroClock(t *testing.T) {
	c := stats.NewCollector(stats.Options{Clock: &settable{}})
	hook := c.Hook(tablewright.TransportFunc(func(_ context.Context, call *tablewright.Call) error { call.Read = 1; return nil }))
	if err := hook.Do(t.Context(), &tablewright.Call{Operation: "GetItem", Table: "Shop", Attempt: 1}); err != nil {
		t.Fatal(err)
	}
	if s := c.Snapshot(); len(s.Operations) != 1 || s.Operations[0].Traffic.Sum().Read != 1 {
		t.Errorf("%+v", s.Operations)
	}
}
