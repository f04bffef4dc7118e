package tablewright

import (
	"fmt"
	"slices"
	"time"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/keys"
)

// across is a range of time that a query reads bucket by bucket: the partition has the hour, day or month of a time.
type across struct {
	part  int // of the partition's parts: the time
	from  attr.Value
	until attr.Value
}

// maxBuckets is how many buckets a query goes through at most: each is a request at least, also an empty one.
const maxBuckets = 10_000

// Across selects a range of time in an index whose partition has the hour, day or month of a time, such as
// {placedAt:day}: the buckets from from's to to's, both included, which are read one behind the other, the last one first
// with Descending, until a page is full. What else the partition has must be the same in from and to. Where the index sorts
// by the same time the range is exact, both ends included, else it is whole buckets. A bucket costs a request even if it is
// empty; there may be 10,000.
func (i *Index[T, P, N]) Across(from, to P) N {
	var first N
	return first.from(acrossOf(i.x, from, to))
}

func acrossOf[P any](x *access, from, to P) *state {
	s := partitionOf(x, from)
	var end [maxParts]attr.Value
	if s.err == nil {
		s.err = keyValues(x.bound, to, end[:])
	}
	return s.until(end[:])
}

// until makes the query one that goes on to another partition.
func (s *state) until(end []attr.Value) *state {
	if s.x == undeclaredAccess {
		return s
	}
	at := slices.IndexFunc(s.x.partPaths, func(p attrPath) bool { _, ok := p.bucket(); return ok })
	if at < 0 {
		s.fault("no part of the partition of %s is the hour, day or month of a time: a range goes across these", s.x.name())
		return s
	}
	s.across = &across{part: at, from: s.parts[at], until: end[at]}
	for k, p := range s.x.partPaths {
		if k != at && s.err == nil && !attr.Equal(s.parts[k], end[k]) {
			s.fault("%s differs in both ends: a range goes across the buckets of a time alone", p.plain())
		}
	}
	return s
}

// fault notes the first mistake of a query.
func (s *state) fault(format string, args ...any) {
	if s.err == nil {
		s.err = fmt.Errorf(format, args...)
	}
}

// name is what the index is called.
func (x *access) name() string {
	if x.index == "" {
		return x.d.table.p.Name
	}
	return x.index
}

// bucket is the codec of a part that is a bucket of time.
func (p attrPath) bucket() (keys.Codec, bool) {
	plain := p.plain()
	if p == plain {
		return keys.Codec{}, false
	}
	c, err := keys.ParseCodec(string(p[len(plain)+1:]))
	return c, err == nil && c.Bucketed()
}

// bucketsOf are the buckets from first to last, or from last to first, as moments that lie in them.
func (s *state) bucketsOf() ([]attr.Value, error) {
	a := s.across
	path := s.x.partPaths[a.part]
	codec, _ := path.bucket()
	field, err := s.x.d.origin().find(path)
	if err != nil {
		return nil, err
	}
	moment := func(v attr.Value) (time.Time, error) {
		l, err := logical(field, v)
		if err != nil {
			return time.Time{}, err
		}
		return keys.TimeOf(l)
	}
	first, err := moment(a.from)
	if err != nil {
		return nil, err
	}
	last, err := moment(a.until)
	if err != nil {
		return nil, err
	}
	if last.Before(first) {
		return nil, fmt.Errorf("%s: the lower bound is above the upper", path.plain())
	}
	var all []attr.Value
	for t := first; !t.After(last); t = codec.NextBucket(t) {
		if len(all) == maxBuckets {
			return nil, fmt.Errorf("%s: the range spans more than %d buckets", path.plain(), maxBuckets)
		}
		v, err := keys.TimestampOf(t)
		if err == nil {
			v, err = stored(field, v)
		}
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	if s.descending {
		slices.Reverse(all)
	}
	return all, nil
}

// inBucket is the query of one bucket.
func (s *state) inBucket(v attr.Value) state {
	one := *s
	one.across = nil
	one.parts[s.across.part] = v
	next := int(s.n) - len(s.x.partPaths)
	if s.op == rangeNone && next < len(s.x.sortPaths) && s.x.sortPaths[next] == s.x.partPaths[s.across.part].plain() {
		one.op, one.lo, one.hi = rangeBetween, s.across.from, s.across.until
	}
	return one
}
