package keysinuse

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/tablewrighttest"
)

// Event is appended and read together with others: its key lies in a random shard.
type Event struct {
	Stream string    `ddb:"stream"`
	ID     string    `ddb:"id"`
	At     time.Time `ddb:"at,iso"`
}

type EventKey struct{ Stream, ID string }

type events struct {
	tablewright.Entity[EventKey, Event]
	At       tablewright.Time[Event]
	OfStream tablewright.Index1[Event, string, string] `index:"Log"`
}

// Likes is what is counted of a post, in shards.
type Likes struct {
	Post  string `ddb:"postId"`
	Count int    `ddb:"count"`
}

type likes struct {
	tablewright.Entity[string, Likes]
	Count tablewright.Number[Likes, int]
}

func eventLog() (*tablewright.Table, *events, *likes) {
	t := tablewright.NewTable(plan.Table{Name: "Log", Key: plan.Key{Partition: "PK", Sort: "SK"}})
	random := &plan.Shard{Of: 4, By: "random"}
	return t, tablewright.Declare[events](t, plan.Item{Name: "Event", Key: m{"PK": "e#{stream}#{shard}", "SK": "{id}"}, Shard: random}),
		tablewright.Declare[likes](t, plan.Item{Name: "Likes", Key: m{"PK": "likes#{postId}#{shard}", "SK": "likes"}, Shard: random})
}

