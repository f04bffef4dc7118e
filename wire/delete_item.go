package wire

// DeleteItemInput is the request of DeleteItem. Its answer is a WriteOutput.
type DeleteItemInput struct {
	TableName string
	Key       Attributes
	Condition Condition
	// ReturnValues is "NONE", "ALL_OLD" or empty.
	ReturnValues string
	Report       Report
	Expectations
}

// DecodeDeleteItem reads a request. The error is an *Error.
func DecodeDeleteItem(body []byte) (*DeleteItemInput, error) {
	in := new(DeleteItemInput)
	r := read(body)
	var table, values text
	var key bool
	for name := range r.Fields("DeleteItemInput") {
		switch string(name) {
		case "TableName":
			table = r.text()
		case "Key":
			in.Key, key = r.attributes()
		case "ReturnValues":
			values = r.text()
		default:
			if !in.Report.member(r, name) && !in.Expectations.member(r, name) {
				in.Condition.member(r, name)
			}
		}
	}
	return in, r.finish(func() {
		in.Report.checkCapacity(r)
		in.TableName = r.table("tableName", table)
		// DeleteItem has an enumeration of its own, as captured on AWS (2026).
		in.ReturnValues = r.enum("returnValues", values, wordsReturnOnFailure)
		in.Report.checkMetrics(r)
		r.require("key", key)
		in.Expectations.check(r)
		in.Condition.check(r, "returnValuesOnConditionCheckFailure")
	})
}

// Append appends the request's JSON to dst.
func (in *DeleteItemInput) Append(dst []byte) []byte {
	o := begin(dst)
	o.text("TableName", in.TableName)
	o.item("Key", in.Key.Item)
	in.Condition.append(&o)
	in.Expectations.append(&o)
	o.word("ReturnValues", in.ReturnValues)
	in.Report.append(&o)
	return o.end()
}
