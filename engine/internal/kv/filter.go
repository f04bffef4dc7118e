package kv

import "hash/maphash"

// filter tells of nearly all keys that a layer does not have that it does not have them: a blocked Bloom filter, which costs
// one line of the cache where a search of the layer costs one for each step. Gets look into levels first, and most of what
// they ask for has not been written lately.
type filter struct {
	blocks [][blockBits / 64]uint64
	keys   int // that were put in
}

const (
	blockBits    = 512 // a line of the cache
	keysPerBlock = 32  // at most, 16 bits to a key: fewer than one key in a hundred is searched for in vain
	bitsPerKey   = 4
	fewKeys      = 8 * keysPerBlock // a layer of fewer is searched as soon
)

var filterSeed = maphash.MakeSeed()

// newFilter has room for so many keys.
func newFilter(keys int) *filter {
	return &filter{blocks: make([][blockBits / 64]uint64, (keys+keysPerBlock-1)/keysPerBlock)}
}

func (f *filter) full() bool { return f.keys >= len(f.blocks)*keysPerBlock }

// place is the block of a key, and a number whose parts of nine bits name its bits there.
func (f *filter) place(key string) (block *[blockBits / 64]uint64, bits uint64) {
	h := maphash.String(filterSeed, key)
	return &f.blocks[h>>32*uint64(len(f.blocks))>>32], h * 0x9e3779b97f4a7c15 >> 28
}

func (f *filter) add(key string) {
	f.keys++
	block, bits := f.place(key)
	for range bitsPerKey {
		block[bits>>6&7] |= 1 << (bits & 63)
		bits >>= 9
	}
}

// has reports whether a key may have been put in.
func (f *filter) has(key string) bool {
	block, bits := f.place(key)
	for range bitsPerKey {
		if block[bits>>6&7]&(1<<(bits&63)) == 0 {
			return false
		}
		bits >>= 9
	}
	return true
}
