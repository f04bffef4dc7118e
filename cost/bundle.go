package cost

import (
	"math"
	"slices"
	"time"

	"github.com/tablewright/tablewright/spec"
)

// The consumer of a stream adds changes up before it writes a number. It collects the changes of a shard for half of the time that the
// number may be late, and then writes each number once, as streams.Aggregate does with a batch of changes. How many changes one write
// stands for depends on how many come for one number in that time, in each shard.
const (
	maxCollected = 1_000 // changes that a consumer collects of a shard: as many as GetRecords brings

	// Lambda collects for 300 seconds at most
	// (docs.aws.amazon.com/lambda/latest/dg/services-ddb-params.html).
	longestCollected = 300 * time.Second

	// A new table on demand takes 4,000 writes a second, which four partitions do
	// (docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html). A stream has as many shards.
	fewestShards = 4
	shardWrites  = 500      // a second: partitions are split before they reach what they take at most
	shardBytes   = 10 << 30 // of a partition
)

// bundle is how often the consumer of a stream writes numbers for one call of a pattern.
type bundle struct {
	changes float64 // of numbers
	writes  float64 // on average
	hottest float64 // as if all were about the number that changes most, at peak
}

// bundled is what the consumer of a stream, which may be late by some time, writes of a number of an entity.
func (f *figures) bundled(p *spec.Pattern, of *spec.Entity, number *spec.Attribute, late time.Duration) bundle {
	way := of.WayBack(number.Derived.Path[0])
	if way == nil {
		return bundle{}
	}
	return f.addedUp(p, changing{way, number, late}, func(p *spec.Pattern) float64 { return f.counted(p, of, number) })
}

// rechecked is what the consumer reads of what arriving items lead to by a way: each once, however many lead there.
func (f *figures) rechecked(p *spec.Pattern, way *spec.Relationship, late time.Duration) bundle {
	return f.addedUp(p, changing{way, nil, late}, func(p *spec.Pattern) float64 { return f.pointed(p, way) })
}

// changing is what changes by what comes along a way: a number, or nil for the way itself. late is how late a consumer may be with it.
type changing struct {
	way    *spec.Relationship
	number *spec.Attribute
	late   time.Duration
}

// addedUp returns the writes of one call of a pattern if the consumer adds up the changes of each parent. count returns how many changes a
// call makes. Without a stated lag each change is a write.
func (f *figures) addedUp(p *spec.Pattern, what changing, count func(p *spec.Pattern) float64) bundle {
	n, way, late := count(p), what.way, what.late
	b := bundle{n, n, n}
	if n <= 0 || late <= 0 {
		return b
	}
	rate, ok := f.rates[what]
	if !ok {
		for _, p := range f.requirements.Patterns {
			if n := count(p); n > 0 {
				rate.Average += float64(n * p.Rate.Average)
				rate.Peak += float64(n * pace(p, late))
			}
		}
		f.rates[what] = rate
	}
	average, peak := rate.Average, rate.Peak
	shards := math.Max(fewestShards, math.Ceil(peak/shardWrites))
	shards = math.Max(shards, math.Ceil(way.From.Bytes.Average*float64(f.Members(way.From))/shardBytes))
	collected := math.Min(late.Seconds()/2, longestCollected.Seconds())

	// A call that changes one number several times costs one write of it in each shard that has some of these changes.
	once := 1.0
	if apart, groups := f.groups(p, what, n); groups > 0 {
		once = (apart + float64(groups*shards)*(1-math.Pow(1-1/shards, math.Max((n-apart)/groups, 1)))) / n
	}
	b.writes, b.hottest = float64(n*once), float64(n*once)

	// The consumer also adds up what several calls change. Calls arrive independently of one another (a Poisson process).
	law := f.Law(f.parents(p, way))
	if changes := float64(average*once) * collected / shards; changes > 0 {
		b.writes *= law.Real(func(x float64) float64 { return 1 - math.Exp(-changes*x/law.Total()) }) * float64(law.Members()) / changes
	}
	hot := f.atPeak(p)
	collected = math.Min(collected, maxCollected*shards/peak)
	if changes := float64(peak*once) * collected / shards * hot.hottestParent(p, way); changes > 0 {
		b.hottest *= (1 - math.Exp(-changes)) / changes
	}
	return b
}

// groups divides the n changes that one call of a pattern makes. The elements of a list may have a part of their
// foreign key in common ($hotelId for each of $pieces, or what the requirements state as `same`): their changes fall on
// few parents, whose number is groups. The other changes are apart, each of another parent; so are those of the parents
// that moved children leave. If groups is 0, all are apart.
func (f *figures) groups(p *spec.Pattern, what changing, n float64) (apart, groups float64) {
	way := what.way
	for _, a := range p.Actions {
		if a.Entity != way.From || len(a.Each) == 0 {
			continue
		}
		several := float64(f.Members(way.To)) // that they can be of
		rest := len(way.By)
		for i, by := range way.By {
			if !common(p, a, by) {
				continue
			}
			rest--
			for _, up := range way.To.There {
				if len(up.By) == 1 && up.By[0] == way.To.Identity[i] {
					several /= float64(f.Members(up.To))
				}
			}
		}
		if rest == len(way.By) {
			continue
		}
		if a.Verb == spec.Update && what.number != nil && redirects(a, way) {
			if leave, come := f.moved(p, way, what.number.Derived.Where); leave+come > 0 {
				apart = n * leave / (leave + come)
			}
		}
		if groups = 1; rest > 0 && several > 1 {
			groups = math.Min(n-apart, float64(several*(1-math.Pow(1-1/several, n-apart))))
		}
		return apart, groups
	}
	return n, 0
}

// common reports whether an action over a list gives an attribute the same value for each element.
func common(p *spec.Pattern, a *spec.Action, x *spec.Attribute) bool {
	q := p.Parameter(a.Each[0])
	for _, s := range slices.Concat(a.Set, a.Key) {
		if r := s.Value.Reference; len(s.Path) == 1 && s.Path[0] == x.Name {
			return len(r) > 0 && (r[0] != "each" || q != nil && len(r) == 2 && slices.Contains(q.Same, r[1]))
		}
	}
	return q != nil && q.Entity == x.Entity && slices.Contains(q.Same, x.Name)
}
