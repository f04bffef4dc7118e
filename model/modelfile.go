package model

import (
	"os"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// LoadModel reads a model file, YAML or JSON. See [ReadModel]; the error is one of reading the file itself.
func LoadModel(path string) (*plan.Model, *Source, Diagnostics, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, nil, err
	}
	m, source, diagnostics := ReadModel(path, text)
	return m, source, diagnostics, nil
}

// ReadModel reads the text of a model file. The model is nil if there is an error among the diagnostics. What it says
// is checked by [CompileModel]. file is only the name in diagnostics.
func ReadModel(file string, text []byte) (*plan.Model, *Source, Diagnostics) {
	source, diagnostics := NewSource(file, text)
	if diagnostics != nil {
		return nil, source, diagnostics
	}
	if source.root.has("entities") && source.root.has("patterns") {
		return nil, source, Diagnostics{source.diagnostic(source.Place("entities"), Error, "wrong-kind", "these are requirements, not a model",
			"give the model after the requirements that it serves: tablewright check REQUIREMENTS MODEL")}
	}
	r := &modelReader{findings: newFindings(source, modelSubject)}
	r.decode(&r.doc)
	if r.broken[""] {
		return nil, source, r.diags
	}
	if v := r.doc.Tablewright; v != 1 && !r.isBroken("tablewright") {
		r.errorAt([]string{"tablewright"}, "version", "write `tablewright: 1`, or use a newer program", "this program reads version 1 of the format, not %d", v)
	}
	m := r.model()
	all := r.diags.Sorted()
	if all.Errors() > 0 {
		return nil, source, all
	}
	return m, source, all
}

// CompileModel resolves a model against its requirements and proves what can be proven without data; what is wrong with
// it comes back with places in the file it was read from. source may be nil for a model that was made by a program. The
// Program is there also if there are errors, so that a model can be run to show what they do.
func CompileModel(m *plan.Model, source *Source, r *spec.Requirements) (*plan.Program, Diagnostics) {
	p, problems := plan.Compile(m, r)
	return p, source.Problems(problems)
}

// Problems gives the problems of a compiled model their places.
func (s *Source) Problems(problems []plan.Problem) Diagnostics {
	if s == nil {
		s = &Source{File: "model"}
	}
	var all Diagnostics
	for _, p := range problems {
		severity := Error
		if p.Severity == plan.Warning {
			severity = Warning
		}
		d := s.diagnostic(s.Place(p.Path...), severity, p.Code, p.Message, p.Remedy)
		d.Of, d.Remedy = modelSubject(p.Path), p.Remedy
		all = append(all, d)
	}
	return all.Sorted()
}

// modelSubject names what a document path is about: a table, an item or a plan.
func modelSubject(path []string) string {
	switch {
	case len(path) >= 4 && path[0] == "tables" && path[2] == "items":
		return path[3]
	case len(path) >= 4 && path[0] == "tables" && (path[2] == "gsi" || path[2] == "lsi"):
		return path[1] + "." + path[3]
	case len(path) >= 2 && (path[0] == "tables" || path[0] == "plans"):
		return path[1]
	case len(path) > 0:
		return path[0]
	}
	return ""
}

// modelReader turns the document into the model.
type modelReader struct {
	*findings
	doc modelDoc
}

func (r *modelReader) model() *plan.Model {
	m := &plan.Model{Application: r.doc.Application}
	for _, t := range r.doc.Tables {
		m.Tables = append(m.Tables, r.table(t.Key, &t.Value))
	}
	for _, p := range r.doc.Plans {
		m.Plans = append(m.Plans, r.plan(p.Key, &p.Value))
	}
	for _, d := range r.doc.Decisions {
		out := plan.Decision{About: d.About, Rule: d.Rule, Because: d.Because, Cost: d.Cost.float()}
		for _, i := range d.Inputs {
			out.Inputs = append(out.Inputs, plan.Input{Name: i.Key, Value: i.Value})
		}
		for _, x := range d.Rejected {
			out.Rejected = append(out.Rejected, plan.Rejected{What: x.What, Cost: x.Cost.float(), Because: x.Because})
		}
		m.Decisions = append(m.Decisions, out)
	}
	return m
}

// float is the number as a float64; 0 if there is none.
func (t *numberText) float() float64 {
	if t == nil {
		return 0
	}
	return t.Float64()
}

// byName makes a Go map of a document's; nil if it is empty.
func byName[T, U any](m []entry[T], value func(*entry[T]) U) map[string]U {
	if len(m) == 0 {
		return nil
	}
	out := make(map[string]U, len(m))
	for i := range m {
		out[m[i].Key] = value(&m[i])
	}
	return out
}

