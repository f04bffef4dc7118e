package capacity_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/capacity"
)

func item(fields ...string) attr.Item {
	var it attr.Item
	for i := 0; i < len(fields); i += 2 {
		it.Set(fields[i], attr.Text(fields[i+1]))
	}
	return it
}

func TestIndexArms(t *testing.T) {
	big := strings.Repeat("x", 3000)
	all := capacity.Index{TableKey: []string{"id"}, Key: []string{"team", "at"}}
	keys := capacity.Index{TableKey: []string{"id"}, Key: []string{"team", "at"}, Projection: capacity.KeysOnly}
	include := capacity.Index{TableKey: []string{"id"}, Key: []string{"team", "at"}, Projection: capacity.Include, Include: []string{"note"}}
	numbers := func(n ...attr.Number) attr.Item {
		it := item("id", "1", "team", "a", "at", "1")
		it.Set("set", attr.NumSet(n...))
		return it
	}
	for _, c := range []struct {
		name          string
		index         capacity.Index
		before, after attr.Item
		arm           capacity.Arm
		units         capacity.WriteUnits
	}{
		{"never indexed", all, item("id", "1", "team", "a"), item("id", "1", "at", "1"), capacity.None, 0},
		{"created unindexed", all, attr.Item{}, item("id", "1"), capacity.None, 0},
		{"created", all, attr.Item{}, item("id", "1", "team", "a", "at", "1"), capacity.Enter, 1},
		{"created, large", all, attr.Item{}, item("id", "1", "team", "a", "at", "1", "note", big), capacity.Enter, 3},
		{"created, large but not projected", keys, attr.Item{}, item("id", "1", "team", "a", "at", "1", "note", big), capacity.Enter, 1},
		{"deleted", include, item("id", "1", "team", "a", "at", "1", "note", big), attr.Item{}, capacity.Leave, 3},
		{"becomes sparse", all, item("id", "1", "team", "a", "at", "1"), item("id", "1", "team", "a"), capacity.Leave, 1},
		{"the same again", all, item("id", "1", "team", "a", "at", "1"), item("id", "1", "team", "a", "at", "1"), capacity.None, 0},
		{"set in another order", all, numbers(attr.Int(1), attr.Int(2)), numbers(attr.Int(2), attr.Int(1)), capacity.None, 0},
		{"set with another element", all, numbers(attr.Int(1), attr.Int(2)), numbers(attr.Int(1)), capacity.InPlace, 1},
		{"attribute changed", all, item("id", "1", "team", "a", "at", "1", "x", "1"), item("id", "1", "team", "a", "at", "1", "x", "2"), capacity.InPlace, 1},
		{"attribute added", all, item("id", "1", "team", "a", "at", "1"), item("id", "1", "team", "a", "at", "1", "x", "2"), capacity.InPlace, 1},
		{"attribute removed", all, item("a", "2", "id", "1", "team", "a", "at", "1"), item("id", "1", "team", "a", "at", "1"), capacity.InPlace, 1},
		{"unprojected attribute changed", keys, item("id", "1", "team", "a", "at", "1", "x", "1"), item("id", "1", "team", "a", "at", "1", "x", "2"), capacity.None, 0},
		{"unprojected attribute added", include, item("id", "1", "team", "a", "at", "1"), item("id", "1", "team", "a", "at", "1", "z", "2"), capacity.None, 0},
		{"projected attribute shrinks", include, item("id", "1", "team", "a", "at", "1", "note", big), item("id", "1", "team", "a", "at", "1", "note", "-"), capacity.InPlace, 3},
		{"sort key changed", keys, item("id", "1", "team", "a", "at", "1"), item("id", "1", "team", "a", "at", "2"), capacity.Move, 2},
		{"partition key and size changed", include, item("id", "1", "team", "a", "at", "1", "note", big), item("id", "1", "team", "b", "at", "1"), capacity.Move, 4},
	} {
		arm, units := c.index.Write(c.before, c.after)
		if arm != c.arm || units != c.units {
			t.Errorf("%s: %v %v, not %v %v", c.name, arm, units, c.arm, c.units)
		}
	}
}

// TestIndexAgainstEntries compares with entries that are really made and compared, on random items.
func TestIndexAgainstEntries(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	names := []string{"a", "b", "c", "d", "id"}
	random := func() attr.Item {
		it := item("id", "1")
		for _, n := range names[:4] {
			if r.IntN(3) > 0 {
				it.Set(n, attr.Text(strings.Repeat("x", 1+r.IntN(2)*2000)))
			}
		}
		return it
	}
	entry := func(x *capacity.Index, it attr.Item) map[string]attr.Value {
		e := map[string]attr.Value{}
		for _, n := range x.Key {
			if !it.Has(n) {
				return nil
			}
		}
		for n, v := range it.All() {
			if x.Projection == capacity.All || n == "id" || slices.Contains(x.Key, n) || x.Projection == capacity.Include && slices.Contains(x.Include, n) {
				e[n] = v
			}
		}
		return e
	}
	size := func(e map[string]attr.Value) (n int) {
		for name, v := range e {
			n += len(name) + len(v.Str())
		}
		return n
	}
	seen := map[capacity.Arm]int{}
	for range 20_000 {
		x := capacity.Index{TableKey: []string{"id"}, Key: names[:1+r.IntN(2)], Projection: capacity.Projection(r.IntN(3)), Include: []string{"c"}}
		before, after := random(), random()
		old, now := entry(&x, before), entry(&x, after)
		if got := int(x.EntrySize(after)); got != size(now) {
			t.Fatalf("entry of %v has %d bytes, not %d", after, got, size(now))
		}
		blocks := func(b int) capacity.WriteUnits { return capacity.WriteUnits(max(1, (b+1023)/1024)) }
		want := capacity.WriteUnits(0)
		switch {
		case old == nil && now == nil, maps.EqualFunc(old, now, attr.Equal):
		case old == nil || now == nil:
			want = blocks(max(size(old), size(now)))
		default:
			want = blocks(max(size(old), size(now)))
			for _, k := range x.Key {
				if !attr.Equal(old[k], now[k]) {
					want = blocks(size(old)) + blocks(size(now))
				}
			}
		}
		arm, got := x.Write(before, after)
		if got != want {
			t.Fatalf("%+v: %v to %v: %v %v, not %v", x, before, after, arm, got, want)
		}
		seen[arm]++
	}
	for _, a := range arms {
		if seen[a] < 100 {
			t.Errorf("%v was hardly tried: %d", a, seen[a])
		}
	}
}

func TestIndexWriteDoesNotAllocate(t *testing.T) {
	x := capacity.Index{TableKey: []string{"id"}, Key: []string{"team"}, Projection: capacity.Include, Include: []string{"x"}}
	before, after := item("id", "1", "team", "a", "x", "1"), item("id", "1", "team", "a", "x", "2")
	if n := testing.AllocsPerRun(100, func() { x.Write(before, after) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
