package expr_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/expr"
)

func given(g expr.Given) string {
	switch {
	case g.Parameter > 0:
		return fmt.Sprint("?", g.Parameter)
	case g.IsZero():
		return ""
	}
	return string(attr.AppendValue(nil, g.Literal))
}

// outline writes an Outline down.
func outline(o *expr.Outline) string {
	var b strings.Builder
	fmt.Fprint(&b, o.Verb, " ", o.Table)
	if o.Index != "" {
		fmt.Fprint(&b, ".", o.Index)
	}
	if o.Columns != nil {
		fmt.Fprint(&b, " ", o.Columns)
	}
	for _, f := range o.Fields {
		fmt.Fprintf(&b, "; set %s", f.Attribute)
		if f.Path {
			b.WriteString(" in")
		}
		if f.Computed {
			b.WriteString(" computed")
		}
		fmt.Fprintf(&b, " %s%v", given(f.Value), f.Names)
	}
	for _, t := range o.Terms {
		fmt.Fprintf(&b, "; where %v", t.Names)
		if t.Attribute != "" {
			fmt.Fprintf(&b, " %s op %d", t.Attribute, t.Op)
		}
		if t.Equal {
			b.WriteString(" equal ")
		}
		b.WriteString(given(t.Value))
	}
	if o.Returning != 0 {
		fmt.Fprint(&b, "; ", o.Returning)
	}
	return fmt.Sprintf("%s; %d", b.String(), o.Parameters)
}

func TestParseOutline(t *testing.T) {
	for text, want := range map[string]string{
		`SELECT * FROM "Shop"`: `SELECT Shop; 0`,
		`select a, "b".c[1] from "Shop"."ByCustomer" where PK = ? and 'x' = b AND (n BETWEEN ? AND 5) and begins_with(SK, ?)`: `SELECT Shop.ByCustomer [a b]; where [PK] PK op 1 equal ?1; where [b] b op 1 equal {"S":"x"}` +
			`; where [n] n op 6; where [SK] SK op 7; 3`,
		`SELECT * FROM Shop WHERE 5 < n AND PK IN [?, 'a'] AND (a = 1 OR NOT b.c <> ?) AND d <> 1 AND size(e) = 1`: `SELECT Shop; where [n] n op 4; where [PK] PK op 0 equal ; where [a b]` +
			`; where [d] d op 0; where [e]; 2`,
		`INSERT INTO Shop VALUE {'PK': ?, 'n': 1, 'l': ['x'], 'm': {'a': 'b'}}`: `INSERT Shop; set PK ?1[]; set n {"N":"1"}[]; set l {"L":[{"S":"x"}]}[]; set m {"M":{"a":{"S":"b"}}}[]; 1`,
		`UPDATE Shop SET a = ?, n = n + 1, l.x = list_append(l.x, ?) SET s = set_add(s, <<'x'>>) REMOVE r WHERE PK = ? RETURNING ALL NEW *`: `UPDATE Shop; set a ?1[]; set n [n]; set l in [l]` +
			`; set s computed [s]; set r []; where [PK] PK op 1 equal ?3; RETURNING ALL NEW *; 3`,
		`DELETE FROM Shop WHERE PK = 'a' AND attribute_exists(x)`: `DELETE Shop; where [PK] PK op 1 equal {"S":"a"}; where [x]; 0`,
		`EXISTS(SELECT * FROM Shop WHERE PK = ? AND v = 1)`:       `EXISTS Shop; where [PK] PK op 1 equal ?1; where [v] v op 1 equal {"N":"1"}; 1`,
		`SELECT DISTINCT a FROM Shop`:                             ``,
		`INSERT INTO Shop VALUE ?`:                                ``,
		`SELECT * FROM "Shop" WHERE`:                              ``,
		strings.Repeat(" ", 9000):                                 ``,
	} {
		o, err := expr.ParseOutline(text)
		if err != nil {
			if want != "" {
				t.Errorf("%s: %v", text, err)
			}
			continue
		}
		if got := outline(o); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", text, got, want)
		}
	}
}

// What leads to partitions is what Boxes says of the statement with parameters.
func TestOutlineLeads(t *testing.T) {
	for _, where := range []string{
		`a = ?`, `a = ? AND b = ?`, `a IN [?, ?]`, `a = ? OR a = ?`, `a = ? OR b = ?`, `(a = ? OR a = ?) AND b > ?`, `a > ?`, `a <> ?`, `NOT a = ?`, `? = a`, `a = b`, `begins_with(a, ?)`,
		`b = ?`, `a.c = ?`, `size(a) = ?`, `a BETWEEN ? AND ?`,
	} {
		text := `SELECT * FROM Shop WHERE ` + where
		o, err := expr.ParseOutline(text)
		if err != nil {
			t.Fatal(err)
		}
		s, err := expr.ParseStatement(text, slices.Repeat([]attr.Value{attr.Text("x")}, 4))
		if strings.Contains(where, "size") {
			s, err = expr.ParseStatement(text, []attr.Value{attr.Num(attr.Int(1))})
		}
		if err != nil {
			t.Fatalf("%s: %v", where, err)
		}
		for _, partition := range [][]string{{"a"}, {"a", "b"}, nil} {
			key := expr.KeySchema{}
			for _, name := range partition {
				key.Hash = append(key.Hash, expr.KeyAttr{Name: name, Kind: attr.KindS})
			}
			_, leads := s.Where.Boxes(key)
			if got := o.Leads(partition); got != (leads && partition != nil) {
				t.Errorf("%s: by %v it leads %v, Boxes says %v", where, partition, got, leads)
			}
		}
	}
}
