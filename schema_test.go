package tablewright_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/schema"
)

// Article has rules of all kinds.
type Article struct {
	ID     string            `ddb:"articleId" check:"pattern=^a[0-9]+$"`
	Title  string            `ddb:"title" check:"len=1..20"`
	Slug   string            `ddb:"slug" check:"computed=MakeSlug:title"`
	Lang   string            `ddb:"lang,omitzero" check:"enum=en|no|de,default=en"`
	Author *string           `ddb:"author" check:"required,len=2.."`
	Stock  int               `ddb:"stock" check:"range=0..100,multiple=5"`
	Price  attr.Number       `ddb:"price" check:"range=0..99,decimals=2"`
	Tags   []string          `ddb:"tags,set" check:"len=..3,each,len=1..5"`
	Parts  []Part            `ddb:"parts" check:"len=..2"`
	Names  map[string]string `ddb:"names" check:"keys,len=2,each,len=..3"`
	Main   Part              `ddb:"main,omitzero"`
	Edited time.Time         `ddb:"edited,updated"`
	Rev    int               `ddb:"rev,version"`
}

// MakeSlug is the title as a part of an address.
func (a Article) MakeSlug() string { return strings.ReplaceAll(strings.ToLower(a.Title), " ", "-") }

// Part is a part of an article.
type Part struct {
	Kind string `ddb:"kind,omitzero" check:"enum=text|image,default=text"`
	Size int    `ddb:"size" check:"range=1..9"`
	Key  string `ddb:"key" check:"computed=MakeKey:size"`
}

// MakeKey follows from the size.
func (p Part) MakeKey() string { return fmt.Sprint("k", p.Size) }

type partOf[T any] struct {
	Kind tablewright.Text[T, string]
	Size tablewright.Number[T, int]
	Key  tablewright.Text[T, string]
}

// ArticleChange is what may be changed from outside.
type ArticleChange struct {
	Title  attr.Opt[string] `ddb:"title"`
	Author attr.Opt[string] `ddb:"author"`
	Lang   attr.Opt[string] `ddb:"lang"`
	Main   attr.Opt[Part]   `ddb:"main"`
}

type articles struct {
	tablewright.Entity[string, Article]
	Title  tablewright.Text[Article, string]
	Slug   tablewright.Text[Article, string]
	Lang   tablewright.Text[Article, string]
	Author tablewright.Text[Article, string]
	Stock  tablewright.Number[Article, int]
	Price  tablewright.Number[Article, attr.Number]
	Tags   tablewright.Set[Article, string]
	Parts  tablewright.List[Article, Part, partOf[Article]]
	Names  tablewright.Map[Article, string, tablewright.Text[Article, string]]
	Main   mainOf[Article]
	Change tablewright.Partial[string, Article, ArticleChange]
	BySlug tablewright.Index1[Article, string, string]
}

type mainOf[T any] struct {
	Size tablewright.Number[T, int]
	Key  tablewright.Text[T, string]
}

var Press = tablewright.NewTable(plan.Table{
	Name: "Press", Key: plan.Key{Partition: "PK"},
	GSI: map[string]plan.Index{"BySlug": {Partition: []string{"slugKey"}, Sort: []string{"title"}}},
})

var Articles = tablewright.Declare[articles](Press, plan.Item{
	Name: "Article",
	Key:  map[string]string{"PK": "a#{articleId}"},
	Set:  map[string]plan.Template{"slugKey": {Value: "{slug}"}},
})

func article() Article {
	author := "Ada"
	return Article{ID: "a1", Title: "Dawn of Tables", Author: &author, Stock: 10, Price: attr.Dec("9.99"), Parts: []Part{{Size: 3}}}
}

// brokenRules are the problems of an error, as path and rule.
func brokenRules(err error) string {
	wrong, ok := errors.AsType[*schema.Error](err)
	if !ok {
		return ""
	}
	var all []string
	for _, p := range wrong.Problems {
		all = append(all, p.Path+" "+p.Rule)
	}
	return strings.Join(all, ", ")
}

