package rules_test

import (
	"fmt"
	"slices"
	"time"

	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/stats/rules/internal/tracebench"
)

// productsTable has an index by category that projects something.
func productsTable(project string, include ...string) plan.Table {
	return plan.Table{Name: "Products", Key: plan.Key{Partition: "productId"},
		GSI: map[string]plan.Index{"ByCategory": {Partition: []string{"category"}, Sort: []string{"name"}, Project: project, Include: include}}}
}

func productID(i int) tracebench.Item {
	return tracebench.Item{"productId": fmt.Sprintf("p%05d", i)}
}

func product(w *tracebench.World, i, text int) tracebench.Item {
	return tracebench.Item{"productId": fmt.Sprintf("p%05d", i), "category": fmt.Sprint("c", i%30), "name": fmt.Sprint("product ", i), "price": 10 + w.Rand.IntN(90), "stock": 100,
		"description": tracebench.Text(text/2 + w.Rand.IntN(text))}
}

func someProducts(n, text int) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		for i := range n {
			w.Store("Products", product(w, i, text))
		}
	}
}

// catalogue lists products by category, changes one of their attributes, and adds some.
func catalogue(text int, changed string, how ...tracebench.Option) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		next := 1_000
		w.Mix(48*time.Hour, tracebench.Daily,
			tracebench.Kind{Callers: 300, Do: func(c *tracebench.Caller) {
				c.Query("Products", "ByCategory", tracebench.Item{"category": fmt.Sprint("c", w.Rand.IntN(30))}, append(how, tracebench.Pattern("productsOfCategory"), tracebench.Times(500))...)
			}},
			tracebench.Kind{Callers: 300, Do: func(c *tracebench.Caller) {
				c.Update("Products", productID(w.Rand.IntN(300)), "SET "+changed+" = :n", tracebench.Values(tracebench.Item{":n": w.Rand.IntN(100_000)}),
					tracebench.Pattern("changeProduct"), tracebench.Times(500))
			}},
			tracebench.Kind{Callers: 200, Do: func(c *tracebench.Caller) {
				c.Get("Products", productID(w.Rand.IntN(300)), tracebench.Pattern("product"), tracebench.Times(500))
			}},
			tracebench.Kind{Callers: 50, Do: func(c *tracebench.Caller) {
				next++
				c.Put("Products", product(w, next, text), tracebench.Pattern("addProduct"), tracebench.Times(500))
			}})
	}
}

// restock lists names and prices and changes what is in stock.
func restock(w *tracebench.World) {
	w.Mix(48*time.Hour, tracebench.Daily,
		tracebench.Kind{Callers: 300, Do: func(c *tracebench.Caller) {
			c.Query("Products", "ByCategory", tracebench.Item{"category": fmt.Sprint("c", w.Rand.IntN(30))},
				tracebench.Project("productId, #n, price"), tracebench.Names("#n", "name"), tracebench.Pattern("productsOfCategory"), tracebench.Times(500))
		}},
		tracebench.Kind{Callers: 500, Do: func(c *tracebench.Caller) {
			c.Update("Products", productID(w.Rand.IntN(300)), "ADD stock :n", tracebench.Values(tracebench.Item{":n": -1}), tracebench.Pattern("sell"), tracebench.Times(500))
		}})
}

// deliver puts whole products anew, with what is in stock by now, so many at once, and lists their names.
func deliver(atOnce int) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		w.Mix(48*time.Hour, tracebench.Daily,
			tracebench.Kind{Callers: 200, Do: func(c *tracebench.Caller) {
				c.Query("Products", "ByCategory", tracebench.Item{"category": fmt.Sprint("c", w.Rand.IntN(30))},
					tracebench.Project("productId, #n"), tracebench.Names("#n", "name"), tracebench.Pattern("namesOfCategory"), tracebench.Times(500))
			}},
			tracebench.Kind{Callers: 8_000 / atOnce, Do: func(c *tracebench.Caller) {
				var delivered []tracebench.Item
				for _, i := range w.Rand.Perm(300)[:atOnce] {
					it := product(w, i, 2_500)
					it["stock"] = w.Rand.IntN(1_000)
					delivered = append(delivered, it)
				}
				if atOnce > 1 {
					c.BatchWrite("Products", delivered, nil, tracebench.Pattern("deliver"), tracebench.Times(12))
					return
				}
				c.Put("Products", delivered[0], tracebench.Pattern("deliver"), tracebench.Times(12))
			}})
	}
}

