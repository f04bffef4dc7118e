package rules_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/stats"
	"github.com/tablewright/tablewright/stats/rules"
	"github.com/tablewright/tablewright/stats/rules/internal/tracebench"
	"github.com/tablewright/tablewright/wire"
)

// Programs that use the client, each of which does something else with the errors of conditions that failed.

type seat struct {
	ID      string `ddb:"id"`
	Guest   string `ddb:"guest,omitzero"`
	Left    int    `ddb:"left"`
	Text    string `ddb:"text"`
	Version int    `ddb:"version,version"`
}

var (
	seatsForm  = plan.Table{Name: "Seats", Key: plan.Key{Partition: "id"}}
	seatsTable = tablewright.NewTable(seatsForm)

	seats = tablewright.Declare[struct {
		tablewright.Entity[string, seat]
		Guest tablewright.Text[seat, string]
		Left  tablewright.Number[seat, int]
	}](seatsTable, plan.Item{Name: "seat"})

	bookSeat = tablewright.NewPattern(seatsTable, "bookSeat", func(id string) tablewright.Update[seat] {
		return seats.Update(id, seats.Left.Minus(1)).If(seats.Left.AtLeast(1))
	})
	openSeat = tablewright.NewPattern(seatsTable, "openSeat", func(s seat) tablewright.PutIf[seat] { return seats.Create(s) })
)

var errFull = errors.New("there is nothing left")

func seatID(n int) string { return fmt.Sprint("s", n) }

// seedSeats stores seats, so many of a hundred of which are full.
func seedSeats(n, full int) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		for i := range n {
			left := 1_000_000
			if i%100 < full {
				left = 0
			}
			w.Store("Seats", tracebench.Item{"id": seatID(i), "left": left, "version": 1, "text": tracebench.Text(150)})
		}
	}
}

// program has callers come whose work ends at the top of a program, which makes a status of its error.
func program(callers int, top func(err error) int, work func(ctx context.Context, db *tablewright.DB, w *tracebench.World) error) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		w.Traffic(2*time.Hour, callers, tracebench.Daily, func(c *tracebench.Caller) {
			c.Client(func(ctx context.Context, db *tablewright.DB) {
				if err := work(ctx, db, w); err != nil {
					top(fmt.Errorf("serving a request: %w", err))
				}
			})
		})
	}
}

