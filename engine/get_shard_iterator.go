package engine

import (
	"encoding/base64"
	"encoding/binary"
	"math"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/tablewright/tablewright/engine/internal/kv"
	"github.com/tablewright/tablewright/wire"
)

// sequence is a number as it is told: 21 digits, as many as the service's have at least, that sort as the numbers do.
func sequence(number uint64) string {
	text := [21]byte{'1'}
	for i := len(text) - 1; i > 0; i-- {
		text[i] = '0' + byte(number%10)
		number /= 10
	}
	return string(text[:])
}

// parseSequence is the number of a sequence.
func parseSequence(s string) (number uint64, ok bool) {
	if len(s) != 21 || s[0] != '1' {
		return 0, false
	}
	number, err := strconv.ParseUint(s[1:], 10, 64)
	return number, err == nil
}

func (e *session) getShardIterator(body []byte) ([]byte, error) {
	in, err := wire.DecodeGetShardIterator(body)
	if err != nil {
		return nil, err
	}
	now := e.nanoseconds()
	if err := checkPlace(in, now); err != nil {
		return nil, err
	}
	_ = e.renewShards() // where nothing can be written reads go on
	s, err := e.findStream(in.ARN)
	if err != nil {
		return nil, err
	}
	var out wire.GetShardIteratorOutput
	err = e.store.View(func(r kv.Reader) error {
		h, err := s.findShard(r, in.Shard, now)
		if err != nil {
			return err
		}
		from, err := s.place(r, h, in, now)
		out.Iterator = iterator{shard: h.Number, from: from, issued: now}.text(in.ARN)
		return err
	})
	if err != nil {
		return nil, err
	}
	return out.Append(nil), nil
}

// checkPlace checks that a request has what its type of iterator takes, and nothing else.
func checkPlace(in *wire.GetShardIteratorInput, now int64) *wire.Error {
	switch in.Type {
	case "AT_SEQUENCE_NUMBER", "AFTER_SEQUENCE_NUMBER":
		if in.Sequence == nil {
			return wire.Invalid(inv + "Invalid SequenceNumber")
		}
	default:
		if in.Sequence != nil {
			return wire.Invalid(inv + "SequenceNumber should not be passed for this iterator type")
		}
	}
	switch t := in.Timestamp; {
	case in.Type != "AT_TIMESTAMP":
		if t != nil {
			return wire.Invalid(inv + "Timestamp should not be passed for this iterator type")
		}
	case t == nil:
		return wire.Invalid(inv + "Invalid Timestamp")
	case *t > float64(now)/1e9: // API_streams_GetShardIterator
		return wire.Invalid(inv + "Timestamp should not be in the future")
	}
	return nil
}

// findShard finds a shard by its id.
func (s *stream) findShard(r kv.Reader, id string, now int64) (*shard, error) {
	l, err := s.shardsAt(r, now)
	for _, h := range l {
		if h.ID == id {
			return h, nil
		}
	}
	if err != nil {
		return nil, err
	}
	return nil, errNoShard
}

// errTrimmed has the service's words (measured on AWS, 2019).
var errTrimmed = wire.NewError(wire.CodeTrimmedData, "The data you are trying to access has been trimmed")

// place is the number from which an iterator reads.
func (s *stream) place(r kv.Reader, h *shard, in *wire.GetShardIteratorInput, now int64) (from uint64, err error) {
	last := max(h.Number, h.Trimmed, h.lastRecord(r, s))
	switch in.Type {
	case "LATEST":
		return last + 1, nil
	case "TRIM_HORIZON":
		return s.firstFrom(r, h, now-int64(streamRetention)+1, last), nil
	case "AT_TIMESTAMP":
		// Records are at the seconds that they are told with, rounded down; older times are the oldest record.
		const second = int64(time.Second)
		at := int64(math.Ceil(max(*in.Timestamp, 0))) * second
		return s.firstFrom(r, h, max(at, now-int64(streamRetention)+1), last), nil
	}
	n, ok := parseSequence(*in.Sequence)
	if !ok || n < h.Number || n > last {
		return 0, wire.Invalid("Invalid SequenceNumber for the shard")
	}
	if in.Type == "AFTER_SEQUENCE_NUMBER" {
		n++
	}
	return n, s.reachable(r, h, n, now)
}

// firstFrom is the number of the shard's first record at a time or later; behind the last one if there is none. Times
// grow with numbers.
func (s *stream) firstFrom(r kv.Reader, h *shard, time int64, last uint64) uint64 {
	low := max(h.Number, h.Trimmed) + 1
	n := sort.Search(int(last+1-low), func(i int) bool {
		_, first := s.next(r, h, low+uint64(i))
		return first == nil || first.time() >= time
	})
	return low + uint64(n)
}

// next is the shard's first record from a number on; nil if there is none.
func (s *stream) next(r kv.Reader, h *shard, from uint64) (number uint64, first record) {
	r.Ascend(s.def.Space, recordKey(h.Number, from), recordKey(h.Number, math.MaxUint64), func(key, value []byte) bool {
		number, first = recordNumber(key), value
		return false
	})
	return number, first
}

// reachable is an error if records from a number on have been trimmed.
func (s *stream) reachable(r kv.Reader, h *shard, from uint64, now int64) error {
	if from <= h.Trimmed {
		return errTrimmed
	}
	if _, first := s.next(r, h, from); first != nil && first.time() <= now-int64(streamRetention) {
		return errTrimmed
	}
	return nil
}

// iterator is a place in a shard.
type iterator struct {
	shard  uint64 // its number
	from   uint64 // number of the next record, or one before it
	issued int64  // in nanoseconds since 1970
}

// iteratorLife is how long an iterator can be used (API_streams_GetShardIterator).
const iteratorLife = 15 * time.Minute

// text is the iterator as it is given out: the stream's ARN, a number and what only the engine reads (captured on AWS). Its
// last four bytes are a hash, which tells iterators that were cut or made up.
func (i iterator) text(arn string) string {
	b := binary.BigEndian.AppendUint64(nil, i.shard)
	b = binary.BigEndian.AppendUint64(b, i.from)
	b = binary.BigEndian.AppendUint64(b, uint64(i.issued))
	b = binary.BigEndian.AppendUint32(b, hashOf(append([]byte(arn), b...)))
	return arn + "|1|" + base64.StdEncoding.EncodeToString(b)
}

func parseIterator(text string) (arn string, i iterator, ok bool) {
	arn, rest, ok := strings.Cut(text, "|1|")
	b, err := base64.StdEncoding.DecodeString(rest)
	if !ok || err != nil || len(b) != 28 {
		return "", i, false
	}
	body, sum := b[:24], binary.BigEndian.Uint32(b[24:])
	i = iterator{binary.BigEndian.Uint64(body), binary.BigEndian.Uint64(body[8:]), int64(binary.BigEndian.Uint64(body[16:]))}
	return arn, i, sum == hashOf(append([]byte(arn), body...))
}
