package cost_test

import (
	"math"
	"testing"

	"github.com/tablewright/tablewright/cost"
)

// TestKeysOfTwo prices queries whose key has a part that alone means somebody else: a shelf is narrower than its library, and
// what a library lends on a day is not all that it ever lent.
func TestKeysOfTwo(t *testing.T) {
	r := cost.Price(compileText(t, `
tablewright: 1
application: libraries
entities:
  Library: {identity: [libraryId], attributes: {libraryId: {type: string, bytes: 8}}, bytes: 100, count: 100}
  Shelf:
    identity: [libraryId, shelfNo]
    attributes:
      libraryId: {references: Library, inverse: shelves, per-parent: {average: 400, max: 400}}
      shelfNo: {type: string, bytes: 8}
    bytes: 100
    count: 40_000
  Loan:
    identity: [loanId]
    attributes:
      loanId: {type: string, generated: ulid}
      libraryId: {references: Library, inverse: loans, per-parent: {average: 8_000, max: 8_000}}
      shelfNo: {references: Shelf, as: shelf, by: [libraryId, shelfNo], inverse: loans, per-parent: {average: 20, max: 20}}
      day: date
      state: {enum: [out, back, lost], share: {out: 1%, lost: 0.1%}}
    bytes: 400
    count: 800_000
patterns:
  addLibrary: {write: {create: Library}, rate: {average: 0.001/s, peak: 1/s}}
  addShelf: {write: {create: Shelf}, rate: {average: 0.001/s, peak: 1/s}}
  lend: {write: {create: Loan}, rate: {average: 0.001/s, peak: 1/s}}
  ofShelf: {read: Loan, given: [libraryId, shelfNo], where: state = 'lost', results: {average: 0.02, max: 20}, rate: {average: 1/s, peak: 1/s}}
  ofShelfInTime: {read: Loan, given: [libraryId, shelfNo], where: day between $from and $to, results: {average: 1, max: 20}, rate: {average: 1/s, peak: 1/s}}
  ofDay: {read: Loan, given: [libraryId, day], results: {average: 50, max: 50}, rate: {average: 1/s, peak: 1/s}}
  lostOfDay: {read: Loan, given: [libraryId, day], where: state = 'lost', results: {average: 40, max: 50}, rate: {average: 1/s, peak: 1/s}}
  playing: {read: Loan, given: [state], results: {average: 800, max: 900}, rate: {average: 1/s, peak: 1/s}}
`, `
tablewright: 1
application: libraries
tables:
  Libraries: {attributes: {libraryId: S}, key: {partition: libraryId}, items: {Library: {holds: Library}}}
  Shelves: {attributes: {libraryId: S, shelfNo: S}, key: {partition: libraryId, sort: shelfNo}, items: {Shelf: {holds: Shelf}}}
  Loans:
    attributes: {loanId: S, shelf: S, day: S, libraryId: S, state: S}
    key: {partition: loanId}
    gsi:
      ByShelf: {partition: shelf, sort: loanId, project: all}
      ByDay: {partition: libraryId, sort: day, project: all}
      ByState: {partition: state, sort: loanId, project: all}
    items: {Loan: {holds: Loan, set: {shelf: "{libraryId}#{shelfNo}"}}}
plans:
  addLibrary: {steps: {w: {put: Library, if: absent}}}
  addShelf: {steps: {w: {put: Shelf, if: absent}}}
  lend: {steps: {w: {put: Loan, if: absent}}}
  ofShelf: {steps: {s: {query: Loans.ByShelf, items: [Loan], where: [libraryId, shelfNo], filter: "state = 'lost'"}}}
  ofShelfInTime:
    steps: {s: {query: Loans.ByShelf, items: [Loan], where: [libraryId, shelfNo]}}
    answer: {keep: day between $from and $to}
  ofDay: {steps: {s: {query: Loans.ByDay, items: [Loan], where: [libraryId, day]}}}
  lostOfDay: {steps: {s: {query: Loans.ByDay, items: [Loan], where: [libraryId, day], filter: "state = 'lost'"}}}
  playing: {steps: {s: {query: Loans.ByState, items: [Loan], where: [state]}}}
`), nil)
	near(t, "a shelf of a library", readOf(t, r, "ofShelf"), 0.5*math.Ceil(20*427/4096.0), 0.5)
	near(t, "the client keeps a few of them", readOf(t, r, "ofShelfInTime"), readOf(t, r, "ofShelf"), 1e-9)
	near(t, "what a library lends on a day", readOf(t, r, "lostOfDay"), readOf(t, r, "ofDay"), 1e-9)
	near(t, "the rare of many states", readOf(t, r, "playing"), 0.5*800*427/4096, 3)
}

// TestFrequentState prices a query that reads a whole state and keeps little of it. It reads the stated share of the
// items.
func TestFrequentState(t *testing.T) {
	r := cost.Price(compileText(t, `
tablewright: 1
application: seeds
entities:
  Lot:
    identity: [lotId]
    attributes:
      lotId: {type: string, generated: ulid}
      state: {states: {stored: [lent, spent], lent: [stored], lost: [], spent: []}, share: {lent: 4%, lost: 1%, spent: 3%}}
      grams: {type: number, digits: 4}
    bytes: 200
    count: 40_000
patterns:
  bring: {write: {create: Lot}, rate: {average: 0.001/s, peak: 1/s}}
  low: {read: Lot, where: state = 'stored' and grams < 5, results: {average: 20, max: 90}, rate: {average: 1/s, peak: 1/s}}
  lent: {read: Lot, where: state = 'lent' and grams < 5, results: {average: 2, max: 9}, rate: {average: 1/s, peak: 1/s}}
`, `
tablewright: 1
application: seeds
tables:
  Lots:
    attributes: {lotId: S, state: S}
    key: {partition: lotId}
    gsi: {ByState: {partition: state, sort: lotId, project: all}}
    items: {Lot: {holds: Lot}}
plans:
  bring: {steps: {w: {put: Lot, if: absent}}}
  low: {steps: {s: {query: Lots.ByState, items: [Lot], where: {state: "'stored'"}, filter: grams < 5}}}
  lent: {steps: {s: {query: Lots.ByState, items: [Lot], where: {state: "'lent'"}, filter: grams < 5}}}
`), nil)
	near(t, "what is stored against what is lent", readOf(t, r, "low")/readOf(t, r, "lent"), 92.0/4, 0.3)
}
