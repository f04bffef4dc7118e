package plan

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/spec"
)

// MaxTransaction is the number of actions a transaction takes
// (docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html).
const MaxTransaction = 100

// Source gives a call what is not in its arguments, so that tests can be exact.
type Source interface {
	Now() time.Time
	ID(kind string) string // ulid, uuid or ksuid
	Random(n int) int      // 0 ≤ … < n
}

// Call is one call of a procedure: a machine that says which requests to send next and is told their results. It is for
// one goroutine at a time. The driver is a loop:
//
//	call, err := procedure.Begin(args, cursor, source)
//	for {
//		requests, err := call.Next() // may all be sent at once; none: done
//		for _, r := range requests {
//			… send r, then one of
//			err = call.Done(r, result)
//			err = call.Refused(r, failures) // a *Refusal
//		}
//	}
//	answer, err := call.Answer()
type Call struct {
	proc   *Procedure
	source Source
	now    time.Time
	cursor *Cursor
	values attr.Item // arguments, and what single steps found
	args   attr.Item // arguments as completed
	states map[*Stage]*state
	next   *Cursor
	chosen map[string]int // where late steps wait for the cut: the identities of the entities that are left, with their places; nil: not yet cut

	refusal *Refusal  // known before anything is sent
	begun   attr.Item // the arguments as Begin completed them
	again   int       // how often the call has begun anew
}

// state is how far a stage has come.
type state struct {
	begun, done bool
	refusal     *Refusal // of the first of several writes that are no transaction: the others are done
	refused     int      // which part that was
	parts       []*part
	found       []*found              // in the order of the answer, once done
	byKey       map[string]attr.Value // of a batch-get that others go with: what it found, by its key
}

// part is one request of a stage, over all its pages.
type part struct {
	stage  *Stage
	req    *Request
	items  []*found
	last   attr.Item // LastEvaluatedKey of the last page; at first where the cursor says
	ended  bool
	flying bool
	pages  int
	behind attr.Value // of items that hold several entities: the time of the last one that an earlier page had
	named  string     // its name, where others may have that time
}

// found is one wire item that a stage read.
type found struct {
	kind   *Kind
	wire   attr.Item
	entity attr.Item
	part   int
	at     int // place within the part
}

// Result is what a request brought: for get, batch-get, transact-get and writes that return something, the wire items
// found; for query and scan a page of them.
type Result struct {
	Items []attr.Item // of transact-get: one for each action, empty if there was none
	Last  attr.Item   // LastEvaluatedKey; empty: the end
}

// Failure says that the condition of one action failed.
type Failure struct {
	Failed bool
	Old    attr.Item // the item as it was; empty: there was none
}

// Refusal is the answer of a write that was refused; nothing was changed.
type Refusal struct {
	Pattern string
	Code    string // exists, missing, unique, state, version, condition, twice, or the name the pattern gives
	Of      string // what was refused, where the code alone does not tell: of unique Customer.email, of several User.tenant+slug; of twice whose item, and which parts of the key are the same
}

// Error names the pattern, the code and what it is of.
func (r *Refusal) Error() string {
	text := r.Pattern + ": refused: " + r.Code
	if r.Of != "" {
		text += ": " + r.Of
	}
	return text
}

// Cursor is where a page ended.
type Cursor struct {
	Step  string
	Parts []CursorPart // one for each request the step is spread over
}

// CursorPart is where one request stands.
type CursorPart struct {
	After attr.Item // ExclusiveStartKey; empty: not begun
	Ended bool
}

// Reply is the answer of a pattern.
type Reply struct {
	Items      []attr.Item // logical entities, children and to-one paths inside; of a write: the completed values
	Aggregates attr.Item   // of a pattern with aggregates
	Next       *Cursor     // nil: the end
}

// Begin checks the arguments (parameter name → logical value) against the pattern's parameters and completes them:
// generated attributes from source, foreign keys and derived attributes from what encloses them. cursor is nil to start
// at the beginning. Two children with one identity are refused as exists by the first Next.
func (p *Procedure) Begin(args attr.Item, cursor *Cursor, source Source) (*Call, error) {
	c := &Call{proc: p, source: source, now: source.Now().UTC(), cursor: cursor, states: make(map[*Stage]*state, len(p.Stages))}
	if err := c.complete(args); err != nil {
		if !errors.As(err, &c.refusal) {
			return nil, err
		}
	}
	if cursor != nil && !p.begins(cursor) {
		return nil, fmt.Errorf("plan %s has no step %q that a cursor could go on from", p.Name, cursor.Step)
	}
	c.start()
	return c, nil
}

