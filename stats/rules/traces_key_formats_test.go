package rules_test

import (
	"fmt"
	"strings"
	"time"

	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/stats/rules/internal/tracebench"
)

var oneKeyTables = []plan.Table{{Name: "Everything", Key: plan.Key{Partition: "PK"}}}

var mixedTables = []plan.Table{{Name: "Everything", Key: plan.Key{Partition: "PK", Sort: "SK"}}}

// putKinds has callers put items that kind makes, the nth of them.
func putKinds(kind func(n int) tracebench.Item) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		n := 0
		w.Traffic(2*time.Hour, 500, tracebench.Daily, func(c *tracebench.Caller) {
			n++
			c.Put("Everything", kind(n), tracebench.Pattern("put"), tracebench.If("attribute_not_exists(PK)"))
		})
	}
}

// aUser is a user whose key has these words before his number.
func aUser(n int, prefix, sort string) tracebench.Item {
	return tracebench.Item{"PK": fmt.Sprintf("%s%05d", prefix, n), "SK": sort, "userId": fmt.Sprintf("%05d", n), "mail": fmt.Sprintf("u%d@example.com", n), "about": tracebench.Text(40)}
}

// anOrder is an order of a user.
func anOrder(n int, prefix string) tracebench.Item {
	return tracebench.Item{"PK": fmt.Sprintf("USER#%05d", n%50), "SK": fmt.Sprintf("%s%06d", prefix, n), "orderId": fmt.Sprintf("%06d", n), "total": n % 700, "state": "placed"}
}

var someNames = strings.Fields("ada Bob cara_lee DON eve.fox finn-gale Gus HAL ida_2 joe")

var slugWords = strings.Fields("amber basin cedar delta ember fjord grove haven inlet jetty knoll ledge marsh north ocean pearl quartz ridge stone thorn")

