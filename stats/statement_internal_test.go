package stats

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/expr"
)

// Values in the text of a statement are as those that come with it.
func TestOpens(t *testing.T) {
	for text, want := range map[string]string{
		`SELECT * FROM "Tab" WHERE PK = 'ab' AND n > 5 AND x = ?`:            `SELECT * FROM "Tab" WHERE PK = ? AND n > ? AND x = ? {"S":"ab"} {"N":"5"} {"S":"p1"}`,
		`INSERT INTO Tab VALUE {'PK': 'a', 'm': {'x': 1}, 'n': 12}`:          `INSERT INTO Tab VALUE {'PK': ?, 'm': {'x': 1}, 'n': ?} {"S":"a"} {"N":"12"}`,
		`SELECT a[1], Tab.b2 FROM Tab WHERE PK IN ['a', 'b'] AND f('x', 07)`: `SELECT a[1], Tab.b2 FROM Tab WHERE PK IN ['a', 'b'] AND f(?, 07) {"S":"x"}`,
		`UPDATE Tab SET n = n - 1, s = 'it''s' WHERE n BETWEEN 1 AND -2`:     `UPDATE Tab SET n = n - 1, s = 'it''s' WHERE n BETWEEN ? AND ? {"N":"1"} {"N":"-2"}`,
		`SELECT * FROM Tab WHERE v = 1.50 AND w = -0 AND x = 0.0`:            ``,
		`UPDATE Tab SET a = -12.5, b = 0.25, c = c-1.5 WHERE PK = 12.`:       `UPDATE Tab SET a = ?, b = ?, c = c-1.5 WHERE PK = 12. {"N":"-12.5"} {"N":"0.25"}`,
		`SELECT * FROM Tab WHERE v = 'a"b' AND w = 0`:                        `SELECT * FROM Tab WHERE v = 'a"b' AND w = ? {"N":"0"}`,
		`SELECT * FROM Tab WHERE v = 12e3 AND w = 1.5 AND x2 = 3`:            `SELECT * FROM Tab WHERE v = 12e3 AND w = ? AND x2 = ? {"N":"1.5"} {"N":"3"}`,
		`SELECT * FROM Tab WHERE v = 'a' -- 'b'`:                             ``,
		`SELECT * FROM Tab WHERE v = 'a`:                                     ``,
		"SELECT * FROM Tab WHERE\n v\t= 'ä'":                                 "SELECT * FROM Tab WHERE\n v\t= ? {\"S\":\"ä\"}",
	} {
		var s scratch
		written, _ := json.Marshal(text)
		written = []byte(strings.NewReplacer(`\u003e`, ">", `\u003c`, "<").Replace(string(written)))
		got := ""
		if s.opened.read(written) {
			s.given = [][]byte{[]byte(`{"S":"p1"}`)}
			var open string
			if err := json.Unmarshal(s.opened.text, &open); err != nil {
				t.Fatalf("%s: %v", s.opened.text, err)
			}
			p, order := s.opened.pieces(written), slices.Clone(s.opened.order)
			s.give(order, written)
			got = open
			for _, v := range s.given {
				got += " " + string(v)
			}
			if _, err := expr.ParseOutline(open); err != nil && !strings.Contains(text, "07") {
				t.Errorf("%s cannot be read: %v", open, err)
			}
			if before := slices.Clone(s.opened.values); !p.find(&s.opened, written) || !slices.Equal(before, s.opened.values) {
				t.Errorf("%s does not have its own pieces", text)
			}
		}
		if got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", text, got, want)
		}
	}
}

// However many texts there are, few are kept, and programs that write values into them have few.
func TestStatementsAreBounded(t *testing.T) {
	var x statements
	var s scratch
	text := func(column, value int) []byte {
		return fmt.Appendf(nil, `"SELECT c%d FROM Tab WHERE PK = 'k%d'"`, column, value)
	}
	for i := range 10_000 {
		s.text = s.text[:0]
		if one := x.find(&s, text(1, i)); one.readable() == nil || string(s.given[0]) != fmt.Sprintf(`{"S":"k%d"}`, i) {
			t.Fatalf("statement %d is not known, with %s", i, s.given)
		}
	}
	if n := len(*x.known.Load()); n != 1 {
		t.Errorf("%d texts of one are known", n)
	}
	for i := range statementsKept + 100 {
		x.find(&s, text(i, 0))
	}
	if n := len(*x.known.Load()); n != statementsKept {
		t.Errorf("%d texts are kept, not %d", n, statementsKept)
	}
	if x.find(&s, text(statementsKept+200, 0)) != nil || x.find(&s, text(7, 5)).readable() == nil {
		t.Error("those that are kept are not those that came first")
	}
}
