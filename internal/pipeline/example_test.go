package pipeline_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/tablewright/tablewright/internal/pipeline"
	"github.com/tablewright/tablewright/model"
)

// The whole job: what `tablewright build` does, without its printing.
func Example() {
	job, err := pipeline.Read(pipeline.Document{Name: "requirements.yaml", Text: model.Starter()})
	if err != nil {
		log.Fatal(err)
	}
	if err := job.Design(context.Background(), pipeline.Options{}); err != nil {
		log.Fatal(err)
	}
	files, err := job.Documents() // after job.Prove, with the proof
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range files {
		fmt.Println(f.Name)
	}
	fmt.Println("proven:", job.Proven())
	// Output:
	// dynamodb_requirement.md
	// dynamodb_data_model.md
	// model.yaml
	// proven: false
}

// A document with errors is an error that holds all of them.
func ExampleFindings() {
	_, err := pipeline.Read(pipeline.Document{Name: "shop.yaml", Text: []byte("tablewright: 1\napplication: {name: shop, colour: blue}\nentities:\n  Book: {identity: [isbn], attributes: {isbn: {type: string, bytes: 13}}, count: 5}\n")})
	var findings *pipeline.Findings
	fmt.Println(errors.As(err, &findings))
	for _, d := range findings.Diagnostics {
		fmt.Println(d.Code, "-", d.Message)
	}
	// Output:
	// true
	// missing-key - a document needs a `patterns`
	// unknown-key - `application` has no key `colour`
}

// A model as JSON, for programs.
func ExampleJSON() {
	text, err := pipeline.JSON([]byte("tablewright: 1\napplication: shop\ntables: {Books: {key: {partition: isbn}}}\n"))
	fmt.Printf("%s%v\n", text, err)
	// Output:
	// {
	//   "tablewright": 1,
	//   "application": "shop",
	//   "tables": {
	//     "Books": {
	//       "key": {
	//         "partition": "isbn"
	//       }
	//     }
	//   }
	// }
	// <nil>
}
