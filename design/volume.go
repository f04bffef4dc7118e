package design

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tablewright/tablewright/internal/dist"
	"github.com/tablewright/tablewright/spec"
)

// A volume is a distribution of bytes over the members of a population: a constant, parts that vary from rank to rank
// (the largest member has the largest of all), and children inside. It is a capacity.Sizes.
type volume struct {
	fixed  float64
	laws   []dist.Law
	inside []brood
	slack  float64  // how much larger the largest is, beyond what laws and inside say
	pick   dist.Law // how members are picked
}

// brood is children inside their parent: how many, and how large each is.
type brood struct {
	way   *spec.Relationship
	count dist.Law
	each  *dist.Sums
	mean  float64 // of each
	most  float64
}

// Expect is the expectation of f of the bytes.
func (v volume) Expect(f func(bytes float64) float64) float64 {
	if len(v.laws)+len(v.inside) == 0 {
		return f(v.fixed)
	}
	if len(v.laws) == 0 && len(v.inside) == 1 {
		b := v.inside[0]
		return b.count.Weighted(v.pick).Expect(func(n float64) float64 { return b.each.Of(int(n)).Shift(v.fixed).Expect(f) })
	}
	laws := slices.Clone(v.laws)
	for _, b := range v.inside {
		laws = append(laws, b.count)
	}
	own := len(v.laws)
	return dist.Together(v.pick, func(x []float64) float64 {
		bytes := v.fixed
		for _, y := range x[:own] {
			bytes += y
		}
		sum := dist.Point(bytes)
		for i, n := range x[own:] {
			sum = dist.Plus(sum, v.inside[i].each.Of(int(n)))
		}
		return sum.Expect(f)
	}, laws...)
}

// mean is the average, all members alike.
func (v volume) mean() float64 {
	sum := v.fixed
	for _, l := range v.laws {
		sum += l.Mean()
	}
	for _, b := range v.inside {
		sum += float64(b.count.Mean() * b.mean)
	}
	return sum
}

// most is the size of the largest member, children at their largest.
func (v volume) most() float64 {
	sum := v.fixed + v.slack
	for _, l := range v.laws {
		sum += l.Max()
	}
	for _, b := range v.inside {
		sum += float64(b.count.Max() * b.most)
	}
	return sum
}

func (v volume) plus(w volume) volume {
	return volume{
		fixed: v.fixed + w.fixed, slack: v.slack + w.slack, laws: slices.Concat(v.laws, w.laws), inside: slices.Concat(v.inside, w.inside), pick: v.pick,
	}
}

// picked is the volume of members that are picked by a law.
func (v volume) picked(by dist.Law) volume {
	v.pick = by
	return v
}

// samples is into how many sizes a volume of several varying parts is cut where it is summed with others.
const samples = 64

// dist is the distribution of the size of one member.
func (v volume) dist() dist.Dist {
	switch {
	case len(v.laws)+len(v.inside) == 0:
		return dist.Point(v.fixed)
	case len(v.laws) == 1 && len(v.inside) == 0:
		return v.laws[0].Weighted(v.pick).Shift(v.fixed).Coarse(samples)
	}
	weights, points := make([]float64, samples), make([]dist.Dist, samples)
	for i := range points {
		rank := v.pick.Pick((float64(i) + 0.5) / samples)
		size := v.fixed
		for _, l := range v.laws {
			size += l.At(min(rank, l.Members()))
		}
		for _, b := range v.inside {
			size += float64(b.count.At(min(rank, b.count.Members())) * b.mean)
		}
		weights[i], points[i] = 1, dist.Point(size)
	}
	return dist.Mix(weights, points)
}

// key tells volumes apart that differ.
func (v volume) key() string {
	var b strings.Builder
	write := func(xs ...float64) {
		for _, x := range xs {
			b.WriteString(strconv.FormatUint(math.Float64bits(x), 36))
			b.WriteByte(' ')
		}
	}
	write(v.fixed)
	for _, l := range append(slices.Clone(v.laws), v.pick) {
		write(float64(l.Members()), l.Mean(), l.Max(), l.Exponent())
	}
	for _, c := range v.inside {
		write(float64(c.count.Members()), c.count.Mean(), c.count.Max(), c.mean, c.most)
	}
	return b.String()
}

// laws makes rank laws and remembers them: finding an exponent takes a while.
type laws struct {
	made map[lawKey]dist.Law
}

type lawKey struct {
	members       int64
	average, most float64
	skew          spec.Skew
}

func membersOf(n float64) int64 { return int64(math.Max(math.Round(n), 1)) }

// law is how a quantity spreads over members.
func (l *laws) law(members int64, average, most float64, skew spec.Skew) dist.Law {
	k := lawKey{members, average, most, skew}
	law, ok := l.made[k]
	if ok {
		return law
	}
	most = math.Max(most, average)
	switch {
	case skew.Zipf > 0:
		law = dist.Zipf(members, skew.Zipf, average, most)
	case skew.Hottest > 0:
		law = dist.Hottest(members, skew.Hottest, average, most)
	default:
		law = dist.Power(members, average, most)
	}
	if l.made == nil {
		l.made = map[lawKey]dist.Law{}
	}
	l.made[k] = law
	return law
}

// value is the volume of a value over the members of its entity.
func (l *laws) value(e *spec.Entity, size spec.Size) volume {
	if size.Max <= size.Average {
		return volume{fixed: size.Average}
	}
	return volume{laws: []dist.Law{l.law(membersOf(e.Count), size.Average, size.Max, spec.Skew{})}}
}

// children is the number of children by a way, over the parents.
func (l *laws) children(w *spec.Relationship) dist.Law {
	c := w.PerParent
	return l.law(membersOf(w.To.Count), c.Average, c.Max, c.Skew)
}

// calls is how calls spread over members.
func (l *laws) calls(members int64, s spec.Skew) dist.Law {
	if s.Uniform() {
		return dist.Uniform(members, 1)
	}
	return l.law(members, 1, math.Inf(1), s)
}
