package keys_test

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/keys"
)

// TestComposite: keys compare as the lists of their parts, no two lists give one key, and all read back.
func TestComposite(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	list := func() []string {
		parts := make([]string, 1+r.IntN(3))
		for i := range parts {
			parts[i] = sampleText(r)
		}
		return parts
	}
	for range 100_000 {
		a, b := list(), list()
		x, y := keys.Composite(a...), keys.Composite(b...)
		if got, want := cmp.Compare(x, y), slices.Compare(a, b); got != want {
			t.Fatalf("%q and %q compare %d, their keys %q and %q %d", a, b, want, x, y, got)
		}
		if back, err := keys.Split(x); err != nil || !slices.Equal(back, a) {
			t.Fatalf("%q is read %q, %v", x, back, err)
		}
		// Whatever continues the first parts lies between the key and Separator, and the next byte.
		if prefix := x + "#"; (len(b) > len(a) && slices.Equal(a, b[:len(a)])) != (y >= prefix && y < x+"$") {
			t.Fatalf("%q in the range of %q", y, prefix)
		}
	}
	if _, err := keys.Split("a b"); err == nil {
		t.Error("a space was never written")
	}
}

func TestSuccessor(t *testing.T) {
	for prefix, want := range map[string]string{
		"a": "b", "order#": "order$", "\x7f": "\u0080", "é": "ê", "\u07ff": "\u0800", "\ud7ff": "\ue000", "\uffff": "\U00010000",
		"a\U0010ffff": "b", "a\U0010ffff\U0010ffff": "b", "\x00": "\x01",
	} {
		if got, ok := keys.Successor(prefix); !ok || got != want {
			t.Errorf("Successor(%q) = %q, %v, not %q", prefix, got, ok, want)
		}
	}
	for _, prefix := range []string{"", "\U0010ffff", "\U0010ffff\U0010ffff"} {
		if got, ok := keys.Successor(prefix); ok || got != "" {
			t.Errorf("Successor(%q) = %q, %v", prefix, got, ok)
		}
	}
	r := rand.New(rand.NewPCG(7, 8))
	for range 100_000 {
		prefix, s := sampleText(r), sampleText(r)
		if r.IntN(2) == 0 {
			s = prefix + s
		}
		end, ok := keys.Successor(prefix)
		if in := prefix <= s && (!ok || s < end); in != strings.HasPrefix(s, prefix) {
			t.Fatalf("%q, prefix %q, end %q", s, prefix, end)
		}
		binaryEnd, binaryOK := keys.SuccessorBytes([]byte(prefix))
		if in := prefix <= s && (!binaryOK || s < string(binaryEnd)); in != strings.HasPrefix(s, prefix) {
			t.Fatalf("bytes %q, prefix %q, end %q", s, prefix, binaryEnd)
		}
		if next := keys.Next(s); s >= next || prefix > s && prefix < next {
			t.Fatalf("%q lies between %q and the next", prefix, s)
		}
	}
	for prefix, want := range map[string]string{"a": "b", "a\xff": "b", "\x00\xff\xff": "\x01"} {
		if got, ok := keys.SuccessorBytes([]byte(prefix)); !ok || string(got) != want {
			t.Errorf("SuccessorBytes(%q) = %q, %v", prefix, got, ok)
		}
	}
	if got, ok := keys.SuccessorBytes([]byte("\xff\xff")); ok || got != nil {
		t.Errorf("%q, %v", got, ok)
	}
}

func TestShards(t *testing.T) {
	for _, of := range []int{1, 2, 8, 10, 11, 100, 101} {
		s := keys.Shards{Of: of}
		last := ""
		for i := range of {
			b, err := s.Append(nil, i)
			if err != nil || len(b) != s.Width() || string(b) <= last {
				t.Fatalf("shard %d of %d: %q after %q, %v", i, of, b, last, err)
			}
			last = string(b)
			if back, err := s.Decode(last); err != nil || back != i {
				t.Fatalf("%q is read %d, %v", last, back, err)
			}
		}
		for _, i := range []int{-1, of} {
			if b, err := s.Append(nil, i); err == nil {
				t.Errorf("shard %d of %d: %q", i, of, b)
			}
		}
	}
	for _, text := range []string{"", "1", "+1", "-1", "64", "0x", "007", " 1"} {
		if i, err := (keys.Shards{Of: 64}).Decode(text); err == nil {
			t.Errorf("%q is shard %d", text, i)
		}
	}
	if (keys.Shards{}).Width() != 1 || (keys.Shards{}).Hash(attr.Text("a")) != 0 {
		t.Error("no shards are one")
	}
}

// TestShardHash: values spread evenly, also where they differ in little, and always the same way.
func TestShardHash(t *testing.T) {
	for _, of := range []int{2, 7, 8, 64} {
		counts := make([]int, of)
		const n = 64_000
		for i := range n {
			counts[keys.Shards{Of: of}.Hash(attr.Num(attr.Int(int64(i))))]++
		}
		chi := 0.0
		for _, c := range counts {
			expected := float64(n) / float64(of)
			chi += (float64(c) - expected) * (float64(c) - expected) / expected
		}
		if chi > 3*float64(of)+20 {
			t.Errorf("%d shards: chi square %.1f, %v", of, chi, counts)
		}
	}
	// Stored data depends on these.
	for text, want := range map[string]int{"": 38, "a": 27, "customer-42": 57, "Zoë": 57} {
		if got := (keys.Shards{Of: 64}).Hash(attr.Text(text)); got != want {
			t.Errorf("%q is in shard %d of 64, not %d", text, got, want)
		}
	}
	if (keys.Shards{Of: 1 << 20}).Hash(attr.Text("42")) != (keys.Shards{Of: 1 << 20}).Hash(attr.Num(attr.Int(42))) {
		t.Error("a number is hashed by its normal form")
	}
}

// FuzzSplit: what is read as a composite key is written the same.
func FuzzSplit(f *testing.F) {
	f.Add("a#b$23c")
	f.Add("##")
	f.Add("$24$2")
	f.Fuzz(func(t *testing.T, s string) {
		parts, err := keys.Split(s)
		if err == nil && keys.Composite(parts...) != s {
			t.Errorf("%q is read %q", s, parts)
		}
	})
}
