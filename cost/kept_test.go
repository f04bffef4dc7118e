package cost_test

import (
	"math"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/cost"
)

const shelfRequirements = `
tablewright: 1
application: shelves
entities:
  Shelf:
    identity: [shelfId]
    attributes:
      shelfId: {type: string, bytes: 8}
      books: {derived: count(held), within: 5s}
      torn: {derived: count(held where state = torn), within: 5s}
      pages: {derived: sum(held.pages), within: 5s}
    count: 1_000
  Book:
    identity: [bookId]
    attributes:
      bookId: {type: string, generated: ulid}
      shelfId: {references: Shelf, inverse: held, per-parent: {average: 40, max: 90}}
      pages: {type: number, digits: 4}
      state: {states: [good, torn], share: {torn: 10%}}
    bytes: 200
    count: 40_000
patterns:
  addShelf: {write: {create: Shelf}, rate: {average: 1/s, peak: 1/s}}
  getShelf: {read: Shelf, given: [shelfId], rate: {average: 1/s, peak: 1/s}}
  add: {write: {create: Book}, rate: {average: 1/s, peak: 10/s}}
  move: {write: {update: Book, key: [bookId], set: [shelfId]}, rate: {average: 1/s, peak: 1/s}}
  recount: {write: {update: Book, key: [bookId], set: [pages]}, rate: {average: 1/s, peak: 1/s}}
  tear: {write: {update: Book, key: [bookId], set: {state: torn}, condition: state = good}, rate: {average: 1/s, peak: 1/s}}
  pulp: {write: {delete: Book, condition: state = torn}, rate: {average: 1/s, peak: 1/s}}
`

const shelfModel = `
tablewright: 1
application: shelves
tables:
  Shelves: {attributes: {shelfId: S}, key: {partition: shelfId}, items: {Shelf: {}}}
  Books: {attributes: {bookId: S}, key: {partition: bookId}, stream: new-and-old, items: {Book: {}}}
  Counts: {attributes: {shelfId: S}, key: {partition: shelfId}, items: {Count: {key: {shelfId: "{shelfId}"}, holds: {aggregate: Shelf.books}, kept: {by: stream, within: 5s}}}}
  Torn: {attributes: {shelfId: S}, key: {partition: shelfId}, items: {TornCount: {key: {shelfId: "{shelfId}"}, holds: {aggregate: Shelf.torn}, kept: {by: stream, within: 5s}}}}
  Pages: {attributes: {shelfId: S}, key: {partition: shelfId}, items: {PageCount: {key: {shelfId: "{shelfId}"}, holds: {aggregate: Shelf.pages}, kept: {by: stream, within: 5s}}}}
plans:
  addShelf: {steps: {a: {put: Shelf, if: absent}}}
  getShelf: {steps: {s: {get: Shelf, key: [shelfId]}, n: {get: Count, key: [shelfId]}, t: {get: TornCount, key: [shelfId]}, p: {get: PageCount, key: [shelfId]}}, answer: {from: [s, n, t, p]}}
  add: {steps: {a: {put: Book, if: absent}}}
  move: {steps: {a: {update: Book, key: [bookId], set: [shelfId], if: present}}}
  recount: {steps: {a: {update: Book, key: [bookId], set: [pages], if: present}}}
  tear: {steps: {a: {update: Book, key: [bookId], set: {state: torn}, if: [present, state in before(torn), state = good]}}}
  pulp: {steps: {a: {delete: Book, key: [bookId], if: [present, state = torn]}}}
`

// fewMeet is how many of the changes of 1,000 shelves the consumer adds up, at a few in a second.
const fewMeet = 0.004

// TestKept counts what the consumer of a stream writes for each call: one item for each child that comes, goes or
// changes what is summed, two for one that moves, and of some children only those that count.
func TestKept(t *testing.T) {
	r := cost.Price(compileText(t, shelfRequirements, shelfModel), nil)
	for _, x := range []struct {
		pattern             string
		counts, torn, pages float64
	}{
		{"addShelf", 0, 0, 0}, {"add", 1, 0, 1}, {"move", 2, 0.2, 2}, {"recount", 0, 0, 1}, {"tear", 0, 1, 0}, {"pulp", 1, 1, 1},
	} {
		p := r.Pattern(x.pattern)
		near(t, x.pattern+" counts", p.Kept["Counts"], x.counts, fewMeet)
		near(t, x.pattern+" torn", p.Kept["Torn"], x.torn, fewMeet)
		near(t, x.pattern+" pages", p.Kept["Pages"], x.pages, fewMeet)
	}
	near(t, "writes of Counts a second", r.Place("Counts").Write, 1+2+1, fewMeet)
	for _, l := range r.Loads {
		if l.Place == "Counts" && l.Item && l.Write > 0 {
			return
		}
	}
	t.Error("what the consumer writes is on no key at peak")
}

