package engine

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"github.com/tablewright/tablewright/wire"
)

// Encryption is described, not done: a file of the engine is as safe as its directory.

// encrypts reports whether a specification asks for a key of the account instead of the service's own.
func encrypts(s *wire.SSESpecification) bool {
	return s != nil && (s.Enabled != nil && *s.Enabled || s.Enabled == nil && s.Type != "")
}

// checkEncryption checks a specification by itself (texts captured on AWS, 2026-10).
func checkEncryption(s *wire.SSESpecification) *wire.Error {
	if s == nil {
		return nil
	}
	off := s.Enabled != nil && !*s.Enabled
	switch {
	case off && s.Type != "":
		return wire.Invalid(inv + "SSEType can not be specified if Enabled is false")
	case off && s.KeyID != "":
		return wire.Invalid(inv + "KMSMasterKeyId can not be specified if Enabled is false")
	case s.Type == "AES256":
		return wire.Invalid(inv + "SSEType AES256 is not supported")
	case s.KeyID != "" && s.Type == "":
		return wire.Invalid(inv + "SSEType KMS is required if KMSMasterKeyId is specified")
	}
	return nil
}

// Changes of encryption that may follow each other at once within a day, and the pause between those after them.
const (
	freeCiphers = 4
	cipherDay   = 24 * time.Hour
	cipherPause = 6 * time.Hour
)

// changeEncryption changes how the table is encrypted.
func (e *session) changeEncryption(def *definition, to *wire.SSESpecification) *wire.Error {
	was, on := encrypts(def.Create.SSE), encrypts(to)
	switch {
	case !was && !on:
		return wire.Invalid(inv + "Table is already encrypted by default")
	case was && on && to.KeyID != "" && to.KeyID == e.keyARN(def.Create.SSE.KeyID):
		return wire.Invalid(inv + "Table is already encrypted with given KMSMasterKeyId. Use KMSMasterKeyId parameter if you want to change Master Key")
	}
	now := e.now()
	if def.SSEState.at(e.nanoseconds()) != "" {
		return wire.NewError(wire.CodeResourceInUse, inUse+"Server-Side Encryption is still being updated")
	}
	changes := recent(def.Budgets.CipherChanges, now, cipherDay)
	if n := len(changes); n >= freeCiphers && now.Sub(time.Unix(0, changes[n-1])) < cipherPause {
		return wire.NewError(wire.CodeLimitExceeded, "Subscriber limit exceeded: Encryption mode changes are limited in the 24h window. "+
			"After the first 4 change, each subsequent change in the same window can be performed at most once every 21600 seconds.")
	}
	def.Budgets.CipherChanges = append(changes, now.UnixNano())
	def.SSEState = e.entering(updating)
	def.Create.SSE = nil
	if on {
		def.Create.SSE = to
	}
	return nil
}

// describeEncryption is how the table is encrypted at a time: nil for the service's own key. A change begins as UPDATING,
// also that to the service's own (captured on AWS).
func (e *session) describeEncryption(def *definition, now int64) *wire.SSEDescription {
	s := &wire.SSEDescription{Status: "ENABLED", Type: "KMS"}
	is := def.Create.SSE
	if def.SSEState.at(now) != "" {
		s.Status = updating
		if def.Before != nil && encrypts(def.Before.SSE) { // the key that was
			is = def.Before.SSE
		}
	}
	if !encrypts(is) {
		return nil
	}
	s.KeyARN = e.keyARN(is.KeyID)
	return s
}

// keyARN is the key that encrypts a table, as an ARN: of an alias, and of none, which stands for the account's own key of
// DynamoDB, the same one every time.
func (e *session) keyARN(id string) string {
	prefix := "arn:aws:kms:" + e.region + ":" + e.options.Account + ":"
	if id == "" {
		id = "alias/aws/dynamodb"
	}
	id = strings.TrimPrefix(id, prefix)
	switch {
	case strings.HasPrefix(id, "arn:"):
		return id
	case strings.HasPrefix(id, "alias/"):
		sum := sha256.Sum256([]byte(prefix + id))
		return prefix + "key/" + uuid([16]byte(sum[:16]))
	case strings.HasPrefix(id, "key/"):
		return prefix + id
	}
	return prefix + "key/" + id
}

// uuid writes bytes as a UUID of version 4.
func uuid(b [16]byte) string {
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	h := hex.EncodeToString(b[:])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}
