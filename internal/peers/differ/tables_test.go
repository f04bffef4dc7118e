package differ_test

// obj is a JSON object of a request. Its members are written in the order of their names, so that the same seed gives the
// same bytes.
type (
	obj  = map[string]any
	list = []any
)

// A shape is a table of the test: its keys and indexes, with the types of their attributes.
type shape struct {
	name    string
	keys    []string // partition key, sort key
	indexes []indexShape
	types   map[string]string // of key attributes: "S", "N" or "B"
	view    string            // what records of the stream have
}

type indexShape struct {
	name       string
	local      bool
	hash       []string
	sort       []string
	projection string // ALL, KEYS_ONLY or INCLUDE (attributes a and b)
}

// shapes are a table for every kind of key and index.
var shapes = []*shape{
	{
		name: "plain", view: "NEW_AND_OLD_IMAGES", keys: []string{"pk"}, types: map[string]string{"pk": "S"},
	},
	{
		name: "numbers", view: "KEYS_ONLY", keys: []string{"pk"}, types: map[string]string{"pk": "N", "k1": "S"},
		indexes: []indexShape{{name: "include", hash: []string{"k1"}, projection: "INCLUDE"}},
	},
	{
		name: "local", view: "NEW_IMAGE", keys: []string{"pk", "sk"}, types: map[string]string{"pk": "S", "sk": "N", "k1": "S", "k2": "N"},
		indexes: []indexShape{
			{name: "whole", local: true, hash: []string{"pk"}, sort: []string{"k1"}, projection: "ALL"},
			{name: "keys", local: true, hash: []string{"pk"}, sort: []string{"k2"}, projection: "KEYS_ONLY"},
		},
	},
	{
		name: "multi", view: "NEW_AND_OLD_IMAGES", keys: []string{"pk", "sk"}, types: map[string]string{"pk": "S", "sk": "S", "k1": "S", "k2": "N", "k3": "S", "k4": "N"},
		indexes: []indexShape{
			{name: "four", hash: []string{"k1", "k2"}, sort: []string{"k3", "k4"}, projection: "ALL"},
			{name: "mixed", hash: []string{"k1"}, sort: []string{"sk", "k2"}, projection: "KEYS_ONLY"},
			{name: "include", hash: []string{"k4"}, projection: "INCLUDE"},
		},
	},
	{
		name: "bytes", view: "OLD_IMAGE", keys: []string{"pk", "sk"}, types: map[string]string{"pk": "B", "sk": "B", "k1": "B"},
		indexes: []indexShape{{name: "back", hash: []string{"sk"}, sort: []string{"pk"}, projection: "ALL"}, {name: "other", hash: []string{"k1"}, projection: "KEYS_ONLY"}},
	},
}

func keySchema(hash, sort []string) list {
	var l list
	for _, a := range hash {
		l = append(l, obj{"AttributeName": a, "KeyType": "HASH"})
	}
	for _, a := range sort {
		l = append(l, obj{"AttributeName": a, "KeyType": "RANGE"})
	}
	return l
}

func (x *indexShape) definition() obj {
	p := obj{"ProjectionType": x.projection}
	if x.projection == "INCLUDE" {
		p["NonKeyAttributes"] = list{"a", "b"}
	}
	return obj{"IndexName": x.name, "KeySchema": keySchema(x.hash, x.sort), "Projection": p}
}

// create is the CreateTable request of the shape.
func (s *shape) create() obj {
	var attributes, global, local list
	for _, name := range sortedKeys(s.types) {
		attributes = append(attributes, obj{"AttributeName": name, "AttributeType": s.types[name]})
	}
	for _, x := range s.indexes {
		if x.local {
			local = append(local, x.definition())
		} else {
			global = append(global, x.definition())
		}
	}
	in := obj{
		"TableName": s.name, "AttributeDefinitions": attributes, "BillingMode": "PAY_PER_REQUEST",
		"KeySchema": keySchema(s.keys[:1], s.keys[1:]), "StreamSpecification": obj{"StreamEnabled": true, "StreamViewType": s.view},
	}
	if global != nil {
		in["GlobalSecondaryIndexes"] = global
	}
	if local != nil {
		in["LocalSecondaryIndexes"] = local
	}
	return in
}

// shapeOf finds a table; nil if there is none of the name.
func shapeOf(name any) *shape {
	for _, s := range shapes {
		if s.name == name {
			return s
		}
	}
	return nil
}

// index finds an index; nil if there is none of the name.
func (s *shape) index(name any) *indexShape {
	for i := range s.indexes {
		if s.indexes[i].name == name {
			return &s.indexes[i]
		}
	}
	return nil
}
