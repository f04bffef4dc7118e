package plan_test

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/plan"
)

// TestFragments resolves tables and plans one at a time, and finds in each what the whole model has.
func TestFragments(t *testing.T) {
	whole := shop(t)
	f := plan.NewFragments(whole.Requirements)
	var tables []*plan.Schema
	for _, d := range whole.Model.Tables {
		s, err := f.Table(d)
		if err != nil {
			t.Fatal(err)
		}
		tables = append(tables, s)
	}
	for _, d := range whole.Model.Plans {
		got, err := f.Plan(d, tables...)
		if err != nil {
			t.Fatal(err)
		}
		want := whole.Procedure(d.Name)
		if len(got.Stages) != len(want.Stages) {
			t.Errorf("%s has %d stages, in the whole model %d", d.Name, len(got.Stages), len(want.Stages))
			continue
		}
		for i, s := range got.Stages {
			if o := want.Stages[i]; s.Name != o.Name || s.Verb != o.Verb || s.Wanted() != o.Wanted() || s.Access != nil && s.Access.Name() != o.Access.Name() {
				t.Errorf("%s: step %s is %s, in the whole model %s %s", d.Name, s.Name, s.Verb, o.Name, o.Verb)
			}
		}
	}
	bad := whole.Model.Plans[0]
	bad.Name = "nobody"
	if _, err := f.Plan(bad, tables...); err == nil {
		t.Error("a plan of no pattern is resolved")
	}
}

// A consumer finds the players of a team by an index on their foreign key; what has no such index is not found.
func TestKeeping(t *testing.T) {
	r := requirements(t, "testdata/club.yaml", nil)
	f := plan.NewFragments(r)
	table := func(gsi map[string]plan.Index) *plan.Kind {
		s, err := f.Table(plan.Table{
			Name: "Players", Attributes: map[string]plan.Type{"playerId": plan.S, "teamId": plan.S}, Key: plan.Key{Partition: "playerId"}, GSI: gsi,
			Items: map[string]plan.Item{"Player": {
				Name: "Player", Stores: []string{"playerId", "teamId", "points"},
				Copies: map[string]plan.Copy{"teamName": {From: "team.name", Kept: plan.Kept{Stream: true, Within: "5s"}}},
			}},
		})
		if err != nil {
			t.Fatal(err)
		}
		return s.Kinds[0]
	}
	keeping := func(k *plan.Kind, pattern string) (out []string) {
		for _, proc := range f.Keeping(k, r.Pattern(pattern)) {
			for _, s := range proc.Stages {
				where := ""
				if s.Access != nil {
					where = " " + s.Access.Name()
				}
				out = append(out, s.Verb.String()+where)
			}
		}
		return out
	}
	indexed := table(map[string]plan.Index{"ByTeam": {Partition: []string{"teamId"}, Project: "keys"}})
	if got := keeping(indexed, "rename"); !slices.Equal(got, []string{"query Players.ByTeam", "update Players"}) {
		t.Errorf("a rename is followed by %q", got)
	}
	if got := keeping(indexed, "score"); got != nil {
		t.Errorf("what changes no name is followed by %q", got)
	}
	if got := keeping(table(nil), "rename"); got != nil {
		t.Errorf("without an index a rename is followed by %q", got)
	}
}

// same reports whether steps are those that are wanted, in whatever order: some of them wait for nothing.
func same(got []string, want ...string) bool {
	return slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want)))
}

