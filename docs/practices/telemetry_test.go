package practices

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"slices"
	"sync"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/docs/internal/local"
	"github.com/tablewright/tablewright/telemetry"
)

func Example_telemetry() {
	logger := slog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{
		Level: slog.LevelDebug,
		ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr { // for the example: without what differs from run to run
			if a.Key == slog.TimeKey || a.Value.Kind() == slog.KindDuration {
				return slog.Attr{}
			}
			return a
		},
	}))
	hooks := []tablewright.Hook{
		telemetry.Hook(telemetry.Options{}), // spans and metrics, to OpenTelemetry's global providers
		telemetry.Log(logger, telemetry.LogOptions{All: true}),
	}
	ctx, db := local.OpenWith(tablewright.Options{Hooks: hooks}, AccountsTable)
	var used tablewright.Usage // units are told where something asks for them: this, or a meter
	_ = Accounts.Create(Account{ID: "a1", Cents: 500}).Run(ctx, db.Measure(&used))
	_, _ = withdraw(ctx, db, "a1", 900)
	// Output:
	// level=DEBUG msg=request operation=CreateTable table=Accounts attempt=1
	// level=DEBUG msg=request operation=DescribeTable table=Accounts attempt=1
	// level=DEBUG msg=request operation=PutItem table=Accounts attempt=1 writeUnits=1
	// level=DEBUG msg=request operation=UpdateItem table=Accounts code=ConditionalCheckFailedException attempt=1
}

// counts has a hook of one's own: it sees each request, with its names, units and outcome, from many goroutines at once.
type counts struct {
	mu    sync.Mutex
	calls map[string]int
}

func (n *counts) hook(next tablewright.Transport) tablewright.Transport {
	return tablewright.TransportFunc(func(ctx context.Context, c *tablewright.Call) error {
		err := next.Do(ctx, c)
		n.mu.Lock()
		defer n.mu.Unlock()
		n.calls[fmt.Sprintf("%s %s, failed: %t", c.Operation, c.Table, err != nil)]++
		return err
	})
}

func Example_hooks() {
	seen := &counts{calls: map[string]int{}}
	ctx, db := local.OpenWith(tablewright.Options{Hooks: []tablewright.Hook{seen.hook}}, AccountsTable)
	clear(seen.calls) // of making the table
	_ = Accounts.Create(Account{ID: "a1", Cents: 500}).Run(ctx, db)
	_, _ = withdraw(ctx, db, "a1", 100)
	_, _ = withdraw(ctx, db, "a1", 900)
	for _, call := range slices.Sorted(maps.Keys(seen.calls)) {
		fmt.Println(call, "=", seen.calls[call])
	}
	// Output:
	// PutItem Accounts, failed: false = 1
	// UpdateItem Accounts, failed: false = 1
	// UpdateItem Accounts, failed: true = 1
}
