package tablewright

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/wire"
)

// The kinds of errors, for errors.Is. ErrExists and ErrStale are also ErrConditionFailed.
var (
	ErrNotFound        = wire.ErrNotFound        // there is no such item
	ErrExists          = wire.ErrExists          // the item to be created is there already
	ErrConditionFailed = wire.ErrConditionFailed // a condition of a write did not hold; nothing was written
	ErrStale           = wire.ErrStale           // another version than the one read is stored
	ErrCancelled       = wire.ErrCancelled       // a transaction was cancelled: see TxError
	ErrConflict        = wire.ErrConflict        // a transaction was at work on an item until the budget was used up
	ErrThrottled       = wire.ErrThrottled       // the service refused for its load until the budget was used up: wire.Error.Throttling says what, and why
	ErrInvalid         = wire.ErrInvalid         // the request breaks a rule: no repetition helps
	ErrTokenUsed       = wire.ErrTokenUsed       // a transaction was done under its token before, with other values: of generated attributes, say
	ErrLimit           = wire.ErrLimit           // an item, collection or account is as large as it may be
	ErrCursor          = wire.ErrCursor          // a cursor of another query, or none at all
	ErrSeveral         = wire.ErrSeveral         // more than the one item asked for
	ErrUnknownOutcome  = wire.ErrUnknownOutcome  // the answer was lost: the write may or may not have been done; see Retry
	ErrNetwork         = wire.ErrNetwork         // no connection, or it broke before there was an answer; no error of the service or of the program
)

// Error is the error of a call. It unwraps to its kind (ErrNotFound, …), to the error given with Else, and to the
// service's own, a *wire.Error. Its text has names but no values of attributes, except in what the service said.
type Error struct {
	Operation, Table, Index, Pattern string
	RequestID                        string
	Attempt                          int       // tries, the failed one included; 0: nothing was sent
	Time                             time.Time // when the call was given up, by Options.Clock

	kinds  []error // a sentinel, or two
	other  error   // given with Else
	cause  error   // what the transport returned, or what was wrong before sending
	item   []byte  // the item that made a condition fail, as stored, in DynamoDB JSON
	of     *decl   // what kind of item that is
	detail string
	done   bool // the write was carried out: the error is about its answer alone

	followed *followed // nil: no hook wants to know what becomes of it
}

// Error says where, what kind and why.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("tablewright: ")
	if e.Pattern != "" {
		b.WriteString(e.Pattern + ": ")
	}
	if e.Operation != "" {
		b.WriteString(e.Operation)
		if e.Table != "" {
			b.WriteString(" " + e.Table)
			if e.Index != "" {
				b.WriteString("." + e.Index)
			}
		}
		b.WriteString(": ")
	} else if e.Table != "" { // of its declaration, before any call
		b.WriteString("table " + e.Table + ": ")
	}
	var kinds []string
	for _, k := range e.kinds {
		kinds = append(kinds, k.Error())
	}
	var why []string
	if e.other != nil {
		why = append(why, e.other.Error())
	}
	if len(kinds) > 0 {
		why = append(why, strings.Join(kinds, "; "))
	}
	switch {
	case e.done && e.detail != "":
		why = append(why, e.detail+"; the write was done")
	case e.done:
		why = append(why, "the write was done")
	case e.detail != "":
		why = append(why, e.detail)
	}
	if e.cause != nil {
		text := strings.TrimPrefix(e.cause.Error(), "tablewright: ") // of an error of ours, which says its kind itself
		text = strings.TrimPrefix(text, "table "+e.Table+": ")       // said already
		if n := len(why); n > 0 && strings.HasPrefix(text, why[n-1]+": ") {
			why = why[:n-1]
		}
		why = append(why, text)
	}
	b.WriteString(strings.Join(why, ": "))
	if e.Attempt > 1 {
		fmt.Fprintf(&b, " (%d tries)", e.Attempt)
	}
	return b.String()
}

// wasDone reports whether an error is about the answer of a write that was carried out.
func wasDone(err error) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && e.done
}

// Unwrap is the kind or kinds, the error given with Else, and the cause.
func (e *Error) Unwrap() []error {
	all := append([]error(nil), e.kinds...)
	if e.other != nil {
		all = append(all, e.other)
	}
	if e.cause != nil {
		all = append(all, e.cause)
	}
	return all
}

// Is makes ErrExists and ErrStale conditions that failed, too.
func (e *Error) Is(kind error) bool {
	if e.followed == nil { // what it unwraps to answers for itself
		return kind == ErrConditionFailed && (e.is(ErrExists) || e.is(ErrStale))
	}
	// A condition failed, whichever kind was made of that.
	if kind != ErrConditionFailed && !e.is(kind) && (e.other == nil || !errors.Is(e.other, kind)) {
		return false
	}
	e.followed.ask()
	return true
}

