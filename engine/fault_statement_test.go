package engine_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/wire"
)

// TestFaultsOfStatements: statements meet the faults of the tables, indexes and items that they name.
func TestFaultsOfStatements(t *testing.T) {
	internal := &wire.Error{Code: wire.CodeInternal, Message: "made up"}
	one := func(s string, parameters ...string) [2]string {
		q := `{"Statement":"` + s + `"`
		if len(parameters) > 0 {
			q += `,"Parameters":[` + strings.Join(parameters, ",") + `]`
		}
		return [2]string{"ExecuteStatement", q + "}"}
	}
	for name, c := range map[string]struct {
		fault   engine.Fault
		request [][2]string
		want    string // ! for those that meet it
	}{
		"a table": {engine.Fault{Table: "Books", Err: internal},
			[][2]string{one(`SELECT * FROM Books`), one(`SELECT * FROM \"Books\".\"ByAuthor\" WHERE author = 'Ann'`), one(`SELECT * FROM Shelves`),
				{"BatchExecuteStatement", `{"Statements":[{"Statement":"SELECT * FROM Books WHERE isbn='1'"}]}`}}, "!!.!"},
		"an index": {engine.Fault{Index: "ByAuthor", Err: internal},
			[][2]string{one(`SELECT * FROM Books`), one(`SELECT * FROM \"Books\".\"ByAuthor\" WHERE author = 'Ann'`)}, ".!"},
		"an item": {engine.Fault{Table: "Books", Key: `{"isbn":{"S":"1"}}`, Err: internal},
			[][2]string{one(`INSERT INTO Books VALUE {'isbn':'1'}`), one(`INSERT INTO Books VALUE {'isbn':?}`, `{"S":"1"}`), one(`INSERT INTO Books VALUE {'isbn':'2'}`),
				one(`UPDATE Books SET v=1 WHERE isbn='1'`), one(`UPDATE Books SET v=1 WHERE isbn='2'`), one(`DELETE FROM Books WHERE isbn=?`, `{"S":"1"}`),
				one(`SELECT * FROM Books WHERE isbn IN ['3','1']`), one(`SELECT * FROM Books WHERE isbn IN ['3','2']`), one(`SELECT * FROM Books WHERE v='1'`),
				{"ExecuteTransaction", `{"TransactStatements":[{"Statement":"DELETE FROM Books WHERE isbn='3'"},{"Statement":"DELETE FROM Books WHERE isbn='1'"}]}`},
				{"ExecuteTransaction", `{"TransactStatements":[{"Statement":"SELECT * FROM Books WHERE isbn='1'"}]}`},
				{"BatchExecuteStatement", `{"Statements":[{"Statement":"DELETE FROM Books WHERE isbn='3'"},{"Statement":"DELETE FROM Books WHERE isbn=?","Parameters":[{"S":"1"}]}]}`}},
			"!!.!.!!..!!!"},
		"the second of them": {engine.Fault{Key: `{"isbn":{"S":"1"}}`, Skip: 1, Times: 1, Err: internal},
			[][2]string{one(`SELECT * FROM Books WHERE isbn='1'`), one(`SELECT * FROM Books WHERE isbn='1'`), one(`SELECT * FROM Books WHERE isbn='1'`)}, ".!."},
	} {
		e := engine.New(t)
		do(t, e, "CreateTable", booksTable)
		do(t, e, "CreateTable", `{"TableName":"Shelves","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],"KeySchema":[{"AttributeName":"id","KeyType":"HASH"}]}`)
		injected := e.Inject(c.fault)
		got := ""
		for _, r := range c.request {
			_, err := try(e, r[0], r[1])
			switch {
			case errors.Is(err, internal):
				got += "!"
			case err == nil, errors.Is(err, wire.ErrConditionFailed): // of what is not there
				got += "."
			default:
				t.Errorf("%s: %s: %v", name, r[1], err)
			}
		}
		if got != c.want || injected.Met() != strings.Count(c.want, "!") {
			t.Errorf("%s: got %s, want %s; met %d times", name, got, c.want, injected.Met())
		}
	}
}

