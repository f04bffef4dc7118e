package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/tablewright/tablewright/engine"
)

// sign signs a request as one may be where any credentials will do.
func sign(h http.Header) {
	h.Set("X-Amz-Date", "20260801T000000Z")
	h.Set("Authorization", "AWS4-HMAC-SHA256 Credential=any/20260801/us-east-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date, Signature=any")
}

// TestServe starts the server on a free port, speaks with it, and stops it while a request is under way, which has to
// come to its end.
func TestServe(t *testing.T) {
	e, err := engine.Open("", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	slow := make(chan struct{})
	entered := make(chan struct{})
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/slow" {
			close(entered)
			<-slow
			return
		}
		e.Handler().ServeHTTP(w, r)
	})
	ctx, cancel := context.WithCancel(t.Context())
	out, in := io.Pipe()
	ended := make(chan error, 1)
	a := &app{stdout: in, stderr: io.Discard}
	go func() {
		ended <- a.serve(ctx, time.Minute, &site{flag: "listen", log: slog.New(slog.DiscardHandler), address: "127.0.0.1:0", handler: handler})
	}()
	lines := bufio.NewReader(out)
	line, err := lines.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	go io.Copy(io.Discard, lines)
	address := strings.TrimSpace(strings.TrimPrefix(line, "listening on "))

	request, _ := http.NewRequest(http.MethodPost, address, strings.NewReader("{}"))
	request.Header.Set("Content-Type", "application/x-amz-json-1.0")
	request.Header.Set("X-Amz-Target", "DynamoDB_20120810.ListTables")
	sign(request.Header)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(response.Body)
	response.Body.Close()
	if !bytes.Contains(body, []byte(`"TableNames":[]`)) {
		t.Errorf("ListTables answered %s", body)
	}

	answered := make(chan error, 1)
	go func() {
		r, err := http.Get(address + "/slow")
		if err == nil {
			r.Body.Close()
		}
		answered <- err
	}()
	<-entered
	cancel()
	select {
	case err := <-ended:
		t.Fatalf("stopped with a request under way: %v", err)
	case <-time.After(50 * time.Millisecond):
	}
	close(slow)
	if err := <-answered; err != nil {
		t.Errorf("the request under way: %v", err)
	}
	if err := <-ended; err != nil {
		t.Errorf("stop: %v", err)
	}
	if _, err := http.Get(address); err == nil {
		t.Error("it still answers after it has stopped")
	}
}

func TestMayListen(t *testing.T) {
	for address, remote := range map[string]bool{"127.0.0.1:8000": false, "localhost:0": false, "[::1]:8000": false, "0.0.0.0:8000": true, ":8000": true, "192.168.1.2:8000": true, "example.org:80": true} {
		if err := (&serveFlags{}).mayListen("listen", address, false); (err != nil) != remote {
			t.Errorf("%s: %v", address, err)
		}
		if err := (&serveFlags{}).mayListen("listen", address, true); err != nil {
			t.Errorf("%s, with credentials: %v", address, err)
		}
		if err := (&serveFlags{insecure: true}).mayListen("admin", address, false); err != nil {
			t.Errorf("%s, insecure: %v", address, err)
		}
	}
	if err := (&serveFlags{insecure: true}).mayListen("listen", "8000", true); err == nil {
		t.Error("an address without a port is taken")
	}
}

// TestServeUsage: options that contradict each other are mistakes of usage, which say what would work.
func TestServeUsage(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"", "either --dir DIR or --in-memory"},
		{"--in-memory --dir data", "leave out --in-memory to keep tables in data"},
		{"--in-memory --no-sync", "--no-sync goes with --dir"},
		{"--in-memory --lag -1s", "--lag takes a time from 0 on, such as 500ms, not -1s"},
		{"--in-memory --listen 8000", "--listen takes an address with a port"},
		{"--in-memory --listen 0.0.0.0:0", "--credentials FILE asks who they are, --insecure permits it"},
		{"--in-memory --admin 0.0.0.0:0", "--insecure permits it"},
		{"--in-memory --tls-cert cert.pem", "--tls-cert goes with --tls-key"},
		{"--in-memory --account 12", "--account takes 12 digits"},
		{"--in-memory --region us/east", "--region takes the name of a Region, such as us-east-1"},
		{"--in-memory --throttle-burst 1s", "--throttle-burst goes with --throttle"},
		{"--in-memory --log-level loud", "--log-level takes debug, info, warn, error, not \"loud\""},
		{"--in-memory --log-format xml", "--log-format takes text or json"},
		{"--in-memory --sweep 0s", "--sweep takes a time above 0"},
	} {
		cmd := exec.CommandContext(t.Context(), program(), append([]string{"serve"}, strings.Fields(c.args)...)...)
		cmd.Dir = t.TempDir()
		out, err := cmd.CombinedOutput()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != 2 || !bytes.Contains(out, []byte(c.want)) {
			t.Errorf("serve %s: %v\n%s", c.args, err, out)
		}
		if left, _ := os.ReadDir(cmd.Dir); len(left) > 0 {
			t.Errorf("serve %s leaves %v", c.args, left)
		}
	}
}

