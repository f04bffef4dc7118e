package tablewright

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"testing"
	"time"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/internal/unsent"
	"github.com/tablewright/tablewright/wire"
)

// steppingClock passes waiting time at once and counts it.
type steppingClock struct{ t time.Time }

func (c *steppingClock) Now() time.Time { return c.t }
func (c *steppingClock) Sleep(ctx context.Context, d time.Duration) error {
	c.t = c.t.Add(d)
	return ctx.Err()
}

// script answers calls one after another, the last answer again and again.
type script struct {
	answers []func(c *Call) error
	calls   []string // operation and request of each
}

func (s *script) Do(ctx context.Context, c *Call) error {
	s.calls = append(s.calls, c.Operation+" "+string(c.Request))
	return s.answers[min(len(s.calls), len(s.answers))-1](c)
}

func answer(body string) func(c *Call) error {
	return func(c *Call) error { c.Response = append(c.Response[:0], body...); return nil }
}

func refuse(err error) func(c *Call) error { return func(*Call) error { return err } }

func TestSend(t *testing.T) {
	throttled := wire.NewError(wire.CodeThroughputExceeded, "slow down")
	failed := wire.NewError(wire.CodeConditionFailed, "The conditional request failed")
	internal := wire.NewError(wire.CodeInternal, "")
	invalid := wire.Invalid("no")
	cancelled := func(codes ...string) error {
		e := wire.NewError(wire.CodeTransactionCanceled, "")
		for _, c := range codes {
			e.Reasons = append(e.Reasons, wire.CancellationReason{Code: c})
		}
		return e
	}
	for _, test := range []struct {
		name      string
		operation string
		rep       repeatable
		answers   []func(c *Call) error
		calls     int
		kinds     []error // of the error; nil: none
		not       []error
	}{
		{"done at once", "PutItem", harmful, []func(*Call) error{answer("{}")}, 1, nil, nil},
		{"throttled, then done", "PutItem", harmful, []func(*Call) error{refuse(throttled), refuse(throttled), answer("{}")}, 3, nil, nil},
		{"throttled for good", "PutItem", harmful, []func(*Call) error{refuse(throttled)}, 4, []error{ErrThrottled}, []error{ErrUnknownOutcome}},
		{"invalid", "PutItem", harmless, []func(*Call) error{refuse(invalid)}, 1, []error{ErrInvalid}, nil},
		{"answer lost, repeated", "PutItem", harmless, []func(*Call) error{refuse(io.ErrUnexpectedEOF), answer("{}")}, 2, nil, nil},
		{"answer lost, harmful", "UpdateItem", harmful, []func(*Call) error{refuse(io.ErrUnexpectedEOF)}, 1,
			[]error{ErrUnknownOutcome, io.ErrUnexpectedEOF}, nil},
		{"internal error, harmful", "UpdateItem", harmful, []func(*Call) error{refuse(internal)}, 1, []error{ErrUnknownOutcome, internal}, nil},
		{"not sent, harmful", "UpdateItem", harmful, []func(*Call) error{refuse(unsent.Error{Err: io.EOF}), answer("{}")}, 2, nil, nil},
		{"meets its own first try", "PutItem", harmless, []func(*Call) error{refuse(io.EOF), refuse(failed)}, 2,
			[]error{ErrUnknownOutcome, ErrConditionFailed}, nil},
		{"lost, then throttled for good", "PutItem", harmless, []func(*Call) error{refuse(io.EOF), refuse(throttled)}, 4,
			[]error{ErrUnknownOutcome, ErrThrottled}, nil},
		{"read lost for good", "GetItem", harmless, []func(*Call) error{refuse(io.EOF)}, 4, []error{io.EOF}, []error{ErrUnknownOutcome}},
		{"conflict, then done", "TransactWriteItems", harmless,
			[]func(*Call) error{refuse(cancelled("None", "TransactionConflict")), answer("{}")}, 2, nil, nil},
		{"conflict and condition", "TransactWriteItems", harmless,
			[]func(*Call) error{refuse(cancelled("ConditionalCheckFailed", "TransactionConflict"))}, 1, []error{ErrConditionFailed}, nil},
		{"dialing took too long", "UpdateItem", harmful, []func(*Call) error{refuse(unsent.Error{Err: &net.OpError{Op: "dial", Err: os.ErrDeadlineExceeded}}), answer("{}")}, 2, nil, nil},
		{"a hook's own limit", "PutItem", harmless, []func(*Call) error{refuse(context.DeadlineExceeded), answer("{}")}, 2, nil, nil},
		{"a hook's own limit, harmful", "UpdateItem", harmful, []func(*Call) error{refuse(context.DeadlineExceeded)}, 1,
			[]error{ErrUnknownOutcome, context.DeadlineExceeded}, nil},
		{"never to be sent", "UpdateItem", harmful, []func(*Call) error{refuse(unsendable{io.EOF})}, 1, []error{ErrInvalid, io.EOF}, []error{ErrUnknownOutcome}},
		{"cancelled context", "UpdateItem", harmless, []func(*Call) error{refuse(context.Canceled)}, 1, []error{ErrUnknownOutcome, context.Canceled}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := &script{answers: test.answers}
			clock := &steppingClock{t: time.Unix(1_700_000_000, 0)}
			db := New(s, Options{Clock: clock, Retry: Retry{Attempts: 4}})
			c := newCall(test.operation)
			c.Request = append(c.Request, `{"TableName":"T"}`...)
			b := db.budget()
			err := db.send(t.Context(), c, &b, test.rep)
			if len(s.calls) != test.calls {
				t.Errorf("%d calls, want %d", len(s.calls), test.calls)
			}
			if (err != nil) != (test.kinds != nil) {
				t.Fatalf("error %v", err)
			}
			for _, k := range test.kinds {
				if !errors.Is(err, k) {
					t.Errorf("%v is not %v", err, k)
				}
			}
			for _, k := range test.not {
				if errors.Is(err, k) {
					t.Errorf("%v is %v", err, k)
				}
			}
			if e := (*Error)(nil); err != nil && (!errors.As(err, &e) || e.Attempt != test.calls || e.Operation != test.operation) {
				t.Errorf("context of the error: %+v", e)
			}
		})
	}
}

