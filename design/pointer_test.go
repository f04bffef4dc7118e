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

// pointerSeeds is for `go test ./design -run RandomPointers -pointers=100`.
var pointerSeeds = flag.Uint64("pointers", 3, "prove so many applications made by chance whose designs find an entity through a pointer")

// randomPointer is a small application that lists crates strongly by what is no identity of theirs. What is unique,
// counted, required, ended with them and changed besides is chance.
func randomPointer(seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 11))
	var b strings.Builder
	maybe := func(format string, args ...any) bool {
		if r.IntN(2) == 0 {
			return false
		}
		fmt.Fprintf(&b, format, args...)
		return true
	}
	id := []string{"{type: string, generated: ulid}", "{type: string, bytes: 9}"}[r.IntN(2)]
	fmt.Fprintf(&b, `tablewright: 1
application: crates
entities:
  Dock:
    identity: [dockId]
    attributes:
      dockId: {type: string, bytes: 6}
`)
	counted := maybe("      piled: {derived: count(crates)}\n")
	fmt.Fprintf(&b, `      name: {type: string, bytes: 20}
    count: 40
  Crate:
    identity: [crateId]
    attributes:
      crateId: %s
      dockId: {references: Dock, inverse: crates, per-parent: {average: 300, max: 900}}
      day: {type: date, distinct: 30}
      seal: {type: string, bytes: 7}
      state: {states: [landed, opened, emptied], share: {landed: 10%%, opened: 5%%}}
      opener: {type: string, bytes: 8, optional: true, share: 50%%}
      landedAt: {type: timestamp, generated: now}
`, id)
	unique := maybe("    unique: [seal]\n")
	maybe("    retention: 60 days\n")
	fmt.Fprintf(&b, "    count: 12_000\n")
	marks := maybe(`  Mark:
    identity: [crateId, mark]
    attributes:
      crateId: {parent: Crate, inverse: marks, per-parent: {average: 1, max: 9}}
      mark: {type: string, bytes: 6}
`)
	patterns := func(format string, args ...any) { fmt.Fprintf(&b, "  "+format+"\n", args...) }
	fmt.Fprintf(&b, "patterns:\n")
	patterns("openDock: {write: {create: Dock}, rate: {average: 0.001/s, peak: 1/s}}")
	patterns("dock: {read: Dock, given: [dockId], rate: {average: 1/s, peak: 5/s}}")
	patterns("land: {write: {create: Crate, requires: [dock]}, rate: {average: 0.1/s, peak: 1/s}}")
	patterns("ofDay: {read: Crate, given: [dockId, day], consistency: strong, results: {average: 10, max: 60}, rate: {average: 2/s, peak: 9/s}}")
	maybe("  landedOfDay: {read: Crate, given: [dockId, day], where: state = landed, order: landedAt, consistency: strong, results: {average: 1, max: 20}, rate: {average: 2/s, peak: 9/s}}\n")
	patterns("crate: {read: Crate, given: [crateId], consistency: %s, rate: {average: 1/s, peak: 5/s}}", []string{"eventual", "strong"}[r.IntN(2)])
	patterns("open: {write: {update: Crate, set: {state: opened, opener: $opener}%s}, rate: {average: 0.1/s, peak: 1/s}}",
		[]string{"", ", condition: absent(opener), refusal: somebody-does"}[r.IntN(2)])
	maybe("  empty: {write: {update: Crate, set: {state: emptied}, remove: [opener]}, rate: {average: 0.1/s, peak: 1/s}}\n")
	maybe("  rename: {write: {update: Dock, set: [name]}, rate: {average: 0.01/s, peak: 1/s}}\n")
	if unique {
		patterns("bySeal: {read: Crate, given: [seal], consistency: strong, rate: {average: 1/s, peak: 3/s}}")
		maybe("  reseal: {write: {update: Crate, set: [seal]}, rate: {average: 0.01/s, peak: 1/s}}\n")
	}
	switch {
	case marks:
		patterns("mark: {write: {create: Mark, requires: [crate]}, rate: {average: 0.1/s, peak: 1/s}}")
		patterns("marks: {read: Mark, given: [crateId], rate: {average: 0.1/s, peak: 1/s}}")
	case counted || r.IntN(2) == 0:
		patterns("drop: {write: {delete: Crate%s}, rate: {average: 0.01/s, peak: 1/s}}", []string{"", ", condition: state = emptied, refusal: in-use"}[r.IntN(2)])
	}
	return b.String()
}

