package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/internal/httpd"
)

// serveFlags are the settings of the server. The configuration file has the same under the same names.
type serveFlags struct {
	config              string
	listen, admin       string
	dir                 string
	inMemory, noSync    bool
	region, account     string
	shareRegions        bool
	credentials         string
	insecure            bool
	tlsCert, tlsKey     string
	origins             []string
	lag, sweep          time.Duration
	ttlRest, shardLife  time.Duration
	shards              int
	logFormat, logLevel string
	slow                time.Duration
	stopTimeout         time.Duration
	stateTime           time.Duration
	throttle            bool
	throttleMore        []string // flags that are given and mean nothing without throttle
	limits              engine.Throttle
	places              places // of those that the configuration file has
}

func (a *app) serveCommand() *cobra.Command {
	f := &serveFlags{}
	c := &cobra.Command{
		Use:   "serve --dir DIR | --in-memory",
		Short: "Serve the embedded engine as a DynamoDB endpoint",
		Long: `Serves DynamoDB's protocol over HTTP, for the AWS SDKs, the AWS CLI and tests. With --dir a write is
answered after it is on disk; with --in-memory everything is gone at the end. SIGINT and SIGTERM
stop it after the requests under way.

With --credentials FILE requests have to be signed with one of its keys, and what a key may do is
what its user's policy says, and the resource policies of tables. The file is YAML, 0600:

  credentials:
    - {key-id: AKIDEXAMPLE, secret: "…", user: admin, admin: true}
    - key-id: AKIDREADER
      secret: "…"
      user: reader              # or the ARN of a user, or of a role's session with session-token
      policy-file: reader.json  # an identity policy of IAM; or policy: and the document in YAML

Without it nobody is asked who they are. Then it listens on loopback addresses only, and refuses
requests for other hosts, which web pages in a browser on this machine could send; --insecure lifts
both. With --tls-cert and --tls-key it speaks HTTPS: clients have to know the certificate's
authority, AWS_CA_BUNDLE=ca.pem for the SDKs and the AWS CLI.

GET /healthz answers "ok" while it can answer, GET /metrics what Prometheus reads: both at the
address of --admin, which also has GET /dump, a consistent copy of everything as of ` + "`tablewright\nengine dump`" + `. Without --admin, /healthz and /metrics are beside the endpoint, the latter for this
machine only.

--config FILE has the same settings in YAML, by the names of the flags without dashes in front:
"listen: 127.0.0.1:8000". Flags on the command line win. Logs go to standard error and never hold
values of items or keys.`,
		Example: example(`
			tablewright serve --in-memory
			tablewright serve --listen 127.0.0.1:8000 --dir ./data
			tablewright serve --in-memory --lag 500ms     # index entries follow within half a second
			tablewright serve --in-memory --throttle      # refuse what exceeds throughput, as the service does
			tablewright serve --config serve.yaml
			tablewright serve --dir ./data --listen 0.0.0.0:8443 --credentials keys.yaml --tls-cert cert.pem --tls-key key.pem
			aws dynamodb list-tables --endpoint-url http://127.0.0.1:8000`),
		Args: takes(),
		RunE: func(c *cobra.Command, _ []string) error {
			var err error
			if f.places, err = readConfig(f.config, c.Flags()); err != nil {
				return err
			}
			c.Flags().Visit(func(g *pflag.Flag) {
				if strings.HasPrefix(g.Name, "throttle-") {
					f.throttleMore = append(f.throttleMore, g.Name)
				}
			})
			return a.runServe(c.Context(), f)
		},
	}
	flags := c.Flags()
	flags.StringVar(&f.config, "config", "", "read settings from `FILE`, in YAML")
	flags.StringVar(&f.listen, "listen", "127.0.0.1:8000", "`ADDRESS:PORT`; port 0 takes a free one")
	flags.StringVar(&f.admin, "admin", "", "serve /healthz, /metrics and /dump at `ADDRESS:PORT`, without asking who it is")
	flags.StringVar(&f.dir, "dir", "", "keep tables in `DIR`")
	flags.BoolVar(&f.inMemory, "in-memory", false, "keep tables in memory")
	flags.BoolVar(&f.noSync, "no-sync", false, "answer writes before they are on disk")
	flags.StringVar(&f.region, "region", "us-east-1", "`REGION` of requests that do not tell theirs")
	flags.StringVar(&f.account, "account", "000000000000", "`ACCOUNT` in ARNs, of 12 digits")
	flags.BoolVar(&f.shareRegions, "share-regions", false, "show the same tables whatever Region a request is for")
	flags.StringVar(&f.credentials, "credentials", "", "take only requests signed with a key in `FILE`")
	flags.BoolVar(&f.insecure, "insecure", false, "listen where other machines reach it, for any host, also without --credentials")
	flags.StringVar(&f.tlsCert, "tls-cert", "", "serve HTTPS with the certificate chain in `FILE`, in PEM")
	flags.StringVar(&f.tlsKey, "tls-key", "", "the certificate's private key in `FILE`, in PEM")
	flags.StringSliceVar(&f.origins, "origin", nil, "let scripts of web pages from `ORIGIN` read answers; * is any")
	flags.DurationVar(&f.lag, "lag", 0, "delay entries of global secondary indexes up to `TIME`")
	flags.DurationVar(&f.sweep, "sweep", time.Minute, "delete expired items every `TIME`")
	flags.DurationVar(&f.ttlRest, "ttl-rest", time.Hour, "refuse another change of a table's time to live for `TIME`; 0 takes any")
	flags.IntVar(&f.shards, "stream-shards", 1, "begin streams with `N` shards, up to 1000")
	flags.DurationVar(&f.shardLife, "shard-life", 4*time.Hour, "close a stream's shard after `TIME` and go on in a child; 0 never")
	flags.StringVar(&f.logFormat, "log-format", "text", "log as `text|json`")
	flags.StringVar(&f.logLevel, "log-level", "info", "log from `LEVEL` on: debug has a line for each request; info, warn, error")
	flags.DurationVar(&f.slow, "slow", time.Second, "log requests that take `TIME` or longer as warnings; 0 none")
	flags.DurationVar(&f.stopTimeout, "stop-timeout", 10*time.Second, "let requests under way take `TIME` after the signal to stop")
	flags.DurationVar(&f.stateTime, "state-time", 0, "let tables and indexes be CREATING, UPDATING and DELETING for `TIME`")
	flags.BoolVar(&f.throttle, "throttle", false, "limit what tables and indexes take per second, as the service does; engine/THROTTLING.md tells how")
	flags.DurationVar(&f.limits.Burst, "throttle-burst", 5*time.Minute, "with --throttle: keep provisioned throughput that is not used for `TIME`")
	flags.Float64Var((*float64)(&f.limits.PartitionReads), "throttle-partition-reads", 3000, "with --throttle: read `UNITS` that a partition does per second")
	flags.Float64Var((*float64)(&f.limits.PartitionWrites), "throttle-partition-writes", 1000, "with --throttle: write `UNITS` that a partition does per second")
	flags.DurationVar(&f.limits.SplitAfter, "throttle-split-after", 5*time.Minute, "with --throttle: divide a partition that has refused something for `TIME`")
	_ = c.MarkFlagDirname("dir")
	_ = c.RegisterFlagCompletionFunc("log-format", cobra.FixedCompletions(logFormats, cobra.ShellCompDirectiveNoFileComp))
	_ = c.RegisterFlagCompletionFunc("log-level", cobra.FixedCompletions(logLevels, cobra.ShellCompDirectiveNoFileComp))
	return c
}

