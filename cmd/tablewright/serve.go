package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/tablewright/tablewright/engine"
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
looked at, so it listens on loopback addresses only, unless --allow-remote says otherwise.
SIGINT and SIGTERM stop it after the requests under way.`,
		Example: example(`
			tablewright serve --in-memory
			tablewright serve --listen 127.0.0.1:8000 --dir ./data
			tablewright serve --in-memory --lag 500ms     # index entries follow within half a second
			aws dynamodb list-tables --endpoint-url http://127.0.0.1:8000`),
		Args: takes(),
		RunE: func(c *cobra.Command, _ []string) error {
			if (dir == "") == !inMemory {
				return usage("either --dir DIR or --in-memory: tablewright serve --in-memory")
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
			return errors.Join(a.serve(c.Context(), address, e.Handler()), e.Close())
		},
	}
	flags := c.Flags()
	flags.StringVar(&listen, "listen", "127.0.0.1:8000", "`ADDRESS:PORT`; port 0 takes a free one")
	flags.StringVar(&dir, "dir", "", "keep tables in `DIR`")
	flags.BoolVar(&inMemory, "in-memory", false, "keep tables in memory")
	flags.StringVar(&region, "region", "us-east-1", "`REGION` in ARNs")
	flags.BoolVar(&anyInterface, "allow-remote", false, "listen on addresses that other machines reach; there is no access control")
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

// serve answers requests until the context ends, then lets those under way come to their end.
func (a *app) serve(ctx context.Context, address string, h http.Handler) error {
	l, err := net.Listen("tcp", address)
	if errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("%w; --listen 127.0.0.1:0 takes a free port", err)
	}
	if err != nil {
		return err
	}
	server := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second}
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
