package stats

import (
	"encoding/base64"
	"errors"
	"math"
	"math/bits"
)

// FewDistinct estimates how many different keys there were, by a standard deviation of 6.5 %: HyperLogLog as Distinct is, of 256 registers.
// The zero value is empty.
type FewDistinct [256]uint8

func (d *FewDistinct) add(hash uint64) {
	if hash != 0 {
		hash = spread(hash)
		at := hash >> 56
		d[at] = max(d[at], uint8(bits.LeadingZeros64(hash<<8|1<<7)+1))
	}
}

func (d *FewDistinct) merge(o *FewDistinct) {
	for i, r := range o {
		d[i] = max(d[i], r)
	}
}

// Count is about how many different keys there were.
func (d *FewDistinct) Count() float64 {
	const m = float64(len(d))
	sum, free := 0.0, 0.0
	for _, r := range d {
		sum += math.Exp2(-float64(r))
		if r == 0 {
			free++
		}
	}
	n := 0.7183 * m * m / sum
	if free > 0 && n <= 2.5*m { // few: by how many registers are free
		return math.Round(m * math.Log(m/free))
	}
	return math.Round(n)
}

// MarshalText writes the registers in base64.
func (d FewDistinct) MarshalText() ([]byte, error) {
	return base64.StdEncoding.AppendEncode(nil, d[:]), nil
}

// UnmarshalText reads what MarshalText wrote.
func (d *FewDistinct) UnmarshalText(text []byte) error {
	b, err := base64.StdEncoding.AppendDecode(nil, text)
	if err != nil {
		return err
	}
	if len(b) != len(d) {
		return errors.New("a count of few distinct keys has 256 registers")
	}
	for i, r := range b {
		if r > 64-8+1 {
			return errors.New("a register out of range")
		}
		d[i] = r
	}
	return nil
}
