package engine_test

import (
	"fmt"
	"maps"
	"testing"
	"time"

	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/wire"
)

// crashStreams are the settings of streams in TestKill: kills come while shards end and begin. They live long enough for a
// reader under the race detector to catch up with them.
var crashStreams = engine.StreamOptions{Shards: 2, ShardLife: time.Second}

// crashReader follows the stream of TestKill's table over all kills. Iterators from before a kill are used after it; what
// the stream tells must make the table, and no change may be told twice or not follow from the one before.
type crashReader struct{ consumer *streamConsumer }

// verify reads what is new, and now and then compares it with all of the table.
func (r *crashReader) verify(t *testing.T, send sender, round int) {
	t.Helper()
	if r.consumer == nil {
		list, err := send("ListStreams", `{"TableName":"tbl"}`)
		if err != nil {
			t.Fatal(err)
		}
		streams, err := wire.DecodeListStreamsOutput(list)
		if err != nil || len(streams.Streams) != 1 {
			t.Fatalf("streams %s, %v", list, err)
		}
		r.consumer = newStreamConsumer(streams.Streams[0].ARN, nil)
	}
	r.consumer.send = send
	r.consumer.records = nil
	r.consumer.poll(t)
	if round%10 != 9 {
		return
	}
	stored := map[string]string{}
	for start := ""; ; {
		page, err := wire.DecodeReadOutput(r.consumer.ask(t, "Scan", `{"TableName":"tbl"%s}`, start))
		if err != nil {
			t.Fatal(err)
		}
		for raw := range page.Items.All() {
			it, err := raw.Item()
			if err != nil {
				t.Fatal(err)
			}
			stored[fmt.Sprintf(`{"pk":{"S":%q},"sk":{"N":%q}}`, it.Get("pk").Str(), it.Get("sk").Number().String())] = text(t, raw)
		}
		if page.LastKey == nil {
			break
		}
		start = `,"ExclusiveStartKey":` + string(page.LastKey)
	}
	if !maps.Equal(stored, r.consumer.items) {
		t.Errorf("the stream tells of %d items, which are not the %d of the table", len(r.consumer.items), len(stored))
	}
}
