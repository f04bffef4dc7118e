package rules

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/stats"
)

// The rules about how programs are written, on snapshots made by hand: what a figure more or less changes. That these figures are
// what traffic brings is for the traces.

// sheet is a snapshot that a case of these tests fills in.
type sheet struct {
	stats.Snapshot
	tables []*Table
}

func (s *sheet) operation(name, index, pattern string, calls float64, set ...func(o *stats.Operation)) {
	o := &stats.Operation{Operation: name, Table: "Shop", Index: index, Pattern: pattern, First: s.From, Last: s.To, Took: new(stats.Distribution),
		Received: new(stats.Distribution), Traffic: new(stats.Traffic), Attributes: map[string]*stats.AttributeCounts{}}
	o.Calls, o.Detailed, o.Outcomes[stats.Done] = calls, calls, calls
	o.Took.Add(int64(4*time.Millisecond), calls)
	if name == "GetItem" || name == "Query" {
		o.Read = calls / 2
	} else {
		o.Write = calls
	}
	for _, f := range set {
		f(o)
	}
	s.Operations = append(s.Operations, o)
}

func (s *sheet) episode(e stats.Episode) {
	if e.Seen == 0 {
		e.Seen = e.Count
	}
	e.Table = "Shop"
	s.Episodes = append(s.Episodes, &e)
}

// items adds sampled items, each of these attributes: name or name=shape.
func (s *sheet) items(n int, attributes ...string) {
	if len(s.Sizes) == 0 {
		s.Sizes = []*stats.ItemSizes{{Table: "Shop"}}
	}
	for range n {
		item := stats.SizedItem{Hash: uint64(len(s.Sizes[0].Sample) + 1)}
		for _, a := range attributes {
			name, shape, _ := strings.Cut(a, "=")
			p := stats.Print{Name: name, Type: "S", Bytes: 20, Shape: shape}
			if shape == "" {
				p.Shape = "<word>"
			}
			for _, c := range shape {
				p.Value = 31*p.Value + uint64(c)
			}
			item.Attributes = append(item.Attributes, p)
		}
		slices.SortFunc(item.Attributes, func(a, b stats.Print) int { return strings.Compare(a.Name, b.Name) })
		s.Sizes[0].Sample = append(s.Sizes[0].Sample, item)
	}
}

func tests(name string, n float64) func(*stats.Operation) {
	return func(o *stats.Operation) { o.Attributes[name], o.Conditional = &stats.AttributeCounts{Tested: n}, n }
}

