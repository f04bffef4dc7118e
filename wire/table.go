package wire

import (
	"encoding/json"
	"strings"

	"github.com/tablewright/tablewright/capacity"
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

// controlTable checks the name of a table in an operation on tables, which has texts of its own.
func (r *request) controlTable(t text) string {
	switch {
	case !t.set:
		r.alone = Invalid("The parameter 'TableName' is required but was not present in the request")
	case tableARN.MatchString(t.s):
	case len(t.s) < shortestName || len(t.s) > longestName:
		r.alone = Invalid("TableName must be at least 3 characters long and at most 255 characters long")
	case !namePattern(t.s):
		r.violate("'"+t.s+"'", "tableName", "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+")
	}
	return t.s
}

func (r *request) keySchema() (l []KeyElement, present bool) {
	if r.Null() {
		return nil, false
	}
	l = []KeyElement{}
	for range r.Elems() {
		var k KeyElement
		for name := range r.Fields("KeySchemaElement") {
			switch string(name) {
			case "AttributeName":
				k.Name, k.empty.name = r.given()
			case "KeyType":
				k.Type, k.empty.kind = r.given()
			}
		}
		l = append(l, k)
	}
	return l, true
}

// checkKeySchema checks the form of a key.
func (r *request) checkKeySchema(path string, l []KeyElement) {
	for i, k := range l {
		at := path + "." + member(i)
		r.keyName(at+".attributeName", text{k.Name, k.Name != "" || k.empty.name})
		r.word(at+".keyType", text{k.Type, k.Type != "" || k.empty.kind}, "[HASH, RANGE]")
	}
}

// keyName requires the name of a key attribute.
func (r *request) keyName(path string, name text) {
	r.require(path, name.set)
	if name.set {
		r.attributeName(path, name.s)
	}
}

// attributeName holds the name of an attribute in a key, projection or setting to its length (Constraints).
func (r *request) attributeName(path, name string) {
	r.length(path, "'"+name+"'", len(name), 1, int(capacity.KeyAttributeNameBytes))
}

// word requires a text that is one of some words.
func (r *request) word(path string, t text, words string) {
	r.require(path, t.set)
	r.enum(path, t, words)
}

func (r *request) definitions() (l []AttributeDefinition) {
	for range r.Elems() {
		var a AttributeDefinition
		for name := range r.Fields("AttributeDefinition") {
			switch string(name) {
			case "AttributeName":
				a.Name, a.empty.name = r.given()
			case "AttributeType":
				a.Type, a.empty.kind = r.given()
			}
		}
		l = append(l, a)
	}
	return l
}

func (r *request) checkDefinitions(l []AttributeDefinition) {
	for i, a := range l {
		at := "attributeDefinitions." + member(i)
		r.keyName(at+".attributeName", text{a.Name, a.Name != "" || a.empty.name})
		r.word(at+".attributeType", text{a.Type, a.Type != "" || a.empty.kind}, "[B, N, S]")
	}
}

func (r *request) throughput() *Throughput {
	if r.Null() {
		return nil
	}
	t := &Throughput{noRead: true, noWrite: true}
	for name := range r.Fields("ProvisionedThroughput") {
		switch string(name) {
		case "ReadCapacityUnits":
			if n := r.longPointer(); n != nil {
				t.Read, t.noRead = *n, false
			}
		case "WriteCapacityUnits":
			if n := r.longPointer(); n != nil {
				t.Write, t.noWrite = *n, false
			}
		}
	}
	return t
}

func (r *request) checkThroughput(path string, t *Throughput) {
	if t == nil {
		return
	}
	check := func(path string, n int64, absent bool) {
		r.require(path, !absent)
		if m := int(n); !absent {
			r.within(path, &m, 1, 0)
		}
	}
	check(path+".readCapacityUnits", t.Read, t.noRead)
	check(path+".writeCapacityUnits", t.Write, t.noWrite)
}

func (r *request) onDemand() *OnDemandThroughput {
	if r.Null() {
		return nil
	}
	t := new(OnDemandThroughput)
	for name := range r.Fields("OnDemandThroughput") {
		switch string(name) {
		case "MaxReadRequestUnits":
			t.Read = r.longPointer()
		case "MaxWriteRequestUnits":
			t.Write = r.longPointer()
		}
	}
	return t
}

func (r *request) warm() *WarmUnits {
	if r.Null() {
		return nil
	}
	t := new(WarmUnits)
	for name := range r.Fields("WarmThroughput") {
		switch string(name) {
		case "ReadUnitsPerSecond":
			t.Read = r.longPointer()
		case "WriteUnitsPerSecond":
			t.Write = r.longPointer()
		}
	}
	return t
}

func (r *request) projection() *Projection {
	if r.Null() {
		return nil
	}
	p := new(Projection)
	for name := range r.Fields("Projection") {
		switch string(name) {
		case "ProjectionType":
			p.Type, p.empty.kind = r.given()
		case "NonKeyAttributes":
			if !r.Null() {
				p.NonKey = []string{}
				for range r.Elems() {
					p.NonKey = append(p.NonKey, r.Text())
				}
			}
		}
	}
	return p
}

func (r *request) indexDefinition(class string) (x Index) {
	for name := range r.Fields(class) {
		r.indexMember(&x, name)
	}
	return x
}

func (r *request) indexMember(x *Index, name []byte) {
	switch string(name) {
	case "IndexName":
		x.Name, x.empty.name = r.given()
	case "KeySchema":
		x.Key, _ = r.keySchema()
	case "Projection":
		x.Projection = r.projection()
	case "ProvisionedThroughput":
		x.Throughput = r.throughput()
	case "OnDemandThroughput":
		x.OnDemand = r.onDemand()
	case "WarmThroughput":
		x.Warm = r.warm()
	}
}

func (r *request) indexDefinitions(class string) (l []Index) {
	if r.Null() {
		return nil
	}
	l = []Index{}
	for range r.Elems() {
		l = append(l, r.indexDefinition(class))
	}
	return l
}

// indexName requires the name of an index that a request for a table has.
func (r *request) indexName(path, given string, empty empties) {
	name := text{given, given != "" || empty.name}
	r.require(path+".indexName", name.set)
	r.index(path+".indexName", name)
}

func (r *request) checkIndex(path string, x *Index) {
	r.indexName(path, x.Name, x.empty)
	r.require(path+".keySchema", x.Key != nil)
	if x.Key != nil {
		r.length(path+".keySchema", "'[]'", len(x.Key), 1, capacity.IndexPartitionKeyParts+capacity.IndexSortKeyParts)
	}
	r.checkKeySchema(path+".keySchema", x.Key)
	r.require(path+".projection", x.Projection != nil)
	if p := x.Projection; p != nil {
		r.enum(path+".projection.projectionType", text{p.Type, p.Type != "" || p.empty.kind}, "[ALL, INCLUDE, KEYS_ONLY]")
		if p.NonKey != nil {
			r.length(path+".projection.nonKeyAttributes", "'["+strings.Join(p.NonKey, ", ")+"]'", len(p.NonKey), 1, 20)
			for i, name := range p.NonKey {
				r.attributeName(path+".projection.nonKeyAttributes."+member(i), name)
			}
		}
	}
	r.checkThroughput(path+".provisionedThroughput", x.Throughput)
}

func (r *request) stream() *StreamSpecification {
	if r.Null() {
		return nil
	}
	s := &StreamSpecification{unset: true}
	for name := range r.Fields("StreamSpecification") {
		switch string(name) {
		case "StreamEnabled":
			if enabled := r.boolPointer(); enabled != nil {
				s.Enabled, s.unset = *enabled, false
			}
		case "StreamViewType":
			s.View, s.empty.kind = r.given()
		}
	}
	return s
}

func (r *request) checkStream(s *StreamSpecification) {
	if s != nil {
		r.require("streamSpecification.streamEnabled", !s.unset)
		r.enum("streamSpecification.streamViewType", text{s.View, s.View != "" || s.empty.kind}, "[NEW_IMAGE, OLD_IMAGE, NEW_AND_OLD_IMAGES, KEYS_ONLY]")
	}
}

func (r *request) encryption() *SSESpecification {
	if r.Null() {
		return nil
	}
	s := new(SSESpecification)
	for name := range r.Fields("SSESpecification") {
		switch string(name) {
		case "Enabled":
			s.Enabled = r.boolPointer()
		case "SSEType":
			s.Type, s.empty.kind = r.given()
		case "KMSMasterKeyId":
			key := r.text()
			if s.KeyID = key.s; key.set {
				r.length("sSESpecification.kMSMasterKeyId", "'"+key.s+"'", len(key.s), 1, 2048)
			}
		}
	}
	return s
}

func (r *request) checkEncryption(s *SSESpecification) {
	if s != nil {
		r.enum("sSESpecification.sSEType", text{s.Type, s.Type != "" || s.empty.kind}, "[AES256, KMS]")
	}
}

func (r *request) tags() (l []Tag) {
	if r.Null() {
		return nil
	}
	l = []Tag{}
	for range r.Elems() {
		var key, value text
		for name := range r.Fields("Tag") {
			switch string(name) {
			case "Key":
				key = r.text()
			case "Value":
				value = r.text()
			}
		}
		t := Tag{key.s, value.s, !key.set, !value.set}
		l = append(l, t)
	}
	return l
}
