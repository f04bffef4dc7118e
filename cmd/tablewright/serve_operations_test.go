package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"

	"github.com/tablewright/tablewright/engine"
)

// running is a server that a test has started.
type running struct {
	*exec.Cmd
	url, admin string
	log        bytes.Buffer // complete when it has ended
}

// start starts the program's server in a folder with files, and reads what it says it listens on.
func start(t *testing.T, dir string, args ...string) *running {
	t.Helper()
	s := &running{Cmd: exec.CommandContext(t.Context(), program(), append([]string{"serve"}, args...)...)}
	s.Dir, s.Stderr = dir, &s.log
	out, err := s.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.stop(t) })
	lines := bufio.NewScanner(out)
	if lines.Scan() {
		s.url = strings.TrimPrefix(lines.Text(), "listening on ")
	}
	if strings.Contains(strings.Join(args, " "), "--admin") && lines.Scan() {
		s.admin = strings.TrimPrefix(lines.Text(), "admin on ")
	}
	if !strings.HasPrefix(s.url, "http") {
		_ = s.Process.Kill()
		_ = s.Wait()
		t.Fatalf("serve %s says %q, %s", args, s.url, &s.log)
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	return s
}

// stop stops the server, once, which has to end without an error.
func (s *running) stop(t *testing.T) {
	t.Helper()
	if s.ProcessState != nil {
		return
	}
	_ = s.Process.Signal(os.Interrupt)
	if err := s.Wait(); err != nil && t.Context().Err() == nil {
		t.Errorf("stop: %v\n%s", err, &s.log)
	}
}

// ask sends a request, signed with a key unless that is empty.
func ask(t *testing.T, c *http.Client, url, operation, body, key string) (status int, answer string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	r.Header.Set("X-Amz-Target", "DynamoDB_20120810."+operation)
	if key != "" {
		hash := sha256.Sum256([]byte(body))
		if err := v4.NewSigner().SignHTTP(t.Context(), aws.Credentials{AccessKeyID: key, SecretAccessKey: key + "-secret"}, r, hex.EncodeToString(hash[:]), "dynamodb", "us-east-1", time.Now()); err != nil {
			t.Fatal(err)
		}
	}
	resp, err := c.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(text)
}

