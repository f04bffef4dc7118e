package tablewright

import (
	"context"
	"errors"
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
	"github.com/tablewright/tablewright/plan"
)

// Runnable is any call value of this package that can be a named access pattern.
type Runnable[C any] interface {
	named(name string) C
	call() call
}

// Pattern is a named access pattern: parameters P give the call C.
type Pattern[P any, C Runnable[C]] struct {
	name string
	f    func(P) C
}

// NewPattern declares an access pattern of t: f makes its call from parameters. The fields of P are the parameters, named
// by a tag `param:"name,optional"` or in lower camel case; a P that is no struct is one parameter, named after the part of
// the key that it binds, or else value.
//
// f must be pure and pass its parameters on: it is run at declaration on made-up parameters, without each optional one and
// without all of them, to check what it makes and to learn which parameter goes where. That the index exists, that its
// partition is bound, its sort parts from left to right and with their types, and that it projects what is read, is known
// by then from Declare and from the types; NewPattern checks that what f makes can be sent (no filter on a part of the key,
// texts that parse, limits), is of table t, and is the same each time. It panics, naming the caller's file and line, if
// not, or if the name is taken.
func NewPattern[P any, C Runnable[C]](t *Table, name string, f func(P) C) Pattern[P, C] {
	if t == nil || f == nil {
		panicAt(1, "pattern %s: the table or the function is nil", name)
	}
	err := t.declarePattern(name, reflect.TypeFor[P](), true, func(params any) call { return f(*params.(*P)).call() })
	if err != nil {
		panicAt(1, "pattern %s: %v", name, err)
	}
	return Pattern[P, C]{name, f}
}

// With is the call for parameters: hooks, statistics and errors see it under the pattern's name.
func (p Pattern[P, C]) With(params P) C {
	if p.f == nil {
		panicAt(1, "the pattern was not declared: fill it with NewPattern, in a package-level variable")
	}
	return p.f(params).named(p.name)
}

// Name is the pattern's name.
func (p Pattern[P, C]) Name() string { return p.name }

// PatternInfo describes a declared access pattern to tools.
type PatternInfo struct {
	Name       string
	Operation  string // of its first request
	Index      string // of a query or scan; "" for the table itself
	Parameters []Parameter
	// Plan is the pattern as a plan has it: where each parameter goes, what is demanded and changed. What f computes is
	// $computed. See Differs for comparing it with the plan of a model.
	Plan plan.Plan

	outline func() plan.Step
	run     func(ctx context.Context, db *DB, params map[string]attr.Value) iter.Seq2[attr.Item, error]
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
	all := slices.Clone(t.patterns)
	for i := range all { // what kinds of items a query meets is known when all are declared
		all[i].Plan = planOf(all[i].Name, all[i].outline())
	}
	return slices.Values(all)
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

// unpattern is a pattern whatever its types: its function takes a pointer to the parameters.
type unpattern struct {
	name string
	typ  reflect.Type // P
	f    func(params any) call
}

// declarePattern checks a pattern and adds it to the table's; each says that parameters are left out one by one, too.
func (t *Table) declarePattern(name string, params reflect.Type, each bool, f func(params any) call) error {
	info, err := unpattern{name, params, f}.inspect(t, each)
	if err != nil {
		return err
	}
	return t.addPattern(info)
}

// tryOut makes the call of made-up parameters: numbers that are found again, or small ones where a key has no room.
func (p unpattern) tryOut(params []parameter) (call call, request Request, filled reflect.Value, err error) {
	for _, numbers := range []int{1000, 100, 1} {
		filled = reflect.New(p.typ).Elem()
		for i, q := range params {
			makeUp(q.value(filled), i, numbers)
		}
		if call, request, err = p.make(filled); err == nil {
			break
		}
	}
	if err != nil {
		return call, request, filled, err
	}
	if again, _, err := p.make(filled); err != nil || !reflect.DeepEqual(again.outline(nil).step, call.outline(nil).step) {
		return call, request, filled, errors.New("its function makes another call of the same parameters: it must depend on them alone")
	}
	return call, request, filled, nil
}

// make runs the pattern's function and looks at what would be sent.
func (p unpattern) make(params reflect.Value) (call call, request Request, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("its function panics on made-up parameters: %v", r)
		}
	}()
	call = p.f(params.Addr().Interface())
	request, err = call.Request()
	return call, request, err
}

