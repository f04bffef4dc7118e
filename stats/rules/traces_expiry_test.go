package rules_test

import (
	"fmt"
	"time"

	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/stats"
	"github.com/tablewright/tablewright/stats/rules/internal/tracebench"
)

var _ = bench("large-attributes",
	tracebench.Trace{
		Name:   "pages with a body of 150 KB",
		Tables: []plan.Table{pagesTable},
		Run:    readAndTouch(func(i int) tracebench.Item { return pageItem(i, 150_000) }, 20),
		Fires:  []string{"large-attributes"},
		May:    mayOfSizes,
	},
	tracebench.Trace{
		Name:   "pages with a body of 60 KB",
		Tables: []plan.Table{pagesTable},
		Run:    readAndTouch(func(i int) tracebench.Item { return pageItem(i, 60_000) }, 20),
		Near:   true,
		May:    mayOfSizes[1:],
	},
	tracebench.Trace{
		Name:   "books that are large in many attributes",
		Tables: []plan.Table{pagesTable},
		Run:    readAndTouch(func(i int) tracebench.Item { return sections(i, 11_000) }, 10),
		Near:   true,
		May:    mayOfSizes,
	},
)

// sessionsWith plays users who come with sessions that end after an hour; read has some of them read so long after.
func sessionsWith(table string, end func(w *tracebench.World, at time.Time) any, late time.Duration) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		n := 0
		var ids []string
		w.Mix(3*24*time.Hour, tracebench.Daily,
			tracebench.Kind{Callers: 400, Do: func(c *tracebench.Caller) {
				n++
				ids = append(ids, fmt.Sprintf("s%06d", n))
				c.Put(table, tracebench.Item{"id": ids[n-1], "user": fmt.Sprint("u", n%70), "expires": end(w, w.Clock.Now().Add(time.Hour))}, tracebench.Pattern("login"))
			}},
			tracebench.Kind{Callers: 500, Do: func(c *tracebench.Caller) {
				if len(ids) == 0 {
					return
				}
				back := 1 + w.Rand.IntN(3)
				if late > 0 {
					back = 1 + w.Rand.IntN(int(late.Hours()*400/72)+1)
				}
				c.Get(table, tracebench.Item{"id": ids[max(len(ids)-back, 0)]}, tracebench.Pattern("session"))
			}})
	}
}

// readWithin has readings made for so many days, each of which somebody looks at now and then for a time.
func readWithin(age time.Duration, days int) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		var made []time.Time
		key := func(n int) tracebench.Item { return tracebench.Item{"id": fmt.Sprintf("%08x", uint32(n)*2654435761)} }
		w.Traffic(time.Duration(days)*24*time.Hour, 60*days, tracebench.Steady, func(c *tracebench.Caller) {
			c.Put("Sessions", with(key(len(made)), tracebench.Item{"user": fmt.Sprint("u", len(made)%70), "value": w.Rand.IntN(100)}), tracebench.Pattern("measure"))
			made = append(made, w.Clock.Now())
			first := len(made) - 1
			for first > 0 && w.Clock.Now().Sub(made[first-1]) < age {
				first--
			}
			for range 3 {
				w.Caller().Get("Sessions", key(first+w.Rand.IntN(len(made)-first)), tracebench.Pattern("reading"))
			}
		})
	}
}

// shownLate has tickets made, and shown a minute later; some once more on the next day.
func shownLate(late int) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		key := func(n int) tracebench.Item { return tracebench.Item{"id": fmt.Sprintf("%08x", uint32(n)*2654435761)} }
		for n := range 60 {
			w.Caller().Put("Sessions", with(key(n), tracebench.Item{"expires": w.Clock.Now().Add(time.Hour)}), tracebench.Pattern("sell"))
			w.Pause(time.Minute)
			w.Caller().Get("Sessions", key(n), tracebench.Pattern("show"))
		}
		w.Pause(24 * time.Hour)
		for n := range late {
			w.Caller().Get("Sessions", key(7*n), tracebench.Pattern("show"))
			w.Pause(time.Minute)
		}
	}
}

func seconds(_ *tracebench.World, at time.Time) any { return at }

// issue has something made that has an end, under a name, so long after it is made.
func issue(attribute string, after time.Duration) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		n := 0
		w.Traffic(2*24*time.Hour, 600, tracebench.Steady, func(c *tracebench.Caller) {
			n++
			c.Put("Sessions", tracebench.Item{"id": fmt.Sprintf("%08x", uint32(n)*2654435761), "user": fmt.Sprint("u", n%70), attribute: w.Clock.Now().Add(after)}, tracebench.Pattern("issue"))
		})
	}
}

// invite has something made whose end is a text, so long after it is made.
func invite(attribute string, after time.Duration) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		n := 0
		w.Traffic(24*time.Hour, 300, tracebench.Daily, func(c *tracebench.Caller) {
			n++
			c.Put("Sessions", tracebench.Item{"id": fmt.Sprintf("%08x", uint32(n)*2654435761), attribute: w.Clock.Now().Add(after).Format(time.RFC3339)}, tracebench.Pattern("invite"))
		})
	}
}

