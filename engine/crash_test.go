package engine_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/wire"
)

var crashRounds = flag.Int("crash-rounds", 5, "how often TestKill kills the engine under load")

// The child of TestKill is this test binary, started with the directory in this variable: it opens the engine and writes
// until it is killed, telling on standard output what was begun and what was answered.
const crashDir = "TABLEWRIGHT_TEST_CRASH_DIR"

func TestMain(m *testing.M) {
	if dir := os.Getenv(crashDir); dir != "" {
		crashChild(dir)
		return
	}
	if address := os.Getenv(serveAddress); address != "" {
		serveChild(address)
	}
	os.Exit(m.Run())
}

const crashWriters = 8

// crashChild writes from several goroutines. Each has items of its own, so that the parent knows what must be there:
// goroutine w puts version after version of item w, and moves one of 100 tokens between two counters, with the version in
// the same transaction. Lines: "begin w v", "done w v".
func crashChild(dir string) {
	e, err := engine.Open(dir, nil)
	if err != nil {
		fmt.Println("error", err)
		return
	}
	if _, err := try(e, "CreateTable", schema); err != nil && !errors.Is(err, wire.ErrExists) {
		fmt.Println("error", err)
		return
	}
	var mu sync.Mutex
	say := func(what string, w, v int) {
		mu.Lock()
		defer mu.Unlock()
		fmt.Println(what, w, v)
	}
	var wg sync.WaitGroup
	for w := range crashWriters {
		wg.Go(func() {
			start := version(e, w)
			for v := start + 1; ; v++ {
				say("begin", w, v)
				if err := crashWrite(e, w, v); err != nil {
					fmt.Println("error", err)
					return
				}
				say("done", w, v)
			}
		})
	}
	wg.Wait()
}

// crashWrite writes version v of writer w: an item with its version, a new item that only this version has, and the removal of
// the one 3 versions ago, all in one transaction.
func crashWrite(e *engine.Engine, w, v int) error {
	request := fmt.Sprintf(`{"ClientRequestToken":"%[1]d-%[2]d","TransactItems":[
		{"Put":{"TableName":"tbl","Item":{"pk":{"S":"writer"},"sk":{"N":"%[1]d"},"v":{"N":"%[2]d"},"g":{"S":"g%[3]d"},"h":{"N":"%[2]d"},"l":{"S":"l%[2]d"}}}},
		{"Put":{"TableName":"tbl","Item":{"pk":{"S":"w%[1]d"},"sk":{"N":"%[2]d"},"g":{"S":"all"},"h":{"N":"%[1]d"},"x":{"S":"%[4]s"}}}},
		{"Delete":{"TableName":"tbl","Key":{"pk":{"S":"w%[1]d"},"sk":{"N":"%[5]d"}}}}]}`, w, v, v%3, strings.Repeat("x", v%5*300), v-3)
	_, err := try(e, "TransactWriteItems", request)
	return err
}

// version is the last version of writer w that is stored.
func version(e *engine.Engine, w int) int {
	body, err := e.Do(context.Background(), "GetItem", fmt.Appendf(nil, `{"TableName":"tbl","Key":{"pk":{"S":"writer"},"sk":{"N":"%d"}},"ProjectionExpression":"v"}`, w))
	if err != nil {
		return -1
	}
	var answer struct {
		Item struct {
			V struct {
				N int `json:",string"`
			}
		}
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return -1
	}
	return answer.Item.V.N
}

// TestKill kills the engine under load and opens its data again: everything that was answered is there, nothing is half
// done, and tables, indexes and figures agree. go test -run TestKill -crash-rounds 100 does it more often.
func TestKill(t *testing.T) {
	if testing.Short() {
		t.Skip("kills processes")
	}
	dir := t.TempDir()
	r := rand.New(rand.NewPCG(uint64(os.Getpid()), 1))
	answered := 0
	for round := range *crashRounds {
		begun, done := crashRound(t, dir, time.Duration(20+r.IntN(150))*time.Millisecond)
		e, err := engine.Open(dir, &engine.Options{NoSync: true})
		if err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		if err := e.Check(); err != nil {
			t.Errorf("round %d: %v", round, err)
		}
		for w := range crashWriters {
			v := version(e, w)
			if v < done[w] || begun[w] != 0 && v > begun[w] {
				t.Errorf("round %d: writer %d has version %d, was answered %d and began %d", round, w, v, done[w], begun[w])
			}
			checkVersion(t, e, w, v)
			answered += done[w]
		}
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if answered == 0 {
		t.Error("no write was answered in any round: nothing was tested")
	}
}

// checkVersion: of writer w there are exactly the last three versions' items.
func checkVersion(t *testing.T, e *engine.Engine, w, v int) {
	t.Helper()
	var want []string
	for i := max(v-2, 1); i <= v; i++ {
		want = append(want, fmt.Sprint(i))
	}
	answer, err := try(e, "Query", `{"TableName":"tbl","KeyConditionExpression":"pk = :p","ExpressionAttributeValues":{":p":{"S":"w%d"}}}`, w)
	if err != nil {
		if v > 0 {
			t.Error(err)
		}
		return
	}
	var got []string
	for _, it := range answer["Items"].([]any) {
		got = append(got, it.(map[string]any)["sk"].(map[string]any)["N"].(string))
	}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("writer %d at version %d has items %v, want %v", w, v, got, want)
	}
}

// crashRound runs the child for a time, kills it, and returns by writer the last version begun and answered.
func crashRound(t *testing.T, dir string, d time.Duration) (begun, done [crashWriters]int) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run", "^$")
	cmd.Env = append(os.Environ(), crashDir+"="+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	var timer *time.Timer
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			if !errors.Is(err, io.EOF) && !errors.Is(err, os.ErrClosed) {
				t.Log(err)
			}
			break // a line cut off by the kill counts as not said
		}
		if timer == nil { // the load has begun
			timer = time.AfterFunc(d, func() { _ = cmd.Process.Kill() })
		}
		var what string
		var w, v int
		if n, _ := fmt.Sscan(line, &what, &w, &v); n != 3 {
			t.Errorf("the child says %s", line)
			continue
		}
		if what == "begin" {
			begun[w] = v
		} else {
			done[w] = v
		}
	}
	_ = cmd.Wait() // killed
	return begun, done
}
