// Package unsent tells requests that certainly did not leave from those that may have: after the first kind the outcome is
// known, nothing happened.
package unsent

import (
	"errors"
	"net"
)

// Error wraps an error of a request that did not leave.
type Error struct{ Err error }

// Error is the wrapped error's text.
func (e Error) Error() string { return e.Err.Error() }

// Unwrap is the wrapped error.
func (e Error) Unwrap() error { return e.Err }

// NotSent is true; see tablewright.Transport.
func (e Error) NotSent() bool { return true }

// Dialing reports whether an error itself says that no connection could be made.
func Dialing(err error) bool {
	var op *net.OpError
	var dns *net.DNSError
	return errors.As(err, &op) && op.Op == "dial" || errors.As(err, &dns)
}
