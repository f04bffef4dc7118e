package stats_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"strings"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/stats"
)

// watched is a DB on an engine in memory whose calls a collector sees.
func watched(c *stats.Collector) (db *tablewright.DB, closed func()) {
	e, err := engine.Open("", nil)
	if err != nil {
		log.Fatal(err)
	}
	db = tablewright.New(tablewright.InProcess(e), tablewright.Options{Hooks: []tablewright.Hook{tablewright.Statistics(c)}})
	if err := shop.CreateIn(context.Background(), db); err != nil {
		log.Fatal(err)
	}
	return db, func() { _ = e.Close() }
}

// What each access pattern of a program did.
func Example() {
	collector := stats.NewCollector(stats.Options{})
	db, closed := watched(collector)
	defer closed()
	ctx := context.Background()
	for i := range 3 {
		if err := orders.Put(order{ID: "o1", Line: fmt.Sprint(i), Customer: "c1"}).Run(ctx, db); err != nil {
			log.Fatal(err)
		}
	}
	if _, err := linesOfOrder.With("o1").Slice(ctx, db); err != nil {
		log.Fatal(err)
	}
	for _, o := range collector.Of(shop).Stats().Operations {
		if o.Read+o.Write > 0 {
			fmt.Printf("%s %s: %v calls, %v read and %v write units, %v items\n", o.Operation, o.Pattern, o.Calls, o.Read, o.Write, o.Items)
		}
	}
	// Output:
	// PutItem : 3 calls, 0 read and 6 write units, 0 items
	// Query linesOfOrder: 1 calls, 0.5 read and 0 write units, 3 items
}

// The keys with the most load, in units per second, and how sure that is.
func ExampleSnapshot_PerSecond() {
	clock := &settable{at: time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)}
	collector := stats.NewCollector(stats.Options{Clock: clock})
	db, closed := watched(collector)
	defer closed()
	for i := range 100 {
		clock.at = clock.at.Add(100 * time.Millisecond)
		id := "counter"
		if i%4 == 0 {
			id = fmt.Sprint(i)
		}
		if err := orders.Put(order{ID: id, Line: "1", Customer: id}).Run(context.Background(), db); err != nil {
			log.Fatal(err)
		}
	}
	s := collector.Snapshot()
	top := s.Items.List[0]
	fmt.Printf("%s: %.1f to %.1f write units per second\n", top.Key, s.PerSecond(top.Write), s.PerSecond(top.Write+top.Missed*1000))
	// Output: {"PK":{"S":"o#counter"},"SK":{"S":"l#1"}}: 7.5 to 7.5 write units per second
}

// Exports of several processes are read and merged.
func ExampleMerge() {
	var exports []*stats.Snapshot
	for range 3 {
		collector := stats.NewCollector(stats.Options{})
		db, closed := watched(collector)
		if err := orders.Put(order{ID: "o1", Line: "1", Customer: "c1"}).Run(context.Background(), db); err != nil {
			log.Fatal(err)
		}
		closed()
		var export strings.Builder
		if err := collector.Snapshot().Write(&export); err != nil {
			log.Fatal(err)
		}
		s, err := stats.ReadSnapshot(strings.NewReader(export.String()))
		if err != nil {
			log.Fatal(err)
		}
		exports = append(exports, s)
	}
	all, err := stats.Merge(exports...)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(all.Sources, "processes,", all.Items.List[0].Calls, "calls of", all.Items.List[0].Key)
	// Output: 3 processes, 3 calls of {"PK":{"S":"o#o1"},"SK":{"S":"l#1"}}
}

// Single calls, kept for a while: what was computed can be computed again, or something else.
func ExampleCollector_Journal() {
	collector := stats.NewCollector(stats.Options{})
	db, closed := watched(collector)
	defer closed()
	journal := collector.Journal(stats.JournalOptions{})
	if err := orders.Put(order{ID: "o1", Line: "1", Customer: "c1"}).Run(context.Background(), db); err != nil {
		log.Fatal(err)
	}
	journal.Stop()
	for e := range journal.Events() {
		fmt.Println(e.Operation, e.Table, e.Write, e.Outcome)
	}
	// Output: PutItem Shop 2 done
}

// A distribution's quantiles are within 0.8 % of the exact ones.
func ExampleDistribution() {
	var d stats.Distribution
	for i := range int64(10_000) {
		d.Add(i, 1)
	}
	fmt.Println(d.Quantile(0.5), d.Quantile(0.99), d.Max(), d.Mean())
	// Output: 5023 9919 9999 4999.5
}

// Figures for Prometheus; the collector has a handler that serves them.
func ExampleSnapshot_WritePrometheus() {
	collector := stats.NewCollector(stats.Options{})
	db, closed := watched(collector)
	defer closed()
	if err := orders.Put(order{ID: "o1", Line: "1", Customer: "c1"}).Run(context.Background(), db); err != nil {
		log.Fatal(err)
	}
	var text strings.Builder
	if err := collector.Snapshot().WritePrometheus(&text, stats.PrometheusOptions{}); err != nil {
		log.Fatal(err)
	}
	for line := range strings.Lines(text.String()) {
		if strings.HasPrefix(line, "tablewright_write_units_total") {
			os.Stdout.WriteString(line)
		}
	}
	// Output: tablewright_write_units_total{operation="PutItem",table="Shop"} 2
}
