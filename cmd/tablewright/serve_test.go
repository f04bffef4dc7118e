package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
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
	go func() { ended <- a.serve(ctx, "127.0.0.1:0", handler) }()
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

func TestListenAddress(t *testing.T) {
	for address, remote := range map[string]bool{"127.0.0.1:8000": false, "localhost:0": false, "[::1]:8000": false, "0.0.0.0:8000": true, ":8000": true, "192.168.1.2:8000": true, "example.org:80": true} {
		if _, err := listenAddress(address, false); (err != nil) != remote {
			t.Errorf("%s: %v", address, err)
		}
		if _, err := listenAddress(address, true); err != nil {
			t.Errorf("%s, allowed: %v", address, err)
		}
	}
	if _, err := listenAddress("8000", true); err == nil {
		t.Error("an address without a port is taken")
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
