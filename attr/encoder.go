package attr

import (
	"encoding/base64"
	"reflect"
	"slices"
	"strconv"
	"sync"
)

// An encoder is what codecs write to: it appends DynamoDB JSON to dst, or, if build is set, makes Values and leaves each
// on top of a stack. One encoder serves both so that a type is planned once.
type encoder struct {
	build  bool
	dst    []byte
	values []Value
	fields []Field
	depth  int // lists and maps around
	number [maxNumberText]byte
}

var encoders = sync.Pool{New: func() any { return new(encoder) }}

func borrowEncoder() *encoder { return encoders.Get().(*encoder) }

// giveBack keeps the encoder's stacks for the next borrower, unless one huge value has blown them up.
func (e *encoder) giveBack() {
	const many = 1 << 10
	if cap(e.values) > many || cap(e.fields) > many {
		return
	}
	clear(e.values) // an error may have left something
	clear(e.fields)
	e.values, e.fields = e.values[:0], e.fields[:0]
	e.build, e.dst, e.depth = false, nil, 0
	encoders.Put(e)
}

// put writes a value that is at hand.
func (e *encoder) put(v Value) {
	if e.build {
		e.values = append(e.values, v)
	} else {
		e.dst = AppendValue(e.dst, v)
	}
}

func (e *encoder) pop() Value {
	top := len(e.values) - 1
	v := e.values[top]
	e.values[top] = Value{}
	e.values = e.values[:top]
	return v
}

// valueOf makes a Value, whatever the encoder does at present.
func (e *encoder) valueOf(c codec, v reflect.Value) (value Value, written bool, err error) {
	was := e.build
	e.build = true
	written, err = c.encode(e, v)
	e.build = was
	if err != nil || !written {
		return Value{}, false, err
	}
	return e.pop(), true, nil
}

func (e *encoder) text(s string) {
	if e.build {
		e.values = append(e.values, Text(s))
		return
	}
	e.dst = AppendText(append(e.dst, `{"S":`...), s)
	e.dst = append(e.dst, '}')
}

// normal writes a number's normal form.
func (e *encoder) normal(digits []byte) {
	if e.build {
		e.values = append(e.values, Value{kind: KindN, str: string(digits)})
		return
	}
	e.dst = append(e.dst, `{"N":"`...)
	e.dst = append(e.dst, digits...)
	e.dst = append(e.dst, '"', '}')
}

func (e *encoder) int(n int64) { e.normal(strconv.AppendInt(e.number[:0], n, 10)) }

func (e *encoder) uint(n uint64) { e.normal(strconv.AppendUint(e.number[:0], n, 10)) }

func (e *encoder) float(f float64, bits int) error {
	var short [32]byte
	text := strconv.AppendFloat(short[:0], f, 'e', -1, bits)
	digits, err := appendNormal(e.number[:0], text)
	if err != nil {
		return &NumberError{Text: string(text), Reason: err}
	}
	e.normal(digits)
	return nil
}

func (e *encoder) binary(b []byte) {
	if e.build {
		e.values = append(e.values, Binary(b))
		return
	}
	e.dst = append(e.dst, `{"B":"`...)
	e.dst = base64.StdEncoding.AppendEncode(e.dst, b)
	e.dst = append(e.dst, '"', '}')
}

func (e *encoder) null() { e.put(Null()) }

// enter and leave count the levels of nesting: more than DynamoDB stores are an error, which also ends the endless
// walk around a cycle of pointers.
func (e *encoder) enter() error {
	if e.depth++; e.depth > MaxDepth {
		return ErrDepth
	}
	return nil
}

func (e *encoder) leave() { e.depth-- }

// openMap begins a map; members follow, then closeMap with what it returned.
func (e *encoder) openMap() (base int, err error) {
	e.dst = e.open(`{"M":{`)
	return len(e.fields), e.enter()
}

func (e *encoder) closeMap(base int) {
	e.leave()
	if e.build {
		e.values = append(e.values, Map(Item{e.popFields(base)}))
	} else {
		e.dst = append(e.dst, '}', '}')
	}
}

