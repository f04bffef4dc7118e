package unsent

import (
	"errors"
	"fmt"
	"io"
	"net"
	"testing"
)

func TestDialing(t *testing.T) {
	_, refused := net.Dial("tcp", "127.0.0.1:1")
	for _, c := range []struct {
		err  error
		want bool
	}{
		{refused, true},
		{fmt.Errorf("post: %w", &net.DNSError{Err: "no such host", Name: "nowhere.invalid"}), true},
		{&net.OpError{Op: "read", Err: io.ErrUnexpectedEOF}, false},
		{io.ErrUnexpectedEOF, false},
		{nil, false},
	} {
		if got := Dialing(c.err); got != c.want {
			t.Errorf("%v: %v", c.err, got)
		}
	}
}

func TestError(t *testing.T) {
	err := fmt.Errorf("get: %w", Error{io.ErrClosedPipe})
	var n interface{ NotSent() bool }
	if !errors.As(err, &n) || !n.NotSent() || !errors.Is(err, io.ErrClosedPipe) || (Error{io.EOF}).Error() != "EOF" {
		t.Errorf("%v", err)
	}
}
