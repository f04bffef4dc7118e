package attr

import (
	"encoding"
	"encoding/json"
	"math/big"
	"reflect"
	"sync"
)

// planKey is what a codec is made for.
type planKey struct {
	typ     reflect.Type
	options options
}

var plans sync.Map // planKey → codec

// codecFor is the codec of a type, made at the first call.
func codecFor(t reflect.Type, o options) (codec, error) {
	if c, ok := plans.Load(planKey{t, o}); ok {
		return c.(codec), nil
	}
	p := planner{making: map[planKey]*deferred{}}
	c, err := p.plan(t, o)
	if err != nil {
		return nil, err
	}
	// Only now is every deferred codec in place, so that others may see them.
	for key, d := range p.making {
		plans.LoadOrStore(key, d.codec)
	}
	return c, nil
}

func itemCodecFor(t reflect.Type) (itemCodec, error) {
	c, err := codecFor(t, options{})
	if err != nil {
		return nil, err
	}
	if i, ok := c.(itemCodec); ok && i.kind() == KindM {
		return i, nil
	}
	return nil, &PlanError{Type: t, Reason: "an item is made of a struct or a map with text keys"}
}

// A planner makes the codec of a type and of all types inside.
type planner struct {
	making map[planKey]*deferred
}

// deferred stands for a codec that is still being made, where a type contains itself.
type deferred struct{ codec }

func (d *deferred) kind() Kind {
	if d.codec == nil {
		return 0
	}
	return d.codec.kind()
}

// resolve is the codec itself, once all are made.
func resolve(c codec) codec {
	if d, ok := c.(*deferred); ok {
		return d.codec
	}
	return c
}

func (p *planner) plan(t reflect.Type, o options) (codec, error) {
	if isFlattened(t) {
		o = options{} // one plan for a struct, wherever it stands
	}
	key := planKey{t, o}
	if c, ok := plans.Load(key); ok {
		return c.(codec), nil
	}
	if d, ok := p.making[key]; ok {
		if d.codec != nil {
			return d.codec, nil
		}
		return d, nil
	}
	d := &deferred{}
	p.making[key] = d
	c, err := p.make(t, o)
	d.codec = c
	return c, err
}

var (
	marshalerType       = reflect.TypeFor[Marshaler]()
	unmarshalerType     = reflect.TypeFor[Unmarshaler]()
	textMarshalerType   = reflect.TypeFor[encoding.TextMarshaler]()
	textUnmarshalerType = reflect.TypeFor[encoding.TextUnmarshaler]()
	jsonNumberType      = reflect.TypeFor[json.Number]()
	bigIntType          = reflect.TypeFor[big.Int]()
)

func (p *planner) make(t reflect.Type, o options) (codec, error) {
	if t.Kind() != reflect.Interface && t.Kind() != reflect.Pointer {
		c := customCodec{
			marshals:   reflect.PointerTo(t).Implements(marshalerType),
			unmarshals: reflect.PointerTo(t).Implements(unmarshalerType),
		}
		if c.marshals || c.unmarshals {
			if !c.marshals || !c.unmarshals {
				inner, err := p.makePlain(t, o)
				if err != nil {
					return nil, err
				}
				c.other = inner
			}
			return c, nil
		}
	}
	return p.makePlain(t, o)
}

// makePlain makes the codec of a type that has no methods of ours.
func (p *planner) makePlain(t reflect.Type, o options) (codec, error) {
	switch {
	case isTime(t):
		return timeCodec{o.time}, nil
	case t == numberType:
		return texted(numberCodec{}, o), nil
	case t == valueType:
		return valueCodec{}, nil
	case t == itemType:
		return rawItemCodec{}, nil
	case t == bigIntType:
		return texted(bigIntCodec{}, o), nil
	case t == jsonNumberType:
		return jsonNumberCodec{}, nil
	case isOpt(t):
		inner, err := p.plan(t.Field(0).Type, o)
		return &optCodec{inner}, err
	case t.Kind() == reflect.Pointer:
		elem, err := p.plan(t.Elem(), o)
		return &pointerCodec{elem}, err
	case t.Kind() == reflect.Interface:
		return &interfaceCodec{}, nil
	case isText(t):
		return textCodec{}, nil
	case o.set && (t.Kind() == reflect.Slice || t.Kind() == reflect.Array || t.Kind() == reflect.Map):
		return p.makeSet(t, o)
	}
	switch t.Kind() {
	case reflect.Bool:
		return boolCodec{}, nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return texted(intCodec{}, o), nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return texted(uintCodec{}, o), nil
	case reflect.Float32, reflect.Float64:
		return texted(floatCodec{bits: t.Bits()}, o), nil
	case reflect.String:
		return stringCodec{}, nil
	case reflect.Slice, reflect.Array:
		if isBytes(t) {
			return bytesCodec{}, nil
		}
		elem, err := p.plan(t.Elem(), o)
		return &listCodec{elem: elem, empty: o.elemZero, isEmpty: emptyTest(t.Elem())}, err
	case reflect.Map:
		return p.makeMap(t, o)
	case reflect.Struct:
		return p.makeStruct(t)
	}
	return nil, &PlanError{Type: t, Reason: "has no attribute type"}
}

