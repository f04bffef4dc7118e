package keys_test

import (
	"testing"
	"time"

	"github.com/tablewright/tablewright/keys"
)

// TestText escapes what sorts below and with the separator, and reads back that alone.
func TestText(t *testing.T) {
	for s, want := range map[string]string{"": "", "Oslo": "Oslo", "a#b": "a$23b", "a b": "a$20b", "$": "$24", "ö%&": "ö%&", "\x00": "$00"} {
		got := string(keys.AppendText([]byte("k#"), s))
		back, err := keys.DecodeText(got[2:])
		if got != "k#"+want || err != nil || back != s {
			t.Errorf("%q: %q, back %q, %v", s, got, back, err)
		}
	}
	for _, s := range []string{"a#b", "$", "$2", "$2x", "$25", "$2f", "a b", "$ 3"} {
		if back, err := keys.DecodeText(s); err == nil {
			t.Errorf("%q was read as %q, which is written otherwise", s, back)
		}
	}
}

func TestInverted(t *testing.T) {
	pad := keys.Pad(4, 0)
	inverted, ok := pad.Inverted()
	if !ok || inverted.String() != "pad4:inverted" || pad.Order() != keys.Same || inverted.Order() != keys.Reversed {
		t.Errorf("%v, %v, %v", inverted, ok, inverted.Order())
	}
	if again, ok := inverted.Inverted(); ok {
		t.Errorf("inverted twice: %v", again)
	}
	if text, err := keys.ParseCodec("text"); err != nil {
		t.Error(err)
	} else if c, ok := text.Inverted(); ok {
		t.Errorf("a text was inverted: %v", c)
	}
}

// A shard's codec writes what Shards writes, and tells it from other texts.
func TestShardCodec(t *testing.T) {
	s := keys.Shards{Of: 100}
	c := s.Codec()
	got, err := c.AppendShard([]byte("k#"), 7)
	want, wrong := s.Append([]byte("k#"), 7)
	if err != nil || wrong != nil || string(got) != string(want) || string(got) != "k#07" {
		t.Errorf("%s, %v; %s, %v", got, err, want, wrong)
	}
	if _, err := c.AppendShard(nil, 100); err == nil {
		t.Error("shard 100 of 100")
	}
	if !c.IsShard("07") || c.IsShard("7") || c.IsShard("100") || c.IsShard("x") {
		t.Error("07 alone is a shard")
	}
}

func TestBuckets(t *testing.T) {
	at := time.Date(2026, 12, 31, 23, 59, 0, 0, time.UTC)
	for name, next := range map[string]time.Time{"hour": at.Add(time.Minute), "day": at.Add(time.Minute), "month": at.Add(time.Minute)} {
		c, err := keys.ParseCodec(name)
		if err != nil || !c.Bucketed() || !c.NextBucket(at).Equal(next) || !c.Bucket(c.NextBucket(at)).Equal(next) {
			t.Errorf("%s: %v, %v", name, c, err)
		}
	}
	if c, _ := keys.ParseCodec("iso"); c.Bucketed() {
		t.Error("a moment is no bucket")
	}
}
