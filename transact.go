package tablewright

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/expr"
	"github.com/tablewright/tablewright/wire"
)

// TxWrite is a write that may stand in a transaction: Put, PutIf, Update, Delete, DeleteIf, Check, Claim, CopiesWrite.
type TxWrite interface {
	// tx calls add for each action that the write consists of.
	tx(add func(write))
}

// Tx is a transaction: all its writes are done, or none.
type Tx struct {
	writes  []TxWrite
	token   string
	at      time.Time
	first   *firstRun // of a token
	pattern string
}

// firstRun is when a transaction with a token was first run: run again, it writes the same created and updated times, or
// the service would take it for another one.
type firstRun struct {
	once sync.Once
	at   time.Time
}

func (f *firstRun) time(now time.Time) time.Time {
	f.once.Do(func() { f.at = now })
	return f.at
}

// Transact makes a transaction of up to 100 writes to different items.
func Transact(w ...TxWrite) Tx { return Tx{writes: w} }

// Token names the transaction: run again with the same token and the same writes within 10 minutes, it is done once. Every
// Run has a token of its own otherwise, under which the call repeats it when an answer was lost. At most 36 bytes.
//
// The same writes means the same bytes. The value that Token returns sees to it: each Run of it, and of its copies, writes
// the created and updated times of the first. A transaction that is made anew, perhaps by another process, with a token
// that was used before needs their time stated with At; else the service refuses it ([ErrTokenUsed]).
func (t Tx) Token(token string) Tx { t.token, t.first = token, new(firstRun); return t }

// At states the time that is written as created and updated times, instead of the clock's.
func (t Tx) At(at time.Time) Tx { t.at = at; return t }

// moment is the one time of all writes.
func (t Tx) moment(db *DB) time.Time {
	switch {
	case !t.at.IsZero():
		return t.at
	case t.first != nil && db.core != nowhere.core:
		return t.first.time(db.clock.Now())
	}
	return db.clock.Now()
}

// Run carries out the transaction. If conditions refuse it, or other transactions are in its way until the budget is used
// up, the error is a *TxError with the reasons.
func (t Tx) Run(ctx context.Context, db *DB) error {
	c := newCall("TransactWriteItems")
	defer c.release()
	all, err := t.compose(db, c)
	if err != nil {
		return err
	}
	b := db.budget()
	return cancelled(db.send(ctx, c, &b, harmless), all)
}

// Request is what would be sent, with a token only if it was given.
func (t Tx) Request() (Request, error) {
	c := newCall("TransactWriteItems")
	defer c.release()
	if _, err := t.compose(nowhere, c); err != nil {
		return Request{}, err
	}
	return c.request(), nil
}

func (t Tx) compose(db *DB, c *Call) ([]written, error) {
	refuse := func(err error) error {
		return &Error{Operation: c.Operation, Pattern: c.Pattern, Time: db.instant(), kinds: []error{ErrInvalid}, cause: err}
	}
	c.Pattern = t.pattern
	if len(t.token) > maxToken {
		return nil, refuse(fmt.Errorf("a token of %d bytes: it may have %d", len(t.token), maxToken))
	}
	if db == nil || db.core == nil {
		return nil, refuse(errNoDB)
	}
	composing := *db
	composing.moment = t.moment(db)
	db = &composing
	var actions []write
	var from []int // which of the caller's writes an action belongs to
	for i, w := range t.writes {
		if w == nil {
			return nil, refuse(fmt.Errorf("write %d is nil: leave it out", i))
		}
		w.tx(func(a write) { actions, from = append(actions, a), append(from, i) })
	}
	if n := len(actions); n == 0 || n > capacity.TransactionActions {
		return nil, refuse(fmt.Errorf("a transaction has 1 to %d actions, not %d", capacity.TransactionActions, n))
	}
	p := printers.Get().(*expr.Printer)
	defer func() { p.Reset(); printers.Put(p) }()
	w := &body{b: c.Request[:0]}
	defer func() { c.Request = w.b }()
	all := make([]written, len(actions))
	seen := make(map[string]int, len(actions))
	w.open()
	w.key("TransactItems")
	w.b = append(w.b, '[')
	for i, action := range actions {
		if i > 0 {
			w.b = append(w.b, ',')
		}
		// Which action it is can only be told once it is written: its name is put in then.
		const room = `{"ConditionCheck":`
		at := len(w.b)
		w.b = append(w.b, room...)
		w.open()
		p.Reset()
		to, err := action.write(db, w, p)
		if err != nil {
			return nil, refuse(fmt.Errorf("action %d: %w", from[i], err))
		}
		to.from = from[i]
		w.close()
		w.close()
		w.b = renameAction(w.b, at, len(room), to.action)
		c.on(db, to.d.table)
		name := to.d.table.p.Name + string(to.key)
		if j, twice := seen[name]; twice {
			return nil, refuse(fmt.Errorf("actions %d and %d concern one item: a transaction has one action per item", from[j], from[i]))
		}
		seen[name] = i
		all[i] = to
	}
	w.b = append(w.b, ']')
	w.full = true
	switch {
	case t.token != "":
		w.text("ClientRequestToken", t.token)
	case db.core != nowhere.core:
		w.text("ClientRequestToken", token())
	}
	w.close()
	return all, nil
}

