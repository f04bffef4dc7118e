package stats_test

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"github.com/tablewright/tablewright"
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
