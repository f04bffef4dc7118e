package stats

import (
	"cmp"
	"time"

	"github.com/tablewright/tablewright/capacity"
)

// Thresholds are the figures that a program's measurements are compared with, all in one place. DefaultThresholds says where
// each is from.
type Thresholds struct {
	// SlowCall is how long a call takes that counts as slow: Operation.Slow.
	SlowCall time.Duration `json:"slowCall"`
	// HighRead and HighWrite are units of one call that count as high: Operation.High.
	HighRead  capacity.ReadUnits  `json:"highRead"`
	HighWrite capacity.WriteUnits `json:"highWrite"`
	// HotKey is the load of one partition key, in shares of one partition's throughput, that is near its limit.
	HotKey float64 `json:"hotKey"`
	// LargeItem is a size at which an item is large; ItemLimit is where it ends.
	LargeItem capacity.Bytes `json:"largeItem"`
	ItemLimit capacity.Bytes `json:"itemLimit"`
	// ReturnedShare is the share of the items looked at below which a filter leaves out much.
	ReturnedShare float64 `json:"returnedShare"`
	// RefusedShare and ConflictShare are shares of a kind's writes that end so, above which it is often.
	RefusedShare  float64 `json:"refusedShare"`
	ConflictShare float64 `json:"conflictShare"`
	// ThrottledShare is a share of calls that are throttled, above which it is often.
	ThrottledShare float64 `json:"throttledShare"`
	// LowUse and HighUse are shares of what is provisioned, between which use is good.
	LowUse  float64 `json:"lowUse"`
	HighUse float64 `json:"highUse"`
	// Unused is for how long an index is not queried that is not used.
	Unused time.Duration `json:"unused"`
	// FewCalls is a number of calls below which nothing is concluded from shares.
	FewCalls float64 `json:"fewCalls"`
}

// Or is t with the figures of o for those that are 0. Whoever wants nothing to be demanded, of FewCalls say, sets a figure below 0.
func (t Thresholds) Or(o Thresholds) Thresholds {
	return Thresholds{
		SlowCall:       cmp.Or(t.SlowCall, o.SlowCall),
		HighRead:       cmp.Or(t.HighRead, o.HighRead),
		HighWrite:      cmp.Or(t.HighWrite, o.HighWrite),
		HotKey:         cmp.Or(t.HotKey, o.HotKey),
		LargeItem:      cmp.Or(t.LargeItem, o.LargeItem),
		ItemLimit:      cmp.Or(t.ItemLimit, o.ItemLimit),
		ReturnedShare:  cmp.Or(t.ReturnedShare, o.ReturnedShare),
		RefusedShare:   cmp.Or(t.RefusedShare, o.RefusedShare),
		ConflictShare:  cmp.Or(t.ConflictShare, o.ConflictShare),
		ThrottledShare: cmp.Or(t.ThrottledShare, o.ThrottledShare),
		LowUse:         cmp.Or(t.LowUse, o.LowUse),
		HighUse:        cmp.Or(t.HighUse, o.HighUse),
		Unused:         cmp.Or(t.Unused, o.Unused),
		FewCalls:       cmp.Or(t.FewCalls, o.FewCalls),
	}
}

// DefaultThresholds are what Options stand for that say nothing.
func DefaultThresholds() Thresholds {
	return Thresholds{
		// DynamoDB answers single-item calls in single-digit milliseconds (Introduction in the developer guide): ten times that
		// is noticed by whoever waits.
		SlowCall: 100 * time.Millisecond,
		// Half a page of 1 MB that is read eventually consistently; a write of an item of 50 KB.
		HighRead:  64,
		HighWrite: 50,
		// A partition does 3,000 read units or 1,000 write units a second (bp-partition-key-design): four fifths of it leave
		// little room for a busier minute.
		HotKey: 0.8,
		// An item of 100 KB costs 100 write units for every change and is a quarter of what an item may have (Constraints).
		LargeItem:     100 * capacity.KB,
		ItemLimit:     capacity.ItemBytes,
		ReturnedShare: 0.25,
		RefusedShare:  0.10,
		ConflictShare: capacity.ContentionWarning,
		// Retries hide one in a hundred.
		ThrottledShare: 0.01,
		LowUse:         0.30,
		HighUse:        0.80,
		Unused:         7 * 24 * time.Hour,
		FewCalls:       100,
	}
}
