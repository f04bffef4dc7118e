package keys

import "math/bits"

// ByteSet is a set of byte values.
type ByteSet [4]uint64

// Has reports whether b is in the set.
func (s ByteSet) Has(b byte) bool { return s[b>>6]>>(b&63)&1 != 0 }

// With is the set with the bytes from first to last, inclusive.
func (s ByteSet) With(first, last byte) ByteSet {
	for b := int(first); b <= int(last); b++ {
		s[b>>6] |= 1 << (b & 63)
	}
	return s
}

// Union is the set of the bytes of both.
func (s ByteSet) Union(t ByteSet) ByteSet {
	for i := range s {
		s[i] |= t[i]
	}
	return s
}

// Intersects reports whether some byte is in both sets.
func (s ByteSet) Intersects(t ByteSet) bool {
	for i := range s {
		if s[i]&t[i] != 0 {
			return true
		}
	}
	return false
}

// Len is the number of bytes in the set.
func (s ByteSet) Len() int {
	n := 0
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// UTF-8 never holds C0, C1 and F5 to FF, and no text begins with 80 to BF.
var (
	utf8Any    = ByteSet{}.With(0x00, 0xBF).With(0xC2, 0xF4)
	utf8First  = ByteSet{}.With(0x00, 0x7F).With(0xC2, 0xF4)
	textAny    = ByteSet{}.With(Escape, 0xBF).With(0xC2, 0xF4)
	textFirst  = ByteSet{}.With(Escape, 0x7F).With(0xC2, 0xF4)
	digitsOnly = ByteSet{}.With('0', '9')
)

// First is the set of bytes with which the codec's text can begin; text and raw write nothing for an empty string.
func (c Codec) First() ByteSet {
	switch c.base {
	case noBase:
		return ByteSet{}
	case raw:
		return utf8First
	case text, lower:
		return textFirst
	case epochMS, epochS:
		return digitsOnly.With('-', '-')
	}
	return digitsOnly
}

// Holds is the set of bytes that the codec's text can hold.
func (c Codec) Holds() ByteSet {
	switch c.base {
	case raw:
		return utf8Any
	case text, lower:
		return textAny
	case iso:
		return digitsOnly.With('-', '-').With(':', ':').With('T', 'T').With('.', '.').With('Z', 'Z')
	case hour, hours:
		return digitsOnly.With('-', '-').With('T', 'T')
	case minutes:
		return digitsOnly.With('-', '-').With(':', ':').With('T', 'T')
	case day, month:
		return digitsOnly.With('-', '-')
	case pad:
		if c.decimals > 0 {
			return digitsOnly.With('.', '.')
		}
	}
	return c.First()
}

// Len is how short and how long the codec's text can be, in bytes, for values of least to most bytes; these matter only
// to text, raw and lower.
func (c Codec) Len(least, most int) (int, int) {
	switch c.base {
	case raw:
		return least, most
	case text:
		return least, 3 * most
	case lower: // at the shortest all Kelvin signs: their 3 bytes become the one of k
		return (least + 2) / 3, 3 * most
	case iso:
		return len(TimestampLayout), len(TimestampLayout)
	case ms13:
		return 13, 13
	case epochMS:
		return 1, len("-62167219200000")
	case epochS:
		return 1, len("-62167219200")
	case hour, hours:
		return hourLen, hourLen
	case minutes:
		return minuteLen, minuteLen
	case day:
		return dayLen, dayLen
	case month:
		return monthLen, monthLen
	case pad:
		return c.padWidth(), c.padWidth()
	case hash:
		w := Shards{Of: int(c.shards)}.Width()
		return w, w
	}
	return 0, 0
}
