package design_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/design"
	"github.com/tablewright/tablewright/internal/norace"
	"github.com/tablewright/tablewright/plan"
)

// listSeeds is for `go test ./design -run RandomLists -lists=100`.
var listSeeds = flag.Uint64("lists", 6, "prove so many applications made by chance whose designs keep a list in transactions")

// randomList is a small application that lists tools strongly by who has them, which changes. What is listed, ordered,
// counted, unique, required and changed besides is chance.
func randomList(seed uint64) string {
	r := rand.New(rand.NewPCG(seed+6, 23))
	var b strings.Builder
	maybe := func(format string, args ...any) bool {
		if r.IntN(2) == 0 {
			return false
		}
		fmt.Fprintf(&b, format, args...)
		return true
	}
	one := func(texts ...string) string { return texts[r.IntN(len(texts))] }
	fmt.Fprintf(&b, `tablewright: 1
application: tools
entities:
  Worker:
    identity: [workerId]
    attributes:
      workerId: {type: string, bytes: 6}
      name: {type: string, bytes: 20}
`)
	optional := r.IntN(2) == 0
	if !optional {
		maybe("      held: {derived: count(tools)}\n")
	}
	holder := "holder: {references: Worker, as: holderOf, inverse: tools, per-parent: {average: 8, max: 40}}"
	if optional {
		holder = "holder: {references: Worker, as: holderOf, inverse: tools, optional: true, share: 60%, per-parent: {average: 8, max: 40}}"
	}
	fmt.Fprintf(&b, `    count: 1_500
  Tool:
    identity: [toolId]
    attributes:
      toolId: %s
      %s
      shelf: {type: string, bytes: 5, distinct: 400}
      size: {type: number, digits: 4, min: 0}
      label: {type: string, bytes: 24, optional: true, share: 70%%}
      serial: {type: string, bytes: 9}
      state: {states: {fine: [worn], worn: [fine, broken], broken: []}, share: {worn: 20%%, broken: 5%%}}
      madeAt: {type: timestamp, generated: now}
`, one("{type: string, generated: ulid}", "{type: string, bytes: 9}"), holder)
	maybe("      revision: {type: number, generated: version}\n")
	unique := maybe("    unique: [serial]\n")
	fmt.Fprintf(&b, "    bytes: %s\n    count: %d\n", one("300", "1_500"), map[bool]int{false: 12_000, true: 20_000}[optional])
	patterns := func(format string, args ...any) { fmt.Fprintf(&b, "  "+format+"\n", args...) }
	fmt.Fprintf(&b, "patterns:\n")
	patterns("hire: {write: {create: Worker}, rate: {average: 0.001/s, peak: 1/s}}")
	patterns("worker: {read: Worker, given: [workerId], rate: {average: 1/s, peak: 5/s}}")
	patterns("tool: {read: Tool, given: [toolId], rate: {average: 1/s, peak: 5/s}}")
	patterns("buy: {write: {create: Tool}, rate: {average: 0.1/s, peak: 1/s}}")
	where := one("", ", where: \"state in (fine, worn)\"", ", where: state = worn", ", where: size >= 20")
	order := one("", ", order: size", ", order: madeAt descending", ", order: [size descending, toolId]")
	page := ""
	if order != "" && order != ", order: [size descending, toolId]" && r.IntN(2) == 0 {
		page = ", page: 5"
	}
	patterns("held: {read: Tool, given: [holder]%s%s%s, consistency: strong, results: {average: 6, max: 36}, rate: {average: %s, peak: 9/s}}", where, order, page, one("2/s", "0.01/s"))
	maybe("  onShelf: {read: Tool, given: [shelf], returns: [label, size], consistency: strong, results: {average: 50, max: 120}, rate: {average: 0.1/s, peak: 1/s}}\n  move: {write: {update: Tool, set: [shelf]}, rate: {average: 0.1/s, peak: 2/s}}\n")
	patterns("give: {write: {update: Tool, set: [holder]%s}, rate: {average: 0.1/s, peak: 1/s}}", one("", ", requires: [holderOf]", ", condition: state = fine, refusal: unfit"))
	if optional {
		maybe("  takeBack: {write: {update: Tool, remove: [holder]}, rate: {average: 0.1/s, peak: 1/s}}\n")
		maybe("  discard: {write: {update: Tool, set: {state: broken}, remove: [holder, label]}, rate: {average: 0.01/s, peak: 1/s}}\n")
	}
	patterns("wear: {write: {update: Tool, set: {state: worn}}, rate: {average: 0.05/s, peak: 1/s}}")
	maybe("  mend: {write: {update: Tool, set: {state: fine}}, rate: {average: 0.05/s, peak: 1/s}}\n")
	maybe("  measure: {write: {update: Tool, set: {size: $size}, remove: [label]}, rate: {average: 0.05/s, peak: 1/s}}\n")
	maybe("  grow: {write: {update: Tool, set: {size: size + 1}}, rate: {average: 0.05/s, peak: 1/s}}\n")
	if unique {
		maybe("  engrave: {write: {update: Tool, set: [serial]}, rate: {average: 0.01/s, peak: 1/s}}\n")
	}
	maybe("  put: {write: {upsert: Tool}, rate: {average: 0.01/s, peak: 1/s}}\n")
	atomic := ""
	if seed%3 == 0 {
		atomic = "atomic: false, "
	}
	maybe("  drop: {write: {delete: Tool%s}, %srate: {average: 0.01/s, peak: 1/s}}\n", one("", ", condition: state = broken, refusal: in-use"), atomic)
	if r.IntN(2) == 0 { // the markers may lie with the worker
		patterns("kit: {read: Worker, given: [workerId], with: [tools], consistency: strong, " +
			"rate: {average: 5/s, peak: 9/s}}")
	}
	return b.String()
}

