package practices

import (
	"fmt"
	"log"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/cache"
	"github.com/tablewright/tablewright/docs/internal/local"
	"github.com/tablewright/tablewright/engine"
)

func Example_cache() {
	clock := engine.NewClock(noon)
	near, err := cache.New(cache.Options{TTL: time.Minute, Tables: []string{"Articles"}, Clock: clock})
	if err != nil {
		log.Fatal(err)
	}
	ctx, db := local.OpenWith(tablewright.Options{Clock: clock, Hooks: []tablewright.Hook{near.Hook}}, ArticlesTable)
	_ = Articles.Create(Article{ID: "a1", Author: "ada", PublishedAt: noon}).Run(ctx, db)
	clock.Advance(2 * time.Second) // what was written a moment ago is read past the cache

	var used tablewright.Usage
	for range 100 {
		if _, err := Articles.Get("a1").Run(ctx, db.Measure(&used)); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println(used.Read, "read units;", near.Stats().Hits, "of 100 from the cache")
	// Output: 0.5 read units; 99 of 100 from the cache
}
