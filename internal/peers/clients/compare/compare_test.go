package compare_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/guregu/dynamo/v2"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/internal/peers/clients/compare"
	"github.com/tablewright/tablewright/internal/peers/clients/compare/awssdk"
	"github.com/tablewright/tablewright/internal/peers/clients/compare/guregu"
	"github.com/tablewright/tablewright/internal/peers/clients/compare/ours"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// A world is an engine behind HTTP with the table in it, one library's programs, and what they answered.
type world struct {
	t      *testing.T
	engine *engine.Engine
	compare.Shop
	log strings.Builder
}

func (w *world) say(format string, args ...any) { fmt.Fprintf(&w.log, format+"\n", args...) }

// must is for what only prepares.
func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// kind is how the log tells an error.
func (w *world) kind(err error) string {
	if err == nil {
		return "done"
	}
	return w.Kind(err)
}

func (w *world) store(orders ...compare.Order) {
	w.t.Helper()
	for _, o := range orders {
		w.must(w.Store(w.t.Context(), o))
	}
}

// libraries make their programs on the address of an engine.
var libraries = map[string]func(t *testing.T, endpoint string) compare.Shop{
	"tablewright": func(t *testing.T, endpoint string) compare.Shop {
		db, err := tablewright.Connect(t.Context(), tablewright.Options{Endpoint: endpoint, Region: "us-east-1",
			Retry: tablewright.Retry{Attempts: 6, Budget: time.Minute}})
		if err != nil {
			t.Fatal(err)
		}
		return ours.Programs{DB: db}
	},
	"AWS SDK": func(t *testing.T, endpoint string) compare.Shop {
		cfg := config(endpoint)
		return awssdk.Programs{DB: dynamodb.NewFromConfig(cfg), Streams: dynamodbstreams.NewFromConfig(cfg)}
	},
	"guregu/dynamo": func(t *testing.T, endpoint string) compare.Shop {
		cfg := config(endpoint)
		return guregu.Programs{DB: dynamo.New(cfg), SDK: dynamodb.NewFromConfig(cfg), Streams: dynamodbstreams.NewFromConfig(cfg)}
	},
}

func config(endpoint string) aws.Config {
	return aws.Config{Region: "us-east-1", BaseEndpoint: &endpoint,
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "any", SecretAccessKey: "any"}, nil
		})}
}

// A program is run with each library in a world of its own. want is what is to be answered; the items left behind have to
// be the same, and as many as items says.
type program struct {
	run   func(ctx context.Context, w *world)
	want  string
	items int
}

func order(id, status string, hours, total int) compare.Order {
	return compare.Order{ID: id, Customer: "c1", Status: status, PlacedAt: noon.Add(time.Duration(hours) * time.Hour), Total: total, SKUs: []string{"s1"}}
}