func loginsTable(ttl string) plan.Table {
	return plan.Table{Name: "Sessions", Key: plan.Key{Partition: "id"}, TTL: ttl}
}

var _ = bench("ttl-missing",
	tracebench.Trace{
		Name:   "sessions with an end that nothing deletes",
		Tables: []plan.Table{loginsTable("")},
		Run:    sessionsWith("Sessions", seconds, 0),
		Fires:  []string{"ttl-missing"},
		May:    []string{"repeated-reads", "table-class"},
	},
	tracebench.Trace{
		Name:   "the same, in milliseconds, read long after",
		Tables: []plan.Table{loginsTable("")},
		Run:    sessionsWith("Sessions", func(_ *tracebench.World, at time.Time) any { return int(at.UnixMilli()) }, 30*time.Hour),
		Fires:  []string{"ttl-missing"},
		May:    []string{"repeated-reads", "table-class"},
	},
	tracebench.Trace{
		Name: "tokens with the attribute exp", Tables: []plan.Table{loginsTable("")}, Run: issue("exp", time.Hour),
		Fires: []string{"ttl-missing"}, May: []string{"table-class"},
	},
	tracebench.Trace{
		Name: "offers with the attribute validUntil", Tables: []plan.Table{loginsTable("")}, Run: issue("validUntil", 30*time.Minute),
		Fires: []string{"ttl-missing"}, May: []string{"table-class"},
	},
	tracebench.Trace{
		Name: "invitations whose end is a text", Tables: []plan.Table{loginsTable("")}, Run: invite("valid_until", 72*time.Hour), Fires: []string{"ttl-missing"},
	},
	tracebench.Trace{
		Name: "passes with the attribute valid_to", Tables: []plan.Table{loginsTable("")}, Run: invite("valid_to", 48*time.Hour), Fires: []string{"ttl-missing"},
	},
	tracebench.Trace{
		Name: "licences whose end is a text, in years", Tables: []plan.Table{loginsTable("")}, Run: invite("expires", 3*365*24*time.Hour), Near: true,
	},
	tracebench.Trace{
		Name: "prices that are valid from a day to another", Tables: []plan.Table{loginsTable("")}, Near: true,
		Run: func(w *tracebench.World) {
			n := 0
			w.Traffic(24*time.Hour, 300, tracebench.Daily, func(c *tracebench.Caller) {
				n++
				c.Put("Sessions", tracebench.Item{"id": fmt.Sprintf("%08x", uint32(n)*2654435761), "cents": n, "validFrom": w.Clock.Now(), "validTo": w.Clock.Now().Add(30 * 24 * time.Hour)}, tracebench.Pattern("price"))
			})
		},
	},
	tracebench.Trace{
		Name: "jobs that are locked until a moment", Tables: []plan.Table{loginsTable("")}, Run: issue("lockedUntil", time.Minute), Near: true, May: []string{"table-class"},
	},
	tracebench.Trace{
		Name: "cards with the moment when they expired", Tables: []plan.Table{loginsTable("")}, Run: issue("expiredAt", -time.Hour), Near: true, May: []string{"table-class"},
	},
	tracebench.Trace{
		Name: "readings that are looked at on the day they are made, and kept for ever", Tables: []plan.Table{loginsTable("")}, Run: readWithin(6*time.Hour, 12),
		Fires: []string{"ttl-missing"}, May: []string{"table-class"},
	},
	tracebench.Trace{
		Name: "members who are read back as they are made, and do not come again", Tables: []plan.Table{loginsTable("")}, Near: true, May: []string{"table-class"},
		Run: func(w *tracebench.World) {
			n := 0
			w.Traffic(12*24*time.Hour, 700, tracebench.Daily, func(c *tracebench.Caller) {
				n++
				key := tracebench.Item{"id": fmt.Sprintf("%08x", uint32(n)*2654435761)}
				c.Put("Sessions", with(key, tracebench.Item{"name": "Ada", "n": n}), tracebench.Pattern("join"))
				c.Wait(100 * time.Millisecond)
				c.Get("Sessions", key, tracebench.Pattern("welcome"))
			})
		},
	},
	tracebench.Trace{
		Name: "readings of any day that are looked at", Tables: []plan.Table{loginsTable("")}, Run: readWithin(12*24*time.Hour, 12), Near: true, May: []string{"table-class"},
	},
	tracebench.Trace{
		Name: "readings that are looked at on the day they are made, seen for five days", Tables: []plan.Table{loginsTable("")}, Run: readWithin(6*time.Hour, 5), Near: true, May: []string{"table-class"},
	},
	tracebench.Trace{
		Name:   "sessions in a table with a time to live",
		Tables: []plan.Table{loginsTable("expires")},
		Run:    sessionsWith("Sessions", seconds, 0),
		Near:   true,
		May:    []string{"repeated-reads", "table-class"},
	},
	tracebench.Trace{
		Name:   "bottles that are settled at a time, and subscriptions that expire in two years",
		Tables: []plan.Table{loginsTable("")},
		Run: func(w *tracebench.World) {
			n := 0
			w.Traffic(3*24*time.Hour, 300, tracebench.Daily, func(c *tracebench.Caller) {
				n++
				if n%2 == 0 {
					c.Put("Sessions", tracebench.Item{"id": fmt.Sprint("bottle-", n), "bottledAt": w.Clock.Now(), "settledAt": w.Clock.Now()}, tracebench.Pattern("settle"))
					return
				}
				c.Put("Sessions", tracebench.Item{"id": fmt.Sprint("subscription-", n), "expiresAt": w.Clock.Now().Add(2 * 365 * 24 * time.Hour)}, tracebench.Pattern("subscribe"))
			})
		},
		Near: true,
	},
	tracebench.Trace{
		Name:   "orders that have a date",
		Tables: []plan.Table{ordersTable(nil)},
		Run: func(w *tracebench.World) {
			n := 0
			w.Traffic(3*24*time.Hour, 400, tracebench.Daily, func(c *tracebench.Caller) {
				n++
				c.Put("Shop", tracebench.Item{"orderId": fmt.Sprint("o", n), "customerId": fmt.Sprint("c", n%50), "placedAt": w.Clock.Now(), "dueAt": w.Clock.Now().Add(14 * 24 * time.Hour)}, tracebench.Pattern("placeOrder"))
			})
		},
		Near: true,
		May:  []string{"unused-index"},
	},
)

