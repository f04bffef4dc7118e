package stats_test

import (
	"context"
	"fmt"
	"iter"
	"sync"
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/internal/norace"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/stats"
)

// sale is as large as most items are: nine attributes, 250 bytes of JSON.
type sale struct {
	ID       string  `ddb:"orderId"`
	Customer string  `ddb:"customerId"`
	Status   string  `ddb:"status"`
	PlacedAt string  `ddb:"placedAt"`
	Total    float64 `ddb:"total"`
	Note     string  `ddb:"note"`
	Version  int     `ddb:"version"`
}

var market = tablewright.NewTable(plan.Table{Name: "Market", Key: plan.Key{Partition: "PK", Sort: "SK"},
	GSI: map[string]plan.Index{"ByCustomer": {Partition: []string{"customerId"}, Sort: []string{"placedAt"}}}})

var sales = tablewright.Declare[struct {
	tablewright.Entity[string, sale]
	Status     tablewright.Text[sale, string]
	Version    tablewright.Number[sale, int]
	ByCustomer tablewright.Index1[sale, string, string]
}](market, plan.Item{Name: "Sale", Key: map[string]string{"PK": "o#{orderId}", "SK": "o"}})

func saleOf(id, customer int) sale {
	return sale{fmt.Sprint(id), fmt.Sprint("c", customer), "paid", "2026-11-21T12:00:00.000Z", 19.9, "ring twice", 1}
}

func salesOf(first, n, customer int) iter.Seq[sale] {
	return func(yield func(sale) bool) {
		for i := range n {
			if !yield(saleOf(first+i, customer)) {
				return
			}
		}
	}
}

// each are what a program does, with how many items a look into one such call reads, and of how many parts the call consists.
var each = []struct {
	name         string
	do           func(ctx context.Context, db *tablewright.DB, i int) error
	items, parts float64
}{
	{"get", func(ctx context.Context, db *tablewright.DB, i int) error {
		_, err := sales.Get(fmt.Sprint(i)).Run(ctx, db)
		return err
	}, 1, 0},
	{"put", func(ctx context.Context, db *tablewright.DB, i int) error {
		return sales.Put(saleOf(i, i)).Run(ctx, db)
	}, 1, 0},
	{"create", func(ctx context.Context, db *tablewright.DB, i int) error {
		return sales.Create(saleOf(1000+i, i)).Run(ctx, db)
	}, 1, 0},
	{"update", func(ctx context.Context, db *tablewright.DB, i int) error {
		return sales.Update(fmt.Sprint(i), sales.Status.Set("sent"), sales.Version.Add(1)).Run(ctx, db)
	}, 1, 0},
	{"delete", func(ctx context.Context, db *tablewright.DB, i int) error {
		return sales.Delete(fmt.Sprint(2000+i)).Run(ctx, db)
	}, 1, 0},
	{"query of 1", func(ctx context.Context, db *tablewright.DB, i int) error {
		_, err := sales.ByCustomer.Of(fmt.Sprint("c", i)).Slice(ctx, db)
		return err
	}, 1, 0},
	{"query of 100", func(ctx context.Context, db *tablewright.DB, i int) error {
		_, err := sales.ByCustomer.Of(fmt.Sprint("c", 5000+i%10)).Slice(ctx, db)
		return err
	}, 25, 0},
	{"batch get of 25", func(ctx context.Context, db *tablewright.DB, i int) error {
		_, err := sales.GetAll(keysFrom(i*3, 25)).Run(ctx, db)
		return err
	}, 25, 25},
	{"batch put of 25", func(ctx context.Context, db *tablewright.DB, i int) error {
		return sales.PutAll(salesOf(25*i, 25, i)).Run(ctx, db)
	}, 25, 25},
	{"transaction of 2", func(ctx context.Context, db *tablewright.DB, i int) error {
		return tablewright.Transact(sales.Put(saleOf(i, i)), sales.Update(fmt.Sprint(3000+i), sales.Status.Set("sent"))).Run(ctx, db)
	}, 3, 2},
	{"statement", func(ctx context.Context, db *tablewright.DB, i int) error {
		_, err := tablewright.PartiQL[sale](market, `SELECT * FROM "Market" WHERE PK = ? AND SK = ?`, "o#"+fmt.Sprint(i), "o").Slice(ctx, db)
		return err
	}, 1, 0.5}, // the key has to be put together from its parameters,
	{"statement with values in its text", func(ctx context.Context, db *tablewright.DB, i int) error {
		_, err := tablewright.PartiQL[sale](market, fmt.Sprintf(`SELECT * FROM "Market" WHERE PK = 'o#%d' AND SK = 'o'`, i)).Slice(ctx, db)
		return err
	}, 1, 0.5}, // the values found, and
	{"statement that updates", func(ctx context.Context, db *tablewright.DB, i int) error {
		return tablewright.PartiQL[sale](market, `UPDATE "Market" SET status = ?, version = version + 1 WHERE PK = ? AND SK = ?`, "sent", "o#"+fmt.Sprint(i), "o").Run(ctx, db)
	}, 1, 0.5}, // what it asks for read off its text
}

