package tablewright

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"math"
	"reflect"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/expr"
	"github.com/tablewright/tablewright/plan"
)

// reader reads the pages of one query or scan, one request at a time.
type reader struct {
	db       *DB
	d        *decl
	x        *access // nil for a scan
	c        *Call
	b        budget
	base     []byte // the request without its end, Limit and ExclusiveStartKey; it also names the query in cursors
	start    []byte // ExclusiveStartKey, JSON; nil: the beginning
	skip     *expr.KeyTerm
	keys     []string // attributes of a position
	begun    bool
	ended    bool
	counting bool
	whole    bool // all kinds of items belong
	page     bool // whoever asked gets a cursor
	counted  int  // items of the last page, as the service says
	scanned  int  // looked at, of all pages
	err      error
}

// open composes a query.
func (s *state) open(db *DB) (*reader, error) {
	x := s.x
	r := &reader{db: db, d: x.d, x: x, b: db.budget(), c: newCall("Query")}
	r.c.Index, r.c.Pattern, r.whole = x.index, s.pattern, s.kinds
	if err := r.compile(s); err != nil {
		r.c.release()
		return nil, err
	}
	return r, nil
}

func (r *reader) compile(s *state) error {
	x := r.x
	r.c.on(r.db, r.d.table)
	refuse := func(err error) error { return fail(r.c, ErrInvalid, err) }
	if err := r.d.table.ready(r.db); err != nil {
		return err
	}
	if s.err != nil {
		return refuse(s.err)
	}
	if s.top < 0 || s.evaluate < 0 {
		return refuse(fmt.Errorf("a limit below 0: Top %d, Evaluate %d", s.top, s.evaluate))
	}
	if s.consistent && x.global {
		return refuse(fmt.Errorf("a global index cannot be read consistently"))
	}
	terms, skip, err := x.keyCondition(s)
	if s.kinds {
		terms, err = x.partitionTerms(s)
		skip = nil
	}
	if err != nil {
		return refuse(err)
	}
	r.skip = skip
	if r.db.hooked {
		var key attr.Item
		for _, t := range terms[:len(x.partition)] {
			key.Set(t.Attribute, t.Low)
		}
		r.c.keys = attr.AppendItem(r.c.keys[:0], key)
		r.c.Key = r.c.keys
	}
	if r.base, err = r.text(s, terms, x.project); err != nil {
		return refuse(err)
	}
	r.keys = x.keys
	if err := r.resume(s.resume); err != nil {
		return err
	}
	// Where all that the service counts belong, they stay there; with that it takes no projection, which names the query in cursors.
	if r.counting = s.counting && r.plain(); r.counting && x.project != nil {
		r.base, err = r.text(s, terms, nil)
	}
	return err
}

// text is the request without its end.
func (r *reader) text(s *state, terms []expr.KeyTerm, project []string) ([]byte, error) {
	x := r.x
	p := printers.Get().(*expr.Printer)
	defer func() { p.Reset(); printers.Put(p) }()
	w := &body{b: make([]byte, 0, 512)}
	w.open()
	w.text("TableName", r.db.actual(r.d.table.p.Name))
	if x.index != "" {
		w.text("IndexName", x.index)
	}
	k := expr.NewKeyExpression(terms...)
	if err := w.expression("KeyConditionExpression", func(dst []byte) ([]byte, error) { return p.AppendKey(dst, k) }); err != nil {
		return nil, err
	}
	if err := r.filterAndProject(w, p, s.tests, project); err != nil {
		return nil, err
	}
	if s.descending {
		w.raw("ScanIndexForward", []byte("false"))
	}
	w.flag("ConsistentRead", s.consistent)
	w.substitutions(p)
	return w.b, nil
}

// filterAndProject writes what queries and scans have in common.
func (r *reader) filterAndProject(w *body, p *expr.Printer, tests []test, project []string) error {
	filter, err := allOf(tests)
	if err != nil {
		return err
	}
	if filter, err = r.d.bothNames(filter); err != nil {
		return err
	}
	if filter != nil {
		if r.x != nil {
			if err := eachName(tests, r.x.filters); err != nil {
				return err
			}
		}
		if err := w.expression("FilterExpression", func(dst []byte) ([]byte, error) { return p.AppendCondition(dst, filter) }); err != nil {
			return err
		}
	}
	if project == nil {
		return nil
	}
	d := decl{project: project}
	return d.appendProjection(w, p)
}

// resume begins after a cursor.
func (r *reader) resume(c Cursor) error {
	if c == "" {
		return nil
	}
	return r.from(r.base, c)
}

// from begins after a cursor of the query that name names.
func (r *reader) from(name []byte, c Cursor) error {
	position, err := r.db.cursors.open(name, c)
	if err == nil {
		err = checkPosition(position, r.keys)
	}
	if err != nil {
		return fail(r.c, nil, err)
	}
	r.start = position
	return nil
}

