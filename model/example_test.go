package model_test

import (
	"fmt"
	"os"

	"github.com/tablewright/tablewright/model"
)

func ExampleLoadRequirements() {
	r, _, diagnostics, err := model.LoadRequirements("../examples/online-shop.yaml")
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := diagnostics.Err(); err != nil {
		fmt.Println(err)
		return
	}
	item := r.Entity("OrderItem")
	fmt.Printf("%.0f %s of %.0f bytes\n", item.Count, item.Name, item.Bytes.Average)
	p := r.Pattern("getProductsByCustomerIdForDateRange")
	fmt.Println(p.Given, "and", p.Where)
	for _, q := range p.Parameters {
		fmt.Println("  $"+q.Name, "is", q.Like.Kind())
	}
	// Output:
	// 100000000 OrderItem of 195 bytes
	// [order.customerId] and order.placedAt between $from and $to
	//   $customerId is a string
	//   $from is a timestamp
	//   $to is a timestamp
}

func ExampleReadRequirements() {
	_, _, diagnostics := model.ReadRequirements("notes.yaml", []byte(`
tablewright: 1
application: notes
entities:
  Note:
    identity: [noteId]
    attributes:
      noteId: {type: string, generated: ulid}
      text: string
    bytes: 500
    count: 10_000
patterns:
  addNote: {write: {create: Note}, rate: {average: 1/s, peak: 5/s}}
  getNote: {read: Note, given: [nodeId]}
`))
	diagnostics.WriteText(os.Stdout)
	// Output:
	// notes.yaml:14:3: error: how often getNote is called is not said (rate-missing)
	//    14 |   getNote: {read: Note, given: [nodeId]}
	//       |   ^~~~~~~
	//       = estimate it: users a day × calls of one user a day / 86_400 is the average per second; the peak is often 5 to 10 times that. Then write `rate: {average: 3/s, peak: 15/s}`
	//
	// notes.yaml:14:33: error: Note has no nodeId (unknown-name)
	//    14 |   getNote: {read: Note, given: [nodeId]}
	//       |                                 ^~~~~~
	//       = did you mean noteId?
}
