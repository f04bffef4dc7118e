package stats

import (
	"encoding/binary"
	"math/bits"
)

// hasher hashes keys to 64 bits, the same in every process: that is what makes collectors mergeable. Where keys are to be kept
// secret it is SipHash-2-4 (Aumasson and Bernstein, 2012) with a key made of the secret, so that who does not have it cannot
// find out by trying whether a customer's key is among those of an export. Else it is a fast one.
type hasher struct {
	secret bool
	k0, k1 uint64
}

func newHasher(key [16]byte, secret bool) hasher {
	return hasher{secret, binary.LittleEndian.Uint64(key[:8]), binary.LittleEndian.Uint64(key[8:])}
}

// sum hashes data of a place: equal keys of different tables are different keys. It is never 0.
func (h *hasher) sum(place uint64, data []byte) uint64 {
	if h.secret {
		return h.sip(place, data) | 1
	}
	return fast(place, data) | 1
}

// fast folds products of 64 bits (the construction of Wang Yi's wyhash).
func fast(seed uint64, data []byte) uint64 {
	const k0, k1 = 0x9e3779b97f4a7c15, 0xd6e8feb86659fd93 // the golden ratio, and a prime beside it
	n := uint64(len(data))
	seed ^= k0
	for len(data) > 16 {
		seed = fold(binary.LittleEndian.Uint64(data)^k1, binary.LittleEndian.Uint64(data[8:])^seed)
		data = data[16:]
	}
	var a, b uint64
	switch m := len(data); {
	case m >= 8:
		a, b = binary.LittleEndian.Uint64(data), binary.LittleEndian.Uint64(data[m-8:])
	case m >= 4:
		a, b = uint64(binary.LittleEndian.Uint32(data)), uint64(binary.LittleEndian.Uint32(data[m-4:]))
	default:
		for _, c := range data {
			a = a<<8 | uint64(c)
		}
	}
	return fold(k0^n, fold(a^k1, b^seed))
}

func fold(a, b uint64) uint64 {
	high, low := bits.Mul64(a, b)
	return high ^ low
}

// sip is SipHash-2-4 of data, with place mixed into its start.
func (h *hasher) sip(place uint64, data []byte) uint64 {
	v0, v1 := h.k0^0x736f6d6570736575, h.k1^0x646f72616e646f6d
	v2, v3 := h.k0^0x6c7967656e657261, h.k1^0x7465646279746573^place
	last := uint64(len(data)) << 56
	rounds := 2
	for done := false; ; {
		var m uint64
		switch {
		case len(data) >= 8:
			m = binary.LittleEndian.Uint64(data)
			data = data[8:]
		case !done:
			for i, c := range data {
				last |= uint64(c) << (8 * i)
			}
			m, done = last, true
		default:
			v2 ^= 0xff
			rounds = 4
		}
		v3 ^= m
		for range rounds {
			v0 += v1
			v1 = bits.RotateLeft64(v1, 13) ^ v0
			v0 = bits.RotateLeft64(v0, 32)
			v2 += v3
			v3 = bits.RotateLeft64(v3, 16) ^ v2
			v0 += v3
			v3 = bits.RotateLeft64(v3, 21) ^ v0
			v2 += v1
			v1 = bits.RotateLeft64(v1, 17) ^ v2
			v2 = bits.RotateLeft64(v2, 32)
		}
		if rounds == 4 {
			return v0 ^ v1 ^ v2 ^ v3
		}
		v0 ^= m
	}
}
