package tablewright

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/keys"
	"github.com/tablewright/tablewright/plan"
)

// template builds one wire attribute from attributes of an item: text with parts {path:codec:codec}.
type template struct {
	text     string
	literals []string // before, between and after the parts: one more than these
	parts    []tpart
	wire     plan.Type
}

// tpart is one part of a template.
type tpart struct {
	path  attrPath
	field attr.StructField // of the path's end
	codec keys.Codec       // the zero Codec: the value as it is stored, alone in an N or B attribute
	shard bool             // {shard}: of the value at path, or, where that is shardPath, a random one
}

// attrPath is a path of attribute names: one, or several through maps. As the name of a part of a key it may end in a
// colon and a codec: a part that does not tell its value, such as a day, is another part than the value itself.
type attrPath string

func (p attrPath) plain() attrPath { path, _, _ := strings.Cut(string(p), ":"); return attrPath(path) }
func (p attrPath) names() []string { return strings.Split(string(p.plain()), ".") }
func (p attrPath) top() string     { return p.names()[0] }

// part is the name of the part.
func (p tpart) part() attrPath {
	if p.path == shardPath {
		return shardPath
	}
	if p.codec == (keys.Codec{}) || p.codec.ReadsBack() {
		return p.path
	}
	return p.path + attrPath(":"+p.codec.String())
}

var timeType = reflect.TypeFor[time.Time]()

// parseTemplate reads a template for a wire attribute; find looks up the fields of the item's type, shards is what {shard}
// stands for.
func parseTemplate(text string, wire plan.Type, shards *sharding, find func(attrPath) (attr.StructField, error)) (*template, error) {
	t := &template{text: text, wire: wire}
	rest := text
	for {
		literal, after, found := strings.Cut(rest, "{")
		if strings.Contains(literal, "}") {
			return nil, fmt.Errorf("template %q: a } without its {", text)
		}
		t.literals = append(t.literals, literal)
		if !found {
			break
		}
		inside, next, closed := strings.Cut(after, "}")
		if !closed {
			return nil, fmt.Errorf("template %q: a { without its }", text)
		}
		alone := literal == "" && len(t.parts) == 0 && next == ""
		p, err := parsePart(inside, wire, alone, next == "", shards, find)
		if err != nil {
			return nil, fmt.Errorf("template %q: %w", text, err)
		}
		t.parts = append(t.parts, p)
		rest = next
	}
	if wire != plan.S && (len(t.parts) != 1 || t.literals[0] != "" || t.literals[1] != "") {
		return nil, fmt.Errorf("template %q: an attribute of type %s takes one part alone", text, wire)
	}
	for i := range t.parts {
		if next := t.literals[i+1]; next == "" && i+1 < len(t.parts) && !t.parts[i].fixed() {
			return nil, fmt.Errorf("template %q: nothing separates {%s} from the next part", text, t.parts[i].path)
		} else if next != "" && next[0] >= '$' && !t.parts[i].fixed() {
			return nil, fmt.Errorf("template %q: what follows {%s} must begin with a byte below $, such as #", text, t.parts[i].path)
		}
	}
	return t, nil
}

// fixed reports whether all texts of the part have one length, so that the next part can follow at once.
func (p tpart) fixed() bool {
	least, most := p.codec.Len(0, 1<<20)
	return p.codec != (keys.Codec{}) && least == most
}

func parsePart(inside string, wire plan.Type, alone, last bool, shards *sharding, find func(attrPath) (attr.StructField, error)) (tpart, error) {
	name, codec, stated := strings.Cut(inside, ":")
	p := tpart{path: attrPath(name)}
	var err error
	if p.field, err = find(p.path); err != nil {
		switch {
		case name != "shard":
			return p, err
		case stated:
			return p, errors.New("{shard} takes no codec")
		}
		return shards.part(wire) // an attribute of that name comes first, as in plans
	}
	typ, err := logicalType(p.field)
	if err != nil {
		return p, fmt.Errorf("{%s}: %w", inside, err)
	}
	if stated {
		if p.codec, err = keys.ParseCodec(codec); err != nil {
			return p, fmt.Errorf("{%s}: %w", inside, err)
		}
		if !p.codec.Takes(typ) {
			return p, fmt.Errorf("{%s}: codec %s does not write %s", inside, p.codec, p.field.Type)
		}
		if p.codec.Numeric() != (wire == plan.N) {
			return p, fmt.Errorf("{%s}: codec %s does not suit an attribute of type %s", inside, p.codec, wire)
		}
		if p.codec == keys.RawCodec && !last {
			return p, fmt.Errorf("{%s}: raw may only stand alone, or last: a value could forge what follows", inside)
		}
		return p, nil
	}
	switch {
	case wire == plan.N && typ == keys.Number, wire == plan.B && p.field.Kind == attr.KindB:
		return p, nil
	case typ == keys.String && wire == plan.S && alone:
		p.codec = keys.RawCodec
	case typ == keys.String && wire == plan.S:
		p.codec = keys.TextCodec
	case typ == keys.Timestamp:
		return p, fmt.Errorf("{%s}: a time names its codec, such as {%s:iso}", inside, inside)
	default:
		return p, fmt.Errorf("{%s}: a number in a text names its codec, such as {%s:pad10}", inside, inside)
	}
	return p, nil
}

