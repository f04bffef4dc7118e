package tablewrighttest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"sync"
	"testing"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/wire"
)

// Script is a transport that answers what a test says, in order, with nothing behind it: for answers that an engine does not
// give, and for tests of what exactly is sent.
//
//	script := tablewrighttest.NewScript(t)
//	script.Expect("GetItem").With(`{"Key":{"id":{"S":"a"}}}`).Answer(`{"Item":{"id":{"S":"a"}}}`)
//	script.Expect("PutItem").Fail(wire.NewError(wire.CodeThroughputExceeded, ""))
//	db := tablewright.New(script, tablewright.Options{})
//
// A call that comes unexpectedly fails the test, and is answered with an error that nobody repeats; so does one that was
// expected and has not come when the test ends.
type Script struct {
	t     testing.TB
	mu    sync.Mutex
	steps []*Step
	next  int
}

// Step is a call that is expected.
type Step struct {
	script    *Script
	operation string
	with      []any
	answer    []byte
	err       error
}

// NewScript makes a Script for t.
func NewScript(t testing.TB) *Script {
	s := &Script{t: t}
	t.Cleanup(func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		for _, step := range s.steps[s.next:] {
			t.Errorf("%s was expected and did not come", step.operation)
		}
	})
	return s
}

// Expect adds a call of an operation, which is answered with an empty object unless the Step says otherwise.
func (s *Script) Expect(operation string) *Step {
	s.mu.Lock()
	defer s.mu.Unlock()
	step := &Step{script: s, operation: operation, answer: []byte("{}")}
	s.steps = append(s.steps, step)
	return step
}

// With demands members of the request: those of a JSON object, and in objects within it; others may be there too, while lists
// are compared as a whole.
func (s *Step) With(members string) *Step {
	var v any
	if err := json.Unmarshal([]byte(members), &v); err != nil {
		s.script.t.Fatalf("tablewrighttest: what %s is expected with is no JSON: %v", s.operation, err)
	}
	s.with = append(s.with, v)
	return s
}

// Answer answers the call with a JSON object.
func (s *Step) Answer(body string) { s.answer = []byte(body) }

// Fail answers the call with an error: a *wire.Error is the service's, any other, such as ErrAnswerLost, leaves open what
// was done.
func (s *Step) Fail(err error) { s.err = err }

// Do is the transport's.
func (s *Script) Do(_ context.Context, c *tablewright.Call) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.next == len(s.steps) {
		return s.refuse(fmt.Sprintf("%s came unexpectedly, at the end of the script: %s", c.Operation, c.Request))
	}
	step := s.steps[s.next]
	if step.operation != c.Operation {
		return s.refuse(fmt.Sprintf("%s came where %s was expected: %s", c.Operation, step.operation, c.Request))
	}
	s.next++
	for _, want := range step.with {
		var got any
		if err := json.Unmarshal(c.Request, &got); err != nil {
			return s.refuse(fmt.Sprintf("%s came with a request that is no JSON: %v", c.Operation, err))
		}
		if where, ok := contains(got, want, ""); !ok {
			text, _ := json.Marshal(want) // it came from JSON
			return s.refuse(fmt.Sprintf("%s came otherwise than expected at %s:\n%s\nwant\n%s", c.Operation, where, c.Request, text))
		}
	}
	if step.err != nil {
		return step.err
	}
	c.Response = append(c.Response[:0], bytes.Clone(step.answer)...)
	return nil
}

// refuse fails the test; the error is one that no client repeats.
func (s *Script) refuse(what string) error {
	s.t.Helper()
	s.t.Error(what)
	return wire.Invalid("tablewrighttest: not in the script: " + what)
}

// contains reports whether everything in want is in got, and where it is not.
func contains(got, want any, at string) (where string, ok bool) {
	members, isObject := want.(map[string]any)
	has, also := got.(map[string]any)
	if !isObject || !also {
		if at == "" {
			at = "its whole"
		}
		return at, reflect.DeepEqual(got, want)
	}
	for name, v := range members {
		w, there := has[name]
		if !there {
			return at + "." + name, false
		}
		if where, ok := contains(w, v, at+"."+name); !ok {
			return where, false
		}
	}
	return "", true
}
