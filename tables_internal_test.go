package tablewright

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/wire"
)

// tables is a service that knows nothing but the states of tables. A table goes from one state of its list to the next
// each time it is described, and stays in the last; none left: there is no table.
type tables map[string][]string

func (s tables) Do(ctx context.Context, c *Call) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	name := c.Table
	states, known := s[name]
	if !known || len(states) == 0 {
		return wire.NewError(wire.CodeResourceNotFound, "")
	}
	switch c.Operation {
	case "DeleteTable":
		switch states[0] {
		case "protected":
			return wire.Invalid("Resource cannot be deleted as it is currently protected against deletion.")
		case "ACTIVE":
			s[name] = append([]string{"DELETING"}, states[1:]...)
		default:
			return wire.NewError(wire.CodeResourceInUse, "Attempt to change a resource which is still in use")
		}
		c.Response = append(c.Response[:0], `{}`...)
	case "DescribeTable":
		c.Response = append(c.Response[:0], `{"Table":{"TableStatus":"`+states[0]+`"}}`...)
		if states[0] != "ACTIVE" && states[0] != "stuck" {
			s[name] = states[1:]
		}
	}
	return nil
}

func programOf(names ...string) *Program {
	p := &plan.Program{}
	for _, n := range names {
		p.Tables = append(p.Tables, &plan.Schema{Name: n, Document: &plan.Table{Name: n}})
	}
	return NewProgram(p)
}

func TestDeleteTables(t *testing.T) {
	clock := &steppingClock{t: time.Unix(1_700_000_000, 0)}
	left := func(s tables) (names []string) {
		for name, states := range s {
			if len(states) > 0 {
				names = append(names, name)
			}
		}
		slices.Sort(names)
		return names
	}
	service := tables{"active": {"ACTIVE"}, "made": {"CREATING", "CREATING", "ACTIVE"}, "going": {"DELETING", "DELETING"}, "kept": {"protected"}, "last": {"ACTIVE"}}
	err := programOf("gone", "kept", "made", "going", "active", "last").DeleteTables(t.Context(), New(service, Options{Clock: clock}))
	if got := left(service); !slices.Equal(got, []string{"kept"}) {
		t.Errorf("left: %v", got)
	}
	if !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), "DeleteTable kept: invalid request") {
		t.Error(err)
	}

	service = tables{"stuck": {"stuck"}, "active": {"ACTIVE"}}
	begin := clock.t
	err = programOf("stuck", "active").DeleteTables(t.Context(), New(service, Options{Clock: clock}))
	if err == nil || !strings.HasPrefix(err.Error(), "tablewright: DeleteTable stuck: the table is still there after 5m0s: ") || !slices.Equal(left(service), []string{"stuck"}) {
		t.Errorf("%v, left: %v", err, left(service))
	}
	if d := clock.t.Sub(begin); d < deletionTime || d > deletionTime+10*time.Second {
		t.Errorf("gave up after %v", d)
	}

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := programOf("a", "b").DeleteTables(ctx, New(tables{"a": {"ACTIVE"}}, Options{Clock: clock})); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
