package practices

import (
	"fmt"
	"log"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/plan"
)

type Person struct {
	ID   string `ddb:"person"`
	Name string `ddb:"name"`
}

type Group struct {
	ID    string `ddb:"group"`
	Title string `ddb:"title"`
}

// Membership is the edge between a group and a person. It repeats what lists show of both.
type Membership struct {
	Group  string `ddb:"group"`
	Person string `ddb:"person"`
	Title  string `ddb:"title"` // of the group
	Name   string `ddb:"name"`  // of the person
	Role   string `ddb:"role"`
}

type MembershipKey struct{ Group, Person string }

var Graph = tablewright.NewTable(plan.Table{
	Name: "Graph", Key: plan.Key{Partition: "PK", Sort: "SK"},
	GSI: map[string]plan.Index{"Inverted": {Partition: []string{"SK"}, Sort: []string{"PK"}}},
})

var People = tablewright.Declare[tablewright.Entity[string, Person]](Graph, plan.Item{
	Name: "Person", Key: map[string]string{"PK": "p#{person}", "SK": "p#{person}"},
})

type groups struct {
	tablewright.Entity[string, Group]
	All tablewright.Index0[Group, string] `index:"."`
}

var Groups = tablewright.Declare[groups](Graph, plan.Item{
	Name: "Group", Key: map[string]string{"PK": "g#{group}", "SK": "g#{group}"},
})

type memberships struct {
	tablewright.Entity[MembershipKey, Membership]
	OfGroup  tablewright.Index1[Membership, string, string] `index:"."`
	OfPerson tablewright.Index1[Membership, string, string] `index:"Inverted"`
}

var Memberships = tablewright.Declare[memberships](Graph, plan.Item{
	Name: "Membership", Key: map[string]string{"PK": "g#{group}", "SK": "p#{person}"},
})

// GroupPage is a group with its members.
type GroupPage struct {
	Group   Group
	Members []Membership
}

var GroupPages = tablewright.NewCollection[GroupPage](Groups.All)

func Example_adjacency() {
	ctx, db := open(Graph)
	err := tablewright.Transact(
		People.Create(Person{"ada", "Ada"}), People.Create(Person{"eve", "Eve"}),
		Groups.Create(Group{"chess", "Chess club"}), Groups.Create(Group{"go", "Gophers"}),
		Memberships.Create(Membership{"chess", "ada", "Chess club", "Ada", "chair"}),
		Memberships.Create(Membership{"chess", "eve", "Chess club", "Eve", "member"}),
		Memberships.Create(Membership{"go", "ada", "Gophers", "Ada", "member"}),
	).Run(ctx, db)
	if err != nil {
		log.Fatal(err)
	}

	page, err := GroupPages.Of("chess").Run(ctx, db) // the group and its members: one query
	fmt.Println(page.Group.Title, len(page.Members), err)

	for m, err := range Memberships.OfPerson.Of("ada").All(ctx, db) { // the other way round
		fmt.Println(m.Title, m.Role, err)
	}
	m, err := Memberships.Get(MembershipKey{"go", "eve"}).Run(ctx, db) // is she?
	fmt.Println(m.Role, err)
	// Output:
	// Chess club 2 <nil>
	// Chess club chair <nil>
	// Gophers member <nil>
	//  tablewright: GetItem Graph: not found
}