// As finds in an error of a condition that failed what it unwraps to anyway: the error given with Else, and the service's. It is
// there to notice that it was asked for; see Call.Follow.
func (e *Error) As(target any) bool {
	if e.followed == nil {
		return false
	}
	_, service := target.(**wire.Error)
	if (e.other == nil || !errors.As(e.other, target)) && !(service && errors.As(e.cause, target)) {
		return false
	}
	e.followed.ask()
	return true
}

// is reports whether e is of a kind, for who is not to be noticed as the one who asks.
func (e *Error) is(kind error) bool { return slices.Contains(e.kinds, kind) }

// TxError says why a transaction was cancelled. It unwraps to ErrCancelled and to every reason's error, so that
// errors.Is finds their kinds and the errors given with Else.
type TxError struct {
	Reasons []Reason // of the actions that caused it, in their order
	cause   *Error
}

// Reason is why one action of a transaction failed.
type Reason struct {
	Action int   // position among the actions
	Err    error // an *Error
}

// Error lists the reasons.
func (e *TxError) Error() string {
	var b strings.Builder
	b.WriteString("tablewright: ")
	if e.cause != nil && e.cause.Pattern != "" {
		b.WriteString(e.cause.Pattern + ": ")
	}
	b.WriteString("transaction cancelled")
	for i, r := range e.Reasons {
		sep := "; "
		if i == 0 {
			sep = ": "
		}
		fmt.Fprintf(&b, "%saction %d: %s", sep, r.Action, strings.TrimPrefix(r.Err.Error(), "tablewright: "))
	}
	return b.String()
}

// Unwrap is ErrCancelled, the service's error and the reasons' errors.
func (e *TxError) Unwrap() []error {
	all := []error{ErrCancelled}
	if e.cause != nil {
		all = append(all, e.cause)
	}
	for _, r := range e.Reasons {
		all = append(all, r.Err)
	}
	return all
}

// BatchError says what of a batch was not done. It unwraps to the failures' errors.
type BatchError struct {
	Done   int // items that were written
	Failed []Failure
}

// Failure is why one item of a batch was not written, or may not have been (ErrUnknownOutcome).
type Failure struct {
	Index int // position in the batch
	Err   error
}

// Error counts, and names the first failure.
func (e *BatchError) Error() string {
	if len(e.Failed) == 0 {
		return "tablewright: batch failed"
	}
	return fmt.Sprintf("tablewright: batch: %d done, %d failed, the first (%d): %s", e.Done, len(e.Failed),
		e.Failed[0].Index, strings.TrimPrefix(e.Failed[0].Err.Error(), "tablewright: "))
}

// Unwrap is the failures' errors, each different one once.
func (e *BatchError) Unwrap() []error {
	var all []error
	for _, f := range e.Failed {
		if len(all) == 0 || all[len(all)-1] != f.Err {
			all = append(all, f.Err)
		}
	}
	return all
}

// Refused is the answer of a program's write that was refused: nothing was changed. It unwraps to the kind that fits
// (ErrExists, ErrNotFound, ErrStale, ErrConditionFailed) and to the service's error.
type Refused struct {
	Pattern string
	Code    string // exists, missing, unique, state, version, condition, twice, or the name the pattern gives
	Of      string // of unique: what is taken, such as Customer.email; of twice: whose item, and which parts of the key are the same

	cause error
}

// Error names the pattern, the code and what it is of.
func (e *Refused) Error() string {
	return "tablewright: " + (&plan.Refusal{Pattern: e.Pattern, Code: e.Code, Of: e.Of}).Error()
}

// Unwrap is the kind and the cause.
func (e *Refused) Unwrap() []error {
	var kind error
	switch e.Code {
	case "exists", "unique":
		kind = ErrExists
	case "missing":
		kind = ErrNotFound
	case "version":
		kind = ErrStale
	default:
		kind = ErrConditionFailed
	}
	if e.cause == nil {
		return []error{kind}
	}
	return []error{kind, e.cause}
}

// fail makes the error of a call that was not sent, or of its answer.
func fail(c *Call, kind error, cause error) *Error {
	e := &Error{cause: cause}
	if kind != nil {
		e.kinds = []error{kind}
	}
	if c != nil {
		e.Operation, e.Table, e.Index, e.Pattern, e.Attempt, e.RequestID = c.Operation, c.Table, c.Index, c.Pattern, c.Attempt, c.RequestID
		e.Time = c.db.instant()
	}
	return e
}

// instant is the time of an error, also of one that says that there is no DB.
func (db *DB) instant() time.Time {
	if db == nil || db.core == nil {
		return time.Now()
	}
	return db.clock.Now()
}
