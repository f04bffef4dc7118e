package wire

import (
	"strings"

	"github.com/tablewright/tablewright/capacity"
)

// controlTable checks the name of a table in an operation on tables, which has texts of its own.
func (r *request) controlTable(t text) string {
	switch {
	case !t.set:
		r.alone = Invalid("The parameter 'TableName' is required but was not present in the request")
	case tableARN.MatchString(t.s):
	case len(t.s) < shortestName || len(t.s) > longestName:
		r.alone = Invalid("TableName must be at least 3 characters long and at most 255 characters long")
	default:
		r.pattern("tableName", t.s)
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
		r.word(at+".attributeType", text{a.Type, a.Type != "" || a.empty.kind}, "[B, N, S]")
		r.keyName(at+".attributeName", text{a.Name, a.Name != "" || a.empty.name})
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
	check(path+".writeCapacityUnits", t.Write, t.noWrite) // the order of the service (captured on AWS, 2026-10)
	check(path+".readCapacityUnits", t.Read, t.noRead)
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
		r.enum("streamSpecification.streamViewType", text{s.View, s.View != "" || s.empty.kind}, "[OLD_IMAGE, KEYS_ONLY, NEW_AND_OLD_IMAGES, NEW_IMAGE]")
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
