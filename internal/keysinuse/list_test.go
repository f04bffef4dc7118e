package keysinuse

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/keys"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/tablewrighttest"
)

// Settings are what there is one of.
type Settings struct {
	Motd  string `ddb:"motd"`
	Limit int    `ddb:"limit"`
}

func TestSingleton(t *testing.T) {
	table := tablewright.NewTable(plan.Table{Name: "App", Key: plan.Key{Partition: "PK", Sort: "SK"}})
	settings := tablewright.Declare[struct {
		tablewright.Entity[struct{}, Settings]
		Limit tablewright.Number[Settings, int]
	}](table, plan.Item{Name: "Settings", Key: m{"PK": "settings", "SK": "settings"}})
	users := tablewright.Declare[tablewright.Entity[string, struct {
		ID string `ddb:"id"`
	}]](table, plan.Item{Name: "User", Key: m{"PK": "u#{id}", "SK": "u"}})
	kit := tablewrighttest.Start(t, table)
	ctx, db := t.Context(), kit.DB
	if _, err := settings.Get(struct{}{}).Run(ctx, db); !errors.Is(err, tablewright.ErrNotFound) {
		t.Error(err)
	}
	if err := settings.Update(struct{}{}, settings.Limit.Add(3)).Upsert().Run(ctx, db); err != nil {
		t.Error(err)
	}
	if err := settings.Create(Settings{"hello", 1}).Run(ctx, db); !errors.Is(err, tablewright.ErrExists) {
		t.Error(err)
	}
	if got, err := settings.Get(struct{}{}).Run(ctx, db); err != nil || got.Limit != 3 {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := users.Get("settings").Run(ctx, db); !errors.Is(err, tablewright.ErrNotFound) {
		t.Error(err)
	}
	if got := panicOf(func() {
		tablewright.Declare[tablewright.Entity[string, Settings]](tablewright.NewTable(plan.Table{Name: "App", Key: plan.Key{Partition: "PK"}}),
			plan.Item{Name: "Settings", Key: m{"PK": "settings"}})
	}); !strings.Contains(got, "addressed by struct{}") {
		t.Error(got)
	}
}

// All copies are written at once, one of them is read, and together they take the reads of several partitions.
func TestCopies(t *testing.T) {
	type Front struct {
		Country string `ddb:"country"`
		Text    string `ddb:"text"`
	}
	type fronts struct {
		tablewright.Entity[string, Front]
		Text tablewright.Text[Front, string]
	}
	table := tablewright.NewTable(plan.Table{Name: "Fronts", Key: plan.Key{Partition: "PK"}})
	d := tablewright.Declare[fronts](table, plan.Item{Name: "Front", Key: m{"PK": "front#{country}#{shard}"}, Shard: &plan.Shard{Of: 5, By: "random"}})
	copies := tablewright.NewCopies(d.Entity)
	kit := tablewrighttest.Start(t, table)
	ctx, db := t.Context(), kit.DB
	if err := copies.Create(Front{"no", "hei"}).Run(ctx, db); err != nil {
		t.Fatal(err)
	}
	if err := copies.Create(Front{"no", "hei"}).Run(ctx, db); !errors.Is(err, tablewright.ErrExists) {
		t.Error(err)
	}
	asked := map[string]bool{}
	seen := tablewright.New(tablewright.TransportFunc(func(ctx context.Context, c *tablewright.Call) error {
		asked[string(c.Request)] = true
		return db.Transport().Do(ctx, c)
	}), tablewright.Options{Clock: kit.Clock})
	all := func(want string) {
		t.Helper()
		for range 60 {
			if got, err := copies.Get("no").Run(ctx, seen); err != nil || got.Text != want {
				t.Fatalf("%+v, %v: want %s", got, err, want)
			}
		}
	}
	all("hei")
	if len(asked) != 5 {
		t.Errorf("%d copies were read", len(asked))
	}
	if err := copies.Update("no", d.Text.Set("hallo")).Run(ctx, db); err != nil {
		t.Error(err)
	}
	all("hallo")
	if err := tablewright.Transact(copies.Put(Front{"no", "god dag"}), copies.Put(Front{"se", "hej"})).Run(ctx, db); err != nil {
		t.Error(err)
	}
	all("god dag")
	if err := copies.Delete("no").Run(ctx, db); err != nil {
		t.Error(err)
	}
	if n := kit.Count(tablewrighttest.Calls{Operation: "TransactWriteItems"}); n.Requests != 5 {
		t.Errorf("%+v", n)
	}
	if err := copies.Update("no", d.Text.Set("x")).Run(ctx, db); !errors.Is(err, tablewright.ErrNotFound) {
		t.Error(err)
	}
	_, votes := poll(3)
	of := tablewright.NewCopies(votes.Entity)
	for _, err := range []error{second(of.Get(VoteKey{"p", "v"}).Run(ctx, db)), of.Delete(VoteKey{"p", "v"}).Run(ctx, db), tablewright.CopiesWrite{}.Run(ctx, db)} {
		if !errors.Is(err, tablewright.ErrInvalid) {
			t.Error(err)
		}
	}
}

// Edges of a graph, read from both ends: an adjacency list and the inverted index of its keys.
func TestAdjacencyInverted(t *testing.T) {
	type Edge struct {
		From string `ddb:"from"`
		To   string `ddb:"to"`
		Kind string `ddb:"kind"`
	}
	type Ends struct{ From, To string }
	type edges struct {
		tablewright.Entity[Ends, Edge]
		Out tablewright.Index1[Edge, string, string] `index:"Graph"`
		In  tablewright.Index1[Edge, string, string] `index:"Inverted"`
	}
	table := tablewright.NewTable(plan.Table{Name: "Graph", Key: plan.Key{Partition: "PK", Sort: "SK"},
		GSI: map[string]plan.Index{"Inverted": {Partition: []string{"SK"}, Sort: []string{"PK"}}}})
	e := tablewright.Declare[edges](table, plan.Item{Name: "Edge", Key: m{"PK": "n#{from}", "SK": "e#{to}"}})
	kit := tablewrighttest.Start(t, table)
	ctx, db := t.Context(), kit.DB
	for _, ends := range []Ends{{"a", "b"}, {"a", "c#d"}, {"b", "c#d"}, {"a#b", "c"}} {
		if err := e.Create(Edge{ends.From, ends.To, "knows"}).Run(ctx, db); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := e.Out.Of("a").Slice(ctx, db); err != nil || len(out) != 2 || out[1].To != "c#d" {
		t.Errorf("%v, %v", out, err)
	}
	if in, err := e.In.Of("c#d").Descending().Slice(ctx, db); err != nil || len(in) != 2 || in[0].From != "b" {
		t.Errorf("%v, %v", in, err)
	}
	if in, err := e.In.Of("c#d").Is("a").One(ctx, db); err != nil || in.To != "c#d" {
		t.Errorf("%v, %v", in, err)
	}
}

// Two kinds share one index, each with its own meaning, and are read together or apart.
func TestOverloadedIndex(t *testing.T) {
	type Person struct {
		ID   string `ddb:"personId"`
		City string `ddb:"city"`
	}
	type Shop struct {
		ID    string `ddb:"shopId"`
		City  string `ddb:"city"`
		Stars int    `ddb:"stars"`
	}
	type people struct {
		tablewright.Entity[string, Person]
		InCity tablewright.Index1[Person, string, string] `index:"GSI1"`
	}
	type shops struct {
		tablewright.Entity[string, Shop]
		BestOf tablewright.Index2[Shop, string, int, string] `index:"GSI1"`
	}
	table := tablewright.NewTable(plan.Table{Name: "World", Key: plan.Key{Partition: "PK"},
		GSI: map[string]plan.Index{"GSI1": {Partition: []string{"GSI1PK"}, Sort: []string{"GSI1SK"}}}})
	p := tablewright.Declare[people](table, plan.Item{Name: "Person", Key: m{"PK": "p#{personId}"},
		Set: map[string]plan.Template{"GSI1PK": {Value: "city#{city}"}, "GSI1SK": {Value: "person#{personId}"}}})
	s := tablewright.Declare[shops](table, plan.Item{Name: "Shop", Key: m{"PK": "s#{shopId}"},
		Set: map[string]plan.Template{"GSI1PK": {Value: "city#{city}"}, "GSI1SK": {Value: "shop#{stars:pad2:inverted}#{shopId}"}}}) // the best first
	type City struct {
		People []Person
		Shops  []Shop
	}
	cities := tablewright.NewCollection[City](p.InCity)
	kit := tablewrighttest.Start(t, table)
	ctx, db := t.Context(), kit.DB
	for i := range 12 {
		if err := s.Create(Shop{fmt.Sprint("s", i), "Oslo", i}).Run(ctx, db); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Create(Person{"anna", "Oslo"}).Run(ctx, db); err != nil {
		t.Fatal(err)
	}
	best, err := s.BestOf.Of("Oslo").From(9).Slice(ctx, db) // 11 and 10 sort before 9 as numbers do, not as text
	if err != nil || len(best) != 3 || best[0].Stars != 11 || best[2].Stars != 9 {
		t.Errorf("%v, %v", best, err)
	}
	if one, err := p.InCity.Of("Oslo").One(ctx, db); err != nil || one.ID != "anna" {
		t.Errorf("%v, %v", one, err)
	}
	oslo, err := cities.Of("Oslo").Run(ctx, db)
	if err != nil || len(oslo.People) != 1 || len(oslo.Shops) != 12 {
		t.Errorf("%v, %v", oslo, err)
	}
}

// A hierarchy is read at any level, as one text and as several attributes, which the declaration says and no call shows.
func TestHierarchy(t *testing.T) {
	type Store struct {
		ID      string `ddb:"storeId"`
		Country string `ddb:"country"`
		State   string `ddb:"state"`
		City    string `ddb:"city"`
	}
	type stores struct {
		tablewright.Entity[string, Store]
		Lies tablewright.Index2[Store, string, string, string]
	}
	for name, d := range map[string]struct {
		index plan.Index
		set   map[string]plan.Template
	}{
		"text":       {plan.Index{Partition: []string{"country"}, Sort: []string{"place"}}, map[string]plan.Template{"place": {Value: "{state}#{city}"}}},
		"attributes": {plan.ByHierarchy("country", "state", "city"), nil},
	} {
		table := tablewright.NewTable(plan.Table{Name: "Stores", Key: plan.Key{Partition: "storeId"}, GSI: map[string]plan.Index{"Lies": d.index}})
		s := tablewright.Declare[stores](table, plan.Item{Name: "Store", Set: d.set})
		kit := tablewrighttest.Start(t, table)
		ctx, db := t.Context(), kit.DB
		for i, place := range [][3]string{{"DE", "BY", "Hof"}, {"DE", "BY", "Hofheim"}, {"DE", "BYX", "Ulm"}, {"AT", "BY", "Hof"}} {
			if err := s.Create(Store{fmt.Sprint(i), place[0], place[1], place[2]}).Run(ctx, db); err != nil {
				t.Fatal(err)
			}
		}
		for want, q := range map[int]tablewright.Query[Store]{
			3: s.Lies.Of("DE").Query,
			2: s.Lies.Of("DE").Is("BY").Query, // and not what begins with BY
			1: s.Lies.Of("DE").Is("BY").Is("Hof"),
			0: s.Lies.Of("DE").Is("B").Query,
		} {
			if n, err := q.Count(ctx, db); err != nil || n != want {
				t.Errorf("%s: %d, %v, want %d", name, n, err, want)
			}
		}
		if n, err := tablewright.Prefix(s.Lies.Of("DE").Is("BY"), "Hof").Count(ctx, db); err != nil || n != 2 {
			t.Errorf("%s: %d, %v", name, n, err)
		}
	}
	if parts, err := keys.Split(keys.Composite("DE", "B#Y", "")); err != nil || !slices.Equal(parts, []string{"DE", "B#Y", ""}) {
		t.Errorf("%q, %v", parts, err)
	}
}

// Indexes of tenant and customer, and of category and time.
func TestReadyKeys(t *testing.T) {
	type Invoice struct {
		ID       string    `ddb:"id"`
		Tenant   string    `ddb:"tenantId"`
		Customer string    `ddb:"customerId"`
		Category string    `ddb:"category"`
		Due      time.Time `ddb:"due,iso"`
		Paid     time.Time `ddb:"paid,iso,omitzero"`
	}
	type Of struct{ Tenant, Customer string }
	type invoices struct {
		tablewright.Entity[string, Invoice]
		Paid       tablewright.Time[Invoice]
		OfCustomer tablewright.Index1[Invoice, Of, time.Time]
		ByCategory tablewright.Index1[Invoice, string, time.Time]
		WhenPaid   tablewright.Index1[Invoice, string, time.Time]
	}
	table := tablewright.NewTable(plan.Table{Name: "Invoices", Key: plan.Key{Partition: "id"}, GSI: map[string]plan.Index{
		"OfCustomer": plan.ByTenant("tenantId", "customerId", "due"), "ByCategory": plan.ByCategory("category", "due"),
		"WhenPaid": plan.ByCategory("tenantId", "paid")}}) // sparse: only what is paid
	d := tablewright.Declare[invoices](table, plan.Item{Name: "Invoice"})
	kit := tablewrighttest.Start(t, table)
	ctx, db := t.Context(), kit.DB
	for i := range 6 {
		v := Invoice{ID: fmt.Sprint(i), Tenant: fmt.Sprint("t", i%2), Customer: "c", Category: "rent", Due: noon.AddDate(0, 0, i)}
		if err := d.Create(v).Run(ctx, db); err != nil {
			t.Fatal(err)
		}
	}
	if n, err := d.OfCustomer.Of(Of{"t1", "c"}).From(noon.AddDate(0, 0, 3)).Count(ctx, db); n != 2 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	if v, err := d.ByCategory.Of("rent").Descending().First(ctx, db); v.ID != "5" || err != nil {
		t.Errorf("%v, %v", v, err)
	}
	if err := d.Update("3", d.Paid.Set(noon)).Run(ctx, db); err != nil {
		t.Error(err)
	}
	if v, err := d.WhenPaid.Of("t1").One(ctx, db); v.ID != "3" || err != nil {
		t.Errorf("%v, %v", v, err)
	}
	if err := d.Update("3", d.Paid.Remove()).Run(ctx, db); err != nil {
		t.Error(err)
	}
	if _, err := d.WhenPaid.Of("t1").One(ctx, db); !errors.Is(err, tablewright.ErrNotFound) {
		t.Error(err)
	}
	for _, f := range []func(){func() { plan.ByHierarchy("a") }, func() { plan.ByHierarchy("a", "b", "c", "d", "e", "f") }, func() { plan.ByTenant("a", "b", "1", "2", "3", "4", "5") }} {
		if panicOf(f) == "" {
			t.Error("no panic")
		}
	}
}

// Measurements are rolled up by hour, day and month as they come in, in one transaction with the measurement itself.
func TestRollUps(t *testing.T) {
	type Sample struct {
		Sensor string    `ddb:"sensorId"`
		At     time.Time `ddb:"at,iso"`
		Value  int       `ddb:"value"`
	}
	type Rolled struct {
		Sensor string    `ddb:"sensorId"`
		Span   string    `ddb:"span"`
		Start  time.Time `ddb:"start,iso"`
		Count  int       `ddb:"count"`
		Sum    int       `ddb:"sum"`
	}
	type SampleKey struct {
		Sensor string
		At     time.Time
	}
	type RolledKey struct {
		Sensor, Span string
		Start        time.Time
	}
	type rolled struct {
		tablewright.Entity[RolledKey, Rolled]
		Count, Sum tablewright.Number[Rolled, int]
		Of         tablewright.Index2[Rolled, string, string, time.Time] `index:"Series"`
	}
	table := tablewright.NewTable(plan.Table{Name: "Series", Key: plan.Key{Partition: "PK", Sort: "SK"}})
	samples := tablewright.Declare[tablewright.Entity[SampleKey, Sample]](table, plan.Item{Name: "Sample", Key: m{"PK": "s#{sensorId}#{at:day}", "SK": "{at:iso}"}})
	rolls := tablewright.Declare[rolled](table, plan.Item{Name: "Rolled", Key: m{"PK": "r#{sensorId}", "SK": "{span}#{start:iso}"}})
	kit := tablewrighttest.Start(t, table)
	ctx, db := t.Context(), kit.DB
	measure := func(s Sample) error {
		writes := []tablewright.TxWrite{samples.Create(s)}
		for _, span := range []keys.Codec{keys.HourCodec, keys.DayCodec, keys.MonthCodec} {
			key := RolledKey{s.Sensor, span.String(), span.Bucket(s.At)}
			writes = append(writes, rolls.Update(key, rolls.Count.Add(1), rolls.Sum.Add(s.Value)).Upsert())
		}
		return tablewright.Transact(writes...).Run(ctx, db)
	}
	for i := range 50 {
		if err := measure(Sample{"a", noon.Add(time.Duration(i) * time.Hour / 2), i}); err != nil {
			t.Fatal(err)
		}
	}
	if err := measure(Sample{"a", noon, 1}); !errors.Is(err, tablewright.ErrExists) {
		t.Errorf("measured twice: %v", err)
	}
	days, err := rolls.Of.Of("a").Is("day").Slice(ctx, db)
	if err != nil || len(days) != 2 || days[0].Count != 24 || days[1].Count != 26 || days[0].Sum+days[1].Sum != 49*50/2 || !days[1].Start.Equal(noon.Truncate(24*time.Hour).AddDate(0, 0, 1)) {
		t.Errorf("%+v, %v", days, err)
	}
	if hours, err := rolls.Of.Of("a").Is("hour").From(noon.Add(3*time.Hour)).Top(2).Slice(ctx, db); err != nil || len(hours) != 2 || hours[0].Sum != 6+7 {
		t.Errorf("%+v, %v", hours, err)
	}
}

// The bucket itself as the key: any moment in it finds it, and the first one stays.
func TestBucketAsKey(t *testing.T) {
	type Hits struct {
		Page string    `ddb:"page"`
		At   time.Time `ddb:"at,iso"`
		N    int       `ddb:"n"`
	}
	type HitsKey struct {
		Page string
		At   time.Time
	}
	type hits struct {
		tablewright.Entity[HitsKey, Hits]
		N tablewright.Number[Hits, int]
	}
	table := tablewright.NewTable(plan.Table{Name: "Hits", Key: plan.Key{Partition: "PK", Sort: "SK"}})
	d := tablewright.Declare[hits](table, plan.Item{Name: "Hits", Key: m{"PK": "{page}", "SK": "{at:hour}"}})
	kit := tablewrighttest.Start(t, table)
	for _, minutes := range []int{5, 40} {
		if err := d.Update(HitsKey{"/", noon.Add(time.Duration(minutes) * time.Minute)}, d.N.Add(1)).Upsert().Run(t.Context(), kit.DB); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := d.Get(HitsKey{"/", noon}).Run(t.Context(), kit.DB); err != nil || got.N != 2 || !got.At.Equal(noon.Add(5*time.Minute)) {
		t.Errorf("%+v, %v", got, err)
	}
}

// Versions of a document as items beside its latest one, the newest first.
func TestVersionItems(t *testing.T) {
	type Revision struct {
		Doc  string `ddb:"docId"`
		N    int    `ddb:"n"`
		Text string `ddb:"text"`
	}
	type RevisionKey struct {
		Doc string
		N   int
	}
	type revisions struct {
		tablewright.Entity[RevisionKey, Revision]
		OfDoc tablewright.Index1[Revision, string, int] `index:"Docs"`
	}
	table := tablewright.NewTable(plan.Table{Name: "Docs", Key: plan.Key{Partition: "PK", Sort: "SK"}})
	d := tablewright.Declare[revisions](table, plan.Item{Name: "Revision", Key: m{"PK": "d#{docId}", "SK": "v#{n:pad6:inverted}"}})
	kit := tablewrighttest.Start(t, table)
	ctx, db := t.Context(), kit.DB
	for n := range 12 {
		if err := d.Create(Revision{"a", n + 1, "…"}).Run(ctx, db); err != nil {
			t.Fatal(err)
		}
	}
	if latest, err := d.OfDoc.Of("a").First(ctx, db); err != nil || latest.N != 12 {
		t.Errorf("%v, %v", latest, err)
	}
	if got, err := d.Get(RevisionKey{"a", 3}).Run(ctx, db); err != nil || got.N != 3 {
		t.Errorf("%v, %v", got, err)
	}
	if old, err := d.OfDoc.Of("a").To(9).Slice(ctx, db); err != nil || len(old) != 9 || old[0].N != 9 {
		t.Errorf("%v, %v", old, err)
	}
	if err := d.Create(Revision{"a", 1_000_000, "…"}).Run(ctx, db); !errors.Is(err, tablewright.ErrInvalid) || !strings.Contains(err.Error(), "pad6") {
		t.Errorf("a number that does not fit: %v", err)
	}
}

// What a reader does not know stays when it writes; what has expired is not seen; identifiers sort by time.
func TestKeptHiddenSorted(t *testing.T) {
	type Session struct {
		ID      string    `ddb:"id"`
		User    string    `ddb:"user"`
		Until   time.Time `ddb:"until,epoch-s"`
		Created time.Time `ddb:"created,created"`
		Updated time.Time `ddb:"updated,updated"`
		Rest    attr.Item `ddb:",rest"`
	}
	type sessions struct {
		tablewright.Entity[string, Session]
		User   tablewright.Text[Session, string]
		ByUser tablewright.Index1[Session, string, string]
	}
	table := tablewright.NewTable(plan.Table{Name: "Sessions", Key: plan.Key{Partition: "id"}, TTL: "until",
		GSI: map[string]plan.Index{"ByUser": {Partition: []string{"user"}, Sort: []string{"id"}}}})
	d := tablewright.Declare[sessions](table, plan.Item{Name: "Session"})
	kit := tablewrighttest.Start(t, table)
	ctx, db := t.Context(), kit.DB
	ids := keys.NewIDs(kit.Clock.Now, nil)
	var all []string
	for i := range 3 {
		s := Session{ID: ids.ULID(), User: "anna", Until: kit.Clock.Now().Add(time.Duration(i+1) * time.Hour),
			Rest: attr.ItemOf(attr.Field{Name: "later", Value: attr.Text("kept")})}
		all = append(all, s.ID)
		if err := d.Create(s).Run(ctx, db); err != nil {
			t.Fatal(err)
		}
		kit.Clock.Advance(time.Minute)
	}
	s := must[Session](t)(d.Get(all[2]).Run(ctx, db))
	s.User = "bert"
	if err := d.Put(s).Run(ctx, db); err != nil {
		t.Error(err)
	}
	after := must[Session](t)(d.Get(all[2]).Run(ctx, db))
	if after.Rest.Get("later").Str() != "kept" || !after.Updated.After(after.Created) || !after.Created.Equal(s.Created) {
		t.Errorf("%+v", after)
	}
	if since, err := d.ByUser.Of("anna").From(keys.ULIDFloor(kit.Clock.Now().Add(-2*time.Minute))).Slice(ctx, db); err != nil || len(since) != 1 || since[0].ID != all[1] {
		t.Errorf("%v, %v", since, err)
	}
	if err := db.Sleep(ctx, time.Hour); err != nil { // on the kit's clock
		t.Error(err)
	}
	if n, err := d.ByUser.Of("anna").Count(ctx, db); n != 1 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	if _, err := d.Get(all[0]).Run(ctx, db); !errors.Is(err, tablewright.ErrNotFound) {
		t.Error(err)
	}
}
