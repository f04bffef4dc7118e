package clients

import (
	"net/http"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/tablewright/tablewright"
)

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

// TestScanMemory: however many items a scan reads, the iterator needs little memory for them.
func TestScanMemory(t *testing.T) {
	pages := int64(1000)
	if testing.Short() {
		pages = 100
	}
	items, peak := scanMemory(t, pages)
	if t.Logf("%d items, %.1f MB", items, float64(peak)/(1<<20)); int64(items) != pages*1000 || peak > 64<<20 || peak == 0 {
		t.Errorf("a scan of %d items had %d bytes on the heap", items, peak)
	}
}

// scanMemory scans so many pages of a thousand items and tells the most that was on the heap.
func scanMemory(t *testing.T, pages int64) (items int, peak uint64) {
	page := Page(1000)
	e := &endless{more: NewCanned(page[:len(page)-1] + `,"LastEvaluatedKey":{"orderId":{"S":"o-000999"}}}`), last: NewCanned(page), wantedPages: pages}
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