var practiceCases = []struct {
	name string
	rule *Rule
	fill func(s *sheet)
	says string // a part of the title; "": the rule rests
}{
	{"a loop of gets", singleGets, func(s *sheet) {
		s.operation("GetItem", "", "product", 2000)
		s.episode(stats.Episode{Kind: stats.SingleGets, Operation: "GetItem", Pattern: "product", Count: 200, Calls: 1600, Took: 35 * time.Millisecond})
	}, "product: 8 gets one by one where one batch would do"},
	{"a worker's loops, of about one length", singleGets, func(s *sheet) {
		s.operation("GetItem", "", "product", 2000)
		s.episode(stats.Episode{Kind: stats.SingleGets, Operation: "GetItem", Pattern: "product", Count: 200, Calls: 1600, Squares: 200 * 66, Callers: 2, Took: 35 * time.Millisecond})
	}, "product: 8 gets one by one"},
	{"a worker's calls of all kinds, gets among them", singleGets, func(s *sheet) {
		s.operation("GetItem", "", "product", 2000)
		s.episode(stats.Episode{Kind: stats.SingleGets, Operation: "GetItem", Pattern: "product", Count: 200, Calls: 1600, Squares: 200 * 94, Callers: 2, Took: 35 * time.Millisecond})
	}, ""},
	{"three gets are no loop", singleGets, func(s *sheet) {
		s.operation("GetItem", "", "product", 2000)
		s.episode(stats.Episode{Kind: stats.SingleGets, Operation: "GetItem", Pattern: "product", Count: 400, Calls: 1200, Took: 15 * time.Millisecond})
	}, ""},
	{"a worker with one context", singleGets, func(s *sheet) {
		s.operation("GetItem", "", "product", 2000)
		s.episode(stats.Episode{Kind: stats.SingleGets, Operation: "GetItem", Pattern: "product", Count: 200, Calls: 1600, Took: 2 * time.Second})
	}, ""},
	{"of the same item each time", singleGets, func(s *sheet) {
		s.operation("GetItem", "", "product", 2000)
		s.episode(stats.Episode{Kind: stats.SingleGets, Operation: "GetItem", Pattern: "product", Count: 200, Calls: 1600, Took: 35 * time.Millisecond})
		s.episode(stats.Episode{Kind: stats.ReadAgain, Operation: "GetItem", Pattern: "product", Count: 1400, Calls: 1600})
	}, ""},
	{"seen too seldom", singleGets, func(s *sheet) {
		s.operation("GetItem", "", "product", 2000)
		s.episode(stats.Episode{Kind: stats.SingleGets, Operation: "GetItem", Pattern: "product", Count: 200, Seen: 3, Calls: 1600, Took: 35 * time.Millisecond})
	}, ""},
	{"a long loop of puts, that somebody waits for", singlePuts, func(s *sheet) {
		s.operation("PutItem", "", "import", 2000)
		s.episode(stats.Episode{Kind: stats.SinglePuts, Operation: "PutItem", Pattern: "import", Count: 20, Calls: 1200, Took: 250 * time.Millisecond})
	}, "import: 60 writes one by one where 3 batches would do"},
	{"one import", singlePuts, func(s *sheet) {
		s.operation("PutItem", "", "import", 300)
		s.episode(stats.Episode{Kind: stats.SinglePuts, Operation: "PutItem", Pattern: "import", Count: 3, Calls: 300, Callers: 1, Took: 500 * time.Millisecond})
	}, "import: 100 writes one by one where 4 batches would do"},
	{"a table that is filled when the program begins", singlePuts, func(s *sheet) {
		s.operation("PutItem", "", "seed", 300, func(o *stats.Operation) { o.Last = s.From.Add(10 * time.Second) })
		s.episode(stats.Episode{Kind: stats.SinglePuts, Operation: "PutItem", Pattern: "seed", Count: 3, Calls: 300, Callers: 1, Took: 500 * time.Millisecond})
	}, ""},
	{"a few rows of a few puts", singlePuts, func(s *sheet) {
		s.operation("PutItem", "", "import", 300)
		s.episode(stats.Episode{Kind: stats.SinglePuts, Operation: "PutItem", Pattern: "import", Count: 9, Calls: 100, Callers: 9, Took: 50 * time.Millisecond})
	}, ""},
	{"a get and a put of the same item", readBeforeWrite, func(s *sheet) {
		s.operation("PutItem", "", "save", 500)
		s.episode(stats.Episode{Kind: stats.ReadPut, Operation: "PutItem", Pattern: "save", First: "GetItem", Count: 400, Calls: 800, Read: 200, Write: 400})
	}, "save reads the item before each put"},
	{"a put that asks for a version", readBeforeWrite, func(s *sheet) {
		s.operation("PutItem", "", "save", 500, tests("version", 500))
		s.episode(stats.Episode{Kind: stats.ReadPutChecked, Operation: "PutItem", Pattern: "save", First: "GetItem", Count: 400, Calls: 800, Read: 200, Write: 400})
	}, ""},
	{"a put that asks whether it is there", readBeforeWrite, func(s *sheet) {
		s.operation("PutItem", "", "save", 500, tests("PK", 500))
		s.episode(stats.Episode{Kind: stats.ReadPutChecked, Operation: "PutItem", Pattern: "save", First: "GetItem", Count: 400, Calls: 800, Read: 200, Write: 400})
	}, "save reads the item before each put"},
	{"an update that asks for nothing", readBeforeWrite, func(s *sheet) {
		s.operation("GetItem", "", "session", 900)
		s.operation("UpdateItem", "", "touch", 500, tests("PK", 500))
		s.episode(stats.Episode{Kind: stats.ReadUpdate, Operation: "UpdateItem", Pattern: "touch", First: "GetItem", FirstPattern: "session", Count: 400, Calls: 800, Read: 200, Write: 400})
	}, "touch reads the item before each update"},
	{"a get that is followed by an update now and then", readBeforeWrite, func(s *sheet) {
		s.operation("GetItem", "", "session", 50_000)
		s.operation("UpdateItem", "", "touch", 500, tests("PK", 500))
		s.episode(stats.Episode{Kind: stats.ReadUpdate, Operation: "UpdateItem", Pattern: "touch", First: "GetItem", FirstPattern: "session", Count: 400, Calls: 800, Read: 200, Write: 400})
	}, ""},
	{"an update now and then after a get", readBeforeWrite, func(s *sheet) {
		s.operation("GetItem", "", "session", 900)
		s.operation("UpdateItem", "", "touch", 5000, tests("PK", 500))
		s.episode(stats.Episode{Kind: stats.ReadUpdate, Operation: "UpdateItem", Pattern: "touch", First: "GetItem", FirstPattern: "session", Count: 400, Calls: 800, Read: 200, Write: 400})
	}, ""},
	{"an update that asks for the state that was read", readBeforeWrite, func(s *sheet) {
		s.operation("GetItem", "", "session", 900)
		s.operation("UpdateItem", "", "touch", 500, tests("PK", 500), tests("state", 500))
		s.episode(stats.Episode{Kind: stats.ReadUpdate, Operation: "UpdateItem", Pattern: "touch", First: "GetItem", FirstPattern: "session", Count: 400, Calls: 800, Read: 200, Write: 400})
	}, ""},
	{"several on one item, one of whom lost", lostUpdate, func(s *sheet) {
		s.operation("PutItem", "", "save", 500)
		s.episode(stats.Episode{Kind: stats.ReadPut, Operation: "PutItem", Pattern: "save", First: "GetItem", Count: 400, Calls: 800, Callers: 400, Items: 10, Took: 9 * time.Millisecond})
		s.episode(stats.Episode{Kind: stats.LostUpdate, Operation: "PutItem", Pattern: "save", First: "GetItem", Count: 12, Calls: 24, Took: 9 * time.Millisecond})
	}, "save undid another caller's write"},
	{"several on one item, and none was seen to lose", lostUpdate, func(s *sheet) {
		s.operation("PutItem", "", "save", 500)
		s.episode(stats.Episode{Kind: stats.ReadPut, Operation: "PutItem", Pattern: "save", First: "GetItem", Count: 4000, Calls: 8000, Callers: 4000, Items: 10, Took: 9 * time.Millisecond})
	}, "some 31 times a year"},
	{"workers who read here and write there", lostUpdate, func(s *sheet) {
		s.operation("GetItem", "", "load", 5000)
		s.operation("PutItem", "", "save", 5000)
		s.episode(stats.Episode{Kind: stats.ReadPut, Operation: "PutItem", Pattern: "save", First: "GetItem", FirstPattern: "load", Count: 900, Calls: 1800, Callers: 8, Items: 5,
			Took: 300 * time.Millisecond})
		s.episode(stats.Episode{Kind: stats.LostUpdate, Operation: "PutItem", Pattern: "save", First: "GetItem", FirstPattern: "load", Count: 50, Calls: 100, Took: 300 * time.Millisecond})
	}, ""},
	{"workers who read and write at once", lostUpdate, func(s *sheet) {
		s.operation("GetItem", "", "load", 5000)
		s.operation("PutItem", "", "save", 5000)
		s.episode(stats.Episode{Kind: stats.ReadPut, Operation: "PutItem", Pattern: "save", First: "GetItem", FirstPattern: "load", Count: 900, Calls: 1800, Callers: 8, Items: 5,
			Took: 9 * time.Millisecond})
		s.episode(stats.Episode{Kind: stats.LostUpdate, Operation: "PutItem", Pattern: "save", First: "GetItem", FirstPattern: "load", Count: 50, Calls: 100, Took: 9 * time.Millisecond})
	}, "save undid another caller's write"},
	{"all under one context, at once", lostUpdate, func(s *sheet) {
		s.operation("PutItem", "", "save", 5000)
		s.episode(stats.Episode{Kind: stats.LostUpdate, Operation: "PutItem", Pattern: "save", Count: 50, Calls: 100, Took: 12 * time.Millisecond})
	}, "save undid another caller's write"},
	{"all under one context, some time apart", lostUpdate, func(s *sheet) {
		s.operation("PutItem", "", "save", 5000)
		s.episode(stats.Episode{Kind: stats.LostUpdate, Operation: "PutItem", Pattern: "save", Count: 50, Calls: 100, Took: 120 * time.Millisecond})
	}, ""},
	{"each his own item", lostUpdate, func(s *sheet) {
		s.operation("PutItem", "", "save", 500)
		s.episode(stats.Episode{Kind: stats.ReadPut, Operation: "PutItem", Pattern: "save", First: "GetItem", Count: 400, Calls: 800, Callers: 400, Items: 390, Took: 9 * time.Millisecond})
	}, ""},
	{"several, who hardly ever meet", lostUpdate, func(s *sheet) {
		s.operation("PutItem", "", "save", 500)
		s.episode(stats.Episode{Kind: stats.ReadPut, Operation: "PutItem", Pattern: "save", First: "GetItem", Count: 30, Calls: 60, Callers: 30, Items: 12, Took: 9 * time.Millisecond})
	}, ""},
	{"a megabyte, and no more", unpaged, func(s *sheet) {
		s.operation("Query", "", "ledger", 500, func(o *stats.Operation) { o.More = 300 })
		s.episode(stats.Episode{Kind: stats.Unpaged, Operation: "Query", Pattern: "ledger", Count: 300, Calls: 300, Returned: 300 * 900})
	}, "ledger stops at a page's end"},
	{"a search that ends when it found, and sometimes goes on", unpaged, func(s *sheet) {
		s.operation("Query", "", "ledger", 500, func(o *stats.Operation) { o.More, o.Filtered, o.Resumed = 300, 500, 60 })
		s.episode(stats.Episode{Kind: stats.Unpaged, Operation: "Query", Pattern: "ledger", Count: 240, Calls: 240, Returned: 240 * 9})
	}, ""},
	{"a few left of many pages that are read on", unpaged, func(s *sheet) {
		s.operation("Query", "", "ledger", 5000, func(o *stats.Operation) { o.More, o.Resumed = 3000, 2900 })
		s.episode(stats.Episode{Kind: stats.Unpaged, Operation: "Query", Pattern: "ledger", Count: 100, Calls: 100, Returned: 100 * 900})
	}, ""},
	{"the newest ten", unpaged, func(s *sheet) {
		s.operation("Query", "", "newest", 500, func(o *stats.Operation) { o.More = 300 })
		s.episode(stats.Episode{Kind: stats.UnpagedLimit, Operation: "Query", Pattern: "newest", Count: 300, Calls: 300, Returned: 3000})
	}, ""},
	{"a limit that nobody reads to", unpaged, func(s *sheet) {
		s.operation("Query", "", "all", 500, func(o *stats.Operation) { o.More = 300 })
		s.episode(stats.Episode{Kind: stats.UnpagedLimit, Operation: "Query", Pattern: "all", Count: 300, Calls: 300, Returned: 300 * 500})
	}, "all ends at its limit of 500 items"},
	{"a long list whose next page somebody wanted", unpaged, func(s *sheet) {
		s.operation("Query", "", "all", 500, func(o *stats.Operation) { o.More, o.Resumed = 300, 1 })
		s.episode(stats.Episode{Kind: stats.UnpagedLimit, Operation: "Query", Pattern: "all", Count: 299, Calls: 299, Returned: 299 * 500})
	}, ""},
	{"a list right after the write", indexReadOwn, func(s *sheet) {
		s.operation("Query", "ByOwner", "mine", 500)
		s.episode(stats.Episode{Kind: stats.IndexReadOwn, Index: "ByOwner", Operation: "Query", Pattern: "mine", First: "PutItem", FirstPattern: "add", Count: 40, Calls: 80})
	}, "mine reads Shop.ByOwner right after add wrote there"},
	{"by a worker who writes here and reads there", indexReadOwn, func(s *sheet) {
		s.operation("PutItem", "", "add", 500)
		s.operation("Query", "ByOwner", "mine", 500)
		s.episode(stats.Episode{Kind: stats.IndexReadOwn, Index: "ByOwner", Operation: "Query", Pattern: "mine", First: "PutItem", FirstPattern: "add", Count: 40, Calls: 80, Callers: 3,
			Took: 300 * time.Millisecond})
	}, ""},
	{"by a worker at once", indexReadOwn, func(s *sheet) {
		s.operation("PutItem", "", "add", 500)
		s.operation("Query", "ByOwner", "mine", 500)
		s.episode(stats.Episode{Kind: stats.IndexReadOwn, Index: "ByOwner", Operation: "Query", Pattern: "mine", First: "PutItem", FirstPattern: "add", Count: 40, Calls: 80, Callers: 3,
			Took: 12 * time.Millisecond})
	}, "mine reads Shop.ByOwner right after add wrote there"},
	{"once or twice", indexReadOwn, func(s *sheet) {
		s.operation("Query", "ByOwner", "mine", 500)
		s.episode(stats.Episode{Kind: stats.IndexReadOwn, Index: "ByOwner", Operation: "Query", Pattern: "mine", First: "PutItem", FirstPattern: "add", Count: 2, Calls: 4})
	}, ""},
	{"an index key of two attributes, and a sort key of two", concatenatedKeys, func(s *sheet) {
		s.operation("Query", "ByOwner", "mine", 500)
		s.items(40, "PK", "SK", "GSI1PK=t#{tenant}#r#{region}", "GSI1SK={state}#{at}", "tenant", "region", "state", "at")
	}, "The key GSI1PK of Shop.ByOwner is tenant and region glued together"},
	{"an index that nobody reads", concatenatedKeys, func(s *sheet) {
		s.operation("GetItem", "", "one", 500)
		s.items(40, "PK", "SK", "GSI1PK=t#{tenant}#r#{region}", "GSI1SK={state}#{at}", "tenant", "region", "state", "at")
	}, ""},
	{"an index of two kinds of items", concatenatedKeys, func(s *sheet) {
		s.operation("Query", "ByOwner", "mine", 500)
		s.items(40, "PK", "SK", "GSI1PK=t#{tenant}", "GSI1SK={state}#{at}", "tenant", "state", "at")
		s.items(40, "PK", "SK", "GSI1PK=u#{user}", "GSI1SK={day}#{no}", "user", "day", "no")
	}, ""},
	{"one attribute behind a prefix", concatenatedKeys, func(s *sheet) {
		s.operation("Query", "ByOwner", "mine", 500)
		s.items(40, "PK", "SK", "GSI1PK=t#{tenant}", "GSI1SK={at}", "tenant", "at")
	}, ""},
	{"parts that the item does not have", concatenatedKeys, func(s *sheet) {
		s.operation("Query", "ByOwner", "mine", 500)
		s.items(40, "PK", "SK", "GSI1PK=t#{tenant}#<date>", "GSI1SK=<word>#<digits>", "tenant")
	}, ""},
	{"the table's own key in the index", concatenatedKeys, func(s *sheet) {
		s.tables[0].Declared.GSI["ByOwner"] = plan.Index{Partition: []string{"tenant"}, Sort: []string{"SK"}}
		s.operation("Query", "ByOwner", "mine", 500)
		s.items(40, "PK", "SK={state}#{at}", "tenant", "state", "at")
	}, ""},
	{"large letters and small ones", keyFormats, func(s *sheet) {
		s.items(90, "PK=user#{userId}", "SK=<word>", "userId", "name")
		s.items(10, "PK=USER#{userId}", "SK=<word>", "userId", "name")
	}, "PK of one kind of items in Shop is written user#{userId} and USER#{userId}: 10 %"},
	{"two separators", keyFormats, func(s *sheet) {
		s.items(60, "PK", "SK=order#<ulid>", "total", "state")
		s.items(40, "PK", "SK=order_<ulid>", "total", "state")
	}, "SK of one kind of items in Shop is written order#… and order_…"},
	{"a prefix that some leave out", keyFormats, func(s *sheet) {
		s.items(60, "PK=user#{userId}", "SK", "userId", "name")
		s.items(40, "PK={userId}", "SK", "userId", "name")
	}, "PK of one kind of items in Shop is written user#{userId} and {userId}"},
	{"two kinds of items", keyFormats, func(s *sheet) {
		s.items(60, "PK=USER#{id}", "SK", "id", "name", "mail")
		s.items(40, "PK=order#{id}", "SK", "id", "total", "state")
	}, ""},
	{"two kinds of items with the same attributes and a type", keyFormats, func(s *sheet) {
		s.items(60, "PK=user#{id}", "SK", "id", "name", "type=<Word>")
		s.items(40, "PK=u#{id}", "SK", "id", "name", "type=<word>")
	}, ""},
	{"names that users choose", keyFormats, func(s *sheet) {
		s.items(40, "PK=<word>", "SK", "mail", "since")
		s.items(30, "PK=<Word>", "SK", "mail", "since")
		s.items(20, "PK=<word>_<word>", "SK", "mail", "since")
		s.items(10, "PK=<word>.<digits>", "SK", "mail", "since")
	}, ""},
	{"slugs behind a prefix", keyFormats, func(s *sheet) {
		s.items(40, "PK=post#<word>-<word>", "SK", "text", "since")
		s.items(30, "PK=post#<Word>-<word>-<digits>", "SK", "text", "since")
	}, ""},
	{"one of a hundred, made by hand", keyFormats, func(s *sheet) {
		s.items(99, "PK=user#{userId}", "SK", "userId", "name")
		s.items(1, "PK=USER#{userId}", "SK", "userId", "name")
	}, ""},
	{"data1 to data3", reservedNames, func(s *sheet) { s.items(5, "PK", "SK", "data1", "data2", "data3", "status") },
		"data1, data2 and data3 of Shop say nothing of what they hold"},
	{"reserved words behind placeholders, lines of an address, keys with numbers", reservedNames, func(s *sheet) {
		s.operation("UpdateItem", "", "pay", 500, tests("status", 500), func(o *stats.Operation) { o.Outcomes[stats.Invalid] = 5 })
		s.items(5, "PK", "SK", "GSI1PK", "GSI1SK", "GSI2PK", "line1", "line2", "line3", "name", "date", "data1", "data2")
	}, ""},
	{"a reserved word as it is", reservedNames, func(s *sheet) {
		s.operation("UpdateItem", "", "pay", 500, func(o *stats.Operation) {
			o.Outcomes[stats.Invalid] = 500
			o.Attributes["status"] = &stats.AttributeCounts{Tested: 500, Bare: 500}
			o.Attributes["paidAt"] = &stats.AttributeCounts{Written: 500, Bare: 500}
		})
	}, "Calls on Shop are refused: status cannot be named without a placeholder"},
	{"a word that is not reserved, and calls refused for something else", reservedNames, func(s *sheet) {
		s.operation("UpdateItem", "", "pay", 500, func(o *stats.Operation) {
			o.Outcomes[stats.Invalid] = 500
			o.Attributes["paidAt"] = &stats.AttributeCounts{Written: 500, Bare: 500}
		})
	}, ""},
	{"the same item again", repeatedReads, func(s *sheet) {
		s.operation("GetItem", "", "user", 3000)
		s.episode(stats.Episode{Kind: stats.ReadAgain, Operation: "GetItem", Pattern: "user", Count: 2000, Calls: 3000, Read: 1500, Took: 8 * time.Millisecond})
	}, "user gets again what the same caller got just before: 67 %"},
	{"waiting for a change", repeatedReads, func(s *sheet) {
		s.operation("GetItem", "", "user", 3000)
		s.episode(stats.Episode{Kind: stats.ReadAgain, Operation: "GetItem", Pattern: "user", Count: 2000, Calls: 3000, Read: 1500, Took: 10 * time.Second})
	}, ""},
	{"strongly, each time", repeatedReads, func(s *sheet) {
		s.operation("GetItem", "", "user", 3000, func(o *stats.Operation) { o.Consistent = 3000 })
		s.episode(stats.Episode{Kind: stats.ReadAgain, Operation: "GetItem", Pattern: "user", Count: 2000, Calls: 3000, Read: 3000, Took: 8 * time.Millisecond})
	}, ""},
}

