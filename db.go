package tablewright

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tablewright/tablewright/wire"
)

// DB is a way to a service or an engine. It is safe for concurrent use; copies made by its With… methods are cheap and
// share everything else with it.
type DB struct {
	*core
	retry     Retry
	usage     *Usage
	tableName func(string) string
	broken    func(*BrokenItem) error // of CheckReads; nil: reads are not checked
	moment    time.Time               // that is written as created and updated times; zero: the clock's
}

// core is what all copies of a DB share.
type core struct {
	transport Transport // hooks included
	hooked    bool
	ownTexts  bool
	clock     Clock
	ids       IDs
	cursors   cursorBox
	logger    *slog.Logger
	warned    sync.Map // places in the caller's code
	gates     gates
}

// New makes a DB on a transport, such as InProcess of an engine. Options that concern the way to AWS (AWS, Region,
// Endpoint, HTTP) are not used.
func New(t Transport, o Options) *DB {
	hooks := o.Hooks
	if t != nil {
		if s := environmentCollector(o.Logger); s != nil {
			hooks = append(slices.Clip(hooks), s.Hook)
		}
	}
	c := &core{
		clock:   o.Clock,
		ids:     o.IDs,
		cursors: newCursorBox(o.CursorKey),
		logger:  o.Logger,
		hooked:  len(hooks) > 0,

		ownTexts: o.OwnTexts,
	}
	if t == nil {
		t = TransportFunc(func(context.Context, *Call) error {
			return unsendable{errors.New("New was given no Transport: Connect makes one to a service, InProcess one to an engine")}
		})
	}
	if c.clock == nil {
		c.clock = systemClock{}
	}
	if c.ids == nil {
		c.ids = newIDs(c.clock)
	}
	if d := debugging(o.Debug); d != DebugOff {
		t = debugged{t, newDebugLogger(o.Logger), d == DebugValues}
	}
	c.transport = metered{t, c.hooked}
	for i := len(hooks) - 1; i >= 0; i-- {
		c.transport = hooks[i](c.transport)
	}
	return &DB{core: c, retry: o.Retry, tableName: o.TableName, broken: o.CheckReads}
}

// WithRetry is the same way with another budget.
func (db *DB) WithRetry(r Retry) *DB {
	with := *db
	with.retry = r
	return &with
}

// left is the same way with what is left of a budget, for a part of a call that does more.
func (db *DB) left(b *budget) *DB {
	with := db.retry
	with.Attempts, with.Budget = max(b.attempts-b.tries, 1), max(b.total-b.spent, 1)
	return db.WithRetry(with)
}

// WithTableName is the same way to other tables: f gives a declared table's name at the service, instead of
// Options.TableName.
func (db *DB) WithTableName(f func(declared string) string) *DB {
	with := *db
	with.tableName = f
	return &with
}

// Measure is the same way; what is run on it adds its units, requests, retries and items to u. Consumed capacity is asked
// for only then (or when a hook does), for tables and indexes apart.
func (db *DB) Measure(u *Usage) *DB {
	with := *db
	with.usage = u
	return &with
}

// actual is a declared table's name at the service.
func (db *DB) actual(declared string) string {
	if db == nil || db.tableName == nil {
		return declared
	}
	return db.tableName(declared)
}

// Transport is the way of a DB for requests that are not made by this package, such as those of the AWS SDK's client over it
// (package sdk): hooks see them, Measure counts them, and each is sent once. Call.Operation and Call.Request have to be set,
// Table and Index for the hooks; names are not mapped by Options.TableName.
func (db *DB) Transport() Transport {
	return TransportFunc(func(ctx context.Context, c *Call) error {
		c.foreign, c.Measure = true, c.Measure || db.usage != nil
		c.readStatement()
		if db.usage != nil {
			db.usage.sent(c.Attempt)
		}
		if err := db.transport.Do(ctx, c); err != nil {
			return err
		}
		if db.usage != nil {
			db.usage.add(c)
		}
		return nil
	})
}

