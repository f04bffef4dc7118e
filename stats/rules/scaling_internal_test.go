package rules

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/tablewright/tablewright/stats"
)

// of is a curve of so many minutes at so many units, one after the other, from midnight on.
func of(minutesAndUnits ...float64) curve {
	var c curve
	for i := 0; i < len(minutesAndUnits); i += 2 {
		for range int(minutesAndUnits[i]) {
			c.units = append(c.units, minutesAndUnits[i+1])
		}
	}
	return c
}

// Auto scaling as it is documented: see the comment of its constants for the pages.
func TestFollow(t *testing.T) {
	for _, c := range []struct {
		name      string
		curve     curve
		least     float64
		changes   int
		most      float64
		throttled bool
	}{
		{"steady: nothing changes", of(600, 70), 1, 0, 100, false},
		{"a minute above 70 % is none", of(60, 50, 1, 71, 60, 50), 72, 0, 72, false},
		{"two minutes are", of(60, 50, 2, 71, 60, 60), 72, 1, 102, false},
		{"fourteen minutes below 50 % are none", of(60, 70, 14, 40, 60, 70), 1, 0, 100, false},
		{"fifteen are", of(60, 70, 60, 40), 1, 1, 100, false},
		{"twenty points below the target are the limit", of(60, 70, 60, 51), 1, 0, 100, false},
		{"minutes without anything tell nothing", of(60, 70, 600, 0), 1, 0, 100, false},
		{"never below the least", of(60, 70, 60, 1), 60, 1, 100, false},
		{"a burst of three minutes has units kept for it, and follows", of(60, 70, 3, 150, 60, 70), 1, 2, 215, false},
		{"ten times as much for three minutes has not", of(60, 70, 3, 1_000), 1, 0, 100, true},
	} {
		s := c.curve.follow(c.least)
		if s.changes != c.changes || s.most != c.most || (s.throttled > 0) != c.throttled {
			t.Errorf("%s: %d changes, at most %v, %v refused", c.name, s.changes, s.most, s.throttled)
		}
	}
}

// Four decreases of a day need not wait, each further one does for an hour: 27 at most (ServiceQuotas).
func TestFollowDecreases(t *testing.T) {
	var c curve
	for range 48 { // half an hour each: up, and down after fifteen minutes
		c.units = append(append(c.units, of(8, 70).units...), of(22, 10).units...)
	}
	s := c.follow(1)
	if ups, downs := s.changes-s.changes/2, s.changes/2; downs > 27 || downs < 20 || ups < downs {
		t.Errorf("%d changes in a day", s.changes)
	}
	c.units = append(c.units, c.units...)
	if two := c.follow(1); two.changes < 2*s.changes-4 || two.changes > 2*s.changes+4 {
		t.Errorf("%d changes in a day, %d in two", s.changes, two.changes)
	}
}

// What is billed is an hour's dearest minute.
func TestFollowPaid(t *testing.T) {
	c := of(60, 70, 120, 35) // 100, until fifteen minutes of the second hour are over, then 50
	if s := c.follow(1); s.average != (100+100+50)/3.0 {
		t.Errorf("%v on average", s.average)
	}
}

// The least for which nothing is refused and the least is paid.
func TestBest(t *testing.T) {
	spiky := of(55, 10, 5, 500, 55, 10, 5, 500)
	if s := spiky.best(); s.throttled > 0 || s.average < 500 {
		t.Errorf("%+v: five minutes of fifty times as much are there before more is provisioned", s)
	}
	if s := of(300, 70).best(); s.average != 100 || s.throttled > 0 {
		t.Errorf("%+v", s)
	}
}

// An export may tell of minutes half a century apart, or of a beginning that never was.
func TestCurveOf(t *testing.T) {
	var traffic stats.Traffic
	if err := json.Unmarshal([]byte(`{"hours":[{"hour":1,"first":0,"minutes":[[1,60,0]]},{"hour":490000,"first":3,"minutes":[[1,120,0],[1,0,60]]}]}`), &traffic); err != nil {
		t.Fatal(err)
	}
	end := time.Unix(490_000*3600+10*60, 0)
	in := &Input{Stats: &stats.Snapshot{To: end}}
	c := in.curveOf(&stats.Consumption{Traffic: &traffic}, true)
	if len(c.units) != 7 || c.units[0] != 2 || c.units[1] != 0 || c.first != 490_000*60+3 {
		t.Errorf("%+v", c)
	}
}
