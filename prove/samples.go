package prove

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/wire"
)

// Sample is an item as it lay in a table during a proof, or an entry as it lay in an index.
type Sample struct {
	Kind string    // the item of the model that it is
	Item attr.Item // its wire attributes
}

const (
	samplesMost  = 10 // of one table or index
	samplesLeast = 5
	samplesRead  = 4_000 // items looked at in one table or index before some are chosen
)

// sampler is a hook that keeps the way to the service: samples are read as they lie, past plans and entities.
type sampler struct{ next tablewright.Transport }

func (s *sampler) hook(next tablewright.Transport) tablewright.Transport {
	s.next = next
	return next
}

// samples reads items of every table and index. They say what a model looks like filled; no verdict rests on them.
func (s *session) samples() error {
	s.evidence.Samples = map[string][]Sample{}
	for _, t := range s.compiled.Tables {
		for _, a := range append([]*plan.Access{t.Base}, t.Indexes...) {
			all, err := s.scan(a)
			if err != nil {
				return fmt.Errorf("read samples of %s: %w", a.Name(), err)
			}
			s.evidence.Samples[a.Name()] = choose(a, all)
		}
	}
	return nil
}

// scan reads the first items of a table or index.
func (s *session) scan(a *plan.Access) ([]Sample, error) {
	var all []Sample
	var start []byte
	for len(all) < samplesRead {
		body := []byte(`{"TableName":` + strconv.Quote(s.o.Prefix+a.Table.Name))
		if a.Index != "" {
			body = append(body, `,"IndexName":`+strconv.Quote(a.Index)...)
		}
		if start != nil {
			body = append(append(body, `,"ExclusiveStartKey":`...), start...)
		}
		call := &tablewright.Call{Operation: "Scan", Table: a.Table.Name, Index: a.Index, Request: append(body, '}')}
		if err := s.sampler.next.Do(s.ctx, call); err != nil {
			return nil, err
		}
		page, err := wire.DecodeReadOutput(call.Response)
		if err != nil {
			return nil, err
		}
		for raw := range page.Items.All() {
			it, err := attr.ParseItem(raw)
			if err != nil {
				return nil, err
			}
			if k := a.Table.KindOf(it); k != nil {
				all = append(all, Sample{k.Name, it})
			}
		}
		if start = slices.Clone(page.LastKey); start == nil {
			break
		}
	}
	return all, nil
}

// choose picks samples that show how items lie together: whole collections with many kinds first, then what is
// missing. A kind that is there at all is among them as long as there is room.
func choose(a *plan.Access, all []Sample) []Sample {
	collections := map[string][]Sample{}
	var order []string
	for _, x := range all {
		var key []byte
		for _, w := range a.Partition {
			key = attr.AppendValue(key, x.Item.Get(w.Name))
		}
		if collections[string(key)] == nil {
			order = append(order, string(key))
		}
		collections[string(key)] = append(collections[string(key)], x)
	}
	kinds := map[string]bool{}
	for _, x := range all {
		kinds[x.Kind] = true
	}
	each := min(max(samplesMost/max(len(kinds), 1), 1), 3) // of one kind in one collection
	shown := map[string]bool{}
	var out []Sample
	take := func(key string, each int) {
		n := map[string]int{}
		for _, x := range collections[key] {
			if n[x.Kind] < each && len(out) < samplesMost {
				out = append(out, x)
				n[x.Kind]++
				shown[x.Kind] = true
			}
		}
	}
	fresh := func(key string) int {
		n := map[string]bool{}
		for _, x := range collections[key] {
			if !shown[x.Kind] {
				n[x.Kind] = true
			}
		}
		return len(n)
	}
	// A collection of a handful of items shows most; larger and smaller ones say less.
	distance := func(key string) int {
		n := len(collections[key]) - 3
		return max(n, -n)
	}
	for len(shown) < len(kinds) && len(out) < samplesMost {
		take(slices.MinFunc(order, func(x, y string) int {
			return cmp.Or(cmp.Compare(fresh(y), fresh(x)), cmp.Compare(distance(x), distance(y)))
		}), each)
	}
	slices.SortStableFunc(order, func(x, y string) int { return cmp.Compare(distance(x), distance(y)) })
	for _, key := range order {
		if len(out) >= samplesLeast {
			break
		}
		if !slices.ContainsFunc(out, func(x Sample) bool {
			return slices.ContainsFunc(collections[key], func(y Sample) bool { return same(x, y) })
		}) {
			take(key, each)
		}
	}
	return out
}

func same(x, y Sample) bool {
	return string(attr.AppendItem(nil, x.Item)) == string(attr.AppendItem(nil, y.Item))
}
