package tablewright_test

import (
	"fmt"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/plan"
)

// Vote is an item of a poll in which millions vote at once.
type Vote struct {
	Poll  string    `ddb:"pollId"`
	Voter string    `ddb:"voterId"`
	At    time.Time `ddb:"at,iso"`
}

type VoteKey struct{ Poll, Voter string }

// A hot partition is spread over eight: who knows the voter finds the vote, and a query reads all of them in order.
func ExampleDeclare_shards() {
	table := tablewright.NewTable(plan.Table{Name: "Polls", Key: plan.Key{Partition: "PK", Sort: "SK"}})
	votes := tablewright.Declare[struct {
		tablewright.Entity[VoteKey, Vote]
		OfPoll tablewright.Index1[Vote, string, string] `index:"."`
	}](table, plan.Item{Name: "Vote", Key: map[string]string{"PK": "poll#{pollId}#{shard}", "SK": "{voterId}"},
		Shard: &plan.Shard{Of: 8, By: "voterId"}})
	ctx, db := inMemory(table)
	for _, voter := range []string{"dora", "anna", "carl", "bert"} {
		_ = votes.Create(Vote{"p1", voter, noon}).Run(ctx, db)
	}
	one, err := votes.Get(VoteKey{"p1", "carl"}).Run(ctx, db)
	fmt.Println(one.Voter, err)
	page, err := votes.OfPoll.Of("p1").Page(ctx, db, 3)
	for _, v := range page.Items {
		fmt.Print(v.Voter, " ")
	}
	fmt.Println(page.Next != "", err)
	fmt.Println(votes.OfPoll.Of("p1").Resume(page.At(0)).Count(ctx, db))
	// Output:
	// carl <nil>
	// anna bert carl true <nil>
	// 3 <nil>
}

// A sensor's readings lie in a partition per day; the last ones are found from today backward, until the page is full.
func ExampleIndex_Across() {
	type Reading struct {
		Sensor string    `ddb:"sensorId"`
		At     time.Time `ddb:"at,iso"`
	}
	type At struct {
		Sensor string
		At     time.Time
	}
	table := tablewright.NewTable(plan.Table{Name: "Readings", Key: plan.Key{Partition: "PK", Sort: "SK"}})
	readings := tablewright.Declare[struct {
		tablewright.Entity[At, Reading]
		OfSensor tablewright.Index1[Reading, At, time.Time] `index:"."`
	}](table, plan.Item{Name: "Reading", Key: map[string]string{"PK": "{sensorId}#{at:day}", "SK": "{at:iso}"}})
	ctx, db := inMemory(table)
	for i := range 6 {
		_ = readings.Put(Reading{"s1", noon.Add(time.Duration(-i) * 18 * time.Hour)}).Run(ctx, db)
	}
	page, err := readings.OfSensor.Across(At{"s1", noon.AddDate(0, 0, -30)}, At{"s1", noon}).Descending().Page(ctx, db, 3)
	for _, r := range page.Items {
		fmt.Println(r.At.Format("Jan 2 15:04"))
	}
	fmt.Println(page.Next != "", err)
	// Output:
	// Nov 21 12:00
	// Nov 20 18:00
	// Nov 20 00:00
	// true <nil>
}

// Likes of one post, counted in four items.
func ExampleNewShardCounter() {
	type Likes struct {
		Post  string `ddb:"postId"`
		Count int    `ddb:"count"`
	}
	table := tablewright.NewTable(plan.Table{Name: "Likes", Key: plan.Key{Partition: "PK"}})
	likes := tablewright.Declare[struct {
		tablewright.Entity[string, Likes]
		Count tablewright.Number[Likes, int]
	}](table, plan.Item{Name: "Likes", Key: map[string]string{"PK": "likes#{postId}#{shard}"}, Shard: &plan.Shard{Of: 4, By: "random"}})
	ctx, db := inMemory(table)
	counter := tablewright.NewShardCounter(likes.Entity, likes.Count)
	for range 10 {
		_ = counter.Add("p1", 1).Run(ctx, db)
	}
	fmt.Println(counter.Sum(ctx, db, "p1"))
	// Output: 10 <nil>
}

// The front page, which everybody reads, in three copies.
func ExampleNewCopies() {
	type Front struct {
		Country string `ddb:"country"`
		Text    string `ddb:"text"`
	}
	table := tablewright.NewTable(plan.Table{Name: "Fronts", Key: plan.Key{Partition: "PK"}})
	fronts := tablewright.Declare[tablewright.Entity[string, Front]](table, plan.Item{Name: "Front", Key: map[string]string{"PK": "front#{country}#{shard}"},
		Shard: &plan.Shard{Of: 3, By: "random"}})
	ctx, db := inMemory(table)
	copies := tablewright.NewCopies(*fronts)
	fmt.Println(copies.Put(Front{"no", "God dag"}).Run(ctx, db))
	front, err := copies.Get("no").Run(ctx, db)
	fmt.Println(front.Text, err)
	// Output:
	// <nil>
	// God dag <nil>
}
