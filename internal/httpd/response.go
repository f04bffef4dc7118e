package httpd

import (
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// response is what a handler answers. It is sent at once if it is written in one piece of the length that the handler has
// told, else when the handler returns.
type response struct {
	conn    *conn
	header  http.Header
	status  int
	pieces  []byte // of a body that is not sent at once
	sent    bool
	closing bool // no request is read behind this one
	err     error
}

func (w *response) reset() {
	clear(w.header)
	w.status, w.sent, w.closing, w.err = 0, false, false, nil
	if cap(w.pieces) > maxKept {
		w.pieces = nil
	}
	w.pieces = w.pieces[:0]
}

// Header implements http.ResponseWriter.
func (w *response) Header() http.Header { return w.header }

// WriteHeader implements http.ResponseWriter.
func (w *response) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
}

// Write implements http.ResponseWriter.
func (w *response) Write(p []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	if w.sent {
		return 0, http.ErrContentLength
	}
	if told := w.header["Content-Length"]; len(told) == 1 && told[0] == strconv.Itoa(len(p)) && len(w.pieces) == 0 {
		w.send(p)
		return len(p), w.err
	}
	w.pieces = append(w.pieces, p...)
	return len(p), nil
}

// finish sends what was not sent.
func (w *response) finish() {
	if !w.sent {
		w.WriteHeader(http.StatusOK)
		w.send(w.pieces)
	}
}

// copied is the size up to which a body is copied behind its header, so that both go out at once.
const copied = 64 << 10

func (w *response) send(body []byte) {
	c := w.conn
	w.sent = true
	w.closing = c.server.closing.Load() || c.body.left > maxSkipped
	c.out = w.append(c.out[:0], len(body))
	if len(body) <= copied {
		c.out = append(c.out, body...)
		_, w.err = c.Write(c.out)
		return
	}
	buffers := net.Buffers{c.out, body}
	_, w.err = buffers.WriteTo(c.Conn)
}

// append appends the status line and the header.
func (w *response) append(b []byte, length int) []byte {
	b = append(b, "HTTP/1.1 "...)
	b = strconv.AppendInt(b, int64(w.status), 10)
	b = append(append(append(b, ' '), http.StatusText(w.status)...), "\r\n"...)
	for name, values := range w.header {
		if name == "Content-Length" || name == "Date" || name == "Connection" || name == "Transfer-Encoding" {
			continue
		}
		for _, v := range values {
			b = append(append(b, name...), ": "...)
			b = append(append(b, clean(v)...), "\r\n"...)
		}
	}
	b = append(b, "Content-Length: "...)
	b = strconv.AppendInt(b, int64(length), 10)
	b = append(append(b, "\r\nDate: "...), date()...)
	if w.closing {
		b = append(b, "\r\nConnection: close"...)
	}
	return append(b, "\r\n\r\n"...)
}

// clean is a value without line ends, which would begin another header.
func clean(v string) string {
	if strings.ContainsAny(v, "\r\n") {
		return strings.NewReplacer("\r", " ", "\n", " ").Replace(v)
	}
	return v
}

// second is a second and its text.
type second struct {
	unix int64
	text string
}

var today atomic.Pointer[second]

// date is the time as headers have it.
func date() string {
	now := time.Now()
	if s := today.Load(); s != nil && s.unix == now.Unix() {
		return s.text
	}
	s := &second{now.Unix(), now.UTC().Format(http.TimeFormat)}
	today.Store(s)
	return s.text
}
