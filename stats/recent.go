package stats

import (
	"sync"
	"time"

	"github.com/tablewright/tablewright"
)

// fresh is how long a Snapshot serves everybody who asks with Recent.
const fresh = time.Minute

// cachedSnapshot is the last one that somebody asked for, when that was, and when the Collector had begun then: what was recorded of
// another time moves From and To of a Snapshot.
type cachedSnapshot struct {
	mu          sync.Mutex
	last        *Snapshot
	made, since time.Time
}

// Recent is a Snapshot that is at most a minute old: it is made for the first who asks, and the others of that minute get
// the same. It must not be changed.
func (c *Collector) Recent() *Snapshot {
	c.cached.mu.Lock()
	defer c.cached.mu.Unlock()
	x, now, since := &c.cached, c.clock.time(), c.since()
	if x.last == nil || now.Sub(x.made) >= fresh || x.since.Before(since) {
		x.last, x.made, x.since = c.Snapshot(), now, since
	}
	return x.last
}

// since is when c began.
func (c *Collector) since() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.from
}

// Of is what c knows of a table.
func (c *Collector) Of(t *tablewright.Table) TableStats { return TableStats{c, t.Name()} }

// TableStats is a Collector's knowledge of one table.
type TableStats struct {
	c    *Collector
	name string
}

// Stats is what is known of the table, at most a minute old; see Collector.Recent and Snapshot.Table.
func (t TableStats) Stats() *Snapshot { return t.c.Recent().Table(t.name) }
