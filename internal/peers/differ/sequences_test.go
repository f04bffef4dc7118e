package differ_test

import (
	"strconv"

	"github.com/tablewright/tablewright/internal/peers/ledger"
)

// segments scans a table or index in parts: together they have to be everything, once. Which part an item is in is each
// side's own affair.
func (c *comparison) segments(g *gen) {
	c.t.Helper()
	s := pick(g, shapes...)
	in, p := obj{"TableName": s.name}, g.phrases(s)
	g.reading(in, p, g.source(s))
	delete(in, "ReturnConsumedCapacity")
	total := 1 + g.IntN(5)
	in["TotalSegments"] = total
	c.compared++
	c.byOperation["Scan"]++
	x := s.index(in["IndexName"])
	var sides [2]*reading
	for side, url := range []string{c.ours, c.theirs} {
		sides[side] = &reading{x: x}
		for segment := range total {
			in["Segment"] = segment
			r := request{operation: "Scan", in: in}
			answer := c.askOne(url, r, nil)
			for {
				if answer.Failed != "" {
					if side == 0 && segment == 0 { // a difference in refusals is one of any scan
						c.compare(r)
					}
					return
				}
				from := sides[side].add(answer)
				if from == nil {
					break
				}
				answer = c.askOne(url, r, from)
			}
		}
		sides[side].pages, sides[side].consumed = 0, nil
	}
	c.answered++
	c.report(request{operation: "Scan", in: in}, ledger.Compare("Scan", sides[0].answer(), sides[1].answer()))
}

// tokens repeats a transaction with its token, and with the token on something else.
func (c *comparison) tokens(g *gen) {
	c.t.Helper()
	c.token++
	first := request{operation: "TransactWriteItems", in: g.transactWrite()}
	first.in["ClientRequestToken"] = "token-" + strconv.Itoa(c.token)
	c.compare(first)
	c.compare(request{operation: first.operation, in: copied(first.in).(obj)})
	if g.chance(0.5) {
		other := copied(first.in).(obj)
		other["TransactItems"] = g.transactWrite()["TransactItems"]
		c.compare(request{operation: first.operation, in: other})
	}
}
