package clienttest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/tablewrighttest"
)

type note struct {
	User string           `ddb:"user"`
	At   int              `ddb:"at"`
	Text string           `ddb:"text"`
	Tags []string         `ddb:"tags,set,omitzero"`
	File tablewright.Blob `ddb:"file,omitzero"`
}

type noteKey struct {
	User string
	At   int
}

type notes struct {
	tablewright.Entity[noteKey, note]
	Text   tablewright.Text[note, string]
	Tags   tablewright.Set[note, string]
	ByUser tablewright.Index1[note, string, int] `index:"."`
}

var (
	table = tablewright.NewTable(plan.Table{Name: "Notes", Key: plan.Key{Partition: "user", Sort: "at"}})
	Notes = tablewright.Declare[notes](table, plan.Item{Name: "Note"})
	Of    = tablewright.NewPattern(table, "notesOf", func(p struct{ User string }) tablewright.Query[note] { return Notes.ByUser.Of(p.User).Descending() })
)

// opened is a way to an engine with notes 1 to 5 of ann in it.
func opened(t *testing.T, hooks ...tablewright.Hook) *tablewright.DB {
	t.Helper()
	db := tablewright.New(tablewright.InProcess(engine.New(t)), tablewright.Options{Hooks: hooks})
	if err := table.CreateIn(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		if err := Notes.Create(note{User: "ann", At: i + 1, Text: fmt.Sprint("note ", i+1), Tags: []string{"a", fmt.Sprint(i + 1)}}).Run(t.Context(), db); err != nil {
			t.Fatal(err)
		}
	}
	return db
}

// texts are the texts of notes that pass a filter.
func texts(t *testing.T, db *tablewright.DB, c tablewright.Cond[note]) string {
	t.Helper()
	var all []string
	for n, err := range Notes.ByUser.Of("ann").Filter(c).All(t.Context(), db) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, strings.TrimPrefix(n.Text, "note "))
	}
	return strings.Join(all, " ")
}

