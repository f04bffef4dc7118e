package kv

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestFilter: a level finds all that it has, also after changes were taken back, and is seldom searched for what it has not.
func TestFilter(t *testing.T) {
	const space = 7
	r := rand.New(rand.NewPCG(1, 2))
	l, has, ever := newLevel(false), map[string]bool{}, map[string]bool{}
	key := func() string { return fmt.Sprintf("customer#%05d", r.IntN(30_000)) }
	for len(has) < 10_000 {
		keep := r.IntN(4) > 0
		if r.IntN(200) == 0 { // dropped, filled anew and brought back
			l.drop(space)
			keep = false
		}
		for range r.IntN(100) {
			k := key()
			if r.IntN(5) == 0 {
				l.remove(space, k) // which the level has to know, too
			} else {
				l.set(space, pair{k, []byte("v")})
			}
			if ever[k] = true; keep {
				has[k] = true
			}
		}
		if keep {
			l.forget(0)
		} else {
			l.takeBack(0)
		}
	}
	y := l.layers[space]
	passed, absent := 0, 0
	for i := range 30_000 {
		k := fmt.Sprintf("customer#%05d", i)
		if _, ok := y.get([]byte(k)); ok != has[k] {
			t.Fatalf("%s: found %v, want %v", k, ok, has[k])
		}
		if !ever[k] { // what was taken back still passes
			absent++
			if y.filter.has(k) {
				passed++
			}
		}
	}
	if absent < 1_000 || passed*100 > absent {
		t.Errorf("%d of %d keys that are not there pass the filter", passed, absent)
	}
}

// BenchmarkLevel looks for keys that a level above the file does not have.
//
//	go test ./engine/internal/kv -run '^$' -bench Level
func BenchmarkLevel(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 77_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			l := newLevel(false)
			r := rand.New(rand.NewPCG(1, 2))
			key := func(i int) string { return fmt.Sprintf("%016xcustomer#%07d order#%04d", r.Uint64(), i, i%100) }
			for i := range n {
				l.set(1, pair{key(i), make([]byte, 150)})
			}
			l.forget(0)
			keys := make([][]byte, 100_000)
			for i := range keys {
				keys[i] = []byte(key(i))
			}
			s := &snapshot{levels: []*level{l}}
			for i := 0; b.Loop(); i++ {
				s.Get(1, keys[i%len(keys)])
			}
		})
	}
}
