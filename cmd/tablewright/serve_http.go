package main

import (
	"compress/gzip"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/wire"
)

var (
	logLevels  = []string{"debug", "info", "warn", "error"}
	logFormats = []string{"text", "json"}
)

// newLogger writes what the engine and the server have to say.
func newLogger(w io.Writer, format, level string) *slog.Logger {
	o := &slog.HandlerOptions{}
	switch level {
	case "debug":
		o.Level = slog.LevelDebug
	case "warn":
		o.Level = slog.LevelWarn
	case "error":
		o.Level = slog.LevelError
	}
	if format == "json" {
		return slog.New(slog.NewJSONHandler(w, o))
	}
	return slog.New(slog.NewTextHandler(w, o))
}

// localOnly refuses requests that name a host other than this machine. A page in a browser can have its own name resolve
// to 127.0.0.1 and then reads the endpoint as if it were the page's own server (DNS rebinding); the header Host still has
// that name.
func localOnly(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if localHost(r.Host) {
			h.ServeHTTP(w, r)
			return
		}
		refused := &wire.Error{Code: "AccessDeniedException", Status: http.StatusForbidden, Message: "The request is for the host " +
			strconv.Quote(r.Host) + ", but this endpoint serves localhost only: use http://127.0.0.1 with its port, or start it with --credentials or --insecure"}
		w.Header().Set("Content-Type", "application/x-amz-json-1.0")
		w.WriteHeader(refused.HTTPStatus())
		_, _ = w.Write(refused.Append(nil)) // the client may be gone
	})
}

// localHost reports whether a Host header can only mean this machine: a loopback address, localhost and what is below it
// (RFC 6761), and the names under which containers see their host, which no public name server has: .internal is
// reserved for private use. Only a client that is no browser sends none. The port is not looked at, since it may have
// been forwarded.
func localHost(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if ip := net.ParseIP(strings.Trim(host, "[]")); ip != nil {
		return ip.IsLoopback()
	}
	switch host {
	case "", "localhost", "host.docker.internal", "host.containers.internal":
		return true
	}
	return strings.HasSuffix(host, ".localhost")
}

// operations puts /healthz beside the endpoint, whose own requests are all for /, and with metrics also /metrics, which
// tells names of tables and is for this machine.
func operations(h http.Handler, e *engine.Engine, metrics bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method != http.MethodGet || r.URL.Path == "/":
			h.ServeHTTP(w, r)
		case r.URL.Path == "/healthz":
			health(w, e)
		case metrics && r.URL.Path == "/metrics" && fromHere(r):
			writeMetrics(w, e)
		default:
			h.ServeHTTP(w, r)
		}
	})
}

// administration is what --admin serves.
func administration(e *engine.Engine, durable bool) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { health(w, e) })
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, _ *http.Request) { writeMetrics(w, e) })
	var dumping atomic.Bool
	mux.HandleFunc("GET /dump", func(w http.ResponseWriter, r *http.Request) {
		if fromPage(r) {
			http.Error(w, "a dump is not for pages of the web", http.StatusForbidden)
			return
		}
		if !dumping.CompareAndSwap(false, true) { // each takes the time and room of all data
			w.Header().Set("Retry-After", "10")
			http.Error(w, "a dump is being made", http.StatusTooManyRequests)
			return
		}
		defer dumping.Store(false)
		// Written to the end first: whoever reads slowly keeps nobody from writing, and what fails is told as such.
		f, err := dumped(r.Context(), e, durable)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		defer f.Close()
		w.Header().Set("Content-Type", "application/gzip")
		_, _ = io.Copy(w, f) // the client may be gone
	})
	return mux
}

// fromPage reports whether a page of another site than this one makes a browser ask: it could not read the answer, but would
// have the work done. Browsers tell where a request comes from; other clients, and addresses typed in, tell nothing or "none".
func fromPage(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "none", "same-origin":
	default:
		return true
	}
	origin := r.Header.Get("Origin")
	u, err := url.Parse(origin)
	return origin != "" && (err != nil || u.Host != r.Host)
}

// dumped is a packed dump of a running engine, in a file that is gone when it is closed. One in a directory is copied first:
// a dump takes a view for its whole time, a copy only for a moment.
func dumped(ctx context.Context, e *engine.Engine, durable bool) (f *os.File, err error) {
	if durable {
		dir, err := os.MkdirTemp("", "tablewright-dump-*")
		if err != nil {
			return nil, err
		}
		defer func() { _ = os.RemoveAll(dir) }()
		if err := e.CopyTo(dir); err != nil {
			return nil, err
		}
		if e, err = engine.Open(dir, &engine.Options{SweepEvery: -1, NoSync: true}); err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, e.Close()) }()
	}
	if f, err = os.CreateTemp("", "tablewright-dump-*.gz"); err != nil {
		return nil, err
	}
	_ = os.Remove(f.Name()) // where that cannot be done while it is open it is left
	z := gzip.NewWriter(f)
	_, err = e.Dump(ctx, z)
	err = errors.Join(err, z.Close())
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// fromHere reports whether a request comes from this machine.
func fromHere(r *http.Request) bool {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	ip := net.ParseIP(host)
	return err == nil && ip != nil && ip.IsLoopback()
}

// health reads a little, so that it says whether the data can be read.
func health(w http.ResponseWriter, e *engine.Engine) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	if err := e.Ping(); err != nil {
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = io.WriteString(w, "the data cannot be read\n")
		return
	}
	_, _ = io.WriteString(w, "ok\n")
}

func writeMetrics(w http.ResponseWriter, e *engine.Engine) {
	w.Header().Set("Content-Type", engine.MetricsType)
	if err := e.WriteMetrics(w); err != nil {
		http.Error(w, "the data cannot be read", http.StatusServiceUnavailable)
	}
}
