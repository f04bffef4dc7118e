package rules_test

import (
	"fmt"
	"time"

	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/stats/rules/internal/tracebench"
)

var profileTables = []plan.Table{{Name: "Profiles", Key: plan.Key{Partition: "userId"}}}

func profileKey(n int) tracebench.Item { return tracebench.Item{"userId": fmt.Sprintf("u%05d", n)} }

func seedProfiles(w *tracebench.World) {
	for i := range 900 {
		w.Store("Profiles", with(profileKey(i), tracebench.Item{"name": fmt.Sprint("user ", i), "version": 1, "visits": 0, "about": tracebench.Text(i % 9 * 900)}))
	}
}

// changeProfiles has callers change a profile each, of another user each time, among others who show one.
func changeProfiles(callers int, do func(w *tracebench.World, c *tracebench.Caller, key tracebench.Item)) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		next := 0
		w.Mix(3*time.Hour, tracebench.Daily,
			tracebench.Kind{Callers: callers, Do: func(c *tracebench.Caller) {
				next = (next + 7) % 900
				do(w, c, profileKey(next))
			}},
			tracebench.Kind{Callers: 400, Do: func(c *tracebench.Caller) {
				c.Get("Profiles", profileKey(w.Rand.IntN(900)), tracebench.Pattern("showProfile"))
			}})
	}
}

var (
	loadProfile  = tracebench.Pattern("loadProfile")
	saveProfile  = tracebench.Pattern("saveProfile")
	countVisit   = tracebench.Pattern("countVisit")
	oneMore      = tracebench.Values(tracebench.Item{":one": 1})
	unlessNobody = tracebench.If("attribute_exists(userId)")
)

