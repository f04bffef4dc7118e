package tablewright_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/plan"
)

// A forum: threads that count their posts, numbers, likes that many give at once.
type (
	Thread struct {
		ID    string `ddb:"threadId"`
		Posts int    `ddb:"posts,omitzero"`
	}
	Post struct {
		Thread string `ddb:"threadId"`
		No     int    `ddb:"no"`
		Text   string `ddb:"text"`
	}
	Tally struct {
		Name  string `ddb:"name"`
		Shard int    `ddb:"part"`
		N     int64  `ddb:"n"`
	}
)

type (
	postKey struct {
		Thread string
		No     int
	}
	tallyKey struct {
		Name  string
		Shard int
	}
	threads struct {
		tablewright.Entity[string, Thread]
		Posts tablewright.Number[Thread, int]
	}
	tallies struct {
		tablewright.Entity[tallyKey, Tally]
		N tablewright.Number[Tally, int64]
	}
)

var (
	Forum   = tablewright.NewTable(plan.Table{Name: "Forum", Key: plan.Key{Partition: "PK", Sort: "SK"}})
	Threads = tablewright.Declare[threads](Forum, plan.Item{Name: "Thread", Key: m{"PK": "t#{threadId}", "SK": "t"}})
	Posts   = tablewright.Declare[tablewright.Entity[postKey, Post]](Forum, plan.Item{Name: "Post", Key: m{"PK": "t#{threadId}", "SK": "p#{no:pad6}"}})
	Tallies = tablewright.Declare[tallies](Forum, plan.Item{Name: "Tally", Key: m{"PK": "n#{name}#{part:pad2}", "SK": "n"}})

	ThreadPosts = tablewright.NewRefs(Threads.Entity, Threads.Posts, func(p Post) string { return p.Thread })
	Numbers     = tablewright.NewSequence(Tallies.Entity, Tallies.N)
	Likes       = tablewright.NewCounter(Tallies.Entity, Tallies.N, 4, func(thread string, shard int) tallyKey { return tallyKey{"likes-of-" + thread, shard} })
)

// Nothing is deleted that something refers to.
func ExampleNewRefs() {
	ctx, db := inMemory(Forum)
	_ = Threads.Create(Thread{ID: "t1"}).Run(ctx, db)
	post := Post{"t1", 1, "hello"}
	fmt.Println(tablewright.Transact(Posts.Create(post), ThreadPosts.Added(post)).Run(ctx, db))
	inUse := errors.New("the thread has posts")
	fmt.Println(errors.Is(ThreadPosts.Delete("t1").Else(inUse).Run(ctx, db), inUse))
	fmt.Println(tablewright.Transact(Posts.Delete(postKey{"t1", 1}), ThreadPosts.Removed(post)).Run(ctx, db))
	fmt.Println(ThreadPosts.Delete("t1").Else(inUse).Run(ctx, db))
	// Output:
	// <nil>
	// true
	// <nil>
	// <nil>
}

// Sequential numbers, cheap with gaps or without any.
func ExampleNewSequence() {
	ctx, db := inMemory(Forum)
	key := tallyKey{Name: "posts of t1"}
	for range 2 {
		fmt.Println(Numbers.Next(ctx, db, key))
	}
	no, err := Numbers.Give(ctx, db, key, func(next int64) ([]tablewright.TxWrite, error) {
		return []tablewright.TxWrite{Posts.Create(Post{"t1", int(next), "numbered"})}, nil
	})
	fmt.Println(no, err)
	// Output:
	// 1 <nil>
	// 2 <nil>
	// 3 <nil>
}

// A count that many write at once.
func ExampleNewCounter() {
	ctx, db := inMemory(Forum)
	for range 10 {
		_ = Likes.Add("t1", 2).Run(ctx, db)
	}
	fmt.Println(Likes.Sum(ctx, db, "t1"))
	// Output: 20 <nil>
}

