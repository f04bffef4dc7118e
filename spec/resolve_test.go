package spec

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/attr"
)

// shop is a small world to resolve in: orders with items of products.
func shop() (order, item *Entity) {
	customer := &Entity{Name: "Customer"}
	order, item = &Entity{Name: "Order"}, &Entity{Name: "Item"}
	add := func(e *Entity, as ...*Attribute) {
		for _, a := range as {
			a.Entity, a.Present = e, 1
			e.Attributes = append(e.Attributes, a)
		}
	}
	zero := attr.Int(0)
	add(customer, &Attribute{Name: "customerId", Type: String}, &Attribute{Name: "name", Type: String})
	add(order,
		&Attribute{Name: "orderId", Type: String},
		&Attribute{Name: "customerId", Type: String},
		&Attribute{Name: "buyer", Type: String},
		&Attribute{Name: "placedAt", Type: Timestamp},
		&Attribute{Name: "due", Type: Date},
		&Attribute{Name: "status", Type: String, States: life},
		&Attribute{Name: "before", Type: String, Enum: life.Names},
		&Attribute{Name: "kind", Type: String, Enum: []string{"gift", "in-transit"}},
		&Attribute{Name: "total", Type: Number, Digits: 6, Min: &zero},
		&Attribute{Name: "paid", Type: Bool},
		&Attribute{Name: "data", Type: Binary},
		&Attribute{Name: "tags", Type: SetType, Of: &Attribute{Name: "tags", Type: String}},
		&Attribute{Name: "lines", Type: ListType, Of: &Attribute{Name: "lines", Type: Number}},
		&Attribute{Name: "things", Type: ListType},
		&Attribute{Name: "address", Type: MapType, Fields: []*Attribute{{Name: "city", Type: String}}},
		&Attribute{Name: "extra", Type: MapType})
	add(item, &Attribute{Name: "orderId", Type: String}, &Attribute{Name: "quantity", Type: Number, Digits: 3})
	join := func(name, inverse string, from, to *Entity, by string, most float64) {
		w := &Relationship{Name: name, Inverse: inverse, From: from, To: to, By: []*Attribute{from.Attribute(by)},
			PerParent: Children{Stated: true, Average: 1, Max: most}}
		from.Attribute(by).Reference = w
		from.There = append(from.There, w)
		to.Back = append(to.Back, w)
	}
	join("customer", "orders", order, customer, "customerId", 100)
	join("buyer", "bought", order, customer, "buyer", 100)
	join("order", "items", item, order, "orderId", 40)
	join("invoiceOf", "invoice", item, order, "orderId", 1)
	return order, item
}

func TestResolvePaths(t *testing.T) {
	order, _ := shop()
	cases(t, "paths.txt", func(in string) string {
		p, err := ParsePath(in)
		if err != nil {
			return failure(err)
		}
		segments, err := order.Resolve(p)
		if err != nil {
			return failure(err)
		}
		var out []string
		for _, s := range segments {
			kind := "attribute"
			if s.Back {
				kind = "way back to " + s.Entity().Name
			} else if s.Way != nil {
				kind = "way to " + s.Entity().Name
			}
			if !s.ToOne() {
				kind += "s"
			}
			out = append(out, s.Name+": "+kind)
		}
		return strings.Join(out, ", ")
	})
}

// A value or condition, resolved: printed again, with the type that each reference must have, or all its errors.
func TestScope(t *testing.T) {
	order, _ := shop()
	cases(t, "scope.txt", func(in string) string {
		var uses []string
		scope := Scope{Entity: order, Reference: func(ref Reference, like *Attribute, pos int) *Error {
			if ref[0] == "unknown" {
				return &Error{Code: UnknownName, Offset: pos, Message: "there is no " + ref.String()}
			}
			use := fmt.Sprintf("%s is %s", ref, like.Kind())
			if like.Min != nil {
				use += " from " + like.Min.String()
			}
			uses = append(uses, use)
			return nil
		}}
		var printed string
		var errs []*Error
		if name, value, ok := strings.Cut(in, " := "); ok {
			v, err := ParseValue(value)
			if err != nil {
				return failure(err)
			}
			v, errs = scope.Value(v, order.Attribute(name))
			printed = v.String()
		} else {
			c, err := ParseCondition(in)
			if err != nil {
				return failure(err)
			}
			before := c.String()
			c2, e := scope.Condition(c)
			if c.String() != before {
				t.Errorf("%s was changed to %s", before, c)
			}
			printed, errs = c2.String(), e
			for test := range Tests(c2) {
				if test.Op == "before" && errs == nil && test.States == nil {
					t.Errorf("%s: no states", test)
				}
			}
		}
		var out []string
		for _, e := range errs {
			out = append(out, fmt.Sprintf("%d %s: %s", e.Offset, e.Code, e))
		}
		if errs == nil {
			out = append(append(out, printed), uses...)
		}
		return strings.Join(out, " | ")
	})
}

func TestScopeWithoutNames(t *testing.T) {
	status := &Attribute{Name: "status", Type: String, States: life}
	v, _ := ParseValue("paid")
	if v, errs := (Scope{}).Value(v, status); errs != nil || v.Literal.Str() != "paid" {
		t.Errorf("a state without an entity: %v %v", v, errs)
	}
	for _, text := range []string{"other", "$x", "a.b"} {
		v, _ := ParseValue(text)
		if _, errs := (Scope{}).Value(v, status); len(errs) != 1 {
			t.Errorf("%s in an empty scope: %v", text, errs)
		}
	}
}