var programs = map[string]program{
	"declare": {func(ctx context.Context, w *world) {
		w.say("%s", w.kind(w.Store(ctx, order("o1", "placed", 0, 20))))
		w.say("%s", w.kind(w.Store(ctx, order("o1", "paid", 0, 20))))
	}, "done\nexists\n", 1},
	"get": {func(ctx context.Context, w *world) {
		w.store(order("o1", "placed", 0, 20))
		o, err := w.Get(ctx, "o1")
		w.say("%s %s %d %v %d %s", o.Status, o.PlacedAt.UTC().Format(time.RFC3339), o.Total, o.SKUs, o.Version, w.kind(err))
		_, err = w.Get(ctx, "o2")
		w.say("%s", w.kind(err))
	}, "placed 2026-11-21T12:00:00Z 20 [s1] 1 done\nnot found\n", 1},
	"condition": {func(ctx context.Context, w *world) {
		w.store(order("o1", "placed", 0, 20), order("o2", "placed", 0, 2_000))
		for _, id := range []string{"o1", "o1", "o2", "o3"} {
			w.say("%s", w.kind(w.Pay(ctx, id, 100)))
		}
	}, "done\norder o1 is paid over 20\norder o2 is placed over 2000\nnot found\n", 2},
	"query": {func(ctx context.Context, w *world) {
		w.store(order("o1", "paid", -1, 20), order("o2", "paid", 0, 20), order("o3", "placed", 1, 20), order("o4", "paid", 2, 20), order("o5", "paid", 3, 20))
		for after, page := "", 1; page == 1 || after != ""; page++ {
			orders, next, err := w.Paid(ctx, "c1", noon, after, 2)
			w.must(err)
			w.say("page %d: %s", page, ids(orders))
			after = next
		}
	}, "page 1: o5 o4\npage 2: o2\n", 5},
	"collection": {func(ctx context.Context, w *world) {
		w.store(order("o1", "paid", 0, 20), order("o2", "placed", 0, 30))
		for _, carrier := range []string{"rail", "", "air"} {
			w.must(w.Ship(ctx, "o1", carrier))
		}
		for _, id := range []string{"o1", "o2", "o3"} {
			page, err := w.Page(ctx, id)
			w.say("%s %q %q %s", page.Order.ID, page.Invoice, page.Shipments, w.kind(err))
		}
	}, `o1 "R-o1" ["air" "rail"] done` + "\n" + `o2 "" [] done` + "\n" + ` "" [] not found` + "\n", 5},
	"pattern": {func(ctx context.Context, w *world) {
		w.store(order("o1", "paid", 0, 20), order("o2", "paid", 1, 20), order("o3", "paid", 2, 20), order("o4", "placed", 1, 20))
		orders, err := w.ByStatus(ctx, "c1", "paid", noon, noon.Add(time.Hour))
		w.say("%s %s", ids(orders), w.kind(err))
	}, "o1 o2 done\n", 4},
	"email": {func(ctx context.Context, w *world) {
		for _, c := range []compare.Customer{{"c1", "ada@example.org", "Ada"}, {"c2", "Ada@example.org", "Also Ada"}, {"c1", "eve@example.org", "Eve"}, {"c2", "eve@example.org", "Eve"}} {
			w.say("%s", w.kind(w.Register(ctx, c)))
		}
	}, "done\nemail taken\nexists\ndone\n", 4},
	"batch": {func(ctx context.Context, w *world) {
		all := make([]compare.Customer, many)
		for i := range all {
			all[i] = compare.Customer{ID: fmt.Sprintf("%05d", i), Email: fmt.Sprintf("c%d@example.org", i), Name: "Ada"}
			if i%(many/10) == many/40 { // refused once
				w.engine.Inject(engine.Fault{Operation: "BatchWriteItem", Throttle: true, Times: 1, Key: fmt.Sprintf(`{"PK":{"S":"c#%05d"}}`, i)})
			}
		}
		for _, i := range []int{7, many / 2, many - 1} { // refused always
			w.engine.Inject(engine.Fault{Operation: "BatchWriteItem", Throttle: true, Key: fmt.Sprintf(`{"PK":{"S":"c#%05d"}}`, i)})
		}
		w.say("%v", w.Import(ctx, all))
	}, fmt.Sprintf("[7 %d %d]\n", many/2, many-1), many - 3},
	"version": {func(ctx context.Context, w *world) {
		w.store(order("o1", "placed", 0, 20))
		tries := 0
		o, err := w.Edit(ctx, "o1", func(o *compare.Order) error {
			if tries++; tries == 1 { // somebody else is faster
				w.must(w.Pay(ctx, "o1", 100))
			}
			o.SKUs = append(o.SKUs, "s2")
			return nil
		})
		w.say("%s %v %d %s, %d tries", o.Status, o.SKUs, o.Version, w.kind(err), tries)
		_, err = w.Edit(ctx, "o1", func(*compare.Order) error { return errors.New("changed my mind") })
		w.say("%s", w.kind(err))
		_, err = w.Edit(ctx, "o2", func(*compare.Order) error { return nil })
		w.say("%s", w.kind(err))
	}, "paid [s1 s2] 3 done, 2 tries\nchanged my mind\nnot found\n", 1},
	"scan": {func(ctx context.Context, w *world) {
		w.store(order("o1", "placed", 0, 20))
		for i := range 30 {
			w.must(w.Register(ctx, compare.Customer{ID: fmt.Sprintf("%05d", i), Email: fmt.Sprintf("c%d@example.org", i), Name: "Ada"}))
		}
		seen := map[string]bool{}
		err := w.Export(ctx, func(c compare.Customer) error { seen[c.ID+c.Email] = true; return nil })
		w.say("%d %s", len(seen), w.kind(err))
		w.say("%s", w.kind(w.Export(ctx, func(compare.Customer) error { return errors.New("disk full") })))
	}, "30 done\ndisk full\n", 61},
	"stream": {func(ctx context.Context, w *world) {
		w.store(order("o1", "placed", 0, 20))
		w.must(w.Register(ctx, compare.Customer{ID: "c1", Email: "ada@example.org", Name: "Ada"}))
		w.must(w.Pay(ctx, "o1", 100))
		err := w.Follow(ctx, func(old, new *compare.Order) error {
			from := "nothing"
			if old != nil {
				from = old.Status
			}
			w.say("%s: from %s to %s", new.ID, from, new.Status)
			return nil
		})
		w.say("%s", w.kind(err))
	}, "o1: from nothing to placed\no1: from placed to paid\ndone\n", 3},
}