// TestRandomLists designs and proves applications made by chance, which need a list of markers.
func TestRandomLists(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	kept := 0
	for seed := range *listSeeds {
		text := randomList(seed)
		r := parse(t, text)
		d, err := design.Design(t.Context(), r, design.Options{})
		if err != nil {
			t.Log(seed, err)
			continue
		}
		if slices.ContainsFunc(d.Model.Decisions, func(x plan.Decision) bool { return x.Rule == "transactional list" && x.About == "Tool" }) {
			kept++
		}
		if !t.Run(fmt.Sprint(seed), func(t *testing.T) { proven(t, compiled(t, r, d)) }) {
			t.Log(text + "\n" + summary(d))
		}
	}
	if 2*kept < int(*listSeeds) {
		t.Errorf("only %d of %d are designed with a list", kept, *listSeeds)
	}
	t.Log(kept, "of", *listSeeds)
}

// TestEnrolledTogether: what is listed only from now on has no marker that would have to go, so that one transaction
// takes as many with their new markers as DynamoDB allows.
func TestEnrolledTogether(t *testing.T) {
	const needs = `
tablewright: 1
application: cases
entities:
  Case: {identity: [caseId], attributes: {caseId: {type: string, bytes: 8}, attached: {type: number, digits: 4}}, bytes: 90, count: 150_000}
  Complaint:
    identity: [complaintId]
    attributes:
      complaintId: {type: string, generated: ulid}
      caseId: {references: Case, optional: true, share: 30%, inverse: complaints, per-parent: {average: 10, max: 400}}
      happenedAt: timestamp
    bytes: 560
    count: 5_000_000
patterns:
  open: {write: {create: Case}, rate: {average: 1/s, peak: 2/s}}
  getCase: {read: Case, given: [caseId], consistency: strong, rate: {average: 1/s, peak: 2/s}}
  complain: {write: {create: Complaint}, rate: {average: 1/s, peak: 2/s}}
  getComplaint: {read: Complaint, given: [complaintId], rate: {average: 1/s, peak: 2/s}}
  listed: {read: Complaint, given: [caseId], order: happenedAt, results: {average: 10, max: 400}, consistency: strong, rate: {average: 1/s, peak: 2/s}}
  attach:
    write:
      - {update: Complaint, each: $complaints, key: {complaintId: $each}, set: {caseId: $caseId}, condition: absent(caseId), refusal: attached}
      - {update: Case, set: {attached: attached + 1}}
    parameters: {complaints: {length: {average: 6, max: 49}}}
    rate: {average: 0.1/s, peak: 1/s}
`
	r := parse(t, needs)
	d := designed(t, r)
	for _, p := range d.Model.Plans {
		for _, s := range p.Steps["write"].Transact {
			if p.Name == "attach" && s.Delete != "" {
				t.Errorf("attach deletes %s, which is not there", s.Delete)
			}
		}
	}
	if _, err := design.Design(t.Context(), parse(t, strings.Replace(needs, "max: 49}", "max: 50}", 1)), design.Options{}); err == nil || !strings.Contains(err.Error(), "up to 101 actions") {
		t.Errorf("101 actions: %v", err)
	}
	proven(t, compiled(t, r, d))
}

// TestNumberLeadsNoMarker: no index is strong, and a marker under a number of children would have to move whenever a
// child comes, by a write that does not know the number. A list by such a number that may lag is served.
func TestNumberLeadsNoMarker(t *testing.T) {
	const needs = `
tablewright: 1
application: shelves
entities:
  Shelf:
    identity: [shelfNo]
    attributes:
      shelfNo: {type: string, bytes: 8}
      bookCount: {derived: count(books)}
    count: 900
  Book:
    identity: [bookNo]
    attributes:
      bookNo: {type: string, bytes: 12}
      shelfNo: {references: Shelf, as: shelf, inverse: books, per-parent: {average: 40, max: 300}}
    count: 36_000
patterns:
  addShelf: {write: {create: Shelf}, rate: {average: 0.001/s, peak: 1/s}}
  addBook: {write: {create: Book, requires: [shelf]}, rate: {average: 0.01/s, peak: 1/s}}
  getBook: {read: Book, given: [bookNo], rate: {average: 1/s, peak: 9/s}}
  withSoMany: {read: Shelf, given: [bookCount], consistency: strong, results: {average: 12, max: 90}, rate: {average: 0.1/s, peak: 1/s}}
`
	_, err := design.Design(t.Context(), parse(t, needs), design.Options{})
	if err == nil || !strings.Contains(err.Error(), "withSoMany: consistency strong (would fit: consistency eventual)") {
		t.Errorf("a strong list by a number of children: %v", err)
	}
	r := parse(t, strings.Replace(needs, "consistency: strong", "consistency: eventual", 1))
	proven(t, compiled(t, r, designed(t, r)))
}
