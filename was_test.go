package tablewright_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/plan"
)

// A shorter name on the wire, while items with the one before are still there.
func TestWas(t *testing.T) {
	type old struct {
		ID    string   `ddb:"id"`
		Title string   `ddb:"title"`
		Tags  []string `ddb:"tags,set"`
		N     int      `ddb:"count"`
	}
	type now struct {
		ID    string    `ddb:"id"`
		Title string    `ddb:"t,was=title"`
		Tags  []string  `ddb:"g,set,was=tags"`
		N     int       `ddb:"count"`
		Rest  attr.Item `ddb:",rest"`
	}
	type head struct {
		ID    string `ddb:"id"`
		Title string `ddb:"t,was=title"`
	}
	table := func() *tablewright.Table {
		return tablewright.NewTable(plan.Table{Name: "Books", Key: plan.Key{Partition: "id"}})
	}
	olds := tablewright.Declare[tablewright.Entity[string, old]](table(), plan.Item{Name: "Book"})
	type books struct {
		tablewright.Entity[string, now]
		Title tablewright.Text[now, string]
		Tags  tablewright.Set[now, string]
		N     tablewright.Number[now, int]
	}
	news := table()
	nows := tablewright.Declare[books](news, plan.Item{Name: "Book"})
	heads := tablewright.ViewOf[tablewright.View[string, head]](nows)
	db := open(t, tablewright.Options{}, news)
	ctx := t.Context()
	stored := func() attr.Item {
		return must[attr.Item](t)(news.Raw().Get(attr.ItemOf(attr.Field{Name: "id", Value: attr.Text("1")})).Run(ctx, db))
	}
	write := func() {
		if err := olds.Put(old{"1", "Dawn", []string{"a"}, 1}).Run(ctx, db); err != nil {
			t.Fatal(err)
		}
	}
	write()
	b := must[now](t)(nows.Get("1").Run(ctx, db))
	if b.Title != "Dawn" || fmt.Sprint(b.Tags) != "[a]" || b.Rest.Len() > 0 {
		t.Errorf("read %+v", b)
	}
	if h := must[head](t)(heads.Get("1").Run(ctx, db)); h.Title != "Dawn" {
		t.Errorf("smaller reading: %+v", h)
	}
	if err := nows.Put(b).Run(ctx, db); err != nil || strings.Contains(fmt.Sprint(stored()), "title") {
		t.Errorf("written anew: %v, %v", stored(), err)
	}
	write()
	b = must[now](t)(nows.Update("1", nows.Title.Set("Dusk"), nows.N.Add(1)).New(ctx, db))
	if it := stored(); b.Title != "Dusk" || it.Get("t").Str() != "Dusk" || !it.Get("title").IsZero() || it.Get("tags").IsZero() {
		t.Errorf("updated: %+v, %v", b, it)
	}
	write()
	if b = must[now](t)(nows.Update("1", nows.Title.Remove()).New(ctx, db)); b.Title != "" {
		t.Errorf("removed, and there it is: %+v", b)
	}
	write()
	before := must[now](t)(nows.Get("1").Run(ctx, db))
	after := before
	after.Title = "Noon"
	if b = must[now](t)(nows.Patch(before, after).New(ctx, db)); b.Title != "Noon" || fmt.Sprint(b.Tags) != "[a]" {
		t.Errorf("patched: %+v", b)
	}
	if err := nows.Update("1", nows.Tags.Insert("b")).Run(ctx, db); !errors.Is(err, tablewright.ErrInvalid) || !strings.Contains(err.Error(), "use Patch") {
		t.Errorf("an insertion beside the old set: %v", err)
	}
	// Both there: the new one counts, in whatever order they come.
	for _, text := range []string{`{"id":{"S":"1"},"t":{"S":"new"},"title":{"S":"old"}}`, `{"title":{"S":"old"},"t":{"S":"new"},"id":{"S":"1"}}`} {
		if b, err := nows.Decode([]byte(text)); err != nil || b.Title != "new" {
			t.Errorf("%+v, %v", b, err)
		}
	}
	type indexed struct {
		ID   string `ddb:"id"`
		Name string `ddb:"n,was=name"`
	}
	if message := panicOf(func() {
		tablewright.Declare[tablewright.Entity[string, indexed]](tablewright.NewTable(plan.Table{Name: "Books", Key: plan.Key{Partition: "id"},
			GSI: map[string]plan.Index{"ByName": {Partition: []string{"name"}}}}), plan.Item{})
	}); !strings.Contains(message, "an index has only items") {
		t.Error(message)
	}
	var bad *attr.PlanError
	for _, v := range []any{struct {
		A string `ddb:"a,was=b"`
		B string `ddb:"b"`
	}{}, struct {
		A string `ddb:"a,was="`
	}{}, struct {
		A string `ddb:"a,was=a"`
	}{}, struct {
		A string `ddb:"a,was=x"`
		B string `ddb:"b,was=x"`
	}{}} {
		if _, err := attr.Marshal(v); !errors.As(err, &bad) {
			t.Errorf("%T: %v", v, err)
		}
	}
}
