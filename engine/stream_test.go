package engine_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/engine/internal/kv"
	"github.com/tablewright/tablewright/wire"
)

const hashOnly = `{"TableName":"tbl","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]}`

// streamed makes a table with a stream and a consumer of it.
func streamed(t *testing.T, e *engine.Engine, view string) *streamConsumer {
	t.Helper()
	do(t, e, "CreateTable", "%s", withStream(hashOnly, view))
	return newStreamConsumer(streamOf(t, e, "tbl"), inProcess(e))
}

func put(t testing.TB, e *engine.Engine, pk string, v int) {
	t.Helper()
	do(t, e, "PutItem", `{"TableName":"tbl","Item":{"pk":{"S":%q},"v":{"N":"%d"}}}`, pk, v)
}

// iterator is one of the first shard's.
func (c *streamConsumer) at(t *testing.T, kind string) string {
	t.Helper()
	out, err := wire.DecodeGetShardIteratorOutput(c.ask(t, "GetShardIterator", `{"StreamArn":%q,"ShardId":%q,"ShardIteratorType":%s}`, c.arn, c.shards(t)[0].ID, kind))
	if err != nil {
		t.Fatal(err)
	}
	return out.Iterator
}

// values are those of v in the new images that an iterator leads to.
func (c *streamConsumer) values(t *testing.T, iterator string) (l []string) {
	t.Helper()
	out, err := wire.DecodeGetRecordsOutput(c.ask(t, "GetRecords", `{"ShardIterator":%q}`, iterator))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range out.Records {
		it, err := r.NewImage.Item()
		if err != nil {
			t.Fatal(err)
		}
		l = append(l, it.Get("v").Number().String())
	}
	return l
}

func (c *streamConsumer) refused(operation, request string, args ...any) string {
	_, err := c.send(operation, fmt.Sprintf(request, args...))
	var refused *wire.Error
	if !errors.As(err, &refused) {
		return fmt.Sprint(err)
	}
	return refused.Code
}

// TestIteratorsExpire: an iterator is good for 15 minutes, by the engine's clock, and the next one for 15 more.
func TestIteratorsExpire(t *testing.T) {
	c := newClock()
	e := open(t, "", &engine.Options{Clock: c})
	s := streamed(t, e, "NEW_IMAGE")
	it := s.at(t, `"TRIM_HORIZON"`)
	c.move(15 * time.Minute)
	out, err := wire.DecodeGetRecordsOutput(s.ask(t, "GetRecords", `{"ShardIterator":%q}`, it))
	if err != nil {
		t.Fatal(err)
	}
	c.move(time.Nanosecond)
	if code := s.refused("GetRecords", `{"ShardIterator":%q}`, it); code != wire.CodeExpiredIterator {
		t.Errorf("after 15 minutes: %s", code)
	}
	s.ask(t, "GetRecords", `{"ShardIterator":%q}`, out.Next)
}

// TestForgedIterators: an iterator that was changed is none.
func TestForgedIterators(t *testing.T) {
	e := open(t, "", nil)
	s := streamed(t, e, "NEW_IMAGE")
	it := s.at(t, `"LATEST"`)
	if !strings.HasPrefix(it, s.arn+"|1|") {
		t.Errorf("iterator %s", it)
	}
	for i := range it {
		forged := it[:i] + string(it[i]^1) + it[i+1:]
		if code := s.refused("GetRecords", `{"ShardIterator":%q}`, forged); code != wire.CodeValidation {
			t.Errorf("%s: %s", forged, code)
		}
	}
	for i := range it {
		if code := s.refused("GetRecords", `{"ShardIterator":%q}`, it[:i]); code != wire.CodeValidation {
			t.Errorf("%s: %s", it[:i], code)
		}
	}
}

