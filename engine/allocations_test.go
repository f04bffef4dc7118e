package engine_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/internal/norace"
)

// TestQueryCopies: what a query answers is copied as it is stored, so that its allocations do not grow with its items: in
// memory, from the log's level and from the file, of a table and of an index.
func TestQueryCopies(t *testing.T) {
	if !norace.Here(t) { // which allocates by itself
		return
	}
	dir := t.TempDir()
	for _, where := range []string{"", dir, dir} { // the second time in the directory everything is in the file
		e, err := engine.Open(where, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		do := func(operation, request string) error {
			_, err := e.Do(context.Background(), operation, []byte(request))
			return err
		}
		if err := do("DescribeTable", `{"TableName":"tbl"}`); err != nil {
			benchLoad(t, do)
		}
		for _, source := range []string{`"KeyConditionExpression":"pk = :p","ExpressionAttributeValues":{":p":{"S":"customer#00007"}}`,
			`"IndexName":"gsi","KeyConditionExpression":"g = :p","ExpressionAttributeValues":{":p":{"S":"status#7"}}`} {
			allocations := func(limit int) float64 {
				request := []byte(fmt.Sprintf(`{"TableName":"tbl","Limit":%d,%s}`, limit, source))
				return testing.AllocsPerRun(100, func() {
					if _, err := e.Do(context.Background(), "Query", request); err != nil {
						t.Fatal(err)
					}
				})
			}
			few, many := allocations(2), allocations(19) // an index partition has 20 items
			if many > few+2 {
				t.Errorf("in %q, %s: a query of 2 items makes %.0f allocations, one of 19 %.0f", where, source, few, many)
			}
		}
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
