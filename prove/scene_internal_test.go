package prove

import (
	"fmt"
	"slices"
	"testing"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/spec"
)

// towing is a write that is about an open job and the truck that is busy with it, among many that do not go together.
func towing(busyWithOpen int) (*caller, *spec.Pattern) {
	text := func(e *spec.Entity, name string) *spec.Attribute {
		a := &spec.Attribute{Name: name, Entity: e, Type: spec.String, Present: 1}
		e.Attributes = append(e.Attributes, a)
		return a
	}
	truck, job := &spec.Entity{Name: "Truck"}, &spec.Entity{Name: "Job"}
	truck.Identity = []*spec.Attribute{text(truck, "truckId")}
	text(truck, "state")
	job.Identity = []*spec.Attribute{text(job, "jobId")}
	text(job, "truckId")
	text(job, "state")
	is := func(path, value string) spec.Condition {
		return &spec.Test{Path: spec.Path{path}, Op: "=", Args: []spec.Expr{{Literal: attr.Text(value)}}}
	}
	says := func(path string) spec.Expr { return spec.Expr{Reference: spec.Reference{path}} }
	p := &spec.Pattern{Name: "tow", Atomic: true, Actions: []*spec.Action{
		{
			Verb: spec.Update, Entity: job, Key: []spec.Assign{{Path: spec.Path{"jobId"}, Value: says("jobId")}}, Refusal: "elsewhere",
			Condition: both(is("state", "open"), &spec.Test{Path: spec.Path{"truckId"}, Op: "=", Args: []spec.Expr{says("truckId")}}),
			Set:       []spec.Assign{{Path: spec.Path{"state"}, Value: spec.Expr{Literal: attr.Text("towed")}}},
		},
		{
			Verb: spec.Update, Entity: truck, Key: []spec.Assign{{Path: spec.Path{"truckId"}, Value: says("truckId")}}, Refusal: "idle",
			Condition: is("state", "busy"), Set: []spec.Assign{{Path: spec.Path{"state"}, Value: spec.Expr{Literal: attr.Text("free")}}},
		},
	}}
	p.Parameters = []*spec.Parameter{{Name: "jobId", Like: job.Identity[0]}, {Name: "truckId", Like: truck.Identity[0]}}
	req := &spec.Requirements{Entities: []*spec.Entity{truck, job}, Patterns: []*spec.Pattern{p}}
	o := NewOracle(req)
	src := newSource(1, o.now)
	k := newCaller(o, newCast(&Population{Count: map[*spec.Entity]int{}}, src), src)
	put := func(e *spec.Entity, fields ...string) {
		var it attr.Item
		for i, a := range e.Attributes {
			it.Set(a.Name, attr.Text(fields[i]))
		}
		k.cast.enter(o.put(e, it))
	}
	const n = 300
	id := func(i int) string { return string(rune('a'+i/26)) + string(rune('a'+i%26)) }
	for i := range n {
		state := "free"
		if i%30 == 0 {
			state = "busy"
		}
		put(truck, id(i), state)
	}
	for i := range n {
		state := "towed"
		if i%30 == 1 || i/30 < busyWithOpen && i%30 == 0 {
			state = "open"
		}
		put(job, id(i), id(i), state)
	}
	return k, p
}

// TestCastTogether: what a write's actions ask of several entities is found wherever it is stored, and not where it is
// not.
func TestCastTogether(t *testing.T) {
	k, p := towing(1)
	args, ok := k.jointly(p, Regular, -1, nil)
	if !ok || k.o.Check(p, args).Refused() {
		t.Errorf("of one job that goes with its truck: %v, %v", args, k.o.Check(p, args).Codes)
	}
	k, p = towing(0)
	if args, ok := k.jointly(p, Regular, -1, nil); ok {
		t.Errorf("nothing goes together, and %v was found", args)
	}
}

// TestOneBreach: a call that is to be refused breaks one condition, or one agreement, and no other.
func TestOneBreach(t *testing.T) {
	k, p := towing(4)
	seen := map[string]int{}
	for _, x := range k.breaches(p) {
		args, ok := k.spoilt(p, x)
		if !ok {
			t.Errorf("nobody is found for %+v", x.roles)
			continue
		}
		codes := k.o.Check(p, args).Codes
		if len(codes) != 1 {
			t.Errorf("%v breaks %v", args, codes)
		}
		seen[codes[0]]++
	}
	if seen["elsewhere"] != 2 || seen["idle"] != 1 {
		t.Errorf("refused %v, want a job that is not open, one of another truck, and a truck that is not busy", seen)
	}
}

