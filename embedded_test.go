package tablewright_test

import (
	"errors"
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/plan"
)

// Kept is what many kinds of items have in common.
type Kept struct {
	ID      string     `ddb:"id"`
	Version int        `ddb:"version,version"`
	Made    *time.Time `ddb:"made,created"`
	Seen    time.Time  `ddb:"seen,updated"`
}

type memo struct {
	*Kept
	Text string `ddb:"text"`
}

var memosTable = tablewright.NewTable(plan.Table{Name: "Memos", Key: plan.Key{Partition: "id"}})

var memos = tablewright.Declare[struct {
	tablewright.Entity[string, memo]
	Text tablewright.Text[memo, string]
}](memosTable, plan.Item{Name: "Memo"})

// A call owns the value that it was made of: what it sets in it (version, times) is not set in the caller's, however that
// is embedded, and running it again is the same call.
func TestCallsLeaveTheCallersValue(t *testing.T) {
	db := open(t, tablewright.Options{}, memosTable)
	ctx := t.Context()
	made := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	m := memo{&Kept{ID: "a", Made: &made}, "x"}
	create := memos.Create(m)
	stored := must[memo](t)(create.New(ctx, db))
	if stored.Version != 1 || !stored.Made.Equal(noon) || !stored.Seen.Equal(noon) {
		t.Errorf("stored %+v", *stored.Kept)
	}
	if m.Version != 0 || !made.Equal(time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)) || !m.Seen.IsZero() {
		t.Errorf("the caller's value became %+v, %v", *m.Kept, made)
	}
	isError(t, create.Run(ctx, db), tablewright.ErrExists)
	put := memos.Put(stored)
	if err := put.Run(ctx, db); err != nil || stored.Version != 1 {
		t.Errorf("version %d, %v", stored.Version, err)
	}
	isError(t, put.Run(ctx, db), tablewright.ErrStale) // version 1 is not stored any more
	if got := must[memo](t)(memos.Get("a").Run(ctx, db)); got.Version != 2 || got.Text != "x" {
		t.Errorf("%+v", got)
	}
}

// An embedded struct that is not there has no key: that is an error of the call, not a panic.
func TestMissingEmbeddedStruct(t *testing.T) {
	if key := memos.Key(memo{}); key != "" {
		t.Errorf("key %q", key)
	}
	for name, err := range map[string]error{
		"put":    requestError(memos.Put(memo{Text: "x"}).Request()),
		"create": requestError(memos.Create(memo{Text: "x"}).Request()),
		"patch":  requestError(memos.Patch(memo{}, memo{Text: "x"}).Request()),
		"move":   requestError(memos.Move(memo{}, memo{Kept: &Kept{ID: "b"}}).Request()),
		"delete": requestError(memos.Delete(memos.Key(memo{})).Request()),
	} {
		if !errors.Is(err, tablewright.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func requestError(_ tablewright.Request, err error) error { return err }
