package wire

// KinesisInput is the request of EnableKinesisStreamingDestination, UpdateKinesisStreamingDestination and
// DisableKinesisStreamingDestination.
type KinesisInput struct {
	TableName string                `json:"TableName"`
	StreamARN string                `json:"StreamArn"`
	Enable    *KinesisConfiguration `json:"EnableKinesisStreamingConfiguration,omitempty"` // Enable; Disable must not have it
	Update    *KinesisConfiguration `json:"UpdateKinesisStreamingConfiguration,omitempty"` // Update
}

// KinesisConfiguration is how records are written: Precision of their time is "MILLISECOND" or "MICROSECOND", empty where
// it is not given.
type KinesisConfiguration struct {
	Precision string `json:"ApproximateCreationDateTimePrecision,omitempty"`
}

// DecodeKinesis reads a request; class is the structure's name, such as "EnableKinesisStreamingDestinationInput". The error
// is an *Error.
func DecodeKinesis(body []byte, class string) (*KinesisInput, error) {
	in := new(KinesisInput)
	r := read(body)
	var table, stream text
	for name := range r.Fields(class) {
		switch string(name) {
		case "TableName":
			table = r.text()
		case "StreamArn":
			stream = r.text()
		case "EnableKinesisStreamingConfiguration":
			in.Enable = r.kinesisConfiguration()
		case "UpdateKinesisStreamingConfiguration":
			in.Update = r.kinesisConfiguration()
		}
	}
	return in, r.finish(func() {
		in.TableName, in.StreamARN = r.controlTable(table), stream.s
		r.require("streamArn", stream.set)
		if stream.set {
			r.length("streamArn", "'"+stream.s+"'", len(stream.s), 37, 1024)
		}
		r.checkKinesis("enableKinesisStreamingConfiguration", in.Enable)
		r.checkKinesis("updateKinesisStreamingConfiguration", in.Update)
	})
}

func (r *request) kinesisConfiguration() *KinesisConfiguration {
	if r.Null() {
		return nil
	}
	c := new(KinesisConfiguration)
	for name := range r.Fields("KinesisStreamingConfiguration") {
		if string(name) == "ApproximateCreationDateTimePrecision" {
			c.Precision = r.text().s
		}
	}
	return c
}

func (r *request) checkKinesis(path string, c *KinesisConfiguration) {
	if c != nil && c.Precision != "" {
		r.enum(path+".approximateCreationDateTimePrecision", text{c.Precision, true}, "[MILLISECOND, MICROSECOND]")
	}
}

// Append appends the request's JSON to dst.
func (in *KinesisInput) Append(dst []byte) []byte { return appendJSON(dst, in) }

// KinesisOutput is the answer of the three: Status is that which the destination enters.
type KinesisOutput struct {
	TableName string                `json:"TableName"`
	StreamARN string                `json:"StreamArn"`
	Status    string                `json:"DestinationStatus"`
	Enable    *KinesisConfiguration `json:"EnableKinesisStreamingConfiguration,omitempty"`
	Update    *KinesisConfiguration `json:"UpdateKinesisStreamingConfiguration,omitempty"`
}

// Append appends the answer's JSON to dst.
func (out *KinesisOutput) Append(dst []byte) []byte { return appendJSON(dst, out) }

// DescribeKinesisOutput is the answer of DescribeKinesisStreamingDestination, whose request is a NamedTable.
type DescribeKinesisOutput struct {
	TableName    string               `json:"TableName"`
	Destinations []KinesisDestination `json:"KinesisDataStreamDestinations"`
}

// KinesisDestination is a Kinesis stream that has, had or could not get a table's changes: Status is "ENABLING", "ACTIVE",
// "UPDATING", "DISABLING", "DISABLED" or "ENABLE_FAILED".
type KinesisDestination struct {
	StreamARN   string `json:"StreamArn"`
	Status      string `json:"DestinationStatus"`
	Description string `json:"DestinationStatusDescription,omitempty"`
	Precision   string `json:"ApproximateCreationDateTimePrecision,omitempty"`
}

// Append appends the answer's JSON to dst.
func (out *DescribeKinesisOutput) Append(dst []byte) []byte { return appendJSON(dst, out) }
