package prove

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/internal/dist"
	"github.com/tablewright/tablewright/keys"
	"github.com/tablewright/tablewright/spec"
)

// source makes values: seeded, so that the same requirements and seed give the same data.
type source struct {
	rnd     *rand.Rand
	ids     seededIDs // of what nobody has made
	counter int
	start   time.Time // timestamps that callers state lie around it
	now     func() time.Time
	timely  map[*spec.Attribute]bool // that patterns compare with now
	laws    map[sizeOf]dist.Law
	spreads map[purpose]*spread
	placed  map[purpose]int
	moments map[*spec.Attribute]time.Time // the last of each attribute
	days    map[*spec.Attribute]int       // of dates that are parts of identities: how many a parent needs
	made    map[string]bool               // unique texts
	recent  [8]string                     // texts made lately, of which texts
	texts   int                           // were made in all
}

type sizeOf struct {
	members       int64
	average, most float64
}

// standing is where an entity stands in the rank laws of its sizes: rank 1 of so many members is the largest.
type standing struct{ rank, members int64 }

// middle is the place of values that belong to no entity.
var middle = standing{50, 100}

func newSource(seed uint64, start time.Time) *source {
	var other [32]byte
	binary.LittleEndian.PutUint64(other[8:], seed+1) // than that of the client's
	return &source{now: func() time.Time { return start }, ids: seededIDs{keys.NewIDs(func() time.Time { return start }, rand.NewChaCha8(other))}, rnd: rand.New(rand.NewPCG(seed, 0x7461626c65)), start: start, laws: map[sizeOf]dist.Law{}, spreads: map[purpose]*spread{}, placed: map[purpose]int{}, moments: map[*spec.Attribute]time.Time{}, made: map[string]bool{}}
}

// chance is true with probability p.
func (s *source) chance(p float64) bool { return s.rnd.Float64() < p }

// whole rounds x to one of its neighbours, by a number of [0, 1) such that the mean stays x.
func whole(x, u float64) int {
	n := math.Floor(x)
	if u < x-n {
		n++
	}
	return int(n)
}

// law is the rank law of a quantity.
func (s *source) law(members int64, average, most float64) dist.Law {
	k := sizeOf{members, average, most}
	l, ok := s.laws[k]
	if !ok {
		l = dist.Power(members, average, max(most, average))
		s.laws[k] = l
	}
	return l
}

// size is the number of bytes (or elements) of a value at a place in its rank law.
func (s *source) size(z spec.Size, at standing) int {
	return whole(s.law(at.members, z.Average, z.Max).At(min(at.rank, at.members)), s.rnd.Float64())
}

// value is a value for an attribute; at is the place of its entity in the laws of sizes. unique asks for a value
// that no other call has made.
func (s *source) value(a *spec.Attribute, at standing, unique bool) attr.Value {
	switch {
	case a.States != nil:
		return attr.Text(a.States.Names[0])
	case len(a.Enum) > 0:
		return attr.Text(s.share(a, attr.Item{}))
	}
	switch a.Type {
	case spec.Number:
		return attr.Num(s.number(a))
	case spec.Bool:
		return a.Constant(s.share(a, attr.Item{}))
	case spec.Binary:
		return attr.Binary([]byte(s.text(a, max(s.size(a.Bytes, at), 1), unique)))
	case spec.Timestamp:
		return spec.TimeValue(s.momentOf(a))
	case spec.Date:
		return attr.Text(s.momentOf(a).Format(time.DateOnly))
	case spec.MapType:
		return attr.Map(s.mapping(a, at))
	case spec.ListType, spec.SetType:
		return s.collection(a, at)
	}
	if kind := generatedAs(a); kind != "" {
		return attr.Text(s.ids.ID(kind))
	}
	return attr.Text(s.text(a, max(s.size(a.Bytes, at), 1), unique))
}

// generatedAs is the kind of identifier that an attribute holds: one that clients make, or of what it points to; "" if it is none.
// Callers have it from an answer, so that nobody states a text of another form.
func generatedAs(a *spec.Attribute) string {
	switch a.Generated {
	case "ulid", "uuid", "ksuid":
		return a.Generated
	}
	if r := a.Reference; r != nil {
		for i, by := range r.By {
			if id := r.To.Identity[i]; by == a && id != a {
				return generatedAs(id)
			}
		}
	}
	return ""
}

// sameTime: one time in so many is the one before it.
const sameTime = 12

// momentOf is a value of an attribute that is a time.
func (s *source) momentOf(a *spec.Attribute) time.Time {
	if s.timely[a] {
		return s.sides(s.now())
	}
	if last, ok := s.moments[a]; ok && s.rnd.IntN(sameTime) == 0 { // what is sorted by it has ties
		return last
	}
	s.moments[a] = s.moment(max(s.days[a], 30))
	return s.moments[a]
}

// moment is a time within some days before the start, to the millisecond.
func (s *source) moment(days int) time.Time {
	return s.start.Add(-time.Duration(s.rnd.Int64N(int64(days) * int64(24*time.Hour)))).Truncate(time.Millisecond).UTC()
}

// share is a value of an enum, or a state, for an entity of which some values are known already: among the entities with
// the same other values, values come up by their shares.
func (s *source) share(a *spec.Attribute, known attr.Item) string {
	shares := a.Shares
	if len(shares) == 0 && a.Type == spec.Bool { // of a bool nothing is stated
		shares = []spec.Share{{Value: "true", Of: 0.5}, {Value: "false", Of: 0.5}}
	} else if len(shares) == 0 { // of a foreign key nothing is stated: it is as frequent as what it points to
		for _, v := range a.Values() {
			shares = append(shares, spec.Share{Value: v, Of: 1 / float64(len(a.Values()))})
		}
	}
	return shareAt(shares, s.even(a, among(a, known)))
}