func keysFrom(first, n int) (keys []string) {
	for i := range n {
		keys = append(keys, fmt.Sprint(first+i))
	}
	return keys
}

// heldCalls are n calls as the client makes them and the engine answers them, one of each of n runs, kept in the client's hands
// until the test ends.
func heldCalls(tb testing.TB, n int, do func(ctx context.Context, db *tablewright.DB, i int) error) []*tablewright.Call {
	tb.Helper()
	e, err := engine.Open("", nil)
	if err != nil {
		tb.Fatal(err)
	}
	ctx := context.Background()
	made := make(chan *tablewright.Call)
	end := make(chan struct{})
	var running sync.WaitGroup
	tb.Cleanup(func() {
		close(end)
		running.Wait()
		_ = e.Close()
	})
	plain := tablewright.New(tablewright.InProcess(e), tablewright.Options{})
	if err := market.CreateIn(ctx, plain); err != nil {
		tb.Fatal(err)
	}
	if err := sales.PutAll(salesOf(0, 1000, -1)).Run(ctx, plain); err != nil {
		tb.Fatal(err)
	}
	for i := range 10 {
		if err := sales.PutAll(salesOf(10_000+100*i, 100, 5000+i)).Run(ctx, plain); err != nil {
			tb.Fatal(err)
		}
	}
	for i := range n {
		if err := sales.Put(saleOf(i, i)).Run(ctx, plain); err != nil {
			tb.Fatal(err)
		}
		if err := sales.Put(saleOf(3000+i, -2)).Run(ctx, plain); err != nil {
			tb.Fatal(err)
		}
	}
	hold := func(next tablewright.Transport) tablewright.Transport {
		return tablewright.TransportFunc(func(ctx context.Context, call *tablewright.Call) error {
			call.Measure = true
			err := next.Do(ctx, call)
			made <- call
			<-end
			return err
		})
	}
	db := tablewright.New(tablewright.InProcess(e), tablewright.Options{Hooks: []tablewright.Hook{hold}})
	calls := make([]*tablewright.Call, n)
	for i := range calls {
		running.Go(func() {
			if err := do(ctx, db, i); err != nil {
				tb.Error(err)
			}
		})
		calls[i] = <-made
	}
	return calls
}

// perCall is what a Collector adds to one of these calls, the fastest of so many batches, made with contexts in turn: five calls with
// each, as of a request, if they are many.
func perCall(o stats.Options, calls []*tablewright.Call, contexts []context.Context, batches int) float64 {
	clock := &settable{at: time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC)}
	o.Clock = clock
	hook := stats.NewCollector(o).Hook(nothing)
	run := func(i int) {
		if i%5 == 0 {
			clock.at = clock.at.Add(10 * time.Millisecond)
		}
		_ = hook.Do(contexts[i/5%len(contexts)], calls[i%len(calls)])
	}
	for i := range 2 * len(calls) { // what is made once is made
		run(i)
	}
	return undisturbed(batches, 100, run)
}

// BenchmarkOperations is what a Collector adds to calls of each operation; what the batches of the client and the engine take is not
// in it.
func BenchmarkOperations(b *testing.B) {
	for _, op := range each {
		calls := heldCalls(b, 256, op.do)
		for name, contexts := range map[string][]context.Context{"": {b.Context()}, ", of requests": contextsOf(b.Context(), 1<<10)} {
			for _, o := range []stats.Options{{Detail: -1}, {Detail: 1}} {
				b.Run(fmt.Sprintf("%s%s/detail %v", op.name, name, o.Detail), func(b *testing.B) {
					for b.Loop() {
						b.ReportMetric(perCall(o, calls, contexts, 100), "best-ns/op")
					}
				})
			}
		}
	}
}

// A call takes 300 ns, one of several parts 600 ns more for each of these; a look into it a microsecond for each item that it reads,
// which are of a quarter of a kilobyte here. Measured, and judged, as in TestOverhead.
func TestOverheadOfOperations(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	requests := contextsOf(t.Context(), 1<<10)
	for _, op := range each {
		calls := heldCalls(t, 256, op.do)
		for _, test := range []struct {
			detail, most float64
		}{{-1, 300 + 600*op.parts}, {1, 1000 * op.items}} {
			for of, contexts := range map[string][]context.Context{"": {t.Context()}, ", of requests": requests} {
				within(t, fmt.Sprintf("%s%s, detail %v", op.name, of, test.detail), test.most, func() float64 {
					return perCall(stats.Options{Detail: test.detail}, calls, contexts, 100)
				})
			}
		}
	}
}
