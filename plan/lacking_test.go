package plan_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/plan"
)

// TestLacking: of a list that need not be all or nothing, each element is refused alone that requires what a step
// before has not found. What all elements require is read once, and a list without elements requires nothing.
func TestLacking(t *testing.T) {
	r := requirements(t, "flock.yaml", []byte(`
tablewright: 1
application: flock
entities:
  Farm:
    identity: [farmId]
    attributes: {farmId: {type: string, bytes: 8}}
    bytes: 100
    count: 1_000
  Sheep:
    identity: [tag]
    attributes:
      tag: {type: string, bytes: 8}
      farmId: {references: Farm, inverse: sheep, per-parent: 40}
    bytes: 100
    count: 40_000
patterns:
  found: {write: {create: Farm}, rate: {average: 1/s, peak: 20/s}}
  buy:
    write: {create: Sheep, each: $flock, requires: [farm]}
    atomic: false
    parameters: {flock: {length: {average: 3, max: 30}}}
    rate: {average: 1/s, peak: 20/s}
  move:
    write: {update: Sheep, each: $tags, key: {tag: $each}, set: {farmId: $farmId}, requires: [farm]}
    atomic: false
    parameters: {tags: {length: {average: 3, max: 30}}}
    rate: {average: 1/s, peak: 20/s}
`))
	m, _ := document(t, "flock.model.yaml", []byte(`
tablewright: 1
application: flock
tables:
  Farms: {attributes: {farmId: S}, key: {partition: farmId}, items: {Farm: {holds: Farm}}}
  Sheep: {attributes: {tag: S}, key: {partition: tag}, items: {Sheep: {holds: Sheep}}}
plans:
  found: {steps: {a: {put: Farm, if: absent}}}
  buy:
    steps:
      farms: {batch-get: Farm, each: $flock, key: {farmId: $each.farmId}, consistent: true}
      a: {put: Sheep, each: $flock, if: absent, needs: [farms]}
  move:
    steps:
      there: {get: Farm, key: [farmId], consistent: true}
      a: {update: Sheep, each: $tags, key: {tag: $each}, set: [farmId], if: present, needs: [there]}
`))
	p, problems := plan.Compile(m, r)
	for _, x := range problems {
		t.Fatal(x)
	}
	f := newFake(p)
	text := func(name, value string) attr.Field { return attr.Field{Name: name, Value: attr.Text(value)} }
	if _, err := f.run("found", attr.ItemOf(attr.Field{Name: "farm", Value: attr.Map(attr.ItemOf(text("farmId", "f1")))}), nil); err != nil {
		t.Fatal(err)
	}
	sheep := func(tag, farm string) attr.Value {
		return attr.Map(attr.ItemOf(text("tag", tag), text("farmId", farm)))
	}
	list := func(name string, all ...attr.Value) attr.Field {
		return attr.Field{Name: name, Value: attr.List(all...)}
	}
	missing := func(err error) bool {
		var refusal *plan.Refusal
		return errors.As(err, &refusal) && refusal.Code == plan.RefusedMissing
	}

	_, err := f.run("buy", attr.ItemOf(list("flock", sheep("s1", "f1"), sheep("s2", "f2"), sheep("s3", "f1"))), nil)
	if n := len(f.tables["Sheep"]); !missing(err) || n != 2 {
		t.Errorf("%d are bought: %v", n, err)
	}
	for _, x := range []struct {
		farm string
		tags []attr.Value
		ok   bool
	}{
		{"f1", []attr.Value{attr.Text("s1"), attr.Text("s3")}, true},
		{"f2", []attr.Value{attr.Text("s1")}, false},
		{"f2", nil, true},
	} {
		_, err := f.run("move", attr.ItemOf(text("farmId", x.farm), list("tags", x.tags...)), nil)
		if x.ok && err != nil || !x.ok && !missing(err) {
			t.Errorf("%d to %s: %v", len(x.tags), x.farm, err)
		}
	}
}

