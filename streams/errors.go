package streams

import (
	"errors"
	"fmt"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/wire"
)

var (
	// ErrEnded is why Run ends by itself: the table's stream was disabled, or the table deleted, and all changes are handled.
	ErrEnded = errors.New("streams: the stream has ended")
	// ErrLeaseLost is the cause of a handler's context when the shard has become another worker's.
	ErrLeaseLost = errors.New("streams: the lease on the shard was lost")
	// ErrStopped is the cause of a handler's context when Options.Grace is over.
	ErrStopped = errors.New("streams: the consumer stops")
	// ErrHandled is what a transaction with Change.Once ends with when the change has been handled before.
	ErrHandled = errors.New("streams: the change was handled before")
)

// PoisonError ends Run where Options.Poison is nil: a change that could not be handled. It unwraps to the handler's error.
type PoisonError struct {
	Shard, Sequence string
	Handler         string // the kind of items
	Attempts        int
	Err             error
}

// Error names the change, not its values.
func (e *PoisonError) Error() string {
	return fmt.Sprintf("streams: change %s of shard %s could not be handled in %d attempts (%s): %v", e.Sequence, e.Shard, e.Attempts, e.Handler, e.Err)
}

// Unwrap is the handler's last error.
func (e *PoisonError) Unwrap() error { return e.Err }

// Loss says that changes were removed before they were read: those behind After, if there were any, and before Next. It is
// an error, with which Run ends where Options.Lost is nil.
type Loss struct {
	Stream, Shard string
	After         string    // the last change of the shard that was handled; "": none was
	Since         time.Time // when that was made; zero: not known
	Next          string    // the first that is still there; "": none is
	Until         time.Time // when that was made; zero: not known
}

// Error tells the gap.
func (l *Loss) Error() string {
	from, to := "its beginning", "its end"
	if l.After != "" {
		from = fmt.Sprintf("%s (%s)", l.After, l.Since.UTC().Format(time.RFC3339))
	}
	if l.Next != "" {
		to = fmt.Sprintf("%s (%s)", l.Next, l.Until.UTC().Format(time.RFC3339))
	}
	return fmt.Sprintf("streams: what was in shard %s between %s and %s was removed before it was read: the service keeps 24 hours", l.Shard, from, to)
}

// Later wraps an error of a handler that is not the change's fault, such as another service that is down: the change is
// tried again without end, and never taken for poison.
func Later(err error) error {
	if err == nil {
		return nil
	}
	return laterError{err}
}

type laterError struct{ error }

func (e laterError) Unwrap() error { return e.error }

// passes reports whether an error is nobody's fault and may pass.
func passes(err error) bool {
	var later laterError
	if errors.As(err, &later) {
		return true
	}
	for _, kind := range []error{tablewright.ErrThrottled, tablewright.ErrConflict, tablewright.ErrUnknownOutcome} {
		if errors.Is(err, kind) && !errors.Is(err, tablewright.ErrConditionFailed) {
			return true
		}
	}
	w := answer(err)
	return w != nil && w.Retryable()
}

// answer is what the service said, in an error of a handler's; nil if it said nothing. errors.As would find it too, but would count
// as a question of the program's: see tablewright.Call.Follow.
func answer(err error) *wire.Error {
	switch e := err.(type) {
	case *wire.Error:
		return e
	case interface{ Unwrap() error }:
		return answer(e.Unwrap())
	case interface{ Unwrap() []error }:
		for _, inner := range e.Unwrap() {
			if w := answer(inner); w != nil {
				return w
			}
		}
	}
	return nil
}

// refused reports whether the service, or the client, says that a request will never pass.
func refused(err error) bool {
	var w *wire.Error
	return errors.Is(err, tablewright.ErrInvalid) || errors.As(err, &w) && !w.Retryable() && !errors.Is(err, tablewright.ErrConditionFailed)
}

func hasCode(err error, code string) bool {
	var w *wire.Error
	return errors.As(err, &w) && w.Code == code
}
