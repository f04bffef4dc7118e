package conformance

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/tablewright/tablewright/wire"
)

// readStream is an operation that cases have and no service: {"StreamArn":"…"} is answered {"Records":[…]}, all that can be
// read from the stream now, its shards from the first to the last, each to where it ends or nothing has come yet. How many
// shards a stream has is the target's affair; the changes of one partition key are in their order.
const readStream = "ReadStream"

// readStream carries it out.
func (p *play) readStream(ctx context.Context, request string) (answer []byte, refused *wire.Error, err error) {
	var in struct{ StreamArn string }
	if err := json.Unmarshal([]byte(request), &in); err != nil {
		return nil, nil, fmt.Errorf("conformance: %s: %w", readStream, err)
	}
	// call is one request of a stream's; what it answers is read into v.
	call := func(operation string, body interface{ Append([]byte) []byte }, v any) bool {
		var text []byte
		if text, refused, err = p.ask(ctx, operation, string(body.Append(nil))); err == nil && refused == nil {
			err = json.Unmarshal(text, v)
		}
		return err == nil && refused == nil
	}
	records := []json.RawMessage{}
	describe := wire.DescribeStreamInput{ARN: in.StreamArn}
	for {
		var of wire.DescribeStreamOutput
		if !call("DescribeStream", &describe, &of) {
			return nil, refused, err
		}
		for _, shard := range of.Stream.Shards {
			var at wire.GetShardIteratorOutput
			if !call("GetShardIterator", &wire.GetShardIteratorInput{ARN: in.StreamArn, Shard: shard.ID, Type: "TRIM_HORIZON"}, &at) {
				return nil, refused, err
			}
			for next, empty := at.Iterator, 0; next != "" && empty < 2; {
				var page struct {
					Records           []json.RawMessage
					NextShardIterator string
				}
				if !call("GetRecords", &wire.GetRecordsInput{Iterator: next}, &page) {
					return nil, refused, err
				}
				if len(page.Records) == 0 {
					empty++
				}
				records, next = append(records, page.Records...), page.NextShardIterator
			}
		}
		if describe.Start = of.Stream.LastShard; describe.Start == "" {
			answer, err = json.Marshal(map[string]any{"Records": records})
			return answer, nil, err
		}
	}
}
