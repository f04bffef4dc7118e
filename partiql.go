package tablewright

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/expr"
)

// Statement is a PartiQL statement on a table, with its parameters. Keys are those of the wire: templates are not applied,
// and index attributes of what it writes are not computed; where an entity's own calls can do it they are better.
type Statement[T any] struct {
	s statement
}

// statement is a Statement whatever its type.
type statement struct {
	table      *Table
	index      string
	text       string
	parameters []attr.Value
	reads      bool
	consistent bool
	resume     Cursor
	goesOn     bool // after each page, if more is wanted
	err        error
}

// PartiQL makes a Statement of a text with ? for its values, such as
//
//	tablewright.PartiQL[Order](Shop, `SELECT * FROM "Shop"."ByCustomer" WHERE customerId = ? AND status = ?`, "c1", Paid)
//
// It stands on the declared name of t, which is replaced by the one at the service. What is read goes into Ts: any struct
// with ddb tags, an entity's or one for the columns that are selected, or attr.Item. The text is parsed and checked against
// the language as docs.aws.amazon.com/amazondynamodb/latest/developerguide/ql-reference.html has it; a mistake is returned
// by the call it is used in. A SELECT whose condition binds no partition reads the whole table.
func PartiQL[T any](t *Table, text string, args ...any) Statement[T] {
	return Statement[T]{newStatement(t, text, args)}
}

func newStatement(t *Table, text string, args []any) statement {
	s := statement{table: t, text: text}
	for i, a := range args {
		v, err := attr.Marshal(a)
		if err == nil && v.IsZero() {
			err = errors.New("it is stored as absent")
		}
		if err != nil {
			s.err = fmt.Errorf("value %d: %w", i+1, err)
			return s
		}
		s.parameters = append(s.parameters, v)
	}
	if t == nil {
		s.table, s.err = undeclared.table, errUndeclared
		return s
	}
	parsed, err := expr.ParseStatement(text, s.parameters)
	switch {
	case err != nil:
		s.err = err
	case parsed.Table != t.p.Name:
		s.err = fmt.Errorf("the statement is about %s, not %s", parsed.Table, t.p.Name)
	default:
		s.reads, s.index = !parsed.Verb.Writes(), parsed.Index
	}
	return s
}

// Consistent makes a SELECT see every write that was answered before, at twice the price.
func (s Statement[T]) Consistent() Statement[T] { s.s.consistent = true; return s }

// Resume begins after a position: where a Page of the same statement ended. "" is the beginning.
func (s Statement[T]) Resume(c Cursor) Statement[T] { s.s.resume = c; return s }

// Run carries out an INSERT, UPDATE or DELETE, or reads a SELECT to its end without looking at it. After a lost answer a
// write is not repeated: ErrUnknownOutcome.
func (s Statement[T]) Run(ctx context.Context, db *DB) error {
	for _, err := range s.All(ctx, db) {
		if err != nil {
			return err
		}
	}
	return nil
}

// All yields every item of a SELECT, or what RETURNING of a write answers. After an error, which comes with the zero T, it
// ends. Items whose time to live is over are left out, where the attribute is among what is selected.
func (s Statement[T]) All(ctx context.Context, db *DB) iter.Seq2[T, error] {
	s.s.goesOn = true
	return func(yield func(T, error) bool) {
		for {
			page, err := s.Page(ctx, db, 0)
			if err != nil {
				var none T
				yield(none, err)
				return
			}
			for _, item := range page.Items {
				if !yield(item, nil) {
					return
				}
			}
			if page.Next == "" {
				return
			}
			s.s.resume = page.Next
		}
	}
}

// Slice is all items.
func (s Statement[T]) Slice(ctx context.Context, db *DB) ([]T, error) {
	var items []T
	for item, err := range s.All(ctx, db) {
		if err != nil {
			return items, err
		}
		items = append(items, item)
	}
	return items, nil
}

// One is the only item: ErrNotFound if there is none, ErrSeveral, with the first, if there are more.
func (s Statement[T]) One(ctx context.Context, db *DB) (one T, err error) {
	n := 0
	for item, err := range s.All(ctx, db) {
		if err != nil {
			return item, err
		}
		if n++; n > 1 {
			return one, &Error{Operation: executeStatement, Table: s.s.table.p.Name, Time: db.instant(), kinds: []error{ErrSeveral}}
		}
		one = item
	}
	if n == 0 {
		return one, &Error{Operation: executeStatement, Table: s.s.table.p.Name, Time: db.instant(), kinds: []error{ErrNotFound}}
	}
	return one, nil
}

// Page sends one request, which looks at n items at most (0: as many as the service does), and may answer fewer or none
// though more follow: Next tells. Page.At is not for statements.
func (s Statement[T]) Page(ctx context.Context, db *DB, n int) (Page[T], error) {
	var items []T
	end, err := s.s.page(ctx, db, n, &items)
	return pageOf(items, end), err
}