func get(t *testing.T, url string) (status int, body []byte) {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if body, err = io.ReadAll(resp.Body); err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, body
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

const makeBooks = `{"TableName":"books","AttributeDefinitions":[{"AttributeName":"isbn","AttributeType":"S"}],"KeySchema":[{"AttributeName":"isbn","KeyType":"HASH"}],"BillingMode":"PAY_PER_REQUEST"}`

// TestServeConfig: settings come from the file where the command line says nothing; a file that cannot be meant is refused
// with its place.
func TestServeConfig(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "serve.yaml", "# settings\nlisten: 127.0.0.1:0\nin-memory: true\nregion: eu-west-1\nlog-level: debug\nlog-format: text\nlag: 5ms\norigin: [http://a.example, http://b.example]\n")
	s := start(t, dir, "--config", "serve.yaml", "--log-format", "json")
	if status, body := get(t, s.url+"/"); status != 200 || string(body) != "healthy: dynamodb.eu-west-1.amazonaws.com " {
		t.Errorf("%d %s", status, body)
	}
	if _, answer := ask(t, http.DefaultClient, s.url, "ListTables", "{}", "any"); answer != `{"TableNames":[]}` {
		t.Error(answer)
	}
	s.stop(t)
	if !strings.Contains(s.log.String(), `"msg":"request","operation":"ListTables","code":"OK"`) {
		t.Errorf("log:\n%s", &s.log)
	}
	// Of two that exclude each other the one on the command line is meant.
	start(t, dir, "--config", "serve.yaml", "--dir", "data").stop(t)
	if _, err := os.Stat(filepath.Join(dir, "data", "tables.db")); err != nil {
		t.Error(err)
	}
	write(t, dir, "serve.yaml", "dir: other\nlisten: 127.0.0.1:0\n")
	start(t, dir, "--config", "serve.yaml", "--in-memory").stop(t)
	if _, err := os.Stat(filepath.Join(dir, "other")); err == nil {
		t.Error("the folder was made")
	}
	for text, want := range map[string]string{
		"in-memory: true\nlisen: 127.0.0.1:0\n":   "serve.yaml:2:1: there is no setting lisen; did you mean listen?",
		"in-memory: true\nin-memory: true\n":      "serve.yaml:",
		"in-memory: sometimes\n":                  `serve.yaml:1:1: in-memory takes true or false, not "sometimes"`,
		"lag: [1s, 2s]\n":                         "serve.yaml:1:1: lag takes one value, not a list",
		"dir:\n":                                  "serve.yaml:1:1: dir takes DIR",
		"config: other.yaml\n":                    "serve.yaml:1:1: there is no setting config",
		"- in-memory\n":                           "serve.yaml:1:1: settings are written as name: value",
		"in-memory: true\nlisten: 0.0.0.0:8000\n": "no loopback address",
		"a: [\n": "serve.yaml:1: did not find",
		// All mistakes at once, and values that cannot be by their places, too.
		"in-memory: true\nlag: soon\nsweep: later\n":                "serve.yaml:2:1: lag takes a duration, such as 500ms or 2s, not \"soon\"\nserve.yaml:3:1: sweep takes",
		"in-memory: true\nlag: -1s\nregion: eu west\n":              "serve.yaml:2:1: lag takes a time from 0 on, such as 500ms, not -1s\nserve.yaml:3:1: region takes",
		"in-memory: true\ndir: data\nlog-level: loud\n":             "serve.yaml:1:1: in-memory and dir exclude each other: leave out in-memory to keep tables in data\nserve.yaml:3:1: log-level takes debug, info, warn, error, not \"loud\"",
		"in-memory: true\nthrottle-burst: 1m\ntls-cert: cert.pem\n": "serve.yaml:2:1: throttle-burst goes with throttle\nserve.yaml:3:1: tls-cert goes with tls-key",
	} {
		write(t, dir, "serve.yaml", text)
		c := exec.CommandContext(t.Context(), program(), "serve", "--config", "serve.yaml")
		c.Dir = dir
		out, err := c.CombinedOutput()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != exitUsage || !bytes.Contains(out, []byte(want)) {
			t.Errorf("%s: %v\n%s", text, err, out)
		}
	}
}

const keys = `credentials:
  - {key-id: admin, secret: admin-secret, admin: true}
  - key-id: reader
    secret: reader-secret
    user: staff/reader
    policy:
      Version: 2012-10-17
      Statement: {Effect: Allow, Action: "dynamodb:Get*", Resource: "*"}
  - {key-id: writer, secret: writer-secret, policy-file: writer.json}
`

