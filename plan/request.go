package plan

import (
	"errors"
	"fmt"
	"slices"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/expr"
	"github.com/tablewright/tablewright/keys"
	"github.com/tablewright/tablewright/spec"
)

// Request is one operation of DynamoDB, ready to be written in its wire form.
type Request struct {
	Stage      *Stage
	Verb       Verb
	Table      string
	Index      string      // of query and scan
	Kind       *Kind       // of the verbs on one item
	Key        attr.Item   // wire key of get, update, delete and check
	Keys       []attr.Item // of batch-get: each once, any number
	Item       attr.Item   // of put: the whole wire item
	KeyExpr    *expr.KeyExpression
	Filter     *expr.Condition
	Condition  *expr.Condition
	Update     *expr.Update
	Projection *expr.Projection
	Descending bool
	Consistent bool
	Limit      int        // 0: none
	Start      attr.Item  // ExclusiveStartKey; empty: from the beginning
	ReturnNew  bool       // of update: ReturnValues ALL_NEW
	ReturnOld  bool       // of put, update and delete: ReturnValues ALL_OLD
	Actions    []*Request // of transact, transact-get (at most 100) and batch-write (any number), unrolled
	Token      string     // of transact: the caller's idempotency token; ""

	tests   []test
	part    *part
	scope   *scope // of what is written
	linear  *linear
	changes []expr.Change // of update
	entries []entry       // of an update of an item that holds several entities: what it writes
	merged  []*Request    // of such an update that writes several, each only if it is not there: what each would be alone
	within  []expr.Change // those of children inside the item, where others are joined with them
	inside  bool          // it changes children inside the item, and nothing else
	places  []string      // where they lie
	stamp   expr.Change   // of an update that makes the item's stamp anew
	stamped bool
	limits  []interval // of query: what each kind may have in limited
	wire    string     // the attribute of limits
}

// bind makes the requests of a stage.
func (c *Call) bind(s *Stage) ([]*Request, error) {
	switch s.Verb {
	case Transact, TransactGet, BatchWrite:
		if s.each != nil {
			return c.apart(s)
		}
		r := &Request{Stage: s, Verb: s.Verb, Table: ""}
		for _, a := range s.Actions {
			list, err := c.each(a)
			if err != nil {
				return nil, err
			}
			r.Actions = append(r.Actions, list...)
		}
		if s.token != nil {
			r.Token = spec.Env{Values: c.values}.Lookup(s.token).Str()
		}
		if len(r.Actions) == 0 {
			return nil, nil
		}
		if err := c.once(r); err != nil {
			return nil, err
		}
		if s.alone() && len(r.Actions) == 1 && r.Actions[0].Verb == Update {
			return r.Actions, nil
		}
		return []*Request{r}, nil
	case BatchGet:
		return c.batch(s)
	case Query, Scan:
		return c.queries(s)
	}
	return c.each(s)
}

// apart makes a transaction for each element, of what is done for that.
func (c *Call) apart(s *Stage) ([]*Request, error) {
	elements, err := c.elements(s)
	if err != nil {
		return nil, err
	}
	lacks, err := c.lacking(s)
	if err != nil {
		return nil, err
	}
	out := make([]*Request, 0, len(elements))
	for i := range elements {
		r := &Request{Stage: s, Verb: s.Verb}
		if err := lacks.at(i); c.refusedAlone(s, err, len(out)) {
			continue
		} else if err != nil {
			return nil, err
		}
		for _, a := range s.Actions {
			own, err := c.elements(a) // a scope of its own, to which a step adds what it gives
			if err != nil {
				return nil, err
			}
			one, err := c.one(a, own[i])
			if c.refusedAlone(s, err, len(out)) {
				r.Actions = nil
				break
			}
			if err != nil {
				return nil, fmt.Errorf("step %s: %w", a.label(), err)
			}
			if one != nil {
				r.Actions = append(r.Actions, one)
			}
		}
		if len(r.Actions) == 0 {
			continue
		}
		if err := c.once(r); err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, nil
}

// each makes one request of a stage about one item for each element.
func (c *Call) each(s *Stage) ([]*Request, error) {
	elements, err := c.elements(s)
	if err != nil {
		return nil, err
	}
	lacks, err := c.lacking(s)
	if err != nil {
		return nil, err
	}
	out := make([]*Request, 0, len(elements))
	for i, e := range elements {
		err := lacks.at(i)
		var r *Request
		if err == nil {
			r, err = c.one(s, e)
		}
		if c.refusedAlone(s, err, len(out)) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("step %s: %w", s.label(), err)
		}
		if r != nil {
			out = append(out, r)
		}
	}
	if s.Kind.Pack != nil {
		out = together(out, c.proc.Pattern.Atomic)
	}
	return out, nil
}

// refusedAlone notes that an element of a list is refused before anything is sent, where the others are done all the
// same. at is how many requests come before.
func (c *Call) refusedAlone(s *Stage, err error, at int) bool {
	var refusal *Refusal
	st := c.states[s]
	if st == nil || s.each == nil || c.proc.Pattern.Atomic || !errors.As(err, &refusal) {
		return false
	}
	if st.refusal == nil {
		st.refusal, st.refused = refusal, at
	}
	return true
}

