package practices

import (
	"fmt"
	"log"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/plan"
)

// Vote is one of many for a film, which come all at once.
type Vote struct {
	Film  string `ddb:"film"`
	Voter string `ddb:"voter"`
	Stars int    `ddb:"stars"`
}

type VoteKey struct{ Film, Voter string }

var VotesTable = tablewright.NewTable(plan.Table{Name: "Votes", Key: plan.Key{Partition: "PK", Sort: "voter"}})

type votes struct {
	tablewright.Entity[VoteKey, Vote]
	OfFilm tablewright.Index1[Vote, string, string] `index:"."`
}

var Votes = tablewright.Declare[votes](VotesTable, plan.Item{
	Name:  "Vote",
	Key:   map[string]string{"PK": "{film}#{shard}"},
	Shard: &plan.Shard{Of: 4, By: "voter"}, // the hash of the voter says which of four
})

func Example_shards() {
	ctx, db := open(VotesTable)
	for i := range 20 {
		if err := Votes.Create(Vote{"alien", fmt.Sprintf("v%02d", i), i%5 + 1}).Run(ctx, db); err != nil {
			log.Fatal(err)
		}
	}
	v, err := Votes.Get(VoteKey{"alien", "v07"}).Run(ctx, db) // its shard follows from its key
	fmt.Println(v.Stars, err)

	var used tablewright.Usage
	page, err := Votes.OfFilm.Of("alien").Page(ctx, db.Measure(&used), 3) // all four, merged in order
	for _, v := range page.Items {
		fmt.Print(v.Voter, " ")
	}
	fmt.Println(used.Requests, "requests;", page.Next != "", err)
	rest, err := Votes.OfFilm.Of("alien").Resume(page.Next).Slice(ctx, db)
	fmt.Println(rest[0].Voter, len(rest), err)
	// Output:
	// 3 <nil>
	// v00 v01 v02 4 requests; true <nil>
	// v03 17 <nil>
}

// Views counts how often a film was seen, in several items.
type Views struct {
	Film string `ddb:"film"`
	Part int    `ddb:"part"`
	Seen int    `ddb:"seen"`
}

type ViewsKey struct {
	Film string
	Part int
}

var ViewsTable = tablewright.NewTable(plan.Table{Name: "Views", Key: plan.Key{Partition: "PK"}})

type views struct {
	tablewright.Entity[ViewsKey, Views]
	Seen tablewright.Number[Views, int]
}

var AllViews = tablewright.Declare[views](ViewsTable, plan.Item{
	Name: "Views", Key: map[string]string{"PK": "{film}#{part:pad2}"},
})

var SeenFilms = tablewright.NewCounter(AllViews.Entity, AllViews.Seen, 10, func(film string, part int) ViewsKey { return ViewsKey{film, part} })

func Example_keyDistribution() {
	ctx, db := open(ViewsTable)
	for range 500 {
		if err := SeenFilms.Add("alien", 1).Run(ctx, db); err != nil {
			log.Fatal(err)
		}
	}
	var used tablewright.Usage
	n, err := SeenFilms.Sum(ctx, db.Measure(&used), "alien")
	fmt.Println(n, "seen;", used.Requests, "request of", used.Read, "read units;", err)
	// Output: 500 seen; 1 request of 5 read units; <nil>
}
