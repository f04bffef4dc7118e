package plan

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/expr"
	"github.com/tablewright/tablewright/keys"
	"github.com/tablewright/tablewright/spec"
)

// A made-up attribute of each type that templates take, with values that are hard on keys.
type sample struct {
	attribute *spec.Attribute
	codecs    []string // of templates; "" is none
	value     func(*rand.Rand) attr.Value
}

var nasty = []string{"", "a", "b", "#", "$", "$2", "$23", "!", "\x00", "\x01", " ", "%", "~", "é", "\u0080", "\uffff", "\U0010ffff", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "A", "0", "9", "Z", ":"}

func anyText(r *rand.Rand) string {
	var b strings.Builder
	for range r.IntN(4) {
		b.WriteString(nasty[r.IntN(len(nasty))])
	}
	return b.String()
}

var moments = []string{
	"0000-01-01T00:00:00.000Z", "1970-01-01T00:00:00.000Z", "2026-11-20T23:59:59.999Z", "2026-11-21T00:00:00.000Z", "2026-11-21T00:00:00.001Z",
	"2026-11-21T09:04:00.000Z", "2026-11-21T10:00:00.000Z", "2026-12-01T00:00:00.000Z", "2286-11-20T17:46:39.999Z", "9999-12-31T23:59:59.999Z",
}

func samples() []sample {
	zero := attr.Int(0)
	ulids := []string{"01ARZ3NDEKTSV4RRFFQ69G5FA0", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "01ARZ3NDEKTSV4RRFFQ69G5FZZ"}
	pick := func(from []string) func(*rand.Rand) attr.Value {
		return func(r *rand.Rand) attr.Value { return attr.Text(from[r.IntN(len(from))]) }
	}
	return []sample{
		{&spec.Attribute{Name: "name", Type: spec.String}, []string{"text", ""}, func(r *rand.Rand) attr.Value { return attr.Text(anyText(r)) }},
		{&spec.Attribute{Name: "id", Type: spec.String, Generated: "ulid"}, []string{"raw", "text"}, pick(ulids)},
		{&spec.Attribute{Name: "state", Type: spec.String, Enum: []string{"open", "opened", "shut"}}, []string{"text", "raw"}, pick([]string{"open", "opened", "shut"})},
		{&spec.Attribute{Name: "at", Type: spec.Timestamp}, []string{"iso", "iso:inverted", "day", "hour", "month"}, pick(moments)},
		{&spec.Attribute{Name: "since", Type: spec.Timestamp}, []string{"ms13", "ms13:inverted"}, pick(moments[1:9])},
		{&spec.Attribute{Name: "due", Type: spec.Date}, []string{"", "day", "month"}, pick([]string{"2025-12-31", "2026-01-01", "2026-01-02", "2026-02-01"})},
		{&spec.Attribute{Name: "score", Type: spec.Number, Digits: 5, Scale: 2, Min: &zero}, []string{"pad4.2", "pad4.2:inverted"}, func(r *rand.Rand) attr.Value {
			return attr.Num(attr.Dec([]string{"0", "0.01", "9", "10", "10.5", "999.99", "1000"}[r.IntN(7)]))
		}},
	}
}

// randomRecipe makes a template of one to three parts.
func randomRecipe(r *rand.Rand, all []sample) (*Recipe, []sample) {
	for {
		n := 1 + r.IntN(3)
		order := r.Perm(len(all))[:n]
		var text strings.Builder
		var parts []sample
		text.WriteString([]string{"", "o#", "p#", "x"}[r.IntN(4)])
		for i, j := range order {
			s := all[j]
			c := s.codecs[r.IntN(len(s.codecs))]
			if c != "" {
				c = ":" + c
			}
			text.WriteString("{" + s.attribute.Name + c + "}")
			parts = append(parts, s)
			if i < n-1 || r.IntN(4) == 0 {
				text.WriteString([]string{"#", "#c#", "!", " "}[r.IntN(4)])
			}
		}
		if rec := compileRecipe(text.String(), parts); rec != nil {
			return rec, parts
		}
	}
}

func compileRecipe(text string, parts []sample) *Recipe {
	t, err := parseTemplate(text)
	if err != nil {
		return nil
	}
	rec := &Recipe{Wire: Wire{"SK", S}, Text: text, Literals: t.literals}
	alone := len(t.parts) == 1 && t.literals[0] == "" && t.literals[1] == ""
	for i, p := range t.parts {
		c, err := newCodec(parts[i].attribute, p.codecs, S, alone, 0)
		if err != nil {
			return nil
		}
		rec.Parts = append(rec.Parts, &Part{Path: p.path, Attribute: parts[i].attribute, target: own(parts[i].attribute), codec: c})
	}
	if !(&compiler{}).separable(nil, rec) {
		return nil
	}
	rec.finish()
	return rec
}

