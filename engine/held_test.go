package engine_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/tablewright/tablewright/engine"
)

// TestHoldIndexThatLags: what is held comes after what a lag held back before it, whatever is shown first.
func TestHoldIndexThatLags(t *testing.T) {
	for _, reopened := range []bool{false, true} {
		dir, c := t.TempDir(), newClock()
		o := &engine.Options{Clock: c, SweepEvery: -1, Lag: &engine.Lag{Max: time.Hour, Seed: 1}}
		e, err := engine.Open(dir, o)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = e.Close() })
		do(t, e, "CreateTable", booksTable)
		for _, isbn := range []string{"1", "2"} {
			do(t, e, "PutItem", `{"TableName":"Books","Item":{"isbn":{"S":"%s"},"author":{"S":"Ann"}}}`, isbn)
		}
		var d testDouble
		show := e.HoldIndex(&d, "Books", "ByAuthor")
		do(t, e, "DeleteItem", `{"TableName":"Books","Key":{"isbn":{"S":"1"}}}`)
		if reopened {
			if err := e.Close(); err != nil {
				t.Fatal(err)
			}
			e = open(t, dir, o)
		} else {
			show()
		}
		c.move(2 * time.Hour)
		if got := fmt.Sprint(do(t, e, "Query", byAuthor)["Count"]); got != "1" {
			t.Errorf("reopened %v: the index has %s entries of one item", reopened, got)
		}
		if err := e.Check(); err != nil {
			t.Errorf("reopened %v: %v", reopened, err)
		}
		if n, err := e.Pending(); n != 0 || err != nil {
			t.Errorf("reopened %v: %d changes wait, %v", reopened, n, err)
		}
	}
}
