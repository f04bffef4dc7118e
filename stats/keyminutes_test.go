package stats

import (
	"encoding/json"
	"math"
	"testing"
)

// A key's busiest minutes are those of all who saw it together, also where each saw its own most in another minute, and after
// an export was read.
func TestPeaksOfSeveral(t *testing.T) {
	place := func(uint32) (string, string) { return "Shop", "" }
	var parts [4]keySketch
	own := &operationTraffic{key: operationKey{operation: "PutItem", pattern: "post"}}
	other := &operationTraffic{key: operationKey{operation: "GetItem"}}
	for i := range parts {
		parts[i].init(64, unitLoad)
		for minute := range int32(10) {
			n := 100.0
			if int(minute) == 6+i { // its own busiest one, by a little
				n = 110
			}
			for range 10 {
				addLoad(&parts[i], 1, own, 0, n, 1000+minute)
			}
			addLoad(&parts[i], 1, other, n, 0, 1000+minute)
		}
	}
	var all *Keys
	for i := range parts {
		text, err := json.Marshal(parts[i].keys(place))
		if err != nil {
			t.Fatal(err)
		}
		var one Keys
		if err := json.Unmarshal(text, &one); err != nil {
			t.Fatal(err)
		}
		if all == nil {
			all = &one
			continue
		}
		all.merge(&one)
	}
	k := all.List[0]
	const write, read = 10 * (3*100 + 110), 3*100 + 110
	if k.PeakWrite != write || k.PeakRead != read || math.Abs(k.Peak-Load(read, write)) > 1e-4 || k.Operation != "PutItem" || k.Pattern != "post" {
		t.Errorf("%+v", k)
	}
	if k.PeakWriteMost != 4*1100 || k.PeakReadMost != 4*110 {
		t.Errorf("at most %v and %v", k.PeakReadMost, k.PeakWriteMost)
	}
	if len(k.Minutes) != 4 || k.Minutes[0].Minute != 1006 {
		t.Errorf("the latest minutes are %+v", k.Minutes)
	}
}

// Calls that were refused for a range of keys count for the key whose range it is, and not where an index's was.
func TestRanges(t *testing.T) {
	e := Event{Throttling: []Throttle{{"TableWriteKeyRangeThroughputExceeded", "Shop"}, {"IndexReadKeyRangeThroughputExceeded", "My.Shop.ByDay"},
		{"TableReadProvisionedThroughputExceeded", "Shop"}}}
	for index, want := range map[string][2]float64{"": {0, 1}, "ByDay": {1, 0}, "ByName": {0, 0}} {
		if reads, writes := e.ranges(index); reads != want[0] || writes != want[1] {
			t.Errorf("%q: %v reads, %v writes", index, reads, writes)
		}
	}
	var k keySketch
	k.init(64, callLoad)
	addLoad(&k, 7, nil, 0, 1, 5)
	addLoad(&k, 7, nil, 0, 0, 5)
	key := k.keys(func(uint32) (string, string) { return "Shop", "" }).List[0]
	if key.RangeWrites != 1 || key.RangeReads != 0 || key.Write != 0 || key.Load != 2 || key.Peak != 2 {
		t.Errorf("%+v", key)
	}
}
