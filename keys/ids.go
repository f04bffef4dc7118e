package keys

import (
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io"
	"math/big"
	"strings"
	"sync"
	"time"
)

// Lengths of identifiers, in bytes.
const (
	ULIDLen  = 26
	KSUIDLen = 27
	UUIDLen  = 36
)

// IDs makes identifiers. It is safe for concurrent use. ULIDs and UUIDs of version 7 made by one IDs strictly increase, also
// within a millisecond and when the clock steps back.
type IDs struct {
	now    func() time.Time
	random io.Reader

	mu         sync.Mutex
	ulid, uuid sequence
}

// NewIDs takes the clock and the source of randomness; nil means time.Now and crypto/rand. Its methods panic if the source
// of randomness fails.
func NewIDs(now func() time.Time, random io.Reader) *IDs {
	if now == nil {
		now = time.Now
	}
	if random == nil {
		random = rand.Reader
	}
	return &IDs{now: now, random: random}
}

// sequence is the last identifier: a millisecond and a random tail that counts up within it.
type sequence struct {
	begun bool
	ms    uint64
	tail  [10]byte
}

// next moves on to a later identifier. step is added to the tail while the clock does not advance; a tail that overflows
// borrows the next millisecond, so the order holds at any speed.
func (s *sequence) next(g *IDs, step func(*[10]byte) (overflow bool)) {
	if ms := uint64(max(g.now().UnixMilli(), 0)); ms > s.ms || !s.begun {
		s.begun, s.ms = true, ms
		g.fill(s.tail[:])
	} else if step(&s.tail) {
		s.ms++
		g.fill(s.tail[:])
	}
}

func (g *IDs) fill(b []byte) {
	if _, err := io.ReadFull(g.random, b); err != nil {
		panic("keys: source of randomness: " + err.Error())
	}
}

// ULID is a ULID: 48 bits of milliseconds and 80 random bits as 26 letters and digits (github.com/ulid/spec).
func (g *IDs) ULID() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.ulid.next(g, func(tail *[10]byte) bool { return increment(tail[:]) })
	return ulidText(g.ulid.ms, g.ulid.tail)
}

// UUID7 is a UUID of version 7: 48 bits of milliseconds and 74 random bits (RFC 9562).
func (g *IDs) UUID7() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.uuid.next(g, func(tail *[10]byte) bool {
		// Six bits of the tail are taken by version and variant: the rest counts, without them.
		tail[0] |= 0xF0
		tail[2] |= 0xC0
		return increment(tail[3:]) && carry(&tail[2], 0xC0) && carry(&tail[1], 0) && carry(&tail[0], 0xF0)
	})
	return uuid7Text(g.uuid.ms, g.uuid.tail)
}

// carry adds 1 to a byte whose bits in keep are set and stay; it reports overflow.
func carry(b *byte, keep byte) bool {
	*b++
	overflow := *b == 0
	*b |= keep
	return overflow
}

// increment adds 1 to a big-endian number and reports overflow.
func increment(b []byte) bool {
	for i := len(b) - 1; i >= 0; i-- {
		if b[i]++; b[i] != 0 {
			return false
		}
	}
	return true
}

// UUID4 is a UUID of version 4: 122 random bits, without order.
func (g *IDs) UUID4() string {
	var b [16]byte
	g.mu.Lock()
	g.fill(b[:])
	g.mu.Unlock()
	b[6], b[8] = b[6]&0x0F|0x40, b[8]&0x3F|0x80
	return uuidText(b)
}

// KSUID is a KSUID: 32 bits of seconds and 128 random bits as 27 letters and digits (github.com/segmentio/ksuid).
// KSUIDs of one second have no order.
func (g *IDs) KSUID() string {
	var b [20]byte
	g.mu.Lock()
	g.fill(b[4:])
	t := g.now()
	g.mu.Unlock()
	binary.BigEndian.PutUint32(b[:4], ksuidSeconds(t))
	return ksuidText(b)
}

// ULIDFloor is the smallest ULID of t's millisecond: every ULID made at t or later is at least as large.
func ULIDFloor(t time.Time) string { return ulidText(uint64(max(t.UnixMilli(), 0)), [10]byte{}) }

// UUID7Floor is the smallest UUID of version 7 of t's millisecond.
func UUID7Floor(t time.Time) string { return uuid7Text(uint64(max(t.UnixMilli(), 0)), [10]byte{}) }

// KSUIDFloor is the smallest KSUID of t's second.
func KSUIDFloor(t time.Time) string {
	var b [20]byte
	binary.BigEndian.PutUint32(b[:4], ksuidSeconds(t))
	return ksuidText(b)
}

