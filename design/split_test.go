package design_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/internal/norace"
	"github.com/tablewright/tablewright/plan"
)

// splitSeeds is for `go test ./design -run RandomSplits -splits=100`.
var splitSeeds = flag.Uint64("splits", 3, "prove so many applications made by chance, most of whose designs split an entity")

// randomSplit is a small application whose main entity is large and has little that is written all the time. What reads show, what
// writes test and change besides, and whether children lie beside it, is chance.
func randomSplit(seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 7))
	var b strings.Builder
	some := func(names ...string) []string {
		r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		return names[:1+r.IntN(len(names))]
	}
	list := func(names []string) string { return strings.Join(names, ", ") }
	maybe := func(format string, args ...any) {
		if r.IntN(2) == 0 {
			fmt.Fprintf(&b, format, args...)
		}
	}
	children := r.IntN(2) == 0
	id := []string{"boatId", "portId, boatId"}[r.IntN(2)]
	fmt.Fprintf(&b, `tablewright: 1
application: {name: boats%s}
entities:
  Port:
    identity: [portId]
    attributes: {portId: {type: string, bytes: 8}, name: {type: string, bytes: 20}}
    count: 90
  Boat:
    identity: [%s]
    attributes:
      portId: {references: Port, inverse: boats, per-parent: {average: 12, max: 60}}
      boatId: {type: string, generated: ulid}
      name: {type: string, bytes: {average: 14, max: 40}}
      builtAt: timestamp
      story: {type: string, bytes: {average: %d, max: 9_000}}
      plan: {type: binary, bytes: {average: 900, max: 2_000}, optional: true, share: 60%%}
      seen: {type: number, digits: 7, min: 0}
      fuel: {type: number, digits: 4, min: 0}
      state: {states: [moored, sailing, sunk], share: {sunk: 2%%}}
`, []string{"", ", streams: [Boat]"}[r.IntN(2)], id, 1_500+r.IntN(4_000))
	maybe("      notes: {derived: count(log)%s}\n", []string{"", ", within: 10s"}[r.IntN(2)])
	maybe("      revision: {type: number, generated: version}\n")
	noted := strings.Contains(b.String(), "notes")
	fmt.Fprintf(&b, "    bytes: {average: 6_500, max: 12_000}\n    count: 1_080\n")
	if children || noted {
		fmt.Fprintf(&b, `  Note:
    identity: [noteId]
    attributes:
      noteId: {type: string, generated: ulid}
      %s
      text: {type: string, bytes: {average: 60, max: 200}}
`, map[bool]string{
			true:  "boatId: {parent: Boat, inverse: log, per-parent: {average: 3, max: 20}}",
			false: "portId: {type: string, bytes: 8}\n      boatId: {parent: Boat, by: [portId, boatId], as: boat, inverse: log, per-parent: {average: 3, max: 20}}",
		}[id == "boatId"])
	}
	patterns := func(format string, args ...any) { fmt.Fprintf(&b, "  "+format+"\n", args...) }
	fmt.Fprintf(&b, "patterns:\n")
	patterns("openPort: {write: {create: Port}, rate: {average: 0.001/s, peak: 1/s}}")
	patterns("port: {read: Port, given: [portId], rate: {average: 1/s, peak: 5/s}}")
	patterns("launch: {write: {create: Boat, requires: [port]}, rate: {average: 0.01/s, peak: 1/s}}")
	patterns("sight: {write: {update: Boat, set: {seen: seen + 1}}, rate: {average: 60/s, peak: 200/s}}")
	test := []string{"fuel >= $least", "state = moored and fuel >= $least", "seen <= $most and state = moored", "exists(plan)"}[r.IntN(4)]
	patterns("change: {write: {update: Boat, set: [%s], condition: %s, refusal: no}, rate: {average: 0.3/s, peak: 3/s}}", list(some("story", "plan", "name", "fuel")), test)
	patterns("move: {write: {update: Boat, set: [state]}, rate: {average: 0.3/s, peak: 3/s}}")
	maybe("  burn: {write: {update: Boat, set: {fuel: fuel - $used}, condition: fuel >= $used, refusal: dry}, rate: {average: 30/s, peak: 90/s}}\n")
	if strings.Contains(b.String(), "revision:") {
		maybe("  rewrite: {write: {update: Boat, set: [story], condition: revision = $revision, refusal: version}, rate: {average: 0.1/s, peak: 1/s}}\n")
	}
	maybe("  strip: {write: {update: Boat, remove: [plan]}, rate: {average: 0.1/s, peak: 1/s}}\n")
	if !children && !noted {
		maybe("  scrap: {write: {delete: Boat, condition: state = sunk and seen >= $least, refusal: afloat}, %srate: {average: 0.001/s, peak: 1/s}}\n", []string{"", "atomic: false, "}[r.IntN(2)])
	} else {
		maybe("  scrap: {write: {delete: Boat, with: [log], condition: state = sunk and seen >= $least, refusal: afloat}, atomic: false, rate: {average: 0.001/s, peak: 1/s}}\n")
	}
	consistency := []string{"eventual", "strong", "snapshot"}[r.IntN(3)]
	patterns("boat: {read: Boat, given: [%s], consistency: %s, rate: {average: 8/s, peak: 20/s}}", id, consistency)
	patterns("some: {read: Boat, given: [%s], returns: [%s], rate: {average: 9/s, peak: 30/s}}", id, list(some("story", "seen", "fuel", "state", "name")))
	maybe("  ofPort: {read: Boat, given: [portId], order: builtAt descending, top: 5, rate: {average: 0.4/s, peak: 2/s}}\n")
	maybe("  names: {read: Boat, given: [portId], order: name, page: 6, returns: [boatId, name, %s], rate: {average: 2/s, peak: 9/s}}\n", list(some("seen", "fuel", "builtAt")))
	if noted {
		maybe("  noted: {read: Boat, given: [portId], order: notes descending, top: 5, staleness: 1min, rate: {average: 3/s, peak: 9/s}}\n")
	}
	maybe("  afloat: {read: Boat, given: [portId], where: state = sailing, results: {average: 4, max: 30}, rate: {average: 0.5/s, peak: 2/s}}\n")
	if children || noted {
		patterns("note: {write: {create: Note, requires: [boat]}, rate: {average: %s/s, peak: 60/s}}", []string{"0.5", "40"}[r.IntN(2)])
		patterns("log: {read: Boat, given: [%s], with: [log], rate: {average: 1/s, peak: 4/s}}", id)
	}
	return b.String()
}

// TestRandomSplits designs and proves applications made by chance, most of which are cheaper with an entity in two parts.
func TestRandomSplits(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	split := 0
	for seed := range *splitSeeds {
		text := randomSplit(seed)
		r := parse(t, text)
		d := designed(t, r)
		if slices.ContainsFunc(d.Model.Decisions, func(x plan.Decision) bool { return x.Rule == "vertical split" }) {
			split++
		}
		if !t.Run(fmt.Sprint(seed), func(t *testing.T) { proven(t, compiled(t, r, d)) }) {
			t.Log(text + "\n" + summary(d))
		}
	}
	if 2*split < int(*splitSeeds) {
		t.Errorf("only %d of %d are designed in parts", split, *splitSeeds)
	}
	t.Log(split, "of", *splitSeeds)
}
