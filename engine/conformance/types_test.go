package conformance

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/wire"
)

// TestTypesOfMembers puts values of every kind in the place of every member that a case uses, and holds the engine to the
// types of the API's model: a value of another type is a SerializationException, everywhere and before anything else
// (nothing is coerced: captured on AWS), null is a member that is not there, and nothing else is a matter of types.
func TestTypesOfMembers(t *testing.T) {
	cases, err := Cases()
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.Open("", &engine.Options{SweepEvery: -1})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	const often = 3 // each place in so many different requests
	met := map[string]int{}
	tried := 0
	for _, c := range cases {
		for _, s := range c.steps {
			var request map[string]any
			input := inputs[s.operation]
			if len(s.request) > 4000 || input == nil || json.Unmarshal([]byte(s.request), &request) != nil || !fits(reflect.TypeOf(input), request) {
				continue
			}
			for _, at := range places(request, s.operation) {
				if met[at.path]++; met[at.path] > often {
					continue
				}
				was := at.get()
				for _, v := range []any{nil, "text", "", 7.0, true, map[string]any{}, map[string]any{"S": "x"}, []any{}, []any{"a"}, []any{nil}} {
					at.set(v)
					tried++
					body, err := json.Marshal(request)
					if err != nil {
						t.Fatal(err)
					}
					_, err = e.Do(t.Context(), s.operation, body)
					var refused *wire.Error
					if err != nil && !errors.As(err, &refused) {
						t.Fatalf("%s %s: %v", s.operation, body, err)
					}
					wrong := refused != nil && refused.Code == wire.CodeSerialization
					if fits(reflect.TypeOf(input), request) == wrong {
						t.Errorf("%s: %v at %s: %v\n  %.300s", c.Name, text(v), at.path, refused, body)
					}
					if refused != nil && refused.Code == wire.CodeInternal {
						t.Errorf("%s: %v at %s: %v\n  %.300s", c.Name, text(v), at.path, refused, body)
					}
				}
				at.set(was)
			}
		}
	}
	t.Logf("%d requests, %d places", tried, len(met))
	if len(met) < 400 {
		t.Errorf("only %d places were tried", len(met))
	}
}

// place is a member of an object, or an element of a list, in a request.
type place struct {
	path string
	in   any // map[string]any or []any
	at   any // string or int
}

func (p place) get() any {
	if m, ok := p.in.(map[string]any); ok {
		return m[p.at.(string)]
	}
	return p.in.([]any)[p.at.(int)]
}

func (p place) set(v any) {
	if m, ok := p.in.(map[string]any); ok {
		m[p.at.(string)] = v
	} else {
		p.in.([]any)[p.at.(int)] = v
	}
}

// places are those of a request. Names that are data, of attributes and tables, do not count in their paths.
func places(v any, path string) (all []place) {
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			p := path + "." + name
			if name[:min(1, len(name))] != strings.ToUpper(name[:min(1, len(name))]) || strings.HasPrefix(name, "#") || strings.HasPrefix(name, ":") {
				p = path + ".*"
			}
			all = append(append(all, place{p, v, name}), places(v[name], p)...)
		}
	case []any:
		for i := range v {
			all = append(append(all, place{path + "[]", v, i}), places(v[i], path+"[]")...)
		}
	}
	return all
}

// valueMembers is the type of attribute values: in the model a structure, in the SDK an interface.
type valueMembers struct {
	S, N       *string
	B          []byte
	SS, NS     []string
	BS         [][]byte
	BOOL, NULL *bool
	L          []types.AttributeValue
	M          map[string]types.AttributeValue
}

// fits reports whether a request has the types of the API's model everywhere.
func fits(t reflect.Type, v any) bool {
	if t == value {
		t = reflect.TypeFor[valueMembers]()
	}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if v == nil {
		return true
	}
	switch {
	case t == reflect.TypeFor[[]byte]():
		s, ok := v.(string)
		_, err := base64.StdEncoding.DecodeString(s)
		return ok && err == nil
	case t.PkgPath() == "time": // seconds
		_, ok := v.(float64)
		return ok
	}
	switch t.Kind() {
	case reflect.Struct:
		m, ok := v.(map[string]any)
		for name, member := range m {
			if f, there := t.FieldByName(name); there && f.IsExported() && !fits(f.Type, member) {
				return false
			}
		}
		return ok
	case reflect.Map:
		m, ok := v.(map[string]any)
		for _, member := range m {
			if !fits(t.Elem(), member) {
				return false
			}
		}
		return ok
	case reflect.Slice:
		l, ok := v.([]any)
		return ok && !slices.ContainsFunc(l, func(element any) bool { return !fits(t.Elem(), element) })
	case reflect.String:
		_, ok := v.(string)
		return ok
	case reflect.Bool:
		_, ok := v.(bool)
		return ok
	case reflect.Int32, reflect.Int64, reflect.Float64:
		_, ok := v.(float64)
		return ok
	}
	panic(fmt.Sprintf("a type that no request has: %s", t))
}