// written is the wire text of values; false if one does not fit its codec or the text would be empty.
func writtenText(rec *Recipe, values []attr.Value) (string, bool) {
	b, err := rec.appendParts(nil, values)
	return string(b), err == nil
}

// compareLogical orders values as the requirements do.
func compareLogical(a, b attr.Value) int { return attr.Compare(a, b) }

// A range selects exactly the items that meet the condition that it stands for, whatever the values are: `#`, `$` and NUL
// bytes, long continuations, ends that are reached exactly.
func TestRangesSelectExactly(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	all := samples()
	tested, inside := 0, 0
	for range 4_000 {
		rec, parts := randomRecipe(r, all)
		var items [][]attr.Value
		for range 25 {
			var v []attr.Value
			for _, p := range parts {
				v = append(v, p.value(r))
			}
			items = append(items, v)
		}
		bound := r.IntN(len(parts) + 1)
		base := items[r.IntN(len(items))][:bound]
		var e ends
		exact := true
		for _, p := range rec.Parts[:bound] {
			exact = exact && p.codec.readable
		}
		condition := func(v attr.Value) bool { return true }
		what := "all"
		if bound < len(parts) && r.IntN(4) > 0 {
			p := rec.Parts[bound]
			low, high := beyond(r, parts[bound].value(r)), beyond(r, parts[bound].value(r))
			if r.IntN(3) > 0 && compareLogical(low, high) > 0 {
				low, high = high, low
			}
			switch form := r.IntN(6); {
			case p.codec.keepsPrefix(p.Attribute) && form == 0:
				prefix := attr.Text(anyText(r))
				e.prefix = &prefix
				condition = func(v attr.Value) bool { return strings.HasPrefix(v.Str(), prefix.Str()) }
				what = fmt.Sprintf("prefix %q", prefix.Str())
			default:
				lowOut, highOut := r.IntN(2) == 0, r.IntN(2) == 0
				if form != 1 {
					e.low, e.lowOut = &low, lowOut
				}
				if form != 2 {
					e.high, e.highOut = &high, highOut
				}
				hasLow, hasHigh := e.low != nil, e.high != nil
				condition = func(v attr.Value) bool {
					if hasLow {
						if c := compareLogical(v, low); c < 0 || c == 0 && lowOut {
							return false
						}
					}
					if hasHigh {
						if c := compareLogical(v, high); c > 0 || c == 0 && highOut {
							return false
						}
					}
					return true
				}
				what = fmt.Sprintf("%v %q %v – %v %q %v", hasLow, low.Str(), lowOut, hasHigh, high.Str(), highOut)
				exact = exact && p.codec.order != keys.Weakly
			}
		}
		x, err := rec.rangeOn(base, e)
		if _, ok := writtenText(rec, base); err != nil && ok && e.prefix == nil && (e.low != nil && e.low.Kind() == attr.KindN || e.high != nil && e.high.Kind() == attr.KindN) {
			t.Fatalf("%s, range %s: %v", rec.Text, what, err) // any number may be the end of a range
		}
		if err != nil {
			continue // a value that the codec refuses
		}
		for _, v := range items {
			text, ok := writtenText(rec, v)
			if !ok || text == "" {
				continue // no key is empty
			}
			want := true
			for i := range base {
				want = want && attr.Equal(base[i], v[i])
			}
			if bound < len(parts) {
				want = want && condition(v[bound])
			}
			got := x.holds(attr.Text(text))
			tested++
			if want {
				inside++
			}
			if want && !got || exact && got && !want {
				t.Fatalf("%s: %q with %v, range %s: condition %v, range %v\n%+v", rec.Text, text, v, what, want, got, x)
			}
			if got && !matches(t, &x, text) {
				t.Fatalf("%s: %q lies in the range %+v, and not in its key condition", rec.Text, text, x)
			}
			if !got && exact && matches(t, &x, text) && !onEnd(&x, text) {
				t.Fatalf("%s: %q lies in the key condition of %+v, and neither in the range nor on its end", rec.Text, text, x)
			}
		}
	}
	if inside < tested/20 {
		t.Errorf("only %d of %d lie inside: the test tests little", inside, tested)
	}
}

// beyond is an end that need not be a value that is ever stored: a number with more digits, more decimals or another sign.
func beyond(r *rand.Rand, v attr.Value) attr.Value {
	if v.Kind() != attr.KindN || r.IntN(3) > 0 {
		return v
	}
	by := attr.Dec([]string{"1000000000000", "-1000000000000", "0.00000000005", "-0.00000000005", "-7"}[r.IntN(5)])
	if n, err := v.Number().Add(by); err == nil {
		return attr.Num(n)
	}
	return v
}