// TestLookupsOfEach: children inside a value copy what they point to, where it is read first. One that points to nobody
// is put without the copy: who never was there never comes. Where that may come later the model is refused, for nothing
// would be put, and nobody told.
func TestLookupsOfEach(t *testing.T) {
	const text = `
tablewright: 1
application: clubs
entities:
  User:
    identity: [userId]
    attributes: {userId: {type: string, generated: ulid}, name: {type: string, bytes: 20}}
    bytes: 100
    count: 1_000
  Club:
    identity: [clubId]
    attributes: {clubId: {type: string, bytes: 8}}
    bytes: 100
    count: 1_000
  Member:
    identity: [clubId, userId]
    attributes:
      clubId: {parent: Club, inverse: members, per-parent: {average: 3, max: 9}}
      userId: {references: User, inverse: memberships, per-parent: 3}
    bytes: 60
patterns:
  signUp: {write: {create: User}, rate: {average: 1/s, peak: 20/s}}
  found: {write: {create: Club, with: [members]}, rate: {average: 1/s, peak: 20/s}}
  getMembers: {read: Member, given: [clubId], returns: [all, user.name], rate: {average: 1/s, peak: 20/s}}
`
	const model = `
tablewright: 1
application: clubs
tables:
  Users: {attributes: {userId: S}, key: {partition: userId}, items: {User: {holds: User}}}
  Clubs: {attributes: {clubId: S}, key: {partition: clubId}, items: {Club: {holds: Club}}}
  Members:
    attributes: {clubId: S, userId: S}
    key: {partition: clubId, sort: userId}
    items: {Member: {copies: {user.name: user.name}}}
plans:
  signUp: {steps: {a: {put: User, if: absent}}}
  found:
    steps:
      users: {batch-get: User, each: $club.members, key: [userId], consistent: true}
      a:
        transact:
          - {put: Club, if: absent}
          - {put: Member, each: $club.members, with: {user.name: $users.name}, if: absent}
  getMembers: {steps: {m: {query: Members, items: [Member], where: [clubId]}}}
`
	m, _ := document(t, "clubs.model.yaml", []byte(model))
	p, problems := plan.Compile(m, requirements(t, "clubs.yaml", []byte(text)))
	for _, x := range problems {
		t.Fatal(x)
	}
	f := newFake(p)
	said := func(name, value string) attr.Field { return attr.Field{Name: name, Value: attr.Text(value)} }
	user := attr.ItemOf(said("name", "Ann"))
	if _, err := f.run("signUp", attr.ItemOf(attr.Field{Name: "user", Value: attr.Map(user)}), nil); err != nil {
		t.Fatal(err)
	}
	ann := ""
	for _, it := range f.tables["Users"] {
		ann = it.Get("userId").Str()
	}
	member := func(user string) attr.Value { return attr.Map(attr.ItemOf(said("userId", user))) }
	club := attr.ItemOf(said("clubId", "c1"), attr.Field{Name: "members", Value: attr.List(member(ann), member("nobody"))})
	if _, err := f.run("found", attr.ItemOf(attr.Field{Name: "club", Value: attr.Map(club)}), nil); err != nil {
		t.Fatal(err)
	}
	if len(f.tables["Clubs"]) != 1 || len(f.tables["Members"]) != 2 {
		t.Errorf("%d clubs, %d members", len(f.tables["Clubs"]), len(f.tables["Members"]))
	}
	for _, it := range f.tables["Members"] {
		want := ""
		if it.Get("userId").Str() == ann {
			want = "Ann"
		}
		if got := it.Get("user.name").Str(); got != want {
			t.Errorf("a member is called %q, want %q", got, want)
		}
	}

	later := strings.Replace(text, "userId: {type: string, generated: ulid}", "userId: {type: string, bytes: 8}", 1)
	_, problems = plan.Compile(m, requirements(t, "clubs.yaml", []byte(later)))
	if !slices.ContainsFunc(problems, func(x plan.Problem) bool { return x.Code == plan.CodeKept }) {
		t.Error("a copy of who may come later is accepted:", problems)
	}
}