// devicesTable has an index of devices by fleet.
func devicesTable(sort ...string) plan.Table {
	return plan.Table{Name: "Devices", Key: plan.Key{Partition: "deviceId"}, Attributes: map[string]plan.Type{"seenAt": plan.N, "score": plan.N},
		GSI: map[string]plan.Index{"ByFleet": {Partition: []string{"fleet"}, Sort: sort, Project: plan.Keys}}}
}

// reporting devices tell that they are there; somebody looks at a fleet, so often.
func reporting(attribute string, lookers int) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		key := func() tracebench.Item { return tracebench.Item{"deviceId": fmt.Sprint("d", w.Rand.IntN(60))} }
		w.Mix(48*time.Hour, tracebench.Steady,
			tracebench.Kind{Callers: 600, Do: func(c *tracebench.Caller) {
				c.Update("Devices", key(), "SET "+attribute+" = :t", tracebench.Values(tracebench.Item{":t": int(w.Clock.Now().Unix())}), tracebench.Pattern("report"), tracebench.Times(100))
			}},
			tracebench.Kind{Callers: lookers, Do: func(c *tracebench.Caller) {
				c.Query("Devices", "ByFleet", tracebench.Item{"fleet": fmt.Sprint("f", w.Rand.IntN(3))}, tracebench.Pattern("fleet"), tracebench.Times(100))
			}},
			tracebench.Kind{Callers: 100, Do: func(c *tracebench.Caller) { c.Get("Devices", key(), tracebench.Pattern("device")) }})
	}
}

// touching updates an attribute of so many devices, and does nothing else.
func touching(attribute string, devices int) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		w.Traffic(3*time.Hour, 4_000, tracebench.Steady, func(c *tracebench.Caller) {
			c.Update("Devices", tracebench.Item{"deviceId": fmt.Sprint("d", w.Rand.IntN(devices))}, "SET "+attribute+" = :t",
				tracebench.Values(tracebench.Item{":t": int(w.Clock.Now().UnixMilli())}), tracebench.Pattern("report"))
		})
	}
}

func someDevices(w *tracebench.World) {
	for i := range 60 {
		w.Store("Devices", tracebench.Item{"deviceId": fmt.Sprint("d", i), "fleet": fmt.Sprint("f", i%3), "seenAt": 1, "score": 1, "battery": 3})
	}
}

// statusTable has an index by which orders of a status are found.
func statusTable(partition string) plan.Table {
	return plan.Table{Name: "Jobs", Key: plan.Key{Partition: "jobId"}, GSI: map[string]plan.Index{"ByStatus": {Partition: []string{partition}, Sort: []string{"jobId"}}}}
}

// working jobs are queued and done. Open is the attribute that only queued ones have, if there is one.
func working(open string, asked ...string) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		next, done := 1_000, 1_000
		key := func(i int) tracebench.Item { return tracebench.Item{"jobId": fmt.Sprintf("j%06d", i)} }
		by, finish := "status", "SET #s = :done"
		if open != "" {
			by, finish = open, "SET #s = :done REMOVE "+open
		}
		i := 0
		w.Mix(72*time.Hour, tracebench.Daily,
			tracebench.Kind{Callers: 400, Do: func(c *tracebench.Caller) {
				next++
				item := tracebench.Item{"jobId": fmt.Sprintf("j%06d", next), "status": "queued", "work": tracebench.Text(100 + w.Rand.IntN(300))}
				if open != "" {
					item[open] = "queued"
				}
				c.Put("Jobs", item, tracebench.Pattern("queueJob"), tracebench.Times(2_000))
			}},
			tracebench.Kind{Callers: 380, Do: func(c *tracebench.Caller) {
				if done < next {
					done++
					c.Update("Jobs", key(done), finish, tracebench.Names("#s", "status"), tracebench.Values(tracebench.Item{":done": "done"}), tracebench.Pattern("finishJob"), tracebench.Times(2_000))
				}
			}},
			tracebench.Kind{Callers: 200, Do: func(c *tracebench.Caller) {
				i++
				c.Query("Jobs", "ByStatus", tracebench.Item{by: asked[i%len(asked)]}, tracebench.Limit(10), tracebench.Pattern("jobsByStatus"), tracebench.Times(2_000))
			}},
			tracebench.Kind{Callers: 500, Do: func(c *tracebench.Caller) {
				c.Get("Jobs", key(1_001+w.Rand.IntN(max(done-1_000, 1))), tracebench.Pattern("job"), tracebench.Times(200))
			}})
	}
}

