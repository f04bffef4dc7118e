package rules_test

import (
	"fmt"
	"time"

	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/stats/rules/internal/tracebench"
)

// The traffic of examples/session-management.yaml on the model that is designed for it: sessions that end a day after their last
// use, read strongly consistently because a closed one must not be served, found by customer and by parent through indexes of
// keys.

var sessionTable = plan.Table{
	Name: "Sessions", Key: plan.Key{Partition: "sessionId"}, TTL: "expires", Attributes: map[string]plan.Type{"expires": plan.N},
	GSI: map[string]plan.Index{
		"ByCustomer":      {Partition: []string{"customerId"}, Sort: []string{"lastLoginAt"}, Project: "keys"},
		"ByParentSession": {Partition: []string{"parentSessionId"}, Project: "keys"},
	},
}

type sessionBook struct {
	w    *tracebench.World
	open []session
	n    int
}

type session struct{ id, customer, parent string }

func (s *sessionBook) key(x session) tracebench.Item { return tracebench.Item{"sessionId": x.id} }

// make is a new session, half of them children of another one.
func (s *sessionBook) make() (session, tracebench.Item) {
	s.n++
	r := s.w.Rand
	x := session{id: fmt.Sprintf("%08x-%04x-4%03x-a%03x-%012x", r.Uint32(), r.IntN(1<<16), r.IntN(1<<12), r.IntN(1<<12), r.Uint64()>>16), customer: fmt.Sprintf("c%025d", r.IntN(400))}
	now := s.w.Clock.Now()
	item := tracebench.Item{"sessionId": x.id, "customerId": x.customer, "accessToken": tracebench.Text(180 + r.IntN(140)), "lastLoginAt": now.Format(time.RFC3339Nano),
		"expires": now.Add(24 * time.Hour), "state": tracebench.Item{"locale": "de", "cart": tracebench.Text(r.IntN(500))}}
	if len(s.open) > 0 && s.n%2 == 0 {
		x.parent = s.open[r.IntN(len(s.open))].id
		item["parentSessionId"] = x.parent
	}
	s.open = append(s.open, x)
	return x, item
}

func (s *sessionBook) any() session { return s.open[s.w.Rand.IntN(len(s.open))] }

// runSessions has patterns called in the proportions of the requirements; times is how many calls one of the trace is.
func runSessions(span time.Duration, shape tracebench.Shape, callers, times int) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		s := &sessionBook{w: w}
		how := func(pattern string, more ...tracebench.Option) []tracebench.Option {
			return append(more, tracebench.Pattern(pattern), tracebench.Times(times))
		}
		create := func(c *tracebench.Caller) {
			_, item := s.make()
			c.Put("Sessions", item, how("createSession", tracebench.If("attribute_not_exists(sessionId)"))...)
		}
		for range 60 {
			create(w.Caller())
		}
		keysThenItems := func(c *tracebench.Caller, index, attribute, of, pattern string, more ...tracebench.Option) {
			page := c.Query("Sessions", index, tracebench.Item{attribute: of}, how(pattern, more...)...)
			var keys []tracebench.Item
			for _, it := range page.Items() {
				keys = append(keys, tracebench.Item{"sessionId": it.Get("sessionId")})
			}
			if len(keys) > 0 {
				c.BatchGet("Sessions", keys[:min(len(keys), 100)], how(pattern)...)
			}
		}
		share := func(perMille int) int { return max(callers*perMille/1000, 2) }
		w.Mix(span, shape,
			tracebench.Kind{Callers: share(730), Do: func(c *tracebench.Caller) { // a request: whose session, and one of six is the first for long
				x := s.any()
				c.Get("Sessions", s.key(x), how("getSessionBySessionId", tracebench.Consistent())...)
				if w.Rand.IntN(6) == 0 {
					c.Wait(time.Duration(5+w.Rand.IntN(60)) * time.Millisecond)
					c.Update("Sessions", s.key(x), "SET expires = :e", how("touchSession", tracebench.If("attribute_exists(sessionId)"),
						tracebench.Values(tracebench.Item{":e": w.Clock.Now().Add(24 * time.Hour)}))...)
				}
			}},
			tracebench.Kind{Callers: share(60), Do: create},
			tracebench.Kind{Callers: share(35), Do: func(c *tracebench.Caller) {
				i := w.Rand.IntN(len(s.open))
				if len(s.open) < 40 {
					return
				}
				c.Delete("Sessions", s.key(s.open[i]), how("expireSession")...)
				s.open[i] = s.open[len(s.open)-1]
				s.open = s.open[:len(s.open)-1]
			}},
			tracebench.Kind{Callers: share(25), Do: func(c *tracebench.Caller) {
				keysThenItems(c, "ByParentSession", "parentSessionId", s.any().id, "getChildSessionsBySessionId")
			}},
			tracebench.Kind{Callers: share(15), Do: func(c *tracebench.Caller) { // the parent of a child: two gets, of which the second needs the first
				child := c.Get("Sessions", s.key(s.any()), how("getSessionByChildSessionId")...).Item()
				if child.Has("parentSessionId") {
					c.Get("Sessions", tracebench.Item{"sessionId": child.Get("parentSessionId")}, how("getSessionByChildSessionId")...)
				}
			}},
			tracebench.Kind{Callers: share(45), Do: func(c *tracebench.Caller) {
				c.Query("Sessions", "ByCustomer", tracebench.Item{"customerId": s.any().customer}, how("getLastLoginTimeByCustomerId", tracebench.Descending(), tracebench.Limit(1))...)
			}},
			tracebench.Kind{Callers: share(20), Do: func(c *tracebench.Caller) {
				keysThenItems(c, "ByCustomer", "customerId", s.any().customer, "getSessionsByCustomerId")
			}},
		)
	}
}

var _ = bench("",
	tracebench.Trace{Name: "sessions, a steady hour in three processes", Tables: []plan.Table{sessionTable}, Processes: 3, Run: runSessions(time.Hour, tracebench.Steady, 1_500, 1_000)},
	tracebench.Trace{Name: "sessions, three days with nights", Tables: []plan.Table{sessionTable}, Live: true, Engine: engine.Options{SweepEvery: 10 * time.Minute},
		Run: runSessions(72*time.Hour, tracebench.Daily, 1_500, 40)},
)
