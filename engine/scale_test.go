package engine_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/internal/norace"
)

// large is a table with one collection of many items and many small ones beside it, and indexes of very different sizes:
// "all" has an entry for every item, all with one partition key; "some" one for every hundredth item; "one" a single one.
const large = `{"TableName":"large","BillingMode":"PAY_PER_REQUEST",
 "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"N"},{"AttributeName":"kind","AttributeType":"S"},
  {"AttributeName":"rare","AttributeType":"S"},{"AttributeName":"single","AttributeType":"S"}],
 "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],
 "GlobalSecondaryIndexes":[
  {"IndexName":"all","KeySchema":[{"AttributeName":"kind","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],"Projection":{"ProjectionType":"KEYS_ONLY"}},
  {"IndexName":"some","KeySchema":[{"AttributeName":"rare","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}},
  {"IndexName":"one","KeySchema":[{"AttributeName":"single","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}]}`

const smallItems = 5_000 // in as many collections

// item is the item of a number in the collection: sort keys have both signs and gaps.
func (l *loaded) item(i int) string {
	more := ""
	if i%100 == 0 {
		more = fmt.Sprintf(`,"rare":{"S":"r%d"}`, i%1000)
	}
	if i == l.items/2 {
		more += `,"single":{"S":"me"}`
	}
	return fmt.Sprintf(`{"pk":{"S":"all"},"sk":{"N":"%d"},"kind":{"S":"x"},"i":{"N":"%d"},"text":{"S":"some text of item %d"}%s}`, l.key(i), i, i, more)
}

func (l *loaded) key(i int) int { return 3 * (i - l.items/2) }

// TestLarge: what holds of small tables holds of large ones, in memory and in a file: pages forward and backward from
// anywhere, filters, limits, indexes of any size, and scans in parts that cover everything once.
func TestLarge(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	for _, of := range []struct {
		name, dir string
		items     int
	}{{"in memory", "", 100_000}, {"in a file", t.TempDir(), 30_000}} {
		t.Run(of.name, func(t *testing.T) {
			l := &loaded{t: t, e: open(t, of.dir, &engine.Options{NoSync: true, SweepEvery: -1}), items: of.items}
			l.do("CreateTable", large, nil)
			l.load()
			t.Run("pages", l.pages)
			t.Run("filter", l.filter)
			t.Run("limits", l.limits)
			t.Run("indexes", l.indexes)
			t.Run("segments", l.segments)
		})
	}
}

// loaded is an engine with the large table.
type loaded struct {
	t     *testing.T
	e     *engine.Engine
	items int // in the one collection
}

// page is what reads answer.
type page struct {
	Items []struct {
		PK    struct{ S string }
		SK, I struct{ N string }
	}
	Count, ScannedCount int
	LastEvaluatedKey    json.RawMessage
}

func (l *loaded) do(operation, request string, out any) {
	l.t.Helper()
	answer, err := l.e.Do(l.t.Context(), operation, []byte(request))
	if err != nil {
		l.t.Fatalf("%s %.300s: %v", operation, request, err)
	}
	if out != nil {
		if err := json.Unmarshal(answer, out); err != nil {
			l.t.Fatalf("%s: %v in %.300s", operation, err, answer)
		}
	}
}

// load writes the items in batches, in an order that is not theirs.
func (l *loaded) load() {
	l.t.Helper()
	order := rand.New(rand.NewPCG(1, 2)).Perm(l.items + smallItems)
	for len(order) > 0 {
		n := min(25, len(order))
		var b strings.Builder
		for _, i := range order[:n] {
			item := fmt.Sprintf(`{"pk":{"S":"small %d"},"sk":{"N":"%d"},"i":{"N":"-1"}}`, i, i)
			if i < l.items {
				item = l.item(i)
			}
			fmt.Fprintf(&b, `,{"PutRequest":{"Item":%s}}`, item)
		}
		order = order[n:]
		var out struct{ UnprocessedItems map[string]any }
		l.do("BatchWriteItem", `{"RequestItems":{"large":[`+b.String()[1:]+`]}}`, &out)
		if len(out.UnprocessedItems) > 0 {
			l.t.Fatal("a batch was not done as a whole")
		}
	}
}

// query asks for the pages of the collection, from a cursor on, and calls each with the items of one; it stops at the end
// or when each answers false.
func (l *loaded) query(t *testing.T, more string, each func(p *page) bool) {
	t.Helper()
	var from json.RawMessage
	for {
		request := `{"TableName":"large","KeyConditionExpression":"pk = :p","ExpressionAttributeValues":{":p":{"S":"all"}` + more
		if from != nil {
			request += `,"ExclusiveStartKey":` + string(from)
		}
		var p page
		l.do("Query", request+"}", &p)
		if !each(&p) || p.LastEvaluatedKey == nil {
			return
		}
		if bytes.Equal(p.LastEvaluatedKey, from) {
			t.Fatalf("a page that ends where it began: %s", from)
		}
		from = p.LastEvaluatedKey
	}
}

