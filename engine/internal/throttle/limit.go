package throttle

import "time"

// Operation is what is limited apart: reads and writes.
type Operation uint8

// The operations.
const (
	Read Operation = iota
	Write
)

// Limit is what an operation would exceed, as the service tells them apart (API_ThrottlingReason).
type Limit uint8

// The limits; None admits.
const (
	None        Limit = iota
	Provisioned       // what is provisioned, with all that was kept of what was not used
	Account           // the quota of one table on demand
	KeyRange          // of one partition; or of all that a table on demand is ready for
	MaxOnDemand       // the bound that its owner set
)

// String is the limit as it stands in a throttling reason.
func (l Limit) String() string {
	return [...]string{"", "ProvisionedThroughputExceeded", "AccountLimitExceeded", "KeyRangeThroughputExceeded", "MaxOnDemandThroughputExceeded"}[l]
}

// bucket holds units that come in at a rate and are taken out by use. Whoever finds any may begin, and takes what it turns
// out to need, so that the level may fall below nothing: what a read costs is known only afterwards.
type bucket struct {
	rate, most, level float64 // units per second; units
	at                time.Time
}

// newBucket is one that keeps so much of its rate, filled with the first second's.
func newBucket(rate float64, kept time.Duration, now time.Time) bucket {
	return bucket{rate: rate, most: rate * max(kept.Seconds(), 1), level: rate, at: now}
}

// fill brings the level up to now; time that goes backwards counts as none.
func (b *bucket) fill(now time.Time) {
	if d := now.Sub(b.at); d > 0 {
		b.level, b.at = min(b.most, b.level+b.rate*d.Seconds()), now
	}
}

func (b *bucket) any(now time.Time) bool {
	b.fill(now)
	return b.level > 0
}

func (b *bucket) take(units float64, now time.Time) {
	b.fill(now)
	b.level = min(b.most, b.level-units)
}

// setRate changes the rate and what is kept; what there is stays, up to that.
func (b *bucket) setRate(rate float64, kept time.Duration, now time.Time) {
	b.fill(now)
	b.rate, b.most = rate, rate*max(kept.Seconds(), 1)
	b.level = min(b.level, b.most)
}

// growth follows the traffic of a table on demand, which takes at once up to a multiple of its previous peak
// (on-demand-capacity-mode): the highest rate, averaged over an interval, that is at least so old as growing takes.
type growth struct {
	start   time.Time // of the interval that is measured
	units   float64   // consumed in it
	settled float64   // the previous peak, in units per second
	rising  []peak    // higher ones that are younger, each higher than the one before
}

type peak struct {
	at   time.Time
	rate float64
}

func (g *growth) measure(units float64, p *Parameters, now time.Time) {
	if g.start.IsZero() {
		g.start = now
	}
	if d := now.Sub(g.start); d >= p.PeakInterval {
		g.close(p)
		g.start = now
	}
	g.units += units
}

// close ends the interval that is measured.
func (g *growth) close(p *Parameters) {
	rate := g.units / p.PeakInterval.Seconds()
	g.units = 0
	if highest := g.highest(); rate > highest {
		g.rising = append(g.rising, peak{g.start.Add(p.PeakInterval), rate})
	}
}

func (g *growth) highest() float64 {
	if n := len(g.rising); n > 0 {
		return g.rising[n-1].rate
	}
	return g.settled
}

// previous is the previous peak.
func (g *growth) previous(p *Parameters, now time.Time) float64 {
	if !g.start.IsZero() && now.Sub(g.start) >= p.PeakInterval {
		g.close(p)
		g.start = now
	}
	for len(g.rising) > 0 && now.Sub(g.rising[0].at) >= p.GrowthTime {
		g.settled = g.rising[0].rate
		g.rising = g.rising[1:]
	}
	return g.settled
}
