package attr

import "unsafe"

// An arena is where a decoder puts the texts of the values it makes: many strings, few allocations. Bytes that were
// handed out as a string are never written again, which is what makes the conversion sound.
type arena struct {
	free  []byte
	chunk int  // size of the last chunk: who needs more is given larger ones
	apart bool // every string has memory of its own
}

// Chunks of an arena: large enough that the allocations do not count, small enough that one string which is kept does
// not keep much else alive.
const (
	minChunk = 64
	maxChunk = 8 << 10
)

// room returns n bytes to write to, followed by take. Hint is how many bytes may be wanted in all.
func (a *arena) room(n, hint int) []byte {
	if a.apart {
		a.free = make([]byte, 0, n)
	} else if cap(a.free) < n {
		a.chunk = min(max(hint, minChunk, 2*a.chunk), maxChunk)
		a.free = make([]byte, 0, max(n, a.chunk))
	}
	return a.free[:n]
}

// take makes a string of the first n bytes of the room.
func (a *arena) take(n int) string {
	if n == 0 {
		return ""
	}
	s := unsafe.String(unsafe.SliceData(a.free[:n]), n)
	a.free = a.free[n:n:cap(a.free)]
	return s
}

func (a *arena) copy(b []byte, hint int) string {
	return a.take(copy(a.room(len(b), hint), b))
}
