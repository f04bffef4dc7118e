package wire

import "github.com/tablewright/tablewright/attr"

// CreateTableInput is the request of CreateTable.
type CreateTableInput struct {
	Attributes         []AttributeDefinition `json:"AttributeDefinitions,omitempty"`
	TableName          string                `json:"TableName"`
	Key                []KeyElement          `json:"KeySchema"`
	Local              []Index               `json:"LocalSecondaryIndexes,omitempty"`
	Global             []Index               `json:"GlobalSecondaryIndexes,omitempty"`
	BillingMode        string                `json:"BillingMode,omitempty"` // "PROVISIONED", "PAY_PER_REQUEST"; empty is the first
	Throughput         *Throughput           `json:"ProvisionedThroughput,omitempty"`
	OnDemand           *OnDemandThroughput   `json:"OnDemandThroughput,omitempty"`
	Warm               *WarmUnits            `json:"WarmThroughput,omitempty"`
	Stream             *StreamSpecification  `json:"StreamSpecification,omitempty"`
	SSE                *SSESpecification     `json:"SSESpecification,omitempty"`
	Tags               []Tag                 `json:"Tags,omitempty"`
	Class              string                `json:"TableClass,omitempty"` // "STANDARD", "STANDARD_INFREQUENT_ACCESS"; empty is the first
	DeletionProtection bool                  `json:"DeletionProtectionEnabled,omitempty"`
	ResourcePolicy     *string               `json:"ResourcePolicy,omitempty"`
	Unread             []string              `json:"-"` // names of members that are not read
}

// Words of enumerations of tables, in the order in which the service lists them.
const (
	wordsBillingMode = "[PROVISIONED, PAY_PER_REQUEST]"
	wordsTableClass  = "[STANDARD, STANDARD_INFREQUENT_ACCESS]"
)

// DecodeCreateTable reads a request. The error is an *Error.
func DecodeCreateTable(body []byte) (*CreateTableInput, error) {
	in := new(CreateTableInput)
	r := read(body)
	var table, mode, alias, class text
	var attributes, key bool
	for name := range r.Fields("CreateTableInput") {
		switch string(name) {
		case "AttributeDefinitions":
			if attributes = !r.Null(); attributes {
				in.Attributes = r.definitions()
			}
		case "TableName":
			table = r.text()
		case "KeySchema":
			in.Key, key = r.keySchema()
		case "LocalSecondaryIndexes":
			in.Local = r.indexDefinitions("LocalSecondaryIndex")
		case "GlobalSecondaryIndexes":
			in.Global = r.indexDefinitions("GlobalSecondaryIndex")
		case "BillingMode":
			mode = r.text()
		case "TableThroughputMode": // undocumented, taken by the service (captured 2026-08-21)
			alias = r.text()
		case "ProvisionedThroughput":
			in.Throughput = r.throughput()
		case "OnDemandThroughput":
			in.OnDemand = r.onDemand()
		case "StreamSpecification":
			in.Stream = r.stream()
		case "SSESpecification":
			in.SSE = r.encryption()
		case "Tags":
			in.Tags = r.tags()
		case "TableClass":
			class = r.text()
		case "DeletionProtectionEnabled":
			in.DeletionProtection = r.Bool()
		case "ResourcePolicy":
			in.ResourcePolicy = r.textPointer()
		case "WarmThroughput":
			in.Warm = r.warm()
		case "VectorIndexes", "GlobalTableSourceArn", "GlobalTableSettingsReplicationMode":
			r.later(&in.Unread, name)
		}
	}
	return in, r.finish(func() {
		in.TableName = r.controlTable(table)
		r.require("attributeDefinitions", attributes)
		r.require("keySchema", key)
		if key && len(in.Key) == 0 {
			r.length("keySchema", "'[]'", 0, 1, 2)
		}
		r.checkDefinitions(in.Attributes)
		r.checkKeySchema("keySchema", in.Key)
		for i := range in.Local {
			r.checkIndex("localSecondaryIndexes."+member(i), &in.Local[i])
		}
		for i := range in.Global {
			r.checkIndex("globalSecondaryIndexes."+member(i), &in.Global[i])
		}
		r.checkThroughput("provisionedThroughput", in.Throughput)
		in.BillingMode = r.enum("tableThroughputMode", alias, wordsBillingMode)
		if mode.set {
			in.BillingMode = r.enum("billingMode", mode, wordsBillingMode)
		}
		in.Class = r.enum("tableClass", class, wordsTableClass)
		r.checkStream(in.Stream)
		r.checkEncryption(in.SSE)
	})
}

// Append appends the request's JSON to dst.
func (in *CreateTableInput) Append(dst []byte) []byte { return appendJSON(dst, in) }

// TableOutput is the answer of CreateTable, UpdateTable, DeleteTable and DescribeTable.
type TableOutput struct{ Table TableDescription }

// Append appends the answer's JSON to dst: of DescribeTable if described, else of the others, whose member has another
// name.
func (out *TableOutput) Append(dst []byte, described bool) []byte {
	o := begin(dst)
	if described {
		o.key("Table")
	} else {
		o.key("TableDescription")
	}
	o.dst = appendJSON(o.dst, &out.Table)
	return o.end()
}

// DecodeTableOutput reads an answer of CreateTable, UpdateTable, DeleteTable or DescribeTable.
func DecodeTableOutput(body []byte) (*TableOutput, error) {
	out := new(TableOutput)
	d := attr.NewDecoder(body)
	for name := range d.Fields("DescribeTableOutput") {
		switch string(name) {
		case "Table", "TableDescription":
			if raw := d.Raw(); raw != nil {
				if err := decodeJSON(raw, &out.Table); err != nil {
					return nil, err
				}
			}
		}
	}
	return out, d.End()
}
