package engine_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/tablewright/tablewright/engine"
)

// bulkItem is an item of 500 bytes; keys come in no order.
func bulkItem(b []byte, i int) []byte {
	b = fmt.Appendf(b, `{"pk":{"S":"customer#%07d"},"sk":{"S":"order#%08d"},"total":{"N":"%d"},"note":{"S":"`, i*7919%1_000_003/100, i, i)
	return append(append(b, bulkNote...), `"}}`...)
}

var bulkNote = strings.Repeat("n", 500-len("pkskcustomer#0000000order#00000000totalnote")-3)

// BenchmarkBulk writes items of 500 bytes by 16 callers in batches of 25, durably.
func BenchmarkBulk(b *testing.B) {
	e, err := engine.Open(b.TempDir(), nil)
	if err != nil {
		b.Fatal(err)
	}
	defer e.Close()
	if _, err := e.Do(context.Background(), "CreateTable", []byte(`{"TableName":"tbl","BillingMode":"PAY_PER_REQUEST",
		"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"S"}],
		"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}]}`)); err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	var next atomic.Int64
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			var body []byte
			for {
				i := int(next.Add(25)) - 25
				if i >= b.N {
					return
				}
				body = append(body[:0], `{"RequestItems":{"tbl":[`...)
				for j := range 25 {
					if j > 0 {
						body = append(body, ',')
					}
					body = append(bulkItem(append(body, `{"PutRequest":{"Item":`...), i+j), "}}"...)
				}
				if _, err := e.Do(context.Background(), "BatchWriteItem", append(body, "]}}"...)); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "items/s")
}
