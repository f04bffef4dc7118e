package tablewright_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
)

// A value in a text is written as the attribute beside it: a time as its tag says, a slice as a set, an element of either.
func TestTextsWriteValuesAsTheirAttributes(t *testing.T) {
	for text, c := range map[string]struct {
		args []any
		want string // of the values, in order
	}{
		"draftUntil < ?":                                         {[]any{noon}, `{":0":{"N":"1795262400"}}`},
		"placedAt BETWEEN ? AND ?":                               {[]any{noon, &noon}, `{":0":{"S":"2026-11-21T12:00:00.000Z"},":1":{"S":"2026-11-21T12:00:00.000Z"}}`},
		"tags = ?":                                               {[]any{[]string{"b", "a"}}, `{":0":{"SS":["a","b"]}}`},
		"contains(tags, ?) OR contains(note, ?)":                 {[]any{"a", "b"}, `{":0":{"S":"a"},":1":{"S":"b"}}`},
		"contains(lines, ?)":                                     {[]any{Line{"s1", 2}}, `{":0":{"M":{"qty":{"N":"2"},"sku":{"S":"s1"}}}}`},
		"lines[1].qty IN (?, ?)":                                 {[]any{1, int8(2)}, `{":0":{"N":"1"},":1":{"N":"2"}}`},
		"NOT size(lines) > ? AND ? <= total":                     {[]any{3, 4.5}, `{":0":{"N":"3"},":1":{"N":"4.5"}}`},
		"attribute_type(note, ?) OR note = ?":                    {[]any{"NULL", attr.Null()}, `{":0":{"S":"NULL"},":1":{"NULL":true}}`},
		"begins_with(ship.city, ?) AND status <> ship.street":    {[]any{"O"}, `{":0":{"S":"O"}}`},
		"ship = ? AND attribute_exists(lines[0].sku)":            {[]any{Address{"Main", "Oslo"}}, `{":0":{"M":{"city":{"S":"Oslo"},"street":{"S":"Main"}}}}`},
		"size(note) BETWEEN ? AND ? OR note = ?":                 {[]any{1, 2, ""}, `{":0":{"N":"1"},":1":{"N":"2"},":2":{"S":""}}`},
		"status = ? AND (total < ? OR contains(ship.street, ?))": {[]any{Paid, attr.Int(4), "x"}, `{":0":{"S":"paid"},":1":{"N":"4"},":2":{"S":"x"}}`},
	} {
		request, err := Orders.Delete("o1").If(Orders.Where(text, c.args...)).Request()
		if got := valuesOf(request); err != nil || got != c.want {
			t.Errorf("%s: %s, %v, not %s", text, got, err, c.want)
		}
	}
	for text, c := range map[string]struct {
		args []any
		want []string
	}{
		"SET draftUntil = if_not_exists(draftUntil, ?)": {[]any{noon}, []string{`{"N":"1795262400"}`}},
		"ADD tags ?": {[]any{[]string{"a"}}, []string{`{"SS":["a"]}`}},
		"DELETE tags ? SET lines = list_append(lines, ?)":             {[]any{[]string{"a"}, []Line{{"s", 7}}}, []string{`{"SS":["a"]}`, `{"L":[{"M":{"qty":{"N":"7"},"sku":{"S":"s"}}}]}`}},
		"SET lines[0].qty = lines[0].qty + ? REMOVE note ADD total ?": {[]any{27, 35}, []string{`{"N":"27"}`, `{"N":"35"}`}},
	} {
		request, err := Orders.Update("o1", Orders.Clause(text, c.args...)).Request()
		for _, want := range c.want {
			if got := valuesOf(request); err != nil || !strings.Contains(got, want) {
				t.Errorf("%s: %s, %v, not %s", text, got, err, want)
			}
		}
	}
}

func valuesOf(r tablewright.Request) string {
	var body struct{ ExpressionAttributeValues json.RawMessage }
	if json.Unmarshal(r.Body, &body) != nil {
		return ""
	}
	return string(body.ExpressionAttributeValues)
}

