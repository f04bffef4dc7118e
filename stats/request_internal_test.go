package stats

import (
	"encoding/json"
	"slices"
	"testing"
	"time"
)

// How expressions name attributes: with or without a placeholder, and compared such that nothing else will do.
func TestNaming(t *testing.T) {
	r := request{names: []byte(`{"#a":"alpha","#b":"beta","#c":"gamma"}`), values: []byte(`{":x":{"S":"1"},":xx":{"S":"2"}}`)}
	for expression, want := range map[string][]string{
		`"#a = :x"`:                               {"alpha ="},
		`":x = #a AND #b <> :y"`:                  {"alpha =", "beta"},
		`"#a = :x AND (#b = :y OR #c = :z)"`:      {"alpha =", "beta", "gamma"},
		`"(#a = :x) AND (delta IN (:y, :z))"`:     {"alpha =", "delta = bare"},
		`"#a = :x OR #b = :y"`:                    {"alpha", "beta"},
		`"NOT #a = :x"`:                           {"alpha"},
		`"#a <= :x AND :y >= #b"`:                 {"alpha", "beta"},
		`"#a \u003c= :x AND :y \u003e= #b"`:       {"alpha", "beta"}, // as encoding/json writes it
		`"#a.#b = :x AND size(#c) = :n"`:          {"alpha", "gamma"},
		`"begins_with(omega, :p) AND order = :o"`: {"omega bare", "order = bare"},
	} {
		var got []string
		r.paths([]byte(expression), Sifted, func(name []byte, n naming) {
			text := string(name)
			if n.equal {
				text += " ="
			}
			if n.bare {
				text += " bare"
			}
			got = append(got, text)
		})
		if !slices.Equal(got, want) {
			t.Errorf("%s names %q, want %q", expression, got, want)
		}
	}
	for update, want := range map[string]string{
		`"SET #b = :xx, #a = :x"`:      `{"S":"1"}`,
		`"SET #a=:xx REMOVE beta"`:     `{"S":"2"}`,
		`"SET #a = #a + :x"`:           "",
		`"SET #a = :x + #b"`:           "",
		`"SET #b.alpha = :x"`:          "",
		`"SET alpha = :x ADD beta :y"`: `{"S":"1"}`,
		`"REMOVE #a"`:                  "",
	} {
		r.update = json.RawMessage(update)
		if got := string(r.assigned("alpha")); got != want {
			t.Errorf("%s assigns %q, want %q", update, got, want)
		}
	}
}

// Periods that meet are one; of too many, those that are nearest to each other.
func TestJoin(t *testing.T) {
	day := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	at := func(from, to int) Period { return Period{day.AddDate(0, 0, from), day.AddDate(0, 0, to)} }
	got := join([]Period{at(8, 9), at(0, 2), at(2, 3), at(1, 2), at(5, 6)})
	if len(got) != 3 || got[0] != at(0, 3) || got[1] != at(5, 6) || got[2] != at(8, 9) {
		t.Errorf("%v", got)
	}
	var many []Period
	for i := range periodsKept + 2 {
		many = append(many, at(3*i, 3*i+1))
	}
	many[7].From = many[7].From.Add(-1e9)
	if got = join(many); len(got) != periodsKept || got[5] != (Period{many[6].From, many[7].To}) {
		t.Errorf("%d periods, %v", len(got), got[5])
	}
}