// matches asks the key condition that is sent.
func matches(t *testing.T, x *interval, text string) bool {
	if x.none {
		return false
	}
	term, ok := x.term("SK")
	if !ok {
		return true
	}
	k, err := expr.NewKeyExpression(expr.KeyTerm{Attribute: "PK", Op: expr.KeyEqual, Low: attr.Text("p")}, term).
		For(expr.KeySchema{Hash: []expr.KeyAttr{{Name: "PK", Kind: attr.KindS}}, Range: []expr.KeyAttr{{Name: "SK", Kind: attr.KindS}}})
	if err != nil {
		t.Fatalf("%+v: %v", x, err)
	}
	return k.Match(attr.ItemOf(attr.Field{Name: "PK", Value: attr.Text("p")}, attr.Field{Name: "SK", Value: attr.Text(text)}))
}

func onEnd(x *interval, text string) bool {
	return text == x.low.Str() && !x.low.IsZero() || text == x.high.Str() && !x.high.IsZero()
}

// The range around several kinds holds the ranges of all.
func TestHull(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	all := samples()
	for range 3_000 {
		var xs []interval
		var texts []string
		for range 1 + r.IntN(3) {
			rec, parts := randomRecipe(r, all)
			var values []attr.Value
			for _, p := range parts {
				values = append(values, p.value(r))
			}
			x, err := rec.rangeOn(values[:r.IntN(len(values)+1)], ends{})
			if err != nil {
				continue
			}
			xs = append(xs, x)
			for range 10 {
				for i, p := range parts {
					values[i] = p.value(r)
				}
				if text, ok := writtenText(rec, values); ok && text != "" {
					texts = append(texts, text)
				}
			}
		}
		h := hull(xs)
		for _, text := range texts {
			if slices.ContainsFunc(xs, func(x interval) bool { return x.holds(attr.Text(text)) }) && !h.holds(attr.Text(text)) {
				t.Fatalf("%q lies in one of %+v and not in the hull %+v", text, xs, h)
			}
		}
	}
}

// What a template writes reads back as the values it was made of, and belongs to the template's language; and templates
// that can write one text are known to meet.
func TestRecipesReadBack(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	all := samples()
	type text struct {
		of *Recipe
		s  string
	}
	var seen []text
	for range 3_000 {
		rec, parts := randomRecipe(r, all)
		var values []attr.Value
		for _, p := range parts {
			values = append(values, p.value(r))
		}
		s, ok := writtenText(rec, values)
		if !ok {
			continue
		}
		one := newLang()
		one.literal(s)
		if !meet(rec.texts, one) {
			t.Fatalf("%s wrote %q, which its language does not have", rec.Text, s)
		}
		split, ok := rec.split(s, nil)
		if !ok {
			t.Fatalf("%s wrote %q and cannot split it", rec.Text, s)
		}
		if !rec.own(attr.Text(s), nil) {
			t.Fatalf("%s does not know %q for its own", rec.Text, s)
		}
		for i, p := range rec.Parts {
			if !p.codec.readable {
				continue
			}
			if v, err := p.codec.decode(split[i]); err != nil || !attr.Equal(v, values[i]) {
				t.Fatalf("%s wrote %q of %v and read %v back (%v)", rec.Text, s, values[i], v, err)
			}
		}
		for _, o := range seen[max(0, len(seen)-60):] {
			if o.s == s && !rec.meets(o.of) {
				t.Fatalf("%s and %s both wrote %q and are said never to meet", rec.Text, o.of.Text, s)
			}
			if o.of.own(attr.Text(s), nil) && !rec.meets(o.of) {
				t.Fatalf("%s wrote %q, which %s takes for its own, and they are said never to meet", rec.Text, s, o.of.Text)
			}
		}
		seen = append(seen, text{rec, s})
	}
}