// TestServeCredentials: with keys it may listen for other machines, and answers who signs what is allowed.
func TestServeCredentials(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "keys.yaml", keys)
	write(t, dir, "writer.json", `{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"dynamodb:PutItem","Resource":"*"}]}`)
	s := start(t, dir, "--in-memory", "--listen", "0.0.0.0:0", "--credentials", "keys.yaml", "--log-level", "debug")
	_, port, _ := net.SplitHostPort(strings.TrimPrefix(s.url, "http://"))
	url := "http://127.0.0.1:" + port
	for _, c := range []struct{ key, operation, body, want string }{
		{"", "ListTables", "{}", "MissingAuthenticationTokenException"},
		{"nobody", "ListTables", "{}", "UnrecognizedClientException"},
		{"admin", "CreateTable", makeBooks, `"TableName":"books"`},
		{"admin", "PutItem", `{"TableName":"books","Item":{"isbn":{"S":"hidden"}}}`, "{}"},
		{"reader", "GetItem", `{"TableName":"books","Key":{"isbn":{"S":"hidden"}}}`, `{"Item":{"isbn":{"S":"hidden"}}}`},
		{"reader", "PutItem", `{"TableName":"books","Item":{"isbn":{"S":"2"}}}`, "user/staff/reader is not authorized to perform: dynamodb:PutItem"},
		{"writer", "PutItem", `{"TableName":"books","Item":{"isbn":{"S":"2"}}}`, "{}"},
		{"writer", "GetItem", `{"TableName":"books","Key":{"isbn":{"S":"hidden"}}}`, "AccessDeniedException"},
	} {
		if _, answer := ask(t, http.DefaultClient, url, c.operation, c.body, c.key); !strings.Contains(answer, c.want) {
			t.Errorf("%s %s: %s", c.key, c.operation, answer)
		}
	}
	if status, body := get(t, url+"/healthz"); status != 200 || string(body) != "ok\n" {
		t.Errorf("healthz: %d %s", status, body)
	}
	s.stop(t)
	if log := s.log.String(); strings.Contains(log, "secret") || strings.Contains(log, "hidden") || !strings.Contains(log, "caller=arn:aws:iam::000000000000:user/staff/reader") {
		t.Errorf("log:\n%s", log)
	}

	if err := os.Chmod(filepath.Join(dir, "keys.yaml"), 0o644); err != nil {
		t.Fatal(err)
	}
	write(t, dir, "typo.yaml", "credentials:\n  - {key-id: a, secrte: b}\n")
	write(t, dir, "twice.yaml", "credentials:\n  - {key-id: a, secret: b}\n  - {key-id: a, secret: c}\n")
	write(t, dir, "bare.yaml", "credentials:\n  - {key-id: a}\n")
	write(t, dir, "tab.yaml", "\tcredentials:\n")
	write(t, dir, "end.yaml", "credentials:\n  - {key-id: a, secret: hidden, expires: tomorrow}\n")
	write(t, dir, "top.yaml", "keys: []\n")
	write(t, dir, "none.yaml", "credentials: []\n")
	write(t, dir, "both.yaml", "credentials:\n  - {key-id: a, secret: b, policy-file: x, policy: {Version: 2012-10-17}}\n")
	write(t, dir, "policy.yaml", "credentials:\n  - {key-id: a, secret: b, policy: {Version: 2012-10-17}}\n")
	for file, want := range map[string]string{
		"keys.yaml": "chmod 600 keys.yaml", "typo.yaml": "typo.yaml:2:17: a credential has no secrte; did you mean secret?", "none.yaml": "it begins like this", "missing.yaml": "no such file",
		"twice.yaml": "twice.yaml:3:5: the key-id a is in line 2 already", "bare.yaml": "bare.yaml:2:5: the secret of a is missing", "tab.yaml": "tab.yaml:1: found character that cannot start any token: YAML is indented with spaces, not tabs",
		"end.yaml": "end.yaml:2:42: expires takes a time, such as", "top.yaml": "top.yaml:1:1: there is only credentials, not keys",
		"both.yaml": "either policy or policy-file", "policy.yaml": "the policy of arn:aws:iam::000000000000:user/a: there is no Statement",
	} {
		c := exec.CommandContext(t.Context(), program(), "serve", "--in-memory", "--credentials", file)
		c.Dir = dir
		if out, err := c.CombinedOutput(); err == nil || !bytes.Contains(out, []byte(want)) {
			t.Errorf("%s: %v\n%s", file, err, out)
		}
	}
}

// TestServeThrottle: with --throttle a table takes what it is provisioned with, states take their time.
func TestServeThrottle(t *testing.T) {
	s := start(t, t.TempDir(), "--in-memory", "--listen", "127.0.0.1:0", "--throttle", "--throttle-burst", "1s", "--state-time", "1ms")
	ask(t, http.DefaultClient, s.url, "CreateTable", strings.Replace(makeBooks, `"PAY_PER_REQUEST"`, `"PROVISIONED","ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1}`, 1), "any")
	refused := false
	for i := 0; i < 100 && !refused; i++ {
		_, answer := ask(t, http.DefaultClient, s.url, "PutItem", `{"TableName":"books","Item":{"isbn":{"S":"`+strconv.Itoa(i)+`"}}}`, "any")
		refused = strings.Contains(answer, "ProvisionedThroughputExceededException")
	}
	if !refused {
		t.Error("a table with one unit takes a hundred writes at once")
	}
}

