// Package local opens a database for an example of the documentation: an engine in the same process.
package local

import (
	"context"
	"log"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/engine"
)

// Noon is when the examples happen: the clock stands still until an example moves it.
var Noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// Open makes tables in an engine in memory.
func Open(tables ...*tablewright.Table) (context.Context, *tablewright.DB) {
	ctx, db, _ := OpenAt(Noon, tables...)
	return ctx, db
}

// OpenAt makes tables in an engine in memory whose clock, and the client's, is moved by hand.
func OpenAt(now time.Time, tables ...*tablewright.Table) (context.Context, *tablewright.DB, *engine.ManualClock) {
	ctx, clock := context.Background(), engine.NewClock(now)
	e, err := engine.Open("", &engine.Options{Clock: clock, SweepEvery: -1})
	if err != nil {
		log.Fatal(err)
	}
	db := tablewright.New(tablewright.InProcess(e), tablewright.Options{Clock: clock})
	for _, table := range tables {
		if err := table.CreateIn(ctx, db); err != nil {
			log.Fatal(err)
		}
	}
	return ctx, db, clock
}
