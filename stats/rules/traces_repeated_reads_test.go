package rules_test

import (
	"fmt"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/cache"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/stats/rules/internal/tracebench"
)

var settings = []plan.Table{{Name: "Settings", Key: plan.Key{Partition: "name"}}, {Name: "Users", Key: plan.Key{Partition: "userId"}}}

func user(n int) tracebench.Item { return tracebench.Item{"userId": fmt.Sprintf("u%05d", n)} }

func setting(n int) tracebench.Item { return tracebench.Item{"name": fmt.Sprint("s", n)} }

func seedSettings(w *tracebench.World) {
	for i := range 4 {
		w.Store("Settings", with(setting(i), tracebench.Item{"flags": tracebench.Text(700)}))
	}
	for i := range 3000 {
		w.Store("Users", with(user(i), tracebench.Item{"mail": fmt.Sprint("user", i, "@example.com"), "about": tracebench.Text(400)}))
	}
}

var (
	getSettings = tracebench.Pattern("getSettings")
	getUser     = tracebench.Pattern("getUser")
)

// near is the cache of the remedy.
func near(tables ...string) func(clock tablewright.Clock) []tablewright.Hook {
	return func(clock tablewright.Clock) []tablewright.Hook {
		c, err := cache.New(cache.Options{TTL: time.Minute, Tables: tables, Clock: clock})
		if err != nil {
			panic(err)
		}
		return []tablewright.Hook{c.Hook}
	}
}

// serve has every request get some settings and then its user.
func serve(span time.Duration, callers int, shape tracebench.Shape, how ...tracebench.Option) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		which := w.Zipf(1, 4)
		n := 0
		w.Traffic(span, callers, shape, func(c *tracebench.Caller) {
			if n++; n%500 == 0 {
				c.Update("Settings", setting(0), "SET flags = :f", tracebench.Values(tracebench.Item{":f": tracebench.Text(700)}), tracebench.If("attribute_exists(flags)"),
					tracebench.Pattern("setFlags"))
			}
			c.Get("Settings", setting(which()), append(how, getSettings)...)
			c.Get("Users", user(w.Rand.IntN(3000)), getUser)
		})
	}
}

// twice has each request get its user at several places.
func twice(times int) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		w.Traffic(2*time.Hour, 700, tracebench.Daily, func(c *tracebench.Caller) {
			key := user(w.Rand.IntN(3000))
			for range times {
				c.Get("Users", key, getUser)
				c.Wait(5 * time.Millisecond)
			}
		})
	}
}

var _ = bench("repeated-reads",
	tracebench.Trace{
		Name: "settings that every request reads", Tables: settings, Seed: seedSettings, Run: serve(8*time.Minute, 4000, tracebench.Steady),
		Fires:    []string{"repeated-reads"},
		Remedied: &tracebench.Remedied{Hooks: near("Settings")},
	},
	tracebench.Trace{
		Name: "the same in two processes, more and more often", Tables: settings, Seed: seedSettings, Run: serve(8*time.Minute, 4000, tracebench.Growing), Processes: 2,
		Fires:    []string{"repeated-reads"},
		Remedied: &tracebench.Remedied{Hooks: near("Settings")},
	},
	tracebench.Trace{
		Name: "a user whom each request gets at three places", Tables: settings, Seed: seedSettings, Run: twice(3),
		Fires:    []string{"repeated-reads"},
		Remedied: &tracebench.Remedied{Run: twice(1)},
	},
	tracebench.Trace{
		Name: "settings that are read strongly, since they have to be the newest", Tables: settings, Seed: seedSettings, Near: true,
		Run: serve(8*time.Minute, 4000, tracebench.Steady, tracebench.Consistent()), May: []string{"consistent-reads"},
	},
	tracebench.Trace{
		Name: "settings that are read a few times a minute", Tables: settings, Seed: seedSettings, Near: true, Run: serve(6*time.Hour, 2000, tracebench.Daily),
	},
	tracebench.Trace{
		Name: "users of whom some come more often than others", Tables: settings, Seed: seedSettings, Near: true,
		Run: func(w *tracebench.World) {
			who := w.Zipf(1, 3000)
			w.Traffic(8*time.Minute, 4000, tracebench.Steady, func(c *tracebench.Caller) { c.Get("Users", user(who()), getUser) })
		},
	},
	tracebench.Trace{
		Name: "a caller who waits for a change", Tables: settings, Seed: seedSettings, Near: true,
		Run: func(w *tracebench.World) {
			for n := range 20 {
				c := w.Caller()
				for range 30 {
					c.Get("Users", user(n), getUser)
					w.Pause(10 * time.Second)
				}
			}
		},
	},
	tracebench.Trace{
		Name: "counters that are read as often as they change", Tables: settings, Seed: seedSettings, Near: true,
		Run: func(w *tracebench.World) {
			w.Traffic(8*time.Minute, 2500, tracebench.Steady, func(c *tracebench.Caller) {
				key := setting(w.Rand.IntN(4))
				if w.Rand.IntN(2) == 0 {
					c.Update("Settings", key, "ADD seen :one", visited, tracebench.If("attribute_exists(flags)"), tracebench.Pattern("count"))
					return
				}
				c.Get("Settings", key, getSettings)
			})
		},
	},
)