// What is wrong with a text is told with its place in it, before anything is sent.
func TestMistakesInTexts(t *testing.T) {
	where := func(text string, args ...any) error {
		_, err := Orders.Delete("o1").If(Orders.Where(text, args...)).Request()
		return err
	}
	clause := func(text string, args ...any) error {
		_, err := Orders.Update("o1", Orders.Clause(text, args...)).Request()
		return err
	}
	for want, err := range map[string]error{
		"value 1 (position 10): a text, and total is a number":                                          where("total >= ?", "1"),
		"value 2 (position 26): a number, and ship.city is a text":                                      where("total = ? OR ship.city = ?", 1, 2),
		"tablewright_test.Order has no attribute totl (position 1)":                                     where("totl >= ?", 1),
		"ship is a tablewright_test.Address, which has no attribute citty (position 20)":                clause("SET note = ?, ship.citty = ?", "a", "x"),
		"ship is a tablewright_test.Address, which has no attribute zip (position 23)":                  where("attribute_exists(ship.zip)"),
		"lines[2] is a tablewright_test.Line, which has no attribute size (position 10)":                where("lines[2].size = ?", 1),
		"lines is a list: there is no qty in it (position 7)":                                           where("lines.qty = ?", 1),
		"ship is a map, which has no positions (position 6)":                                            where("ship[0] = ?", 1),
		"note is a text: there is no x in it (position 6)":                                              where("note.x = ?", 1),
		"value 1 (position 17): total is a number: contains looks into texts, binaries, sets and lists": where("contains(total, ?)", 1),
		"value 1 (position 15): a number, and tags holds a text":                                        where("contains(tags,?)", 1),
		"a size is compared with a number, not with a text":                                             where("size(note) = ?", "1"),
		"value 1 (position 14): a text, and draftUntil is a number":                                     where("draftUntil < ?", "tomorrow"),
		"value 1 (position 10): a list, and tags is a set of texts":                                     clause("ADD tags ?", []int{1}),
		"Syntax error at position 20: + cannot stand there":                                             clause("SET total = total ++ ?", 1),
		"position 10: 5 cannot stand there: values are written as ?":                                    where("total >= 5"),
		"position 8: ' cannot stand there: values are written as ?":                                     where("note = 'paid'"),
		"position 8: = cannot stand there: equality is one =":                                           where("total == ?", 1),
		"Syntax error at position 15: the text ends too early":                                          where("total >= ? AND", 1),
		"Syntax error at position 12: paid cannot stand there":                                          where("total >= ? paid", 1),
		"the ? at position 13 has no value: 0 are given":                                                clause("SET total = ?"),
		"2 values for 1 ?":                                                     where("total = ?", 1, 2),
		"'#' at position 5: write names as they are":                           clause("SET #s = ?", "paid"),
		"zip (position 38)":                                                    where("note = ? AND attribute_exists(ship . zip)", "zip"),
		"operator or function: <, operand type: L (position 9)":                where("lines < ?", []Line{{"s", 1}}),
		"operator: =, first operand: [note] (position 8)":                      where("note = note"),
		"Invalid function name; function: sized (position 14)":                 where("note = ? AND sized(note) = ?", "x", 1),
		"BETWEEN is below the lower one (position 21)":                         where("total BETWEEN ? AND ?", 7001, 7000),
		"asks for a type that there is none of":                                where("attribute_type(note, ?)", "text"),
		"one of these paths; path one: [note], path two: [note] (position 15)": clause("SET note = ?, note = ?", "a", "b"),
		"section can only be used once in an update expression; (position 14)": clause("SET note = ? SET total = ?", "a", 1),
		"The expression has redundant parentheses; (position 14)":              where("total > ? OR ((note = ?))", 1, "x"),
		"The expression can not be empty; (position 1)":                        where(""),
		`"…te2 OR note=note2 OR note=note2 OR total<>note": Invalid ConditionExpression: The expression contains too many operators; operator count: 301 (position 2106)`: where(strings.Repeat("note=note2 OR ", 150) + "total<>note"),
		"? cannot stand there: IN has its values in parentheses":                                                     where("total in ?", 1),
		"total cannot stand there: an update begins with SET, REMOVE":                                                clause("total = ?", 1),
		"version of Order is kept by the client, which changes it with every write: leave it out (position 15)":      clause("SET note = ?, version = ?", "x", 1),
		"version of Order is kept by the client":                                                                     func() error { _, err := Orders.Update("o1", Orders.Version.Add(1)).Request(); return err }(),
		"Parallel -1, Rate 0":                                                                                        func() error { _, err := Orders.Scan().Parallel(-1).Request(); return err }(),
		"Parallel 0, Rate -1":                                                                                        func() error { _, err := Orders.Scan().Rate(-1).Request(); return err }(),
		"value 1 (position 8): it is stored as absent":                                                               where("note = ?", (*string)(nil)),
		"orderId is a part of the key of Order, which an update cannot change: Move puts the item under its new key": clause("SET orderId = ?", "o2"),
	} {
		if !errors.Is(err, tablewright.ErrInvalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v\nwant %s", err, want)
		}
		if strings.Contains(err.Error(), "700") {
			t.Errorf("%v tells a value", err)
		}
	}
}

