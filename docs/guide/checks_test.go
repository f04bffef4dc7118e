package guide

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/schema"
)

// Review says with its tags what a review must be.
type Review struct {
	SKU    string `ddb:"sku" json:"sku"`
	By     string `ddb:"by" check:"len=1..40" json:"by"`
	Stars  int    `ddb:"stars" check:"range=1..5" json:"stars"`
	Text   string `ddb:"text,omitzero" check:"len=..2000" json:"text"`
	Status string `ddb:"status,omitzero" check:"enum=new|shown|hidden,default=new" json:"status"`
}

type ReviewKey struct{ SKU, By string }

// ReviewChange is the body of a PATCH: absent, null and a value are three things.
type ReviewChange struct {
	Stars attr.Opt[int]    `ddb:"stars" json:"stars"`
	Text  attr.Opt[string] `ddb:"text" json:"text"`
}

var ReviewsTable = tablewright.NewTable(plan.Table{Name: "Reviews", Key: plan.Key{Partition: "sku", Sort: "by"}})

type reviews struct {
	tablewright.Entity[ReviewKey, Review]
	Change tablewright.Partial[ReviewKey, Review, ReviewChange]
}

var Reviews = tablewright.Declare[reviews](ReviewsTable, plan.Item{Name: "Review"})

func Example_checks() {
	ctx, db := open(ReviewsTable)

	err := Reviews.Create(Review{SKU: "lamp", Stars: 7, Status: "shiny"}).Run(ctx, db)
	fmt.Println(errors.Is(err, tablewright.ErrInvalid))
	var wrong *schema.Error
	if errors.As(err, &wrong) {
		for _, p := range wrong.Problems {
			fmt.Println(p)
		}
	}

	r, err := Reviews.Create(Review{SKU: "lamp", By: "ada", Stars: 5, Text: "bright"}).New(ctx, db)
	fmt.Println(r.Status, err)
	// Output:
	// true
	// by: must have 1 to 40 characters
	// stars: must be from 1 to 5
	// status: must be new, shown or hidden
	// new <nil>
}

func Example_partial() {
	ctx, db := open(ReviewsTable)
	_ = Reviews.Create(Review{SKU: "lamp", By: "ada", Stars: 5, Text: "bright"}).Run(ctx, db)

	var change ReviewChange
	if err := json.Unmarshal([]byte(`{"stars": 4, "text": null}`), &change); err != nil {
		fmt.Println(err)
	}
	r, err := Reviews.Change.Patch(ReviewKey{"lamp", "ada"}, change).New(ctx, db)
	fmt.Printf("%+v %v\n", r, err)

	_, err = Reviews.Change.Patch(ReviewKey{"lamp", "ada"}, ReviewChange{Stars: attr.Some(9)}).New(ctx, db)
	fmt.Println(err)
	// Output:
	// {SKU:lamp By:ada Stars:4 Text: Status:new} <nil>
	// tablewright: UpdateItem Reviews: invalid request: Review: stars: must be from 1 to 5
}

func Example_parse() {
	_, err := Reviews.Schema().ParseJSON([]byte(`{"sku": "lamp", "by": "", "stars": "five"}`))
	fmt.Println(err)
	r, err := Reviews.Schema().ParseJSON([]byte(`{"sku": "lamp", "by": "eve", "stars": 3}`))
	fmt.Printf("%+v %v\n", r, err)
	// Output:
	// by: must have 1 to 40 characters; stars: must be a number
	// {SKU:lamp By:eve Stars:3 Text: Status:new} <nil>
}
