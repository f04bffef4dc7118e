package stats

import "testing"

// The first vectors of the reference implementation (github.com/veorq/SipHash, vectors.h): key 00 01 … 0f, messages of
// 00 01 … of growing length.
func TestSipHash(t *testing.T) {
	var key [16]byte
	for i := range key {
		key[i] = byte(i)
	}
	h := newHasher(key, true)
	var message []byte
	for i, want := range []uint64{
		0x726fdb47dd0e0e31, 0x74f839c593dc67fd, 0x0d6c8009d9a94f5a, 0x85676696d7fb7e2d, 0xcf2794e0277187b7,
		0x18765564cd99a68d, 0xcbc9466e58fee3ce, 0xab0200f58b01d137, 0x93f5f5799a932462, 0x9e0082df0ba9e4b0,
	} {
		if got := h.sip(0, message); got != want {
			t.Errorf("%d bytes: %x, want %x", i, got, want)
		}
		message = append(message, byte(i))
	}
}