func (db *DB) budget() budget {
	if db == nil || db.core == nil {
		return budget{} // nothing will be sent
	}
	return newBudget(db.retry, db.clock)
}

// now is the time that is written as created and updated times.
func (db *DB) now() time.Time {
	if db.moment.IsZero() {
		return db.clock.Now()
	}
	return db.moment
}

// metered stands below all hooks and directly above the transport: it asks for consumed capacity where somebody wants it,
// and reads from the answer what hooks and Usage are told, so that they never parse bytes.
type metered struct {
	next   Transport
	hooked bool
}

// Every request of this package has at least one member, so this can replace its closing brace.
const measureMember = `,"ReturnConsumedCapacity":"INDEXES"}`

func (m metered) Do(ctx context.Context, c *Call) error {
	if !c.Measure {
		if err := m.next.Do(ctx, c); err != nil || !m.hooked {
			return err
		}
		return c.meter()
	}
	n := len(c.Request) - 1
	if !c.addable() {
		if err := m.next.Do(ctx, c); err != nil {
			return err
		}
		return c.meter()
	}
	asked, open := c.Request, c.Request[:n]
	if c.foreign { // what lies behind the request is not ours to write to
		open = slices.Clip(open)
	}
	c.Request = append(open, measureMember...)
	err := m.next.Do(ctx, c)
	if c.foreign {
		c.Request = asked
	} else {
		c.Request = append(c.Request[:n], '}')
	}
	if err != nil {
		return err
	}
	return c.meter()
}

// addable reports whether consumed capacity can be asked for in a request: it is one of those that take it and, if somebody else made it,
// says nothing about it yet.
func (c *Call) addable() bool {
	switch c.Operation {
	case "ExecuteStatement", "BatchExecuteStatement", "ExecuteTransaction", "PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "TransactWriteItems":
	default:
		if !reads(c.Operation) {
			return false
		}
	}
	return !c.foreign || len(c.Request) > len("{}") && bytes.HasSuffix(c.Request, []byte("}")) && !c.asksUnitsItself()
}

// repeatable says what sending a request twice does.
type repeatable bool

const (
	harmless repeatable = true  // nothing that sending it once would not have done, or a condition refuses the second
	harmful  repeatable = false // another change, or another answer: it is not repeated unless the first certainly did nothing
)

// send sends c until it is answered, its error is final or the budget is used up. rep says whether it is sent again after
// its answer was lost. The answer is in c.Response; the error is an *Error.
func (db *DB) send(ctx context.Context, c *Call, b *budget, rep repeatable) error {
	if db == nil || db.core == nil {
		return fail(c, ErrInvalid, errNoDB)
	}
	writes := !c.Reads() && !describes(c.Operation)
	for {
		if err := ctx.Err(); err != nil {
			return db.failure(c, err, c.lost)
		}
		var through *gate
		if db.retry.Adaptive {
			through = db.gates.find(c)
			if err := through.pass(ctx, b); err != nil {
				e := db.failure(c, err, c.lost)
				if errors.Is(err, errHeldBack) {
					e.kinds = append(e.kinds, ErrThrottled)
				}
				return e
			}
		}
		start := db.clock.Now()
		c.Attempt++
		c.Response, c.RequestID, c.handling = c.Response[:0], "", nil
		c.Read, c.Write, c.Items, c.Scanned, c.More, c.arms = 0, 0, 0, 0, false, c.arms[:0]
		c.Measure = db.usage != nil || c.priced
		if db.usage != nil {
			db.usage.sent(c.Attempt)
		}
		err := db.transport.Do(ctx, c)
		if through != nil {
			through.answered(db.clock.Now(), errors.Is(err, ErrThrottled))
		}
		if err == nil {
			if db.usage != nil {
				db.usage.add(c)
			}
			return nil
		}
		again, maybe := worthRepeating(ctx, err)
		if maybe && writes {
			c.lost = true
			if !rep {
				again = false
			}
		}
		if !again || !b.failed(ctx, start) {
			if ctx.Err() != nil && !errors.Is(err, ctx.Err()) {
				err = errors.Join(ctx.Err(), err)
			}
			e := db.failure(c, err, c.lost)
			if _, answered := errors.AsType[*wire.Error](err); !answered && ctx.Err() == nil && network(err) {
				e.kinds = append(e.kinds, ErrNetwork)
			}
			return e
		}
	}
}