// TestServeTLS: with a certificate it speaks HTTPS only, and policies see that it does.
func TestServeTLS(t *testing.T) {
	dir := t.TempDir()
	pool := makeCertificate(t, dir)
	write(t, dir, "keys.yaml", `credentials:
  - {key-id: admin, secret: admin-secret, policy: {Version: "2012-10-17", Statement: {Effect: Allow, Action: "*", Resource: "*", Condition: {Bool: {"aws:SecureTransport": "true"}}}}}
`)
	s := start(t, dir, "--in-memory", "--listen", "127.0.0.1:0", "--credentials", "keys.yaml", "--tls-cert", "cert.pem", "--tls-key", "key.pem", "--log-format", "json")
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}
	defer transport.CloseIdleConnections()
	if status, answer := ask(t, &http.Client{Transport: transport}, s.url, "ListTables", "{}", "admin"); status != 200 || !strings.HasPrefix(s.url, "https://") {
		t.Errorf("%s: %d %s", s.url, status, answer)
	}
	if status, _ := get(t, strings.Replace(s.url, "https", "http", 1)); status != http.StatusBadRequest {
		t.Errorf("without TLS: %d", status)
	}
	s.stop(t)
	if log := s.log.String(); !strings.HasPrefix(log, "{") || !strings.Contains(log, `"level":"WARN","msg":"http: TLS handshake error`) {
		t.Errorf("a handshake that fails is not in the format of the log:\n%s", log)
	}
}

// makeCertificate makes cert.pem and key.pem for 127.0.0.1.
func makeCertificate(t *testing.T, dir string) *x509.CertPool {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	cert := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	write(t, dir, "cert.pem", string(cert))
	write(t, dir, "key.pem", string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: keyDER})))
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(cert)
	return pool
}

// TestServeAdmin: health, metrics and a consistent dump of what runs; another process is told who has the folder.
func TestServeAdmin(t *testing.T) {
	dir := t.TempDir()
	s := start(t, dir, "--dir", "data", "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0")
	ask(t, http.DefaultClient, s.url, "CreateTable", makeBooks, "any")
	for i := range 10 {
		ask(t, http.DefaultClient, s.url, "PutItem", `{"TableName":"books","Item":{"isbn":{"S":"`+strconv.Itoa(i)+`"}}}`, "any")
	}
	if status, body := get(t, s.admin+"/healthz"); status != 200 || string(body) != "ok\n" {
		t.Errorf("healthz: %d %s", status, body)
	}
	if _, body := get(t, s.admin+"/metrics"); !bytes.Contains(body, []byte(`tablewright_requests_total{operation="PutItem",code="OK"} 10`)) {
		t.Errorf("metrics: %s", body)
	}
	if status, _ := get(t, s.url+"/metrics"); status != http.StatusNotFound {
		t.Errorf("metrics beside the endpoint: %d", status)
	}
	status, packed := get(t, s.admin+"/dump")
	write(t, dir, "dump.jsonl.gz", string(packed))
	if status != http.StatusOK {
		t.Fatalf("dump: %d %s", status, packed)
	}
	run := func(args ...string) string {
		c := exec.CommandContext(t.Context(), program(), args...)
		c.Dir = dir
		out, _ := c.CombinedOutput()
		return string(out)
	}
	if got := run("engine", "load", "copy", "dump.jsonl.gz"); !strings.HasPrefix(got, "loaded 1 table with 10 items") {
		t.Error(got)
	}
	if got, want := run("engine", "stats", "data"), fmt.Sprintf("data is in use by the process with the id %d: stop it first, or ask it for a copy: GET /dump at its --admin address", s.Process.Pid); !strings.Contains(got, want) {
		t.Errorf("%s, want %s", got, want)
	}
	// A page in a browser, whose name resolves to this machine, gets nothing.
	r, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, s.admin+"/dump", nil)
	r.Host = "rebound.example"
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusForbidden {
		t.Errorf("dump for another host: %s", resp.Status)
	}
}

