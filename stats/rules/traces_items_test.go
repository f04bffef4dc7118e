package rules_test

import (
	"fmt"
	"time"

	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/stats/rules/internal/tracebench"
)

var articlesTable = plan.Table{Name: "Articles", Key: plan.Key{Partition: "articleId"}}

func articleKey(i int, part string) tracebench.Item {
	return tracebench.Item{"articleId": fmt.Sprint("a", i, part)}
}

// writeArticle puts an article, whole or in two parts.
func writeArticle(w *tracebench.World, i, body int, parts bool, put func(item tracebench.Item)) {
	head := articleKey(i, "")
	head["title"], head["views"] = fmt.Sprint("the article ", i), 0
	text := tracebench.Text(body/2 + w.Rand.IntN(body))
	if !parts {
		head["body"] = text
		put(head)
		return
	}
	put(head)
	put(tracebench.Item{"articleId": fmt.Sprint("a", i, "#body"), "body": text})
}

var chaptersTable = plan.Table{Name: "Chapters", Key: plan.Key{Partition: "book", Sort: "chapter"}}

// someChapters stores books of so many chapters, whose texts are items of another partition if they are apart.
func someChapters(chapters, size int, apart bool) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		for i := range 20 * chapters {
			head := tracebench.Item{"book": fmt.Sprint("b", i%20), "chapter": fmt.Sprintf("%03d", i/20), "title": fmt.Sprint("Chapter ", i)}
			if !apart {
				head["text"] = tracebench.Text(size)
				w.Store("Chapters", head)
				continue
			}
			w.Store("Chapters", head)
			w.Store("Chapters", tracebench.Item{"book": fmt.Sprint("b", i%20, "#text"), "chapter": head["chapter"], "text": tracebench.Text(size)})
		}
	}
}

// contents asks for the titles of the chapters of a book; each so many-th call for the texts, too, which may be apart; 0: none does.
func contents(texts int, apart bool) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		n := 0
		w.Traffic(48*time.Hour, 600, tracebench.Daily, func(c *tracebench.Caller) {
			n++
			book := fmt.Sprint("b", w.Rand.IntN(20))
			if texts == 0 || n%texts > 0 {
				c.Query("Chapters", "", tracebench.Item{"book": book}, tracebench.Project("chapter, title"), tracebench.Pattern("contents"), tracebench.Times(50))
				return
			}
			c.Query("Chapters", "", tracebench.Item{"book": book}, tracebench.Pattern("contents"), tracebench.Times(50))
			if apart {
				c.Query("Chapters", "", tracebench.Item{"book": book + "#text"}, tracebench.Pattern("contents"), tracebench.Times(50))
			}
		})
	}
}

func someArticles(body int, parts bool) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		for i := range 200 {
			writeArticle(w, i, body, parts, func(item tracebench.Item) { w.Store("Articles", item) })
		}
	}
}

// reading articles: their heads, their bodies, and counting views.
func reading(body, heads, whole int, parts bool) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		draw := w.Zipf(0.7, 200)
		next := 200
		w.Mix(48*time.Hour, tracebench.Daily,
			tracebench.Kind{Callers: heads, Do: func(c *tracebench.Caller) {
				c.Get("Articles", articleKey(draw(), ""), tracebench.Project("title, #v"), tracebench.Names("#v", "views"), tracebench.Pattern("head"), tracebench.Times(500))
			}},
			tracebench.Kind{Callers: whole, Do: func(c *tracebench.Caller) {
				i := draw()
				c.Get("Articles", articleKey(i, ""), tracebench.Pattern("article"), tracebench.Times(500))
				if parts {
					c.Get("Articles", articleKey(i, "#body"), tracebench.Pattern("article"), tracebench.Times(500))
				}
			}},
			tracebench.Kind{Callers: 150, Do: func(c *tracebench.Caller) {
				c.Update("Articles", articleKey(draw(), ""), "ADD #v :one", tracebench.Names("#v", "views"), tracebench.Values(tracebench.Item{":one": 1}), tracebench.Pattern("view"), tracebench.Times(500))
			}},
			tracebench.Kind{Callers: 20, Do: func(c *tracebench.Caller) {
				next++
				writeArticle(w, next, body, parts, func(item tracebench.Item) {
					c.Put("Articles", item, tracebench.Pattern("publish"), tracebench.Times(500))
				})
			}})
	}
}

