package engine_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/internal/norace"
)

// TestUpdateFarTooLarge: an expression of a few KB that multiplies a large attribute is refused before it takes the memory.
func TestUpdateFarTooLarge(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	e := engine.New(t)
	do := func(operation, request string) error {
		_, err := e.Do(t.Context(), operation, []byte(request))
		return err
	}
	if err := do("CreateTable", schema); err != nil {
		t.Fatal(err)
	}
	list := strings.TrimSuffix(strings.Repeat(`{"BOOL":true},`, 150_000), ",")
	if err := do("PutItem", `{"TableName":"tbl","Item":{"pk":{"S":"a"},"sk":{"N":"1"},"m":{"L":[`+list+`]}}}`); err != nil {
		t.Fatal(err)
	}
	for name, assign := range map[string]string{"attributes": "m", "lists": "list_append(m, m)", "missing ones": "if_not_exists(absent, m)"} {
		t.Run(name, func(t *testing.T) {
			var sets []string
			for i := range 100 {
				sets = append(sets, fmt.Sprintf("a%d = %s", i, assign))
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			err := do("UpdateItem", `{"TableName":"tbl","Key":{"pk":{"S":"a"},"sk":{"N":"1"}},"UpdateExpression":"SET `+strings.Join(sets, ", ")+`"}`)
			runtime.ReadMemStats(&after)
			if err == nil || !strings.Contains(err.Error(), "Item size to update has exceeded the maximum allowed size") {
				t.Errorf("answered %v", err)
			}
			if mb := (after.TotalAlloc - before.TotalAlloc) >> 20; mb > 200 { // gigabytes without the bounds; the race detector adds some
				t.Errorf("%d MB were taken", mb)
			}
		})
	}
}
