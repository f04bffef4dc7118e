package keysinuse

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/keys"
	"github.com/tablewright/tablewright/model"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/tablewrighttest"
)

// Note is an entity of a model whose indexes are sharded and bucketed, as a Go type.
type Note struct {
	ID     string    `ddb:"noteId"`
	Owner  string    `ddb:"ownerId"`
	Weight int       `ddb:"weight"`
	At     time.Time `ddb:"at,iso"`
	Hidden bool      `ddb:"hidden"`
}

type NoteKey struct {
	Owner string
	At    time.Time
	ID    string
}

// A model's plans that scatter over shards and over buckets are run by declared entities, on what the model's own program
// wrote and the other way round: both compute the same shards.
func TestPlansThatScatter(t *testing.T) {
	const dir = "../../plan/testdata/"
	r, _, found, err := model.LoadRequirements(dir + "pages.yaml")
	if err != nil || r == nil {
		t.Fatal(err, found)
	}
	m, source, found, err := model.LoadModel(dir + "pages.model.yaml")
	if err != nil || m == nil {
		t.Fatal(err, found)
	}
	compiled, _ := model.CompileModel(m, source, r)
	program := tablewright.NewProgram(compiled)
	var notesTable plan.Table
	for _, table := range m.Tables {
		if table.Name == "Notes" {
			notesTable = table
		}
	}
	plans := map[string]plan.Plan{}
	for _, p := range m.Plans {
		plans[p.Name] = p
	}
	items := notesTable.Items
	notesTable.Items = nil
	table := tablewright.NewTable(notesTable)
	note := items["Note"]
	note.Name = "Note"
	notes := tablewright.Declare[struct {
		tablewright.Entity[NoteKey, Note]
		ByWeight tablewright.Index1[Note, struct{}, int]
	}](table, note)
	heaviest := tablewright.FromPlan[struct{}](notes, plans["heaviest"])
	type span struct{ From, To time.Time }
	between := tablewright.FromPlan[span](notes, plans["between"])
	own := tablewright.NewPattern(table, "ownHeaviest", func(struct{}) tablewright.Query[Note] {
		return notes.ByWeight.Of(struct{}{}).Descending().Evaluate(5)
	})
	if info, _ := table.Pattern("ownHeaviest"); len(info.Differs(plans["heaviest"])) > 0 {
		t.Error(info.Differs(plans["heaviest"]))
	}
	kit := tablewrighttest.Start(t, table)
	ctx, db := t.Context(), kit.DB
	for i := range 30 {
		at := noon.Add(time.Duration(i) * 7 * time.Hour)
		n := Note{fmt.Sprintf("n%02d", i), fmt.Sprint("o", i%2), i % 10, at, false}
		if i%2 == 0 {
			if err := notes.Create(n).Run(ctx, db); err != nil {
				t.Fatal(err)
			}
			continue
		}
		stamp, _ := keys.TimestampOf(at)
		it, err := attr.MarshalItem(&n)
		if err != nil {
			t.Fatal(err)
		}
		it.Set("at", stamp)
		if _, err := program.Run(ctx, db, "addNote", attr.ItemOf(attr.Field{Name: "note", Value: attr.Map(it)}), tablewright.RunOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	ids := func(notes []Note, err error) (ids []string) {
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range notes {
			ids = append(ids, n.ID)
		}
		return ids
	}
	all := ids(heaviest.With(struct{}{}).Slice(ctx, db))
	if len(all) != 30 || !slices.Equal(all, ids(own.With(struct{}{}).Slice(ctx, db))) {
		t.Errorf("%v", all)
	}
	weights := must[[]Note](t)(heaviest.With(struct{}{}).Slice(ctx, db))
	if !slices.IsSortedFunc(weights, func(a, b Note) int { return b.Weight - a.Weight }) {
		t.Errorf("%v", weights)
	}
	days := span{noon.Add(24 * time.Hour), noon.Add(80 * time.Hour)}
	got := ids(between.With(days).Slice(ctx, db))
	stamp := func(at time.Time) attr.Value { v, _ := keys.TimestampOf(at); return v }
	var want []string
	for cursor := tablewright.Cursor(""); ; {
		result, err := program.Run(ctx, db, "between", attr.ItemOf(attr.Field{Name: "from", Value: stamp(days.From)}, attr.Field{Name: "to", Value: stamp(days.To)}),
			tablewright.RunOptions{Cursor: cursor})
		if err != nil {
			t.Fatal(err)
		}
		for _, it := range result.Items {
			want = append(want, it.Get("noteId").Str())
		}
		if cursor = result.Cursor; cursor == "" {
			break
		}
	}
	if len(got) != 8 || !slices.Equal(got, want) {
		t.Errorf("%v\nthe program: %v", got, want)
	}
}

// must takes the value of a call that does not fail.
func must[T any](t *testing.T) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}
