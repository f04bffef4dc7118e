package engine_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/tablewright/tablewright/engine"
)

// benchSchema is a table with one index, as most have.
const benchSchema = `{"TableName":"tbl","BillingMode":"PAY_PER_REQUEST",
"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"S"},{"AttributeName":"g","AttributeType":"S"}],
"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],
"GlobalSecondaryIndexes":[{"IndexName":"gsi","KeySchema":[{"AttributeName":"g","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],"Projection":{"ProjectionType":"ALL"}}]}`

// Of benchItems items, 100 share a partition key.
const benchItems = 10_000

// benchItem is an item of about 350 bytes.
func benchItem(i int) string {
	return fmt.Sprintf(`{"pk":{"S":"customer#%05d"},"sk":{"S":"order#%08d"},"g":{"S":"status#%d"},"total":{"N":"%d.95"},"placedAt":{"S":"2026-08-01T12:00:00Z"},`+
		`"address":{"M":{"street":{"S":"Some Street %d"},"city":{"S":"Springfield"}}},"tags":{"SS":["new","gift"]},"note":{"S":"%s"}}`,
		i/100, i, i%500, i%1000, i%100, strings.Repeat("n", 140))
}

// operations are the requests that are measured: what i gives, the request has.
var benchOperations = []struct {
	name, operation string
	request         func(i int) string
}{
	{"get", "GetItem", func(i int) string {
		i = i * 7919 % benchItems
		return fmt.Sprintf(`{"TableName":"tbl","Key":{"pk":{"S":"customer#%05d"},"sk":{"S":"order#%08d"}}}`, i/100, i)
	}},
	{"put", "PutItem", func(i int) string {
		return `{"TableName":"tbl","Item":` + benchItem(i*7919%benchItems) + `}`
	}},
	{"update", "UpdateItem", func(i int) string {
		i = i * 7919 % benchItems
		return fmt.Sprintf(`{"TableName":"tbl","Key":{"pk":{"S":"customer#%05d"},"sk":{"S":"order#%08d"}},"UpdateExpression":"SET seen = if_not_exists(seen, :zero) + :one","ConditionExpression":"attribute_exists(pk)","ExpressionAttributeValues":{":zero":{"N":"0"},":one":{"N":"1"}}}`, i/100, i)
	}},
	{"query100", "Query", func(i int) string {
		return fmt.Sprintf(`{"TableName":"tbl","KeyConditionExpression":"pk = :p","ExpressionAttributeValues":{":p":{"S":"customer#%05d"}}}`, i%(benchItems/100))
	}},
	{"transact2", "TransactWriteItems", func(i int) string {
		a, b := i*7919%benchItems, (i*7919+benchItems/2)%benchItems
		return `{"TransactItems":[{"Put":{"TableName":"tbl","Item":` + benchItem(a) + `}},{"Put":{"TableName":"tbl","Item":` + benchItem(b) + `,"ConditionExpression":"attribute_exists(pk)"}}]}`
	}},
	{"batch25", "BatchWriteItem", func(i int) string {
		var b strings.Builder
		b.WriteString(`{"RequestItems":{"tbl":[`)
		for j := range 25 {
			if j > 0 {
				b.WriteByte(',')
			}
			b.WriteString(`{"PutRequest":{"Item":` + benchItem((i*25+j)%benchItems) + `}}`)
		}
		return b.String() + `]}}`
	}},
}

// benchLoad makes the table and its items.
func benchLoad(b testing.TB, do func(operation, request string) error) {
	b.Helper()
	if err := do("CreateTable", benchSchema); err != nil {
		b.Fatal(err)
	}
	for i := range benchItems / 25 {
		if err := do("BatchWriteItem", benchOperations[len(benchOperations)-1].request(i)); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkInProcess is what an operation costs without HTTP.
func BenchmarkInProcess(b *testing.B) {
	for _, where := range []string{"memory", "file"} {
		dir := ""
		if where == "file" {
			dir = b.TempDir()
		}
		e, err := engine.Open(dir, nil)
		if err != nil {
			b.Fatal(err)
		}
		defer e.Close()
		benchLoad(b, func(operation, request string) error {
			_, err := e.Do(context.Background(), operation, []byte(request))
			return err
		})
		for _, o := range benchOperations {
			b.Run(where+"/"+o.name, func(b *testing.B) {
				requests := make([][]byte, 1000)
				for i := range requests {
					requests[i] = []byte(o.request(i))
				}
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					if _, err := e.Do(context.Background(), o.operation, requests[i%len(requests)]); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkDurableWriters is what group commit makes of many writers, each answered after its write is on disk.
func BenchmarkDurableWriters(b *testing.B) {
	for _, writers := range []int{1, 16, 64} {
		b.Run(fmt.Sprint(writers), func(b *testing.B) {
			e, err := engine.Open(b.TempDir(), nil)
			if err != nil {
				b.Fatal(err)
			}
			defer e.Close()
			if _, err := e.Do(context.Background(), "CreateTable", []byte(benchSchema)); err != nil {
				b.Fatal(err)
			}
			b.SetParallelism((writers + 1) / 2) // times GOMAXPROCS, which is 2 where this is measured
			var next atomic.Int64
			b.ResetTimer()
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					request := `{"TableName":"tbl","Item":` + benchItem(int(next.Add(1))*7919%benchItems) + `}`
					if _, err := e.Do(context.Background(), "PutItem", []byte(request)); err != nil {
						b.Error(err)
						return
					}
				}
			})
		})
	}
}

// BenchmarkOpen is what it takes until an engine answers.
func BenchmarkOpen(b *testing.B) {
	for _, where := range []string{"memory", "file"} {
		dir := ""
		if where == "file" {
			dir = b.TempDir()
		}
		b.Run(where, func(b *testing.B) {
			for b.Loop() {
				e, err := engine.Open(dir, nil)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := e.Do(context.Background(), "ListTables", []byte("{}")); err != nil {
					b.Fatal(err)
				}
				if err := e.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkHTTP is the same over HTTP, client included, on connections that are kept.
func BenchmarkHTTP(b *testing.B) {
	e, err := engine.Open("", nil)
	if err != nil {
		b.Fatal(err)
	}
	defer e.Close()
	server := httptest.NewServer(e.Handler())
	defer server.Close()
	send := newSender(server.Listener.Addr().String())
	benchLoad(b, send)
	for _, o := range benchOperations {
		b.Run(o.name, func(b *testing.B) {
			i := 0
			for b.Loop() {
				if err := send(o.operation, o.request(i)); err != nil {
					b.Fatal(err)
				}
				i++
			}
		})
	}
}
