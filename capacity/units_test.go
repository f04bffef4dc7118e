package capacity_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/tablewright/tablewright/capacity"
)

func TestStrings(t *testing.T) {
	for _, c := range []struct {
		got  fmt.Stringer
		want string
	}{
		{capacity.Bytes(0), "0 bytes"},
		{capacity.Bytes(350), "350 bytes"},
		{capacity.Bytes(1536), "1.5 KB"},
		{400 * capacity.KB, "400 KB"},
		{capacity.Bytes(1 << 20), "1 MB"},
		{217 * capacity.GB, "217 GB"},
		{-2 * capacity.KB, "-2 KB"},
		{capacity.ReadUnits(0.5), "0.5"},
		{capacity.ReadUnits(3), "3"},
		{capacity.ReadUnits(-0.0001), "0"},
		{capacity.WriteUnits(14.0264), "14.026"},
		{capacity.Money(0), "$0.00"},
		{969_300_000_000 * capacity.Money(1), "$969.30"},
		{1_081_610_000_001 * capacity.Money(1), "$1,081.61"},
		{1_234_567 * capacity.Dollar, "$1,234,567.00"},
		{-capacity.Dollar / 20, "-$0.05"},
		{capacity.Dollar / 200, "$0.01"},
		{-capacity.Dollar / 201, "$0.00"},
		{capacity.Money(math.MaxInt64), "$9,223,372,036.85"},
		{capacity.Money(math.MinInt64), "-$9,223,372,036.85"},
		{capacity.Eventual, "eventual"},
		{capacity.Strong, "strong"},
		{capacity.Transactional, "transactional"},
		{capacity.Consistency(9), "Consistency(9)"},
		{capacity.Standard, "standard"},
		{capacity.InfrequentAccess, "infrequent-access"},
		{capacity.Class(9), "Class(9)"},
		{capacity.OnDemand, "on-demand"},
		{capacity.Provisioned, "provisioned"},
		{capacity.Billing(9), "Billing(9)"},
		{capacity.InPlace, "in place"},
		{capacity.Move, "move"},
	} {
		if got := c.got.String(); got != c.want {
			t.Errorf("%T: %s, not %s", c.got, got, c.want)
		}
	}
}

func TestMoneyOf(t *testing.T) {
	for nano, want := range map[float64]capacity.Money{
		0: 0, 0.5: 1, -0.5: -1, 1.4: 1, 2e18: 2e18,
		1e19: math.MaxInt64, -1e19: math.MinInt64, math.Inf(1): math.MaxInt64, math.NaN(): 0,
	} {
		if got := capacity.MoneyOf(nano); got != want {
			t.Errorf("MoneyOf(%v) = %d, not %d", nano, got, want)
		}
	}
}

func TestHeat(t *testing.T) {
	for _, c := range []struct {
		read   capacity.ReadUnits
		write  capacity.WriteUnits
		heat   float64
		shards int
	}{
		{0, 0, 0, 1},
		{3_000, 1_000, 1, 1},
		{1_500, 100, 0.5, 1},
		{300, 900, 0.9, 1},
		{3_001, 0, 3_001.0 / 3_000, 2},
		{0, 1_300, 1.3, 2},
		{0, 1_400, 1.4, 4},
		{0, 10_000, 10, 16},
	} {
		if got := capacity.Heat(c.read, c.write); got != c.heat {
			t.Errorf("Heat(%v, %v) = %v, not %v", c.read, c.write, got, c.heat)
		}
		if got := capacity.Shards(c.read, c.write); got != c.shards {
			t.Errorf("Shards(%v, %v) = %v, not %v", c.read, c.write, got, c.shards)
		}
	}
	if got := capacity.Shards(0, capacity.WriteUnits(math.Inf(1))); got != 1<<31 {
		t.Errorf("shards of an infinite load: %d", got)
	}
	for rate, want := range map[float64]float64{0: 0, -1: 0, 5: 0.05, 20: 0.2, 100: 1} {
		if got := capacity.Contention(rate); math.Abs(got-want) > 1e-15 {
			t.Errorf("Contention(%v) = %v, not %v", rate, got, want)
		}
	}
}
