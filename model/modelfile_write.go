package model

import (
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// WriteModel writes a model as YAML. The same model always gives the same bytes, and reading them gives the same model,
// but that computed figures of promises are rounded to five digits.
func WriteModel(w io.Writer, m *plan.Model) error {
	_, err := w.Write(AppendModel(nil, m))
	return err
}

// AppendModel appends the model file to dst.
func AppendModel(dst []byte, m *plan.Model) []byte {
	doc := mapOut()
	doc.set("tablewright", scalarOut("1"))
	doc.word("application", m.Application)
	tables := blockOut()
	for i := range m.Tables {
		tables.set(m.Tables[i].Name, tableOut(&m.Tables[i]))
	}
	doc.always("tables", tables)
	plans := blockOut()
	for i := range m.Plans {
		plans.set(m.Plans[i].Name, planOut(&m.Plans[i]))
	}
	doc.always("plans", plans)
	if len(m.Decisions) > 0 {
		list := &out{kind: outList, block: true}
		for i := range m.Decisions {
			list.parts = append(list.parts, decisionOut(&m.Decisions[i]))
		}
		doc.set("decisions", list)
	}
	return appendYAML(dst, doc)
}

// blockOut is a map with a line for each key.
func blockOut() *out { return &out{kind: outMap, block: true} }

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

func tableOut(t *plan.Table) *out {
	o := blockOut()
	attributes := mapOut()
	for _, n := range sorted(t.Attributes) {
		attributes.set(n, scalarOut(string(t.Attributes[n])))
	}
	o.set("attributes", attributes)
	key := mapOut()
	key.word("partition", t.Key.Partition)
	key.word("sort", t.Key.Sort)
	o.set("key", key)
	for _, x := range []struct {
		name    string
		indexes map[string]plan.Index
	}{{"gsi", t.GSI}, {"lsi", t.LSI}} {
		all := blockOut()
		for _, n := range sorted(x.indexes) {
			d := x.indexes[n]
			index := mapOut()
			if x.name == "gsi" {
				index.set("partition", severalOut(d.Partition))
			}
			if len(d.Sort) > 0 {
				index.set("sort", severalOut(d.Sort))
			}
			switch d.Project {
			case plan.Include:
				include := mapOut()
				include.set("include", listOut(d.Include...))
				index.set("project", include)
			case "":
				index.set("project", scalarOut(plan.All))
			default:
				index.set("project", scalarOut(d.Project))
			}
			setUnits(index, "warm", d.Warm)
			all.set(n, index)
		}
		o.set(x.name, all)
	}
	o.word("ttl", t.TTL)
	o.word("stream", t.Stream)
	o.word("class", t.Class)
	setUnits(o, "billing", t.Billing)
	setUnits(o, "warm", t.Warm)
	items := blockOut()
	for _, n := range sorted(t.Items) {
		it := t.Items[n]
		items.set(n, itemOut(&it))
	}
	o.set("items", items)
	return o
}

// setUnits writes units per second, if there are any.
func setUnits(o *out, name string, b plan.Billing) {
	if b == (plan.Billing{}) {
		return
	}
	units := mapOut()
	units.set("read", numberOut(b.Read))
	units.set("write", numberOut(b.Write))
	o.set(name, units)
}

func numberOut(v float64) *out { return scalarOut(spec.FormatNumber(v)) }

// figureOut is a computed figure, to five digits.
func figureOut(v float64) *out {
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 5, 64), 64)
	if err != nil || math.Abs(v) >= 1e5 {
		r = math.Round(v)
	}
	return numberOut(r)
}

