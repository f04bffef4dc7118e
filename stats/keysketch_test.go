package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// addLoad counts one call of a key.
func addLoad(k *keySketch, hash uint64, by *operationTraffic, read, write float64, minute int32) {
	load := k.per.of(by, read, write, 1, minute)
	k.add(&KeyID{Hash: hash, Text: []byte("k")}, 0, 0, &load)
}

// What the sketch says of every key encloses what an exact count says, for loads of many shapes, and what is lost stays within
// the bound.
func TestKeySketchAgainstExactCounts(t *testing.T) {
	for name, draw := range map[string]func(r *rand.Rand) (key uint64, write float64){
		"uniform":            func(r *rand.Rand) (uint64, float64) { return r.Uint64N(20_000), 1 },
		"skewed":             func(r *rand.Rand) (uint64, float64) { return uint64(math.Exp(r.Float64() * 12)), 1 },
		"few":                func(r *rand.Rand) (uint64, float64) { return r.Uint64N(100), 1 },
		"all different":      func(r *rand.Rand) (uint64, float64) { return r.Uint64(), 1 },
		"heavy calls":        func(r *rand.Rand) (uint64, float64) { return r.Uint64N(50_000), math.Exp(r.Float64() * 8) },
		"growing, then gone": func(r *rand.Rand) (uint64, float64) { return r.Uint64N(64) * r.Uint64N(64) * r.Uint64N(64), 0.5 },
	} {
		t.Run(name, func(t *testing.T) {
			const size, n = 512, 80_000
			r := rand.New(rand.NewPCG(1, 2))
			var k keySketch
			k.init(size, unitLoad)
			exact := map[uint64]float64{}
			for range n {
				key, write := draw(r)
				hash := fast(key, nil)
				exact[hash] += Load(0, write)
				addLoad(&k, hash, nil, 0, write, 0)
			}
			if k.lost > k.total*bound(size) {
				t.Errorf("lost %v, more than %v of the load", k.lost, bound(size))
			}
			listed := k.keys(func(uint32) (string, string) { return "", "" })
			held := map[uint64]bool{}
			for _, key := range listed.List {
				held[key.Hash] = true
				if truth := exact[key.Hash]; truth < key.Load*(1-1e-9) || truth > (key.Load+key.Missed)*(1+1e-9) {
					t.Fatalf("a key with %v is said to have %v to %v", truth, key.Load, key.Load+key.Missed)
				}
			}
			for hash, truth := range exact {
				if !held[hash] && truth > k.lost*(1+1e-9) {
					t.Fatalf("a key with %v is not held, and only %v is said to be lost", truth, k.lost)
				}
			}
		})
	}
}

// Two sketches merged enclose the truth as one does.
func TestKeysMerge(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	exact := map[uint64]float64{}
	all := &Keys{}
	for range 20 {
		var k keySketch
		k.init(256, unitLoad)
		for range 5_000 {
			hash := fast(uint64(math.Exp(r.Float64()*9)), nil)
			exact[hash] += Load(1, 0)
			addLoad(&k, hash, nil, 1, 0, 0)
		}
		one := k.keys(func(uint32) (string, string) { return "", "" })
		one.cut(150)
		all.merge(one)
	}
	all.cut(150)
	held := map[uint64]bool{}
	for _, key := range all.List {
		held[key.Hash] = true
		if truth := exact[key.Hash]; truth < key.Load*(1-1e-9) || truth > (key.Load+key.Missed)*(1+1e-9) {
			t.Errorf("a key with %v is said to have %v to %v", truth, key.Load, key.Load+key.Missed)
		}
	}
	for hash, truth := range exact {
		if !held[hash] && truth > all.Lost*(1+1e-9) {
			t.Errorf("a key with %v is not listed, and only %v is said to be lost", truth, all.Lost)
		}
	}
}

func TestNth(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 500 {
		v := make([]float64, 1+r.IntN(50))
		for i := range v {
			v[i] = float64(r.IntN(10))
		}
		n := r.IntN(len(v))
		sorted := slices.Sorted(slices.Values(v))
		if got := nth(v, n); got != sorted[n] {
			t.Fatalf("element %d of %v is %v", n, sorted, got)
		}
	}
}
