package stats

import (
	"encoding/json"
	"reflect"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
)

// learnSchema takes how a table is declared from a call that makes, changes or describes it, where the program does not declare it. What it
// makes begins without a time to live; an answer that describes a table does not tell it.
func (t *tables) learnSchema(call *tablewright.Call) {
	var schema json.RawMessage
	var ttl struct {
		TableName               string
		TimeToLiveSpecification struct {
			AttributeName string
			Enabled       bool
		}
		TimeToLiveDescription struct{ AttributeName, TimeToLiveStatus string }
	}
	switch call.Operation {
	case "CreateTable":
		schema = call.Request
	case "DescribeTable":
		schema = attr.LookupRaw(call.Response, "Table")
	case "UpdateTable":
		schema = attr.LookupRaw(call.Response, "TableDescription")
	case "UpdateTimeToLive":
		if json.Unmarshal(call.Request, &ttl) == nil {
			name := ""
			if ttl.TimeToLiveSpecification.Enabled {
				name = ttl.TimeToLiveSpecification.AttributeName
			}
			t.learnTTL(call, ttl.TableName, name)
		}
		return
	case "DescribeTimeToLive":
		if json.Unmarshal(call.Request, &ttl) == nil && json.Unmarshal(call.Response, &ttl) == nil {
			name := ""
			if d := ttl.TimeToLiveDescription; d.TimeToLiveStatus == "ENABLED" || d.TimeToLiveStatus == "ENABLING" {
				name = d.AttributeName
			}
			t.learnTTL(call, ttl.TableName, name)
		}
		return
	default:
		return
	}
	d, err := tablewright.ReadDeclaration(schema)
	if err != nil {
		return
	}
	d.Name = call.DeclaredName([]byte(d.Name))
	known := t.find(d.Name)
	if d.Name == "" || known != nil && known.declared != nil || call.Declared(d.Name) != nil {
		return
	}
	form := formOf(d)
	if call.Operation != "CreateTable" {
		form.TTLUnknown = true
		if known != nil && known.form != nil {
			form.TTL, form.TTLUnknown = known.form.TTL, known.form.TTLUnknown
		}
	}
	if form.check() != nil || known != nil && reflect.DeepEqual(known.form, form) { // described again and again
		return
	}
	k := keysOfForm(d)
	k.form = form
	t.replace(d.Name, known, k)
}

// learnTTL takes the attribute of a table's time to live, "" for none.
func (t *tables) learnTTL(call *tablewright.Call, table, attribute string) {
	known := t.find(call.DeclaredName([]byte(table)))
	if known == nil || known.declared != nil || known.form == nil {
		return
	}
	k, form := *known, *known.form
	form.TTL, form.TTLUnknown = attribute, false
	k.form = &form
	t.replace(form.Name, known, &k)
}
