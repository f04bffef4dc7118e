package wire

// GetShardIteratorInput is the request of GetShardIterator. Type is "TRIM_HORIZON", "LATEST", "AT_SEQUENCE_NUMBER" or
// "AFTER_SEQUENCE_NUMBER", which need Sequence, or "AT_TIMESTAMP", which needs Timestamp, in seconds since 1970 of which
// milliseconds count.
type GetShardIteratorInput struct {
	ARN       string   `json:"StreamArn"`
	Shard     string   `json:"ShardId"`
	Type      string   `json:"ShardIteratorType"`
	Sequence  *string  `json:"SequenceNumber,omitempty"`
	Timestamp *float64 `json:"Timestamp,omitempty"`
}

// DecodeGetShardIterator reads a request. The error is an *Error.
func DecodeGetShardIterator(body []byte) (*GetShardIteratorInput, error) {
	in := new(GetShardIteratorInput)
	r := read(body)
	var arn, shard, kind text
	for name := range r.Fields("GetShardIteratorInput") {
		switch string(name) {
		case "StreamArn":
			arn = r.text()
		case "ShardId":
			shard = r.text()
		case "ShardIteratorType":
			kind = r.text()
		case "SequenceNumber":
			in.Sequence = r.textPointer()
		case "Timestamp":
			if !r.Null() {
				seconds := r.Float()
				in.Timestamp = &seconds
			}
		}
	}
	return in, r.finish(func() {
		in.ARN = r.streamARN(arn)
		r.require("shardId", shard.set)
		in.Shard = r.shardLength("shardId", shard)
		r.require("shardIteratorType", kind.set)
		in.Type = r.enum("shardIteratorType", kind, "[AT_TIMESTAMP, TRIM_HORIZON, AFTER_SEQUENCE_NUMBER, AT_SEQUENCE_NUMBER, LATEST]")
		if s := in.Sequence; s != nil {
			r.length("sequenceNumber", "'"+*s+"'", len(*s), shortestSequence, longestSequence)
		}
	})
}

// Append appends the request's JSON to dst.
func (in *GetShardIteratorInput) Append(dst []byte) []byte { return appendJSON(dst, in) }

// GetShardIteratorOutput is the answer of GetShardIterator.
type GetShardIteratorOutput struct {
	Iterator string `json:"ShardIterator"` // usable for 15 minutes
}

// Append appends the answer's JSON to dst.
func (out *GetShardIteratorOutput) Append(dst []byte) []byte { return appendJSON(dst, out) }

// DecodeGetShardIteratorOutput reads an answer.
func DecodeGetShardIteratorOutput(body []byte) (*GetShardIteratorOutput, error) {
	out := new(GetShardIteratorOutput)
	return out, decodeJSON(body, out)
}
