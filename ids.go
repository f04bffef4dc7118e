package tablewright

import (
	"crypto/rand"
	"encoding/hex"

	"github.com/tablewright/tablewright/keys"
)

// IDs makes identifiers for attributes that are generated: kind is "ulid", "uuid" or "ksuid". Identifiers of one kind must
// not repeat. It is used by many goroutines at once.
type IDs interface{ ID(kind string) string }

// sortableIDs makes identifiers that sort by the clock's time.
type sortableIDs struct{ *keys.IDs }

func newIDs(clock Clock) IDs { return sortableIDs{keys.NewIDs(clock.Now, rand.Reader)} }

// ID makes a UUID of version 7, a KSUID, or of any other kind a ULID.
func (g sortableIDs) ID(kind string) string {
	switch kind {
	case "uuid":
		return g.UUID7()
	case "ksuid":
		return g.KSUID()
	}
	return g.ULID()
}

// maxToken is how many bytes an idempotency token of a transaction may have
// (docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html).
const maxToken = 36

// token makes an idempotency token of a transaction.
func token() string {
	var b [16]byte
	rand.Read(b[:]) // never fails: see crypto/rand
	return hex.EncodeToString(b[:])
}
