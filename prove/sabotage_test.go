package prove_test

import (
	"bytes"
	"context"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/prove"
	"github.com/tablewright/tablewright/spec"
)

// A sabotage breaks a proven model in one way, or what runs it. The data must show it wherever the program can still
// run: in one of the patterns, with a cause in words that contain one of those given. What breaks a model's document must
// be told by the compiler of models too, by name and cause.
type sabotage struct {
	name     string
	app      func(t testing.TB) (*plan.Model, *spec.Requirements) // nil: the online shop
	breakIt  func(t *testing.T, m *plan.Model)
	fault    tablewright.Hook // breaks requests or answers instead of the model
	patterns []string
	compiler []string // words of a cause that the compiler tells; nil: it cannot know
	data     []string // words of a cause that the data show; nil: the program cannot run, or the data cannot differ
}

func planOf(t *testing.T, m *plan.Model, name string) *plan.Plan {
	t.Helper()
	i := slices.IndexFunc(m.Plans, func(p plan.Plan) bool { return p.Name == name })
	if i < 0 {
		t.Fatalf("the model has no plan %s", name)
	}
	return &m.Plans[i]
}

// editItem changes an item of the model's only table.
func editItem(t *testing.T, m *plan.Model, name string, edit func(it *plan.Item)) {
	t.Helper()
	for i := range m.Tables {
		if it, ok := m.Tables[i].Items[name]; ok {
			edit(&it)
			m.Tables[i].Items[name] = it
			return
		}
	}
	t.Fatalf("the model has no item %s", name)
}

// editStep changes a step of a plan.
func editStep(t *testing.T, m *plan.Model, pattern, step string, edit func(s *plan.Step)) {
	t.Helper()
	p := planOf(t, m, pattern)
	s, ok := p.Steps[step]
	if !ok {
		t.Fatalf("plan %s has no step %s", pattern, step)
	}
	edit(&s)
	p.Steps[step] = s
}

func without(list []string, text string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return strings.Contains(s, text) })
}

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
		data:     []string{"missing"},
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
}

var putting = map[string]bool{"PutItem": true, "UpdateItem": true, "TransactWriteItems": true, "BatchWriteItem": true}

// onWrite changes what is written, past the model.
func onWrite(find *regexp.Regexp, replace string) tablewright.Hook {
	return onRequest(func(operation string) bool { return putting[operation] }, find, replace)
}

// onRead changes what is asked for.
func onRead(operation string, find *regexp.Regexp, replace string) tablewright.Hook {
	return onRequest(func(o string) bool { return o == operation }, find, replace)
}

func onRequest(applies func(operation string) bool, find *regexp.Regexp, replace string) tablewright.Hook {
	return func(next tablewright.Transport) tablewright.Transport {
		return tablewright.TransportFunc(func(ctx context.Context, c *tablewright.Call) error {
			if applies(c.Operation) {
				c.Request = find.ReplaceAll(c.Request, []byte(replace))
			}
			return next.Do(ctx, c)
		})
	}
}

// staleCursor lets every query that goes on begin where another one of the same index has ended before.
func staleCursor() tablewright.Hook {
	start := regexp.MustCompile(`"ExclusiveStartKey":\{(?:[^{}]|\{[^{}]*\})*\}`)
	var mu sync.Mutex
	last := map[string][]byte{}
	partition := regexp.MustCompile(`"ExpressionAttributeValues":.*`)
	return func(next tablewright.Transport) tablewright.Transport {
		return tablewright.TransportFunc(func(ctx context.Context, c *tablewright.Call) error {
			if c.Operation == "Query" {
				if at := start.Find(c.Request); at != nil {
					of := c.Table + "." + c.Index + string(partition.Find(c.Request))
					mu.Lock()
					stale := last[of]
					last[of] = bytes.Clone(at)
					mu.Unlock()
					if stale != nil {
						c.Request = bytes.Replace(c.Request, at, stale, 1)
					}
				}
			}
			return next.Do(ctx, c)
		})
	}
}

// find runs a broken model and says what was found: by the compiler of models, and by the data.
func find(t *testing.T, s sabotage) (compiler, data []string) {
	app := s.app
	if app == nil {
		app = published
	}
	m, r := app(t)
	if s.breakIt != nil {
		s.breakIt(t, m)
	}
	program, problems := plan.Compile(m, r)
	for _, p := range problems {
		if p.Severity == plan.Error {
			compiler = append(compiler, p.String())
		}
	}
	o := onEngine(t)
	o.Calls, o.Measured, o.Roots = 12, 32, 16
	for _, p := range r.Patterns {
		if slices.Contains(s.patterns, p.Name) {
			o.Patterns = append(o.Patterns, p.Name)
		}
	}
	if s.fault != nil {
		open := o.Open
		o.Open = func(c tablewright.Options) (*tablewright.DB, error) {
			c.Hooks = append(c.Hooks, s.fault)
			return open(c)
		}
	}
	evidence, err := prove.Run(t.Context(), program, o)
	if err != nil {
		return compiler, []string{err.Error()}
	}
	for _, p := range evidence.Patterns {
		if p.Failure != nil {
			data = append(data, p.Name+": "+p.Failure.String())
		}
	}
	return compiler, data
}

func TestSabotage(t *testing.T) {
	for _, s := range sabotages {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			compiler, data := find(t, s)
			t.Logf("compiler: %.1000s", strings.Join(compiler, "\n    "))
			t.Logf("data: %.1000s", strings.Join(data, "\n    "))
			named := func(found, causes []string) bool {
				return slices.ContainsFunc(found, func(text string) bool {
					has := func(words []string) bool {
						return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
					}
					return has(s.patterns) && has(causes)
				})
			}
			if s.compiler != nil && !named(compiler, s.compiler) {
				t.Error("the compiler did not tell it by name and cause")
			}
			if s.data != nil && !named(data, s.data) {
				t.Error("the data did not show it by name and cause")
			}
		})
	}
}
