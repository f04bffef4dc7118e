package stats_test

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/stats"
)

// An export says how its tables are declared, each once, and what cannot be one is refused.
func TestTableForms(t *testing.T) {
	form := plan.Table{Name: "Rooms", Key: plan.Key{Partition: "house", Sort: "room"}, Attributes: map[string]plan.Type{"floor": plan.N}, TTL: "until", Class: "infrequent-access",
		Billing: plan.Billing{Read: 5, Write: 2},
		GSI:     map[string]plan.Index{"ByGuest": {Partition: []string{"guest"}, Sort: []string{"floor"}, Project: plan.Include, Include: []string{"price"}}},
		LSI:     map[string]plan.Index{"ByFloor": {Sort: []string{"floor"}, Project: plan.Keys}}}
	table := tablewright.NewTable(form)
	other := tablewright.NewTable(plan.Table{Name: "Houses", Key: plan.Key{Partition: "house"}})
	one := stats.NewCollector(stats.Options{Tables: []*tablewright.Table{table, other}}).Snapshot()
	var text bytes.Buffer
	must(t, one.Write(&text))
	written := text.String()
	read, err := stats.ReadSnapshot(&text)
	must(t, err)
	all, err := stats.Merge(read, one, stats.NewCollector(stats.Options{}).Snapshot())
	must(t, err)
	if len(all.Tables) != 2 || all.Tables[0].Name != "Houses" || all.Tables[1].Name != "Rooms" {
		t.Fatalf("%+v", all.Tables)
	}
	if got := all.Tables[1].Plan(); !reflect.DeepEqual(got, form) {
		t.Errorf("%+v, want %+v", got, form)
	}
	for from, to := range map[string]string{`"name":"Rooms"`: `"name":""`, `"partition":"house"`: `"partition":""`, `"partition":["guest"]`: `"partition":[]`, `"read":5`: `"read":-5`} {
		if _, err := stats.ReadSnapshot(strings.NewReader(strings.Replace(written, from, to, 1))); err == nil {
			t.Errorf("%s is read", to)
		}
	}
}

// A table is exported as it is declared by then: what items are declared after the collector was made tell of it is there.
func TestFormsDeclaredLater(t *testing.T) {
	table := tablewright.NewTable(plan.Table{Name: "Lines", Key: plan.Key{Partition: "orderId", Sort: "line"}})
	c := stats.NewCollector(stats.Options{Tables: []*tablewright.Table{table}})
	if f := c.Snapshot().Tables[0]; len(f.Attributes) > 0 {
		t.Errorf("before: %+v", f)
	}
	tablewright.Declare[struct {
		tablewright.Entity[orderKey, order]
	}](table, plan.Item{Name: "Line"})
	if f := c.Snapshot().Tables[0]; f.Attributes["orderId"] != plan.S || f.Attributes["line"] != plan.S {
		t.Errorf("after: %+v", f)
	}
}