func valueOf[T any](e *entry[T]) T { return e.Value }

func (r *modelReader) table(name string, d *tableDoc) plan.Table {
	t := plan.Table{
		Name: name, Key: plan.Key(d.Key), TTL: d.TTL, Stream: d.Stream, Class: d.Class,
		Attributes: byName(d.Attributes, func(e *entry[string]) plan.Type { return plan.Type(e.Value) }),
		GSI: byName(d.GSI, func(e *entry[indexDoc]) plan.Index {
			how, include := e.Value.Project.projection()
			return plan.Index{Partition: e.Value.Partition, Sort: e.Value.Sort, Project: how, Include: include, Warm: e.Value.Warm.units()}
		}),
		LSI: byName(d.LSI, func(e *entry[localIndexDoc]) plan.Index {
			how, include := e.Value.Project.projection()
			return plan.Index{Sort: e.Value.Sort, Project: how, Include: include}
		}),
		Items: byName(d.Items, func(e *entry[itemDoc]) plan.Item { return r.item(e.Key, &e.Value) }),
	}
	if d.Class == "standard" {
		t.Class = ""
	}
	if b := d.Billing; b != nil {
		t.Billing = plan.Billing{Read: b.Read.float(), Write: b.Write.float()}
		if (b.Read == nil) != (b.Write == nil) || b.Mode == "" && b.Read == nil {
			r.errorAt([]string{"tables", name, "billing"}, "missing-key", "write on-demand, or {read: 100, write: 50}", "provisioned units are given for reading and writing")
		}
	}
	t.Warm = d.Warm.units()
	if t.Billing != (plan.Billing{}) {
		const remedy = "leave out billing, or warm"
		if d.Warm != nil {
			r.errorAt([]string{"tables", name, "warm"}, "conflict", remedy, "what is provisioned is what the table is ready for: warm is for tables on demand")
		}
		for _, x := range d.GSI {
			if x.Value.Warm != nil {
				r.errorAt([]string{"tables", name, "gsi", x.Key, "warm"}, "conflict", remedy, "what is provisioned is what the index is ready for: warm is for tables on demand")
			}
		}
	}
	return t
}

func (d *warmDoc) units() plan.Billing {
	if d == nil {
		return plan.Billing{}
	}
	return plan.Billing{Read: d.Read.float(), Write: d.Write.float()}
}

func (d *projectDoc) projection() (how string, include []string) {
	switch {
	case d == nil || d.How == "all":
		return plan.All, nil
	case d.How == "keys":
		return plan.Keys, nil
	}
	return plan.Include, d.Include
}

func (r *modelReader) item(name string, d *itemDoc) plan.Item {
	it := plan.Item{
		Name: name, Stamp: d.Stamp, Pack: d.Pack,
		Key: byName(d.Key, valueOf[string]),
		Set: byName(d.Set, func(e *entry[templateDoc]) plan.Template {
			return plan.Template{Value: e.Value.Value, When: e.Value.When.text(), Else: e.Value.Else}
		}),
		Copies: byName(d.Copies, func(e *entry[copyDoc]) plan.Copy {
			c := plan.Copy{From: spec.Path(e.Value.From).String()}
			if k := e.Value.Kept; k != nil {
				c.Kept = k.kept()
			}
			return c
		}),
		Embed: byName(d.Embed, func(e *entry[embedDoc]) plan.Embed { return plan.Embed(e.Value) }),
	}
	if h := d.Holds; h != nil {
		it.Holds = plan.Holds{Entity: h.Entity, Unique: h.Unique, While: h.While.text(), Sequence: h.Sequence, Aggregate: h.Aggregate, CopyOf: h.CopyOf}
	}
	if it.Holds == (plan.Holds{}) {
		it.Holds.Entity = name
	}
	if d.Stores != nil {
		it.Stores = append([]string{}, *d.Stores...)
	}
	if d.Shard != nil {
		s := plan.Shard(*d.Shard)
		it.Shard = &s
	}
	if d.Kept != nil {
		k := d.Kept.kept()
		it.Kept = &k
	}
	if p := d.Promise; p != nil {
		it.Promise.Count = p.Count.float()
		if p.Bytes != nil && p.Bytes.Average != nil {
			it.Promise.Bytes = float64(*p.Bytes.Average)
			it.Promise.BytesMost = it.Promise.Bytes
			if p.Bytes.Max != nil {
				it.Promise.BytesMost = float64(*p.Bytes.Max)
			}
		}
	}
	return it
}

