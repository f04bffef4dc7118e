package pipeline

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/prove"
)

// start is where the clock of a proof in this process stands first: any day does, as long as it is always the same.
var start = time.Date(2026, time.January, 5, 9, 0, 0, 0, time.UTC)

// lag is how long index entries of a proof in this process stay behind their table at most.
const lag = time.Second

// Prove loads data, runs every access pattern and compares each answer with the oracle. It sets Evidence also where
// patterns are not proven; the error says what kept the proof from being made.
func (j *Job) Prove(ctx context.Context, o Options) error {
	options := prove.Options{
		Seed:     o.Seed,
		Scale:    o.Scale,
		Throttle: o.Throttle,
		Progress: func(p prove.Progress) {
			if p.Pattern != "" { // patterns come in no order of their own, and in every phase again: a number would jump
				o.tell(Event{Stage: "prove", Detail: p.Phase + " " + p.Pattern})
				return
			}
			o.tell(Event{Stage: "prove", Detail: p.Phase, Done: p.Done, Of: p.Of})
		},
	}
	run := onEngine
	if o.Endpoint != nil {
		run = o.Endpoint.prove
	}
	evidence, err := run(ctx, j, options)
	if err != nil {
		return fmt.Errorf("prove: %w", err)
	}
	j.Evidence = evidence
	return nil
}

// onEngine proves on an engine in memory whose clock is simulated: nothing waits, and the same seed gives the same bytes.
func onEngine(ctx context.Context, j *Job, o prove.Options) (evidence *prove.Evidence, err error) {
	clock := prove.NewSimulated(start)
	e, err := engine.Open("", &engine.Options{Clock: clock, Lag: &engine.Lag{Max: lag, Seed: o.Seed}, SweepEvery: -1, SlowRequest: -1})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	o.Clock, o.Lag = clock, lag
	o.Open = func(to tablewright.Options) (*tablewright.DB, error) {
		return tablewright.New(tablewright.InProcess(e), to), nil
	}
	return prove.Run(ctx, j.Program, o)
}
