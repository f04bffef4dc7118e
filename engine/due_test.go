package engine_test

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/engine/internal/kv"
)

// TestReadsWhereNothingCanBeWritten: shards whose time is over and index entries that are due are written when somebody reads.
// Where the disk is full reads go on: they see what there is, and the rest once there is room.
func TestReadsWhereNothingCanBeWritten(t *testing.T) {
	c := newClock()
	s := &failingLate{Store: kv.NewMemory()}
	e := openOn(t, s, &engine.Options{Clock: c, Lag: &engine.Lag{Max: time.Minute, Seed: 1}, SweepEvery: -1, Logger: slog.New(slog.DiscardHandler)})
	do(t, e, "CreateTable", streamedBooks)
	do(t, e, "PutItem", `{"TableName":"Books","Item":{"isbn":{"S":"1"},"author":{"S":"Ann"}}}`)
	arn := do(t, e, "ListStreams", `{}`)["Streams"].([]any)[0].(map[string]any)["StreamArn"].(string)
	shards := func() []any {
		return do(t, e, "DescribeStream", `{"StreamArn":"%s"}`, arn)["StreamDescription"].(map[string]any)["Shards"].([]any)
	}
	entries := func() string {
		by := do(t, e, "Query", byAuthor)["Count"]
		do(t, e, "DescribeTable", `{"TableName":"Books"}`)
		scanned := do(t, e, "Scan", `{"TableName":"Books","IndexName":"ByAuthor"}`)["Count"]
		selected := do(t, e, "ExecuteStatement", `{"Statement":"SELECT * FROM Books.ByAuthor WHERE author = 'Ann'"}`)["Items"].([]any)
		return fmt.Sprint(by, scanned, len(selected))
	}
	first := shards()[0].(map[string]any)["ShardId"].(string)
	records := func() int {
		iterator := do(t, e, "GetShardIterator", `{"StreamArn":"%s","ShardId":"%s","ShardIteratorType":"TRIM_HORIZON"}`, arn, first)["ShardIterator"].(string)
		return len(do(t, e, "GetRecords", `{"ShardIterator":"%s"}`, iterator)["Records"].([]any))
	}
	c.move(5 * time.Hour)
	s.fail.Store(true)
	if _, err := try(e, "PutItem", `{"TableName":"Books","Item":{"isbn":{"S":"2"}}}`); err == nil || !strings.Contains(err.Error(), "InternalServerError") {
		t.Fatalf("a write: %v", err)
	}
	if n, m, x := records(), len(shards()), entries(); n != 1 || m != 1 || x != "0 0 0" {
		t.Errorf("while nothing can be written there are %d records in %d shards, entries %s", n, m, x)
	}
	s.fail.Store(false)
	if n, m, x := records(), len(shards()), entries(); n != 1 || m != 2 || x != "1 1 1" {
		t.Errorf("after that there are %d records in %d shards, entries %s", n, m, x)
	}
}
