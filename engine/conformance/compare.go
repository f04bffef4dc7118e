package conformance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"sort"
	"strconv"
	"strings"

	"github.com/tablewright/tablewright/wire"
)

// compare holds an answer to everything that is expected of it; without an expectation it must be no error.
func compare(file string, s step, request string, answer []byte, refused *wire.Error) error {
	got := string(answer)
	if refused != nil {
		got = refused.Code + ": " + refused.Message
	}
	fail := func(line int, expected string) error {
		return &Failure{Place: fmt.Sprintf("%s:%d", file, line), Request: s.operation + " " + request, Expected: expected, Got: got}
	}
	if len(s.expect) == 0 && refused != nil {
		return fail(s.line, "no error")
	}
	for _, x := range s.expect {
		switch x.kind {
		case '@', '$':
			continue
		case '!':
			if refused == nil || !sameError(x.text, got) {
				return fail(x.line, x.text)
			}
			continue
		}
		// An error's own members are compared as an answer's: Item, CancellationReasons.
		body := answer
		if refused != nil {
			body = refused.Append(nil)
			got = string(body)
			if x.kind == '<' {
				return fail(x.line, x.text)
			}
		}
		var is any
		if err := decode(body, &is); err != nil {
			return fail(x.line, "JSON")
		}
		var want any
		if err := decode([]byte(x.text), &want); err != nil {
			return fmt.Errorf("%s:%d: %w", file, x.line, err)
		}
		if s.operation == "Scan" || s.operation == "BatchGetItem" { // their items have no order
			unordered(want)
			unordered(is)
		}
		if x.kind == '<' && !reflect.DeepEqual(normal(want), normal(is)) || x.kind == '~' && !part(normal(want), normal(is)) {
			return fail(x.line, x.text)
		}
	}
	return nil
}

func sameError(expected, got string) bool {
	for _, w := range strings.Split(expected, " | ") {
		if strings.TrimSpace(w) == strings.TrimSpace(got) || strings.TrimSpace(w)+":" == strings.TrimSpace(got) {
			return true
		}
	}
	return false
}

// decode reads JSON with numbers as they are written.
func decode(text []byte, v *any) error {
	if len(bytes.TrimSpace(text)) == 0 { // some operations answer nothing
		*v = map[string]any{}
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return d.Decode(v)
}

// normal makes equal what is equal: the order of sets, and 1 and 1.0.
func normal(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, m := range v {
			if l, ok := m.([]any); ok && (k == "SS" || k == "NS" || k == "BS") {
				sort.Slice(l, func(i, j int) bool { return fmt.Sprint(l[i]) < fmt.Sprint(l[j]) })
			}
			v[k] = normal(m)
		}
	case []any:
		for i := range v {
			v[i] = normal(v[i])
		}
	case json.Number:
		f, _ := v.Float64()
		return f
	}
	return v
}

// unordered sorts the lists of items in an answer of an operation that gives them in no order.
func unordered(v any) {
	sortList := func(l []any) {
		sort.Slice(l, func(i, j int) bool { return text(l[i]) < text(l[j]) })
	}
	m, ok := v.(map[string]any)
	if !ok {
		return
	}
	if l, ok := m["Items"].([]any); ok {
		sortList(l)
	}
	if r, ok := m["Responses"].(map[string]any); ok {
		for _, l := range r {
			if l, ok := l.([]any); ok {
				sortList(l)
			}
		}
	}
}

func text(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

// part reports whether want is part of is: members may be missing in want, null wants there to be none.
func part(want, is any) bool {
	switch want := want.(type) {
	case map[string]any:
		m, ok := is.(map[string]any)
		if !ok {
			return false
		}
		for k, w := range want {
			v, has := m[k]
			if w == nil && has || w != nil && (!has || !part(w, v)) {
				return false
			}
		}
		return true
	case []any:
		l, ok := is.([]any)
		if !ok || len(l) != len(want) {
			return false
		}
		for i := range want {
			if !part(want[i], l[i]) {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(want, is)
}

// member is the JSON of a member of an answer, by its path: names, and positions in lists, with dots between.
func member(answer []byte, path string) (string, bool) {
	var v any
	if decode(answer, &v) != nil {
		return "", false
	}
	for name := range strings.SplitSeq(path, ".") {
		switch in := v.(type) {
		case map[string]any:
			there := false
			if v, there = in[name]; !there {
				return "", false
			}
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil || i < 0 || i >= len(in) {
				return "", false
			}
			v = in[i]
		default:
			return "", false
		}
	}
	return text(v), true
}