// logged knows one status for all errors, and notes their text and where they are from.
func logged(err error) int {
	var of *tablewright.Error
	if errors.As(err, &of) {
		_ = fmt.Sprint(of.Operation, of.Table, of.RequestID)
	}
	_ = err.Error()
	if errors.Is(err, context.Canceled) || errors.Is(err, tablewright.ErrThrottled) {
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}

// told knows what the errors are that callers can do something about.
func told(err error) int {
	switch {
	case errors.Is(err, tablewright.ErrNotFound):
		return http.StatusNotFound
	case errors.Is(err, tablewright.ErrConditionFailed), errors.Is(err, errFull):
		return http.StatusConflict
	}
	return http.StatusInternalServerError
}

func book(ctx context.Context, db *tablewright.DB, w *tracebench.World) error {
	return bookSeat.With(seatID(w.Rand.IntN(400))).Run(ctx, db)
}

func create(ctx context.Context, db *tablewright.DB, w *tracebench.World) error {
	return seats.Create(seat{ID: fmt.Sprint("new", w.Rand.IntN(150)), Text: tracebench.Text(200)}).Run(ctx, db)
}

var contendedSeats = tracebench.Trace{
	Name: "versions of a few items that many change at once, without reading again", Tables: []plan.Table{seatsForm}, Seed: seedSeats(5, 0),
	Run:   program(600, logged, changed(5, 4)),
	Fires: []string{"conditions-unhandled", "failing-conditions"},
	May:   []string{"read-before-write", "lost-update"},
}

// TestUnhandledContention: what makes conditions fail, and that nobody asks about it, is one recommendation, which says both.
func TestUnhandledContention(t *testing.T) {
	about := 0
	for _, f := range rules.Recommend(input(contendedSeats.Play(t))) {
		if f.Rule == "conditions-unhandled" {
			t.Errorf("a recommendation of its own: %s", f.Title)
		}
		if f.Rule != "failing-conditions" {
			continue
		}
		about++
		if !slices.Equal(f.Also, []string{"conditions-unhandled"}) || !strings.Contains(f.Remedy.Text, "tablewright.ErrConditionFailed") ||
			!slices.ContainsFunc(f.Evidence, func(e rules.Evidence) bool { return strings.HasPrefix(e.What, "errors of failed conditions") }) {
			var b strings.Builder
			_ = rules.WriteText(&b, []rules.Finding{f})
			t.Errorf("says only:\n%s", b.String())
		}
	}
	if about != 1 {
		t.Errorf("%d recommendations about the conditions that fail", about)
	}
}

var _ = bench("conditions-unhandled",
	tracebench.Trace{
		Name: "bookings that fail where nothing is left, all errors of which end as 500", Tables: []plan.Table{seatsForm}, Seed: seedSeats(400, 20),
		Run:   program(800, logged, book),
		Fires: []string{"conditions-unhandled"},
	},
	tracebench.Trace{
		Name: "items that are created twice, which is only logged", Tables: []plan.Table{seatsForm}, Processes: 3,
		Run:   program(600, logged, create),
		Fires: []string{"conditions-unhandled"},
	},
	tracebench.Trace{
		Name: "seats that are gone, and one place of a program that asks, for one error in thirty", Tables: []plan.Table{seatsForm},
		Run: func(w *tracebench.World) {
			n := 0
			program(600, func(err error) int {
				if n++; n%30 == 0 {
					return told(err)
				}
				return logged(err)
			}, func(ctx context.Context, db *tablewright.DB, w *tracebench.World) error {
				return seats.Update(seatID(w.Rand.IntN(400)), seats.Guest.Set("g")).Run(ctx, db)
			})(w)
		},
		Seed:  seedSeats(200, 0),
		Fires: []string{"conditions-unhandled"},
	},
	tracebench.Trace{
		Name: "one call in five is recorded", Tables: []plan.Table{seatsForm}, Seed: seedSeats(400, 25), Stats: stats.Options{Rate: 0.2},
		Run:   program(3_000, logged, book),
		Fires: []string{"conditions-unhandled"},
	},
	contendedSeats,
	tracebench.Trace{
		Name: "bookings whose errors are told apart at the top of the program", Tables: []plan.Table{seatsForm}, Seed: seedSeats(400, 20),
		Run:  program(800, told, book),
		Near: true,
	},
	tracebench.Trace{
		Name: "conditions that have an error of the program's", Tables: []plan.Table{seatsForm}, Seed: seedSeats(400, 20),
		Run: program(800, told, func(ctx context.Context, db *tablewright.DB, w *tracebench.World) error {
			return seats.Update(seatID(w.Rand.IntN(400)), seats.Left.Minus(1)).If(seats.Left.AtLeast(1)).Else(errFull).Run(ctx, db)
		}),
		Near: true,
	},
	tracebench.Trace{
		Name: "creates that are repeated, of which it is asked whether the item is there", Tables: []plan.Table{seatsForm},
		Run: program(800, logged, func(ctx context.Context, db *tablewright.DB, w *tracebench.World) error {
			err := create(ctx, db, w)
			if errors.Is(err, tablewright.ErrExists) {
				return nil
			}
			return err
		}),
		Near: true,
	},
	tracebench.Trace{
		Name: "seats of which the newer item is shown", Tables: []plan.Table{seatsForm},
		Run: program(800, logged, func(ctx context.Context, db *tablewright.DB, w *tracebench.World) error {
			err := openSeat.With(seat{ID: fmt.Sprint("new", w.Rand.IntN(100)), Text: tracebench.Text(200)}).Run(ctx, db)
			if stored, ok := seats.Refused(err); ok && stored.Guest == "" {
				return nil
			}
			return err
		}),
		Near: true,
	},
	tracebench.Trace{
		Name: "a program that looks at what the service said", Tables: []plan.Table{seatsForm}, Seed: seedSeats(400, 20),
		Run: program(800, func(err error) int {
			if answer, ok := errors.AsType[*wire.Error](err); ok && answer.Code == wire.CodeConditionFailed {
				return http.StatusConflict
			}
			return logged(err)
		}, book),
		Near: true,
	},
	tracebench.Trace{
		Name: "edits that read again where somebody was faster", Tables: []plan.Table{seatsForm}, Seed: seedSeats(300, 0),
		Run: func(w *tracebench.World) {
			n := 0
			program(600, logged, func(ctx context.Context, db *tablewright.DB, w *tracebench.World) error {
				id, late := seatID(w.Rand.IntN(300)), false
				n++
				return seats.Edit(id, func(s *seat) error {
					if n%6 == 0 && !late { // somebody is
						late = true
						if err := seats.Update(id, seats.Guest.Set("faster")).Run(ctx, db); err != nil {
							return err
						}
					}
					s.Left--
					return nil
				}).Run(ctx, db)
			})(w)
		},
		Near: true,
		May:  []string{"read-before-write"},
	},
	tracebench.Trace{
		Name: "a place in five that forgets to ask", Tables: []plan.Table{seatsForm}, Seed: seedSeats(400, 20),
		Run: func(w *tracebench.World) {
			n := 0
			program(800, func(err error) int {
				if n++; n%5 == 0 {
					return logged(err)
				}
				return told(err)
			}, book)(w)
		},
		Near: true,
	},
	tracebench.Trace{
		Name: "nine conditions that fail in two hours, which nobody asks about", Tables: []plan.Table{seatsForm}, Seed: seedSeats(400, 0),
		Run: func(w *tracebench.World) {
			n := 0
			program(800, logged, func(ctx context.Context, db *tablewright.DB, w *tracebench.World) error {
				if n++; n > 9 {
					return book(ctx, db, w)
				}
				return bookSeat.With("nowhere").Run(ctx, db)
			})(w)
		},
		Near: true,
	},
	tracebench.Trace{
		Name: "calls of the SDK's client, whose errors are its own", Tables: []plan.Table{seatsForm}, Seed: seedSeats(400, 20),
		Run: func(w *tracebench.World) {
			w.Traffic(2*time.Hour, 800, tracebench.Daily, func(c *tracebench.Caller) {
				c.Update("Seats", tracebench.Item{"id": seatID(w.Rand.IntN(400))}, "SET #l = #l - :one", tracebench.Names("#l", "left"),
					tracebench.Values(tracebench.Item{":one": 1}), tracebench.If("#l >= :one"))
			})
		},
		Foreign: true,
		Near:    true,
	},
)

// changed reads a seat, and writes it back on the condition that nobody did so meanwhile; of ten such callers, so many find that
// somebody did.
func changed(of, late int) func(ctx context.Context, db *tablewright.DB, w *tracebench.World) error {
	n := 0
	return func(ctx context.Context, db *tablewright.DB, w *tracebench.World) error {
		n++
		id := seatID(w.Rand.IntN(of))
		before, err := seats.Get(id).Run(ctx, db)
		if err != nil {
			return err
		}
		if n%10 < late {
			if err := seats.Update(id, seats.Guest.Set(fmt.Sprint("g", n))).Run(ctx, db); err != nil {
				return err
			}
		}
		after := before
		after.Left--
		return seats.Put(after).Run(ctx, db)
	}
}
