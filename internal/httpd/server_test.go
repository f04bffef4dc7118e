package httpd_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tablewright/tablewright/internal/httpd"
)

// start serves a handler and answers the address.
func start(t testing.TB, settings *http.Server) (*httpd.Server, string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := httpd.New(settings)
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(l) }()
	t.Cleanup(func() {
		if err := s.Close(); err != nil && !errors.Is(err, net.ErrClosed) {
			t.Error(err)
		}
		if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	})
	return s, l.Addr().String()
}

// tell answers with what the handler sees.
func tell(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	fmt.Fprintf(w, "%s %s %s %q host=%s length=%d %v\n", r.Method, r.RequestURI, r.URL.Path, r.URL.RawQuery, r.Host, r.ContentLength, err)
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		fmt.Fprintf(w, "%s: %q\n", name, r.Header[name])
	}
	if len(body) > 100 {
		fmt.Fprintf(w, "%d bytes", len(body))
	} else {
		w.Write(body)
	}
}

// requests are requests as they may come on a connection, with what comes after each.
var requests = map[string]string{
	"simple":              "POST / HTTP/1.1\r\nHost: localhost:8000\r\nContent-Length: 2\r\nX-Amz-Target: A\r\n\r\nhi",
	"no body":             "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n",
	"names in lower case": "POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 2\r\nx-amz-target: A\r\n\r\nhi",
	"a name twice":        "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nA: 1\r\nB: 2\r\nA: 3\r\n\r\nhi",
	"kept":                "POST / HTTP/1.1\r\nHost: localhost\r\nConnection: Keep-Alive\r\nContent-Length: 2\r\n\r\nhi",
	"path and query":      "POST /a/b?c=d%20e HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\nhi",
	"blanks":              "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length:   2  \r\nA:\t x y \t\r\n\r\nhi",
	"get":                 "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n",
	"chunked":             "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n",
	"closing":             "POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi",
	"old":                 "POST / HTTP/1.0\r\nHost: localhost\r\nContent-Length: 2\r\n\r\nhi",
	"put":                 "PUT / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\nhi",
	"expect":              "POST / HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nhi",
	"no host":             "POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\nhi",
	"two hosts":           "POST / HTTP/1.1\r\nHost: a\r\nHost: b\r\nContent-Length: 2\r\n\r\nhi",
	"two lengths":         "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nhi",
	"both lengths":        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n",
	"a bad length":        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +2\r\n\r\nhi",
	"a long length":       "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\nhi",
	"a bad name":          "POST / HTTP/1.1\r\nHost: a\r\nA B: c\r\nContent-Length: 2\r\n\r\nhi",
	"a blank before":      "POST / HTTP/1.1\r\nHost: a\r\nA : c\r\nContent-Length: 2\r\n\r\nhi",
	"a folded line":       "POST / HTTP/1.1\r\nHost: a\r\nA: b\r\n c\r\nContent-Length: 2\r\n\r\nhi",
	"a control character": "POST / HTTP/1.1\r\nHost: a\r\nA: b\x00c\r\nContent-Length: 2\r\n\r\nhi",
	"a bad host":          "POST / HTTP/1.1\r\nHost: a b\r\nContent-Length: 2\r\n\r\nhi",
	"no path":             "POST HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi",
	"whole address":       "POST http://other/x HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi",
	"nonsense":            "hello\r\n\r\n",
	"bare lines":          "POST / HTTP/1.1\nHost: localhost\nContent-Length: 2\n\nhi",
	"a bare line":         "POST / HTTP/1.1\r\nHost: localhost\nContent-Length: 2\r\n\r\nhi",
	"a bare last line":    "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\n\r\nhi",
	"a bare end":          "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\nhi",
}