// What a filter cannot name is told by its place in the text that names it, whatever that is joined with.
func TestFiltersOfKeysInTexts(t *testing.T) {
	query := Orders.ByCustomer.Of("c1")
	for want, err := range map[string]error{
		`"note = ? OR status = ?": status is a part of the key: it cannot be filtered, only bound (position 13)`: func() error {
			_, err := query.Filter(Orders.Note.Exists(), Orders.Note.Absent().Or(Orders.Where("note = ? OR status = ?", "x", "y"))).Request()
			return err
		}(),
	} {
		if !errors.Is(err, tablewright.ErrInvalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v\nwant %s", err, want)
		}
	}
	// The order of bounds is that of what is stored: as plain texts these two are the other way round.
	early := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	if _, err := Orders.Delete("o1").If(Orders.Where("placedAt BETWEEN ? AND ?", early, early.Add(time.Second/2))).Request(); err != nil {
		t.Error(err)
	}
	// Conditions that are built tell no values either.
	_, err := Orders.Delete("o1").If(Orders.Total.Between(attr.Int(7001), attr.Int(7000))).Request()
	if !errors.Is(err, tablewright.ErrInvalid) || !strings.Contains(err.Error(), "BETWEEN is below the lower one") || strings.Contains(err.Error(), "700") {
		t.Error(err)
	}
}

// Errors tell when, which answer of the service they are about, and failures of the network from others.
func TestErrorsTellWhen(t *testing.T) {
	ctx := t.Context()
	db := overHTTP(t, tablewright.Options{}, Shop)
	nobody, err := tablewright.Connect(ctx, tablewright.Options{Endpoint: "http://127.0.0.1:1", Retry: tablewright.Retry{Attempts: 1}, Clock: newClock()})
	if err != nil {
		t.Fatal(err)
	}
	failing := tablewright.New(tablewright.TransportFunc(func(context.Context, *tablewright.Call) error { return errors.New("of a hook") }), tablewright.Options{Retry: tablewright.Retry{Attempts: 1}, Clock: newClock()})
	_, missing := Orders.Get("o1").Run(ctx, db)
	_, none := Orders.ByCustomer.Of("c1").First(ctx, db)
	_, empty := Orders.Get("").Run(ctx, db)
	_, away := Orders.Get("o1").Run(ctx, nobody)
	_, other := Orders.Get("o1").Run(ctx, failing)
	for _, c := range []struct {
		err           error
		answered, net bool
	}{
		{missing, true, false},
		{none, false, false},
		{empty, false, false},
		{Orders.Replace(order("o1")).Run(ctx, db), true, false},
		{Orders.Put(Order{}).Run(ctx, db), false, false},
		{tablewright.Transact().Run(ctx, db), false, false},
		{away, false, true},
		{Orders.Update("o1", Orders.Total.Add(attr.Int(1))).Run(ctx, nobody), false, true},
		{other, false, false},
	} {
		var e *tablewright.Error
		if !errors.As(c.err, &e) || !e.Time.Equal(noon) || (e.RequestID != "") != c.answered || errors.Is(c.err, tablewright.ErrNetwork) != c.net {
			t.Errorf("%v: %+v", c.err, e)
		}
	}
	if errors.Is(away, tablewright.ErrUnknownOutcome) {
		t.Error(away)
	}
	// A snapshot says which of its reads found nothing, and fills the others.
	if err := Orders.Create(order("o1")).Run(ctx, db); err != nil {
		t.Fatal(err)
	}
	var o, p Order
	err = tablewright.Snapshot(Orders.Get("o1").Into(&o), Orders.Get("o2").Into(&p)).Run(ctx, db)
	if !errors.Is(err, tablewright.ErrNotFound) || !strings.Contains(err.Error(), "not found: read 1") || o.ID != "o1" || p.ID != "" {
		t.Errorf("%v, %v, %v", err, o, p)
	}
}
