package engine

import (
	"github.com/tablewright/tablewright/engine/internal/kv"
	"github.com/tablewright/tablewright/wire"
)

func (e *session) describeStream(body []byte) ([]byte, error) {
	in, err := wire.DecodeDescribeStream(body)
	if err != nil {
		return nil, err
	}
	_ = e.renewShards() // where nothing can be written reads go on
	s, err := e.findStream(in.ARN)
	if err != nil {
		return nil, err
	}
	var shards []*shard
	err = e.store.View(func(r kv.Reader) (err error) {
		shards, err = s.shardsAt(r, e.nanoseconds())
		return err
	})
	if err != nil {
		return nil, err
	}
	d := wire.StreamDescription{ARN: in.ARN, Label: s.id.label, Status: e.streamStatus(s, e.nanoseconds()), View: s.def.View,
		Created: seconds(s.def.Created), TableName: s.id.table.name, Key: s.def.Key}
	limit := wire.MaxShards
	if in.Limit != nil {
		limit = *in.Limit
	}
	for _, h := range shards {
		if h.ID <= in.Start || in.Filter != nil && (h.Parent == "" || h.Parent != in.Filter.Shard) {
			continue
		}
		if len(d.Shards) == limit {
			d.LastShard = d.Shards[limit-1].ID
			break
		}
		d.Shards = append(d.Shards, h.describe())
	}
	out := wire.DescribeStreamOutput{Stream: d}
	return out.Append(nil), nil
}

func (h *shard) describe() wire.Shard {
	d := wire.Shard{ID: h.ID, Parent: h.Parent, Range: wire.SequenceNumberRange{Start: sequence(h.Number)}}
	if h.Closed != 0 {
		d.Range.End = sequence(h.End)
	}
	return d
}
