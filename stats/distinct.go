package stats

import (
	"encoding/json"
	"errors"
	"math"
	"math/bits"
	"sync/atomic"
)

// DistinctError is the standard error of Distinct.Count, as a share of it: 1.6 %.
const DistinctError = 1.04 / 64

const (
	distinctBits = 12
	registers    = 1 << distinctBits
)

// Distinct estimates how many different keys there were: HyperLogLog (Flajolet et al., 2007) of 4,096 registers, with the
// estimator of Ertl (2017), which needs no tables and no correction for small or large numbers. Two of them merge into what
// one would have been. The zero value is empty.
type Distinct struct{ register [registers]uint8 }

// distinct is a Distinct that many goroutines add to: four registers to a word. Registers seldom change once there were
// some thousand keys, so reading them is all that usually happens, and processors share them.
type distinct struct{ word [registers / 4]atomic.Uint32 }

func split(hash uint64) (at uint32, rank uint8) {
	at = uint32(hash >> (64 - distinctBits))
	return at, uint8(bits.LeadingZeros64(hash<<distinctBits|1<<(distinctBits-1)) + 1)
}

func (d *distinct) add(hash uint64) {
	at, rank := split(hash)
	w, shift := &d.word[at/4], 8*(at%4)
	for {
		old := w.Load()
		if uint8(old>>shift) >= rank {
			return
		}
		if w.CompareAndSwap(old, old&^(0xff<<shift)|uint32(rank)<<shift) {
			return
		}
	}
}

func (d *distinct) snapshot() *Distinct {
	out := new(Distinct)
	for i := range d.word {
		w := d.word[i].Load()
		for j := range 4 {
			out.register[4*i+j] = uint8(w >> (8 * j))
		}
	}
	return out
}

func (d *distinct) reset() {
	for i := range d.word {
		d.word[i].Store(0)
	}
}

// Merge adds the keys of o.
func (d *Distinct) Merge(o *Distinct) {
	for i, r := range o.register {
		d.register[i] = max(d.register[i], r)
	}
}

// Count is about how many different keys there were.
func (d *Distinct) Count() float64 {
	const m, q = registers, 64 - distinctBits
	var count [q + 2]float64
	for _, r := range d.register {
		count[r]++
	}
	if count[0] == m {
		return 0
	}
	z := m * tau(1-count[q+1]/m)
	for k := q; k >= 1; k-- {
		z = 0.5 * (z + count[k])
	}
	z += m * sigma(count[0]/m)
	return m * m / (2 * math.Ln2) / z
}

func sigma(x float64) float64 {
	if x == 1 {
		return math.Inf(1)
	}
	for y, z := 1.0, x; ; y += y {
		x *= x
		before := z
		if z += x * y; z == before {
			return z
		}
	}
}

func tau(x float64) float64 {
	if x == 0 || x == 1 {
		return 0
	}
	for y, z := 1.0, 1-x; ; {
		x = math.Sqrt(x)
		before := z
		y *= 0.5
		if z -= (1 - x) * (1 - x) * y; z == before {
			return z / 3
		}
	}
}

// MarshalJSON writes the registers in base64.
func (d *Distinct) MarshalJSON() ([]byte, error) { return json.Marshal(d.register[:]) }

// UnmarshalJSON reads what MarshalJSON wrote.
func (d *Distinct) UnmarshalJSON(text []byte) error {
	var b []byte
	if err := json.Unmarshal(text, &b); err != nil {
		return err
	}
	if len(b) != registers {
		return errors.New("a count of distinct keys has 4096 registers")
	}
	for i, r := range b {
		if r > 64-distinctBits+1 {
			return errors.New("a register out of range")
		}
		d.register[i] = r
	}
	return nil
}
