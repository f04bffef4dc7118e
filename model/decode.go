package model

import (
	"cmp"
	"encoding"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/tablewright/tablewright/internal/near"
	"github.com/tablewright/tablewright/spec"
)

// The documents are decoded into plain Go structs, from which the JSON Schema is made too. A field's tags say it all:
//
//	Rate *Rate `doc:"rate,needed" about:"calls per second" example:"{average: 3/s, peak: 15/s}" words:"…"`
//
// doc is the key, and after commas
//
//	required   the key must be there
//	needed     the key must be there, but it is for the caller to say so: there is more to say
//	obvious    a single value (or, for a field that takes one, a list) in place of the map means this field
//
// words are the only texts a string may have. What a field accepts follows from its type:
//
//	string, bool, int, float64, encoding.TextUnmarshaler    a single value
//	[]T                                                     a list
//	several[T]                                              a list, or its only element
//	mapOf[T]                                                a map, whose order is kept
//	pathMap[T]                                              a map, or a list of paths: [a.b] means {a.b: $b}
//	either[A, B]                                            whatever A or B accepts; they must not accept the same
//	struct                                                  a map with known keys
//	*T                                                      T, or nil if the key is not there

// several is a list in a document whose only element may stand without brackets.
type several[T any] []T

// mapOf is a map of a document in the order in which it is written.
type mapOf[T any] []entry[T]

// pathMap is a mapOf from path to value that may be written as a list of paths: [a.b] means {a.b: $b}.
type pathMap[T any] []entry[T]

// entry is one key of a mapOf or pathMap with its value.
type entry[T any] struct {
	Key   string
	Value T
	Short bool // of a pathMap written as a list: the value is $ and the last name of the path
}

// either is one of two. Exactly one field is set.
type either[A, B any] struct {
	A *A
	B *B
}

func (several[T]) isSeveral() {}

func (m *mapOf[T]) add(key string, _ bool) reflect.Value {
	*m = append(*m, entry[T]{Key: key})
	return reflect.ValueOf(&(*m)[len(*m)-1].Value).Elem()
}

func (m *pathMap[T]) add(key string, short bool) reflect.Value {
	*m = append(*m, entry[T]{Key: key, Short: short})
	return reflect.ValueOf(&(*m)[len(*m)-1].Value).Elem()
}

func (mapOf[T]) value() reflect.Type   { return reflect.TypeFor[T]() }
func (pathMap[T]) value() reflect.Type { return reflect.TypeFor[T]() }
func (pathMap[T]) paths()              {}
func (either[A, B]) isEither()         {}

type (
	severalType interface{ isSeveral() }
	mapType     interface{ value() reflect.Type }
	pathMapType interface{ paths() }
	eitherType  interface{ isEither() }
	adder       interface {
		add(key string, short bool) reflect.Value
	}
)

func is[I any](t reflect.Type) bool { return t.Implements(reflect.TypeFor[I]()) }

func isScalar(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.String, reflect.Bool, reflect.Int, reflect.Float64:
		return true
	}
	return is[encoding.TextUnmarshaler](reflect.PointerTo(t))
}

// accepted is what kinds of values a type takes.
func accepted(t reflect.Type) nodeKind {
	switch {
	case t.Kind() == reflect.Pointer:
		return accepted(t.Elem())
	case isScalar(t):
		return scalar
	case is[severalType](t):
		return sequence | accepted(t.Elem())
	case is[pathMapType](t):
		return mapping | sequence
	case is[mapType](t):
		return mapping
	case is[eitherType](t):
		return accepted(t.Field(0).Type) | accepted(t.Field(1).Type)
	case t.Kind() == reflect.Slice:
		return sequence
	case t.Kind() == reflect.Struct:
		if f, ok := obvious(t); ok {
			return mapping | accepted(f.Type)
		}
		return mapping
	}
	panic("model: a document cannot hold " + t.String())
}

// obvious is the field that a struct's short form means.
func obvious(t reflect.Type) (reflect.StructField, bool) {
	for f := range t.Fields() {
		if tagOf(f).obvious {
			return f, true
		}
	}
	return reflect.StructField{}, false
}

type fieldTag struct {
	name                      string
	required, needed, obvious bool
	about, example            string
	words                     []string
}

func tagOf(f reflect.StructField) fieldTag {
	name, options, _ := strings.Cut(f.Tag.Get("doc"), ",")
	t := fieldTag{name: name, about: f.Tag.Get("about"), example: f.Tag.Get("example"), words: strings.Fields(f.Tag.Get("words"))}
	for o := range strings.SplitSeq(options, ",") {
		switch o {
		case "required":
			t.required = true
		case "needed":
			t.needed = true
		case "obvious":
			t.obvious = true
		}
	}
	return t
}

