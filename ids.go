package tablewright

import (
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"math/big"
	"time"
)

// randomIDs makes identifiers that sort by time, from the call's time and random bytes.
type randomIDs struct{}

// NewID makes a ULID (26 letters, 80 random bits), a UUID of version 7 (RFC 9562, 74 random bits) or a KSUID (27 letters,
// 128 random bits, seconds). Of any other kind it makes a ULID.
func (randomIDs) NewID(kind string, now time.Time) string {
	var b [20]byte
	rand.Read(b[:]) // never fails: see crypto/rand
	switch kind {
	case "uuid":
		return uuidv7(b[:16], now)
	case "ksuid":
		return ksuid(b[:20], now)
	}
	return ulid(b[:16], now)
}

// putMillis writes 48 bits of milliseconds.
func putMillis(b []byte, now time.Time) {
	ms := uint64(now.UnixMilli())
	binary.BigEndian.PutUint16(b, uint16(ms>>32))
	binary.BigEndian.PutUint32(b[2:], uint32(ms))
}

const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

func ulid(b []byte, now time.Time) string {
	putMillis(b, now)
	var out [26]byte
	// 128 bits in 26 letters of 5 bits: the first letter holds the top 3.
	hi, lo := binary.BigEndian.Uint64(b), binary.BigEndian.Uint64(b[8:])
	for i := len(out) - 1; i >= 0; i-- {
		out[i] = crockford[lo&31]
		lo = lo>>5 | hi<<59
		hi >>= 5
	}
	return string(out[:])
}

func uuidv7(b []byte, now time.Time) string {
	putMillis(b, now)
	b[6] = b[6]&0x0f | 0x70
	b[8] = b[8]&0x3f | 0x80
	var out [36]byte
	hex.Encode(out[0:], b[0:4])
	out[8] = '-'
	hex.Encode(out[9:], b[4:6])
	out[13] = '-'
	hex.Encode(out[14:], b[6:8])
	out[18] = '-'
	hex.Encode(out[19:], b[8:10])
	out[23] = '-'
	hex.Encode(out[24:], b[10:16])
	return string(out[:])
}

// ksuidEpoch is where the 32 bits of seconds in a KSUID begin: 2014-05-13T16:53:20Z.
const ksuidEpoch = 1_400_000_000

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

func ksuid(b []byte, now time.Time) string {
	binary.BigEndian.PutUint32(b, uint32(now.Unix()-ksuidEpoch))
	n, rest, base := new(big.Int).SetBytes(b), new(big.Int), big.NewInt(62)
	var out [27]byte
	for i := len(out) - 1; i >= 0; i-- {
		n.DivMod(n, base, rest)
		out[i] = base62[rest.Int64()]
	}
	return string(out[:])
}

// token makes an idempotency token of a transaction: 36 bytes at most are allowed
// (docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html).
func token() string {
	var b [16]byte
	rand.Read(b[:])
	return hex.EncodeToString(b[:])
}