// check refuses settings that contradict each other or cannot be, all at once.
func (f *serveFlags) check() error {
	var wrong []error
	refuse := func(is bool, flag, format string, args ...any) {
		if is {
			wrong = append(wrong, fmt.Errorf(f.places.of(flag)+" "+format, args...))
		}
	}
	if f.dir == "" && !f.inMemory {
		wrong = append(wrong, errors.New("either --dir DIR or --in-memory: tablewright serve --in-memory"))
	}
	refuse(f.dir != "" && f.inMemory, "in-memory", "and %s exclude each other: leave out %s to keep tables in %s", f.places.other("in-memory", "dir"), f.places.other("in-memory", "in-memory"), f.dir)
	refuse(f.noSync && f.inMemory, "no-sync", "goes with %s: nothing is on disk with %s, leave it out", f.places.other("no-sync", "dir"), f.places.other("no-sync", "in-memory"))
	refuse(f.lag < 0, "lag", "takes a time from 0 on, such as 500ms, not %s", f.lag)
	refuse(f.sweep <= 0, "sweep", "takes a time above 0, such as 1m, not %s", f.sweep)
	refuse(f.ttlRest < 0, "ttl-rest", "takes a time from 0 on, such as 1h, not %s", f.ttlRest)
	refuse(f.shardLife < 0, "shard-life", "takes a time from 0 on, such as 4h, not %s", f.shardLife)
	refuse(f.shards < 1 || f.shards > 1000, "stream-shards", "takes a number from 1 to 1000, not %d", f.shards)
	for _, o := range f.origins {
		refuse(!isOrigin(o), "origin", "takes what a browser sends as Origin, a scheme and a host, such as http://localhost:3000, or *, not %q", o)
	}
	refuse(f.stateTime < 0, "state-time", "takes a time from 0 on, such as 2s, not %s", f.stateTime)
	refuse(f.slow < 0, "slow", "takes a time from 0 on, such as 1s, not %s", f.slow)
	refuse(f.stopTimeout < 0, "stop-timeout", "takes a time from 0 on, such as 10s, not %s", f.stopTimeout)
	refuse(f.limits.Burst <= 0, "throttle-burst", "takes a time above 0, such as 1m, not %s", f.limits.Burst)
	refuse(f.limits.SplitAfter <= 0, "throttle-split-after", "takes a time above 0, such as 1m, not %s", f.limits.SplitAfter)
	refuse(f.limits.PartitionReads <= 0, "throttle-partition-reads", "takes units above 0, not %v", f.limits.PartitionReads)
	refuse(f.limits.PartitionWrites <= 0, "throttle-partition-writes", "takes units above 0, not %v", f.limits.PartitionWrites)
	for _, flag := range f.throttleMore {
		refuse(!f.throttle, flag, "goes with %s", f.places.other(flag, "throttle"))
	}
	refuse(f.tlsCert != "" && f.tlsKey == "", "tls-cert", "goes with %s: the certificate and its key", f.places.other("tls-cert", "tls-key"))
	refuse(f.tlsCert == "" && f.tlsKey != "", "tls-key", "goes with %s: the certificate and its key", f.places.other("tls-key", "tls-cert"))
	refuse(!regionName.MatchString(f.region), "region", "takes the name of a Region, such as us-east-1, not %q", f.region)
	refuse(len(f.account) != 12 || !digits(f.account), "account", "takes 12 digits, not %q", f.account)
	refuse(!slices.Contains(logLevels, f.logLevel), "log-level", "takes %s, not %q", strings.Join(logLevels, ", "), f.logLevel)
	refuse(!slices.Contains(logFormats, f.logFormat), "log-format", "takes %s, not %q", strings.Join(logFormats, " or "), f.logFormat)
	wrong = append(wrong, f.mayListen("listen", f.listen, f.credentials != ""))
	if f.admin != "" {
		wrong = append(wrong, f.mayListen("admin", f.admin, false))
	}
	if err := errors.Join(wrong...); err != nil {
		return usageError{err}
	}
	return nil
}

