package tablewright_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/plan"
)

func plainItem(name string) plan.Item { return plan.Item{Name: name} }

type (
	parent struct {
		ID   string    `ddb:"id"`
		Name string    `ddb:"name"`
		At   time.Time `ddb:"at,iso"`
	}
	child struct {
		Parent string    `ddb:"id"`
		No     string    `ddb:"no"`
		Name   string    `ddb:"name"`
		At     time.Time `ddb:"at,iso"`
	}
	childKey struct{ Parent, No string }
)

// family declares two kinds of items with the templates of their keys in table and index.
func family(parentKey, parentIndex, childOf, childIndex map[string]string) (*tablewright.Table, tablewright.Index[parent, string, tablewright.Query[parent]]) {
	set := func(m map[string]string) map[string]plan.Template {
		all := map[string]plan.Template{}
		for name, text := range m {
			all[name] = plan.Template{Value: text}
		}
		return all
	}
	t := tablewright.NewTable(plan.Table{Name: "Family", Key: plan.Key{Partition: "PK", Sort: "SK"},
		GSI: map[string]plan.Index{"Named": {Partition: []string{"XP"}, Sort: []string{"XS"}}}, Attributes: map[string]plan.Type{"XP": plan.S, "XS": plan.S}})
	type parents struct {
		tablewright.Entity[string, parent]
		All   tablewright.Index[parent, string, tablewright.Query[parent]] `index:"Family"`
		Named tablewright.Index0[parent, string]
	}
	type onlyTable struct {
		tablewright.Entity[string, parent]
		All tablewright.Index[parent, string, tablewright.Query[parent]] `index:"Family"`
	}
	all := tablewright.Index[parent, string, tablewright.Query[parent]]{}
	if parentIndex != nil {
		all = tablewright.Declare[parents](t, plan.Item{Name: "Parent", Key: parentKey, Set: set(parentIndex)}).All
	} else {
		all = tablewright.Declare[onlyTable](t, plan.Item{Name: "Parent", Key: parentKey}).All
	}
	tablewright.Declare[tablewright.Entity[childKey, child]](t, plan.Item{Name: "Child", Key: childOf, Set: set(childIndex)})
	return t, all
}

type m = map[string]string

// Sealing finds items that fall into what others read, and tells what helps.
func TestSealRanges(t *testing.T) {
	parentKey, childOf := m{"PK": "p#{id}", "SK": "p"}, m{"PK": "p#{id}", "SK": "c#{no}"}
	for name, test := range map[string]struct {
		parent, parentIndex, child, childIndex m
		want                                   string
	}{
		"constant beside a prefix":             {parentKey, nil, childOf, nil, ""},
		"other literals in the index":          {parentKey, m{"XP": "n#{name}", "XS": "p#{at:iso}"}, childOf, m{"XP": "n#{name}", "XS": "c#{at:iso}"}, ""},
		"not in the index":                     {parentKey, m{"XP": "n#{name}", "XS": "{at:iso}"}, childOf, nil, ""},
		"other partitions of the index":        {parentKey, m{"XP": "p#{name}", "XS": "{at:iso}"}, childOf, m{"XP": "c#{name}", "XS": "{at:iso}"}, ""},
		"one partition, nothing tells them":    {parentKey, m{"XP": "n#{name}", "XS": "{at:iso}"}, childOf, m{"XP": "n#{name}", "XS": "{no}"}, "field Named, also read items of Child"},
		"a longer literal within the prefix":   {parentKey, m{"XP": "n#{name}", "XS": "a#{at:iso}"}, childOf, m{"XP": "n#{name}", "XS": "a#b#{no}"}, "also read items of Child"},
		"a literal that the part may go on to": {parentKey, m{"XP": "n#{name}", "XS": "ab#{at:iso}"}, childOf, m{"XP": "n#{name}", "XS": "{no}#x"}, "also read items of Child"},
		"keys that can be equal":               {m{"PK": "{id}", "SK": "p"}, nil, m{"PK": "{id}", "SK": "{no}"}, nil, "invalid request: an item of Child can have the key of an item of Parent (PK {id}, SK {no}; PK {id}, SK p)"},
	} {
		table, _ := family(test.parent, test.parentIndex, test.child, test.childIndex)
		err := table.Seal()
		if test.want == "" && err != nil || test.want != "" && (!errors.Is(err, tablewright.ErrInvalid) || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: %v", name, err)
		}
		if test.want != "" && !strings.HasPrefix(err.Error(), "tablewright: table Family: ") {
			t.Errorf("%s: which table is not said: %v", name, err)
		}
		if _, err := table.Raw().Get(attr.ItemOf(attr.Field{Name: "PK", Value: attr.Text("x")}, attr.Field{Name: "SK", Value: attr.Text("x")})).
			Run(t.Context(), open(t, tablewright.Options{})); test.want != "" && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: the first call: %v", name, err)
		}
	}
}

