// Package attr holds DynamoDB's attribute values and items: the ten types, exact decimal numbers, their order and
// size, DynamoDB JSON, and the codec between Go structs and items. It knows nothing of tables and operations and imports
// nothing but the standard library.
//
// # Values
//
// A [Value] is one attribute value, an [Item] a set of them by name. Values are immutable and shared freely; items are
// sorted by name, so that whatever is printed from them is the same every time.
//
//	v := attr.List(attr.Text("a"), attr.Num(attr.Dec("19.90")))
//	it := attr.ItemOf(attr.Field{Name: "lines", Value: v})
//	it.Size()                    // 18: bytes as DynamoDB bills them
//	attr.AppendItem(nil, it)     // {"lines":{"L":[{"S":"a"},{"N":"19.9"}]}}
//
// A [Number] is an exact decimal of up to 38 digits, in the one form in which DynamoDB answers it; == compares values. It
// never passes through a float64 unless asked for one.
//
// # JSON
//
// [ParseValue] and [ParseItem] read DynamoDB JSON as strictly as the service: each value has one type, and nothing is
// coerced. What they refuse they name in the service's words and classes: a [*SyntaxError] or [*TypeError] is its
// SerializationException, a [*ValueError] its ValidationException. [AppendValue] and [AppendItem] write what any JSON
// reader takes. [Lookup] reads one attribute of an item's text and leaves the rest alone. All rest on [Decoder], which
// reads whole requests and answers as well, without maps between.
//
// # Keys
//
// [AppendKey] writes S, N and B so that bytes.Compare sorts as DynamoDB sorts, N by value; components written one after
// another sort as tuples, and [DecodeKey] reads them back. [Compare] is the same order on values.
//
// # Structs
//
// [Encode] and [Decode] go between a struct and DynamoDB JSON, [MarshalItem] and [UnmarshalItem] between a struct and an
// Item, [Marshal] and [Unmarshal] between any Go value and a Value. All follow one plan, made at the first use of a type
// and kept; a type that can not be stored is a [*PlanError] then.
//
//	type Order struct {
//		ID       string      `ddb:"orderId"`
//		PlacedAt time.Time   `ddb:"placedAt,iso"`
//		Draft    time.Time   `ddb:"draftUntil,epoch-s,omitzero"`
//		Tags     []string    `ddb:"tags,set"`
//		Total    attr.Number `ddb:"total"`
//		Version  int         `ddb:"version,version"`
//		Rest     attr.Item   `ddb:",rest"`
//	}
//
// The tag's name is the attribute's, else the field's; "-" leaves the field out. Options: set (a slice, or a map to
// struct{} or bool, as SS, NS or BS), omitzero (the zero value is absent), iso (S of 24 bytes in UTC with milliseconds,
// which sorts as time does; what times are without an option), epoch-s and epoch-ms (N), was=NAME (the attribute's name
// before: it is still read, where the new one is absent, and no longer written), rest (the attributes that no
// other field names), and the roles version, created, updated, which the client acts on. Fields of embedded structs are
// the struct's own.
//
// A field without the tag ddb may have the tag dynamodbav of the AWS SDK's package attributevalue: omitempty,
// omitemptyelem, nullempty, nullemptyelem, stringset, numberset, binaryset, unixtime and string do what they do there,
// times are written with as many decimals as they have, and [][]byte is a BS. Only what is nil differs: there it is
// written as NULL, here it is absent.
//
// Values are written as they are: "", 0, false and an empty list are data. Absent are a nil pointer, slice, map or
// interface, an empty set (DynamoDB has none), an absent [Opt] and the zero Value; inside lists and maps, where a place or
// key has to be kept, they are NULL. Absent and NULL both read as the zero value; Opt tells them apart. What is read
// replaces all that the target held. A list is also read from a set, and a set from a list. Into any, a number is read as
// Number and a set as Value, so that nothing is lost.
//
// Types that implement [Marshaler] and [Unmarshaler] say themselves how they are stored; those with the methods of
// encoding.TextMarshaler and TextUnmarshaler are S (but big.Int, like json.Number, is N); []byte is B; all others go by their
// kind. [Fields] tells how the
// fields of a struct are stored, and [CodecOf] makes the values that one of them is compared with.
//
// # Reading the source
//
// value.go and item.go hold the data, number.go and arith.go the decimals, size.go and key.go what is computed from both.
// decoder.go reads JSON as such (decoder_text.go its strings and numbers), json.go attribute values in it, raw.go one of
// many; arena.go holds their texts, append.go writes. Of the codec, codec.go is the outside, plan.go chooses a codec for a
// type, tag.go reads tags, codec_*.go are the codecs, encoder.go is what they write to, text or values, and fields.go
// tells others about them.
package attr
