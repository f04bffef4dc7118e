package keysinuse

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/keys"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/tablewrighttest"
)

type m = map[string]string

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// Vote is an item of a hot key: all votes of a poll would lie in one partition.
type Vote struct {
	Poll   string    `ddb:"pollId"`
	Voter  string    `ddb:"voterId"`
	At     time.Time `ddb:"at,iso"`
	Choice string    `ddb:"choice"`
	Weight int       `ddb:"weight"`
}

type VoteKey struct{ Poll, Voter string }

type votes struct {
	tablewright.Entity[VoteKey, Vote]
	Choice tablewright.Text[Vote, string]
	Weight tablewright.Number[Vote, int]
	At     tablewright.Time[Vote]

	OfPoll   tablewright.Index1[Vote, string, string]         `index:"Polls"` // shards of the table's key
	ByTime   tablewright.Index2[Vote, string, int, time.Time] // shards of an index of several attributes
	ByChoice tablewright.Index1[Vote, string, time.Time]      // {shard} within a text
	All      tablewright.Index1[Vote, struct{}, time.Time]    `index:"Newest"` // nothing but {shard}
}

func poll(of int) (*tablewright.Table, *votes) {
	t := tablewright.NewTable(plan.Table{Name: "Polls", Key: plan.Key{Partition: "PK", Sort: "SK"},
		GSI: map[string]plan.Index{
			"ByTime":   {Partition: []string{"pollId", "part"}, Sort: []string{"weight", "at"}},
			"ByChoice": {Partition: []string{"choiceKey"}, Sort: []string{"at"}},
			"Newest":   {Partition: []string{"part"}, Sort: []string{"at"}},
		}})
	return t, tablewright.Declare[votes](t, plan.Item{Name: "Vote",
		Key:   m{"PK": "poll#{pollId}#{shard}", "SK": "voter#{voterId}"},
		Set:   map[string]plan.Template{"part": {Value: "{shard}"}, "choiceKey": {Value: "{choice}#{shard}", When: "weight > 0"}},
		Shard: &plan.Shard{Of: of, By: "voterId"}})
}

// What is put is found by its key: the shard follows from it, as package keys computes it.
func TestShardFollowsFromKey(t *testing.T) {
	table, votes := poll(16)
	kit := tablewrighttest.Start(t, table)
	ctx, db := t.Context(), kit.DB
	v := Vote{"p1", "anna", noon, "tea", 1}
	if err := votes.Create(v).Run(ctx, db); err != nil {
		t.Fatal(err)
	}
	if err := votes.Create(v).Run(ctx, db); !errors.Is(err, tablewright.ErrExists) {
		t.Errorf("created twice: %v", err)
	}
	shard, _ := keys.Shards{Of: 16}.Append(nil, keys.Shards{Of: 16}.Hash(attr.Text("anna")))
	stored, err := votes.Encode(v)
	if want := fmt.Sprintf(`"PK":{"S":"poll#p1#%s"}`, shard); err != nil || !strings.Contains(string(stored), want) {
		t.Errorf("%s, %v: want %s", stored, err, want)
	}
	if got, err := votes.Get(VoteKey{"p1", "anna"}).Run(ctx, db); err != nil || got != v {
		t.Errorf("%+v, %v", got, err)
	}
	if found, err := votes.GetAll([]VoteKey{{"p1", "anna"}, {"p1", "bert"}}).Run(ctx, db); err != nil || !found[0].OK || found[1].OK {
		t.Errorf("%+v, %v", found, err)
	}
	got, err := votes.Update(VoteKey{"p1", "anna"}, votes.Choice.Set("coffee"), votes.Weight.Set(2)).New(ctx, db)
	if err != nil || got.Choice != "coffee" {
		t.Errorf("%+v, %v", got, err)
	}
	if n, err := votes.ByChoice.Of("coffee").Count(ctx, db); n != 1 || err != nil {
		t.Errorf("the index followed: %d, %v", n, err)
	}
	if err := votes.Patch(got, Vote{"p1", "anna", noon, "tea", 0}).Run(ctx, db); err != nil {
		t.Error(err)
	}
	if n, err := votes.ByChoice.Of("tea").Count(ctx, db); n != 0 || err != nil {
		t.Errorf("sparse: %d, %v", n, err)
	}
	moved := Vote{"p1", "carl", noon, "tea", 1}
	if err := votes.Move(Vote{Poll: "p1", Voter: "anna"}, moved).Run(ctx, db); err != nil {
		t.Error(err)
	}
	if all, err := votes.OfPoll.Of("p1").Slice(ctx, db); err != nil || len(all) != 1 || all[0] != moved {
		t.Errorf("%+v, %v", all, err)
	}
	if err := votes.Delete(VoteKey{"p1", "carl"}).Run(ctx, db); err != nil {
		t.Error(err)
	}
	if _, err := votes.OfPoll.Of("p1").First(ctx, db); !errors.Is(err, tablewright.ErrNotFound) {
		t.Error(err)
	}
}

