package attr

import (
	"fmt"
	"reflect"
	"strings"
	"time"
)

// Role says what a field is for besides holding a value; the client acts on it, the codec does not.
type Role uint8

// The roles that a tag can give.
const (
	RoleNone    Role = iota
	RoleVersion      // counts the writes of the item
	RoleCreated      // when the item was first written
	RoleUpdated      // when it was last written
	RoleRest         // all attributes that no other field names
)

// timeForm is how a time.Time is stored.
type timeForm uint8

const (
	timeISO     timeForm = iota // S, 24 bytes, UTC: sorts as text
	timeRFC3339                 // S, as package attributevalue writes it: as many decimals as there are, with the offset
	timeSeconds                 // N, seconds since 1970
	timeMillis                  // N, milliseconds since 1970
)

// options are the parts of a tag that change how values of a type are written. They pass through pointers and Opt, and from
// lists and maps to their elements; they do not reach inside structs.
type options struct {
	time      timeForm
	set       bool
	text      bool // numbers as S
	elemZero  emptiness
	setOfKind Kind // KindSS, KindNS, KindBS if the tag tells it; else 0
}

// emptiness is what becomes of an empty value.
type emptiness uint8

const (
	emptyWritten emptiness = iota // as it is
	emptyOmitted
	emptyNull
)

// A tag is what a field's struct tag says.
type tag struct {
	name     string // "" if the tag tells none
	skip     bool
	role     Role
	was      string    // the name before, which is still read
	omitZero bool      // omitzero: the zero value is absent
	empty    emptiness // omitempty, nullempty: what encoding/json calls empty is absent or NULL
	options
}

// parseTag reads the tag `ddb`, or `dynamodbav` if there is none, which is that of the AWS SDK's package attributevalue.
// An unknown option of ours is an error; of theirs it is passed over, as they do.
func parseTag(field reflect.StructField) (tag, error) {
	if text, ok := field.Tag.Lookup("ddb"); ok {
		return parseOwnTag(text)
	}
	if text, ok := field.Tag.Lookup("dynamodbav"); ok {
		return parseForeignTag(text, field.Type), nil
	}
	return tag{}, nil
}

func parseOwnTag(text string) (tag, error) {
	if text == "-" {
		return tag{skip: true}, nil
	}
	var t tag
	list := strings.Split(text, ",")
	t.name = list[0]
	times := 0
	for _, option := range list[1:] {
		role := RoleNone
		if before, is := strings.CutPrefix(option, "was="); is {
			if before == "" || before == t.name || t.was != "" {
				return t, fmt.Errorf("tag ddb:%q: was= names the one other name that the attribute had before", text)
			}
			t.was = before
			continue
		}
		switch option {
		case "iso":
			t.time = timeISO
			times++
		case "epoch-s":
			t.time = timeSeconds
			times++
		case "epoch-ms":
			t.time = timeMillis
			times++
		case "set":
			t.set = true
		case "omitzero":
			t.omitZero = true
		case "version":
			role = RoleVersion
		case "created":
			role = RoleCreated
		case "updated":
			role = RoleUpdated
		case "rest":
			role = RoleRest
		default:
			return t, fmt.Errorf("tag ddb has no option %q (iso, epoch-s, epoch-ms, set, omitzero, was=NAME, version, created, updated, rest)", option)
		}
		if role != RoleNone {
			if t.role != RoleNone {
				return t, fmt.Errorf("tag ddb:%q gives two roles", text)
			}
			t.role = role
		}
	}
	if times > 1 {
		return t, fmt.Errorf("tag ddb:%q gives two forms of time", text)
	}
	return t, nil
}

