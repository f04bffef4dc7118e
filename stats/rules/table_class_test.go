package rules_test

import (
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/stats"
	"github.com/tablewright/tablewright/stats/rules"
)

// The break-even of the classes is where the prices say: what is stored is more than a bench can hold.
func TestTableClass(t *testing.T) {
	from := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	find := func(gigabytes capacity.Bytes, class string, readsPerSecond float64) []rules.Finding {
		live := &tablewright.Description{Table: plan.Table{Name: "Archive", Key: plan.Key{Partition: "id"}, Class: class}, Items: int64(gigabytes * 100_000), Bytes: gigabytes * capacity.GB}
		s := &stats.Snapshot{From: from, To: from.Add(48 * time.Hour), Thresholds: stats.DefaultThresholds(),
			Consumed: []*stats.Consumption{{Table: "Archive", Read: readsPerSecond * 48 * 3600, Traffic: new(stats.Traffic)}}}
		return rules.ByID("table-class").Find(&rules.Input{Stats: s, Prices: capacity.DefaultPrices(), Thresholds: s.Thresholds,
			Tables: []*rules.Table{{Declared: live.Table, Live: live}}})
	}
	for _, c := range []struct {
		gigabytes capacity.Bytes
		class     string
		reads     float64
		fires     bool
	}{
		{1_000, "", 100, true},    // $250 stored and $33 read
		{1_000, "", 2_500, false}, // $250 and $821: the other class costs more
		{1_000, "", 1_600, false}, // $250 and $525: a few dollars, which is no reason
		{1_000, "infrequent-access", 10_000, true},
		{1_000, "infrequent-access", 100, false},
		{1, "", 0, true}, // $0.15
	} {
		found := find(c.gigabytes, c.class, c.reads)
		if (len(found) == 1) != c.fires {
			t.Errorf("%d GB, %q, %v reads a second: %d findings", c.gigabytes, c.class, c.reads, len(found))
			continue
		}
		if !c.fires {
			continue
		}
		// The prices of November 2026, in hand: storage 0.25 and 0.10 a GB, reads 0.125 and 0.155 a million.
		gb, millions := float64(c.gigabytes)+float64(c.gigabytes*100_000*100)/float64(capacity.GB), c.reads*730*3600/1e6
		standard, infrequent := 0.25*gb+0.125*millions, 0.10*gb+0.155*millions
		want := standard - infrequent
		if c.class != "" {
			want = -want
		}
		if got := found[0].Saving.Monthly().Dollars(); got < want-0.01 || got > want+0.01 {
			t.Errorf("%d GB, %q, %v reads a second: %v saved, not %v", c.gigabytes, c.class, c.reads, got, want)
		}
	}
}