// What falls into a range is listed by a tag or by a collection.
func TestSealListed(t *testing.T) {
	type noted struct {
		ID string    `ddb:"id"`
		Of string    `ddb:"of"`
		At time.Time `ddb:"at,iso"`
	}
	make := func() *tablewright.Table {
		return tablewright.NewTable(plan.Table{Name: "Notes", Key: plan.Key{Partition: "PK"},
			GSI: map[string]plan.Index{"ByOf": {Partition: []string{"of"}, Sort: []string{"at"}}}})
	}
	a, b := plan.Item{Name: "A", Key: m{"PK": "a#{id}"}}, plan.Item{Name: "B", Key: m{"PK": "b#{id}"}}
	type other noted
	type plain struct {
		tablewright.Entity[string, noted]
		ByOf tablewright.Index1[noted, string, time.Time]
	}
	type tagged struct {
		tablewright.Entity[string, noted]
		ByOf tablewright.Index1[noted, string, time.Time] `with:"B"`
	}
	table := make()
	tablewright.Declare[plain](table, a)
	tablewright.Declare[tablewright.Entity[string, other]](table, b)
	if err := table.Seal(); err == nil || !strings.Contains(err.Error(), "`with:\"B\"`") {
		t.Error(err)
	}
	table = make()
	tablewright.Declare[tagged](table, a)
	tablewright.Declare[tablewright.Entity[string, other]](table, b)
	if err := table.Seal(); err != nil {
		t.Error(err)
	}
	table = make()
	tablewright.Declare[tagged](table, a)
	if err := table.Seal(); err == nil || !strings.Contains(err.Error(), "no kind of item") {
		t.Error(err)
	}
	table = make()
	as := tablewright.Declare[plain](table, a)
	tablewright.Declare[tablewright.Entity[string, other]](table, b)
	both := tablewright.NewCollection[struct {
		As []noted
		Bs []other
	}](as.ByOf)
	db := open(t, tablewright.Options{}, table)
	if err := as.Put(noted{"1", "x", noon}).Run(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	if got, err := both.Of("x").Run(t.Context(), db); err != nil || len(got.As) != 1 {
		t.Errorf("%v, %v", got, err)
	}
}

// A collection has a place for every declared kind in its partitions; what nobody declared is passed over, not a failure.
func TestSealCollections(t *testing.T) {
	parentKey, childOf := m{"PK": "p#{id}", "SK": "p"}, m{"PK": "p#{id}", "SK": "c#{no}"}
	table, all := family(parentKey, nil, childOf, nil)
	tablewright.NewCollection[struct{ Parent parent }](all)
	if err := table.Seal(); err == nil || !strings.Contains(err.Error(), "items of Child lie in its partitions, too") {
		t.Error(err)
	}
	table, all = family(parentKey, nil, childOf, nil)
	if err := table.Seal(); err != nil {
		t.Fatal(err)
	}
	if message := panicOf(func() { tablewright.NewCollection[struct{ Parent parent }](all) }); !strings.Contains(message, "seal_test.go") || !strings.Contains(message, "Child") {
		t.Errorf("after sealing: %q", message)
	}
	pages := tablewright.NewCollection[struct {
		Parent   parent
		Children []child
	}](all)
	db := open(t, tablewright.Options{}, table)
	text := func(name, s string) attr.Field { return attr.Field{Name: name, Value: attr.Text(s)} }
	for _, sort := range []string{"p", "c#1", "z#unheard-of"} {
		item := attr.ItemOf(text("PK", "p#1"), text("SK", sort), text("id", "1"), text("no", "1"), text("name", "n"), text("at", "2026-01-01T00:00:00.000Z"))
		if err := table.Raw().Put(item).Run(t.Context(), db); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := pages.Of("1").Run(t.Context(), db); err != nil || got.Parent.ID != "1" || len(got.Children) != 1 {
		t.Errorf("%v, %v", got, err)
	}
	n := 0
	for item, err := range pages.Of("1").Items(t.Context(), db) {
		if err != nil {
			t.Fatal(err)
		}
		if it, raw := item.(attr.Item); raw && it.Get("SK").Str() == "z#unheard-of" {
			n++
		}
	}
	if n != 1 {
		t.Errorf("%d items of an unknown kind", n)
	}
}

// A marker's key is no item's.
func TestSealMarkers(t *testing.T) {
	table := tablewright.NewTable(plan.Table{Name: "Marks", Key: plan.Key{Partition: "PK"}, Items: map[string]plan.Item{
		"Taken": {Holds: plan.Holds{Unique: "Parent.name"}, Key: m{"PK": "p#{name}"}}}})
	tablewright.Declare[struct {
		tablewright.Entity[string, parent]
		NameClaim tablewright.Unique[parent, string]
	}](table, plan.Item{Name: "Parent", Key: m{"PK": "p#{id}"}})
	if err := table.Seal(); err == nil || !strings.Contains(err.Error(), "Taken") {
		t.Error(err)
	}
}
