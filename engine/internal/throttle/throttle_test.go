package throttle_test

import (
	"encoding/binary"
	"fmt"
	"testing"
	"time"

	"github.com/tablewright/tablewright/engine/internal/throttle"
)

func parameters() *throttle.Parameters {
	return &throttle.Parameters{Burst: 300 * time.Second, PartitionReads: 3000, PartitionWrites: 1000, PartitionBurst: time.Second,
		PartitionBytes: 10 << 30, SplitAfter: 3 * time.Second, TableReads: 200_000, TableWrites: 200_000,
		Growth: 2, GrowthTime: 30 * time.Minute, PeakInterval: time.Minute}
}

var noon = time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)

func provisioned(read, write float64) throttle.Settings {
	return throttle.Settings{Provisioned: true, Rate: [2]float64{read, write}}
}

func onDemand(read, write float64) throttle.Settings {
	return throttle.Settings{Rate: [2]float64{read, write}}
}

// key is one of item sk in the collection pk: 4 bytes of hash, one of the collection, and the sort key.
func key(pk, sk uint32) []byte {
	k := binary.BigEndian.AppendUint32(nil, pk*2654435761) // spreads
	return binary.BigEndian.AppendUint32(append(k, byte(pk)), sk)
}

const collection = 5

// write tries n writes of one unit and reports how many pass and what stops the first that does not.
func write(r *throttle.Resource, n int, now time.Time, keyOf func(i int) []byte) (passed int, limit throttle.Limit) {
	for i := range n {
		k := keyOf(i)
		if l := r.Admit(throttle.Write, k, now); l != throttle.None {
			if limit == throttle.None {
				limit = l
			}
			continue
		}
		r.Consume(throttle.Write, now, throttle.Use{Key: k, Collection: collection, Units: 1})
		passed++
	}
	return passed, limit
}

func spread(i int) []byte { return key(uint32(i), 0) }

// TestProvisioned: what is provisioned, a second's to begin with, then what was not used for up to five minutes.
func TestProvisioned(t *testing.T) {
	r := throttle.New(parameters(), provisioned(5, 10), 0, noon)
	now := noon
	for _, step := range []struct {
		after time.Duration
		want  int
	}{{0, 10}, {0, 0}, {time.Second, 10}, {500 * time.Millisecond, 5}, {10 * time.Second, 100}, {-10 * time.Second, 0}, {10 * time.Second, 0},
		{time.Hour, 600}, {time.Second, 600}, {time.Second, 600}, {time.Second, 600}, {time.Second, 600}, {time.Second, 50}} {
		now = now.Add(step.after)
		got, limit := write(r, 600, now, spread)
		if got != step.want {
			t.Errorf("after %v %d pass, want %d", step.after, got, step.want)
		}
		if got < 600 && limit != throttle.Provisioned {
			t.Errorf("after %v stopped by %v", step.after, limit)
		}
	}
}

// TestDebt: what costs more than there is passes if there is anything, and is paid by those who follow.
func TestDebt(t *testing.T) {
	r := throttle.New(parameters(), provisioned(5, 5), 0, noon)
	r.Consume(throttle.Read, noon, throttle.Use{Key: key(1, 1), Collection: collection, Units: 128})
	for _, s := range []struct {
		seconds int
		want    throttle.Limit
	}{{0, throttle.Provisioned}, {24, throttle.Provisioned}, {25, throttle.None}} {
		if got := r.Admit(throttle.Read, key(1, 1), noon.Add(time.Duration(s.seconds)*time.Second)); got != s.want {
			t.Errorf("after %d s: %v", s.seconds, got)
		}
	}
	if got := r.Admit(throttle.Write, key(1, 1), noon); got != throttle.None {
		t.Errorf("writes are limited apart: %v", got)
	}
	r.Consume(throttle.Read, noon, throttle.Use{Key: key(1, 1), Collection: collection, Units: -128})
	if got := r.Admit(throttle.Read, key(1, 1), noon); got != throttle.None {
		t.Errorf("given back: %v", got)
	}
}

// TestNewOnDemand: a new table takes 4,000 writes, in four partitions of 1,000 each.
func TestNewOnDemand(t *testing.T) {
	r := throttle.New(parameters(), onDemand(12_000, 4_000), 0, noon)
	if n := r.Partitions(); n != 4 {
		t.Errorf("%d partitions", n)
	}
	if got, limit := write(r, 8_000, noon, spread); got != 4_000 || limit != throttle.KeyRange {
		t.Errorf("%d pass, then %v", got, limit)
	}
	r = throttle.New(parameters(), onDemand(12_000, 4_000), 0, noon)
	if got, limit := write(r, 8_000, noon, func(int) []byte { return key(7, 7) }); got != 1_000 || limit != throttle.KeyRange {
		t.Errorf("of one item %d pass, then %v", got, limit)
	}
	r = throttle.New(parameters(), throttle.Settings{Rate: [2]float64{12_000, 4_000}, Most: [2]float64{0, 50}}, 0, noon)
	if got, limit := write(r, 100, noon, spread); got != 50 || limit != throttle.MaxOnDemand {
		t.Errorf("bounded by its owner %d pass, then %v", got, limit)
	}
	p := parameters()
	p.TableWrites = 500
	r = throttle.New(p, onDemand(12_000, 4_000), 0, noon)
	if got, limit := write(r, 1_000, noon, spread); got != 500 || limit != throttle.Account {
		t.Errorf("bounded by the account %d pass, then %v", got, limit)
	}
}

