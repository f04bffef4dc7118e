package attr

import (
	"encoding/json"
	"iter"
	"math"
	"strconv"
	"strings"
)

// maxJSONDepth is how deep JSON may nest before it is refused as text: as in encoding/json, far beyond anything that
// DynamoDB takes, and low enough for the stack.
const maxJSONDepth = 10_000

// A Decoder reads JSON from a byte slice, front to back, and builds nothing that the caller does not ask for. It is what
// ParseValue and ParseItem are made of; use it to read whole requests and answers with values in them:
//
//	d := attr.NewDecoder(body)
//	for key := range d.Fields("GetItemInput") {
//		switch string(key) {
//		case "TableName":
//			in.Table = d.Text()
//		case "Key":
//			in.Key, invalid = d.Item()
//		} // what is not read is skipped
//	}
//	if err := d.End(); err != nil { … }
//
// Errors stick: after the first one all methods return zero values and loops end, and Err tells it: a *SyntaxError where
// the text is no JSON, a *TypeError where it is JSON of another type than asked for. Both are a SerializationException
// of the service. A syntax error anywhere in the text wins over a type error, as there. What is a proper attribute value
// in form but not in content is a *ValueError; it does not stick, since the service tells it only after other checks.
//
// JSON null stands for an absent member, as in AWS's protocol: every method reads it as the zero value; ask with Null
// first where absent and zero differ.
//
// Nothing that a Decoder returns aliases the data, except the keys of Fields and what Raw returns. A Decoder must not be
// copied after first use and is not safe for concurrent use.
type Decoder struct {
	data  []byte
	pos   int
	depth int
	err   error
	place place // of what comes next
	lacks bool  // an attribute that is always written was not there, or NULL, or nobody looked; see DecodeWhole

	text    []byte  // the last string with escapes, unescaped
	strings arena   // what the values' strings are cut from
	values  []Value // stacks on which lists and maps are collected, so that each is allocated once, in its size
	fields  []Field
}

// NewDecoder reads data, which must not change meanwhile.
func NewDecoder(data []byte) *Decoder { return &Decoder{data: data} }

// Reset makes d read data from its start and keeps its buffers: for decoders that are reused.
func (d *Decoder) Reset(data []byte) {
	d.data, d.pos, d.depth, d.err, d.place, d.lacks = data, 0, 0, nil, topmost, false
	clear(d.values) // what an error left there
	clear(d.fields)
	d.values, d.fields = d.values[:0], d.fields[:0]
}

// Err is the first *SyntaxError or *TypeError, or nil.
func (d *Decoder) Err() error { return d.err }

// End is Err, or a *SyntaxError if there is anything but white space left.
func (d *Decoder) End() error {
	if c := d.peek(); d.err == nil && c != 0 {
		d.syntax("text after the value")
	}
	return d.err
}

// Offset is where the next value, or whatever comes next, begins.
func (d *Decoder) Offset() int {
	d.peek()
	return d.pos
}

// Rest is how many bytes have not been read yet.
func (d *Decoder) Rest() int { return len(d.data) - d.pos }

func (d *Decoder) syntax(reason string) {
	if d.err == nil {
		d.err = &SyntaxError{Offset: d.pos, Reason: reason}
	}
}

// mismatch fails with a type error at offset, unless the text turns out to be no JSON at all.
func (d *Decoder) mismatch(offset int, message string) {
	if d.err != nil {
		return
	}
	rest := Decoder{data: d.data}
	rest.Skip()
	if err := rest.End(); err != nil {
		d.err = err
		return
	}
	d.err = &TypeError{Offset: offset, Message: message}
}

// peek is the next byte that is no white space; 0 at the end and after an error. A NUL in the text is an error.
func (d *Decoder) peek() byte {
	if d.err != nil {
		return 0
	}
	for ; d.pos < len(d.data); d.pos++ {
		switch c := d.data[d.pos]; c {
		case ' ', '\t', '\n', '\r':
		case 0:
			d.syntax("unexpected NUL")
			return 0
		default:
			return c
		}
	}
	return 0
}

func (d *Decoder) unexpected(want string) {
	if d.pos >= len(d.data) {
		d.syntax("end of text instead of " + want)
	} else {
		d.syntax("unexpected character instead of " + want)
	}
}

// JSONType is the type of a JSON value.
type JSONType byte

// The types of JSON values; a Decoder also tells integers from other numbers, as the service's messages do.
const (
	NoJSON JSONType = iota // the end, or no JSON
	JSONNull
	JSONTrue
	JSONFalse
	JSONInteger
	JSONDecimal
	JSONString
	JSONArray
	JSONObject
)