// among names the entities with the same other values.
func among(a *spec.Attribute, known attr.Item) string {
	text := "share"
	if a.Entity != nil {
		for _, other := range a.Entity.Attributes {
			if other != a && len(other.Enum) > 0 {
				text += " " + known.Get(other.Name).Str()
			}
		}
	}
	return text
}

// fewest of an entity that stored data should have in each of its states, however rare.
const fewestInState = 6

// state is a state for one of n stored entities: by their shares, but a few come into each.
func (s *source) state(a *spec.Attribute, known attr.Item, n int) string {
	least := math.Min(fewestInState/math.Max(float64(n), 1), 0.25/float64(len(a.Shares)))
	shares, sum := slices.Clone(a.Shares), 0.0
	for i := range shares {
		if shares[i].Of > 0 {
			shares[i].Of = math.Max(shares[i].Of, least)
		}
		sum += shares[i].Of
	}
	for i := range shares {
		shares[i].Of /= sum
	}
	// Instances are made in the order of their sizes: those of one state are spread over it, or the mean of their sizes would
	// be a matter of luck.
	p := purpose{a, among(a, known)}
	s.placed[p]++
	_, at := math.Modf(float64(s.placed[p]) * math.Phi)
	return shareAt(shares, at)
}

// shareAt is the value at a place of [0, 1) over which values lie by their shares.
func shareAt(shares []spec.Share, x float64) string {
	for _, v := range shares {
		if x < v.Of {
			return v.Value
		}
		x -= v.Of
	}
	return shares[len(shares)-1].Value
}

// number is a number of the attribute's digits and scale within its range.
func (s *source) number(a *spec.Attribute) attr.Number {
	most, least := int64(math.Pow10(min(a.Digits, 15)))-1, int64(0)
	if high, ok := limit(a.Max); ok && a.Scale == 0 && 0 <= high && high < most { // else most would be the largest
		most = high
		if low, ok := limit(a.Min); ok && 0 < low && low <= most {
			least = low
		}
	}
	n := least + s.rnd.Int64N(most-least+1)
	text := strconv.FormatInt(n, 10)
	if a.Scale > 0 {
		text = fmt.Sprintf("%0*d", a.Scale+1, n)
		text = text[:len(text)-a.Scale] + "." + text[len(text)-a.Scale:]
	}
	v := attr.Dec(text)
	if a.Min != nil && v.Cmp(*a.Min) < 0 {
		v = *a.Min
	}
	if a.Max != nil && v.Cmp(*a.Max) > 0 {
		v = *a.Max
	}
	return v
}

// limit is a stated end of a range as a whole number; false: none is stated, or it is none.
func limit(n *attr.Number) (int64, bool) {
	if n == nil {
		return 0, false
	}
	return n.Int64()
}

// mapping is a map with its declared content, or an opaque one of the attribute's size.
func (s *source) mapping(a *spec.Attribute, at standing) attr.Item {
	var m attr.Item
	if len(a.Fields) == 0 {
		if n := s.size(a.Bytes, at) - (3 + 1 + len("text")); n > 0 {
			m.Set("text", attr.Text(s.text(nil, n, false)))
		}
		return m
	}
	for _, f := range a.Fields {
		if !f.Optional || s.evenChance(f.Present, f, "present") {
			m.Set(f.Name, s.value(f, at, false))
		}
	}
	return m
}

func (s *source) collection(a *spec.Attribute, at standing) attr.Value {
	n := 1
	if a.Length.Max > 0 {
		n = s.size(a.Length, at)
	}
	if n == 0 && a.Type == spec.SetType && !a.Optional {
		n = 1 // an empty set is an absent one, and it has to be there
	}
	element := a.Of
	if element == nil {
		element = &spec.Attribute{Type: spec.String, Bytes: spec.Size{Average: 8, Max: 8}}
	}
	// Elements without a size of their own share that of the whole, which is what estimates speak of.
	sized := func(int) standing { return at }
	if whole := a.Bytes; n > 0 && whole.Max > 0 && element.Bytes.Average == element.Bytes.Max && (element.Type == spec.String || element.Type == spec.Binary || element.Type == spec.MapType && len(element.Fields) == 0) {
		left := s.size(whole, at)
		if a.Type == spec.ListType {
			left -= 3 + n
		}
		of := *element
		element = &of
		sized = func(i int) standing { // such that they are as large in sum
			bytes := max(left/n, 1)
			if i < left%n && left > n {
				bytes++
			}
			of.Bytes = spec.Size{Average: float64(bytes), Max: float64(bytes)}
			return at
		}
	}
	if a.Type == spec.ListType {
		list := make([]attr.Value, n)
		for i := range list {
			list[i] = s.value(element, sized(i), false)
		}
		return attr.List(list...)
	}
	if n == 0 {
		return attr.Value{} // an empty set is an absent one
	}
	switch element.Type {
	case spec.Number:
		ns := make([]attr.Number, n)
		for i := range ns {
			ns[i] = s.number(element)
		}
		return attr.NumSet(ns...)
	case spec.Binary:
		bs := make([][]byte, n)
		for i := range bs {
			bs[i] = []byte(s.text(element, max(s.size(element.Bytes, sized(i)), 1), true))
		}
		return attr.BinarySet(bs...)
	}
	ts := make([]string, n)
	for i := range ts {
		ts[i] = s.text(element, max(s.size(element.Bytes, sized(i)), 1), true)
	}
	return attr.TextSet(ts...)
}
