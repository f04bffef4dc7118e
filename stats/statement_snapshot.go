package stats

import "slices"

// WithoutStatements is s as if statements of PartiQL had been sent as the operations that do the same: in each Operation, Episode and Key
// with an As, Operation and As change places, so that what was sent as ExecuteStatement is a GetItem. It is s itself where there are
// none. Applied twice it changes nothing.
func (s *Snapshot) WithoutStatements() *Snapshot {
	stated := slices.ContainsFunc(s.Operations, func(o *Operation) bool { return o.As != "" }) ||
		slices.ContainsFunc(s.Episodes, func(e *Episode) bool { return e.As != "" || e.FirstAs != "" })
	if !stated {
		return s
	}
	out := *s
	out.Operations = slices.Clone(s.Operations)
	for i, o := range out.Operations {
		if o.As != "" {
			one := *o
			one.Operation, one.As = o.As, o.Operation
			out.Operations[i] = &one
		}
	}
	slices.SortStableFunc(out.Operations, func(a, b *Operation) int { return a.key().compare(b.key()) })
	out.Episodes = slices.Clone(s.Episodes)
	for i, e := range out.Episodes {
		if e.As == "" && e.FirstAs == "" {
			continue
		}
		one := *e
		if e.As != "" {
			one.Operation, one.As = e.As, e.Operation
		}
		if e.FirstAs != "" {
			one.First, one.FirstAs = e.FirstAs, e.First
		}
		out.Episodes[i] = &one
	}
	for _, k := range []**Keys{&out.Partitions, &out.Items, &out.Throttled, &out.Contended} {
		of := **k
		of.List = slices.Clone(of.List)
		for i := range of.List {
			if key := &of.List[i]; key.As != "" {
				key.Operation, key.As = key.As, key.Operation
			}
		}
		*k = &of
	}
	return &out
}
