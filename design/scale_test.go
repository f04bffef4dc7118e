package design_test

import (
	"flag"
	"runtime"
	"testing"
	"time"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/design"
	"github.com/tablewright/tablewright/internal/invent"
	"github.com/tablewright/tablewright/internal/norace"
	"github.com/tablewright/tablewright/model"
)

var flagScale = flag.Bool("design.scale", false, "hold the time and memory of large designs to their limits: on a machine that does nothing else")

// TestScale designs requirements of 30 and of 300 access patterns. A model that costs at most 2 % more than the final one is
// there early. How long it takes is told, and with -design.scale held to limits; how many configurations are compared is
// always the same, and always held to one.
//
//	go test ./design -run TestScale -v -design.scale
func TestScale(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	for _, c := range []struct {
		name               string
		entities, patterns int
		near, end          time.Duration
		most               int // configurations
	}{
		{"30 patterns", 10, 30, 3 * time.Second, 10 * time.Second, 5_000},
		{"300 patterns", 100, 300, 10 * time.Second, time.Minute, 100_000},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.patterns > 30 && !*flagScale {
				t.Skip("takes seconds: -design.scale")
			}
			r, _, found := model.ReadRequirements("requirements.yaml", invent.Ordinary(1, c.entities, c.patterns))
			if err := found.Err(); err != nil {
				t.Fatal(err)
			}
			type report struct {
				after     time.Duration
				component int
				cost      capacity.Money
			}
			var reports []report
			begun := time.Now()
			d, err := design.Design(t.Context(), r, design.Options{Progress: func(p design.Progress) {
				reports = append(reports, report{time.Since(begun), p.Component, p.Cheapest})
			}})
			if err != nil {
				t.Fatal(err)
			}
			took := time.Since(begun)
			var final, bound, sofar capacity.Money
			configurations := 0
			for _, x := range d.Components {
				final, bound, configurations = final+x.Chosen.Cost, bound+x.Bound, configurations+x.Configurations
			}
			costs := map[int]capacity.Money{}
			near := took
			for _, x := range reports {
				if x.cost > 0 {
					sofar += x.cost - costs[x.component]
					costs[x.component] = x.cost
				}
				if len(costs) == len(d.Components) && float64(sofar) <= 1.02*float64(final) {
					near = x.after
					break
				}
			}
			var memory runtime.MemStats
			runtime.ReadMemStats(&memory)
			t.Logf("%d components: within 2 %% after %s, done after %s, %d configurations, %s a month, none costs less than %s, %d MB",
				len(d.Components), near.Round(time.Millisecond), took.Round(time.Millisecond), configurations, final, bound, memory.Sys>>20)
			if configurations > c.most {
				t.Errorf("%d configurations were compared, more than %d", configurations, c.most)
			}
			if !*flagScale {
				return
			}
			if near > c.near || took > c.end {
				t.Errorf("within 2 %% after %s and done after %s, want %s and %s", near, took, c.near, c.end)
			}
			if memory.Sys > 1<<30 {
				t.Errorf("%d bytes of memory, more than a gigabyte", memory.Sys)
			}
		})
	}
}
