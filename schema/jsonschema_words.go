package schema

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/attr"
)

// words is a schema whose keywords are taken one by one; what is left was not understood.
type words struct {
	m    map[string]any
	at   string
	left map[string]bool
	err  error
}

func (p *parser) words(m map[string]any, at string) *words {
	w := &words{m: m, at: at, left: map[string]bool{}}
	for name := range m {
		if !slices.Contains(annotations, name) && (!strings.HasPrefix(name, "x-") || name == minBytes || name == maxBytes) {
			w.left[name] = true
		}
	}
	return w
}

func (w *words) take(name string) (any, bool) {
	x, ok := w.m[name]
	delete(w.left, name)
	return x, ok
}

func (w *words) fail(name, format string, args ...any) {
	if w.err == nil {
		w.err = fmt.Errorf("%s/%s: %s", w.at, escape(name), fmt.Sprintf(format, args...))
	}
}

// escape writes a name as a step of a JSON pointer.
func escape(name string) string { return strings.NewReplacer("~", "~0", "/", "~1").Replace(name) }

func (w *words) text(name string) (string, bool) {
	x, ok := w.take(name)
	s, isText := x.(string)
	if ok && !isText {
		w.fail(name, "is no string")
	}
	return s, ok
}

func (w *words) flag(name string) bool {
	x, ok := w.take(name)
	b, isBool := x.(bool)
	if ok && !isBool {
		w.fail(name, "is neither true nor false")
	}
	return b
}

// count reads a length; otherwise it is what it was.
func (w *words) count(name string, into *int) {
	x, ok := w.take(name)
	if !ok {
		return
	}
	number, _ := x.(json.Number)
	n, err := attr.ParseNumber(number.String())
	i, whole := n.Int64()
	if err != nil || !whole || i < 0 || i > 1<<31-1 {
		w.fail(name, "is no length")
		return
	}
	*into = int(i)
}

func (w *words) number(name string) (attr.Number, bool) {
	x, ok := w.take(name)
	if !ok {
		return attr.Number{}, false
	}
	number, _ := x.(json.Number)
	n, err := attr.ParseNumber(number.String())
	if err != nil {
		w.fail(name, "is no number that DynamoDB has")
	}
	return n, true
}

// end is the error of a schema that was not understood.
func (w *words) end() error {
	if w.err == nil && len(w.left) > 0 {
		name := slices.Min(slices.Collect(maps.Keys(w.left)))
		w.fail(name, "the keyword cannot be kept here")
	}
	return w.err
}
