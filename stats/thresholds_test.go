package stats_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/tablewright/tablewright/stats"
)

// Who sets one figure keeps the others.
func TestThresholdsOr(t *testing.T) {
	c := stats.NewCollector(stats.Options{Thresholds: stats.Thresholds{SlowCall: time.Second, FewCalls: -1}})
	want := stats.DefaultThresholds()
	want.SlowCall, want.FewCalls = time.Second, -1
	if got := c.Options().Thresholds; got != want {
		t.Errorf("%+v", got)
	}
	full := reflect.ValueOf(stats.Thresholds{}.Or(stats.DefaultThresholds()))
	for i := range full.NumField() { // none was forgotten
		if full.Field(i).IsZero() {
			t.Errorf("%s is not filled in", full.Type().Field(i).Name)
		}
	}
}
