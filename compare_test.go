package tablewright_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/plan"
)

// Whether the table is as the program declares it, before it is used.
func ExampleTable_Compare() {
	ctx, db := inMemory()
	older := tablewright.NewTable(plan.Table{
		Name: "Users", Key: plan.Key{Partition: "userId"}, Attributes: map[string]plan.Type{"userId": plan.S, "country": plan.S},
		GSI: map[string]plan.Index{"ByCountry": {Partition: []string{"country"}, Project: plan.Keys}},
		TTL: "until",
	})
	_ = older.CreateIn(ctx, db)
	differences, err := UsersTable.Compare(ctx, db)
	for _, d := range differences {
		fmt.Println(d)
	}
	fmt.Println(err)
	// Output:
	// index ByCountry: declared none, found partition country, sort none
	// index ByPlace: declared partition tenantId, customerId, sort country, state, city, found none
	// time to live: declared none, found until
	// <nil>
}

func TestCompare(t *testing.T) {
	everywhere(t, func(t *testing.T, db *tablewright.DB) {
		if d, err := Shop.Compare(t.Context(), db); err != nil || len(d) > 0 {
			t.Errorf("the table that was made from the declaration: %v, %v", d, err)
		}
	})
	base := func() plan.Table {
		return plan.Table{Name: "Table", Key: plan.Key{Partition: "a", Sort: "b"}, TTL: "ttl", Stream: plan.NewAndOld,
			Attributes: map[string]plan.Type{"a": plan.S, "b": plan.S, "c": plan.S, "d": plan.N},
			GSI:        map[string]plan.Index{"GSI": {Partition: []string{"c"}, Sort: []string{"d"}, Project: plan.Include, Include: []string{"x", "y"}}},
			LSI:        map[string]plan.Index{"LSI": {Sort: []string{"d"}}}}
	}
	for want, change := range map[string]func(p *plan.Table){
		"":                                 func(*plan.Table) {},
		"sort key: declared none, found b": func(p *plan.Table) { p.Key.Sort, p.LSI = "", nil },
		"type of b: declared N, found S":   func(p *plan.Table) { p.Attributes["b"] = plan.N },
		"index GSI: partition attributes: declared c, a": func(p *plan.Table) { g := p.GSI["GSI"]; g.Partition = []string{"c", "a"}; p.GSI["GSI"] = g },
		"index GSI: sort attributes: declared none":      func(p *plan.Table) { g := p.GSI["GSI"]; g.Sort = nil; p.GSI["GSI"] = g },
		"index GSI: projection: declared INCLUDE x, z, found INCLUDE x, y": func(p *plan.Table) {
			g := p.GSI["GSI"]
			g.Include = []string{"z", "x"}
			p.GSI["GSI"] = g
		},
		"index GSI: projection: declared ALL":                func(p *plan.Table) { g := p.GSI["GSI"]; g.Project, g.Include = "", nil; p.GSI["GSI"] = g },
		"local index LSI: sort attributes: declared c":       func(p *plan.Table) { p.LSI["LSI"] = plan.Index{Sort: []string{"c"}} },
		"local index LSI: declared none":                     func(p *plan.Table) { p.LSI = nil },
		"time to live: declared other, found ttl":            func(p *plan.Table) { p.TTL = "other" },
		"stream: declared none, found NEW_AND_OLD_IMAGES":    func(p *plan.Table) { p.Stream = "" },
		"class: declared INFREQUENT_ACCESS, found STANDARD":  func(p *plan.Table) { p.Class = "infrequent-access" },
		"capacity: declared 5 reads and 1 writes a second, ": func(p *plan.Table) { p.Billing.Read = 5 },
	} {
		db := open(t, tablewright.Options{}, tablewright.NewTable(base()))
		p := base()
		change(&p)
		d, err := tablewright.NewTable(p).Compare(t.Context(), db)
		if err != nil || want == "" && len(d) > 0 || want != "" && !strings.Contains(fmt.Sprint(d), want) {
			t.Errorf("%q: %v, %v", want, d, err)
		}
	}
	if _, err := Shop.Compare(t.Context(), open(t, tablewright.Options{})); !errors.Is(err, tablewright.ErrNotFound) {
		t.Errorf("no table: %v", err)
	}
}

// A table is made with what belongs to its place: tags, protection, backups.
func TestSettings(t *testing.T) {
	db := open(t, tablewright.Options{})
	ctx := t.Context()
	err := Shop.CreateIn(ctx, db, tablewright.Tags(map[string]string{"stage": "test", "team": "shop"}), tablewright.Protected(), tablewright.Recoverable())
	if err != nil {
		t.Fatal(err)
	}
	text, err := db.Send(ctx, "DescribeTable", "Shop", []byte(`{"TableName":"Shop"}`))
	if err != nil || !strings.Contains(string(text), `"DeletionProtectionEnabled":true`) {
		t.Errorf("%s, %v", text, err)
	}
	text, err = db.Send(ctx, "DescribeContinuousBackups", "Shop", []byte(`{"TableName":"Shop"}`))
	if err != nil || !strings.Contains(string(text), `"PointInTimeRecoveryStatus":"ENABLED"`) {
		t.Errorf("%s, %v", text, err)
	}
	text, err = db.Send(ctx, "ListTagsOfResource", "Shop", []byte(`{"ResourceArn":"`+arnOf(t, db)+`"}`))
	if err != nil || !strings.Contains(string(text), `"stage"`) || !strings.Contains(string(text), `"shop"`) {
		t.Errorf("%s, %v", text, err)
	}
}

func arnOf(t *testing.T, db *tablewright.DB) string {
	t.Helper()
	text, err := db.Send(t.Context(), "DescribeTable", "Shop", []byte(`{"TableName":"Shop"}`))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), `"TableArn":"`)
	arn, _, _ := strings.Cut(rest, `"`)
	return arn
}
