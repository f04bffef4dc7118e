package design

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/model"
)

// TestPacks: which parts of an identity may differ within an item, and where several cannot lie in one.
func TestPacks(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"", "", "{siloId; at} and packed by at:hours3#depth"},
		{"after at", "after keptUntil", ""},                                                          // one of an item ends before another
		{"depth: {type: number, digits: 2, min: 0, max: 40}", "depth: {type: binary, bytes: 9}", ""}, // no name tells it
		{"given: [siloId], where: hot = true", "given: [depth], where: hot = true", ""},              // no part is stated by all
		{"given: [siloId], where: at", "given: [siloId, depth], where: at", "{siloId; at} and packed by at:hours3#depth"},
		{"atomic: false", "atomic: true", "{siloId; at} and packed by at:hours3#depth"},
		{"average: 10, max: 80}", "average: 10, max: 95}", "{siloId; at} and packed by at:hours3#depth"},
		{"atomic: false\n    parameters: {readings: {length: {average: 10, max: 80}", "parameters: {readings: {length: {average: 10, max: 95}", ""}, // more than one update of a transaction writes
		{ // two actions of a transaction may be about one item
			"      - {update: Silo, set: {lastAt: $lastAt}, condition: absent(lastAt) or lastAt < $lastAt, refusal: older}\n    atomic: false",
			"      - {create: Reading, value: $other}", "",
		},
		{"max: 5_000", "max: 5_000_000", "{siloId; at} and packed by at:minutes5#depth"}, // more would not fit into a longer one
	} {
		text, err := os.ReadFile("testdata/strategies/packed-lists.yaml")
		if err != nil {
			t.Fatal(err)
		}
		text = bytes.Replace(text, []byte(c.old), []byte(c.new), 1)
		if strings.Contains(c.new, "keptUntil") {
			text = bytes.Replace(text, []byte("      celsius:"), []byte("      keptUntil: timestamp\n      celsius:"), 1)
		}
		r, _, found := model.ReadRequirements("r.yaml", text)
		if r == nil {
			t.Fatal(found)
		}
		f := study(r)
		ds, err := f.demands()
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if all := packs(f, r.Entity("Reading"), ds); len(all) > 0 {
			got = all[0].name
		}
		if got != c.want {
			t.Errorf("%s instead of %s: %q, not %q", c.new, c.old, got, c.want)
		}
	}
}