// renameAction puts the action's name where room was left for the longest one.
func renameAction(b []byte, at, room int, action string) []byte {
	head := append(append([]byte(`{"`), action...), `":`...)
	n := copy(b[at:], head)
	return append(b[:at+n], b[at+room:]...)
}

// cancelled makes a *TxError of the error of a transaction that was cancelled.
func cancelled(err error, all []written) error {
	var e *Error
	var w *wire.Error
	if err == nil || !errors.As(err, &e) || !errors.As(err, &w) || w.Code != wire.CodeTransactionCanceled || len(w.Reasons) != len(all) {
		return err
	}
	tx := &TxError{cause: e}
	for i, r := range w.Reasons {
		if r.Code == "None" {
			continue
		}
		why := &Error{Operation: e.Operation, Table: all[i].d.table.p.Name, Pattern: e.Pattern, RequestID: e.RequestID, Attempt: e.Attempt, Time: e.Time,
			cause: reasonError{r}}
		if r.Is(ErrConditionFailed) {
			why.cause = nil
			all[i].refuse(why, r.Item)
		}
		tx.Reasons = append(tx.Reasons, Reason{Action: all[i].from, Err: why})
	}
	return tx
}

// reasonError is a reason of the service that is no failed condition.
type reasonError struct{ wire.CancellationReason }

func (e reasonError) Error() string {
	if e.Message == "" {
		return e.Code
	}
	return e.Code + ": " + e.Message
}

// TxRead is a read that may stand in a Snapshot: a Get with its target.
type TxRead interface{ txRead() snapshotRead }

// snapshotRead is one read of a snapshot.
type snapshotRead struct {
	get  getCall                        // a copy
	into func(db *DB, raw []byte) error // nil raw: there was none
}

// Snap reads several items as they were at one moment.
type Snap struct{ reads []TxRead }

// Snapshot makes a read of up to 100 items at one moment; it fills the targets of its Gets.
func Snapshot(r ...TxRead) Snap { return Snap{r} }

// Run reads the items. One that is not there is ErrNotFound, whose text has its position among the reads, after all others were
// filled; the target of it stays as it was. Where other transactions are in its way until the budget is used up the error is a
// *TxError.
func (s Snap) Run(ctx context.Context, db *DB) error {
	c := newCall("TransactGetItems")
	defer c.release()
	reads, err := s.compose(db, c)
	if err != nil {
		return err
	}
	b := db.budget()
	if err := db.send(ctx, c, &b, harmless); err != nil {
		all := make([]written, len(reads))
		for i := range reads {
			all[i] = written{d: reads[i].get.key.d, from: i}
		}
		return cancelled(err, all)
	}
	d := attr.NewDecoder(c.Response)
	var missing error
	n := 0
	for name := range d.Fields("") {
		if string(name) != "Responses" {
			continue
		}
		for i := range d.Elems() {
			var raw []byte
			for name := range d.Fields("") {
				if string(name) == "Item" {
					raw = d.Raw()
				}
			}
			if i >= len(reads) {
				break
			}
			n++
			if err := reads[i].into(db, visible(db, reads[i].get.key.d, raw)); err != nil {
				missing = errors.Join(missing, unread(c, reads[i], i, err))
			}
		}
	}
	if err := d.End(); err != nil || n != len(reads) {
		return fail(c, nil, fmt.Errorf("answer: %d items for %d reads: %w", n, len(reads), err))
	}
	return missing
}

// unread is why the target of read i was not filled.
func unread(c *Call, read snapshotRead, i int, err error) error {
	e := fail(c, nil, err)
	e.Table, e.detail = read.get.key.d.table.p.Name, fmt.Sprintf("read %d", i)
	if err == ErrNotFound {
		e.kinds, e.cause = []error{err}, nil
	}
	return e
}

// Request is what would be sent.
func (s Snap) Request() (Request, error) {
	c := newCall("TransactGetItems")
	defer c.release()
	if _, err := s.compose(nowhere, c); err != nil {
		return Request{}, err
	}
	return c.request(), nil
}

func (s Snap) compose(db *DB, c *Call) ([]snapshotRead, error) {
	refuse := func(err error) error {
		return &Error{Operation: c.Operation, Time: db.instant(), kinds: []error{ErrInvalid}, cause: err}
	}
	if db == nil || db.core == nil {
		return nil, refuse(errNoDB)
	}
	if n := len(s.reads); n == 0 || n > capacity.TransactionActions {
		return nil, refuse(fmt.Errorf("a snapshot has 1 to %d reads, not %d", capacity.TransactionActions, n))
	}
	reads := make([]snapshotRead, len(s.reads))
	w := &body{b: c.Request[:0]}
	defer func() { c.Request = w.b }()
	w.open()
	w.key("TransactItems")
	w.b = append(w.b, '[')
	for i, r := range s.reads {
		if r == nil {
			return nil, refuse(fmt.Errorf("read %d is nil: leave it out", i))
		}
		reads[i] = r.txRead()
		if i > 0 {
			w.b = append(w.b, ',')
		}
		w.open()
		w.key("Get")
		w.open()
		if err := reads[i].get.write(db, w, false); err != nil {
			return nil, refuse(fmt.Errorf("read %d: %w", i, err))
		}
		c.on(db, reads[i].get.key.d.table)
		w.close()
		w.close()
	}
	w.b = append(w.b, ']')
	w.full = true
	w.close()
	return reads, nil
}