// A query that binds what the shard follows from reads one shard, others all; counts are counted.
func TestShardsRead(t *testing.T) {
	table, votes := poll(8)
	kit := tablewrighttest.Start(t, table)
	ctx, db := t.Context(), kit.DB
	for i := range 100 {
		if err := votes.Put(Vote{"p1", fmt.Sprint("v", i), noon.Add(time.Duration(i) * time.Minute), "tea", 1 + i%3}).Run(ctx, db); err != nil {
			t.Fatal(err)
		}
	}
	requests := func(want int, f func() (int, error), n int) {
		t.Helper()
		kit.Reset()
		if got, err := f(); err != nil || got != n {
			t.Errorf("%d, %v: want %d", got, err, n)
		}
		if got := kit.Count(tablewrighttest.Calls{Operation: "Query"}).Requests; got != want {
			t.Errorf("%d requests, want %d", got, want)
		}
	}
	count := func(q tablewright.Query[Vote]) func() (int, error) {
		return func() (int, error) { return q.Count(ctx, db) }
	}
	page := func(q tablewright.Query[Vote], n int) func() (int, error) {
		return func() (int, error) { p, err := q.Page(ctx, db, n); return len(p.Items), err }
	}
	requests(1, count(votes.OfPoll.Of("p1").Is("v7")), 1)
	requests(8, count(votes.OfPoll.Of("p1").Query), 100)
	requests(8, count(votes.ByTime.Of("p1").Is(2).From(noon.Add(time.Hour))), 13)
	requests(8, count(votes.All.Of(struct{}{}).Query), 100)
	requests(8, count(votes.OfPoll.Of("p1").Top(3)), 3)
	requests(8, page(votes.All.Of(struct{}{}).Query, 3), 3)
	if first, err := votes.All.Of(struct{}{}).Descending().First(ctx, db); err != nil || first.Voter != "v99" {
		t.Errorf("the newest is %+v, %v", first, err)
	}
	if _, err := votes.ByChoice.Of("tea").One(ctx, db); !errors.Is(err, tablewright.ErrSeveral) {
		t.Error(err)
	}
	req, err := votes.ByTime.Of("p1").Request()
	if err != nil || !strings.Contains(string(req.Body), `{"S":"0"}`) {
		t.Errorf("%s, %v", req.Body, err)
	}
	if _, err := votes.All.Of(struct{}{}).Evaluate(9).Last(ctx, db, "", 3); !errors.Is(err, tablewright.ErrInvalid) || !strings.Contains(err.Error(), "leave out Evaluate") {
		t.Error(err)
	}
	newest, err := votes.All.Of(struct{}{}).Last(ctx, db, "", 2)
	if err != nil || len(newest.Items) != 2 || newest.Items[1].Voter != "v99" || newest.Next != "" || newest.Previous == "" {
		t.Errorf("%+v, %v", newest, err)
	}
	requests(16, func() (int, error) { // each shard for what is behind the position, and for what is before it
		p, err := votes.All.Of(struct{}{}).Last(ctx, db, newest.Previous, 3)
		if len(p.Items) == 3 && p.Items[2].Voter != "v97" {
			t.Error(p.Items)
		}
		return len(p.Items), err
	}, 3)
	// A page of many shards reads little more than it shows.
	var u tablewright.Usage
	p, err := votes.All.Of(struct{}{}).Page(ctx, db.Measure(&u), 20)
	if err != nil || len(p.Items) != 20 || u.Scanned > 64 {
		t.Errorf("%d items, %d looked at, %v", len(p.Items), u.Scanned, err)
	}
}

