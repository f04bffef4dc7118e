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

// TestHeldIndexStays: an index that is held shows what it showed before, not what a lag had held back of earlier writes.
func TestHeldIndexStays(t *testing.T) {
	c := newClock()
	e := open(t, "", &engine.Options{Clock: c, SweepEvery: -1, Lag: &engine.Lag{Max: time.Hour, Seed: 1}})
	do(t, e, "CreateTable", booksTable)
	entries := func() string { return fmt.Sprint(do(t, e, "Query", byAuthor)["Count"]) }
	put := func(isbn string) {
		do(t, e, "PutItem", `{"TableName":"Books","Item":{"isbn":{"S":"%s"},"author":{"S":"Ann"}}}`, isbn)
	}
	put("1")
	c.move(time.Hour) // it is due, whether somebody has looked or not
	put("2")
	put("3")
	do(t, e, "UpdateItem", `{"TableName":"Books","Key":{"isbn":{"S":"3"}},"UpdateExpression":"SET title = :t","ExpressionAttributeValues":{":t":{"S":"old"}}}`)
	show := e.HoldIndex(t, "Books", "ByAuthor")
	put("4")
	do(t, e, "UpdateItem", `{"TableName":"Books","Key":{"isbn":{"S":"3"}},"UpdateExpression":"SET title = :t","ExpressionAttributeValues":{":t":{"S":"new"}}}`)
	c.move(2 * time.Hour)
	if got := entries(); got != "1" {
		t.Errorf("an index that was held with 1 entry shows %s after the lag", got)
	}
	if err := e.Settle(); err != nil {
		t.Fatal(err)
	}
	if got := entries(); got != "1" {
		t.Errorf("an index that was held with 1 entry shows %s after Settle", got)
	}
	show()
	if got := entries(); got != "4" {
		t.Errorf("an index that is shown has %s entries of 4 items", got)
	}
	if n, err := e.Pending(); n != 0 || err != nil {
		t.Errorf("%d changes wait, %v", n, err)
	}
}
