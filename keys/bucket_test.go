package keys_test

import (
	"testing"
	"time"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/keys"
)

// TestShardCodec: it writes the shard of a value, as Hash has it, or one that is known by its number, and nothing else
// reads so.
func TestShardCodec(t *testing.T) {
	for _, of := range []int{1, 2, 16, 100, keys.MaxShards} {
		s := keys.Shards{Of: of}
		c := s.Codec()
		if c.ReadsBack() || c.Order() != keys.NoOrder || c.KeepsPrefix() || c.Numeric() || c != s.Codec() {
			t.Errorf("%s promises too much", c)
		}
		if least, most := c.Len(0, 1000); least != s.Width() || most != s.Width() {
			t.Errorf("%s: %d to %d bytes", c, least, most)
		}
		for _, v := range []attr.Value{attr.Text("a"), attr.Num(attr.Int(42)), attr.Binary([]byte{1, 2})} {
			got, err := c.Append([]byte("x"), v)
			want, _ := s.Append([]byte("x"), s.Hash(v))
			if err != nil || string(got) != string(want) || !c.IsShard(string(got[1:])) {
				t.Errorf("%s of %v: %s, %v, want %s", c, v, got, err, want)
			}
			checkShape(t, c, v, string(got[1:]))
		}
		if got, err := c.AppendShard(nil, of-1); err != nil || len(got) != s.Width() || !c.IsShard(string(got)) {
			t.Errorf("%s, %v", got, err)
		}
		if _, err := c.AppendShard(nil, of); err == nil || c.IsShard("") || c.IsShard("x") {
			t.Error("there is no such shard")
		}
		if _, err := c.Append(nil, attr.Bool(true)); err == nil {
			t.Error("the shard of true")
		}
		if _, err := keys.ParseCodec(c.String()); err == nil {
			t.Errorf("%s stands in a template", c)
		}
		if _, err := c.Decode("0"); err == nil {
			t.Error("a shard tells no value")
		}
	}
	for _, of := range []int{0, keys.MaxShards + 1} {
		if !panics(func() { keys.Shards{Of: of}.Codec() }) {
			t.Errorf("%d shards", of)
		}
	}
}

// TestBuckets: the moments of a bucket, and no others, are written alike, from its beginning to before the next one's.
func TestBuckets(t *testing.T) {
	zone := time.FixedZone("", 3*3600+1800)
	for _, c := range []keys.Codec{keys.HourCodec, keys.DayCodec, keys.MonthCodec, keys.Minutes(1), keys.Minutes(20), keys.Hours(2), keys.Hours(12)} {
		if !c.Bucketed() {
			t.Errorf("%s is no bucket", c)
		}
		for _, at := range []time.Time{time.Date(2026, 11, 21, 9, 4, 5, 0, zone), time.Date(2028, 2, 29, 23, 59, 59, 0, time.UTC), time.Date(2026, 12, 31, 23, 0, 0, 0, time.UTC),
			time.Date(2026, 1, 31, 1, 0, 0, 0, zone), time.Date(1969, 12, 31, 23, 30, 0, 0, time.UTC)} {
			text := func(at time.Time) string { b, _ := c.AppendTime(nil, at); return string(b) }
			start, next := c.Bucket(at), c.NextBucket(at)
			if text(start) != text(at) || text(start.Add(-time.Millisecond)) == text(at) || text(next) == text(at) || text(next.Add(-time.Millisecond)) != text(at) {
				t.Errorf("%s of %v: %v to %v", c, at, start, next)
			}
			if got, err := c.ParseBucket(text(at)); err != nil || got != start {
				t.Errorf("%s: %s is %v, %v, not %v", c, text(at), got, err, start)
			}
			if c.Bucket(next) != next || c.NextBucket(start) != next {
				t.Errorf("%s: %v begins no bucket", c, next)
			}
		}
	}
	for text, c := range map[string]keys.Codec{"2026-11-21T09:10": keys.Minutes(20), "2026-11-21T03": keys.Hours(2), "2026-13": keys.MonthCodec, "2026-11-21": keys.HourCodec, "": keys.DayCodec} {
		if at, err := c.ParseBucket(text); err == nil {
			t.Errorf("%s: %s is %v", c, text, at)
		}
	}
	if keys.ISOCodec.Bucketed() || !panics(func() { keys.ISOCodec.Bucket(time.Now()) }) || !panics(func() { keys.TextCodec.NextBucket(time.Now()) }) {
		t.Error("every moment is its own bucket")
	}
}

func panics(f func()) (did bool) {
	defer func() { did = recover() != nil }()
	f()
	return false
}