// Errors of reading identifiers.
var (
	ErrULID  = errors.New("keys: not a ULID")
	ErrUUID7 = errors.New("keys: not a UUID of version 7")
	ErrKSUID = errors.New("keys: not a KSUID")
)

// ULIDTime is the millisecond at which a ULID was made. Only upper case is read: lower case does not sort.
func ULIDTime(id string) (time.Time, error) {
	if len(id) != ULIDLen || id[0] > '7' {
		return time.Time{}, ErrULID
	}
	var ms uint64
	for i := range len(id) {
		v := strings.IndexByte(crockford, id[i])
		if v < 0 {
			return time.Time{}, ErrULID
		}
		if i < 10 {
			ms = ms<<5 | uint64(v)
		}
	}
	return time.UnixMilli(int64(ms)).UTC(), nil
}

// UUID7Time is the millisecond at which a UUID of version 7 was made. Only lower case is read.
func UUID7Time(id string) (time.Time, error) {
	if len(id) != UUIDLen || id[8] != '-' || id[13] != '-' || id[18] != '-' || id[23] != '-' {
		return time.Time{}, ErrUUID7
	}
	b, err := hex.DecodeString(id[:8] + id[9:13] + id[14:18] + id[19:23] + id[24:])
	if err != nil || strings.ToLower(id) != id || b[6]>>4 != 7 || b[8]>>6 != 2 {
		return time.Time{}, ErrUUID7
	}
	return time.UnixMilli(int64(binary.BigEndian.Uint64(b) >> 16)).UTC(), nil
}

// KSUIDTime is the second at which a KSUID was made.
func KSUIDTime(id string) (time.Time, error) {
	if len(id) != KSUIDLen {
		return time.Time{}, ErrKSUID
	}
	n := new(big.Int)
	for i := range len(id) {
		v := strings.IndexByte(base62, id[i])
		if v < 0 {
			return time.Time{}, ErrKSUID
		}
		n.Add(n.Mul(n, big62), big.NewInt(int64(v)))
	}
	if n.BitLen() > 160 {
		return time.Time{}, ErrKSUID
	}
	var b [20]byte
	n.FillBytes(b[:])
	return time.Unix(int64(binary.BigEndian.Uint32(b[:4]))+ksuidEpoch, 0).UTC(), nil
}

const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// ulidText writes 130 bits, the highest two 0, five at a time.
func ulidText(ms uint64, tail [10]byte) string {
	var out [ULIDLen]byte
	for i := range 10 {
		out[i] = crockford[ms>>(45-5*i)&31]
	}
	high, low := binary.BigEndian.Uint64(tail[:8]), uint64(binary.BigEndian.Uint16(tail[8:]))
	for i := range 12 {
		out[10+i] = crockford[high>>(59-5*i)&31]
	}
	out[22] = crockford[high<<1&30|low>>15]
	for i := range 3 {
		out[23+i] = crockford[low>>(10-5*i)&31]
	}
	return string(out[:])
}

func uuid7Text(ms uint64, tail [10]byte) string {
	var b [16]byte
	binary.BigEndian.PutUint64(b[:], ms<<16)
	copy(b[6:], tail[:])
	b[6], b[8] = b[6]&0x0F|0x70, b[8]&0x3F|0x80
	return uuidText(b)
}

func uuidText(b [16]byte) string {
	var out [UUIDLen]byte
	hex.Encode(out[0:], b[0:4])
	hex.Encode(out[9:], b[4:6])
	hex.Encode(out[14:], b[6:8])
	hex.Encode(out[19:], b[8:10])
	hex.Encode(out[24:], b[10:])
	out[8], out[13], out[18], out[23] = '-', '-', '-', '-'
	return string(out[:])
}

const (
	base62     = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	ksuidEpoch = 1_400_000_000 // 2014-05-13T16:53:20Z
)

var big62 = big.NewInt(62)

func ksuidSeconds(t time.Time) uint32 {
	return uint32(min(max(t.Unix()-ksuidEpoch, 0), 1<<32-1))
}

// ksuidText writes 160 bits in base 62, digit by digit from the end, by long division of five 32-bit words.
func ksuidText(b [20]byte) string {
	var words [5]uint32
	for i := range words {
		words[i] = binary.BigEndian.Uint32(b[4*i:])
	}
	var out [KSUIDLen]byte
	for i := range out {
		var rest uint64
		for j, w := range words {
			n := rest<<32 | uint64(w)
			words[j], rest = uint32(n/62), n%62
		}
		out[len(out)-1-i] = base62[rest]
	}
	return string(out[:])
}
