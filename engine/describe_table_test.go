package engine_test

import (
	"fmt"
	"testing"

	"github.com/tablewright/tablewright/engine"
)

// TestProjectedAttributesComeBack looks at the order of what indexes include: by name in global ones, as on the service; as it
// was given in local ones, whose order there is anybody's guess, for tools that compare lists.
func TestProjectedAttributesComeBack(t *testing.T) {
	e := open(t, "", &engine.Options{SweepEvery: -1})
	do(t, e, "CreateTable", `{"TableName":"tbl","BillingMode":"PAY_PER_REQUEST",
		"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"S"},{"AttributeName":"g","AttributeType":"S"}],
		"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],
		"GlobalSecondaryIndexes":[{"IndexName":"gsi","KeySchema":[{"AttributeName":"g","KeyType":"HASH"}],"Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["z","a","m"]}}],
		"LocalSecondaryIndexes":[{"IndexName":"lsi","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"g","KeyType":"RANGE"}],"Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["z","a","m"]}}]}`)
	table := do(t, e, "DescribeTable", `{"TableName":"tbl"}`)["Table"].(map[string]any)
	for kind, want := range map[string]string{"GlobalSecondaryIndexes": "[a m z]", "LocalSecondaryIndexes": "[z a m]"} {
		index := table[kind].([]any)[0].(map[string]any)
		if got := fmt.Sprint(index["Projection"].(map[string]any)["NonKeyAttributes"]); got != want {
			t.Errorf("%s: %s, want %s", kind, got, want)
		}
	}
}