func TestConditions(t *testing.T) {
	db := opened(t)
	for want, c := range map[string]tablewright.Cond[note]{
		"1 2 4 5": Notes.Text.NotEquals("note 3"),
		"2":       Notes.Tags.Has("2"),
		"2 4":     Notes.Tags.Has("2").Or(Notes.Text.Equals("note 4")),
		"4 5":     Notes.Tags.Has("a").And(Notes.Text.Greater("note 3")),
	} {
		if got := texts(t, db, c); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if table.Name() != "Notes" || Notes.Text.AttributeName() != "text" || Of.Name() != "notesOf" {
		t.Errorf("%s, %s, %s", table.Name(), Notes.Text.AttributeName(), Of.Name())
	}
}

// Conditions that are added to a write must all hold; what was there before is answered.
func TestConditionalWrites(t *testing.T) {
	db, ctx := opened(t), t.Context()
	first := noteKey{"ann", 1}
	put := Notes.Put(note{User: "ann", At: 1, Text: "new"}).If(Notes.Text.Equals("note 1"))
	if err := put.If(Notes.Tags.Has("x")).Run(ctx, db); !errors.Is(err, tablewright.ErrConditionFailed) {
		t.Errorf("%v", err)
	}
	if err := put.If(Notes.Tags.Has("a")).Run(ctx, db); err != nil {
		t.Error(err)
	}
	del := Notes.Delete(first).If(Notes.Text.Equals("new"))
	if err := del.If(Notes.Tags.Has("a")).Run(ctx, db); !errors.Is(err, tablewright.ErrConditionFailed) {
		t.Errorf("%v", err)
	}
	old, err := del.Old(ctx, db)
	if err != nil || old.Text != "new" {
		t.Errorf("%+v, %v", old, err)
	}
	tablewrightHasNot(t, db, first)
}

func tablewrightHasNot(t *testing.T, db *tablewright.DB, key noteKey) {
	t.Helper()
	found, err := Notes.GetAll([]noteKey{key, {"ann", 2}}).Consistent().Run(t.Context(), db)
	if err != nil || found[0].OK || !found[1].OK {
		t.Errorf("%+v, %v", found, err)
	}
}

// Requests can be looked at, unsent.
func TestRequests(t *testing.T) {
	var n note
	request, err := tablewright.Snapshot(Notes.Get(noteKey{"ann", 1}).Into(&n)).Request()
	if err != nil || request.Operation != "TransactGetItems" || !bytes.Contains(request.Body, []byte(`"Key":{"user":{"S":"ann"},"at":{"N":"1"}}`)) {
		t.Errorf("%s %s, %v", request.Operation, request.Body, err)
	}
	s := tablewright.PartiQL[note](table, `SELECT * FROM "Notes" WHERE "user" = ?`, "ann").Consistent()
	request, err = s.Request()
	if err != nil || request.Operation != "ExecuteStatement" || !bytes.Contains(request.Body, []byte(`"ConsistentRead":true`)) {
		t.Errorf("%s, %v", request.Body, err)
	}
	all := 0
	for n, err := range s.All(t.Context(), opened(t)) {
		if all++; err != nil || n.At != all {
			t.Errorf("%+v, %v", n, err)
		}
	}
	if all != 5 {
		t.Errorf("%d notes", all)
	}
}

// A reader pages backward from the end.
func TestLast(t *testing.T) {
	db, ctx := opened(t), t.Context()
	page, err := Notes.ByUser.Of("ann").Last(ctx, db, "", 2)
	if err != nil || len(page.Items) != 2 || page.Items[0].At != 4 || page.Items[1].At != 5 || page.Previous == "" {
		t.Fatalf("%+v, %v", page, err)
	}
	var seen []int
	for before := page.Previous; before != ""; before = page.Previous {
		if page, err = Notes.ByUser.Of("ann").Last(ctx, db, before, 2); err != nil {
			t.Fatal(err)
		}
		for i := range page.Items {
			seen = append(seen, page.Items[i].At)
		}
	}
	if fmt.Sprint(seen) != "[2 3 1]" {
		t.Errorf("%v", seen)
	}
}

// The same declaration elsewhere: under other names, and in whatever the account has.
func TestTables(t *testing.T) {
	db, ctx := opened(t), t.Context()
	stage := db.WithTableName(func(declared string) string { return "test-" + declared })
	if err := table.CreateIn(ctx, stage); err != nil {
		t.Fatal(err)
	}
	var names []string
	for name, err := range db.Tables(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	if fmt.Sprint(names) != "[Notes test-Notes]" {
		t.Errorf("%v", names)
	}
	d, err := tablewright.Describe(ctx, stage, "Notes")
	if err != nil || d.Table.Key != (plan.Key{Partition: "user", Sort: "at"}) {
		t.Errorf("%+v, %v", d, err)
	}
	if _, err := tablewright.Describe(ctx, db, "Nowhere"); !errors.Is(err, tablewright.ErrNotFound) {
		t.Errorf("%v", err)
	}
	answer, err := db.Send(ctx, "DescribeLimits", "", []byte(`{}`))
	if err != nil || !bytes.Contains(answer, []byte("TableMaxReadCapacityUnits")) {
		t.Errorf("%s, %v", answer, err)
	}
	other := tablewright.NewTable(plan.Table{Name: "Notes", Key: plan.Key{Partition: "user", Sort: "no"}, Attributes: map[string]plan.Type{"user": plan.S, "no": plan.N}})
	differences, err := other.Compare(ctx, db)
	if err != nil || len(differences) == 0 || differences[0].String() != "sort key: declared no, found at" {
		t.Errorf("%v, %v", differences, err)
	}
}

// Hooks are told what a call is, what it consumed and where.
func TestHooksAreTold(t *testing.T) {
	var told []string
	db := opened(t, func(next tablewright.Transport) tablewright.Transport {
		return tablewright.TransportFunc(func(ctx context.Context, c *tablewright.Call) error {
			c.Measure = true
			err := next.Do(ctx, c)
			if c.Operation == "GetItem" && (c.Declared("Notes") != table || c.Declared("Others") != nil) {
				t.Errorf("GetItem concerns %v", c.Declared("Notes"))
			}
			for table, u := range perTable(c) {
				told = append(told, fmt.Sprintf("%s reads=%v %s %v/%v", c.Operation, c.Reads(), table, u.Read, u.Write))
			}
			return err
		})
	})
	told = nil
	if _, err := Notes.Get(noteKey{"ann", 1}).Run(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	if err := Notes.Delete(noteKey{"ann", 1}).Run(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	for _, err := range tablewright.PartiQL[note](table, `SELECT * FROM "Notes" WHERE "user" = ?`, "ann").All(t.Context(), db) {
		if err != nil {
			t.Fatal(err)
		}
	}
	want := "[GetItem reads=true Notes 0.5/0 DeleteItem reads=false Notes 0/1 ExecuteStatement reads=true Notes 0.5/0]"
	if fmt.Sprint(told) != want {
		t.Errorf("%v\nwant %v", told, want)
	}
	f := tablewright.TransportFunc(func(context.Context, *tablewright.Call) error { return tablewright.ErrLimit })
	if err := f.Do(t.Context(), &tablewright.Call{}); err != tablewright.ErrLimit {
		t.Errorf("%v", err)
	}
	if got := (&tablewright.Call{}).DeclaredName([]byte("Notes")); got != "Notes" {
		t.Errorf("a name that nobody mapped is declared as %q", got)
	}
	if db.Now().IsZero() {
		t.Error("no time")
	}
}

func perTable(c *tablewright.Call) map[string]tablewright.Units {
	all := map[string]tablewright.Units{}
	c.Consumed(func(table, index string, u tablewright.Units) bool {
		all[table+index] = u
		return true
	})
	return all
}

// Large values go into files, and out of them.
func TestBlobs(t *testing.T) {
	ctx, folder := t.Context(), tablewright.Folder(t.TempDir())
	o := tablewright.Offload{Store: folder, Threshold: 10}
	large, err := o.Save(ctx, []byte(strings.Repeat("x", 100)))
	if err != nil {
		t.Fatal(err)
	}
	small, err := o.Save(ctx, []byte("x"))
	if err != nil {
		t.Fatal(err)
	}
	v, err := large.MarshalValue()
	if err != nil || v.Map().Get("key").Str() != large.Key() {
		t.Errorf("%v, %v", v, err)
	}
	if v, err := small.MarshalValue(); err != nil || v.Kind() != attr.KindB || small.Key() != "" {
		t.Errorf("%v, %v", v, err)
	}
	if data, err := folder.Get(ctx, large.Key()); err != nil || len(data) != 100 {
		t.Errorf("%d bytes, %v", len(data), err)
	}
	if err := folder.Delete(ctx, large.Key()); err != nil {
		t.Error(err)
	}
	if _, err := folder.Get(ctx, large.Key()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
	if _, err := folder.Get(ctx, "../outside"); err == nil {
		t.Error("a key led out of the folder")
	}
}

// A script is a transport like any other: what it was not told of it refuses.
func TestScriptIsATransport(t *testing.T) {
	s := tablewrighttest.NewScript(t)
	s.Expect("GetItem").Answer(`{"Item":{"user":{"S":"ann"}}}`)
	c := &tablewright.Call{Operation: "GetItem", Request: []byte(`{}`)}
	if err := s.Do(t.Context(), c); err != nil || !bytes.Contains(c.Response, []byte("ann")) {
		t.Errorf("%s, %v", c.Response, err)
	}
}

type board struct{ Notes []note }

var boards = tablewright.NewCollection[board](Notes.ByUser)

func TestCollectRequest(t *testing.T) {
	request, err := boards.Of("ann").Request()
	if err != nil || request.Operation != "Query" || !bytes.Contains(request.Body, []byte(`{":0":{"S":"ann"}}`)) {
		t.Errorf("%s %s, %v", request.Operation, request.Body, err)
	}
}

// counter is a collector that counts.
type counter struct{ calls int }

func (c *counter) Hook(next tablewright.Transport) tablewright.Transport {
	return tablewright.TransportFunc(func(ctx context.Context, call *tablewright.Call) error {
		c.calls++
		return next.Do(ctx, call)
	})
}

// A collector is what the environment turns on, if the program has one.
func TestRegisteredStatistics(t *testing.T) {
	var one counter
	setting := ""
	tablewright.RegisterStatistics(func(s string) (tablewright.Collector, error) { setting = s; return &one, nil })
	defer tablewright.RegisterStatistics(nil)
	t.Setenv("TABLEWRIGHT_STATS", "off")
	if opened(t); one.calls != 0 || setting != "" {
		t.Errorf("turned off: %d calls, %q", one.calls, setting)
	}
	t.Setenv("TABLEWRIGHT_STATS", "every=1m")
	if opened(t); one.calls < 5 || setting != "every=1m" {
		t.Errorf("turned on: %d calls, %q", one.calls, setting)
	}
}

// An item that is as its templates have it needs no renewal; waiting ends with the context.
func TestRenewAndSleep(t *testing.T) {
	db, ctx := opened(t), t.Context()
	stored, err := Notes.Encode(note{User: "ann", At: 1, Text: "note 1"})
	if err != nil {
		t.Fatal(err)
	}
	it, err := attr.ParseItem(stored)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok, err := table.Kinds()[0].Renew(it); ok || err != nil {
		t.Errorf("%v, %v", ok, err)
	}
	over, cancel := context.WithCancel(ctx)
	cancel()
	if err := db.Sleep(over, 1<<40); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
