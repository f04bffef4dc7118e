package engine_test

import (
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/engine/internal/kv"
	"github.com/tablewright/tablewright/engine/internal/kv/kvtest"
)

// heldDisk is a disk whose syncs wait while it is held.
type heldDisk struct {
	*kvtest.Disk
	held    atomic.Bool
	arrived chan struct{}
	goOn    chan error
}

func (d *heldDisk) Create(name string) (kv.File, error) {
	f, err := d.Disk.Create(name)
	return &heldFile{f, d}, err
}

func newHeldDisk(dir string) *heldDisk {
	return &heldDisk{Disk: kvtest.NewDisk(dir, 1), arrived: make(chan struct{}), goOn: make(chan error)}
}

// open opens a store on the disk.
func (d *heldDisk) open(t *testing.T, dir string) kv.Store {
	t.Helper()
	o := d.Options(0)
	o.Files = d
	store, err := kv.OpenDurable(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	return store
}

type heldFile struct {
	kv.File
	disk *heldDisk
}

func (f *heldFile) Sync() error {
	if f.disk.held.CompareAndSwap(true, false) { // what takes the frame back after a failure syncs, too
		f.disk.arrived <- struct{}{}
		if err := <-f.disk.goOn; err != nil {
			return err
		}
	}
	return f.File.Sync()
}

// TestAnswersAreNotAheadOfTheDisk: what a table is changed to is told nobody before it is on disk. Were it told, and the
// power lost or the sync failed, the answer would have been of something that never was.
func TestAnswersAreNotAheadOfTheDisk(t *testing.T) {
	dir := memoryDir(t)
	disk := newHeldDisk(dir)
	e := openOn(t, disk.open(t, dir), &engine.Options{SweepEvery: -1, Logger: slog.New(slog.DiscardHandler)})
	named := func(name string) string { return strings.Replace(fmt.Sprintf(hashTable, ""), `"tbl"`, `"`+name+`"`, 1) }
	tell := func() string {
		var b strings.Builder
		for _, ask := range [][2]string{
			{"ListTables", `{}`}, {"DescribeTable", `{"TableName":"new"}`}, {"GetItem", `{"TableName":"new","Key":{"pk":{"S":"a"}}}`},
			{"ListStreams", `{}`}, {"DescribeTimeToLive", `{"TableName":"tbl"}`}, {"ListTagsOfResource", `{"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/tbl"}`},
			{"Query", `{"TableName":"tbl","KeyConditionExpression":"pk=:p","ExpressionAttributeValues":{":p":{"S":"a"}}}`},
			{"BatchGetItem", `{"RequestItems":{"old":{"Keys":[{"pk":{"S":"a"}}]}}}`}, {"DescribeTable", `{"TableName":"old"}`},
			{"ExecuteStatement", `{"Statement":"SELECT * FROM \"old\" WHERE pk='a'"}`},
			{"BatchExecuteStatement", `{"Statements":[{"Statement":"SELECT * FROM \"old\" WHERE pk='a'"}]}`},
			{"TransactWriteItems", `{"TransactItems":[{"Delete":{"TableName":"old","Key":{"pk":{"N":"1"}}}}]}`},
			{"TransactGetItems", `{"TransactItems":[{"Get":{"TableName":"old","Key":{"pk":{"S":"a"}}}}]}`},
			{"Scan", `{"TableName":"old"}`}, {"Scan", `{"TableName":"tbl","IndexName":"byN"}`},
		} {
			answer, err := e.Do(t.Context(), ask[0], []byte(ask[1]))
			fmt.Fprintln(&b, ask, string(answer), err)
		}
		return b.String()
	}
	do(t, e, "CreateTable", hashTable, "")
	do(t, e, "CreateTable", named("old"))
	do(t, e, "PutItem", `{"TableName":"tbl","Item":{"pk":{"S":"a"},"n":{"N":"1"}}}`)
	do(t, e, "PutItem", `{"TableName":"old","Item":{"pk":{"S":"a"}}}`)
	before := tell()
	for _, change := range [][2]string{
		{"CreateTable", withStream(named("new"), "KEYS_ONLY")},
		{"UpdateTimeToLive", `{"TableName":"tbl","TimeToLiveSpecification":{"AttributeName":"ttl","Enabled":true}}`},
		{"TagResource", `{"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/tbl","Tags":[{"Key":"a","Value":"b"}]}`},
		{"UpdateTable", `{"TableName":"tbl","AttributeDefinitions":[{"AttributeName":"n","AttributeType":"N"}],"GlobalSecondaryIndexUpdates":[
			{"Create":{"IndexName":"byN","KeySchema":[{"AttributeName":"n","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}}]}`},
		{"DeleteTable", `{"TableName":"old"}`},
	} {
		for _, fails := range []error{errors.New("no disk"), nil} {
			disk.held.Store(true)
			answered := make(chan error)
			go func() { _, err := e.Do(t.Context(), change[0], []byte(change[1])); answered <- err }()
			<-disk.arrived
			if now := tell(); now != before {
				t.Errorf("while %s waits for the disk: %s", change[0], firstDifference(before, now))
			}
			disk.goOn <- fails
			if err := <-answered; (err == nil) != (fails == nil) {
				t.Fatalf("%s with a disk that says %v: %v", change[0], fails, err)
			}
			e.WaitFilled()
			switch now := tell(); {
			case fails != nil && now != before:
				t.Errorf("after %s failed: %s", change[0], firstDifference(before, now))
			case fails == nil && now == before:
				t.Errorf("after %s nothing has changed", change[0])
			case fails == nil:
				before = now
			}
		}
	}
}

func firstDifference(a, b string) string {
	as, bs := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range as {
		if as[i] != bs[i] {
			return "before:\n" + as[i] + "\nnow:\n" + bs[i]
		}
	}
	return "none"
}
