package differ_test

import (
	"encoding/base64"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// gen makes requests. All its choices come from one seed.
type gen struct {
	*rand.Rand
	mistakes float64 // the share of requests with something wrong in them
}

func newGen(seed uint64) *gen {
	return &gen{Rand: rand.New(rand.NewPCG(seed, 0x7461626c65)), mistakes: 0.25}
}

// chance is true with a probability.
func (g *gen) chance(p float64) bool { return g.Float64() < p }

func pick[T any](g *gen, from ...T) T { return from[g.IntN(len(from))] }

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// Attribute types that values are made of.
var allTypes = []string{"S", "N", "B", "BOOL", "NULL", "SS", "NS", "BS", "L", "M"}

// numbers are some that are equal in different clothes, and some at the limits.
var numbers = []string{
	"0", "1", "2", "3", "-1", "10", "100", "1.5", "1.0", "007", "-0", "1e2", "0.001", "12345678901234567890123456789012345678",
	"-99999999999999999999999999999999999999", "1E-130", "9.9999999999999999999999999999999999999E+125", "120", "12000",
}

var texts = []string{"", "a", "b", "ab", "abc", "ä", "zz", "a#b", "😀", "Z", "0", "10", "9"}

func (g *gen) text() string { return pick(g, texts...) }

func (g *gen) bytes() string {
	b := make([]byte, g.IntN(4))
	for i := range b {
		b[i] = pick[byte](g, 0, 1, 'a', 255)
	}
	return base64.StdEncoding.EncodeToString(b)
}

// keyValue is a value of few, so that requests meet the same items again.
func (g *gen) keyValue(kind string, of int) obj {
	n := g.IntN(of)
	switch kind {
	case "N":
		return obj{"N": strconv.Itoa(n - 2)}
	case "B":
		return obj{"B": base64.StdEncoding.EncodeToString([]byte{byte(n * 60), 'x'}[:1+n%2])}
	default:
		return obj{"S": pick(g, "k", "k", "ä") + strconv.Itoa(n)}
	}
}

func distinct(g *gen, n int, from []string) list {
	var l list
	for _, i := range g.Perm(len(from))[:min(n, len(from))] {
		l = append(l, from[i])
	}
	return l
}

// value is a value of a type, valid as it stands.
func (g *gen) value(kind string, depth int) obj {
	switch kind {
	case "S":
		if g.chance(0.06) {
			return obj{"S": strings.Repeat("long ", 1+g.IntN(900))}
		}
		return obj{"S": g.text()}
	case "N":
		return obj{"N": pick(g, numbers...)}
	case "B":
		return obj{"B": g.bytes()}
	case "BOOL":
		return obj{"BOOL": g.chance(0.5)}
	case "NULL":
		return obj{"NULL": true}
	case "SS":
		return obj{"SS": distinct(g, 1+g.IntN(3), texts[1:6])}
	case "NS":
		return obj{"NS": distinct(g, 1+g.IntN(3), []string{"1", "2", "3.50", "-4", "1e3"})}
	case "BS":
		return obj{"BS": distinct(g, 1+g.IntN(3), []string{"AA==", "YQ==", "YWI=", "/w=="})}
	case "L":
		l := list{}
		for range g.IntN(4) {
			l = append(l, g.any(depth+1))
		}
		return obj{"L": l}
	default:
		m := obj{}
		for range g.IntN(4) {
			m[pick(g, "x", "y", "z")] = g.any(depth + 1)
		}
		return obj{"M": m}
	}
}

func (g *gen) any(depth int) obj {
	if depth > 2 {
		return g.value(pick(g, allTypes[:8]...), depth)
	}
	return g.value(pick(g, allTypes...), depth)
}

// typical are the attributes of items, and the type that each usually has.
var typical = []struct{ name, kind string }{
	{"a", "N"}, {"b", "S"}, {"c", "L"}, {"d", "M"}, {"e", "SS"}, {"f", "NS"}, {"g", "BS"}, {"flag", "BOOL"}, {"nil", "NULL"}, {"bin", "B"},
}

// key is a key of a table.
func (g *gen) key(s *shape) obj {
	k := obj{}
	for i, name := range s.keys {
		k[name] = g.keyValue(s.types[name], 3+i*4)
	}
	return k
}

// item is an item of a table: index attributes are there more often than not.
func (g *gen) item(s *shape) obj {
	item := g.key(s)
	for _, name := range sortedKeys(s.types) {
		if item[name] == nil && g.chance(0.75) {
			item[name] = g.keyValue(s.types[name], 3)
		}
	}
	for _, a := range typical {
		switch {
		case g.chance(0.5):
			item[a.name] = g.value(a.kind, 0)
		case g.chance(0.05):
			item[a.name] = g.any(0)
		}
	}
	return item
}

// badValue is a value that no item can have.
func (g *gen) badValue() any {
	return pick[any](g,
		obj{"N": pick(g, "", "abc", "NaN", "Infinity", "0x1", "1e126", "1e-131", "1_0", " 1", "1 ", "--1", "1.2.3", ".", "123456789012345678901234567890123456789")},
		obj{"SS": list{}}, obj{"NS": list{}}, obj{"BS": list{}}, obj{"SS": list{"a", "a"}}, obj{"NS": list{"1", "1.0"}}, obj{"BS": list{"YQ==", "YQ=="}},
		obj{"NS": list{"1", "x"}}, obj{"NULL": false}, obj{}, obj{"S": "a", "N": "1"}, obj{"L": list{obj{}}}, obj{"M": obj{"x": obj{"SS": list{}}}},
		obj{"L": list{obj{"N": "nope"}}},
	)
}