// findings reads one document and collects what is wrong with it.
type findings struct {
	*Source
	of     func(path []string) string // what a document path is about
	diags  Diagnostics
	broken map[string]bool // document paths whose value could not be read
}

func newFindings(s *Source, of func(path []string) string) *findings {
	return &findings{Source: s, of: of, broken: map[string]bool{}}
}

func pathKey(path []string) string { return strings.Join(path, "\x00") }

// isBroken reports whether a value, or something that it stands in, could not be read: then there is no telling what
// follows from it.
func (f *findings) isBroken(path ...string) bool {
	for i := 1; i <= len(path); i++ {
		if f.broken[pathKey(path[:i])] {
			return true
		}
	}
	return false
}

// brokenWithin reports whether something inside a value, or the value itself, could not be read.
func (f *findings) brokenWithin(path ...string) bool {
	prefix := pathKey(path)
	for key := range f.broken {
		if key == prefix || strings.HasPrefix(key, prefix+"\x00") {
			return true
		}
	}
	return f.isBroken(path...)
}

func (f *findings) report(at Range, severity Severity, code string, path []string, message, remedy string) {
	d := f.diagnostic(at, severity, code, message, remedy)
	d.Of = f.of(path)
	f.diags = append(f.diags, d)
}

// errorAt reports an error about the value at a document path.
func (f *findings) errorAt(path []string, code, remedy, format string, args ...any) {
	f.report(f.Place(path...), Error, code, path, fmt.Sprintf(format, args...), remedy)
}

// errorAtKey reports an error about a key rather than its value.
func (f *findings) errorAtKey(path []string, code, remedy, format string, args ...any) {
	f.report(f.KeyPlace(path...), Error, code, path, fmt.Sprintf(format, args...), remedy)
}

// warnAt reports a warning about the value at a document path.
func (f *findings) warnAt(path []string, code, remedy, format string, args ...any) {
	f.report(f.Place(path...), Warning, code, path, fmt.Sprintf(format, args...), remedy)
}

// badValue reports a value that could not be read, and remembers it.
func (f *findings) badValue(at Range, path []string, code, remedy, format string, args ...any) {
	f.broken[pathKey(path)] = true
	f.report(at, Error, code, path, fmt.Sprintf(format, args...), remedy)
}

// decode reads the whole document into a pointer to a struct.
func (f *findings) decode(into any) {
	if f.root != nil {
		f.value(f.root, reflect.ValueOf(into).Elem(), nil, fieldTag{})
	}
}

func with(path []string, more ...string) []string {
	return append(path[:len(path):len(path)], more...)
}

func (f *findings) value(n *node, v reflect.Value, path []string, tag fieldTag) {
	t := v.Type()
	if n.torn {
		f.badValue(n.place, path, "bad-value", "quote it: `"+path[len(path)-1]+": \""+n.text+"\"`", "inside { } the comma ends the value of %s", lastName(path))
		return
	}
	if t.Kind() == reflect.Pointer {
		p := reflect.New(t.Elem())
		f.value(n, p.Elem(), path, tag)
		if !f.broken[pathKey(path)] { // what could not be read is as if it were not there
			v.Set(p)
		}
		return
	}
	if kinds := accepted(t); n.kind&kinds == 0 || n.empty {
		what := n.kind.String()
		if n.empty {
			what = "nothing"
		}
		remedy := ""
		if tag.example != "" {
			remedy = "for example `" + tag.name + ": " + tag.example + "`"
		}
		if need := required(t); remedy == "" && need != "" {
			remedy = "it needs " + need
		}
		if kinds&sequence != 0 && n.kind == scalar && !n.empty && lastName(path) == "`"+tag.name+"`" && listed.MatchString(n.text) {
			remedy = "write `" + tag.name + ": [" + n.text + "]`"
		}
		if kinds == scalar && n.kind == mapping && tag.name == "value" && path[0] == "patterns" {
			remedy += ", which has the attributes that the call states; one whose key holds what the same call generates is a child inside it, `with: [lines]`, and has `parent`"
		}
		f.badValue(n.place, path, "wrong-kind", remedy, "%s takes %s, not %s", lastName(path), kinds, what)
		return
	}
	switch {
	case isScalar(t):
		f.scalar(n, v, path, tag)
	case is[severalType](t) && n.kind != sequence:
		e := reflect.New(t.Elem()).Elem()
		f.value(n, e, with(path, "0"), tag)
		v.Set(reflect.Append(v, e))
	case is[mapType](t):
		f.mapping(n, v, path, tag)
	case is[eitherType](t):
		for i := range 2 {
			if side := v.Field(i); n.kind&accepted(side.Type()) != 0 {
				f.value(n, side, path, tag)
				return
			}
		}
	case t.Kind() == reflect.Slice:
		v.Set(reflect.MakeSlice(t, len(n.children), len(n.children)))
		for i, c := range n.children {
			f.value(c, v.Index(i), with(path, strconv.Itoa(i)), tag)
		}
	default:
		f.structure(n, v, path)
	}
}