// TestRandomPointers designs and proves applications made by chance, most of which need a pointer.
func TestRandomPointers(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	pointed := 0
	for seed := range *pointerSeeds {
		text := randomPointer(seed)
		r := parse(t, text)
		d := designed(t, r)
		if slices.ContainsFunc(d.Model.Decisions, func(x plan.Decision) bool { return x.Rule == "pointer" && x.About == "Crate" }) {
			pointed++
		}
		if !t.Run(fmt.Sprint(seed), func(t *testing.T) { proven(t, compiled(t, r, d)) }) {
			t.Log(text + "\n" + summary(d))
		}
	}
	if 2*pointed < int(*pointerSeeds) {
		t.Errorf("only %d of %d are designed with a pointer", pointed, *pointerSeeds)
	}
	t.Log(pointed, "of", *pointerSeeds)
}

// TestPointerForgotten takes out of a designed model what keeps its pointer, one thing at a time: the compiler finds
// each.
func TestPointerForgotten(t *testing.T) {
	for name, forget := range map[string]func(m *plan.Model){
		"put": func(m *plan.Model) {
			change(m, "takeOrder", func(s *plan.Step) {
				s.Transact = slices.DeleteFunc(s.Transact, func(a plan.Step) bool { return a.Put == "TicketPlace" })
			})
		},
		"absent": func(m *plan.Model) {
			change(m, "takeOrder", func(s *plan.Step) {
				for i := range s.Transact {
					if s.Transact[i].Put == "TicketPlace" {
						s.Transact[i].If = nil
					}
				}
			})
		},
		"delete": func(m *plan.Model) {
			change(m, "dropTicket", func(s *plan.Step) {
				s.Transact = slices.DeleteFunc(s.Transact, func(a plan.Step) bool { return a.Delete == "TicketPlace" })
			})
		},
		"stores": func(m *plan.Model) {
			stored(m, func(it *plan.Item) { it.Stores = it.Stores[:1] })
		},
		"what changes": func(m *plan.Model) {
			stored(m, func(it *plan.Item) { it.Stores = append(it.Stores, "state") })
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := load(t, "testdata/strategies/pointer.yaml")
			d := designed(t, r)
			if _, problems := plan.Compile(d.Model, r); slices.ContainsFunc(problems, func(p plan.Problem) bool { return p.Severity == plan.Error }) {
				t.Fatal(problems)
			}
			forget(d.Model)
			_, problems := plan.Compile(d.Model, r)
			if !slices.ContainsFunc(problems, func(p plan.Problem) bool {
				return p.Severity == plan.Error && strings.Contains(p.String(), "TicketPlace")
			}) {
				t.Error("it is not missed:", problems)
			}
		})
	}
}