func TestPractice(t *testing.T) {
	for _, c := range practiceCases {
		t.Run(c.rule.ID+"/"+c.name, func(t *testing.T) {
			from := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
			s := &sheet{}
			s.From, s.To, s.Sources, s.Thresholds = from, from.Add(36*time.Hour), 1, stats.DefaultThresholds()
			s.Partitions, s.Items, s.Throttled, s.Contended = new(stats.Keys), new(stats.Keys), new(stats.Keys), new(stats.Keys)
			s.tables = []*Table{{Declared: plan.Table{Name: "Shop", Key: plan.Key{Partition: "PK", Sort: "SK"},
				GSI: map[string]plan.Index{"ByOwner": {Partition: []string{"GSI1PK"}, Sort: []string{"GSI1SK"}}}}}}
			c.fill(s)
			in := Input{Stats: &s.Snapshot, Tables: s.tables}
			in.settle()
			found := c.rule.Find(&in)
			for i := range found {
				found[i].Rule, found[i].Category = c.rule.ID, c.rule.Category
				if problem := found[i].Check(); problem != "" {
					t.Error(problem)
				}
			}
			switch {
			case c.says == "" && len(found) > 0:
				t.Errorf("it finds %q", found[0].Title)
			case c.says != "" && (len(found) != 1 || !strings.Contains(found[0].Title, c.says)):
				t.Errorf("it finds %+v", found)
			}
		})
	}
}