var _ = bench("read-before-write",
	tracebench.Trace{
		Name: "a profile that is read and put back with one visit more", Tables: profileTables, Seed: seedProfiles,
		Run: changeProfiles(500, func(w *tracebench.World, c *tracebench.Caller, key tracebench.Item) {
			c.Get("Profiles", key, loadProfile)
			c.Put("Profiles", with(key, tracebench.Item{"name": "user", "version": 1, "visits": 1, "about": tracebench.Text(3000)}), saveProfile)
		}),
		Fires: []string{"read-before-write"},
		Remedied: &tracebench.Remedied{Run: changeProfiles(500, func(w *tracebench.World, c *tracebench.Caller, key tracebench.Item) {
			c.Put("Profiles", with(key, tracebench.Item{"name": "user", "version": 1, "visits": 1, "about": tracebench.Text(3000)}), saveProfile)
		})},
	},
	tracebench.Trace{
		Name: "a get only to see whether the user is there, before an update", Tables: profileTables, Seed: seedProfiles,
		Run: changeProfiles(500, func(w *tracebench.World, c *tracebench.Caller, key tracebench.Item) {
			c.Get("Profiles", key, loadProfile)
			c.Update("Profiles", key, "SET visits = visits + :one", oneMore, countVisit, unlessNobody)
		}),
		Fires: []string{"read-before-write"},
		Remedied: &tracebench.Remedied{Run: changeProfiles(500, func(w *tracebench.World, c *tracebench.Caller, key tracebench.Item) {
			c.Update("Profiles", key, "SET visits = visits + :one", oneMore, countVisit, unlessNobody, tracebench.Return("ALL_NEW"))
		})},
	},
	tracebench.Trace{
		Name: "a get to see whether the user is new, strongly, before a put that asks the same", Tables: profileTables,
		Run: changeProfiles(400, func(w *tracebench.World, c *tracebench.Caller, key tracebench.Item) {
			fresh := tracebench.Item{"userId": fmt.Sprint("n", w.Rand.Int64())}
			c.Get("Profiles", fresh, loadProfile, tracebench.Consistent())
			c.Put("Profiles", with(fresh, tracebench.Item{"name": "new"}), saveProfile, tracebench.If("attribute_not_exists(userId)"))
		}),
		Fires: []string{"read-before-write"}, May: []string{"consistent-reads"},
		Remedied: &tracebench.Remedied{Run: changeProfiles(400, func(w *tracebench.World, c *tracebench.Caller, key tracebench.Item) {
			fresh := tracebench.Item{"userId": fmt.Sprint("n", w.Rand.Int64())}
			c.Put("Profiles", with(fresh, tracebench.Item{"name": "new"}), saveProfile, tracebench.If("attribute_not_exists(userId)"))
		})},
	},
	tracebench.Trace{
		Name: "the SDK's client, with a time limit for each call", Tables: profileTables, Seed: seedProfiles, Foreign: true,
		Run: changeProfiles(500, func(w *tracebench.World, c *tracebench.Caller, key tracebench.Item) {
			c.Get("Profiles", key)
			c.Put("Profiles", with(key, tracebench.Item{"name": "user", "version": 1, "visits": 1, "about": tracebench.Text(3000)}))
		}),
		Fires: []string{"read-before-write"},
		Remedied: &tracebench.Remedied{Run: changeProfiles(500, func(w *tracebench.World, c *tracebench.Caller, key tracebench.Item) {
			c.Put("Profiles", with(key, tracebench.Item{"name": "user", "version": 1, "visits": 1, "about": tracebench.Text(3000)}))
		})},
	},
	tracebench.Trace{
		Name: "a put that demands the version that was read", Tables: profileTables, Seed: seedProfiles, Near: true,
		Run: changeProfiles(500, func(w *tracebench.World, c *tracebench.Caller, key tracebench.Item) {
			c.Get("Profiles", key, loadProfile)
			c.Put("Profiles", with(key, tracebench.Item{"name": "user", "version": 1, "visits": 1}), saveProfile, tracebench.If("version = :one"), oneMore)
		}),
	},
	tracebench.Trace{
		Name: "an update that demands the version that was read", Tables: profileTables, Seed: seedProfiles, Near: true,
		Run: changeProfiles(500, func(w *tracebench.World, c *tracebench.Caller, key tracebench.Item) {
			c.Get("Profiles", key, loadProfile, tracebench.Consistent())
			c.Update("Profiles", key, "SET visits = visits + :one", oneMore, countVisit, tracebench.If("version = :one"))
		}),
	},
	tracebench.Trace{
		Name: "a form that one request shows and another one saves", Tables: profileTables, Seed: seedProfiles, Near: true,
		Run: changeProfiles(500, func(w *tracebench.World, c *tracebench.Caller, key tracebench.Item) {
			c.Get("Profiles", key, loadProfile)
			w.Caller().Update("Profiles", key, "SET visits = visits + :one", oneMore, countVisit)
		}),
	},
	tracebench.Trace{
		Name: "a profile that is shown often, and touched once in ten times", Tables: profileTables, Seed: seedProfiles, Near: true,
		Run: func(w *tracebench.World) {
			w.Mix(3*time.Hour, tracebench.Daily,
				tracebench.Kind{Callers: 60, Do: func(c *tracebench.Caller) {
					key := profileKey(w.Rand.IntN(900))
					c.Get("Profiles", key, loadProfile)
					c.Update("Profiles", key, "SET visits = visits + :one", oneMore, countVisit)
				}},
				tracebench.Kind{Callers: 600, Do: func(c *tracebench.Caller) {
					c.Update("Profiles", profileKey(w.Rand.IntN(900)), "SET visits = visits + :one", oneMore, countVisit)
				}})
		},
	},
	tracebench.Trace{
		Name: "a cache that is filled with what it does not have, every second time", Tables: profileTables, Near: true,
		Run: func(w *tracebench.World) {
			w.Traffic(3*time.Hour, 1000, tracebench.Daily, func(c *tracebench.Caller) {
				key := profileKey(w.Rand.IntN(600))
				if item := c.Get("Profiles", key, loadProfile).Item(); item.Len() == 0 {
					c.Wait(200 * time.Millisecond)
					c.Put("Profiles", with(key, tracebench.Item{"name": "new", "about": tracebench.Text(300)}), saveProfile)
				}
			})
		},
	},
	tracebench.Trace{
		Name: "settings that are read, and made when there are none", Tables: profileTables, Seed: seedProfiles, Near: true,
		Run: func(w *tracebench.World) {
			w.Traffic(3*time.Hour, 1000, tracebench.Daily, func(c *tracebench.Caller) {
				key := profileKey(w.Rand.IntN(960)) // of which 60 are not there yet
				if item := c.Get("Profiles", key, loadProfile).Item(); item.Len() == 0 {
					c.Put("Profiles", with(key, tracebench.Item{"name": "new", "visits": 0}), saveProfile)
				}
			})
		},
	},
	tracebench.Trace{
		Name: "a transaction that needs what was read", Tables: profileTables, Seed: seedProfiles, Near: true,
		Run: changeProfiles(300, func(w *tracebench.World, c *tracebench.Caller, key tracebench.Item) {
			c.Get("Profiles", key, loadProfile)
			c.Transact([]tracebench.Action{
				{Do: "Update", Table: "Profiles", Item: key, How: []tracebench.Option{tracebench.Set("SET visits = visits + :one"), oneMore, tracebench.If("version = :one")}},
				{Do: "Put", Table: "Profiles", Item: tracebench.Item{"userId": fmt.Sprint("log", w.Rand.Int64()), "name": "x"}},
			}, tracebench.Token(fmt.Sprint(w.Rand.Int64())), countVisit)
		}),
	},
)
