// Command client is the library's smallest whole program: a declared type, an engine in the same process, four calls.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/plan"
)

type Book struct {
	ISBN   string `ddb:"isbn"`
	Title  string `ddb:"title"`
	Copies int    `ddb:"copies"`
}

var BooksTable = tablewright.NewTable(plan.Table{Name: "Books", Key: plan.Key{Partition: "isbn"}})

var Books = tablewright.Declare[struct {
	tablewright.Entity[string, Book]
	Copies tablewright.Number[Book, int] `ddb:"copies"`
}](BooksTable, plan.Item{Name: "Book"})

func main() {
	ctx := context.Background()
	e, err := engine.Open("", nil) // in memory; a folder instead of "" keeps it
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()
	db := tablewright.New(tablewright.InProcess(e), tablewright.Options{}) // or Connect: AWS, or any endpoint
	if err := BooksTable.CreateIn(ctx, db); err != nil {
		log.Fatal(err)
	}
	if err := Books.Create(Book{"978-0", "Dawn", 1}).Run(ctx, db); err != nil {
		log.Fatal(err)
	}
	lend := Books.Update("978-0", Books.Copies.Add(-1)).If(Books.Copies.AtLeast(1))
	book, err := lend.New(ctx, db)
	fmt.Println(book.Copies, err)
	_, err = lend.New(ctx, db)
	fmt.Println(errors.Is(err, tablewright.ErrConditionFailed))
	request, _ := lend.Request() // what is sent, unsent
	fmt.Println(request.Operation, string(request.Body))
}
