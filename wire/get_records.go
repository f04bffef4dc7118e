package wire

import (
	"slices"
	"strconv"

	"github.com/tablewright/tablewright/attr"
)

// MaxRecords is how many records GetRecords answers at most, and without a Limit (API_streams_GetRecords).
const MaxRecords = 1000

// GetRecordsInput is the request of GetRecords.
type GetRecordsInput struct {
	Iterator string `json:"ShardIterator"`
	Limit    *int   `json:"Limit,omitempty"` // nil: MaxRecords
}

// maxIterator is how long an iterator may be in characters (API_streams_GetRecords).
const maxIterator = 2048

// DecodeGetRecords reads a request. The error is an *Error.
func DecodeGetRecords(body []byte) (*GetRecordsInput, error) {
	in := new(GetRecordsInput)
	r := read(body)
	var iterator text
	for name := range r.Fields("GetRecordsInput") {
		switch string(name) {
		case "ShardIterator":
			iterator = r.text()
		case "Limit":
			in.Limit = r.intPointer()
		}
	}
	return in, r.finish(func() {
		r.require("shardIterator", iterator.set)
		if iterator.set {
			r.length("shardIterator", "'"+iterator.s+"'", len(iterator.s), 1, maxIterator)
		}
		in.Iterator = iterator.s
		r.within("limit", in.Limit, 1, 0)
		if in.Limit != nil && *in.Limit > MaxRecords && r.violations == nil {
			r.alone = Invalid("One or more parameter values were invalid: Limit should be less than or equal to 1000")
		}
	})
}

// Append appends the request's JSON to dst.
func (in *GetRecordsInput) Append(dst []byte) []byte { return appendJSON(dst, in) }

// GetRecordsOutput is the answer of GetRecords.
type GetRecordsOutput struct {
	Records []StreamRecord
	Next    string // where to go on; empty at the end of a closed shard
}

// StreamRecord is one change of an item.
type StreamRecord struct {
	EventID   string
	EventName string // "INSERT", "MODIFY" or "REMOVE"
	Region    string
	Created   int64 // seconds since 1970, rounded down
	Keys      Raw
	NewImage  Raw // nil: absent, as the view type has it
	OldImage  Raw // as NewImage
	Sequence  string
	Bytes     int    // sizes of keys and images together
	View      string // "KEYS_ONLY", "NEW_IMAGE", "OLD_IMAGE" or "NEW_AND_OLD_IMAGES"
	Expired   bool   // deleted by time to live, by the service itself
}

// recordFrame is about what a record takes besides its keys and images.
const recordFrame = 420

// Append appends the answer's JSON to dst.
func (out *GetRecordsOutput) Append(dst []byte) []byte {
	size := len(out.Next) + 64
	for i := range out.Records {
		c := &out.Records[i]
		size += recordFrame + len(c.Keys) + len(c.NewImage) + len(c.OldImage)
	}
	o := begin(slices.Grow(dst, size))
	o.key("Records")
	o.dst = append(o.dst, '[')
	for i := range out.Records {
		if i > 0 {
			o.dst = append(o.dst, ',')
		}
		o.dst = out.Records[i].append(o.dst)
	}
	o.dst = append(o.dst, ']')
	o.word("NextShardIterator", out.Next)
	return o.end()
}

// append writes the record in the form "1.1", that with the identity of who deleted.
func (c *StreamRecord) append(dst []byte) []byte {
	o := begin(dst)
	o.text("eventID", c.EventID)
	o.text("eventName", c.EventName)
	o.text("eventVersion", "1.1")
	o.text("eventSource", "aws:dynamodb")
	o.text("awsRegion", c.Region)
	o.key("dynamodb")
	o.nested(func(o *object) {
		o.key("ApproximateCreationDateTime")
		o.dst = append(strconv.AppendInt(o.dst, c.Created, 10), ".0"...)
		o.raw("Keys", c.Keys)
		o.raw("NewImage", c.NewImage)
		o.raw("OldImage", c.OldImage)
		o.text("SequenceNumber", c.Sequence)
		o.int("SizeBytes", c.Bytes)
		o.text("StreamViewType", c.View)
	})
	if c.Expired {
		o.raw("userIdentity", []byte(`{"PrincipalId":"dynamodb.amazonaws.com","Type":"Service"}`))
	}
	return o.end()
}

// DecodeGetRecordsOutput reads an answer.
func DecodeGetRecordsOutput(body []byte) (*GetRecordsOutput, error) {
	out := new(GetRecordsOutput)
	d := attr.NewDecoder(body)
	for name := range d.Fields("GetRecordsOutput") {
		switch string(name) {
		case "Records":
			for range d.Elems() {
				out.Records = append(out.Records, decodeStreamRecord(d))
			}
		case "NextShardIterator":
			if !d.Null() {
				out.Next = d.Text()
			}
		}
	}
	return out, d.End()
}

func decodeStreamRecord(d *attr.Decoder) (c StreamRecord) {
	for name := range d.Fields("Record") {
		switch string(name) {
		case "eventID":
			c.EventID = d.Text()
		case "eventName":
			c.EventName = d.Text()
		case "awsRegion":
			c.Region = d.Text()
		case "dynamodb":
			c.decodeChange(d)
		case "userIdentity":
			if d.Null() {
				continue
			}
			for name := range d.Fields("Identity") {
				if string(name) == "Type" {
					c.Expired = d.Text() == "Service"
				}
			}
		}
	}
	return c
}

func (c *StreamRecord) decodeChange(d *attr.Decoder) {
	for name := range d.Fields("StreamRecord") {
		switch string(name) {
		case "ApproximateCreationDateTime":
			c.Created = int64(d.Float())
		case "Keys":
			c.Keys = cloneRaw(d.Raw())
		case "NewImage":
			c.NewImage = cloneRaw(d.Raw())
		case "OldImage":
			c.OldImage = cloneRaw(d.Raw())
		case "SequenceNumber":
			c.Sequence = d.Text()
		case "SizeBytes":
			c.Bytes = int(d.Long())
		case "StreamViewType":
			c.View = d.Text()
		}
	}
}
