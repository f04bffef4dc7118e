package clients

import (
	"context"
	"flag"
	"fmt"
	"net/http"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tablewright/tablewright"
)

var report = flag.String("report", "", "write the figures to this file, as Markdown")

// TestReport measures everything and writes docs/performance.md. Clients take turns, and of many rounds the quickest counts:
// what else the machine does slows down all of them, and never makes one quicker.
func TestReport(t *testing.T) {
	if *report == "" {
		t.Skip("without -report nothing is measured")
	}
	var doc strings.Builder
	fmt.Fprintf(&doc, "# Performance of the client\n\nWritten by `cd internal/peers/clients && go test -run TestReport -timeout 30m -report ../../../docs/performance.md`,\n"+
		"here with %s on %s/%s, %d processors. All clients send the same operations in the same run and are given the same\n"+
		"canned HTTP answers: what is compared is building, signing and sending a request, reading and decoding the answer, without network and\n"+
		"service. Of the rounds, in which the clients take turns, the quickest counts. SDK is aws-sdk-go-v2 with its package attributevalue.\n\n"+
		"| operation | Tablewright | SDK | guregu/dynamo | of the SDK's time | allocations: Tablewright | SDK | guregu |\n|---|---|---|---|---|---|---|---|\n",
		runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	for _, task := range tasks() {
		c, err := New(task.answer)
		if err != nil {
			t.Fatal(err)
		}
		all := []func(ctx context.Context, c *Clients) error{task.ours, task.sdk, task.guregu}
		best, allocs := make([]time.Duration, len(all)), make([]float64, len(all))
		for i, run := range all {
			best[i] = time.Hour
			allocs[i] = testing.AllocsPerRun(50, func() { check(t, run(t.Context(), c)) })
		}
		for range 60 {
			for i, run := range all {
				const n = 20
				start := time.Now()
				for range n {
					check(t, run(t.Context(), c))
				}
				best[i] = min(best[i], time.Since(start)/n)
			}
		}
		fmt.Fprintf(&doc, "| %s | %s | %s | %s | %.2f | %.0f | %.0f | %.0f |\n", task.name, us(best[0]), us(best[1]), us(best[2]),
			best[0].Seconds()/best[1].Seconds(), allocs[0], allocs[1], allocs[2])
		t.Log(task.name, best, allocs)
	}
	doc.WriteString("\n## Hooks\n\n| hooks | get |\n|---|---|\n")
	var seen atomic.Int64
	counting := func(next tablewright.Transport) tablewright.Transport {
		return tablewright.TransportFunc(func(ctx context.Context, c *tablewright.Call) error {
			err := next.Do(ctx, c)
			seen.Add(int64(c.Items))
			return err
		})
	}
	for _, hooks := range [][]tablewright.Hook{nil, {counting}} {
		c, err := New(`{"Item":`+Item(1)+`}`, hooks...)
		check(t, err)
		best := time.Hour
		for range 200 {
			start := time.Now()
			for range 50 {
				_, err := Orders.Get("o-000001").Run(t.Context(), c.Tablewright)
				check(t, err)
			}
			best = min(best, time.Since(start)/50)
		}
		fmt.Fprintf(&doc, "| %d | %s |\n", len(hooks), us(best))
	}
	doc.WriteString("\n## Many callers\n\nOne DB, 20,000 gets in all.\n\n| callers | gets a second |\n|---|---|\n")
	for _, callers := range []int{1, 10, 100, 1000} {
		c, err := New(`{"Item":` + Item(1) + `}`)
		check(t, err)
		best := time.Hour
		for range 5 {
			start := time.Now()
			var wait sync.WaitGroup
			for range callers {
				wait.Go(func() {
					for range 20_000 / callers {
						if _, err := Orders.Get("o-000001").Run(t.Context(), c.Tablewright); err != nil {
							t.Error(err)
						}
					}
				})
			}
			wait.Wait()
			best = min(best, time.Since(start))
		}
		fmt.Fprintf(&doc, "| %d | %.0f |\n", callers, 20_000/best.Seconds())
	}
	items, peak := scanMemory(t)
	fmt.Fprintf(&doc, "\n## Memory\n\nA scan of %d items through the iterator had %.1f MB on the heap at most.\n", items, float64(peak)/(1<<20))
	check(t, os.WriteFile(*report, []byte(doc.String()), 0o644))
}

func check(t *testing.T, err error) {
	if err != nil {
		t.Helper()
		t.Fatal(err)
	}
}

func us(d time.Duration) string { return fmt.Sprintf("%.1f µs", float64(d.Nanoseconds())/1000) }

// endless answers a scan with pages of a thousand items, so many times.
type endless struct {
	pages       atomic.Int64
	more, last  *Canned
	wantedPages int64
}

func (e *endless) RoundTrip(r *http.Request) (*http.Response, error) {
	if e.pages.Add(1) >= e.wantedPages {
		return e.last.RoundTrip(r)
	}
	return e.more.RoundTrip(r)
}

// scanMemory scans a million items and tells the most that was on the heap.
func scanMemory(t *testing.T) (items int, peak uint64) {
	page := Page(1000)
	e := &endless{more: NewCanned(page[:len(page)-1] + `,"LastEvaluatedKey":{"orderId":{"S":"o-000999"}}}`), last: NewCanned(page), wantedPages: 1000}
	db, err := tablewright.Connect(t.Context(), tablewright.Options{Endpoint: "http://127.0.0.1:1", HTTP: &http.Client{Transport: e}})
	check(t, err)
	runtime.GC()
	var stats runtime.MemStats
	for _, err := range Orders.Scan().Intended().All(t.Context(), db) {
		check(t, err)
		if items++; items%5000 == 0 {
			runtime.ReadMemStats(&stats)
			peak = max(peak, stats.HeapAlloc)
		}
	}
	return items, peak
}