// page appends the items of a page to a slice.
func (s *statement) page(ctx context.Context, db *DB, n int, slice any) (p pageEnd, err error) {
	c := newCall(executeStatement)
	defer c.release()
	if err := s.compose(db, c, n); err != nil {
		return p, err
	}
	fingerprint := s.fingerprint()
	c.Resumed, c.GoesOn = s.resume != "", s.goesOn
	if s.resume != "" {
		position, err := db.cursors.open(fingerprint, s.resume)
		if err != nil {
			return p, fail(c, nil, err)
		}
		w := &body{b: c.Request[:len(c.Request)-1], full: true}
		w.text("NextToken", string(position))
		w.close()
		c.Request = w.b
	}
	rep := harmful
	if s.reads {
		rep = harmless
	}
	b := db.budget()
	if err := db.send(ctx, c, &b, rep); err != nil {
		return p, err
	}
	items, of := placesIn(slice), &decl{table: s.table, name: "the statement"}
	d := attr.NewDecoder(c.Response)
	for name := range d.Fields("") {
		switch string(name) {
		case "Items":
			for range d.Elems() {
				raw := visible(db, of, d.Raw())
				p.scanned++
				if raw == nil || err != nil {
					continue
				}
				if err = of.decodeInto(db, raw, items.add()); err != nil {
					items.drop()
				}
			}
		case "NextToken":
			p.next = db.cursors.seal(fingerprint, d.TextBytes())
		}
	}
	if bad := d.End(); bad != nil {
		err = fmt.Errorf("answer: %w", bad)
	}
	if err != nil {
		return p, fail(c, nil, err)
	}
	return p, nil
}

// Request is what the first request would be.
func (s Statement[T]) Request() (Request, error) {
	c := newCall(executeStatement)
	defer c.release()
	if err := s.s.compose(nowhere, c, 0); err != nil {
		return Request{}, err
	}
	return c.request(), nil
}

const executeStatement = "ExecuteStatement"

func (s *statement) fingerprint() []byte {
	return attr.AppendValue([]byte(s.text+"\x00"), attr.List(s.parameters...))
}

func (s *statement) compose(db *DB, c *Call, limit int) error {
	if s.table == nil { // the zero Statement
		s.table, s.err = undeclared.table, errUndeclared
	}
	c.on(db, s.table)
	c.selects, c.Index = s.reads, s.index
	if err := s.table.ready(db); err != nil {
		return err
	}
	if s.err != nil {
		return fail(c, ErrInvalid, fmt.Errorf("%q: %w", withoutValues(s.text), s.err))
	}
	if limit < 0 {
		return fail(c, ErrInvalid, fmt.Errorf("a page of %d items: ask for one or more", limit))
	}
	w := &body{b: c.Request[:0]}
	w.open()
	w.text("Statement", s.named(db.actual(s.table.p.Name)))
	if len(s.parameters) > 0 {
		w.key("Parameters")
		w.b = append(w.b, '[')
		for i, v := range s.parameters {
			if i > 0 {
				w.b = append(w.b, ',')
			}
			w.b = attr.AppendValue(w.b, v)
		}
		w.b = append(w.b, ']')
		w.full = true
	}
	w.flag("ConsistentRead", s.consistent)
	if limit > 0 {
		w.int("Limit", limit)
	}
	w.close()
	c.Request = w.b
	return nil
}

// literals are the values that can stand in a statement's text: texts in single quotes, a quote inside doubled, and numbers. Names in
// double quotes are matched too, to be passed over.
var literals = regexp.MustCompile(`"(?:[^"]|"")*"|'(?:[^']|'')*'?|[\pL_][\pL\d_]*|[+-]?\d[\d.]*(?:[eE][+-]?\d+)?`)

// withoutValues is a statement's text for errors, which show no values: each is as many asterisks, so that positions stay right.
func withoutValues(text string) string {
	return literals.ReplaceAllStringFunc(text, func(part string) string {
		switch first := part[0]; {
		case first == '\'':
			return "'" + strings.Repeat("*", max(utf8.RuneCountInString(part)-2, 0)) + "'"
		case first >= '0' && first <= '9' || first == '+' || first == '-':
			return strings.Repeat("*", len(part))
		}
		return part
	})
}

// named is the text with the table's name at the service. Texts in quotes, which may read like a statement, stay as they are.
func (s *statement) named(actual string) string {
	if actual == s.table.p.Name {
		return s.text
	}
	name := regexp.QuoteMeta(s.table.p.Name)
	place := regexp.MustCompile(`(?i)'(?:[^']|'')*'|\b(from|into|update)(\s+)("` + name + `"|` + name + `\b)|"(?:[^"]|"")*"`)
	var out strings.Builder
	at := 0
	for _, m := range place.FindAllStringSubmatchIndex(s.text, -1) {
		if m[6] < 0 { // a text
			continue
		}
		out.WriteString(s.text[at:m[6]] + `"` + actual + `"`)
		at = m[7]
	}
	return out.String() + s.text[at:]
}
