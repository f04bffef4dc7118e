package tablewright

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/keys"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// marks tell which parameter of a pattern a value came from: the pattern is made of values that are found again. By the
// value's JSON.
type marks map[string]string

// mark notes the forms in which a parameter's made-up value can be stored.
func (m marks) mark(name string, v reflect.Value) {
	if v.Kind() == reflect.Bool {
		return // one of two is no mark
	}
	if v.Type() == timeType {
		at := v.Interface().(time.Time)
		for _, n := range []int64{at.Unix(), at.UnixMilli()} {
			m.note(name, attr.Num(attr.Int(n)))
		}
		if stamp, err := keys.TimestampOf(at); err == nil {
			m.note(name, stamp)
		}
	}
	whole, err := attr.Marshal(v.Interface())
	if err != nil || whole.IsZero() {
		return
	}
	m.note(name, whole)
	if whole.Kind() == attr.KindM {
		for inner, value := range whole.Map().All() {
			m.note(name+"."+inner, value)
		}
	}
}

func (m marks) note(name string, v attr.Value) {
	if v.Kind() != attr.KindBOOL && v.Kind() != attr.KindNULL {
		m[string(attr.AppendValue(nil, v))] = name
	}
}

// value is a value in the language of plans: the parameter it came from, or itself. What is neither a text, a number nor
// true or false has been computed, or is not to be told in a line: it is $computed.
func (m marks) value(v attr.Value) spec.Expr {
	if name, known := m[string(attr.AppendValue(nil, v))]; known {
		return spec.Expr{Reference: strings.Split(name, ".")}
	}
	switch v.Kind() {
	case attr.KindS, attr.KindN, attr.KindBOOL:
		return spec.Expr{Literal: v}
	}
	return spec.Expr{Reference: spec.Reference{"computed"}}
}

func (m marks) text(v attr.Value) string { return m.value(v).String() }

// keyOf is a key's parts.
func (m marks) keyOf(k *itemKey) map[string]string {
	key := map[string]string{}
	for i, p := range k.d.parts {
		key[string(p.plain())] = m.text(k.parts[i])
	}
	return key
}

// comparisons are the operators of tests in the language of plans.
var comparisons = [...]string{
	opEqual: "=", opNotEqual: "!=", opLess: "<", opAtMost: "<=", opGreater: ">", opAtLeast: ">=", opBetween: "between", opIn: "in",
	opExists: "exists", opAbsent: "absent", opBegins: "begins_with", opContains: "contains",
}

// condition is a test in the language of plans; nil if it was written as text.
func (m marks) condition(t *test) spec.Condition {
	switch t.op {
	case opTrue, opText:
		return nil
	case opAnd, opOr, opNot:
		l := &spec.Logic{Op: [...]string{opAnd: "and", opOr: "or", opNot: "not"}[t.op]}
		for i := range t.kids {
			kid := m.condition(&t.kids[i])
			if kid == nil {
				return nil
			}
			l.Args = append(l.Args, kid)
		}
		return l
	}
	c := &spec.Test{Path: spec.Path{t.n.path.String()}, Op: comparisons[t.op]}
	switch t.op {
	case opExists, opAbsent:
		return c
	case opIn:
		for _, v := range t.list {
			c.Args = append(c.Args, m.value(v))
		}
		return c
	}
	c.Args = []spec.Expr{m.value(t.a)}
	if t.op == opBetween {
		c.Args = append(c.Args, m.value(t.b))
	}
	if t.size {
		c.Op, c.SizeOp = "size", c.Op
	}
	return c
}

// tests are conditions as texts, each that all must hold. What the caller wrote as text is as he wrote it.
func (m marks) tests(all []test) (texts []string) {
	for i := range all {
		if c := m.condition(&all[i]); c != nil {
			texts = append(texts, c.String())
		} else if c, err := all[i].condition(); err == nil && c != nil {
			texts = append(texts, c.String())
		}
	}
	return texts
}

// conditions are what a write demands.
func (m marks) conditions(d *decl, g guard, version *int64, all []test) []string {
	var texts []string
	switch {
	case g == guardAbsent:
		texts = append(texts, "absent")
	case g == guardPresent:
		texts = append(texts, "present")
	}
	if version != nil {
		texts = append(texts, d.version+" = "+m.text(attr.Num(attr.Int(*version))))
	}
	return append(texts, m.tests(all)...)
}

// outlined is what a call looks like as a step of a plan, and the tables it concerns.
type outlined struct {
	step   plan.Step
	tables []*Table
}

func (g *getCall) outline(m marks) outlined {
	d := g.key.d
	step := plan.Step{Get: d.name, Key: m.keyOf(&g.key), Consistent: g.consistent}
	if d.source != nil {
		step.Project = fieldNames(d)
	}
	return outlined{step, []*Table{d.table}}
}

