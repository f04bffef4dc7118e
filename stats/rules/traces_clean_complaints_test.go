package rules_test

import (
	"fmt"
	"time"

	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/stats/rules/internal/tracebench"
)

// The traffic of examples/complaint-management.yaml on the model that is designed for it: complaints with their communications
// in one collection, and four indexes.

var complaintTables = []plan.Table{
	{Name: "Customers", Key: plan.Key{Partition: "customerId"}},
	{Name: "Complaints", Key: plan.Key{Partition: "complaintId", Sort: "part"}, GSI: map[string]plan.Index{
		"ByCustomer":            {Partition: []string{"customerId"}},
		"ByEscalationAgent":     {Partition: []string{"escalatedTo"}, Sort: []string{"escalatedAt"}},
		"BySeverityState":       {Partition: []string{"severity", "state"}, Sort: []string{"createdAt"}},
		"CommunicationsByAgent": {Partition: []string{"agentId"}, Sort: []string{"sentAt"}},
	}},
}

type complaint struct {
	n         int
	state     int
	escalated string
}

var complaintStates = []string{"waiting", "assigned", "investigating", "resolved"}

// runComplaints has patterns called in the proportions of the requirements; times is how many calls one of the trace is.
func runComplaints(span time.Duration, shape tracebench.Shape, callers, times int) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		var all []*complaint
		r := w.Rand
		at := func() string { return w.Clock.Now().Format(time.RFC3339Nano) }
		customer := func() string { return fmt.Sprintf("c%025d", r.IntN(500)) }
		agent := func() string { return fmt.Sprintf("a%025d", r.IntN(60)) }
		key := func(x *complaint) tracebench.Item {
			return tracebench.Item{"complaintId": fmt.Sprintf("k%025d", x.n), "part": "complaint"}
		}
		partition := func(x *complaint) tracebench.Item { return tracebench.Item{"complaintId": fmt.Sprintf("k%025d", x.n)} }
		how := func(pattern string, more ...tracebench.Option) []tracebench.Option {
			return append(more, tracebench.Pattern(pattern), tracebench.Times(times))
		}
		create := func(c *tracebench.Caller) {
			x := &complaint{n: len(all)}
			all = append(all, x)
			c.Put("Complaints", with(key(x), tracebench.Item{"customerId": customer(), "severity": []string{"P1", "P2", "P2", "P3", "P3", "P3", "P3", "P3"}[r.IntN(8)], "state": "waiting",
				"createdAt": at(), "description": tracebench.Text(400 + r.IntN(1200))}), how("createComplaint", tracebench.If("attribute_not_exists(complaintId)"))...)
		}
		for range 40 {
			create(w.Caller())
		}
		any := func() *complaint { return all[r.IntN(len(all))] }
		share := func(perMille int) int { return max(callers*perMille/1000, 2) }
		w.Mix(span, shape,
			tracebench.Kind{Callers: share(310), Do: func(c *tracebench.Caller) { c.Get("Complaints", key(any()), how("getComplaintByComplaintId")...) }},
			tracebench.Kind{Callers: share(255), Do: func(c *tracebench.Caller) {
				c.Query("Complaints", "", partition(any()), how("getCommunicationsByComplaintId", tracebench.Where("begins_with(part, :p)"), tracebench.Values(tracebench.Item{":p": "communication#"}))...)
			}},
			tracebench.Kind{Callers: share(200), Do: func(c *tracebench.Caller) {
				c.Query("Complaints", "", partition(any()), how("getComplaintWithCommunications")...)
			}},
			tracebench.Kind{Callers: share(100), Do: func(c *tracebench.Caller) {
				c.Query("Complaints", "ByCustomer", tracebench.Item{"customerId": customer()}, how("getComplaintsByCustomerId")...)
			}},
			tracebench.Kind{Callers: share(40), Do: func(c *tracebench.Caller) {
				c.Query("Complaints", "ByEscalationAgent", tracebench.Item{"escalatedTo": agent()}, how("getEscalatedComplaintsByAgentId")...)
			}},
			tracebench.Kind{Callers: share(30), Do: func(c *tracebench.Caller) {
				c.Query("Complaints", "CommunicationsByAgent", tracebench.Item{"agentId": agent()}, how("getCommunicationsByAgentId", tracebench.Descending(), tracebench.Limit(50))...)
			}},
			tracebench.Kind{Callers: share(15), Do: func(c *tracebench.Caller) {
				of := tracebench.Item{"severity": []string{"P1", "P2", "P3"}[r.IntN(3)], "state": complaintStates[r.IntN(4)]}
				h := how("getComplaintsBySeverityAndState", tracebench.Limit(50))
				for page := c.Query("Complaints", "BySeverityState", of, h...); page.Last != nil && r.IntN(2) == 0; {
					page = w.Caller().Query("Complaints", "BySeverityState", of, append(h, tracebench.After(page))...)
				}
			}},
			tracebench.Kind{Callers: share(15), Do: create},
			tracebench.Kind{Callers: share(60), Do: func(c *tracebench.Caller) { // the communication and the complaint's state, which seldom changes with it
				x := any()
				if r.IntN(5) == 0 && x.state < 3 {
					x.state++
				}
				now := at()
				c.Transact([]tracebench.Action{
					{Do: "Put", Table: "Complaints", Item: with(partition(x), tracebench.Item{"part": fmt.Sprintf("communication#%s#%d", now, r.IntN(1e9)), "agentId": agent(), "sentAt": now,
						"text": tracebench.Text(200 + r.IntN(900)), "state": complaintStates[x.state]}), How: []tracebench.Option{tracebench.If("attribute_not_exists(complaintId)")}},
					{Do: "Update", Table: "Complaints", Item: key(x), How: []tracebench.Option{tracebench.Set("SET #s = :s"), tracebench.If("attribute_exists(complaintId)"), tracebench.Names("#s", "state"),
						tracebench.Values(tracebench.Item{":s": complaintStates[x.state]})}},
				}, how("addCommunication", tracebench.Token(fmt.Sprintf("%d-%d", x.n, r.Uint64())))...)
			}},
			tracebench.Kind{Callers: share(10), Do: func(c *tracebench.Caller) {
				if x := any(); x.escalated == "" {
					x.escalated = agent()
					c.Update("Complaints", key(x), "SET escalatedTo = :a, escalatedAt = :t", how("escalateComplaint", tracebench.If("attribute_exists(complaintId) AND attribute_not_exists(escalatedTo)"),
						tracebench.Values(tracebench.Item{":a": x.escalated, ":t": at()}))...)
				}
			}},
			tracebench.Kind{Callers: share(10), Do: func(c *tracebench.Caller) {
				if x := any(); x.escalated != "" {
					c.Update("Complaints", key(x), "REMOVE escalatedTo, escalatedAt", how("closeEscalation", tracebench.If("escalatedTo = :a"), tracebench.Values(tracebench.Item{":a": x.escalated}))...)
					x.escalated = ""
				}
			}},
			tracebench.Kind{Callers: share(5), Do: func(c *tracebench.Caller) {
				c.Put("Customers", tracebench.Item{"customerId": fmt.Sprintf("n%025d", r.IntN(1e9)), "note": tracebench.Text(220)}, how("createCustomer", tracebench.If("attribute_not_exists(customerId)"))...)
			}},
		)
	}
}

var _ = bench("",
	tracebench.Trace{Name: "complaints, nine days with nights, few calls", Tables: complaintTables, Live: true, Run: runComplaints(9*24*time.Hour, tracebench.Daily, 1_200, 1)},
	tracebench.Trace{Name: "complaints, two hours in two processes, many calls", Tables: complaintTables, Processes: 2, Run: runComplaints(2*time.Hour, tracebench.Spiky, 1_200, 700)},
)