// Every way to write is held to the rules before anything is sent.
func TestWritesKeepTheRules(t *testing.T) {
	sent := 0
	db := tablewright.New(tablewright.TransportFunc(func(ctx context.Context, c *tablewright.Call) error {
		sent++
		return errors.New("nothing should be sent")
	}), tablewright.Options{})
	ctx := t.Context()
	wrong := article()
	wrong.Title, wrong.Tags, wrong.Author = "", []string{"toolong"}, nil
	const whole = "author required, tags[0] len, title len"
	good := article()
	good.Rev = 1
	worse := good
	worse.Price, worse.Parts = attr.Dec("1.001"), []Part{{Size: 3}, {Size: 10}}
	change := func(c ...tablewright.Change[Article]) error { return Articles.Update("a1", c...).Run(ctx, db) }
	for _, test := range []struct {
		name string
		err  error
		want string
	}{
		{"put", Articles.Put(wrong).Run(ctx, db), whole},
		{"put, if", Articles.Put(wrong).If(Articles.Title.Exists()).Run(ctx, db), whole},
		{"create", Articles.Create(wrong).Run(ctx, db), whole},
		{"replace", Articles.Replace(wrong).Run(ctx, db), whole},
		{"transaction", tablewright.Transact(Articles.Create(wrong)).Run(ctx, db), whole},
		{"move", Articles.Move(good, func() Article { w := wrong; w.ID = "a2"; return w }()).Run(ctx, db), whole},
		{"request", func() error { _, err := Articles.Put(wrong).Request(); return err }(), whole},
		{"patch", Articles.Patch(good, worse).Run(ctx, db), "parts[1].size range, price decimals"},
		{"patch in a transaction", tablewright.Transact(Articles.Patch(good, worse)).Run(ctx, db), "parts[1].size range, price decimals"},
		{"update", change(Articles.Title.Set(strings.Repeat("x", 21)), Articles.Lang.Set("fr")), "title len, lang enum"},
		{"update, if absent", change(Articles.Lang.SetIfAbsent("fr")), "lang enum"},
		{"remove", change(Articles.Author.Remove()), "author required"},
		{"add", change(Articles.Stock.Add(3)), "stock multiple"},
		{"minus", change(Articles.Price.Minus(attr.Dec("0.001"))), "price decimals"},
		{"insert", change(Articles.Tags.Insert("a", "toolong")), "tags[] len"},
		{"append", change(Articles.Parts.Append(Part{Size: 0})), "parts[].size range"},
		{"prepend", change(Articles.Parts.Prepend(Part{Size: 1, Kind: "film"})), "parts[].kind enum"},
		{"all parts", change(Articles.Parts.Set([]Part{{Size: 1}, {Size: 2}, {Size: 30}})), "parts len, parts[2].size range"},
		{"one of a part", change(Articles.Parts.At(1).Kind.Set("film")), "parts[1].kind enum"},
		{"in a map", change(Articles.Names.At("no").Set("long")), "names.no len"},
		{"key of a map", change(Articles.Names.At("nor").Set("x")), "names.nor len"},
		{"computed", change(Articles.Slug.Set("x")), "slug computed"},
		{"inside what computes", change(Articles.Main.Size.Set(3)), "main.size computed"},
		{"inside, computed", change(Articles.Parts.At(0).Key.Set("x")), "parts[0].key computed"},
		{"text", change(Articles.Clause("SET lang = ?, stock = ? ADD price ? REMOVE author", "fr", 4, attr.Dec("0.001"))),
			"lang enum, stock multiple, price decimals, author required"},
		{"text, computed", change(Articles.Clause("SET slug = if_not_exists(slug, ?)", "x")), "slug computed"},
		{"text, elements", change(Articles.Clause("ADD tags ?", []string{"toolong"})), ""},
		{"partial", Articles.Change.Patch("a1", ArticleChange{Author: attr.None[string](), Lang: attr.Some("fr"), Main: attr.Some(Part{})}).Run(ctx, db),
			"author required, lang enum, main.size range"},
		{"upsert", Articles.Update("a1", Articles.Lang.Set("fr")).Upsert().Run(ctx, db), "lang enum"},
	} {
		if test.want == "" {
			continue
		}
		if !errors.Is(test.err, tablewright.ErrInvalid) || brokenRules(test.err) != test.want {
			t.Errorf("%s: %q of %v", test.name, brokenRules(test.err), test.err)
		}
		if test.err != nil && !strings.Contains(test.err.Error(), "Article: ") {
			t.Errorf("%s: the error does not name the kind of item: %v", test.name, test.err)
		}
		for _, secret := range []string{"toolong", "film", "1.001", "Dawn"} {
			if test.err != nil && strings.Contains(test.err.Error(), secret) {
				t.Errorf("%s: the error tells a value: %v", test.name, test.err)
			}
		}
	}
	if sent != 0 {
		t.Errorf("%d requests were sent", sent)
	}
}

