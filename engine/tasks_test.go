package engine_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/engine/internal/kv"
	"github.com/tablewright/tablewright/wire"
)

const hashTable = `{"TableName":"tbl","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],"BillingMode":"PAY_PER_REQUEST"%s}`

const createAfterUpdate = `{"TableName":"tbl","AttributeDefinitions":[{"AttributeName":"h","AttributeType":"S"}],"GlobalSecondaryIndexUpdates":[
	{"Update":{"IndexName":"old","OnDemandThroughput":{"MaxReadRequestUnits":5}}},
	{"Create":{"IndexName":"new","KeySchema":[{"AttributeName":"h","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}}]}`

func openFillable(t *testing.T, s kv.Store) *engine.Engine {
	e := openOn(t, s, nil)
	do(t, e, "CreateTable", hashTable, `,"GlobalSecondaryIndexes":[{"IndexName":"old","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}]`)
	for i := range 3 {
		do(t, e, "PutItem", `{"TableName":"tbl","Item":{"pk":{"S":"%d"},"h":{"S":"x"}}}`, i)
	}
	return e
}

// TestFillWhereverCreated: an index is filled also if its creation is not the first change of the request.
func TestFillWhereverCreated(t *testing.T) {
	e := openFillable(t, kv.NewMemory())
	do(t, e, "UpdateTable", createAfterUpdate)
	e.WaitFilled()
	if got := count(t, e, "new"); got != 3 {
		t.Errorf("the new index has %d of 3 entries", got)
	}
}

// TestRefusedUpdateTable: a change of a table that is refused changes nothing, also what stands before the fault.
func TestRefusedUpdateTable(t *testing.T) {
	e := openFillable(t, kv.NewMemory())
	_, err := try(e, "UpdateTable", `{"TableName":"tbl","GlobalSecondaryIndexUpdates":[{"Delete":{"IndexName":"old"}},
		{"Update":{"IndexName":"nope","OnDemandThroughput":{"MaxReadRequestUnits":5}}}]}`)
	if err == nil {
		t.Fatal("the update of an index that is not there passes")
	}
	if n := count(t, e, "old"); n != 3 {
		t.Errorf("the index that stays has %d of 3 entries", n)
	}
}

// holding is a store that holds the nth update from some time on, before it begins.
type holding struct {
	kv.Store
	nth           atomic.Int64
	entered, hold chan struct{}
}

func (s *holding) Update(f func(kv.Writer) error) error {
	if s.nth.Add(-1) == 0 {
		close(s.entered)
		<-s.hold
	}
	return s.Store.Update(f)
}

// TestDeletedWhileFilled: an index may be deleted while it is filled, others not, and one of its name added again has its
// own entries.
func TestDeletedWhileFilled(t *testing.T) {
	s := &holding{Store: kv.NewMemory(), entered: make(chan struct{}), hold: make(chan struct{})}
	e := openFillable(t, s)
	s.nth.Store(2) // the first step of filling, after the definition
	added := make(chan error)
	go func() { // the index of a small table is filled before the answer
		_, err := try(e, "UpdateTable", createAfterUpdate)
		added <- err
	}()
	<-s.entered
	_, err := try(e, "UpdateTable", `{"TableName":"tbl","GlobalSecondaryIndexUpdates":[{"Delete":{"IndexName":"old"}}]}`)
	var refused *wire.Error
	if !errors.As(err, &refused) || refused.Code != wire.CodeLimitExceeded {
		t.Errorf("deleting another index meanwhile: %v", err)
	}
	do(t, e, "UpdateTable", `{"TableName":"tbl","GlobalSecondaryIndexUpdates":[{"Delete":{"IndexName":"new"}}]}`)
	do(t, e, "UpdateTable", createAfterUpdate)
	close(s.hold)
	if err := <-added; err != nil {
		t.Error(err)
	}
	e.WaitFilled()
	if n := count(t, e, "new"); n != 3 {
		t.Errorf("the new index has %d of 3 entries", n)
	}
}

// TestFillLeavesOutViolations: items from before an index whose key attributes it cannot have stay out of it
// (GSI.OnlineOps.ViolationDetection) until they can.
func TestFillLeavesOutViolations(t *testing.T) {
	e := open(t, "", nil)
	do(t, e, "CreateTable", hashTable, "")
	for i, h := range []string{`"S":"x"`, `"S":""`, `"N":"1"`, `"S":"` + strings.Repeat("x", 2049) + `"`} {
		do(t, e, "PutItem", `{"TableName":"tbl","Item":{"pk":{"S":"%d"},"h":{%s}}}`, i, h)
	}
	do(t, e, "UpdateTable", `{"TableName":"tbl","AttributeDefinitions":[{"AttributeName":"h","AttributeType":"S"}],"GlobalSecondaryIndexUpdates":[
		{"Create":{"IndexName":"new","KeySchema":[{"AttributeName":"h","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}}]}`)
	e.WaitFilled()
	if n := count(t, e, "new"); n != 1 {
		t.Errorf("the index has %d entries, want 1", n)
	}
	update := func(i int, expression string) string {
		answer := do(t, e, "UpdateItem", `{"TableName":"tbl","Key":{"pk":{"S":"%d"}},"UpdateExpression":"%s","ExpressionAttributeValues":{":s":{"S":"y"}},"ReturnConsumedCapacity":"INDEXES"}`, i, expression)
		return fmt.Sprint(answer["ConsumedCapacity"].(map[string]any)["GlobalSecondaryIndexes"])
	}
	for i := 1; i < 4; i++ { // an index key that an update does not change is not looked at, and there is no entry to write
		if got := update(i, "SET v = :s"); got != "<nil>" {
			t.Errorf("item %d: an entry that is not there consumes %s", i, got)
		}
		if got := update(i, "SET h = :s"); got != "map[new:map[CapacityUnits:1]]" {
			t.Errorf("item %d: entering the index consumes %s", i, got)
		}
	}
	if n := count(t, e, "new"); n != 4 {
		t.Errorf("the index has %d entries, want 4", n)
	}
}