// pages reads the collection whole, in either direction, page by page of what a page takes and of a few items.
func (l *loaded) pages(t *testing.T) {
	for _, forward := range []bool{true, false} {
		for _, limit := range []int{0, 999} {
			more := fmt.Sprintf(`},"ScanIndexForward":%v`, forward)
			if limit > 0 {
				more += fmt.Sprintf(`,"Limit":%d`, limit)
			}
			n, pages := 0, 0
			l.query(t, more, func(p *page) bool {
				pages++
				for _, item := range p.Items {
					i := n
					if !forward {
						i = l.items - 1 - n
					}
					if item.I.N != fmt.Sprint(i) || item.SK.N != fmt.Sprint(l.key(i)) {
						t.Fatalf("forward %v: item %s with key %s where item %d should be", forward, item.I.N, item.SK.N, i)
					}
					n++
				}
				if limit > 0 && p.LastEvaluatedKey != nil && p.Count != limit {
					t.Fatalf("a page of %d with limit %d", p.Count, limit)
				}
				return true
			})
			if n != l.items {
				t.Errorf("forward %v, limit %d: %d items", forward, limit, n)
			}
			if want := (l.items + max(limit, 1) - 1) / max(limit, 1); limit > 0 && pages != want && pages != want+1 {
				t.Errorf("%d pages of %d", pages, limit)
			}
			if limit == 0 && (pages < l.items/25_000+1 || pages > l.items/15_000+1) { // of 1 MB each: an item has about 50 bytes
				t.Errorf("%d pages without a limit", pages)
			}
		}
	}
}

// filter: a page ends by what was read, not by what was found.
func (l *loaded) filter(t *testing.T) {
	found, scanned, empty := 0, 0, 0
	l.query(t, fmt.Sprintf(`,":a":{"N":"%d"}},"FilterExpression":"i >= :a"`, l.items-10), func(p *page) bool {
		found += p.Count
		scanned += p.ScannedCount
		if p.Count == 0 {
			empty++
		}
		return true
	})
	if found != 10 || scanned != l.items || empty == 0 {
		t.Errorf("found %d of %d, %d pages without any", found, scanned, empty)
	}
}

// limits reads one item at a time from anywhere, forward and backward, and around the ends.
func (l *loaded) limits(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, i := range append(r.Perm(l.items)[:300], 0, 1, l.items-2, l.items-1) {
		for _, forward := range []bool{true, false} {
			// The cursor lies between items: it need not be one.
			from, want := l.key(i)-1, i
			if !forward {
				from = l.key(i) + 1
			}
			more := fmt.Sprintf(`},"ScanIndexForward":%v,"Limit":1,"ExclusiveStartKey":{"pk":{"S":"all"},"sk":{"N":"%d"}}`, forward, from)
			var p page
			l.do("Query", `{"TableName":"large","KeyConditionExpression":"pk = :p","ExpressionAttributeValues":{":p":{"S":"all"}`+more+"}", &p)
			if p.Count != 1 || p.Items[0].I.N != fmt.Sprint(want) || p.LastEvaluatedKey == nil {
				t.Fatalf("forward %v from %d: %+v, want item %d", forward, from, p, want)
			}
		}
		var p page
		l.do("Query", fmt.Sprintf(`{"TableName":"large","KeyConditionExpression":"pk = :p AND sk BETWEEN :a AND :b","Select":"COUNT","ExpressionAttributeValues":{":p":{"S":"all"},":a":{"N":"%d"},":b":{"N":"%d"}}}`,
			l.key(i)-6, l.key(i)+6), &p)
		if want := min(i, 2) + 1 + min(l.items-1-i, 2); p.Count != want {
			t.Fatalf("%d items around %d, want %d", p.Count, i, want)
		}
	}
}

// indexes: each holds what belongs there, the large one and the one with a single entry, also after items have changed.
func (l *loaded) indexes(t *testing.T) {
	count := func(index string) (n int) {
		var from json.RawMessage
		for {
			request := `{"TableName":"large","IndexName":"` + index + `","Select":"COUNT"`
			if from != nil {
				request += `,"ExclusiveStartKey":` + string(from)
			}
			var p page
			l.do("Scan", request+"}", &p)
			n += p.Count
			if from = p.LastEvaluatedKey; from == nil {
				return n
			}
		}
	}
	expect := func(all, some, one int) {
		t.Helper()
		if a, s, o := count("all"), count("some"), count("one"); a != all || s != some || o != one {
			t.Errorf("indexes have %d, %d, %d entries, want %d, %d, %d", a, s, o, all, some, one)
		}
	}
	expect(l.items, l.items/100, 1)
	for i := range 100 { // away, and to where the single one is
		update := fmt.Sprintf(`{"TableName":"large","Key":{"pk":{"S":"all"},"sk":{"N":"%d"}},"UpdateExpression":"SET single = :me REMOVE kind","ExpressionAttributeValues":{":me":{"S":"me"}}}`, l.key(i))
		l.do("UpdateItem", update, nil)
	}
	expect(l.items-100, l.items/100, 101)
	for i := range 100 {
		l.do("PutItem", `{"TableName":"large","Item":`+l.item(i)+`}`, nil)
	}
	expect(l.items, l.items/100, 1)
}

