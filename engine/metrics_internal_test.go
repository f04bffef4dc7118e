package engine

import (
	"context"
	"testing"
)

// TestUsagesEnd: what was counted of tables that are no more is let go of.
func TestUsagesEnd(t *testing.T) {
	e, err := Open("", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	usages := func() int {
		if l := e.metrics.usages.Load(); l != nil {
			return len(*l)
		}
		return 0
	}
	for range 3 {
		for _, r := range [][2]string{
			{"CreateTable", `{"TableName":"tbl","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"k","AttributeType":"S"}],"KeySchema":[{"AttributeName":"k","KeyType":"HASH"}],
				"GlobalSecondaryIndexes":[{"IndexName":"idx","KeySchema":[{"AttributeName":"k","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}]}`},
			{"PutItem", `{"TableName":"tbl","Item":{"k":{"S":"a"}}}`},
			{"DeleteTable", `{"TableName":"tbl"}`},
		} {
			if _, err := e.Do(context.Background(), r[0], []byte(r[1])); err != nil {
				t.Fatal(err)
			}
			if n := usages(); r[0] == "PutItem" && n != 2 || n > 2 {
				t.Errorf("%s: usages of %d", r[0], n)
			}
		}
	}
	if n := usages(); n != 0 {
		t.Errorf("usages of %d without a table", n)
	}
}
