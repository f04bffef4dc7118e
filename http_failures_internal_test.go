package tablewright

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// patient is a DB like connect's whose tries end after d without a byte.
func patient(t *testing.T, d time.Duration, h http.HandlerFunc) *DB {
	t.Helper()
	db := connect(t, h)
	db.transport.(metered).next.(*httpTransport).patience = d
	return db
}

func gzipped(text string) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(text))
	z.Close()
	return b.Bytes()
}

// A first answer that fails on its way: a read is sent again, a write that may have been carried out is not.
func TestBrokenAnswers(t *testing.T) {
	const whole = `{"Item":{"id":{"S":"a"}}}`
	cut := func(w http.ResponseWriter, header string) {
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		io.WriteString(conn, header)
		conn.Close()
	}
	over := make(chan struct{})
	hang := func(r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-over:
		}
	}
	for name, first := range map[string]func(w http.ResponseWriter, r *http.Request){
		"closed without an answer": func(w http.ResponseWriter, r *http.Request) { cut(w, "") },
		"cut in the head":          func(w http.ResponseWriter, r *http.Request) { cut(w, "HTTP/1.1 200 OK\r\nContent-Le") },
		"cut in the body": func(w http.ResponseWriter, r *http.Request) {
			cut(w, "HTTP/1.1 200 OK\r\nContent-Length: 25\r\n\r\n"+whole[:9])
		},
		"cut in a chunk": func(w http.ResponseWriter, r *http.Request) {
			cut(w, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n19\r\n"+whole[:9])
		},
		"cut and closed": func(w http.ResponseWriter, r *http.Request) {
			cut(w, fmt.Sprintf("HTTP/1.1 200 OK\r\nConnection: close\r\nX-Amz-Crc32: %d\r\n\r\n%s", crc32.ChecksumIEEE([]byte(whole)), whole[:9]))
		},
		"gzip cut": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			z := gzipped(whole)
			w.Write(z[:len(z)-9])
		},
		"no gzip": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			io.WriteString(w, whole)
		},
		"no head": func(w http.ResponseWriter, r *http.Request) { hang(r) },
		"no body": func(w http.ResponseWriter, r *http.Request) { w.(http.Flusher).Flush(); hang(r) },
		"half body": func(w http.ResponseWriter, r *http.Request) {
			io.WriteString(w, whole[:9])
			w.(http.Flusher).Flush()
			hang(r)
		},
	} {
		t.Run(name, func(t *testing.T) {
			var n atomic.Int32
			db := patient(t, 100*time.Millisecond, func(w http.ResponseWriter, r *http.Request) {
				io.Copy(io.Discard, r.Body) // else the server does not see that the client has gone
				if n.Add(1) == 1 {
					first(w, r)
					return
				}
				io.WriteString(w, whole)
			})
			if text, err := get(t, db); err != nil || text != whole || n.Load() != 2 {
				t.Errorf("read: %d requests, %q, %v", n.Load(), text, err)
			}
			n.Store(0)
			c := newCall("UpdateItem")
			c.Request = append(c.Request, `{}`...)
			b := db.budget()
			err := db.send(t.Context(), c, &b, harmful)
			if !errors.Is(err, ErrUnknownOutcome) || errors.Is(err, context.Canceled) || n.Load() != 1 {
				t.Errorf("write: %d requests, %v", n.Load(), err)
			}
		})
	}
	close(over)
}

// An answer may take as long as it likes while it goes on coming.
func TestSlowAnswer(t *testing.T) {
	const parts = 8
	db := patient(t, 150*time.Millisecond, func(w http.ResponseWriter, r *http.Request) {
		for range parts {
			io.WriteString(w, " ")
			w.(http.Flusher).Flush()
			time.Sleep(40 * time.Millisecond)
		}
		io.WriteString(w, "{}")
	})
	if text, err := get(t, db); err != nil || strings.TrimSpace(text) != "{}" || len(text) != parts+2 {
		t.Errorf("%q, %v", text, err)
	}
}

// The end of the caller's context is told as what it is.
func TestContextEndsDuringAnswer(t *testing.T) {
	db := patient(t, time.Minute, func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	c := newCall("UpdateItem")
	c.Request = append(c.Request, `{}`...)
	b := db.budget()
	if err := db.send(ctx, c, &b, harmless); !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, ErrUnknownOutcome) || c.Attempt != 1 {
		t.Errorf("%d tries, %v", c.Attempt, err)
	}
}