func (s *state) outline(m marks) outlined {
	x := s.x
	d := x.d.origin()
	step := plan.Step{Query: d.table.p.Name, Where: map[string]plan.Range{}, Consistent: s.consistent, Evaluate: s.evaluate,
		Filter: strings.Join(m.tests(s.tests), " and ")}
	if x.index != "" {
		step.Query += "." + x.index
	}
	if s.descending {
		step.Order = "descending"
	}
	if x.d.source != nil {
		step.Project = fieldNames(x.d)
	}
	for i, p := range slices.Concat(x.partPaths, x.sortPaths)[:s.n] {
		if s.across != nil && s.across.part == i {
			step.Scatter = string(p.plain())
			step.Where[step.Scatter] = plan.Range{Between: []string{m.text(s.across.from), m.text(s.across.until)}}
			continue
		}
		step.Where[string(p.plain())] = plan.Range{Is: m.text(s.parts[i])}
	}
	if s.across == nil && s.shardCount() > 1 {
		step.Scatter = "shard"
	}
	if s.op != rangeNone {
		lo, r := m.text(s.lo), plan.Range{}
		switch s.op {
		case rangeFrom:
			r.From = lo
		case rangeAfter:
			r.After = lo
		case rangeTo:
			r.To = lo
		case rangeBefore:
			r.Before = lo
		case rangeBetween:
			r.Between = []string{lo, m.text(s.hi)}
		case rangePrefix:
			r.Prefix = lo
		}
		step.Where[string(x.sortPaths[int(s.n)-len(x.partPaths)].plain())] = r
	}
	step.Items = d.among(func(other *decl) bool { return s.kinds && x.partitionReaches(other) || !s.kinds && x.reaches(other) })
	return outlined{step, []*Table{d.table}}
}

func (c *scanCall) outline(m marks) outlined {
	d := c.d.origin()
	step := plan.Step{Scan: d.table.p.Name, Consistent: c.consistent, Filter: strings.Join(m.tests(c.tests), " and ")}
	if c.d.source != nil {
		step.Project = fieldNames(c.d)
	}
	if c.x != nil && c.x.index != "" {
		step.Scan += "." + c.x.index
	}
	step.Items = d.among(func(other *decl) bool { return c.x == nil || c.x.indexes(other) })
	return outlined{step, []*Table{d.table}}
}

// among are the names of d and of the other kinds of items in its table that are met with it.
func (d *decl) among(met func(other *decl) bool) []string {
	names := []string{d.name}
	for _, other := range d.table.decls {
		if other != d && met(other) {
			names = append(names, other.name)
		}
	}
	return names
}

func (c *putCall) outline(m marks) outlined {
	return outlined{plan.Step{Put: c.d.name, If: m.conditions(c.d, c.guard, nil, c.tests)}, []*Table{c.d.table}}
}

func (c *deleteCall) outline(m marks) outlined {
	d := c.key.d
	return outlined{plan.Step{Delete: d.name, Key: m.keyOf(&c.key), If: m.conditions(d, c.guard, c.version, c.tests)}, []*Table{d.table}}
}

func (c *Check) outline(m marks) outlined {
	g := guardNone
	if len(c.tests) == 0 {
		g = guardPresent
	}
	d := c.key.d
	return outlined{plan.Step{Check: d.name, Key: m.keyOf(&c.key), If: m.conditions(d, g, nil, c.tests)}, []*Table{d.table}}
}

func (c *mark) outline(m marks) outlined {
	if c.take {
		return outlined{plan.Step{Put: c.c.m.name, If: []string{"absent"}}, []*Table{c.c.m.d.table}}
	}
	return outlined{plan.Step{Delete: c.c.m.name}, []*Table{c.c.m.d.table}}
}

func (c *updateCall) outline(m marks) outlined {
	d := c.key.d
	g := guardPresent
	if c.upsert {
		g = guardNone
	}
	step := plan.Step{Update: d.name, Key: m.keyOf(&c.key), If: m.conditions(d, g, nil, c.tests)}
	set := func(of *map[string]string, path, text string) {
		if *of == nil {
			*of = map[string]string{}
		}
		(*of)[path] = text
	}
	for i := range c.edits {
		e := &c.edits[i]
		if e.do == doText {
			for _, p := range e.text.Touched() {
				set(&step.Set, p.String(), "$computed")
			}
			continue
		}
		path, v := e.n.path.String(), ""
		if e.do != doRemove {
			v = m.text(e.v)
		}
		switch e.do {
		case doSet:
			set(&step.Set, path, v)
		case doSetIfAbsent:
			set(&step.Set, path, "if_missing("+path+", "+v+")")
		case doRemove:
			step.Remove = append(step.Remove, path)
		case doAdd, doInsert:
			set(&step.Add, path, v)
		case doPlus:
			set(&step.Set, path, path+" + "+v)
		case doMinus:
			set(&step.Set, path, path+" - "+v)
		case doAppend:
			set(&step.Set, path, "append("+path+", "+v+")")
		case doPrepend:
			set(&step.Set, path, "prepend("+path+", "+v+")")
		case doDrop:
			step.Remove = append(step.Remove, path+" "+v)
		}
	}
	return outlined{step, []*Table{d.table}}
}

