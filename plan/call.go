package plan

import (
	"time"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/expr"
)

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
type Call struct{}

// Begin checks the arguments (parameter name → logical value) against the pattern's parameters and completes them:
// generated attributes from source, derived ones from what encloses them. cursor is nil to start at the beginning.
func (p *Procedure) Begin(args attr.Item, cursor *Cursor, source Source) (*Call, error) {
	panic("plan: to be written")
}

// Next are the requests that can be sent now; none: the call is complete. A request that goes over pages comes again,
// with Start set, until it has been read to its end or the page is full.
func (c *Call) Next() ([]*Request, error) { panic("plan: to be written") }

// Done hands in the result of a request.
func (c *Call) Done(r *Request, result Result) error { panic("plan: to be written") }

// Refused is told which conditions of a write failed: one Failure for each action of a transaction (or one for a single
// write). It answers the *Refusal for the caller, by rule 7.
func (c *Call) Refused(r *Request, failures []Failure) error { panic("plan: to be written") }

// Arguments are the completed arguments: with generated, derived and sequence attributes filled in.
func (c *Call) Arguments() attr.Item { panic("plan: to be written") }

// Answer assembles the pattern's answer from what was read, or for a write the completed values.
func (c *Call) Answer() (*Reply, error) { panic("plan: to be written") }

// Request is one operation of DynamoDB, ready to be written in its wire form.
type Request struct {
	Stage      *Stage
	Verb       Verb
	Table      string
	Index      string      // of query and scan
	Kind       *Kind       // of the verbs on one item
	Key        attr.Item   // wire key of get, update, delete and check
	Keys       []attr.Item // of batch-get: at most 100
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
	Actions    []*Request // of transact, transact-get and batch-write, unrolled
	Token      string     // of transact: the caller's idempotency token; ""

	tests []test
	scope *scope
	part  int
}

// Result is what a request brought: for get and batch-get, transact-get and update the wire items found, for query and scan a page of them.
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
	Code    string // exists, missing, unique, state, version, condition, or the name the pattern gives
}

// Error names the pattern and the code.
func (r *Refusal) Error() string { return r.Pattern + ": refused: " + r.Code }

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