func texted(c codec, o options) codec {
	if o.text {
		return quotedCodec{c}
	}
	return c
}

// isText reports whether a type writes and reads itself as text.
func isText(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return p.Implements(textMarshalerType) && p.Implements(textUnmarshalerType)
}

// isBytes reports whether a slice or array is stored as B.
func isBytes(t reflect.Type) bool {
	elem := t.Elem()
	p := reflect.PointerTo(elem)
	return elem.Kind() == reflect.Uint8 && !p.Implements(marshalerType) && !p.Implements(unmarshalerType) && !isText(elem)
}

func (p *planner) makeSet(t reflect.Type, o options) (codec, error) {
	inner := o
	inner.set, inner.setOfKind, inner.elemZero = false, 0, 0
	of := t.Elem()
	if t.Kind() == reflect.Map {
		of = t.Key()
		if k := t.Elem(); k.Kind() != reflect.Bool && (k.Kind() != reflect.Struct || k.NumField() > 0) {
			return nil, &PlanError{Type: t, Reason: "a set as a map has struct{} or bool for its values"}
		}
	}
	elem, err := p.plan(of, inner)
	if err != nil {
		return nil, err
	}
	var kind Kind
	switch elem.kind() {
	case KindS:
		kind = KindSS
	case KindN:
		kind = KindNS
	case KindB:
		kind = KindBS
	}
	if kind == 0 || o.setOfKind != 0 && o.setOfKind != kind {
		return nil, &PlanError{Type: t, Reason: "its elements do not make such a set: sets are of texts, numbers or binaries"}
	}
	if t.Kind() == reflect.Map {
		return &mapSetCodec{setCodec{elem: elem, set: kind}}, nil
	}
	return &setCodec{elem: elem, set: kind}, nil
}

func (p *planner) makeMap(t reflect.Type, o options) (codec, error) {
	c := &mapCodec{empty: o.elemZero, isEmpty: emptyTest(t.Elem())}
	switch key := t.Key(); {
	case isText(key):
		c.key = textKey
	case key.Kind() == reflect.String:
		c.key = stringKey
	case isInteger(key) && key.Kind() <= reflect.Int64:
		c.key = intKey
	case isInteger(key):
		c.key = uintKey
	default:
		return nil, &PlanError{Type: t, Reason: "the keys of a map are texts or integers"}
	}
	var err error
	c.elem, err = p.plan(t.Elem(), o)
	return c, err
}

// emptyTest is what package attributevalue takes for empty: false, 0, "", nil, an array without elements. An empty slice or
// map that is not nil, a struct and a time are not empty to it (observed of its version 1.21).
func emptyTest(t reflect.Type) func(reflect.Value) bool {
	switch t.Kind() {
	case reflect.Array:
		return func(v reflect.Value) bool { return v.Len() == 0 }
	case reflect.Struct:
		if t == numberType || isOpt(t) { // types that it does not know
			return reflect.Value.IsZero
		}
		return func(reflect.Value) bool { return false }
	}
	return reflect.Value.IsZero
}

// zeroTest is what omitzero asks of a type: its own method IsZero, or else whether it is Go's zero value.
func zeroTest(t reflect.Type) func(reflect.Value) bool {
	type zeroer interface{ IsZero() bool }
	zeroerType := reflect.TypeFor[zeroer]()
	switch {
	case t.Kind() == reflect.Interface || t.Kind() == reflect.Pointer:
		return reflect.Value.IsZero
	case reflect.PointerTo(t).Implements(zeroerType):
		return func(v reflect.Value) bool { return addressable(v).Addr().Interface().(zeroer).IsZero() }
	}
	return reflect.Value.IsZero
}

// addressable is v, or a copy of it if it has no address: values of maps and interfaces.
func addressable(v reflect.Value) reflect.Value {
	if v.CanAddr() {
		return v
	}
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	return c
}