// regionName is wider than AWS's names: "local" and "ddb_test" are fine.
var regionName = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

// isOrigin reports whether a browser can send the text as Origin, which is compared as it stands: no path, nothing in capitals.
// null is that of a page in a file.
func isOrigin(text string) bool {
	u, err := url.Parse(text)
	return text == "*" || text == "null" || err == nil && u.Scheme != "" && u.Host != "" && text == strings.ToLower(u.Scheme+"://"+u.Host)
}

func digits(s string) bool {
	for _, c := range s {
		if c < '0' || c > '9' {
			return false
		}
	}
	return s != ""
}

// mayListen refuses addresses beyond this machine where nobody is asked who they are, unless told otherwise.
func (f *serveFlags) mayListen(flag, address string, authenticated bool) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return fmt.Errorf("%s takes an address with a port, such as 127.0.0.1:8000: %w", f.places.of(flag), err)
	}
	ip := net.ParseIP(host)
	if host == "localhost" || ip != nil && ip.IsLoopback() || authenticated || f.insecure {
		return nil
	}
	if flag == "admin" {
		return fmt.Errorf("%s %s is no loopback address: whoever reaches it reads everything. --insecure permits it", f.places.of(flag), address)
	}
	return fmt.Errorf("%s %s is no loopback address: whoever reaches it reads and writes everything. --credentials FILE asks who they are, --insecure permits it", f.places.of(flag), address)
}

