package stats_test

import (
	"bytes"
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/stats"
)

// stated is a program of statements that sends its own requests.
func stated(t *testing.T, o stats.Options, schema string) *foreign {
	c := stats.NewCollector(o)
	e := engine.New(t)
	if _, err := e.Do(t.Context(), "CreateTable", []byte(schema)); err != nil {
		t.Fatal(err)
	}
	db := tablewright.New(tablewright.InProcess(e), tablewright.Options{Hooks: []tablewright.Hook{tablewright.Statistics(c)}})
	return &foreign{t: t, c: c, way: db.Transport()}
}

func (f *foreign) statement(text string, parameters ...string) {
	f.t.Helper()
	request := fmt.Sprintf(`{"Statement":%q`, text)
	if len(parameters) > 0 {
		request += `,"Parameters":[` + strings.Join(parameters, ",") + `]`
	}
	f.do(f.t.Context(), "ExecuteStatement", "", "", request+"}")
}

// Where nobody says what a table's key is called, an UPDATE or DELETE does that names one attribute alone, and names do that are as in the
// developer guide. What a SELECT is cannot be said before.
func TestKeysOfStatements(t *testing.T) {
	one := `{"TableName":"Notes","BillingMode":"PAY_PER_REQUEST","KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],"AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}]}`
	f := stated(t, stats.Options{Detail: 1}, one)
	f.statement(`SELECT * FROM Notes WHERE id = 'a'`)
	f.statement(`SELECT * FROM Notes`)
	f.statement(`INSERT INTO Notes VALUE {'id': 'a', 'version': 1}`)
	f.statement(`DELETE FROM Notes WHERE id = 'b'`)
	f.statement(`UPDATE Notes SET version = 2 WHERE id = 'a' AND version = 1`)
	f.statement(`SELECT * FROM Notes WHERE id = 'a'`)
	two := strings.NewReplacer("Notes", "Both", `[{"AttributeName":"id","KeyType":"HASH"}]`, `[{"AttributeName":"PK","KeyType":"HASH"},{"AttributeName":"SK","KeyType":"RANGE"}]`,
		`[{"AttributeName":"id","AttributeType":"S"}]`, `[{"AttributeName":"PK","AttributeType":"S"},{"AttributeName":"SK","AttributeType":"S"}]`).Replace(one)
	g := stated(t, stats.Options{Detail: 1}, two)
	g.statement(`SELECT * FROM Both WHERE PK = 'a' AND SK = 'b'`)
	g.statement(`INSERT INTO Both VALUE {'PK': 'a', 'SK': 'b', 'version': 1}`)
	g.statement(`UPDATE Both SET version = 2 WHERE PK = 'a' AND SK = 'b' AND version = 1`)
	g.statement(`SELECT * FROM Both WHERE SK = ? AND PK = ?`, `{"S":"b"}`, `{"S":"a"}`)
	for _, test := range []struct {
		s      *stats.Snapshot
		as     map[string]float64
		item   string
		calls  float64
		tested string
	}{
		{f.c.Snapshot(), map[string]float64{"": 1, "GetItem": 1, "Scan": 1, "PutItem": 1, "DeleteItem": 1, "UpdateItem": 1}, `{"id":{"S":"a"}}`, 2, "version"},
		{g.c.Snapshot(), map[string]float64{"": 1, "GetItem": 1, "PutItem": 1, "UpdateItem": 1}, `{"PK":{"S":"a"},"SK":{"S":"b"}}`, 2, "version"},
	} {
		for _, o := range test.s.Operations {
			if o.Calls != test.as[o.As] || o.Operation != "ExecuteStatement" || o.Table == "" {
				t.Errorf("%s of %s as %q: %v calls", o.Operation, o.Table, o.As, o.Calls)
			}
			delete(test.as, o.As)
			if o.As == "UpdateItem" && (o.Conditional != 1 || o.Attributes[test.tested].Tested != 1) {
				t.Errorf("the update's condition: %+v", o.Attributes)
			}
		}
		if len(test.as) > 0 {
			t.Errorf("there is no %v", test.as)
		}
		found := false
		for _, k := range test.s.Items.List {
			if found = found || k.Key == test.item && k.Calls >= test.calls; k.Key == test.item {
				t.Log(k.Key, k.Calls)
			}
		}
		if !found {
			t.Errorf("of %s are not %v calls known: %+v", test.item, test.calls, test.s.Items.List)
		}
	}
}