// What a resolved `now` and a resolved timestamp compute to.
func TestResolvedMoments(t *testing.T) {
	order, _ := shop()
	for in, want := range map[string]string{
		"due := now":                              "2026-03-01",
		"due := now - 1 day":                      "2026-02-28",
		"placedAt := now":                         "2026-03-01T00:00:00.123Z",
		"placedAt := '2026-01-01T01:00+01:00'":    "",
		"placedAt := '2026-01-01T01:00:00+01:00'": "2026-01-01T00:00:00.000Z",
	} {
		name, text, _ := strings.Cut(in, " := ")
		v, err := ParseValue(text)
		if err != nil {
			t.Fatal(err)
		}
		v, errs := Scope{Entity: order}.Value(v, order.Attribute(name))
		if want == "" {
			if errs == nil {
				t.Errorf("%s is accepted", in)
			}
			continue
		}
		if x, err := Eval(v, On(attr.Item{}), env); err != nil || x.Str() != want {
			t.Errorf("%s is %q, %v, want %q", in, x.Str(), err, want)
		}
	}
}

func TestStates(t *testing.T) {
	for state, want := range map[string][]string{"placed": nil, "paid": {"placed"}, "shipped": {"placed", "paid"}, "none": nil} {
		if got := life.Before(state); !slices.Equal(got, want) {
			t.Errorf("before %s: %v, want %v", state, got, want)
		}
	}
}

func TestTypeNames(t *testing.T) {
	for ty := String; ty <= SetType; ty++ {
		if TypeNamed(ty.String()) != ty {
			t.Errorf("%s is not %v", ty, ty)
		}
	}
	for _, name := range []string{"", "String", "int", "struct"} {
		if ty := TypeNamed(name); ty != 0 {
			t.Errorf("%q is %v", name, ty)
		}
	}
}

// A foreign key may be called like the way that it declares: where a path goes on the name is the way, at its end the attribute.
func TestWayOn(t *testing.T) {
	author := &Entity{Name: "Author", Attributes: []*Attribute{{Name: "name"}}}
	key := &Attribute{Name: "author"}
	book := &Entity{Name: "Book", Attributes: []*Attribute{key, {Name: "title"}}}
	way := &Relationship{Name: "author", From: book, To: author, By: []*Attribute{key}}
	editor := &Relationship{Name: "editor", From: book, To: author}
	book.There = []*Relationship{way, editor}
	for text, want := range map[string]*Relationship{"author.name": way, "author": nil, "editor": editor, "editor.name": editor, "title": nil, "": nil} {
		var path Path
		if text != "" {
			path = strings.Split(text, ".")
		}
		if got := book.WayOn(path); got != want {
			t.Errorf("%q begins with %v, want %v", text, got, want)
		}
	}
}

func TestFormat(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 40_000_000: "40_000_000", 1234.5: "1_234.5", 0.05: "0.05", -999: "-999", -12345: "-12_345", 1.0 / 3: "0.333333333", 0.1 + 0.2: "0.3"} {
		got := FormatNumber(v)
		if got != want {
			t.Errorf("%v is %s, want %s", v, got, want)
		}
		if back, err := ParseNumber(got); err != nil || back.Float64()-v > 1e-6 || v-back.Float64() > 1e-6 {
			t.Errorf("%s reads as %v, %v", got, back, err)
		}
	}
	for _, text := range []string{"uniform", "zipf 1", "zipf 0.8", "hottest 2%", "hottest 0.5%", "hottest 50 have 45%", "by-size"} {
		if s, err := ParseSkew(text); err != nil || s.String() != text {
			t.Errorf("%s prints as %s, %v", text, s, err)
		}
	}
	for _, text := range []string{"5s", "1 day", "36h", "1 month", "18 months", "90min", "1s", "1ms", "0ms", "250ms", "1825 days", "1.5ms"} {
		d, err := ParseDuration(text)
		if err != nil || FormatDuration(d) != text {
			t.Errorf("%s prints as %s, %v", text, FormatDuration(d), err)
		}
	}
}

// Of a write that need not be all or nothing, what requires something comes first and what is never refused last.
func TestInTurn(t *testing.T) {
	id := &Attribute{Name: "id", Type: String, Present: 1}
	made := &Attribute{Name: "id", Type: String, Present: 1, Generated: "ulid"}
	own, generated := &Entity{Name: "Own", Identity: []*Attribute{id}}, &Entity{Name: "Made", Identity: []*Attribute{made}}
	state := &Attribute{Name: "state", Type: String, States: &States{Names: []string{"a", "b"}}}
	own.Attributes = []*Attribute{id, state}
	actions := []*Action{
		{Verb: Create, Entity: generated},
		{Verb: Delete, Entity: own},
		{Verb: Create, Entity: own},
		{Verb: Update, Entity: own, Set: []Assign{{Path: Path{"id"}}}},
		{Verb: Update, Entity: own, Set: []Assign{{Path: Path{"state"}}}},
		{Verb: Delete, Entity: own, Condition: &Test{Op: "present"}},
		{Verb: Create, Entity: generated, Requires: []*Relationship{{}}},
	}
	p := &Pattern{Actions: actions, Atomic: true}
	if !slices.Equal(p.InTurn(), actions) {
		t.Error("what is all or nothing has another order")
	}
	p.Atomic = false
	var got []int
	for _, a := range p.InTurn() {
		got = append(got, slices.Index(actions, a))
	}
	if !slices.Equal(got, []int{6, 2, 3, 4, 5, 0, 1}) {
		t.Errorf("%v", got)
	}
	if actions[0].Refusable() || !actions[2].Refusable() {
		t.Error("what can be refused")
	}
}
