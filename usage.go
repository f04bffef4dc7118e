package tablewright

import (
	"sync"

	"github.com/tablewright/tablewright/capacity"
)

// Usage adds up what calls consumed; see [DB.Measure]. Calls add to it as they go, from any goroutine; read its fields
// when they have returned.
type Usage struct {
	Read              capacity.ReadUnits
	Write             capacity.WriteUnits
	Requests, Retries int
	Returned, Scanned int              // items that came back, and that were looked at to find them
	Arms              map[string]Units // by Table or Table.Index, as declared

	mu sync.Mutex
}

// Sum is what was consumed so far. Unlike the fields it may be asked for while calls run.
func (u *Usage) Sum() Units {
	u.mu.Lock()
	defer u.mu.Unlock()
	return Units{u.Read, u.Write}
}

// add takes over one answer.
func (u *Usage) add(c *Call) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.Read += c.Read
	u.Write += c.Write
	u.Returned += c.Items
	u.Scanned += c.Scanned
	for _, a := range c.arms {
		name := a.table
		if a.index != "" {
			name += "." + a.index
		}
		if u.Arms == nil {
			u.Arms = make(map[string]Units)
		}
		sum := u.Arms[name]
		sum.Read += a.Read
		sum.Write += a.Write
		u.Arms[name] = sum
	}
}

// sent counts a request.
func (u *Usage) sent(attempt int) {
	u.mu.Lock()
	u.Requests++
	if attempt > 1 {
		u.Retries++
	}
	u.mu.Unlock()
}
