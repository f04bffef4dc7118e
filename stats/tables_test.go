package stats_test

import (
	"testing"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/stats"
)

// A declared table is known as such whatever was seen of it before: the request that made it, or one of a client that declares
// nothing.
func TestDeclaredAfterSeen(t *testing.T) {
	for name, made := range map[string]func(t *testing.T, db *tablewright.DB){
		"made under the collector": func(t *testing.T, db *tablewright.DB) {
			if err := shop.CreateIn(t.Context(), db); err != nil {
				t.Fatal(err)
			}
		},
		"made before, written by another client": func(t *testing.T, db *tablewright.DB) {
			for _, request := range [][2]string{
				{"DescribeTable", `{"TableName":"Shop"}`},
				{"GetItem", `{"TableName":"Shop","Key":{"PK":{"S":"o#9"},"SK":{"S":"l#9"}}}`},
			} {
				if err := db.Transport().Do(t.Context(), &tablewright.Call{Operation: request[0], Table: "Shop", Request: []byte(request[1]), Attempt: 1}); err != nil {
					t.Fatal(err)
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			way := tablewright.InProcess(engine.New(t))
			if name != "made under the collector" {
				if err := shop.CreateIn(t.Context(), tablewright.New(way, tablewright.Options{})); err != nil {
					t.Fatal(err)
				}
			}
			c := stats.NewCollector(stats.Options{})
			db := tablewright.New(way, tablewright.Options{Hooks: []tablewright.Hook{tablewright.Statistics(c)}})
			made(t, db)
			if err := orders.Put(order{ID: "o1", Line: "1", Customer: "c1"}).Run(t.Context(), db); err != nil {
				t.Fatal(err)
			}
			if known := c.Tables(); len(known) != 1 || known[0] != shop {
				t.Errorf("the declared table is not known: %v", known)
			}
		})
	}
}
