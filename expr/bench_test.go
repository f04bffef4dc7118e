package expr_test

import (
	"fmt"
	"testing"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/expr"
)

const benchFilter = "#s = :paid AND amount BETWEEN :low AND :high AND (attribute_not_exists(deleted) OR contains(tags, :tag))"

func benchSubstitutions() *expr.Substitutions {
	return expr.NewSubstitutions(map[string]string{"#s": "status"}, map[string]attr.Value{
		":paid": attr.Text("paid"), ":low": attr.Num(attr.Int(10)), ":high": attr.Num(attr.Int(5000)), ":tag": attr.Text("gift"),
	})
}

func benchItem() attr.Item {
	it := attr.ItemOf(
		attr.Field{Name: "status", Value: attr.Text("paid")},
		attr.Field{Name: "amount", Value: attr.Num(attr.Int(420))},
		attr.Field{Name: "deleted", Value: attr.Null()},
		attr.Field{Name: "tags", Value: attr.TextSet("gift", "new", "red")},
		attr.Field{Name: "rows0", Value: attr.List(attr.Map(attr.ItemOf(attr.Field{Name: "qty", Value: attr.Num(attr.Int(2))})))},
	)
	for i := range 10 {
		it.Set(fmt.Sprintf("other%d", i), attr.Text("x"))
	}
	return it
}

func BenchmarkParseCondition(b *testing.B) {
	for _, text := range []string{"attribute_not_exists(pk)", benchFilter} {
		b.Run(fmt.Sprint(len(text)), func(b *testing.B) {
			b.ReportAllocs()
			s := benchSubstitutions()
			for b.Loop() {
				if _, err := expr.ParseCondition(text, s); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkParseUpdate(b *testing.B) {
	b.ReportAllocs()
	s := benchSubstitutions()
	for b.Loop() {
		if _, err := expr.ParseUpdate("SET amount = amount + :low, rows0[0].qty = :high, #s = :paid REMOVE deleted", s); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkParseKey(b *testing.B) {
	b.ReportAllocs()
	s := benchSubstitutions()
	key := expr.KeySchema{Hash: []expr.KeyAttr{{Name: "pk", Kind: attr.KindS}}, Range: []expr.KeyAttr{{Name: "sk", Kind: attr.KindN}}}
	for b.Loop() {
		if _, err := expr.ParseKeyCondition("pk = :paid AND sk > :low", s, key); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEval(b *testing.B) {
	c, err := expr.ParseFilter(benchFilter, benchSubstitutions())
	if err != nil {
		b.Fatal(err)
	}
	it := benchItem()
	b.ReportAllocs()
	for b.Loop() {
		if !c.Eval(it) {
			b.Fatal("false")
		}
	}
}

func BenchmarkApply(b *testing.B) {
	u, err := expr.ParseUpdate("SET amount = amount + :low, rows0[0].qty = :high, #s = :paid REMOVE deleted", benchSubstitutions())
	if err != nil {
		b.Fatal(err)
	}
	it := benchItem()
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := u.Apply(it); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkProject(b *testing.B) {
	p, err := expr.ParseProjection("amount, #s, rows0[0].qty, other3", benchSubstitutions())
	if err != nil {
		b.Fatal(err)
	}
	it := benchItem()
	b.ReportAllocs()
	for b.Loop() {
		p.Apply(it)
	}
}

func BenchmarkPrint(b *testing.B) {
	c, err := expr.ParseFilter(benchFilter, benchSubstitutions())
	if err != nil {
		b.Fatal(err)
	}
	var p expr.Printer
	buf := make([]byte, 0, 256)
	b.ReportAllocs()
	for b.Loop() {
		p.Reset()
		if _, err := p.AppendFilter(buf, c); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkLongest reads the longest expressions, where a bad algorithm would show.
func BenchmarkLongest(b *testing.B) {
	list := ""
	for i := range 682 {
		list += fmt.Sprintf(",a%04d", i)
	}
	b.Run("projection", func(b *testing.B) {
		for b.Loop() {
			if _, err := expr.ParseProjection(list[1:], nil); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("update", func(b *testing.B) {
		for b.Loop() {
			if _, err := expr.ParseUpdate("REMOVE "+list[7:], nil); err != nil {
				b.Fatal(err)
			}
		}
	})
}
