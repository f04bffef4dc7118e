package rules_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/stats"
	"github.com/tablewright/tablewright/stats/rules"
	"github.com/tablewright/tablewright/stats/rules/internal/tracebench"
)

// helpdeskTable is a table of tickets, with indexes.
func helpdeskTable(indexes map[string]plan.Index) plan.Table {
	return plan.Table{Name: "Tickets", Key: plan.Key{Partition: "ticketId"}, GSI: indexes}
}

var (
	byAssignee = map[string]plan.Index{"ByAssignee": {Partition: []string{"assignee"}}}
	byTeam     = map[string]plan.Index{"ByTeam": {Partition: []string{"team"}, Sort: []string{"openedAt"}}}
	byState    = map[string]plan.Index{"ByState": {Partition: []string{"team", "state"}, Sort: []string{"openedAt"}}}
)

func helpdeskTicket(w *tracebench.World, i int) tracebench.Item {
	return tracebench.Item{"ticketId": fmt.Sprintf("t%06d", i), "assignee": fmt.Sprint("person", w.Rand.IntN(40)), "team": fmt.Sprint("team", i%4),
		"state": []string{"open", "waiting", "closed", "closed", "closed", "closed", "closed", "closed"}[w.Rand.IntN(8)], "openedAt": fmt.Sprintf("2026-03-%02d", 1+i%28),
		"text": tracebench.Text(200 + w.Rand.IntN(1_200))}
}

func someTickets(n int) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		for i := range n {
			w.Store("Tickets", helpdeskTicket(w, i))
		}
	}
}

// helpdesk opens tickets and asks for some, in either way.
func helpdesk(writers, writes, readers int, read func(c *tracebench.Caller, w *tracebench.World)) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		next := 10_000
		w.Mix(48*time.Hour, tracebench.Daily,
			tracebench.Kind{Callers: writers, Do: func(c *tracebench.Caller) {
				next++
				c.Put("Tickets", helpdeskTicket(w, next), tracebench.Pattern("openTicket"), tracebench.If("attribute_not_exists(ticketId)"), tracebench.Times(writes))
			}},
			tracebench.Kind{Callers: writers / 2, Do: func(c *tracebench.Caller) {
				c.Update("Tickets", tracebench.Item{"ticketId": fmt.Sprintf("t%06d", w.Rand.IntN(400))}, "SET seen = :n", tracebench.Values(tracebench.Item{":n": w.Rand.IntN(1000)}),
					tracebench.Pattern("seeTicket"), tracebench.Times(writes))
			}},
			tracebench.Kind{Callers: readers, Do: func(c *tracebench.Caller) { read(c, w) }})
	}
}

func scanFor(filter string, values func(w *tracebench.World) tracebench.Item) func(c *tracebench.Caller, w *tracebench.World) {
	return func(c *tracebench.Caller, w *tracebench.World) {
		how := []tracebench.Option{tracebench.Pattern("ticketsOfPerson"), tracebench.Times(50)}
		if filter != "" {
			how = append(how, tracebench.Filter(filter), tracebench.Values(values(w)))
		}
		for page := c.Scan("Tickets", "", how...); page.Last != nil; {
			page = c.Scan("Tickets", "", append(how, tracebench.After(page))...)
		}
	}
}

func person(w *tracebench.World) tracebench.Item {
	return tracebench.Item{":a": fmt.Sprint("person", w.Rand.IntN(40))}
}

func ofPerson(c *tracebench.Caller, w *tracebench.World) {
	c.Query("Tickets", "ByAssignee", tracebench.Item{"assignee": fmt.Sprint("person", w.Rand.IntN(40))}, tracebench.Pattern("ticketsOfPerson"), tracebench.Times(50))
}

func team(w *tracebench.World) tracebench.Item {
	return tracebench.Item{"team": fmt.Sprint("team", w.Rand.IntN(4))}
}

// openOfTeam reads open tickets of a team, filtered.
func openOfTeam(filter string, values tracebench.Item) func(c *tracebench.Caller, w *tracebench.World) {
	return func(c *tracebench.Caller, w *tracebench.World) {
		c.Query("Tickets", "ByTeam", team(w), tracebench.Filter(filter), tracebench.Names("#s", "state"), tracebench.Values(values), tracebench.Pattern("openOfTeam"), tracebench.Times(400))
	}
}

