package engine_test

import (
	"errors"
	"fmt"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/wire"
)

// testDouble is a test of which a test sees how it goes.
type testDouble struct {
	cleanups []func()
	failed   string
}

func (d *testDouble) Helper()          {}
func (d *testDouble) Cleanup(f func()) { d.cleanups = append(d.cleanups, f) }
func (d *testDouble) Fatalf(format string, args ...any) {
	d.failed = fmt.Sprintf(format, args...)
}

func (d *testDouble) end() {
	for i := len(d.cleanups) - 1; i >= 0; i-- {
		d.cleanups[i]()
	}
}

const booksTable = `{"TableName":"Books","BillingMode":"PAY_PER_REQUEST","KeySchema":[{"AttributeName":"isbn","KeyType":"HASH"}],
	"AttributeDefinitions":[{"AttributeName":"isbn","AttributeType":"S"},{"AttributeName":"author","AttributeType":"S"}],
	"GlobalSecondaryIndexes":[{"IndexName":"ByAuthor","KeySchema":[{"AttributeName":"author","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}]}`

const byAuthor = `{"TableName":"Books","IndexName":"ByAuthor","Select":"COUNT","KeyConditionExpression":"author = :a","ExpressionAttributeValues":{":a":{"S":"Ann"}}}`

// TestNew: an engine of a test's own, closed at its end.
func TestNew(t *testing.T) {
	var d testDouble
	e := engine.New(&d, engine.Options{Region: "eu-central-1"})
	do(t, e, "CreateTable", booksTable)
	if got := fmt.Sprint(do(t, e, "DescribeTable", `{"TableName":"Books"}`)["Table"].(map[string]any)["TableArn"]); !strings.Contains(got, "eu-central-1") {
		t.Errorf("options are not taken: %s", got)
	}
	d.end()
	if _, err := try(e, "GetItem", `{"TableName":"Books","Key":{"isbn":{"S":"1"}}}`); err == nil || d.failed != "" {
		t.Errorf("after the end of the test: %v, %s", err, d.failed)
	}
}

// BenchmarkNew is what a test pays for an engine of its own, with its first answer and its end.
func BenchmarkNew(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		var d testDouble
		e := engine.New(&d)
		if _, err := e.Do(b.Context(), "ListTables", []byte("{}")); err != nil {
			b.Fatal(err)
		}
		d.end()
	}
}

// TestManualClock: expiry, tokens, lag and delays follow the clock, and are done when Advance returns.
func TestManualClock(t *testing.T) {
	clock := engine.NewClock(time.Time{})
	e := engine.New(t, engine.Options{Clock: clock, Lag: &engine.Lag{Max: time.Hour, Seed: 1}})
	do(t, e, "CreateTable", booksTable)
	do(t, e, "UpdateTimeToLive", `{"TableName":"Books","TimeToLiveSpecification":{"AttributeName":"until","Enabled":true}}`)
	put := `{"ClientRequestToken":"once","TransactItems":[{"Put":{"TableName":"Books","Item":{"isbn":{"S":"1"},"author":{"S":"Ann"},"until":{"N":"` +
		fmt.Sprint(clock.Now().Add(24*time.Hour).Unix()) + `"}},"ConditionExpression":"attribute_not_exists(isbn)"}}]}`
	do(t, e, "TransactWriteItems", strings.ReplaceAll(put, "%", "%%"))
	counted := func() string { return fmt.Sprint(do(t, e, "Query", byAuthor)["Count"]) }
	if got := counted(); got != "0" {
		t.Errorf("the index shows %s at once", got)
	}
	do(t, e, "TransactWriteItems", put) // the token stands for its first use
	clock.Advance(9 * time.Minute)
	do(t, e, "TransactWriteItems", put)
	clock.Advance(2 * time.Minute)
	if _, err := try(e, "TransactWriteItems", put); !errors.Is(err, wire.ErrConditionFailed) {
		t.Errorf("after eleven minutes the token is forgotten: %v", err)
	}
	clock.Advance(time.Hour)
	if got := counted(); got != "1" {
		t.Errorf("after an hour the index shows %s", got)
	}
	clock.Advance(23 * time.Hour)
	if got := len(e.Snapshot(t).Items("Books")); got != 0 {
		t.Errorf("%d items are left of one that has expired", got)
	}
}

