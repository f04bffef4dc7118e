// Package local opens a database for an example of the documentation: an engine in the same process.
package local

import (
	"context"
	"log"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/engine"
)

// Context is that of all examples.
var Context = context.Background()

// Noon is when the examples happen: the clock stands still until an example moves it.
var Noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// Open makes tables in an engine in memory.
func Open(tables ...*tablewright.Table) (context.Context, *tablewright.DB) {
	ctx, db, _ := OpenAt(Noon, tables...)
	return ctx, db
}

// OpenAt makes tables in an engine in memory whose clock, and the client's, is moved by hand.
func OpenAt(now time.Time, tables ...*tablewright.Table) (context.Context, *tablewright.DB, *engine.ManualClock) {
	clock := engine.NewClock(now)
	ctx, db := OpenWith(tablewright.Options{Clock: clock}, tables...)
	return ctx, db, clock
}

// OpenWith makes tables in an engine in memory, for a client with options.
func OpenWith(o tablewright.Options, tables ...*tablewright.Table) (context.Context, *tablewright.DB) {
	ctx := Context
	e, err := engine.Open("", &engine.Options{Clock: o.Clock, SweepEvery: -1})
	if err != nil {
		log.Fatal(err)
	}
	db := tablewright.New(tablewright.InProcess(e), o)
	for _, table := range tables {
		if err := table.CreateIn(ctx, db); err != nil {
			log.Fatal(err)
		}
	}
	return ctx, db
}
