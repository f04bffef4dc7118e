// Package schema declares what items must look like, and tells of one that does not everything that is wrong with it. It
// knows items and Go types (package attr), not tables: it serves input from outside, configuration and tests as well as the
// client, which checks every write by it.
//
//	type Order struct {
//		ID     string      `ddb:"orderId" check:"pattern=^o[0-9]+$"`
//		Status string      `ddb:"status" check:"enum=placed|paid|shipped"`
//		Total  attr.Number `ddb:"total" check:"range=0..10000,decimals=2"`
//		Tags   []string    `ddb:"tags,set" check:"len=..10,each,len=1..40"`
//		Note   string      `ddb:"note,omitzero" check:"len=..500"`
//	}
//
//	var orders = schema.Of[Order]()
//
//	err := orders.Check(&order)            // nil, or an *Error with every problem and its path
//	order, err := orders.ParseJSON(body)   // from plain JSON, with defaults
//
// # Shapes and types
//
// A [Shape] is what an object has: fields with a name and a [Type] each, required or optional. [Object] builds one, [Of]
// reads one from the tags of a struct, [FromJSONSchema] from a JSON Schema; [Shape.Partial], [Shape.Pick], [Shape.Omit] and
// [Shape.Extend] make others of it. Types are [String], [Time], [Number], [Bool], [Binary], [List], [SetOf], [Map], a Shape
// itself, [Any], and [Nullable] of each; their methods add rules and return a changed copy.
//
// [Typed] is a Shape that is bound to a Go type: by [Of], or by [For], which takes any Shape that fits. Both panic where
// a declaration is wrong, as does what builds types: shapes are package-level variables, compiled once and safe for
// all goroutines. A Shape that a program learns as it runs comes from FromJSONSchema, which returns an error.
//
// # Tags
//
// The tag `check` has rules separated by commas:
//
//	len=1..40        texts: characters; binaries: bytes; lists, sets, maps: elements. Also len=8, len=1.., len=..40
//	enum=a|b|c       texts and numbers: one of these
//	pattern=^[a-z]   texts: matches the regular expression of package regexp, somewhere. It takes the rest of the tag
//	range=0..1000    numbers: from, to, both included. Also range=0.., range=..1000
//	above=0          numbers: greater than
//	below=100        numbers: less than
//	integer          numbers: without decimals
//	decimals=2       numbers: at most so many decimals
//	multiple=0.05    numbers: a multiple
//	required         must be there; only for what can be absent: a pointer, slice, map, set, Opt or omitzero
//	default=text     what it means if it is absent: texts, numbers and truth values that can be absent
//	computed=Method  the field is what the method of the struct returns, which has no arguments; see below
//	each             the rules behind it are those of the elements of a list, set or map
//	keys             the rules behind it are those of the keys of a map
//
// Everything else follows from the field: its kind, whether it can be absent (a pointer, slice, map, set, Opt or a field
// tagged omitzero is optional, all others are written always and therefore required), whether it can be NULL (pointers and
// Opt), the range of its integers. A rule that would do nothing is a mistake.
//
// # Defaults and computed attributes
//
// A default is what an absent attribute means: [Typed.Parse], [Typed.ParseJSON] and [Typed.Complete] put it in its place.
// A computed attribute follows from the others of its object: it is set by the same calls, whatever was there, and Check
// demands that it is what it follows from. Names behind the method, computed=Slug:title|subtitle, say from which attributes,
// so that the client can tell which updates change it; without them it may depend on all.
//
// # Checking
//
// [Typed.Check] looks at the Go value itself, with a plan per type and, if there is nothing wrong, without allocating.
// [Shape.Check] looks at an item. Both find the same. Attributes that the shape does not name are let through, as JSON
// Schema does and as items in tables need, which have index attributes besides; [Shape.Closed] refuses them. Problems have
// paths and rules but never the values that broke them.
//
// # JSON and JSON Schema
//
// ParseJSON reads plain JSON, not DynamoDB's: texts, numbers, true and false, null, arrays for lists and sets, objects. Times
// are RFC 3339 texts or, where the field says epoch, numbers; binaries are base64. Members are named as attributes are.
//
// [Shape.JSONSchema] describes that JSON in draft 2020-12, and FromJSONSchema reads what it writes and most of what people
// write by hand; a keyword that it cannot keep is an error, never dropped.
//
// # Reading the source
//
// node.go holds a type with its rules, shape.go the objects made of them, types.go what builds both, tag.go and gotype.go
// what reads them from Go types. check.go checks items, and is what counts; bind.go makes plans that say the same of Go
// values, faster. fill.go sets defaults and computed attributes, change.go checks what updates change, typed.go is the
// outside. json.go reads plain JSON; jsonschema_write.go, and jsonschema_read.go with jsonschema_kinds.go, are JSON Schema.
package schema