// logicalType is the type a field has for codecs.
func logicalType(f attr.StructField) (keys.Type, error) {
	switch {
	case f.Type == timeType:
		return keys.Timestamp, nil
	case f.Kind == attr.KindS, f.Kind == attr.KindB:
		return keys.String, nil
	case f.Kind == attr.KindN:
		return keys.Number, nil
	}
	return 0, fmt.Errorf("%s is no text, number or time", f.Type)
}

// logical turns a value as the field stores it into the one that codecs take: times are texts with milliseconds.
func logical(f attr.StructField, v attr.Value) (attr.Value, error) {
	if f.Type != timeType || v.IsZero() {
		return v, nil
	}
	var t time.Time
	codec, err := attr.CodecOf[time.Time](f)
	if err == nil {
		err = codec.Set(&t, v)
	}
	if err != nil {
		return v, err
	}
	return keys.TimestampOf(t)
}

// stored turns a logical value back into the one that the field stores.
func stored(f attr.StructField, v attr.Value) (attr.Value, error) {
	if f.Type != timeType {
		return v, nil
	}
	t, err := keys.TimeOf(v)
	if err != nil {
		return v, err
	}
	codec, err := attr.CodecOf[time.Time](f)
	if err != nil {
		return v, err
	}
	return codec.Value(t)
}

// lookup gives the value of an attribute as it is stored; known is false if it cannot be told.
type lookup func(p attrPath) (v attr.Value, known bool)

// errAbsent says that a part of a template has no value.
type errAbsent struct{ path attrPath }

func (e errAbsent) Error() string { return string(e.path) + " has no value" }

// errUnknown says that the value of a part cannot be told.
type errUnknown struct{ path attrPath }

func (e errUnknown) Error() string {
	if e.path == shardPath {
		return errShardUnknown.Error()
	}
	return string(e.path.plain()) + " is not known here"
}

// appendPart writes one part's value, as stored, in its codec.
func (t *template) appendPart(dst []byte, i int, v attr.Value) ([]byte, error) {
	p := t.parts[i]
	v, err := logical(p.field, v)
	if err != nil {
		return dst, fmt.Errorf("%s: %w", p.path, err)
	}
	if v.Kind() == attr.KindS && v.Str() == "" {
		return dst, fmt.Errorf("%s is empty: a key has no empty parts", p.path)
	}
	if dst, err = p.codec.Append(dst, v); err != nil {
		return dst, fmt.Errorf("%s: %w", p.path, err)
	}
	return dst, nil
}

// value builds the wire attribute.
func (t *template) value(get lookup) (attr.Value, error) {
	var text []byte
	for i, p := range t.parts {
		if p.shard {
			if n, told := shardOf(get); told {
				text = append(text, t.literals[i]...)
				var err error
				if text, err = p.codec.AppendShard(text, n); err != nil {
					return attr.Value{}, err
				}
				continue
			}
		}
		v, known := get(p.part())
		if !known || p.path == shardPath {
			return attr.Value{}, errUnknown{p.path}
		}
		if v.IsZero() || v.Kind() == attr.KindNULL {
			return attr.Value{}, errAbsent{p.path}
		}
		if p.codec == (keys.Codec{}) {
			return v, nil
		}
		var err error
		text = append(text, t.literals[i]...)
		if text, err = t.appendPart(text, i, v); err != nil {
			return attr.Value{}, err
		}
	}
	text = append(text, t.literals[len(t.parts)]...)
	return t.wireValue(text)
}

// wireValue makes the attribute's value of its text.
func (t *template) wireValue(text []byte) (attr.Value, error) {
	if t.wire != plan.N {
		return attr.Text(string(text)), nil
	}
	n, err := attr.ParseNumber(string(text))
	return attr.Num(n), err
}

// split takes a text apart into the texts of the parts; false if the template cannot have built it.
func (t *template) split(text string) ([]string, bool) {
	rest, ok := strings.CutPrefix(text, t.literals[0])
	if !ok {
		return nil, false
	}
	parts := make([]string, len(t.parts))
	for i := range t.parts {
		next := t.literals[i+1]
		var end int
		switch {
		case t.parts[i].fixed():
			if end, _ = t.parts[i].codec.Len(0, 1<<20); end > len(rest) {
				return nil, false
			}
		case i == len(t.parts)-1:
			if end = len(rest) - len(next); end < 0 {
				return nil, false
			}
		default: // no text has a byte that the literal begins with
			if end = strings.IndexByte(rest, next[0]); end < 0 {
				return nil, false
			}
		}
		parts[i] = rest[:end]
		if t.parts[i].shard && !t.parts[i].codec.IsShard(parts[i]) {
			return nil, false
		}
		if rest, ok = strings.CutPrefix(rest[end:], next); !ok || parts[i] == "" {
			return nil, false
		}
	}
	return parts, rest == ""
}
