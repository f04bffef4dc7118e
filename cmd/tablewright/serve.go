package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/internal/httpd"
	"github.com/tablewright/tablewright/wire"
)

// stopTime is how long requests under way may take after the command was told to stop.
const stopTime = 10 * time.Second

func (a *app) serveCommand() *cobra.Command {
	var (
		listen, dir, region    string
		inMemory, anyInterface bool
		noSync                 bool
		lag                    time.Duration
	)
	c := &cobra.Command{
		Use:   "serve --dir DIR | --in-memory",
		Short: "Serve the embedded engine as a DynamoDB endpoint",
		Long: `Serves DynamoDB's protocol over HTTP, for the AWS SDKs, the AWS CLI and tests. With --dir a write is
answered after it is on disk; with --in-memory everything is gone at the end. Signatures are not
looked at, so it listens on loopback addresses only and refuses requests for other hosts, which
web pages in a browser on this machine could send, unless --allow-remote says otherwise.
SIGINT and SIGTERM stop it after the requests under way.`,
		Example: example(`
			tablewright serve --in-memory
			tablewright serve --listen 127.0.0.1:8000 --dir ./data
			tablewright serve --in-memory --lag 500ms     # index entries follow within half a second
			aws dynamodb list-tables --endpoint-url http://127.0.0.1:8000`),
		Args: takes(),
		RunE: func(c *cobra.Command, _ []string) error {
			switch {
			case dir == "" && !inMemory:
				return usage("either --dir DIR or --in-memory: tablewright serve --in-memory")
			case dir != "" && inMemory:
				return usage("--dir and --in-memory exclude each other: leave out --in-memory to keep tables in %s", dir)
			case noSync && inMemory:
				return usage("--no-sync goes with --dir: nothing is on disk with --in-memory, leave it out")
			case lag < 0:
				return usage("--lag takes a time from 0 on, such as 500ms, not %s", lag)
			}
			address, err := listenAddress(listen, anyInterface)
			if err != nil {
				return err
			}
			o := &engine.Options{Region: region, NoSync: noSync}
			if lag > 0 {
				o.Lag = &engine.Lag{Max: lag, Seed: uint64(time.Now().UnixNano())}
			}
			e, err := engine.Open(dir, o)
			if err != nil {
				return err
			}
			h := e.Handler()
			if !anyInterface {
				h = localOnly(h)
			}
			return errors.Join(a.serve(c.Context(), address, h), e.Close())
		},
	}
	flags := c.Flags()
	flags.StringVar(&listen, "listen", "127.0.0.1:8000", "`ADDRESS:PORT`; port 0 takes a free one")
	flags.StringVar(&dir, "dir", "", "keep tables in `DIR`")
	flags.BoolVar(&inMemory, "in-memory", false, "keep tables in memory")
	flags.StringVar(&region, "region", "us-east-1", "`REGION` in ARNs")
	flags.BoolVar(&anyInterface, "allow-remote", false, "listen where other machines reach it, answer for any host; there is no access control")
	flags.BoolVar(&noSync, "no-sync", false, "answer writes before they are on disk")
	flags.DurationVar(&lag, "lag", 0, "delay entries of global secondary indexes up to `TIME`")
	_ = c.MarkFlagDirname("dir")
	return c
}

// listenAddress refuses addresses beyond this machine unless told otherwise.
func listenAddress(listen string, anyInterface bool) (string, error) {
	host, _, err := net.SplitHostPort(listen)
	if err != nil {
		return "", usage("--listen takes an address with a port, such as 127.0.0.1:8000: %w", err)
	}
	ip := net.ParseIP(host)
	if host != "localhost" && (ip == nil || !ip.IsLoopback()) && !anyInterface {
		return "", usage("%s is no loopback address: whoever reaches it reads and writes everything. --allow-remote permits it", listen)
	}
	return listen, nil
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
			strconv.Quote(r.Host) + ", but this endpoint serves localhost only: use http://127.0.0.1 with its port, or start it with --allow-remote"}
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

// newServer has limits that no client of DynamoDB meets and that keep one which stalls from holding a connection for
// ever. Idle connections live longer than the SDKs keep theirs (90 s in Go), which so are not closed under a request.
func newServer(h http.Handler) *http.Server {
	return &http.Server{
		Handler:           h,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       time.Minute, // a request is 16 MB at most
		WriteTimeout:      5 * time.Minute,
		IdleTimeout:       3 * time.Minute,
		MaxHeaderBytes:    64 << 10, // those of a signed request with a session token are a few KB
	}
}

// serve answers requests until the context ends, then lets those under way come to their end.
func (a *app) serve(ctx context.Context, address string, h http.Handler) error {
	l, err := net.Listen("tcp", address)
	if errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("%w; --listen 127.0.0.1:0 takes a free port", err)
	}
	if err != nil {
		return err
	}
	server := httpd.New(newServer(h))
	if a.output == "json" {
		err = a.json(struct {
			Version  int    `json:"tablewright"`
			Endpoint string `json:"endpoint"`
		}{outputVersion, "http://" + l.Addr().String()})
	} else {
		_, err = fmt.Fprintf(a.stdout, "listening on http://%s\n", l.Addr())
	}
	if err != nil {
		return errors.Join(err, l.Close())
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(l) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTime)
	defer cancel()
	if err := server.Shutdown(stop); err != nil {
		return errors.Join(err, server.Close())
	}
	if a.output != "json" {
		fmt.Fprintln(a.stdout, "stopped")
	}
	return nil
}