// TestKeptTogether: the numbers of one item that change together are one write. The number of some children changes
// with that of all, or by itself, when a child becomes one that counts.
func TestKeptTogether(t *testing.T) {
	model := shelfModel
	for _, table := range []string{"Counts", "Torn", "Pages"} {
		model = without(model, "  "+table+":")
	}
	const kept = "kept: {by: stream, within: 5s}"
	model = strings.Replace(model, "{Shelf: {}}", "{Shelf: {copies: {books: {from: books, "+kept+"}, torn: {from: torn, "+kept+"}, pages: {from: pages, "+kept+"}}}}", 1)
	model = strings.Replace(model, "{s: {get: Shelf, key: [shelfId]}, n: {get: Count, key: [shelfId]}, t: {get: TornCount, key: [shelfId]}, p: {get: PageCount, key: [shelfId]}}, answer: {from: [s, n, t, p]}",
		"{s: {get: Shelf, key: [shelfId]}}, answer: {from: s}", 1)
	r := cost.Price(compileText(t, shelfRequirements, model), nil)
	for pattern, want := range map[string]float64{"addShelf": 0, "add": 1, "move": 2, "recount": 1, "tear": 1, "pulp": 1} {
		near(t, pattern, r.Pattern(pattern).Kept["Shelves"], want, fewMeet)
	}
}

// TestCopiesChangeAsOften: what keeps copies writes an index only as often as what they are copies of changes, and none
// that holds something else of it.
func TestCopiesChangeAsOften(t *testing.T) {
	r := cost.Price(compileText(t, `
tablewright: 1
application: flags
entities:
  Flag:
    identity: [flagId]
    attributes:
      flagId: {type: string, bytes: 8}
      title: {type: string, bytes: 20}
      kind: {enum: [a, b], share: {a: 50%}}
    bytes: 100
    count: 1_000
  Setting:
    identity: [flagId, settingId]
    attributes:
      flagId: {parent: Flag, inverse: settings, per-parent: 3}
      settingId: {type: string, bytes: 8}
      place: {type: string, bytes: 8}
    bytes: 100
    count: 3_000
patterns:
  addFlag: {write: {create: Flag}, rate: {average: 1/s, peak: 1/s}}
  addSetting: {write: {create: Setting, requires: [flag]}, rate: {average: 1/s, peak: 1/s}}
  edit: {write: {update: Flag, set: [title, kind]}, rate: {average: 1/s, peak: 1/s}}
`, `
tablewright: 1
application: flags
tables:
  Flags: {attributes: {flagId: S}, key: {partition: flagId}, items: {Flag: {stamp: stamp}}}
  Settings:
    attributes: {settingId: S, flagId: S, place: S}
    key: {partition: flagId, sort: settingId}
    gsi:
      Kinds: {partition: place, project: {include: [kind]}}
      Titles: {partition: place, project: {include: [title]}}
      Places: {partition: place, project: keys}
    items: {Setting: {copies: {kind: {from: flag.kind, kept: {by: [edit]}}, title: {from: flag.title, kept: {by: [edit]}}}}}
plans:
  addFlag: {steps: {a: {put: Flag, if: absent}}}
  addSetting:
    steps:
      f: {get: Flag, key: {flagId: $setting.flagId}, consistent: true}
      a: {transact: [{put: Setting, value: $setting, with: {flag.kind: $f.kind, flag.title: $f.title}, if: absent}, {update: Flag, key: {flagId: $setting.flagId}, stamp: true, if: [present, kind = $f.kind, title = $f.title]}]}
  edit:
    steps:
      flag: {get: Flag, key: [flagId], consistent: true}
      found: {query: Settings, items: [Setting], where: [flagId], consistent: true, after: [flag]}
      w: {transact: [{update: Flag, key: [flagId], set: [title, kind], if: present, still: $flag}, {update: Setting, each: $found, key: [flagId, settingId], set: [flag.kind, flag.title], if: present}]}
`), nil)
	edit := r.Pattern("edit").Write
	near(t, "the kind, which is as it was in half of the calls", edit["Settings.Kinds"], 3*0.5, 1e-9)
	near(t, "the title, which is another one each time", edit["Settings.Titles"], 3, 1e-9)
	near(t, "an index without either", edit["Settings.Places"], 0, 1e-9)
}

// TestPace: the consumer of a stream spreads what it writes over the time in which it may be late. No more calls come
// in that than in a month.
func TestPace(t *testing.T) {
	for _, x := range []struct {
		rate, within string
		hottest      float64 // writes a second on the counts of one shelf, of 1,000
	}{
		{"{average: 4/month, peak: 10/s}", "1h", 4.0 / 3600},
		{"{average: 4/month, peak: 10/s}", "5s", 4.0 / 5},
		{"{average: 2/s, peak: 10/s}", "1h", 10},
	} {
		requirements := strings.ReplaceAll(shelfRequirements, "add: {write: {create: Book}, rate: {average: 1/s, peak: 10/s}}", "add: {write: {create: Book}, rate: "+x.rate+"}")
		requirements = strings.ReplaceAll(requirements, "within: 5s", "within: "+x.within)
		r := cost.Price(compileText(t, requirements, strings.ReplaceAll(shelfModel, "within: 5s", "within: "+x.within)), nil)
		found := false
		for _, l := range r.Loads {
			if l.Place != "Pages" || !l.Item {
				continue
			}
			for _, part := range l.Parts {
				if part.Pattern == "add" {
					found = true
					near(t, x.rate+" within "+x.within, part.Rate, x.hottest, 1e-9)
				}
			}
		}
		if !found {
			t.Errorf("%s within %s: nothing is on the counts", x.rate, x.within)
		}
		peak := r.Place("Pages").PeakWrite
		most := x.hottest + pagesBeside // and fewer the more changes of one shelf come within the lag
		if peak > most || peak < 0.75*most || x.within == "5s" && peak < 0.99*most {
			t.Errorf("all that is written at peak, %s within %s: got %v, want at most %v", x.rate, x.within, peak, most)
		}
	}
}

