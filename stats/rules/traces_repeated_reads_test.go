package rules_test

import (
	"fmt"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/cache"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/stats/rules/internal/tracebench"
)

var settingTables = []plan.Table{{Name: "Settings", Key: plan.Key{Partition: "name"}}, {Name: "Users", Key: plan.Key{Partition: "userId"}}}

func userKey(n int) tracebench.Item { return tracebench.Item{"userId": fmt.Sprintf("u%05d", n)} }

func settingKey(n int) tracebench.Item { return tracebench.Item{"name": fmt.Sprint("s", n)} }

func seedSettings(w *tracebench.World) {
	for i := range 4 {
		w.Store("Settings", with(settingKey(i), tracebench.Item{"flags": tracebench.Text(700)}))
	}
	for i := range 6 {
		w.Store("Settings", tracebench.Item{"name": fmt.Sprint("tenant", i), "flags": tracebench.Text(700)})
	}
	for i := range 3000 {
		w.Store("Users", with(userKey(i), tracebench.Item{"mail": fmt.Sprint("user", i, "@example.com"), "about": tracebench.Text(400)}))
	}
}

var (
	getSettings = tracebench.Pattern("getSettings")
	getUser     = tracebench.Pattern("getUser")
)

// nearCache is the cache of the remedy.
func nearCache(tables ...string) func(clock tablewright.Clock) []tablewright.Hook {
	return func(clock tablewright.Clock) []tablewright.Hook {
		c, err := cache.New(cache.Options{TTL: time.Minute, Tables: tables, Clock: clock})
		if err != nil {
			panic(err)
		}
		return []tablewright.Hook{c.Hook}
	}
}

// serveRequests has every request get some settings and then its user.
func serveRequests(span time.Duration, callers int, shape tracebench.Shape, how ...tracebench.Option) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		which := w.Zipf(1, 4)
		n := 0
		w.Traffic(span, callers, shape, func(c *tracebench.Caller) {
			if n++; n%500 == 0 {
				c.Update("Settings", settingKey(0), "SET flags = :f", tracebench.Values(tracebench.Item{":f": tracebench.Text(700)}), tracebench.If("attribute_exists(flags)"),
					tracebench.Pattern("setFlags"))
			}
			c.Get("Settings", settingKey(which()), append(how, getSettings)...)
			c.Get("Users", userKey(w.Rand.IntN(3000)), getUser)
		})
	}
}

// serveTenants has every request get the settings of its tenant, one of six.
func serveTenants(w *tracebench.World) {
	w.Traffic(2*time.Minute, 5000, tracebench.Steady, func(c *tracebench.Caller) {
		c.Get("Settings", tracebench.Item{"name": fmt.Sprint("tenant", w.Rand.IntN(6))}, getSettings)
	})
}

// getTimes has each request get its user at several places.
func getTimes(times int) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		w.Traffic(2*time.Hour, 700, tracebench.Daily, func(c *tracebench.Caller) {
			key := userKey(w.Rand.IntN(3000))
			for range times {
				c.Get("Users", key, getUser)
				c.Wait(5 * time.Millisecond)
			}
		})
	}
}

var _ = bench("repeated-reads",
	tracebench.Trace{
		Name: "settings that every request reads", Tables: settingTables, Seed: seedSettings, Run: serveRequests(100*time.Second, 4000, tracebench.Steady),
		Fires:    []string{"repeated-reads"},
		Remedied: &tracebench.Remedied{Hooks: nearCache("Settings")},
	},
	tracebench.Trace{
		Name: "the same in two processes, more and more often", Tables: settingTables, Seed: seedSettings, Run: serveRequests(100*time.Second, 4000, tracebench.Growing), Processes: 2,
		Fires:    []string{"repeated-reads"},
		Remedied: &tracebench.Remedied{Hooks: nearCache("Settings")},
	},
	tracebench.Trace{
		Name: "six tenants, each read as often as the others", Tables: settingTables, Seed: seedSettings, Run: serveTenants,
		Fires:    []string{"repeated-reads"},
		Remedied: &tracebench.Remedied{Hooks: nearCache("Settings")},
	},
	tracebench.Trace{
		Name: "a user whom each request gets at three places", Tables: settingTables, Seed: seedSettings, Run: getTimes(3),
		Fires:    []string{"repeated-reads"},
		Remedied: &tracebench.Remedied{Run: getTimes(1)},
	},
	tracebench.Trace{
		Name: "settings that are read strongly, since they have to be the newest", Tables: settingTables, Seed: seedSettings, Near: true,
		Run: serveRequests(100*time.Second, 4000, tracebench.Steady, tracebench.Consistent()), May: []string{"consistent-reads"},
	},
	tracebench.Trace{
		Name: "settings that are read a few times a minute", Tables: settingTables, Seed: seedSettings, Near: true, Run: serveRequests(6*time.Hour, 2000, tracebench.Daily),
	},
	tracebench.Trace{
		Name: "users of whom some come more often than others", Tables: settingTables, Seed: seedSettings, Near: true,
		Run: func(w *tracebench.World) {
			who := w.Zipf(1, 3000)
			w.Traffic(100*time.Second, 4000, tracebench.Steady, func(c *tracebench.Caller) { c.Get("Users", userKey(who()), getUser) })
		},
	},
	tracebench.Trace{
		Name: "a caller who waits for a change", Tables: settingTables, Seed: seedSettings, Near: true,
		Run: func(w *tracebench.World) {
			for n := range 20 {
				c := w.Caller()
				for range 30 {
					c.Get("Users", userKey(n), getUser)
					w.Pause(10 * time.Second)
				}
			}
		},
	},
	tracebench.Trace{
		Name: "callers who look every two seconds whether something changed", Tables: settingTables, Seed: seedSettings, Near: true,
		Run: func(w *tracebench.World) {
			w.Traffic(2*time.Hour, 200, tracebench.Steady, func(c *tracebench.Caller) {
				n := w.Rand.IntN(3000)
				for range 4 {
					c.Get("Users", userKey(n), getUser)
					c.Wait(2 * time.Second)
				}
			})
		},
	},
	tracebench.Trace{
		Name: "counters that are read as often as they change", Tables: settingTables, Seed: seedSettings, Near: true,
		Run: func(w *tracebench.World) {
			w.Traffic(time.Minute, 2500, tracebench.Steady, func(c *tracebench.Caller) {
				key := settingKey(w.Rand.IntN(4))
				if w.Rand.IntN(2) == 0 {
					c.Update("Settings", key, "ADD seen :one", oneMore, tracebench.If("attribute_exists(flags)"), tracebench.Pattern("count"))
					return
				}
				c.Get("Settings", key, getSettings)
			})
		},
	},
)
