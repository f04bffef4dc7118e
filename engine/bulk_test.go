package engine_test

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tablewright/tablewright/engine"
)

var (
	scale    = flag.Int("scale", 300_000, "how many items BenchmarkScale compares with 100,000")
	scaleDir = flag.String("scale-dir", "", "where BenchmarkScale leaves its tables, to be read again by the next run")
)

const bulkSchema = `{"TableName":"tbl","BillingMode":"PAY_PER_REQUEST",
"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"S"}],
"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}]}`

// bulkKey is the key of an item: 100 share a partition key, and neighbours come far from each other.
func bulkKey(b []byte, i, items int) []byte {
	partitions := items / 100
	return fmt.Appendf(b, `"pk":{"S":"customer#%07d"},"sk":{"S":"order#%04d"}`, i%partitions, i/partitions)
}

// bulkItem is an item of about so many bytes.
func bulkItem(b []byte, i, items, bytes int) []byte {
	b = append(bulkKey(append(b, '{'), i, items), `,"total":{"N":"`...)
	b = append(strconv.AppendInt(b, int64(i), 10), `"},"note":{"S":"`...)
	return append(append(b, bulkNote[:bytes-50]...), `"}}`...)
}

var bulkNote = strings.Repeat("n", 500)

// bulkLoad writes items by 16 callers in batches of 25.
func bulkLoad(b testing.TB, items, bytes int, send func(operation, request string) error) {
	b.Helper()
	if err := send("CreateTable", bulkSchema); err != nil {
		b.Fatal(err)
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			var body []byte
			for {
				i := int(next.Add(25)) - 25
				if i >= items {
					return
				}
				body = append(body[:0], `{"RequestItems":{"tbl":[`...)
				for j := range 25 {
					if j > 0 {
						body = append(body, ',')
					}
					body = append(bulkItem(append(body, `{"PutRequest":{"Item":`...), i+j, items, bytes), "}}"...)
				}
				if err := send("BatchWriteItem", string(append(body, "]}}"...))); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
}

// BenchmarkBulk writes b.N items of 500 bytes through BatchWriteItem over HTTP, each batch answered after it is on disk,
// then kills the server and starts it again. Memory is the most that the server has had.
//
//	go test ./engine -run '^$' -bench Bulk -benchtime 1000000x
func BenchmarkBulk(b *testing.B) {
	dir := b.TempDir()
	child := startChild(b, serveIn+"="+dir)
	defer func() { child.kill() }()
	send := newSender(child.address(b))
	b.ResetTimer()
	bulkLoad(b, max(b.N, 100), 500, send)
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "items/s")
	b.ReportMetric(float64(cpu(b, child.cmd.Process).Microseconds())/float64(b.N), "µs-cpu/item")
	b.ReportMetric(memory(b, child.cmd.Process, "VmHWM"), "MB")
	b.StopTimer()
	child.kill()
	start := time.Now()
	child = startChild(b, serveIn+"="+dir)
	if err := newSender(child.address(b))("DescribeTable", `{"TableName":"tbl"}`); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(time.Since(start).Milliseconds()), "ms-to-reopen")
}

// memory is a figure of /proc/PID/status in MB.
func memory(b testing.TB, p *os.Process, name string) float64 {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(p.Pid) + "/status")
	if err != nil {
		b.Skip("no /proc to read memory from: ", err)
	}
	_, rest, _ := strings.Cut(string(text), name+":")
	kb, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		b.Fatal(err)
	}
	return float64(kb) / 1024
}

// BenchmarkScale compares a get, and a query of 100 items, in a table of 100,000 items with those in one of -scale items,
// both on disk and larger than what is kept in memory; keys are asked for in no order. All is read once before: the system
// reads a page of the file when it is first asked for, and maps it, which takes longer than what is measured here, once. The
// figures are medians, since on a busy machine averages are of the waiting.
//
//	go test ./engine -run '^$' -bench Scale -benchtime 5s -scale 10000000 -scale-dir /var/tmp/scale -timeout 1h
func BenchmarkScale(b *testing.B) {
	sizes := []int{100_000, *scale}
	engines := make([]*engine.Engine, len(sizes))
	for i, items := range sizes {
		engines[i] = scaleTable(b, items)
		var body []byte
		for n := range items / 100 {
			body = scaleQuery(body[:0], n, items)
			if _, err := engines[i].Do(context.Background(), "Query", body); err != nil {
				b.Fatal(err)
			}
		}
	}
	for name, request := range map[string]func(b []byte, i, items int) []byte{
		"GetItem": func(b []byte, i, items int) []byte {
			return append(bulkKey(append(b, `{"TableName":"tbl","Key":{`...), i, items), "}}"...)
		},
		"Query": scaleQuery,
	} {
		b.Run(name, func(b *testing.B) {
			var took [2][]time.Duration
			var body []byte
			for n := 1; b.Loop(); n++ {
				for k, e := range engines { // in turn, so that what else the machine does meets both
					body = request(body[:0], n*7919%sizes[k], sizes[k])
					start := time.Now()
					answer, err := e.Do(context.Background(), name, body)
					took[k] = append(took[k], time.Since(start))
					if err != nil || len(answer) < 100 {
						b.Fatalf("%s: %s %v", body, answer, err)
					}
				}
			}
			var median [2]float64
			for k := range took {
				slices.Sort(took[k])
				median[k] = float64(took[k][len(took[k])/2].Nanoseconds())
			}
			b.ReportMetric(median[0], "small-ns")
			b.ReportMetric(median[1], "large-ns")
			b.ReportMetric(median[1]/median[0], "ratio")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// scaleQuery asks for the 100 items of a partition.
func scaleQuery(b []byte, i, items int) []byte {
	return fmt.Appendf(b, `{"TableName":"tbl","KeyConditionExpression":"pk = :p","ExpressionAttributeValues":{":p":{"S":"customer#%07d"}}}`, i%(items/100))
}

// scaleTable is an engine on disk with a table of so many items. With -scale-dir it is written once.
func scaleTable(b *testing.B, items int) *engine.Engine {
	dir, loaded := b.TempDir(), ""
	if *scaleDir != "" {
		dir = filepath.Join(*scaleDir, strconv.Itoa(items))
		loaded = dir + ".loaded"
	}
	e, err := engine.Open(dir, &engine.Options{NoSync: true, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { e.Close() })
	if _, err := os.Stat(loaded); err == nil {
		return e
	}
	bulkLoad(b, items, 100, func(operation, request string) error {
		_, err := e.Do(context.Background(), operation, []byte(request))
		return err
	})
	if loaded != "" {
		if err := os.WriteFile(loaded, nil, 0o600); err != nil {
			b.Fatal(err)
		}
	}
	return e
}