// TestPointerAsked breaks what asks a pointer before the write whether there is what the write requires, one thing at
// a time: the compiler finds each.
func TestPointerAsked(t *testing.T) {
	for name, c := range map[string]struct {
		pattern string
		spoil   func(s *plan.Step)
	}{
		"nothing waits":     {"reportLamp", func(s *plan.Step) { s.Needs = nil }},
		"not what is there": {"reportLamp", func(s *plan.Step) { s.Consistent = false }},
		"not by the way": {"join", func(s *plan.Step) {
			if s.Get == "LampPlace" {
				s.Key = map[string]string{"lampId": "$cable.fromId"}
			}
		}},
		"what may be deleted": {"reportHydrant", func(s *plan.Step) {
			if s.Transact != nil {
				s.Transact, s.Needs = s.Transact[:1], []string{"asked"}
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			r := load(t, "testdata/strategies/pointer-asked.yaml")
			d := designed(t, r)
			compiled(t, r, d)
			change(d.Model, c.pattern, c.spoil)
			for _, p := range d.Model.Plans {
				if p.Name == "reportHydrant" && c.pattern == p.Name {
					key := map[string]string{"hydrantId": "$hydrantFault.hydrantId"}
					p.Steps["asked"] = plan.Step{Get: "HydrantPlace", Key: key, Consistent: true}
				}
			}
			_, problems := plan.Compile(d.Model, r)
			if !slices.ContainsFunc(problems, func(p plan.Problem) bool {
				return p.Severity == plan.Error && strings.Contains(p.String(), "its plan does not ask")
			}) {
				t.Error("it is not missed:", problems)
			}
		})
	}
}

// change changes the steps of a plan.
func change(m *plan.Model, pattern string, f func(*plan.Step)) {
	for _, p := range m.Plans {
		if p.Name == pattern {
			for name, s := range p.Steps {
				f(&s)
				p.Steps[name] = s
			}
		}
	}
}

// stored changes the pointer of the model.
func stored(m *plan.Model, f func(*plan.Item)) {
	for _, t := range m.Tables {
		if it, ok := t.Items["TicketPlace"]; ok {
			f(&it)
			t.Items["TicketPlace"] = it
		}
	}
}

// TestUnpointed: what keeps an entity from lying under the key of a strong list is said, with what to state instead.
func TestUnpointed(t *testing.T) {
	text := func(id, list, writes string) string {
		return `tablewright: 1
application: lockers
entities:
  Locker:
    identity: [lockerId]
    attributes:
      lockerId: ` + id + `
      hallId: {type: string, bytes: 6, distinct: 20}
      holder: {type: string, bytes: 8, distinct: 900}
      size: {type: number, digits: 2}
    count: 1_000
patterns:
  locker: {read: Locker, given: [lockerId], rate: {average: 1/s, peak: 2/s}}
  some: {read: Locker, given: [` + list + `], consistency: strong, results: {average: 20, max: 90}, rate: {average: 1/s, peak: 2/s}}
` + writes
	}
	const ulid, own = "{type: string, generated: ulid}", "{type: string, bytes: 9}"
	for _, c := range []struct{ id, list, writes, why string }{
		{own, "hallId", "  set: {write: {create: Locker, each: $lockers, value: $each}, parameters: {lockers: {length: {average: 200, max: 400}}}, atomic: false, rate: {average: 1/s, peak: 2/s}}\n", "let it be generated"},
		{ulid, "holder", "  set: {write: {create: Locker}, rate: {average: 1/s, peak: 2/s}}\n  give: {write: {update: Locker, each: $lockers, key: {lockerId: $each.lockerId}, set: {holder: $each.holder}}, parameters: {lockers: {length: {average: 2, max: 5}}}, atomic: false, rate: {average: 1/s, peak: 2/s}}\n", "give need not write all at once"},
	} {
		_, err := design.Design(t.Context(), parse(t, text(c.id, c.list, c.writes)), design.Options{})
		if err == nil || !strings.Contains(err.Error(), c.why) {
			t.Errorf("%q is not said: %v", c.why, err)
		}
	}
	for _, c := range []struct{ id, list, writes string }{
		{own, "hallId", "  set: {write: {upsert: Locker}, rate: {average: 1/s, peak: 2/s}}\n"},
		{ulid, "holder", "  set: {write: {create: Locker}, rate: {average: 1/s, peak: 2/s}}\n  give: {write: {update: Locker, set: [holder]}, rate: {average: 1/s, peak: 2/s}}\n"},
		{ulid, "holder", "  set: {write: {create: Locker}, rate: {average: 1/s, peak: 2/s}}\n  give: {write: {update: Locker, set: [holder]}, atomic: false, rate: {average: 1/s, peak: 2/s}}\n"},
	} { // which a list of markers follows
		r := parse(t, text(c.id, c.list, c.writes))
		proven(t, compiled(t, r, designed(t, r)))
	}
	for _, writes := range []string{
		"  set: {write: {create: Locker}, rate: {average: 1/s, peak: 2/s}}\n  end: {write: {delete: Locker}, rate: {average: 1/s, peak: 2/s}}\n",
		"  set: {write: {create: Locker, each: $lockers, value: $each}, parameters: {lockers: {length: {average: 200, max: 400}}}, atomic: false, rate: {average: 1/s, peak: 2/s}}\n" +
			"  end: {write: {delete: Locker}, atomic: false, rate: {average: 1/s, peak: 2/s}}\n",
	} {
		r := parse(t, text(ulid, "hallId", writes))
		proven(t, compiled(t, r, designed(t, r)))
	}
}

// TestThereBeforeUnique: a create of what is there already, with the same unique value, is refused as there: the
// pointer stands before the marker.
func TestThereBeforeUnique(t *testing.T) {
	r := parse(t, `
tablewright: 1
application: teams
entities:
  Team:
    identity: [teamId]
    attributes:
      teamId: {type: string, bytes: 8}
      dueOn: date
      street: {type: string, bytes: 20}
    unique: [street]
    bytes: 90
    count: 1_000_000
patterns:
  found: {write: {create: Team}, rate: {average: 1/s, peak: 2/s}}
  due: {read: Team, given: [dueOn], results: {average: 550, max: 2_000}, page: 20, consistency: strong, rate: {average: 1/s, peak: 2/s}}
`)
	d := designed(t, r)
	var puts []string
	for _, p := range d.Model.Plans {
		for _, s := range p.Steps["write"].Transact {
			puts = append(puts, s.Put)
		}
	}
	if place, street := slices.Index(puts, "TeamPlace"), slices.Index(puts, "TeamStreet"); place < 0 || street < place {
		t.Errorf("found puts %v", puts)
	}
	proven(t, compiled(t, r, d))
}
