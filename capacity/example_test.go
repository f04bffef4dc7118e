package capacity_test

import (
	"fmt"
	"strings"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/capacity"
)

// Ten items of 1.5 KB cost more read one by one than together.
func ExampleQuery() {
	items := make([]capacity.Bytes, 10)
	var page capacity.Bytes
	for i := range items {
		items[i] = 1536
		page += items[i]
	}
	fmt.Println(capacity.BatchGet(items, capacity.Eventual), capacity.Query(page, capacity.Eventual))
	// Output: 5 2
}

// A status that an index sorts by costs two writes on that index, and none on one that does not project it.
func ExampleIndex_Write() {
	byStatus := capacity.Index{TableKey: []string{"orderId"}, Key: []string{"customerId", "status"}}
	byCity := capacity.Index{TableKey: []string{"orderId"}, Key: []string{"city"}, Projection: capacity.KeysOnly}

	before := attr.ItemOf(
		attr.Field{Name: "orderId", Value: attr.Text("o-1")},
		attr.Field{Name: "customerId", Value: attr.Text("c-1")},
		attr.Field{Name: "city", Value: attr.Text("Oslo")},
		attr.Field{Name: "status", Value: attr.Text("placed")})
	after := before.Clone()
	after.Set("status", attr.Text("paid"))

	fmt.Println("table:", capacity.Write(capacity.Bytes(before.Size()), capacity.Bytes(after.Size())))
	for _, index := range []capacity.Index{byStatus, byCity} {
		arm, units := index.Write(before, after)
		fmt.Println(arm, units)
	}
	// Output:
	// table: 1
	// move 2
	// none 0
}

// A transaction doubles the table's arms, not those of indexes.
func ExampleTransact() {
	table := capacity.Transact(capacity.Write(0, 600))
	index := capacity.ArmUnits(capacity.Enter, 0, 250)
	check := capacity.ConditionCheck(3 * capacity.KB)
	fmt.Println(table, index, check)
	// Output: 2 1 6
}

// A month of 300 gets and 20 writes a second, and 40 million items of 350 bytes.
func ExampleTariff_Bill() {
	prices := capacity.DefaultPrices()
	table := prices.Tariff(capacity.Standard, capacity.OnDemand).Bill(capacity.Usage{
		Read:   300 * capacity.Get(350, capacity.Eventual),
		Write:  20 * capacity.Write(0, 350),
		Stored: capacity.Stored(40_000_000, 350),
	})
	fmt.Println(table.Reads, table.Writes, table.Storage, table.Total())
	fmt.Println("the free tier would take off", prices.FreeTier(capacity.Stored(40_000_000, 350), 0))
	// Output:
	// $49.28 $32.85 $4.19 $86.32
	// the free tier would take off $4.19
}

// Sizes measured in production, as a distribution.
type histogram []struct{ bytes, share float64 }

func (h histogram) Expect(f func(bytes float64) float64) float64 {
	var sum float64
	for _, bar := range h {
		sum += bar.share * f(bar.bytes)
	}
	return sum
}

// The expectation of rounded units is not the rounded units of the average.
func ExampleExpectWrite() {
	sizes := histogram{{600, 0.6}, {1_100, 0.4}}
	average := capacity.Bytes(sizes.Expect(func(b float64) float64 { return b }))
	fmt.Println(capacity.ExpectWrite(sizes), capacity.Write(0, average))
	// Output: 1.4 1
}

// A price file of one's own starts from the embedded one.
func ExampleLoadPrices() {
	text := strings.Replace(capacity.DefaultPriceFile(), "us-east-1", "eu-central-1", 1)
	text = strings.Replace(text, "standard.storage             0.25", "standard.storage             0.306", 1)
	prices, err := capacity.LoadPrices(strings.NewReader(text))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(prices.Region, prices.Date, prices.Tariff(capacity.Standard, capacity.OnDemand).Storage(100*capacity.GB))
	_, err = capacity.LoadPrices(strings.NewReader(strings.Replace(text, "unit-hour", "unit-day", 1)))
	fmt.Println(err)
	// Output:
	// eu-central-1 2026-11-01 $30.60
	// prices: line 14: standard.provisioned.read is per unit-hour, not per "unit-day"
}