// begins reports whether a call can go on from a cursor.
func (p *Procedure) begins(cursor *Cursor) bool {
	if p.Cut {
		return cursor.Step == CutAnswer && len(cursor.Parts) == 1
	}
	return p.Cursor != nil && cursor.Step == p.Cursor.Name
}

// maxAgain bounds how often a write begins anew because what it had read changed before it could write.
const maxAgain = 10

// start forgets what the steps found.
func (c *Call) start() {
	for _, s := range c.proc.Stages {
		c.states[s] = &state{}
	}
	c.values, c.args = c.begun.Clone(), c.begun.Clone()
}

// anew lets a call begin anew because what a stage rests on has changed. Where it need not be all or nothing, what has
// been written is not written again: only the stage is done anew, with the reading before it.
func (c *Call) anew(s *Stage) {
	if c.proc.Pattern.Atomic {
		c.start()
		return
	}
	c.states[s] = &state{}
	for _, n := range s.Needs {
		if n.Verb.Writes() || n.Verb == Check || !c.states[n].done {
			continue
		}
		c.values.Remove(n.Name)
		c.anew(n)
	}
}

// Arguments are the completed arguments: with generated, derived and sequence attributes filled in.
func (c *Call) Arguments() attr.Item { return c.args }

// Next are the requests that can be sent now; none: the call is complete. A request that goes over pages comes again,
// with Start set, until it has been read to its end or the page is full.
func (c *Call) Next() ([]*Request, error) {
	if c.refusal != nil {
		return nil, c.refusal
	}
	var out []*Request
	for _, s := range c.proc.Stages {
		st := c.states[s]
		if st.done || slices.ContainsFunc(s.Needs, func(n *Stage) bool { return !c.states[n].done }) {
			continue
		}
		if !st.begun {
			if err := c.begin(s, st); err != nil {
				return nil, err
			}
		}
		requests, flying := c.pending(s, st)
		if len(requests) == 0 && !flying {
			if st.refusal != nil {
				return nil, st.refusal
			}
			if err := c.finish(s, st); err != nil {
				return nil, err
			}
			continue
		}
		out = append(out, requests...)
	}
	if len(out) == 0 {
		for _, s := range c.proc.Stages {
			if !c.states[s].done {
				return nil, fmt.Errorf("plan %s: step %s waits for the result of a request", c.proc.Name, s.Name)
			}
		}
	}
	return out, nil
}

// begin makes the requests of a stage.
func (c *Call) begin(s *Stage, st *state) error {
	st.begun = true
	if missing, err := c.missing(s); err != nil || missing {
		return err
	}
	requests, err := c.bind(s)
	if refusal := (*Refusal)(nil); errors.As(err, &refusal) {
		return refusal
	}
	if err != nil {
		return fmt.Errorf("plan %s: %w", c.proc.Name, err)
	}
	for _, r := range requests {
		r.part = &part{stage: s, req: r}
		st.parts = append(st.parts, r.part)
	}
	if s == c.proc.Cursor && c.cursor != nil {
		if len(c.cursor.Parts) != len(st.parts) {
			return fmt.Errorf("plan %s: the cursor does not belong to these parameters", c.proc.Name)
		}
		for i, p := range c.cursor.Parts {
			st.parts[i].ended = p.Ended
			st.parts[i].resume(p.After)
		}
	}
	return nil
}

// missing reports whether a step before found nothing that this one needs, or not all of it: then it finds nothing
// either, and a write refuses.
func (c *Call) missing(s *Stage) (bool, error) {
	for _, n := range s.Needs {
		if err := c.beside(s, n); err != nil {
			return true, err
		}
		least := 0
		switch {
		case s.singles[n]:
			if none, err := c.empty(s); err != nil || none {
				return false, err
			}
			if !slices.ContainsFunc(n.key, func(a assign) bool { return c.leaves(a.value) }) { // else the call asks for none
				least = 1
			}
		case s.keyed[n]:
			least = len(c.states[n].parts)
		}
		if n.Kind != nil && n.Kind.Role == SequenceItem { // it has nothing to number where what it numbers is not there
			least = len(c.states[n].parts)
		}
		if s.all[n] && !s.byElement(n) {
			for _, p := range c.states[n].parts {
				least += len(p.req.Keys)
			}
		}
		if len(c.states[n].found) < least {
			if s.Verb.Writes() && (c.proc.refuses(RefusedMissing) || s.puts()) {
				return true, &Refusal{Pattern: c.proc.Name, Code: RefusedMissing}
			}
			return true, nil
		}
		if err := c.asked(s, n); err != nil {
			return true, err
		}
	}
	return false, nil
}

