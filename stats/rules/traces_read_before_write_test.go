package rules_test

import (
	"fmt"
	"time"

	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/stats/rules/internal/tracebench"
)

var profiles = []plan.Table{{Name: "Profiles", Key: plan.Key{Partition: "userId"}}}

func profile(n int) tracebench.Item { return tracebench.Item{"userId": fmt.Sprintf("u%05d", n)} }

func seedProfiles(w *tracebench.World) {
	for i := range 900 {
		w.Store("Profiles", with(profile(i), tracebench.Item{"name": fmt.Sprint("user ", i), "version": 1, "visits": 0, "about": tracebench.Text(i % 9 * 900)}))
	}
}

// changes has callers change a profile each, of another user each time, among others who show one.
func changes(callers int, do func(w *tracebench.World, c *tracebench.Caller, key tracebench.Item)) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		next := 0
		w.Mix(3*time.Hour, tracebench.Daily,
			tracebench.Kind{Callers: callers, Do: func(c *tracebench.Caller) {
				next = (next + 7) % 900
				do(w, c, profile(next))
			}},
			tracebench.Kind{Callers: 400, Do: func(c *tracebench.Caller) {
				c.Get("Profiles", profile(w.Rand.IntN(900)), tracebench.Pattern("showProfile"))
			}})
	}
}

var (
	loadProfile  = tracebench.Pattern("loadProfile")
	saveProfile  = tracebench.Pattern("saveProfile")
	countVisit   = tracebench.Pattern("countVisit")
	visited      = tracebench.Values(tracebench.Item{":one": 1})
	unlessNobody = tracebench.If("attribute_exists(userId)")
)

var _ = bench("read-before-write",
	tracebench.Trace{
		Name: "a profile that is read and put back with one visit more", Tables: profiles, Seed: seedProfiles,
		Run: changes(500, func(w *tracebench.World, c *tracebench.Caller, key tracebench.Item) {
			c.Get("Profiles", key, loadProfile)
			c.Put("Profiles", with(key, tracebench.Item{"name": "user", "version": 1, "visits": 1, "about": tracebench.Text(3000)}), saveProfile)
		}),
		Fires: []string{"read-before-write"},
		Remedied: &tracebench.Remedied{Run: changes(500, func(w *tracebench.World, c *tracebench.Caller, key tracebench.Item) {
			c.Put("Profiles", with(key, tracebench.Item{"name": "user", "version": 1, "visits": 1, "about": tracebench.Text(3000)}), saveProfile)
		})},
	},
	tracebench.Trace{
		Name: "a get only to see whether the user is there, before an update", Tables: profiles, Seed: seedProfiles,
		Run: changes(500, func(w *tracebench.World, c *tracebench.Caller, key tracebench.Item) {
			c.Get("Profiles", key, loadProfile)
			c.Update("Profiles", key, "SET visits = visits + :one", visited, countVisit)
		}),
		Fires: []string{"read-before-write"},
		Remedied: &tracebench.Remedied{Run: changes(500, func(w *tracebench.World, c *tracebench.Caller, key tracebench.Item) {
			c.Update("Profiles", key, "SET visits = visits + :one", visited, countVisit, unlessNobody, tracebench.Return("ALL_NEW"))
		})},
	},
	tracebench.Trace{
		Name: "a get to see whether the user is new, strongly, before a put that asks the same", Tables: profiles,
		Run: changes(400, func(w *tracebench.World, c *tracebench.Caller, key tracebench.Item) {
			fresh := tracebench.Item{"userId": fmt.Sprint("n", w.Rand.Int64())}
			c.Get("Profiles", fresh, loadProfile, tracebench.Consistent())
			c.Put("Profiles", with(fresh, tracebench.Item{"name": "new"}), saveProfile, tracebench.If("attribute_not_exists(userId)"))
		}),
		Fires: []string{"read-before-write"}, May: []string{"consistent-reads"},
		Remedied: &tracebench.Remedied{Run: changes(400, func(w *tracebench.World, c *tracebench.Caller, key tracebench.Item) {
			fresh := tracebench.Item{"userId": fmt.Sprint("n", w.Rand.Int64())}
			c.Put("Profiles", with(fresh, tracebench.Item{"name": "new"}), saveProfile, tracebench.If("attribute_not_exists(userId)"))
		})},
	},
	tracebench.Trace{
		Name: "a put that demands the version that was read", Tables: profiles, Seed: seedProfiles, Near: true,
		Run: changes(500, func(w *tracebench.World, c *tracebench.Caller, key tracebench.Item) {
			c.Get("Profiles", key, loadProfile)
			c.Put("Profiles", with(key, tracebench.Item{"name": "user", "version": 1, "visits": 1}), saveProfile, tracebench.If("version = :one"), visited)
		}),
	},
	tracebench.Trace{
		Name: "an update that demands the version that was read", Tables: profiles, Seed: seedProfiles, Near: true,
		Run: changes(500, func(w *tracebench.World, c *tracebench.Caller, key tracebench.Item) {
			c.Get("Profiles", key, loadProfile, tracebench.Consistent())
			c.Update("Profiles", key, "SET visits = visits + :one", visited, countVisit, tracebench.If("version = :one"))
		}),
	},
	tracebench.Trace{
		Name: "a form that one request shows and another one saves", Tables: profiles, Seed: seedProfiles, Near: true,
		Run: changes(500, func(w *tracebench.World, c *tracebench.Caller, key tracebench.Item) {
			c.Get("Profiles", key, loadProfile)
			w.Caller().Update("Profiles", key, "SET visits = visits + :one", visited, countVisit)
		}),
	},
	tracebench.Trace{
		Name: "a profile that is shown often, and touched once in ten times", Tables: profiles, Seed: seedProfiles, Near: true,
		Run: func(w *tracebench.World) {
			w.Mix(3*time.Hour, tracebench.Daily,
				tracebench.Kind{Callers: 60, Do: func(c *tracebench.Caller) {
					key := profile(w.Rand.IntN(900))
					c.Get("Profiles", key, loadProfile)
					c.Update("Profiles", key, "SET visits = visits + :one", visited, countVisit)
				}},
				tracebench.Kind{Callers: 600, Do: func(c *tracebench.Caller) {
					c.Update("Profiles", profile(w.Rand.IntN(900)), "SET visits = visits + :one", visited, countVisit)
				}})
		},
	},
	tracebench.Trace{
		Name: "a transaction that needs what was read", Tables: profiles, Seed: seedProfiles, Near: true,
		Run: changes(300, func(w *tracebench.World, c *tracebench.Caller, key tracebench.Item) {
			c.Get("Profiles", key, loadProfile)
			c.Transact([]tracebench.Action{
				{Do: "Update", Table: "Profiles", Item: key, How: []tracebench.Option{tracebench.Set("SET visits = visits + :one"), visited, tracebench.If("version = :one")}},
				{Do: "Put", Table: "Profiles", Item: tracebench.Item{"userId": fmt.Sprint("log", w.Rand.Int64()), "name": "x"}},
			}, tracebench.Token(fmt.Sprint(w.Rand.Int64())), countVisit)
		}),
	},
)
