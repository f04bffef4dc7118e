package tablewrighttest

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/capacity"
)

// Calls says which requests are meant; what is empty means any.
type Calls struct {
	Operation string // GetItem, Query, …
	Table     string // as declared; requests that name several have none
	Index     string
	Pattern   string // the access pattern
}

// Count is what requests took. Every try of a call is a request.
type Count struct {
	Requests int
	Failed   int // requests without an answer, or with one that is an error
	Items    int // that came back
	Scanned  int // that were looked at
	Read     capacity.ReadUnits
	Write    capacity.WriteUnits
}

// recorder is a hook that keeps what was asked.
type recorder struct {
	mu  sync.Mutex
	all []call
}

type call struct {
	Calls
	Count
}

func (r *recorder) hook(next tablewright.Transport) tablewright.Transport {
	return tablewright.TransportFunc(func(ctx context.Context, c *tablewright.Call) error {
		c.Measure = true
		err := next.Do(ctx, c)
		n := Count{Requests: 1, Items: c.Items, Scanned: c.Scanned, Read: c.Read, Write: c.Write}
		if err != nil {
			n = Count{Requests: 1, Failed: 1}
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		r.all = append(r.all, call{Calls{strings.Clone(c.Operation), c.Table, c.Index, c.Pattern}, n})
		return err
	})
}

func (w Calls) has(c Calls) bool {
	is := func(want, got string) bool { return want == "" || want == got }
	return is(w.Operation, c.Operation) && is(w.Table, c.Table) && is(w.Index, c.Index) && is(w.Pattern, c.Pattern)
}

// Count adds up the requests on Kit.DB since the start or the last Reset.
func (k *Kit) Count(which Calls) (n Count) {
	k.calls.mu.Lock()
	defer k.calls.mu.Unlock()
	for _, c := range k.calls.all {
		if which.has(c.Calls) {
			n.Requests += c.Requests
			n.Failed += c.Failed
			n.Items += c.Items
			n.Scanned += c.Scanned
			n.Read += c.Read
			n.Write += c.Write
		}
	}
	return n
}

// Reset forgets all requests so far.
func (k *Kit) Reset() {
	k.calls.mu.Lock()
	defer k.calls.mu.Unlock()
	k.calls.all = nil
}

// Expect fails the test unless the requests are as many as wanted; the other members of want are compared where they are not
// zero. The message lists what was asked.
func (k *Kit) Expect(t testing.TB, which Calls, want Count) {
	t.Helper()
	got := k.Count(which)
	same := func(want, got float64) bool { return want == 0 || want == got }
	if got.Requests == want.Requests && same(float64(want.Failed), float64(got.Failed)) && same(float64(want.Items), float64(got.Items)) &&
		same(float64(want.Scanned), float64(got.Scanned)) && same(float64(want.Read), float64(got.Read)) && same(float64(want.Write), float64(got.Write)) {
		return
	}
	t.Errorf("requests of %+v: %+v, want %+v, of all that was asked:\n%s", which, got, want, k.asked())
}

// NoScans fails the test if a whole table or index was scanned.
func (k *Kit) NoScans(t testing.TB) {
	t.Helper()
	if n := k.Count(Calls{Operation: "Scan"}); n.Requests > 0 {
		t.Errorf("%d scans, which looked at %d items, of all that was asked:\n%s", n.Requests, n.Scanned, k.asked())
	}
}

// asked lists all requests.
func (k *Kit) asked() string {
	k.calls.mu.Lock()
	defer k.calls.mu.Unlock()
	var b strings.Builder
	for _, c := range k.calls.all {
		where := c.Table
		if c.Index != "" {
			where += "." + c.Index
		}
		fmt.Fprintf(&b, "  %s %s %s: %d items of %d, read %v, write %v", c.Operation, where, c.Pattern, c.Items, c.Scanned, c.Read, c.Write)
		if c.Failed > 0 {
			b.WriteString(", failed")
		}
		b.WriteByte('\n')
	}
	return b.String()
}
