package tablewright

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/tablewright/tablewright/attr"
)

// Cursor is a position in the answer of one query: text that is safe in URLs. It names its query (table, index, bound
// parts, order, filter; or pattern and parameters): given to another one it is refused with ErrCursor. The empty Cursor
// is the start. Without Options.CursorKey who holds a cursor can read the keys in it.
type Cursor string

// cursorBox packs positions into cursors and unpacks them.
type cursorBox struct {
	aead cipher.AEAD // nil: readable
	mac  []byte      // key of the nonces
}

const (
	cursorReadable = 'r' // first byte of a cursor: what follows, so that a later format can be told from this one
	cursorSealed   = 's'
	sumSize        = 9
)

func newCursorBox(key []byte) cursorBox {
	if len(key) == 0 {
		return cursorBox{}
	}
	secret := sha256.Sum256(append([]byte("tablewright cursor "), key...))
	block, err := aes.NewCipher(secret[:])
	if err != nil {
		panic(err) // the key has 32 bytes
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		panic(err)
	}
	mac := sha256.Sum256(append([]byte("tablewright nonce "), key...))
	return cursorBox{aead: aead, mac: mac[:]}
}

// seal makes a cursor of a position in the query that the fingerprint names.
func (b cursorBox) seal(fingerprint, position []byte) Cursor {
	var out []byte
	if b.aead == nil {
		sum := checksum(fingerprint, position)
		out = append(append([]byte{cursorReadable}, sum[:sumSize]...), position...)
	} else {
		// The nonce is computed from what is sealed: equal positions give equal cursors, different ones different nonces.
		mac := hmac.New(sha256.New, b.mac)
		sum := checksum(fingerprint, position)
		mac.Write(sum[:])
		nonce := mac.Sum(nil)[:b.aead.NonceSize()]
		out = append([]byte{cursorSealed}, nonce...)
		out = b.aead.Seal(out, nonce, position, fingerprint)
	}
	return Cursor(base64.RawURLEncoding.EncodeToString(out))
}

// open is the position in a cursor; the error is ErrCursor if it belongs to another query, was changed, or is none.
func (b cursorBox) open(fingerprint []byte, c Cursor) ([]byte, error) {
	raw, err := base64.RawURLEncoding.DecodeString(string(c))
	if err != nil || len(raw) == 0 {
		return nil, fmt.Errorf("%w: not a cursor", ErrCursor)
	}
	kind, raw := raw[0], raw[1:]
	switch {
	case b.aead == nil && kind == cursorReadable && len(raw) >= sumSize:
		position := raw[sumSize:]
		sum := checksum(fingerprint, position)
		if subtle.ConstantTimeCompare(sum[:sumSize], raw[:sumSize]) == 1 {
			return position, nil
		}
	case b.aead != nil && kind == cursorSealed && len(raw) >= b.aead.NonceSize():
		n := b.aead.NonceSize()
		if position, err := b.aead.Open(nil, raw[:n], raw[n:], fingerprint); err == nil {
			return position, nil
		}
	}
	return nil, fmt.Errorf("%w: made by another query, or changed", ErrCursor)
}

// checkPosition refuses what is no position of a query or scan, whose attributes keys are. It becomes a part of a request, and
// without Options.CursorKey anybody can make a cursor.
func checkPosition(position []byte, keys []string) error {
	it, err := attr.ParseItem(position)
	if err == nil && it.Len() == 0 {
		err = errors.New("it is empty")
	}
	for name, v := range it.All() {
		if k := v.Kind(); err == nil && (!slices.Contains(keys, name) || k != attr.KindS && k != attr.KindN && k != attr.KindB) {
			err = errors.New("it is not of this key")
		}
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrCursor, err)
	}
	return nil
}

func checksum(fingerprint, position []byte) [sha256.Size]byte {
	h := sha256.New()
	h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(fingerprint))))
	h.Write(fingerprint)
	h.Write(position)
	return [sha256.Size]byte(h.Sum(nil))
}
