package wire

import (
	"encoding/json"
	"strings"
)

// KeyElement is an attribute of a key: Type is "HASH" or "RANGE".
type KeyElement struct {
	Name string `json:"AttributeName"`
	Type string `json:"KeyType"`

	empty empties
}

// AttributeDefinition gives the type of an attribute that is part of a key: "S", "N" or "B".
type AttributeDefinition struct {
	Name string `json:"AttributeName"`
	Type string `json:"AttributeType"`

	empty empties
}

// empties tells which texts of a member are in the request though they are empty, which the service tells from absent
// ones. Such a request is refused: of what passes all are false.
type empties struct{ name, kind bool }

// Projection is what an index holds besides keys: Type is "ALL", "KEYS_ONLY" or "INCLUDE".
type Projection struct {
	Type   string   `json:"ProjectionType,omitempty"`
	NonKey []string `json:"NonKeyAttributes,omitempty"`

	empty empties
}

// Throughput is provisioned capacity per second.
type Throughput struct {
	Read  int64 `json:"ReadCapacityUnits"`
	Write int64 `json:"WriteCapacityUnits"`

	noRead, noWrite bool // absent in the request, which is refused
}

// OnDemandThroughput is the most an on-demand table or index shall take per second; nil is no bound, and -1 takes one away.
type OnDemandThroughput struct {
	Read  *int64 `json:"MaxReadRequestUnits,omitempty"`
	Write *int64 `json:"MaxWriteRequestUnits,omitempty"`
}

// WarmUnits is what a table or index shall take per second at once, as it is asked for; nil leaves it to the service.
type WarmUnits struct {
	Read  *int64 `json:"ReadUnitsPerSecond,omitempty"`
	Write *int64 `json:"WriteUnitsPerSecond,omitempty"`
}

// Index defines a secondary index; Throughput, OnDemand and Warm are for global ones.
type Index struct {
	Name       string              `json:"IndexName"`
	Key        []KeyElement        `json:"KeySchema"`
	Projection *Projection         `json:"Projection,omitempty"`
	Throughput *Throughput         `json:"ProvisionedThroughput,omitempty"`
	OnDemand   *OnDemandThroughput `json:"OnDemandThroughput,omitempty"`
	Warm       *WarmUnits          `json:"WarmThroughput,omitempty"`

	empty empties
}

// StreamSpecification says whether changes are recorded, and what of them.
type StreamSpecification struct {
	Enabled bool   `json:"StreamEnabled"`
	View    string `json:"StreamViewType,omitempty"`

	unset bool // neither enabled nor disabled was said
	empty empties
}

// SSESpecification says how a table is encrypted.
type SSESpecification struct {
	Enabled *bool  `json:"Enabled,omitempty"` // nil: with a Type true, else false
	Type    string `json:"SSEType,omitempty"`
	KeyID   string `json:"KMSMasterKeyId,omitempty"`

	empty empties
}

// Tag is a label of a table.
type Tag struct {
	Key   string `json:"Key"`
	Value string `json:"Value"`

	noKey, noValue bool
}

// Absent tells which members were not in the request that the tag was read from; an empty value is one, too.
func (t Tag) Absent() (key, value bool) { return t.noKey, t.noValue }

// TableDescription is what CreateTable, DescribeTable, UpdateTable and DeleteTable answer. Times are seconds since 1970.
type TableDescription struct {
	Attributes         []AttributeDefinition  `json:"AttributeDefinitions,omitempty"`
	TableName          string                 `json:"TableName"`
	Key                []KeyElement           `json:"KeySchema,omitempty"`
	Status             string                 `json:"TableStatus"`
	Created            float64                `json:"CreationDateTime,omitempty"`
	Throughput         *ThroughputDescription `json:"ProvisionedThroughput,omitempty"`
	SizeBytes          int64                  `json:"TableSizeBytes"`
	ItemCount          int64                  `json:"ItemCount"`
	ARN                string                 `json:"TableArn"`
	ID                 string                 `json:"TableId"`
	Billing            *BillingModeSummary    `json:"BillingModeSummary,omitempty"`
	Local              []IndexDescription     `json:"LocalSecondaryIndexes,omitempty"`
	Global             []IndexDescription     `json:"GlobalSecondaryIndexes,omitempty"`
	Stream             *StreamSpecification   `json:"StreamSpecification,omitempty"`
	StreamLabel        string                 `json:"LatestStreamLabel,omitempty"`
	StreamARN          string                 `json:"LatestStreamArn,omitempty"`
	SSE                *SSEDescription        `json:"SSEDescription,omitempty"`
	Class              *TableClassSummary     `json:"TableClassSummary,omitempty"`
	DeletionProtection bool                   `json:"DeletionProtectionEnabled"`
	OnDemand           *OnDemandThroughput    `json:"OnDemandThroughput,omitempty"`
	Warm               *WarmThroughput        `json:"WarmThroughput,omitempty"`
}

// ThroughputDescription is provisioned capacity as described.
type ThroughputDescription struct {
	DecreasesToday int64   `json:"NumberOfDecreasesToday"`
	Read           int64   `json:"ReadCapacityUnits"`
	Write          int64   `json:"WriteCapacityUnits"`
	Increased      float64 `json:"LastIncreaseDateTime,omitempty"`
	Decreased      float64 `json:"LastDecreaseDateTime,omitempty"`
}

// BillingModeSummary tells the billing mode of a table that is or was on demand.
type BillingModeSummary struct {
	Mode          string  `json:"BillingMode"`
	OnDemandSince float64 `json:"LastUpdateToPayPerRequestDateTime,omitempty"`
}

// TableClassSummary tells the table class.
type TableClassSummary struct {
	Class   string  `json:"TableClass"`
	Updated float64 `json:"LastUpdateDateTime,omitempty"`
}

// SSEDescription tells how a table is encrypted.
type SSEDescription struct {
	Status string `json:"Status"`
	Type   string `json:"SSEType,omitempty"`
	KeyARN string `json:"KMSMasterKeyArn,omitempty"`
}

// WarmThroughput is what a table or index takes per second at once.
type WarmThroughput struct {
	Read   int64  `json:"ReadUnitsPerSecond"`
	Write  int64  `json:"WriteUnitsPerSecond"`
	Status string `json:"Status,omitempty"`
}

// IndexDescription describes a secondary index; local ones have no status and throughput.
type IndexDescription struct {
	Name        string                 `json:"IndexName"`
	Key         []KeyElement           `json:"KeySchema"`
	Projection  *Projection            `json:"Projection,omitempty"`
	Status      string                 `json:"IndexStatus,omitempty"`
	Backfilling *bool                  `json:"Backfilling,omitempty"` // of an index that was added later, until it is full
	Throughput  *ThroughputDescription `json:"ProvisionedThroughput,omitempty"`
	SizeBytes   int64                  `json:"IndexSizeBytes"`
	ItemCount   int64                  `json:"ItemCount"`
	ARN         string                 `json:"IndexArn"`
	OnDemand    *OnDemandThroughput    `json:"OnDemandThroughput,omitempty"`
	Warm        *WarmThroughput        `json:"WarmThroughput,omitempty"`
}

// appendJSON appends v as encoding/json writes it, without escaping HTML: for operations on tables, which are rare. The
// types of this package always can be written.
func appendJSON(dst []byte, v any) []byte {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic("wire: " + err.Error())
	}
	return append(dst, strings.TrimSuffix(b.String(), "\n")...)
}