func ids(orders []compare.Order) string {
	var l []string
	for _, o := range orders {
		l = append(l, o.ID)
	}
	return strings.Join(l, " ")
}

// TestPrograms runs each program with each library: all have to answer what is wanted and leave the same items.
func TestPrograms(t *testing.T) {
	for name, p := range programs {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // some wait
			left := map[string]string{}
			var mu sync.Mutex
			t.Run("with", func(t *testing.T) {
				for library, open := range libraries {
					t.Run(library, func(t *testing.T) {
						t.Parallel()
						w := newWorld(t, open)
						p.run(t.Context(), w)
						if got := w.log.String(); got != p.want {
							t.Errorf("it answers\n%s\nnot\n%s", got, p.want)
						}
						items := dump(t, w.engine)
						if n := strings.Count(items, "\n"); n != p.items {
							t.Errorf("it leaves %d items, not %d", n, p.items)
						}
						mu.Lock()
						defer mu.Unlock()
						left[library] = items
					})
				}
			})
			for library, items := range left {
				if items != left["tablewright"] {
					t.Errorf("%s leaves\n%.4000s\nand tablewright\n%.4000s", library, items, left["tablewright"])
				}
			}
			if len(left) != len(libraries) {
				t.Errorf("%d libraries were compared", len(left))
			}
		})
	}
}

func newWorld(t *testing.T, open func(t *testing.T, endpoint string) compare.Shop) *world {
	t.Helper()
	e, err := engine.Open("", &engine.Options{Clock: engine.NewClock(noon), SweepEvery: -1, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	db := tablewright.New(tablewright.InProcess(e), tablewright.Options{})
	if err := ours.Shop.CreateIn(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(e.Handler())
	t.Cleanup(server.Close)
	return &world{t: t, engine: e, Shop: open(t, server.URL)}
}

// dump is all items of the table, one a line, with their attributes in order.
func dump(t *testing.T, e *engine.Engine) string {
	t.Helper()
	var lines []string
	in := map[string]any{"TableName": "Shop"}
	for {
		request, _ := json.Marshal(in)
		answer, err := e.Do(t.Context(), "Scan", request)
		if err != nil {
			t.Fatal(err)
		}
		var out struct {
			Items            []map[string]any
			LastEvaluatedKey map[string]any
		}
		if err := json.Unmarshal(answer, &out); err != nil {
			t.Fatal(err)
		}
		for _, item := range out.Items {
			line, _ := json.Marshal(item)
			lines = append(lines, string(line)+"\n")
		}
		if out.LastEvaluatedKey == nil {
			break
		}
		in["ExclusiveStartKey"] = out.LastEvaluatedKey
	}
	slices.Sort(lines)
	return strings.Join(lines, "")
}