// A kind that is said not to fall into a query's range never does, whatever the parameters and values are; and the
// texts of two templates sort as their values do.
func TestRangesMeet(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	all := samples()
	met := 0
	for range 6_000 {
		rec, parts := randomRecipe(r, all)
		other, otherParts := randomRecipe(r, all)
		bound := r.IntN(len(parts) + 1)
		b := bind{wire: rec.Wire, recipes: []*Recipe{rec}}
		for range bound {
			b.values = append(b.values, spec.Expr{})
		}
		b.each = [][]spec.Expr{b.values}
		var e ends
		var values []attr.Value
		for _, p := range parts {
			values = append(values, p.value(r))
		}
		if bound < len(parts) && rec.Parts[bound].codec.order != keys.NoOrder {
			low, high := parts[bound].value(r), parts[bound].value(r)
			if r.IntN(2) == 0 {
				e.low, e.lowOut, b.low = &low, r.IntN(2) == 0, &limit{}
			}
			if r.IntN(2) == 0 {
				e.high, e.highOut, b.high = &high, r.IntN(2) == 0, &limit{}
			}
		}
		x, err := rec.rangeOn(values[:bound], e)
		if err != nil || x.none {
			continue
		}
		k := &Kind{Entity: &spec.Entity{}, Recipes: []*Recipe{other}}
		k.index()
		possible := b.meets(k)
		for range 15 {
			var v []attr.Value
			for _, p := range otherParts {
				v = append(v, p.value(r))
			}
			text, ok := writtenText(other, v)
			if ok && text != "" && matches(t, &x, text) {
				met++
				if !possible {
					t.Fatalf("%q of %s lies in the range %+v of %s, and is said to be impossible", text, other.Text, x, rec.Text)
				}
			}
		}
	}
	if met < 50 {
		t.Errorf("only %d fell into a range: the test tests little", met)
	}
}

// Languages meet exactly if a text is in both: compared with trying all short texts.
func TestLanguages(t *testing.T) {
	alphabet := []byte{0x00, '#', '$', '2', '3', 'a', 'b', 0xff}
	var texts []string
	var grow func(string)
	grow = func(s string) {
		texts = append(texts, s)
		if len(s) < 4 {
			for _, c := range alphabet {
				grow(s + string([]byte{c}))
			}
		}
	}
	grow("")
	build := map[string]func(*lang){
		"a":          func(l *lang) { l.literal("a") },
		"#":          func(l *lang) { l.literal("#") },
		"any":        (*lang).any,
		"high":       (*lang).high,
		"escaped":    (*lang).escaped,
		"one of":     func(l *lang) { l.oneOf([]string{"", "a", "ab", "b#"}) },
		">= a#":      func(l *lang) { l.atLeast("a#") },
		"<= a#":      func(l *lang) { l.atMost("a#") },
		"<= nothing": func(l *lang) { l.atMost("") },
		"digit":      func(l *lang) { l.shape("0") },
	}
	in := map[string]func(string) bool{
		"a":   func(s string) bool { return s == "a" },
		"#":   func(s string) bool { return s == "#" },
		"any": func(string) bool { return true },
		"high": func(s string) bool {
			return !strings.ContainsFunc(s, func(r rune) bool { return r < 0x25 && r != 0xfffd })
		},
		"escaped": func(s string) bool {
			for i := 0; i < len(s); i++ {
				switch {
				case s[i] < '$':
					return false
				case s[i] == '$':
					if i+2 >= len(s) || s[i+1] < '0' || s[i+1] > '2' || !strings.ContainsRune("0123456789ABCDEF", rune(s[i+2])) {
						return false
					}
					i += 2
				}
			}
			return true
		},
		"one of":     func(s string) bool { return slices.Contains([]string{"", "a", "ab", "b#"}, s) },
		">= a#":      func(s string) bool { return s >= "a#" },
		"<= a#":      func(s string) bool { return s <= "a#" },
		"<= nothing": func(s string) bool { return s == "" },
		"digit":      func(s string) bool { return len(s) == 1 && s[0] >= '0' && s[0] <= '9' },
	}
	for name, f := range build {
		l := newLang()
		f(l)
		for _, s := range texts {
			one := newLang()
			one.literal(s)
			if got := meet(l, one); got != in[name](s) {
				t.Fatalf("%s has %q: %v", name, s, got)
			}
		}
		for other, g := range build {
			m := newLang()
			g(m)
			both := slices.ContainsFunc(texts, func(s string) bool { return in[name](s) && in[other](s) })
			if meet(l, m) != both {
				t.Errorf("%s and %s meet: %v", name, other, !both)
			}
		}
	}
}

// FuzzTemplate: what parses prints as it was written, and parses again.
func FuzzTemplate(f *testing.F) {
	for _, s := range []string{"", "o#{orderId}", "{a.b:iso:inverted}#{c}", "{", "}", "{}", "{a:}", "{:a}", "{a b}", "{{a}}", "x{a}y{b}z", "{é}", "{1}", "{a-b}", "{shard}", "{a:pad10.2}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p, err := parseTemplate(s)
		if err != nil {
			return
		}
		if p.String() != s {
			t.Fatalf("%q prints as %q", s, p.String())
		}
		if len(p.literals) != len(p.parts)+1 {
			t.Fatalf("%q: %d literals for %d parts", s, len(p.literals), len(p.parts))
		}
		for _, part := range p.parts {
			if len(part.path) == 0 || slices.Contains(part.codecs, "") || s[part.pos] != '{' {
				t.Fatalf("%q: %+v", s, part)
			}
		}
	})
}
