package plan_test

import (
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/expr"
	"github.com/tablewright/tablewright/model"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// fake is just enough of DynamoDB to run plans: tables as maps, indexes by looking at every item, pages of a few items.
type fake struct {
	program *plan.Program
	tables  map[string]map[string]attr.Item
	page    int // items per page of a query, so that paging is met
	log     []string
	sent    []*plan.Request
	now     time.Time
	ids     int
}

func newFake(p *plan.Program) *fake {
	return &fake{program: p, tables: map[string]map[string]attr.Item{}, page: 3, now: time.Date(2026, 11, 21, 9, 4, 0, 0, time.UTC)}
}

func (f *fake) Now() time.Time { return f.now }
func (f *fake) ID(kind string) string {
	f.ids++
	return fmt.Sprintf("%s%03d", kind, f.ids)
}
func (f *fake) Random(n int) int { f.ids++; return f.ids % n }

// run calls a pattern and answers one page.
func (f *fake) run(pattern string, args attr.Item, cursor *plan.Cursor) (*plan.Reply, error) {
	p := f.program.Procedure(pattern)
	if p == nil {
		return nil, fmt.Errorf("no plan %s", pattern)
	}
	call, err := p.Begin(args, cursor, f)
	if err != nil {
		return nil, err
	}
	for range 10_000 {
		requests, err := call.Next()
		if err != nil {
			return nil, err
		}
		if len(requests) == 0 {
			return call.Answer()
		}
		for _, r := range requests {
			f.log, f.sent = append(f.log, r.String()), append(f.sent, r)
			result, failures := f.do(r)
			if failures != nil {
				err = call.Refused(r, failures)
			} else {
				err = call.Done(r, result)
			}
			if err != nil {
				return nil, err
			}
		}
	}
	return nil, fmt.Errorf("%s does not end", pattern)
}

// pages calls a pattern over all its pages; between is called before each but the first.
func (f *fake) pages(pattern string, args attr.Item, between func()) (items []attr.Item, aggregates attr.Item, err error) {
	var cursor *plan.Cursor
	for range 10_000 {
		reply, err := f.run(pattern, args, cursor)
		if err != nil {
			return items, aggregates, err
		}
		items = append(items, reply.Items...)
		if cursor = reply.Next; cursor == nil {
			return items, reply.Aggregates, nil
		}
		between()
	}
	return items, aggregates, fmt.Errorf("%s has no last page", pattern)
}

func keyText(t *plan.Schema, it attr.Item) string {
	var key attr.Item
	for _, w := range append(t.Base.Partition, t.Base.Sort...) {
		key.Set(w.Name, it.Get(w.Name))
	}
	return string(attr.AppendItem(nil, key))
}

func (f *fake) table(name string) (*plan.Schema, map[string]attr.Item) {
	if f.tables[name] == nil {
		f.tables[name] = map[string]attr.Item{}
	}
	return f.program.Table(name), f.tables[name]
}

func (f *fake) do(r *plan.Request) (plan.Result, []plan.Failure) {
	switch r.Verb {
	case plan.Query, plan.Scan:
		return f.query(r), nil
	case plan.Get:
		t, items := f.table(r.Table)
		if it, ok := items[keyText(t, r.Key)]; ok {
			return plan.Result{Items: []attr.Item{it}}, nil
		}
		return plan.Result{}, nil
	case plan.BatchGet:
		var out plan.Result
		t, items := f.table(r.Table)
		for _, k := range r.Keys {
			if it, ok := items[keyText(t, k)]; ok {
				out.Items = append(out.Items, it)
			}
		}
		return out, nil
	case plan.TransactGet:
		var out plan.Result
		for _, a := range r.Actions {
			t, items := f.table(a.Table)
			out.Items = append(out.Items, items[keyText(t, a.Key)])
		}
		return out, nil
	}
	actions := r.Actions
	if len(actions) == 0 {
		actions = []*plan.Request{r}
	}
	failures, failed := make([]plan.Failure, len(actions)), false
	for i, a := range actions {
		t, items := f.table(a.Table)
		key := a.Key
		if a.Verb == plan.Put {
			key = a.Item
		}
		old := items[keyText(t, key)]
		if a.Condition != nil && !a.Condition.Eval(old) {
			failures[i], failed = plan.Failure{Failed: true, Old: old}, true
		}
	}
	if failed {
		return plan.Result{}, failures
	}
	var out plan.Result
	for _, a := range actions {
		t, items := f.table(a.Table)
		switch a.Verb {
		case plan.Put:
			items[keyText(t, a.Item)] = a.Item
		case plan.Delete:
			delete(items, keyText(t, a.Key))
		case plan.Update:
			id := keyText(t, a.Key)
			old, ok := items[id]
			if !ok {
				old = a.Key
			}
			after, _, err := a.Update.Apply(old)
			if err != nil {
				panic(err)
			}
			items[id] = after
			if a.ReturnNew {
				out.Items = []attr.Item{after}
			}
		}
	}
	return out, nil
}

func (f *fake) query(r *plan.Request) plan.Result {
	t, items := f.table(r.Table)
	a := t.Access(r.Index)
	schema := expr.KeySchema{}
	kinds := map[plan.Type]attr.Kind{plan.S: attr.KindS, plan.N: attr.KindN, plan.B: attr.KindB}
	for _, w := range a.Partition {
		schema.Hash = append(schema.Hash, expr.KeyAttr{Name: w.Name, Kind: kinds[w.Type]})
	}
	for _, w := range a.Sort {
		schema.Range = append(schema.Range, expr.KeyAttr{Name: w.Name, Kind: kinds[w.Type]})
	}
	keys := append(slices.Clone(a.Sort), append(slices.Clone(t.Base.Partition), t.Base.Sort...)...)
	compare := func(x, y attr.Item) int {
		for _, w := range keys {
			if d := attr.Compare(x.Get(w.Name), y.Get(w.Name)); d != 0 {
				if r.Descending {
					return -d
				}
				return d
			}
		}
		return 0
	}
	var found []attr.Item
	for _, it := range items {
		in := true
		for _, w := range append(slices.Clone(a.Partition), a.Sort...) {
			in = in && it.Has(w.Name)
		}
		if !in {
			continue
		}
		if r.Verb == plan.Query {
			k, err := r.KeyExpr.For(schema)
			if err != nil {
				panic(err.Error() + "\n" + r.String())
			}
			if !k.Match(it) {
				continue
			}
		}
		if r.Start.Len() > 0 && compare(it, r.Start) <= 0 {
			continue
		}
		found = append(found, it)
	}
	slices.SortFunc(found, compare)
	limit := f.page
	if r.Limit > 0 {
		limit = min(limit, r.Limit)
	}
	var out plan.Result
	if len(found) >= limit { // also exactly: the service does not look ahead
		found = found[:limit]
		for _, w := range append(slices.Clone(a.Partition), keys...) {
			out.Last.Set(w.Name, found[limit-1].Get(w.Name))
		}
	}
	for _, it := range found {
		if r.Filter != nil && !r.Filter.Eval(it) {
			continue
		}
		if a.Project != plan.All {
			var entry attr.Item
			for n, v := range it.All() {
				if a.Projects(n) {
					entry.Set(n, v)
				}
			}
			it = entry
		}
		if r.Projection != nil {
			it = r.Projection.Apply(it)
		}
		out.Items = append(out.Items, it)
	}
	return out
}

// --- reading requirements and models ---

func requirements(t testing.TB, file string, text []byte) *spec.Requirements {
	t.Helper()
	var r *spec.Requirements
	var ds model.Diagnostics
	if text == nil {
		var err error
		if r, _, ds, err = model.LoadRequirements(file); err != nil {
			t.Fatal(err)
		}
	} else {
		r, _, ds = model.ReadRequirements(file, text)
	}
	if r == nil {
		for _, d := range ds {
			t.Error(d.Text())
		}
		t.FailNow()
	}
	return r
}

func document(t testing.TB, file string, text []byte) (*plan.Model, *model.Source) {
	t.Helper()
	var m *plan.Model
	var src *model.Source
	var ds model.Diagnostics
	if text == nil {
		var err error
		if m, src, ds, err = model.LoadModel(file); err != nil {
			t.Fatal(err)
		}
	} else {
		m, src, ds = model.ReadModel(file, text)
	}
	if m == nil {
		for _, d := range ds {
			t.Error(d.Text())
		}
		t.FailNow()
	}
	return m, src
}

// value makes a logical value of a short notation: text, number, list, map.
func value(v any) attr.Value {
	switch v := v.(type) {
	case string:
		return attr.Text(v)
	case int:
		return attr.Num(attr.Int(int64(v)))
	case float64:
		return attr.Num(attr.Dec(strconv.FormatFloat(v, 'f', -1, 64)))
	case bool:
		return attr.Bool(v)
	case map[string]any:
		return attr.Map(item(v))
	case []any:
		list := make([]attr.Value, len(v))
		for i, e := range v {
			list[i] = value(e)
		}
		return attr.List(list...)
	}
	panic(fmt.Sprintf("%T", v))
}

func item(m map[string]any) attr.Item {
	var it attr.Item
	for n, v := range m {
		it.Set(n, value(v))
	}
	return it
}
