package engine

import (
	"math"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/engine/internal/kv"
	"github.com/tablewright/tablewright/wire"
)

func (e *session) getRecords(body []byte) (answer []byte, err error) {
	in, err := wire.DecodeGetRecords(body)
	if err != nil {
		return nil, err
	}
	arn, at, ok := parseIterator(in.Iterator)
	if !ok {
		return nil, wire.Invalid("Invalid ShardIterator")
	}
	now := e.nanoseconds()
	if now-at.issued > int64(iteratorLife) {
		return nil, wire.NewError(wire.CodeExpiredIterator, "The shard iterator has expired and can no longer be used to retrieve stream records")
	}
	_ = e.renewShards() // where nothing can be written reads go on
	s, err := e.findStream(arn)
	if err != nil {
		return nil, err
	}
	limit := wire.MaxRecords
	if in.Limit != nil {
		limit = *in.Limit
	}
	err = e.store.View(func(r kv.Reader) error {
		h := s.stored(r, at.shard)
		if h == nil { // closed for a day
			return errTrimmed
		}
		if err := s.reachable(r, h, at.from, now); err != nil {
			return err
		}
		out := wire.GetRecordsOutput{Records: s.page(r, h, at.from, limit)}
		next := iterator{shard: h.Number, from: at.from, issued: now}
		if n := len(out.Records); n > 0 {
			last, _ := parseSequence(out.Records[n-1].Sequence)
			next.from = last + 1
		}
		// A page without records ends a closed shard, wherever it began: also one at the number of the shard itself.
		if h.Closed == 0 || len(out.Records) > 0 && next.from <= h.End {
			out.Next = next.text(arn)
		}
		answer = out.Append(nil) // within the view: the records are the store's
		return nil
	})
	return answer, err
}

// page is up to limit records of a shard from a number on, up to a megabyte of them but at least one.
func (s *stream) page(r kv.Reader, h *shard, from uint64, limit int) (l []wire.StreamRecord) {
	l = make([]wire.StreamRecord, 0, min(limit, 100))
	var sum capacity.Bytes
	r.Ascend(s.def.Space, recordKey(h.Number, from), recordKey(h.Number, math.MaxUint64), func(key, value []byte) bool {
		a := s.answer(recordNumber(key), value)
		sum += capacity.Bytes(a.Bytes)
		if len(l) > 0 && sum > capacity.PageBytes {
			return false
		}
		l = append(l, a)
		return len(l) < limit
	})
	return l
}