// runServe opens the engine and serves it until the context ends.
func (a *app) runServe(ctx context.Context, f *serveFlags) error {
	if err := f.check(); err != nil {
		return err
	}
	log := newLogger(a.stderr, f.logFormat, f.logLevel)
	o := &engine.Options{Region: f.region, Account: f.account, ShareRegions: f.shareRegions, NoSync: f.noSync, SweepEvery: f.sweep,
		Origins: f.origins, Logger: log, SlowRequest: f.slow, StateTime: f.stateTime}
	if f.throttle {
		o.Throttle = &f.limits
	}
	if f.slow == 0 {
		o.SlowRequest = -1
	}
	o.TimeToLiveRest, o.Streams = f.ttlRest, engine.StreamOptions{Shards: f.shards, ShardLife: f.shardLife}
	if f.ttlRest == 0 {
		o.TimeToLiveRest = -1
	}
	if f.shardLife == 0 {
		o.Streams.ShardLife = -1
	}
	if f.lag > 0 {
		o.Lag = &engine.Lag{Max: f.lag, Seed: uint64(time.Now().UnixNano())}
	}
	if f.credentials != "" {
		var err error
		if o.Credentials, err = readCredentials(f.credentials); err != nil {
			return err
		}
	}
	var certificate *tls.Config
	if f.tlsCert != "" {
		pair, err := tls.LoadX509KeyPair(f.tlsCert, f.tlsKey)
		if err != nil {
			return fmt.Errorf("--tls-cert and --tls-key: %w", err)
		}
		certificate = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
	}
	e, err := engine.Open(f.dir, o)
	if err != nil {
		return err
	}
	main := &site{flag: "listen", address: f.listen, log: log, tls: certificate, handler: operations(e.Handler(), e, f.admin == "")}
	if f.credentials == "" && !f.insecure {
		main.handler = localOnly(main.handler)
	}
	sites := []*site{main}
	if f.admin != "" {
		h := administration(e, f.dir != "")
		if !f.insecure {
			h = localOnly(h)
		}
		sites = append(sites, &site{flag: "admin", address: f.admin, log: log, handler: h})
	}
	return errors.Join(a.serve(ctx, f.stopTimeout, sites...), e.Close())
}

// site is an address that is listened on.
type site struct {
	flag    string // that names the address: listen or admin
	address string
	log     *slog.Logger
	tls     *tls.Config // nil: plain HTTP
	handler http.Handler

	listener net.Listener
}

func (s *site) listen() (err error) {
	s.listener, err = net.Listen("tcp", s.address)
	if errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("%w; --%s 127.0.0.1:0 takes a free port", err, s.flag)
	}
	return err
}

// server is what http.Server and httpd.Server do.
type server interface {
	Serve(net.Listener) error
	Shutdown(context.Context) error
	Close() error
}

// server is httpd's for plain HTTP. Of a TLS connection requests have to tell that they came over one, as net/http has them
// do; and there the work is in the encryption.
func (s *site) server() server {
	h := newServer(s.handler)
	h.ErrorLog = slog.NewLogLogger(s.log.Handler(), slog.LevelWarn) // handshakes that fail, for example
	if s.tls == nil {
		return httpd.New(h)
	}
	h.TLSConfig = s.tls
	return overTLS{h}
}

// overTLS is a server whose Serve speaks TLS.
type overTLS struct{ *http.Server }

func (s overTLS) Serve(l net.Listener) error { return s.ServeTLS(l, "", "") }

func (s *site) url() string {
	if s.tls != nil {
		return "https://" + s.listener.Addr().String()
	}
	return "http://" + s.listener.Addr().String()
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

// serve answers requests until the context ends, then lets those under way come to their end. The first site is told as
// the endpoint.
func (a *app) serve(ctx context.Context, stopTimeout time.Duration, sites ...*site) (err error) {
	var servers []server
	defer func() {
		for i, s := range servers {
			err = errors.Join(err, s.Close())
			_ = sites[i].listener.Close() // if it was never served
		}
	}()
	for _, s := range sites {
		if err := s.listen(); err != nil {
			return err
		}
		servers = append(servers, s.server())
	}
	if err := a.listening(sites); err != nil {
		return err
	}
	failed := make(chan error, len(sites))
	for i, s := range servers {
		go func() { failed <- s.Serve(sites[i].listener) }()
	}
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTimeout)
	defer cancel()
	for _, s := range servers {
		if err := s.Shutdown(stop); err != nil {
			return fmt.Errorf("requests are still under way after %s: %w", stopTimeout, err)
		}
	}
	if a.output != "json" {
		fmt.Fprintln(a.stdout, "stopped")
	}
	return nil
}

// listening tells the addresses, which programs that start the server read.
func (a *app) listening(sites []*site) error {
	admin := ""
	if len(sites) > 1 {
		admin = sites[1].url()
	}
	if a.output == "json" {
		return a.json(struct {
			Version  int    `json:"tablewright"`
			Endpoint string `json:"endpoint"`
			Admin    string `json:"admin,omitempty"`
			PID      int    `json:"pid"`
		}{outputVersion, sites[0].url(), admin, os.Getpid()})
	}
	text := "listening on " + sites[0].url() + "\n"
	if admin != "" {
		text += "admin on " + admin + "\n"
	}
	_, err := fmt.Fprint(a.stdout, text)
	return err
}
