package rules_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/stats"
	"github.com/tablewright/tablewright/stats/rules"
	"github.com/tablewright/tablewright/stats/rules/internal/tracebench"
)

// advised plays orders on a table with an index that nobody reads, and hands the collector to f while the clock stands at the end
// of nine days.
func advised(t *testing.T, o stats.Options, f func(w *tracebench.World, c *stats.Collector)) {
	t.Helper()
	tr := tracebench.Trace{Name: "advised", Stats: o, Tables: []plan.Table{ordersTable(byStatus)}, Run: func(w *tracebench.World) {
		w.Traffic(9*24*time.Hour, 150, tracebench.Steady, func(c *tracebench.Caller) {
			c.Put("Shop", tracebench.Item{"orderId": "<script>alert(1)</script>", "customerId": "c", "status": "s"}, tracebench.Pattern("place<b>"), tracebench.Times(100))
			c.Query("Shop", "ByCustomer", tracebench.Item{"customerId": "c"})
		})
		f(w, w.Collectors()[0])
	}}
	tr.Play(t)
}

func direct(w *tracebench.World) *tablewright.DB {
	return tablewright.New(tablewright.InProcess(w.Engine), tablewright.Options{Clock: w.Clock})
}

// unused finds what is said of the index that nobody reads.
func unused(found []rules.Finding) *rules.Finding {
	for i := range found {
		if found[i].Rule == "unused-index" {
			return &found[i]
		}
	}
	return nil
}

// An Adviser knows the tables that the collector has seen, answers from what is a minute old, and knows what the service says of
// tables once it was asked.
func TestAdviser(t *testing.T) {
	advised(t, stats.Options{}, func(w *tracebench.World, c *stats.Collector) {
		a := rules.NewAdviser(c, rules.Options{})
		table := tablewright.NewTable(ordersTable(byStatus))
		first := a.Recommendations(table)
		f := unused(first)
		if f == nil || f.Index != "ByStatus" || f.Saving.Assumes == "" {
			t.Fatalf("%v", first)
		}
		if again := a.All(); &again[0] != &a.All()[0] {
			t.Error("findings are computed again within a minute")
		}
		if err := a.Describe(t.Context()); err != nil { // there is nobody to ask
			t.Error(err)
		}
		if other := a.Recommendations(tablewright.NewTable(plan.Table{Name: "Other", Key: plan.Key{Partition: "id"}})); other != nil {
			t.Errorf("of a table that nobody uses: %v", other)
		}
		w.Caller().Query("Shop", "ByStatus", tracebench.Item{"status": "s"})
		if unused(a.All()) == nil {
			t.Error("what is a minute old was computed again")
		}
		w.Pause(2 * time.Minute)
		if f := unused(a.All()); f != nil {
			t.Errorf("%v, though the index was read", f)
		}

		a = rules.NewAdviser(c, rules.Options{DB: direct(w)})
		if err := a.Describe(t.Context()); err != nil {
			t.Fatal(err)
		}
		w.Pause(8 * 24 * time.Hour)
		if f := unused(a.All()); f == nil || f.Saving.Assumes != "" {
			t.Errorf("%v, though the table was described", f)
		}

		var log bytes.Buffer
		gone := tablewright.NewTable(plan.Table{Name: "Gone", Key: plan.Key{Partition: "id"}})
		var asked atomic.Int32
		db := tablewright.New(tablewright.InProcess(w.Engine), tablewright.Options{Clock: w.Clock, Hooks: []tablewright.Hook{func(next tablewright.Transport) tablewright.Transport {
			return tablewright.TransportFunc(func(ctx context.Context, c *tablewright.Call) error {
				if c.Table == "Gone" {
					asked.Add(1)
				}
				return next.Do(ctx, c)
			})
		}}})
		a = rules.NewAdviser(c, rules.Options{DB: db, Tables: []*tablewright.Table{gone}, Logger: slog.New(slog.NewTextHandler(&log, nil))})
		if err := a.Describe(t.Context()); err == nil || !strings.Contains(err.Error(), "Gone") {
			t.Errorf("a table that is not there: %v", err)
		}
		if f := unused(a.All()); f == nil || f.Saving.Assumes != "" {
			t.Errorf("%v: a table that cannot be described takes the others with it", f)
		}
		if n := asked.Load(); n != 1 {
			t.Errorf("asked %d times within five minutes", n)
		}
		w.Pause(6 * time.Minute)
		a.All()
		for until := time.Now().Add(20 * time.Second); asked.Load() < 2; time.Sleep(time.Millisecond) {
			if time.Now().After(until) {
				t.Fatal("what could not be described is not asked for again after six minutes")
			}
		}
	})
}

