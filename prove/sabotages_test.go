package prove_test

import (
	"maps"
	"regexp"
	"slices"
	"testing"

	"github.com/tablewright/tablewright/plan"
)

// sabotages, every kind in which models go wrong.
var sabotages = []sabotage{
	// --- keys and indexes ---
	{
		name: "an index attribute is dropped",
		breakIt: func(t *testing.T, m *plan.Model) {
			editItem(t, m, "OrderItem", func(it *plan.Item) {
				it.Set = maps.Clone(it.Set)
				delete(it.Set, "GSI1-SK")
			})
		},
		patterns: []string{"getOrderByProductIdForDateRange"},
		compiler: []string{"no GSI1-SK"},
		data:     []string{"no plan for it that can be run"},
	},
	{
		name: "an index attribute is lost on the way", app: tracker,
		fault:    onWrite(regexp.MustCompile(`,"open":\{"S":"[^"]*"\}`), ""),
		patterns: []string{"listOpenIssues"},
		data:     []string{"items are missing"},
	},
	{
		name: "sort parts are swapped", app: tracker,
		breakIt: func(t *testing.T, m *plan.Model) {
			editItem(t, m, "Comment", func(it *plan.Item) {
				it.Key = maps.Clone(it.Key)
				it.Key["SK"] = "{text}#{at:iso}#{commentId}"
			})
		},
		patterns: []string{"listComments"},
		compiler: []string{"another order"},
		data:     []string{"in the wrong place: the order is at"},
	},
	{
		name: "a sort key forgets a part", app: tracker,
		breakIt: func(t *testing.T, m *plan.Model) {
			editItem(t, m, "Issue", func(it *plan.Item) {
				it.Key = maps.Clone(it.Key)
				it.Key["SK"] = "{points:pad6}"
			})
		},
		patterns: []string{"listIssues", "getIssue", "Issue"},
		compiler: []string{"does not contain number"},
		data:     []string{"no plan for it that can be run", "should have been done", "missing"},
	},
	{
		name: "a time has a variable width", app: tracker,
		fault:    onWrite(regexp.MustCompile(`("openedAt":\{"S":"[^"]*)\.000Z"`), `${1}Z"`),
		patterns: []string{"listOpenIssues", "listAssigned"},
		data:     []string{"wrong place", "other contents"},
	},
	{
		name: "a number has a variable width", app: tracker,
		breakIt: func(t *testing.T, m *plan.Model) {
			editItem(t, m, "Issue", func(it *plan.Item) {
				it.Key = maps.Clone(it.Key)
				it.Key["SK"] = "{number}"
			})
		},
		patterns: []string{"Issue"},
		compiler: []string{"name a codec"},
	},
	{
		name: "a shard is missing", app: tracker,
		fault:    onRead("Query", regexp.MustCompile(`"(push|merge|release)#2"`), `"$1#9"`),
		patterns: []string{"recentActivity"},
		data:     []string{"missing", "not among", "less than the pattern's"},
	},
	{
		name: "the shards are not gathered", app: tracker,
		breakIt: func(t *testing.T, m *plan.Model) {
			editStep(t, m, "recentActivity", "a", func(s *plan.Step) { s.Scatter = "" })
		},
		patterns: []string{"recentActivity"},
		compiler: []string{"shard"},
		data:     []string{"no plan for it that can be run"},
	},
	{
		name: "a sparse index takes in too little", app: tracker,
		breakIt: func(t *testing.T, m *plan.Model) {
			editItem(t, m, "Issue", func(it *plan.Item) {
				it.Set = maps.Clone(it.Set)
				it.Set["open"] = plan.Template{Value: "{projectId}", When: "state = open"}
			})
		},
		patterns: []string{"listOpenIssues"},
		compiler: []string{"state"},
		data:     []string{"missing", "no plan for it that can be run"},
	},
	{
		name: "a projection lacks what is asked",
		breakIt: func(t *testing.T, m *plan.Model) {
			x := m.Tables[0].GSI["GSI1"]
			x.Project = plan.Keys
			m.Tables[0].GSI["GSI1"] = x
		},
		patterns: []string{"getInvoiceByInvoiceId"},
		compiler: []string{"does not project it"},
		data:     []string{"is missing"},
	},

	// --- conditions ---
	{
		name: "a guard of states is lost",
		breakIt: func(t *testing.T, m *plan.Model) {
			editStep(t, m, "updateOrderStatus", "u", func(s *plan.Step) { s.If = without(s.If, "before") })
		},
		patterns: []string{"updateOrderStatus"},
		compiler: []string{"only moves forward"},
		data:     []string{"should have been refused"},
	},
	{
		name: "a condition inside a transaction is lost",
		breakIt: func(t *testing.T, m *plan.Model) {
			editStep(t, m, "placeOrder", "tx", func(s *plan.Step) {
				s.Transact = slices.Clone(s.Transact)
				for i := range s.Transact {
					s.Transact[i].If = without(s.Transact[i].If, "quantity")
				}
			})
		},
		patterns: []string{"placeOrder"},
		compiler: []string{"demands quantity >= $each.quantity"},
		data:     []string{"should have been refused"},
	},
	{
		name: "a create overwrites",
		breakIt: func(t *testing.T, m *plan.Model) {
			editStep(t, m, "createProduct", "p", func(s *plan.Step) { s.If = nil })
		},
		patterns: []string{"createProduct"},
		compiler: []string{"does not refuse a second one"},
		data:     []string{"should have been refused"},
	},
	{
		name: "a version is not asked for", app: tracker,
		breakIt: func(t *testing.T, m *plan.Model) {
			editStep(t, m, "changeEmail", "tx", func(s *plan.Step) {
				s.Transact = slices.Clone(s.Transact)
				s.Transact[0].If = without(s.Transact[0].If, "revision")
			})
		},
		patterns: []string{"changeEmail"},
		compiler: []string{"revision"},
		data:     []string{"should have been refused"},
	},
	{
		name: "what a write read is not checked again", app: tracker,
		breakIt: func(t *testing.T, m *plan.Model) {
			editStep(t, m, "moveHook", "tx", func(s *plan.Step) {
				s.Transact = slices.Clone(s.Transact)
				s.Transact[0].If = without(s.Transact[0].If, "url")
			})
		},
		patterns: []string{"moveHook", "addHook", "getHookByUrl"},
		compiler: []string{"nothing checks it again"},
		data:     []string{"unique", "should have been done", "missing", "not among", "refused"},
	},

	// --- what must be kept true together ---
	{
		name: "a write forgets an item",
		breakIt: func(t *testing.T, m *plan.Model) {
			editStep(t, m, "createShipment", "tx", func(s *plan.Step) { s.Transact = s.Transact[:1] })
		},
		patterns: []string{"createShipment", "getShipmentDetailsByShipmentId"},
		compiler: []string{"does not put ShipmentItem"},
		data:     []string{"items differs"},
	},
	{
		name: "a copy is forgotten", app: tracker,
		breakIt: func(t *testing.T, m *plan.Model) {
			editStep(t, m, "renameUser", "tx", func(s *plan.Step) { s.Transact = s.Transact[:1] })
		},
		patterns: []string{"renameUser", "listMembers", "listProjectsOfUser"},
		compiler: []string{"keeps the copy"},
		data:     []string{"userName differs"},
	},
	{
		name: "a copy comes while others are written anew", app: tracker,
		breakIt: func(t *testing.T, m *plan.Model) {
			editStep(t, m, "renameUser", "tx", func(s *plan.Step) {
				s.Transact = slices.Clone(s.Transact)
				s.Transact[0].Still = ""
			})
		},
		patterns: []string{"renameUser", "addMember", "listMembers", "listProjectsOfUser"},
		compiler: []string{"misses what addMember brings in between"},
		data:     []string{"userName differs, after calls of renameUser and addMember at once about one User"},
	},
	{
		name: "a new copy renews no stamp", app: tracker,
		breakIt: func(t *testing.T, m *plan.Model) {
			editStep(t, m, "addMember", "tx", func(s *plan.Step) {
				s.Transact = slices.Clone(s.Transact)
				s.Transact[1].Check, s.Transact[1].Update, s.Transact[1].Stamp = s.Transact[1].Update, "", false
			})
		},
		patterns: []string{"renameUser", "addMember", "listMembers", "listProjectsOfUser"},
		compiler: []string{"that renameUser does not find if it comes between its steps"},
		data:     []string{"userName differs, after calls of renameUser and addMember at once about one User"},
	},
	{
		name: "a unique marker is dropped", app: tracker,
		breakIt: func(t *testing.T, m *plan.Model) {
			editStep(t, m, "registerUser", "tx", func(s *plan.Step) { s.Transact = s.Transact[:1] })
		},
		patterns: []string{"registerUser", "getUserByEmail"},
		compiler: []string{"marker UserEmail"},
		data:     []string{"should have been refused", "missing"},
	},
	{
		name: "a unique marker is not released", app: tracker,
		breakIt: func(t *testing.T, m *plan.Model) {
			editStep(t, m, "removeHook", "tx", func(s *plan.Step) { s.Transact = s.Transact[:1] })
		},
		patterns: []string{"removeHook", "addHook", "moveHook"},
		compiler: []string{"marker HookUrl stays"},
		data:     []string{"should have been done", "units"},
	},
	{
		name: "a counter is forgotten", app: tracker,
		breakIt: func(t *testing.T, m *plan.Model) {
			editStep(t, m, "deleteIssue", "tx", func(s *plan.Step) { s.Transact = s.Transact[:2] })
		},
		patterns: []string{"deleteIssue", "getProject"},
		compiler: []string{"issueCount"},
		data:     []string{"issueCount differs"},
	},
	{
		name: "children outlive their parent", app: tracker,
		breakIt: func(t *testing.T, m *plan.Model) {
			editStep(t, m, "deleteIssue", "tx", func(s *plan.Step) {
				s.Transact = []plan.Step{s.Transact[0], s.Transact[2]}
			})
		},
		patterns: []string{"deleteIssue", "listComments"},
		compiler: []string{"does not delete Comment"},
		data:     []string{"not among", "items instead of", "stays", "has never"},
	},
	{
		name: "several writes are not one", app: tracker,
		breakIt: func(t *testing.T, m *plan.Model) {
			p := planOf(t, m, "registerUser")
			tx := p.Steps["tx"]
			second := tx.Transact[1]
			second.After = []string{"a"}
			p.Steps = map[string]plan.Step{"a": tx.Transact[0], "b": second}
		},
		patterns: []string{"registerUser"},
		compiler: []string{"all or not at all"},
		data:     []string{"refused write has changed"},
	},

	// --- reading ---
	{
		name: "a collection is cut",
		breakIt: func(t *testing.T, m *plan.Model) {
			editStep(t, m, "getProductInventoryByProductId", "i", func(s *plan.Step) { s.Evaluate = 5 })
		},
		patterns: []string{"getProductInventoryByProductId"},
		compiler: []string{"stops after 5 items"},
		data:     []string{"items are missing"},
	},
	{
		name: "a filter comes after the limit", app: tracker,
		breakIt: func(t *testing.T, m *plan.Model) {
			editStep(t, m, "listAssigned", "i", func(s *plan.Step) { s.Filter = "points < 50" })
			r := planOf(t, m, "listAssigned")
			r.Answer.Keep = ""
		},
		patterns: []string{"listAssigned"},
		compiler: []string{"points"},
		data:     []string{"missing", "not among"},
	},
	{
		name: "a page is cut before its filter", app: tracker,
		breakIt: func(t *testing.T, m *plan.Model) {
			editStep(t, m, "listIssues", "i", func(s *plan.Step) { s.Evaluate = 4 })
			planOf(t, m, "listIssues").Answer.Page = 0
		},
		patterns: []string{"listIssues"},
		compiler: []string{"page", "stops after"},
		data:     []string{"missing", "less than the pattern's", "no plan for it that can be run"},
	},
	{
		name: "a range leaves out its end",
		breakIt: func(t *testing.T, m *plan.Model) {
			editStep(t, m, "getInvoiceByCustomerIdForDateRange", "i", func(s *plan.Step) {
				s.Where = maps.Clone(s.Where)
				s.Where["invoicedAt"] = plan.Range{From: "$from", Before: "$to"}
			})
		},
		patterns: []string{"getInvoiceByCustomerIdForDateRange"},
		compiler: []string{"asks for invoicedAt <= $to"},
		data:     []string{"missing", "wrong place"},
	},
	{
		name: "a query overlooks what else lies in its range",
		breakIt: func(t *testing.T, m *plan.Model) {
			editStep(t, m, "getOrderDetailsByOrderId", "o", func(s *plan.Step) {
				s.Items = slices.DeleteFunc(slices.Clone(s.Items), func(name string) bool { return name == "Invoice" })
			})
		},
		patterns: []string{"getOrderDetailsByOrderId"},
		compiler: []string{"Invoice can fall into the range"},
		data:     []string{"invoice is missing"},
	},
	{
		name: "a page forgets its order",
		breakIt: func(t *testing.T, m *plan.Model) {
			editStep(t, m, "getShipmentByWarehouseId", "s", func(s *plan.Step) { s.Order = "ascending" })
		},
		patterns: []string{"getShipmentByWarehouseId"},
		compiler: []string{"another order"},
		data:     []string{"wrong place: the order is createdAt descending"},
	},
	{
		name: "a cursor skips an item", app: tracker,
		fault:    staleCursor(),
		patterns: []string{"listComments", "listOpenIssues"},
		data:     []string{"missing", "answered before", "no end after"},
	},
	{
		name: "an answer is not filtered by what expires", app: tracker,
		fault:    onWrite(regexp.MustCompile(`"expiresAt":\{"S":"20`), `"expiresAt":{"S":"29`),
		patterns: []string{"getActivity", "recentActivity"},
		data:     []string{"other contents", "not among", "items instead"},
	},
	{
		name: "a strong read is made eventual",
		breakIt: func(t *testing.T, m *plan.Model) {
			editStep(t, m, "updateOrderStatus", "o", func(s *plan.Step) { s.Consistent = false })
		},
		patterns: []string{"updateOrderStatus"},
		compiler: []string{"not consistent"},
		data:     []string{"refused as missing and should have been done"},
	},
	// --- entities in several items ---
	{
		name: "a part of a new entity is not put", app: museum,
		breakIt:  withoutAction("acquire", func(s plan.Step) bool { return s.Put == "Visits" }),
		patterns: []string{"exhibit", "acquire"},
		compiler: []string{"does not put Visits"},
		data:     []string{"missing"},
	},
	{
		name: "a read forgets a part", app: museum,
		breakIt: func(t *testing.T, m *plan.Model) {
			planOf(t, m, "exhibit").Answer.From = []string{"e", "v"}
		},
		patterns: []string{"exhibit"},
		compiler: []string{"returns loan"},
		data:     []string{"loan is missing"},
	},
	{
		name: "a condition on another part is not asked", app: museum,
		breakIt:  withoutAction("revalue", func(s plan.Step) bool { return s.Check == "Visits" }),
		patterns: []string{"revalue"},
		compiler: []string{"demands visits >= $least"},
		data:     []string{"should have been refused"},
	},
	{
		name: "a part stays behind", app: museum,
		breakIt:  withoutAction("sell", func(s plan.Step) bool { return s.Delete == "Label" }),
		patterns: []string{"sell"},
		compiler: []string{"does not delete Label"},
	},
	{
		name: "what changes one part does not count on the version in another", app: museum,
		breakIt:  withoutAction("reprint", func(s plan.Step) bool { return s.Update == "Guide" }),
		patterns: []string{"reprint", "guide"},
		compiler: []string{"does not update Guide"},
		data:     []string{"revision differs", "should have been refused"},
	},
	{
		name: "a part is lost on the way", app: museum,
		fault:    onWrite(regexp.MustCompile(`"loan#`), `"lost#`),
		patterns: []string{"exhibit"},
		data:     []string{"missing"},
	},
}

// withoutAction leaves an action out of the only transaction of a plan.
func withoutAction(pattern string, drop func(plan.Step) bool) func(*testing.T, *plan.Model) {
	return func(t *testing.T, m *plan.Model) {
		editStep(t, m, pattern, "w", func(s *plan.Step) {
			n := len(s.Transact)
			if s.Transact = slices.DeleteFunc(slices.Clone(s.Transact), drop); len(s.Transact) != n-1 {
				t.Fatalf("%s has no such action", pattern)
			}
		})
	}
}
