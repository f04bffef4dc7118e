package httpd

import (
	"bytes"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"runtime/debug"
	"slices"
	"sync"
	"time"
)

// conn is a connection with its requests, one after another.
type conn struct {
	net.Conn
	server *Server

	buf  []byte // what was read and not used yet is buf[at:]
	at   int
	out  []byte
	req  http.Request
	url  url.URL
	body body
	w    response
	// Names of headers as they come, and as net/http writes them.
	names map[string]string

	client   string    // its address
	renewed  time.Time // when the deadline of waiting was set
	promised time.Time // when that of writing was set

	mu   sync.Mutex
	idle bool // waiting for a request
}

const (
	// bufferSize is what most requests fit into.
	bufferSize = 8 << 10
	// maxKept is the size of buffers that are kept for the next request.
	maxKept = 1 << 20
	// renewEvery is how often the deadlines of a busy connection are set anew, or as often as they pass. It is added to them.
	renewEvery = 5 * time.Second
	// maxNames is how many names of headers are known by heart, maxName how long they are.
	maxNames, maxName = 64, 64
)

func newConn(s *Server, c net.Conn) *conn {
	n := &conn{Conn: c, server: s, buf: make([]byte, 0, bufferSize), names: map[string]string{}, idle: true}
	n.w.conn, n.w.header = n, http.Header{}
	return n
}

// wake ends the waiting for a request, if that is what the connection does.
func (c *conn) wake() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.idle {
		_ = c.SetReadDeadline(time.Unix(1, 0))
	}
}

// serve answers requests until one is not simple or the connection ends.
func (c *conn) serve() {
	handedOn := false
	defer func() {
		if !handedOn {
			c.linger()
			_ = c.Close()
		}
	}()
	for {
		header, simple, err := c.readHeader()
		if err != nil {
			return
		}
		var length int
		if simple {
			length, simple = c.parse(header)
		}
		if !simple {
			handedOn = true
			_ = c.SetDeadline(time.Time{})
			c.server.handed.give(c.Conn, c.buf[c.at:])
			return
		}
		c.at += len(header)
		c.body = body{c: c, left: length}
		c.promise()
		if !c.answer() || c.skip() != nil || c.server.closing.Load() {
			return
		}
		c.rest()
	}
}

// What is read, and for how long, of a body that nobody wants.
const (
	lingerBytes = 32 << 20
	lingerTime  = 500 * time.Millisecond
)

// linger reads on for a moment if the client still sends a body after its answer: a connection that is closed before makes its
// system forget the answer (RFC 9112, 9.6).
func (c *conn) linger() {
	half, ok := c.Conn.(interface{ CloseWrite() error })
	if c.body.left == 0 || !ok || half.CloseWrite() != nil {
		return
	}
	_ = c.SetReadDeadline(time.Now().Add(lingerTime))
	_, _ = io.CopyN(io.Discard, c.Conn, lingerBytes)
}

// renew sets the deadline of waiting for a request.
func (c *conn) renew() {
	idle := c.server.rest.IdleTimeout
	if idle == 0 {
		idle = c.server.rest.ReadTimeout
	}
	if at, due := again(&c.renewed, idle); due {
		_ = c.SetReadDeadline(at)
	}
}

// promise sets the deadline of writing the answer to a request that was read.
func (c *conn) promise() {
	if at, due := again(&c.promised, c.server.rest.WriteTimeout); due {
		_ = c.SetWriteDeadline(at)
	}
}

// again is a deadline of so much time, and whether it is due to be set again. It is a little late, so that it need not be set
// for each request. No limit is none, and set once.
func again(set *time.Time, limit time.Duration) (at time.Time, due bool) {
	if limit <= 0 {
		due = set.IsZero()
		*set = time.Unix(1, 0)
		return at, due
	}
	now, slack := time.Now(), min(limit, renewEvery)
	if now.Sub(*set) < slack {
		return at, false
	}
	*set = now
	return now.Add(limit + slack), true
}

// within sets the deadline for the rest of something that has begun to come.
func (c *conn) within(limit time.Duration) {
	c.renewed = time.Time{}
	if limit > 0 {
		_ = c.SetReadDeadline(time.Now().Add(limit))
	}
}

// rest is between two requests: what was read is moved to the beginning, and large buffers are let go.
func (c *conn) rest() {
	left := c.buf[c.at:]
	if cap(c.buf) > maxKept {
		c.buf = append(make([]byte, 0, bufferSize), left...)
	} else {
		c.buf = c.buf[:copy(c.buf[:len(left)], left)]
	}
	c.at = 0
	if cap(c.out) > maxKept {
		c.out = nil
	}
}

