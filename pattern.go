package tablewright

import (
	"context"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/keys"
)

// Runnable is any call value of this package that can be a named access pattern.
type Runnable[C any] interface {
	named(name string) C
	Request() (Request, error)
	results(ctx context.Context, db *DB) iter.Seq2[attr.Item, error]
}

// Pattern is a named access pattern: parameters P give the call C.
type Pattern[P any, C Runnable[C]] struct {
	name string
	f    func(P) C
}

// NewPattern declares an access pattern of t: f makes its call from parameters. The fields of P are the parameters, named
// by a tag `param:"name,optional"` or in lower camel case; a P that is no struct is one parameter, called value.
//
// f must be pure: it is run at declaration, on made-up parameters and once more without each optional one, to check that
// what it makes can be sent. NewPattern panics, naming the caller's file and line, if not, or if the name is taken.
func NewPattern[P any, C Runnable[C]](t *Table, name string, f func(P) C) Pattern[P, C] {
	p := Pattern[P, C]{name, f}
	info, err := p.inspect()
	if err == nil {
		err = t.addPattern(info)
	}
	if err != nil {
		panicAt(1, "pattern %s: %v", name, err)
	}
	return p
}

// With is the call for parameters: hooks, statistics and errors see it under the pattern's name.
func (p Pattern[P, C]) With(params P) C { return p.f(params).named(p.name) }

// Name is the pattern's name.
func (p Pattern[P, C]) Name() string { return p.name }

// PatternInfo describes a declared access pattern to tools.
type PatternInfo struct {
	Name       string
	Operation  string // of its first request
	Index      string // of a query; "" for a table's own key
	Parameters []Parameter

	run func(ctx context.Context, db *DB, params map[string]attr.Value) iter.Seq2[attr.Item, error]
}

// Parameter of a pattern.
type Parameter struct {
	Name     string
	Type     string // string, number, bool, binary, timestamp, or a Go type
	Optional bool
}

// Run calls the pattern with parameters by name, as they are stored (times as 2026-11-21T12:00:00.000Z), and yields what it
// answers: the items of a read, the item of a write that has one.
func (i PatternInfo) Run(ctx context.Context, db *DB, params map[string]attr.Value) iter.Seq2[attr.Item, error] {
	return i.run(ctx, db, params)
}

// Patterns yields the table's patterns in the order of their names.
func (t *Table) Patterns() iter.Seq[PatternInfo] {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Values(slices.Clone(t.patterns))
}

// Pattern finds a pattern by name.
func (t *Table) Pattern(name string) (PatternInfo, bool) {
	for p := range t.Patterns() {
		if p.Name == name {
			return p, true
		}
	}
	return PatternInfo{}, false
}

func (t *Table) addPattern(info PatternInfo) error {
	if info.Name == "" {
		return fmt.Errorf("it has no name")
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	i, twice := slices.BinarySearchFunc(t.patterns, info.Name, func(p PatternInfo, name string) int { return strings.Compare(p.Name, name) })
	if twice {
		return fmt.Errorf("the table has a pattern of that name already")
	}
	t.patterns = slices.Insert(t.patterns, i, info)
	return nil
}

// parameter is a field of P.
type parameter struct {
	Parameter
	field int // -1: P itself
}

func (p Pattern[P, C]) inspect() (info PatternInfo, err error) {
	info.Name = p.name
	params := parametersOf(reflect.TypeFor[P]())
	var filled P
	v := reflect.ValueOf(&filled).Elem()
	for i, q := range params {
		info.Parameters = append(info.Parameters, q.Parameter)
		makeUp(q.value(v), i)
	}
	request, err := p.f(filled).Request()
	if err != nil {
		return info, err
	}
	info.Operation, info.Index = request.Operation, request.index
	for _, q := range params {
		if !q.Optional {
			continue
		}
		without := filled
		q.value(reflect.ValueOf(&without).Elem()).SetZero()
		if _, err := p.f(without).Request(); err != nil {
			return info, fmt.Errorf("without %s: %w", q.Name, err)
		}
	}
	info.run = func(ctx context.Context, db *DB, given map[string]attr.Value) iter.Seq2[attr.Item, error] {
		var args P
		if err := setParameters(reflect.ValueOf(&args).Elem(), params, given); err != nil {
			return func(yield func(attr.Item, error) bool) {
				yield(attr.Item{}, &Error{Pattern: p.name, kinds: []error{ErrInvalid}, cause: err})
			}
		}
		return p.With(args).results(ctx, db)
	}
	return info, nil
}

func parametersOf(typ reflect.Type) []parameter {
	if typ.Kind() != reflect.Struct || typ == timeType || typ == reflect.TypeFor[attr.Number]() {
		return []parameter{{Parameter{Name: "value", Type: parameterType(typ)}, -1}}
	}
	var all []parameter
	for i := range typ.NumField() {
		f := typ.Field(i)
		if !f.IsExported() {
			continue
		}
		name, optional, _ := strings.Cut(f.Tag.Get("param"), ",")
		if name == "optional" {
			name, optional = "", "optional"
		}
		if name == "" {
			name = lowerCamel(f.Name)
		}
		all = append(all, parameter{Parameter{name, parameterType(f.Type), optional == "optional"}, i})
	}
	return all
}

// lowerCamel turns ID into id, OrderID into orderID, From into from.
func lowerCamel(name string) string {
	upper := 0
	for i, r := range name {
		if !unicode.IsUpper(r) {
			break
		}
		upper = i + utf8.RuneLen(r)
	}
	switch {
	case upper == len(name):
		return strings.ToLower(name)
	case upper > 1: // the last upper-case letter begins the next word
		_, last := utf8.DecodeLastRuneInString(name[:upper])
		upper -= last
	}
	return strings.ToLower(name[:upper]) + name[upper:]
}

func parameterType(t reflect.Type) string {
	switch {
	case t == timeType:
		return "timestamp"
	case t == reflect.TypeFor[attr.Number]():
		return "number"
	}
	switch t.Kind() {
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "bool"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint, reflect.Uint8, reflect.Uint16,
		reflect.Uint32, reflect.Uint64, reflect.Float32, reflect.Float64:
		return "number"
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return "binary"
		}
	}
	return t.String()
}