// TestFaults: which requests meet a fault, and what becomes of them.
func TestFaults(t *testing.T) {
	internal := &wire.Error{Code: wire.CodeInternal, Message: "made up"}
	put := `{"TableName":"Books","Item":{"isbn":{"S":"%s"}}}`
	for name, c := range map[string]struct {
		fault   engine.Fault
		request [][2]string
		want    string // ! for those that meet it
	}{
		"an operation": {engine.Fault{Operation: "PutItem", Err: internal},
			[][2]string{{"PutItem", fmt.Sprintf(put, "1")}, {"GetItem", `{"TableName":"Books","Key":{"isbn":{"S":"1"}}}`}, {"PutItem", fmt.Sprintf(put, "2")}}, "!.!"},
		"the next two": {engine.Fault{Times: 2, Err: internal},
			[][2]string{{"ListTables", `{}`}, {"ListTables", `{}`}, {"ListTables", `{}`}}, "!!."},
		"the second only": {engine.Fault{Skip: 1, Times: 1, Err: internal},
			[][2]string{{"ListTables", `{}`}, {"ListTables", `{}`}, {"ListTables", `{}`}}, ".!."},
		"an index": {engine.Fault{Index: "ByAuthor", Err: internal},
			[][2]string{{"Query", byAuthor}, {"Scan", `{"TableName":"Books"}`}, {"Scan", `{"TableName":"Books","IndexName":"ByAuthor"}`}}, "!.!"},
		"a table": {engine.Fault{Table: "Books", Err: internal},
			[][2]string{{"DescribeTable", `{"TableName":"Books"}`}, {"DescribeTable", `{"TableName":"arn:aws:dynamodb:us-east-1:000000000000:table/Books"}`}, {"ListTables", `{}`},
				{"BatchGetItem", `{"RequestItems":{"Books":{"Keys":[{"isbn":{"S":"1"}}]}}}`}}, "!!.!"},
		"an item": {engine.Fault{Table: "Books", Key: `{"isbn":{"S":"1"}}`, Err: internal},
			[][2]string{{"PutItem", fmt.Sprintf(put, "1")}, {"PutItem", fmt.Sprintf(put, "2")}, {"DeleteItem", `{"TableName":"Books","Key":{"isbn":{"S":"1"}}}`},
				{"BatchGetItem", `{"RequestItems":{"Books":{"Keys":[{"isbn":{"S":"2"}},{"isbn":{"S":"1"}}]}}}`},
				{"BatchWriteItem", `{"RequestItems":{"Books":[{"PutRequest":{"Item":{"isbn":{"S":"1"},"v":{"S":"x"}}}}]}}`},
				{"TransactWriteItems", `{"TransactItems":[{"Delete":{"TableName":"Books","Key":{"isbn":{"S":"3"}}}},{"Delete":{"TableName":"Books","Key":{"isbn":{"S":"1"}}}}]}`},
				{"TransactGetItems", `{"TransactItems":[{"Get":{"TableName":"Books","Key":{"isbn":{"S":"1"}}}}]}`},
				{"Scan", `{"TableName":"Books"}`}}, "!.!!!!!."},
		"a throttled item": {engine.Fault{Key: `{"isbn":{"S":"1"}}`, Throttle: true, Times: 3},
			[][2]string{{"PutItem", fmt.Sprintf(put, "1")}, {"GetItem", `{"TableName":"Books","Key":{"isbn":{"S":"2"}}}`}, {"GetItem", `{"TableName":"Books","Key":{"isbn":{"S":"1"}}}`},
				{"Query", `{"TableName":"Books","KeyConditionExpression":"isbn = :i","ExpressionAttributeValues":{":i":{"S":"1"}}}`}, {"PutItem", fmt.Sprintf(put, "1")}}, "!.!!."},
		"throttled entries of an index": {engine.Fault{Index: "ByAuthor", Throttle: true},
			[][2]string{{"PutItem", fmt.Sprintf(put, "1")}, {"PutItem", `{"TableName":"Books","Item":{"isbn":{"S":"1"},"author":{"S":"Ann"}}}`}, {"Query", byAuthor}}, ".!!"},
	} {
		e := engine.New(t)
		do(t, e, "CreateTable", booksTable)
		injected := e.Inject(c.fault)
		got := ""
		for _, r := range c.request {
			_, err := try(e, r[0], r[1])
			switch {
			case err == nil:
				got += "."
			case errors.Is(err, internal), c.fault.Throttle && errors.Is(err, wire.ErrThrottled):
				got += "!"
			default:
				t.Errorf("%s: %s: %v", name, r[0], err)
			}
		}
		if got != c.want || injected.Met() != strings.Count(c.want, "!") {
			t.Errorf("%s: got %s, want %s; met %d times", name, got, c.want, injected.Met())
		}
		injected.Remove()
		for _, r := range c.request {
			if _, err := try(e, r[0], r[1]); err != nil {
				t.Errorf("%s: %s after the fault was removed: %v", name, r[0], err)
			}
		}
	}
}