func TestBudgetOfTime(t *testing.T) {
	clock := &steppingClock{t: time.Unix(1_700_000_000, 0)}
	slow := func(*Call) error {
		clock.t = clock.t.Add(40 * time.Millisecond)
		return wire.NewError(wire.CodeThrottling, "")
	}
	s := &script{answers: []func(*Call) error{slow}}
	db := New(s, Options{Clock: clock}).WithRetry(Retry{Budget: 100 * time.Millisecond})
	b := db.budget()
	start := clock.t
	if err := db.send(t.Context(), newCall("GetItem"), &b, harmless); !errors.Is(err, ErrThrottled) {
		t.Fatal(err)
	}
	if spent := clock.t.Sub(start); spent > 140*time.Millisecond || len(s.calls) < 2 {
		t.Errorf("%d calls in %v", len(s.calls), spent)
	}
}

func TestCancelledWhileWaiting(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := &script{answers: []func(*Call) error{func(*Call) error { cancel(); return wire.NewError(wire.CodeThrottling, "") }}}
	db := New(s, Options{})
	b := db.budget()
	begin := time.Now()
	err := db.send(ctx, newCall("GetItem"), &b, harmless)
	if !errors.Is(err, context.Canceled) || len(s.calls) != 1 {
		t.Errorf("%d calls, %v", len(s.calls), err)
	}
	if d := time.Since(begin); d > 50*time.Millisecond {
		t.Errorf("took %v to end", d)
	}
}