// puts reports whether a stage puts what the call gives: where that is not done, the caller is told.
func (s *Stage) puts() bool {
	given := s.Verb == Put && s.Kind.Role == EntityItem && (s.each == nil || s.each.stage == nil)
	return given || slices.ContainsFunc(s.Actions, (*Stage).puts)
}

// empty reports whether a stage is for each element of a list of the call that has none: it needs nothing.
func (c *Call) empty(s *Stage) (bool, error) {
	if s.each == nil || s.each.stage != nil {
		return false, nil
	}
	elements, err := c.elements(s)
	return len(elements) == 0, err
}

// asked refuses a write where what a step before has found does not meet the conditions of that step.
func (c *Call) asked(s, before *Stage) error {
	if before.Verb != Get || !s.Verb.Writes() {
		return nil
	}
	for _, f := range c.states[before].found {
		for _, g := range before.guards {
			ok, err := spec.Holds(spec.Without(g.cond, c.left), spec.On(f.entity), spec.Env{Now: c.now, Values: c.values})
			switch {
			case err != nil:
				return fmt.Errorf("plan %s: step %s: %w", c.proc.Name, before.Name, err)
			case !ok:
				return &Refusal{Pattern: c.proc.Name, Code: g.code}
			}
		}
	}
	return nil
}

// pending lists the requests of a stage that can be sent now.
func (c *Call) pending(s *Stage, st *state) (out []*Request, flying bool) {
	if c.satisfied(s, st) {
		return nil, false
	}
	inTurn := s.Scatter < 0 && c.wanted(s) > 0 // bucket by bucket, until there are enough
	for _, p := range st.parts {
		flying = flying || p.flying
		if inTurn && p.flying {
			return nil, true
		}
		if p.ended || p.flying || c.full(s, p) {
			continue
		}
		r := p.req
		if p.pages > 0 || p.last.Len() > 0 {
			again := *p.req
			again.Start = p.last
			r = &again
		}
		p.flying = true
		out = append(out, r)
		if inTurn {
			return out, true
		}
	}
	return out, flying || len(out) > 0
}

// wanted is how many entities of the pattern a stage must find before it can stop; 0: all.
func (c *Call) wanted(s *Stage) int {
	n := s.Wanted()
	if n > 0 && s != c.proc.existsStage && c.proc.nests(s) {
		n++ // the next parent shows that the last one's children are complete
	}
	return n
}

// full reports whether a part alone has found enough.
func (c *Call) full(s *Stage, p *part) bool {
	n := c.wanted(s)
	return n > 0 && c.count(p) >= n
}

// satisfied reports whether a stage needs no more requests.
func (c *Call) satisfied(s *Stage, st *state) bool {
	n := c.wanted(s)
	if n == 0 || s.Scatter >= 0 {
		return false // each part decides for itself
	}
	for _, p := range st.parts { // buckets follow one another
		if n -= c.count(p); n <= 0 {
			return true
		}
		if !p.ended {
			return false
		}
	}
	return false
}

// count is the number of entities of the pattern that a part has found.
func (c *Call) count(p *part) int {
	n := 0
	for _, f := range p.items {
		if c.main(f) {
			n++
		}
	}
	return n
}

// main reports whether an item is one of those the pattern asks for.
func (c *Call) main(f *found) bool {
	if f.kind.Entity != c.proc.Pattern.Read || f.kind.Role == AggregateItem || c.expired(f.kind.Entity, f.entity) {
		return false
	}
	if c.proc.keep != nil && c.proc.keepLocal {
		ok, err := spec.Holds(spec.Without(c.proc.keep, c.left), spec.On(f.entity), spec.Env{Now: c.now, Values: c.values})
		return err == nil && ok
	}
	return true
}

// expired reports whether an entity must not be answered any more.
func (c *Call) expired(e *spec.Entity, it attr.Item) bool {
	if e.Expires == nil {
		return false
	}
	v := it.Get(e.Expires.Name)
	return v.Kind() == attr.KindS && v.Str() <= spec.TimeValue(c.now).Str()
}

// Done hands in the result of a request.
func (c *Call) Done(r *Request, result Result) error {
	p := r.part
	if p == nil || !p.flying {
		return errors.New("plan: the result of a request that was not asked for")
	}
	p.flying = false
	p.pages++
	s := p.stage
	switch r.Verb {
	case Query, Scan:
		p.last, p.ended = result.Last, result.Last.Len() == 0
		if s.Evaluate > 0 && c.wanted(s) == 0 {
			p.ended = true // it asked for so many and no more
		}
		for _, w := range result.Items {
			k := s.Access.Table.KindOf(w)
			i := slices.Index(s.Kinds, k)
			if i < 0 || r.limits != nil && !r.limits[i].holds(w.Get(r.wire)) {
				continue
			}
			p.add(k, w)
		}
	case TransactGet:
		p.ended = true
		for i, w := range result.Items {
			if w.Len() > 0 && i < len(r.Actions) {
				p.add(r.Actions[i].Kind, w)
			}
		}
	default:
		p.ended = true
		for _, w := range result.Items {
			if w.Len() > 0 {
				p.add(s.Kind, w)
			}
		}
	}
	return nil
}