// forgotten jobs are queued, asked for while they are, and done without that anybody sees them then.
func forgotten(open string) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		n := 0
		key := func(i int) tracebench.Item { return tracebench.Item{"jobId": fmt.Sprintf("j%06d", i)} }
		by, finish := "status", "SET #s = :done"
		if open != "" {
			by, finish = open, "SET #s = :done REMOVE "+open
		}
		w.Traffic(48*time.Hour, 900, tracebench.Daily, func(c *tracebench.Caller) {
			n++
			item := tracebench.Item{"jobId": fmt.Sprintf("j%06d", n), "status": "queued", "work": tracebench.Text(300)}
			item[by] = "queued"
			c.Put("Jobs", item, tracebench.Pattern("queueJob"), tracebench.Times(200))
			if n > 10 {
				w.Caller().Update("Jobs", key(n-10), finish, tracebench.Names("#s", "status"), tracebench.Values(tracebench.Item{":done": "done"}), tracebench.Pattern("finishJob"), tracebench.Times(200))
			}
			if n%5 == 0 {
				later := w.Caller()
				later.Wait(10 * time.Second)
				later.Query("Jobs", "ByStatus", tracebench.Item{by: "queued"}, tracebench.Limit(20), tracebench.Pattern("jobsByStatus"), tracebench.Times(200))
			}
		})
	}
}

// passing jobs are queued, running and done, all by one access pattern; those that are asked for have the attribute pending, if there is one.
func passing(pending string, asked ...string) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		n := 0
		by := "status"
		if pending != "" {
			by = pending
		}
		set := func(i int, status string) {
			update := "SET #s = :s"
			values := tracebench.Item{":s": status}
			switch {
			case pending == "":
			case slices.Contains(asked, status):
				update += ", " + pending + " = :s"
			default:
				update += " REMOVE " + pending
			}
			w.Caller().Update("Jobs", tracebench.Item{"jobId": fmt.Sprintf("j%06d", i)}, update, tracebench.Names("#s", "status"), tracebench.Values(values), tracebench.Pattern("setStatus"), tracebench.Times(200))
		}
		w.Traffic(48*time.Hour, 900, tracebench.Daily, func(c *tracebench.Caller) {
			n++
			item := tracebench.Item{"jobId": fmt.Sprintf("j%06d", n), "status": "queued", "work": tracebench.Text(300)}
			item[by] = "queued"
			c.Put("Jobs", item, tracebench.Pattern("queueJob"), tracebench.Times(200))
			if n > 10 {
				set(n-10, "running")
			}
			if n > 20 {
				set(n-20, "done")
			}
			if n%3 == 0 {
				later := w.Caller()
				later.Wait(10 * time.Second)
				later.Query("Jobs", "ByStatus", tracebench.Item{by: asked[n/3%len(asked)]}, tracebench.Limit(20), tracebench.Pattern("jobsByStatus"), tracebench.Times(200))
			}
		})
	}
}

// toggled are a few lamps that are on and off, of which those that are on are asked for; all are put once.
func toggled(w *tracebench.World) {
	n, on := 0, map[int]bool{}
	for i := range 40 {
		w.Caller().Put("Jobs", tracebench.Item{"jobId": fmt.Sprintf("lamp%02d", i), "status": "off", "work": tracebench.Text(300)}, tracebench.Pattern("addLamp"))
	}
	w.Traffic(48*time.Hour, 2_000, tracebench.Daily, func(c *tracebench.Caller) {
		n++
		i := w.Rand.IntN(40)
		if n%10 < 3 == on[i] { // most are on
			on[i] = !on[i]
			status := map[bool]string{true: "on", false: "off"}[on[i]]
			c.Update("Jobs", tracebench.Item{"jobId": fmt.Sprintf("lamp%02d", i)}, "SET #s = :s", tracebench.Names("#s", "status"), tracebench.Values(tracebench.Item{":s": status}),
				tracebench.Pattern("turn"), tracebench.Times(200))
		}
		c.Get("Jobs", tracebench.Item{"jobId": fmt.Sprintf("lamp%02d", w.Rand.IntN(40))}, tracebench.Pattern("lamp"), tracebench.Times(200))
		if n%3 == 0 {
			w.Caller().Query("Jobs", "ByStatus", tracebench.Item{"status": "on"}, tracebench.Limit(50), tracebench.Pattern("lampsOn"), tracebench.Times(200))
		}
	})
}

