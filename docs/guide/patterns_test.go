package guide

import (
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/docs/internal/local"
)

func Example_pages() {
	ctx, db := open(TicketsTable)
	someTickets(func(t Ticket) error { return Tickets.Create(t).Run(ctx, db) })

	waiting := Tickets.ByTeam.Of("lights").Is(Waiting)
	var after tablewright.Cursor // of the last answer: it goes to the user's browser and back
	for {
		page, err := waiting.Resume(after).Page(ctx, db, 2)
		if err != nil {
			log.Fatal(err)
		}
		for _, t := range page.Items {
			fmt.Print(t.ID, " ")
		}
		fmt.Println("| more:", page.Next != "")
		if after = page.Next; after == "" {
			break
		}
	}

	page, _ := waiting.Page(ctx, db, 2)
	_, err := Tickets.ByTeam.Of("chairs").Is(Waiting).Resume(page.Next).Page(ctx, db, 2)
	fmt.Println(errors.Is(err, tablewright.ErrCursor))
	// Output:
	// t2 t4 | more: true
	// t5 | more: false
	// true
}

// TicketsOf are the parameters of a pattern.
type TicketsOf struct {
	Team  string
	State State
	Since time.Time `param:"since,optional"`
}

var TeamTickets = tablewright.NewPattern(TicketsTable, "teamTickets", func(p TicketsOf) tablewright.Query[Ticket] {
	tickets := Tickets.ByTeam.Of(p.Team).Is(p.State)
	if p.Since.IsZero() {
		return tickets.Descending()
	}
	return tickets.From(p.Since).Descending()
})

func Example_patterns() {
	ctx, db := open(TicketsTable)
	someTickets(func(t Ticket) error { return Tickets.Create(t).Run(ctx, db) })

	for t, err := range TeamTickets.With(TicketsOf{Team: "lights", State: Waiting, Since: local.Noon.Add(3 * time.Hour)}).All(ctx, db) {
		fmt.Println(t.ID, err)
	}

	for p := range TicketsTable.Patterns() {
		fmt.Println(p.Name, p.Operation, p.Index)
		for _, param := range p.Parameters {
			fmt.Println(" ", param.Name, param.Type, param.Optional)
		}
	}
	p, _ := TicketsTable.Pattern("teamTickets") // for tools that know no types
	for item, err := range p.Run(ctx, db, map[string]attr.Value{"team": attr.Text("lights"), "state": attr.Text("closed")}) {
		fmt.Println(item.Get("ticketId").Str(), err)
	}
	// Output:
	// t5 <nil>
	// t4 <nil>
	// teamTickets Query ByTeam
	//   team string false
	//   state string false
	//   since timestamp true
	// t1 <nil>
}
