package guide

import (
	"fmt"
	"log"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/docs/internal/local"
	"github.com/tablewright/tablewright/plan"
)

//page:begin State

type State string

const (
	Waiting State = "waiting"
	Working State = "working"
	Closed  State = "closed"
)

//page:end State

type Ticket struct {
	ID       string    `ddb:"ticketId"`
	Team     string    `ddb:"team"`
	State    State     `ddb:"state"`
	OpenedAt time.Time `ddb:"openedAt,iso"`
	Subject  string    `ddb:"subject"`
}

var TicketsTable = tablewright.NewTable(plan.Table{
	Name: "Tickets", Key: plan.Key{Partition: "ticketId"},
	GSI: map[string]plan.Index{
		"ByTeam": {Partition: []string{"team"}, Sort: []string{"state", "openedAt"}},
	},
})

type tickets struct {
	tablewright.Entity[string, Ticket]
	State   tablewright.Text[Ticket, State]
	Subject tablewright.Text[Ticket, string]
	ByTeam  tablewright.Index2[Ticket, string, State, time.Time]
}

var Tickets = tablewright.Declare[tickets](TicketsTable, plan.Item{Name: "Ticket"})

// someTickets puts five tickets of one team, an hour apart.
func someTickets(ticket func(Ticket) error) {
	for i, state := range []State{Closed, Waiting, Working, Waiting, Waiting} {
		err := ticket(Ticket{
			ID: fmt.Sprint("t", i+1), Team: "lights", State: state,
			OpenedAt: local.Noon.Add(time.Duration(i) * time.Hour), Subject: "flickers",
		})
		if err != nil {
			log.Fatal(err)
		}
	}
}

func Example_indexes() {
	ctx, db := open(TicketsTable)
	someTickets(func(t Ticket) error { return Tickets.Create(t).Run(ctx, db) })

	show := func(q tablewright.Query[Ticket]) {
		found, err := q.Slice(ctx, db)
		if err != nil {
			log.Fatal(err)
		}
		for _, t := range found {
			fmt.Print(t.ID, "=", t.State, " ")
		}
		fmt.Println("|")
	}
	team := Tickets.ByTeam.Of("lights")
	show(team.Query)                                                          // of all states
	show(team.Is(Waiting).Query)                                              // of one
	show(team.Is(Waiting).After(local.Noon.Add(2 * time.Hour)))               // and opened after 14:00
	show(tablewright.Prefix(team, "w").Descending())                          // of states that begin with w
	show(team.Is(Waiting).Filter(Tickets.Subject.Contains("flicker")).Top(2)) // read, then filtered
	_, err := team.Is(Waiting).Consistent().First(ctx, db)                    // an index is never read consistently
	fmt.Println(err)
	// Output:
	// t1=closed t2=waiting t4=waiting t5=waiting t3=working |
	// t2=waiting t4=waiting t5=waiting |
	// t4=waiting t5=waiting |
	// t3=working t5=waiting t4=waiting t2=waiting |
	// t2=waiting t4=waiting |
	// tablewright: Query Tickets.ByTeam: invalid request: a global index cannot be read consistently
}

// TicketLine is a smaller reading of a ticket: less is sent.
type TicketLine struct {
	ID      string `ddb:"ticketId"`
	Subject string `ddb:"subject"`
}

type ticketLines struct {
	tablewright.View[string, TicketLine]
	ByTeam tablewright.Index2[TicketLine, string, State, time.Time]
}

var TicketLines = tablewright.ViewOf[ticketLines](Tickets)

func Example_views() {
	ctx, db := open(TicketsTable)
	someTickets(func(t Ticket) error { return Tickets.Create(t).Run(ctx, db) })

	line, err := TicketLines.ByTeam.Of("lights").Is(Working).One(ctx, db)
	fmt.Printf("%+v %v\n", line, err)
	// Output: {ID:t3 Subject:flickers} <nil>
}