var _ = bench("ttl-ignored",
	tracebench.Trace{
		Name:   "sessions that are read long after their end",
		Tables: []plan.Table{loginsTable("expires")},
		Run:    sessionsWith("Sessions", seconds, 30*time.Hour),
		Fires:  []string{"ttl-ignored"},
		May:    []string{"repeated-reads", "table-class"},
	},
	tracebench.Trace{
		Name:   "a time to live in milliseconds",
		Tables: []plan.Table{loginsTable("expires")},
		Run:    sessionsWith("Sessions", func(_ *tracebench.World, at time.Time) any { return int(at.UnixMilli()) }, 0),
		Fires:  []string{"ttl-ignored"},
		May:    []string{"repeated-reads", "table-class"},
	},
	tracebench.Trace{
		Name:   "a time to live in text",
		Tables: []plan.Table{loginsTable("expires")},
		Run:    sessionsWith("Sessions", func(_ *tracebench.World, at time.Time) any { return at.Format(time.RFC3339) }, 0),
		Fires:  []string{"ttl-ignored"},
		May:    []string{"repeated-reads", "table-class"},
	},
	tracebench.Trace{
		Name: "a time to live of an attribute that no session has", Tables: []plan.Table{loginsTable("ttl")}, Run: issue("expiresAt", time.Hour),
		Fires: []string{"ttl-ignored"}, May: []string{"table-class"},
	},
	tracebench.Trace{
		Name:   "sixty tickets, eight of which are shown a day after their end",
		Tables: []plan.Table{loginsTable("expires")}, Run: shownLate(8), Stats: stats.Options{Detail: 1},
		Fires: []string{"ttl-ignored"},
	},
	tracebench.Trace{
		Name:   "sixty tickets, two of which are shown a day after their end",
		Tables: []plan.Table{loginsTable("expires")}, Run: shownLate(2), Stats: stats.Options{Detail: 1},
		Near: true,
	},
	tracebench.Trace{
		Name: "a time to live of trial accounts alone", Tables: []plan.Table{loginsTable("ttl")}, Near: true, May: []string{"table-class"},
		Run: func(w *tracebench.World) {
			n := 0
			w.Traffic(2*24*time.Hour, 600, tracebench.Steady, func(c *tracebench.Caller) {
				n++
				account := tracebench.Item{"id": fmt.Sprintf("%08x", uint32(n)*2654435761), "passwordExpires": w.Clock.Now().Add(90 * 24 * time.Hour)}
				if n%10 == 0 {
					account["ttl"] = w.Clock.Now().Add(14 * 24 * time.Hour)
				}
				c.Put("Sessions", account, tracebench.Pattern("signUp"))
			})
		},
	},
	tracebench.Trace{
		Name:   "users who come back half an hour after their session ended",
		Tables: []plan.Table{loginsTable("expires")},
		Run: func(w *tracebench.World) {
			n := 0
			w.Traffic(24*time.Hour, 300, tracebench.Daily, func(c *tracebench.Caller) {
				n++
				key := tracebench.Item{"id": fmt.Sprintf("s%06d", n)}
				c.Put("Sessions", tracebench.Item{"id": key["id"], "expires": w.Clock.Now().Add(-30 * time.Minute)}, tracebench.Pattern("login"))
				w.Caller().Get("Sessions", key, tracebench.Pattern("session"))
			})
		},
		Near: true,
		May:  []string{"repeated-reads"},
	},
	tracebench.Trace{
		Name:   "sessions that are read while they last",
		Tables: []plan.Table{loginsTable("expires")},
		Run:    sessionsWith("Sessions", seconds, 0),
		Near:   true,
		May:    []string{"repeated-reads", "table-class"},
	},
)