// pagesBeside is what the other patterns write to the pages of shelves at their peaks: two for a book that moves, one
// for one that is recounted, one for one that goes.
const pagesBeside = 2 + 1 + 1

// TestKeptOfWhatComesAndGoes: a child that belongs to a parent only in some states, and comes there and leaves with
// them, is one change when it comes and one when it leaves, and none when it is created. Of a foreign key that is there
// now and then nothing is known but how often.
func TestKeptOfWhatComesAndGoes(t *testing.T) {
	const requirements = `
tablewright: 1
application: tools
entities:
  Crew:
    identity: [crewId]
    attributes:
      crewId: {type: string, bytes: 8}
      tools: {derived: count(lent), within: 5s}
    count: 1_000_000
  Tool:
    identity: [toolId]
    attributes:
      toolId: {type: string, generated: ulid}
      crewId: {references: Crew, inverse: lent, optional: true, share: 60%, per-parent: {average: 0.6, max: 90}}
      state: {states: {in: [out], out: [in, lost], lost: [in]}, share: {out: STATED, lost: 2%}}
    bytes: 200
    count: 1_000_000
patterns:
  addCrew: {write: {create: Crew}, rate: {average: 0.01/s, peak: 1/s}}
  getCrew: {read: Crew, given: [crewId], rate: {average: 1/s, peak: 1/s}}
  add: {write: {create: Tool}, rate: {average: 0.01/s, peak: 1/s}}
  lend: {write: {update: Tool, key: {toolId: $each}, each: $tools, set: {state: out, crewId: $crewId}, condition: state = in}, atomic: false, parameters: {tools: {length: {average: 20, max: 20}}}, rate: {average: 0.0001/s, peak: 0.001/s}}
  back: {write: {update: Tool, key: {toolId: $each}, each: $tools, set: {state: in}, remove: [crewId], condition: "state in (out, lost)"}, atomic: false, parameters: {tools: {length: {average: 20, max: 20}}}, rate: {average: 0.0001/s, peak: 0.001/s}}
  lose: {write: {update: Tool, set: {state: lost}, condition: state = out}, rate: {average: 0.0001/s, peak: 1/s}}
`
	const model = `
tablewright: 1
application: tools
tables:
  Crews: {attributes: {crewId: S}, key: {partition: crewId}, items: {Crew: {}}}
  Tools: {attributes: {toolId: S}, key: {partition: toolId}, stream: new-and-old, items: {Tool: {}}}
  Counts: {attributes: {crewId: S}, key: {partition: crewId}, items: {Count: {key: {crewId: "{crewId}"}, holds: {aggregate: Crew.tools}, kept: {by: stream, within: 5s}}}}
plans:
  addCrew: {steps: {a: {put: Crew, if: absent}}}
  getCrew: {steps: {c: {get: Crew, key: [crewId]}, n: {get: Count, key: [crewId]}}, answer: {from: [c, n]}}
  add: {steps: {a: {put: Tool, if: absent}}}
  lend: {steps: {a: {update: Tool, each: $tools, key: {toolId: $each}, set: {state: "'out'", crewId: $crewId}, if: [present, state in before('out'), state = 'in']}}}
  back: {steps: {a: {update: Tool, each: $tools, key: {toolId: $each}, set: {state: "'in'"}, remove: [crewId], if: [present, state in before('in'), "state in ('out', 'lost')"]}}}
  lose: {steps: {a: {update: Tool, key: [toolId], set: {state: "'lost'"}, if: [present, state in before('lost'), state = 'out']}}}
`
	one := 4 * (1 - math.Pow(0.75, 20)) // of one crew, in each of the shards that have some of the twenty
	for _, x := range []struct {
		name, out       string
		add, lend, back float64
	}{
		{"as many are lent as belong to a crew", "58%", 0, one, 20},
		{"others belong to one as well", "20%", 0.6, 0.6*20 + one, 20},
	} {
		t.Run(x.name, func(t *testing.T) {
			r := cost.Price(compileText(t, strings.Replace(requirements, "STATED", x.out, 1), model), nil)
			for pattern, want := range map[string]float64{"add": x.add, "lend": x.lend, "back": x.back, "lose": 0} {
				if got := r.Pattern(pattern).Kept["Counts"]; math.Abs(got-want) > 0.02*want {
					t.Errorf("%s: the consumer writes %.3f numbers for a call, want %.3f", pattern, got, want)
				}
			}
		})
	}
}