// openAndNewest reads the open tickets of a team, by a filter or in an index that has the state in its key, and a third as often the newest ones
// in whatever state. No call has the name of an access pattern.
func openAndNewest(index string) func(w *tracebench.World) {
	return helpdesk(150, 300, 300, func(c *tracebench.Caller, w *tracebench.World) {
		of := team(w)
		switch {
		case w.Rand.IntN(4) == 0:
			c.Query("Tickets", "ByTeam", of, tracebench.Descending(), tracebench.Limit(15), tracebench.Times(400))
		case index == "ByTeam":
			c.Query("Tickets", index, of, tracebench.Filter("#s = :open"), tracebench.Names("#s", "state"), tracebench.Values(tracebench.Item{":open": "open"}), tracebench.Times(400))
		default:
			of["state"] = "open"
			c.Query("Tickets", index, of, tracebench.Times(400))
		}
	})
}

// countOpen counts the open tickets of a team: by a filter, or in an index that has the state in its key.
func countOpen(index string) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		w.Traffic(24*time.Hour, 600, tracebench.Daily, func(c *tracebench.Caller) {
			of, how := team(w), []tracebench.Option{tracebench.Count(), tracebench.Pattern("countOpen"), tracebench.Times(100)}
			if index == "ByTeam" {
				how = append(how, tracebench.Filter("#s = :open"), tracebench.Names("#s", "state"), tracebench.Values(tracebench.Item{":open": "open"}))
			} else {
				of["state"] = "open"
			}
			c.Query("Tickets", index, of, how...)
		})
	}
}

// teamsTable is a table of tickets that lie under their teams.
func teamsTable(indexes map[string]plan.Index) plan.Table {
	return plan.Table{Name: "TeamTickets", Key: plan.Key{Partition: "team", Sort: "ticketId"}, GSI: indexes}
}

// teamTicket is one that lies under its team.
func teamTicket(i int) tracebench.Item {
	state := "closed"
	if i%8 == 0 {
		state = "open"
	}
	return tracebench.Item{"team": fmt.Sprint("team", i%4), "ticketId": fmt.Sprintf("t%06d", i), "state": state, "text": tracebench.Text(200 + i*7%1_200)}
}

func teamsTickets(from, to int) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		for i := from; i < to; i++ {
			w.Store("TeamTickets", teamTicket(i))
		}
	}
}

// countAndPut counts open tickets of teams, by a filter or in an index, and puts tickets that are there.
func countAndPut(indexed bool) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		w.Mix(48*time.Hour, tracebench.Daily,
			tracebench.Kind{Callers: 500, Do: func(c *tracebench.Caller) {
				how := []tracebench.Option{tracebench.Count(), tracebench.Pattern("countOpen"), tracebench.Times(100)}
				if indexed {
					c.Query("TeamTickets", "ByState", tracebench.Item{"team": team(w)["team"], "state": "open"}, how...)
					return
				}
				c.Query("TeamTickets", "", team(w), append(how, tracebench.Filter("#s = :open"), tracebench.Names("#s", "state"), tracebench.Values(tracebench.Item{":open": "open"}))...)
			}},
			tracebench.Kind{Callers: 600, Do: func(c *tracebench.Caller) {
				it := teamTicket(w.Rand.IntN(60))
				it["text"] = tracebench.Text(200 + w.Rand.IntN(1_200))
				if w.Rand.IntN(8) == 0 {
					it["state"] = "open"
				}
				c.Put("TeamTickets", it, tracebench.Pattern("saveTicket"), tracebench.Times(300))
			}})
	}
}

// endingTable is a table of sessions that lie under their users.
var endingTable = plan.Table{Name: "Sessions", Key: plan.Key{Partition: "user", Sort: "session"}, TTL: "until"}

// usersSessions are sessions of users, most of which have ended.
func usersSessions(w *tracebench.World) {
	now := int(w.Clock.Now().Unix())
	for i := range 800 {
		end := now - 6*3600 - i
		if i/8%8 == 0 {
			end = now + 30*24*3600
		}
		w.Store("Sessions", tracebench.Item{"user": fmt.Sprint("u", i%8), "session": fmt.Sprint("s", i), "until": end, "agent": tracebench.Text(300)})
	}
}

