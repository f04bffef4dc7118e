package prove_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/prove"
)

// A sabotage breaks a proven model in one way. Each must be found, by the compiler of models or by the data, and the
// finding must name one of the patterns and say the cause in words that contain one of the given.
type sabotage struct {
	name     string
	breakIt  func(t *testing.T, m *plan.Model)
	patterns []string
	causes   []string
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

// sabotages of the published model of the online shop.
var sabotages = []sabotage{
	{
		name: "an index attribute is dropped",
		breakIt: func(t *testing.T, m *plan.Model) {
			editItem(t, m, "OrderItem", func(it *plan.Item) {
				it.Set = maps.Clone(it.Set)
				delete(it.Set, "GSI1-SK")
			})
		},
		patterns: []string{"getOrderByProductIdForDateRange"},
		causes:   []string{"missing", "GSI1"},
	},
	{
		name: "sort parts are swapped",
		breakIt: func(t *testing.T, m *plan.Model) {
			editItem(t, m, "Shipment", func(it *plan.Item) {
				it.Set = maps.Clone(it.Set)
				it.Set["GSI2-SK"] = plan.Template{Value: "sh#{shipmentId}#{createdAt:iso}"}
			})
		},
		patterns: []string{"getShipmentByWarehouseId"},
		causes:   []string{"order"},
	},
	{
		name: "a guard of states is lost",
		breakIt: func(t *testing.T, m *plan.Model) {
			editStep(t, m, "updateOrderStatus", "u", func(s *plan.Step) { s.If = without(s.If, "before") })
		},
		patterns: []string{"updateOrderStatus"},
		causes:   []string{"should have been refused", "state"},
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
		causes:   []string{"should have been refused", "out-of-stock"},
	},
	{
		name: "a create overwrites",
		breakIt: func(t *testing.T, m *plan.Model) {
			editStep(t, m, "createProduct", "p", func(s *plan.Step) { s.If = nil })
		},
		patterns: []string{"createProduct"},
		causes:   []string{"should have been refused", "exists"},
	},
	{
		name: "a write forgets an item",
		breakIt: func(t *testing.T, m *plan.Model) {
			editStep(t, m, "createShipment", "tx", func(s *plan.Step) { s.Transact = s.Transact[:1] })
		},
		patterns: []string{"createShipment", "getShipmentDetailsByShipmentId"},
		causes:   []string{"ShipmentItem", "other contents", "items"},
	},
	{
		name: "a collection is cut",
		breakIt: func(t *testing.T, m *plan.Model) {
			editStep(t, m, "getProductInventoryByProductId", "i", func(s *plan.Step) { s.Evaluate = 5 })
		},
		patterns: []string{"getProductInventoryByProductId"},
		causes:   []string{"missing", "evaluate", "5"},
	},
	{
		name: "a projection lacks what is asked",
		breakIt: func(t *testing.T, m *plan.Model) {
			x := m.Tables[0].GSI["GSI1"]
			x.Project = plan.Keys
			m.Tables[0].GSI["GSI1"] = x
		},
		patterns: []string{"getOrderByProductIdForDateRange", "getInvoiceByInvoiceId", "getPaymentByInvoiceId", "getShipmentDetailsByShipmentId"},
		causes:   []string{"other contents", "project"},
	},
	{
		name: "a time has no fixed width",
		breakIt: func(t *testing.T, m *plan.Model) {
			editItem(t, m, "Invoice", func(it *plan.Item) {
				it.Set = maps.Clone(it.Set)
				it.Set["GSI2-SK"] = plan.Template{Value: "i#{amount}"}
			})
		},
		patterns: []string{"getInvoiceByCustomerIdForDateRange"},
		causes:   []string{"order", "codec", "amount", "invoicedAt"},
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
		causes:   []string{"missing", "range", "invoicedAt"},
	},
	{
		name: "a query overlooks what else lies in its range",
		breakIt: func(t *testing.T, m *plan.Model) {
			editStep(t, m, "getOrderDetailsByOrderId", "o", func(s *plan.Step) {
				s.Items = slices.DeleteFunc(slices.Clone(s.Items), func(name string) bool { return name == "Invoice" })
			})
		},
		patterns: []string{"getOrderDetailsByOrderId"},
		causes:   []string{"Invoice", "other contents"},
	},
	{
		name: "a page forgets its order",
		breakIt: func(t *testing.T, m *plan.Model) {
			editStep(t, m, "getShipmentByWarehouseId", "s", func(s *plan.Step) { s.Order = "ascending" })
		},
		patterns: []string{"getShipmentByWarehouseId"},
		causes:   []string{"order"},
	},
	{
		name: "a strong read is made eventual",
		breakIt: func(t *testing.T, m *plan.Model) {
			editStep(t, m, "updateOrderStatus", "o", func(s *plan.Step) { s.Consistent = false })
		},
		patterns: []string{"updateOrderStatus"},
		causes:   []string{"consistent", "eventual", "strong"},
	},
}

// find runs a broken model and says what was found: by the compiler of models, and by the data.
func find(t *testing.T, s sabotage) (compiler, data []string) {
	m, r := published(t)
	s.breakIt(t, m)
	program, problems := plan.Compile(m, r)
	for _, p := range problems {
		if p.Severity == plan.Error {
			compiler = append(compiler, p.String())
		}
	}
	o := onEngine(t)
	o.Calls = 12
	evidence, err := prove.Run(t.Context(), program, o)
	if err != nil {
		return compiler, []string{err.Error()}
	}
	for _, p := range evidence.Patterns {
		if p.Failure != nil {
			data = append(data, p.Name+": "+p.Failure.String()+fmt.Sprint(p.Failure.Expected, p.Failure.Got))
		}
	}
	return compiler, data
}

func TestSabotage(t *testing.T) {
	for _, s := range sabotages {
		t.Run(s.name, func(t *testing.T) {
			compiler, data := find(t, s)
			t.Logf("compiler: %s", strings.Join(compiler, "\n    "))
			t.Logf("data: %.600s", strings.Join(data, "\n    "))
			named := func(found []string) bool {
				return slices.ContainsFunc(found, func(text string) bool {
					has := func(words []string) bool {
						return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
					}
					return has(s.patterns) && has(s.causes)
				})
			}
			if !named(compiler) && !named(data) {
				t.Errorf("nobody found it, or not by name and cause")
			}
		})
	}
}