var _ = bench("key-formats",
	tracebench.Trace{
		Name: "USER# of one program, user# of another", Tables: mixedTables,
		Run: putKinds(func(n int) tracebench.Item {
			if n%5 == 0 {
				return aUser(n, "user#", "profile")
			}
			return aUser(n, "USER#", "profile")
		}),
		Fires: []string{"key-formats"},
	},
	tracebench.Trace{
		Name: "two separators in the sort key of orders, beside users", Tables: mixedTables,
		Run: putKinds(func(n int) tracebench.Item {
			switch n % 6 {
			case 0, 1:
				return aUser(n, "USER#", "PROFILE")
			case 2:
				return anOrder(n, "ORDER_")
			}
			return anOrder(n, "ORDER#")
		}),
		Fires: []string{"key-formats"},
	},
	tracebench.Trace{
		Name: "users, some without the prefix", Tables: mixedTables,
		Run: putKinds(func(n int) tracebench.Item {
			if n%4 == 0 {
				return aUser(n, "", "profile")
			}
			return aUser(n, "user#", "profile")
		}),
		Fires: []string{"key-formats"},
	},
	tracebench.Trace{
		Name: "a prefix that is shortened, of items that say what kind they are of", Tables: mixedTables,
		Run: putKinds(func(n int) tracebench.Item {
			prefix := "CUSTOMER#"
			if n%4 == 0 {
				prefix = "CUST#"
			}
			return tracebench.Item{"PK": fmt.Sprintf("%s%08x", prefix, uint32(n)*2654435761), "SK": "PROFILE", "type": "customer", "mail": fmt.Sprintf("u%d@example.com", n)}
		}),
		Fires: []string{"key-formats"},
	},
	tracebench.Trace{
		Name: "the same of items that do not say so, and have all else in common", Tables: mixedTables,
		Run: putKinds(func(n int) tracebench.Item {
			prefix := "CUSTOMER#"
			if n%4 == 0 {
				prefix = []string{"CSTMR#", ""}[n/4%2]
			}
			return tracebench.Item{"PK": fmt.Sprintf("%s%08x", prefix, uint32(n)*2654435761), "SK": "PROFILE", "mail": fmt.Sprintf("u%d@example.com", n)}
		}),
		Fires: []string{"key-formats"},
	},
	tracebench.Trace{
		Name: "policies by one key, some without its prefix", Tables: oneKeyTables,
		Run: putKinds(func(n int) tracebench.Item {
			prefix := "POLICY#"
			if n%6 == 0 {
				prefix = ""
			}
			return tracebench.Item{"PK": fmt.Sprintf("%s%08x", prefix, uint32(n)*2654435761), "holder": tracebench.Text(20), "sum": n}
		}),
		Fires: []string{"key-formats"},
	},
	tracebench.Trace{
		Name: "the same, and claims among them, that say what kind they are of", Tables: oneKeyTables,
		Run: putKinds(func(n int) tracebench.Item {
			prefix, kind := "POLICY#", "policy"
			switch {
			case n%6 == 0:
				prefix = ""
			case n%3 == 0:
				prefix, kind = "CLAIM#", "claim"
			}
			return tracebench.Item{"PK": fmt.Sprintf("%s%08x", prefix, uint32(n)*2654435761), "type": kind, "sum": n}
		}),
		Fires: []string{"key-formats"},
	},
	tracebench.Trace{
		Name: "copies of all kinds by one key, whose kinds stand before #", Tables: oneKeyTables, Near: true,
		Run: putKinds(func(n int) tracebench.Item {
			return tracebench.Item{"PK": fmt.Sprintf("%s%06d", []string{"user#", "team#", "prefs#", ""}[n%4], n), "value": tracebench.Text(50), "made": n}
		}),
	},
	tracebench.Trace{
		Name: "slugs of two words that people chose, and a number", Tables: oneKeyTables, Near: true,
		Run: putKinds(func(n int) tracebench.Item {
			h := uint32(n) * 2654435761
			first, second := slugWords[h>>20%20], slugWords[h>>12%20]
			if h>>16%5 == 0 {
				first = "the"
			}
			if h>>8%4 == 0 {
				first = strings.ToUpper(first[:1]) + first[1:]
			}
			return tracebench.Item{"PK": fmt.Sprint(first, "-", second, n), "episodes": n, "title": tracebench.Text(20)}
		}),
	},
	tracebench.Trace{
		Name: "vouchers whose codes users chose, some before a hyphen", Tables: oneKeyTables, Near: true,
		Run: putKinds(func(n int) tracebench.Item {
			return tracebench.Item{"PK": fmt.Sprintf("%s%06d", []string{"SUMMER-", ""}[n%2], n), "type": "voucher", "cents": n}
		}),
	},
	tracebench.Trace{
		Name: "a prefix that is the type of some as it is written, in capitals of others", Tables: mixedTables,
		Run: putKinds(func(n int) tracebench.Item {
			prefix := "MOVE#"
			if n%5 == 0 {
				prefix = "Move#"
			}
			return tracebench.Item{"PK": fmt.Sprint("GAME#", n%40), "SK": fmt.Sprintf("%s%06d", prefix, n), "type": "Move", "square": "e4"}
		}),
		Fires: []string{"key-formats"},
	},
	tracebench.Trace{
		Name: "a prefix of two words, which some write as one", Tables: mixedTables,
		Run: putKinds(func(n int) tracebench.Item {
			return tracebench.Item{"PK": fmt.Sprintf("%s%08x", []string{"SEED_LOT#", "SEED_LOT#", "SEEDLOT#"}[n%3], uint32(n)*2654435761), "SK": "LOT", "grams": n}
		}),
		Fires: []string{"key-formats"},
	},
	tracebench.Trace{
		Name: "bags of blood by their groups, which are told apart by a sign", Tables: mixedTables, Near: true,
		Run: putKinds(func(n int) tracebench.Item {
			return tracebench.Item{"PK": fmt.Sprintf("BAG#%s#%08x", []string{"A+", "A-", "B+", "0-", "AB+", "AB-"}[n%6], uint32(n)*2654435761), "SK": "info", "ml": 450}
		}),
	},
	tracebench.Trace{
		Name: "one of thirty in small letters", Tables: mixedTables,
		Run: putKinds(func(n int) tracebench.Item {
			if n%30 == 0 {
				return aUser(n, "user#", "profile")
			}
			return aUser(n, "USER#", "profile")
		}),
		Fires: []string{"key-formats"},
	},
	tracebench.Trace{
		Name: "users and what they prefer, whose prefixes begin alike, and nothing says what they are", Tables: mixedTables, Near: true,
		Run: putKinds(func(n int) tracebench.Item {
			if n%2 == 0 {
				return tracebench.Item{"PK": fmt.Sprintf("USER#%08x", uint32(n)*2654435761), "SK": "PROFILE", "value": "a", "since": n}
			}
			return tracebench.Item{"PK": fmt.Sprintf("USERPREFS#%08x", uint32(n)*2654435761), "SK": "PREFS", "value": "b", "since": n}
		}),
	},
	tracebench.Trace{
		Name: "results of builds, whose repositories have a letter and a hexadecimal number for a name", Tables: mixedTables, Near: true,
		Run: putKinds(func(n int) tracebench.Item {
			return tracebench.Item{"PK": fmt.Sprintf("r%08x/%07d", uint32(n%25)*2654435761, n), "SK": fmt.Sprint("case#", n%20), "ms": n % 900, "ok": true}
		}),
	},
	tracebench.Trace{
		Name: "copies of all kinds in a table by one key", Tables: oneKeyTables, Near: true,
		Run: putKinds(func(n int) tracebench.Item {
			return tracebench.Item{"PK": fmt.Sprintf("%s%06d", []string{"user:", "users:", "userprefs:", ""}[n%4], n), "value": tracebench.Text(50), "made": n}
		}),
	},
	tracebench.Trace{
		Name: "orders and order lines, whose prefixes begin alike", Tables: mixedTables, Near: true,
		Run: putKinds(func(n int) tracebench.Item {
			kind := []string{"ORDER", "ORDERLINE"}[n%2]
			return tracebench.Item{"PK": fmt.Sprintf("%s#%08x", kind, uint32(n)*2654435761), "SK": "DATA", "type": kind, "total": n % 70}
		}),
	},
	tracebench.Trace{
		Name: "two kinds of items, each with a prefix of its own", Tables: mixedTables, Near: true,
		Run: putKinds(func(n int) tracebench.Item {
			if n%2 == 0 {
				return anOrder(n, "order#")
			}
			return aUser(n, "USER#", "PROFILE")
		}),
	},
	tracebench.Trace{
		Name: "names that users chose for themselves", Tables: mixedTables, Near: true,
		Run: putKinds(func(n int) tracebench.Item {
			return tracebench.Item{"PK": fmt.Sprint(someNames[n%len(someNames)], n), "SK": "profile", "mail": fmt.Sprintf("u%d@example.com", n), "about": tracebench.Text(40)}
		}),
	},
	tracebench.Trace{
		Name: "posts under their title, as long as it is", Tables: mixedTables, Near: true,
		Run: putKinds(func(n int) tracebench.Item {
			words := []string{"a-day", "a-day-at-sea", "Rain", "rain-and-Snow-of-2026", "why_not"}
			return tracebench.Item{"PK": fmt.Sprint("post#", words[n%len(words)], "-", n), "SK": "post", "text": tracebench.Text(60), "since": n}
		}),
	},
	tracebench.Trace{
		Name: "one of two hundred that somebody made by hand", Tables: mixedTables, Near: true,
		Run: putKinds(func(n int) tracebench.Item {
			if n%200 == 0 {
				return aUser(n, "User:", "profile")
			}
			return aUser(n, "user#", "profile")
		}),
	},
)