var (
	_ = bench("scan-reads-much",
		tracebench.Trace{
			Name:     "a scan for the tickets of a person",
			Tables:   []plan.Table{helpdeskTable(nil)},
			Seed:     someTickets(400),
			Run:      helpdesk(150, 200, 200, scanFor("assignee = :a", person)),
			Live:     true,
			Fires:    []string{"scan-reads-much"},
			May:      []string{"capacity-mode"},
			Remedied: &tracebench.Remedied{Tables: []plan.Table{helpdeskTable(byAssignee)}, Run: helpdesk(150, 200, 200, ofPerson)},
		},
		tracebench.Trace{
			Name:     "the same where an index by person is there",
			Tables:   []plan.Table{helpdeskTable(byAssignee)},
			Seed:     someTickets(400),
			Run:      helpdesk(150, 2_000, 200, scanFor("assignee = :a", person)),
			Fires:    []string{"scan-reads-much"},
			May:      []string{"capacity-mode", "expensive-pattern", "unused-index"},
			Remedied: &tracebench.Remedied{Tables: []plan.Table{helpdeskTable(byAssignee)}, Run: helpdesk(150, 2_000, 200, ofPerson)},
		},
		tracebench.Trace{
			Name:   "the same in an export alone, of a program that queries the index elsewhere",
			Alone:  true,
			Tables: []plan.Table{helpdeskTable(byAssignee)},
			Seed:   someTickets(400),
			Run: helpdesk(150, 2_000, 200, func(c *tracebench.Caller, w *tracebench.World) {
				scanFor("assignee = :a", person)(c, w)
				if w.Rand.IntN(4) == 0 {
					c.Query("Tickets", "ByAssignee", tracebench.Item{"assignee": "person1"}, tracebench.Pattern("mine"))
				}
			}),
			Fires: []string{"scan-reads-much"},
			May:   []string{"capacity-mode", "expensive-pattern"},
			Remedied: &tracebench.Remedied{Tables: []plan.Table{helpdeskTable(byAssignee)}, Run: helpdesk(150, 2_000, 200, func(c *tracebench.Caller, w *tracebench.World) {
				ofPerson(c, w)
				if w.Rand.IntN(4) == 0 {
					c.Query("Tickets", "ByAssignee", tracebench.Item{"assignee": "person1"}, tracebench.Pattern("mine"))
				}
			})},
		},
		tracebench.Trace{
			Name:   "a scan for a ticket by its key",
			Tables: []plan.Table{helpdeskTable(nil)},
			Seed:   someTickets(400),
			Run: helpdesk(150, 2_000, 200, scanFor("ticketId = :t", func(w *tracebench.World) tracebench.Item {
				return tracebench.Item{":t": fmt.Sprintf("t%06d", w.Rand.IntN(400))}
			})),
			Fires: []string{"scan-reads-much"},
			May:   []string{"capacity-mode", "expensive-pattern"},
			Remedied: &tracebench.Remedied{Tables: []plan.Table{helpdeskTable(nil)}, Run: helpdesk(150, 2_000, 200, func(c *tracebench.Caller, w *tracebench.World) {
				c.Get("Tickets", tracebench.Item{"ticketId": fmt.Sprintf("t%06d", w.Rand.IntN(400))}, tracebench.Pattern("ticketsOfPerson"), tracebench.Times(50))
			})},
		},
		tracebench.Trace{
			Name:   "a scan over few tickets, many of which are written",
			Tables: []plan.Table{helpdeskTable(nil)},
			Seed:   someTickets(40),
			Run:    helpdesk(300, 3_000, 120, scanFor("assignee = :a", person)),
			May:    []string{"capacity-mode", "expensive-pattern"},
			Near:   true,
		},
		tracebench.Trace{
			Name:   "a scan that wants everything",
			Tables: []plan.Table{helpdeskTable(nil)},
			Seed:   someTickets(400),
			Run:    helpdesk(100, 50, 120, scanFor("", nil)),
			May:    []string{"capacity-mode", "expensive-pattern"},
			Near:   true,
		},
		tracebench.Trace{
			Name:   "a scan that leaves out little",
			Tables: []plan.Table{helpdeskTable(nil)},
			Seed:   someTickets(400),
			Run:    helpdesk(100, 50, 120, scanFor("assignee <> :a", person)),
			May:    []string{"capacity-mode", "expensive-pattern"},
			Near:   true,
		})

	_ = bench("filter-drops-much",
		tracebench.Trace{
			Name:      "open tickets of a team, of which most are closed",
			Processes: 2,
			Tables:    []plan.Table{helpdeskTable(byTeam)},
			Seed:      someTickets(600),
			Run:       helpdesk(150, 300, 300, openOfTeam("#s = :open", tracebench.Item{":open": "open"})),
			Fires:     []string{"filter-drops-much"},
			May:       []string{"capacity-mode"},
			Remedied: &tracebench.Remedied{Tables: []plan.Table{helpdeskTable(byState)}, Run: helpdesk(150, 300, 300, func(c *tracebench.Caller, w *tracebench.World) {
				c.Query("Tickets", "ByState", tracebench.Item{"team": team(w)["team"], "state": "open"}, tracebench.Pattern("openOfTeam"), tracebench.Times(400))
			})},
		},
		tracebench.Trace{
			Name:   "open tickets of a team where an index by team and state is there",
			Tables: []plan.Table{helpdeskTable(map[string]plan.Index{"ByTeam": byTeam["ByTeam"], "ByState": byState["ByState"]})},
			Seed:   someTickets(600),
			Run:    helpdesk(150, 300, 300, openOfTeam("#s = :open", tracebench.Item{":open": "open"})),
			Fires:  []string{"filter-drops-much"},
			May:    []string{"capacity-mode", "unused-index"},
			Remedied: &tracebench.Remedied{Tables: []plan.Table{helpdeskTable(map[string]plan.Index{"ByTeam": byTeam["ByTeam"], "ByState": byState["ByState"]})},
				Run: helpdesk(150, 300, 300, func(c *tracebench.Caller, w *tracebench.World) {
					c.Query("Tickets", "ByState", tracebench.Item{"team": team(w)["team"], "state": "open"}, tracebench.Pattern("openOfTeam"), tracebench.Times(400))
				})},
		},
		tracebench.Trace{
			Name:   "open tickets of a team, and the newest of all of them, by calls without names",
			Tables: []plan.Table{helpdeskTable(byTeam)},
			Seed:   someTickets(600),
			Run:    openAndNewest("ByTeam"),
			Fires:  []string{"filter-drops-much"},
			May:    []string{"capacity-mode"},
			Remedied: &tracebench.Remedied{Tables: []plan.Table{helpdeskTable(map[string]plan.Index{"ByTeam": byTeam["ByTeam"], "ByState": byState["ByState"]})},
				Run: openAndNewest("ByState")},
		},
		tracebench.Trace{
			Name:     "how many tickets of a team are open, where nobody reads one",
			Tables:   []plan.Table{helpdeskTable(byTeam)},
			Seed:     someTickets(600),
			Run:      countOpen("ByTeam"),
			Fires:    []string{"filter-drops-much"},
			May:      []string{"capacity-mode", "wide-index"},
			Remedied: &tracebench.Remedied{Tables: []plan.Table{helpdeskTable(byState)}, Run: countOpen("ByState")},
		},
		tracebench.Trace{
			Name:   "open tickets of a team that are counted, of tickets that are put again and again with other texts",
			Tables: []plan.Table{teamsTable(nil)},
			Seed:   teamsTickets(0, 600),
			Run:    countAndPut(false),
			Stats:  stats.Options{Detail: 1},
			Fires:  []string{"filter-drops-much"},
			May:    []string{"capacity-mode"},
			Remedied: &tracebench.Remedied{Run: countAndPut(true),
				Tables: []plan.Table{teamsTable(map[string]plan.Index{"ByState": {Partition: []string{"team", "state"}, Sort: []string{"ticketId"}, Project: plan.Keys}})}},
		},
		tracebench.Trace{
			Name:   "open tickets of a team, in an export that is read where nobody knows the tables",
			Alone:  true,
			Tables: []plan.Table{helpdeskTable(byTeam)},
			Seed:   someTickets(600),
			Run:    helpdesk(150, 100, 300, openOfTeam("#s = :open", tracebench.Item{":open": "open"})),
			Fires:  []string{"filter-drops-much"},
			Remedied: &tracebench.Remedied{Tables: []plan.Table{helpdeskTable(map[string]plan.Index{"ByTeam": byTeam["ByTeam"], "ByState": {Partition: []string{"team", "state"}}})},
				Run: helpdesk(150, 100, 300, func(c *tracebench.Caller, w *tracebench.World) {
					c.Query("Tickets", "ByState", tracebench.Item{"team": team(w)["team"], "state": "open"}, tracebench.Pattern("openOfTeam"), tracebench.Times(400))
				})},
		},
		tracebench.Trace{
			Name:   "the same with hashed keys, of a table",
			Alone:  true,
			Tables: []plan.Table{teamsTable(nil)},
			Seed:   teamsTickets(0, 600),
			Run: func(w *tracebench.World) {
				w.Traffic(24*time.Hour, 600, tracebench.Daily, func(c *tracebench.Caller) {
					c.Query("TeamTickets", "", team(w), tracebench.Filter("#s = :open"), tracebench.Names("#s", "state"), tracebench.Values(tracebench.Item{":open": "open"}), tracebench.Times(100))
				})
			},
			Stats: stats.Options{HashKeys: []byte("a secret of some length")},
			Fires: []string{"filter-drops-much"},
			Remedied: &tracebench.Remedied{Tables: []plan.Table{teamsTable(map[string]plan.Index{"ByState": {Partition: []string{"team", "state"}}})}, Run: func(w *tracebench.World) {
				w.Traffic(24*time.Hour, 600, tracebench.Daily, func(c *tracebench.Caller) {
					c.Query("TeamTickets", "ByState", tracebench.Item{"team": team(w)["team"], "state": "open"}, tracebench.Times(100))
				})
			}},
		},
		tracebench.Trace{
			Name:   "sessions past an end that may be the time to live, in an export alone",
			Alone:  true,
			Tables: []plan.Table{endingTable},
			Seed:   usersSessions,
			Run: func(w *tracebench.World) {
				w.Traffic(6*time.Hour, 400, tracebench.Steady, func(c *tracebench.Caller) {
					c.Query("Sessions", "", tracebench.Item{"user": fmt.Sprint("u", w.Rand.IntN(8))}, tracebench.Filter("#u > :now"), tracebench.Names("#u", "until"),
						tracebench.Values(tracebench.Item{":now": int(w.Clock.Now().Unix())}), tracebench.Times(30))
				})
			},
			May:  []string{"ttl-ignored", "ttl-missing"},
			Near: true,
		},
		tracebench.Trace{
			Name:   "tickets of a team whose state comes behind open",
			Tables: []plan.Table{helpdeskTable(byTeam)},
			Seed:   someTickets(600),
			Run:    helpdesk(150, 300, 300, openOfTeam("#s > :o", tracebench.Item{":o": "open"})),
			Fires:  []string{"filter-drops-much"},
			May:    []string{"capacity-mode"},
		},
		tracebench.Trace{
			Name:   "tickets of a team that are not open",
			Tables: []plan.Table{helpdeskTable(byTeam)},
			Seed:   someTickets(600),
			Run:    helpdesk(150, 300, 300, openOfTeam("#s <> :open", tracebench.Item{":open": "open"})),
			May:    []string{"capacity-mode", "expensive-pattern"},
			Near:   true,
		},
		tracebench.Trace{
			Name:   "a filter on a few tickets of a person, many of which are written",
			Tables: []plan.Table{helpdeskTable(byAssignee)},
			Seed:   someTickets(200),
			Run: helpdesk(150, 3_000, 300, func(c *tracebench.Caller, w *tracebench.World) {
				c.Query("Tickets", "ByAssignee", tracebench.Item{"assignee": fmt.Sprint("person", w.Rand.IntN(40))}, tracebench.Filter("#s = :open"), tracebench.Names("#s", "state"),
					tracebench.Values(tracebench.Item{":open": "open"}), tracebench.Pattern("openOfPerson"), tracebench.Times(400))
			}),
			May:  []string{"capacity-mode"},
			Near: true,
		},
		tracebench.Trace{
			Name:   "items past their time to live that are left out",
			Tables: []plan.Table{{Name: "Tickets", Key: plan.Key{Partition: "ticketId"}, GSI: byTeam, TTL: "expires"}},
			Seed:   someTickets(600),
			Run: helpdesk(150, 300, 300, func(c *tracebench.Caller, w *tracebench.World) {
				c.Query("Tickets", "ByTeam", team(w), tracebench.Filter("expires > :now"), tracebench.Values(tracebench.Item{":now": w.Clock.Now()}),
					tracebench.Pattern("ticketsOfTeam"), tracebench.Times(400))
			}),
			May:  []string{"capacity-mode", "expensive-pattern", "ttl-ignored", "ttl-missing"},
			Near: true,
		})
)

// TestIndexNames: an index that a filter would be served by is called like none that is there.
func TestIndexNames(t *testing.T) {
	byStateAlone := plan.Index{Partition: []string{"state"}}
	for wanted, there := range map[string]map[string]plan.Index{
		`"ByState"`:      {"ByTeam": byTeam["ByTeam"]},
		`"ByTeamState"`:  {"ByTeam": byTeam["ByTeam"], "ByState": byStateAlone},
		`"ByTeamState2"`: {"ByTeam": byTeam["ByTeam"], "ByState": byStateAlone, "ByTeamState": byStateAlone},
	} {
		tr := tracebench.Trace{Name: "open tickets of a team", Tables: []plan.Table{helpdeskTable(there)}, Seed: someTickets(300), Run: countOpen("ByTeam")}
		found := rules.Recommend(input(tr.Play(t)))
		if !slices.ContainsFunc(found, func(f rules.Finding) bool {
			return f.Rule == "filter-drops-much" && strings.Contains(f.Remedy.Snippets[0].Text, wanted+": {Partition: []string{\"team\", \"state\"}")
		}) {
			t.Errorf("no %s in %+v", wanted, found)
		}
	}
}