// counting is a store that counts updates.
type counting struct {
	kv.Store
	updates atomic.Int64
}

func (s *counting) Update(f func(kv.Writer) error) error {
	s.updates.Add(1)
	return s.Store.Update(f)
}

// TestStepsAreBounded: filling an index, showing what was delayed and deleting what is expired are done a megabyte at a
// time.
func TestStepsAreBounded(t *testing.T) {
	s, c := &counting{Store: kv.NewMemory()}, newClock()
	e := openOn(t, s, &engine.Options{Clock: c, Lag: &engine.Lag{Max: time.Hour}, SweepEvery: -1})
	do(t, e, "CreateTable", hashTable, `,"GlobalSecondaryIndexes":[{"IndexName":"old","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}]`)
	const items, size = 24, 300_000
	for i := range items {
		do(t, e, "PutItem", `{"TableName":"tbl","Item":{"pk":{"S":"%d"},"h":{"S":"x"},"ttl":{"N":"%d"},"v":{"S":"%s"}}}`, i, c.Now().Unix(), strings.Repeat("x", size))
	}
	const steps = items / 4 // as many reach a megabyte
	s.updates.Store(0)
	do(t, e, "UpdateTable", createAfterUpdate)
	e.WaitFilled()
	if n := s.updates.Load(); n < steps || n > 2*steps {
		t.Errorf("filled in %d steps, want about %d", n, steps)
	}
	s.updates.Store(0)
	if err := e.Settle(); err != nil {
		t.Fatal(err)
	}
	if n := s.updates.Load(); n < steps || n > 2*steps {
		t.Errorf("shown in %d steps, want about %d", n, steps)
	}
	for _, index := range []string{"old", "new"} {
		if n := count(t, e, index); n == 0 { // a page
			t.Errorf("index %s has no entries", index)
		}
	}
	do(t, e, "UpdateTimeToLive", `{"TableName":"tbl","TimeToLiveSpecification":{"AttributeName":"ttl","Enabled":true}}`)
	e.WaitFilled()
	c.move(time.Minute)
	s.updates.Store(0)
	if n, err := e.Sweep(t.Context()); n != items || err != nil {
		t.Errorf("deleted %d of %d: %v", n, items, err)
	}
	if n := s.updates.Load(); n < steps || n > 2*steps {
		t.Errorf("deleted in %d steps, want about %d", n, steps)
	}
}

// failing is a store of which, when told, some updates fail.
type failing struct {
	kv.Store
	after atomic.Int64 // how many updates more succeed
	left  atomic.Int64 // how many fail then
}

func (s *failing) Update(f func(kv.Writer) error) error {
	if s.after.Add(-1) < 0 && s.left.Add(-1) >= 0 {
		return errors.New("no space left on device")
	}
	return s.Store.Update(f)
}

// TestFillGoesOn after an update failed.
func TestFillGoesOn(t *testing.T) {
	s := &failing{Store: kv.NewMemory()}
	e := openFillable(t, s)
	s.after.Store(1) // the definition
	s.left.Store(1)
	do(t, e, "UpdateTable", createAfterUpdate)
	e.WaitFilled()
	if got := count(t, e, "new"); got != 3 {
		t.Errorf("the new index has %d of 3 entries", got)
	}
}

// TestCloseEndsSweep: closing waits for a step of a sweep, not for all of it, and may happen while indexes are added.
func TestCloseEndsSweep(t *testing.T) {
	c := newClock()
	s := &closing{Store: kv.NewMemory(), entered: make(chan struct{}), hold: make(chan struct{})}
	e, err := engine.OpenStore(s, &engine.Options{Clock: c, SweepEvery: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	do(t, e, "CreateTable", hashTable, "")
	do(t, e, "UpdateTimeToLive", `{"TableName":"tbl","TimeToLiveSpecification":{"AttributeName":"ttl","Enabled":true}}`)
	for i := range 1000 {
		do(t, e, "PutItem", `{"TableName":"tbl","Item":{"pk":{"S":"%d"},"ttl":{"N":"%d"}}}`, i, c.Now().Add(time.Hour).Unix())
	}
	e.WaitFilled()
	swept := make(chan struct{})
	s.holding.Store(true)
	c.move(2 * time.Hour)
	<-s.entered
	go func() { defer close(swept); _ = e.Close() }()
	<-e.Closing()
	close(s.hold)
	<-swept
	if n := s.updates.Load(); n > 1 {
		t.Errorf("closing waited for %d steps of a sweep", n)
	}
}

// closing is a store that from some time on holds an update and counts all.
type closing struct {
	kv.Store
	holding       atomic.Bool
	once          sync.Once
	entered, hold chan struct{}
	updates       atomic.Int64
}

func (s *closing) Update(f func(kv.Writer) error) error {
	if s.holding.Load() {
		s.updates.Add(1)
		s.once.Do(func() { close(s.entered); <-s.hold })
	}
	return s.Store.Update(f)
}