// Tables that nobody declares are described, too, those that calls were seen on; and what passes of them tells as much.
func TestAdviserUndeclared(t *testing.T) {
	idle := func(w *tracebench.World) {
		w.Traffic(9*24*time.Hour, 150, tracebench.Steady, func(c *tracebench.Caller) {
			c.Put("Shop", tracebench.Item{"orderId": "o", "customerId": "c", "status": "s"}, tracebench.Times(100))
		})
	}
	tr := tracebench.Trace{Name: "undeclared", Tables: []plan.Table{ordersTable(byStatus)}, Foreign: true, Run: func(w *tracebench.World) {
		idle(w)
		c := w.Collectors()[0]
		if f := unused(rules.NewAdviser(c, rules.Options{}).All()); f != nil {
			t.Errorf("nobody told of an index: %v", f)
		}
		a := rules.NewAdviser(c, rules.Options{DB: direct(w)})
		if err := a.Describe(t.Context()); err != nil {
			t.Fatal(err)
		}
		if f := unused(a.All()); f == nil || f.Saving.Assumes != "" {
			t.Errorf("%v, though the table was described", f)
		}
		if err := direct(w).Transport().Do(t.Context(), &tablewright.Call{Operation: "DeleteTable", Table: "Shop", Attempt: 1, Request: []byte(`{"TableName":"Shop"}`)}); err != nil {
			t.Fatal(err)
		}
		if err := a.Describe(t.Context()); err != nil {
			t.Errorf("a table that calls were seen on, and that is gone: %v", err)
		}
	}}
	tr.Play(t)
	tr = tracebench.Trace{Name: "described", Tables: []plan.Table{ordersTable(byStatus)}, Described: true, Run: func(w *tracebench.World) {
		idle(w)
		if f := unused(rules.NewAdviser(w.Collectors()[0], rules.Options{}).All()); f == nil {
			t.Error("an answer that passed told of the index")
		}
	}}
	tr.Play(t)
}

// A finding is logged once, again when it is worse or has been away for a day, without keys of items.
func TestReport(t *testing.T) {
	advised(t, stats.Options{}, func(w *tracebench.World, c *stats.Collector) {
		var log bytes.Buffer
		logger := slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelInfo}))
		severity := rules.Advice
		there := true
		rule := rules.Rule{ID: "test-rule", Category: rules.Cost, Find: func(*rules.Input) []rules.Finding {
			if !there {
				return nil
			}
			return []rules.Finding{{Cause: "c", Severity: severity, Title: "something is there", Table: "Shop", Index: "ByStatus", Key: "secret", Patterns: []string{"p"},
				Evidence: []rules.Evidence{{What: "seen", Value: 3}}, Saving: saving(3e9, 1e9), Remedy: rules.Remedy{Text: "change it"}}}
		}}
		broken := rules.Rule{ID: "broken-rule", Find: func(*rules.Input) []rules.Finding { panic("a mistake") }}
		var own bytes.Buffer
		a := rules.NewAdviser(c, rules.Options{Logger: slog.New(slog.NewTextHandler(&own, nil))})
		defer rules.Instead(&broken, &rule)()
		for i, step := range []struct {
			prepare func()
			want    int
		}{
			{func() {}, 1},
			{func() {}, 0},
			{func() { severity = rules.Critical }, 1},
			{func() { severity = rules.Warning }, 0},
			{func() { severity = rules.Critical }, 0},
			{func() { there = false }, 0},
			{func() { there = true; w.Pause(25 * time.Hour) }, 1},
		} {
			step.prepare()
			w.Pause(2 * time.Minute)
			if n := a.Report(t.Context(), logger); n != step.want {
				t.Errorf("step %d: %d reported, want %d", i, n, step.want)
			}
		}
		text := log.String()
		if strings.Count(text, "\n") != 3 || strings.Contains(text, "secret") {
			t.Errorf("%s", text)
		}
		for _, want := range []string{"level=INFO", "level=ERROR", `msg="something is there"`, "rule=test-rule", "table=Shop", "index=ByStatus", "patterns=[p]", `seen="seen: 3"`, "dollarsMonthly=2", `change="change it"`} {
			if !strings.Contains(text, want) {
				t.Errorf("no %s in %s", want, text)
			}
		}
		if n := strings.Count(own.String(), "broken-rule"); n != 1 {
			t.Errorf("a rule that fails is told %d times: %s", n, own.String())
		}
	})
}

// sleeper is a clock whose sleep ends a context after some rounds.
type sleeper struct {
	rounds int
	end    context.CancelFunc
}

func (*sleeper) Now() time.Time { return time.Unix(1_800_000_000, 0) }
func (s *sleeper) Sleep(ctx context.Context, d time.Duration) error {
	if s.rounds--; s.rounds < 0 || d != time.Minute {
		s.end()
	}
	return ctx.Err()
}

func TestWatch(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	clock := &sleeper{2, cancel}
	n := 0
	rule := rules.Rule{ID: "test-rule", Find: func(*rules.Input) []rules.Finding { n++; return nil }}
	defer rules.Instead(&rule)()
	rules.NewAdviser(stats.NewCollector(stats.Options{Clock: clock}), rules.Options{}).Watch(ctx, slog.Default())
	if n != 1 { // the second within the minute is from what is known
		t.Errorf("rules were asked %d times", n)
	}
	done := make(chan bool)
	ctx, cancel = context.WithCancel(t.Context())
	go func() {
		rules.NewAdviser(stats.NewCollector(stats.Options{}), rules.Options{}).Watch(ctx, slog.Default())
		close(done)
	}()
	cancel()
	<-done
}