// Nobody who awards a badge knows the team of the player: the consumer gets both and fills the name in. It finds the
// badges of a team that is renamed through its players, and looks at these once more, for a player may have moved in
// between. The badges of one who moves get the name of the new team.
func TestFilling(t *testing.T) {
	r := requirements(t, "testdata/club.yaml", nil)
	f := plan.NewFragments(r)
	late := plan.Kept{Stream: true, Within: "5s"}
	var tables []*plan.Schema
	for _, d := range []plan.Table{
		{
			Name: "Badges", Attributes: map[string]plan.Type{"playerId": plan.S, "medalId": plan.S}, Key: plan.Key{Partition: "playerId", Sort: "medalId"},
			Items: map[string]plan.Item{"Badge": {Name: "Badge", Stores: []string{"playerId", "medalId"}, Copies: map[string]plan.Copy{
				"teamName": {From: "player.team.name", Kept: late}, "motto": {From: "player.team.motto", Kept: late},
			}}},
		},
		{
			Name: "Players", Attributes: map[string]plan.Type{"playerId": plan.S, "teamId": plan.S}, Key: plan.Key{Partition: "playerId"},
			GSI:   map[string]plan.Index{"ByTeam": {Partition: []string{"teamId"}, Project: "keys"}},
			Items: map[string]plan.Item{"Player": {Name: "Player", Stores: []string{"playerId", "teamId", "points"}}},
		},
		{
			Name: "Teams", Attributes: map[string]plan.Type{"teamId": plan.S}, Key: plan.Key{Partition: "teamId"},
			Items: map[string]plan.Item{"Team": {Name: "Team", Stores: []string{"teamId", "name", "motto"}}},
		},
	} {
		s, err := f.Table(d)
		if err != nil {
			t.Fatal(err)
		}
		tables = append(tables, s)
	}
	badge := tables[0].Kinds[0]
	steps := func(proc *plan.Procedure) (out []string) {
		if proc == nil {
			return nil
		}
		for _, s := range proc.Stages {
			text := s.Verb.String()
			if s.Access != nil {
				text += " " + s.Access.Name()
			}
			out = append(out, text)
		}
		return out
	}
	ways := f.Filled(badge)
	if len(ways) != 1 || ways[0].Name != "player" {
		t.Fatalf("copies along %v are filled in", ways)
	}
	if got := steps(f.Filling(badge, ways[0], r.Pattern("award"), tables...)); !slices.Equal(got, []string{"get Players", "get Teams", "update Badges"}) {
		t.Errorf("a badge is filled by %q", got)
	}
	kept := f.Keeping(badge, r.Pattern("rename"), tables...)
	if len(kept) != 1 || !same(steps(kept[0]), "query Players.ByTeam", "batch-get Players", "query Badges", "update Badges") {
		t.Errorf("a rename is followed %d times", len(kept))
	}
	moved := f.Keeping(badge, r.Pattern("move"), tables...)
	if len(moved) != 1 || !same(steps(moved[0]), "get Teams", "get Teams", "query Badges", "update Badges") {
		t.Errorf("a player who moves is followed %d times", len(moved))
	}
	if got := f.Keeping(badge, r.Pattern("score"), tables...); got != nil {
		t.Errorf("points of a player are followed %d times", len(got))
	}
	for _, st := range badge.Stored {
		if got := f.Turns(st); got != st.Copy {
			t.Errorf("%s comes by a way that moves: %t", st.Name, got)
		}
	}
	award := plan.Plan{Name: "award", Steps: map[string]plan.Step{"write": {Put: "Badge", Value: "$badge", If: []string{"absent"}}}}
	if _, err := f.Plan(award, tables...); err != nil {
		t.Errorf("a put without the copies is refused: %v", err)
	}
	if got := f.Filled(tables[1].Kinds[0]); got != nil {
		t.Errorf("a player has no copies, and %v are filled in", got)
	}
}

