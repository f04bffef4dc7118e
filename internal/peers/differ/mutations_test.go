package differ_test

import (
	"encoding/base64"
	"encoding/json"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Nearly valid requests: valid ones with one change somewhere in their JSON.

// spot is a place in a request: a member of an object, or an element of a list.
type spot struct {
	path string
	in   any // obj or list
	at   any // string or int
}

func (s spot) get() any {
	if m, ok := s.in.(obj); ok {
		return m[s.at.(string)]
	}
	return s.in.(list)[s.at.(int)]
}

func (s spot) set(v any) {
	if m, ok := s.in.(obj); ok {
		m[s.at.(string)] = v
	} else {
		s.in.(list)[s.at.(int)] = v
	}
}

// spots are all places of a request, in an order that does not change.
func spots(v any, path string) (all []spot) {
	switch v := v.(type) {
	case obj:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			p := strings.TrimPrefix(path+"."+name, ".")
			all = append(append(all, spot{p, v, name}), spots(v[name], p)...)
		}
	case list:
		for i := range v {
			all = append(append(all, spot{path + "[]", v, i}), spots(v[i], path+"[]")...)
		}
	}
	return all
}

// mutate changes one place of a request, and answers what it did.
func (g *gen) mutate(in obj) string {
	all := spots(in, "")
	// Items have most of the places: half of the time it is one further up.
	top := slices.DeleteFunc(slices.Clone(all), func(s spot) bool { return strings.Count(s.path, ".") > 1 })
	if g.chance(0.5) {
		all = top
	}
	for range 50 {
		if len(all) == 0 {
			break
		}
		s := pick(g, all...)
		was := s.get()
		switch n := g.IntN(8); {
		case n == 0: // another type
			s.set(pick(g, any("text"), any(7), any(true), any(obj{}), any(list{}), any(list{"a"}), any(obj{"S": "x"})))
			return "type of " + s.path
		case n == 1: // nothing
			s.set(nil)
			return "null at " + s.path
		case n == 2:
			if m, ok := s.in.(obj); ok {
				delete(m, s.at.(string))
				return "no " + s.path
			}
		case n == 3:
			if l, ok := was.(list); ok && len(l) > 0 {
				s.set(append(slices.Clone(l), l[g.IntN(len(l))]))
				return "element twice in " + s.path
			}
		case n == 4:
			switch v := was.(type) {
			case list:
				s.set(list{})
				return "empty " + s.path
			case obj:
				s.set(obj{})
				return "empty " + s.path
			case string:
				if v != "" {
					s.set("")
					return "empty " + s.path
				}
			}
		case n == 5:
			if v, ok := was.(string); ok {
				s.set(v + strings.Repeat("x", pick(g, 1, 40, 300)))
				return "longer " + s.path
			}
		case n == 6:
			switch v := was.(type) {
			case string:
				s.set(pick(g, strings.ToLower(v), strings.ToUpper(v), v+" ", "NONE", "ALL_NEW", "ALL", "-1"))
				return "other word at " + s.path
			case int:
				s.set(pick(g, 0, -1, 1, math.MaxInt32))
				return "other number at " + s.path
			}
		default:
			if m, ok := s.in.(obj); ok {
				m[pick(g, "Extra", "tableName", "Expected", "Select", "Segment", "AttributesToGet", "ConditionalOperator", "ReturnValues")] = was
				return "member beside " + s.path
			}
		}
	}
	return "nothing"
}