// What passes of tables that nobody declares tells how they are: made, changed, described, with their time to live. What the program
// declares is left as it is.
func TestFormsThatPass(t *testing.T) {
	c := stats.NewCollector(stats.Options{})
	clock := engine.NewClock(time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC))
	e := engine.New(t, engine.Options{Clock: clock})
	db := tablewright.New(tablewright.InProcess(e), tablewright.Options{Hooks: []tablewright.Hook{tablewright.Statistics(c)}})
	send := func(operation, request string) *stats.TableForm {
		t.Helper()
		if _, err := db.Send(t.Context(), operation, "Visits", []byte(request)); err != nil {
			t.Fatal(err)
		}
		if all := c.Snapshot().Tables; len(all) == 1 {
			return all[0]
		}
		t.Fatalf("after %s there are %d tables", operation, len(c.Snapshot().Tables))
		return nil
	}
	f := send("CreateTable", `{"TableName":"Visits","BillingMode":"PROVISIONED","ProvisionedThroughput":{"ReadCapacityUnits":7,"WriteCapacityUnits":3},
		"KeySchema":[{"AttributeName":"host","KeyType":"HASH"},{"AttributeName":"at","KeyType":"RANGE"}],
		"AttributeDefinitions":[{"AttributeName":"host","AttributeType":"S"},{"AttributeName":"at","AttributeType":"N"},{"AttributeName":"day","AttributeType":"S"}],
		"LocalSecondaryIndexes":[{"IndexName":"ByDay","KeySchema":[{"AttributeName":"host","KeyType":"HASH"},{"AttributeName":"day","KeyType":"RANGE"}],"Projection":{"ProjectionType":"KEYS_ONLY"}}]}`)
	if f.Name != "Visits" || f.Partition != "host" || f.Sort != "at" || f.Attributes["at"] != plan.N || f.Read != 7 || f.Write != 3 || f.TTL != "" || f.TTLUnknown ||
		len(f.LSI) != 1 || f.LSI["ByDay"].Project != plan.Keys || !slices.Equal(f.LSI["ByDay"].Sort, []string{"day"}) {
		t.Errorf("made: %+v", f)
	}
	if f = send("UpdateTimeToLive", `{"TableName":"Visits","TimeToLiveSpecification":{"AttributeName":"until","Enabled":true}}`); f.TTL != "until" {
		t.Errorf("with a time to live: %+v", f)
	}
	f = send("UpdateTable", `{"TableName":"Visits","AttributeDefinitions":[{"AttributeName":"day","AttributeType":"S"}],"GlobalSecondaryIndexUpdates":[{"Create":{"IndexName":"Days",
		"KeySchema":[{"AttributeName":"day","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"},"ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1}}}]}`)
	if f.GSI["Days"] == nil || f.TTL != "until" {
		t.Errorf("with another index: %+v", f)
	}

	// Another process only sees it described.
	c = stats.NewCollector(stats.Options{})
	db = tablewright.New(tablewright.InProcess(e), tablewright.Options{Hooks: []tablewright.Hook{tablewright.Statistics(c)}})
	if f = send("DescribeTable", `{"TableName":"Visits"}`); f.GSI["Days"] == nil || f.LSI["ByDay"] == nil || f.Read != 7 || f.TTL != "" || !f.TTLUnknown {
		t.Errorf("described: %+v", f)
	}
	whole := stats.NewCollector(stats.Options{}).Snapshot()
	whole.Tables = []*stats.TableForm{{Name: "Visits", Partition: "host", TTL: "until"}}
	merged, err := stats.Merge(c.Snapshot(), whole)
	must(t, err)
	if len(merged.Tables) != 1 || merged.Tables[0].TTL != "until" {
		t.Errorf("who knows less is believed: %+v", merged.Tables)
	}
	if f = send("DescribeTimeToLive", `{"TableName":"Visits"}`); f.TTL != "until" || f.TTLUnknown {
		t.Errorf("described, with its time to live: %+v", f)
	}
	clock.Advance(2 * time.Hour) // it is changed once an hour at most
	if f = send("UpdateTimeToLive", `{"TableName":"Visits","TimeToLiveSpecification":{"AttributeName":"until","Enabled":false}}`); f.TTL != "" || f.TTLUnknown {
		t.Errorf("without a time to live: %+v", f)
	}

	declared := tablewright.NewTable(plan.Table{Name: "Visits", Key: plan.Key{Partition: "host", Sort: "at"}, TTL: "ends"})
	c = stats.NewCollector(stats.Options{Tables: []*tablewright.Table{declared}})
	db = tablewright.New(tablewright.InProcess(e), tablewright.Options{Hooks: []tablewright.Hook{tablewright.Statistics(c)}})
	if f = send("DescribeTable", `{"TableName":"Visits"}`); f.TTL != "ends" || len(f.GSI) > 0 {
		t.Errorf("declared: %+v", f)
	}
	if f = send("DescribeTimeToLive", `{"TableName":"Visits"}`); f.TTL != "ends" {
		t.Errorf("declared: %+v", f)
	}
}
