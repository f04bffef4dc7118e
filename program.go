package tablewright

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/wire"
)

// Program runs the access patterns of a compiled model: every plan, reading or writing, as it is. Values go in and come
// out in their logical form (see package spec), so that it serves tools; an application declares typed entities instead.
// It is safe for concurrent use.
type Program struct{ plan *plan.Program }

// NewProgram makes a Program of a compiled model.
func NewProgram(p *plan.Program) *Program { return &Program{p} }

// RunOptions of Program.Run; the zero value starts at the beginning.
type RunOptions struct {
	Cursor Cursor // of an earlier Result of the same pattern and parameters
	Page   int    // of a paged pattern: items of this page, instead of the plan's number; any item can be the last of a page
}

// Result is the answer of a pattern.
type Result struct {
	Items      []attr.Item // logical entities, with children and related entities inside; of a write: the completed values
	Aggregates attr.Item   // of a pattern with aggregates
	Cursor     Cursor      // where the next page begins; "": the end
	Arguments  attr.Item   // as completed by the call: with generated identifiers, times and versions
}

// Run executes the plan of an access pattern: args are its parameters by name. Steps run as their references demand,
// independent ones together; a paged pattern answers one page.
//
// A write whose conditions refuse it is a *Refused. ErrCursor says that the cursor belongs to another pattern or other
// parameters, ErrInvalid that the pattern or its parameters are wrong, ErrUnknownOutcome that an answer was lost: a
// transaction is then repeated under its token, other writes only where a repetition does no harm. ErrTokenUsed says that a call
// with the caller's token was done before: each call generates ids and times anew, so that it cannot be told from another one.
func (p *Program) Run(ctx context.Context, db *DB, pattern string, args attr.Item, o RunOptions) (Result, error) {
	proc := p.plan.Procedure(pattern)
	if proc == nil {
		return Result{}, &Error{Pattern: pattern, kinds: []error{ErrInvalid}, detail: "the model has no plan of that name that can be run"}
	}
	if db == nil || db.core == nil {
		return Result{}, &Error{Pattern: pattern, Time: db.instant(), kinds: []error{ErrInvalid}, cause: errNoDB}
	}
	if o.Page > 0 && proc.Paged() {
		resized := *proc
		resized.Page = o.Page
		proc = &resized
	}
	r := run{ctx: ctx, db: db, pattern: pattern, budget: db.budget()}
	fingerprint := attr.AppendItem([]byte(pattern+"\x00"), args)
	var cursor *plan.Cursor
	if o.Cursor != "" {
		position, err := db.cursors.open(fingerprint, o.Cursor)
		if err == nil {
			cursor, err = readPosition(position)
		}
		if err != nil {
			return Result{}, &Error{Pattern: pattern, cause: err}
		}
	}
	call, err := proc.Begin(args, cursor, source{db})
	if err != nil {
		return Result{}, &Error{Pattern: pattern, kinds: []error{ErrInvalid}, cause: err}
	}
	if err := r.drive(call); err != nil {
		return Result{Arguments: call.Arguments()}, err
	}
	reply, err := call.Answer()
	if err != nil {
		return Result{Arguments: call.Arguments()}, &Error{Pattern: pattern, cause: err}
	}
	result := Result{Items: reply.Items, Aggregates: reply.Aggregates, Arguments: call.Arguments()}
	if reply.Next != nil {
		result.Cursor = db.cursors.seal(fingerprint, appendPosition(nil, reply.Next))
	}
	return result, nil
}

// source gives a plan time, identifiers and chance.
type source struct{ db *DB }

func (s source) Now() time.Time        { return s.db.clock.Now() }
func (s source) ID(kind string) string { return s.db.ids.ID(kind) }
func (s source) Random(n int) int      { return rand.IntN(n) }

// run is one execution of a pattern: one budget for all it sends.
type run struct {
	ctx     context.Context
	db      *DB
	pattern string
	budget  budget
}

// maxTogether is how many requests of one call are under way at once: a scatter over more shards takes turns.
const maxTogether = 32

// drive sends what the plan asks for until it asks for nothing more.
func (r *run) drive(call *plan.Call) error {
	for {
		requests, err := call.Next()
		if err != nil {
			return r.stepError(err)
		}
		if len(requests) == 0 {
			return nil
		}
		for _, o := range r.together(requests) {
			switch {
			case o.failures != nil:
				err = call.Refused(o.request, o.failures)
				var refusal *plan.Refusal
				if errors.As(err, &refusal) {
					return &Refused{Pattern: r.pattern, Code: refusal.Code, Of: refusal.Of, cause: o.err}
				}
			case o.err != nil:
				err = o.err
			default:
				err = call.Done(o.request, o.result)
			}
			if err != nil {
				return r.stepError(err)
			}
		}
		r.budget.progress()
	}
}

// stepError gives an error of the plan itself its context.
func (r *run) stepError(err error) error {
	var refusal *plan.Refusal
	if errors.As(err, &refusal) {
		return &Refused{Pattern: r.pattern, Code: refusal.Code, Of: refusal.Of}
	}
	var e *Error
	if errors.As(err, &e) {
		return err
	}
	return &Error{Pattern: r.pattern, cause: err}
}

// outcome is what became of one request.
type outcome struct {
	request  *plan.Request
	result   plan.Result
	failures []plan.Failure // of a write that was refused
	err      error
}

