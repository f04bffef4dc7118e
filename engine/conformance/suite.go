package conformance

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tablewright/tablewright/wire"
)

// Options say how a target is held to the cases. The zero Options are for a server on this machine.
type Options struct {
	// Cases are those to do. Nil: all.
	Cases []Case
	// Parallel is how many cases are done at a time. 0: one. Where creating a table takes seconds, 16 and more are of use;
	// servers that keep tables in one file may not stand it.
	Parallel int
	// Own says that the target has nothing but what the run puts there: names of tables are those of the cases, which are
	// done one after another. A target that has tables is refused then. Otherwise tables have names of their own, so that none of anybody else's is touched, and
	// cases that ask for all tables are done only if there were none at the beginning.
	Own bool
	// Settle is how long reads may go on answering what was before a write, as eventually consistent ones do: what is not
	// as expected is asked for again until then. 0: never.
	Settle time.Duration
	// Patience is how long a change of a table may take. 0: a minute. On AWS an index takes 5 to 25 minutes.
	Patience time.Duration
	// Progress is told every result, one at a time, in the order in which they come. It may be nil.
	Progress func(r Result, done, of int)
}

// Status is what became of a case.
type Status string

// The states of a Result.
const (
	Passed  Status = "passed"
	Failed  Status = "failed"
	Missing Status = "missing" // the target does not have an operation of the case
	Skipped Status = "skipped" // the target does not allow it: Reason says why
)

// Result is what became of a case.
type Result struct {
	Case        Case          `json:"-"`
	Name        string        `json:"name"`
	Status      Status        `json:"status"`
	Place       string        `json:"place"`
	Why         string        `json:"why,omitempty"`
	Page        string        `json:"page,omitempty"`
	Failure     *Failure      `json:"failure,omitempty"`     // of one that failed by an answer
	Unsupported *Unsupported  `json:"unsupported,omitempty"` // of one that is missing
	Reason      string        `json:"reason,omitempty"`      // of one that was skipped, or failed without an answer
	Took        time.Duration `json:"nanoseconds"`
}

// revival is how long a target that does not answer any more may take until it does, before a run gives up: what a case
// has crashed may be started again by something else.
const revival = 10 * time.Second

// Run holds a target to the cases. The report has the results in the order of the cases. An error says that the target
// cannot be asked, or that ctx ended; the report then has what was done until then.
func Run(ctx context.Context, t Target, o Options) (*Report, error) {
	if o.Cases == nil {
		all, err := Cases()
		if err != nil {
			return nil, err
		}
		o.Cases = all
	}
	if o.Patience == 0 {
		o.Patience = defaultPatience
	}
	s := &suite{Options: o, target: t, revival: revival, results: make([]Result, len(o.Cases))}
	began := time.Now()
	err := s.run(ctx)
	r := &Report{Began: began, Took: time.Since(began)}
	for _, result := range s.results {
		if result.Status != "" {
			r.Results = append(r.Results, result)
		}
	}
	return r, err
}

// suite is a run.
type suite struct {
	Options
	target  Target
	revival time.Duration // how long the target may be silent
	results []Result

	mu   sync.Mutex
	done int
}

func (s *suite) run(ctx context.Context) error {
	empty, err := s.empty(ctx)
	if err != nil {
		return err
	}
	if s.Own && !empty {
		return errors.New("conformance: the target has tables, or does not tell: it is not the run's own")
	}
	var beside, alone []int
	_, overHTTP := s.target.(Sender)
	for i, c := range s.Cases {
		switch {
		case c.needsHTTP() && !overHTTP:
			s.tell(i, Result{Status: Skipped, Reason: "is about HTTP, and the target is none over HTTP"})
		case s.Own || c.alone() && empty:
			alone = append(alone, i)
		case c.alone():
			s.tell(i, Result{Status: Skipped, Reason: "asks for all tables, and the target has some that are not the run's"})
		default:
			beside = append(beside, i)
		}
	}
	// Those that ask for all tables come last, one at a time, when the tables of the others are gone.
	for _, part := range []struct {
		cases    []int
		parallel int
	}{{beside, max(s.Parallel, 1)}, {alone, 1}} {
		if err := s.part(ctx, part.cases, part.parallel); err != nil {
			return err
		}
	}
	return nil
}

// empty reports whether the target has no tables. What is wrong with the way to it is found here.
func (s *suite) empty(ctx context.Context) (bool, error) {
	answer, err := s.target.Do(ctx, "ListTables", []byte("{}"))
	if err != nil {
		var refused *wire.Error
		if errors.As(err, &refused) && (refused.Code == wire.CodeUnknownOperation || refused.Code == wire.CodeInternal) {
			return false, nil // that is for the cases to say
		}
		return false, fmt.Errorf("conformance: the target cannot be asked for its tables: %w", err)
	}
	list, err := wire.DecodeListTablesOutput(answer)
	if err != nil {
		return false, fmt.Errorf("conformance: the target does not speak DynamoDB's protocol: %w", err)
	}
	return len(list.Names) == 0, nil
}

// part does some cases, a few at a time.
func (s *suite) part(ctx context.Context, cases []int, parallel int) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	next := make(chan int)
	var workers sync.WaitGroup
	for range min(parallel, len(cases)) {
		workers.Go(func() {
			for i := range next {
				if err := s.do(ctx, i); err != nil {
					stop(err)
				}
			}
		})
	}
	for _, i := range cases {
		select {
		case <-ctx.Done():
		case next <- i:
			continue
		}
		break
	}
	close(next)
	workers.Wait()
	return context.Cause(ctx)
}

// do does a case.
func (s *suite) do(ctx context.Context, i int) error {
	p := &play{Case: s.Cases[i], target: s.target, settle: s.Settle, patience: s.Patience}
	if !s.Own {
		p.names.prefix = newPrefix()
	}
	began := time.Now()
	err := p.run(ctx)
	r := Result{Status: Passed, Took: time.Since(began)}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err == nil:
	case errors.As(err, &r.Failure):
		r.Status = Failed
	case errors.As(err, &r.Unsupported):
		r.Status = Missing
	default:
		r.Status, r.Reason = Failed, err.Error()
	}
	s.tell(i, r)
	if r.Status == Failed && r.Failure == nil && !s.revived(ctx) {
		return fmt.Errorf("conformance: the target does not answer any more: %w", err)
	}
	return nil
}

// revived waits until a target that has not answered does.
func (s *suite) revived(ctx context.Context) bool {
	for pause, waited := 50*time.Millisecond, time.Duration(0); waited < s.revival; pause = min(pause*2, time.Second) {
		if _, err := s.empty(ctx); err == nil {
			return true
		}
		if sleep(ctx, pause) != nil {
			return false
		}
		waited += pause
	}
	return false
}

// tell keeps a result.
func (s *suite) tell(i int, r Result) {
	r.Case = s.Cases[i]
	r.Name, r.Place, r.Why, r.Page = r.Case.Name, r.Case.Place, r.Case.Why, r.Case.Page()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.results[i] = r
	s.done++
	if s.Progress != nil {
		s.Progress(r, s.done, len(s.Cases))
	}
}

// alone reports whether the case asks for all tables of the target.
func (c Case) alone() bool {
	return slices.ContainsFunc(c.steps, func(s step) bool {
		return s.operation == "ListTables" || s.operation == "ListStreams" && !strings.Contains(s.request, `"TableName"`)
	})
}
