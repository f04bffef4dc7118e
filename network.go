package tablewright

import (
	"errors"
	"io"
	"net"
)

// credentialsError says that there is nothing to sign a request with: no failure of the network to the service, whatever of
// the network the way to the credentials met.
type credentialsError struct{ error }

func (e credentialsError) Unwrap() error { return e.error }

// errDamaged says that an answer is not what was sent.
var errDamaged = errors.New("answer was damaged on the way")

// network reports whether a try failed for want of a connection, or because that broke. It is asked of errors that are no
// answer of the service, and not the end of the caller's context.
func network(err error) bool {
	if _, ok := errors.AsType[credentialsError](err); ok || errors.Is(err, ErrInvalid) {
		return false
	}
	var of net.Error
	return errors.As(err, &of) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, errSilent) || errors.Is(err, errDamaged)
}