// listed is a text that can stand as it is inside brackets.
var listed = regexp.MustCompile(`^[\pL\pN_.-]+(, *[\pL\pN_.-]+)*$`)

// required are the keys that a map of a type cannot do without.
func required(t reflect.Type) string {
	if t.Kind() != reflect.Struct || isScalar(t) || is[eitherType](t) {
		return ""
	}
	var names []string
	for f := range t.Fields() {
		if tag := tagOf(f); tag.required || tag.needed {
			names = append(names, tag.name)
		}
	}
	return joined(names)
}

// oneDown is the key among the free ones whose value, a map, takes a key that was written beside it.
func oneDown(t reflect.Type, key string, free []string) (string, bool) {
	for f := range t.Fields() {
		inner := f.Type
		for inner.Kind() == reflect.Pointer || is[severalType](inner) {
			inner = inner.Elem()
		}
		if name := tagOf(f).name; inner.Kind() == reflect.Struct && !isScalar(inner) && !is[eitherType](inner) && slices.Contains(free, name) {
			for g := range inner.Fields() {
				if tagOf(g).name == key {
					return name, true
				}
			}
		}
	}
	return "", false
}

func lastName(path []string) string {
	for i := len(path) - 1; i >= 0; i-- {
		if _, err := strconv.Atoi(path[i]); err != nil {
			return "`" + path[i] + "`"
		}
	}
	return "a document"
}

func (f *findings) scalar(n *node, v reflect.Value, path []string, tag fieldTag) {
	text := strings.TrimSpace(n.text)
	example := ""
	if tag.example != "" {
		example = "for example `" + tag.name + ": " + tag.example + "`"
	}
	if u, ok := v.Addr().Interface().(encoding.TextUnmarshaler); ok {
		err := u.UnmarshalText([]byte(text))
		var e *spec.Error
		switch {
		case err == nil:
		case errors.As(err, &e):
			at := n.place
			if e.Offset > 0 {
				at = f.inside(n, e.Offset+strings.Index(n.text, text))
			}
			f.badValue(at, path, "bad-value", cmp.Or(e.Remedy, example), "%s: %s", lastName(path), e.Message)
		default:
			f.badValue(n.place, path, "bad-value", example, "%s: %v", lastName(path), err)
		}
		return
	}
	bad := func(what string) {
		f.badValue(n.place, path, "bad-value", example, "%s takes %s, not `%s`", lastName(path), what, short(text))
	}
	switch v.Kind() {
	case reflect.Bool:
		switch strings.ToLower(text) {
		case "true", "yes", "on", "y", "1":
			example = "write true"
		case "false", "no", "off", "n", "0":
			example = "write false"
		}
		if text != "true" && text != "false" {
			bad("true or false")
		}
		v.SetBool(text == "true")
	case reflect.Int:
		number, err := spec.ParseNumber(text)
		i, whole := number.Int64()
		if err != nil || !whole || i < 0 || i > 1<<31 {
			bad("a whole number")
		}
		v.SetInt(i)
	case reflect.Float64:
		number, err := spec.ParseNumber(text)
		if err != nil {
			bad("a number")
		}
		v.SetFloat(number.Float64())
	default:
		if len(tag.words) > 0 && !slices.Contains(tag.words, text) {
			remedy := "write " + strings.Join(tag.words, ", ")
			i := slices.IndexFunc(tag.words, func(w string) bool {
				return strings.Contains(near.Fold(text), near.Fold(w)) || len(text) > 2 && strings.HasPrefix(w, strings.ToLower(text))
			})
			meant := near.Name(text, tag.words)
			if meant == "" && i >= 0 {
				meant = tag.words[i]
			}
			if meant != "" { // and read, so that nothing follows from the word
				f.report(n.place, Error, "unknown-word", path, fmt.Sprintf("%s cannot be `%s`", lastName(path), short(text)), "did you mean "+meant+"?")
				v.SetString(meant)
				return
			}
			f.badValue(n.place, path, "unknown-word", remedy, "%s cannot be `%s`", lastName(path), short(text))
			return
		}
		if text == "" {
			f.badValue(n.place, path, "bad-value", "", "%s is empty", lastName(path))
		}
		v.SetString(text)
	}
}

