package bulk_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/bulk"
	"github.com/tablewright/tablewright/engine"
)

// A file is loaded, of which a line is no book, and what is stored is exported.
func Example() {
	ctx := context.Background()
	e, err := engine.Open("", nil)
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()
	db := tablewright.New(tablewright.InProcess(e), tablewright.Options{})
	if err := Library.CreateIn(ctx, db); err != nil {
		log.Fatal(err)
	}
	file := strings.NewReader(`{"isbn": "978-0", "title": "Dawn", "author": "Ann", "copies": 2}
{"isbn": "978-1", "title": "Dusk", "copies": "some"}
`)
	loaded, err := bulk.Import(ctx, db, Books, file, bulk.ImportOptions{Format: bulk.JSON, Rate: 500})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(loaded.Items, "loaded,", loaded.Refused, "refused: line", loaded.Refusals[0].Line)
	if _, err := bulk.ExportTo(ctx, db, Library.Raw().Scan().Intended(), os.Stdout, bulk.ExportOptions{}); err != nil {
		log.Fatal(err)
	}
	// Output:
	// 1 loaded, 1 refused: line 2
	// {"Item":{"PK":{"S":"b#978-0"},"author":{"S":"Ann"},"copies":{"N":"2"},"isbn":{"S":"978-0"},"title":{"S":"Dawn"}}}
}