func TestMeasure(t *testing.T) {
	const query = `{"Count":2,"Items":[{},{}],"ScannedCount":5,"ConsumedCapacity":{"TableName":"x-Shop","CapacityUnits":1.5,` +
		`"Table":{"CapacityUnits":0},"GlobalSecondaryIndexes":{"ByCustomer":{"CapacityUnits":1.5}}}}`
	const tx = `{"ConsumedCapacity":[{"TableName":"x-Shop","CapacityUnits":5,"WriteCapacityUnits":5,"Table":{"CapacityUnits":4,` +
		`"WriteCapacityUnits":4},"GlobalSecondaryIndexes":{"ByCustomer":{"CapacityUnits":1,"WriteCapacityUnits":1}}},` +
		`{"TableName":"x-Log","CapacityUnits":2,"WriteCapacityUnits":2}]}`
	s := &script{answers: []func(*Call) error{answer(query), answer(tx)}}
	var seen []string
	hook := func(next Transport) Transport {
		return TransportFunc(func(ctx context.Context, c *Call) error {
			err := next.Do(ctx, c)
			seen = append(seen, fmt.Sprintf("%s %s %d/%d %v %v", c.Operation, c.Table, c.Items, c.Scanned, c.Read, c.Write))
			return err
		})
	}
	db := New(s, Options{TableName: func(n string) string { return "x-" + n }, Hooks: []Hook{hook}})
	var u Usage
	for _, tables := range [][]string{{"Shop"}, {"Shop", "Log"}} {
		c := newCall("Query")
		if len(tables) > 1 {
			c.Operation = "TransactWriteItems"
		}
		for _, name := range tables {
			c.names(db, name)
		}
		c.Request = append(c.Request, `{"a":1}`...)
		b := db.budget()
		if err := db.Measure(&u).send(t.Context(), c, &b, harmless); err != nil {
			t.Fatal(err)
		}
		if string(c.Request) != `{"a":1}` {
			t.Errorf("request left as %s", c.Request)
		}
	}
	if want := `Query {"a":1,"ReturnConsumedCapacity":"INDEXES"}`; s.calls[0] != want {
		t.Errorf("sent %s, want %s", s.calls[0], want)
	}
	want := map[string]Units{"Shop": {Write: 4}, "Shop.ByCustomer": {Read: 1.5, Write: 1}, "Log": {Write: 2}}
	if fmt.Sprint(u.Arms) != fmt.Sprint(want) || u.Read != 1.5 || u.Write != 7 || u.Requests != 2 || u.Returned != 2 || u.Scanned != 5 {
		t.Errorf("%+v", &u)
	}
	if got := fmt.Sprint(seen); got != "[Query Shop 2/5 1.5 0 TransactWriteItems  0/0 0 7]" {
		t.Errorf("the hook saw %s", got)
	}
}

func TestSendBatch(t *testing.T) {
	s := &script{answers: []func(*Call) error{
		answer(`{"Responses":{"T":[{"id":{"S":"a"}}]},"UnprocessedKeys":{"T":{"Keys":[{"id":{"S":"b"}},{"id":{"S":"c"}}]}}}`),
		answer(`{"Responses":{"T":[]},"UnprocessedKeys":{"T":{"Keys":[{"id":{"S":"b"}},{"id":{"S":"c"}}]}}}`),
		answer(`{"Responses":{"T":[{"id":{"S":"b"}},{"id":{"S":"c"}}]},"UnprocessedKeys":{}}`),
	}}
	db := New(s, Options{Clock: &steppingClock{}, Retry: Retry{Attempts: 3}})
	read := func() (string, error) {
		var got string
		c := newCall("BatchGetItem")
		defer c.release()
		c.Request = append(c.Request, `{"RequestItems":{"T":{"Keys":[{"id":{"S":"a"}},{"id":{"S":"b"}},{"id":{"S":"c"}}]}}}`...)
		b := db.budget()
		err := db.sendBatch(t.Context(), c, &b, func(d *attr.Decoder) error {
			it, err := d.Item()
			got += it.Get("id").Str()
			return err
		})
		return got, err
	}
	if got, err := read(); err != nil || got != "abc" || len(s.calls) != 3 {
		t.Errorf("%q, %v, %q", got, err, s.calls)
	}
	if want := `BatchGetItem {"RequestItems":{"T":{"Keys":[{"id":{"S":"b"}},{"id":{"S":"c"}}]}}}`; s.calls[1] != want {
		t.Errorf("second request %s, want %s", s.calls[1], want)
	}
	s.answers, s.calls = s.answers[1:2], nil
	if _, err := read(); !errors.Is(err, ErrThrottled) || len(s.calls) != 3 {
		t.Errorf("%v after %d calls", err, len(s.calls))
	}
}