// short is a text cut to a length that fits a message.
func short(text string) string {
	if r := []rune(text); len(r) > 40 {
		return string(r[:40]) + "…"
	}
	return text
}

func (f *findings) mapping(n *node, v reflect.Value, path []string, tag fieldTag) {
	m := v.Addr().Interface().(adder)
	if n.kind == sequence { // a pathMap by its paths
		for i, c := range n.children {
			if c.kind != scalar || c.empty {
				f.badValue(c.place, with(path, strconv.Itoa(i)), "wrong-kind", "", "%s as a list takes paths, not %s", lastName(path), c.kind)
				continue
			}
			value := m.add(c.text, true)
			if accepted(value.Type())&scalar != 0 {
				names := strings.Split(c.text, ".")
				f.value(&node{kind: scalar, text: "$" + names[len(names)-1], place: c.place}, value, with(path, c.text), tag)
			}
		}
	}
	seen := map[string]bool{}
	for i := 0; n.kind == mapping && i < len(n.children); i += 2 {
		key := n.children[i]
		if seen[key.text] {
			f.badValue(key.place, with(path, key.text), "repeated-key", "", "`%s` is there already", key.text)
			continue
		}
		seen[key.text] = true
		f.value(n.children[i+1], m.add(key.text, false), with(path, key.text), tag)
	}
}

func (f *findings) structure(n *node, v reflect.Value, path []string) {
	t := v.Type()
	if n.kind != mapping {
		o, _ := obvious(t)
		f.value(n, v.FieldByIndex(o.Index), path, tagOf(o))
		return
	}
	var names []string
	for field := range t.Fields() {
		names = append(names, tagOf(field).name)
	}
	seen := map[string]bool{}
	for i := 0; i < len(n.children); i += 2 {
		key := n.children[i]
		at := slices.Index(names, key.text)
		if at < 0 {
			free := slices.DeleteFunc(slices.Clone(names), n.has)
			remedy, meant := "its keys are "+strings.Join(names, ", "), ""
			if outer, ok := oneDown(t, key.text, free); ok {
				remedy = "it stands inside `" + outer + "`: write `" + outer + ": {" + key.text + ": …}`"
				f.broken[pathKey(with(path, outer))] = true
			} else if w := cmp.Or(elsewhere(keyWords, key.text, free...), near.Name(key.text, free)); w != "" {
				remedy = "did you mean " + w + "?"
				meant = w
			} else if said, ok := noKeys[near.Fold(key.text)]; ok {
				remedy = said
			} else if before := n.children[max(0, i-1)]; i > 0 && n.children[i+1].empty && strings.Contains(key.text, " ") && before.kind == scalar {
				remedy = fmt.Sprintf("if it goes on with what stands before it, quote both: `%s: \"%s, %s\"`", n.children[i-2].text, before.text, key.text)
			}
			f.badValue(key.place, with(path, key.text), "unknown-key", remedy, "%s has no key `%s`", lastName(path), key.text)
			if meant == "" {
				continue
			}
			// What is meant is read as if it were written, so that nothing follows from the word.
			at = slices.Index(names, meant)
			if value := n.children[i+1]; value.kind&accepted(t.Field(at).Type) == 0 || value.empty {
				f.broken[pathKey(with(path, meant))] = true
				continue
			}
			key.text = meant
		}
		if seen[key.text] {
			f.badValue(key.place, with(path, key.text), "repeated-key", "", "`%s` is there already", key.text)
			continue
		}
		seen[key.text] = true
		f.value(n.children[i+1], v.Field(at), with(path, key.text), tagOf(t.Field(at)))
	}
	for i, name := range names {
		field := tagOf(t.Field(i))
		if p := with(path, name); field.required && !seen[name] && !f.broken[pathKey(p)] {
			remedy := field.about
			if field.example != "" {
				remedy += ", for example `" + name + ": " + field.example + "`"
			}
			article := "a"
			if strings.ContainsRune("aeiou", rune(name[0])) {
				article = "an"
			}
			f.badValue(f.Place(path...), p, "missing-key", remedy, "%s needs %s `%s`", lastName(path), article, name)
		}
	}
}
