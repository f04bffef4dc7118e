package rules_test

import (
	"fmt"
	"time"

	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/stats/rules/internal/tracebench"
)

// pagesTable has pages of a wiki and what belongs to them.
var pagesTable = plan.Table{Name: "Wiki", Key: plan.Key{Partition: "PK", Sort: "SK"}}

func pageItem(n, body int) tracebench.Item {
	return tracebench.Item{"PK": fmt.Sprintf("page#%04d", n), "SK": "page", "title": fmt.Sprint("Page ", n), "views": n, "body": tracebench.Text(body)}
}

// sections is an item that is large in many attributes.
func sections(n, each int) tracebench.Item {
	it := tracebench.Item{"PK": fmt.Sprintf("book#%04d", n), "SK": "book"}
	for i := range 12 {
		it[fmt.Sprintf("section%02d", i)] = tracebench.Text(each)
	}
	return it
}

// readAndTouch reads pages and counts their views.
func readAndTouch(of func(i int) tracebench.Item, n int) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		for i := range n {
			w.Store("Wiki", of(i))
		}
		w.Mix(24*time.Hour, tracebench.Daily,
			tracebench.Kind{Callers: 400, Do: func(c *tracebench.Caller) {
				it := of(w.Rand.IntN(n))
				c.Get("Wiki", tracebench.Item{"PK": it["PK"], "SK": it["SK"]}, tracebench.Pattern("readPage"))
			}},
			tracebench.Kind{Callers: 100, Do: func(c *tracebench.Caller) {
				it := of(w.Rand.IntN(n))
				c.Update("Wiki", tracebench.Item{"PK": it["PK"], "SK": it["SK"]}, "ADD #v :one", tracebench.Names("#v", "views"), tracebench.Values(tracebench.Item{":one": 1}), tracebench.Pattern("countView"))
			}})
	}
}

// oneAmongMany puts books, of which one is large and the others small.
func oneAmongMany(each int) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		n := 0
		w.Traffic(6*time.Hour, 600, tracebench.Steady, func(c *tracebench.Caller) {
			n++
			it := sections(n, 20)
			if n == 333 {
				it = sections(n, each)
			}
			c.Put("Wiki", it, tracebench.Pattern("saveBook"))
		})
	}
}

// mayOfSizes is what else may be said of large items.
var mayOfSizes = []string{"large-items", "over-fetching", "expensive-pattern", "repeated-reads", "attribute-names", "concatenated-keys", "key-formats"}

var _ = bench("large-items",
	tracebench.Trace{
		Name:   "books of 130 KB in twelve sections",
		Tables: []plan.Table{pagesTable},
		Run:    readAndTouch(func(i int) tracebench.Item { return sections(i, 11_000) }, 20),
		Fires:  []string{"large-items"},
		May:    mayOfSizes,
	},
	tracebench.Trace{
		Name:   "one book of 150 KB among many small ones",
		Tables: []plan.Table{pagesTable},
		Run:    oneAmongMany(12_500),
		Fires:  []string{"large-items"},
		May:    mayOfSizes,
	},
	tracebench.Trace{
		Name:   "books of 85 KB",
		Tables: []plan.Table{pagesTable},
		Run:    readAndTouch(func(i int) tracebench.Item { return sections(i, 7_000) }, 20),
		Near:   true,
		May:    mayOfSizes[1:],
	},
	tracebench.Trace{
		Name:   "one book of 85 KB among many small ones",
		Tables: []plan.Table{pagesTable},
		Run:    oneAmongMany(7_000),
		Near:   true,
		May:    mayOfSizes[1:],
	},
)

// comments adds comments to lists in items of pages, up to so many in each, and reads them.
func comments(span time.Duration, callers, pages, most int) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		lists := make([]int, pages)
		for i := range lists {
			w.Store("Wiki", tracebench.Item{"PK": fmt.Sprintf("page#%04d", i), "SK": "comments", "comments": []any{}})
		}
		w.Traffic(span, callers, tracebench.Daily, func(c *tracebench.Caller) {
			n := w.Rand.IntN(pages)
			key := tracebench.Item{"PK": fmt.Sprintf("page#%04d", n), "SK": "comments"}
			if lists[n] < most {
				lists[n]++
				c.Update("Wiki", key, "SET #c = list_append(#c, :new)", tracebench.Names("#c", "comments"),
					tracebench.Values(tracebench.Item{":new": []any{tracebench.Text(350 + w.Rand.IntN(100))}}), tracebench.Pattern("comment"))
			}
			w.Caller().Get("Wiki", key, tracebench.Pattern("readComments"))
		})
	}
}

var _ = bench("growing-items",
	tracebench.Trace{
		Name:   "comments in a list in the page's item",
		Tables: []plan.Table{pagesTable},
		Run:    comments(5*24*time.Hour, 600, 2, 1_000),
		Fires:  []string{"growing-items"},
		May:    mayOfSizes,
	},
	tracebench.Trace{
		Name:   "an event log of one device in a day, put whole",
		Tables: []plan.Table{pagesTable},
		Run: func(w *tracebench.World) {
			text := 10_000
			w.Traffic(20*time.Hour, 700, tracebench.Steady, func(c *tracebench.Caller) {
				text += 80
				c.Put("Wiki", tracebench.Item{"PK": "device#7", "SK": "log", "log": tracebench.Text(text)}, tracebench.Pattern("appendLog"))
			})
		},
		Fires: []string{"growing-items"},
		May:   append([]string{"hot-partition"}, mayOfSizes...),
	},
	tracebench.Trace{
		Name:   "messages in a list, of an item that is neither read nor answered",
		Tables: []plan.Table{pagesTable},
		Run: func(w *tracebench.World) {
			w.Traffic(4*24*time.Hour, 1_000, tracebench.Steady, func(c *tracebench.Caller) {
				c.Update("Wiki", tracebench.Item{"PK": fmt.Sprint("talk#", w.Rand.IntN(6)), "SK": "talk"}, "SET msgs = list_append(if_not_exists(msgs, :none), :one)",
					tracebench.Values(tracebench.Item{":none": []any{}, ":one": []any{tracebench.Item{"by": "ada", "text": tracebench.Text(250)}}}), tracebench.Pattern("say"))
			})
		},
		Fires: []string{"growing-items"},
		May:   mayOfSizes,
	},
	tracebench.Trace{
		Name:   "lists that are full after thirty",
		Tables: []plan.Table{pagesTable},
		Run:    comments(5*24*time.Hour, 600, 2, 40),
		Near:   true,
		May:    mayOfSizes,
	},
	tracebench.Trace{
		Name:   "large pages that are edited, longer now and shorter then",
		Tables: []plan.Table{pagesTable},
		Run: func(w *tracebench.World) {
			w.Traffic(10*24*time.Hour, 300, tracebench.Daily, func(c *tracebench.Caller) {
				c.Put("Wiki", pageItem(w.Rand.IntN(10), 30_000+w.Rand.IntN(20_000)), tracebench.Pattern("savePage"))
			})
		},
		Near: true,
		May:  mayOfSizes,
	},
	tracebench.Trace{
		Name:   "pages that got longer once",
		Tables: []plan.Table{pagesTable},
		Run: func(w *tracebench.World) {
			n := 0
			w.Traffic(3*24*time.Hour, 300, tracebench.Steady, func(c *tracebench.Caller) {
				n++
				body := 15_000
				if n > 180 {
					body = 30_000
				}
				c.Put("Wiki", pageItem(n%3, body), tracebench.Pattern("savePage"))
			})
		},
		Near: true,
		May:  mayOfSizes,
	},
)
