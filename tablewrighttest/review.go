package tablewrighttest

import (
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/internal/show"
	"github.com/tablewright/tablewright/stats"
)

// Review says whether a Kit looks at what a test asks as a reviewer would: scans, writes without a condition, reads that stop at
// their first page, one request after another where one would do.
type Review uint8

// What becomes of remarks. ReviewDefault is what the environment variable TABLEWRIGHT_REVIEW says: nothing unless it is set, fail
// for ReviewFail, and for anything else but 0, off and false ReviewLog.
const (
	ReviewDefault Review = iota
	ReviewOff
	ReviewLog  // the test logs them at its end: go test -v shows it
	ReviewFail // they fail the test
)

// settled is r, or what the environment says.
func (r Review) settled() Review {
	if r != ReviewDefault {
		return r
	}
	switch strings.ToLower(os.Getenv("TABLEWRIGHT_REVIEW")) {
	case "", "0", "off", "false":
		return ReviewOff
	case "fail":
		return ReviewFail
	}
	return ReviewLog
}

// Remark is something that a reviewer would say of the requests of a test. Rule is that of package stats/rules which says the same of
// a program in production, with figures; its page tells more.
type Remark struct{ Rule, Text string }

// String is the text and the rule.
func (r Remark) String() string { return r.Text + " [" + r.Rule + "]" }

// reviewer watches the requests of a Kit.
type reviewer struct {
	collector *stats.Collector
	clock     *reviewClock
}

// reviewClock is a Kit's clock, and later when the remarks are made: who has not taken a cursor by then does not.
type reviewClock struct {
	of    *engine.ManualClock
	ahead atomic.Int64
}

func (c *reviewClock) Now() time.Time { return c.of.Now().Add(time.Duration(c.ahead.Load())) }

func newReviewer(t testing.TB, clock *engine.ManualClock, tables []*tablewright.Table, mode Review) *reviewer {
	c := &reviewClock{of: clock}
	r := &reviewer{stats.NewCollector(stats.Options{Clock: c, Detail: 1, Tables: tables}), c}
	t.Cleanup(func() {
		t.Helper()
		remarks := r.remarks()
		if len(remarks) == 0 {
			return
		}
		var b strings.Builder
		b.WriteString("tablewrighttest: a reviewer would say:")
		for _, one := range remarks {
			b.WriteString("\n  " + one.String())
		}
		if mode == ReviewFail {
			t.Error(b.String())
		} else {
			t.Log(b.String())
		}
	})
	return r
}

// Review is what a reviewer would say of all requests on Kit.DB so far, where Options.Review or the environment has them looked at.
func (k *Kit) Review() []Remark {
	if k.review == nil {
		return nil
	}
	return k.review.remarks()
}

func (r *reviewer) remarks() (all []Remark) {
	const aLongTime = time.Minute
	r.clock.ahead.Store(int64(aLongTime))
	s := r.collector.Snapshot().WithoutStatements()
	r.clock.ahead.Store(0)
	said := map[string]bool{} // of puts what they undo is more than that they have no condition
	for _, e := range s.Episodes {
		if remark := ofEpisode(e); remark != (Remark{}) {
			all = append(all, remark)
			said[what(e.Operation, e.As, e.Table, e.Index, e.Pattern)] = e.Operation == "PutItem"
		}
	}
	for _, o := range s.Operations {
		if remark := ofOperation(o); remark != (Remark{}) && !said[what(o.Operation, o.As, o.Table, o.Index, o.Pattern)] {
			all = append(all, remark)
		}
	}
	for _, z := range s.Sizes {
		for _, one := range z.Largest[:min(len(z.Largest), 1)] {
			if one.MaxBytes >= int(s.Thresholds.LargeItem) {
				all = append(all, Remark{"large-items", fmt.Sprintf("an item of %s has %s: every change of it costs as many write units as it has kilobytes", z.Table, show.Bytes(float64(one.MaxBytes)))})
			}
		}
	}
	return all
}

// what names calls: "Query of Shop.ByCustomer by ordersOfCustomer".
func what(operation, as, table, index, pattern string) string {
	text := operation
	if as != "" { // as what a statement of PartiQL was sent
		text = as + " (" + operation + ")"
	}
	if table != "" {
		text += " of " + table
	}
	if index != "" {
		text += "." + index
	}
	if pattern != "" {
		text += " by " + pattern
	}
	return text
}

// times is "once", "3 times".
func times(n float64) string {
	if n < 1.5 {
		return "once"
	}
	return show.Number(n) + " times"
}

func ofOperation(o *stats.Operation) Remark {
	name := what(o.Operation, o.As, o.Table, o.Index, o.Pattern)
	switch o.Operation {
	case "Scan":
		if o.As != "" {
			return Remark{"scan-reads-much", fmt.Sprintf("%s, %s, whose WHERE states no partition key: it reads all there is, however much that gets; a query of a key or an index reads what is wanted", name, times(o.Calls))}
		}
		return Remark{"scan-reads-much", fmt.Sprintf("%s, %s, %s items looked at for %s: it reads all there is, however much that gets; a query of a key or an index reads what is wanted",
			name, times(o.Calls), show.Number(o.Scanned), show.Number(o.Items))}
	case "Query":
		if o.Filtered > 0 && o.Scanned >= 2*o.Items && o.Scanned-o.Items >= 3 {
			return Remark{"filter-drops-much", fmt.Sprintf("%s: %s items read for %s that the filter leaves: what is filtered is paid; a sort key or an index that has the condition reads less",
				name, show.Number(o.Scanned), show.Number(o.Items))}
		}
	case "PutItem":
		if o.Conditional == 0 {
			return Remark{"lost-update", fmt.Sprintf("%s without a condition, %s: an item that is there is replaced, whoever wrote it; Create refuses one, Edit and versions see what changed meanwhile", name, times(o.Calls))}
		}
	case "TransactWriteItems":
		if o.Tokened < o.Detailed {
			return Remark{"missing-token", fmt.Sprintf("%s without a ClientRequestToken, %s: repeated after an answer was lost it is done twice", name, times(o.Detailed-o.Tokened))}
		}
	}
	return Remark{}
}

func ofEpisode(e *stats.Episode) Remark {
	name := what(e.Operation, e.As, e.Table, e.Index, e.Pattern)
	switch e.Kind {
	case stats.SingleGets:
		return Remark{"single-gets", fmt.Sprintf("%s, %s requests one after another: one batch brings up to 100 items", name, show.Number(e.Calls))}
	case stats.SinglePuts:
		if e.Pattern == "" { // tests put what they need
			return Remark{}
		}
		return Remark{"single-puts", fmt.Sprintf("%s, %s requests one after another: one batch writes up to 25 items", name, show.Number(e.Calls))}
	case stats.ReadPut, stats.LostUpdate:
		return Remark{"read-before-write", fmt.Sprintf("%s of an item that was read before, without a condition, %s: what somebody else changes in between is undone; an update changes only what it names, Edit repeats on what is there", name, times(e.Count))}
	case stats.ReadAgain:
		return Remark{"repeated-reads", fmt.Sprintf("%s of an item that was just read, %s: it can be kept", name, times(e.Count))}
	case stats.Unpaged:
		return Remark{"unpaged", fmt.Sprintf("%s ends at a page that is not the last, %s: what comes after is never seen; Slice, All and pages with a cursor go on", name, times(e.Count))}
	case stats.IndexReadOwn:
		return Remark{"index-read-own", fmt.Sprintf("%s right after a write to what it reads, %s: the index may not have it yet", name, times(e.Count))}
	}
	return Remark{}
}