// value is the field of P.
func (q parameter) value(p reflect.Value) reflect.Value {
	if q.field < 0 {
		return p
	}
	return p.Field(q.field)
}

// makeUp gives a parameter a value that any key takes: later ones are greater, so that ranges have their ends in order.
func makeUp(v reflect.Value, i int) {
	switch {
	case v.Type() == timeType:
		v.Set(reflect.ValueOf(time.Date(2001, 1, 1+i, 0, 0, 0, 0, time.UTC)))
		return
	case v.Type() == reflect.TypeFor[attr.Number]():
		v.Set(reflect.ValueOf(attr.Int(int64(i + 1))))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(fmt.Sprintf("made-up-%02d", i))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(i + 1))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(uint64(i + 1))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(float64(i + 1))
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			v.SetBytes([]byte(fmt.Sprintf("made-up-%02d", i)))
		}
	case reflect.Struct:
		for j := range v.NumField() {
			if v.Field(j).CanSet() {
				makeUp(v.Field(j), i)
			}
		}
	}
}

// setParameters sets the fields of P from values by name.
func setParameters(p reflect.Value, params []parameter, given map[string]attr.Value) error {
	left := len(given)
	for _, q := range params {
		v, ok := given[q.Name]
		if !ok {
			if !q.Optional {
				return fmt.Errorf("parameter %s is missing", q.Name)
			}
			continue
		}
		left--
		if err := setParameter(q.value(p), v); err != nil {
			return fmt.Errorf("parameter %s: %w", q.Name, err)
		}
	}
	if left > 0 {
		for name := range given {
			if !slices.ContainsFunc(params, func(q parameter) bool { return q.Name == name }) {
				return fmt.Errorf("there is no parameter %s", name)
			}
		}
	}
	return nil
}

// setParameter sets a field from a stored value.
func setParameter(field reflect.Value, v attr.Value) error {
	wrong := fmt.Errorf("%s does not go into %s", v.Kind(), field.Type())
	switch field.Type() {
	case timeType:
		at, err := keys.TimeOf(v)
		if err == nil {
			field.Set(reflect.ValueOf(at))
		}
		return err
	case reflect.TypeFor[attr.Number]():
		if v.Kind() != attr.KindN {
			return wrong
		}
		field.Set(reflect.ValueOf(v.Number()))
		return nil
	}
	n, whole := v.Number().Int64()
	switch kind := field.Kind(); {
	case kind == reflect.String && v.Kind() == attr.KindS:
		field.SetString(v.Str())
	case kind == reflect.Bool && v.Kind() == attr.KindBOOL:
		field.SetBool(v.Bool())
	case field.CanInt() && v.Kind() == attr.KindN && whole && !field.OverflowInt(n):
		field.SetInt(n)
	case field.CanUint() && v.Kind() == attr.KindN && whole && n >= 0 && !field.OverflowUint(uint64(n)):
		field.SetUint(uint64(n))
	case field.CanFloat() && v.Kind() == attr.KindN:
		field.SetFloat(v.Number().Float64())
	case kind == reflect.Slice && field.Type().Elem().Kind() == reflect.Uint8 && v.Kind() == attr.KindB:
		field.SetBytes(v.Bytes())
	default:
		return wrong
	}
	return nil
}