// without checks the call that lacks parameters.
func (p unpattern) without(filled reflect.Value, left ...parameter) error {
	params := reflect.New(p.typ).Elem()
	params.Set(filled)
	var names []string
	for _, q := range left {
		q.value(params).SetZero()
		names = append(names, q.Name)
	}
	if _, _, err := p.make(params); err != nil {
		return fmt.Errorf("without %s: %w", strings.Join(names, " and "), err)
	}
	return nil
}

// partOf is the part of the key to which a value goes.
func (o outlined) partOf(value string) string {
	for part, r := range o.step.Where {
		if r.Is == value {
			return part
		}
	}
	for part, v := range o.step.Key {
		if v == value {
			return part
		}
	}
	return ""
}

func (p unpattern) inspect(t *Table, each bool) (info PatternInfo, err error) {
	info.Name = p.name
	params := parametersOf(p.typ)
	for _, q := range params {
		info.Parameters = append(info.Parameters, q.Parameter)
	}
	call, request, v, err := p.tryOut(params)
	if err != nil {
		return info, err
	}
	info.Operation, info.Index = request.Operation, request.index
	known := marks{}
	for _, q := range params {
		known.mark(q.Name, q.value(v))
	}
	o := call.outline(known)
	if !slices.Contains(o.tables, t) {
		return info, fmt.Errorf("its call is of table %s: declare it there", o.tables[0].p.Name)
	}
	if len(params) == 1 && params[0].field < 0 {
		if part := o.partOf("$value"); part != "" {
			params[0].Name, info.Parameters[0].Name = part, part
			known = marks{}
			known.mark(part, v)
		}
	}
	info.outline = func() plan.Step { return call.outline(known).step }
	info.Plan = planOf(p.name, o.step)
	var none []parameter // optional ones, left out together
	for _, q := range params {
		if !q.Optional {
			continue
		}
		none = append(none, q)
		if !each {
			continue
		}
		if err := p.without(v, q); err != nil {
			return info, err
		}
	}
	if err := p.without(v, none...); err != nil {
		return info, err
	}
	info.run = func(ctx context.Context, db *DB, given map[string]attr.Value) iter.Seq2[attr.Item, error] {
		args := reflect.New(p.typ)
		if err := setParameters(args.Elem(), params, given); err != nil {
			return func(yield func(attr.Item, error) bool) {
				yield(attr.Item{}, &Error{Pattern: p.name, kinds: []error{ErrInvalid}, cause: err})
			}
		}
		return p.f(args.Interface()).results(ctx, db, p.name)
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
func makeUp(v reflect.Value, i, numbers int) {
	switch {
	case v.Type() == timeType:
		v.Set(reflect.ValueOf(time.Date(2001, 1, 1+i, 0, 0, 0, 0, time.UTC)))
		return
	case v.Type() == reflect.TypeFor[attr.Number]():
		v.Set(reflect.ValueOf(attr.Int(int64(numbers + i))))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(fmt.Sprintf("made-up-%02d", i))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(fitting(numbers, v.Type()) + i))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(uint64(fitting(numbers, v.Type()) + i))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(float64(numbers + i))
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			v.SetBytes([]byte(fmt.Sprintf("made-up-%02d", i)))
		}
	case reflect.Struct:
		for j := range v.NumField() {
			if v.Field(j).CanSet() {
				makeUp(v.Field(j), i, numbers)
			}
		}
	}
}

// fitting is a number that the type has room for.
func fitting(n int, t reflect.Type) int {
	if t.Bits() == 8 {
		return min(n, 100)
	}
	return n
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
