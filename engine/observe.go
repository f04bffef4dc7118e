package engine

import (
	"context"
	"errors"
	"log/slog"
	"syscall"
	"time"

	"github.com/tablewright/tablewright/engine/internal/kv"
	"github.com/tablewright/tablewright/wire"
)

// observe counts a request that is answered, and logs it.
func (e *session) observe(took time.Duration, err error) {
	code := codeOf(err)
	e.metrics.request(e.operation, code, took)
	level, message := slog.LevelDebug, "request"
	if slow := e.options.SlowRequest; slow > 0 && took >= slow {
		level, message = slog.LevelWarn, "slow request"
	}
	if !e.options.Logger.Enabled(context.Background(), level) {
		return
	}
	attrs := []slog.Attr{slog.String("operation", e.operation), slog.String("code", code), slog.Duration("took", took), slog.String("region", e.region)}
	for _, a := range []slog.Attr{slog.String("table", e.table), slog.String("request", e.requestID)} {
		if a.Value.String() != "" {
			attrs = append(attrs, a)
		}
	}
	if e.caller != nil {
		attrs = append(attrs, slog.String("caller", e.caller.ARN))
	}
	e.options.Logger.LogAttrs(context.Background(), level, message, attrs...)
}

// codeOf is what an answer is counted as: the service's code of its error, or OK.
func codeOf(err error) string {
	var refused *wire.Error
	switch {
	case err == nil:
		return "OK"
	case errors.As(err, &refused):
		return refused.Code
	}
	return "Cancelled"
}

const unknownFailure = "The request processing has failed because of an unknown error, exception or failure."

// refusal is the answer of an error. What is not the request's fault is logged and counted: faults of the engine, and a
// disk that does not take what is written. The latter is said as plainly as can be, since whoever reads the answer may be
// the one who can do something about it; what was answered before stays readable.
func (e *session) refusal(err error) *wire.Error {
	var refused *wire.Error
	if errors.As(err, &refused) {
		return refused
	}
	log := e.options.Logger
	var panicked *kv.PanicError
	if errors.As(err, &panicked) {
		log.Error("panic", "operation", e.operation, "with", panicked.Type, "stack", panicked.Stack)
		return &wire.Error{Code: wire.CodeInternal, Message: unknownFailure}
	}
	if errors.Is(err, kv.ErrClosed) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return &wire.Error{Code: wire.CodeInternal, Message: err.Error()}
	}
	failures := e.metrics.failures.Add(1)
	if e.metrics.tellsFailure(time.Now()) {
		log.Error("the data cannot be written or read", "operation", e.operation, "error", err, "failures", failures)
	}
	message := "The data cannot be written or read: " + err.Error()
	if diskFull(err) {
		message = "The disk is full, nothing was written, reads go on: " + err.Error()
	}
	return &wire.Error{Code: wire.CodeInternal, Message: message}
}

// diskFull reports whether there is no room for what was to be written.
func diskFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG)
}

// tellsFailure reports whether a failure of the disk is to be logged: one a second is, since a full disk has one for each
// write, and may be where the log is.
func (m *metrics) tellsFailure(now time.Time) bool {
	last := m.told.Load()
	return now.UnixNano()-last >= int64(time.Second) && m.told.CompareAndSwap(last, now.UnixNano())
}
