package cost_test

import (
	"math"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/cost"
)

// TestBundled: the consumer of a stream adds up what comes for one number in half of the time that it may be late, in each of at least
// four shards, and what one call changes of one number in any case.
func TestBundled(t *testing.T) {
	const (
		add    = "add: {write: {create: Book}, rate: {average: 1/s, peak: 10/s}}"
		put    = "add: {steps: {a: {put: Book, if: absent}}}"
		move   = "move: {write: {update: Book, key: [bookId], set: [shelfId]}, rate: {average: 1/s, peak: 1/s}}"
		moving = "move: {steps: {a: {update: Book, key: [bookId], set: [shelfId], if: present}}}"
	)
	// of is how many writes stand for each of so many changes that come in the time, by shards.
	of := func(changes, shards float64) float64 { return (1 - math.Exp(-changes/shards)) / (changes / shards) }
	for _, x := range []struct {
		name              string
		write, rate, skew string
		late              string
		writes, hottest   float64 // for a call; those on the hottest shelf in a second
	}{
		{"to one shelf", "{create: Book}", "{average: 40/s, peak: 40/s}", ", skew: {calls: hottest 100%, of: shelfId}", "20s", of(400, 4), 400 * of(400, 4) / 10},
		{"in half of the time", "{create: Book}", "{average: 40/s, peak: 40/s}", ", skew: {calls: hottest 100%, of: shelfId}", "40s", of(800, 4), 800 * of(800, 4) / 20},
		{"no more than 300 seconds", "{create: Book}", "{average: 1/s, peak: 1/s}", ", skew: {calls: hottest 100%, of: shelfId}", "2h", of(300, 4), 300 * of(300, 4) / 300},
		{"a thousand changes at a time", "{create: Book}", "{average: 1/s, peak: 1_600/s}", ", skew: {calls: hottest 100%, of: shelfId}", "20s", of(10, 4), 1.6},
		{"a crate of books for any shelves", "{create: Book, each: $books}", "{average: 0.0001/s, peak: 0.0001/s}", "", "20s", 20, 0},
		{"a crate of books for one shelf", "{create: Book, each: $books}", "{average: 0.0001/s, peak: 0.0001/s}", "", "20s", 4 * (1 - math.Pow(0.75, 20)), 0},
		{"a crate whose call names the shelf", "", "{average: 0.0001/s, peak: 0.0001/s}", "", "20s", 20 + 4*(1-math.Pow(0.75, 20)), 0},
	} {
		t.Run(x.name, func(t *testing.T) {
			requirements, model, name := shelfRequirements, shelfModel, "add"
			for _, other := range []string{"recount", "tear", "pulp"} {
				requirements, model = without(requirements, "  "+other+":"), without(model, "  "+other+":")
			}
			pattern := "add: {write: " + x.write + ", rate: " + x.rate + x.skew + "}"
			if strings.Contains(x.write, "each") {
				same := ""
				if strings.HasSuffix(x.name, "for one shelf") {
					same = ", same: [shelfId]"
				}
				pattern = "add: {write: " + x.write + ", atomic: false, parameters: {books: {length: {average: 20, max: 20}" + same + "}}, rate: " + x.rate + "}"
				model = strings.Replace(model, put, "add: {steps: {a: {put: Book, each: $books, value: $each}}}", 1)
			}
			if x.write == "" {
				name, pattern = "move", "add: {write: {create: Book}, rate: "+x.rate+"}"
				requirements = strings.Replace(requirements, move, "move: {write: {update: Book, key: {bookId: $each}, each: $books, set: {shelfId: $shelfId}}, atomic: false, parameters: {books: {length: {average: 20, max: 20}}}, rate: "+x.rate+"}", 1)
				model = strings.Replace(model, moving, "move: {steps: {a: {update: Book, each: $books, key: {bookId: $each}, set: {shelfId: $shelfId}, if: present}}}", 1)
			} else {
				requirements, model = without(requirements, "  move:"), without(model, "  move:")
			}
			requirements = strings.ReplaceAll(strings.Replace(requirements, add, pattern, 1), "within: 5s", "within: "+x.late)
			r := cost.Price(compileText(t, requirements, strings.ReplaceAll(model, "within: 5s", "within: "+x.late)), nil)
			near(t, "writes", r.Pattern(name).Kept["Counts"], x.writes, 0.01)
			for _, l := range r.Loads {
				if l.Place == "Counts" && l.Item && x.hottest > 0 {
					near(t, "writes a second on the hottest", l.Write, x.hottest, 0.01)
				}
			}
		})
	}
}

// without is a document without the lines that begin with something.
func without(document, begin string) string {
	lines := strings.SplitAfter(document, "\n")
	kept := lines[:0]
	for _, l := range lines {
		if !strings.HasPrefix(l, begin) {
			kept = append(kept, l)
		}
	}
	return strings.Join(kept, "")
}