// TestRetention: records can be read for 24 hours whether or not they have been removed by then; then they are trimmed.
func TestRetention(t *testing.T) {
	c := newClock()
	e := open(t, "", &engine.Options{Clock: c, SweepEvery: -1, Streams: engine.StreamOptions{ShardLife: -1}})
	s := streamed(t, e, "NEW_IMAGE")
	put(t, e, "a", 1)
	c.move(time.Hour)
	put(t, e, "a", 2)
	c.move(23*time.Hour - time.Nanosecond)
	first := s.at(t, `"AT_SEQUENCE_NUMBER","SequenceNumber":"100000000000000000002"`)
	before := s.at(t, `"TRIM_HORIZON"`)
	if got := s.values(t, before); !slices.Equal(got, []string{"1", "2"}) {
		t.Errorf("within 24 hours: %v", got)
	}
	for _, removed := range []bool{false, true} {
		c.move(time.Nanosecond)
		if removed {
			if err := e.TrimStreams(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		for what, it := range map[string]string{"oldest record": before, "number": first} {
			if code := s.refused("GetRecords", `{"ShardIterator":%q}`, it); code != wire.CodeTrimmedData {
				t.Errorf("removed %v: an iterator at the %s: %s", removed, what, code)
			}
		}
		if got := s.values(t, s.at(t, `"TRIM_HORIZON"`)); !slices.Equal(got, []string{"2"}) {
			t.Errorf("removed %v: from the oldest record on: %v", removed, got)
		}
		if got := s.values(t, s.at(t, `"AT_TIMESTAMP","Timestamp":0`)); !slices.Equal(got, []string{"2"}) {
			t.Errorf("removed %v: from 1970 on: %v", removed, got)
		}
		shard := s.shards(t)[0]
		if code := s.refused("GetShardIterator", `{"StreamArn":%q,"ShardId":%q,"ShardIteratorType":"AT_SEQUENCE_NUMBER","SequenceNumber":"100000000000000000002"}`, s.arn, shard.ID); code != wire.CodeTrimmedData {
			t.Errorf("removed %v: an iterator of a trimmed number: %s", removed, code)
		}
		if code := s.refused("GetShardIterator", `{"StreamArn":%q,"ShardId":%q,"ShardIteratorType":"AFTER_SEQUENCE_NUMBER","SequenceNumber":"100000000000000000002"}`, s.arn, shard.ID); code != "<nil>" {
			t.Errorf("removed %v: an iterator after a trimmed number: %s", removed, code)
		}
	}
}

// TestStreamEnds: a stream that was disabled, or whose table was deleted, is there for 24 hours, and then nothing of it.
func TestStreamEnds(t *testing.T) {
	for what, end := range map[string][2]string{
		"disabled": {"UpdateTable", `{"TableName":"tbl","StreamSpecification":{"StreamEnabled":false}}`},
		"deleted":  {"DeleteTable", `{"TableName":"tbl"}`},
	} {
		c := newClock()
		s := kv.NewMemory()
		e := openOn(t, s, &engine.Options{Clock: c, SweepEvery: -1})
		r := streamed(t, e, "NEW_IMAGE")
		put(t, e, "a", 1)
		c.move(time.Hour)
		do(t, e, end[0], "%s", end[1])
		c.move(23 * time.Hour)
		// The record is a day old, the stream is not.
		if got := r.values(t, r.at(t, `"TRIM_HORIZON"`)); len(got) != 0 {
			t.Errorf("%s: records %v", what, got)
		}
		c.move(time.Hour)
		for _, trimmed := range []bool{false, true} {
			if trimmed {
				if err := e.TrimStreams(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			if code := r.refused("DescribeStream", `{"StreamArn":%q}`, r.arn); code != wire.CodeResourceNotFound {
				t.Errorf("%s, trimmed %v: %s", what, trimmed, code)
			}
			if list := do(t, e, "ListStreams", `{}`)["Streams"].([]any); len(list) != 0 {
				t.Errorf("%s, trimmed %v: %v", what, trimmed, list)
			}
		}
		left := 0
		err := s.View(func(r kv.Reader) error {
			for space := kv.Space(16); space < 32; space++ {
				r.Ascend(space, nil, nil, func(_, _ []byte) bool { left++; return true })
			}
			r.Ascend(0, []byte("stream/"), []byte("stream0"), func(_, _ []byte) bool { left++; return true })
			return nil
		})
		if what == "disabled" {
			left-- // the table's item
		}
		if err != nil || left != 0 {
			t.Errorf("%s: %d things left in the store: %v", what, left, err)
		}
	}
}

// TestAtTimestamp: records are at the seconds that they are told with.
func TestAtTimestamp(t *testing.T) {
	c := newClock()
	e := open(t, "", &engine.Options{Clock: c})
	s := streamed(t, e, "NEW_IMAGE")
	start := c.Now().Unix()
	for i := range 50 {
		put(t, e, "a", i)
		c.move(500 * time.Millisecond)
	}
	for _, x := range []struct {
		milliseconds int64 // since the first record
		first        int   // the first record from there on
	}{{-1, 0}, {0, 0}, {1, 2}, {999, 2}, {1000, 2}, {7500, 16}, {24_000, 48}, {24_500, 50}, {25_000, 50}} {
		at := start*1000 + x.milliseconds
		got := s.values(t, s.at(t, fmt.Sprintf(`"AT_TIMESTAMP","Timestamp":%d.%03d`, at/1000, at%1000)))
		if len(got) != 50-x.first || x.first < 50 && got[0] != fmt.Sprint(x.first) {
			t.Errorf("at %d ms: %v, want those from %d on", x.milliseconds, got, x.first)
		}
	}
	if code := s.refused("GetShardIterator", `{"StreamArn":%q,"ShardId":%q,"ShardIteratorType":"AT_TIMESTAMP","Timestamp":%d}`, s.arn, s.shards(t)[0].ID, start+26); code != wire.CodeValidation {
		t.Errorf("in the future: %s", code)
	}
}

// TestShardsSplit: shards share the keys, each key has its changes in one line of shards, and children are found by their
// parents.
func TestShardsSplit(t *testing.T) {
	c := newClock()
	e := open(t, "", &engine.Options{Clock: c, Streams: engine.StreamOptions{Shards: 4, ShardLife: time.Hour}})
	s := streamed(t, e, "NEW_AND_OLD_IMAGES")
	write := func(v int) {
		for i := range 64 {
			put(t, e, fmt.Sprint("key", i), v)
		}
	}
	write(1)
	first := s.shards(t)
	if len(first) != 4 {
		t.Fatalf("%d shards", len(first))
	}
	if err := e.SplitShard(s.arn, first[1].ID); err != nil {
		t.Fatal(err)
	}
	write(2)
	c.move(time.Hour)
	write(3)
	all := s.shards(t)
	if len(all) != 4+2+5 {
		t.Errorf("%d shards after a split and an hour", len(all))
	}
	open := 0
	seen := map[string]wire.Shard{}
	for _, h := range all {
		if _, twice := seen[h.ID]; twice || len(h.ID) != 37 {
			t.Errorf("shard %s", h.ID)
		}
		if p, ok := seen[h.Parent]; h.Parent != "" && (!ok || p.Range.End == "" || p.Range.End >= h.Range.Start) {
			t.Errorf("shard %v of parent %v", h, p)
		}
		if h.Range.End == "" {
			open++
		}
		seen[h.ID] = h
	}
	if open != 5 {
		t.Errorf("%d open shards", open)
	}
	for _, h := range all {
		out, err := wire.DecodeDescribeStreamOutput(s.ask(t, "DescribeStream", `{"StreamArn":%q,"ShardFilter":{"Type":"CHILD_SHARDS","ShardId":%q}}`, s.arn, h.ID))
		if err != nil {
			t.Fatal(err)
		}
		want := map[bool]int{true: 1, false: 0}[h.Range.End != ""]
		if h.ID == first[1].ID {
			want = 2
		}
		if len(out.Stream.Shards) != want {
			t.Errorf("shard %v has children %v", h, out.Stream.Shards)
		}
	}
	s.limit = 3
	s.poll(t)
	if len(s.records) != 3*64 || len(s.items) != 64 {
		t.Errorf("%d records of %d items", len(s.records), len(s.items))
	}
	for _, err := range []error{e.SplitShard(s.arn, first[1].ID), e.SplitShard(s.arn, "nope"), e.SplitShard("nope", first[1].ID)} {
		var refused *wire.Error
		if !errors.As(err, &refused) {
			t.Errorf("split what is closed or not there: %v", err)
		}
	}
}

// TestShardsEndUnwritten: the life of a shard ends also if nobody writes, and children begin when they are needed.
func TestShardsEndUnwritten(t *testing.T) {
	c := newClock()
	e := open(t, "", &engine.Options{Clock: c, SweepEvery: -1})
	s := streamed(t, e, "NEW_IMAGE")
	put(t, e, "a", 1)
	if n := len(s.shards(t)); n != 1 {
		t.Errorf("%d shards at first", n)
	}
	c.move(4*time.Hour - time.Nanosecond)
	if n := len(s.shards(t)); n != 1 {
		t.Errorf("%d shards before four hours are over", n)
	}
	c.move(time.Nanosecond)
	if n := len(s.shards(t)); n != 2 {
		t.Errorf("%d shards after four hours", n)
	}
	c.move(20*time.Hour - time.Nanosecond)
	if n := len(s.shards(t)); n != 3 {
		t.Errorf("%d shards after a day less a bit: closed ones stay for a day", n)
	}
	c.move(4*time.Hour + time.Nanosecond)
	if err := e.TrimStreams(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := len(s.shards(t)); n != 3 {
		t.Errorf("%d shards a day after the first was closed", n)
	}
}

// TestStreamsStayInRegion: streams are of a Region, as their tables.
func TestStreamsStayInRegion(t *testing.T) {
	e := open(t, "", nil)
	s := streamed(t, e, "NEW_IMAGE")
	west := e.In("us-west-2")
	for operation, request := range map[string]string{"ListStreams": `{}`, "DescribeStream": fmt.Sprintf(`{"StreamArn":%q}`, s.arn)} {
		answer, err := west.Do(t.Context(), operation, []byte(request))
		if err == nil && string(answer) != `{"Streams":[]}` {
			t.Errorf("%s in another Region: %s", operation, answer)
		}
	}
	if _, err := west.Do(t.Context(), "CreateTable", []byte(withStream(hashOnly, "KEYS_ONLY"))); err != nil {
		t.Fatal(err)
	}
	answer, err := west.Do(t.Context(), "ListStreams", []byte(`{"TableName":"tbl"}`))
	if err != nil || !strings.Contains(string(answer), "arn:aws:dynamodb:us-west-2:000000000000:table/tbl/stream/") {
		t.Errorf("%s, %v", answer, err)
	}
}

// TestSameLabel: two streams of a table never have the same name, however fast they follow each other.
func TestSameLabel(t *testing.T) {
	e := open(t, "", &engine.Options{Clock: newClock()})
	for range 3 {
		streamed(t, e, "KEYS_ONLY")
		do(t, e, "UpdateTable", `{"TableName":"tbl","StreamSpecification":{"StreamEnabled":false}}`)
		do(t, e, "UpdateTable", `{"TableName":"tbl","StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"}}`)
		do(t, e, "DeleteTable", `{"TableName":"tbl"}`)
	}
	labels := map[string]bool{}
	for _, s := range do(t, e, "ListStreams", `{}`)["Streams"].([]any) {
		labels[s.(map[string]any)["StreamLabel"].(string)] = true
	}
	if len(labels) != 6 || !labels["2026-08-01T12:00:00.000"] || !labels["2026-08-01T12:00:00.005"] {
		t.Errorf("labels %v", labels)
	}
}

// TestClockGoesBack: the times of records never go back, so that trimming and reading by time stay right.
func TestClockGoesBack(t *testing.T) {
	c := newClock()
	e := open(t, "", &engine.Options{Clock: c})
	s := streamed(t, e, "NEW_IMAGE")
	for i := range 10 {
		put(t, e, "a", i)
		c.move(-time.Minute)
	}
	s.poll(t)
	if len(s.records) != 10 {
		t.Errorf("%d records", len(s.records))
	}
}

// TestLargeRecords: an answer has up to a megabyte of records, but one at least.
func TestLargeRecords(t *testing.T) {
	e := open(t, "", nil)
	s := streamed(t, e, "NEW_AND_OLD_IMAGES")
	const size = 390_000
	for i := range 5 {
		do(t, e, "PutItem", `{"TableName":"tbl","Item":{"pk":{"S":"a"},"v":{"S":"%s"}}}`, strings.Repeat(string(rune('a'+i)), size))
	}
	it := s.at(t, `"TRIM_HORIZON"`)
	var pages []int
	for range 5 {
		out, err := wire.DecodeGetRecordsOutput(s.ask(t, "GetRecords", `{"ShardIterator":%q}`, it))
		if err != nil {
			t.Fatal(err)
		}
		pages, it = append(pages, len(out.Records)), out.Next
	}
	if !slices.Equal(pages, []int{1, 1, 1, 1, 1}) { // 0.39, then 0.78 MB each
		t.Errorf("pages of %v records", pages)
	}
	for batch := range 77 {
		var writes []string
		for i := range 13 {
			writes = append(writes, fmt.Sprintf(`{"PutRequest":{"Item":{"pk":{"S":"%d/%d"}}}}`, batch, i))
		}
		do(t, e, "BatchWriteItem", `{"RequestItems":{"tbl":[%s]}}`, strings.Join(writes, ","))
	}
	for _, want := range []int{1000, 1, 0} {
		out, err := wire.DecodeGetRecordsOutput(s.ask(t, "GetRecords", `{"ShardIterator":%q}`, it))
		if err != nil || len(out.Records) != want {
			t.Errorf("%d records, want %d: %v", len(out.Records), want, err)
		}
		it = out.Next
	}
}

// spoiling is a store of which, when told, updates are undone after all that they do.
type spoiling struct {
	kv.Store
	every atomic.Int64
	n     atomic.Int64
}

func (s *spoiling) Update(f func(kv.Writer) error) error {
	return s.Store.Update(func(w kv.Writer) error {
		err := f(w)
		if every := s.every.Load(); err == nil && every > 0 && s.n.Add(1)%every == 0 {
			return errors.New("no space left on device")
		}
		return err
	})
}

// TestUndoneChangesAreNotTold: what an update did to a stream is undone with it, numbers and shards too.
func TestUndoneChangesAreNotTold(t *testing.T) {
	c := newClock()
	store := &spoiling{Store: kv.NewMemory()}
	e := openOn(t, store, &engine.Options{Clock: c, SweepEvery: -1, Streams: engine.StreamOptions{Shards: 2, ShardLife: time.Minute}})
	s := streamed(t, e, "NEW_AND_OLD_IMAGES")
	store.every.Store(3)
	failed := 0
	for i := range 150 {
		c.move(7 * time.Second)
		_, err := try(e, "BatchWriteItem", `{"RequestItems":{"tbl":[{"PutRequest":{"Item":{"pk":{"S":"a%d"},"v":{"N":"%[2]d"}}}},{"PutRequest":{"Item":{"pk":{"S":"b%[1]d"},"v":{"N":"%[2]d"}}}}]}}`, i%5, i)
		if err != nil {
			failed++
		}
		if i%25 == 20 {
			_, _ = try(e, "UpdateTable", `{"TableName":"tbl","StreamSpecification":{"StreamEnabled":false}}`) // fails, every third time
			_, _ = try(e, "UpdateTable", `{"TableName":"tbl","StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"}}`)
		}
		if err := e.Check(); err != nil {
			t.Fatal(err)
		}
	}
	store.every.Store(0)
	s.poll(t)
	if failed < 25 {
		t.Errorf("%d updates were undone", failed)
	}
}

// TestTrimmingIsBounded: records are removed a megabyte at a time.
func TestTrimmingIsBounded(t *testing.T) {
	c := newClock()
	store := &counting{Store: kv.NewMemory()}
	e := openOn(t, store, &engine.Options{Clock: c, SweepEvery: -1, Streams: engine.StreamOptions{ShardLife: -1}})
	streamed(t, e, "NEW_IMAGE")
	for i := range 24 {
		do(t, e, "PutItem", `{"TableName":"tbl","Item":{"pk":{"S":"%d"},"v":{"S":"%s"}}}`, i, strings.Repeat("x", 300_000))
	}
	c.move(25 * time.Hour)
	store.updates.Store(0)
	if err := e.TrimStreams(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := store.updates.Load(); n < 6 || n > 12 {
		t.Errorf("removed in %d steps, want about 6", n)
	}
}

// TestStatesOfStreams: with a StateTime streams and time to live are on the way for that long; what is asked for is done at
// once. The stream of a table that is being deleted is disabled with it.
func TestStatesOfStreams(t *testing.T) {
	c := newClock()
	e := open(t, "", &engine.Options{Clock: c, SweepEvery: -1, StateTime: time.Minute, TimeToLiveRest: -1})
	s := streamed(t, e, "NEW_IMAGE")
	is := func(stream, ttl string) {
		t.Helper()
		d := do(t, e, "DescribeStream", `{"StreamArn":%q}`, s.arn)["StreamDescription"].(map[string]any)
		if got := d["StreamStatus"]; got != stream {
			t.Errorf("the stream is %s, want %s", got, stream)
		}
		if ttl == "" {
			return
		}
		if got := fmt.Sprint(do(t, e, "DescribeTimeToLive", `{"TableName":"tbl"}`)["TimeToLiveDescription"]); got != "map["+ttl+"]" {
			t.Errorf("time to live is %s, want %s", got, ttl)
		}
	}
	is("ENABLING", "TimeToLiveStatus:DISABLED")
	if _, err := try(e, "UpdateTimeToLive", ttlOn); err == nil || !strings.HasPrefix(err.Error(), wire.CodeResourceInUse) {
		t.Errorf("time to live of a table that is being created: %v", err)
	}
	c.move(time.Minute)
	do(t, e, "UpdateTimeToLive", ttlOn)
	is("ENABLED", "AttributeName:ttl TimeToLiveStatus:ENABLING")
	put(t, e, "a", 1)
	c.move(time.Minute)
	is("ENABLED", "AttributeName:ttl TimeToLiveStatus:ENABLED")
	do(t, e, "UpdateTimeToLive", ttlOff)
	do(t, e, "UpdateTable", `{"TableName":"tbl","StreamSpecification":{"StreamEnabled":false}}`)
	is("DISABLING", "AttributeName:ttl TimeToLiveStatus:DISABLING")
	c.move(time.Minute)
	is("DISABLED", "TimeToLiveStatus:DISABLED")
	if got := s.values(t, s.at(t, `"TRIM_HORIZON"`)); !slices.Equal(got, []string{"1"}) {
		t.Errorf("records of %v", got)
	}

	do(t, e, "UpdateTable", `{"TableName":"tbl","StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"}}`)
	c.move(time.Minute)
	s = newStreamConsumer(streamOf(t, e, "tbl"), inProcess(e))
	is("ENABLED", "")
	do(t, e, "DeleteTable", `{"TableName":"tbl"}`)
	is("DISABLING", "")
	if err := e.Check(); err != nil {
		t.Error(err)
	}
	c.move(time.Minute)
	is("DISABLED", "")
	s = streamed(t, e, "KEYS_ONLY")
	is("ENABLING", "")
}

// A closed shard without records is at its end wherever reading begins.
func TestEmptyShardEnds(t *testing.T) {
	e := engine.New(t)
	do := func(operation, request string) string {
		t.Helper()
		answer, err := e.Do(t.Context(), operation, []byte(request))
		if err != nil {
			t.Fatal(operation, err)
		}
		return string(answer)
	}
	do("CreateTable", `{"TableName":"tbl","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],
		"KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"}}`)
	list, err := wire.DecodeListStreamsOutput([]byte(do("ListStreams", `{"TableName":"tbl"}`)))
	if err != nil {
		t.Fatal(err)
	}
	arn := list.Streams[0].ARN
	out, err := wire.DecodeDescribeStreamOutput([]byte(do("DescribeStream", string((&wire.DescribeStreamInput{ARN: arn}).Append(nil)))))
	if err != nil {
		t.Fatal(err)
	}
	shard := out.Stream.Shards[0]
	if err := e.SplitShard(arn, shard.ID); err != nil {
		t.Fatal(err)
	}
	for _, in := range []wire.GetShardIteratorInput{
		{Type: "TRIM_HORIZON"}, {Type: "LATEST"}, {Type: "AT_SEQUENCE_NUMBER", Sequence: &shard.Range.Start}, {Type: "AFTER_SEQUENCE_NUMBER", Sequence: &shard.Range.Start},
	} {
		in.ARN, in.Shard = arn, shard.ID
		at, err := wire.DecodeGetShardIteratorOutput([]byte(do("GetShardIterator", string(in.Append(nil)))))
		if err != nil {
			t.Fatal(err)
		}
		records, err := wire.DecodeGetRecordsOutput([]byte(do("GetRecords", string((&wire.GetRecordsInput{Iterator: at.Iterator}).Append(nil)))))
		if err != nil || len(records.Records) > 0 || records.Next != "" {
			t.Errorf("%s: %+v, %v", in.Type, records, err)
		}
	}
}