// TestStatementsUnderWay: a write by a statement that a fault delays is under way meanwhile, as other writes are: a
// transaction conflicts with the one of a transaction, and held items are held for statements.
func TestStatementsUnderWay(t *testing.T) {
	for _, c := range []struct{ operation, request, meanwhile string }{
		{"ExecuteTransaction", `{"TransactStatements":[{"Statement":"UPDATE Books SET v=1 WHERE isbn='1'"}]}`, "TransactionConflict"},
		{"ExecuteStatement", `{"Statement":"UPDATE Books SET v=1 WHERE isbn='1'"}`, "reading: TransactionConflict"},
		{"BatchExecuteStatement", `{"Statements":[{"Statement":"UPDATE Books SET v=1 WHERE isbn='1'"}]}`, "reading: TransactionConflict"},
	} {
		e := engine.New(t)
		do(t, e, "CreateTable", booksTable)
		do(t, e, "PutItem", `{"TableName":"Books","Item":{"isbn":{"S":"1"}}}`)
		proceed := make(chan struct{})
		injected := e.Inject(engine.Fault{Operation: c.operation, Key: `{"isbn":{"S":"1"}}`, Until: proceed})
		done := make(chan error)
		go func() {
			_, err := try(e, c.operation, c.request)
			done <- err
		}()
		// The first of these may come before the fault holds the item: it leaves there what the statement updates.
		operation, request := "TransactWriteItems", `{"TransactItems":[{"Put":{"TableName":"Books","Item":{"isbn":{"S":"1"}}}}]}`
		if strings.HasPrefix(c.meanwhile, "reading") {
			operation, request = "TransactGetItems", `{"TransactItems":[{"Get":{"TableName":"Books","Key":{"isbn":{"S":"1"}}}}]}`
		}
		refused := false
		for range 500 { // until it is under way
			if injected.Met() > 0 {
				_, err := try(e, operation, request)
				var conflict *wire.Error
				if refused = errors.As(err, &conflict) && len(conflict.Reasons) > 0 && conflict.Reasons[0].Code == "TransactionConflict"; refused {
					break
				}
			}
			time.Sleep(time.Millisecond)
		}
		if !refused {
			t.Errorf("%s is not under way while it waits", c.operation)
		}
		close(proceed)
		if err := <-done; err != nil && refused {
			t.Errorf("%s: %v", c.operation, err)
		}
	}

	e := engine.New(t)
	do(t, e, "CreateTable", booksTable)
	do(t, e, "PutItem", `{"TableName":"Books","Item":{"isbn":{"S":"1"}}}`)
	release := e.Hold(t, "Books", `{"isbn":{"S":"1"}}`)
	if _, err := try(e, "ExecuteStatement", `{"Statement":"UPDATE Books SET v=1 WHERE isbn='1'"}`); !errors.Is(err, wire.ErrConflict) {
		t.Errorf("a statement writes an item that is held: %v", err)
	}
	if _, err := try(e, "ExecuteTransaction", `{"TransactStatements":[{"Statement":"DELETE FROM Books WHERE isbn='1'"}]}`); !strings.Contains(reasonsOf(t, err), "TransactionConflict") {
		t.Errorf("a transaction of statements writes an item that is held: %v", err)
	}
	answer := do(t, e, "BatchExecuteStatement", `{"Statements":[{"Statement":"DELETE FROM Books WHERE isbn='1'"}]}`)
	if got := answer["Responses"].([]any)[0].(map[string]any)["Error"].(map[string]any)["Code"]; got != "TransactionConflict" {
		t.Errorf("a batch of statements meets an item that is held with %v", got)
	}
	release()
	do(t, e, "ExecuteStatement", `{"Statement":"DELETE FROM Books WHERE isbn='1'"}`)
}
