package engine_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/wire"
)

// streamConsumer reads a stream as the documentation says that it has to be read: all shards, parents before their
// children, each from its beginning to its end. It keeps the items that the changes make, and finds changes that cannot
// follow from those before.
type streamConsumer struct {
	arn   string
	limit int // of GetRecords and DescribeStream; 0: none
	send  sender

	iterators map[string]string // by shard; "" at its end
	last      map[string]string // the sequence number of the last record read, by shard
	items     map[string]string // by key, as text
	records   []wire.StreamRecord
	expired   int // iterators that were too old
}

func newStreamConsumer(arn string, send sender) *streamConsumer {
	return &streamConsumer{arn: arn, send: send, iterators: map[string]string{}, last: map[string]string{}, items: map[string]string{}}
}

// inProcess is a sender to an engine in the same process.
func inProcess(e *engine.Engine) sender {
	return func(operation, request string) ([]byte, error) {
		return e.Do(context.Background(), operation, []byte(request))
	}
}

// ask is send, failing the test if there is no answer.
func (c *streamConsumer) ask(t testing.TB, operation, request string, args ...any) []byte {
	t.Helper()
	answer, err := c.send(operation, fmt.Sprintf(request, args...))
	if err != nil {
		t.Fatalf("%s: %v", operation, err)
	}
	return answer
}

// shards lists all shards of a stream.
func (c *streamConsumer) shards(t testing.TB) (all []wire.Shard) {
	t.Helper()
	from, limit := "", ""
	if c.limit > 0 {
		limit = fmt.Sprintf(`,"Limit":%d`, c.limit)
	}
	for {
		out, err := wire.DecodeDescribeStreamOutput(c.ask(t, "DescribeStream", `{"StreamArn":%q%s%s}`, c.arn, from, limit))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, out.Stream.Shards...)
		if out.Stream.LastShard == "" {
			return all
		}
		from = fmt.Sprintf(`,"ExclusiveStartShardId":%q`, out.Stream.LastShard)
	}
}

// poll reads what there is to read.
func (c *streamConsumer) poll(t testing.TB) {
	t.Helper()
	for more := true; more; {
		more = false
		shards := c.shards(t)
		listed := map[string]bool{}
		for _, s := range shards {
			listed[s.ID] = true
		}
		for _, s := range shards {
			iterator, begun := c.iterators[s.ID]
			parent, read := c.iterators[s.Parent]
			switch {
			case begun && iterator == "", listed[s.Parent] && (!read || parent != ""):
				continue
			case !begun:
				iterator = c.iterator(t, s.ID)
			}
			ended := c.readShard(t, s.ID, iterator)
			more = more || ended // its children can be read now
		}
	}
}

func (c *streamConsumer) iterator(t testing.TB, shard string) string {
	t.Helper()
	request := fmt.Sprintf(`{"StreamArn":%q,"ShardId":%q,"ShardIteratorType":"TRIM_HORIZON"}`, c.arn, shard)
	if last := c.last[shard]; last != "" {
		request = fmt.Sprintf(`{"StreamArn":%q,"ShardId":%q,"ShardIteratorType":"AFTER_SEQUENCE_NUMBER","SequenceNumber":%q}`, c.arn, shard, last)
	}
	out, err := wire.DecodeGetShardIteratorOutput(c.ask(t, "GetShardIterator", "%s", request))
	if err != nil {
		t.Fatal(err)
	}
	return out.Iterator
}

// readShard reads on in a shard and reports whether that is its end.
func (c *streamConsumer) readShard(t testing.TB, shard, iterator string) (ended bool) {
	t.Helper()
	limit := ""
	if c.limit > 0 {
		limit = fmt.Sprintf(`,"Limit":%d`, c.limit)
	}
	for {
		answer, err := c.send("GetRecords", fmt.Sprintf(`{"ShardIterator":%q%s}`, iterator, limit))
		var refused *wire.Error
		if errors.As(err, &refused) && refused.Code == wire.CodeExpiredIterator {
			c.expired++
			iterator = c.iterator(t, shard)
			continue
		}
		if err != nil {
			t.Fatalf("GetRecords: %v", err)
		}
		out, err := wire.DecodeGetRecordsOutput(answer)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range out.Records {
			if r.Sequence <= c.last[shard] {
				t.Errorf("record %s follows %s", r.Sequence, c.last[shard])
			}
			c.last[shard] = r.Sequence
			c.take(t, r)
		}
		iterator = out.Next
		c.iterators[shard] = iterator
		if iterator == "" || len(out.Records) == 0 {
			return iterator == ""
		}
	}
}

// take does a change to the items.
func (c *streamConsumer) take(t testing.TB, r wire.StreamRecord) {
	t.Helper()
	c.records = append(c.records, r)
	was, had := c.items[text(t, r.Keys)]
	if had == (r.EventName == "INSERT") {
		t.Errorf("%s of %s, which is there: %v", r.EventName, r.Keys, had)
	}
	if r.View == "NEW_AND_OLD_IMAGES" && text(t, r.OldImage) != was {
		t.Errorf("%s of %s: old image %s, but it was %s", r.EventName, r.Keys, r.OldImage, was)
	}
	if r.EventName == "MODIFY" && r.View == "NEW_AND_OLD_IMAGES" && text(t, r.NewImage) == was {
		t.Errorf("MODIFY of %s changes nothing", r.Keys)
	}
	if r.EventName == "REMOVE" {
		delete(c.items, text(t, r.Keys))
		return
	}
	c.items[text(t, r.Keys)] = text(t, r.NewImage)
}

// text is an item in one form, whatever the order of its members; an absent one is empty.
func text(t testing.TB, r wire.Raw) string {
	t.Helper()
	if r == nil {
		return ""
	}
	it, err := r.Item()
	if err != nil {
		t.Fatal(err)
	}
	return string(attr.AppendItem(nil, it))
}

// streamOf is the ARN of a table's latest stream.
func streamOf(t testing.TB, e *engine.Engine, table string) string {
	t.Helper()
	arn, _ := do(t, e, "DescribeTable", `{"TableName":"`+table+`"}`)["Table"].(map[string]any)["LatestStreamArn"].(string)
	return arn
}

// withStream is the request that makes a table, with a stream.
func withStream(create, view string) string {
	return strings.TrimSuffix(create, "}") + `,"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"` + view + `"}}`
}
