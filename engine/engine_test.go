package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/engine/internal/kv"
	"github.com/tablewright/tablewright/wire"
)

// clock is a time that stands still until a test moves it.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func newClock() *clock { return &clock{now: time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)} }

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) move(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// open opens an engine that is checked and closed at the end of the test.
func open(t testing.TB, dir string, o *engine.Options) *engine.Engine {
	t.Helper()
	e, err := engine.Open(dir, o)
	return checked(t, e, err)
}

// openOn is open on a store.
func openOn(t testing.TB, s kv.Store, o *engine.Options) *engine.Engine {
	t.Helper()
	e, err := engine.OpenStore(s, o)
	return checked(t, e, err)
}

func checked(t testing.TB, e *engine.Engine, err error) *engine.Engine {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Check(); err != nil {
			t.Error(err)
		}
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

// do runs an operation and fails the test if it is refused.
func do(t testing.TB, e *engine.Engine, operation, request string, args ...any) map[string]any {
	t.Helper()
	answer, err := try(e, operation, request, args...)
	if err != nil {
		t.Fatalf("%s: %v", operation, err)
	}
	return answer
}

func try(e *engine.Engine, operation, request string, args ...any) (map[string]any, error) {
	if len(args) > 0 {
		request = fmt.Sprintf(request, args...)
	}
	body, err := e.Do(context.Background(), operation, []byte(request))
	if err != nil || len(body) == 0 {
		return nil, err
	}
	var v map[string]any
	return v, json.Unmarshal(body, &v)
}

// schema is a table with a sort key, two global indexes, one of several attributes, and a local one.
const schema = `{"TableName":"tbl","BillingMode":"PAY_PER_REQUEST",
"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"N"},{"AttributeName":"g","AttributeType":"S"},
	{"AttributeName":"h","AttributeType":"N"},{"AttributeName":"l","AttributeType":"S"}],
"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],
"LocalSecondaryIndexes":[{"IndexName":"lsi","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"l","KeyType":"RANGE"}],"Projection":{"ProjectionType":"KEYS_ONLY"}}],
"GlobalSecondaryIndexes":[{"IndexName":"gsi","KeySchema":[{"AttributeName":"g","KeyType":"HASH"},{"AttributeName":"h","KeyType":"RANGE"},{"AttributeName":"sk","KeyType":"RANGE"}],"Projection":{"ProjectionType":"ALL"}},
	{"IndexName":"inc","KeySchema":[{"AttributeName":"h","KeyType":"HASH"}],"Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["x"]}}]}`

func count(t testing.TB, e *engine.Engine, index string) int {
	t.Helper()
	request := `{"TableName":"tbl","Select":"COUNT"}`
	if index != "" {
		request = `{"TableName":"tbl","Select":"COUNT","IndexName":"` + index + `"}`
	}
	return int(do(t, e, "Scan", request)["Count"].(float64))
}

func TestLagShowsEntriesInTime(t *testing.T) {
	c := newClock()
	e := open(t, "", &engine.Options{Clock: c, Lag: &engine.Lag{Max: time.Second, Seed: 1}})
	do(t, e, "CreateTable", schema)
	const n = 200
	for i := range n {
		do(t, e, "PutItem", `{"TableName":"tbl","Item":{"pk":{"S":"p"},"sk":{"N":"%d"},"g":{"S":"g"},"h":{"N":"1"},"l":{"S":"l"}}}`, i)
	}
	if got := count(t, e, ""); got != n {
		t.Errorf("table shows %d of %d", got, n)
	}
	if got := count(t, e, "lsi"); got != n {
		t.Errorf("local index shows %d of %d: it must not lag", got, n)
	}
	// No time has passed: nearly nothing is due.
	if got := count(t, e, "gsi"); got > n/20 {
		t.Errorf("global index shows %d of %d at once", got, n)
	}
	c.move(500 * time.Millisecond)
	if got := count(t, e, "gsi"); got < n/4 || got > 3*n/4 {
		t.Errorf("global index shows %d of %d after half the time", got, n)
	}
	if err := e.Check(); err != nil {
		t.Error(err)
	}
	c.move(500 * time.Millisecond)
	if got := count(t, e, "gsi"); got != n {
		t.Errorf("global index shows %d of %d after the longest time", got, n)
	}
	if pending, err := e.Pending(); err != nil || pending != 0 {
		t.Errorf("%d pending, %v", pending, err)
	}
}

// TestLagKeepsOrder: whatever the delays, an entry ends as its last write left it; a moved key shows both or neither for
// a while, never forever.
func TestLagKeepsOrder(t *testing.T) {
	c := newClock()
	e := open(t, "", &engine.Options{Clock: c, Lag: &engine.Lag{Max: time.Second, Seed: 7}})
	do(t, e, "CreateTable", schema)
	for i := range 300 {
		do(t, e, "PutItem", `{"TableName":"tbl","Item":{"pk":{"S":"p"},"sk":{"N":"%d"},"g":{"S":"g%d"},"h":{"N":"%d"},"x":{"N":"%d"}}}`, i%7, i%3, i%2, i)
		if i%5 == 0 {
			do(t, e, "DeleteItem", `{"TableName":"tbl","Key":{"pk":{"S":"p"},"sk":{"N":"%d"}}}`, (i+3)%7)
		}
		c.move(50 * time.Millisecond)
		if i%10 == 0 {
			count(t, e, "gsi")
		}
	}
	c.move(time.Second)
	if a, b := count(t, e, "gsi"), count(t, e, ""); a != b {
		t.Errorf("index has %d entries, table %d items", a, b)
	}
	if err := e.Check(); err != nil {
		t.Error(err)
	}
}

func TestSettle(t *testing.T) {
	e := open(t, "", &engine.Options{Clock: newClock(), Lag: &engine.Lag{Max: time.Hour}})
	do(t, e, "CreateTable", schema)
	do(t, e, "TransactWriteItems", `{"TransactItems":[{"Put":{"TableName":"tbl","Item":{"pk":{"S":"p"},"sk":{"N":"1"},"g":{"S":"g"},"h":{"N":"1"}}}},
		{"Put":{"TableName":"tbl","Item":{"pk":{"S":"p"},"sk":{"N":"2"},"g":{"S":"g"},"h":{"N":"1"}}}}]}`)
	if n, err := e.Pending(); err != nil || n != 4 {
		t.Errorf("%d pending, %v; want 2 entries in each of 2 indexes", n, err)
	}
	if err := e.Settle(); err != nil {
		t.Fatal(err)
	}
	if got := count(t, e, "gsi"); got != 2 {
		t.Errorf("%d entries", got)
	}
}

// TestLagSurvivesReopening: what waits is stored; opened without a lag it shows at once.
func TestLagSurvivesReopening(t *testing.T) {
	dir := t.TempDir()
	c := newClock()
	e, err := engine.Open(dir, &engine.Options{Clock: c, Lag: &engine.Lag{Max: time.Hour}})
	if err != nil {
		t.Fatal(err)
	}
	do(t, e, "CreateTable", schema)
	do(t, e, "PutItem", `{"TableName":"tbl","Item":{"pk":{"S":"p"},"sk":{"N":"1"},"g":{"S":"g"},"h":{"N":"1"}}}`)
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	e, err = engine.Open(dir, &engine.Options{Clock: c, Lag: &engine.Lag{Max: time.Hour}})
	if err != nil {
		t.Fatal(err)
	}
	if n, err := e.Pending(); err != nil || n != 2 {
		t.Errorf("%d pending, %v", n, err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	e = open(t, dir, nil)
	if got := count(t, e, "gsi"); got != 1 {
		t.Errorf("%d entries", got)
	}
}

func TestTimeToLive(t *testing.T) {
	c := newClock()
	e := open(t, "", &engine.Options{Clock: c, SweepEvery: -1})
	do(t, e, "CreateTable", schema)
	put := func(sk int, ttl string) {
		do(t, e, "PutItem", `{"TableName":"tbl","Item":{"pk":{"S":"p"},"sk":{"N":"%d"},"g":{"S":"g"},"h":{"N":"1"},"ttl":%s}}`, sk, ttl)
	}
	seconds := func(d time.Duration) string { return fmt.Sprintf(`{"N":"%d"}`, c.Now().Add(d).Unix()) }
	put(1, seconds(-time.Second))
	put(2, seconds(time.Hour))
	put(3, `{"S":"soon"}`)
	put(4, seconds(-6*365*24*time.Hour)) // more than five years: a mistake, not a time
	do(t, e, "UpdateTimeToLive", `{"TableName":"tbl","TimeToLiveSpecification":{"AttributeName":"ttl","Enabled":true}}`)
	put(5, seconds(-time.Second))
	put(6, seconds(0))
	e.WaitFilled()
	if n, err := e.Sweep(context.Background()); err != nil || n != 2 {
		t.Errorf("swept %d, %v; want 1 and 5", n, err)
	}
	if got := count(t, e, ""); got != 4 {
		t.Errorf("%d items are left, want 2, 3, 4 and 6", got)
	}
	if got := count(t, e, "gsi"); got != 4 {
		t.Errorf("%d index entries are left", got)
	}
	do(t, e, "UpdateItem", `{"TableName":"tbl","Key":{"pk":{"S":"p"},"sk":{"N":"6"}},"UpdateExpression":"SET #t = :t","ExpressionAttributeNames":{"#t":"ttl"},"ExpressionAttributeValues":{":t":%s}}`, seconds(2*time.Hour))
	c.move(time.Hour + time.Second)
	if n, err := e.Sweep(context.Background()); err != nil || n != 1 {
		t.Errorf("swept %d, %v; want only 2", n, err)
	}
	// UpdateTimeToLive: once an hour.
	do(t, e, "UpdateTimeToLive", `{"TableName":"tbl","TimeToLiveSpecification":{"AttributeName":"ttl","Enabled":false}}`)
	if _, err := try(e, "UpdateTimeToLive", `{"TableName":"tbl","TimeToLiveSpecification":{"AttributeName":"ttl","Enabled":true}}`); !errors.Is(err, wire.ErrInvalid) {
		t.Errorf("changed twice within an hour: %v", err)
	}
}

// TestPages: pages end at 1 MB, cursors lead through everything once, in both directions.
func TestPages(t *testing.T) {
	e := open(t, "", nil)
	do(t, e, "CreateTable", schema)
	const n = 120
	pad := strings.Repeat("x", 30_000)
	for i := range n {
		do(t, e, "PutItem", `{"TableName":"tbl","Item":{"pk":{"S":"p"},"sk":{"N":"%d"},"g":{"S":"g"},"h":{"N":"%d"},"l":{"S":"%d"},"x":{"S":"%s"}}}`, i, i%2, i%3, pad)
	}
	for _, index := range []string{"", "gsi", "lsi"} {
		for _, forward := range []bool{true, false} {
			request := `"KeyConditionExpression":"pk = :p","ExpressionAttributeValues":{":p":{"S":"p"}}`
			switch index {
			case "gsi":
				request = `"IndexName":"gsi","KeyConditionExpression":"g = :p","ExpressionAttributeValues":{":p":{"S":"g"}}`
			case "lsi": // what is fetched from the table fills pages too
				request += `,"IndexName":"lsi","Select":"ALL_ATTRIBUTES"`
			}
			cursor, pages := "", 0
			seen := map[string]bool{}
			for {
				body, err := e.Do(context.Background(), "Query", fmt.Appendf(nil, `{"TableName":"tbl",%s,"ScanIndexForward":%v%s}`, request, forward, cursor))
				if err != nil {
					t.Fatal(err)
				}
				answer, err := wire.DecodeReadOutput(body)
				if err != nil {
					t.Fatal(err)
				}
				pages++
				for it := range answer.Items.All() {
					sk, _ := attr.Lookup(it, "sk")
					if seen[sk.Str()] {
						t.Fatalf("%s twice", sk.Str())
					}
					seen[sk.Str()] = true
				}
				if answer.LastKey == nil {
					break
				}
				cursor = `,"ExclusiveStartKey":` + string(answer.LastKey)
			}
			if len(seen) != n || pages != 4 { // 35 items of 30 KB reach 1 MB
				t.Errorf("index %q forward %v: %d items on %d pages", index, forward, len(seen), pages)
			}
		}
	}
}

// TestSegments: the segments of a parallel scan hold every item once and are of about equal size.
func TestSegments(t *testing.T) {
	e := open(t, "", nil)
	do(t, e, "CreateTable", `{"TableName":"tbl","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],"BillingMode":"PAY_PER_REQUEST"}`)
	const n, total = 3000, 7
	for i := range n {
		do(t, e, "PutItem", `{"TableName":"tbl","Item":{"pk":{"S":"item-%d"}}}`, i)
	}
	sum := 0
	for s := range total {
		got := int(do(t, e, "Scan", `{"TableName":"tbl","Select":"COUNT","Segment":%d,"TotalSegments":%d}`, s, total)["Count"].(float64))
		if got < n/total*3/4 || got > n/total*5/4 {
			t.Errorf("segment %d has %d of %d items", s, got, n)
		}
		sum += got
	}
	if sum != n {
		t.Errorf("segments have %d items together", sum)
	}
}

// TestIndexAddedWhileWriting: an index added to a table with items has them all, and what is written meanwhile.
func TestIndexAddedWhileWriting(t *testing.T) {
	e := open(t, "", nil)
	do(t, e, "CreateTable", `{"TableName":"tbl","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],"BillingMode":"PAY_PER_REQUEST"}`)
	put := func(i, v int) {
		do(t, e, "PutItem", `{"TableName":"tbl","Item":{"pk":{"S":"%d"},"g":{"S":"%d"},"n":{"N":"%d"}}}`, i, i%10, v)
	}
	const n = 4000
	for i := range n {
		put(i, 0)
	}
	do(t, e, "UpdateTable", `{"TableName":"tbl","AttributeDefinitions":[{"AttributeName":"g","AttributeType":"S"}],"GlobalSecondaryIndexUpdates":[{"Create":{"IndexName":"gsi","KeySchema":[{"AttributeName":"g","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}}]}`)
	for i := range 500 {
		put(i*3, 1)
		do(t, e, "DeleteItem", `{"TableName":"tbl","Key":{"pk":{"S":"%d"}}}`, i*3+1)
	}
	e.WaitFilled()
	if got := do(t, e, "DescribeTable", `{"TableName":"tbl"}`)["Table"].(map[string]any)["TableStatus"]; got != "ACTIVE" {
		t.Errorf("the table with a full index is %v", got)
	}
	if got := count(t, e, "gsi"); got != n-500 {
		t.Errorf("index has %d entries, want %d", got, n-500)
	}
	do(t, e, "UpdateTable", `{"TableName":"tbl","GlobalSecondaryIndexUpdates":[{"Delete":{"IndexName":"gsi"}}]}`)
	if _, err := try(e, "Scan", `{"TableName":"tbl","IndexName":"gsi"}`); !errors.Is(err, wire.ErrInvalid) {
		t.Errorf("scan of a deleted index: %v", err)
	}
}

// TestReopen: everything is there again, and a table deleted is gone with its items.
func TestReopen(t *testing.T) {
	dir := t.TempDir()
	e, err := engine.Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := engine.Open(dir, nil); err == nil || !strings.Contains(err.Error(), "in use") {
		t.Errorf("opened twice: %v", err)
	}
	do(t, e, "CreateTable", schema)
	do(t, e, "PutItem", `{"TableName":"tbl","Item":{"pk":{"S":"p"},"sk":{"N":"1"},"g":{"S":"g"},"h":{"N":"1"}}}`)
	before := do(t, e, "DescribeTable", `{"TableName":"tbl"}`)
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	for operation, request := range map[string]string{"Scan": `{"TableName":"tbl"}`, "ListTables": "{}", "DescribeTable": `{"TableName":"tbl"}`, "DescribeLimits": "{}"} {
		if answer, err := try(e, operation, request); err == nil || !strings.Contains(err.Error(), "engine: closed") {
			t.Errorf("closed, %s: %s, %v", operation, answer, err)
		}
	}
	e = open(t, dir, nil)
	after := do(t, e, "DescribeTable", `{"TableName":"tbl"}`)
	if a, b := fmt.Sprint(before), fmt.Sprint(after); a != b {
		t.Errorf("described %s\nbefore    %s", b, a)
	}
	if got := count(t, e, "gsi"); got != 1 {
		t.Errorf("index has %d entries", got)
	}
	do(t, e, "DeleteTable", `{"TableName":"tbl"}`)
	do(t, e, "CreateTable", schema)
	if got := count(t, e, ""); got != 0 {
		t.Errorf("a new table has %d items", got)
	}
}

// TestTokensAreForgotten after ten minutes (TransactWriteItems).
func TestTokensAreForgotten(t *testing.T) {
	c := newClock()
	e := open(t, "", &engine.Options{Clock: c})
	do(t, e, "CreateTable", schema)
	add := func(token string) {
		do(t, e, "TransactWriteItems", `{"ClientRequestToken":"%s","TransactItems":[{"Update":{"TableName":"tbl","Key":{"pk":{"S":"p"},"sk":{"N":"1"}},"UpdateExpression":"ADD n :one","ExpressionAttributeValues":{":one":{"N":"1"}}}}]}`, token)
	}
	add("a")
	c.move(10*time.Minute - time.Second)
	add("a")
	c.move(time.Second)
	add("a")
	for i := range 50 {
		c.move(time.Minute)
		add(fmt.Sprint("b", i))
	}
	it := do(t, e, "GetItem", `{"TableName":"tbl","Key":{"pk":{"S":"p"},"sk":{"N":"1"}}}`)
	if got := fmt.Sprint(it); !strings.Contains(got, "n:map[N:52]") {
		t.Errorf("counted %s, want 52", got)
	}
}

// TestClockNear1970: a clock that a test has begin at 0, or before, makes no token forgotten too early and loses no entry.
func TestClockNear1970(t *testing.T) {
	for _, begin := range []time.Time{{}, time.Unix(-60, 0), time.Unix(0, 0), time.Unix(60, 0)} {
		c := &clock{now: begin}
		e := open(t, "", &engine.Options{Clock: c, Lag: &engine.Lag{Max: math.MaxInt64}})
		do(t, e, "CreateTable", schema)
		for range 2 {
			do(t, e, "TransactWriteItems", `{"ClientRequestToken":"a","TransactItems":[{"Update":{"TableName":"tbl","Key":{"pk":{"S":"p"},"sk":{"N":"1"}},
				"UpdateExpression":"SET g = :g, h = :one ADD n :one","ExpressionAttributeValues":{":one":{"N":"1"},":g":{"S":"g"}}}}]}`)
		}
		it := do(t, e, "GetItem", `{"TableName":"tbl","Key":{"pk":{"S":"p"},"sk":{"N":"1"}}}`)
		if got := fmt.Sprint(it); !strings.Contains(got, "n:map[N:1]") {
			t.Errorf("from %v on: counted %s, want 1", begin, got)
		}
		if err := e.Settle(); err != nil {
			t.Fatal(err)
		}
		if n := count(t, e, "gsi"); n != 1 {
			t.Errorf("from %v on: the index has %d entries", begin, n)
		}
	}
}

// TestConcurrentTransfers: transactions are serializable: money moved between accounts by many neither appears nor
// vanishes, and no reader sees half a transfer.
func TestConcurrentTransfers(t *testing.T) {
	for _, dir := range []string{"", t.TempDir()} {
		e := open(t, dir, &engine.Options{NoSync: true})
		do(t, e, "CreateTable", `{"TableName":"tbl","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],"BillingMode":"PAY_PER_REQUEST"}`)
		const accounts, each = 5, 100
		for i := range accounts {
			do(t, e, "PutItem", `{"TableName":"tbl","Item":{"pk":{"S":"%d"},"n":{"N":"%d"}}}`, i, each)
		}
		sum := func() (total int) {
			for _, it := range do(t, e, "Scan", `{"TableName":"tbl"}`)["Items"].([]any) {
				var n int
				fmt.Sscan(it.(map[string]any)["n"].(map[string]any)["N"].(string), &n)
				if n < 0 {
					t.Errorf("an account has %d", n)
				}
				total += n
			}
			return total
		}
		var wg sync.WaitGroup
		for w := range 8 {
			wg.Go(func() {
				for i := range 100 {
					from, to := (w+i)%accounts, (w*3+i*7+1)%accounts
					if from == to {
						continue
					}
					err := wire.ErrConflict
					for errors.Is(err, wire.ErrConflict) { // another transfer is on one of the accounts
						_, err = try(e, "TransactWriteItems", `{"TransactItems":[
						{"Update":{"TableName":"tbl","Key":{"pk":{"S":"%d"}},"UpdateExpression":"SET n = n - :v","ConditionExpression":"n >= :v","ExpressionAttributeValues":{":v":{"N":"30"}}}},
						{"Update":{"TableName":"tbl","Key":{"pk":{"S":"%d"}},"UpdateExpression":"SET n = n + :v","ExpressionAttributeValues":{":v":{"N":"30"}}}}]}`, from, to)
					}
					if err != nil && !errors.Is(err, wire.ErrConditionFailed) {
						t.Error(err)
					}
					if i%10 == 0 {
						if got := sum(); got != accounts*each {
							t.Errorf("accounts have %d together", got)
						}
					}
				}
			})
		}
		wg.Wait()
		if got := sum(); got != accounts*each {
			t.Errorf("accounts have %d together at the end", got)
		}
	}
}

// TestOptionsNames: what cannot stand in an ARN is refused when the engine is opened.
func TestOptionsNames(t *testing.T) {
	for _, o := range []engine.Options{{Region: "x y"}, {Region: "eu/west"}, {Account: "77"}, {Account: "12345678901x"}} {
		if e, err := engine.Open("", &o); err == nil || !strings.Contains(err.Error(), "like ") {
			t.Errorf("%q %q: %v, %v", o.Region, o.Account, e, err)
		}
	}
}