// describes reports whether an operation only tells about tables and streams.
func describes(operation string) bool {
	return strings.HasPrefix(operation, "Describe") || strings.HasPrefix(operation, "List") || streamsOperation(operation)
}

// worthRepeating tells of a failed try whether another may succeed, and whether this one may have been carried out. A time
// limit that is not ctx's was that of the try alone: a dialer's, a transport's, a hook's.
func worthRepeating(ctx context.Context, err error) (again, maybeDone bool) {
	var w *wire.Error
	if errors.As(err, &w) {
		// A write that ended with an internal error may have been done:
		// docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html
		return w.Retryable(), w.HTTPStatus() >= 500
	}
	if errors.Is(err, ErrInvalid) { // of a transport or hook that sent nothing, and never will
		return false, false
	}
	again = ctx.Err() == nil && !errors.Is(err, context.Canceled)
	var n interface{ NotSent() bool }
	return again, !(errors.As(err, &n) && n.NotSent())
}

// failure makes the *Error of a call that is given up.
func (db *DB) failure(c *Call, cause error, lost bool) *Error {
	e := fail(c, nil, cause)
	e.Time, e.RequestID = db.clock.Now(), c.RequestID
	var w *wire.Error
	known := errors.As(cause, &w) && w.Code == wire.CodeTransactionCanceled // had it been carried out, its token would say so
	if lost && !known {
		e.kinds = append(e.kinds, ErrUnknownOutcome)
	}
	if w != nil {
		if e.RequestID == "" {
			e.RequestID = w.RequestID
		}
		e.item = w.Item
		for _, kind := range []error{ErrConditionFailed, ErrConflict, ErrThrottled, ErrInvalid, ErrTokenUsed, ErrLimit} {
			if w.Code != wire.CodeTransactionCanceled && w.Is(kind) {
				e.kinds = append(e.kinds, kind)
			}
		}
	}
	return e
}

// warned is what a scan was warned of by: a place in the caller's code, or a pattern of a table.
type warned struct{ place, table, pattern string }

// warnScan logs, once for every place in the caller's code, or for a pattern, that a whole table or index is read.
func (db *DB) warnScan(c *scanCall) {
	place := callSite()
	what, pattern := warned{place: place}, slog.Attr{}
	if c.pattern != "" {
		what, pattern = warned{table: c.d.table.p.Name, pattern: c.pattern}, slog.String("pattern", c.pattern)
	}
	if _, seen := db.warned.LoadOrStore(what, true); seen {
		return
	}
	logger := db.logger
	if logger == nil {
		logger = slog.Default()
	}
	whole, index := "table", slog.Attr{}
	if c.x != nil && c.x.index != "" {
		whole, index = "index", slog.String("index", c.x.index)
	}
	logger.Warn("a scan reads a whole "+whole+": query an index, or mark it Intended",
		slog.String("table", c.d.table.p.Name), index, pattern, slog.String("entity", c.d.name), slog.String("at", place))
}

// callSite is the first place on the stack that is not in this package. Files tell, not functions: what is generic or
// inlined carries the name of the caller's function.
func callSite() string {
	var pcs [32]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs[:])])
	own := ""
	for {
		f, more := frames.Next()
		if own == "" {
			own = filepath.Dir(f.File)
		}
		mine := filepath.Dir(f.File) == own && !strings.HasSuffix(f.File, "_test.go")
		if !mine && !strings.HasPrefix(f.Function, "runtime.") && !strings.HasPrefix(f.Function, "iter.") {
			return fmt.Sprintf("%s:%d", f.File, f.Line)
		}
		if !more {
			return "?"
		}
	}
}