// TestOneOfBoth: what one action asks of the parent of its instance and what another one asks of it are asked of one
// role, and a call that breaks the one alone is still found.
func TestOneOfBoth(t *testing.T) {
	attribute := func(e *spec.Entity, name string) *spec.Attribute {
		a := &spec.Attribute{Name: name, Entity: e, Type: spec.String, Present: 1}
		e.Attributes = append(e.Attributes, a)
		return a
	}
	campaign, coupon := &spec.Entity{Name: "Campaign"}, &spec.Entity{Name: "Coupon"}
	campaign.Identity = []*spec.Attribute{attribute(campaign, "campaignId")}
	attribute(campaign, "season")
	attribute(campaign, "state")
	by := attribute(coupon, "campaignId")
	coupon.Identity = []*spec.Attribute{by, attribute(coupon, "couponId")}
	way := &spec.Relationship{Name: "campaign", From: coupon, To: campaign, By: []*spec.Attribute{by}}
	by.Reference, coupon.There = way, []*spec.Relationship{way}
	attribute(coupon, "season").Derived = &spec.Derived{Path: spec.Path{"campaign", "season"}}
	is := func(path, value string) spec.Condition {
		return &spec.Test{Path: spec.Path{path}, Op: "=", Args: []spec.Expr{{Literal: attr.Text(value)}}}
	}
	says := func(path string) spec.Expr { return spec.Expr{Reference: spec.Reference{path}} }
	p := &spec.Pattern{Name: "redeem", Atomic: true, Actions: []*spec.Action{
		{
			Verb: spec.Update, Entity: coupon, Refusal: "over", Condition: is("season", "now"),
			Key: []spec.Assign{{Path: spec.Path{"campaignId"}, Value: says("campaignId")}, {Path: spec.Path{"couponId"}, Value: says("couponId")}},
			Set: []spec.Assign{{Path: spec.Path{"till"}, Value: spec.Expr{Literal: attr.Text("7")}}},
		},
		{
			Verb: spec.Update, Entity: campaign, Key: []spec.Assign{{Path: spec.Path{"campaignId"}, Value: says("campaignId")}}, Refusal: "spent",
			Condition: is("state", "live"), Set: []spec.Assign{{Path: spec.Path{"till"}, Value: spec.Expr{Literal: attr.Text("7")}}},
		},
	}}
	p.Parameters = []*spec.Parameter{{Name: "couponId", Like: coupon.Identity[1]}, {Name: "campaignId", Like: campaign.Identity[0]}}
	o := NewOracle(&spec.Requirements{Entities: []*spec.Entity{campaign, coupon}, Patterns: []*spec.Pattern{p}})
	src := newSource(1, o.now)
	k := newCaller(o, newCast(&Population{Count: map[*spec.Entity]int{}}, src), src)
	put := func(e *spec.Entity, fields ...string) {
		var it attr.Item
		for i, text := range fields {
			it.Set(e.Attributes[i].Name, attr.Text(text))
		}
		k.cast.enter(o.put(e, it))
	}
	for i, c := range [][2]string{{"past", "live"}, {"now", "ended"}, {"now", "live"}, {"past", "ended"}} {
		put(campaign, fmt.Sprint(i), c[0], c[1])
		put(coupon, fmt.Sprint(i), fmt.Sprint("c", i))
	}
	x := k.sceneOf(p)
	if len(x.roles) != 2 {
		t.Fatalf("%d roles, want a coupon and its campaign", len(x.roles))
	}
	var wants []string
	for _, c := range spec.Conjuncts((&session{call: k}).needs(p, x, x.enact(), x.roles[slices.IndexFunc(x.roles, func(r *role) bool { return r.entity == campaign })]).meets) {
		wants = append(wants, c.(*spec.Test).Path.String())
	}
	slices.Sort(wants)
	if !slices.Equal(wants, []string{"season", "state"}) {
		t.Errorf("a campaign is made that has a right %v", wants)
	}
	if args, ok := k.jointly(p, Regular, -1, nil); !ok || args.Get("couponId").Str() != "c2" {
		t.Errorf("%v is redeemed, %t", args, ok)
	}
	seen := map[string]bool{}
	for _, x := range k.breaches(p) {
		if args, ok := k.spoilt(p, x); ok && len(k.o.Check(p, args).Codes) == 1 {
			seen[k.o.Check(p, args).Codes[0]+" "+args.Get("couponId").Str()] = true
		}
	}
	if !seen["over c0"] || !seen["spent c1"] {
		t.Errorf("refused %v", seen)
	}
	joint := slices.ContainsFunc(wishesOf([]*spec.Pattern{p})[campaign], func(w *wish) bool { return len(spec.Conjuncts(w.meets)) == 2 })
	if !joint {
		t.Error("no campaign is wished that is live in this season")
	}
}

