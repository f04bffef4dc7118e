package practices

import (
	"errors"
	"fmt"
	"log"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/plan"
)

// Document is the newest version.
type Document struct {
	ID      string `ddb:"documentId"`
	Text    string `ddb:"text"`
	Version int    `ddb:"version,version"`
}

// Revision is one version, kept as it was.
type Revision struct {
	Document string `ddb:"documentId"`
	No       int    `ddb:"no"`
	Text     string `ddb:"text"`
}

type RevisionKey struct {
	Document string
	No       int
}

var Wiki = tablewright.NewTable(plan.Table{Name: "Wiki", Key: plan.Key{Partition: "PK", Sort: "SK"}})

var Documents = tablewright.Declare[tablewright.Entity[string, Document]](Wiki, plan.Item{
	Name: "Document", Key: map[string]string{"PK": "d#{documentId}", "SK": "d"},
})

type revisions struct {
	tablewright.Entity[RevisionKey, Revision]
	Of tablewright.Index1[Revision, string, int] `index:"."`
}

var Revisions = tablewright.Declare[revisions](Wiki, plan.Item{
	Name: "Revision", Key: map[string]string{"PK": "d#{documentId}", "SK": "v#{no:pad6}"},
})

// save writes the document and keeps the new version beside it, both or neither.
func save(d Document) tablewright.Tx {
	return tablewright.Transact(
		Documents.Put(d), // if the stored version is d's: 0, none
		Revisions.Create(Revision{Document: d.ID, No: d.Version + 1, Text: d.Text}),
	)
}

func Example_versions() {
	ctx, db := open(Wiki)
	if err := save(Document{ID: "w1", Text: "a draft"}).Run(ctx, db); err != nil {
		log.Fatal(err)
	}
	for _, text := range []string{"a page", "a better page"} {
		d, err := Documents.Get("w1").Consistent().Run(ctx, db)
		if err != nil {
			log.Fatal(err)
		}
		d.Text = text
		if err := save(d).Run(ctx, db); err != nil {
			log.Fatal(err)
		}
	}
	err := save(Document{ID: "w1", Text: "too late", Version: 1}).Run(ctx, db)
	fmt.Println(errors.Is(err, tablewright.ErrStale))

	newest, err := Documents.Get("w1").Run(ctx, db)
	fmt.Println(newest.Text, newest.Version, err)
	for r, err := range Revisions.Of.Of("w1").Descending().Top(2).All(ctx, db) {
		fmt.Println(r.No, r.Text, err)
	}
	first, err := Revisions.Get(RevisionKey{"w1", 1}).Run(ctx, db)
	fmt.Println(first.Text, err)
	// Output:
	// true
	// a better page 3 <nil>
	// 3 a better page <nil>
	// 2 a page <nil>
	// a draft <nil>
}