// Any query over shards, cut behind any item: the parts together are the whole, which is what an oracle says, in order.
func TestShardCursors(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, of := range []int{2, 5, 12} {
		table, votes := poll(of)
		kit := tablewrighttest.Start(t, table)
		ctx, db := t.Context(), kit.DB
		var all []Vote
		for i := range 120 {
			v := Vote{fmt.Sprint("p", r.IntN(2)), fmt.Sprint("v", i), noon.Add(time.Duration(r.IntN(20)) * time.Minute), []string{"tea", "milk"}[r.IntN(2)], r.IntN(3)}
			all = append(all, v)
		}
		if err := votes.PutAll(slices.Values(all)).Run(ctx, db); err != nil {
			t.Fatal(err)
		}
		for range 15 {
			q, oracle := votes.anyQuery(r, of)
			var want []Vote
			for _, v := range all {
				if oracle.holds(v) {
					want = append(want, v)
				}
			}
			slices.SortStableFunc(want, oracle.compare)
			whole, err := q.Slice(ctx, db)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.IsSortedFunc(whole, oracle.compare) || !same(whole, want) {
				t.Fatalf("of %d: got %v\nwant %v", of, whole, want)
			}
			if n, err := q.Count(ctx, db); err != nil || n != len(whole) {
				t.Fatalf("counted %d, %v: there are %d", n, err, len(whole))
			}
			got := cut(t, r, q, db)
			if !slices.Equal(got, whole) {
				t.Fatalf("cut: got %v\nwant %v", got, whole)
			}
			if got, ok := backward(t, r, q, db); ok && !slices.Equal(got, whole) {
				t.Fatalf("backward: got %v\nwant %v", got, whole)
			}
			if n := r.IntN(10) + 1; len(whole) >= n {
				if top, err := q.Top(n).Slice(ctx, db); err != nil || !slices.Equal(top, whole[:n]) {
					t.Fatalf("top %d: %v, %v", n, top, err)
				}
			}
		}
	}
}

type oracle struct {
	holds   func(Vote) bool
	compare func(a, b Vote) int
}

func (votes *votes) anyQuery(r *rand.Rand, of int) (q tablewright.Query[Vote], o oracle) {
	p := fmt.Sprint("p", r.IntN(2))
	at := func() time.Time { return noon.Add(time.Duration(r.IntN(20)) * time.Minute) }
	byTime := func(a, b Vote) int { return a.At.Compare(b.At) }
	shard := func(v Vote) int { return keys.Shards{Of: of}.Hash(attr.Text(v.Voter)) }
	switch r.IntN(5) {
	case 0:
		q = votes.OfPoll.Of(p).Query
		o = oracle{func(v Vote) bool { return v.Poll == p }, func(a, b Vote) int { return strings.Compare(a.Voter, b.Voter) }}
	case 1:
		w, since := r.IntN(3), at()
		q = votes.ByTime.Of(p).Is(w).From(since)
		o = oracle{func(v Vote) bool { return v.Poll == p && v.Weight == w && !v.At.Before(since) }, byTime}
	case 2:
		q = votes.ByTime.Of(p).After(0)
		o = oracle{func(v Vote) bool { return v.Poll == p && v.Weight > 0 }, func(a, b Vote) int {
			if a.Weight != b.Weight {
				return a.Weight - b.Weight
			}
			return a.At.Compare(b.At)
		}}
	case 3:
		lo, hi := at(), at()
		if hi.Before(lo) {
			lo, hi = hi, lo
		}
		q = votes.ByChoice.Of("tea").Between(lo, hi)
		o = oracle{func(v Vote) bool { return v.Choice == "tea" && v.Weight > 0 && !v.At.Before(lo) && !v.At.After(hi) }, byTime}
	default:
		q = votes.All.Of(struct{}{}).Query
		o = oracle{func(Vote) bool { return true }, byTime}
	}
	compare := o.compare
	o.compare = func(a, b Vote) int {
		if c := compare(a, b); c != 0 {
			return c
		}
		return shard(a) - shard(b)
	}
	if r.IntN(2) == 0 {
		q = q.Descending()
		up := o.compare
		o.compare = func(a, b Vote) int { return up(b, a) }
	}
	switch r.IntN(4) {
	case 0:
		holds := o.holds
		q = q.Filter(votes.Choice.Equals("milk"))
		o.holds = func(v Vote) bool { return holds(v) && v.Choice == "milk" }
	case 1:
		q = q.Evaluate(1 + r.IntN(20))
	}
	return q, o
}