// Where no connection came about nothing was done, whatever made it fail; a certificate does not become valid by asking again.
func TestHandshakeFails(t *testing.T) {
	for _, test := range []struct {
		name  string
		start func(http.Handler) *httptest.Server
		tries int
		kind  error
	}{
		{"a certificate that nobody signed", httptest.NewTLSServer, 1, ErrInvalid},
		{"no TLS there", httptest.NewServer, 2, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			bareEnvironment(t)
			server := test.start(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("a request arrived") }))
			defer server.Close()
			db, err := Connect(t.Context(), Options{Endpoint: strings.Replace(server.URL, "http://", "https://", 1), Retry: Retry{Attempts: 2}})
			if err != nil {
				t.Fatal(err)
			}
			c := newCall("UpdateItem")
			c.Request = append(c.Request, `{}`...)
			b := db.budget()
			err = db.send(t.Context(), c, &b, harmful)
			if err == nil || errors.Is(err, ErrUnknownOutcome) || c.Attempt != test.tries || test.kind != nil && !errors.Is(err, test.kind) {
				t.Errorf("%d tries, %v", c.Attempt, err)
			}
		})
	}
}

// Every answer's body is closed, and read to its end where its connection can be used again.
func TestBodiesAreClosed(t *testing.T) {
	bareEnvironment(t)
	for name, answer := range map[string]*http.Response{
		"done":           {StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader("{}"))},
		"refused":        {StatusCode: 400, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(`{"__type":"x#ValidationException"}`))},
		"failed":         {StatusCode: 500, Header: http.Header{}, Body: io.NopCloser(strings.NewReader("<html>"))},
		"redirected":     {StatusCode: 302, Header: http.Header{"Location": {"http://elsewhere"}}, Body: io.NopCloser(strings.NewReader(""))},
		"damaged":        {StatusCode: 200, Header: http.Header{"X-Amz-Crc32": {"1"}}, Body: io.NopCloser(strings.NewReader("{}"))},
		"no gzip":        {StatusCode: 200, Header: http.Header{"Content-Encoding": {"gzip"}}, Body: io.NopCloser(strings.NewReader("{}"))},
		"gzip":           {StatusCode: 200, Header: http.Header{"Content-Encoding": {"gzip"}}, Body: io.NopCloser(bytes.NewReader(gzipped("{}")))},
		"broken off":     {StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(io.MultiReader(strings.NewReader("{"), broken{}))},
		"a wrong length": {StatusCode: 200, Header: http.Header{}, ContentLength: 1 << 40, Body: io.NopCloser(strings.NewReader("{}"))},
	} {
		body := &watchedBody{Reader: answer.Body}
		answer.Body = body
		db, err := Connect(t.Context(), Options{Endpoint: "http://127.0.0.1:1", Retry: Retry{Attempts: 1}, HTTP: fixedClient{answer}})
		if err != nil {
			t.Fatal(err)
		}
		_, err = get(t, db)
		if ok := name == "done" || name == "gzip" || name == "a wrong length"; ok != (err == nil) {
			t.Errorf("%s: %v", name, err)
		}
		if body.closed != 1 || !body.ended && name != "broken off" {
			t.Errorf("%s: closed %d times, read to the end: %t", name, body.closed, body.ended)
		}
	}
}

type fixedClient struct{ answer *http.Response }

func (c fixedClient) Do(*http.Request) (*http.Response, error) { return c.answer, nil }

type watchedBody struct {
	io.Reader
	closed int
	ended  bool
}

func (b *watchedBody) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	b.ended = b.ended || err == io.EOF
	return n, err
}

func (b *watchedBody) Close() error { b.closed++; return nil }

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// A large request may take longer on its way than a try waits for an answer: each part that is taken puts the end off, until the
// request belongs to somebody else.
func TestLargeRequestsTakeTheirTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		over := false
		silence := time.AfterFunc(time.Second, func() { over = true })
		try := &attempt{data: make([]byte, 64<<10), silence: silence, patience: time.Second}
		try.first.try = try
		part := make([]byte, 4<<10)
		for range 15 {
			if n, err := try.first.Read(part); n != len(part) || err != nil || over {
				t.Fatalf("%d bytes, %v, over: %v", n, err, over)
			}
			time.Sleep(900 * time.Millisecond)
		}
		try.detach()
		silence.Stop()
		if n, err := try.first.Read(part); n != 0 || err != io.EOF {
			t.Errorf("after the end: %d bytes, %v", n, err)
		}
		time.Sleep(2 * time.Second)
		if over {
			t.Error("the try went on after its end")
		}
	})
}
