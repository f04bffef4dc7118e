package schema

import (
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/tablewright/tablewright/attr"
)

// check reports whether v will do, and tells r what is wrong. With a nil report it ends at the first problem.
func (n *node) check(v attr.Value, r *report) bool {
	if v.Kind() == attr.KindNULL && n.null {
		return true
	}
	if !n.holds(v.Kind()) {
		return r.add(RuleType, "must be "+n.want())
	}
	switch n.form {
	case stringForm, timeForm:
		return n.checkText(v.Str(), r)
	case numberForm:
		return n.checkNumber(v, r)
	case boolForm:
		return n.enum == nil || n.among(v) || r.add(RuleEnum, "must be "+n.enumText())
	case binaryForm:
		return n.checkSize(len(v.Str()), "byte", r)
	case listForm, setForm:
		elems := v.Elems()
		ok := n.checkSize(len(elems), "element", r)
		if n.form == setForm && len(elems) == 0 && ok {
			ok = r.add(RuleLen, "must have at least 1 element: there are no empty sets")
		}
		if n.elem.form == anyForm && n.elem.null {
			return ok
		}
		for i := range elems {
			if !ok && r == nil {
				return false
			}
			r.element(i)
			ok = n.elem.check(elems[i], r) && ok
			r.leave()
		}
		return ok
	case mapForm:
		return n.checkMap(v.Map(), r)
	case objectForm:
		return n.shape.check(v.Map(), r)
	}
	return true
}

// want names what the type takes.
func (n *node) want() string {
	name := map[form]string{anyForm: "anything", stringForm: "a text", timeForm: "a time, as RFC 3339 text", numberForm: "a number",
		boolForm: "true or false", binaryForm: "a binary", listForm: "a list", setForm: "a set", mapForm: "a map", objectForm: "a map"}[n.form]
	if n.form == setForm {
		name += map[attr.Kind]string{attr.KindSS: " of texts", attr.KindNS: " of numbers", attr.KindBS: " of binaries"}[n.setKind()]
	}
	if n.null {
		return name + " or NULL"
	}
	if n.form == anyForm {
		name += " but NULL"
	}
	return name
}

// textOK is checkText without a word.
func (n *node) textOK(s string) bool {
	if n.form == timeForm {
		_, err := time.Parse(time.RFC3339Nano, s)
		return err == nil
	}
	if !n.size.any() && !n.size.holdsText(s) {
		return false
	}
	if n.pattern != nil && !n.pattern.MatchString(s) {
		return false
	}
	if n.enum == nil {
		return true
	}
	for i := range n.enum {
		if n.enum[i].Str() == s {
			return true
		}
	}
	return false
}

// holdsText counts characters only if the number of bytes leaves it open.
func (z size) holdsText(s string) bool {
	if len(s) < z.min || z.max >= 0 && len(s) > utf8.UTFMax*z.max {
		return false
	}
	if len(s)/utf8.UTFMax >= z.min && (z.max < 0 || len(s) <= z.max) {
		return true
	}
	return z.holds(utf8.RuneCountInString(s))
}

func (n *node) checkText(s string, r *report) bool {
	if n.textOK(s) {
		return true
	}
	if r == nil {
		return false
	}
	if n.form == timeForm {
		return r.add(RuleType, "must be "+n.want())
	}
	if !n.size.any() && !n.size.holdsText(s) {
		n.checkSize(utf8.RuneCountInString(s), "character", r)
	}
	if n.pattern != nil && !n.pattern.MatchString(s) {
		r.add(RulePattern, "must match "+n.pattern.String())
	}
	if n.enum != nil && !n.among(attr.Text(s)) {
		r.add(RuleEnum, "must be "+n.enumText())
	}
	return false
}

func (n *node) checkSize(count int, unit string, r *report) bool {
	if n.size.holds(count) {
		return true
	}
	if r == nil {
		return false
	}
	if n.size.max != 1 && !(n.size.min == 1 && n.size.max < 0) {
		unit += "s"
	}
	return r.add(RuleLen, "must have "+n.size.text()+" "+unit)
}

