package engine

import (
	"bytes"
	"crypto/sha1"
	"encoding/base64"

	"github.com/tablewright/tablewright/wire"
)

// A NextToken is where a page of a SELECT has ended, bound to the statement: a digest of the table, the statement and its
// parameters, then the key, in the space that is read, of the item that was looked at last. It is of use for as long as
// the table is there, and other statements refuse it (captured on AWS, 2026).

// bound is the digest that tokens of the statement begin with.
func (q *selection) bound() []byte {
	same := wire.ExecuteStatementInput{Statement: wire.Statement{Text: q.in.Text, Parameters: q.in.Parameters}}
	sum := sha1.Sum(same.Append(spaceKey(q.at.space)))
	return sum[:]
}

// next is the token that leads on behind a key.
func (q *selection) next(key []byte) string {
	return base64.StdEncoding.EncodeToString(append(q.bound(), key...))
}

// resume leaves of the parts what a token leads on to.
func (q *selection) resume(token string) *wire.Error {
	bound := q.bound()
	text, err := base64.StdEncoding.DecodeString(token)
	if err != nil || len(text) <= len(bound) {
		return errNextToken
	}
	if !bytes.Equal(text[:len(bound)], bound) {
		return wire.Invalid("NextToken does not match request")
	}
	if !q.skip(text[len(bound):]) {
		return errNextToken
	}
	return nil
}

var errNextToken = wire.Invalid("Invalid NextToken")

// skip takes away the parts up to a key, if it belongs to one of them. The keys of a partition begin alike, so that a key
// also tells which part it belongs to where it is the end of one.
func (q *selection) skip(key []byte) bool {
	for i, p := range q.parts {
		if bytes.Compare(key, p.from) < 0 || p.to != nil && bytes.Compare(key, p.to) > 0 {
			continue
		}
		if q.backward {
			p.to = key
		} else {
			p.from = append(bytes.Clone(key), 0)
		}
		q.parts = q.parts[i:]
		q.parts[0] = p
		if p.to != nil && bytes.Compare(p.from, p.to) >= 0 {
			q.parts = q.parts[1:]
		}
		return true
	}
	return false
}