func (t Tx) outline(m marks) (o outlined) {
	for _, w := range t.writes {
		w.tx(func(a write) {
			one := a.outline(m)
			o.step.Transact = append(o.step.Transact, one.step)
			o.tables = append(o.tables, one.tables...)
		})
	}
	return o
}

// planOf is a pattern as a plan with one step, called after its verb.
func planOf(name string, step plan.Step) plan.Plan {
	verb := "write"
	switch {
	case step.Get != "":
		verb = "get"
	case step.Query != "":
		verb = "query"
	case step.Scan != "":
		verb = "scan"
	}
	return plan.Plan{Name: name, Steps: map[string]plan.Step{verb: step}}
}

// Differs tells in what a plan, of a model say, is another than the pattern's own; nothing if both ask the service for the
// same. Names of steps, promises and how answers are cut into pages do not matter, nor do kinds of items that are read
// beside what is asked for. A plan of several steps has no single call for a counterpart.
func (i PatternInfo) Differs(p plan.Plan) []Difference {
	own := i.Plan.Steps[i.Plan.StepNames()[0]]
	if len(p.Steps) != 1 {
		return []Difference{{"steps", strconv.Itoa(len(p.Steps)), "1"}}
	}
	var all []Difference
	compare := func(what string, theirs, ours any) {
		a, b := fmt.Sprint(theirs), fmt.Sprint(ours)
		if reflect.ValueOf(theirs).Kind() == reflect.Map { // a nil map is an empty one
			a, b = sortedMap(theirs), sortedMap(ours)
		}
		if a != b {
			all = append(all, Difference{what, a, b})
		}
	}
	for _, theirs := range p.Steps {
		compareSteps(compare, "", theirs, own)
	}
	return all
}

func compareSteps(compare func(what string, theirs, ours any), at string, theirs, ours plan.Step) {
	for _, f := range []struct {
		what         string
		theirs, ours any
	}{
		{"get", theirs.Get, ours.Get}, {"query", theirs.Query, ours.Query}, {"put", theirs.Put, ours.Put}, {"update", theirs.Update, ours.Update},
		{"delete", theirs.Delete, ours.Delete}, {"check", theirs.Check, ours.Check}, {"scan", theirs.Scan, ours.Scan},
		{"where", theirs.Where, ours.Where}, {"key", theirs.Key, ours.Key}, {"order", strings.TrimPrefix(theirs.Order, "ascending"), ours.Order},
		{"scatter", theirs.Scatter, ours.Scatter}, {"evaluate", theirs.Evaluate, ours.Evaluate}, {"consistent", theirs.Consistent, ours.Consistent}, {"filter", theirs.Filter, ours.Filter},
		{"project", theirs.Project, ours.Project}, {"set", theirs.Set, ours.Set}, {"add", theirs.Add, ours.Add}, {"remove", theirs.Remove, ours.Remove},
		{"if", theirs.If, ours.If}, {"actions", len(theirs.Transact), len(ours.Transact)},
	} {
		compare(at+f.what, f.theirs, f.ours)
	}
	for i := range min(len(theirs.Transact), len(ours.Transact)) {
		compareSteps(compare, fmt.Sprintf("%saction %d: ", at, i), theirs.Transact[i], ours.Transact[i])
	}
}

// sortedMap prints a map of texts or ranges.
func sortedMap(of any) string {
	switch of := of.(type) {
	case map[string]string:
		var parts []string
		for _, k := range slices.Sorted(maps.Keys(of)) {
			parts = append(parts, k+": "+of[k])
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case map[string]plan.Range:
		texts := map[string]string{}
		for k, r := range of {
			switch {
			case r.Is != "":
				texts[k] = r.Is
			case r.Between != nil:
				texts[k] = "between " + strings.Join(r.Between, " and ")
			case r.Prefix != "":
				texts[k] = "begins with " + r.Prefix
			default:
				for _, end := range [][2]string{{"from ", r.From}, {"after ", r.After}, {"to ", r.To}, {"before ", r.Before}} {
					if end[1] != "" {
						texts[k] += end[0] + end[1] + " "
					}
				}
				texts[k] = strings.TrimSpace(texts[k])
			}
		}
		return sortedMap(texts)
	}
	return fmt.Sprint(of)
}