func itemOut(it *plan.Item) *out {
	o := blockOut()
	h := it.Holds
	switch {
	case h == (plan.Holds{Entity: it.Name}): // its name says so
	case h.Entity != "":
		o.word("holds", h.Entity)
	default:
		holds := mapOut()
		holds.word("unique", h.Unique)
		holds.word("while", h.While)
		holds.word("sequence", h.Sequence)
		holds.word("aggregate", h.Aggregate)
		holds.word("copy-of", h.CopyOf)
		o.set("holds", holds)
	}
	key := mapOut()
	for _, n := range sorted(it.Key) {
		key.set(n, scalarOut(it.Key[n]))
	}
	o.set("key", key)
	set := mapOut()
	for _, n := range sorted(it.Set) {
		d := it.Set[n]
		if d.When == "" && d.Else == "" {
			set.set(n, scalarOut(d.Value))
			continue
		}
		t := mapOut()
		t.set("value", scalarOut(d.Value))
		if d.When != "" {
			t.set("when", scalarOut(d.When))
		}
		if d.Else != "" {
			t.set("else", scalarOut(d.Else))
		}
		set.set(n, t)
	}
	o.set("set", set)
	if it.Stores != nil {
		o.set("stores", listOut(it.Stores...))
	}
	copies := mapOut()
	for _, n := range sorted(it.Copies) {
		d := it.Copies[n]
		kept := keptOut(d.Kept)
		if kept == nil {
			copies.set(n, scalarOut(d.From))
			continue
		}
		c := mapOut()
		c.set("from", scalarOut(d.From))
		c.set("kept", kept)
		copies.set(n, c)
	}
	o.set("copies", copies)
	embed := mapOut()
	for _, n := range sorted(it.Embed) {
		d := it.Embed[n]
		e := mapOut()
		e.word("attribute", d.Attribute)
		e.word("as", d.As)
		e.word("by", d.By)
		embed.set(n, e)
	}
	o.set("embed", embed)
	o.word("pack", it.Pack)
	if s := it.Shard; s != nil {
		shard := mapOut()
		shard.set("of", scalarOut(strconv.Itoa(s.Of)))
		shard.set("by", scalarOut(s.By))
		o.set("shard", shard)
	}
	o.word("stamp", it.Stamp)
	if it.Kept != nil {
		if k := keptOut(*it.Kept); k != nil {
			o.set("kept", k)
		}
	}
	promise := mapOut()
	if p := it.Promise; p != (plan.ItemPromise{}) {
		promise.set("count", numberOut(math.Round(p.Count)))
		if p.BytesMost == p.Bytes || p.BytesMost == 0 {
			promise.set("bytes", figureOut(p.Bytes))
		} else {
			bytes := mapOut()
			bytes.set("average", figureOut(p.Bytes))
			bytes.set("max", numberOut(math.Round(p.BytesMost)))
			promise.set("bytes", bytes)
		}
	}
	o.set("promise", promise)
	if len(o.keys) == 0 {
		o.set("holds", scalarOut(it.Name))
	}
	o.block = len(o.keys) > 1
	return o
}

// keptOut is nil for what never changes.
func keptOut(k plan.Kept) *out {
	plain := !k.Atomic && k.Within == ""
	switch {
	case k.Snapshot && plain:
		return scalarOut("snapshot")
	case k.Stream && plain:
		return scalarOut("stream")
	case !k.Stream && len(k.By) == 0 && plain:
		return nil
	}
	o := mapOut()
	switch {
	case k.Snapshot:
		o.set("how", scalarOut("snapshot"))
	case k.Stream:
		o.set("by", scalarOut("stream"))
	case len(k.By) > 0:
		o.set("by", listOut(k.By...))
	}
	if k.Atomic {
		o.set("atomic", scalarOut("true"))
	}
	o.word("within", k.Within)
	if k.Recheck {
		o.set("recheck", scalarOut("true"))
	}
	return o
}

func planOut(p *plan.Plan) *out {
	o := blockOut()
	steps := mapOut()
	for _, n := range p.StepNames() {
		s := p.Steps[n]
		steps.set(n, stepOut(&s))
	}
	o.set("steps", steps)
	a := &p.Answer
	answer := mapOut()
	if len(a.From) > 0 {
		answer.set("from", severalOut(a.From))
	}
	if a.Page > 0 {
		answer.set("page", numberOut(float64(a.Page)))
	}
	if len(a.Order) > 0 {
		answer.set("order", severalOut(a.Order))
	}
	answer.word("order-of", a.OrderOf)
	answer.word("missing", a.Missing)
	answer.word("keep", a.Keep)
	answer.word("cursor", a.Cursor)
	o.set("answer", answer)
	o.set("promise", promiseOut(&p.Promise))
	if p.Gaps {
		o.set("gaps", scalarOut("allowed"))
	}
	return o
}

func promiseOut(p *plan.Promise) *out {
	o := mapOut()
	if p.AverageRate != 0 || p.PeakRate != 0 {
		rate := mapOut()
		rate.set("average", scalarOut(spec.FormatRate(p.AverageRate)))
		rate.set("peak", scalarOut(spec.FormatRate(p.PeakRate)))
		o.set("rate", rate)
	}
	if p.Items != 0 || p.Bytes != 0 {
		o.set("items", figureOut(p.Items))
		o.set("bytes", figureOut(p.Bytes))
	}
	for _, x := range []struct {
		key   string
		units map[string]float64
	}{{"read", p.Read}, {"write", p.Write}} {
		units := mapOut()
		for _, n := range sorted(x.units) {
			units.set(n, figureOut(x.units[n]))
		}
		o.set(x.key, units)
	}
	return o
}

