package stats

import (
	"fmt"
	"maps"
	"slices"
)

// Merge is what one Collector would have known of all calls that these know: sums are exact up to rounding, quantiles and
// counts of distinct keys those of one collector, and what is said of keys is within the bounds that it states. The error is that
// keys were hashed with different secrets, or not.
func Merge(all ...*Snapshot) (*Snapshot, error) {
	out := empty(1)
	found := map[operationKey]*Operation{}
	consumed := map[placeKey]*Consumption{}
	sizes := map[string]*ItemSizes{}
	episodes := map[episodeName]*Episode{}
	for i, s := range all {
		if i == 0 {
			out.KeySpace, out.Hashed, out.From, out.To, out.Thresholds = s.KeySpace, s.Hashed, s.From, s.To, s.Thresholds
		}
		if s.KeySpace != out.KeySpace {
			return nil, fmt.Errorf("snapshot %d hashed its keys with another secret than the first, so that they cannot be compared: Options.HashKeys has to be the same", i+1)
		}
		out.Watched = append(out.Watched, s.watched()...)
		out.Sources += s.Sources
		if s.Rate > 0 && (out.Rate == 0 || s.Rate < out.Rate) {
			out.Rate = s.Rate
		}
		out.Hashed = out.Hashed || s.Hashed
		out.Kept = max(out.Kept, s.Kept)
		if s.From.Before(out.From) {
			out.From = s.From
		}
		if s.To.After(out.To) {
			out.To = s.To
		}
		for _, o := range s.Operations {
			if found[o.key()] == nil {
				found[o.key()] = newOperation(o.key())
			}
			found[o.key()].merge(o)
		}
		for _, x := range s.Consumed {
			at := placeKey{x.Table, x.Index}
			if consumed[at] == nil {
				consumed[at] = &Consumption{Table: x.Table, Index: x.Index, Traffic: new(Traffic), Partitions: new(Distinct), Items: new(Distinct)}
			}
			consumed[at].merge(x)
		}
		for _, x := range s.Sizes {
			if sizes[x.Table] == nil {
				sizes[x.Table] = &ItemSizes{Table: x.Table}
			}
			sizes[x.Table].merge(x)
		}
		out.Tables = append(out.Tables, s.Tables...)
		for _, x := range s.Episodes {
			if known := episodes[x.key()]; known != nil {
				known.merge(x)
				continue
			}
			one := *x
			episodes[x.key()] = &one
		}
	}
	lists := []func(*Snapshot) *Keys{
		func(s *Snapshot) *Keys { return s.Partitions }, func(s *Snapshot) *Keys { return s.Items },
		func(s *Snapshot) *Keys { return s.Throttled }, func(s *Snapshot) *Keys { return s.Contended },
	}
	for _, of := range lists {
		for _, s := range all {
			of(out).merge(of(s))
		}
		of(out).cut(out.Kept)
	}
	out.Operations = slices.SortedFunc(maps.Values(found), func(a, b *Operation) int { return a.key().compare(b.key()) })
	out.Consumed = slices.SortedFunc(maps.Values(consumed), compareConsumption)
	for _, table := range slices.Sorted(maps.Keys(sizes)) {
		out.Sizes = append(out.Sizes, sizes[table])
	}
	out.Episodes = sortedEpisodes(episodes)
	out.Watched, out.Tables = join(out.Watched), mergeForms(out.Tables)
	return out, nil
}
