package tablewright

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"time"

	"github.com/tablewright/tablewright/wire"
)

// Debug says whether a DB logs its requests and answers, at slog.LevelDebug: to Options.Logger, or as text to the standard
// error output if there is none. The environment variable TABLEWRIGHT_DEBUG turns it on where Options do not: "values" is
// DebugValues, anything else but "", "0", "off" and "false" DebugMasked.
type Debug uint8

// What is logged: with DebugMasked the values of attributes are replaced by …, so that logs hold no data of customers; names
// of tables and attributes, sizes and times remain.
const (
	DebugOff Debug = iota
	DebugMasked
	DebugValues
)

// debugging is what Options and environment say together.
func debugging(d Debug) Debug {
	if d != DebugOff {
		return d
	}
	switch os.Getenv("TABLEWRIGHT_DEBUG") {
	case "", "0", "off", "false":
		return DebugOff
	case "values":
		return DebugValues
	}
	return DebugMasked
}

func newDebugLogger(l *slog.Logger) *slog.Logger {
	if l != nil {
		return l
	}
	return slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

// debugged stands directly above the transport and logs what passes, once for every try.
type debugged struct {
	next   Transport
	log    *slog.Logger
	values bool
}

func (d debugged) Do(ctx context.Context, c *Call) error {
	if !d.log.Enabled(ctx, slog.LevelDebug) {
		return d.next.Do(ctx, c)
	}
	request := d.show(c.Request)
	start := time.Now()
	err := d.next.Do(ctx, c)
	fields := []slog.Attr{slog.String("table", c.Table), slog.Int("try", c.Attempt), slog.Duration("took", time.Since(start)), slog.String("request", request)}
	if c.Index != "" {
		fields = append(fields, slog.String("index", c.Index))
	}
	if c.Pattern != "" {
		fields = append(fields, slog.String("pattern", c.Pattern))
	}
	if c.RequestID != "" {
		fields = append(fields, slog.String("id", c.RequestID))
	}
	var w *wire.Error
	switch {
	case err == nil:
		fields = append(fields, slog.String("answer", d.show(c.Response)))
	case errors.As(err, &w) && !d.values: // the service's message may quote values
		fields = append(fields, slog.String("error", w.Code))
	default:
		fields = append(fields, slog.String("error", err.Error()))
	}
	d.log.LogAttrs(ctx, slog.LevelDebug, c.Operation, fields...)
	return err
}

const masked = "…"

func (d debugged) show(body []byte) string {
	if d.values {
		return string(body)
	}
	var v any
	if json.Unmarshal(body, &v) != nil {
		return masked
	}
	out, err := json.Marshal(mask(v, ""))
	if err != nil {
		return masked
	}
	return string(out)
}

// mask replaces the values of attributes: what stands under the name of one of their types, unless it is an object, which
// is an attribute or a map that has that name.
func mask(v any, under string) any {
	switch v := v.(type) {
	case map[string]any:
		for name, inner := range v {
			v[name] = mask(inner, name)
		}
		return v
	case []any:
		for i, inner := range v {
			v[i] = mask(inner, under)
		}
		return v
	}
	switch under {
	case "S", "N", "B", "BOOL", "SS", "NS", "BS", "Statement":
		return masked
	}
	return v
}