// TestRolesThatAgreeInSeveralAttributes: two roles of one entity that share a part of their keys are cast however many
// have each attribute of it alone: both sides of one conversation among many of its buyer and many about its ad.
func TestRolesThatAgreeInSeveralAttributes(t *testing.T) {
	side := &spec.Entity{Name: "Side"}
	for _, name := range []string{"userId", "adId", "buyerId"} {
		side.Identity = append(side.Identity, &spec.Attribute{Name: name, Entity: side, Type: spec.String, Present: 1})
	}
	side.Attributes = side.Identity
	p := &spec.Pattern{Name: "send", Atomic: true}
	for _, user := range []string{"to", "from"} {
		a := &spec.Action{Verb: spec.Update, Entity: side, Set: []spec.Assign{{Path: spec.Path{"text"}, Value: spec.Expr{Literal: attr.Text("hello")}}}}
		for i, name := range []string{user, "ad", "buyer"} {
			a.Key = append(a.Key, spec.Assign{Path: spec.Path{side.Identity[i].Name}, Value: spec.Expr{Reference: spec.Reference{name}}})
		}
		p.Actions = append(p.Actions, a)
	}
	for i, name := range []string{"to", "ad", "buyer"} {
		p.Parameters = append(p.Parameters, &spec.Parameter{Name: name, Like: side.Identity[i]})
	}
	p.Parameters = append(p.Parameters, &spec.Parameter{Name: "from", Like: side.Identity[0]})
	o := NewOracle(&spec.Requirements{Entities: []*spec.Entity{side}, Patterns: []*spec.Pattern{p}})
	src := newSource(1, o.now)
	k := newCaller(o, newCast(&Population{Count: map[*spec.Entity]int{}}, src), src)
	const n = 30
	for ad := range n {
		for buyer := range n {
			for _, user := range []int{n + ad, buyer} {
				var it attr.Item
				for i, number := range []int{user, ad, buyer} {
					it.Set(side.Identity[i].Name, attr.Text(fmt.Sprint(number)))
				}
				k.cast.enter(o.put(side, it))
			}
		}
	}
	x := k.sceneOf(p)
	for range 20 {
		k.reach[search{scene: x}] = closest
		at := k.opening(x, nil)
		if at == nil {
			t.Fatal("nobody is found")
		}
	}
	if args := k.tryWrite(p, Fresh, -1, k.cast.byRank[side][n]); o.doubles(p, args) {
		t.Errorf("a call about one side changes it twice: %v", args)
	}
}

// TestSensible: an application does not write a constant that is there already, unless what it raises beside it changes
// in any case, and adds nothing to a list that has as many elements as it may have.
func TestSensible(t *testing.T) {
	side := &spec.Entity{Name: "Side"}
	for _, name := range []string{"archived", "unread"} {
		side.Attributes = append(side.Attributes, &spec.Attribute{Name: name, Entity: side, Present: 1})
	}
	for name, most := range map[string]float64{"tags": 2, "marks": 3, "notes": 0} { // 0: nothing says how many
		side.Attributes = append(side.Attributes, &spec.Attribute{Name: name, Entity: side, Present: 1, Type: spec.ListType, Length: spec.Size{Max: most}})
	}
	two := attr.List(attr.Text("a"), attr.Text("b"))
	in := &Instance{Entity: side, Item: attr.ItemOf(
		attr.Field{Name: "archived", Value: attr.Bool(false)}, attr.Field{Name: "unread", Value: attr.Num(attr.Int(3))},
		attr.Field{Name: "tags", Value: two}, attr.Field{Name: "marks", Value: two}, attr.Field{Name: "notes", Value: two},
	)}
	add := func(name string) []spec.Assign {
		return []spec.Assign{{Path: spec.Path{name}, Value: spec.Expr{Op: "append", Args: []spec.Expr{{Path: spec.Path{name}}, {Literal: attr.Text("c")}}}}}
	}
	back := spec.Assign{Path: spec.Path{"archived"}, Value: spec.Expr{Literal: attr.Bool(false)}}
	raise := spec.Assign{Path: spec.Path{"unread"}, Value: spec.Expr{Op: "+", Args: []spec.Expr{{Path: spec.Path{"unread"}}, {Literal: attr.Num(attr.Int(1))}}}}
	at := spec.Assign{Path: spec.Path{"lastAt"}, Value: spec.Expr{Now: true}}
	for _, c := range []struct {
		set  []spec.Assign
		want bool
	}{{[]spec.Assign{back}, false}, {[]spec.Assign{back, at}, false}, {[]spec.Assign{back, raise}, true}, {[]spec.Assign{raise}, true}, {add("tags"), false}, {add("marks"), true}, {add("notes"), true}} {
		if got := sensible(&spec.Action{Verb: spec.Update, Entity: side, Set: c.set}, in); got != c.want {
			t.Errorf("%v is sensible: %t, want %t", c.set, got, c.want)
		}
	}
}
