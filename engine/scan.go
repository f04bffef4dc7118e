package engine

import (
	"bytes"
	"fmt"

	"github.com/tablewright/tablewright/wire"
)

func (e *session) scan(body []byte) ([]byte, error) {
	in, err := wire.DecodeScan(body)
	if err != nil {
		return nil, err
	}
	q := reading{in: &in.Reading}
	wanted := question{filterName: "ScanFilter", filter: in.ScanFilter}
	if _, err := q.static(&wanted, func() *wire.Error { return checkSegments(in) }); err != nil {
		return nil, err
	}
	if err := q.find(e); err != nil {
		return nil, err
	}
	if err := q.checkProjected(false); err != nil {
		return nil, err
	}
	if in.Segment != nil {
		q.from, q.to = segment(*in.Segment, *in.TotalSegments)
	}
	if in.StartKey != nil {
		if !q.checkStart() {
			if q.index == nil {
				return nil, wire.Invalid("The provided starting key is invalid: The provided key element does not match the schema")
			}
			return nil, wire.Invalid("The provided starting key is invalid")
		}
		at := q.startAt()
		if bytes.Compare(at, q.from) < 0 || q.to != nil && bytes.Compare(at, q.to) >= 0 {
			return nil, wire.Invalid(fmt.Sprintf("The provided starting key is invalid: Invalid ExclusiveStartKey. "+
				"Please use ExclusiveStartKey with correct Segment. TotalSegments: %d Segment: %d", *in.TotalSegments, *in.Segment))
		}
		q.resume(at)
	}
	if err := q.table.checkPaths(q.projection, q.filter); err != nil {
		return nil, err
	}
	return q.run(e)
}

func checkSegments(in *wire.ScanInput) *wire.Error {
	switch {
	case in.Segment != nil && in.TotalSegments == nil:
		return wire.Invalid("The TotalSegments parameter is required but was not present in the request when Segment parameter is present")
	case in.Segment == nil && in.TotalSegments != nil:
		return wire.Invalid("The Segment parameter is required but was not present in the request when parameter TotalSegments is present")
	case in.Segment != nil && *in.Segment >= *in.TotalSegments:
		return wire.Invalid(fmt.Sprintf("The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: %d is not less than TotalSegments: %d",
			*in.Segment, *in.TotalSegments))
	}
	return nil
}
