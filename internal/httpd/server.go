package httpd

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// Server serves connections. Make one with New.
type Server struct {
	rest    *http.Server // what is not simple, and the settings
	handed  handed       // connections for rest
	handler http.Handler

	closing atomic.Bool // set under mu; each request asks for it, so that asking takes no lock

	mu      sync.Mutex
	l       net.Listener
	conns   map[*conn]struct{}
	running sync.WaitGroup
}

// New makes a server of the settings of one of net/http: Handler, MaxHeaderBytes, ReadHeaderTimeout, ReadTimeout, WriteTimeout,
// IdleTimeout and ErrorLog count.
func New(settings *http.Server) *Server {
	return &Server{rest: settings, handler: settings.Handler, conns: map[*conn]struct{}{}, handed: handed{
		conns: make(chan net.Conn), done: make(chan struct{}),
	}}
}

// Serve accepts connections until Shutdown or Close, which make its error http.ErrServerClosed.
func (s *Server) Serve(l net.Listener) error {
	s.mu.Lock()
	if s.closing.Load() {
		s.mu.Unlock()
		return http.ErrServerClosed
	}
	s.l, s.handed.addr = l, l.Addr()
	s.mu.Unlock()
	go func() { _ = s.rest.Serve(&s.handed) }() // ends with Shutdown and Close
	for pause := time.Duration(0); ; {
		c, err := l.Accept()
		switch {
		case err == nil:
			pause = 0
			s.start(c)
			continue
		case s.closing.Load():
			return http.ErrServerClosed
		}
		var n net.Error
		if !errors.As(err, &n) || !n.Timeout() && !temporary(err) {
			return errors.Join(err, s.Close())
		}
		pause = min(max(2*pause, 5*time.Millisecond), time.Second) // too many files are open, for instance
		time.Sleep(pause)
	}
}

// temporary reports whether an error says of itself that it passes, as net/http asks it as well.
func temporary(err error) bool {
	t, ok := err.(interface{ Temporary() bool })
	return ok && t.Temporary()
}

func (s *Server) start(nc net.Conn) {
	c := newConn(s, nc)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing.Load() {
		_ = nc.Close()
		return
	}
	s.conns[c] = struct{}{}
	s.running.Go(func() {
		c.serve()
		s.mu.Lock()
		delete(s.conns, c)
		s.mu.Unlock()
	})
}

// Shutdown lets requests under way come to their end, closes all connections and returns; ctx ends the patience.
func (s *Server) Shutdown(ctx context.Context) error {
	err := s.stop()
	s.mu.Lock()
	for c := range s.conns {
		c.wake()
	}
	s.mu.Unlock()
	ended := make(chan struct{})
	go func() { s.running.Wait(); close(ended) }()
	err = errors.Join(err, s.rest.Shutdown(ctx))
	select {
	case <-ended:
		return err
	case <-ctx.Done():
		return errors.Join(err, ctx.Err())
	}
}

// Close closes all connections at once.
func (s *Server) Close() error {
	err := s.stop()
	s.mu.Lock()
	for c := range s.conns {
		_ = c.Close()
	}
	s.mu.Unlock()
	return errors.Join(err, s.rest.Close())
}

// stop takes no more connections.
func (s *Server) stop() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing.Load() {
		return nil
	}
	s.closing.Store(true)
	close(s.handed.done)
	if s.l == nil {
		return nil
	}
	return s.l.Close()
}

// handed is the listener that gives net/http its connections.
type handed struct {
	addr  net.Addr
	conns chan net.Conn
	done  chan struct{}
}

func (h *handed) Accept() (net.Conn, error) {
	select {
	case c := <-h.conns:
		return c, nil
	case <-h.done:
		return nil, net.ErrClosed
	}
}

func (h *handed) Close() error { return nil }

func (h *handed) Addr() net.Addr { return h.addr }

// give hands a connection on, with what was read of it.
func (h *handed) give(c net.Conn, read []byte) {
	select {
	case h.conns <- &begun{c, append([]byte(nil), read...)}:
	case <-h.done:
		_ = c.Close()
	}
}

// begun is a connection of which something was read already.
type begun struct {
	net.Conn
	read []byte
}

func (b *begun) Read(p []byte) (int, error) {
	if len(b.read) > 0 {
		n := copy(p, b.read)
		b.read = b.read[n:]
		return n, nil
	}
	return b.Conn.Read(p)
}
