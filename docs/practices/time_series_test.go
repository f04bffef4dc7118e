package practices

import (
	"fmt"
	"log"
	"slices"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/plan"
)

type Reading struct {
	Sensor  string    `ddb:"sensor"`
	At      time.Time `ddb:"at,iso"`
	Celsius float64   `ddb:"celsius"`
	Expires time.Time `ddb:"expires,epoch-s"`
}

// ReadingKey is its own partition, too: the part At of that is the day.
type ReadingKey struct {
	Sensor string
	At     time.Time
}

var ReadingsTable = tablewright.NewTable(plan.Table{
	Name: "Readings", Key: plan.Key{Partition: "PK", Sort: "SK"}, TTL: "expires",
})

type readings struct {
	tablewright.Entity[ReadingKey, Reading]
	OfDay tablewright.Index1[Reading, ReadingKey, time.Time] `index:"."`
}

var Readings = tablewright.Declare[readings](ReadingsTable, plan.Item{
	Name: "Reading",
	Key:  map[string]string{"PK": "{sensor}#{at:day}", "SK": "{at:iso}"},
})

func Example_timeSeries() {
	ctx, db := open(ReadingsTable)
	var all []Reading
	for hours := range 60 {
		at := noon.Add(-time.Duration(hours) * time.Hour)
		all = append(all, Reading{Sensor: "s1", At: at, Celsius: 20 - float64(hours)/10, Expires: at.AddDate(0, 0, 30)})
	}
	if err := Readings.PutAll(slices.Values(all)).Parallel(4).Run(ctx, db); err != nil {
		log.Fatal(err)
	}

	today, err := Readings.OfDay.Of(ReadingKey{"s1", noon}).From(noon.Add(-3*time.Hour)).Slice(ctx, db)
	fmt.Println(len(today), "since 9:00", err)

	month := Readings.OfDay.Across(ReadingKey{"s1", noon.AddDate(0, -1, 0)}, ReadingKey{"s1", noon})
	page, err := month.Descending().Page(ctx, db, 20)
	fmt.Println(len(page.Items), "back to", page.Items[19].At.Format("Jan 2 15:04"), err)
	// Output:
	// 4 since 9:00 <nil>
	// 20 back to Nov 20 17:00 <nil>
}
