package stats_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/stats"
)

// TestGetsThatAreLed follows references from item to item, of several callers at once, and gets what somebody else has listed: only of
// the former the keys stand in the answers before, written with their prefix or without.
func TestGetsThatAreLed(t *testing.T) {
	id := func(n int) string { return fmt.Sprintf("%06x", n*7919) }
	answers := tablewright.TransportFunc(func(_ context.Context, call *tablewright.Call) error {
		var n int
		_, _ = fmt.Sscanf(call.Pattern, "%d", &n)
		call.Items, call.Read = 1, 0.5
		call.Response = fmt.Appendf(nil, `{"Item":{"PK":{"S":"NODE#%s"},"SK":{"S":"META"},"kind":{"S":"META"},"text":{"S":"say \"%[1]s\""},"next":{"S":"%s"},"ways":{"L":[{"S":"NODE#%s"}]}}}`,
			id(n), id(n+1), id(n+2))
		call.Pattern = ""
		return nil
	})
	for _, test := range []struct {
		name string
		next func(n int) int
		led  bool
		hash string
	}{
		{"the next", func(n int) int { return n + 1 }, true, ""},
		{"the next, hashed", func(n int) int { return n + 1 }, true, "secret"},
		{"one of a list, with its prefix", func(n int) int { return n + 2 }, true, ""},
		{"others", func(n int) int { return n + 5 }, false, ""},
		{"others, hashed", func(n int) int { return n + 5 }, false, "secret"},
		{"the same again", func(n int) int { return n }, false, ""},
		{"the same again, hashed", func(n int) int { return n }, false, "secret"},
	} {
		c := stats.NewCollector(stats.Options{Detail: 1, HashKeys: []byte(test.hash)})
		hook := c.Hook(answers)
		for caller := range 100 {
			type request struct{ context.Context }
			ctx := &request{t.Context()}
			for n, step := caller*100, 0; step < 6; n, step = test.next(n), step+1 {
				key := `{"PK":{"S":"NODE#` + id(n) + `"},"SK":{"S":"META"}}`
				call := &tablewright.Call{Operation: "GetItem", Table: "Main", Pattern: fmt.Sprint(n), Attempt: 1, Key: []byte(key[:len(key)-len(`,"SK":{"S":"META"}}`)] + "}"), ItemKey: []byte(key),
					Request: []byte(`{"TableName":"Main","Key":` + key + `}`)}
				if err := hook.Do(ctx, call); err != nil {
					t.Fatal(err)
				}
			}
		}
		var preceded, led float64
		for _, o := range c.Snapshot().Operations {
			preceded, led = preceded+o.Preceded, led+o.Led
		}
		switch {
		case strings.HasPrefix(test.name, "the same again"):
			if preceded > 0 {
				t.Errorf("%s: %v gets are said to have followed another one", test.name, preceded)
			}
		case preceded < 8 || test.led && led < 0.95*preceded || !test.led && led > 0:
			t.Errorf("%s: %v gets came after another one, and %v asked for what stood there", test.name, preceded, led)
		}
	}
}