// A statement whose condition does not hold is refused, an INSERT of what is there too, alone and in a batch; and what is no statement is
// counted.
func TestRefusedStatements(t *testing.T) {
	f := stated(t, stats.Options{Detail: 1}, roomsSchema)
	f.do(t.Context(), "DescribeTable", "", "", `{"TableName":"Rooms"}`)
	f.statement(`INSERT INTO Rooms VALUE {'room': 'r1', 'at': '1', 'beds': 2}`)
	for _, text := range []string{`INSERT INTO Rooms VALUE {'room': 'r1', 'at': '1'}`, `UPDATE Rooms SET beds = 3 WHERE room = 'r1' AND "at" = '1' AND beds = 1`, `UPDATE Rooms SET beds = 3 WHERE room = 'r9' AND "at" = '1'`} {
		if err := f.way.Do(t.Context(), &tablewright.Call{Operation: "ExecuteStatement", Request: []byte(fmt.Sprintf(`{"Statement":%q}`, text)), Attempt: 1}); err == nil {
			t.Fatalf("%s is done", text)
		}
	}
	for range 2 {
		if err := f.way.Do(t.Context(), &tablewright.Call{Operation: "ExecuteStatement", Request: []byte(`{"Statement":"MAKE TEA"}`), Attempt: 1}); err == nil {
			t.Fatal("there is tea")
		}
	}
	f.do(t.Context(), "BatchExecuteStatement", "", "", `{"Statements":[{"Statement":"INSERT INTO Rooms VALUE {'room': 'r1', 'at': '1'}"},{"Statement":"DELETE FROM Rooms WHERE room = 'r2' AND \"at\" = '1'"}]}`)
	s := f.c.Snapshot()
	got := map[string]float64{}
	for _, o := range s.Operations {
		got[o.Operation+" "+o.As] = o.Refused
		if o.As == "" && o.Operation == "ExecuteStatement" && (o.Calls != 2 || o.Outcomes[stats.Invalid] != 2) {
			t.Errorf("what is no statement: %+v", o.Counts)
		}
	}
	for name, want := range map[string]float64{"ExecuteStatement PutItem": 1, "ExecuteStatement UpdateItem": 2, "BatchExecuteStatement BatchWriteItem": 1} {
		if got[name] != want {
			t.Errorf("%s: %v refused, of %v", name, got[name], got)
		}
	}
	if len(s.Contended.List) != 2 {
		t.Errorf("%d items are contended: %+v", len(s.Contended.List), s.Contended.List)
	}
}

// A page of a SELECT whose cursor nobody takes is seen, and one that somebody goes on from; and with hashed keys there are none.
func TestPagesOfStatements(t *testing.T) {
	clock := &settable{at: time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC)}
	c := stats.NewCollector(stats.Options{HashKeys: []byte("secret"), Clock: clock, Detail: 1})
	db := tablewright.New(tablewright.InProcess(engine.New(t)), tablewright.Options{Hooks: []tablewright.Hook{tablewright.Statistics(c)}})
	if err := market.CreateIn(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	for i := range 10 {
		if err := tablewright.PartiQL[sale](market, `INSERT INTO "Market" VALUE {'PK': 'p', 'SK': ?, 'orderId': 'x'}`, fmt.Sprint(i)).Run(t.Context(), db); err != nil {
			t.Fatal(err)
		}
	}
	of := tablewright.PartiQL[sale](market, `SELECT * FROM "Market" WHERE PK = ?`, "p")
	for i := range 4 {
		p, err := of.Page(t.Context(), db, 4)
		if err == nil && i%2 == 1 {
			_, err = of.Resume(p.Next).Page(t.Context(), db, 40)
		}
		if all, more := of.Slice(t.Context(), db); err != nil || more != nil || len(all) != 10 {
			t.Fatal(len(all), err, more)
		}
		clock.at = clock.at.Add(time.Minute)
	}
	s := c.Snapshot()
	var unpaged, resumed float64
	for _, e := range s.Episodes {
		if e.Kind == stats.UnpagedLimit && e.As == "Query" && e.Operation == "ExecuteStatement" {
			unpaged += e.Count
		}
	}
	for _, o := range s.Operations {
		resumed += o.Resumed
	}
	if unpaged != 2 || resumed != 2 {
		t.Errorf("%v pages were left, and %v gone on from: %+v", unpaged, resumed, s.Episodes)
	}
	var b bytes.Buffer
	if err := s.Write(&b); err != nil || bytes.Contains(b.Bytes(), []byte(`\"S\"`)) || len(s.Items.List) != 10 {
		t.Errorf("%d items, keys are shown: %v", len(s.Items.List), err)
	}
	again, err := stats.ReadSnapshot(&b)
	if err != nil {
		t.Fatal(err)
	}
	both, err := stats.Merge(s, again)
	if err != nil {
		t.Fatal(err)
	}
	for i, o := range both.Operations {
		if o.As != s.Operations[i].As || o.Calls != 2*s.Operations[i].Calls {
			t.Errorf("merged: %s as %s, %v calls", o.Operation, o.As, o.Calls)
		}
	}
	var p bytes.Buffer
	if err := s.WritePrometheus(&p, stats.PrometheusOptions{}); err != nil || !strings.Contains(p.String(), `operation="ExecuteStatement",as="Query",table="Market"`) {
		t.Errorf("for Prometheus: %v\n%s", err, p.String()[:400])
	}
	plain := s.WithoutStatements()
	for _, o := range plain.Operations {
		if o.As == "" && o.Operation != "CreateTable" && o.Operation != "DescribeTable" || strings.HasPrefix(o.Operation, "Execute") {
			t.Errorf("%s as %s", o.Operation, o.As)
		}
	}
	if back := plain.WithoutStatements(); len(back.Operations) != len(s.Operations) {
		t.Errorf("%d operations", len(back.Operations))
	}
}

