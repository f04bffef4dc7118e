package relay_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/relay"
)

type Message struct {
	Room string `ddb:"room"`
	At   int    `ddb:"at"`
	Kind string `ddb:"kind"`
}

type MessageKey struct {
	Room string
	At   int
}

var Chat = tablewright.NewTable(plan.Table{Name: "Chat", Key: plan.Key{Partition: "room", Sort: "at"},
	GSI: map[string]plan.Index{"ByKind": {Partition: []string{"kind"}, Sort: []string{"at"}}}})

var Messages = tablewright.Declare[struct {
	tablewright.Entity[MessageKey, Message]
	Kind   tablewright.Text[Message, string]
	InRoom tablewright.Index1[Message, string, int] `index:"Chat"`
	ByKind tablewright.Index1[Message, string, int]
}](Chat, plan.Item{Name: "Message"})

// calls counts requests by operation, and keys of batches.
type calls struct {
	mu   sync.Mutex
	n    map[string]int
	fail atomic.Pointer[error]
	hold atomic.Pointer[chan struct{}]
}

func (c *calls) hook(next tablewright.Transport) tablewright.Transport {
	return tablewright.TransportFunc(func(ctx context.Context, call *tablewright.Call) error {
		c.mu.Lock()
		c.n[call.Operation]++
		c.mu.Unlock()
		if hold := c.hold.Load(); hold != nil {
			select {
			case <-*hold:
			case <-ctx.Done():
				c.mu.Lock()
				c.n["ended"]++
				c.mu.Unlock()
				return ctx.Err()
			}
		}
		if err := c.fail.Load(); err != nil {
			return *err
		}
		return next.Do(ctx, call)
	})
}

func (c *calls) of(operation string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.n[operation]
}

