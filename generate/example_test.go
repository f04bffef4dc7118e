package generate_test

import (
	"fmt"
	"log"
	"strings"

	"github.com/tablewright/tablewright/cost"
	"github.com/tablewright/tablewright/generate"
	"github.com/tablewright/tablewright/model"
)

// Both documents of a model made by hand, before anything is proven.
func Example() {
	requirements, _, found, err := model.LoadRequirements("../examples/online-shop.yaml")
	if err != nil || found.Err() != nil {
		log.Fatal(err, found)
	}
	m, source, found, err := model.LoadModel("../examples/online-shop.published-model.yaml")
	if err != nil || found.Err() != nil {
		log.Fatal(err, found)
	}
	program, found := model.CompileModel(m, source, requirements)
	if found.Err() != nil {
		log.Fatal(found)
	}
	in := generate.Input{Requirements: requirements, Program: program, Price: cost.Price(program, nil)}
	for line := range strings.Lines(string(generate.DataModel(in))) {
		if strings.HasPrefix(line, "## ") || strings.HasPrefix(line, "### ") {
			fmt.Print(line)
		}
	}
	title, _, _ := strings.Cut(string(generate.Requirement(in)), "\n")
	fmt.Println(title)
	// Output:
	// ## Design philosophy
	// ## Aggregate decisions
	// ## Tables
	// ### OnlineShop
	// ## Access pattern mapping
	// ### Reads
	// ### Writes
	// ## Hot partitions
	// ## Cost
	// ## Trade-offs
	// ## Outside DynamoDB
	// ## Validation
	// # online-shop: what its data must do
}
