package rules_test

import (
	"fmt"
	"strings"
	"time"

	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/stats/rules/internal/tracebench"
)

// parcelTables is a table of parcels with an index by these attributes.
func parcelTables(index plan.Index) []plan.Table {
	return []plan.Table{{Name: "Parcels", Key: plan.Key{Partition: "PK", Sort: "SK"}, GSI: map[string]plan.Index{"ByRoute": index}}}
}

var routeIndex = plan.Index{Partition: []string{"GSI1PK"}, Sort: []string{"GSI1SK"}}

// sendParcels has callers add parcels, with index attributes made by key, and ask for those of a route.
func sendParcels(key func(n int, parcel tracebench.Item) tracebench.Item, partition ...string) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		var last tracebench.Item
		n := 0
		w.Mix(3*time.Hour, tracebench.Daily,
			tracebench.Kind{Callers: 300, Do: func(c *tracebench.Caller) {
				n++
				parcel := tracebench.Item{"PK": fmt.Sprintf("parcel#%05d", n), "SK": "parcel", "tenant": fmt.Sprintf("t%02d", w.Rand.IntN(20)), "region": []string{"eu", "us", "asia"}[w.Rand.IntN(3)],
					"state": []string{"new", "sent", "there"}[w.Rand.IntN(3)], "sentAt": w.Clock.Now().Format(time.RFC3339Nano), "grams": w.Rand.IntN(5000), "note": tracebench.Text(50)}
				parcel = with(parcel, key(n, parcel))
				last = tracebench.Item{}
				for _, name := range partition {
					last[name] = parcel[name]
				}
				c.Put("Parcels", parcel, tracebench.Pattern("addParcel"), tracebench.If("attribute_not_exists(PK)"))
			}},
			tracebench.Kind{Callers: 150, Do: func(c *tracebench.Caller) {
				if last != nil {
					c.Query("Parcels", "ByRoute", last, tracebench.Pattern("ofRoute"))
				}
			}})
	}
}

func textOf(item tracebench.Item, name string) string { s, _ := item[name].(string); return s }

// gluedRoute is the key of the index as one writes it without attributes of several.
func gluedRoute(_ int, p tracebench.Item) tracebench.Item {
	return tracebench.Item{"GSI1PK": "t#" + textOf(p, "tenant") + "#r#" + textOf(p, "region"), "GSI1SK": textOf(p, "state") + "#" + textOf(p, "sentAt")}
}

var _ = bench("concatenated-keys",
	tracebench.Trace{
		Name: "parcels by tenant and region, state and time", Tables: parcelTables(routeIndex), Run: sendParcels(gluedRoute, "GSI1PK"),
		Fires: []string{"concatenated-keys"}, May: []string{"wide-index", "over-fetching"},
	},
	tracebench.Trace{
		Name: "a plain partition key and a glued sort key", Tables: parcelTables(plan.Index{Partition: []string{"tenant"}, Sort: []string{"stateSentAt"}}),
		Run: sendParcels(func(_ int, p tracebench.Item) tracebench.Item {
			return tracebench.Item{"stateSentAt": textOf(p, "state") + "|" + textOf(p, "sentAt")}
		}, "tenant"),
		Fires: []string{"concatenated-keys"}, May: []string{"wide-index", "over-fetching"},
	},
	tracebench.Trace{
		Name: "a glued sort key that ends with the parcel's own identifier", Tables: parcelTables(plan.Index{Partition: []string{"tenant"}, Sort: []string{"stateSentAt"}}),
		Run: sendParcels(func(_ int, p tracebench.Item) tracebench.Item {
			_, id, _ := strings.Cut(textOf(p, "PK"), "#")
			return tracebench.Item{"stateSentAt": "STATE#" + textOf(p, "state") + "#AT#" + textOf(p, "sentAt") + "#ID#" + id}
		}, "tenant"),
		Fires: []string{"concatenated-keys"}, May: []string{"wide-index", "over-fetching"},
	},
	tracebench.Trace{
		Name: "a glued number that is another number of the parcel by chance now and then", Tables: parcelTables(plan.Index{Partition: []string{"regionRound"}}),
		Run: sendParcels(func(n int, p tracebench.Item) tracebench.Item {
			round := n / 11 % 7
			return tracebench.Item{"round": round, "gate": n % 6, "regionRound": fmt.Sprintf("R#%s#N#%d", textOf(p, "region"), round)}
		}, "regionRound"),
		Fires: []string{"concatenated-keys"}, May: []string{"wide-index", "over-fetching"},
	},
	tracebench.Trace{
		Name: "a glued sort key that says the tenant of the partition once more", Tables: parcelTables(routeIndex),
		Run: sendParcels(func(_ int, p tracebench.Item) tracebench.Item {
			return tracebench.Item{"GSI1PK": "t#" + textOf(p, "tenant"), "GSI1SK": "t#" + textOf(p, "tenant") + "#" + textOf(p, "sentAt")}
		}, "GSI1PK"),
		Fires: []string{"concatenated-keys"}, May: []string{"wide-index", "over-fetching"},
	},
	tracebench.Trace{
		Name: "the attributes themselves", Tables: parcelTables(plan.Index{Partition: []string{"tenant", "region"}, Sort: []string{"state", "sentAt"}}), Near: true,
		Run: sendParcels(func(int, tracebench.Item) tracebench.Item { return nil }, "tenant", "region"), May: []string{"wide-index", "over-fetching"},
	},
	tracebench.Trace{
		Name: "one attribute behind a prefix", Tables: parcelTables(routeIndex), Near: true,
		Run: sendParcels(func(_ int, p tracebench.Item) tracebench.Item {
			return tracebench.Item{"GSI1PK": "tenant#" + textOf(p, "tenant"), "GSI1SK": textOf(p, "sentAt")}
		}, "GSI1PK"), May: []string{"wide-index", "over-fetching"},
	},
	tracebench.Trace{
		Name: "an index that two kinds of items share", Tables: parcelTables(routeIndex), Near: true,
		Run: sendParcels(func(n int, p tracebench.Item) tracebench.Item {
			if n%2 == 0 {
				return gluedRoute(n, p)
			}
			return tracebench.Item{"GSI1PK": "day#" + textOf(p, "sentAt")[:10], "GSI1SK": "g#" + fmt.Sprint(p["grams"])}
		}, "GSI1PK"), May: []string{"wide-index", "over-fetching"},
	},
	tracebench.Trace{
		Name: "a glued key that ends with a number of its own", Tables: parcelTables(plan.Index{Partition: []string{"tenant"}, Sort: []string{"stateGate"}}), Near: true,
		Run: sendParcels(func(n int, p tracebench.Item) tracebench.Item {
			return tracebench.Item{"stateGate": fmt.Sprintf("%s#%s#%d", textOf(p, "state"), textOf(p, "region"), n%7)}
		}, "tenant"), May: []string{"wide-index", "over-fetching"},
	},
	tracebench.Trace{
		Name: "a glued key whose parts the item does not have", Tables: parcelTables(routeIndex), Near: true,
		Run: sendParcels(func(n int, p tracebench.Item) tracebench.Item {
			return tracebench.Item{"GSI1PK": fmt.Sprintf("depot#%d#gate#%d", n%7, n%11), "GSI1SK": textOf(p, "sentAt")}
		}, "GSI1PK"), May: []string{"wide-index", "over-fetching"},
	},
)
