package plan_test

import (
	"bytes"
	"os"
	"slices"
	"testing"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/plan"
)

// What a compiled model is asked for: what lies where, and which index has it.
func TestProgramParts(t *testing.T) {
	p := shop(t)
	inventory := p.Kind("Inventory")
	if inventory == nil || inventory.Name != "Inventory" || p.Kind("Inventories") != nil {
		t.Fatalf("%v", inventory)
	}
	table := p.Table("OnlineShop")
	second := table.Access("GSI2")
	if table.Base.Name() != "OnlineShop" || table.Base.Global() || second.Name() != "OnlineShop.GSI2" || !second.Global() {
		t.Errorf("%s, %s", table.Base.Name(), second.Name())
	}
	if in, sparse := inventory.In(second); !in || sparse {
		t.Errorf("an inventory is in GSI2: %v, sparse %v", in, sparse)
	}
	if in, _ := p.Kind("Customer").In(second); in || p.Kind("Customer").Recipe("GSI2-PK") != nil || inventory.Recipe("GSI2-PK") == nil {
		t.Error("customers are in no index")
	}
	stored := attr.ItemOf(attr.Field{Name: "PK", Value: attr.Text("p#1")}, attr.Field{Name: "SK", Value: attr.Text("w#2")},
		attr.Field{Name: "EntityType", Value: attr.Text("warehouseItem")})
	if k := table.KindOf(stored); k != inventory {
		t.Errorf("%v", k)
	}
	read := inventory.Read(stored)
	if read.Get("productId").Str() != "1" || read.Get("warehouseId").Str() != "2" {
		t.Errorf("%v", read)
	}
	if parts := p.Parts(inventory.Entity); len(parts) != 1 || parts[0] != inventory || inventory.Part() {
		t.Errorf("inventories lie in %v", parts)
	}
}

// A step tells when what it finds expires, if it reads that.
func TestTellsEnd(t *testing.T) {
	text, err := os.ReadFile("testdata/forum.model.yaml")
	if err != nil {
		t.Fatal(err)
	}
	text = bytes.ReplaceAll(text, []byte("ByMember: {partition: memberId}"), []byte("ByMember: {partition: memberId, project: keys}"))
	m, _ := document(t, "forum.model.yaml", text)
	p, _ := plan.Compile(m, requirements(t, "testdata/forum.yaml", nil))
	for pattern, want := range map[string]bool{"session": true, "rename": false, "member": false} { // by whole items, by keys, and what never does
		s := p.Procedure(pattern).Stages[0]
		if k := append(s.Kinds, s.Kind)[0]; s.TellsEnd(k) != want {
			t.Errorf("%s: %s of %s", pattern, s.Name, k.Name)
		}
	}
}

// Steps come behind those that they refer to.
func TestStepNames(t *testing.T) {
	p := &plan.Plan{Steps: map[string]plan.Step{}}
	for name, after := range map[string]string{"a": "z", "z": "m", "m": ""} {
		s := plan.Step{Get: "Item"}
		if after != "" {
			s.Each = "$" + after
		}
		p.Steps[name] = s
	}
	if got := p.StepNames(); !slices.Equal(got, []string{"m", "z", "a"}) {
		t.Errorf("%v", got)
	}
}

func TestWords(t *testing.T) {
	if plan.Warning.String() != "warning" || plan.Error.String() != "error" {
		t.Error("severities")
	}
	for verb, want := range map[plan.Verb]struct {
		operation string
		writes    bool
	}{plan.Query: {"Query", false}, plan.Get: {"GetItem", false}, plan.Update: {"UpdateItem", true}, plan.Check: {"ConditionCheck", false},
		plan.Transact: {"TransactWriteItems", true}, plan.BatchWrite: {"BatchWriteItem", true}} {
		if verb.Operation() != want.operation || verb.Writes() != want.writes {
			t.Errorf("%v: %s, writes %v", verb, verb.Operation(), verb.Writes())
		}
	}
}

// The arguments of a call are completed: with what was given, and what was made.
func TestArguments(t *testing.T) {
	given := attr.ItemOf(attr.Field{Name: "customerId", Value: attr.Text("1")})
	call, err := shop(t).Procedure("getCustomerByCustomerId").Begin(given, nil, fixed{})
	if err != nil {
		t.Fatal(err)
	}
	if got := call.Arguments(); got.Get("customerId").Str() != "1" {
		t.Errorf("%v", got)
	}
}

// What a compiled model is asked about where an entity lies, and how an answer comes.
func TestProgramPlaces(t *testing.T) {
	p := shop(t)
	key, err := p.Kind("Inventory").KeyOf(attr.ItemOf(attr.Field{Name: "productId", Value: attr.Text("1")}, attr.Field{Name: "warehouseId", Value: attr.Text("2")}), 0)
	if err != nil || key.Get("PK").Str() == "" || key.Get("SK").Str() == "" {
		t.Errorf("the key of an inventory is %v, %v", key, err)
	}
	if _, err := p.Kind("Inventory").KeyOf(attr.Item{}, 0); err == nil {
		t.Error("an inventory of nothing has a key")
	}
	for _, q := range p.Procedures {
		if q.Paged() != (q.Pattern.Page > 0) {
			t.Errorf("%s comes in pages: %v", q.Name, q.Paged())
		}
	}
	r := requirements(t, "testdata/guests.yaml", nil)
	m, _ := document(t, "testdata/guests.model.yaml", nil)
	m.Tables = append(m.Tables, plan.Table{
		Name: "Plates", Attributes: map[string]plan.Type{"plate": "S"}, Key: plan.Key{Partition: "plate"},
		Items: map[string]plan.Item{"Plate": {Name: "Plate", Holds: plan.Holds{Unique: "Car.plate"}, Key: map[string]string{"plate": "{plate}"}}},
	})
	cars, _ := plan.Compile(m, r)
	if !cars.Kind("Plate").Points() || cars.Kind("Car").Points() {
		t.Error("a marker of the identity leads to where a car lies, and nothing else does")
	}
}

// TestMentions: a step names what it refers to, in whichever of its texts, and what it comes after or needs.
func TestMentions(t *testing.T) {
	s := &plan.Step{
		Update: "Loan", Key: map[string]string{"loanId": "$loan.loanId"}, Each: "$lines", Still: "$was",
		Set: map[string]string{"until": "$until"}, If: []string{"readerId = $reader-found.readerId"},
		After: []string{"reader"}, Needs: []string{"title"},
	}
	want := []string{"lines", "loan", "reader", "reader-found", "title", "until", "was"}
	if got := s.Mentions(); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
