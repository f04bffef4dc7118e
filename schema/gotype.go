package schema

import (
	"encoding"
	"fmt"
	"math/big"
	"reflect"
	"regexp"
	"strings"
	"time"

	"github.com/tablewright/tablewright/attr"
)

// reader reads the shapes of Go types. One of a type that contains itself contains itself.
type reader struct {
	shapes map[reflect.Type]*Shape
	depth  int // lists and maps around: of type L []L there is no end
}

func (b *reader) shape(t reflect.Type) (*Shape, error) {
	if s, ok := b.shapes[t]; ok {
		return s, nil
	}
	s := &Shape{name: t.Name()}
	must(s.seal())
	b.shapes[t] = s
	fields, err := attr.Fields(t)
	if err != nil {
		return nil, err
	}
	for _, f := range fields {
		if f.Role == attr.RoleRest {
			continue
		}
		x, err := b.field(t, f)
		if err != nil {
			return nil, fmt.Errorf("%s.%s: %w", t, f.Go, err)
		}
		s.fields = append(s.fields, x)
	}
	return s, s.seal()
}

// field reads one field of t.
func (b *reader) field(t reflect.Type, f attr.StructField) (field, error) {
	x := field{name: f.Name, optional: maybeAbsent(t, f)}
	r, err := parseRules(f.Tag.Get("check"))
	if err != nil {
		return x, err
	}
	n, err := b.node(f)
	if err != nil {
		return x, err
	}
	if isForeign(f.Tag, "nullempty") {
		n.null = true
	}
	if err := r.apply(&n); err != nil {
		return x, err
	}
	x.typ = &n
	switch {
	case r.required && !x.optional:
		return x, fmt.Errorf("required does nothing: the attribute is always written (len=1.. demands a text that is not empty)")
	case r.required && r.defaults:
		return x, fmt.Errorf("required, and a default if it is absent")
	case r.defaults && !x.optional:
		return x, fmt.Errorf("the default does nothing: the attribute is always written (tag it omitzero)")
	}
	if r.method != "" {
		if err := x.compute(t, f, r); err != nil {
			return x, err
		}
		return x, nil
	}
	x.optional = x.optional && !r.required
	x.implied = !x.optional && !r.required
	return x, nil
}

// compute makes a field one that follows from others, by a method of t.
func (x *field) compute(t reflect.Type, f attr.StructField, r *rules) error {
	m, err := methodOf(t, f, r.method)
	if err != nil {
		return err
	}
	if r.defaults || r.required {
		return fmt.Errorf("a computed attribute is neither required nor has it a default")
	}
	whole := attr.StructField{Type: t}
	x.optional, x.readOnly, x.from = true, true, r.from
	x.computed = func(it attr.Item) attr.Value {
		v := reflect.New(t)
		if whole.Set(v.Elem(), attr.Map(it)) != nil {
			return attr.Value{}
		}
		got := reflect.New(f.Type).Elem()
		got.Set(v.Method(m).Call(nil)[0])
		value, err := f.Value(got)
		if err != nil {
			return attr.Value{}
		}
		return value
	}
	return nil
}

// methodOf finds the method that computes a field.
func methodOf(t reflect.Type, f attr.StructField, name string) (int, error) {
	m, ok := reflect.PointerTo(t).MethodByName(name)
	if !ok {
		return 0, fmt.Errorf("computed: %s has no method %s", t, name)
	}
	if m.Type.NumIn() != 1 || m.Type.NumOut() != 1 || !m.Type.Out(0).AssignableTo(f.Type) {
		return 0, fmt.Errorf("computed: %s is no method without arguments that returns a %s", name, f.Type)
	}
	return m.Index, nil
}

// isForeign reports whether a field is tagged for package attributevalue with an option.
func isForeign(tag reflect.StructTag, option string) bool {
	if _, own := tag.Lookup("ddb"); own {
		return false
	}
	_, list, _ := strings.Cut(tag.Get("dynamodbav"), ",")
	for o := range strings.SplitSeq(list, ",") {
		if o == option {
			return true
		}
	}
	return false
}