func stepOut(s *plan.Step) *out {
	o := mapOut()
	for _, v := range []struct{ key, name string }{
		{"get", s.Get}, {"batch-get", s.BatchGet}, {"query", s.Query}, {"scan", s.Scan},
		{"put", s.Put}, {"update", s.Update}, {"delete", s.Delete}, {"check", s.Check},
	} {
		o.word(v.key, v.name)
	}
	for _, v := range []struct {
		key   string
		steps []plan.Step
	}{{"transact", s.Transact}, {"transact-get", s.TransactGet}, {"batch-write", s.BatchWrite}} {
		if v.steps == nil {
			continue
		}
		list := &out{kind: outList}
		for i := range v.steps {
			list.parts = append(list.parts, stepOut(&v.steps[i]))
		}
		o.set(v.key, list)
	}
	raw := mapOut()
	for _, n := range sorted(s.Raw) {
		raw.set(n, scalarOut(s.Raw[n]))
	}
	o.set("raw", raw)
	if len(s.Items) > 0 {
		o.set("items", listOut(s.Items...))
	}
	o.word("each", s.Each)
	o.word("value", s.Value)
	o.set("key", valuesOut(s.Key, s.Each != ""))
	o.set("where", whereOut(s.Where))
	if s.Order == "descending" {
		o.word("order", s.Order)
	}
	if s.Evaluate > 0 {
		o.set("evaluate", numberOut(float64(s.Evaluate)))
	}
	if s.Consistent {
		o.set("consistent", scalarOut("true"))
	}
	o.word("filter", s.Filter)
	if len(s.Project) > 0 {
		o.set("project", listOut(s.Project...))
	}
	o.word("scatter", s.Scatter)
	o.set("with", valuesOut(s.With, false))
	o.set("set", valuesOut(s.Set, false))
	o.set("add", valuesOut(s.Add, false))
	if len(s.Remove) > 0 {
		o.set("remove", listOut(s.Remove...))
	}
	if len(s.If) > 0 {
		o.set("if", severalOut(s.If))
	}
	o.word("else", s.Else)
	o.word("still", s.Still)
	if s.Stamp {
		o.set("stamp", scalarOut("true"))
	}
	o.word("return", s.Return)
	o.word("token", s.Token)
	if len(s.Needs) > 0 {
		o.set("needs", listOut(s.Needs...))
	}
	if len(s.After) > 0 {
		o.set("after", listOut(s.After...))
	}
	return o
}

// valuesOut is a map of paths and values, or the list of paths if every value has the name of its path.
func valuesOut(m map[string]string, each bool) *out {
	before := "$"
	if each {
		before = "$each."
	}
	return pathsOut(m, func(path string) *out { return scalarOut(m[path]) }, func(path string) bool {
		return m[path] == before+path[strings.LastIndexByte(path, '.')+1:]
	})
}

func whereOut(m map[string]plan.Range) *out {
	return pathsOut(m, func(path string) *out { return rangeOut(m[path]) }, func(path string) bool {
		return m[path].Is == "$"+path[strings.LastIndexByte(path, '.')+1:]
	})
}

func pathsOut[V any](m map[string]V, value func(string) *out, short func(string) bool) *out {
	names := sorted(m)
	if len(names) == 0 {
		return nil
	}
	if !slices.ContainsFunc(names, func(n string) bool { return !short(n) }) {
		return listOut(names...)
	}
	o := mapOut()
	for _, n := range names {
		o.set(n, value(n))
	}
	return o
}

func rangeOut(r plan.Range) *out {
	if r.Is != "" {
		return scalarOut(r.Is)
	}
	o := mapOut()
	if len(r.Between) > 0 {
		o.set("between", listOut(r.Between...))
	}
	o.word("from", r.From)
	o.word("to", r.To)
	o.word("after", r.After)
	o.word("before", r.Before)
	o.word("prefix", r.Prefix)
	if r.Absent {
		o.set("absent", scalarOut("true"))
	}
	return o
}

func decisionOut(d *plan.Decision) *out {
	o := blockOut()
	prose := func(o *out, key, text string) {
		if text != "" {
			o.set(key, &out{kind: outProse, text: text})
		}
	}
	o.word("about", d.About)
	o.word("rule", d.Rule)
	prose(o, "because", d.Because)
	inputs := mapOut()
	for _, i := range d.Inputs {
		inputs.set(i.Name, scalarOut(i.Value))
	}
	o.set("inputs", inputs)
	o.money("cost", d.Cost)
	if len(d.Rejected) > 0 {
		list := &out{kind: outList, block: true}
		for _, r := range d.Rejected {
			x := mapOut()
			prose(x, "what", r.What)
			x.money("cost", r.Cost)
			prose(x, "because", r.Because)
			list.parts = append(list.parts, x)
		}
		o.set("rejected", list)
	}
	return o
}

// money is dollars to the cent; what is less is left out, for it would be read back as nothing.
func (o *out) money(name string, v float64) {
	if cents := math.Round(v * 100); cents != 0 {
		o.set(name, scalarOut(spec.FormatNumber(cents/100)))
	}
}
