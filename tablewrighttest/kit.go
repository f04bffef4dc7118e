package tablewrighttest

import (
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/keys"
)

// Kit is a database of a test's own. It is safe for concurrent use.
type Kit struct {
	DB     *tablewright.DB
	Engine *engine.Engine
	Clock  *engine.ManualClock

	tables []*tablewright.Table
	direct *tablewright.DB // past hooks, faults of the way and the recorder
	calls  recorder
	review *reviewer // nil: nobody looks
}

// Options of a Kit; the zero Options are what Start takes.
type Options struct {
	// Engine are options of the engine: lag of indexes, throttling, the shards of streams, … Its Clock is the Kit's.
	Engine engine.Options
	// Client are options of the DB: hooks, budget of retries, names of tables, … Clock and IDs are the Kit's unless given;
	// those that concern the way to AWS are not used.
	Client tablewright.Options
	// Now is where the clock begins; the zero time is the beginning of 2026, UTC.
	Now time.Time
	// HTTP puts a server between client and engine: as slow as a request is, and as real.
	HTTP bool
	// Review has requests looked at as a reviewer would, and remarks made at the end of the test. The zero value is what the
	// environment variable TABLEWRIGHT_REVIEW says.
	Review Review
}

// Start makes a Kit for t, with the tables as they are declared. What cannot be made ends the test.
func Start(t testing.TB, tables ...*tablewright.Table) *Kit {
	t.Helper()
	return StartWith(t, Options{}, tables...)
}

// StartWith is Start with options.
func StartWith(t testing.TB, o Options, tables ...*tablewright.Table) *Kit {
	t.Helper()
	k := &Kit{Clock: engine.NewClock(o.Now), tables: tables}
	o.Engine.Clock = k.Clock
	k.Engine = engine.New(t, o.Engine)
	if o.Client.Clock == nil {
		o.Client.Clock = k.Clock
	}
	if o.Client.IDs == nil {
		o.Client.IDs = newIDs(k.Clock)
	}
	way := tablewright.InProcess(k.Engine)
	k.direct = tablewright.New(way, tablewright.Options{Clock: k.Clock, TableName: o.Client.TableName})
	o.Client.Hooks = append(append([]tablewright.Hook(nil), o.Client.Hooks...), k.calls.hook)
	if mode := o.Review.settled(); mode != ReviewOff {
		k.review = newReviewer(t, k.Clock, tables, mode)
		o.Client.Hooks = append(o.Client.Hooks, tablewright.Statistics(k.review.collector))
	}
	if o.HTTP {
		server := httptest.NewServer(k.Engine.Handler())
		t.Cleanup(server.Close)
		o.Client.Endpoint = server.URL
		if o.Client.Region = o.Engine.Region; o.Client.Region == "" {
			o.Client.Region = "us-east-1" // as the engine's
		}
		db, err := tablewright.Connect(t.Context(), o.Client)
		if err != nil {
			t.Fatalf("tablewrighttest: %v", err)
		}
		k.DB = db
	} else {
		k.DB = tablewright.New(way, o.Client)
	}
	for _, table := range tables {
		if err := table.CreateIn(t.Context(), k.direct); err != nil {
			t.Fatalf("tablewrighttest: making table %s: %v", table.Name(), err)
		}
	}
	return k
}

// ids makes the same identifiers in every run.
type ids struct{ *keys.IDs }

func newIDs(clock *engine.ManualClock) ids {
	return ids{keys.NewIDs(clock.Now, rand.NewChaCha8([32]byte{}))}
}

// ID makes a UUID of version 7, a KSUID, or of any other kind a ULID.
func (g ids) ID(kind string) string {
	switch kind {
	case "uuid":
		return g.UUID7()
	case "ksuid":
		return g.KSUID()
	}
	return g.ULID()
}

// Fault is something that goes wrong with requests: see [engine.Fault].
type Fault = engine.Fault

// ErrAnswerLost is the error of a call whose answer was lost: what DropAnswer of a Fault makes, and what Step.Fail takes for
// the same.
var ErrAnswerLost = engine.ErrAnswerLost

// Inject has requests meet a fault from now on. The answer tells how many have met it, and removes it.
func (k *Kit) Inject(f Fault) *engine.Injected { return k.Engine.Inject(f) }

// Reader is a declared entity or view.
type Reader[K, T any] interface {
	Get(key K) tablewright.Get[T]
}

// Key is the key of an item in DynamoDB JSON, as Fault.Key and the engine's Hold take it. A key that there cannot be panics:
// it is a mistake of the test.
func Key[K, T any](e Reader[K, T], key K) string {
	request, err := e.Get(key).Request()
	if err != nil {
		panic("tablewrighttest: " + err.Error())
	}
	d := attr.NewDecoder(request.Body)
	text := ""
	for name := range d.Fields("") {
		if string(name) == "Key" {
			text = string(d.Raw())
		}
	}
	return text
}

// place names a file for a message, shortly if it lies below the working directory.
func place(file string) string {
	if dir, err := os.Getwd(); err == nil {
		file = strings.TrimPrefix(file, dir+string(os.PathSeparator))
	}
	return file
}