// What lies in a random shard is appended, alone, in batches and in transactions, and read with queries and scans; whoever
// names it by its key is told what to do instead.
func TestRandomShards(t *testing.T) {
	table, events, _ := eventLog()
	kit := tablewrighttest.Start(t, table)
	ctx, db := t.Context(), kit.DB
	var all []Event
	for i := range 60 {
		all = append(all, Event{"s1", fmt.Sprintf("e%02d", i), noon})
	}
	if err := events.PutAll(slices.Values(all[:40])).Run(ctx, db); err != nil {
		t.Fatal(err)
	}
	for _, e := range all[40:50] {
		if err := events.Put(e).Run(ctx, db); err != nil {
			t.Fatal(err)
		}
	}
	var puts []tablewright.TxWrite
	for _, e := range all[50:] {
		puts = append(puts, events.Put(e))
	}
	once := tablewright.Transact(puts...).Token("once")
	for range 2 { // the shards are chosen when the put is made: the second run is the first one again
		if err := once.Run(ctx, db); err != nil {
			t.Fatal(err)
		}
	}
	got, err := events.OfStream.Of("s1").Slice(ctx, db)
	if err != nil || !slices.Equal(got, all) {
		t.Fatalf("%v, %v", got, err)
	}
	if got := cut(t, rand.New(rand.NewPCG(1, 1)), events.OfStream.Of("s1").Descending(), db); len(got) != 60 || got[0].ID != "e59" {
		t.Errorf("%v", got)
	}
	used := map[string]bool{}
	for it, err := range table.Raw().Scan().Intended().All(ctx, db) {
		if err != nil {
			t.Fatal(err)
		}
		used[it.Get("PK").Str()] = true
	}
	if len(used) != 4 {
		t.Errorf("60 items lie in %d shards", len(used))
	}
	key := EventKey{"s1", "e01"}
	for what, err := range map[string]error{
		"get":     second(events.Get(key).Run(ctx, db)),
		"get all": second(events.GetAll([]EventKey{key}).Run(ctx, db)),
		"create":  events.Create(all[0]).Run(ctx, db),
		"replace": events.Replace(all[0]).Run(ctx, db),
		"if":      events.Put(all[0]).If(events.At.Absent()).Run(ctx, db),
		"update":  events.Update(key, events.At.Set(noon)).Run(ctx, db),
		"delete":  events.Delete(key).Run(ctx, db),
		"move":    events.Move(all[0], all[1]).Run(ctx, db),
		"check":   tablewright.Transact(events.Check(key)).Run(ctx, db),
	} {
		if !errors.Is(err, tablewright.ErrInvalid) || !strings.Contains(err.Error(), "chosen at random") {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// A counter whose items are declared with random shards, as a model's are.
func TestShardCounter(t *testing.T) {
	table, _, likes := eventLog()
	kit := tablewrighttest.Start(t, table)
	ctx, db := t.Context(), kit.DB
	counter := tablewright.NewShardCounter(likes.Entity, likes.Count)
	if n, err := counter.Sum(ctx, db, "p1"); n != 0 || err != nil {
		t.Errorf("nothing counted: %d, %v", n, err)
	}
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for range 10 {
				if err := counter.Add("p1", 2).Run(ctx, db); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	if err := tablewright.Transact(counter.Add("p1", -1), counter.Add("p2", 1)).Run(ctx, db); err != nil {
		t.Error(err)
	}
	if n, err := counter.Sum(ctx, db, "p1"); n != 159 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	_, votes := poll(3)
	bad := tablewright.NewShardCounter(votes.Entity, votes.Weight)
	if err := bad.Add(VoteKey{"p", "v"}, 1).Run(ctx, db); !errors.Is(err, tablewright.ErrInvalid) || !strings.Contains(err.Error(), "use NewCounter") {
		t.Error(err)
	}
	var zero tablewright.Counter[string, string, Likes, int]
	if _, err := zero.Sum(ctx, db, "p1"); !errors.Is(err, tablewright.ErrInvalid) {
		t.Error(err)
	}
	if err := zero.Add("p1", 1).Run(ctx, db); !errors.Is(err, tablewright.ErrInvalid) {
		t.Error(err)
	}
}

// An index whose shards are chosen at random keeps an item where it is when the item is written again.
func TestRandomIndexShards(t *testing.T) {
	type Task struct {
		ID    string    `ddb:"id"`
		State string    `ddb:"state"`
		Due   time.Time `ddb:"due,iso"`
		Note  string    `ddb:"note,omitzero"`
	}
	type tasks struct {
		tablewright.Entity[string, Task]
		State   tablewright.Text[Task, string]
		Note    tablewright.Text[Task, string]
		ByState tablewright.Index1[Task, string, time.Time]
	}
	table := tablewright.NewTable(plan.Table{Name: "Tasks", Key: plan.Key{Partition: "id"},
		GSI: map[string]plan.Index{"ByState": {Partition: []string{"stateKey"}, Sort: []string{"due"}}}})
	d := tablewright.Declare[tasks](table, plan.Item{Name: "Task",
		Set: map[string]plan.Template{"stateKey": {Value: "{state}#{shard}"}}, Shard: &plan.Shard{Of: 6, By: "random"}})
	kit := tablewrighttest.Start(t, table)
	ctx, db := t.Context(), kit.DB
	parts := map[string]int{}
	for i := range 60 {
		task := Task{ID: fmt.Sprint("t", i), State: "open", Due: noon.Add(time.Duration(i) * time.Minute)}
		first, err := d.Encode(task) // stateKey is the last
		if err != nil {
			t.Fatal(err)
		}
		task.Note = "again"
		again, err := d.Encode(task)
		at := func(b []byte) string { _, rest, _ := strings.Cut(string(b), `"stateKey":`); return rest }
		if err != nil || at(first) != at(again) {
			t.Fatalf("%s, then %s, %v", first, again, err)
		}
		parts[at(first)]++
		if err := d.Create(task).Run(ctx, db); err != nil {
			t.Fatal(err)
		}
	}
	if len(parts) != 6 {
		t.Errorf("spread over %d", len(parts))
	}
	if err := d.Update("t3", d.State.Set("done")).Run(ctx, db); err != nil {
		t.Error(err)
	}
	open, err := d.ByState.Of("open").Slice(ctx, db)
	if err != nil || len(open) != 59 || !slices.IsSortedFunc(open, func(a, b Task) int { return a.Due.Compare(b.Due) }) {
		t.Errorf("%v, %v", open, err)
	}
	if done, err := d.ByState.Of("done").One(ctx, db); err != nil || done.ID != "t3" {
		t.Errorf("%v, %v", done, err)
	}
}

// What cannot be meant is refused where it is declared.
func TestShardsRefused(t *testing.T) {
	declare := func(item plan.Item) func() {
		return func() {
			tablewright.Declare[tablewright.Entity[EventKey, Event]](tablewright.NewTable(plan.Table{Name: "Log", Key: plan.Key{Partition: "PK", Sort: "SK"}}), item)
		}
	}
	key := m{"PK": "e#{stream}#{shard}", "SK": "{id}"}
	type Versioned struct {
		Stream  string `ddb:"stream"`
		ID      string `ddb:"id"`
		Version int    `ddb:"version,version"`
	}
	type Own struct {
		ID    string `ddb:"id"`
		Shard string `ddb:"shard"`
	}
	for want, f := range map[string]func(){
		"is not divided":         declare(plan.Item{Key: key}),
		"2 to 10000 are":         declare(plan.Item{Key: key, Shard: &plan.Shard{Of: 1, By: "id"}}),
		"By is empty":            declare(plan.Item{Key: key, Shard: &plan.Shard{Of: 2}}),
		"has no attribute voter": declare(plan.Item{Key: key, Shard: &plan.Shard{Of: 2, By: "voter"}}),
		"no template has":        declare(plan.Item{Key: m{"PK": "e#{stream}", "SK": "{id}"}, Shard: &plan.Shard{Of: 2, By: "id"}}),
		"takes no codec":         declare(plan.Item{Key: m{"PK": "{shard:pad2}", "SK": "{id}"}, Shard: &plan.Shard{Of: 2, By: "id"}}),
		"cannot be found again": func() {
			tablewright.Declare[tablewright.Entity[EventKey, Versioned]](tablewright.NewTable(plan.Table{Name: "Log", Key: plan.Key{Partition: "PK", Sort: "SK"}}),
				plan.Item{Key: key, Shard: &plan.Shard{Of: 2, By: "random"}})
		},
		"give the field Shard another name": func() {
			tablewright.Declare[tablewright.Entity[string, Own]](tablewright.NewTable(plan.Table{Name: "Log", Key: plan.Key{Partition: "PK"}}),
				plan.Item{Key: m{"PK": "{id}#{shard}"}, Shard: &plan.Shard{Of: 2, By: "id"}})
		},
	} {
		if got := panicOf(f); !strings.Contains(got, want) {
			t.Errorf("%q: want %q", got, want)
		}
	}
	// Without Shard an attribute of that name is what it is.
	tablewright.Declare[tablewright.Entity[struct{ ID, Shard string }, Own]](tablewright.NewTable(plan.Table{Name: "Log", Key: plan.Key{Partition: "PK"}}),
		plan.Item{Key: m{"PK": "{id}#{shard}"}})
}

func panicOf(f func()) (message string) {
	defer func() { message = fmt.Sprint(recover()) }()
	f()
	return ""
}