// inputs are the requests of operations with the types of their members, as the API's model has them.
var inputs = map[string]reflect.Type{
	"BatchGetItem": reflect.TypeFor[dynamodb.BatchGetItemInput](), "BatchWriteItem": reflect.TypeFor[dynamodb.BatchWriteItemInput](),
	"CreateTable": reflect.TypeFor[dynamodb.CreateTableInput](), "DeleteItem": reflect.TypeFor[dynamodb.DeleteItemInput](),
	"DescribeTable": reflect.TypeFor[dynamodb.DescribeTableInput](), "DescribeTimeToLive": reflect.TypeFor[dynamodb.DescribeTimeToLiveInput](),
	"GetItem": reflect.TypeFor[dynamodb.GetItemInput](), "ListTables": reflect.TypeFor[dynamodb.ListTablesInput](),
	"PutItem": reflect.TypeFor[dynamodb.PutItemInput](), "Query": reflect.TypeFor[dynamodb.QueryInput](), "Scan": reflect.TypeFor[dynamodb.ScanInput](),
	"TransactGetItems": reflect.TypeFor[dynamodb.TransactGetItemsInput](), "TransactWriteItems": reflect.TypeFor[dynamodb.TransactWriteItemsInput](),
	"UpdateItem": reflect.TypeFor[dynamodb.UpdateItemInput](), "UpdateTable": reflect.TypeFor[dynamodb.UpdateTableInput](),
}

// attributeValue is the type of values: in the model a structure of these members.
var attributeValue = reflect.TypeFor[types.AttributeValue]()

type valueMembers struct {
	S, N       *string
	B          []byte
	SS, NS     []string
	BS         [][]byte
	BOOL, NULL *bool
	L          []types.AttributeValue
	M          map[string]types.AttributeValue
}

// fits reports whether a request has the types of the API's model everywhere. What does not is a SerializationException:
// nothing is coerced (captured on AWS by dynalite and dynoxide; DynamoDB Local coerces, or fails).
func fits(t reflect.Type, v any) bool {
	if t == attributeValue {
		t = reflect.TypeFor[valueMembers]()
		if v == nil {
			return true
		}
	}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if v == nil { // a member that is null is one that is not there
		return true
	}
	if t == reflect.TypeFor[[]byte]() {
		s, ok := v.(string)
		_, err := base64.StdEncoding.DecodeString(s)
		return ok && err == nil
	}
	switch t.Kind() {
	case reflect.Struct:
		m, ok := v.(obj)
		if !ok {
			return false
		}
		for name, member := range m {
			if f, there := t.FieldByName(name); there && !fits(f.Type, member) {
				return false
			}
		}
		return true
	case reflect.Map:
		m, ok := v.(obj)
		if !ok {
			return false
		}
		for _, member := range m {
			if !fits(t.Elem(), member) {
				return false
			}
		}
		return true
	case reflect.Slice:
		l, ok := v.(list)
		return ok && !slices.ContainsFunc(l, func(element any) bool { return !fits(t.Elem(), element) })
	case reflect.String:
		_, ok := v.(string)
		return ok
	case reflect.Bool:
		_, ok := v.(bool)
		return ok
	}
	switch v.(type) { // what is left is a number
	case int, float64, json.Number:
		return true
	}
	return false
}

// copied is a copy of a request that can be changed.
func copied(v any) any {
	switch v := v.(type) {
	case obj:
		m := obj{}
		for name, member := range v {
			m[name] = copied(member)
		}
		return m
	case list:
		l := make(list, len(v))
		for i := range v {
			l[i] = copied(v[i])
		}
		return l
	}
	return v
}

// shrunk is the request with everything taken away that it does not need for still being different in the same way: differs
// asks both sides. What is tried is bounded, so that it ends.
func shrunk(in obj, differs func(obj) bool) obj {
	for tries := 0; tries < 300; {
		smaller := false
		for i := 0; i < len(spots(in, "")) && tries < 300; i++ {
			for _, change := range []func(s spot) bool{
				func(s spot) bool { // leave it out
					m, ok := s.in.(obj)
					if ok {
						delete(m, s.at.(string))
					}
					return ok
				},
				func(s spot) bool { // a list of one less
					l, ok := s.get().(list)
					if ok && len(l) > 0 {
						s.set(l[:len(l)-1])
					}
					return ok && len(l) > 0
				},
				func(s spot) bool { // half of a long text
					text, ok := s.get().(string)
					if ok && len(text) > 40 {
						s.set(text[:len(text)/2])
					}
					return ok && len(text) > 40
				},
			} {
				try := copied(in).(obj)
				at := spots(try, "")
				if i >= len(at) || !change(at[i]) {
					continue
				}
				if tries++; differs(try) {
					in, smaller = try, true
				}
			}
		}
		if !smaller {
			break
		}
	}
	return in
}
