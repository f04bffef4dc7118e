package stats

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/bits"
)

// RelativeError bounds how far a quantile that a Distribution tells lies from the exact one: by less than 0.8 % of it. Values
// below 128 are exact.
const RelativeError = 1.0 / 128

// Distribution is a sketch of many values from 0 to 2^44: of sizes in bytes, or times in nanoseconds. Its quantiles are within
// RelativeError of the exact ones whatever the values are, because its buckets grow with them: 64 in every doubling, which is
// the idea of DDSketch (Masson, Rim and Lee, 2019) in integer arithmetic. Two of them merge into what one would have been. It
// takes 512 bytes for every doubling in which there are values, at most 20 KB. The zero value is empty.
type Distribution struct {
	count, sum float64
	min, max   int64
	pages      [pages]*[pageSize]float64
}

const (
	pageBits = 6
	pageSize = 1 << pageBits
	pages    = 44 - pageBits + 1
	// LargestValue is what a Distribution takes: larger ones count as this.
	LargestValue = 1<<44 - 1
)

// bucketOf is the page and place of a value. The first page holds 0 to 63, the next ones a doubling each.
func bucketOf(v int64) (page, at int) {
	page = bits.Len64(uint64(v) >> pageBits)
	return page, int(v>>(max(page-1, 0)&63)) & (pageSize - 1)
}

// bounds are the smallest and the largest value of a bucket.
func bounds(i int) (low, high int64) {
	page, at := i/pageSize, i%pageSize
	if page == 0 {
		return int64(at), int64(at)
	}
	low = int64(pageSize+at) << (page - 1)
	return low, low + 1<<(page-1) - 1
}

// Add counts a value weight times. Negative values count as 0.
func (d *Distribution) Add(v int64, weight float64) {
	v = min(max(v, 0), LargestValue)
	if v < d.min || d.count == 0 {
		d.min = v
	}
	if v > d.max {
		d.max = v
	}
	d.count += weight
	d.sum += float64(v) * weight
	page, at := bucketOf(v)
	p := d.pages[page]
	if p == nil {
		p = new([pageSize]float64)
		d.pages[page] = p
	}
	p[at] += weight
}

// Merge adds all values of o.
func (d *Distribution) Merge(o *Distribution) {
	if o.count == 0 {
		return
	}
	if d.count == 0 {
		d.min, d.max = o.min, o.max
	}
	d.min, d.max = min(d.min, o.min), max(d.max, o.max)
	d.count += o.count
	d.sum += o.sum
	for i, from := range o.pages {
		if from == nil {
			continue
		}
		if d.pages[i] == nil {
			d.pages[i] = new([pageSize]float64)
		}
		for at, n := range from {
			d.pages[i][at] += n
		}
	}
}

// Count is how many values there are, each by its weight.
func (d *Distribution) Count() float64 { return d.count }

// Sum is the exact sum of the values, each by its weight.
func (d *Distribution) Sum() float64 { return d.sum }

// Min is the smallest value, exactly; 0 if there is none.
func (d *Distribution) Min() int64 { return d.min }

// Max is the largest value, exactly; 0 if there is none.
func (d *Distribution) Max() int64 { return d.max }

// Mean is the exact mean; 0 of nothing.
func (d *Distribution) Mean() float64 {
	if d.count == 0 {
		return 0
	}
	return d.sum / d.count
}

// Quantile is the smallest value v such that a share of q of all values is v or less, within RelativeError: 0.5 asks for the
// median, 0.999 for p99.9. It is 0 of nothing.
func (d *Distribution) Quantile(q float64) int64 {
	if d.count == 0 {
		return 0
	}
	// Sums of weights in another order than before are not quite the same: the last bucket must be reached nevertheless.
	want := min(max(q, 0), 1) * d.count * (1 - 1e-12)
	var seen float64
	for i, n := range d.buckets() {
		if seen += n; seen >= want && seen > 0 {
			low, high := bounds(i)
			return min(max(low+(high-low)/2, d.min), d.max)
		}
	}
	return d.max
}

// AtMost is the share of the values that are v or less, within the width of v's bucket.
func (d *Distribution) AtMost(v int64) float64 {
	if d.count == 0 {
		return 0
	}
	var n float64
	for i, m := range d.buckets() {
		if low, _ := bounds(i); low > v {
			break
		}
		n += m
	}
	return n / d.count
}

// buckets yields those that are not empty, by their number, from small values to large ones.
func (d *Distribution) buckets() iter.Seq2[int, float64] {
	return func(yield func(int, float64) bool) {
		for i, p := range d.pages {
			if p == nil {
				continue
			}
			for at, n := range p {
				if n != 0 && !yield(i*pageSize+at, n) {
					return
				}
			}
		}
	}
}

// Buckets yields the largest value of each bucket that is not empty, and how many values it has, from small to large.
func (d *Distribution) Buckets() iter.Seq2[int64, float64] {
	return func(yield func(int64, float64) bool) {
		for i, n := range d.buckets() {
			if _, high := bounds(i); !yield(high, n) {
				return
			}
		}
	}
}

// distributionJSON lists the buckets by number, each as the distance from the one before.
type distributionJSON struct {
	Sum     float64   `json:"sum"`
	Min     int64     `json:"min"`
	Max     int64     `json:"max"`
	Buckets []int     `json:"buckets"`
	Counts  []float64 `json:"counts"`
}

// MarshalJSON writes the sketch whole: what is read again merges as before.
func (d *Distribution) MarshalJSON() ([]byte, error) {
	out := distributionJSON{Sum: d.sum, Min: d.min, Max: d.max, Buckets: []int{}, Counts: []float64{}}
	last := 0
	for i, n := range d.buckets() {
		out.Buckets = append(out.Buckets, i-last)
		out.Counts = append(out.Counts, n)
		last = i
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (d *Distribution) UnmarshalJSON(text []byte) error {
	var in distributionJSON
	if err := json.Unmarshal(text, &in); err != nil {
		return err
	}
	*d = Distribution{sum: in.Sum, min: in.Min, max: in.Max}
	if len(in.Buckets) != len(in.Counts) {
		return fmt.Errorf("%d buckets with %d counts", len(in.Buckets), len(in.Counts))
	}
	if bad(in.Sum) || in.Min < 0 || in.Min > in.Max || in.Max > LargestValue {
		return errors.New("a distribution outside of its range")
	}
	i := 0
	for k, step := range in.Buckets {
		if i += step; step < 0 || step == 0 && k > 0 || i >= pages*pageSize {
			return fmt.Errorf("no bucket %d", i)
		}
		if bad(in.Counts[k]) {
			return fmt.Errorf("a count of %v", in.Counts[k])
		}
		page := i / pageSize
		if d.pages[page] == nil {
			d.pages[page] = new([pageSize]float64)
		}
		d.pages[page][i%pageSize] = in.Counts[k]
		d.count += in.Counts[k]
	}
	if bad(d.count) {
		return errors.New("counts without end")
	}
	if d.count == 0 && (in.Sum != 0 || in.Max != 0) {
		return errors.New("a distribution of nothing with a sum")
	}
	return nil
}

// bad reports whether a number cannot be a sum of weights.
func bad(n float64) bool { return math.IsNaN(n) || math.IsInf(n, 0) || n < 0 }
