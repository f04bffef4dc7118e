package practices

import (
	"errors"
	"fmt"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/plan"
)

// Settings are one item for each environment.
type Settings struct {
	Of        string `ddb:"of"`
	Read      bool   `ddb:"readOnly"`
	MaxUpload int    `ddb:"maxUpload,omitzero" check:"default=10"`
	Version   int    `ddb:"version,version"`
}

var SettingsTable = tablewright.NewTable(plan.Table{Name: "App", Key: plan.Key{Partition: "PK", Sort: "SK"}})

var AllSettings = tablewright.Declare[tablewright.Entity[string, Settings]](SettingsTable, plan.Item{
	Name: "Settings", Key: map[string]string{"PK": "settings#{of}", "SK": "settings"},
})

func Example_singletons() {
	ctx, db := open(SettingsTable)
	settings, err := AllSettings.Get("prod").Run(ctx, db)
	if errors.Is(err, tablewright.ErrNotFound) { // the first start
		settings, err = AllSettings.Create(Settings{Of: "prod", MaxUpload: 10}).New(ctx, db)
	}
	fmt.Println(settings.MaxUpload, err)
	settings, err = AllSettings.Edit("prod", func(s *Settings) error { s.MaxUpload = 25; return nil }).New(ctx, db)
	fmt.Println(settings.MaxUpload, settings.Version, err)
	// Output:
	// 10 <nil>
	// 25 2 <nil>
}
