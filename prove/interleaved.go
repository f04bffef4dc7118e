package prove

import (
	"errors"
	"slices"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// Calls at once of what is not all or nothing get between each other's actions: which of two wrote an instance last is not said by which
// of them came to its end last.

// event is what a call has done in a turn of its own.
type event struct {
	call  int
	at    time.Time
	wrote int  // requests that changed something
	ended bool // it has come to its end
}

// inRequests are the actions of a write in the order in which its plan does them, each with one request; nil where it is all or nothing,
// has one action only, or a plan in which an action may take another number of requests than one.
func (s *session) inRequests(p *spec.Pattern) []*spec.Action {
	proc := s.compiled.Procedure(p.Name)
	if p.Atomic || len(p.Actions) < 2 || len(p.Optional) > 0 || p.Idempotency != "" || proc == nil {
		return nil
	}
	actions := p.InTurn()
	for _, st := range proc.Stages {
		about := append([]*plan.Stage{st}, st.Actions...)
		switch {
		case !st.Verb.Writes():
			continue
		case len(actions) == 0 || len(st.Each) > 0 || len(actions[0].Each) > 0 || len(actions[0].With) > 0 || actions[0].Verb == spec.Delete:
			return nil
		case !slices.ContainsFunc(about, func(x *plan.Stage) bool {
			return x.Kind != nil && x.Kind.Role == plan.EntityItem && x.Kind.Entity == actions[0].Entity
		}):
			return nil
		}
		actions = actions[1:]
	}
	if len(actions) > 0 {
		return nil
	}
	return p.InTurn()
}

// interleaved holds what calls at once have done against the oracle, action by action in the order in which that was done. What was done
// must have been possible then, and what was refused must have been to refuse at some time while the call ran. Only now is it known
// what each call has stated, for the client completes it.
func (s *session) interleaved(p *spec.Pattern, actions []*spec.Action, all []attr.Item, results []tablewright.Result, errs []error, events []event, begun time.Time) (happened int) {
	args := make([]attr.Item, len(all))
	for i := range all {
		if args[i] = results[i].Arguments; args[i].Len() == 0 {
			args[i] = all[i]
		}
	}
	done, ended := make([]int, len(all)), make([]bool, len(all))
	refusable := make([][]string, len(all))
	note := func() { // what could be refused as things stand
		for i := range all {
			switch {
			case ended[i] || done[i] == len(actions):
			case done[i] == 0:
				refusable[i] = append(refusable[i], s.oracle.Check(p, args[i]).Codes...)
			default:
				w, _ := s.oracle.only(p, args[i], actions[done[i]])
				refusable[i] = append(refusable[i], w.Codes...)
			}
		}
	}
	note()
	for _, ev := range events {
		i := ev.call
		s.oracle.SetNow(ev.at)
		n := min(done[i]+ev.wrote, len(actions))
		if ev.ended && errs[i] == nil {
			n = len(actions)
		}
		for done[i] < n {
			w, changes := s.oracle.only(p, args[i], actions[done[i]])
			if w.Refused() {
				s.fail(p, "concurrent", all[i], &mismatch{tooMany, w.Codes, "done"}, nil)
				return happened
			}
			s.oracle.change(changes)
			done[i]++
			note()
		}
		if !ev.ended {
			continue
		}
		note() // as it stands when a refusal comes
		ended[i] = true
		switch got := code(errs[i]); {
		case errs[i] == nil:
			happened++
			s.enterCreated(p, args[i])
		case got == "" && !errors.Is(errs[i], tablewright.ErrConflict):
			s.fail(p, "concurrent", all[i], &mismatch{cause: "the write failed: " + errs[i].Error()}, nil)
		case got != "" && !slices.Contains(refusable[i], got) &&
			!(got == "missing" && p.Consistency == "eventual" && s.oracle.keyLately(p, args[i], begun.Add(-s.o.Lag))):
			s.fail(p, "concurrent", all[i], &mismatch{groundless, refusable[i], got}, nil)
		}
	}
	return happened
}
