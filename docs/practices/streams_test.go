package practices

import (
	"context"
	"fmt"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/streams"
)

type Sale struct {
	ID       string `ddb:"saleId"`
	Shop     string `ddb:"shop"`
	Cents    int    `ddb:"cents"`
	Refunded bool   `ddb:"refunded"`
}

// Turnover is kept from the changes of sales.
type Turnover struct {
	Shop  string `ddb:"shop"`
	Sales int    `ddb:"sales"`
	Cents int    `ddb:"cents"`
}

var (
	SalesTable     = tablewright.NewTable(plan.Table{Name: "Sales", Key: plan.Key{Partition: "saleId"}, Stream: plan.NewAndOld})
	TurnoversTable = tablewright.NewTable(plan.Table{Name: "Turnovers", Key: plan.Key{Partition: "shop"}})
)

type sales struct {
	tablewright.Entity[string, Sale]
	Refunded tablewright.Attr[Sale, bool]
}

type turnovers struct {
	tablewright.Entity[string, Turnover]
	Sales tablewright.Number[Turnover, int]
	Cents tablewright.Number[Turnover, int]
}

var (
	Sales     = tablewright.Declare[sales](SalesTable, plan.Item{Name: "Sale"})
	Turnovers = tablewright.Declare[turnovers](TurnoversTable, plan.Item{Name: "Turnover"})
)

// consume runs until ctx ends, in every process of the service; drain ends it when all that was there is handled.
func consume(ctx context.Context, db *tablewright.DB, drain bool) error {
	return streams.Run(ctx, db, SalesTable, streams.Options{Group: "turnover", Create: true, Drain: drain},
		streams.Aggregate(Sales, Turnovers, func(s Sale) (string, bool) { return s.Shop, !s.Refunded },
			streams.Count[Sale](Turnovers.Sales),
			streams.SumOf(Turnovers.Cents, func(s Sale) int { return s.Cents })),
		streams.On(Sales, func(ctx context.Context, c streams.Change[Sale]) error {
			if c.New != nil && c.New.Refunded && !c.Old.Refunded {
				fmt.Println("refund", c.New.ID)
			}
			return nil
		}))
}

func Example_streams() {
	ctx, db := open(SalesTable, TurnoversTable)
	for i, cents := range []int{500, 700, 900} {
		_ = Sales.Create(Sale{ID: fmt.Sprint("s", i+1), Shop: "oslo", Cents: cents}).Run(ctx, db)
	}
	_ = Sales.Update("s2", Sales.Refunded.Set(true)).Run(ctx, db)

	fmt.Println(consume(ctx, db, true))
	t, err := Turnovers.Get("oslo").Run(ctx, db)
	fmt.Println(t.Sales, t.Cents, err)
	// Output:
	// refund s2
	// <nil>
	// 2 1400 <nil>
}
