package practices

import (
	"errors"
	"fmt"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/plan"
)

// Settings are one item: it has no key of its own.
type Settings struct {
	ReadOnly  bool `ddb:"readOnly"`
	MaxUpload int  `ddb:"maxUpload"`
	Version   int  `ddb:"version,version"`
}

var AppTable = tablewright.NewTable(plan.Table{Name: "App", Key: plan.Key{Partition: "PK", Sort: "SK"}})

var TheSettings = tablewright.Declare[tablewright.Entity[struct{}, Settings]](AppTable, plan.Item{
	Name: "Settings", Key: map[string]string{"PK": "settings", "SK": "settings"},
})

// FrontPage is read with every visit: it lies there five times.
type FrontPage struct {
	Country string `ddb:"country"`
	Text    string `ddb:"text"`
}

var FrontPages = tablewright.NewCopies(*tablewright.Declare[tablewright.Entity[string, FrontPage]](AppTable, plan.Item{
	Name: "FrontPage", Key: map[string]string{"PK": "front#{country}#{shard}", "SK": "front"}, Shard: &plan.Shard{Of: 5, By: "random"},
}))

func Example_singletons() {
	ctx, db := open(AppTable)
	settings, err := TheSettings.Get(struct{}{}).Run(ctx, db)
	if errors.Is(err, tablewright.ErrNotFound) { // the first start
		settings, err = TheSettings.Create(Settings{MaxUpload: 10}).New(ctx, db)
	}
	fmt.Println(settings.MaxUpload, err)
	settings, err = TheSettings.Edit(struct{}{}, func(s *Settings) error { s.MaxUpload = 25; return nil }).New(ctx, db)
	fmt.Println(settings.MaxUpload, settings.Version, err)
	// Output:
	// 10 <nil>
	// 25 2 <nil>
}

func Example_copies() {
	ctx, db := open(AppTable)
	var used tablewright.Usage
	fmt.Println(FrontPages.Put(FrontPage{"no", "God dag"}).Run(ctx, db.Measure(&used)), used.Write)
	page, err := FrontPages.Get("no").Run(ctx, db) // one of the five
	fmt.Println(page.Text, err)
	// Output:
	// <nil> 10
	// God dag <nil>
}