// TestThrottledParts: of a batch only the item that is throttled is left over, a transaction is cancelled for it.
func TestThrottledParts(t *testing.T) {
	e := engine.New(t)
	do(t, e, "CreateTable", booksTable)
	e.Inject(engine.Fault{Table: "Books", Key: `{"isbn":{"S":"hot"}}`, Throttle: true})
	answer := do(t, e, "BatchWriteItem", `{"RequestItems":{"Books":[{"PutRequest":{"Item":{"isbn":{"S":"hot"}}}},{"PutRequest":{"Item":{"isbn":{"S":"cold"}}}}]}}`)
	if got := fmt.Sprint(answer["UnprocessedItems"]); got != "map[Books:[map[PutRequest:map[Item:map[isbn:map[S:hot]]]]]]" {
		t.Errorf("left over %s", got)
	}
	answer = do(t, e, "BatchGetItem", `{"RequestItems":{"Books":{"Keys":[{"isbn":{"S":"hot"}},{"isbn":{"S":"cold"}}]}}}`)
	if got := fmt.Sprint(answer["UnprocessedKeys"], answer["Responses"]); got != "map[Books:map[Keys:[map[isbn:map[S:hot]]]]] map[Books:[map[isbn:map[S:cold]]]]" {
		t.Errorf("left over %s", got)
	}
	for _, operation := range []string{"TransactWriteItems", "TransactGetItems"} {
		verb := map[string]string{"TransactWriteItems": "Delete", "TransactGetItems": "Get"}[operation]
		_, err := try(e, operation, `{"TransactItems":[{"%[1]s":{"TableName":"Books","Key":{"isbn":{"S":"cold"}}}},{"%[1]s":{"TableName":"Books","Key":{"isbn":{"S":"hot"}}}}]}`, verb)
		if got := reasonsOf(t, err); !strings.HasPrefix(got, "[None ThrottlingErrorThroughput exceeds the current capacity of your table") {
			t.Errorf("%s: %s", operation, got)
		}
	}
	_, err := try(e, "BatchWriteItem", `{"RequestItems":{"Books":[{"PutRequest":{"Item":{"isbn":{"S":"hot"}}}}]}}`)
	if !errors.Is(err, wire.ErrThrottled) {
		t.Errorf("a batch of which nothing is done: %v", err)
	}
}