// readHeader reads until the blank line that ends a header. simple is false for what should not be read on here.
func (c *conn) readHeader() (header []byte, simple bool, err error) {
	limit := c.server.rest.MaxHeaderBytes
	if limit == 0 {
		limit = http.DefaultMaxHeaderBytes
	}
	if len(c.buf) == 0 {
		c.renew()
		c.mu.Lock()
		c.idle = true
		c.mu.Unlock()
		if c.server.closing.Load() {
			return nil, false, net.ErrClosed
		}
		err := c.more()
		c.mu.Lock()
		c.idle = false
		c.mu.Unlock()
		if err != nil {
			return nil, false, err
		}
		if c.server.closing.Load() { // its deadline may be over
			c.within(time.Minute)
		}
	}
	looked := 0 // so far there is no end
	for first := true; ; first = false {
		if i := bytes.Index(c.buf[looked:], []byte("\r\n\r\n")); i >= 0 {
			return c.buf[:looked+i+4], true, nil
		}
		if len(c.buf) > limit || endsBare(c.buf[looked:]) {
			return nil, false, nil
		}
		looked = max(0, len(c.buf)-3)
		if first {
			c.within(c.server.rest.ReadHeaderTimeout)
		}
		switch err := c.more(); {
		case err == io.EOF: // net/http says what is missing
			return nil, false, nil
		case err != nil:
			return nil, false, err
		}
	}
}

// endsBare reports whether the text has a blank line behind a line that ends without CR. Recipients may take that for the end
// of a header (RFC 9112, 2.2), as net/http does: who types a request into a connection waits for its answer.
func endsBare(text []byte) bool {
	return bytes.Contains(text, []byte("\n\n")) || bytes.Contains(text, []byte("\n\r\n"))
}

// more reads what has come.
func (c *conn) more() error {
	if len(c.buf) == cap(c.buf) {
		c.buf = slices.Grow(c.buf, len(c.buf))
	}
	n, err := c.Read(c.buf[len(c.buf):cap(c.buf)])
	c.buf = c.buf[:len(c.buf)+n]
	if n > 0 {
		return nil
	}
	if err == nil {
		err = io.ErrNoProgress
	}
	return err
}

// body is the body of a request.
type body struct {
	c     *conn
	left  int
	timed bool // its deadline is set, in place of the header's
}

// Read implements io.Reader.
func (b *body) Read(p []byte) (n int, err error) {
	if b.left == 0 {
		return 0, io.EOF
	}
	if len(p) > b.left {
		p = p[:b.left]
	}
	if c := b.c; c.at < len(c.buf) {
		n = copy(p, c.buf[c.at:])
		c.at += n
	} else {
		if !b.timed {
			b.timed = true
			c.renewed = time.Time{}
			var end time.Time
			if limit := c.server.rest.ReadTimeout; limit > 0 {
				end = time.Now().Add(limit)
			}
			_ = c.SetReadDeadline(end)
		}
		if n, err = c.Read(p); n > 0 {
			err = nil
		}
	}
	b.left -= n
	if err == io.EOF && b.left > 0 {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// Close implements io.Closer.
func (b *body) Close() error { return nil }

// maxSkipped is how much of a body that the handler did not read is read for the next request's sake.
const maxSkipped = 256 << 10

// skip reads what the handler left of the body.
func (c *conn) skip() error {
	if c.body.left == 0 {
		return nil
	}
	if c.body.left > maxSkipped {
		return io.ErrShortBuffer
	}
	_, err := io.Copy(io.Discard, &c.body)
	return err
}

// answer has the handler answer the request and writes its answer; false is that the connection must end.
func (c *conn) answer() (ok bool) {
	c.w.reset()
	defer func() {
		if p := recover(); p != nil {
			ok = false
			if p != http.ErrAbortHandler {
				c.logf("httpd: panic serving %v: %v\n%s", c.RemoteAddr(), p, debug.Stack())
			}
		}
	}()
	c.req.Body = &c.body
	c.server.handler.ServeHTTP(&c.w, &c.req)
	c.w.finish()
	return c.w.err == nil && !c.w.closing
}

func (c *conn) logf(format string, args ...any) {
	if l := c.server.rest.ErrorLog; l != nil {
		l.Printf(format, args...)
		return
	}
	log.Printf(format, args...)
}