// Next is the type of the value that comes next. Nothing is read.
func (d *Decoder) Next() JSONType {
	switch c := d.peek(); c {
	case 'n':
		return JSONNull
	case 't':
		return JSONTrue
	case 'f':
		return JSONFalse
	case '"':
		return JSONString
	case '[':
		return JSONArray
	case '{':
		return JSONObject
	default:
		if c != '-' && c-'0' > 9 {
			return NoJSON
		}
		if end, integer := numberEnd(d.data, d.pos); end > 0 && !integer {
			return JSONDecimal
		}
		return JSONInteger
	}
}

// Null reads a null if there is one, and reports whether there was.
func (d *Decoder) Null() bool { return d.peek() == 'n' && d.literal("null") }

func (d *Decoder) literal(word string) bool {
	if len(d.data)-d.pos < len(word) || string(d.data[d.pos:d.pos+len(word)]) != word {
		d.unexpected("a value")
		return false
	}
	d.pos += len(word)
	return true
}

// Refuse fails with a TypeError of this message at what stands next: for types that the service words in a way of their own.
func (d *Decoder) Refuse(message string) {
	d.peek()
	d.mismatch(d.pos, message)
}

// scalar fails because a scalar of the Java type class (such as "String") was asked for and something else is there.
func (d *Decoder) scalar(class string) {
	offset := d.pos
	switch d.Next() {
	case JSONTrue:
		d.mismatch(offset, "TRUE_VALUE cannot be converted to "+class)
	case JSONFalse:
		d.mismatch(offset, "FALSE_VALUE cannot be converted to "+class)
	case JSONInteger:
		d.mismatch(offset, "NUMBER_VALUE cannot be converted to "+class)
	case JSONDecimal:
		d.mismatch(offset, "DECIMAL_VALUE cannot be converted to "+class)
	case JSONString:
		if class == "Boolean" { // a text of its own (two emulators that were held to captures on AWS agree)
			d.mismatch(offset, "Unexpected token received from parser")
			return
		}
		d.mismatch(offset, "STRING_VALUE cannot be converted to "+class)
	case JSONArray:
		d.mismatch(offset, "Unrecognized collection type class java.lang."+class)
	case JSONObject:
		d.mismatch(offset, "Start of structure or map found where not expected")
	default:
		d.unexpected("a value")
	}
}

// Text reads a string.
func (d *Decoder) Text() string { return string(d.TextBytes()) }

// TextBytes reads a string like Text; the bytes are valid until the next call.
func (d *Decoder) TextBytes() []byte {
	switch d.peek() {
	case '"':
		return d.quoted()
	case 'n':
		d.literal("null")
	default:
		d.scalar("String")
	}
	return nil
}

// Bool reads true or false.
func (d *Decoder) Bool() bool {
	switch d.peek() {
	case 't':
		return d.literal("true")
	case 'f':
		d.literal("false")
	case 'n':
		d.literal("null")
	default:
		d.scalar("Boolean")
	}
	return false
}

// Int reads an integer of 32 bits, which the service calls Integer.
func (d *Decoder) Int() int { return int(d.integer("Integer", 32)) }

// Long reads an integer of 64 bits, which the service calls Long.
func (d *Decoder) Long() int64 { return d.integer("Long", 64) }

func (d *Decoder) integer(class string, bits int) int64 {
	if d.Null() {
		return 0
	}
	offset := d.Offset()
	if d.Next() != JSONInteger {
		d.scalar(class)
		return 0
	}
	text := d.number()
	if d.err != nil {
		return 0
	}
	n, err := strconv.ParseInt(string(text), 10, bits)
	if err != nil {
		d.mismatch(offset, "NUMBER_VALUE cannot be converted to "+class)
	}
	return n
}

// Float reads a number, which the service calls Double: capacity units, dates.
func (d *Decoder) Float() float64 {
	if d.Null() {
		return 0
	}
	offset := d.Offset()
	if t := d.Next(); t != JSONInteger && t != JSONDecimal {
		d.scalar("Double")
		return 0
	}
	text := d.number()
	if d.err != nil {
		return 0
	}
	f, err := strconv.ParseFloat(string(text), 64)
	if err != nil || math.IsInf(f, 0) {
		d.mismatch(offset, "NUMBER_VALUE cannot be converted to Double")
	}
	return f
}

// number reads a JSON number.
func (d *Decoder) number() []byte {
	end, _ := numberEnd(d.data, d.pos)
	if end < 0 {
		d.unexpected("a number")
		return nil
	}
	text := d.data[d.pos:end]
	d.pos = end
	return text
}

// Fields reads an object: it yields each key, in the order of the text; the caller then reads the value, or leaves it,
// and it is skipped. The key is valid until the next call. Class is the structure's name in the service, which its
// message about an array in its place repeats: "GetItemInput". After a break, d can not be used further.
func (d *Decoder) Fields(class string) iter.Seq[[]byte] {
	return d.object(true, "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.", class, "")
}

