package terraform_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/engine"
)

// TestItems is the life of items, and of the many tables that Terraform works on at a time.
func TestItems(t *testing.T) {
	w := newWorkspace(t, engine.Options{})
	apply := func(want, item string) {
		w.Helper()
		w.configure(object{
			"aws_dynamodb_table": object{"many": object{
				"count": 12, "name": "many-${count.index}", "hash_key": "id", "range_key": "part", "billing_mode": "PAY_PER_REQUEST",
				"attribute": []any{attribute("id", "S"), attribute("part", "N")},
			}},
			"aws_dynamodb_table_item": object{"one": object{
				"table_name": "${aws_dynamodb_table.many[3].name}", "hash_key": "id", "range_key": "part", "item": item,
			}},
		})
		w.apply(want)
	}
	apply("13 added, 0 changed, 0 destroyed", `{"id":{"S":"a"},"part":{"N":"1"},"text":{"S":"x"},"list":{"L":[{"N":"1"},{"BOOL":true}]}}`)
	apply(changed, `{"id":{"S":"a"},"part":{"N":"1"},"text":{"S":"y"},"set":{"SS":["a","b"]},"none":{"NULL":true},"bytes":{"B":"AQID"}}`)
	if item := w.do("GetItem", `{"TableName":"many-3","Key":{"id":{"S":"a"},"part":{"N":"1"}},"ConsistentRead":true}`); !strings.Contains(item, `"text":{"S":"y"}`) {
		t.Errorf("changed: %s", item)
	}
	apply(changed, `{"id":{"S":"a"},"part":{"N":"2"},"text":{"S":"y"}}`)
	if left := w.do("Scan", `{"TableName":"many-3","Select":"COUNT"}`); !strings.Contains(left, `"Count":1`) {
		t.Errorf("with another key: %s", left)
	}

	// An item that is there already is not taken over.
	w.do("PutItem", `{"TableName":"many-3","Item":{"id":{"S":"b"},"part":{"N":"1"}}}`)
	w.configure(object{"aws_dynamodb_table_item": object{"two": object{"table_name": "many-3", "hash_key": "id", "range_key": "part",
		"item": `{"id":{"S":"b"},"part":{"N":"1"}}`}}})
	if said, code := w.tofu("apply", "-auto-approve", "-target=aws_dynamodb_table_item.two"); code != 1 || !strings.Contains(said, "ConditionalCheckFailedException") {
		t.Errorf("exit code %d:\n%s", code, said)
	}

	apply("0 added, 0 changed, 0 destroyed", `{"id":{"S":"a"},"part":{"N":"2"},"text":{"S":"y"}}`)
	w.do("UpdateItem", `{"TableName":"many-3","Key":{"id":{"S":"a"},"part":{"N":"2"}},"UpdateExpression":"SET #t = :v","ExpressionAttributeNames":{"#t":"text"},"ExpressionAttributeValues":{":v":{"S":"aside"}}}`)
	w.planned(2, "aside")
	w.do("DeleteItem", `{"TableName":"many-3","Key":{"id":{"S":"a"},"part":{"N":"2"}}}`)
	w.planned(2, "1 to add")
	w.apply("1 added, 0 changed, 0 destroyed")
	if said, code := w.tofu("destroy", "-auto-approve"); code != 0 || !strings.Contains(said, fmt.Sprint(13, " destroyed")) {
		t.Fatalf("exit code %d:\n%s", code, said)
	}
}
