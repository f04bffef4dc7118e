package cache_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/cache"
	"github.com/tablewright/tablewright/engine"
)

// A catalogue that is read much more often than it changes.
func Example() {
	e, err := engine.Open("", nil)
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()
	near, err := cache.New(cache.Options{TTL: time.Minute, Tables: []string{"Store"}})
	if err != nil {
		log.Fatal(err)
	}
	ctx, db := context.Background(), tablewright.New(tablewright.InProcess(e), tablewright.Options{Hooks: []tablewright.Hook{near.Hook}})
	loader := tablewright.New(tablewright.InProcess(e), tablewright.Options{}) // stands for another program
	if err := store.CreateIn(ctx, loader); err != nil {
		log.Fatal(err)
	}
	if err := Products.Put(product{"acme", "lamp", 7}).Run(ctx, loader); err != nil {
		log.Fatal(err)
	}
	for range 3 {
		p, err := Products.Get(lamp).Run(ctx, db)
		fmt.Println(p.Stock, err)
	}
	fmt.Printf("%+v\n", near.Stats())
	// Output:
	// 7 <nil>
	// 7 <nil>
	// 7 <nil>
	// {Hits:2 Missing:0 Misses:1 Joined:0 Passed:0 Drops:0}
}