// Many callers read the same texts and new ones at once.
func TestStatementsOfManyCallers(t *testing.T) {
	c := stats.NewCollector(stats.Options{Tables: []*tablewright.Table{market}})
	hook := c.Hook(nothing)
	var all sync.WaitGroup
	for n := range 8 {
		all.Go(func() {
			for i := range 500 {
				for _, request := range []string{
					`{"Statement":"SELECT * FROM Market WHERE PK = ? AND SK = 'o'","Parameters":[{"S":"k1"}]}`,
					fmt.Sprintf(`{"Statement":"SELECT c%d FROM Market WHERE PK = 'k%d' AND SK = 'o'"}`, i%50, n),
				} {
					call := &tablewright.Call{Operation: "ExecuteStatement", Request: []byte(request), Response: []byte(`{"Items":[]}`), Attempt: 1}
					if err := hook.Do(context.WithValue(t.Context(), span{}, i), call); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	all.Wait()
	got := map[string]float64{}
	for _, k := range c.Snapshot().Items.List {
		got[k.Key] += k.Calls + k.Missed
	}
	if want := `{"PK":{"S":"k1"},"SK":{"S":"o"}}`; len(got) != 8 || got[want] != 4500 {
		t.Errorf("%d items, %v of one: %v", len(got), got[want], got)
	}
}

// What comes back for statements of a batch is known by its place only where all of them are read.
func TestBatchWithStatementThatIsNotRead(t *testing.T) {
	c := stats.NewCollector(stats.Options{Detail: 1})
	hook := c.Hook(tablewright.TransportFunc(func(_ context.Context, call *tablewright.Call) error {
		if call.Operation == "DescribeTable" {
			call.Response = []byte(`{"Table":{"TableName":"Rooms","KeySchema":[{"AttributeName":"room","KeyType":"HASH"}]}}`)
			return nil
		}
		call.Response = []byte(`{"Responses":[{"Error":{"Code":"ValidationError"}},{"TableName":"Rooms","Item":{"room":{"S":"r1"},"note":{"S":"quiet"}}},{"TableName":"Rooms","Item":{"room":{"S":"r2"}}}]}`)
		call.Items, call.Scanned = 2, 2
		return nil
	}))
	for _, call := range []*tablewright.Call{
		{Operation: "DescribeTable", Table: "Rooms", Attempt: 1},
		{Operation: "BatchExecuteStatement", Attempt: 1, Request: []byte(`{"Statements":[{"Statement":"SELECT of old"},{"Statement":"SELECT * FROM Rooms WHERE room = 'r1'"},{"Statement":"SELECT * FROM Rooms WHERE room = 'r2'"}]}`)},
	} {
		if err := hook.Do(t.Context(), call); err != nil {
			t.Fatal(err)
		}
	}
	s := c.Snapshot()
	if o := s.Operations[0]; o.As != "BatchGetItem" || o.Attributes["note"] == nil || o.Attributes["note"].Read != 1 {
		t.Errorf("%s as %s: %v", o.Operation, o.As, o.Attributes)
	}
	for _, z := range s.Sizes {
		for _, one := range z.Sample {
			t.Errorf("%s is said to have %d bytes", one.Key, one.LastBytes)
		}
	}
}

// However many texts a program has, and however long they are, few of them are kept.
func TestStatementsTakeLittleMemory(t *testing.T) {
	for _, length := range []int{100, 500, 8000, 200_000} {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		c := stats.NewCollector(stats.Options{})
		hook := c.Hook(tablewright.TransportFunc(func(context.Context, *tablewright.Call) error { return nil }))
		request := func(i int) []byte { // values in lists are no parameters: each is a text of its own
			return fmt.Appendf(nil, `{"Statement":"INSERT INTO Rooms VALUE {'room': ['%d'], 'note': ['%s']}"}`, i, strings.Repeat("x", length))
		}
		for i := range 2500 {
			if err := hook.Do(t.Context(), &tablewright.Call{Operation: "ExecuteStatement", Attempt: 1, Request: request(i)}); err != nil {
				t.Fatal(err)
			}
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		if used := int64(after.HeapAlloc) - int64(before.HeapAlloc); used > 8<<20 {
			t.Errorf("2500 texts of %d bytes: %d bytes in use", length, used)
		}
		if o := c.Snapshot().Operations; o[len(o)-1].Calls+o[0].Calls < 2500 {
			t.Errorf("2500 texts of %d bytes: calls are missing", length)
		}
	}
}