// readingMixed reads heads of articles, and one time in twelve whole ones, by one access pattern.
func readingMixed(parts bool) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		w.Traffic(48*time.Hour, 900, tracebench.Daily, func(c *tracebench.Caller) {
			i, how := w.Rand.IntN(200), []tracebench.Option{tracebench.Pattern("article"), tracebench.Times(500)}
			if w.Rand.IntN(12) > 0 {
				c.Get("Articles", articleKey(i, ""), append(how, tracebench.Project("title, #v"), tracebench.Names("#v", "views"))...)
				return
			}
			c.Get("Articles", articleKey(i, ""), how...)
			if parts {
				c.Get("Articles", articleKey(i, "#body"), how...)
			}
		})
	}
}

// measurementsTable keeps measurements of sensors.
var measurementsTable = plan.Table{Name: "Measurements", Key: plan.Key{Partition: "sensor", Sort: "at"}}

// measured stores n measurements of a few sensors.
func measured(n int) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		for i := range n {
			w.Store("Measurements", tracebench.Item{"sensor": fmt.Sprint("s", i%4), "at": fmt.Sprintf("%08d", i), "raw": tracebench.Text(500)})
		}
	}
}

// charts are drawn from a sensor's measurements, as often as readers come.
func charts(readers, times int, how ...tracebench.Option) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		next := 100_000
		w.Mix(36*time.Hour, tracebench.Daily,
			tracebench.Kind{Callers: readers, Do: func(c *tracebench.Caller) {
				sensor := tracebench.Item{"sensor": fmt.Sprint("s", w.Rand.IntN(4))}
				c.Query("Measurements", "", sensor, append(how, tracebench.Pattern("chart"), tracebench.Times(times))...)
			}},
			tracebench.Kind{Callers: 300, Do: func(c *tracebench.Caller) {
				next++
				c.Put("Measurements", tracebench.Item{"sensor": fmt.Sprint("s", w.Rand.IntN(4)), "at": fmt.Sprintf("%08d", next), "raw": tracebench.Text(500)},
					tracebench.Pattern("measure"), tracebench.Times(200))
			}})
	}
}

// documentsTable has so many indexes that hold all.
func documentsTable(indexes int) plan.Table {
	p := plan.Table{Name: "Documents", Key: plan.Key{Partition: "documentId"}, GSI: map[string]plan.Index{}}
	for _, by := range []string{"owner", "folder"}[:indexes] {
		p.GSI["By"+by] = plan.Index{Partition: []string{by}}
	}
	return p
}

// documents are saved and read.
func documents(w *tracebench.World) {
	key := func() string { return fmt.Sprint("d", w.Rand.IntN(300)) }
	w.Mix(48*time.Hour, tracebench.Daily,
		tracebench.Kind{Callers: 300, Do: func(c *tracebench.Caller) {
			c.Put("Documents", tracebench.Item{"documentId": key(), "owner": fmt.Sprint("o", w.Rand.IntN(50)), "folder": fmt.Sprint("f", w.Rand.IntN(50)), "text": tracebench.Text(30_000)},
				tracebench.Pattern("save"), tracebench.Times(20))
		}},
		tracebench.Kind{Callers: 300, Do: func(c *tracebench.Caller) {
			c.Get("Documents", tracebench.Item{"documentId": key()}, tracebench.Pattern("open"), tracebench.Times(20))
		}})
}

var eventsTable = plan.Table{Name: "Events", Key: plan.Key{Partition: "id"}}

// eventID is one of which the next does not follow.
func eventID(i int) string { return fmt.Sprintf("%08x", uint32(i)*2654435761) }

// namedEvents have forty attributes, of long names or of short ones.
func namedEvents(long bool, text, times int) func(w *tracebench.World) {
	if long {
		return numberedEvents("measurementOfTheDeviceInChannel%02d", 40, text, times)
	}
	return numberedEvents("%02d", 40, text, times)
}