// Batches write what keeps the rules, and tell the rest.
func TestBatchesKeepTheRules(t *testing.T) {
	db := open(t, tablewright.Options{}, Loose)
	all := []Note{{ID: "1", Text: "good"}, {ID: "2", Text: ""}, {ID: "3", Text: "good"}}
	err := Notes.PutAll(slices.Values(all)).Run(t.Context(), db)
	part, ok := errors.AsType[*tablewright.BatchError](err)
	if !ok || part.Done != 2 || len(part.Failed) != 1 || part.Failed[0].Index != 1 || brokenRules(part.Failed[0].Err) != "text len" {
		t.Error(err)
	}
}

// Note is of a table without versions.
type Note struct {
	ID   string  `ddb:"id"`
	Text string  `ddb:"text" check:"len=1..10"`
	Mood *string `ddb:"mood" check:"default=calm"`
}

var Loose = tablewright.NewTable(plan.Table{Name: "Loose", Key: plan.Key{Partition: "id"}})

type noteItems struct {
	tablewright.Entity[string, Note]
	Text tablewright.Text[Note, string]
}

var Notes = tablewright.Declare[noteItems](Loose, plan.Item{Name: "Note"})

// Whole values get their defaults and computed attributes, and the index attributes that follow from these; so do updates,
// where what is needed is known.
func TestDefaultsAndComputedAttributes(t *testing.T) {
	db := open(t, tablewright.Options{}, Press)
	ctx := t.Context()
	mine := article()
	stored, err := Articles.Create(mine).New(ctx, db)
	if err != nil || stored.Slug != "dawn-of-tables" || stored.Lang != "en" || stored.Parts[0].Kind != "text" || stored.Parts[0].Key != "k3" {
		t.Fatalf("%+v %v", stored, err)
	}
	if mine.Parts[0].Kind != "" {
		t.Error("the caller's own list was changed")
	}
	if got, err := Articles.BySlug.Of("dawn-of-tables").One(ctx, db); err != nil || got.ID != "a1" {
		t.Error(got, err)
	}
	stored, err = Articles.Update("a1", Articles.Title.Set("Dusk")).New(ctx, db)
	if err != nil || stored.Slug != "dusk" {
		t.Errorf("%+v %v", stored, err)
	}
	if got, err := Articles.BySlug.Of("dusk").One(ctx, db); err != nil || got.ID != "a1" {
		t.Error(got, err)
	}
	err = Articles.Update("a1", Articles.Clause("SET title = ?", "Noon")).Run(ctx, db)
	if !errors.Is(err, tablewright.ErrInvalid) || !strings.Contains(err.Error(), "slug is computed from title, which is not known here: use Patch or Edit") {
		t.Error(err)
	}
	after := stored
	after.Title, after.Main = "Night", Part{Size: 7}
	stored, err = Articles.Patch(stored, after).New(ctx, db)
	if err != nil || stored.Slug != "night" || stored.Main != (Part{"text", 7, "k7"}) {
		t.Errorf("%+v %v", stored, err)
	}
	stored, err = Articles.Update("a1", Articles.Parts.Append(Part{Size: 5})).New(ctx, db)
	if err != nil || stored.Parts[1] != (Part{"text", 5, "k5"}) {
		t.Errorf("%+v %v", stored, err)
	}
	stored, err = Articles.Edit("a1", func(a *Article) error { a.Title = "Late Night"; return nil }).New(ctx, db)
	if err != nil || stored.Slug != "late-night" {
		t.Errorf("%+v %v", stored, err)
	}
	stored, err = Articles.Change.Patch("a1", ArticleChange{Title: attr.Some("Dawn"), Main: attr.Some(Part{Size: 2})}).New(ctx, db)
	if err != nil || stored.Slug != "dawn" || stored.Main != (Part{"text", 2, "k2"}) {
		t.Errorf("%+v %v", stored, err)
	}
	update := Articles.Update("a1", Articles.Parts.Append(Part{Size: 5})) // a call is a value: twice the same request
	first, _ := update.Request()
	second, _ := update.Request()
	edited := regexp.MustCompile(`"20\d\d-[^"]+"`) // the time of each
	one, two := edited.ReplaceAllString(string(first.Body), "now"), edited.ReplaceAllString(string(second.Body), "now")
	if one != two || !strings.Contains(one, `"k5"`) {
		t.Errorf("%s, then %s", one, two)
	}
}

