package plan

import (
	"fmt"
	"slices"
	"time"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/keys"
	"github.com/tablewright/tablewright/spec"
)

// maxBuckets bounds a scatter over the buckets of a range.
const maxBuckets = 10_000

// buckets lists the values of a bucketed part between the two ends of its range, in the order of the query.
func (c *Call) buckets(s *Stage, env spec.Env) ([]attr.Value, error) {
	var part *Part
	var e ends
	for i := range s.binds {
		b := &s.binds[i]
		for j, v := range b.values {
			if len(v.Reference) == 1 && v.Reference[0] == refBucket {
				part = b.recipes[0].Parts[j]
			}
		}
		if b.low != nil && b.high != nil {
			var nothing bool
			var err error
			if e, nothing, err = c.ends(b, func(v spec.Expr) (attr.Value, error) { return spec.Eval(v, spec.On(attr.Item{}), env) }); err != nil || nothing {
				return nil, err
			}
		}
	}
	if part == nil || e.low == nil || e.high == nil {
		return nil, fmt.Errorf("step %s: a scatter over buckets needs both ends", s.label())
	}
	from, err := moment(*e.low)
	if err != nil {
		return nil, err
	}
	to, err := moment(*e.high)
	if err != nil {
		return nil, err
	}
	var out []attr.Value
	last := ""
	for t := from; ; {
		v, err := keys.TimestampOf(t)
		if err != nil {
			return nil, err
		}
		if part.Attribute.Type == spec.Date {
			v = attr.Text(t.Format(keys.DateLayout))
		}
		text, err := part.codec.encode(nil, v)
		if err != nil {
			return nil, err
		}
		if string(text) != last {
			last = string(text)
			out = append(out, v)
		}
		if !t.Before(to) {
			break
		}
		if t = part.codec.base.NextBucket(t); t.After(to) {
			t = to
		}
		if len(out) > maxBuckets {
			return nil, fmt.Errorf("step %s: the range spans more than %d buckets", s.label(), maxBuckets)
		}
	}
	if from.After(to) {
		return nil, nil
	}
	if s.Descending {
		slices.Reverse(out)
	}
	return out, nil
}

func moment(v attr.Value) (time.Time, error) {
	if len(v.Str()) == len(keys.DateLayout) {
		return time.Parse(keys.DateLayout, v.Str())
	}
	return keys.TimeOf(v)
}
