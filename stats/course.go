package stats

import (
	"slices"
	"time"
)

// SizeAt is how large an item was at a moment.
type SizeAt struct {
	At    time.Time `json:"at"`
	Bytes int       `json:"bytes"`
}

// courseKept is how many points of an item's course are kept; courseGap is the least time between two.
const (
	courseKept = 8
	courseGap  = time.Minute
)

// course adds a point if the last one is old enough: an eighth of the whole time that the item is known.
func (s *SizedItem) course(at int64, bytes int) {
	if at < s.due {
		return
	}
	if now := time.Unix(0, at).UTC(); now.Sub(s.First) >= courseGap {
		s.Course = thin(s.First, append(s.Course, SizeAt{now, bytes}))
	}
	last := s.First
	if n := len(s.Course); n > 0 {
		last = s.Course[n-1].At
	}
	s.due = last.Add(max(courseGap, last.Sub(s.First)/(courseKept-1))).UnixNano()
}

// thin leaves out the point that is nearest to the one before it, where there are too many.
func thin(first time.Time, points []SizeAt) []SizeAt {
	for len(points) > courseKept {
		least, gap := 0, points[0].At.Sub(first)
		for i := 1; i < len(points); i++ {
			if g := points[i].At.Sub(points[i-1].At); g < gap {
				least, gap = i, g
			}
		}
		points = slices.Delete(points, least, least+1)
	}
	return points
}

// joinCourse adds the points that o has.
func (s *SizedItem) joinCourse(o *SizedItem) {
	if len(o.Course) == 0 {
		return
	}
	s.Course = append(slices.Clone(s.Course), o.Course...)
	slices.SortStableFunc(s.Course, func(a, b SizeAt) int { return a.At.Compare(b.At) })
	s.Course = thin(s.First, s.Course)
}

func cloneSized(list []SizedItem) []SizedItem {
	out := slices.Clone(list)
	for i := range out {
		out[i].Course = slices.Clone(out[i].Course)
		out[i].Attributes = slices.Clone(out[i].Attributes)
	}
	return out
}
