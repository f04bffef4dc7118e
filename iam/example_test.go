package iam_test

import (
	"context"
	"fmt"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/iam"
	"github.com/tablewright/tablewright/plan"
)

type Ticket struct {
	ID       string    `ddb:"ticketId"`
	Customer string    `ddb:"customerId"`
	OpenedAt time.Time `ddb:"openedAt,iso"`
}

var Desk = tablewright.NewTable(plan.Table{
	Name: "Desk", Key: plan.Key{Partition: "ticketId"},
	GSI: map[string]plan.Index{"ByCustomer": {Partition: []string{"customerId"}, Sort: []string{"openedAt"}}},
})

var Tickets = tablewright.Declare[struct {
	tablewright.Entity[string, Ticket]
	ByCustomer tablewright.Index1[Ticket, string, time.Time]
}](Desk, plan.Item{Name: "Ticket"})

var (
	OpenTicket = tablewright.NewPattern(Desk, "openTicket", func(t Ticket) tablewright.PutIf[Ticket] { return Tickets.Create(t) })
	GetTicket  = tablewright.NewPattern(Desk, "getTicket", func(id string) tablewright.Get[Ticket] { return Tickets.Get(id) })
	TicketsOf  = tablewright.NewPattern(Desk, "ticketsOf", func(customer string) tablewright.Query[Ticket] {
		return Tickets.ByCustomer.Of(customer).Descending()
	})
)

// The policy of a program, from what its tests call.
func ExampleRecorder() {
	ctx := context.Background()
	e, _ := engine.Open("", nil)
	defer e.Close()
	var recorder iam.Recorder
	_ = Desk.CreateIn(ctx, tablewright.New(tablewright.InProcess(e), tablewright.Options{}))
	db := tablewright.New(tablewright.InProcess(e), tablewright.Options{Hooks: []tablewright.Hook{recorder.Hook}})

	_ = OpenTicket.With(Ticket{ID: "t1", Customer: "c1"}).Run(ctx, db)
	_, _ = TicketsOf.With("c1").Slice(ctx, db)

	fmt.Printf("%s\n", iam.Policy(iam.Account{Region: "eu-central-1", ID: "123456789012"}, recorder.Needs()))
	// Output:
	// {
	//   "Version": "2012-10-17",
	//   "Statement": [
	//     {
	//       "Effect": "Allow",
	//       "Action": [
	//         "dynamodb:PutItem"
	//       ],
	//       "Resource": [
	//         "arn:aws:dynamodb:eu-central-1:123456789012:table/Desk"
	//       ]
	//     },
	//     {
	//       "Effect": "Allow",
	//       "Action": [
	//         "dynamodb:Query"
	//       ],
	//       "Resource": [
	//         "arn:aws:dynamodb:eu-central-1:123456789012:table/Desk/index/ByCustomer"
	//       ]
	//     }
	//   ]
	// }
}

// What named access patterns need, without running them.
func ExampleOfPatterns() {
	for _, need := range iam.OfPatterns(func(declared string) string { return "prod-" + declared }, Desk) {
		fmt.Println(need)
	}
	// Output:
	// dynamodb:GetItem on table/prod-Desk
	// dynamodb:PutItem on table/prod-Desk
	// dynamodb:Query on table/prod-Desk/index/ByCustomer
}
