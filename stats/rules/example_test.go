package rules_test

import (
	"context"
	"fmt"
	"log"
	"log/slog"
	"net/http"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/stats"
	"github.com/tablewright/tablewright/stats/rules"
)

var exampleTickets = tablewright.NewTable(plan.Table{Name: "Tickets", Key: plan.Key{Partition: "ticketId"}, Attributes: map[string]plan.Type{"ticketId": plan.S}})

// busyHour is an hour of a program that finds open tickets by a scan, three times a minute.
func busyHour() *stats.Collector {
	clock := engine.NewClock(time.Time{}) // a program leaves it to the system's
	e, err := engine.Open("", &engine.Options{Clock: clock})
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = e.Close() }()
	collector := stats.NewCollector(stats.Options{Clock: clock, Tables: []*tablewright.Table{exampleTickets}})
	db := tablewright.New(tablewright.InProcess(e), tablewright.Options{Clock: clock, Hooks: []tablewright.Hook{tablewright.Statistics(collector)}})
	ctx := context.Background()
	if err := exampleTickets.CreateIn(ctx, db); err != nil {
		log.Fatal(err)
	}
	send := func(operation, request string) {
		if _, err := db.Send(ctx, operation, "Tickets", []byte(request)); err != nil {
			log.Fatal(err)
		}
	}
	for i := range 400 {
		send("PutItem", fmt.Sprintf(`{"TableName":"Tickets","ConditionExpression":"attribute_not_exists(ticketId)","Item":{"ticketId":{"S":"t%d"},"open":{"BOOL":%t},"text":{"S":"%0400d"}}}`, i, i%50 == 0, i))
	}
	collector.Reset() // of filling the table
	for range 180 {
		clock.Advance(20 * time.Second)
		send("Scan", `{"TableName":"Tickets","FilterExpression":"#o = :yes","ExpressionAttributeNames":{"#o":"open"},"ExpressionAttributeValues":{":yes":{"BOOL":true}}}`)
	}
	return collector
}

// What to change about a table, as a program asks for it.
func Example() {
	collector := busyHour() // stats.NewCollector, which is a hook of the program's DB
	adviser := rules.NewAdviser(collector, rules.Options{})
	for _, f := range adviser.Recommendations(exampleTickets) {
		fmt.Println(f.String())
		fmt.Println(f.Evidence[0])
	}
	// Output:
	// warning: Scan of Tickets reads 50 items for each that it returns (scan-reads-much)
	// items returned of those read: 2 % (to compare: 25 %, Thresholds.ReturnedShare)
}

// Statistics that were exported are judged elsewhere, all processes together.
func ExampleRecommend() {
	merged, err := stats.Merge(busyHour().Snapshot(), busyHour().Snapshot()) // or stats.ReadSnapshot of each file
	if err != nil {
		log.Fatal(err)
	}
	found := rules.Recommend(rules.Input{Stats: merged, Tables: []*rules.Table{{Declared: exampleTickets.Definition()}}})
	for _, f := range found { // rules.WriteText prints all there is to say of them
		fmt.Println(f.Rule, "saves", f.Saving, "of", f.Operations[0])
	}
	// Output:
	// scan-reads-much saves $0.67 a month: $0.69 before, $0.02 after, of which the remedy takes $0.00 of Scan on Tickets
}

// A log is told of a finding once, and a page shows all of them beside the statistics.
func ExampleAdviser_Watch() {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	adviser := rules.NewAdviser(stats.NewCollector(stats.Options{}), rules.Options{})
	go adviser.Watch(ctx, slog.Default())
	mux := http.NewServeMux()
	mux.Handle("/debug/tablewright/", adviser.Handler())
	fmt.Println(len(adviser.All()))
	// Output: 0
}
