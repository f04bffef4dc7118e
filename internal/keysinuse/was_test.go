package keysinuse

import (
	"errors"
	"strings"
	"testing"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/tablewrighttest"
)

// While attributes are renamed, conditions and filters see them under either name: as descriptors, as text, nested, negated,
// and as the version.
func TestConditionsOnRenamed(t *testing.T) {
	type OldShip struct {
		Town string `ddb:"town"`
	}
	type Old struct {
		ID      string   `ddb:"id"`
		Title   string   `ddb:"title,omitzero"`
		Pages   int      `ddb:"pages"`
		Ship    OldShip  `ddb:"shipping"`
		Tags    []string `ddb:"tags,set"`
		Version int      `ddb:"version,version"`
	}
	type Ship struct {
		Town string `ddb:"t,was=town"`
	}
	type Book struct {
		ID      string   `ddb:"id"`
		Title   string   `ddb:"t,was=title,omitzero"`
		Pages   int      `ddb:"pages"`
		Ship    Ship     `ddb:"s,was=shipping"`
		Tags    []string `ddb:"tags,set"`
		Version int      `ddb:"v,was=version,version"`
	}
	type shipOf[T any] struct{ Town tablewright.Text[T, string] }
	type books struct {
		tablewright.Entity[string, Book]
		Title   tablewright.Text[Book, string]
		Pages   tablewright.Number[Book, int]
		Ship    shipOf[Book]
		Version tablewright.Number[Book, int]
		ByPages tablewright.Index1[Book, int, string]
	}
	newTable := func() *tablewright.Table {
		return tablewright.NewTable(plan.Table{Name: "Books", Key: plan.Key{Partition: "id"}, Attributes: map[string]plan.Type{"pages": plan.N, "id": plan.S},
			GSI: map[string]plan.Index{"ByPages": {Partition: []string{"pages"}, Sort: []string{"id"}}}})
	}
	olds := tablewright.Declare[tablewright.Entity[string, Old]](newTable(), plan.Item{Name: "Book"})
	table := newTable()
	b := tablewright.Declare[books](table, plan.Item{Name: "Book"})
	kit := tablewrighttest.Start(t, table)
	ctx, db := t.Context(), kit.DB
	if err := olds.Create(Old{"1", "Dawn", 7, OldShip{"Oslo"}, []string{"a"}, 0}).Run(ctx, db); err != nil {
		t.Fatal(err)
	}
	if err := b.Create(Book{"2", "Dawn", 7, Ship{"Oslo"}, []string{"a"}, 0}).Run(ctx, db); err != nil {
		t.Fatal(err)
	}
	if err := olds.Create(Old{"3", "", 7, OldShip{"Rome"}, []string{"a"}, 0}).Run(ctx, db); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		cond tablewright.Cond[Book]
		want string
	}{
		"equals":     {b.Title.Equals("Dawn"), "1 2"},
		"not equals": {b.Title.NotEquals("Dawn"), "3"},
		"not":        {b.Title.Equals("Dawn").Not(), "3"},
		"absent":     {b.Title.Absent(), "3"},
		"exists":     {b.Title.Exists(), "1 2"},
		"in":         {b.Title.In("Dusk", "Dawn"), "1 2"},
		"begins":     {b.Title.BeginsWith("Da"), "1 2"},
		"size":       {b.Title.Size().AtLeast(4), "1 2"},
		"nested":     {b.Ship.Town.Equals("Oslo"), "1 2"},
		"nested not": {b.Ship.Town.NotEquals("Oslo"), "3"},
		"or":         {b.Title.Equals("x").Or(b.Ship.Town.Equals("Rome")), "3"},
		"text":       {b.Where("begins_with(t, ?) AND NOT s.t = ?", "Da", "Rome"), "1 2"},
		"two paths":  {b.Where("t <> s.t AND attribute_exists(t)"), "1 2"},
		"version":    {b.Version.Equals(1), "1 2 3"},
	} {
		ids := func(items []Book, err error) string {
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			var ids []string
			for _, i := range items {
				ids = append(ids, i.ID)
			}
			return strings.Join(ids, " ")
		}
		if got := ids(b.ByPages.Of(7).Filter(c.cond).Slice(ctx, db)); got != c.want {
			t.Errorf("%s: filtered %s, want %s", name, got, c.want)
		}
		for _, id := range []string{"1", "2", "3"} {
			err := tablewright.Transact(b.Check(id, c.cond)).Run(ctx, db)
			if holds := strings.Contains(c.want, id); holds != (err == nil) || err != nil && !errors.Is(err, tablewright.ErrConditionFailed) {
				t.Errorf("%s of %s: %v", name, id, err)
			}
		}
	}
	if err := b.Delete("1").If(b.Where("s = ?", Ship{"Oslo"})).Run(ctx, db); !errors.Is(err, tablewright.ErrInvalid) || !strings.Contains(err.Error(), "compare what is inside") {
		t.Error(err)
	}
	if err := tablewright.Transact(b.Check("1", b.Where("attribute_exists(s) AND attribute_exists(s.t)"))).Run(ctx, db); err != nil {
		t.Error(err)
	}
	// The version under its name before is the one that is expected, and goes on from there.
	before := must[Book](t)(b.Get("1").Run(ctx, db))
	after := before
	after.Pages = 8
	got, err := b.Patch(before, after).New(ctx, db)
	if err != nil || got.Version != 2 {
		t.Errorf("%+v, %v", got, err)
	}
	if err := b.Patch(before, after).Run(ctx, db); !errors.Is(err, tablewright.ErrStale) {
		t.Error(err)
	}
	if got, err = b.Update("3", b.Pages.Set(9)).New(ctx, db); err != nil || got.Version != 2 {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err = b.Update("3", b.Pages.Set(10)).New(ctx, db); err != nil || got.Version != 3 {
		t.Errorf("%+v, %v", got, err)
	}
	if err := olds.Put(Old{ID: "4", Ship: OldShip{"Wien"}, Tags: []string{"b"}}).Run(ctx, db); err != nil {
		t.Fatal(err)
	}
	four := must[Book](t)(b.Get("4").Run(ctx, db))
	if err := b.Replace(four).Run(ctx, db); err != nil {
		t.Error(err)
	}
	if err := b.Replace(four).Run(ctx, db); !errors.Is(err, tablewright.ErrStale) {
		t.Error(err)
	}
	if _, err := b.Edit("2", func(x *Book) error { x.Title = "Noon"; return nil }).New(ctx, db); err != nil {
		t.Error(err)
	}
	if err := b.Update("5", b.Pages.Set(1)).Upsert().Run(ctx, db); !errors.Is(err, tablewright.ErrInvalid) || !strings.Contains(err.Error(), "Put or Update it") {
		t.Error(err)
	}
	type short struct {
		ID    string `ddb:"id"`
		Title string `ddb:"t"`
	}
	if got := panicOf(func() { tablewright.ViewOf[tablewright.View[string, short]](b) }); !strings.Contains(got, "the same tag was in both") {
		t.Error(got)
	}
	if got := panicOf(func() {
		tablewright.Declare[struct {
			tablewright.Entity[string, Book]
			ByPages tablewright.Index1[struct {
				ID    string `ddb:"id"`
				Title string `ddb:"t,was=title"`
			}, int, string]
		}](tablewright.NewTable(plan.Table{Name: "Books", Key: plan.Key{Partition: "id"},
			GSI: map[string]plan.Index{"ByPages": {Partition: []string{"pages"}, Sort: []string{"id"}, Project: plan.Include, Include: []string{"t"}}}}), plan.Item{Name: "Book"})
	}); !strings.Contains(got, "and not title, which it was") {
		t.Error(got)
	}
}