// numberedEvents have so many attributes of a form of name.
func numberedEvents(form string, many, text, times int) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		next := 0
		event := func() tracebench.Item {
			next++
			item := tracebench.Item{"id": eventID(next), "t": tracebench.Text(text)}
			for i := range many {
				item[fmt.Sprintf(form, i)] = w.Rand.IntN(100)
			}
			return item
		}
		w.Mix(48*time.Hour, tracebench.Daily,
			tracebench.Kind{Callers: 500, Do: func(c *tracebench.Caller) {
				c.Put("Events", event(), tracebench.Pattern("record"), tracebench.Times(times))
			}},
			tracebench.Kind{Callers: 400, Do: func(c *tracebench.Caller) {
				c.Get("Events", tracebench.Item{"id": eventID(1 + w.Rand.IntN(next+1))}, tracebench.Pattern("event"), tracebench.Times(1_000))
			}})
	}
}

var (
	_ = bench("over-fetching",
		tracebench.Trace{
			Name:     "titles of articles of which each has a body of many pages",
			Tables:   []plan.Table{articlesTable},
			Seed:     someArticles(20_000, false),
			Run:      reading(20_000, 600, 60, false),
			Live:     true,
			Fires:    []string{"over-fetching"},
			May:      []string{"capacity-mode", "large-attributes"},
			Remedied: &tracebench.Remedied{Seed: someArticles(20_000, true), Run: reading(20_000, 600, 60, true)},
		},
		tracebench.Trace{
			Name:   "the same where nobody writes or reads a whole article",
			Tables: []plan.Table{articlesTable},
			Seed:   someArticles(20_000, false),
			Run: func(w *tracebench.World) {
				w.Traffic(48*time.Hour, 400, tracebench.Daily, func(c *tracebench.Caller) {
					c.Get("Articles", articleKey(w.Rand.IntN(200), ""), tracebench.Project("title, #v"), tracebench.Names("#v", "views"), tracebench.Pattern("head"), tracebench.Times(500))
				})
			},
			Fires:    []string{"over-fetching"},
			May:      []string{"capacity-mode"},
			Remedied: &tracebench.Remedied{Seed: someArticles(20_000, true)},
		},
		tracebench.Trace{
			Name:   "titles of ten articles at once, of which nobody reads or writes a whole one",
			Tables: []plan.Table{articlesTable},
			Seed:   someArticles(20_000, false),
			Run: func(w *tracebench.World) {
				w.Traffic(48*time.Hour, 60, tracebench.Daily, func(c *tracebench.Caller) {
					var keys []tracebench.Item
					for _, i := range w.Rand.Perm(200)[:10] {
						keys = append(keys, articleKey(i, ""))
					}
					c.BatchGet("Articles", keys, tracebench.Project("title, #v"), tracebench.Names("#v", "views"), tracebench.Pattern("heads"), tracebench.Times(500))
				})
			},
			Fires:    []string{"over-fetching"},
			May:      []string{"capacity-mode"},
			Remedied: &tracebench.Remedied{Seed: someArticles(20_000, true)},
		},
		tracebench.Trace{
			Name:     "contents of books of thirty chapters, each of less than half a block",
			Tables:   []plan.Table{chaptersTable},
			Seed:     someChapters(30, 1_700, false),
			Run:      contents(0, false),
			Fires:    []string{"over-fetching"},
			May:      []string{"capacity-mode"},
			Remedied: &tracebench.Remedied{Seed: someChapters(30, 1_700, true)},
		},
		tracebench.Trace{
			Name:     "the same, of which one in twenty asks for the texts, too",
			Tables:   []plan.Table{chaptersTable},
			Seed:     someChapters(30, 1_700, false),
			Run:      contents(20, false),
			Fires:    []string{"over-fetching"},
			May:      []string{"capacity-mode"},
			Remedied: &tracebench.Remedied{Seed: someChapters(30, 1_700, true), Run: contents(20, true)},
		},
		tracebench.Trace{
			Name:     "a pattern that asks for the title most of the time, and for the whole article now and then",
			Tables:   []plan.Table{articlesTable},
			Seed:     someArticles(20_000, false),
			Run:      readingMixed(false),
			Fires:    []string{"over-fetching"},
			May:      []string{"capacity-mode", "large-attributes"},
			Remedied: &tracebench.Remedied{Seed: someArticles(20_000, true), Run: readingMixed(true)},
		},
		tracebench.Trace{
			Name:   "titles of articles that fit into a block",
			Tables: []plan.Table{articlesTable},
			Seed:   someArticles(400, false),
			Run:    reading(400, 600, 60, false),
			May:    []string{"capacity-mode"},
			Near:   true,
		},
		tracebench.Trace{
			Name:   "contents of books of a few short chapters",
			Tables: []plan.Table{chaptersTable},
			Seed:   someChapters(6, 500, false),
			Run:    contents(0, false),
			May:    []string{"capacity-mode"},
			Near:   true,
		},
		tracebench.Trace{
			Name:   "numbers of views of articles whose bodies are items of their own, which are read whole",
			Tables: []plan.Table{articlesTable},
			Seed:   someArticles(14_000, true),
			Run: func(w *tracebench.World) {
				w.Traffic(48*time.Hour, 900, tracebench.Daily, func(c *tracebench.Caller) {
					i := w.Rand.IntN(200)
					if w.Rand.IntN(5) == 0 {
						c.Get("Articles", articleKey(i, "#body"), tracebench.Times(500))
						return
					}
					c.Get("Articles", articleKey(i, ""), tracebench.Project("#v"), tracebench.Names("#v", "views"), tracebench.Times(500))
				})
			},
			May:  []string{"capacity-mode", "large-attributes"},
			Near: true,
		},
		tracebench.Trace{
			Name:   "long articles that are read whole",
			Tables: []plan.Table{articlesTable},
			Seed:   someArticles(20_000, false),
			Run:    reading(20_000, 0, 600, false),
			May:    []string{"capacity-mode", "large-attributes"},
			Near:   true,
		})

	_ = bench("expensive-pattern",
		tracebench.Trace{
			Name:   "a chart of all that a sensor ever measured",
			Tables: []plan.Table{measurementsTable},
			Seed:   measured(6_000),
			Run:    charts(150, 200),
			Fires:  []string{"expensive-pattern"},
			May:    []string{"capacity-mode"},
		},
		tracebench.Trace{
			Name:   "a document of 30 KB that two indexes hold as a whole",
			Tables: []plan.Table{documentsTable(2)},
			Run:    documents,
			Fires:  []string{"expensive-pattern"},
			May:    []string{"capacity-mode"},
		},
		tracebench.Trace{
			Name:   "a document of 30 KB that no index holds",
			Tables: []plan.Table{documentsTable(0)},
			Run:    documents,
			May:    []string{"capacity-mode"},
			Near:   true,
		},
		tracebench.Trace{
			Name:   "the same chart for a report that is made now and then",
			Tables: []plan.Table{measurementsTable},
			Seed:   measured(6_000),
			Run:    charts(10, 1),
			Near:   true,
		},
		tracebench.Trace{
			Name:   "the latest measurements, which everybody looks at",
			Tables: []plan.Table{measurementsTable},
			Seed:   measured(2_000),
			Run:    charts(300, 100, tracebench.Limit(50), tracebench.Descending()),
			May:    []string{"capacity-mode", "unpaged"},
			Near:   true,
		})

	_ = bench("attribute-names",
		tracebench.Trace{
			Name:     "forty numbers under names of thirty letters",
			Tables:   []plan.Table{eventsTable},
			Run:      namedEvents(true, 10, 2_500),
			Fires:    []string{"attribute-names"},
			May:      []string{"capacity-mode"},
			Remedied: &tracebench.Remedied{Run: namedEvents(false, 10, 2_500)},
		},
		tracebench.Trace{
			Name:     "ninety such numbers, more than are known of an item",
			Tables:   []plan.Table{eventsTable},
			Run:      numberedEvents("measurementOfTheDeviceInChannel%02d", 90, 10, 2_500),
			Fires:    []string{"attribute-names"},
			May:      []string{"capacity-mode"},
			Remedied: &tracebench.Remedied{Run: numberedEvents("%02d", 90, 10, 2_500)},
		},
		tracebench.Trace{
			Name:   "the same names beside a text of 30 KB",
			Tables: []plan.Table{eventsTable},
			Run:    namedEvents(true, 30_000, 300),
			May:    []string{"capacity-mode"},
			Near:   true,
		})
)