// A consumer keeps the number of players in the item of their team, or in one of its own, and what it does for one player that
// comes is an update of that item.
func TestCounting(t *testing.T) {
	text, err := os.ReadFile("testdata/club.yaml")
	if err != nil {
		t.Fatal(err)
	}
	r := requirements(t, "club.yaml", bytes.Replace(text, []byte("count(players)"), []byte("count(players), within: 5s"), 1))
	f := plan.NewFragments(r)
	key := map[string]plan.Type{"teamId": plan.S}
	late := plan.Kept{Stream: true, Within: "5s"}
	s, err := f.Table(plan.Table{
		Name: "Teams", Attributes: key, Key: plan.Key{Partition: "teamId"},
		Items: map[string]plan.Item{"Team": {
			Name: "Team", Stores: []string{"teamId", "name", "motto", "size"}, Copies: map[string]plan.Copy{"size": {From: "size", Kept: late}},
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	k := s.Kinds[0]
	numbers := k.Followed()
	if len(numbers) != 1 || numbers[0].Name != "size" {
		t.Fatalf("the consumer keeps %v", numbers)
	}
	proc := f.Counting(k, numbers[0], r.Pattern("join"))
	if proc == nil || len(proc.Stages) != 1 || proc.Stages[0].Verb != plan.Update || proc.Stages[0].Kind != k {
		t.Errorf("a player who joins is counted by %v", proc)
	}
}

// A marker with the whole identity and more in its key lists its entity; one with the identity alone points to it.
func TestLists(t *testing.T) {
	f := plan.NewFragments(requirements(t, "testdata/club.yaml", nil))
	for holds, want := range map[string][2]bool{"Player.teamId+playerId": {true, false}, "Player.playerId": {false, true}, "Player.teamId": {false, false}} {
		key, attributes := map[string]string{}, map[string]plan.Type{}
		for _, name := range []string{"teamId", "playerId"} {
			if strings.Contains(holds, name) {
				key[name], attributes[name] = "{"+name+"}", plan.S
			}
		}
		d := plan.Table{Name: "Marks", Attributes: attributes, Items: map[string]plan.Item{"Mark": {Name: "Mark", Holds: plan.Holds{Unique: holds}, Key: key}}}
		switch {
		case len(key) == 2:
			d.Key = plan.Key{Partition: "teamId", Sort: "playerId"}
		default:
			for name := range key {
				d.Key.Partition = name
			}
		}
		s, err := f.Table(d)
		if err != nil {
			t.Fatal(holds, err)
		}
		if got := [2]bool{s.Kinds[0].Lists(), s.Kinds[0].Points()}; got != want {
			t.Errorf("%s lists, points: %v, not %v", holds, got, want)
		}
	}
}

// TestFollow: what a template makes of a copy changes with it, and goes with it.
func TestFollow(t *testing.T) {
	r := requirements(t, "testdata/club.yaml", nil)
	s, err := plan.NewFragments(r).Table(plan.Table{
		Name: "Badges", Attributes: map[string]plan.Type{"playerId": plan.S, "medalId": plan.S, "byTeam": plan.S}, Key: plan.Key{Partition: "playerId", Sort: "medalId"},
		GSI: map[string]plan.Index{"ByTeam": {Partition: []string{"byTeam"}, Project: "keys"}},
		Items: map[string]plan.Item{"Badge": {
			Name: "Badge", Stores: []string{"playerId", "medalId"},
			Copies: map[string]plan.Copy{"teamName": {From: "player.team.name", Kept: plan.Kept{Stream: true, Within: "5s"}}},
			Set:    map[string]plan.Template{"byTeam": {Value: "of {player.team.name}"}},
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	badge := s.Kinds[0]
	if got := badge.Followers(badge.Stored[len(badge.Stored)-1]); !slices.Equal(got, []string{"byTeam"}) {
		t.Errorf("%v follow the name of a team", got)
	}
	item := attr.ItemOf(
		attr.Field{Name: "playerId", Value: attr.Text("p")}, attr.Field{Name: "medalId", Value: attr.Text("m")},
		attr.Field{Name: "teamName", Value: attr.Text("Reds")}, attr.Field{Name: "byTeam", Value: attr.Text("of Reds")},
	)
	follow := func(copies attr.Item, removed ...string) attr.Value {
		got, err := badge.Follow(item, copies, removed...)
		if err != nil || len(got) != 1 {
			t.Fatal(got, err)
		}
		return got["byTeam"]
	}
	if got := follow(attr.ItemOf(attr.Field{Name: "teamName", Value: attr.Text("Blues")})); got.Str() != "of Blues" {
		t.Errorf("the template becomes %v", got)
	}
	if got := follow(attr.Item{}, "teamName"); !got.IsZero() {
		t.Errorf("without a name the template is %v", got)
	}
}
