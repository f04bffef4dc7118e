package attr

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
)

// endOf is where the value at i ends, byte by byte.
func endOf(text []byte, i int) int {
	depth := 0
	for ; i < len(text); i++ {
		switch text[i] {
		case '"':
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
			if i >= len(text) {
				return len(text)
			}
			if depth == 0 {
				return i + 1
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			} else if depth < 0 {
				return i
			}
		case ',', ' ', '\t', '\n', '\r':
			if depth == 0 {
				return i
			}
		}
	}
	return i
}

// What is passed over eight bytes at once ends where it ends byte by byte, wherever it begins and whatever it is, and where the JSON
// value ends if it is one.
func TestPassValue(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	pieces := []string{`{`, `}`, `[`, `]`, `"`, `\"`, `\\`, `\`, `a`, `:`, `,`, ` `, `é`, `😀`, `{"S":"x"}`, `"a":{"N":"17"}`, `,"name":{"L":[{"S":"]}"}]}`, `"\\"`, "\x00", "\xdb\xdd", `0123456789`}
	for range 200_000 {
		var b strings.Builder
		for range 1 + rng.IntN(12) {
			b.WriteString(pieces[rng.IntN(len(pieces))])
		}
		text := []byte(b.String())
		from := rng.IntN(len(text))
		if got, want := passValue(text, from), endOf(text, from); got != want {
			t.Fatalf("%q from %d on ends at %d, want %d", text, from, got, want)
		}
	}
	var value func(depth int) any
	value = func(depth int) any {
		switch n := rng.IntN(8); {
		case n < 2 && depth < 5:
			list := make([]any, rng.IntN(4))
			for i := range list {
				list[i] = value(depth + 1)
			}
			return list
		case n < 5 && depth < 5:
			m := map[string]any{}
			for range rng.IntN(4) {
				m[pieces[rng.IntN(len(pieces))]] = value(depth + 1)
			}
			return m
		}
		return strings.Repeat(pieces[rng.IntN(len(pieces))], rng.IntN(5))
	}
	for range 20_000 {
		text, err := json.Marshal(value(0))
		if err != nil {
			t.Fatal(err)
		}
		if got := passValue(append(text, `,"more":{}}`...), 0); got != len(text) {
			t.Fatalf("%s ends at %d, want %d", text, got, len(text))
		}
	}
}