// one makes the request about one item; nil if there is nothing to do.
func (c *Call) one(s *Stage, e *element) (*Request, error) {
	env, err := c.env(s, e)
	if err != nil {
		return nil, err
	}
	r := &Request{Stage: s, Verb: s.Verb, Table: s.Kind.Table.Name, Kind: s.Kind, Consistent: s.Consistent, Projection: s.projection}
	var sc *scope
	if s.Verb == Put {
		if sc, err = c.valueScope(s, e); err != nil || sc == nil {
			return nil, err
		}
		if err = c.assign(sc, s.with, env); err != nil {
			return nil, err
		}
		if err = c.bump(s, sc, env); err != nil {
			return nil, err
		}
		c.given(s, sc)
	} else if sc, err = c.keyScope(s, env); err != nil {
		return nil, err
	}
	r.scope = sc
	item := s.itemScope(sc)
	shard := s.Kind.shardOf(item, c.source.Random)
	if s.Verb != Put || s.Embed != nil || s.Kind.Pack != nil {
		if (s.reads() || (s.Verb == Delete || s.Verb == Update) && s.Kind.Role == UniqueItem) && !s.Kind.complete(item) {
			return nil, nil // the key leads nowhere; what was absent has no marker
		}
		if none, err := c.keyless(s, item); none {
			return nil, err
		}
		if (s.Verb == Delete || s.Verb == Update && s.Kind.Role == UniqueItem) && s.eachFound() != nil && !s.Kind.claimed(e.scope) {
			return nil, nil // what was not unique then has no marker
		}
		if r.Key, err = s.Kind.key(item, shard); err != nil {
			if s.reads() {
				err = unlessOutside(err)
			}
			return nil, err
		}
	}
	if s.Verb == Put && s.Kind.Role == UniqueItem && !(s.Kind.complete(sc) && s.Kind.claimed(sc)) {
		return nil, nil // what is absent, or not unique for what it is, needs no marker
	}
	x := &translator{kind: s.Kind, embed: s.Embed, entity: s.entity(), env: env}
	if s.Embed != nil {
		x.place = s.Embed.place(sc)
		r.inside, r.places = true, []string{x.place.String()}
		r.tests = append(r.tests, test{cond: x.exists(), code: RefusedMissing})
	}
	if s.Kind.Pack != nil {
		if x.place, err = s.Kind.Pack.place(sc); err != nil {
			return nil, fmt.Errorf("%s: %w", s.Kind.Name, err)
		}
		x.packed = true
	}
	if s.Verb != Get { // what a get finds is tested when a write needs it
		if err := c.guards(s, x, r); err != nil {
			return nil, err
		}
	}
	if s.still != nil && s.Verb != Put {
		if err := c.unchanged(s, x, r, r.Key); err != nil {
			return nil, err
		}
	}
	switch {
	case s.Kind.Pack != nil:
		err = s.Kind.Pack.one(c, s, x, r, env)
	case s.Embed != nil:
		err = c.child(s, x, r, env, shard)
	case s.Verb == Put:
		r.Item, err = s.Kind.item(sc, shard, env)
		if err == nil && s.Kind.Stamp != "" {
			r.Item.Set(s.Kind.Stamp, c.stamp())
		}
		if err == nil && s.still != nil {
			err = c.unchanged(s, x, r, r.Item)
		}
		r.ReturnOld = s.Document.Return == "old"
	case s.Verb == Update:
		err = c.update(s, x, r, env, shard)
		if err == nil && r.Update == nil && len(r.tests) == 0 && s.Kind.Role != EntityItem {
			return nil, nil // all that it would have followed is left out of this call
		}
	case s.Verb == Delete:
		r.ReturnOld = s.Document.Return == "old"
	}
	return r, err
}

// LeadsOn reports whether a stage is about what a foreign key leads to and no action of its pattern names by that key:
// it asks whether that is there, or counts at it. Where the key is absent there is nothing to ask.
func (s *Stage) LeadsOn() bool {
	return (s.Verb == Check || s.Verb == Update) && s.Kind.Role == EntityItem && s.Embed == nil &&
		!slices.ContainsFunc(s.Procedure.Pattern.Actions, func(a *spec.Action) bool { return len(a.Key) > 0 && s.about(a) })
}

// keyless is what becomes of a write of an item whose key has an absent part, such as a foreign key that may be absent:
// there is no such item. A delete that may find nothing has nothing to do, nor has a sequence where no child comes with
// its parent; everything else is refused.
func (c *Call) keyless(s *Stage, item *scope) (bool, error) {
	if s.Kind.complete(item) {
		return false, nil
	}
	if s.LeadsOn() || s.Verb == Delete && !s.demandsPresent() || s.Kind.Role == SequenceItem {
		return true, nil
	}
	if c.proc.refuses(RefusedMissing) {
		return true, &Refusal{Pattern: c.proc.Name, Code: RefusedMissing}
	}
	return false, nil
}

// batch makes the one request of a batch-get, each key once.
func (c *Call) batch(s *Stage) ([]*Request, error) {
	elements, err := c.elements(s)
	if err != nil {
		return nil, err
	}
	r := &Request{Stage: s, Verb: BatchGet, Table: s.Kind.Table.Name, Kind: s.Kind, Consistent: s.Consistent, Projection: s.projection}
	seen := map[string]bool{}
	for _, e := range elements {
		env, err := c.env(s, e)
		if err != nil {
			return nil, err
		}
		sc, err := c.keyScope(s, env)
		if err != nil {
			return nil, err
		}
		if !s.Kind.complete(sc) {
			continue
		}
		first, last := 0, max(s.Scatter, 1)
		if s.Scatter == 0 {
			first = s.Kind.shardOf(sc, c.source.Random)
			last = first + 1
		}
		for shard := first; shard < last; shard++ {
			key, err := s.Kind.key(sc, shard)
			if errors.Is(err, keys.ErrOutside) {
				continue // nothing lies there
			}
			if err != nil {
				return nil, fmt.Errorf("step %s: %w", s.label(), err)
			}
			if id := string(attr.AppendItem(nil, key)); !seen[id] {
				seen[id] = true
				r.Keys = append(r.Keys, key)
			}
		}
	}
	if len(r.Keys) == 0 {
		return nil, nil
	}
	return []*Request{r}, nil
}
