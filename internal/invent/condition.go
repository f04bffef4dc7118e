package invent

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// condition is a condition of n tests on an entity; "" if there is nothing to test.
func (v *inventor) condition(p *pattern, e *entity, n int) string {
	var tests []string
	for range n {
		if t := v.test(p, e); t != "" {
			tests = append(tests, t)
		}
	}
	switch {
	case len(tests) == 0:
		return ""
	case len(tests) == 1 && v.chance(10):
		if path, rest, _ := strings.Cut(tests[0], " "); strings.HasPrefix(rest, "<") || strings.HasPrefix(rest, ">") { // of `until >= now`
			if slices.ContainsFunc(own(e), func(x at) bool { return x.path == path && x.a.optional }) {
				return "absent(" + path + ") or " + tests[0]
			}
		}
		return "not " + tests[0]
	case len(tests) == 3 && v.chance(50):
		return tests[0] + pick(v, []string{" and (", " and not ("}) + tests[1] + " or " + tests[2] + ")"
	}
	return strings.Join(tests, pick(v, []string{" and ", " and ", " or "}))
}

var comparisons = []string{"=", "!=", "<", "<=", ">", ">="}

// test is one test of a path.
func (v *inventor) test(p *pattern, e *entity) string {
	from := own(e)
	if v.chance(20) && get(p.doc, "read") != nil { // what a write tests is its own
		from = all(e, 1)
	}
	x := pick(v, from)
	a, path := x.a, x.path
	parameter := func(stems ...string) string { return p.parameter(a, stems...) }
	if (a.optional || v.chance(2)) && v.chance(35) {
		return pick(v, []string{"exists", "absent"}) + "(" + path + ")"
	}
	stem := last(path)
	same := where(own(e), func(y at) bool { return y.path != path && y.a.like(a) && !y.a.silent() })
	if v.chance(6) && len(same) > 0 && a.ordered() && a.kind != "binary" {
		return path + " " + pick(v, comparisons) + " " + pick(v, same).path
	}
	compare := func(value func() string) string {
		switch n := v.IntN(10); {
		case n < 2:
			return path + " = " + value()
		case n < 3:
			return path + " != " + value()
		case n < 5:
			return path + " between " + value() + " and " + value()
		case n < 6:
			return path + " in (" + value() + ", " + value() + ")"
		default:
			return path + " " + pick(v, comparisons[2:]) + " " + value()
		}
	}
	switch a.kind {
	case "string":
		switch v.IntN(6) {
		case 0:
			return "begins_with(" + path + ", " + parameter("prefix") + ")"
		case 1:
			return "contains(" + path + ", " + parameter("part") + ")"
		case 2:
			return "size(" + path + ") " + pick(v, comparisons) + " " + strconv.Itoa(v.between(1, 30))
		case 3:
			return path + " between " + parameter("from", "begin") + " and " + parameter("to", "finish")
		}
		return compare(func() string {
			if v.chance(30) {
				return quoted(pick(v, []string{"a", "north", "x-1"}))
			}
			return parameter(stem, "other")
		})
	case "enum":
		return v.testValue(p, a, path)
	case "states":
		if v.chance(45) {
			if v.chance(50) {
				return path + " in before(" + pick(v, a.values[1:]) + ")"
			}
			return path + " in before(" + parameter("next"+upper(stem)) + ")"
		}
		return v.testValue(p, a, path)
	case "number":
		return compare(func() string {
			switch n := v.IntN(10); {
			case n < 3:
				return v.literal(a)
			case n < 8:
				return parameter(stem, "least", "limit")
			case n < 9:
				return parameter("base") + pick(v, []string{" - ", " + "}) + strconv.Itoa(v.between(1, 5))
			default:
				return "-" + parameter("below")
			}
		})
	case "bool":
		if v.chance(60) {
			return path + pick(v, []string{" = true", " = false", " != true"})
		}
		return path + " = " + parameter(stem)
	case "timestamp":
		return compare(func() string {
			switch n := v.IntN(10); {
			case n < 2:
				return "now"
			case n < 4:
				return "now - " + pick(v, []string{"30 days", "1 h", "12 months"})
			case n < 5:
				return quoted("2026-0" + strconv.Itoa(v.between(1, 9)) + "-01T00:00:00.000Z")
			case n < 6:
				return parameter("since") + " + 1 h"
			case n < 7:
				return "now - $" + p.age()
			}
			return parameter("from", "to", stem)
		})
	case "date":
		return compare(func() string {
			switch n := v.IntN(10); {
			case n < 2:
				return "now"
			case n < 4:
				return "now - " + pick(v, []string{"30 days", "1 day"})
			case n < 5:
				return quoted("2026-0" + strconv.Itoa(v.between(1, 9)) + "-01")
			}
			return parameter("first", "until", stem)
		})
	case "binary":
		switch v.IntN(3) {
		case 0:
			return "begins_with(" + path + ", " + parameter("start") + ")"
		case 1:
			return "size(" + path + ") <= " + strconv.Itoa(v.between(5, 500))
		}
		return path + " = " + parameter(stem)
	case "map":
		return "size(" + path + ") " + pick(v, []string{">=", "<"}) + " " + strconv.Itoa(v.between(1, 4))
	case "list", "set":
		if a.of != nil && a.of.kind != "map" && v.chance(70) {
			if a.of.kind == "enum" {
				return "contains(" + path + ", " + pick(v, a.of.values) + ")"
			}
			return "contains(" + path + ", " + p.parameter(a.of, "element", "member") + ")"
		}
		return "size(" + path + ") " + pick(v, comparisons) + " " + strconv.Itoa(v.between(0, 5))
	}
	return ""
}

// age is a parameter that is a length of time.
func (p *pattern) age() string { return p.parameter(nil, "age")[1:] }

// testValue tests what has a list of values.
func (v *inventor) testValue(p *pattern, a *attribute, path string) string {
	switch v.IntN(5) {
	case 0:
		return path + " = " + p.parameter(a, last(path))
	case 1:
		return path + " in (" + strings.Join(some(v, v.between(1, len(a.values)-1), a.values), ", ") + ")"
	case 2:
		return path + " != " + pick(v, a.values)
	case 3:
		return path + " in (" + p.parameter(a, last(path)) + ", " + p.parameter(a, "or"+upper(last(path))) + ")"
	}
	return path + " = " + pick(v, a.values)
}

// literal is a number that an attribute can have.
func (v *inventor) literal(a *attribute) string {
	low, high := 0.0, math.Pow10(min(a.digits-a.scale, 6))-1
	if a.min != nil {
		low = *a.min
	}
	if a.max != nil {
		high = min(high, *a.max)
	}
	x := math.Floor(low + v.Float64()*max(high-low, 0))
	if a.scale > 0 && x+0.5 <= high && v.chance(30) {
		return number(x + 0.5)
	}
	return number(x)
}

// guard keeps a number inside its range when it moves: tests that bound it on the sides where it could leave.
func (v *inventor) guard(a *attribute, path string, low, high bool, step string) []string {
	var out []string
	if low && a.min != nil {
		out = append(out, path+" >= "+step)
	}
	if high && a.max != nil {
		out = append(out, fmt.Sprintf("%s < %s", path, number(math.Floor(*a.max))))
	}
	return slices.Clip(out)
}
