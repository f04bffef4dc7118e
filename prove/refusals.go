package prove

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/wire"
)

// refusedEach is how many refused calls of a pattern are made for each code.
const refusedEach = 3

// refusals makes calls of every write pattern that must be refused, for each of its codes if one can be found, and
// looks at all items of all tables before and after, past plans and entities: a refused write must leave everything as
// it was.
func (s *session) refusals() error {
	s.pass(s.o.Lag)
	before, err := s.dump()
	if err != nil {
		return err
	}
	for i, p := range s.req.Patterns {
		if !p.Writes() || s.failed(p) {
			continue
		}
		s.o.progress(Progress{"refusals", p.Name, i, len(s.req.Patterns)})
		by := map[string]int{}
		var last attr.Item
		for _, intent := range []Intent{Again, Absent, Contrary} {
			for range 10 {
				args := s.call.write(p, intent, -1, nil)
				codes := s.oracle.Check(p, args).Codes
				if s.failed(p) || len(codes) == 0 || !slices.ContainsFunc(codes, func(c string) bool { return by[c] < refusedEach }) {
					continue
				}
				if done, completed := s.write(p, intent, args, nil); done {
					s.enterCreated(p, completed) // what collided was made up by the client after all
					if before, err = s.dump(); err != nil {
						return err
					}
					continue
				}
				last = args
				for _, c := range codes {
					by[c]++
				}
			}
		}
		if last.Len() == 0 {
			continue
		}
		after, err := s.dump()
		if err != nil {
			return err
		}
		if was, is, differs := before.differ(after); differs && !s.failed(p) {
			s.fail(p, "refused", last, &mismatch{"a refused write has changed what is stored", was, is}, nil)
		}
		before = after
	}
	return nil
}

// dump is every item of every table as it lies there, by table and key. Numbers that count on are left out: a refused
// call may skip some.
type dump map[string][]byte

func (s *session) dump() (dump, error) {
	d := dump{}
	for _, t := range s.compiled.Tables {
		var start []byte
		for {
			body := []byte(`{"TableName":` + strconv.Quote(s.o.Prefix+t.Name) + `,"ConsistentRead":true`)
			if start != nil {
				body = append(append(body, `,"ExclusiveStartKey":`...), start...)
			}
			call := &tablewright.Call{Operation: "Scan", Table: t.Name, Request: append(body, '}')}
			if err := s.sampler.next.Do(s.ctx, call); err != nil {
				return nil, fmt.Errorf("read all of %s: %w", t.Name, err)
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
				if k := t.KindOf(it); k != nil && k.Role == plan.SequenceItem {
					continue
				}
				key := []byte(t.Name)
				for _, w := range append(slices.Clone(t.Base.Partition), t.Base.Sort...) {
					key = attr.AppendValue(append(key, 0), it.Get(w.Name))
				}
				d[string(key)] = slices.Clone(raw)
			}
			if start = slices.Clone(page.LastKey); start == nil {
				break
			}
		}
	}
	return d, nil
}

// differ finds an item in which two dumps differ: as it was and as it is.
func (d dump) differ(after dump) (was, is any, differs bool) {
	var keys []string
	for key, raw := range d {
		if other, ok := after[key]; !ok || !bytes.Equal(raw, other) {
			keys = append(keys, key)
		}
	}
	for key := range after {
		if _, ok := d[key]; !ok {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	shown := func(raw []byte) any {
		it, err := attr.ParseItem(raw)
		if raw == nil || err != nil {
			return "nothing"
		}
		return it
	}
	for _, key := range keys {
		a, errA := attr.ParseItem(d[key])
		b, errB := attr.ParseItem(after[key])
		if errA == nil && errB == nil && d[key] != nil && after[key] != nil && attr.EqualItems(a, b) {
			continue // written in another order
		}
		return shown(d[key]), shown(after[key]), true
	}
	return nil, nil, false
}
