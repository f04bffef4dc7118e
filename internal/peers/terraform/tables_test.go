package terraform_test

import (
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/tablewright/tablewright/engine"
)

// TestTables has tables of other kinds: on demand from the beginning, with many indexes at once, of one
// name in two Regions, protected; on an engine that looks at signatures.
func TestTables(t *testing.T) {
	w := newWorkspace(t, engine.Options{StateTime: 50 * time.Millisecond, Credentials: []engine.Credential{
		{KeyID: "terraform", Secret: "terraform", Admin: true}, // as provider.go.txt of the provider has it
	}})
	plain := func(name string, more object) object {
		table := object{"name": name, "hash_key": "id", "billing_mode": "PAY_PER_REQUEST", "attribute": []any{attribute("id", "S")}}
		maps.Copy(table, more)
		return table
	}
	indexed := func(names ...string) object {
		var attributes, indexes []any
		for _, name := range names {
			attributes = append(attributes, attribute(name, "S"))
			indexes = append(indexes, object{"name": "by-" + name, "hash_key": name, "range_key": "id", "projection_type": "KEYS_ONLY"})
		}
		return plain("indexed", object{"attribute": append(attributes, attribute("id", "S")), "global_secondary_index": indexes})
	}
	tables := object{
		"indexed": indexed("a", "b", "c", "d"),
		"here":    plain("twins", object{"tags": object{"region": "here"}}),
		"there":   plain("twins", object{"tags": object{"region": "there"}, "provider": "aws.eu"}),
	}
	apply := func(want string) {
		w.Helper()
		w.configure(object{"aws_dynamodb_table": tables})
		w.apply(want)
	}
	apply("3 added, 0 changed, 0 destroyed")
	tables["indexed"] = indexed("c", "d", "e", "f", "g")
	apply(changed)
	tables["indexed"] = plain("indexed", nil)
	apply(changed)
	tables["there"].(object)["tags"] = object{"region": "abroad"}
	apply(changed)

	w.do("UpdateTable", `{"TableName":"indexed","DeletionProtectionEnabled":true}`)
	w.settle()
	if said, code := w.tofu("destroy", "-auto-approve"); code != 1 || !strings.Contains(said, "Resource cannot be deleted as it is currently protected against deletion") {
		t.Errorf("exit code %d:\n%s", code, said)
	}
	w.do("UpdateTable", `{"TableName":"indexed","DeletionProtectionEnabled":false}`)
	w.settle()
	if said, code := w.tofu("destroy", "-auto-approve"); code != 0 || !strings.Contains(said, "1 destroyed") {
		t.Errorf("exit code %d:\n%s", code, said)
	}
}
