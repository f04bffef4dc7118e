package engine_test

import (
	"errors"
	"flag"
	"log/slog"
	"math/rand/v2"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/engine/internal/kv"
	"github.com/tablewright/tablewright/engine/internal/kv/kvtest"
	"github.com/tablewright/tablewright/internal/norace"
	"github.com/tablewright/tablewright/wire"
)

var powerRounds = flag.Int("power-rounds", 100, "how often TestPowerLoss has the power lost")

// TestPowerLoss is TestKill on a disk that loses power: what was not synced is gone or torn, sector by sector, in the log
// and in the file of tables, and before that a write may find the disk full or a sync fail. What was answered is there,
// nothing is half done, tables, indexes and figures agree, and the stream tells all of it once. Ten minutes pass in each
// round, so that iterators expire and records are trimmed while the power fails.
func TestPowerLoss(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	rounds := *powerRounds
	if testing.Short() {
		rounds = min(rounds, 10)
	}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	dir := memoryDir(t)
	next := kvtest.NewDisk(dir, seed)
	load := newCrashLoad(seed)
	var reader crashReader
	var clock driftingClock
	for round := range rounds {
		disk := next
		store, err := kv.OpenDurable(dir, disk.Options(100_000))
		if err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		e, err := engine.OpenStore(store, &engine.Options{Clock: &clock, SweepEvery: 20 * time.Millisecond, Streams: crashStreams, Logger: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		if err := e.Check(); err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		send := func(operation, request string) ([]byte, error) {
			if disk.Crashed() { // reads go on in this process, but nobody is there to ask
				return nil, kvtest.ErrCrashed
			}
			answer, err := e.Do(t.Context(), operation, []byte(request))
			var refused *wire.Error
			if errors.As(err, &refused) && refused.HTTPStatus() < 500 {
				return nil, &refusedError{operation, refused.Error()}
			}
			return answer, err
		}
		if round == 0 {
			if _, err := send("CreateTable", withStream(schema, "NEW_AND_OLD_IMAGES")); err != nil {
				t.Fatal(err)
			}
		}
		load.verify(t, send)
		reader.verify(t, send, round)
		load.resend(t, send)
		load.settle(t, send)
		clock.advance(10 * time.Minute)
		if t.Failed() {
			t.Fatalf("in round %d", round)
		}
		disk.CrashAfter(1 + r.IntN(100))
		if r.IntN(2) == 0 {
			disk.FailAfter(1 + r.IntN(50))
		}
		var clients sync.WaitGroup
		for _, c := range load.clients() {
			clients.Go(func() { c.run(t, send) })
		}
		done := make(chan struct{})
		go func() { clients.Wait(); close(done) }()
		select { // a client ends with the first request that has no answer, so that all may before the crash
		case <-done:
		case <-time.After(time.Duration(r.IntN(200)) * time.Millisecond):
		}
		disk.Crash()
		<-done
		_ = e.Close() // cannot write any more
		last := dir
		dir = memoryDir(t)
		if next, err = disk.Restart(dir); err != nil {
			t.Fatal(err)
		}
		if err := os.RemoveAll(last); err != nil {
			t.Fatal(err)
		}
	}
	answered, flying := load.counts()
	t.Logf("%d writes were answered, an index was added %d times; %d clients wait for an answer of the last round", answered, load.indexer.added, flying)
	if answered < rounds || flying == 0 {
		t.Error("too few writes, or none under way when the power was lost: little was tested")
	}
}

// driftingClock is the system's clock and what it was advanced by.
type driftingClock struct{ ahead atomic.Int64 }

func (c *driftingClock) Now() time.Time { return time.Now().Add(time.Duration(c.ahead.Load())) }

func (c *driftingClock) advance(d time.Duration) { c.ahead.Add(int64(d)) }

// memoryDir is a folder that is synced in no time, where there is such.
func memoryDir(t *testing.T) string {
	dir, err := os.MkdirTemp("/dev/shm", "tablewright")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}