// popFields takes the members since base.
func (e *encoder) popFields(base int) []Field {
	if len(e.fields) == base {
		return nil
	}
	fields := make([]Field, len(e.fields)-base)
	copy(fields, e.fields[base:])
	clear(e.fields[base:])
	e.fields = e.fields[:base]
	return fields
}

func (e *encoder) openList() (base int, err error) {
	e.dst = e.open(`{"L":[`)
	return len(e.values), e.enter()
}

func (e *encoder) closeList(base int) {
	e.leave()
	if e.build {
		elems := make([]Value, len(e.values)-base)
		copy(elems, e.values[base:])
		clear(e.values[base:])
		e.values = append(e.values[:base], List(elems...))
	} else {
		e.dst = append(e.dst, ']', '}')
	}
}

func (e *encoder) open(text string) []byte {
	if e.build {
		return e.dst
	}
	return append(e.dst, text...)
}

// comma separates members and elements: all but the first, which follows the bracket.
func (e *encoder) comma() {
	if last := e.dst[len(e.dst)-1]; last != '{' && last != '[' {
		e.dst = append(e.dst, ',')
	}
}

// run lets a codec write; no codec is NULL.
func (e *encoder) run(c codec, v reflect.Value) (bool, error) {
	if c == nil {
		e.null()
		return true, nil
	}
	return c.encode(e, v)
}

// member writes a name and v, or nothing if v is absent. Members must come in the order of their names. Quoted is the
// name as a JSON string with a colon; "" if it is to be made.
func (e *encoder) member(name, quoted string, c codec, v reflect.Value) error {
	mark := len(e.dst)
	e.name(name, quoted)
	written, err := e.run(c, v)
	switch {
	case err != nil:
	case !written:
		e.dst = e.dst[:mark]
	case e.build:
		e.fields = append(e.fields, Field{name, e.pop()})
	}
	return err
}

// entry is member for maps, where an absent element is NULL, so that its key is kept.
func (e *encoder) entry(name string, c codec, v reflect.Value) error {
	e.name(name, "")
	written, err := e.run(c, v)
	if err != nil {
		return err
	}
	if !written {
		e.null()
	}
	if e.build {
		e.fields = append(e.fields, Field{name, e.pop()})
	}
	return nil
}

// members writes the attributes of an item.
func (e *encoder) members(it Item) {
	for _, f := range it.fields {
		e.name(f.Name, "")
		if e.build {
			e.fields = append(e.fields, f)
		} else {
			e.dst = AppendValue(e.dst, f.Value)
		}
	}
}

// rest writes an attribute that no field holds.
func (e *encoder) rest(f Field) error {
	if e.depth+f.Value.Depth() > MaxDepth {
		return in(f.Name, ErrDepth)
	}
	e.members(Item{[]Field{f}})
	return nil
}

func (e *encoder) name(name, quoted string) {
	switch {
	case e.build:
	case quoted != "":
		e.comma()
		e.dst = append(e.dst, quoted...)
	default:
		e.comma()
		e.dst = append(AppendText(e.dst, name), ':')
	}
}

// set writes a set of the values on the stack since base, and takes them; it reports false if there are none.
func (e *encoder) set(kind Kind, base int) bool {
	elems := normalSet(e.values[base:])
	n := len(elems)
	switch {
	case n == 0:
	case e.build:
		elems = slices.Clone(elems)
	default:
		e.dst = append(e.dst, '{', '"')
		e.dst = append(e.dst, kind.String()...)
		e.dst = append(e.dst, `":[`...)
		for _, x := range elems {
			e.comma()
			e.dst = appendScalar(e.dst, x)
		}
		e.dst = append(e.dst, ']', '}')
	}
	clear(e.values[base:])
	e.values = e.values[:base]
	if n > 0 && e.build {
		e.values = append(e.values, setOf(kind, elems))
	}
	return n > 0
}

// element writes v into a list; what is absent is NULL there, so that the others keep their places.
func (e *encoder) element(c codec, v reflect.Value) error {
	if !e.build {
		e.comma()
	}
	written, err := e.run(c, v)
	if !written && err == nil {
		e.null()
	}
	return err
}
