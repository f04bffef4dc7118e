package schema

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/tablewright/tablewright/attr"
)

// rules are what a tag `check` says.
type rules struct {
	list     []rule
	required bool
	method   string   // of computed=
	from     []string // of computed=
	each     *rules   // of elements
	keys     *rules   // of keys
	missing  string   // of default=
	defaults bool
}

// rule is one rule: its name and its argument.
type rule struct{ name, arg string }

// parseRules reads a tag. See the package's documentation.
func parseRules(text string) (*rules, error) {
	top := new(rules)
	r := top
	for text != "" {
		name, arg, rest := nextRule(text)
		text = rest
		switch name {
		case "required":
			r.required = true
		case "default":
			r.missing, r.defaults = arg, true
		case "computed":
			method, from, told := strings.Cut(arg, ":")
			r.method = method
			if told {
				r.from = strings.Split(from, "|")
			}
		case "each":
			r.each = new(rules)
			r = r.each
			continue
		case "keys":
			r.keys = new(rules)
			r = r.keys
			continue
		case "len", "enum", "pattern", "range", "above", "below", "integer", "decimals", "multiple":
			r.list = append(r.list, rule{name, arg})
		default:
			return nil, fmt.Errorf("tag check has no rule %q", name)
		}
		if takes := name != "required" && name != "integer"; takes != (arg != "") && name != "default" {
			if takes {
				return nil, fmt.Errorf("tag check: %s needs a value", name)
			}
			return nil, fmt.Errorf("tag check: %s takes no value", name)
		}
	}
	return top, nil
}

// nextRule cuts the first rule off. A pattern takes the rest.
func nextRule(text string) (name, arg, rest string) {
	if arg, ok := strings.CutPrefix(text, "pattern="); ok {
		return "pattern", arg, ""
	}
	text, rest, _ = strings.Cut(text, ",")
	name, arg, _ = strings.Cut(text, "=")
	return strings.TrimSpace(name), arg, rest
}

// apply adds the rules to a type; what does not suit it is an error.
func (r *rules) apply(n *node) error {
	for _, x := range r.list {
		if err := x.apply(n); err != nil {
			return err
		}
	}
	if r.defaults {
		v, err := n.parse(r.missing)
		if err != nil {
			return fmt.Errorf("default: %w", err)
		}
		n.missing = v
	}
	if r.each != nil {
		if n.form != listForm && n.form != setForm && n.form != mapForm {
			return fmt.Errorf("each is for lists, sets and maps")
		}
		if r.each.required || r.each.defaults || r.each.method != "" {
			return fmt.Errorf("elements have neither required nor default nor computed")
		}
		elem := *n.elem
		if err := r.each.apply(&elem); err != nil {
			return fmt.Errorf("each: %w", err)
		}
		n.elem = &elem
	}
	if r.keys != nil {
		if n.form != mapForm {
			return fmt.Errorf("keys is for maps")
		}
		keys := newNode(stringForm)
		if n.keys != nil {
			keys = *n.keys
		}
		if r.keys.required || r.keys.defaults || r.keys.method != "" || r.keys.keys != nil {
			return fmt.Errorf("keys have the rules of texts only")
		}
		each := r.keys.each
		r.keys.each = nil
		if err := r.keys.apply(&keys); err != nil {
			return fmt.Errorf("keys: %w", err)
		}
		n.keys = &keys
		if each != nil { // of the map, though it stands behind keys
			if err := (&rules{each: each}).apply(n); err != nil {
				return err
			}
		}
	}
	return n.settle()
}

func (x rule) apply(n *node) (err error) {
	text := n.form == stringForm
	number := n.form == numberForm
	sized := text || n.form == binaryForm || n.form == listForm || n.form == setForm || n.form == mapForm
	switch x.name {
	case "len":
		if !sized {
			return x.misplaced("texts, binaries, lists, sets and maps")
		}
		n.size, err = parseSize(x.arg)
		return err
	case "pattern":
		if !text {
			return x.misplaced("texts")
		}
		n.pattern, err = regexp.Compile(x.arg)
		return err
	case "enum":
		if !text && !number {
			return x.misplaced("texts and numbers")
		}
		for word := range strings.SplitSeq(x.arg, "|") {
			v, err := n.parse(word)
			if err != nil {
				return fmt.Errorf("enum: %w", err)
			}
			n.enum = append(n.enum, v)
		}
		return nil
	}
	if !number {
		return x.misplaced("numbers")
	}
	switch x.name {
	case "range":
		low, high, ok := strings.Cut(x.arg, "..")
		if !ok || low == "" && high == "" {
			return fmt.Errorf("range=%s is none such as range=0..100", x.arg)
		}
		if low != "" {
			if n.low, err = parseBound(low, false); err != nil {
				return err
			}
		}
		if high != "" {
			n.high, err = parseBound(high, false)
		}
		return err
	case "above":
		n.low, err = parseBound(x.arg, true)
		return err
	case "below":
		n.high, err = parseBound(x.arg, true)
		return err
	case "integer":
		n.integer = true
	case "decimals":
		places, err := strconv.Atoi(x.arg)
		if err != nil || places < 0 {
			return fmt.Errorf("decimals=%s is no number of decimals", x.arg)
		}
		n.setPlaces(places)
	case "multiple":
		step, err := attr.ParseNumber(x.arg)
		if err != nil || step.Sign() <= 0 {
			return fmt.Errorf("multiple=%s is no number above 0", x.arg)
		}
		n.step, n.stepped = step, true
	}
	return nil
}

func (x rule) misplaced(where string) error { return fmt.Errorf("%s is a rule for %s", x.name, where) }

// parseSize reads 8, 1..40, 1.., ..40.
func parseSize(text string) (size, error) {
	low, high, isRange := strings.Cut(text, "..")
	z := size{0, -1}
	var errs [2]error
	if low != "" {
		z.min, errs[0] = strconv.Atoi(low)
	}
	if !isRange {
		z.max = z.min
	} else if high != "" {
		z.max, errs[1] = strconv.Atoi(high)
	}
	if errs[0] != nil || errs[1] != nil || z.min < 0 || low == "" && high == "" || high != "" && z.max < 0 {
		return z, fmt.Errorf("len=%s is none such as len=1..40", text)
	}
	return z, nil
}

func parseBound(text string, open bool) (bound, error) {
	n, err := attr.ParseNumber(text)
	if err != nil {
		return bound{}, fmt.Errorf("%q is no number", text)
	}
	return boundAt(n, open), nil
}

// parse reads a value of the type as tags write it.
func (n *node) parse(text string) (attr.Value, error) {
	switch n.form {
	case stringForm:
		return attr.Text(text), nil
	case numberForm:
		x, err := attr.ParseNumber(text)
		if err != nil {
			return attr.Value{}, fmt.Errorf("%q is no number", text)
		}
		return attr.Num(x), nil
	case boolForm:
		b, err := strconv.ParseBool(text)
		if err != nil {
			return attr.Value{}, fmt.Errorf("%q is neither true nor false", text)
		}
		return attr.Bool(b), nil
	}
	return attr.Value{}, fmt.Errorf("is for texts, numbers and truth values")
}
