package engine

import (
	"slices"

	"github.com/tablewright/tablewright/wire"
)

func (e *session) listStreams(body []byte) ([]byte, error) {
	in, err := wire.DecodeListStreams(body)
	if err != nil {
		return nil, err
	}
	table := e.nameOf(in.TableName)
	now := e.nanoseconds()
	var found []*stream
	for id, s := range e.catalog.Load().streams {
		if id.table.region == e.region && (table == "" || id.table.name == table) && !s.over(now) && e.streamARN(s) > in.Start {
			found = append(found, s)
		}
	}
	slices.SortFunc(found, func(a, b *stream) int {
		if e.streamARN(a) < e.streamARN(b) {
			return -1
		}
		return 1
	})
	limit := wire.MaxStreams
	if in.Limit != nil {
		limit = *in.Limit
	}
	var out wire.ListStreamsOutput
	for i, s := range found {
		if i == limit {
			out.Last = out.Streams[i-1].ARN
			break
		}
		out.Streams = append(out.Streams, wire.StreamSummary{ARN: e.streamARN(s), Label: s.id.label, TableName: s.id.table.name})
	}
	return out.Append(nil), nil
}