// The page shows findings, operations and keys, escaped; the same is there as JSON; keys that are hashed are not shown.
func TestHandler(t *testing.T) {
	for _, secret := range []string{"", "a secret"} {
		advised(t, stats.Options{HashKeys: []byte(secret)}, func(w *tracebench.World, c *stats.Collector) {
			a := rules.NewAdviser(c, rules.Options{})
			server := httptest.NewServer(http.StripPrefix("/debug", a.Handler()))
			defer server.Close()
			get := func(query string, status int) string {
				t.Helper()
				answer, err := http.Get(server.URL + "/debug/tablewright/" + query)
				if err != nil {
					t.Fatal(err)
				}
				defer func() { _ = answer.Body.Close() }()
				var b bytes.Buffer
				if _, err := b.ReadFrom(answer.Body); err != nil || answer.StatusCode != status || answer.Header.Get("Cache-Control") != "no-store" {
					t.Errorf("%s: %s, %v", query, answer.Status, err)
				}
				return b.String()
			}
			page := get("", 200)
			for _, want := range []string{"Shop.ByStatus was not read for 9 days", "PutItem Shop", "place&lt;b&gt;", "Partition keys with the most load", `href="?rule=unused-index"`} {
				if !strings.Contains(page, want) {
					t.Errorf("no %s in %s", want, page)
				}
			}
			if strings.Contains(page, "<script>") || strings.Contains(page, "place<b>") || strings.Contains(page, "src=") || strings.Contains(page, "http") {
				t.Errorf("not escaped, or from elsewhere: %s", page)
			}
			if shown := strings.Contains(page, "alert(1)"); shown != (secret == "") || strings.Contains(page, "Keys are hashed") == shown {
				t.Errorf("keys are shown: %v", shown)
			}
			var findings struct {
				Format   int `json:"tablewrightFindings"`
				Findings []rules.Finding
			}
			if err := json.Unmarshal([]byte(get("?show=findings", 200)), &findings); err != nil || findings.Format != rules.FindingsFormat || unused(findings.Findings) == nil {
				t.Errorf("%v %+v", err, findings)
			}
			if s, err := stats.ReadSnapshot(strings.NewReader(get("?show=statistics", 200))); err != nil || len(s.Operations) != 2 {
				t.Errorf("statistics: %v", err)
			}
			var keys struct {
				Hashed     bool
				Partitions stats.Keys
			}
			if err := json.Unmarshal([]byte(get("?show=keys", 200)), &keys); err != nil || keys.Hashed != (secret != "") || len(keys.Partitions.List) == 0 || (keys.Partitions.List[0].Key == "") != (secret != "") {
				t.Errorf("keys: %v %+v", err, keys)
			}
			if text := get("?rule=unused-index", 200); text != rules.Page("unused-index") || text == "" {
				t.Error("no page of the rule")
			}
			get("?rule=../finding", 404)
			get("?show=nothing", 400)
			answer, err := http.Post(server.URL+"/debug/tablewright/", "text/plain", nil)
			if err != nil || answer.StatusCode != 405 {
				t.Errorf("a post: %v", err)
			}
			_ = answer.Body.Close()
		})
	}
}

// Of a program that has run for half a minute the busiest minute is no quieter than the average, and keys are counted whole.
func TestHandlerOfShortTime(t *testing.T) {
	clock := engine.NewClock(time.Date(2026, 1, 5, 12, 0, 0, 0, time.UTC))
	c := stats.NewCollector(stats.Options{Clock: clock})
	for i := range 300 {
		c.Record(&stats.Event{Start: clock.Now().UnixNano(), Operation: "GetItem", Table: "Shop", Attempt: 1, Weight: 1, Read: 2, Units: stats.Reported, Arms: []stats.Arm{{Table: "Shop", Read: 2}},
			Partition: stats.KeyID{Hash: uint64(i%40+1) * 0x9e3779b97f4a7c15}})
		clock.Advance(100 * time.Millisecond)
	}
	page := httptest.NewRecorder()
	rules.NewAdviser(c, rules.Options{}).Handler().ServeHTTP(page, httptest.NewRequest(http.MethodGet, "/", nil))
	row := regexp.MustCompile(`<tr><td>Shop</td>.*</tr>`).FindString(page.Body.String())
	cells := regexp.MustCompile(`[0-9][0-9.,]*`).FindAllString(row, -1)
	if len(cells) != 5 || cells[0] != cells[1] || cells[0][:2] != "20" || cells[4] != "40" && cells[4] != "39" && cells[4] != "41" {
		t.Errorf("%q in %s", cells, row)
	}
}