func (p *part) add(k *Kind, w attr.Item) {
	if k.Pack != nil {
		p.unpack(k, w)
		return
	}
	p.items = append(p.items, &found{kind: k, wire: w, entity: k.Read(w), at: len(p.items)})
}

// finish closes a stage: what it found gets its order, is cut to the page, and becomes visible to later steps.
func (c *Call) finish(s *Stage, st *state) error {
	st.done = true
	for i, p := range st.parts {
		for _, f := range p.items {
			if c.proc.Pattern.Read != nil && c.expired(f.kind.Entity, f.entity) {
				continue // for a read it is gone, also where it only leads on to what is asked
			}
			f.part = i
			st.found = append(st.found, f)
		}
	}
	if err := c.cut(s, st); err != nil {
		return err
	}
	if s.Kind == nil || s.Name == "" || len(st.found) == 0 {
		return nil
	}
	for _, f := range st.found {
		if f.kind.Entity == s.Kind.Entity {
			c.values.Set(s.Name, attr.Map(f.entity))
			break
		}
	}
	return nil
}

// Refused is told which conditions of a write failed: one Failure for each action of a transaction (or one for a single
// write). It answers the *Refusal for the caller; the first action in the plan's order decides its code. nil says that
// the call goes on with Next: it begins anew because what an earlier step found has changed since, or there is nothing
// to do because a delete found nothing and the pattern does not call that a refusal; or the write was one for an
// element of a list and need not be all or nothing, so that the other elements' are done before Next answers the
// refusal.
func (c *Call) Refused(r *Request, failures []Failure) error {
	if r.part == nil || !r.part.flying {
		return errors.New("plan: the refusal of a request that was not asked for")
	}
	actions := r.Actions
	if len(actions) == 0 {
		actions = []*Request{r}
	}
	if len(failures) != len(actions) {
		return fmt.Errorf("plan %s: %d failures for %d actions", c.proc.Name, len(failures), len(actions))
	}
	for i, f := range failures {
		if !f.Failed {
			continue
		}
		if rest, refused := actions[i].without(f.Old); rest != nil && len(r.Actions) == 0 && !c.proc.Pattern.Atomic {
			code, _ := refused.refusal(f.Old)
			st := c.states[r.part.stage]
			if at := slices.Index(st.parts, r.part); st.refusal == nil || at < st.refused {
				st.refusal, st.refused = &Refusal{Pattern: c.proc.Name, Code: code}, at
			}
			r.part.req, r.part.flying = rest, false
			return nil
		}
		code, again := actions[i].refusal(f.Old)
		switch {
		case again && c.again < maxAgain:
			c.again++
			c.anew(r.part.stage)
			return nil
		case again:
			return fmt.Errorf("plan %s: what it read changed %d times before it could write", c.proc.Name, maxAgain)
		case code == RefusedMissing && !c.proc.refuses(RefusedMissing):
			r.part.flying, r.part.ended = false, true
			return nil
		}
		refusal := &Refusal{Pattern: c.proc.Name, Code: code}
		if k := actions[i].Kind; code == RefusedUnique && k != nil {
			refusal.Of = k.Document.Holds.Unique
		}
		if s := r.part.stage; s.each != nil && !c.proc.Pattern.Atomic {
			st := c.states[s]
			if at := slices.Index(st.parts, r.part); at >= 0 && (st.refusal == nil || at < st.refused) {
				st.refusal, st.refused = refusal, at
			}
			r.part.flying, r.part.ended = false, true
			return nil
		}
		return refusal
	}
	return fmt.Errorf("plan %s: a refusal without a failed condition", c.proc.Name)
}

// refusal is the code of a failed condition, by the item as it was; again if the call must begin anew.
func (r *Request) refusal(old attr.Item) (code string, again bool) {
	for _, t := range r.tests {
		if old.Len() == 0 && !t.still {
			if !t.cond.Eval(old) {
				return RefusedMissing, false
			}
			continue
		}
		if !t.cond.Eval(old) {
			return t.code, t.again
		}
	}
	if old.Len() == 0 {
		return RefusedMissing, false
	}
	return RefusedCondition, false // the item has changed since: any code would be a guess
}