func (n *node) checkNumber(v attr.Value, r *report) bool {
	if n.plain() {
		return true
	}
	x, ok := v.Number(), true
	if !n.low.above(x) || !n.high.below(x) {
		ok = n.outside(!n.low.above(x), r)
	}
	if n.integer && decimals(x) > 0 {
		ok = r.add(RuleInteger, "must be a whole number")
	}
	if n.places >= 0 && decimals(x) > n.places {
		unit := " decimals"
		if n.places == 1 {
			unit = " decimal"
		}
		ok = r.add(RuleDecimals, "must have at most "+strconv.Itoa(n.places)+unit)
	}
	if n.stepped && !isMultiple(x, n.step) {
		ok = r.add(RuleMultiple, "must be a multiple of "+n.step.String())
	}
	if n.single && !fitsSingle(x) {
		ok = r.add(RuleRange, "must fit into a float32")
	}
	if n.enum != nil && !n.among(v) {
		ok = r.add(RuleEnum, "must be "+n.enumText())
	}
	return ok
}

// outside notes that a number is out of range, below or above it.
func (n *node) outside(under bool, r *report) bool {
	if r == nil {
		return false
	}
	if n.low.set && n.high.set && !n.low.open && !n.high.open {
		return r.add(RuleRange, "must be from "+n.low.n.String()+" to "+n.high.n.String())
	}
	b, words, rule := &n.high, "at most ", RuleRange
	if under {
		b, words = &n.low, "at least "
	}
	if b.open {
		words, rule = "less than ", RuleBelow
		if under {
			words, rule = "greater than ", RuleAbove
		}
	}
	return r.add(rule, "must be "+words+b.n.String())
}

func (n *node) checkMap(m attr.Item, r *report) bool {
	ok := n.checkSize(m.Len(), "element", r)
	for i := range m.Len() {
		if !ok && r == nil {
			return false
		}
		f := m.At(i)
		r.enter(f.Name)
		if n.keys != nil && !n.keys.textOK(f.Name) {
			ok = n.keys.checkKey(f.Name, r)
		}
		ok = n.elem.check(f.Value, r) && ok
		r.leave()
	}
	return ok
}

// checkKey notes what is wrong with the key of a map.
func (n *node) checkKey(name string, r *report) bool {
	if r == nil {
		return false
	}
	var about report
	n.checkText(name, &about)
	for _, p := range about.err.Problems {
		r.add(p.Rule, "the key "+p.Text)
	}
	return false
}

// check holds an object to its shape.
func (s *Shape) check(it attr.Item, r *report) bool {
	ok, derived := true, false
	next := 0 // the first attribute that is not before the field: both are in the order of their names
	for i := range s.fields {
		f := &s.fields[i]
		for next < it.Len() && it.At(next).Name < f.name {
			ok = s.checkOther(it.At(next), r) && ok
			next++
		}
		if !ok && r == nil {
			return false
		}
		derived = derived || f.computed != nil
		there := next < it.Len() && it.At(next).Name == f.name
		r.enter(f.name)
		switch {
		case there:
			ok = f.typ.check(it.At(next).Value, r) && ok
		case !f.optional:
			ok = r.add(RuleRequired, "must be there")
		}
		r.leave()
		if there {
			next++
		}
	}
	for ; next < it.Len() && (ok || r != nil); next++ {
		ok = s.checkOther(it.At(next), r) && ok
	}
	if derived && ok { // of what is wrong nothing is computed
		ok = s.checkComputed(it, r)
	}
	return ok
}

// checkOther is about an attribute that the shape does not name.
func (s *Shape) checkOther(f attr.Field, r *report) bool {
	if !s.closed {
		return true
	}
	r.enter(f.Name)
	defer r.leave()
	return r.add(RuleUnknown, "is not known here")
}

func (s *Shape) checkComputed(it attr.Item, r *report) bool {
	ok := true
	for i := range s.fields {
		f := &s.fields[i]
		if f.computed != nil && !attr.Equal(it.Get(f.name), f.computed(it)) {
			r.enter(f.name)
			ok = r.add(RuleComputed, "must be what it is computed from")
			r.leave()
		}
	}
	return ok
}
