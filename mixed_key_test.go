package tablewright_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/plan"
)

// A note lies under an attribute of its own, in an order that a template builds: the key that designs give to children
// which are read by their parent.
type note struct {
	Topic string    `ddb:"topicId"`
	ID    string    `ddb:"noteId"`
	At    time.Time `ddb:"at,iso"`
	Text  string    `ddb:"text"`
}

type noteKey struct {
	Topic string
	At    time.Time
	ID    string
}

var notesTable = tablewright.NewTable(plan.Table{Name: "Notes", Key: plan.Key{Partition: "topicId", Sort: "atNoteId"}})

var notes = tablewright.Declare[struct {
	tablewright.Entity[noteKey, note]
	Text    tablewright.Text[note, string]
	OfTopic tablewright.Index2[note, string, time.Time, string] `index:"Notes"`
}](notesTable, plan.Item{Name: "Note", Key: map[string]string{"atNoteId": "{at:iso}#{noteId}"}})

func TestKeyOfOwnAndBuilt(t *testing.T) {
	db := open(t, tablewright.Options{}, notesTable)
	day := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range 5 {
		if err := notes.Create(note{"t1", fmt.Sprint("n", i), day.AddDate(0, 0, i), "hi"}).Run(t.Context(), db); err != nil {
			t.Fatal(err)
		}
	}
	key := noteKey{"t1", day.AddDate(0, 0, 2), "n2"}
	if err := notes.Update(key, notes.Text.Set("changed")).Run(t.Context(), db); err != nil {
		t.Error(err)
	}
	if got, err := notes.Get(key).Run(t.Context(), db); err != nil || got.Text != "changed" || got.Topic != "t1" {
		t.Errorf("%+v, %v", got, err)
	}
	late, err := notes.OfTopic.Of("t1").From(day.AddDate(0, 0, 3)).Descending().Slice(t.Context(), db)
	if err != nil || len(late) != 2 || late[0].ID != "n4" {
		t.Errorf("%v, %v", late, err)
	}
	if err := notes.Delete(key).Run(t.Context(), db); err != nil {
		t.Error(err)
	}
	if all, err := notes.OfTopic.Of("t1").Slice(t.Context(), db); err != nil || len(all) != 4 {
		t.Errorf("%v, %v", all, err)
	}
}