// TestAsNetHTTP: what a handler sees and what a client gets is what they do with net/http, whatever comes, in one piece or
// byte by byte, and also for the request that follows on the connection.
func TestAsNetHTTP(t *testing.T) {
	_, ours := start(t, &http.Server{Handler: http.HandlerFunc(tell)})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	theirs := &http.Server{Handler: http.HandlerFunc(tell)}
	go func() { _ = theirs.Serve(l) }()
	defer theirs.Close()
	for name, request := range requests {
		for _, piece := range []int{1 << 20, 1, 7} {
			got, want := talk(t, ours, request, piece), talk(t, l.Addr().String(), request, piece)
			if got != want {
				t.Errorf("%s in pieces of %d: %s\nwant %s", name, piece, got, want)
			}
		}
	}
}

// TestBareLines: who types a request, with lines that end without CR, has its answer without sending more.
func TestBareLines(t *testing.T) {
	_, address := start(t, &http.Server{Handler: http.HandlerFunc(tell)})
	for name, request := range requests {
		if !strings.Contains(name, "bare") {
			continue
		}
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		_ = c.SetDeadline(time.Now().Add(10 * time.Second))
		if _, err := c.Write([]byte(request)); err != nil {
			t.Fatal(err)
		}
		if line, err := bufio.NewReader(c).ReadString('\n'); err != nil || line != "HTTP/1.1 200 OK\r\n" {
			t.Errorf("%s: %q, %v", name, line, err)
		}
		_ = c.Close()
	}
}

// talk sends a request in pieces and a simple one behind it, and tells what comes.
func talk(t *testing.T, address, request string, piece int) string {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(10 * time.Second))
	go func() {
		for part := range slices.Chunk([]byte(request+requests["simple"]), piece) {
			if _, err := c.Write(part); err != nil {
				return
			}
		}
	}()
	var said strings.Builder
	r := bufio.NewReader(c)
	for n := 0; n < 2; n++ {
		answer, err := http.ReadResponse(r, nil)
		if err != nil {
			fmt.Fprintf(&said, "then the connection ends")
			break
		}
		body, err := io.ReadAll(answer.Body)
		if answer.StatusCode == http.StatusContinue {
			n--
			continue
		}
		if answer.StatusCode != http.StatusOK { // the connection may be reset behind it
			err = nil
		}
		_, dated := answer.Header["Date"]
		fmt.Fprintf(&said, "%s %v closing=%v dated=%v %s %v\n", answer.Status, answer.Header["X"], answer.Close, dated || answer.StatusCode == 400, body, err)
	}
	return said.String()
}

// TestLarge: bodies larger than buffers come and go whole, one after another on a connection.
func TestLarge(t *testing.T) {
	_, address := start(t, &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		if r.Header.Get("Told") != "" {
			w.Header().Set("Content-Length", fmt.Sprint(len(body)))
		}
		for part := range slices.Chunk(body, max(len(body)/2, 1)) {
			if r.Header.Get("Told") != "" {
				part = body
			}
			w.Write(part)
			if r.Header.Get("Told") != "" {
				return
			}
		}
	})})
	client := &http.Client{Transport: &http.Transport{MaxConnsPerHost: 1}}
	for _, n := range []int{0, 1, 8000, 8 << 10, 100_000, 3 << 20, 10} {
		for _, told := range []string{"", "yes"} {
			sent := bytes.Repeat([]byte("0123456789"), n/10+1)[:n]
			r, _ := http.NewRequestWithContext(t.Context(), "POST", "http://"+address, bytes.NewReader(sent))
			r.Header.Set("Told", told)
			answer, err := client.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(answer.Body)
			answer.Body.Close()
			if err != nil || !bytes.Equal(got, sent) {
				t.Errorf("of %d bytes %d came back: %v", n, len(got), err)
			}
		}
	}
}

