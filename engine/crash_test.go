package engine_test

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/internal/httpd"
	"github.com/tablewright/tablewright/internal/norace"
)

var crashRounds = flag.Int("crash-rounds", 40, "how often TestKill kills the server under load")

// The child of TestKill is this test binary, started with the directory in this variable.
const crashDir = "TABLEWRIGHT_TEST_CRASH_DIR"

func TestMain(m *testing.M) {
	if dir := os.Getenv(crashDir); dir != "" {
		crashChild(dir)
	}
	if where := os.Getenv(serveIn); where != "" {
		serveChild(where)
	}
	os.Exit(m.Run())
}

// crashChild serves the tables in a directory until it is killed. It looks through the data first, so that a directory
// that a kill has left in disorder is never written to, and tells its address on standard output when all is well.
func crashChild(dir string) {
	e, err := engine.Open(dir, &engine.Options{Streams: crashStreams})
	if err == nil {
		err = e.Check()
	}
	serveAndTell(e, err)
}

// serveAndTell serves an engine that was opened without an error and tells the address, or the error, on standard output.
func serveAndTell(e *engine.Engine, err error) {
	var l net.Listener
	if err == nil {
		l, err = net.Listen("tcp", "127.0.0.1:0")
	}
	if err == nil {
		fmt.Println("serving", l.Addr())
		err = httpd.New(&http.Server{Handler: e.Handler()}).Serve(l)
	}
	fmt.Println("failed", strings.ReplaceAll(err.Error(), "\n", "; "))
	os.Exit(1)
}

// TestKill kills the server with SIGKILL again and again while clients write, and starts it on the same directory:
// everything that was answered is there, nothing is half done, nothing is done twice when it is sent again, tables,
// indexes and figures agree, and the stream tells all of it once. Some kills come while the server still opens what the last one left.
func TestKill(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	rounds := *crashRounds
	if testing.Short() {
		rounds = min(rounds, 10)
	}
	dir := t.TempDir()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	load := newCrashLoad(seed)
	var reader crashReader
	began := time.Now()
	for round := range rounds {
		if round > 0 && round%100 == 0 { // with -v: that rounds do not get slower
			t.Logf("%d rounds after %v", round, time.Since(began).Round(time.Second))
		}
		if round%8 == 7 {
			child := startCrashChild(t, dir)
			time.Sleep(time.Duration(r.IntN(15)) * time.Millisecond)
			child.kill()
		}
		child := startCrashChild(t, dir)
		send := newCrashSender(child.address(t))
		if round == 0 {
			if _, err := send("CreateTable", withStream(schema, "NEW_AND_OLD_IMAGES")); err != nil {
				t.Fatal(err)
			}
		}
		load.verify(t, send)
		reader.verify(t, send, round)
		load.resend(t, send)
		load.settle(t, send)
		if t.Failed() {
			child.kill()
			t.Fatalf("in round %d", round)
		}
		var clients sync.WaitGroup
		for _, c := range load.clients() {
			clients.Go(func() { c.run(t, send) })
		}
		time.Sleep(time.Duration(5+r.IntN(90)) * time.Millisecond)
		child.kill()
		clients.Wait()
	}
	answered, flying := load.counts()
	t.Logf("%d writes were answered, an index was added %d times; %d clients wait for an answer of the last round", answered, load.indexer.added, flying)
	if answered < rounds || flying == 0 || load.indexer.added == 0 {
		t.Error("too few writes, or none under way when the server was killed: little was tested")
	}
	e, err := engine.Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	e.WaitFilled() // an index whose filling was cut off is filled in the end
	if _, err := e.Do(t.Context(), "CreateTable", []byte(strings.Replace(fmt.Sprintf(hashTable, ""), "tbl", "last", 1))); err != nil {
		t.Error(err) // an engine that wrote nothing would leave the log when it is closed
	}
	if err := errors.Join(e.Check(), e.Close()); err != nil {
		t.Error(err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) != 2 { // the data and its lock
		t.Errorf("the directory has %v: kills must not leave files behind", left)
	}
}

// childProcess is a running child, which serves.
type childProcess struct {
	cmd *exec.Cmd
	out io.ReadCloser
}

func startCrashChild(t *testing.T, dir string) *childProcess {
	return startChild(t, crashDir+"="+dir)
}

// startChild starts this test binary as a server, told by its environment.
func startChild(t testing.TB, env string) *childProcess {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run", "^$")
	cmd.Env = append(os.Environ(), env)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return &childProcess{cmd, out}
}

// address waits until the child serves.
func (p *childProcess) address(t testing.TB) string {
	t.Helper()
	line, _ := bufio.NewReader(p.out).ReadString('\n')
	address, ok := strings.CutPrefix(strings.TrimSpace(line), "serving ")
	if !ok {
		p.kill()
		t.Fatalf("the server does not start: %s", line)
	}
	return address
}

// kill is kill -9: nothing of the process runs any more.
func (p *childProcess) kill() {
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
}

// newCrashSender makes a function that sends requests to an address and gives their answers. An error that is not a
// *refusedError is that there is no answer.
func newCrashSender(address string) func(operation, request string) ([]byte, error) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 16}}
	return func(operation, request string) ([]byte, error) {
		req, err := http.NewRequest(http.MethodPost, "http://"+address+"/", strings.NewReader(request))
		if err != nil {
			return nil, err
		}
		req.Header.Set("Content-Type", "application/x-amz-json-1.0")
		req.Header.Set("X-Amz-Target", targetOf(operation))
		sign(req.Header)
		resp, err := client.Do(req)
		if err != nil {
			return nil, err
		}
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			return nil, err
		}
		if resp.StatusCode != http.StatusOK {
			return nil, &refusedError{operation, string(body)}
		}
		return body, nil
	}
}

type refusedError struct{ operation, body string }

func (e *refusedError) Error() string { return e.operation + ": " + e.body }

// targetOf is the header X-Amz-Target of an operation.
func targetOf(operation string) string {
	switch operation {
	case "DescribeStream", "GetRecords", "GetShardIterator", "ListStreams":
		return "DynamoDBStreams_20120810." + operation
	}
	return "DynamoDB_20120810." + operation
}
