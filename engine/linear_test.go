package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/engine/internal/kv"
	"github.com/tablewright/tablewright/wire"
)

// Recorded histories: clients work on a few items at the same time, while faults refuse, delay and lose answers, and what
// each of them was told is held to a model of items that are changed one request after another. A history for which there
// is no such order, one that keeps to when requests began and ended, is a failure of the engine (linearizability; for
// transactions over several items, strict serializability).

// linearTime is how long histories are recorded in all. TABLEWRIGHT_LINEARIZABILITY sets it, such as 10m.
func linearTime(t *testing.T) time.Duration {
	text := os.Getenv("TABLEWRIGHT_LINEARIZABILITY")
	if text == "" {
		return 1500 * time.Millisecond
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

const linearItems = 3

// linearState is the value of each item; 0: it is absent.
type linearState [linearItems]int

// linearAction is what a request does to one item, or that it reads it.
type linearAction struct {
	item   int
	verb   linearVerb
	expect int // -1: no condition; 0: absent; else the value
	value  int
}

type linearVerb uint8

const (
	linearGet linearVerb = iota
	linearPut
	linearUpdate
	linearDelete
	linearCheck // in a transaction
)

// linearRequest is one request: a transaction, or a single action.
type linearRequest struct {
	transaction bool
	actions     []linearAction
}

// linearAnswer is what a client was told.
type linearAnswer struct {
	outcome linearOutcome
	values  []int // by action, of a read; of a single write that was done or refused: the item before
	// conflict: nothing was done for a transaction, and for nothing else
	conflict bool
}

type linearOutcome uint8

const (
	linearDone    linearOutcome = iota
	linearRefused               // a condition does not hold
	linearNothing               // throttled, in conflict or failed: nothing was done
	linearLost                  // done or refused: the answer was lost
)

// linearModel is the sequential specification. single: every request is of one item, each item a history of its own.
func linearModel(single bool) porcupine.Model {
	m := porcupine.Model{
		Init: func() any { return linearState{} },
		Step: func(state, input, output any) (bool, any) {
			return linearStep(state.(linearState), input.(linearRequest), output.(linearAnswer))
		},
		DescribeOperation: func(input, output any) string {
			return fmt.Sprintf("%+v → %+v", input, output)
		},
	}
	if single {
		m.Partition = func(history []porcupine.Operation) [][]porcupine.Operation {
			parts := make([][]porcupine.Operation, linearItems)
			for _, o := range history {
				i := o.Input.(linearRequest).actions[0].item
				parts[i] = append(parts[i], o)
			}
			return parts
		}
	}
	return m
}

func linearStep(s linearState, in linearRequest, out linearAnswer) (bool, any) {
	if out.outcome == linearNothing {
		return true, s
	}
	holds, next := true, s
	for i, a := range in.actions {
		was := s[a.item]
		if a.expect >= 0 && was != a.expect {
			holds = false
		}
		if i < len(out.values) && out.values[i] != was {
			return false, s
		}
		switch a.verb {
		case linearPut, linearUpdate:
			next[a.item] = a.value
		case linearDelete:
			next[a.item] = 0
		}
	}
	switch {
	case !holds:
		return out.outcome != linearDone, s
	case out.outcome == linearRefused:
		return false, s
	}
	return true, next
}

// body is the request as it is sent.
func (r linearRequest) body() (operation, body string) {
	if !r.transaction {
		a := r.actions[0]
		switch a.verb {
		case linearGet:
			return "GetItem", `{"ConsistentRead":true,` + a.body()
		case linearPut:
			return "PutItem", `{"ReturnValues":"ALL_OLD","ReturnValuesOnConditionCheckFailure":"ALL_OLD",` + a.body()
		case linearUpdate:
			return "UpdateItem", `{"ReturnValues":"ALL_OLD","ReturnValuesOnConditionCheckFailure":"ALL_OLD",` + a.body()
		}
		return "DeleteItem", `{"ReturnValues":"ALL_OLD","ReturnValuesOnConditionCheckFailure":"ALL_OLD",` + a.body()
	}
	operation = "TransactWriteItems"
	var actions []string
	for _, a := range r.actions {
		verb := [...]string{"Get", "Put", "Update", "Delete", "ConditionCheck"}[a.verb]
		if a.verb == linearGet {
			operation = "TransactGetItems"
		}
		actions = append(actions, `{"`+verb+`":{`+a.body()+`}`)
	}
	return operation, `{"TransactItems":[` + strings.Join(actions, ",") + `]}`
}

func (a linearAction) body() string {
	b := fmt.Sprintf(`"TableName":"tbl","Key":{"pk":{"S":"%d"}}`, a.item)
	var values []string
	switch a.verb {
	case linearPut:
		b = fmt.Sprintf(`"TableName":"tbl","Item":{"pk":{"S":"%d"},"v":{"N":"%d"}}`, a.item, a.value)
	case linearUpdate:
		b += `,"UpdateExpression":"SET v = :v"`
		values = append(values, fmt.Sprintf(`":v":{"N":"%d"}`, a.value))
	}
	switch {
	case a.expect == 0:
		b += `,"ConditionExpression":"attribute_not_exists(pk)"`
	case a.expect > 0:
		b += `,"ConditionExpression":"v = :old"`
		values = append(values, fmt.Sprintf(`":old":{"N":"%d"}`, a.expect))
	}
	if len(values) > 0 {
		b += `,"ExpressionAttributeValues":{` + strings.Join(values, ",") + `}`
	}
	return b + "}"
}

// linearRead reads an answer.
func linearRead(in linearRequest, body []byte, err error) (out linearAnswer, failure error) {
	type item struct{ V struct{ N string } }
	value := func(i *item) int {
		if i == nil || i.V.N == "" {
			return 0
		}
		n, err := strconv.Atoi(i.V.N)
		if err != nil {
			panic(err)
		}
		return n
	}
	read := func(raw []byte, into any) {
		if len(raw) == 0 {
			return
		}
		if err := json.Unmarshal(raw, into); err != nil {
			panic(err)
		}
	}
	var refused *wire.Error
	switch {
	case errors.Is(err, engine.ErrAnswerLost):
		out.outcome = linearLost
	case errors.Is(err, wire.ErrConditionFailed):
		out.outcome = linearRefused
		if errors.As(err, &refused) && !in.transaction {
			var i item
			read(refused.Item, &i)
			out.values = []int{value(&i)}
		}
	case errors.As(err, &refused) && refused.Retryable():
		out.outcome = linearNothing
		out.conflict = errors.Is(err, wire.ErrConflict) && !errors.Is(err, wire.ErrThrottled)
	case err != nil:
		return out, err
	case in.transaction:
		var answer struct{ Responses []struct{ Item *item } }
		read(body, &answer)
		for _, r := range answer.Responses {
			out.values = append(out.values, value(r.Item))
		}
	default:
		var answer struct{ Item, Attributes *item }
		read(body, &answer)
		if in.actions[0].verb == linearGet {
			out.values = []int{value(answer.Item)}
		} else {
			out.values = []int{value(answer.Attributes)}
		}
	}
	return out, nil
}

// linearClient makes requests at random. It guesses values for conditions from what it has seen.
type linearClient struct {
	id     int
	random *rand.Rand
	seen   linearState
	next   int
	single bool
}

func (c *linearClient) value() int {
	c.next++
	return c.next*100 + c.id + 1
}

func (c *linearClient) action(verb linearVerb, item int) linearAction {
	a := linearAction{item: item, verb: verb, expect: -1, value: c.value()}
	if verb != linearGet && (verb == linearCheck || c.random.IntN(2) == 0) {
		a.expect = c.seen[item]
	}
	return a
}

func (c *linearClient) request() linearRequest {
	item := c.random.IntN(linearItems)
	switch n := c.random.IntN(10); {
	case n < 3 || c.single && n < 4:
		return linearRequest{actions: []linearAction{c.action(linearGet, item)}}
	case n < 5 || c.single:
		return linearRequest{actions: []linearAction{c.action(linearPut+linearVerb(c.random.IntN(3)), item)}}
	case n < 7:
		r := linearRequest{transaction: true}
		for i := range linearItems {
			r.actions = append(r.actions, c.action(linearGet, i))
		}
		return r
	}
	r := linearRequest{transaction: true}
	for _, i := range c.random.Perm(linearItems)[:2+c.random.IntN(linearItems-1)] {
		r.actions = append(r.actions, c.action(linearPut+linearVerb(c.random.IntN(4)), i))
	}
	return r
}

// doer is an engine, or what stands for one.
type doer interface {
	Do(ctx context.Context, operation string, body []byte) ([]byte, error)
}

// linearHistory has clients make so many requests each, and records them.
func linearHistory(t *testing.T, e doer, clients []*linearClient, requests int, began time.Time) (history []porcupine.Operation) {
	t.Helper()
	var mu sync.Mutex
	var all sync.WaitGroup
	for _, c := range clients {
		all.Go(func() {
			for range requests {
				in := c.request()
				operation, body := in.body()
				call := time.Since(began)
				answer, err := e.Do(context.Background(), operation, []byte(body))
				back := time.Since(began)
				out, err := linearRead(in, answer, err)
				if err != nil {
					t.Errorf("%s %s: %v", operation, body, err)
					return
				}
				for i, v := range out.values {
					c.seen[in.actions[i].item] = v
				}
				mu.Lock()
				history = append(history, porcupine.Operation{ClientId: c.id, Input: in, Call: int64(call), Output: out, Return: int64(back)})
				mu.Unlock()
			}
		})
	}
	all.Wait()
	return history
}

// disturb injects faults until done is closed.
func disturb(e *engine.Engine, random *rand.Rand, done <-chan struct{}) {
	for {
		f := engine.Fault{Times: 1 + random.IntN(3), Key: fmt.Sprintf(`{"pk":{"S":"%d"}}`, random.IntN(linearItems))}
		switch random.IntN(4) {
		case 0:
			f.Throttle = true
		case 1:
			f.DropAnswer = true
		case 2:
			f.Delay = time.Duration(1+random.IntN(300)) * time.Microsecond
		default:
			f.Err = wire.NewError(wire.CodeUnavailable, "")
		}
		injected := e.Inject(f)
		select {
		case <-done:
			injected.Remove()
			return
		case <-time.After(300 * time.Microsecond):
		}
		injected.Remove()
	}
}

// linearizable checks a history; what the checker cannot decide in time is not decided.
func linearizable(history []porcupine.Operation, single bool) porcupine.CheckResult {
	return porcupine.CheckOperationsTimeout(linearModel(single), history, 5*time.Second)
}

// TestLinearizable records histories in memory and on disk, where the engine is closed and opened again in the middle.
func TestLinearizable(t *testing.T) {
	const clients, requests = 5, 30
	decided, operations, outcomes := 0, 0, map[linearOutcome]int{}
	limit := linearTime(t)
	for seed, began := uint64(0), time.Now(); time.Since(began) < limit; seed++ {
		single, dir := seed%2 == 0, ""
		if seed%4 >= 2 {
			dir = t.TempDir()
		}
		history := linearRun(t, seed, dir, clients, requests, single)
		if t.Failed() {
			return
		}
		switch linearizable(history, single) {
		case porcupine.Ok:
			decided++
		case porcupine.Illegal:
			t.Fatalf("seed %d, %q: a history of %d requests has no order\n%s", seed, dir, len(history), historyText(history))
		}
		unfounded(t, history)
		for _, o := range history {
			operations++
			outcomes[o.Output.(linearAnswer).outcome]++
		}
	}
	t.Logf("%d histories of %d requests in all: %d done, %d refused, %d throttled, failed or in conflict, %d without answer", decided, operations,
		outcomes[linearDone], outcomes[linearRefused], outcomes[linearNothing], outcomes[linearLost])
	if decided < 4 || outcomes[linearRefused] == 0 || outcomes[linearNothing] == 0 || outcomes[linearLost] == 0 {
		t.Errorf("%d histories were decided, with outcomes %v: that tells nothing", decided, outcomes)
	}
}

func linearRun(t *testing.T, seed uint64, dir string, clients, requests int, single bool) (history []porcupine.Operation) {
	var all []*linearClient
	for i := range clients {
		all = append(all, &linearClient{id: i, random: rand.New(rand.NewPCG(seed, uint64(i))), single: single})
	}
	began := time.Now()
	phases := 1
	if dir != "" {
		phases = 2
	}
	for phase := range phases {
		e, err := engine.Open(dir, &engine.Options{SweepEvery: -1, NoSync: seed%8 >= 4})
		if err != nil {
			t.Fatal(err)
		}
		if phase == 0 {
			do(t, e, "CreateTable", hashTable, "")
		}
		done := make(chan struct{})
		var disturbing sync.WaitGroup
		disturbing.Go(func() { disturb(e, rand.New(rand.NewPCG(seed, 100)), done) })
		history = append(history, linearHistory(t, e, all, requests/phases, began)...)
		close(done)
		disturbing.Wait()
		if err := errors.Join(e.Check(), e.Close()); err != nil {
			t.Fatal(err)
		}
	}
	return history
}

// unfounded fails the test for requests that were refused for a conflict with nothing.
func unfounded(t *testing.T, history []porcupine.Operation) {
	t.Helper()
	for _, o := range history {
		in := o.Input.(linearRequest)
		if !o.Output.(linearAnswer).conflict {
			continue
		}
		if !slices.ContainsFunc(history, func(x porcupine.Operation) bool {
			other := x.Input.(linearRequest)
			return x.ClientId != o.ClientId && x.Call <= o.Return && o.Call <= x.Return &&
				other.actions[0].verb != linearGet && (other.transaction || in.actions[0].verb == linearGet) && in.shares(other)
		}) {
			t.Errorf("%+v is refused for a conflict that there was not", in)
		}
	}
}

// shares reports whether two requests name the same item.
func (r linearRequest) shares(o linearRequest) bool {
	return slices.ContainsFunc(r.actions, func(a linearAction) bool {
		return slices.ContainsFunc(o.actions, func(b linearAction) bool { return a.item == b.item })
	})
}

func historyText(history []porcupine.Operation) string {
	slices.SortFunc(history, func(a, b porcupine.Operation) int { return int(a.Call - b.Call) })
	var b strings.Builder
	for _, o := range history {
		fmt.Fprintf(&b, "%d: %d–%d %+v → %+v\n", o.ClientId, o.Call, o.Return, o.Input, o.Output)
	}
	return b.String()
}

// The checker must be able to fail: these engines are broken on purpose.

// racing is a store whose updates read before they have their turn: a condition may not hold any more when what it allowed
// is written.
type racing struct{ kv.Store }

func (s racing) Update(f func(kv.Writer) error) error {
	w := &late{store: s.Store}
	err := f(w)
	if err != nil {
		return err
	}
	time.Sleep(50 * time.Microsecond)
	return s.Store.Update(func(now kv.Writer) error {
		for _, change := range w.changes {
			change(now)
		}
		return nil
	})
}

// late is a writer of which all changes come later.
type late struct {
	store   kv.Store
	changes []func(kv.Writer)
}

func (w *late) Get(s kv.Space, key []byte) (value []byte) {
	_ = w.store.View(func(r kv.Reader) error { value = slices.Clone(r.Get(s, key)); return nil })
	return value
}

func (w *late) Ascend(s kv.Space, from, to []byte, f func(key, value []byte) bool) {
	_ = w.store.View(func(r kv.Reader) error { r.Ascend(s, from, to, f); return nil })
}

func (w *late) Descend(s kv.Space, from, to []byte, f func(key, value []byte) bool) {
	_ = w.store.View(func(r kv.Reader) error { r.Descend(s, from, to, f); return nil })
}

func (w *late) Put(s kv.Space, key, value []byte) {
	w.changes = append(w.changes, func(now kv.Writer) { now.Put(s, key, value) })
}

func (w *late) Delete(s kv.Space, key []byte) {
	w.changes = append(w.changes, func(now kv.Writer) { now.Delete(s, key) })
}

func (w *late) Drop(s kv.Space) {
	w.changes = append(w.changes, func(now kv.Writer) { now.Drop(s) })
}

func (w *late) Undone(func()) {}

func (w *late) Done(f func()) { w.changes = append(w.changes, func(now kv.Writer) { now.Done(f) }) }

// torn is a store that writes what belongs together piece by piece.
type torn struct{ kv.Store }

func (s torn) Update(f func(kv.Writer) error) error {
	var changes []func(kv.Writer)
	errLater := errors.New("later")
	err := s.Store.Update(func(now kv.Writer) error {
		w := &keeping{Writer: now}
		if err := f(w); err != nil {
			return err
		}
		changes = w.changes
		return errLater // nothing of it yet
	})
	if !errors.Is(err, errLater) {
		return err
	}
	for _, change := range changes {
		if err := s.Store.Update(func(now kv.Writer) error { change(now); return nil }); err != nil {
			return err
		}
		time.Sleep(20 * time.Microsecond)
	}
	return nil
}

// keeping is a writer that keeps what it is told.
type keeping struct {
	kv.Writer
	changes []func(kv.Writer)
}

func (w *keeping) Put(s kv.Space, key, value []byte) {
	w.Writer.Put(s, key, value)
	w.changes = append(w.changes, func(now kv.Writer) { now.Put(s, key, value) })
}

func (w *keeping) Delete(s kv.Space, key []byte) {
	w.Writer.Delete(s, key)
	w.changes = append(w.changes, func(now kv.Writer) { now.Delete(s, key) })
}

func (w *keeping) Undone(func()) {} // the definition of a table is kept beside the store

func (w *keeping) Done(f func()) { w.changes = append(w.changes, func(now kv.Writer) { now.Done(f) }) }

// TestBrokenIsCaught: histories of engines on broken stores are found out.
func TestBrokenIsCaught(t *testing.T) {
	for name, c := range map[string]struct {
		store  kv.Store
		single bool
	}{
		"conditions that race":       {racing{kv.NewMemory()}, true},
		"transactions that are torn": {torn{kv.NewMemory()}, false},
	} {
		e, err := engine.OpenStore(c.store, &engine.Options{SweepEvery: -1})
		if err != nil {
			t.Fatal(err)
		}
		do(t, e, "CreateTable", hashTable, "")
		caught := false
		for seed := uint64(0); seed < 50 && !caught; seed++ {
			for item := range linearItems { // each history begins with nothing
				do(t, e, "DeleteItem", `{"TableName":"tbl","Key":{"pk":{"S":"%d"}}}`, item)
			}
			var clients []*linearClient
			for i := range 5 {
				clients = append(clients, &linearClient{id: i, random: rand.New(rand.NewPCG(seed, uint64(i))), single: c.single})
			}
			caught = linearizable(linearHistory(t, e, clients, 30, time.Now()), c.single) == porcupine.Illegal
		}
		if !caught {
			t.Errorf("%s: not noticed in 50 histories", name)
		}
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}
}