// failing are a few of the jobs that are told of, which somebody reads over and over.
func failing(open string) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		n := 0
		by := "status"
		if open != "" {
			by = open
		}
		w.Traffic(48*time.Hour, 1_500, tracebench.Daily, func(c *tracebench.Caller) {
			n++
			item := tracebench.Item{"jobId": fmt.Sprintf("j%06d", n), "status": "passed", "work": tracebench.Text(300)}
			if n%12 == 0 {
				item["status"], item[by] = "failed", "failed"
			}
			c.Put("Jobs", item, tracebench.Pattern("tellJob"), tracebench.Times(200))
			if n%10 == 0 {
				later := w.Caller()
				later.Wait(10 * time.Second)
				later.Query("Jobs", "ByStatus", tracebench.Item{by: "failed"}, tracebench.Limit(25), tracebench.Descending(), tracebench.Pattern("failedJobs"), tracebench.Times(200))
			}
		})
	}
}

var (
	_ = bench("wide-index",
		tracebench.Trace{
			Name:     "a list of names and prices from an index that holds descriptions and stocks, too",
			Tables:   []plan.Table{productsTable(plan.All)},
			Seed:     someProducts(300, 2_500),
			Run:      catalogue(2_500, "stock", tracebench.Project("productId, #n, price"), tracebench.Names("#n", "name")),
			Live:     true,
			Fires:    []string{"wide-index"},
			May:      []string{"capacity-mode"},
			Remedied: &tracebench.Remedied{Tables: []plan.Table{productsTable(plan.Include, "price")}},
		},
		tracebench.Trace{
			Name:     "the same where nobody reads or writes a whole product",
			Tables:   []plan.Table{productsTable(plan.All)},
			Seed:     someProducts(300, 2_500),
			Run:      restock,
			Live:     true,
			Fires:    []string{"wide-index"},
			May:      []string{"capacity-mode"},
			Remedied: &tracebench.Remedied{Tables: []plan.Table{productsTable(plan.Include, "price")}},
		},
		tracebench.Trace{
			Name:     "a list of names from an index of products that are put anew with every delivery",
			Tables:   []plan.Table{productsTable(plan.All)},
			Seed:     someProducts(300, 2_500),
			Run:      deliver(1),
			Live:     true,
			Fires:    []string{"wide-index"},
			May:      []string{"capacity-mode"},
			Remedied: &tracebench.Remedied{Tables: []plan.Table{productsTable(plan.Keys)}},
		},
		tracebench.Trace{
			Name:     "a list of names from an index of products that are put anew in batches",
			Tables:   []plan.Table{productsTable(plan.All)},
			Seed:     someProducts(300, 2_500),
			Run:      deliver(8),
			Live:     true,
			Fires:    []string{"wide-index"},
			May:      []string{"capacity-mode"},
			Remedied: &tracebench.Remedied{Tables: []plan.Table{productsTable(plan.Keys)}},
		},
		tracebench.Trace{
			Name:   "a list of whole products",
			Tables: []plan.Table{productsTable(plan.All)},
			Seed:   someProducts(300, 2_500),
			Run:    catalogue(2_500, "stock"),
			Live:   true,
			May:    []string{"capacity-mode"},
			Near:   true,
		},
		tracebench.Trace{
			Name:   "a list from small products of whose attributes only one changes, which is asked for",
			Tables: []plan.Table{productsTable(plan.All)},
			Seed:   someProducts(300, 60),
			Run:    catalogue(60, "price", tracebench.Project("productId, #n, price"), tracebench.Names("#n", "name")),
			May:    []string{"capacity-mode"},
			Near:   true,
		})

	_ = bench("index-key-churn",
		tracebench.Trace{
			Name:   "devices in the order in which they were seen last, at which somebody looks now and then",
			Tables: []plan.Table{devicesTable("seenAt")},
			Seed:   someDevices,
			Run:    reporting("seenAt", 30),
			Fires:  []string{"index-key-churn"},
			May:    []string{"capacity-mode"},
		},
		tracebench.Trace{
			Name:   "devices of an index that nobody looks at yet, of which only updates tell",
			Tables: []plan.Table{devicesTable("seenAt")},
			Seed:   someDevices,
			Run:    touching("seenAt", 20),
			Fires:  []string{"index-key-churn"},
			May:    []string{"capacity-mode"},
		},
		tracebench.Trace{
			Name:    "devices that report in transactions, by another client, of whose names the collector learns by gets",
			Tables:  []plan.Table{devicesTable("seenAt"), {Name: "Reports", Key: plan.Key{Partition: "reportId"}}},
			Seed:    someDevices,
			Foreign: true,
			Run: func(w *tracebench.World) {
				n := 0
				w.Traffic(4*time.Hour, 3_000, tracebench.Steady, func(c *tracebench.Caller) {
					n++
					c.Transact([]tracebench.Action{
						{Do: "Update", Table: "Devices", Item: tracebench.Item{"deviceId": fmt.Sprint("d", n%50)}, How: []tracebench.Option{
							tracebench.Set("SET seenAt = :t"), tracebench.Values(tracebench.Item{":t": int(w.Clock.Now().Unix())})}},
						{Do: "Put", Table: "Reports", Item: tracebench.Item{"reportId": fmt.Sprintf("r%06d", n), "text": "all is well"}},
					}, tracebench.Token(fmt.Sprint(n)))
					if n%30 == 0 {
						w.Caller().Get("Devices", tracebench.Item{"deviceId": fmt.Sprint("d", w.Rand.IntN(50))})
					}
					if n%300 == 0 {
						w.Caller().Query("Devices", "ByFleet", tracebench.Item{"fleet": "f1"})
					}
				})
			},
			Fires: []string{"index-key-churn"},
			May:   []string{"capacity-mode"},
		},
		tracebench.Trace{
			Name:   "a few of many devices that change their place all the time",
			Tables: []plan.Table{devicesTable("seenAt")},
			Seed: func(w *tracebench.World) {
				someDevices(w)
				for i := range 2_000 {
					w.Store("Devices", tracebench.Item{"deviceId": fmt.Sprint("old", i), "fleet": fmt.Sprint("f", i%3), "seenAt": 1})
				}
			},
			Run:   touching("seenAt", 60),
			Live:  true,
			Fires: []string{"index-key-churn"},
			May:   []string{"capacity-mode"},
		},
		tracebench.Trace{
			Name:   "devices of which a gateway tells ten at once, in a batch",
			Tables: []plan.Table{devicesTable("seenAt")},
			Run: func(w *tracebench.World) {
				n := 0
				w.Traffic(8*time.Hour, 400, tracebench.Steady, func(c *tracebench.Caller) {
					var told []tracebench.Item
					for range 10 {
						n++
						told = append(told, tracebench.Item{"deviceId": fmt.Sprint("d", n%80), "fleet": "f1", "seenAt": int(w.Clock.Now().Unix()), "battery": n % 100})
					}
					c.BatchWrite("Devices", told, nil)
					if n%500 == 0 {
						w.Caller().Query("Devices", "ByFleet", tracebench.Item{"fleet": "f1"}, tracebench.Limit(20), tracebench.Descending())
					}
				})
			},
			Fires: []string{"index-key-churn"},
			May:   []string{"capacity-mode", "unpaged"},
		},
		tracebench.Trace{
			Name:   "a ranking that everybody looks at",
			Tables: []plan.Table{devicesTable("score")},
			Seed:   someDevices,
			Run:    reporting("score", 900),
			May:    []string{"capacity-mode"},
			Near:   true,
		},
		tracebench.Trace{
			Name:   "charge that one device gives to another in a transaction, of an index that keeps its key",
			Tables: []plan.Table{{Name: "Devices", Key: plan.Key{Partition: "deviceId"}, GSI: map[string]plan.Index{"ByFleet": {Partition: []string{"fleet"}}}}},
			Seed:   someDevices,
			Run: func(w *tracebench.World) {
				n := 0
				w.Traffic(8*time.Hour, 1_500, tracebench.Steady, func(c *tracebench.Caller) {
					n++
					of := func(device, by int) tracebench.Action {
						return tracebench.Action{Do: "Update", Table: "Devices", Item: tracebench.Item{"deviceId": fmt.Sprint("d", device%50)}, How: []tracebench.Option{
							tracebench.Set("ADD battery :by"), tracebench.Values(tracebench.Item{":by": by})}}
					}
					c.Transact([]tracebench.Action{of(n, -1), of(n+7, 1)}, tracebench.Token(fmt.Sprint(n)))
					if n%200 == 0 {
						w.Caller().Query("Devices", "ByFleet", tracebench.Item{"fleet": "f1"})
					}
				})
			},
			May:  []string{"capacity-mode"},
			Near: true,
		},
		tracebench.Trace{
			Name:   "devices whose index does not have what changes",
			Tables: []plan.Table{devicesTable("deviceId")},
			Seed:   someDevices,
			Run:    reporting("battery", 200),
			May:    []string{"capacity-mode"},
			Near:   true,
		},
		tracebench.Trace{
			Name:   "devices in the order of the days on which they were seen",
			Tables: []plan.Table{{Name: "Devices", Key: plan.Key{Partition: "deviceId"}, GSI: map[string]plan.Index{"ByFleet": {Partition: []string{"fleet"}, Sort: []string{"seenDay"}, Project: plan.Keys}}}},
			Seed: func(w *tracebench.World) {
				for i := range 60 {
					w.Store("Devices", tracebench.Item{"deviceId": fmt.Sprint("d", i), "fleet": fmt.Sprint("f", i%3), "seenDay": "2026-01-01"})
				}
			},
			Run: func(w *tracebench.World) {
				w.Traffic(4*24*time.Hour, 6_000, tracebench.Steady, func(c *tracebench.Caller) {
					c.Update("Devices", tracebench.Item{"deviceId": fmt.Sprint("d", w.Rand.IntN(60))}, "SET seenDay = :t",
						tracebench.Values(tracebench.Item{":t": w.Clock.Now().Format("2006-01-02")}), tracebench.Pattern("report"))
				})
			},
			May:  []string{"capacity-mode"},
			Near: true,
		},
		tracebench.Trace{
			Name:   "devices that only updates tell of, of something that the index does not have",
			Tables: []plan.Table{devicesTable("seenAt")},
			Seed:   someDevices,
			Run:    touching("battery", 20),
			May:    []string{"capacity-mode"},
			Near:   true,
		},
		tracebench.Trace{
			Name:   "jobs that are queued and done",
			Tables: []plan.Table{statusTable("status")},
			Run:    working("", "queued", "done"),
			May:    []string{"capacity-mode", "unpaged", "hot-index-partition"},
			Near:   true,
		})

	_ = bench("sparse-index",
		tracebench.Trace{
			Name:      "jobs by status, of which only queued ones are asked for",
			Processes: 3,
			Tables:    []plan.Table{statusTable("status")},
			Run:       working("", "queued"),
			Fires:     []string{"sparse-index"},
			May:       []string{"capacity-mode", "unpaged", "hot-index-partition"},
			Remedied:  &tracebench.Remedied{Tables: []plan.Table{statusTable("queued")}, Run: working("queued", "queued")},
		},
		tracebench.Trace{
			Name:     "jobs by status, none of which is seen again when it is done",
			Tables:   []plan.Table{statusTable("status")},
			Run:      forgotten(""),
			Fires:    []string{"sparse-index"},
			May:      []string{"capacity-mode", "unpaged", "hot-index-partition"},
			Remedied: &tracebench.Remedied{Tables: []plan.Table{statusTable("queued")}, Run: forgotten("queued")},
		},
		tracebench.Trace{
			Name:     "jobs that are queued, running and done by updates, of which those that are queued or running are asked for",
			Tables:   []plan.Table{statusTable("status")},
			Run:      passing("", "queued", "running"),
			Fires:    []string{"sparse-index"},
			May:      []string{"capacity-mode", "unpaged", "hot-index-partition", "index-key-churn"},
			Remedied: &tracebench.Remedied{Tables: []plan.Table{statusTable("pending")}, Run: passing("pending", "queued", "running")},
		},
		tracebench.Trace{
			Name:     "the same where only queued ones are asked for",
			Tables:   []plan.Table{statusTable("status")},
			Run:      passing("", "queued"),
			Fires:    []string{"sparse-index"},
			May:      []string{"capacity-mode", "unpaged", "hot-index-partition", "index-key-churn"},
			Remedied: &tracebench.Remedied{Tables: []plan.Table{statusTable("pending")}, Run: passing("pending", "queued")},
		},
		tracebench.Trace{
			Name:   "the same where all are asked for",
			Tables: []plan.Table{statusTable("status")},
			Run:    passing("", "queued", "running", "done"),
			May:    []string{"capacity-mode", "unpaged", "hot-index-partition", "index-key-churn"},
			Near:   true,
		},
		tracebench.Trace{
			Name:   "lamps of which most are on, and those are asked for",
			Tables: []plan.Table{statusTable("status")},
			Run:    toggled,
			May:    []string{"capacity-mode", "unpaged", "hot-index-partition", "index-key-churn"},
			Near:   true,
		},
		tracebench.Trace{
			Name:     "jobs of which the few that are asked for are read over and over, among many that failed",
			Tables:   []plan.Table{statusTable("status")},
			Run:      failing(""),
			Fires:    []string{"sparse-index"},
			May:      []string{"capacity-mode", "unpaged", "hot-index-partition"},
			Remedied: &tracebench.Remedied{Tables: []plan.Table{statusTable("queued")}, Run: failing("queued")},
		},
		tracebench.Trace{
			Name:   "products of thirty categories, of which some are asked for a single time and others not yet",
			Tables: []plan.Table{productsTable(plan.All)},
			Seed:   someProducts(300, 60),
			Run: func(w *tracebench.World) {
				n := 0
				w.Traffic(24*time.Hour, 600, tracebench.Daily, func(c *tracebench.Caller) {
					n++
					if n%4 != 0 {
						c.Put("Products", product(w, 1_000+n, 60), tracebench.Pattern("addProduct"), tracebench.Times(500))
						return
					}
					category := 20 + w.Rand.IntN(9)
					if n%120 == 0 {
						category = n / 120
					}
					c.Query("Products", "ByCategory", tracebench.Item{"category": fmt.Sprint("c", category)}, tracebench.Limit(20), tracebench.Pattern("productsOfCategory"))
				})
			},
			May:  []string{"capacity-mode"},
			Near: true,
		},
		tracebench.Trace{
			Name:   "products of twenty-four categories, of which the same eight are asked for again and again",
			Tables: []plan.Table{productsTable(plan.All)},
			Seed:   someProducts(300, 24),
			Run: func(w *tracebench.World) {
				n := 0
				w.Traffic(24*time.Hour, 1_600, tracebench.Daily, func(c *tracebench.Caller) {
					n++
					if n%2 == 0 {
						c.Put("Products", product(w, 1_000+n, 24), tracebench.Pattern("addProduct"), tracebench.Times(500))
						return
					}
					category := fmt.Sprint("c", 3*w.Rand.IntN(8))
					c.Query("Products", "ByCategory", tracebench.Item{"category": category}, tracebench.Limit(20), tracebench.Pattern("productsOfCategory"))
				})
			},
			May:  []string{"capacity-mode"},
			Near: true,
		},
		tracebench.Trace{
			Name:   "jobs by status, of which all are asked for",
			Tables: []plan.Table{statusTable("status")},
			Run:    working("", "queued", "done"),
			May:    []string{"capacity-mode", "unpaged", "hot-index-partition"},
			Near:   true,
		},
		tracebench.Trace{
			Name:   "products of many categories, of which some are not asked for yet",
			Tables: []plan.Table{productsTable(plan.All)},
			Seed:   someProducts(300, 60),
			Run:    catalogue(60, "price"),
			May:    []string{"capacity-mode"},
			Near:   true,
		})
)
