package practices

import (
	"fmt"
	"log"
	"strings"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/plan"
)

type Article struct {
	ID          string    `ddb:"articleId"`
	Author      string    `ddb:"author"`
	PublishedAt time.Time `ddb:"publishedAt,iso"`
	Body        string    `ddb:"body"`
}

var ArticlesTable = tablewright.NewTable(plan.Table{
	Name: "Articles", Key: plan.Key{Partition: "articleId"},
	GSI: map[string]plan.Index{"ByAuthor": {Partition: []string{"author"}, Sort: []string{"publishedAt"}}},
})

type articles struct {
	tablewright.Entity[string, Article]
	Author   tablewright.Text[Article, string]
	ByAuthor tablewright.Index1[Article, string, time.Time]
}

var Articles = tablewright.Declare[articles](ArticlesTable, plan.Item{Name: "Article"})

func Example_queryOverScan() {
	ctx, db := open(ArticlesTable)
	for i := range 200 { // of 4 KB each; ten of them are Ada's
		author := "others"
		if i%20 == 0 {
			author = "ada"
		}
		a := Article{ID: fmt.Sprint("a", i), Author: author, PublishedAt: noon.Add(time.Duration(i) * time.Hour), Body: strings.Repeat("x", 4000)}
		if err := Articles.Create(a).Run(ctx, db); err != nil {
			log.Fatal(err)
		}
	}

	var scanned, queried tablewright.Usage
	for _, err := range Articles.Scan().Filter(Articles.Author.Equals("ada")).Intended().All(ctx, db.Measure(&scanned)) {
		if err != nil {
			log.Fatal(err)
		}
	}
	for _, err := range Articles.ByAuthor.Of("ada").All(ctx, db.Measure(&queried)) {
		if err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println("scan: ", scanned.Returned, "of", scanned.Scanned, "items,", scanned.Read, "read units")
	fmt.Println("query:", queried.Returned, "of", queried.Scanned, "items,", queried.Read, "read units")
	// Output:
	// scan:  10 of 200 items, 99.5 read units
	// query: 10 of 10 items, 5 read units
}

func Example_export() {
	ctx, db := open(ArticlesTable)
	for i := range 40 {
		_ = Articles.Create(Article{ID: fmt.Sprint("a", i), Author: "ada", PublishedAt: noon}).Run(ctx, db)
	}
	var done tablewright.Cursor // kept somewhere: where an interrupted export goes on
	n := 0
	for page, err := range Articles.Scan().Intended().Parallel(4).Rate(500).Resume(done).Pages(ctx, db) {
		if err != nil {
			log.Fatal(err)
		}
		n += len(page.Items)
		done = page.Next
	}
	fmt.Println(n, "articles")
	// Output: 40 articles
}
