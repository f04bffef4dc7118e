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

// resumed is the key that a token leads on behind.
func (q *selection) resumed(token string) ([]byte, *wire.Error) {
	bound := q.bound()
	text, err := base64.StdEncoding.DecodeString(token)
	if err != nil || len(text) <= len(bound) {
		return nil, wire.Invalid("Invalid NextToken")
	}
	if !bytes.Equal(text[:len(bound)], bound) {
		return nil, wire.Invalid("NextToken does not match request")
	}
	return text[len(bound):], nil
}

// behind are the parts that follow a key. The keys of a partition begin alike, so that a key also tells which part it
// belongs to where it is the end of one.
func (q *selection) behind(key []byte) []part {
	for i, p := range q.parts {
		if bytes.Compare(key, p.from) < 0 || p.to != nil && bytes.Compare(key, p.to) > 0 {
			continue
		}
		if q.backward {
			p.to = key
		} else {
			p.from = append(bytes.Clone(key), 0)
		}
		rest := q.parts[i+1:]
		if p.to != nil && bytes.Compare(p.from, p.to) >= 0 {
			return rest
		}
		return append([]part{p}, rest...)
	}
	return nil
}