// segments: the parts of a parallel scan cover everything, and nothing twice, however many they are.
func (l *loaded) segments(t *testing.T) {
	for _, total := range []int{7, 500} {
		seen := make(map[string]bool, l.items+smallItems)
		for segment := range total {
			var from json.RawMessage
			for {
				request := fmt.Sprintf(`{"TableName":"large","Segment":%d,"TotalSegments":%d,"ProjectionExpression":"pk, sk"`, segment, total)
				if from != nil {
					request += `,"ExclusiveStartKey":` + string(from)
				}
				var p page
				l.do("Scan", request+"}", &p)
				for _, item := range p.Items {
					key := item.PK.S + "/" + item.SK.N
					if seen[key] {
						t.Fatalf("%d segments: %s is in two", total, key)
					}
					seen[key] = true
				}
				if from = p.LastEvaluatedKey; from == nil {
					break
				}
			}
		}
		if len(seen) != l.items+smallItems {
			t.Errorf("%d segments have %d items", total, len(seen))
		}
	}
}

// TestLargestItems: items of 400 KB are written and read by every operation, one or two to a page, and back from an index.
func TestLargestItems(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	const n = 60
	e := open(t, t.TempDir(), &engine.Options{NoSync: true, SweepEvery: -1})
	l := &loaded{t: t, e: e}
	l.do("CreateTable", large, nil)
	text := strings.Repeat("x", 400<<10-len("pksktextkindall")-len("k")-3) // the numbers take three bytes at most
	item := func(i int) string {
		return fmt.Sprintf(`{"pk":{"S":"all"},"sk":{"N":"%d"},"kind":{"S":"k"},"text":{"S":"%s"}}`, i+100, text)
	}
	for i := range n {
		l.do("PutItem", `{"TableName":"large","Item":`+item(i)+`}`, nil)
	}
	for _, forward := range []bool{true, false} {
		read := 0
		l.query(t, fmt.Sprintf(`},"ScanIndexForward":%v`, forward), func(p *page) bool {
			read += p.Count
			// The item that takes a page over 1 MB is the page's last one (Query.Pagination).
			if p.LastEvaluatedKey != nil && p.Count != 3 {
				t.Errorf("a page of %d items of 400 KB", p.Count)
			}
			return true
		})
		if read != n {
			t.Errorf("%d of %d items read", read, n)
		}
	}
	var keys []string
	for i := range n {
		keys = append(keys, fmt.Sprintf(`{"pk":{"S":"all"},"sk":{"N":"%d"}}`, i+100))
	}
	var batch struct {
		Responses       map[string][]any
		UnprocessedKeys map[string]struct{ Keys []json.RawMessage }
	}
	l.do("BatchGetItem", `{"RequestItems":{"large":{"Keys":[`+strings.Join(keys, ",")+`]}}}`, &batch)
	// 1 MB of one partition are read at a time (API_BatchGetItem, and the quotas of items of one partition), the rest is told.
	got, left := len(batch.Responses["large"]), len(batch.UnprocessedKeys["large"].Keys)
	if got+left != n || got < 2 || left == 0 {
		t.Errorf("a batch of %d has %d items and %d keys left", n, got, left)
	}
	l.do("UpdateItem", `{"TableName":"large","Key":`+keys[0]+`,"UpdateExpression":"SET kind = :k","ExpressionAttributeValues":{":k":{"S":"l"}}}`, nil)
	l.do("TransactWriteItems", fmt.Sprintf(`{"TransactItems":[{"Put":{"TableName":"large","Item":%s}},{"Delete":{"TableName":"large","Key":%s}}]}`, item(n), keys[1]), nil)
	var p page
	l.do("Query", `{"TableName":"large","IndexName":"all","KeyConditionExpression":"kind = :k","ExpressionAttributeValues":{":k":{"S":"k"}},"Select":"COUNT"}`, &p)
	if p.Count != n-1 {
		t.Errorf("the index has %d entries, want %d", p.Count, n-1)
	}
	if _, err := e.Do(t.Context(), "PutItem", []byte(`{"TableName":"large","Item":`+strings.Replace(item(1), `"xxx`, `"xxxxxx`, 1)+`}`)); err == nil {
		t.Error("an item of more than 400 KB is taken")
	}
}
