package terraform_test

import (
	"maps"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/tablewright/tablewright/engine"
)

func attribute(name, kind string) object { return object{"name": name, "type": kind} }

// orders is a table with a bit of everything.
func orders() object {
	return object{
		"name": "orders", "hash_key": "customer", "range_key": "placed", "read_capacity": 5, "write_capacity": 6,
		"attribute":              []any{attribute("customer", "S"), attribute("placed", "N"), attribute("status", "S"), attribute("digest", "B")},
		"global_secondary_index": []any{byStatus(2, 3)},
		"local_secondary_index": []any{object{"name": "by-digest", "range_key": "digest", "projection_type": "INCLUDE",
			"non_key_attributes": []any{"total", "status"}}},
		"stream_enabled": true, "stream_view_type": "NEW_IMAGE",
		"ttl":                    object{"attribute_name": "expires", "enabled": true},
		"point_in_time_recovery": object{"enabled": true},
		"server_side_encryption": object{"enabled": true},
		"tags":                   object{"team": "shop", "empty": ""},
	}
}

func byStatus(read, write int) object {
	return object{"name": "by-status", "hash_key": "status", "range_key": "placed", "projection_type": "KEYS_ONLY",
		"read_capacity": read, "write_capacity": write}
}

// byTotal is an index on an attribute that the table has none on.
func byTotal(projection string, projected ...any) object {
	x := object{"name": "by-total", "hash_key": "total", "projection_type": projection, "read_capacity": 1, "write_capacity": 1}
	if len(projected) > 0 {
		x["non_key_attributes"] = projected
	}
	return x
}

const changed = "0 added, 1 changed, 0 destroyed"

// TestTable is the life of a table: created with everything, each setting changed, billed otherwise and back, changed aside and
// put right, lost from the state and imported, replaced, deleted aside, destroyed.
func TestTable(t *testing.T) {
	for name, states := range map[string]time.Duration{"at once": 0, "with states": 300 * time.Millisecond} {
		t.Run(name, func(t *testing.T) {
			w := newWorkspace(t, engine.Options{StateTime: states})
			tableLife(w)
			if *recording && states == 0 {
				if err := os.WriteFile(recorded, []byte(w.calls.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

func tableLife(w *workspace) {
	table := orders()
	apply := func(want string, changes object) {
		w.Helper()
		maps.Copy(table, changes)
		maps.DeleteFunc(table, func(_ string, v any) bool { return v == nil })
		w.configure(object{"aws_dynamodb_table": object{"orders": table}})
		w.apply(want)
	}
	apply("1 added, 0 changed, 0 destroyed", nil)

	apply(changed, object{"read_capacity": 10, "write_capacity": 12, "global_secondary_index": []any{byStatus(4, 6)}})
	apply(changed, object{"read_capacity": 7, "write_capacity": 12, "global_secondary_index": []any{byStatus(4, 1)}})
	definitions := append(orders()["attribute"].([]any), attribute("total", "N"))
	apply(changed, object{"attribute": definitions, "global_secondary_index": []any{byStatus(4, 1), byTotal("INCLUDE", "digest", "note")}})
	apply(changed, object{"global_secondary_index": []any{byStatus(4, 1), byTotal("ALL")}})
	apply(changed, object{"attribute": orders()["attribute"], "global_secondary_index": []any{byStatus(4, 1)}})
	apply(changed, object{"tags": object{"team": "shop", "stage": "test", "a:b": "x=y"}})
	apply(changed, object{"tags": nil})
	apply(changed, object{"stream_enabled": false, "stream_view_type": nil})
	apply(changed, object{"stream_enabled": true, "stream_view_type": "NEW_AND_OLD_IMAGES"})
	apply(changed, object{"point_in_time_recovery": object{"enabled": false}})
	if !*recording { // a table's time to live is changed once in an hour, and what is recorded does not wait
		w.clock.skip(time.Hour)
		apply(changed, object{"ttl": nil})
		w.clock.skip(time.Hour)
		apply(changed, object{"ttl": object{"attribute_name": "until", "enabled": true}})
	}
	apply(changed, object{"point_in_time_recovery": object{"enabled": true}})

	onDemand := byStatus(4, 1)
	delete(onDemand, "read_capacity")
	delete(onDemand, "write_capacity")
	apply(changed, object{"billing_mode": "PAY_PER_REQUEST", "read_capacity": nil, "write_capacity": nil, "global_secondary_index": []any{onDemand}})
	apply(changed, object{"billing_mode": "PROVISIONED", "read_capacity": 3, "write_capacity": 4, "global_secondary_index": []any{byStatus(2, 2)}})

	// What was changed aside is found and put right, one thing at a time and all together.
	arn := `"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/orders"`
	for _, aside := range []struct {
		operation, request string
		drift              []string
	}{
		{"TagResource", `{` + arn + `,"Tags":[{"Key":"who","Value":"me"}]}`, []string{`"who" = "me"`}},
		{"UpdateTable", `{"TableName":"orders","ProvisionedThroughput":{"ReadCapacityUnits":30,"WriteCapacityUnits":4}}`, []string{"read_capacity", "30 -> 3"}},
		{"UpdateTable", `{"TableName":"orders","GlobalSecondaryIndexUpdates":[{"Delete":{"IndexName":"by-status"}}]}`, []string{"global_secondary_index", `"by-status"`}},
		{"UpdateTable", `{"TableName":"orders","StreamSpecification":{"StreamEnabled":false}}`, []string{"stream_enabled", "false -> true"}},
		{"UpdateContinuousBackups", `{"TableName":"orders","PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":false}}`,
			[]string{"point_in_time_recovery", "false -> true"}},
	} {
		w.do(aside.operation, aside.request)
		w.settle()
		w.planned(2, aside.drift...)
		w.apply(changed)
	}

	// Lost from the state, and imported.
	if said, code := w.tofu("state", "rm", "aws_dynamodb_table.orders"); code != 0 {
		w.Fatal(said)
	}
	w.planned(2, "1 to add")
	if said, code := w.tofu("import", "aws_dynamodb_table.orders", "orders"); code != 0 {
		w.Fatal(said)
	}
	w.planned(0)

	w.apply("1 added, 0 changed, 1 destroyed", "-replace=aws_dynamodb_table.orders")
	apply("1 added, 0 changed, 1 destroyed", object{"range_key": nil, "local_secondary_index": nil,
		"attribute": []any{attribute("customer", "S"), attribute("placed", "N"), attribute("status", "S")}})

	w.do("DeleteTable", `{"TableName":"orders"}`)
	w.settle()
	w.planned(2, "1 to add")
	w.apply("1 added, 0 changed, 0 destroyed")
	if said, code := w.tofu("destroy", "-auto-approve"); code != 0 || !strings.Contains(said, "1 destroyed") {
		w.Fatalf("exit code %d:\n%s", code, said)
	}
	if tables := w.do("ListTables", `{}`); tables != `{"TableNames":[]}` {
		w.Errorf("left: %s", tables)
	}
}

// settle lets what was done aside be over.
func (w *workspace) settle() { w.clock.skip(time.Minute) }