// compose writes the next request.
func (r *reader) compose(limit int) {
	w := &body{b: append(r.c.Request[:0], r.base...), full: true}
	if r.counting {
		w.text("Select", "COUNT")
	}
	if limit > 0 {
		w.int("Limit", min(limit, math.MaxInt32)) // the API's type; a page ends long before
	}
	if r.start != nil {
		w.raw("ExclusiveStartKey", r.start)
	}
	w.close()
	r.c.Request = w.b
}

// more reads the next page; false if there is none, or after an error.
func (r *reader) more(ctx context.Context, limit int) bool {
	if r.err != nil || r.ended {
		return false
	}
	r.compose(limit)
	r.c.Attempt, r.c.Resumed, r.c.GoesOn = 0, r.start != nil, !r.page
	if r.err = r.db.send(ctx, r.c, &r.b, harmless); r.err != nil {
		return false
	}
	r.b.progress()
	r.begun = true
	d := attr.NewDecoder(r.c.Response)
	var last []byte
	raws := r.c.raws[:0]
	for name := range d.Fields("") {
		switch string(name) {
		case "Items":
			for range d.Elems() {
				raws = append(raws, d.Raw())
			}
		case "LastEvaluatedKey":
			last = d.Raw()
		case "Count":
			r.counted = d.Int()
		case "ScannedCount":
			r.scanned += d.Int()
		}
	}
	r.c.raws = raws
	if err := d.End(); err != nil {
		r.err = fail(r.c, nil, fmt.Errorf("answer: %w", err))
		return false
	}
	if len(last) <= len("{}") {
		r.start, r.ended = nil, true
	} else {
		r.start = bytes.Clone(last)
	}
	return true
}

// items yields the items of the page that are of the reader's kind, as JSON that is valid until the next page.
func (r *reader) items() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for _, raw := range r.c.raws {
			if r.belongs(raw) && !yield(raw) {
				return
			}
		}
	}
}

// belongs reports whether an item is of the kind that is read, is not expired, and lies inside an open end.
func (r *reader) belongs(raw []byte) bool {
	if raw == nil || visible(r.db, r.d, raw) == nil {
		return false
	}
	if r.skip != nil {
		if v, ok := attr.Lookup(raw, r.skip.Attribute); ok && attr.Equal(v, r.skip.Low) {
			return false
		}
	}
	return r.whole || r.d.holds(raw)
}

// plain reports whether all items that the service counts belong.
func (r *reader) plain() bool {
	return r.skip == nil && r.d.table.p.TTL == "" && r.d.origin().alone
}

func (r *reader) close() { r.c.release() }

// holds reports whether an item has the key of this kind of item.
func (d *decl) holds(raw []byte) bool {
	d = d.origin()
	if d.alone {
		return true
	}
	for _, w := range d.key {
		if w.native() || w.typ != plan.S {
			continue
		}
		v, ok := attr.Lookup(raw, w.name)
		if !ok {
			continue // not projected
		}
		if _, ok := w.tmpl.split(v.Str()); !ok {
			return false
		}
	}
	return true
}

// position is the key of an item in the index and the table, as ExclusiveStartKey has it.
func (r *reader) position(raw []byte) []byte {
	key := []byte{'{'}
	for _, name := range r.keys {
		value := attr.LookupRaw(raw, name)
		if value == nil {
			continue
		}
		if len(key) > 1 {
			key = append(key, ',')
		}
		key = append(append(attr.AppendText(key, name), ':'), value...)
	}
	return append(key, '}')
}

// decodeItem decodes an item with what the index's keys tell of it.
func (x *access) decodeItem(db *DB, raw []byte, into reflect.Value) (err error) {
	if len(x.overlay) > 0 {
		if raw, err = x.lay(raw); err != nil {
			return x.d.unreadable(raw, err)
		}
	}
	return x.d.decodeInto(db, raw, into)
}

// lay puts attributes that the index has not, but its keys tell, before the others.
func (x *access) lay(raw []byte) ([]byte, error) {
	out := []byte{'{'}
	for _, w := range x.overlay {
		v, _ := attr.Lookup(raw, w.name)
		texts, ok := w.tmpl.split(v.Str())
		if !ok {
			continue
		}
		for i, p := range w.tmpl.parts {
			if !p.codec.ReadsBack() || attr.LookupRaw(raw, string(p.path)) != nil {
				continue
			}
			value, err := p.codec.Decode(texts[i])
			if err == nil {
				value, err = stored(p.field, value)
			}
			if err != nil {
				return raw, fmt.Errorf("%s: %w", w.name, err)
			}
			out = append(attr.AppendText(out, string(p.path)), ':')
			out = append(attr.AppendValue(out, value), ',')
		}
	}
	if len(raw) > 2 {
		return append(out, raw[1:]...), nil
	}
	return append(bytes.TrimSuffix(out, []byte(",")), '}'), nil
}
