package wire

// MaxShards is how many shards DescribeStream answers at most, and without a Limit (API_streams_DescribeStream).
const MaxShards = 100

// DescribeStreamInput is the request of DescribeStream.
type DescribeStreamInput struct {
	ARN    string       `json:"StreamArn"`
	Start  string       `json:"ExclusiveStartShardId,omitempty"` // the last of the page before
	Limit  *int         `json:"Limit,omitempty"`                 // nil: MaxShards
	Filter *ShardFilter `json:"ShardFilter,omitempty"`           // nil: all shards
}

// ShardFilter asks for the children of a shard: Type is "CHILD_SHARDS".
type ShardFilter struct {
	Type  string `json:"Type,omitempty"`
	Shard string `json:"ShardId,omitempty"`
}

// DecodeDescribeStream reads a request. The error is an *Error.
func DecodeDescribeStream(body []byte) (*DescribeStreamInput, error) {
	in := new(DescribeStreamInput)
	r := read(body)
	var arn, start, kind, shard text
	for name := range r.Fields("DescribeStreamInput") {
		switch string(name) {
		case "StreamArn":
			arn = r.text()
		case "ExclusiveStartShardId":
			start = r.text()
		case "Limit":
			in.Limit = r.intPointer()
		case "ShardFilter":
			if r.Null() {
				continue
			}
			in.Filter = new(ShardFilter)
			for name := range r.Fields("ShardFilter") {
				switch string(name) {
				case "Type":
					kind = r.text()
				case "ShardId":
					shard = r.text()
				}
			}
		}
	}
	return in, r.finish(func() {
		in.ARN = r.streamARN(arn)
		in.Start = r.shardLength("exclusiveStartShardId", start)
		r.within("limit", in.Limit, 1, 0)
		if in.Filter != nil {
			in.Filter.Type = r.enum("shardFilter.type", kind, "[CHILD_SHARDS]")
			if !kind.set {
				r.violate("null", "shardFilter.type", "Member must be CHILD_SHARDS")
			}
			in.Filter.Shard = r.shardLength("shardFilter.shardId", shard)
		}
		if in.Limit != nil && *in.Limit > MaxShards && r.violations == nil {
			r.alone = Invalid("One or more parameter values were invalid: Limit cannot be greater than the maximum: 100")
		}
	})
}

// Append appends the request's JSON to dst.
func (in *DescribeStreamInput) Append(dst []byte) []byte { return appendJSON(dst, in) }

// DescribeStreamOutput is the answer of DescribeStream.
type DescribeStreamOutput struct {
	Stream StreamDescription `json:"StreamDescription"`
}

// StreamDescription tells what a stream is and of what shards it consists. Status is "ENABLING", "ENABLED", "DISABLING" or
// "DISABLED"; Created is in seconds since 1970.
type StreamDescription struct {
	ARN       string       `json:"StreamArn"`
	Label     string       `json:"StreamLabel"`
	Status    string       `json:"StreamStatus"`
	View      string       `json:"StreamViewType"`
	Created   float64      `json:"CreationRequestDateTime,omitempty"`
	TableName string       `json:"TableName"`
	Key       []KeyElement `json:"KeySchema"`
	Shards    []Shard      `json:"Shards"`
	LastShard string       `json:"LastEvaluatedShardId,omitempty"` // where more follow
}

// Shard is a sequence of records. Its children, which name it as their Parent, go on where it ends.
type Shard struct {
	ID     string              `json:"ShardId"`
	Range  SequenceNumberRange `json:"SequenceNumberRange"`
	Parent string              `json:"ParentShardId,omitempty"`
}

// SequenceNumberRange is what the sequence numbers of a shard's records lie between; End is empty of an open shard.
type SequenceNumberRange struct {
	Start string `json:"StartingSequenceNumber,omitempty"`
	End   string `json:"EndingSequenceNumber,omitempty"`
}

// Append appends the answer's JSON to dst.
func (out *DescribeStreamOutput) Append(dst []byte) []byte {
	if out.Stream.Shards == nil {
		out.Stream.Shards = []Shard{}
	}
	return appendJSON(dst, out)
}

// DecodeDescribeStreamOutput reads an answer.
func DecodeDescribeStreamOutput(body []byte) (*DescribeStreamOutput, error) {
	out := new(DescribeStreamOutput)
	return out, decodeJSON(body, out)
}
