package attr

import (
	"encoding/base64"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// ParseValue reads one DynamoDB JSON value, strictly as the service does: nothing is coerced. The value does not alias
// data. The error is a *SyntaxError or *TypeError (a SerializationException of the service), or a *ValueError (a
// ValidationException). Nesting is not limited here: see Value.Depth.
func ParseValue(data []byte) (Value, error) {
	d := borrowDecoder(data)
	defer d.giveBack()
	v, err := d.Value()
	if end := d.End(); end != nil {
		return Value{}, end
	}
	return v, err
}

// ParseItem reads an item in DynamoDB JSON, strictly as ParseValue reads a value. Of several attributes with one name the
// last counts. The item does not alias data; its texts share a buffer, also with those of items read before and after, so that
// one of them, kept, may keep up to 8 KB alive: strings.Clone what outlives the item by far.
func ParseItem(data []byte) (Item, error) {
	d := borrowDecoder(data)
	defer d.giveBack()
	it, err := d.Item()
	if end := d.End(); end != nil {
		return Item{}, end
	}
	return it, err
}

// Decoders are kept for their stacks.
var decoders = sync.Pool{New: func() any { return new(Decoder) }}

func borrowDecoder(data []byte) *Decoder {
	d := decoders.Get().(*Decoder)
	d.Reset(data)
	return d
}

// giveBack keeps the decoder for the next borrower, unless one huge item has blown it up.
func (d *Decoder) giveBack() {
	const many = 1 << 10
	if cap(d.values) > many || cap(d.fields) > many || cap(d.text) > 64*many {
		return
	}
	d.Reset(nil)
	if d.strings.apart {
		d.strings = arena{}
	}
	decoders.Put(d)
}

const invalidParameters = "One or more parameter values were invalid: "

// Value reads an attribute value. The error is Err if there is one, or else a *ValueError, after which d stands behind the
// value and reading can go on.
func (d *Decoder) Value() (Value, error) {
	if c := d.peek(); d.place == member && c != 0 && c != '{' && c != '[' && c != 'n' {
		d.mismatch(d.pos, d.unexpectedType(true))
		return Value{}, d.err
	}
	v, bad := d.value(0)
	if d.err != nil {
		return Value{}, d.err
	}
	if bad != nil {
		return Value{}, bad
	}
	return v, nil
}

// Item reads an object of attribute values by name. The error is as of Value.
func (d *Decoder) Item() (Item, error) {
	fields, bad := d.item(0)
	if d.err != nil {
		return Item{}, d.err
	}
	if bad != nil {
		return Item{}, bad
	}
	return Item{fields}, nil
}

// maxValueDepth is how many containers deep values are read. What may be stored is far less (MaxDepth), but the service
// checks that later and not everywhere.
const maxValueDepth = 1_000

// value reads an attribute value. Reading goes on behind the first content error, as any wrong form comes before it.
func (d *Decoder) value(depth int) (v Value, bad *ValueError) {
	switch d.peek() {
	case '{':
		if kind, text, end := scalarAt(d.data, d.pos); end > 0 && (kind == 'S' || isNormal(text)) {
			d.pos = end
			v.kind = KindS
			if kind == 'N' {
				v.kind = KindN
			}
			v.str = d.keep(text)
			return v, nil
		}
	case 'n':
		d.literal("null")
		return v, &ValueError{Check: CheckNoType, Message: noType}
	case '[':
		d.mismatch(d.pos, "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.AttributeValue")
		return v, nil
	case 0:
		d.unexpected("a value")
		return v, nil
	default:
		d.mismatch(d.pos, "Unexpected value type in payload")
		return v, nil
	}
	types := 0
	for first := true; d.key(first); first = false {
		key := d.quoted()
		kind := kindOf(key)
		if !d.colon() {
			return v, nil
		}
		if kind == 0 {
			d.Skip()
			continue
		}
		if d.Null() {
			continue
		}
		content, wrong := d.content(kind, depth)
		if bad == nil {
			bad = wrong
		}
		if v.kind != kind {
			types++
		}
		v = content
		v.kind = kind
	}
	switch {
	case bad != nil:
	case types == 0:
		bad = &ValueError{Check: CheckNoType, Message: noType}
	case types > 1:
		bad = &ValueError{Check: CheckManyType, Message: manyTypes}
	}
	return v, bad
}

// What follows lets a codec read the content of a value itself, where the value has the plain form {"M": content}.

// nextKind is the type of the attribute value that comes next; 0 if the value has not the plain form. Nothing is read.
func (d *Decoder) nextKind() Kind {
	if d.peek() != '{' {
		return 0
	}
	start := d.mark()
	var kind Kind
	if d.key(true) {
		kind = kindOf(d.quoted())
		if !d.colon() || d.peek() == 'n' {
			kind = 0
		}
	}
	if d.err == nil {
		d.rewind(start)
	}
	return kind
}

// openValue goes to the content, after nextKind has told its type.
func (d *Decoder) openValue() {
	d.key(true)
	d.quoted()
	d.colon()
}

// closeValue goes on behind the value. After the content, only what does not count may follow.
func (d *Decoder) closeValue() error {
	var bad error
	for d.key(false) {
		kind := kindOf(d.quoted())
		if !d.colon() {
			break
		}
		if kind != 0 && d.Next() != JSONNull {
			bad = &ValueError{Check: CheckManyType, Message: manyTypes}
		}
		d.Skip()
	}
	if d.err != nil {
		return d.err
	}
	return bad
}

type mark struct{ pos, depth int }

func (d *Decoder) mark() mark { return mark{d.pos, d.depth} }

func (d *Decoder) rewind(m mark) { d.pos, d.depth = m.pos, m.depth }

const manyTypes = "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes"

const noType = "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"

func kindOf(name []byte) Kind {
	switch string(name) {
	case "S":
		return KindS
	case "N":
		return KindN
	case "B":
		return KindB
	case "BOOL":
		return KindBOOL
	case "NULL":
		return KindNULL
	case "M":
		return KindM
	case "L":
		return KindL
	case "SS":
		return KindSS
	case "NS":
		return KindNS
	case "BS":
		return KindBS
	}
	return 0
}

// content reads what stands behind the type's letter.
func (d *Decoder) content(kind Kind, depth int) (Value, *ValueError) {
	switch kind {
	case KindBOOL:
		return Bool(d.Bool()), nil
	case KindNULL:
		if !d.Bool() && d.err == nil {
			return Null(), &ValueError{Check: CheckNull,
				Message: invalidParameters + "Null attribute value types must have the value of true"}
		}
		return Null(), nil
	case KindM, KindL:
		if depth == maxValueDepth {
			d.Skip()
			return Value{}, &ValueError{Check: CheckDepth, Message: depthMessage}
		}
		if kind == KindM {
			fields, bad := d.item(depth + 1)
			return Map(Item{fields}), bad
		}
		return d.list(depth + 1)
	case KindSS:
		return d.set(KindSS, KindS)
	case KindNS:
		return d.set(KindNS, KindN)
	case KindBS:
		return d.set(KindBS, KindB)
	}
	return d.scalarValue(kind)
}

// scalarValue reads the string that stands for an S, N or B.
func (d *Decoder) scalarValue(kind Kind) (Value, *ValueError) {
	if kind == KindB {
		return Value{kind: KindB, str: d.base64()}, nil
	}
	text := d.TextBytes()
	if d.err != nil {
		return Value{}, nil
	}
	if kind == KindS {
		return Value{kind: KindS, str: d.keep(text)}, nil
	}
	if isNormal(text) {
		return Value{kind: KindN, str: d.keep(text)}, nil
	}
	var buf [maxNumberText]byte
	normal, err := appendNormal(buf[:0], text)
	if err != nil {
		wrong := &NumberError{Text: string(text), Reason: err}
		return Value{}, &ValueError{Check: CheckNumber, Message: wrong.Error(), Err: wrong}
	}
	return Value{kind: KindN, str: d.keep(normal)}, nil
}

func (d *Decoder) keep(b []byte) string { return d.strings.copy(b, len(d.data)-d.pos+len(b)) }

// base64 reads a binary as the service does: padded, no white space, no stray bits at the end.
func (d *Decoder) base64() string {
	offset := d.Offset()
	switch d.Next() {
	case JSONString:
	case JSONNull, NoJSON:
		d.TextBytes()
		return ""
	case JSONArray:
		d.mismatch(offset, "Unrecognized collection type class java.nio.ByteBuffer")
		return ""
	case JSONObject:
		d.mismatch(offset, "Start of structure or map found where not expected")
		return ""
	default:
		d.mismatch(offset, "only base-64-encoded strings are convertible to bytes")
		return ""
	}
	text := d.quoted()
	if d.err != nil {
		return ""
	}
	if len(text)%4 != 0 {
		d.mismatch(offset, "Base64 encoded length is expected a multiple of 4 bytes but found: "+strconv.Itoa(len(text)))
		return ""
	}
	size := base64.StdEncoding.DecodedLen(len(text))
	room := d.strings.room(size, len(d.data)-d.pos+size)
	n, err := base64.StdEncoding.Strict().Decode(room, text)
	// The decoder passes over line ends; that fewer bytes come out tells that there was one.
	if err != nil || n != size-padding(text) {
		d.mismatch(offset, "Invalid last non-pad Base64 character dectected")
		return ""
	}
	return d.strings.take(n)
}

// padding is how many bytes the padding at the end of base64 text stands for.
func padding(text []byte) int {
	switch {
	case len(text) == 0:
	case text[len(text)-2] == '=':
		return 2
	case text[len(text)-1] == '=':
		return 1
	}
	return 0
}

func (d *Decoder) list(depth int) (Value, *ValueError) {
	var bad *ValueError
	if !d.array() {
		return Value{}, nil
	}
	base := len(d.values)
	for first := true; d.elem(first); first = false {
		e, wrong := d.value(depth)
		if bad == nil {
			bad = wrong
		}
		d.values = append(d.values, e)
	}
	return List(d.popValues(base)...), bad
}

func (d *Decoder) popValues(base int) []Value {
	elems := make([]Value, len(d.values)-base)
	copy(elems, d.values[base:])
	clear(d.values[base:]) // a decoder that is reused must not keep them alive
	d.values = d.values[:base]
	return elems
}

func (d *Decoder) set(kind, of Kind) (Value, *ValueError) {
	var bad *ValueError
	if !d.array() {
		return Value{}, nil
	}
	start := d.pos
	base := len(d.values)
	for first := true; d.elem(first); first = false {
		isNull := of != KindN && d.peek() == 'n' // of numbers it is one that cannot be read
		e, wrong := d.scalarValue(of)
		if isNull && d.err == nil {
			wrong = nullInSet(kind)
		}
		if bad == nil {
			bad = wrong
		}
		d.values = append(d.values, e)
	}
	elems := d.popValues(base)
	if d.err != nil || bad != nil {
		return Value{}, bad
	}
	if len(elems) == 0 {
		return Value{}, emptySet(kind)
	}
	n := len(elems)
	if elems = normalSet(elems); len(elems) < n {
		return Value{}, d.duplicates(kind, of, start)
	}
	return setOf(kind, elems), nil
}

func emptySet(kind Kind) *ValueError {
	message := "Binary sets should not be empty"
	switch kind {
	case KindSS:
		message = "An string set  may not be empty" // two blanks there, and no "a"
	case KindNS:
		message = "An number set  may not be empty"
	}
	return &ValueError{Check: CheckEmptySet, Message: invalidParameters + message}
}

// nullInSet is the error of a set that has a null among its elements; the text for binaries follows the one for strings.
func nullInSet(kind Kind) *ValueError {
	of := "string"
	if kind == KindBS {
		of = "binary"
	}
	return &ValueError{Check: CheckEmptySet, Message: invalidParameters + "An " + of + " set may not have a null " + of + " as a member"}
}

// duplicates is the error of a set with equal elements. The message repeats the elements as they were sent, so the set is
// read again from its start.
func (d *Decoder) duplicates(kind, of Kind, start int) *ValueError {
	again := Decoder{data: d.data, pos: start}
	var texts []string
	for first := true; again.elem(first); first = false {
		texts = append(texts, string(again.TextBytes()))
	}
	sent := "Input collection [" + strings.Join(texts, ", ") + "]"
	message := "Input collection contains duplicates" // and nothing before it
	switch kind {
	case KindSS:
		message = invalidParameters + sent + " contains duplicates."
	case KindBS:
		message = invalidParameters + sent + "of type BS contains duplicates." // no blank there
	}
	return &ValueError{Check: CheckSetTwice, Message: message}
}

// members checks that an object of attribute values begins here; it reports false for null, which it reads, and for
// anything else, which fails.
func (d *Decoder) members() bool {
	switch d.peek() {
	case '{':
		return true
	case 'n':
		d.literal("null")
	case '[':
		d.mismatch(d.pos, "Unrecognized collection type java.util.Map<java.lang.String, com.amazonaws.dynamodb.v20120810.AttributeValue>")
	case 0:
		d.unexpected("a value")
	default:
		d.mismatch(d.pos, "Unexpected field type")
	}
	return false
}

// item reads an object of attribute values.
func (d *Decoder) item(depth int) ([]Field, *ValueError) {
	if !d.members() {
		return nil, nil
	}
	var bad *ValueError
	base := len(d.fields)
	sorted := true
	for first := true; d.key(first); first = false {
		name := d.keep(d.quoted())
		if !d.colon() {
			break
		}
		v, wrong := d.value(depth)
		if bad == nil {
			if bad = wrong; name == "" {
				bad = &ValueError{Check: CheckName, Message: "Empty attribute name"}
			}
		}
		if n := len(d.fields); n > base && d.fields[n-1].Name >= name {
			sorted = false
		}
		d.fields = append(d.fields, Field{name, v})
	}
	if len(d.fields) == base {
		return nil, bad
	}
	fields := make([]Field, len(d.fields)-base)
	copy(fields, d.fields[base:])
	clear(d.fields[base:])
	d.fields = d.fields[:base]
	if !sorted {
		fields = normalFields(fields)
	}
	return fields, bad
}

// normalFields sorts by name; of several with one name the last stays.
func normalFields(fields []Field) []Field {
	slices.SortStableFunc(fields, func(a, b Field) int { return strings.Compare(a.Name, b.Name) })
	out := fields[:0]
	for i, f := range fields {
		if i+1 == len(fields) || fields[i+1].Name != f.Name {
			out = append(out, f)
		}
	}
	clear(fields[len(out):])
	return out
}