// Entries reads an object like Fields, where the service has a map and not a structure: class is that of the values,
// such as "AttributeValue", or with its package: "java.lang.String".
func (d *Decoder) Entries(class string) iter.Seq[[]byte] {
	before := "Unrecognized collection type java.util.Map<java.lang.String, "
	if !strings.HasPrefix(class, "java.") {
		before = "Unrecognized collection type java.util.Map<java.lang.String, com.amazonaws.dynamodb.v20120810."
	}
	return d.object(false, before, class, ">")
}

func (d *Decoder) object(structure bool, before, class, after string) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		switch d.peek() {
		case '{':
		case 'n':
			d.literal("null")
			return
		case '[':
			d.mismatch(d.pos, before+class+after)
			return
		case 0:
			d.unexpected("a value")
			return
		default:
			d.mismatch(d.pos, d.unexpectedType(structure))
			return
		}
		for first := true; d.key(first); first = false {
			key := d.quoted()
			if !d.colon() {
				return
			}
			at := d.pos
			d.place = element
			if structure {
				d.place = member
			}
			if !yield(key) {
				return
			}
			if d.pos == at {
				d.Skip()
			}
		}
	}
}

// Elems reads an array: it yields each element's position; the caller then reads the element, or leaves it, and it is
// skipped. After a break, d can not be used further.
func (d *Decoder) Elems() iter.Seq[int] {
	return func(yield func(int) bool) {
		if !d.array() {
			return
		}
		for i := 0; d.elem(i == 0); i++ {
			at := d.pos
			d.place = element
			if !yield(i) {
				return
			}
			if d.pos == at {
				d.Skip()
			}
		}
	}
}

// place is where a value stands: as a member of a structure, or as an element of a list or map. The service's messages
// about structures differ by that.
type place uint8

const (
	topmost place = iota
	member
	element
)

// unexpectedType is what the service says of a scalar that stands for a structure, map or list.
func (d *Decoder) unexpectedType(structure bool) string {
	if structure && d.place == element {
		return "Unexpected value type in payload"
	}
	return "Unexpected field type"
}

// array checks that an array begins here; it reports false for null, which it reads, and for anything else, which fails.
func (d *Decoder) array() bool {
	switch d.peek() {
	case '[':
		return true
	case 'n':
		d.literal("null")
	case '{':
		d.mismatch(d.pos, "Start of structure or map found where not expected")
	case 0:
		d.unexpected("a value")
	default:
		d.mismatch(d.pos, "Unexpected field type")
	}
	return false
}

// key stands at '{' or behind a member and goes to the next key; it reports false behind the object's end.
func (d *Decoder) key(first bool) bool {
	if i := d.pos + 1; !first && i < len(d.data) && d.data[i-1] == ',' && d.data[i] == '"' && d.err == nil {
		d.pos = i
		return true
	}
	if !d.step(first, '}') {
		return false
	}
	if d.peek() != '"' {
		d.unexpected("a key")
		return false
	}
	return true
}

func (d *Decoder) colon() bool {
	if d.peek() != ':' {
		d.unexpected("a colon")
		return false
	}
	d.pos++
	d.peek()
	return d.err == nil
}

// elem stands at '[' or behind an element and goes to the next one; it reports false behind the array's end.
func (d *Decoder) elem(first bool) bool {
	if !d.step(first, ']') {
		return false
	}
	d.peek()
	return d.err == nil
}

func (d *Decoder) step(first bool, end byte) bool {
	if d.err != nil {
		return false
	}
	if first {
		d.pos++
		if d.depth++; d.depth > maxJSONDepth {
			d.syntax("nested too deep")
			return false
		}
		if d.peek() != end {
			return d.err == nil
		}
	} else {
		switch d.peek() {
		case ',':
			d.pos++
			return true
		case end:
		default:
			d.unexpected("a comma or the end")
			return false
		}
	}
	d.pos++
	d.depth--
	return false
}

// Skip reads any value, and checks that it is JSON.
func (d *Decoder) Skip() {
	switch c := d.peek(); c {
	case '{':
		if _, _, end := scalarAt(d.data, d.pos); end > 0 {
			d.pos = end
			return
		}
		for first := true; d.key(first); first = false {
			if end := membersEnd(d.data, d.pos); end > 0 {
				d.pos = end
			} else if d.quoted(); d.colon() {
				d.Skip()
			}
		}
	case '[':
		for first := true; d.elem(first); first = false {
			d.Skip()
		}
	case '"':
		d.quoted()
	case 't':
		d.literal("true")
	case 'f':
		d.literal("false")
	case 'n':
		d.literal("null")
	default:
		if c == '-' || c-'0' <= 9 {
			d.number()
		} else {
			d.unexpected("a value")
		}
	}
}

// Raw reads any value and returns its text, a part of the data.
func (d *Decoder) Raw() json.RawMessage {
	start := d.Offset()
	d.Skip()
	if d.err != nil {
		return nil
	}
	return d.data[start:d.pos:d.pos]
}
