package plan

import "slices"

// A write of a list that need not be all or nothing may require something for each element: what a step before reads.
// An element for which there is nothing is refused alone, and the others are written.

// byElement reports whether a step before reads what each element of a stage's list requires, so that elements are
// refused one by one.
func (s *Stage) byElement(n *Stage) bool {
	return !s.Procedure.Pattern.Atomic && s.Verb.Writes() && s.all[n] && s.each != nil && n.Verb == BatchGet && slices.Equal(s.Each, n.Each)
}

// lacking tells which elements of a stage's list do not have what they require.
type lacking struct {
	call  *Call
	needs []*Stage
	own   [][]*element      // of each step, in the order of the list
	found []map[string]bool // by each step
}

// lacking prepares the question for a stage.
func (c *Call) lacking(s *Stage) (l *lacking, err error) {
	l = &lacking{call: c}
	for _, n := range s.Needs {
		if !s.byElement(n) {
			continue
		}
		own, err := c.elements(n) // a scope of its own, to which a step adds what it gives
		if err != nil {
			return nil, err
		}
		found := map[string]bool{}
		for _, f := range c.states[n].found {
			found[(&Request{Verb: Put, Table: n.Kind.Table.Name, Kind: f.kind, Item: f.wire}).item()] = true
		}
		l.needs, l.own, l.found = append(l.needs, n), append(l.own, own), append(l.found, found)
	}
	return l, nil
}

// at refuses an element that lacks something. Where a key of it is absent, it asks for nothing.
func (l *lacking) at(i int) error {
	for j, n := range l.needs {
		r, err := l.call.one(n, l.own[j][i])
		if err != nil {
			return err
		}
		if r != nil && !l.found[j][r.item()] {
			return &Refusal{Pattern: l.call.proc.Name, Code: RefusedMissing}
		}
	}
	return nil
}