// parseForeignTag reads a tag as package attributevalue does: what its encoder writes for each option was observed of
// its version 1.21. Options count where they can and are passed over elsewhere.
func parseForeignTag(text string, typ reflect.Type) tag {
	if text == "-" {
		return tag{skip: true}
	}
	typ = held(typ)
	isSequence := typ.Kind() == reflect.Slice || typ.Kind() == reflect.Array
	t := tag{options: options{time: timeRFC3339}}
	if isSequence && typ.Elem().Kind() == reflect.Slice && isBytes(typ.Elem()) {
		t.set, t.setOfKind = true, KindBS // without being told
	}
	list := strings.Split(text, ",")
	t.name = list[0]
	for _, option := range list[1:] {
		switch option {
		case "omitempty":
			t.empty = emptyOmitted
		case "omitemptyelem":
			t.elemZero = emptyOmitted
		case "nullempty":
			t.empty = emptyNull
		case "nullemptyelem":
			t.elemZero = emptyNull
		case "stringset":
			t.set, t.setOfKind = isSequence, KindSS
		case "numberset":
			t.set, t.setOfKind = isSequence, KindNS
		case "binaryset":
			t.set, t.setOfKind = isSequence, KindBS
		case "unixtime":
			if isTime(typ) {
				t.time = timeSeconds
			}
		case "string":
			t.text = typ.Kind() >= reflect.Int && typ.Kind() <= reflect.Float64 || typ == numberType
		}
	}
	return t
}

// check refuses options that would do nothing on a field of the type: they are mistakes.
func (t tag) check(typ reflect.Type) error {
	switch inner := innermost(typ); {
	case t.set && !isCollection(typ):
		return fmt.Errorf("a set is a slice, array or map, not %s", typ)
	case t.time != timeISO && t.time != timeRFC3339 && !isTime(inner):
		return fmt.Errorf("epoch-s and epoch-ms are for time.Time, not %s", typ)
	case t.role == RoleVersion && !isInteger(typ):
		return fmt.Errorf("a version is an integer, not %s", typ)
	case (t.role == RoleCreated || t.role == RoleUpdated) && !isTime(inner):
		return fmt.Errorf("created and updated are for time.Time, not %s", typ)
	case t.role == RoleRest && typ != itemType:
		return fmt.Errorf("rest is for attr.Item, not %s", typ)
	}
	return nil
}

// innermost is the type that options reach.
func innermost(t reflect.Type) reflect.Type {
	for range maxIndirections {
		switch {
		case isTime(t) || t == itemType:
			return t
		case isOpt(t):
			t = t.Field(0).Type
		case t.Kind() == reflect.Pointer, t.Kind() == reflect.Slice, t.Kind() == reflect.Array, t.Kind() == reflect.Map:
			t = t.Elem()
		default:
			return t
		}
	}
	return t
}

// maxIndirections ends walks along types such as type T []T.
const maxIndirections = 16

// held is the type that pointers point to and Opts hold.
func held(t reflect.Type) reflect.Type {
	for range maxIndirections {
		switch {
		case isOpt(t):
			t = t.Field(0).Type
		case t.Kind() == reflect.Pointer:
			t = t.Elem()
		default:
			return t
		}
	}
	return t
}

func isCollection(t reflect.Type) bool {
	t = held(t)
	return t.Kind() == reflect.Slice || t.Kind() == reflect.Array || t.Kind() == reflect.Map
}

func isInteger(t reflect.Type) bool {
	return t.Kind() >= reflect.Int && t.Kind() <= reflect.Uint64
}

// isTime reports whether t is time.Time, or a type made of it that has no text of its own.
func isTime(t reflect.Type) bool {
	return t == timeType || t.Kind() == reflect.Struct && t.ConvertibleTo(timeType) && !isText(t)
}

// isOpt reports whether t is an instance of Opt, whose first field is the value and whose second the state.
func isOpt(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && t.PkgPath() == itemType.PkgPath() && strings.HasPrefix(t.Name(), "Opt[")
}

var (
	timeType   = reflect.TypeFor[time.Time]()
	itemType   = reflect.TypeFor[Item]()
	valueType  = reflect.TypeFor[Value]()
	numberType = reflect.TypeFor[Number]()
)