// TestGrowth: on demand a table takes twice its previous peak once that is 30 minutes old (on-demand-capacity-mode).
func TestGrowth(t *testing.T) {
	p := parameters()
	p.GrowthTime, p.PeakInterval = 30*time.Second, time.Second
	r := throttle.New(p, onDemand(300, 100), 0, noon)
	var got []int
	for second := range 66 {
		n, _ := write(r, 1_000, noon.Add(time.Duration(second)*time.Second), spread)
		if second%32 == 0 || second == 1 {
			got = append(got, n)
		}
	}
	if want := "[100 100 200 400]"; fmt.Sprint(got) != want {
		t.Errorf("got %v, want %s", got, want)
	}
}

// heat writes to r for some seconds, 2,000 a second, and reports what passes in the last one.
func heat(r *throttle.Resource, seconds int, keyOf func(second, i int) []byte) (last int) {
	for s := range seconds {
		last, _ = write(r, 2_000, noon.Add(time.Duration(s)*time.Second), func(i int) []byte { return keyOf(s, i) })
	}
	return last
}

// TestSplitForHeat: a hot partition is divided where its heat is, an item collection too, but not one item, nor a
// collection whose sort key only grows or whose table has local indexes.
func TestSplitForHeat(t *testing.T) {
	for _, c := range []struct {
		name       string
		settings   throttle.Settings
		keyOf      func(second, i int) []byte
		last       int
		partitions int
	}{
		{"two collections of one partition", provisioned(900, 900), func(_, i int) []byte { return key(uint32(i%2), 0) }, 2000, 2},
		{"one item", provisioned(900, 900), func(_, i int) []byte { return key(1, 1) }, 1000, 3},
		{"items of one collection", provisioned(900, 900), func(_, i int) []byte { return key(1, uint32(i*7919%2000)) }, 2000, 3},
		{"a sort key that grows", provisioned(900, 900), func(s, i int) []byte { return key(1, uint32(s*2000+i)) }, 1000, 3},
		{"with local indexes", throttle.Settings{Provisioned: true, Rate: [2]float64{900, 900}, Whole: true}, func(_, i int) []byte { return key(1, uint32(i*7919%2000)) }, 1000, 3},
	} {
		p := parameters()
		p.Burst = time.Hour // one partition, and enough that was not used: only partitions limit
		r := throttle.New(p, c.settings, 0, noon.Add(-time.Hour))
		if got := heat(r, 12, c.keyOf); got != c.last {
			t.Errorf("%s: %d of 2,000 pass in the end, want %d", c.name, got, c.last)
		}
		if n := r.Partitions(); n != c.partitions {
			t.Errorf("%s: %d partitions, want %d", c.name, n, c.partitions)
		}
	}
}

// TestSplitForSize: a partition that has too many bytes is divided, also within one item collection.
func TestSplitForSize(t *testing.T) {
	p := parameters()
	p.PartitionBytes = 1000
	r := throttle.New(p, provisioned(10, 10), 0, noon)
	for i := range 100 {
		r.Grow(key(uint32(i), 0), 50, noon)
	}
	if n := r.Partitions(); n < 5 || n > 10 {
		t.Errorf("5,000 bytes lie in %d partitions of at most 1,000", n)
	}
	if n := throttle.New(p, provisioned(10, 10), 4_500, noon).Partitions(); n != 5 {
		t.Errorf("4,500 bytes begin in %d partitions", n)
	}
}

// TestSettings: what is provisioned may change, and partitions with it; they never become fewer.
func TestSettings(t *testing.T) {
	r := throttle.New(parameters(), provisioned(5, 5), 0, noon)
	write(r, 100, noon, spread)
	r.Set(provisioned(5, 5_000), noon)
	if n := r.Partitions(); n != 5 {
		t.Errorf("%d partitions for 5,000 writes", n)
	}
	if got, _ := write(r, 10_000, noon.Add(time.Second), spread); got < 4_900 || got > 5_000 {
		t.Errorf("%d of 5,000 pass", got)
	}
	r.Set(provisioned(5, 5), noon.Add(time.Second))
	if n := r.Partitions(); n != 5 {
		t.Errorf("%d partitions afterwards", n)
	}
}
