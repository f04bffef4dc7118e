package wire

// UpdateItemInput is the request of UpdateItem. Its answer is a WriteOutput.
type UpdateItemInput struct {
	TableName        string
	Key              Attributes
	UpdateExpression *string
	Condition        Condition
	// ReturnValues is "NONE", "ALL_OLD", "ALL_NEW", "UPDATED_OLD", "UPDATED_NEW" or empty.
	ReturnValues string
	Report       Report
	Expectations
	AttributeUpdates []AttributeUpdate // from before expressions
}

// DecodeUpdateItem reads a request. The error is an *Error.
func DecodeUpdateItem(body []byte) (*UpdateItemInput, error) {
	in := new(UpdateItemInput)
	r := read(body)
	var table, values text
	var key bool
	for name := range r.Fields("UpdateItemInput") {
		switch string(name) {
		case "TableName":
			table = r.text()
		case "Key":
			in.Key, key = r.attributes()
		case "UpdateExpression":
			in.UpdateExpression = r.textPointer()
		case "ReturnValues":
			values = r.text()
		case "AttributeUpdates":
			in.AttributeUpdates = r.attributeUpdates()
		default:
			if !in.Report.member(r, name) && !in.Expectations.member(r, name) {
				in.Condition.member(r, name)
			}
		}
	}
	return in, r.finish(func() {
		in.Report.checkCapacity(r)
		in.TableName = r.table("tableName", table)
		in.Report.checkMetrics(r)
		in.ReturnValues = r.enum("returnValues", values, wordsReturnValues)
		r.require("key", key)
		in.Expectations.check(r)
		r.checkAttributeUpdates(in.AttributeUpdates)
		in.Condition.check(r, "returnValuesOnConditionCheckFailure")
	})
}

// Append appends the request's JSON to dst.
func (in *UpdateItemInput) Append(dst []byte) []byte {
	o := begin(dst)
	o.text("TableName", in.TableName)
	o.item("Key", in.Key.Item)
	o.optional("UpdateExpression", in.UpdateExpression)
	in.Condition.append(&o)
	in.Expectations.append(&o)
	o.attributeUpdates(in.AttributeUpdates)
	o.word("ReturnValues", in.ReturnValues)
	in.Report.append(&o)
	return o.end()
}