// maybeAbsent reports whether there are values of a field of t that are not written.
func maybeAbsent(t reflect.Type, f attr.StructField) bool {
	if f.Omit || nilable(f) {
		return true
	}
	for i := 1; i < len(f.Index); i++ { // of an embedded pointer that is nil
		if t.FieldByIndex(f.Index[:i]).Type.Kind() == reflect.Pointer {
			return true
		}
	}
	return false
}

// nilable reports whether there are values of its type that are absent: NULL inside lists and maps.
func nilable(f attr.StructField) bool {
	switch f.Type.Kind() {
	case reflect.Pointer, reflect.Interface:
		return true
	case reflect.Slice, reflect.Map:
		return f.Kind != attr.KindS
	}
	return f.Kind == 0 || f.Kind >= attr.KindSS || isOpt(f.Type)
}

// isOpt reports whether t is an attr.Opt.
func isOpt(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && t.PkgPath() == itemType.PkgPath() && strings.HasPrefix(t.Name(), "Opt[")
}

// held is the type that pointers point to and Opts hold, and whether there are any of them.
func held(t reflect.Type) (inner reflect.Type, wrapped bool) {
	for range 16 { // which ends walks along types such as type T *T
		switch {
		case isOpt(t):
			t = t.Field(0).Type
		case t.Kind() == reflect.Pointer:
			t = t.Elem()
		default:
			return t, wrapped
		}
		wrapped = true
	}
	return t, wrapped
}

var (
	timeType   = reflect.TypeFor[time.Time]()
	itemType   = reflect.TypeFor[attr.Item]()
	numberType = reflect.TypeFor[attr.Number]()
	bigIntType = reflect.TypeFor[big.Int]()

	textMarshaler   = reflect.TypeFor[encoding.TextMarshaler]()
	textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// isText reports whether a type writes and reads itself as text.
func isText(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return p.Implements(textMarshaler) && p.Implements(textUnmarshaler)
}

// isTime reports whether t is time.Time, or made of it without a text of its own.
func isTime(t reflect.Type) bool {
	return t == timeType || t.Kind() == reflect.Struct && t.ConvertibleTo(timeType) && !isText(t)
}

// wholeText is what the integer keys of Go's maps look like.
var wholeText = regexp.MustCompile(`^-?[0-9]+$`)

// node reads the type of a field or element, without rules.
func (b *reader) node(f attr.StructField) (node, error) {
	t, wrapped := held(f.Type)
	n := newNode(anyForm)
	n.null = wrapped
	switch f.Kind {
	case 0:
		n.null = true
	case attr.KindS:
		n.form = stringForm
		if isTime(t) {
			n.form = timeForm
		}
	case attr.KindN:
		n.form = numberForm
		n.takeNumbers(t)
	case attr.KindB:
		n.form = binaryForm
		if t.Kind() == reflect.Array {
			n.size = size{t.Len(), t.Len()}
		}
	case attr.KindBOOL:
		n.form = boolForm
	case attr.KindM:
		return b.mapNode(n, f, t)
	default:
		n.form = setForm
		if f.Kind == attr.KindL {
			n.form = listForm
		}
		if t.Kind() == reflect.Array {
			n.size.max = t.Len()
		}
		return n, b.elements(&n, f)
	}
	return n, nil
}

func (b *reader) elements(n *node, f attr.StructField) error {
	e, ok := f.Elem()
	if !ok {
		return fmt.Errorf("%s has no elements", f.Type)
	}
	if b.depth++; b.depth > attr.MaxDepth {
		b.depth--
		n.elem = &anything
		return nil
	}
	elem, err := b.node(e)
	b.depth--
	elem.null = elem.form == anyForm || n.form != setForm && (nilable(e) || isForeign(f.Tag, "nullemptyelem"))
	n.elem = &elem
	return err
}

func (b *reader) mapNode(n node, f attr.StructField, t reflect.Type) (node, error) {
	switch {
	case t == itemType:
		n.form, n.shape = objectForm, Object()
		return n, nil
	case t.Kind() == reflect.Map:
		n.form = mapForm
		if k := t.Key(); !isText(k) && k.Kind() != reflect.String {
			keys := newNode(stringForm)
			keys.pattern = wholeText
			n.keys = &keys
		}
		return n, b.elements(&n, f)
	}
	s, err := b.shape(t)
	n.form, n.shape = objectForm, s
	return n, err
}
