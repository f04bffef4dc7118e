package keysinuse

import (
	"context"
	"fmt"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/internal/peers"
)

var local peers.Local

func TestMain(m *testing.M) {
	code := m.Run()
	local.Stop()
	os.Exit(code)
}

// scattered writes to and reads from shards and buckets, and says what it is answered.
func scattered(ctx context.Context, db *tablewright.DB) string {
	var said strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&said, format+"\n", args...) }
	polls, votes := poll(4)
	table, readings := readingsTable()
	say("made: %v %v", polls.CreateIn(ctx, db), table.CreateIn(ctx, db))
	var all []Vote
	for i := range 40 {
		all = append(all, Vote{"p1", fmt.Sprint("v", i), noon.Add(time.Duration(i*7%40) * time.Minute), []string{"tea", "milk"}[i%2], i % 3})
	}
	say("put: %v", votes.PutAll(slices.Values(all)).Run(ctx, db))
	say("twice: %v", votes.Create(all[3]).Run(ctx, db) != nil)
	v, err := votes.Update(VoteKey{"p1", "v5"}, votes.Choice.Set("coffee"), votes.Weight.Set(1)).New(ctx, db)
	say("%v %v", v, err)
	found, err := votes.GetAll([]VoteKey{{"p1", "v7"}, {"p1", "nobody"}, {"p1", "v8"}}).Consistent().Run(ctx, db)
	say("%v %v", found, err)
	for _, q := range []tablewright.Query[Vote]{
		votes.OfPoll.Of("p1").Query, votes.All.Of(struct{}{}).Descending(), votes.ByTime.Of("p1").Is(2).From(noon.Add(9 * time.Minute)),
		votes.ByChoice.Of("tea").Query, votes.All.Of(struct{}{}).Filter(votes.Choice.Equals("milk")), tablewright.Prefix(votes.OfPoll.Of("p1"), "v2"),
	} {
		whole, err := q.Slice(ctx, db)
		n, failed := q.Count(ctx, db)
		say("%d %v: %v %d %v", len(whole), err, whole, n, failed)
		for after, pages := tablewright.Cursor(""), 0; pages == 0 || after != ""; pages++ {
			page, err := q.Resume(after).Page(ctx, db, 7)
			say("page: %v %v", page.Items, err)
			if after = page.Next; err != nil {
				break
			}
		}
		for before, pages := tablewright.Cursor(""), 0; pages == 0 || before != ""; pages++ {
			page, err := q.Last(ctx, db, before, 9)
			say("last: %v %v", page.Items, err)
			if before = page.Previous; err != nil {
				break
			}
		}
		top, err := q.Top(3).Slice(ctx, db)
		say("top: %v %v", top, err)
	}
	var many []Reading
	for i := range 60 {
		many = append(many, Reading{fmt.Sprint("s", i%2), noon.Add(time.Duration(i) * 97 * time.Minute), float64(i)})
	}
	say("put: %v", readings.PutAll(slices.Values(many)).Run(ctx, db))
	across := readings.OfSensor.Across(ReadingKey{"s1", noon.Add(5 * time.Hour)}, ReadingKey{"s1", noon.AddDate(0, 0, 3)}).Query
	for _, q := range []tablewright.Query[Reading]{across, across.Descending(), readings.Hourly.Across(noon, noon.Add(9*time.Hour)).Query} {
		whole, err := q.Slice(ctx, db)
		say("%d %v: %v", len(whole), err, whole)
		page, err := q.Page(ctx, db, 4)
		say("page: %v %v", page.Items, err)
		last, err := q.Last(ctx, db, page.Next, 2)
		say("before it: %v %v", last.Items, err)
	}
	n, err := votes.ByTime.Scan().Intended().Count(ctx, db)
	say("scanned: %d %v", n, err)
	return said.String()
}

// The same program answers the same on the engine in process, over HTTP, and on DynamoDB Local.
func TestTheSameEverywhere(t *testing.T) {
	open := func(endpoint string) *tablewright.DB {
		db, err := tablewright.Connect(t.Context(), tablewright.Options{Endpoint: endpoint})
		if err != nil {
			t.Fatal(err)
		}
		return db
	}
	want := scattered(t.Context(), tablewright.New(tablewright.InProcess(engine.New(t)), tablewright.Options{}))
	if n := strings.Count(want, "<nil>"); n < 60 || strings.Contains(want, "tablewright:") || !strings.Contains(want, "scanned: 40 <nil>") {
		t.Fatalf("%d:\n%s", n, want)
	}
	for name, endpoint := range map[string]func(t *testing.T) string{
		"over HTTP": func(t *testing.T) string {
			server := httptest.NewServer(engine.New(t).Handler())
			t.Cleanup(server.Close)
			return server.URL
		},
		"on DynamoDB Local": func(t *testing.T) string { return local.URL(t) },
	} {
		t.Run(name, func(t *testing.T) {
			got, is := strings.Split(scattered(t.Context(), open(endpoint(t))), "\n"), strings.Split(want, "\n")
			for i := range is {
				if i >= len(got) || got[i] != is[i] {
					t.Fatalf("line %d: %s\nnot\n%s", i, strings.Join(got[min(i, len(got)-1):min(i+1, len(got))], ""), is[i])
				}
			}
		})
	}
}
