package wire

// UpdateTimeToLiveInput is the request of UpdateTimeToLive.
type UpdateTimeToLiveInput struct {
	TableName string     `json:"TableName"`
	TTL       TimeToLive `json:"TimeToLiveSpecification"`
}

// TimeToLive names the attribute that holds the time (in seconds since 1970) from which an item may be deleted.
type TimeToLive struct {
	Attribute string `json:"AttributeName"`
	Enabled   bool   `json:"Enabled"`
}

// DecodeUpdateTimeToLive reads a request. The error is an *Error.
func DecodeUpdateTimeToLive(body []byte) (*UpdateTimeToLiveInput, error) {
	in := new(UpdateTimeToLiveInput)
	r := read(body)
	var table, attribute text
	var enabled *bool
	var specification bool
	for name := range r.Fields("UpdateTimeToLiveInput") {
		switch string(name) {
		case "TableName":
			table = r.text()
		case "TimeToLiveSpecification":
			if specification = !r.Null(); !specification {
				continue
			}
			for name := range r.Fields("TimeToLiveSpecification") {
				switch string(name) {
				case "AttributeName":
					attribute = r.text()
				case "Enabled":
					enabled = r.boolPointer()
				}
			}
		}
	}
	return in, r.finish(func() {
		in.TableName = r.controlTable(table)
		const path = "timeToLiveSpecification"
		r.require(path, specification)
		if !specification {
			return
		}
		r.require(path+".attributeName", attribute.set)
		r.require(path+".enabled", enabled != nil)
		if attribute.set {
			r.attributeName(path+".attributeName", attribute.s)
		}
		in.TTL.Attribute, in.TTL.Enabled = attribute.s, enabled != nil && *enabled
	})
}

// Append appends the request's JSON to dst.
func (in *UpdateTimeToLiveInput) Append(dst []byte) []byte { return appendJSON(dst, in) }

// UpdateTimeToLiveOutput is the answer of UpdateTimeToLive.
type UpdateTimeToLiveOutput struct {
	TTL TimeToLive `json:"TimeToLiveSpecification"`
}

// Append appends the answer's JSON to dst.
func (out *UpdateTimeToLiveOutput) Append(dst []byte) []byte { return appendJSON(dst, out) }

// DescribeTimeToLiveOutput is the answer of DescribeTimeToLive, whose request is a NamedTable.
type DescribeTimeToLiveOutput struct {
	TTL TimeToLiveDescription `json:"TimeToLiveDescription"`
}

// TimeToLiveDescription tells the status ("ENABLED", "DISABLED", …) and, where it is on, the attribute.
type TimeToLiveDescription struct {
	Status    string `json:"TimeToLiveStatus"`
	Attribute string `json:"AttributeName,omitempty"`
}

// Append appends the answer's JSON to dst.
func (out *DescribeTimeToLiveOutput) Append(dst []byte) []byte { return appendJSON(dst, out) }

// DecodeDescribeTimeToLiveOutput reads an answer.
func DecodeDescribeTimeToLiveOutput(body []byte) (*DescribeTimeToLiveOutput, error) {
	out := new(DescribeTimeToLiveOutput)
	return out, decodeJSON(body, out)
}
