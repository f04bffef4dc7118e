package doctor

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/internal/near"
	"github.com/tablewright/tablewright/spec"
	"github.com/tablewright/tablewright/stats"
)

// ReadThresholds reads figures to compare with, YAML or JSON: those of [stats.Thresholds] by their names in JSON, and under
// `promises` those of [Ranges].
//
//	slowCall: 50ms
//	largeItem: 64KB
//	hotKey: 60%
//	unused: 14 days
//	promises:
//	  rate: {below: 0.3, above: 2}
//	  fewCalls: 1_000
//
// Durations, sizes and percentages are written as in requirements; what is not named is as in the defaults. file is the name in
// errors, which say where a figure stands.
func ReadThresholds(file string, text []byte) (stats.Thresholds, Ranges, error) {
	t, r := stats.DefaultThresholds(), DefaultRanges()
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return t, r, fmt.Errorf("%s: %w", file, err)
	}
	if len(doc.Content) == 0 {
		return t, r, nil
	}
	root := doc.Content[0]
	if root.Kind != yaml.MappingNode {
		return t, r, fmt.Errorf("%s:%d: thresholds are a map of names and figures", file, root.Line)
	}
	rest := *root
	rest.Content = nil
	for i := 0; i+1 < len(root.Content); i += 2 {
		if root.Content[i].Value == "promises" {
			if err := readFigures(file, root.Content[i+1], reflect.ValueOf(&r).Elem()); err != nil {
				return t, r, err
			}
			continue
		}
		rest.Content = append(rest.Content, root.Content[i], root.Content[i+1])
	}
	return t, r, readFigures(file, &rest, reflect.ValueOf(&t).Elem(), "promises")
}

// readFigures reads a map into a struct, by the names in JSON. also are names that stand beside its own.
func readFigures(file string, n *yaml.Node, into reflect.Value, also ...string) error {
	if n.Kind != yaml.MappingNode {
		return fmt.Errorf("%s:%d: a map of names and figures is wanted", file, n.Line)
	}
	fields := map[string]reflect.Value{}
	names := slices.Clone(also)
	for i := range into.NumField() {
		name, _, _ := strings.Cut(into.Type().Field(i).Tag.Get("json"), ",")
		fields[name] = into.Field(i)
		names = append(names, name)
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		field, known := fields[key.Value]
		if !known {
			hint := ""
			if like := near.Name(key.Value, names); like != "" {
				hint = "; did you mean " + like + "?"
			}
			return fmt.Errorf("%s:%d: there is no threshold %s%s", file, key.Line, key.Value, hint)
		}
		if err := readFigure(file, value, field); err != nil {
			return fmt.Errorf("%w (%s)", err, key.Value)
		}
	}
	return nil
}

func readFigure(file string, n *yaml.Node, into reflect.Value) (err error) {
	if into.Kind() == reflect.Struct {
		return readFigures(file, n, into)
	}
	if n.Kind != yaml.ScalarNode {
		return fmt.Errorf("%s:%d: a figure is wanted", file, n.Line)
	}
	fail := func(err error) error { return fmt.Errorf("%s:%d: %w", file, n.Line, err) }
	switch into.Interface().(type) {
	case time.Duration:
		d, err := spec.ParseDuration(n.Value)
		if err != nil {
			return fail(err)
		}
		into.SetInt(int64(d))
	case capacity.Bytes:
		b, err := spec.ParseSize(n.Value)
		if err != nil {
			return fail(err)
		}
		into.SetInt(int64(b))
	default:
		v, err := share(n.Value)
		if err != nil {
			return fail(err)
		}
		if !into.CanFloat() {
			return fail(fmt.Errorf("it cannot be set"))
		}
		into.SetFloat(v)
	}
	return nil
}

// share reads a number, or a percentage as a share of 1.
func share(text string) (float64, error) {
	if strings.HasSuffix(text, "%") {
		return spec.ParsePercentage(strings.TrimSpace(text))
	}
	n, err := spec.ParseNumber(text)
	if err != nil {
		return 0, err
	}
	v := n.Float64()
	if v < 0 {
		return 0, fmt.Errorf("%s is less than 0", text)
	}
	return v, nil
}
