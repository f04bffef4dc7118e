package stats

import (
	"crypto/sha256"
	"time"

	"github.com/tablewright/tablewright"
)

// Options of a Collector; the zero value records every call, asks for units, looks into one call of 32 and shows keys.
type Options struct {
	// Rate is the share of calls that are recorded, from 0 to 1; each of the others is passed by, and those that are recorded
	// stand for them, so that sums are right on average. 0: all; negative: none until SetRate. Distinct keys and journals are of
	// what was recorded alone. Calls that consume no units, such as CreateTable, are all recorded unless none is: they are few, and
	// tell what the attributes of keys are called.
	Rate float64

	// NoUnits does not make calls ask for consumed capacity, which adds some hundred bytes to their answers. Where nobody asks
	// units are computed; see the package's documentation for what that cannot know.
	NoUnits bool

	// Detail is the share of the recorded calls whose items, attributes and expressions are looked at. 0: 1/32; negative: none; 1: all.
	// So that much is known of few calls, the first 256 of each kind are all looked at, and the nth with a probability of 256/n until that
	// is Detail. Below 1 a page of many items, of n KB, is looked at n times more seldom, at most 16 times, and stands for as many more.
	Detail float64

	// HashKeys keeps no key, only hashes that nobody can turn back without the secret: values of keys do not leave the process,
	// nor stay in it. Collectors whose snapshots are to be merged need the same secret. Any length will do, 16 bytes or more
	// are safe. Nil: keys are shown.
	HashKeys []byte

	// Keys is how many partition keys, and how many items, are held to find those with the most load, rounded up to a power
	// of two: what is said of a key may miss as much as 1.8/Keys of the whole load, and usually misses much less. 0: 4096.
	Keys int

	// Operations is how many different operations on tables, indexes and access patterns are told apart; what comes later is
	// counted together, under the operation "(others)". 0: 512.
	Operations int

	// Hours is for how many hours traffic is kept by minute. 0: 48. A week, 168, takes some 250 KB for every operation on
	// every table, index and pattern that is busy all the time.
	Hours int

	// Tables tell the names of key attributes, for requests that this program's declarations did not make, such as those of the
	// SDK's client, before these have told them: see the package's documentation. Others need not be listed.
	Tables []*tablewright.Table

	// Thresholds are what is compared with. Figures that are 0 stand for those of DefaultThresholds.
	Thresholds Thresholds

	// Clock tells the time. Nil: the system's.
	Clock tablewright.Clock
}

// settled are Options with their defaults.
func (o Options) settled() Options {
	if o.Rate == 0 {
		o.Rate = 1
	}
	if o.Detail == 0 {
		o.Detail = 1.0 / 32
	}
	o.Rate, o.Detail = min(max(o.Rate, 0), 1), min(max(o.Detail, 0), 1)
	if o.Keys <= 0 {
		o.Keys = 4096
	}
	size := firstKeys
	for size < o.Keys && size < 1<<20 {
		size *= 2
	}
	o.Keys = size
	if o.Operations <= 0 {
		o.Operations = 512
	}
	if o.Hours <= 0 {
		o.Hours = 48
	}
	o.Thresholds = o.Thresholds.Or(DefaultThresholds())
	return o
}

// hashKey is the key of the hasher: of keys that are shown it is the same everywhere.
func (o *Options) hashKey() (key [16]byte) {
	if len(o.HashKeys) > 0 {
		sum := sha256.Sum256(o.HashKeys)
		copy(key[:], sum[:])
	}
	return key
}

// detailed is how many calls of each kind are looked into before chance decides.
const detailed = 256

// sizesKept bounds what is remembered of items' sizes, of each table.
const (
	largestKept = 64
	sampleKept  = 256
)

// attributesKept bounds the attributes that are told apart, of each kind of call.
const attributesKept = 256

// armsKept bounds the tables and indexes that are told apart, of each kind of call.
const armsKept = 64

// reasonsKept bounds the reasons of throttling that are told apart, of each kind of call.
const reasonsKept = 32

// clock is the time that a Collector works with, in nanoseconds since 1970. The system's is read by its monotonic part alone,
// which is half as dear.
type clock struct {
	other tablewright.Clock
	start time.Time
	unix  int64
}

func newClock(c tablewright.Clock) clock {
	now := time.Now()
	return clock{c, now, now.UnixNano()}
}

func (c *clock) now() int64 {
	if c.other != nil {
		return max(c.other.Now().UnixNano(), 0) // the zero time of one that nobody set
	}
	return c.unix + int64(time.Since(c.start))
}

func (c *clock) time() time.Time { return time.Unix(0, c.now()).UTC() }
