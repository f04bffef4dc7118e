package telemetry

import (
	"context"
	"log/slog"
	"time"

	"github.com/tablewright/tablewright"
)

// LogOptions of Log; the zero value logs failures and requests of a second or more.
type LogOptions struct {
	// Slow is how long a request takes that is a warning. 0: one second; negative: none is.
	Slow time.Duration
	// All logs the other requests too, at slog.LevelDebug.
	All bool
}

// Log writes requests to a structured log: names, counts, units and times, never values or keys of items. Failures are
// warnings; conditions that did not hold are no failures.
func Log(logger *slog.Logger, o LogOptions) tablewright.Hook {
	if o.Slow == 0 {
		o.Slow = time.Second
	}
	return func(next tablewright.Transport) tablewright.Transport {
		return tablewright.TransportFunc(func(ctx context.Context, c *tablewright.Call) error {
			begin := time.Now()
			err := next.Do(ctx, c)
			took := time.Since(begin)
			p := problemOf(ctx, err)
			level, text := slog.LevelDebug, "request"
			switch {
			case p.fault:
				level, text = slog.LevelWarn, "request failed"
			case o.Slow > 0 && took >= o.Slow:
				level, text = slog.LevelWarn, "slow request"
			case !o.All:
				return err
			}
			if !logger.Enabled(ctx, level) {
				return err
			}
			list := make([]slog.Attr, 0, 12)
			add := func(name, value string) {
				if value != "" {
					list = append(list, slog.String(name, value))
				}
			}
			add("operation", c.Operation)
			add("table", c.Table)
			add("index", c.Index)
			add("pattern", c.Pattern)
			add("code", p.kind)
			add("request", c.RequestID)
			list = append(list, slog.Duration("took", took), slog.Int("attempt", c.Attempt))
			if p.kind == "" && c.Reads() {
				list = append(list, slog.Int("items", c.Items), slog.Int("scanned", c.Scanned))
			}
			if c.Read != 0 {
				list = append(list, slog.Float64("readUnits", float64(c.Read)))
			}
			if c.Write != 0 {
				list = append(list, slog.Float64("writeUnits", float64(c.Write)))
			}
			logger.LogAttrs(ctx, level, text, list...)
			return err
		})
	}
}