func open(t testing.TB, n int) (*tablewright.DB, *calls) {
	t.Helper()
	c := &calls{n: map[string]int{}}
	db := tablewright.New(tablewright.InProcess(engine.New(t, engine.Options{})), tablewright.Options{Hooks: []tablewright.Hook{c.hook}, Retry: tablewright.Retry{Attempts: 1}})
	if err := Chat.CreateIn(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	err := Messages.PutAll(func(yield func(Message) bool) {
		for i := range n {
			if !yield(Message{"r", i, []string{"text", "image"}[min(i%5, 1)]}) {
				return
			}
		}
	}).Run(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	return db, c
}

func ptr[T any](v T) *T { return &v }

// TestConnectionsBothWays: whatever the query, paging forward and backward in pages of any size shows every item once, in the
// query's order, and what is said to be beyond a page is.
func TestConnectionsBothWays(t *testing.T) {
	db, _ := open(t, 37)
	random := rand.New(rand.NewPCG(1, 2))
	for name, q := range map[string]tablewright.Query[Message]{
		"table":      Messages.InRoom.Of("r").Query,
		"descending": Messages.InRoom.Of("r").Descending(),
		"range":      Messages.InRoom.Of("r").Between(5, 30),
		"open end":   Messages.InRoom.Of("r").After(7),
		"index":      Messages.ByKind.Of("image").Query,
		"filter":     Messages.InRoom.Of("r").Filter(Messages.Kind.Equals("text")),
		"no match":   Messages.InRoom.Of("r").Filter(Messages.Kind.Equals("none")),
		"empty":      Messages.InRoom.Of("nowhere").Query,
	} {
		t.Run(name, func(t *testing.T) {
			want, err := q.Slice(t.Context(), db)
			if err != nil {
				t.Fatal(err)
			}
			for range 6 {
				at, after := 0, (*string)(nil)
				for {
					n := 1 + random.IntN(8)
					c, err := relay.Connect(t.Context(), db, q, relay.Args{First: ptr(int32(n)), After: after})
					if err != nil {
						t.Fatal(err)
					}
					until := min(at+n, len(want))
					if !slices.Equal(c.Nodes(), want[at:until]) || c.PageInfo.HasNextPage != (until < len(want)) || c.PageInfo.HasPreviousPage != (after != nil) {
						t.Fatalf("first %d at %d: %v %+v", n, at, c.Nodes(), c.PageInfo)
					}
					if at = until; !c.PageInfo.HasNextPage {
						break
					}
					after = c.PageInfo.EndCursor
				}
				at, before := len(want), (*string)(nil)
				for {
					n := 1 + random.IntN(8)
					c, err := relay.Connect(t.Context(), db, q, relay.Args{Last: ptr(int32(n)), Before: before})
					if err != nil {
						t.Fatal(err)
					}
					from := max(at-n, 0)
					if !slices.Equal(c.Nodes(), want[from:at]) || c.PageInfo.HasPreviousPage != (from > 0) || c.PageInfo.HasNextPage != (before != nil) {
						t.Fatalf("last %d at %d: %v %+v", n, at, c.Nodes(), c.PageInfo)
					}
					if at = from; !c.PageInfo.HasPreviousPage {
						break
					}
					before = c.PageInfo.StartCursor
				}
			}
		})
	}
}

// TestCursorsAreTheSameBothWays: an edge has one cursor, however the page was asked for.
func TestCursorsAreTheSameBothWays(t *testing.T) {
	db, _ := open(t, 10)
	q := Messages.InRoom.Of("r").Query
	forward, err := relay.Connect(t.Context(), db, q, relay.Args{First: ptr(int32(10))})
	if err != nil {
		t.Fatal(err)
	}
	backward, err := relay.Connect(t.Context(), db, q, relay.Args{Last: ptr(int32(10))})
	if err != nil || !slices.Equal(forward.Edges, backward.Edges) {
		t.Errorf("%v\n%v\n%v", err, forward.Edges, backward.Edges)
	}
	if *forward.PageInfo.StartCursor != forward.Edges[0].Cursor || *forward.PageInfo.EndCursor != forward.Edges[9].Cursor {
		t.Error(forward.PageInfo)
	}
}

// TestEvaluateBounds: where Evaluate ends a page behind a filter before anything passed, it is said where to go on.
func TestEvaluateBounds(t *testing.T) {
	db, _ := open(t, 20)
	q := Messages.InRoom.Of("r").Filter(Messages.Kind.Equals("text")).Evaluate(3)
	var seen []int
	after := (*string)(nil)
	for range 30 {
		c, err := relay.Connect(t.Context(), db, q, relay.Args{First: ptr(int32(2)), After: after})
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range c.Nodes() {
			seen = append(seen, m.At)
		}
		if !c.PageInfo.HasNextPage {
			break
		}
		if after = c.PageInfo.EndCursor; after == nil {
			t.Fatal("more follows, and it is not said where")
		}
	}
	if !slices.Equal(seen, []int{0, 5, 10, 15}) {
		t.Error(seen)
	}
	seen = nil
	before := (*string)(nil)
	for range 30 {
		c, err := relay.Connect(t.Context(), db, q, relay.Args{Last: ptr(int32(2)), Before: before})
		if err != nil {
			t.Fatal(err)
		}
		for i := range c.Edges {
			seen = append(seen, c.Edges[len(c.Edges)-1-i].Node.At)
		}
		if !c.PageInfo.HasPreviousPage {
			break
		}
		if before = c.PageInfo.StartCursor; before == nil {
			t.Fatal("more precedes, and it is not said where")
		}
	}
	if !slices.Equal(seen, []int{15, 10, 5, 0}) {
		t.Error(seen)
	}
}

func TestArguments(t *testing.T) {
	db, c := open(t, 30)
	q := Messages.InRoom.Of("r").Query
	for _, a := range []relay.Args{
		{First: ptr(int32(1)), Last: ptr(int32(1))}, {First: ptr(int32(0))}, {First: ptr(int32(-1))}, {Last: ptr(int32(101))},
		{First: ptr(int32(11)), Most: 10}, {First: ptr(int32(1)), Before: ptr("x")}, {Before: ptr("x")}, {Last: ptr(int32(1)), After: ptr("x")},
	} {
		if _, err := relay.Connect(t.Context(), db, q, a); !errors.Is(err, tablewright.ErrInvalid) {
			t.Errorf("%+v: %v", a, err)
		}
	}
	for want, a := range map[int]relay.Args{20: {}, 5: {Default: 5}, 7: {Most: 7}} {
		if got, err := relay.Connect(t.Context(), db, q, a); err != nil || len(got.Edges) != want {
			t.Errorf("%+v: %v, %d edges", a, err, len(got.Edges))
		}
	}
	asked := c.of("Query")
	for _, a := range []relay.Args{{First: ptr(int32(1)), After: ptr("x")}, {Last: ptr(int32(1)), Before: ptr("x")}} {
		if _, err := relay.Connect(t.Context(), db, q, a); !errors.Is(err, tablewright.ErrCursor) {
			t.Errorf("%+v: %v", a, err)
		}
	}
	if c.of("Query") != asked {
		t.Error("a wrong cursor was sent")
	}
	if _, err := relay.Connect(t.Context(), db, q.Top(3), relay.Args{Last: ptr(int32(1))}); !errors.Is(err, tablewright.ErrInvalid) {
		t.Error(err)
	}
}

// TestLoader: what is asked for at the same time is one request, each key once; what is known is not asked for again.
func TestLoader(t *testing.T) {
	db, c := open(t, 250)
	l := relay.NewLoader(db, Messages, relay.LoaderOptions{Wait: 100 * time.Millisecond})
	var wait sync.WaitGroup
	for i := range 90 {
		wait.Go(func() {
			m, err := l.Load(t.Context(), MessageKey{"r", i % 30})
			if err != nil || m.At != i%30 {
				t.Errorf("%v %v", m, err)
			}
		})
	}
	wait.Wait()
	if n := c.of("BatchGetItem"); n != 1 {
		t.Errorf("%d requests", n)
	}
	keys := []MessageKey{{"r", 3}, {"r", 999}, {"r", 3}}
	for range 2 { // the second time nothing is asked for
		found, err := l.LoadAll(t.Context(), keys)
		if err != nil || !found[0].OK || found[1].OK || found[2].Item.At != 3 {
			t.Errorf("%v %v", found, err)
		}
	}
	if _, err := l.Load(t.Context(), MessageKey{"r", 999}); !errors.Is(err, tablewright.ErrNotFound) {
		t.Error(err)
	}
	if n := c.of("BatchGetItem"); n != 2 {
		t.Errorf("%d requests", n)
	}
	l.Prime(MessageKey{"r", 1000}, Message{"r", 1000, "primed"})
	if m, err := l.Load(t.Context(), MessageKey{"r", 1000}); err != nil || m.Kind != "primed" || c.of("BatchGetItem") != 2 {
		t.Error(m, err)
	}
	l.Clear(MessageKey{"r", 1000})
	if _, err := l.Load(t.Context(), MessageKey{"r", 1000}); !errors.Is(err, tablewright.ErrNotFound) {
		t.Error(err)
	}
	// A hundred keys do not wait.
	patient := relay.NewLoader(db, Messages, relay.LoaderOptions{Wait: time.Hour})
	all := make([]MessageKey, 200)
	for i := range all {
		all[i] = MessageKey{"r", i}
	}
	before := c.of("BatchGetItem")
	if found, err := patient.LoadAll(t.Context(), all); err != nil || found[199].Item.At != 199 || c.of("BatchGetItem") != before+2 {
		t.Errorf("%v, %d requests", err, c.of("BatchGetItem")-before)
	}
}

// TestLoaderErrors: an error reaches all who wait, and is not remembered; a key that cannot be asked for is the error of who
// asked for it alone.
func TestLoaderErrors(t *testing.T) {
	db, c := open(t, 10)
	l := relay.NewLoader(db, Messages, relay.LoaderOptions{})
	broken := errors.New("broken")
	c.fail.Store(&broken)
	if _, err := l.LoadAll(t.Context(), []MessageKey{{"r", 1}, {"r", 2}}); err == nil {
		t.Error("no error")
	}
	c.fail.Store(nil)
	if m, err := l.Load(t.Context(), MessageKey{"r", 1}); err != nil || m.At != 1 {
		t.Error(m, err)
	}
	var wait sync.WaitGroup
	for i := range 5 {
		wait.Go(func() {
			key, want := MessageKey{"r", i}, error(nil)
			if i == 3 {
				key.Room, want = "", tablewright.ErrInvalid
			}
			if _, err := l.Load(t.Context(), key); !errors.Is(err, want) {
				t.Errorf("%v: %v", key, err)
			}
		})
	}
	wait.Wait()
}

// TestLoaderEnds: a Load ends with its context and leaves the others alone; a request that nobody waits for ends.
func TestLoaderEnds(t *testing.T) {
	db, c := open(t, 10)
	hold := make(chan struct{})
	c.hold.Store(&hold)
	l := relay.NewLoader(db, Messages, relay.LoaderOptions{})
	ctx, cancel := context.WithCancel(t.Context())
	staying := make(chan error, 1)
	go func() {
		_, err := l.Load(t.Context(), MessageKey{"r", 1})
		staying <- err
	}()
	leaving := make(chan error, 1)
	go func() {
		_, err := l.Load(ctx, MessageKey{"r", 1})
		leaving <- err
	}()
	for c.of("BatchGetItem") == 0 {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(5 * time.Millisecond) // both ask
	cancel()
	if err := <-leaving; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	close(hold)
	if err := <-staying; err != nil {
		t.Error(err)
	}
	held := make(chan struct{})
	c.hold.Store(&held)
	short, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := l.LoadAll(short, []MessageKey{{"r", 5}, {"r", 6}}); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	for start := time.Now(); c.of("ended") == 0; time.Sleep(time.Millisecond) {
		if time.Since(start) > 5*time.Second {
			t.Fatal("the request goes on though nobody waits")
		}
	}
	c.hold.Store(nil)
	if m, err := l.Load(t.Context(), MessageKey{"r", 5}); err != nil || m.At != 5 {
		t.Error(m, err)
	}
	if _, err := l.Load(short, MessageKey{"r", 7}); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

func ExampleConnect() {
	ctx := context.Background()
	e, err := engine.Open("", nil)
	if err != nil {
		panic(err)
	}
	defer e.Close()
	db := tablewright.New(tablewright.InProcess(e), tablewright.Options{})
	if err := Chat.CreateIn(ctx, db); err != nil {
		panic(err)
	}
	for at := range 5 {
		if err := Messages.Put(Message{Room: "r", At: at, Kind: "text"}).Run(ctx, db); err != nil {
			panic(err)
		}
	}
	newest := Messages.InRoom.Of("r").Descending()
	page, err := relay.Connect(ctx, db, newest, relay.Args{First: ptr(int32(2))})
	fmt.Println(page.Nodes(), page.PageInfo.HasNextPage, err)
	page, err = relay.Connect(ctx, db, newest, relay.Args{Last: ptr(int32(2))})
	fmt.Println(page.Nodes(), page.PageInfo.HasPreviousPage, err)
	// Output:
	// [{r 4 text} {r 3 text}] true <nil>
	// [{r 1 text} {r 0 text}] true <nil>
}

func ExampleLoader() {
	ctx := context.Background()
	e, err := engine.Open("", nil)
	if err != nil {
		panic(err)
	}
	defer e.Close()
	var used tablewright.Usage
	db := tablewright.New(tablewright.InProcess(e), tablewright.Options{}).Measure(&used)
	if err := Chat.CreateIn(ctx, db); err != nil {
		panic(err)
	}
	if err := Messages.Put(Message{Room: "r", At: 1, Kind: "text"}).Run(ctx, db); err != nil {
		panic(err)
	}
	messages := relay.NewLoader(db, Messages, relay.LoaderOptions{Wait: 20 * time.Millisecond}) // for each request of the server's
	before := used.Requests
	var wait sync.WaitGroup
	for range 10 { // resolvers
		wait.Go(func() { _, _ = messages.Load(ctx, MessageKey{"r", 1}) })
	}
	wait.Wait()
	m, err := messages.Load(ctx, MessageKey{"r", 1})
	fmt.Println(m, err, used.Requests-before)
	// Output: {r 1 text} <nil> 1
}
