package stats

import (
	"testing"
	"time"
)

// The course of an item's size is kept in eight points about evenly in time, however often and long it is seen.
func TestCourse(t *testing.T) {
	first := time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC)
	one := SizedItem{First: first, FirstBytes: 100}
	for i := 1; i <= 10_000; i++ {
		one.course(first.Add(time.Duration(i)*10*time.Second).UnixNano(), 100+i)
	}
	if len(one.Course) != courseKept {
		t.Fatalf("%d points", len(one.Course))
	}
	last := first
	for _, p := range one.Course {
		if gap := p.At.Sub(last); gap < time.Hour || gap > 9*time.Hour || p.Bytes != 100+int(p.At.Sub(first)/(10*time.Second)) {
			t.Errorf("%+v after %v", p, gap)
		}
		last = p.At
	}
	other := SizedItem{First: first.Add(-6 * time.Hour), Course: []SizeAt{{first.Add(-time.Hour), 50}}}
	other.joinCourse(&one)
	if len(other.Course) != courseKept || other.Course[0].Bytes != 50 {
		t.Errorf("%+v", other.Course)
	}
}
