package stats

import "testing"

// A minute that is told of when newer hours are all that is kept counts, and is not kept.
func TestLateMinute(t *testing.T) {
	traffic := Traffic{keep: 3}
	for hour := range int64(5) {
		traffic.add(1000*60+hour*60, Minute{Calls: 1})
	}
	traffic.add(1001*60+30, Minute{Calls: 120})
	traffic.add(1002*60+30, Minute{Calls: 1})
	if len(traffic.hours) != 3 || traffic.hours[0].at != 1002 {
		t.Errorf("%d hours from %d", len(traffic.hours), traffic.hours[0].at)
	}
	if sum, peak := traffic.Sum(), traffic.Peak(); sum.Calls != 126 || peak.Calls != 2 {
		t.Errorf("%v calls, peak %v", sum.Calls, peak.Calls)
	}
}
