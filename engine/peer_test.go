package engine_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/internal/peers"
)

// newSender makes a function that sends requests to an address, on up to 16 connections that are kept.
func newSender(address string) func(operation, request string) error {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 16, MaxConnsPerHost: 16, DisableCompression: true}}
	return func(operation, request string) error {
		req, err := http.NewRequest(http.MethodPost, "http://"+address+"/", strings.NewReader(request))
		if err != nil {
			return err
		}
		req.Header.Set("Content-Type", "application/x-amz-json-1.0")
		req.Header.Set("X-Amz-Target", "DynamoDB_20120810."+operation)
		req.Header.Set("X-Amz-Date", "20260801T000000Z")
		req.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=bench/20260801/us-east-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date;x-amz-target, Signature=0")
		resp, err := client.Do(req)
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			body, _ := io.ReadAll(resp.Body)
			return fmt.Errorf("%d %s", resp.StatusCode, body)
		}
		_, err = io.Copy(io.Discard, resp.Body)
		return err
	}
}

// serveIn in the environment makes this test binary a server of what is in a directory, or in memory if that is "memory".
const serveIn = "TABLEWRIGHT_TEST_SERVE"

func serveChild(where string) {
	if where == "memory" {
		where = ""
	}
	serveAndTell(engine.Open(where, nil))
}

// cpu is the processor time that a process has used.
func cpu(t testing.TB, p *os.Process) time.Duration {
	t.Helper()
	text, err := os.ReadFile("/proc/" + strconv.Itoa(p.Pid) + "/stat")
	if err != nil {
		t.Skip("no /proc to read processor times from: ", err)
	}
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	user, err1 := strconv.Atoi(fields[11])
	system, err2 := strconv.Atoi(fields[12])
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	return time.Duration(user+system) * (time.Second / 100)
}

// BenchmarkAgainstPeers gives this engine's server and a peer the same requests on 16 connections and reports the processor
// time of each server per operation, and their ratio: DynamoDB Local and dynoxide in memory, and dynoxide with its data on
// disk, where every write is synced by both. Run it with -benchtime 1x: it sends as many requests as it needs by itself. It
// fails where this engine takes more than its part of the peer's time.
func BenchmarkAgainstPeers(b *testing.B) {
	for _, peer := range []struct {
		name   string
		start  func(b *testing.B) (url string, process *os.Process)
		dir    bool
		warmUp int // requests before it is measured
		part   float64
	}{
		{"local", func(b *testing.B) (string, *os.Process) { return peers.StartLocal(b) }, false, 3000, 1. / 10}, // the JVM compiles what is hot
		{"dynoxide", func(b *testing.B) (string, *os.Process) { return peers.StartDynoxide(b, "") }, false, 500, 1. / 3},
		{"dynoxide-disk", func(b *testing.B) (string, *os.Process) {
			return peers.StartDynoxide(b, filepath.Join(b.TempDir(), "data"))
		}, true, 500, 1. / 3},
	} {
		b.Run(peer.name, func(b *testing.B) {
			url, process := peer.start(b)
			where := "memory"
			if peer.dir {
				where = b.TempDir()
			}
			child := startChild(b, serveIn+"="+where)
			b.Cleanup(child.kill)
			ours, theirs := newSender(child.address(b)), newSender(strings.TrimPrefix(url, "http://"))
			benchLoad(b, ours)
			benchLoad(b, theirs)
			for _, o := range benchOperations {
				b.Run(o.name, func(b *testing.B) {
					for b.Loop() {
						load(b, theirs, o.operation, o.request, peer.warmUp)
						load(b, ours, o.operation, o.request, 1000)
						t := measure(b, process, theirs, o.operation, o.request)
						u := measure(b, child.cmd.Process, ours, o.operation, o.request)
						b.ReportMetric(float64(u.Microseconds()), "µs-cpu/op")
						b.ReportMetric(float64(t.Microseconds()), "peer-µs-cpu/op")
						ratio := float64(u) / float64(t)
						b.ReportMetric(ratio, "ratio")
						if ratio > peer.part {
							b.Errorf("%s takes %.2f of the processor time of %s, want at most %.2f", o.name, ratio, peer.name, peer.part)
						}
					}
					b.ReportMetric(0, "ns/op")
				})
			}
		})
	}
}

// measure is the processor time of a server per operation: at least 2 s of it, since it is counted in hundredths.
func measure(b *testing.B, p *os.Process, send func(string, string) error, operation string, request func(int) string) time.Duration {
	before, n := cpu(b, p), 0
	for {
		load(b, send, operation, request, 2000)
		n += 2000
		if used := cpu(b, p) - before; used > 2*time.Second || n >= 40_000 {
			return used / time.Duration(n)
		}
	}
}

// load sends n requests from 16 goroutines.
func load(b *testing.B, send func(string, string) error, operation string, request func(int) string, n int) {
	b.Helper()
	var next atomic.Int64
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				if err := send(operation, request(i)); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
}