func (t conditionText) text() string {
	if t.Condition == nil {
		return ""
	}
	return t.Condition.String()
}

func (d *keptDoc) kept() plan.Kept {
	k := plan.Kept{Snapshot: d.How == "snapshot", Stream: d.How == "stream", By: d.By, Atomic: d.Atomic, Recheck: d.Recheck}
	if slices.Equal(d.By, []string{"stream"}) {
		k.By, k.Stream = nil, true
	}
	if d.Within > 0 {
		k.Within = spec.FormatDuration(duration(d.Within))
	}
	return k
}

func (r *modelReader) plan(name string, d *planDoc) plan.Plan {
	p := plan.Plan{
		Name: name, Gaps: d.Gaps == "allowed",
		Steps: byName(d.Steps, func(e *entry[stepDoc]) plan.Step { return r.step(&e.Value) }),
	}
	if a := d.Answer; a != nil {
		p.Answer = plan.Answer{From: a.From, Page: a.Page, OrderOf: a.OrderOf, Missing: a.Missing, Keep: a.Keep.text(), Cursor: a.Cursor}
		for _, o := range a.Order {
			text := o.Path.String()
			if o.Descending {
				text += " descending"
			}
			p.Answer.Order = append(p.Answer.Order, text)
		}
	}
	if q := d.Promise; q != nil {
		p.Promise = plan.Promise{
			Items: q.Items.float(), Bytes: q.Bytes.float(),
			Read:  byName(q.Read, func(e *entry[numberText]) float64 { return e.Value.float() }),
			Write: byName(q.Write, func(e *entry[numberText]) float64 { return e.Value.float() }),
		}
		if q.Rate != nil && q.Rate.Average != nil && q.Rate.Peak != nil {
			p.Promise.AverageRate, p.Promise.PeakRate = float64(*q.Rate.Average), float64(*q.Rate.Peak)
		}
	}
	return p
}

func (r *modelReader) step(d *stepDoc) plan.Step {
	s := plan.Step{
		Get: d.Get, BatchGet: d.BatchGet, Query: d.Query, Scan: d.Scan,
		Put: d.Put, Update: d.Update, Delete: d.Delete, Check: d.Check,
		Transact: r.steps(d.Transact), TransactGet: r.steps(d.TransactGet), BatchWrite: r.steps(d.BatchWrite),
		Raw: byName(d.Raw, valueOf[string]),

		Items: d.Items, Order: d.Order, Evaluate: d.Evaluate, Consistent: d.Consistent, Filter: d.Filter.text(),
		Project: d.Project, Scatter: d.Scatter,
		Where: byName(d.Where, func(e *entry[rangeDoc]) plan.Range {
			v := &e.Value
			out := plan.Range{Is: v.Is.text(), From: v.From.text(), To: v.To.text(), After: v.After.text(), Before: v.Before.text(), Prefix: v.Prefix.text(), Absent: v.Absent}
			for _, b := range v.Between {
				out.Between = append(out.Between, b.text())
			}
			return out
		}),

		Key: r.values(d.Key, d.Each != nil), With: r.values(d.With, false), Set: r.values(d.Set, false), Add: r.values(d.Add, false),
		Each: d.Each.text(), Value: d.Value.text(), Token: d.Token.text(),
		Else: string(d.Else), Still: d.Still.text(), Stamp: d.Stamp, Return: d.Return, Needs: d.Needs, After: d.After,
	}
	for _, p := range d.Remove {
		s.Remove = append(s.Remove, spec.Path(p).String())
	}
	for _, c := range d.If {
		s.If = append(s.If, c.text())
	}
	return s
}

func (r *modelReader) steps(ds []stepDoc) []plan.Step {
	var out []plan.Step
	for i := range ds {
		out = append(out, r.step(&ds[i]))
	}
	return out
}

// values are paths and values. Beside `each` the short form of a key means attributes of the element.
func (r *modelReader) values(m pathMap[valueText], each bool) map[string]string {
	return byName(m, func(e *entry[valueText]) string {
		if e.Short && each {
			names := strings.Split(e.Key, ".")
			return "$each." + names[len(names)-1]
		}
		return e.Value.text()
	})
}

func (t valueText) text() string {
	if t.Op == "" && !t.Now && t.Literal.IsZero() && len(t.Reference) == 0 && len(t.Path) == 0 {
		return ""
	}
	return t.String()
}

func (t referenceText) text() string {
	if len(t) == 0 {
		return ""
	}
	return spec.Reference(t).String()
}
