package tablewright_test

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/tablewright/tablewright"
)

// What is logged has names, and values only where they are asked for.
func TestDebug(t *testing.T) {
	for _, test := range []struct {
		environment string
		option      tablewright.Debug
		logs        bool
		values      bool
	}{
		{"", tablewright.DebugOff, false, false},
		{"0", tablewright.DebugOff, false, false},
		{"1", tablewright.DebugOff, true, false},
		{"values", tablewright.DebugOff, true, true},
		{"values", tablewright.DebugMasked, true, false},
		{"", tablewright.DebugMasked, true, false},
		{"", tablewright.DebugValues, true, true},
	} {
		t.Setenv("TABLEWRIGHT_DEBUG", test.environment)
		var log bytes.Buffer
		logger := slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
		db := open(t, tablewright.Options{Debug: test.option, Logger: logger}, Shop)
		ctx := t.Context()
		o := order("o1")
		o.Note, o.Tags, o.Lines = "secret-note", []string{"secret-tag"}, []Line{{"secret-sku", 48151623}}
		if err := Orders.Create(o).Run(ctx, db); err != nil {
			t.Fatal(err)
		}
		if _, err := Orders.ByCustomer.Of("secret-customer").Filter(Orders.Note.Equals("secret-other")).Slice(ctx, db); err != nil {
			t.Fatal(err)
		}
		if _, err := Orders.Get("o1").Run(ctx, db); err != nil {
			t.Fatal(err)
		}
		if err := Orders.Create(o).Run(ctx, db); !errors.Is(err, tablewright.ErrExists) {
			t.Fatal(err)
		}
		text := log.String()
		if logged := strings.Contains(text, "PutItem") && strings.Contains(text, "index=ByCustomer") && strings.Contains(text, "ConditionalCheckFailedException"); logged != test.logs {
			t.Errorf("%+v: logged %s", test, text)
		}
		if strings.Contains(text, "note") != test.logs {
			t.Errorf("%+v: no names of attributes: %s", test, text)
		}
		for _, secret := range []string{"secret", "48151623"} {
			if strings.Contains(text, secret) != test.values {
				t.Errorf("%+v: logged %s", test, text)
			}
		}
	}
}