// TestUnread: a body that the handler does not read does not become the next request.
func TestUnread(t *testing.T) {
	_, address := start(t, &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusTeapot)
	})})
	client := &http.Client{Transport: &http.Transport{MaxConnsPerHost: 1}}
	for _, n := range []int{10, 100_000, 1 << 20, 10} {
		answer, err := client.Post("http://"+address, "text/plain", bytes.NewReader(make([]byte, n)))
		if err != nil {
			t.Fatalf("%d bytes: %v", n, err)
		}
		answer.Body.Close()
		if answer.StatusCode != http.StatusTeapot {
			t.Errorf("%d bytes: %s", n, answer.Status)
		}
	}
}

// TestAbort: a handler that gives up ends the connection without an answer, one that panics too, and the server goes on.
func TestAbort(t *testing.T) {
	_, address := start(t, &http.Server{ErrorLog: nil, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Abort") != "" {
			panic(http.ErrAbortHandler)
		}
	})})
	for range 2 {
		r, _ := http.NewRequestWithContext(t.Context(), "POST", "http://"+address, strings.NewReader("x"))
		r.Header.Set("Abort", "yes")
		if answer, err := http.DefaultClient.Do(r); err == nil {
			t.Errorf("answered %s", answer.Status)
			answer.Body.Close()
		}
		answer, err := http.Post("http://"+address, "text/plain", strings.NewReader("x"))
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
	}
}

// TestShutdown: a request under way is answered, connections that wait for one end at once.
func TestShutdown(t *testing.T) {
	entered, leave := make(chan struct{}), make(chan struct{})
	s, address := start(t, &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Wait") != "" {
			close(entered)
			<-leave
		}
		_, _ = io.Copy(w, r.Body)
	})})
	idle, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer idle.Close()
	var beside sync.WaitGroup
	beside.Go(func() {
		r, _ := http.NewRequestWithContext(t.Context(), "POST", "http://"+address, strings.NewReader("hello"))
		r.Header.Set("Wait", "yes")
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Error(err)
			return
		}
		defer answer.Body.Close()
		if body, _ := io.ReadAll(answer.Body); string(body) != "hello" || !answer.Close {
			t.Errorf("answered %q, closing %v", body, answer.Close)
		}
	})
	<-entered
	ended := make(chan error)
	go func() { ended <- s.Shutdown(t.Context()) }()
	_ = idle.SetReadDeadline(time.Now().Add(10 * time.Second))
	if _, err := idle.Read(make([]byte, 1)); err != io.EOF {
		t.Errorf("a connection that waits: %v", err)
	}
	close(leave)
	if err := <-ended; err != nil {
		t.Error(err)
	}
	beside.Wait()
	late, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	r, _ := http.NewRequestWithContext(late, "POST", "http://"+address, strings.NewReader(""))
	if answer, err := http.DefaultClient.Do(r); err == nil {
		t.Error("answered after the end")
		answer.Body.Close()
	}
}

// TestTimeouts: a client that stalls loses its connection.
func TestTimeouts(t *testing.T) {
	_, address := start(t, &http.Server{Handler: http.HandlerFunc(tell), ReadHeaderTimeout: 50 * time.Millisecond, ReadTimeout: 50 * time.Millisecond})
	for _, begun := range []string{"POST / HTTP/1.1\r\nHost", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhi"} {
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(c, begun)
		_ = c.SetReadDeadline(time.Now().Add(10 * time.Second))
		if _, err := io.ReadAll(c); err != nil {
			t.Errorf("after %q: %v", begun, err)
		}
		c.Close()
	}
}