// TestDumpOfPages: a dump is made for programs and for who types the address in, not for pages of other sites, and one at a
// time.
func TestDumpOfPages(t *testing.T) {
	e, err := engine.Open("", &engine.Options{SweepEvery: -1})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	h := administration(e, false)
	dump := func(w http.ResponseWriter, header, value string) {
		r := httptest.NewRequest(http.MethodGet, "http://127.0.0.1:8001/dump", nil)
		if header != "" {
			r.Header.Set(header, value)
		}
		h.ServeHTTP(w, r)
	}
	for _, c := range []struct {
		header, value string
		want          int
	}{
		{"", "", http.StatusOK}, {"Sec-Fetch-Site", "none", http.StatusOK}, {"Sec-Fetch-Site", "same-origin", http.StatusOK},
		{"Sec-Fetch-Site", "cross-site", http.StatusForbidden}, {"Sec-Fetch-Site", "same-site", http.StatusForbidden},
		{"Origin", "http://127.0.0.1:8001", http.StatusOK}, {"Origin", "http://127.0.0.1:3000", http.StatusForbidden},
		{"Origin", "https://example.org", http.StatusForbidden}, {"Origin", "null", http.StatusForbidden}, {"Origin", ":", http.StatusForbidden},
	} {
		rec := httptest.NewRecorder()
		if dump(rec, c.header, c.value); rec.Code != c.want {
			t.Errorf("%s %s: %d, want %d", c.header, c.value, rec.Code, c.want)
		}
	}
	// While one is written to a slow reader there is no other.
	slow := &askingWriter{ResponseRecorder: httptest.NewRecorder(), ask: func() int {
		rec := httptest.NewRecorder()
		dump(rec, "", "")
		return rec.Code
	}}
	if dump(slow, "", ""); slow.got != http.StatusTooManyRequests {
		t.Errorf("a second dump at the same time: %d", slow.got)
	}
	rec := httptest.NewRecorder()
	if dump(rec, "", ""); rec.Code != http.StatusOK {
		t.Errorf("after it: %d", rec.Code)
	}
	e.Close()
	rec = httptest.NewRecorder()
	if health(rec, e); rec.Code != http.StatusServiceUnavailable {
		t.Errorf("health of an engine that is closed: %d", rec.Code)
	}
}

// askingWriter asks something while it is written to.
type askingWriter struct {
	*httptest.ResponseRecorder
	ask func() int
	got int
}

func (w *askingWriter) Write(p []byte) (int, error) {
	if w.got == 0 {
		w.got = w.ask()
	}
	return w.ResponseRecorder.Write(p)
}

// TestStartTime holds the time from start to the first answer, and the memory at rest, in a loose form: other programs run on
// the machine too, and the figures that the documentation has are of one at rest.
func TestStartTime(t *testing.T) {
	best := time.Hour
	var resident int
	for range 5 {
		began := time.Now()
		s := start(t, t.TempDir(), "--dir", "data", "--listen", "127.0.0.1:0")
		if status, answer := ask(t, http.DefaultClient, s.url, "ListTables", "{}", "any"); status != 200 {
			t.Fatal(answer)
		}
		best = min(best, time.Since(began))
		resident = residentBytes(s.Process.Pid)
		s.stop(t)
	}
	t.Logf("first answer after %v, %d KB resident", best, resident>>10)
	if best > 250*time.Millisecond {
		t.Errorf("the first answer came after %v", best)
	}
	if resident > 60<<20 {
		t.Errorf("%d KB are resident", resident>>10)
	}
}

// residentBytes is what a process has in memory; 0 where the system does not tell.
func residentBytes(pid int) int {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	fields := strings.Fields(string(text))
	if err != nil || len(fields) < 2 {
		return 0
	}
	pages, _ := strconv.Atoi(fields[1])
	return pages * os.Getpagesize()
}

// TestStopDeadline: requests that do not come to their end in time are cut off, and that is an error.
func TestStopDeadline(t *testing.T) {
	entered, left := make(chan struct{}), make(chan struct{})
	defer close(left)
	h := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { close(entered); <-left })
	ctx, cancel := context.WithCancel(t.Context())
	out, in := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- (&app{stdout: in, stderr: io.Discard}).serve(ctx, 10*time.Millisecond, &site{flag: "listen", log: slog.New(slog.DiscardHandler), address: "127.0.0.1:0", handler: h})
	}()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = http.Get(strings.TrimSpace(strings.TrimPrefix(line, "listening on "))) }()
	<-entered
	cancel()
	if err := <-ended; err == nil || !strings.Contains(err.Error(), "requests are still under way after 10ms") {
		t.Error(err)
	}
}

// TestUnsound: what does not fit together is told, and ends with an exit code.
func TestUnsound(t *testing.T) {
	for output, want := range map[string]string{"text": "table a: one\ntable b: two\n\n2 problems\n", "json": `"sound": false`} {
		var out bytes.Buffer
		a := &app{stdout: &out, output: output}
		err := a.checked(&engine.Stats{}, errors.Join(errors.New("table a: one"), errors.New("table b: two")))
		if code := a.report(t.Context(), a.root(), err); code != exitFailed || !strings.Contains(out.String(), want) {
			t.Errorf("%d %s", code, &out)
		}
	}
}