// cut reads a query in pieces, of which some end in the middle of a page.
func cut[T any](t *testing.T, r *rand.Rand, q tablewright.Query[T], db *tablewright.DB) (got []T) {
	t.Helper()
	var at tablewright.Cursor
	for range 2000 {
		page, err := q.Resume(at).Page(t.Context(), db, 1+r.IntN(9))
		if err != nil {
			t.Fatal(err)
		}
		next := page.Next
		if i := r.IntN(12); i < len(page.Items) {
			page.Items, next = page.Items[:i+1], page.At(i)
		}
		got = append(got, page.Items...)
		if at = next; at == "" {
			return got
		}
	}
	t.Fatal("no end")
	return nil
}

// backward reads a query in pieces from its end, or from anywhere, of which some begin in the middle of a page, and what is behind
// that forward. A query of several partitions with Evaluate has no Last: ok is false.
func backward[T any](t *testing.T, r *rand.Rand, q tablewright.Query[T], db *tablewright.DB) (got []T, ok bool) {
	t.Helper()
	var at tablewright.Cursor
	if first, err := q.Page(t.Context(), db, 1+r.IntN(40)); err != nil {
		t.Fatal(err)
	} else if n := len(first.Items); n > 0 && r.IntN(3) > 0 { // from a page's end, or from within it
		if at = first.Next; at == "" || r.IntN(2) == 0 {
			at = first.At(r.IntN(n))
		}
		if got, err = q.Resume(at).Slice(t.Context(), db); err != nil {
			t.Fatal(err)
		}
		here := first.Items[n-1] // or what stands at the position
		for i := range n {
			if first.At(i) == at {
				here = first.Items[i]
			}
		}
		got = append([]T{here}, got...)
	}
	for range 2000 {
		page, err := q.Last(t.Context(), db, at, 1+r.IntN(9))
		if errors.Is(err, tablewright.ErrInvalid) && strings.Contains(err.Error(), "leave out Evaluate") {
			return nil, false
		}
		if err != nil {
			t.Fatal(err)
		}
		if at != "" && (page.Next == "") != (len(page.Items) == 0) {
			t.Fatalf("next is %q behind %d items", page.Next, len(page.Items))
		}
		if page.Next != "" { // what is behind the page is what was read before
			if rest, err := q.Resume(page.Next).Slice(t.Context(), db); err != nil || len(rest) != len(got) {
				t.Fatalf("%d items behind, not %d, %v", len(rest), len(got), err)
			}
		}
		items, before := page.Items, page.Previous
		if n := len(items); n > 1 && r.IntN(3) == 0 { // not all of the page
			i := r.IntN(n)
			items, before = items[i:], page.At(i)
		}
		got = append(slices.Clone(items), got...)
		if at = before; at == "" {
			return got, true
		}
	}
	t.Fatal("no end")
	return nil, false
}

func same(a, b []Vote) bool {
	id := func(all []Vote) (ids []string) {
		for _, v := range all {
			ids = append(ids, v.Voter)
		}
		slices.Sort(ids)
		return ids
	}
	return slices.Equal(id(a), id(b))
}
