package attr_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/attr"
)

func TestKeyOrder(t *testing.T) {
	// Each list is in DynamoDB's order.
	numbers := []string{
		"-9.9999999999999999999999999999999999999E+125", "-1E125", "-1E124", "-100", "-99.99", "-99.9", "-99", "-10", "-9", "-1.01", "-1", "-0.1", "-0.01", "-1E-130",
		"0", "1E-130", "1.1E-130", "1E-129", "0.001", "0.01", "0.1", "0.11", "0.9", "1", "1.0000000000000000000000000000000000001", "1.01", "9", "9.5", "10", "12", "99", "99.5", "100", "101",
		"12345678901234567890123456789012345678", "1E125", "9.9999999999999999999999999999999999999E+125",
	}
	texts := []string{"", "\x00", "\x00\x00", "\x00\x01", "\x01", "\x01\x00", "\x01\x02", "\x02", "A", "Z", "a", "a\x00", "a\x00b", "a\x01", "a\x02", "aa", "ab", "b", "é", "\uffff", "😀", "\xff", "\xff\xff"}
	var lists [3][]attr.Value
	for _, n := range numbers {
		lists[0] = append(lists[0], attr.Num(attr.Dec(n)))
	}
	for _, s := range texts {
		lists[1] = append(lists[1], attr.Text(s))
		lists[2] = append(lists[2], attr.Binary([]byte(s)))
	}
	for _, list := range lists {
		for i, a := range list {
			for j, b := range list {
				want := min(max(i-j, -1), 1)
				if got := attr.Compare(a, b); got != want {
					t.Errorf("Compare(%v, %v) = %d", a, b, got)
				}
				if got := bytes.Compare(attr.AppendKey(nil, a), attr.AppendKey(nil, b)); got != want {
					t.Errorf("keys of %v and %v compare as %d", a, b, got)
				}
			}
		}
	}
}

// randomKey makes a value of a key type with many near collisions.
func randomKey(r *rand.Rand, kind attr.Kind) attr.Value {
	if kind == attr.KindN {
		return attr.Num(randomNumber(r))
	}
	b := make([]byte, r.IntN(4))
	for i := range b {
		b[i] = "\x00\x01\x02ab\xfe\xff"[r.IntN(7)]
	}
	if kind == attr.KindB {
		return attr.Binary(b)
	}
	return attr.Text(string(b))
}

func TestKeyTuples(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	kinds := []attr.Kind{attr.KindS, attr.KindN, attr.KindB}
	for range 50_000 {
		var a, b []attr.Value
		var ka, kb []byte
		want := 0
		for range 1 + r.IntN(4) {
			kind := kinds[r.IntN(3)]
			x, y := randomKey(r, kind), randomKey(r, kind)
			if r.IntN(2) == 0 {
				y = x
			}
			if want == 0 {
				want = attr.Compare(x, y)
			}
			a, b = append(a, x), append(b, y)
			ka, kb = attr.AppendKey(ka, x), attr.AppendKey(kb, y)
		}
		if got := bytes.Compare(ka, kb); got != want {
			t.Fatalf("%v and %v compare as %d, want %d", a, b, got, want)
		}
		for rest := ka; len(rest) > 0; a = a[1:] {
			var v attr.Value
			var err error
			if rest[0] == 0 || rest[0] == 0xff {
				t.Fatalf("a key begins with %x", rest[0])
			}
			if v, rest, err = attr.DecodeKey(rest); err != nil || !attr.Equal(v, a[0]) {
				t.Fatalf("%v decodes as %v %v", a[0], v, err)
			}
		}
	}
}

func TestKeyPrefix(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for range 20_000 {
		kind := []attr.Kind{attr.KindS, attr.KindB}[r.IntN(2)]
		v, p := randomKey(r, kind), randomKey(r, kind)
		got := bytes.HasPrefix(attr.AppendKey(nil, v), attr.AppendKeyPrefix(nil, p))
		if want := strings.HasPrefix(v.Str(), p.Str()); got != want {
			t.Fatalf("%v has prefix %v: %v, want %v", v, p, got, want)
		}
	}
}

func TestKeySizes(t *testing.T) {
	for _, c := range []struct {
		v    attr.Value
		size int
	}{
		{attr.Num(attr.Int(0)), 1},
		{attr.Num(attr.Int(-7)), 4},
		{attr.Num(attr.Int(1_779_010_203)), 8},
		{attr.Num(attr.Dec("1234567890123456789012345678901234567.8")), 23},
		{attr.Text("c-1843"), 8},
		{attr.Binary([]byte{0, 1, 2}), 7},
	} {
		if got := len(attr.AppendKey(nil, c.v)); got != c.size {
			t.Errorf("%v takes %d bytes, want %d", c.v, got, c.size)
		}
	}
}

func TestKeyPanics(t *testing.T) {
	for _, v := range []attr.Value{{}, attr.Bool(true), attr.Null(), attr.List(), attr.Map(attr.Item{}), attr.TextSet("a")} {
		for _, f := range []func(){func() { attr.AppendKey(nil, v) }, func() { attr.AppendKeyPrefix(nil, v) }} {
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("%v is a key", v)
					}
				}()
				f()
			}()
		}
	}
}

func FuzzDecodeKey(f *testing.F) {
	r := rand.New(rand.NewPCG(13, 14))
	for i := range 60 {
		f.Add(attr.AppendKey(nil, randomKey(r, []attr.Kind{attr.KindS, attr.KindN, attr.KindB}[i%3])))
	}
	f.Add([]byte{0x12, 0x80, 0x01, 0x00})
	f.Add([]byte{0x12, 0xff, 0x02, 0x00})
	f.Add([]byte{0x20, 0x01, 0x03, 0x00})
	f.Fuzz(func(t *testing.T, key []byte) {
		before := slices.Clone(key)
		v, rest, err := attr.DecodeKey(key)
		if !bytes.Equal(before, key) {
			t.Fatal("the key was changed")
		}
		if err != nil {
			return
		}
		if again := attr.AppendKey(nil, v); !bytes.Equal(append(again, rest...), key) {
			t.Fatalf("%x decodes as %v, whose key is %x", key, v, again)
		}
		if v.Kind() == attr.KindN {
			if n, err := attr.ParseNumber(v.Str()); err != nil || n != v.Number() {
				t.Fatalf("%x decodes as the number %s: %v", key, v.Str(), err)
			}
		}
	})
}

func BenchmarkKey(b *testing.B) {
	for _, v := range []attr.Value{attr.Text("o#01HZX3V7M8"), attr.Num(attr.Dec("1779010200.25"))} {
		b.Run("append "+v.Kind().String(), func(b *testing.B) {
			var buf []byte
			b.ReportAllocs()
			for b.Loop() {
				buf = attr.AppendKey(buf[:0], v)
			}
		})
		b.Run("decode "+v.Kind().String(), func(b *testing.B) {
			key := attr.AppendKey(nil, v)
			b.ReportAllocs()
			for b.Loop() {
				_, _, _ = attr.DecodeKey(key)
			}
		})
	}
}
