package wire

// MaxStreams is how many streams ListStreams answers at most, and without a Limit (API_streams_ListStreams).
const MaxStreams = 100

// ListStreamsInput is the request of ListStreams.
type ListStreamsInput struct {
	TableName string `json:"TableName,omitempty"`               // empty: of all tables
	Start     string `json:"ExclusiveStartStreamArn,omitempty"` // the last of the page before
	Limit     *int   `json:"Limit,omitempty"`                   // nil: MaxStreams
}

// DecodeListStreams reads a request. The error is an *Error.
func DecodeListStreams(body []byte) (*ListStreamsInput, error) {
	in := new(ListStreamsInput)
	r := read(body)
	var table, start text
	for name := range r.Fields("ListStreamsInput") {
		switch string(name) {
		case "TableName":
			table = r.text()
		case "ExclusiveStartStreamArn":
			start = r.text()
		case "Limit":
			in.Limit = r.intPointer()
		}
	}
	return in, r.finish(func() {
		if table.set {
			in.TableName = table.s
			if err := tableName("tableName", table.s); err != nil {
				r.alone = err
			}
		}
		in.Start = start.s
		if start.set {
			r.streamLength("exclusiveStartStreamArn", start.s)
		}
		r.within("limit", in.Limit, 1, 0)
		if in.Limit != nil && *in.Limit > MaxStreams && r.violations == nil && r.alone == nil {
			r.alone = Invalid("One or more parameter values were invalid: Limit cannot be greater than the maximum allowed size: 100")
		}
	})
}

// Append appends the request's JSON to dst.
func (in *ListStreamsInput) Append(dst []byte) []byte { return appendJSON(dst, in) }

// ListStreamsOutput is the answer of ListStreams.
type ListStreamsOutput struct {
	Last    string          `json:"LastEvaluatedStreamArn,omitempty"` // where more follow
	Streams []StreamSummary `json:"Streams"`
}

// StreamSummary names a stream.
type StreamSummary struct {
	ARN       string `json:"StreamArn"`
	Label     string `json:"StreamLabel"`
	TableName string `json:"TableName"`
}

// Append appends the answer's JSON to dst.
func (out *ListStreamsOutput) Append(dst []byte) []byte {
	if out.Streams == nil {
		out.Streams = []StreamSummary{}
	}
	return appendJSON(dst, out)
}

// DecodeListStreamsOutput reads an answer.
func DecodeListStreamsOutput(body []byte) (*ListStreamsOutput, error) {
	out := new(ListStreamsOutput)
	return out, decodeJSON(body, out)
}

// What a stream's ARN, the id of a shard and a sequence number may have in characters (API_streams_GetShardIterator).
const (
	shortestStream, longestStream     = 37, 1024
	shortestShard, longestShard       = 28, 65
	shortestSequence, longestSequence = 21, 40
)

func (r *request) streamLength(path, arn string) {
	r.length(path, "'"+arn+"'", len(arn), shortestStream, longestStream)
}

// stream checks the ARN of a stream, which is required.
func (r *request) streamARN(t text) string {
	r.require("streamArn", t.set)
	if t.set {
		r.streamLength("streamArn", t.s)
	}
	return t.s
}

func (r *request) shardLength(path string, t text) string {
	if t.set {
		r.length(path, "'"+t.s+"'", len(t.s), shortestShard, longestShard)
	}
	return t.s
}
