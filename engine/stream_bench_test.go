package engine_test

import (
	"fmt"
	"testing"

	"github.com/tablewright/tablewright/engine"
)

// BenchmarkStream is what a stream adds to writes of items of about 350 bytes in memory, and what reading 1000 of its
// records costs.
func BenchmarkStream(b *testing.B) {
	request := func(i int) string {
		return `{"TableName":"tbl","Item":{"version":{"N":"` + fmt.Sprint(i) + `"},` + benchItem(i * 7919 % benchItems)[1:] + `}`
	}
	for _, view := range []string{"", "KEYS_ONLY", "NEW_AND_OLD_IMAGES"} {
		b.Run("put/"+view, func(b *testing.B) {
			e := openStreamBench(b, view)
			requests := make([]string, 1<<14)
			for i := range requests {
				requests[i] = request(i)
			}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				do(b, e, "PutItem", "%s", requests[i%len(requests)])
			}
		})
	}
	b.Run("get", func(b *testing.B) {
		e := openStreamBench(b, "NEW_AND_OLD_IMAGES")
		for i := range 1000 {
			do(b, e, "PutItem", "%s", request(i))
		}
		c := newStreamConsumer(streamOf(b, e, "tbl"), inProcess(e))
		iterator := c.iterator(b, c.shards(b)[0].ID)
		b.ReportAllocs()
		for b.Loop() {
			b.SetBytes(int64(len(c.ask(b, "GetRecords", `{"ShardIterator":%q}`, iterator))))
		}
	})
}

func openStreamBench(b *testing.B, view string) *engine.Engine {
	e := open(b, "", nil)
	create := benchSchema
	if view != "" {
		create = withStream(create, view)
	}
	do(b, e, "CreateTable", "%s", create)
	return e
}