// together sends requests at once and answers their outcomes in the order of the requests. Those that write one item take turns.
func (r *run) together(requests []*plan.Request) []outcome {
	out := make([]outcome, len(requests))
	if len(requests) == 1 {
		out[0] = r.one(r.ctx, requests[0], &r.budget)
		return out
	}
	ctx, cancel := context.WithCancel(r.ctx)
	defer cancel()
	writes := false
	forks := make([]*budget, len(requests))
	for i, q := range requests {
		forks[i] = r.budget.fork()
		writes = writes || !readVerb(q.Verb)
	}
	var wait sync.WaitGroup
	turns := make(chan struct{}, maxTogether)
	before := inTurn(requests)
	ended := make([]chan struct{}, len(requests))
	for i := range requests {
		turns <- struct{}{}
		wait.Add(1)
		ended[i] = make(chan struct{})
		go func() {
			defer func() { close(ended[i]); <-turns; wait.Done() }()
			for _, j := range before[i] { // each has its turn already, so that no two wait for each other
				<-ended[j]
			}
			out[i] = r.one(ctx, requests[i], forks[i])
			if out[i].err != nil && !writes {
				cancel() // the call fails, the other reads need not go on
			}
		}()
	}
	wait.Wait()
	for _, f := range forks {
		r.budget.join(f)
	}
	return firstCauseFirst(out)
}

// inTurn is for each request which of those before it must have ended: the last one that touches one of its items. DynamoDB
// refuses a write of an item that a transaction under way has, so that transactions of one call would hinder each other, and
// one item's changes are to happen in the order in which they are listed.
func inTurn(requests []*plan.Request) [][]int {
	before, last := make([][]int, len(requests)), map[string]int{}
	for i, q := range requests {
		for _, name := range q.Touches() {
			if j, known := last[name]; known && !slices.Contains(before[i], j) {
				before[i] = append(before[i], j)
			}
			last[name] = i
		}
	}
	return before
}

// firstCauseFirst puts an outcome before those that failed only because it did.
func firstCauseFirst(out []outcome) []outcome {
	for i := range out {
		if err := out[i].err; err != nil && !errors.Is(err, context.Canceled) {
			out[0], out[i] = out[i], out[0]
			break
		}
	}
	return out
}

func readVerb(v plan.Verb) bool {
	switch v {
	case plan.Get, plan.BatchGet, plan.Query, plan.Scan, plan.TransactGet:
		return true
	}
	return false
}

// one sends a request.
func (r *run) one(ctx context.Context, q *plan.Request, b *budget) outcome {
	o := outcome{request: q}
	switch q.Verb {
	case plan.BatchGet:
		o.result, o.err = r.batchGet(ctx, q, b)
		return o
	case plan.BatchWrite:
		o.err = r.batchWrite(ctx, q, b)
		return o
	}
	c := newCall(operation(q.Verb))
	defer c.release()
	c.Pattern = r.pattern
	rep, err := writeRequest(c, r.db, q)
	if err != nil {
		o.err = fail(c, ErrInvalid, err)
		return o
	}
	if o.err = r.db.send(ctx, c, b, rep); o.err != nil {
		o.failures, o.err = failures(q, o.err)
		return o
	}
	o.result, err = readResult(c.Response, q)
	if err != nil {
		o.err = fail(c, nil, fmt.Errorf("answer: %w", err))
	}
	return o
}

// failures reads from the error of a write which conditions failed; nil if that is not what it was. After a lost answer
// the condition may have failed because of the first try: then the outcome is unknown, and it is no refusal.
func failures(q *plan.Request, err error) ([]plan.Failure, error) {
	var w *wire.Error
	if !errors.As(err, &w) || errors.Is(err, ErrUnknownOutcome) {
		return nil, err
	}
	switch w.Code {
	case wire.CodeConditionFailed:
		old, bad := w.Item.Item()
		if bad != nil {
			return nil, errors.Join(err, bad)
		}
		return []plan.Failure{{Failed: true, Old: old}}, err
	case wire.CodeTransactionCanceled:
		if len(w.Reasons) != len(q.Actions) {
			return nil, err
		}
		all, any := make([]plan.Failure, len(w.Reasons)), false
		for i, reason := range w.Reasons {
			if !reason.Is(ErrConditionFailed) {
				continue
			}
			old, bad := reason.Item.Item()
			if bad != nil {
				return nil, errors.Join(err, bad)
			}
			all[i], any = plan.Failure{Failed: true, Old: old}, true
		}
		if any {
			return all, err
		}
	}
	return nil, err
}

// appendPosition writes a plan's cursor as an item in DynamoDB JSON.
func appendPosition(dst []byte, c *plan.Cursor) []byte {
	parts := make([]attr.Value, len(c.Parts))
	for i, p := range c.Parts {
		var part attr.Item
		if p.After.Len() > 0 {
			part.Set("a", attr.Map(p.After))
		}
		if p.Ended {
			part.Set("e", attr.Bool(true))
		}
		parts[i] = attr.Map(part)
	}
	return attr.AppendItem(dst, attr.ItemOf(attr.Field{Name: "p", Value: attr.List(parts...)}, attr.Field{Name: "s", Value: attr.Text(c.Step)}))
}

func readPosition(text []byte) (*plan.Cursor, error) {
	it, err := attr.ParseItem(text)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCursor, err)
	}
	c := &plan.Cursor{Step: it.Get("s").Str()}
	for _, p := range it.Get("p").Elems() {
		c.Parts = append(c.Parts, plan.CursorPart{After: p.Map().Get("a").Map(), Ended: p.Map().Get("e").Bool()})
	}
	return c, nil
}