// TestWriteTimeout: the time to write an answer begins with its request: neither the time that the connection waited for it
// counts, nor that of the requests before it, which may all be there already when they are read.
func TestWriteTimeout(t *testing.T) {
	_, address := start(t, &http.Server{WriteTimeout: 400 * time.Millisecond, IdleTimeout: time.Minute,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/slow" {
				time.Sleep(100 * time.Millisecond)
			}
			fmt.Fprint(w, r.URL.Path)
		})})
	request := func(path string) string { return "POST " + path + " HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n" }
	for name, asked := range map[string][]string{
		"idle":      {"", request("/first"), "idle", request("/last")},
		"pipelined": {"", strings.Repeat(request("/slow"), 10) + request("/last")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, err := net.Dial("tcp", address)
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			_ = c.SetDeadline(time.Now().Add(30 * time.Second))
			answers := bufio.NewReader(c)
			for _, text := range asked {
				if text == "idle" {
					time.Sleep(time.Second)
					continue
				}
				if _, err := io.WriteString(c, text); err != nil {
					t.Fatal(err)
				}
				for range strings.Count(text, "POST") {
					answer, err := http.ReadResponse(answers, nil)
					if err != nil {
						t.Fatal(err)
					}
					if _, err := io.ReadAll(answer.Body); err != nil {
						t.Fatal(err)
					}
				}
			}
		})
	}
}

// TestManyNames: a connection keeps little of the headers that it had.
func TestManyNames(t *testing.T) {
	_, address := start(t, &http.Server{Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}), MaxHeaderBytes: 128 << 10})
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	kept := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	answers, long := bufio.NewReader(c), strings.Repeat("x", 60<<10)
	before := kept()
	for i := range 64 {
		if _, err := fmt.Fprintf(c, "POST / HTTP/1.1\r\nHost: a\r\n%s%d: b\r\nContent-Length: 0\r\n\r\n", long, i); err != nil {
			t.Fatal(err)
		}
		if _, err := http.ReadResponse(answers, nil); err != nil {
			t.Fatal(err)
		}
	}
	if n := int64(kept() - before); n > 2<<20 {
		t.Errorf("%d bytes are kept of a connection that waits", n)
	}
}

// TestSlowBody: a body has its own time, also when the header before it came in pieces.
func TestSlowBody(t *testing.T) {
	for body, pieces := range map[time.Duration][]string{
		0:           {"POST / HTTP/1.1\r\nHost: localhost\r\n", "Content-Length: 10\r\n\r\n", "hello", "there"},
		time.Minute: {"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Le", "ngth: 10\r\n\r\nhe", "llo", "there"},
	} {
		_, address := start(t, &http.Server{
			ReadHeaderTimeout: 400 * time.Millisecond, ReadTimeout: body,
			Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				time.Sleep(20 * time.Millisecond)
				b, err := io.ReadAll(r.Body)
				fmt.Fprint(w, string(b), err)
			}),
		})
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		for i, piece := range pieces {
			if _, err := io.WriteString(c, piece); err != nil {
				t.Fatal(err)
			}
			if time.Sleep(30 * time.Millisecond); i > 0 {
				time.Sleep(400 * time.Millisecond)
			}
		}
		_ = c.SetReadDeadline(time.Now().Add(10 * time.Second))
		answer, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(answer.Body)
		if string(text) != "hellothere<nil>" || err != nil {
			t.Errorf("body within %v: %q, %v", body, text, err)
		}
		c.Close()
	}
}

func FuzzRequest(f *testing.F) {
	for _, r := range requests {
		f.Add([]byte(r))
	}
	_, address := start(f, &http.Server{Handler: http.HandlerFunc(tell), ErrorLog: nil})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		f.Fatal(err)
	}
	theirs := &http.Server{Handler: http.HandlerFunc(tell)}
	go func() { _ = theirs.Serve(l) }()
	f.Cleanup(func() { theirs.Close() })
	whole := func(t *testing.T, address string, request []byte) string {
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Skip(err)
		}
		defer c.Close()
		_ = c.SetDeadline(time.Now().Add(5 * time.Second))
		_, _ = c.Write(request)
		_ = c.(*net.TCPConn).CloseWrite()
		answer, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			return "no answer"
		}
		body, _ := io.ReadAll(answer.Body)
		return answer.Status + string(body)
	}
	f.Fuzz(func(t *testing.T, request []byte) {
		if got, want := whole(t, address, request), whole(t, l.Addr().String(), request); got != want {
			t.Errorf("%q: %s\nwant %s", request, got, want)
		}
	})
}