func TestRefs(t *testing.T) {
	db := open(t, tablewright.Options{}, Forum)
	ctx := t.Context()
	post := Post{"nowhere", 1, "hello"}
	err := tablewright.Transact(Posts.Create(post), ThreadPosts.Added(post)).Run(ctx, db)
	isError(t, err, tablewright.ErrNotFound)
	if err := Threads.Create(Thread{ID: "t1"}).Run(ctx, db); err != nil {
		t.Fatal(err)
	}
	post.Thread = "t1"
	isError(t, tablewright.Transact(Posts.Delete(postKey{"t1", 1}), ThreadPosts.Removed(post)).Run(ctx, db), tablewright.ErrConditionFailed)
	for i := range 3 {
		post.No = i
		if err := tablewright.Transact(Posts.Create(post), ThreadPosts.Added(post)).Run(ctx, db); err != nil {
			t.Fatal(err)
		}
	}
	if n := must[Thread](t)(Threads.Get("t1").Run(ctx, db)).Posts; n != 3 {
		t.Errorf("%d posts", n)
	}
	isError(t, ThreadPosts.Delete("t1").Run(ctx, db), tablewright.ErrConditionFailed)
	foreign := tablewright.NewRefs(tablewright.Entity[string, Thread]{}, Threads.Posts, func(p Post) string { return p.Thread })
	isError(t, foreign.Added(post).Run(ctx, db), tablewright.ErrInvalid)
}

// Numbers that are given out are all different, whatever happens on the way; those of Give have no gap.
func TestSequence(t *testing.T) {
	for name, hooks := range map[string][]tablewright.Hook{"fair": nil, "weather": {weather(7)}} {
		t.Run(name, func(t *testing.T) {
			db := open(t, tablewright.Options{Hooks: hooks, Retry: tablewright.Retry{Attempts: 200, Budget: 1 << 40}})
			for err := errors.New("not yet"); err != nil && !errors.Is(err, tablewright.ErrExists); {
				err = Forum.CreateIn(t.Context(), db)
			}
			ctx := t.Context()
			var mu sync.Mutex
			taken, given := map[int64]int{}, map[int64]int{}
			unknown := 0
			var wait sync.WaitGroup
			for range 4 {
				wait.Go(func() {
					for range 10 {
						n, err := Numbers.Next(ctx, db, tallyKey{Name: "loose"})
						if err != nil {
							t.Error(err)
						}
						g, err := Numbers.Give(ctx, db, tallyKey{Name: "tight"}, func(next int64) ([]tablewright.TxWrite, error) {
							return []tablewright.TxWrite{Posts.Create(Post{"tight", int(next), ""})}, nil
						})
						mu.Lock()
						if taken[n]++; err == nil {
							given[g]++
						} else {
							unknown++
							t.Log(err)
						}
						mu.Unlock()
					}
				})
			}
			wait.Wait()
			for n, times := range taken {
				if times > 1 {
					t.Errorf("%d was given out %d times", n, times)
				}
			}
			for n := int64(1); n <= int64(len(given)+unknown); n++ {
				if given[n] > 1 || given[n] == 0 && unknown == 0 {
					t.Errorf("%d was given %d times", n, given[n])
				}
				if _, err := Posts.Get(postKey{"tight", int(n)}).Run(ctx, db); given[n] == 1 && err != nil {
					t.Errorf("post %d: %v", n, err)
				}
			}
			if name == "fair" && len(taken) != 40 {
				t.Errorf("%d numbers", len(taken))
			}
		})
	}
	db := open(t, tablewright.Options{}, Forum)
	mine := errors.New("no")
	if _, err := Numbers.Give(t.Context(), db, tallyKey{Name: "x"}, func(int64) ([]tablewright.TxWrite, error) { return nil, mine }); !errors.Is(err, mine) {
		t.Error(err)
	}
	var none tablewright.Sequence[tallyKey, Tally, int64]
	_, err := none.Next(t.Context(), db, tallyKey{})
	isError(t, err, tablewright.ErrInvalid)
	lost := tablewright.TransportFunc(func(context.Context, *tablewright.Call) error { return io.EOF })
	if _, err := Numbers.Next(t.Context(), tablewright.New(lost, tablewright.Options{Clock: newClock()}), tallyKey{Name: "x"}); err == nil || !strings.Contains(err.Error(), "tries") {
		t.Errorf("a lost number was not asked for again: %v", err)
	}
}

func TestCounter(t *testing.T) {
	db := open(t, tablewright.Options{}, Forum)
	ctx := t.Context()
	if n, err := Likes.Sum(ctx, db, "new"); n != 0 || err != nil {
		t.Error(n, err)
	}
	want := int64(0)
	shards := map[string]bool{}
	for range 100 {
		n := int64(rand.IntN(10)) - 3
		u := Likes.Add("t1", n)
		request, _ := u.Request()
		shards[strings.SplitN(string(request.Body), "likes-of-t1#", 2)[1][:2]] = true
		if err := u.Run(ctx, db); err != nil {
			t.Fatal(err)
		}
		want += n
	}
	if n, err := Likes.Sum(ctx, db, "t1"); n != want || err != nil || len(shards) != 4 {
		t.Errorf("%d, want %d, in %d shards: %v", n, want, len(shards), err)
	}
}
