package prove

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
	"github.com/tablewright/tablewright/wire"
)

// refusedEach is how many refused calls of a pattern are made for each code.
const refusedEach = 3

// refusals makes calls of every write pattern that must be refused, for each of its codes if one can be found and for each of
// its conditions where all others hold, and looks at all items of the tables that its plan names before and after, past plans and entities: a refused write must leave
// everything as it was.
func (s *session) refusals() error {
	s.pass(s.o.Lag)
	before := dump{}
	for i, p := range s.asked {
		if !p.Writes() || s.failed(p) {
			continue
		}
		s.o.progress(Progress{"refusals", p.Name, i, len(s.asked)})
		tables := s.tablesOf(p)
		if err := s.dump(before, tables, before); err != nil {
			return err
		}
		by := map[string]int{}
		var last attr.Item
		try := func(intent Intent, args attr.Item, wanted func(codes []string) bool) error {
			w := s.oracle.Check(p, args)
			if s.failed(p) || w.Partial || len(w.Codes) == 0 || !wanted(w.Codes) {
				return nil
			}
			if done, completed := s.write(p, intent, args, nil); done {
				s.enterCreated(p, completed) // what collided was made up by the client after all
				was := before
				before = dump{}
				return s.dump(before, tables, was)
			}
			last = args
			for _, c := range w.Codes {
				by[c]++
			}
			return nil
		}
		for _, intent := range []Intent{Again, Absent, Contrary} {
			for range 10 {
				if err := try(intent, s.call.write(p, intent, -1, nil), func(codes []string) bool {
					return slices.ContainsFunc(codes, func(c string) bool { return by[c] < refusedEach })
				}); err != nil {
					return err
				}
			}
		}
		for _, x := range s.call.breaches(p) { // each for itself: what is refused for several things at once hides which is looked at
			if args, ok := s.call.spoilt(p, x); ok {
				if err := try(Contrary, args, func([]string) bool { return true }); err != nil {
					return err
				}
			}
		}
		if last.Len() == 0 {
			continue
		}
		after := dump{}
		if err := s.dump(after, tables, before); err != nil {
			return err
		}
		if was, is, differs := before.differ(after); differs && !s.failed(p) {
			s.fail(p, "refused", last, &mismatch{"a refused write has changed what is stored", was, is}, nil)
		}
		maps.Copy(before, after)
	}
	return nil
}

// tablesOf are the tables that the plan of a pattern names.
func (s *session) tablesOf(p *spec.Pattern) []*plan.Schema {
	in := map[*plan.Schema]bool{}
	var walk func([]*plan.Stage)
	walk = func(stages []*plan.Stage) {
		for _, x := range stages {
			if x.Kind != nil {
				in[x.Kind.Table] = true
			}
			walk(x.Actions)
		}
	}
	walk(s.compiled.Procedure(p.Name).Stages)
	return slices.DeleteFunc(slices.Clone(s.compiled.Tables), func(t *plan.Schema) bool { return !in[t] })
}

// dump is what tables hold, as scans answer it.
type dump map[*plan.Schema][]json.RawMessage

// dump scans those of some tables that it does not hold yet. What is as another dump has it is kept once.
func (s *session) dump(d dump, tables []*plan.Schema, like dump) error {
	for _, t := range tables {
		if d[t] != nil {
			continue
		}
		all := []json.RawMessage{}
		var start []byte
		for {
			body := []byte(`{"TableName":` + strconv.Quote(s.o.Prefix+t.Name) + `,"ConsistentRead":true`)
			if start != nil {
				body = append(append(body, `,"ExclusiveStartKey":`...), start...)
			}
			call := &tablewright.Call{Operation: "Scan", Table: t.Name, Request: append(body, '}')}
			if err := s.sampler.next.Do(s.ctx, call); err != nil {
				return fmt.Errorf("read all of %s: %w", t.Name, err)
			}
			page, err := wire.DecodeReadOutput(call.Response)
			if err != nil {
				return err
			}
			for raw := range page.Items.All() {
				if n := len(all); n < len(like[t]) && bytes.Equal(like[t][n], raw) {
					all = append(all, like[t][n])
				} else {
					all = append(all, json.RawMessage(slices.Clone(raw)))
				}
			}
			if start = slices.Clone(page.LastKey); start == nil {
				break
			}
		}
		d[t] = all
	}
	return nil
}

// differ finds an item in which two dumps differ: as it was and as it is. Numbers that count on are left out: a refused
// call may skip some.
func (d dump) differ(after dump) (was, is any, differs bool) {
	for t := range after {
		if slices.EqualFunc(d[t], after[t], func(a, b json.RawMessage) bool { return bytes.Equal(a, b) }) {
			continue
		}
		a, b := byKey(t, d[t]), byKey(t, after[t])
		keys := slices.Collect(maps.Keys(a))
		for key := range b {
			if _, ok := a[key]; !ok {
				keys = append(keys, key)
			}
		}
		slices.Sort(keys)
		for _, key := range keys {
			x, y := a[key], b[key]
			there := x
			if there.Len() == 0 {
				there = y
			}
			if k := t.KindOf(there); k != nil && k.Role == plan.SequenceItem {
				continue
			}
			if !attr.EqualItems(x, y) { // they may be written in another order
				return orNothing(x), orNothing(y), true
			}
		}
	}
	return nil, nil, false
}

func orNothing(it attr.Item) any {
	if it.Len() == 0 {
		return "nothing"
	}
	return it
}

func byKey(t *plan.Schema, all []json.RawMessage) map[string]attr.Item {
	out := map[string]attr.Item{}
	for _, raw := range all {
		it, err := attr.ParseItem(raw)
		if err != nil {
			continue
		}
		var key []byte
		for _, w := range append(slices.Clone(t.Base.Partition), t.Base.Sort...) {
			key = attr.AppendValue(append(key, 0), it.Get(w.Name))
		}
		out[string(key)] = it
	}
	return out
}