// TestLostAnswers: what is asked is done, and its answer lost; over HTTP the connection ends.
func TestLostAnswers(t *testing.T) {
	e := engine.New(t)
	do(t, e, "CreateTable", booksTable)
	before := e.Snapshot(t)
	e.Inject(engine.Fault{Operation: "PutItem", Times: 2, DropAnswer: true})
	put := `{"TableName":"Books","Item":{"isbn":{"S":"%s"}}}`
	if _, err := try(e, "PutItem", put, "1"); !errors.Is(err, engine.ErrAnswerLost) {
		t.Errorf("got %v", err)
	}
	server := httptest.NewServer(e.Handler())
	defer server.Close()
	send := newSender(server.Listener.Addr().String())
	if err := send("PutItem", fmt.Sprintf(put, "2")); err == nil || !strings.Contains(err.Error(), "EOF") {
		t.Errorf("over HTTP: %v", err)
	}
	want := "Books\n  + {\"isbn\":{\"S\":\"1\"}}\n  + {\"isbn\":{\"S\":\"2\"}}\n"
	if got := before.Diff(e.Snapshot(t)); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if err := send("PutItem", fmt.Sprintf(put, "3")); err != nil {
		t.Error(err)
	}
}

// TestDelayedTransaction: a transaction that is delayed has its items meanwhile.
func TestDelayedTransaction(t *testing.T) {
	clock := engine.NewClock(time.Time{})
	e := engine.New(t, engine.Options{Clock: clock})
	do(t, e, "CreateTable", booksTable)
	goOn := make(chan struct{})
	e.Inject(engine.Fault{Operation: "TransactWriteItems", Times: 1, Delay: time.Minute})
	e.Inject(engine.Fault{Operation: "TransactWriteItems", Times: 1, Until: goOn})
	transaction := `{"TransactItems":[{"Put":{"TableName":"Books","Item":{"isbn":{"S":"1"},"by":{"S":"transaction"}}}}]}`
	done := make(chan error)
	go func() {
		_, err := try(e, "TransactWriteItems", transaction)
		done <- err
	}()
	conflicts := func() error {
		_, err := try(e, "PutItem", `{"TableName":"Books","Item":{"isbn":{"S":"1"}}}`)
		return err
	}
	for !errors.Is(conflicts(), wire.ErrConflict) { // until it has begun
		time.Sleep(100 * time.Microsecond)
	}
	close(goOn)
	if err := conflicts(); !errors.Is(err, wire.ErrConflict) {
		t.Errorf("before the clock moves: %v", err)
	}
	clock.Advance(time.Minute)
	if err := <-done; err != nil {
		t.Error(err)
	}
	if got, want := e.Snapshot(t).String(), "Books\n  {\"by\":{\"S\":\"transaction\"},\"isbn\":{\"S\":\"1\"}}\n"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestMistakenFaults: a fault that no request can meet is told where it is injected, not by a test that passes.
func TestMistakenFaults(t *testing.T) {
	e := engine.New(t)
	for want, f := range map[string]engine.Fault{
		`the operation "PutItme"`:      {Operation: "PutItme", DropAnswer: true},
		"Skip, Times and Delay":        {Times: -1, DropAnswer: true},
		"that does nothing":            {Operation: "PutItem"},
		"the key of a fault: not JSON": {Key: "978-0", DropAnswer: true},
	} {
		func() {
			defer func() {
				if said := fmt.Sprint(recover()); !strings.Contains(said, want) {
					t.Errorf("%s; want %s", said, want)
				}
			}()
			e.Inject(f)
		}()
	}
	e.Inject(engine.Fault{Operation: "ListBackups", DropAnswer: true}).Remove() // the service has it
	e.Inject(engine.Fault{Operation: "GetRecords", DropAnswer: true}).Remove()
}

// TestHold: held items conflict until they are released, in both orders; mistakes end the test.
func TestHold(t *testing.T) {
	e := engine.New(t)
	do(t, e, "CreateTable", booksTable)
	release := e.Hold(t, "Books", `{"isbn":{"S":"1"}}`, `{"isbn":{"S":"2"}}`)
	for _, isbn := range []string{"1", "2", "3"} {
		_, err := try(e, "DeleteItem", `{"TableName":"Books","Key":{"isbn":{"S":"%s"}}}`, isbn)
		if (isbn == "3") != (err == nil) || err != nil && !errors.Is(err, wire.ErrConflict) {
			t.Errorf("%s: %v", isbn, err)
		}
	}
	var d testDouble
	e.Hold(&d, "Books", `{"isbn":{"S":"2"}}`)
	if !strings.Contains(d.failed, "TransactionConflict") {
		t.Errorf("held twice: %s", d.failed)
	}
	release()
	release()
	do(t, e, "DeleteItem", `{"TableName":"Books","Key":{"isbn":{"S":"1"}}}`)
	for _, c := range [][2]string{{"Nope", `{"isbn":{"S":"1"}}`}, {"Books", `{"isbn":{"N":"1"}}`}, {"Books", `{`}} {
		var d testDouble
		e.Hold(&d, c[0], c[1])
		if d.failed == "" {
			t.Errorf("%v is held", c)
		}
	}
	d = testDouble{}
	e.Hold(&d, "Books", `{"isbn":{"S":"1"}}`)
	d.end()
	do(t, e, "DeleteItem", `{"TableName":"Books","Key":{"isbn":{"S":"1"}}}`)
}

// TestHoldIndex: an index stays as it is until it is shown, then it has all in the order of the writes.
func TestHoldIndex(t *testing.T) {
	for _, o := range []engine.Options{{}, {Lag: &engine.Lag{Max: time.Nanosecond}}} {
		dir := t.TempDir()
		e := open(t, dir, &o)
		do(t, e, "CreateTable", booksTable)
		put := func(isbn, author string) {
			do(t, e, "PutItem", `{"TableName":"Books","Item":{"isbn":{"S":"%s"},"author":{"S":"%s"}}}`, isbn, author)
		}
		counted := func() string { return fmt.Sprint(do(t, e, "Query", byAuthor)["Count"]) }
		put("1", "Ann")
		if err := e.Settle(); err != nil {
			t.Fatal(err)
		}
		show, again := e.HoldIndex(t, "Books", "ByAuthor"), e.HoldIndex(t, "Books", "ByAuthor")
		put("2", "Ann")
		put("1", "Bob")
		put("2", "Bob")
		put("3", "Ann")
		if err := e.Settle(); err != nil {
			t.Fatal(err)
		}
		show()
		show()
		if got := counted(); got != "1" {
			t.Errorf("while it is held the index shows %s", got)
		}
		if n, err := e.Pending(); n != 6 || err != nil { // of an item whose index key changes both entries
			t.Errorf("%d changes wait, %v", n, err)
		}
		again()
		if got := counted(); got != "1" {
			t.Errorf("afterwards the index shows %s", got)
		}
		if n, err := e.Pending(); n != 0 || err != nil {
			t.Errorf("%d changes wait, %v", n, err)
		}
		put("4", "Ann")
		if err := e.Settle(); err != nil {
			t.Fatal(err)
		}
		if got := counted(); got != "2" {
			t.Errorf("when it is not held any more the index shows %s", got)
		}
	}
}

// TestSnapshotDiff: what a difference looks like; equal sets are none.
func TestSnapshotDiff(t *testing.T) {
	e := engine.New(t)
	create := strings.Replace(booksTable, "Books", "%s", 1)
	do(t, e, "CreateTable", create, "Books")
	do(t, e, "CreateTable", create, "Drafts")
	put := func(table, item string) { do(t, e, "PutItem", `{"TableName":"%s","Item":%s}`, table, item) }
	put("Drafts", `{"isbn":{"S":"d"}}`)
	put("Books", `{"isbn":{"S":"1"},"price":{"N":"10"}}`)
	put("Books", `{"isbn":{"S":"2"},"price":{"N":"11"},"note":{"S":"soon"},"tags":{"SS":["a","b"]}}`)
	put("Books", `{"isbn":{"S":"4"},"tags":{"SS":["a","b"]}}`)
	before := e.Snapshot(t)
	if got := before.Diff(e.Snapshot(t)); got != "" {
		t.Errorf("nothing has changed: %s", got)
	}
	do(t, e, "DeleteTable", `{"TableName":"Drafts"}`)
	do(t, e, "CreateTable", create, "Authors")
	put("Authors", `{"isbn":{"S":"a"}}`)
	put("Authors", `{"isbn":{"S":"b"}}`)
	do(t, e, "DeleteItem", `{"TableName":"Books","Key":{"isbn":{"S":"1"}}}`)
	put("Books", `{"isbn":{"S":"2"},"price":{"N":"9"},"tags":{"SS":["a","b"]},"a name":{"M":{"x":{"L":[]}}}}`)
	put("Books", `{"isbn":{"S":"3"},"price":{"N":"12"}}`)
	put("Books", `{"isbn":{"S":"4"},"tags":{"SS":["b","a"]}}`)
	want := `+ Authors, 2 items
  + {"isbn":{"S":"a"}}
  + {"isbn":{"S":"b"}}
Books
  - {"isbn":{"S":"1"},"price":{"N":"10"}}
  ~ {"isbn":{"S":"2"}}
      + "a name" {"M":{"x":{"L":[]}}}
      - note {"S":"soon"}
      ~ price {"N":"11"} → {"N":"9"}
  + {"isbn":{"S":"3"},"price":{"N":"12"}}
- Drafts, 1 item
  - {"isbn":{"S":"d"}}
`
	if got := before.Diff(e.Snapshot(t)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got, want := fmt.Sprint(e.Snapshot(t, "Books").Tables(), before.Tables()), "[Books] [Books Drafts]"; got != want {
		t.Errorf("tables %s, want %s", got, want)
	}
	var d testDouble
	e.Snapshot(&d, "Nope")
	if !strings.Contains(d.failed, "Nope") {
		t.Errorf("a table that there is not: %q", d.failed)
	}
}

// TestRegionsInTests: what a program keeps in another Region than the engine's is in a snapshot, and can be held.
func TestRegionsInTests(t *testing.T) {
	e := engine.New(t)
	other := e.In("eu-west-1")
	run := func(operation, body string) error {
		_, err := other.Do(t.Context(), operation, []byte(body))
		return err
	}
	do(t, e, "CreateTable", booksTable)
	if err := run("CreateTable", booksTable); err != nil {
		t.Fatal(err)
	}
	before := e.Snapshot(t)
	if got := fmt.Sprint(before.Tables()); got != "[Books eu-west-1/Books]" {
		t.Errorf("tables %s", got)
	}
	put := `{"TableName":"Books","Item":{"isbn":{"S":"1"},"author":{"S":"Ann"}}}`
	show := e.HoldIndex(t, "eu-west-1/Books", "ByAuthor")
	if err := run("PutItem", put); err != nil {
		t.Fatal(err)
	}
	if answer, err := other.Do(t.Context(), "Query", []byte(byAuthor)); err != nil || !strings.Contains(string(answer), `"Count":0`) {
		t.Errorf("an index that is held answers %s, %v", answer, err)
	}
	show()
	want := "eu-west-1/Books\n  + {\"author\":{\"S\":\"Ann\"},\"isbn\":{\"S\":\"1\"}}\n"
	if got := before.Diff(e.Snapshot(t)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := len(e.Snapshot(t, "eu-west-1/Books").Items("eu-west-1/Books")); got != 1 {
		t.Errorf("the table by its name: %d items", got)
	}
	release := e.Hold(t, "eu-west-1/Books", `{"isbn":{"S":"1"}}`)
	do(t, e, "PutItem", put)
	if err := run("PutItem", put); err == nil {
		t.Error("an item that is held can be written")
	}
	release()
	if err := run("PutItem", put); err != nil {
		t.Error(err)
	}
}

// TestFaultsAtOnce: faults come and go while requests are under way.
func TestFaultsAtOnce(t *testing.T) {
	e := engine.New(t)
	do(t, e, "CreateTable", booksTable)
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			for range 100 {
				injected := e.Inject(engine.Fault{Operation: "PutItem", Table: "Books", Throttle: i%2 == 0, Err: wire.NewError(wire.CodeUnavailable, "")})
				if _, err := try(e, "PutItem", `{"TableName":"Books","Item":{"isbn":{"S":"1"}}}`); err == nil {
					t.Error("a write passes a fault that is for all")
				}
				injected.Remove()
			}
		})
	}
	all.Wait()
	do(t, e, "PutItem", `{"TableName":"Books","Item":{"isbn":{"S":"1"}}}`)
}