// An item from before a rule can be changed elsewhere.
func TestPatchOfWhatBreaksARule(t *testing.T) {
	db := open(t, tablewright.Options{}, Loose)
	ctx := t.Context()
	raw := attr.ItemOf(attr.Field{Name: "id", Value: attr.Text("1")}, attr.Field{Name: "text", Value: attr.Text("")})
	if err := Loose.Raw().Put(raw).Run(ctx, db); err != nil {
		t.Fatal(err)
	}
	before, err := Notes.Get("1").Run(ctx, db)
	if err != nil || before.Mood == nil || *before.Mood != "calm" {
		t.Fatalf("%+v %v", before, err)
	}
	after, mood := before, "wild"
	after.Mood = &mood
	if err := Notes.Patch(before, after).Run(ctx, db); err != nil {
		t.Error(err)
	}
	after.Text = "much too long"
	if err := Notes.Patch(before, after).Run(ctx, db); brokenRules(err) != "text len" {
		t.Error(err)
	}
}

// A write whose answer is refused by the check of what is read was done, and says so.
func TestCheckedAnswers(t *testing.T) {
	db := open(t, tablewright.Options{}, Press)
	if err := Articles.Create(article()).Run(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	key := attr.ItemOf(attr.Field{Name: "PK", Value: attr.Text("a#a1")})
	broken := must[attr.Item](t)(Press.Raw().Get(key).Run(t.Context(), db))
	broken.Remove("price")
	if err := Press.Raw().Put(broken).Run(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	_, err := Articles.Delete("a1").Old(t.Context(), db.CheckReads(tablewright.Strict))
	if _, ok := errors.AsType[*tablewright.BrokenItem](err); !ok || !strings.Contains(err.Error(), "the write was done") {
		t.Error(err)
	}
}

// Reads are checked if asked for: an error, or a report and the item.
func TestCheckedReads(t *testing.T) {
	plain := open(t, tablewright.Options{}, Press)
	ctx := t.Context()
	key := attr.ItemOf(attr.Field{Name: "PK", Value: attr.Text("a#a1")})
	good, err := Articles.Create(article()).New(ctx, plain)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := Press.Raw().Get(key).Run(ctx, plain)
	if err != nil {
		t.Fatal(err)
	}
	strict := plain.CheckReads(tablewright.Strict)
	var reports []string
	lenient := plain.CheckReads(func(e *tablewright.BrokenItem) error {
		reports = append(reports, e.Entity+" "+e.Key.Get("PK").Str()+": "+brokenRules(e))
		return nil
	})
	for _, db := range []*tablewright.DB{strict, lenient} {
		if got, err := Articles.Get("a1").Run(ctx, db); err != nil || got.Rev != good.Rev || len(reports) > 0 {
			t.Fatalf("%+v %v %v", got, err, reports)
		}
	}
	for _, test := range []struct {
		change func(*attr.Item)
		want   string
	}{
		{func(it *attr.Item) { it.Set("title", attr.Text(strings.Repeat("x", 21))) }, "title len"},
		{func(it *attr.Item) { it.Remove("price") }, "price required"},
		{func(it *attr.Item) { it.Set("stock", attr.Null()) }, "stock type"},
		{func(it *attr.Item) { it.Remove("author"); it.Set("lang", attr.Text("fr")) }, "author required, lang enum"},
		{func(it *attr.Item) { it.Set("slug", attr.Text("other")) }, "slug computed"},
		{func(it *attr.Item) { it.Set("parts", attr.List(attr.Map(attr.Item{}))) }, "parts[0].size required"},
	} {
		broken := whole.Clone()
		test.change(&broken)
		if err := Press.Raw().Put(broken).Run(ctx, plain); err != nil {
			t.Fatal(err)
		}
		if _, err := Articles.Get("a1").Run(ctx, plain); err != nil {
			t.Errorf("%s: unchecked: %v", test.want, err)
		}
		_, err := Articles.Get("a1").Run(ctx, strict)
		e, ok := errors.AsType[*tablewright.BrokenItem](err)
		if !ok || e.Entity != "Article" || e.Key.Get("PK").Str() != "a#a1" || brokenRules(err) != test.want {
			t.Errorf("%s: strict: %v", test.want, err)
		}
		reports = nil
		if _, err := Articles.Get("a1").Run(ctx, lenient); err != nil || !slices.Equal(reports, []string{"Article a#a1: " + test.want}) {
			t.Errorf("%s: lenient: %q %v", test.want, reports, err)
		}
	}
}

// Whatever reads is checked.
func TestAllReadsAreChecked(t *testing.T) {
	var reports atomic.Int64
	report := func(*tablewright.BrokenItem) error { reports.Add(1); return nil }
	db := open(t, tablewright.Options{CheckReads: report}, Shop)
	ctx := t.Context()
	o := order("o1")
	if err := Orders.Put(o).Run(ctx, db); err != nil {
		t.Fatal(err)
	}
	o.Version = 1
	key := attr.ItemOf(attr.Field{Name: "PK", Value: attr.Text("o#o1")}, attr.Field{Name: "SK", Value: attr.Text("o")})
	stored := must[attr.Item](t)(Shop.Raw().Get(key).Run(ctx, db))
	stored.Set("status", attr.Text("lost"))
	var into Order
	for _, test := range []struct {
		name string
		run  func(db *tablewright.DB) error
	}{
		{"get", func(db *tablewright.DB) error { _, err := Orders.Get("o1").Run(ctx, db); return err }},
		{"view", func(db *tablewright.DB) error { _, err := Views.Get("o1").Run(ctx, db); return err }},
		{"get all", func(db *tablewright.DB) error { _, err := Orders.GetAll([]OrderID{"o1"}).Run(ctx, db); return err }},
		{"snapshot", func(db *tablewright.DB) error { return tablewright.Snapshot(Orders.Get("o1").Into(&into)).Run(ctx, db) }},
		{"query", func(db *tablewright.DB) error { _, err := Orders.ByCustomer.Of("c1").Slice(ctx, db); return err }},
		{"page", func(db *tablewright.DB) error { _, err := Orders.ByCustomer.Of("c1").Page(ctx, db, 5); return err }},
		{"collect", func(db *tablewright.DB) error { _, err := OrderPages.Of("o1").Run(ctx, db); return err }},
		{"scan", func(db *tablewright.DB) error {
			for _, err := range Orders.Scan().Intended().All(ctx, db) {
				if err != nil {
					return err
				}
			}
			return nil
		}},
		{"update", func(db *tablewright.DB) error {
			_, err := Orders.Update("o1", Orders.Note.Set("x")).New(ctx, db)
			return err
		}},
		{"put, old", func(db *tablewright.DB) error { _, err := Orders.Put(o).Old(ctx, db); return err }},
		{"delete, old", func(db *tablewright.DB) error { _, err := Orders.Delete("o1").Old(ctx, db); return err }},
	} {
		for _, strict := range []bool{false, true} {
			if err := Shop.Raw().Put(stored).Run(ctx, db); err != nil {
				t.Fatal(err)
			}
			use, before := db, reports.Load()
			if strict {
				use = db.CheckReads(tablewright.Strict)
			}
			err := test.run(use)
			switch _, broken := errors.AsType[*tablewright.BrokenItem](err); {
			case strict && (!broken || brokenRules(err) != "status enum"):
				t.Errorf("%s: strict: %v", test.name, err)
			case !strict && (err != nil || reports.Load() != before+1):
				t.Errorf("%s: %d reports, %v", test.name, reports.Load()-before, err)
			}
		}
	}
}

// OrderState is a smaller reading with a rule of its own.
type OrderState struct {
	ID     OrderID `ddb:"orderId"`
	Status Status  `ddb:"status" check:"enum=placed|paid|shipped"`
}

var Views = tablewright.ViewOf[struct {
	tablewright.View[OrderID, OrderState]
}](Orders)

// The schema of an entity is that of its type: for input, and cut down for changes.
func ExampleView_Schema() {
	change := schema.For[OrderChange](Orders.Schema().Shape.Pick(Orders.Note, schema.Name("ship")).Partial())
	_, err := change.ParseJSON([]byte(`{"note": 7, "ship": {"city": "Oslo"}}`))
	fmt.Println(err)
	fmt.Println(Orders.Put(Order{ID: "o1", Status: "lost"}).Run(context.Background(), nowhere))
	// Output:
	// note: must be a text or NULL; ship.street: must be there
	// tablewright: PutItem Shop: invalid request: Order: status: must be placed, paid or shipped
}

// nowhere is a database of which nothing is asked.
var nowhere = tablewright.New(tablewright.TransportFunc(func(context.Context, *tablewright.Call) error { return errors.New("sent") }), tablewright.Options{})

// Items from other hands may break the rules: a read can refuse them, or report them and go on.
func ExampleDB_CheckReads() {
	ctx, db := inMemory(Loose)
	spoiled := attr.ItemOf(attr.Field{Name: "id", Value: attr.Text("n1")}, attr.Field{Name: "text", Value: attr.Text("")})
	_ = Loose.Raw().Put(spoiled).Run(ctx, db)
	_, err := Notes.Get("n1").Run(ctx, db.CheckReads(tablewright.Strict))
	fmt.Println(err)
	report := func(e *tablewright.BrokenItem) error { fmt.Println("seen:", e); return nil }
	note, err := Notes.Get("n1").Run(ctx, db.CheckReads(report))
	fmt.Println(note.ID, err)
	// Output:
	// tablewright: GetItem Loose: a stored item of Note breaks its rules: text: must have 1 to 10 characters
	// seen: a stored item of Note breaks its rules: text: must have 1 to 10 characters
	// n1 <nil>
}

// What the check costs of a put that is answered at once, HTTP included: the same type with its rules and without them.
func BenchmarkPutChecked(b *testing.B) {
	db := answering(b, `{}`)
	o := Checked{ID: "1", Status: Placed, Mail: "ada@example.org", Name: "Ada", Qty: 3, Total: attr.Dec("19.90"), Rate: 0.5, Lines: []CheckedLine{{"s1", 1}, {"s2", 2}},
		Tags: []string{"a", "b"}, City: "Oslo", At: noon, Note: "ring twice"}
	plain := Unchecked{o.ID, o.Status, o.Mail, o.Name, o.Qty, o.Total, o.Rate, []Line{{"s1", 1}, {"s2", 2}}, o.Tags, o.City, o.At, o.Note}
	var with, without time.Duration
	for b.Loop() { // in turns, so that both meet the same weather
		start := time.Now()
		if err := CheckedItems.Put(o).Run(b.Context(), db); err != nil {
			b.Fatal(err)
		}
		middle := time.Now()
		if err := UncheckedItems.Put(plain).Run(b.Context(), db); err != nil {
			b.Fatal(err)
		}
		with += middle.Sub(start)
		without += time.Since(middle)
	}
	b.ReportMetric(float64(with.Nanoseconds())/float64(b.N), "ns/checked")
	b.ReportMetric(float64(without.Nanoseconds())/float64(b.N), "ns/unchecked")
	b.ReportMetric(float64(with)/float64(without), "ratio")
}

// BenchmarkQueryChecked is the same of a query of 100 items, read strictly and unchecked.
func BenchmarkQueryChecked(b *testing.B) {
	stored, err := CheckedItems.Encode(Checked{ID: "1", Status: Placed, Mail: "ada@example.org", Name: "Ada", Qty: 3, Total: attr.Dec("19.90"), Rate: 0.5,
		Lines: []CheckedLine{{"s1", 1}, {"s2", 2}}, Tags: []string{"a", "b"}, City: "Oslo", At: noon, Note: "ring twice"})
	if err != nil {
		b.Fatal(err)
	}
	body := `{"Count":100,"ScannedCount":100,"Items":[` + strings.TrimSuffix(strings.Repeat(string(stored)+",", 100), ",") + `]}`
	db := answering(b, body)
	strict := db.CheckReads(tablewright.Strict)
	var with, without time.Duration
	for b.Loop() {
		start := time.Now()
		if all, err := CheckedItems.ByStatus.Of(Placed).Slice(b.Context(), strict); err != nil || len(all) != 100 {
			b.Fatal(err)
		}
		middle := time.Now()
		if _, err := CheckedItems.ByStatus.Of(Placed).Slice(b.Context(), db); err != nil {
			b.Fatal(err)
		}
		with += middle.Sub(start)
		without += time.Since(middle)
	}
	b.ReportMetric(float64(with.Nanoseconds())/float64(b.N), "ns/checked")
	b.ReportMetric(float64(without.Nanoseconds())/float64(b.N), "ns/unchecked")
	b.ReportMetric(float64(with)/float64(without), "ratio")
}

// Checked has twelve attributes, and rules for ten; Unchecked has the same without rules.
type Checked struct {
	ID     string        `ddb:"id" check:"len=1..40"`
	Status Status        `ddb:"status" check:"enum=placed|paid|shipped"`
	Mail   string        `ddb:"mail" check:"pattern=^[^@]+@[^@]+$"`
	Name   string        `ddb:"name" check:"len=1..80"`
	Qty    int           `ddb:"qty" check:"range=1..99"`
	Total  attr.Number   `ddb:"total" check:"range=0..10000,decimals=2"`
	Rate   float64       `ddb:"rate" check:"range=0..1"`
	Lines  []CheckedLine `ddb:"lines" check:"len=1..50"`
	Tags   []string      `ddb:"tags,set" check:"each,len=1..40"`
	City   string        `ddb:"city" check:"len=..80"`
	At     time.Time     `ddb:"at"`
	Note   string        `ddb:"note"`
}

type CheckedLine struct {
	SKU string `ddb:"sku" check:"len=1..20"`
	Qty int    `ddb:"qty" check:"range=1..99"`
}

type Unchecked struct {
	ID     string      `ddb:"id"`
	Status Status      `ddb:"status"`
	Mail   string      `ddb:"mail"`
	Name   string      `ddb:"name"`
	Qty    int         `ddb:"qty"`
	Total  attr.Number `ddb:"total"`
	Rate   float64     `ddb:"rate"`
	Lines  []Line      `ddb:"lines"`
	Tags   []string    `ddb:"tags,set"`
	City   string      `ddb:"city"`
	At     time.Time   `ddb:"at"`
	Note   string      `ddb:"note"`
}

type checkedItems struct {
	tablewright.Entity[string, Checked]
	ByStatus tablewright.Index1[Checked, Status, time.Time]
}

var (
	CheckedTable = tablewright.NewTable(plan.Table{Name: "Checked", Key: plan.Key{Partition: "id"},
		GSI: map[string]plan.Index{"ByStatus": {Partition: []string{"status"}, Sort: []string{"at"}}}})
	CheckedItems   = tablewright.Declare[checkedItems](CheckedTable, plan.Item{Name: "Checked"})
	UncheckedTable = tablewright.NewTable(plan.Table{Name: "Unchecked", Key: plan.Key{Partition: "id"}})
	UncheckedItems = tablewright.Declare[tablewright.Entity[string, Unchecked]](UncheckedTable, plan.Item{Name: "Unchecked"})
)

// answering is a database whose server answers every request with the same body.
func answering(b *testing.B, body string) *tablewright.DB {
	b.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/x-amz-json-1.0")
		_, _ = io.WriteString(w, body)
	}))
	b.Cleanup(server.Close)
	db, err := tablewright.Connect(b.Context(), tablewright.Options{Endpoint: server.URL})
	if err != nil {
		b.Fatal(err)
	}
	return db
}

// Tools see the shapes of all kinds.
func TestShapesOfKinds(t *testing.T) {
	for _, k := range Press.Kinds() {
		if k.Shape() != Articles.Schema().Shape {
			t.Errorf("%s has another shape than its entity", k.Name())
		}
	}
}