// startServe starts the program's server and returns its URL.
func startServe(t *testing.T, args ...string) string {
	t.Helper()
	server := exec.CommandContext(t.Context(), program(), append([]string{"serve", "--in-memory", "--listen", "127.0.0.1:0"}, args...)...)
	out, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = server.Process.Kill()
		_ = server.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(strings.TrimPrefix(line, "listening on "))
}

// TestForeignHost: a page whose name resolves to a loopback address gets nothing from the endpoint, unless that is told to
// serve any host.
func TestForeignHost(t *testing.T) {
	ask := func(url, host string) (int, string) {
		t.Helper()
		request, err := http.NewRequest(http.MethodPost, url, strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		request.Host = host
		request.Header.Set("Content-Type", "application/x-amz-json-1.0")
		request.Header.Set("X-Amz-Target", "DynamoDB_20120810.ListTables")
		sign(request.Header)
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		return response.StatusCode, string(body)
	}
	url := startServe(t)
	status, body := ask(url, "rebound.example:8000")
	if status != http.StatusForbidden || !strings.Contains(body, `AccessDeniedException`) || !strings.Contains(body, "--insecure") {
		t.Errorf("%d %s", status, body)
	}
	for _, host := range []string{"", "localhost", "host.docker.internal:8000"} { // "": that of the URL
		if status, body := ask(url, host); status != http.StatusOK || body != `{"TableNames":[]}` {
			t.Errorf("%q: %d %s", host, status, body)
		}
	}
	if status, body := ask(startServe(t, "--insecure"), "db.example"); status != http.StatusOK {
		t.Errorf("with --insecure: %d %s", status, body)
	}
}

func TestLocalHost(t *testing.T) {
	for _, host := range []string{"", "localhost", "LOCALHOST:8000", "localhost.", "dynamodb.localhost:1", "127.0.0.1", "127.0.0.1:8000", "127.9.9.9:1",
		"[::1]:8000", "[::1]", "::1", "host.docker.internal", "host.containers.internal:8000"} {
		if !localHost(host) {
			t.Errorf("%q is refused", host)
		}
	}
	for _, host := range []string{"example.org", "example.org:8000", "localhost.example.org", "notlocalhost", "127.0.0.1.example.org", "10.0.0.1:8000",
		"[fe80::1]:8000", "0.0.0.0:8000", "docker.internal.example", "[::1].example"} {
		if localHost(host) {
			t.Errorf("%q is taken for this machine", host)
		}
	}
}

// TestServerLimits: headers beyond what a signed request has are refused, and everything a client may stall has an end.
func TestServerLimits(t *testing.T) {
	server := newServer(http.NotFoundHandler())
	if server.ReadHeaderTimeout <= 0 || server.ReadTimeout <= 0 || server.WriteTimeout <= 0 || server.IdleTimeout <= 0 {
		t.Errorf("a client may stall for ever: %+v", server)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go server.Serve(l)
	defer server.Close()
	for size, want := range map[int]int{32 << 10: http.StatusNotFound, 100 << 10: http.StatusRequestHeaderFieldsTooLarge} {
		request, err := http.NewRequest(http.MethodGet, "http://"+l.Addr().String(), nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("X-Amz-Security-Token", strings.Repeat("x", size))
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != want {
			t.Errorf("header of %d bytes: %s", size, response.Status)
		}
	}
}

// TestProveOnServe proves a model over HTTP on a server of its own, which afterwards has no tables of the proof's left.
func TestProveOnServe(t *testing.T) {
	dir := t.TempDir()
	tablewright := func(args ...string) *exec.Cmd {
		c := exec.CommandContext(t.Context(), program(), args...)
		c.Dir = dir
		return c
	}
	if out, err := tablewright("new", "shop.yaml").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	server := tablewright("serve", "--dir", "data", "--listen", "127.0.0.1:0")
	out, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	url := strings.TrimSpace(strings.TrimPrefix(line, "listening on "))
	text, err := tablewright("prove", "shop.yaml", "--endpoint", url).CombinedOutput()
	if err != nil || !regexp.MustCompile(`(\d+) of (\d+) access patterns proven`).Match(text) {
		t.Errorf("%v\n%s", err, text)
	}
	if err := server.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := server.Wait(); err != nil {
		t.Errorf("stop: %v", err)
	}
	e, err := engine.Open(filepath.Join(dir, "data"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	list, err := e.Do(t.Context(), "ListTables", []byte("{}"))
	if err != nil || !bytes.Contains(list, []byte(`"TableNames":[]`)) {
		t.Errorf("the proof leaves %s, %v", list, err)
	}
}
