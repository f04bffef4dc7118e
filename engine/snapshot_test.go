package engine_test

import (
	"testing"
	"time"

	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/engine/internal/kv"
)

// asideThen is a store that does something when a view of one moment has begun.
type asideThen struct {
	kv.Store
	between func()
}

func (s *asideThen) Aside(f func(kv.Reader) error) error {
	return s.Store.Aside(func(r kv.Reader) error {
		s.between()
		return f(r)
	})
}

// TestSnapshotIsOfOneMoment: a table that is made anew while its snapshot is taken is in it as it was.
func TestSnapshotIsOfOneMoment(t *testing.T) {
	s := &asideThen{Store: kv.NewMemory(), between: func() {}}
	clock := engine.NewClock(time.Time{})
	e := openOn(t, s, &engine.Options{Clock: clock, SweepEvery: -1, StateTime: time.Second})
	do(t, e, "CreateTable", hashTable, "")
	clock.Advance(time.Second)
	do(t, e, "PutItem", `{"TableName":"tbl","Item":{"pk":{"S":"a"}}}`)
	want := e.Snapshot(t)
	s.between = func() {
		s.between = func() {}
		do(t, e, "DeleteTable", `{"TableName":"tbl"}`)
		clock.Advance(time.Second)
		do(t, e, "CreateTable", hashTable, "")
		clock.Advance(time.Second)
	}
	if diff := want.Diff(e.Snapshot(t, "tbl")); diff != "" {
		t.Errorf("the snapshot is not of the moment when it began:\n%s", diff)
	}
	do(t, e, "DeleteTable", `{"TableName":"tbl"}`)
	if diff := want.Diff(e.Snapshot(t)); diff != "- tbl, 1 item\n  - {\"pk\":{\"S\":\"a\"}}\n" {
		t.Errorf("after the table is deleted:\n%s", diff)
	}
}
