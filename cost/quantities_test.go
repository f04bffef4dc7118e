package cost_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/cost"
	"github.com/tablewright/tablewright/internal/dist"
)

// A herbarium: sheets in cabinets, each of a species.
func herbarium(t *testing.T, patterns, tables, plans string) *cost.Report {
	t.Helper()
	return cost.Price(compileText(t, `
tablewright: 1
application: herbarium
entities:
  Cabinet: {identity: [cabinetId], attributes: {cabinetId: {type: string, bytes: 8}}, bytes: 100, count: 100}
  Species: {identity: [speciesId], attributes: {speciesId: {type: string, bytes: 8}}, bytes: 1_000, count: 500}
  Sheet:
    identity: [cabinetId, sheetId]
    attributes:
      cabinetId: {references: Cabinet, inverse: sheets, per-parent: {average: 3_000, max: 3_000}}
      sheetId: {type: string, generated: ulid}
      speciesId: {references: Species, as: species, inverse: sheets, per-parent: {average: 600, max: 60_000}}
      found: timestamp
      state: {enum: [whole, torn, lost], share: {whole: 80%, torn: 15%}}
      height: {type: number, digits: 4}
      label: {type: string, bytes: 40}
    bytes: 400
    count: 300_000
patterns:
  addCabinet: {write: {create: Cabinet}, rate: {average: 0.001/s, peak: 1/s}}
  addSpecies: {write: {create: Species}, rate: {average: 0.001/s, peak: 1/s}}
  addSheet: {write: {create: Sheet}, rate: {average: 0.001/s, peak: 1/s}}
`+indent(patterns, 2), `
tablewright: 1
application: herbarium
tables:
  Cabinets: {attributes: {cabinetId: S}, key: {partition: cabinetId}, items: {Cabinet: {holds: Cabinet}}}
  Kinds: {attributes: {speciesId: S}, key: {partition: speciesId}, items: {Species: {holds: Species}}}
`+indent(tables, 2)+`
plans:
  addCabinet: {steps: {w: {put: Cabinet, if: absent}}}
  addSpecies: {steps: {w: {put: Species, if: absent}}}
  addSheet: {steps: {w: {put: Sheet, if: absent}}}
`+indent(plans, 2)), nil)
}

func indent(text string, by int) string {
	return strings.ReplaceAll("\n"+strings.TrimSpace(text), "\n", "\n"+strings.Repeat(" ", by)) + "\n"
}

const sheetsByFound = `
Sheets:
  attributes: {cabinetId: S, found: S, sheetId: S}
  key: {partition: cabinetId, sort: sheetId}
  gsi:
    ByFound: {partition: cabinetId, sort: found, project: all}
  items: {Sheet: {holds: Sheet}}
`

func readOf(t *testing.T, r *cost.Report, name string) float64 {
	t.Helper()
	read, _ := r.Pattern(name).Units()
	return read
}

// TestRangeBesideFilter prices a range of keys in front of a filter: it holds what the results say, as far as shares tell how
// much the filter leaves.
func TestRangeBesideFilter(t *testing.T) {
	for _, c := range []struct {
		what, where, filter, results string
		items                        float64 // in the range
		assumed                      bool
	}{
		{"a stated share", "found between $from and $to and state = torn", "state = 'torn'", "{average: 60, max: 60}", 60 / 0.15, false},
		{"values that exclude each other", "found between $from and $to and (state = torn or state = lost)", "state = 'torn' or state = 'lost'", "{average: 60, max: 60}", 60 / 0.2, false},
		{"nothing stated", "found between $from and $to and height > $least", "height > $least", "{average: 60, max: 60}", 120, true},
		{"no more than there are", "found between $from and $to and state = lost", "state = 'lost'", "{average: 600, max: 600}", 3_000, false},
	} {
		r := herbarium(t, fmt.Sprintf(`
seen:
  read: Sheet
  given: [cabinetId]
  where: %s
  order: found
  results: %s
  rate: {average: 1/s, peak: 1/s}
`, c.where, c.results), sheetsByFound, fmt.Sprintf(`
seen: {steps: {s: {query: Sheets.ByFound, items: [Sheet], where: {cabinetId: $cabinetId, found: {between: [$from, $to]}}, filter: "%s"}}}
`, c.filter))
		near(t, c.what, readOf(t, r, "seen"), 0.5*math.Ceil(c.items*400/4096), 1)
		assumed := false
		for _, f := range r.Findings() {
			assumed = assumed || f.Code == "assumed" && strings.Contains(f.Message, "height > $least")
		}
		if assumed != c.assumed {
			t.Errorf("%s: assumed %v", c.what, assumed)
		}
	}

	// The items of one value are no more than the count divided by the number of values, whatever the filter leaves.
	regions := func(filter, query string) *cost.Report {
		return cost.Price(compileText(t, fmt.Sprintf(`
tablewright: 1
application: loads
entities:
  Load:
    identity: [loadId]
    attributes:
      loadId: {type: string, generated: ulid}
      region: {type: string, bytes: 6, distinct: 100}
      target: {type: string, bytes: 6, distinct: 100}
      day: date
      height: {type: number, digits: 4}
    bytes: 400
    count: 30_000
patterns:
  addLoad: {write: {create: Load}, rate: {average: 0.001/s, peak: 1/s}}
  seen: {read: Load, given: [region], where: "day >= $from and %[1]s", order: day, results: {average: 60, max: 900}, rate: {average: 1/s, peak: 1/s}}
`, filter), fmt.Sprintf(`
tablewright: 1
application: loads
tables:
  Loads:
    attributes: {loadId: S, region: S, day: S}
    key: {partition: loadId}
    gsi: {ByRegion: {partition: region, sort: day, project: all}, OfRegion: {partition: region, project: all}}
    items: {Load: {holds: Load}}
plans:
  addLoad: {steps: {w: {put: Load, if: absent}}}
  seen: {steps: {s: {items: [Load], %s}}, answer: {order: day}}
`, query)), nil)
	}
	for filter, items := range map[string]float64{"height > $least": 120, "target = $target": 300} {
		r := regions(filter, fmt.Sprintf(`query: Loads.ByRegion, where: {region: $region, day: {from: $from}}, filter: "%s"`, filter))
		near(t, filter, readOf(t, r, "seen"), 0.5*math.Ceil(items*400/4096), 1.5)
		if assumed := slices.ContainsFunc(r.Findings(), func(f cost.Finding) bool { return f.Code == "assumed" }); assumed != (items == 120) {
			t.Errorf("%s: assumed %v", filter, assumed)
		}
	}

	// Where the range is in the filter as well, all of a region is read: nobody has to guess how much of it passes.
	r := regions("height > $least", `query: Loads.OfRegion, where: [region], filter: "day >= $from and height > $least"`)
	near(t, "all of a region", readOf(t, r, "seen"), 0.5*math.Ceil(300*400/4096.0), 1.5)
	if slices.ContainsFunc(r.Findings(), func(f cost.Finding) bool { return f.Code == "assumed" }) {
		t.Error("all of a region: assumed")
	}

	// So is all of a cabinet.
	r = herbarium(t, `
seen: {read: Sheet, given: [cabinetId], where: found between $from and $to, results: {average: 60, max: 60}, rate: {average: 1/s, peak: 1/s}}
`, sheetsByFound, `
seen: {steps: {s: {query: Sheets, items: [Sheet], where: [cabinetId], filter: "found between $from and $to"}}}
`)
	near(t, "filtered alone", readOf(t, r, "seen"), 147, 1) // 3,000 × 400 bytes are two pages, of 1 MB and the rest
}

// TestTopBesideFilter ends a top as soon as enough have passed its filter: of four sheets one does.
func TestTopBesideFilter(t *testing.T) {
	patterns := `
latest:
  read: Sheet
  given: [cabinetId]
  where: contains(label, $word)
  order: found descending
  top: 20
  results: {average: 750, max: 750}
  rate: {average: 1/s, peak: 1/s}
`
	units := func(evaluate string) *cost.Report {
		return herbarium(t, patterns, sheetsByFound, `
latest: {steps: {s: {query: Sheets.ByFound, items: [Sheet], where: [cabinetId], order: descending, filter: "contains(label, $word)"`+evaluate+`}}}
`)
	}
	// 80 are evaluated on average, in requests of 40: 2.45 of them, of 4 blocks each.
	r := units(", evaluate: 40")
	near(t, "in requests of 40", readOf(t, r, "latest"), 2.45*2, 0.05)
	near(t, "in one of 1 MB", readOf(t, units(""), "latest"), 128, 0.01) // which brings more than enough
	w := r.Pattern("latest").Worst
	if w.Items != 3_000 || w.Requests != 75 || !w.Open {
		t.Errorf("at worst: %+v", w)
	}
	near(t, "units at worst", w.Units, 75*2, 1e-9)
	found := false
	for _, f := range r.Findings() {
		found = found || f.Code == "worst-case" && f.Of == "latest" && strings.Contains(f.Message, "150 units instead of 4.88")
	}
	if !found {
		t.Errorf("no word of the worst case: %v", r.Findings())
	}
}

// TestGetsBehindPage prices what is read for each item of a page for the page, not for all that there are.
func TestGetsBehindPage(t *testing.T) {
	r := herbarium(t, `
page: {read: Sheet, given: [cabinetId], returns: [all, species.speciesId], page: 10, order: sheetId, rate: {average: 1/s, peak: 400/s}}
top: {read: Sheet, given: [cabinetId], order: sheetId descending, top: 10, returns: [all], rate: {average: 1/s, peak: 1/s}}
`, sheetsByFound, `
page:
  steps:
    s: {query: Sheets, items: [Sheet], where: [cabinetId], evaluate: 10}
    k: {batch-get: Species, each: $s, key: {speciesId: $each.speciesId}}
  answer: {from: [s, k], page: 10, cursor: s}
top: {steps: {s: {query: Sheets, items: [Sheet], where: [cabinetId], order: descending, evaluate: 10}}}
`)
	near(t, "page", r.Pattern("page").Read["Kinds"], 8.088*0.5, 1e-3) // a batch asks for each species once
	near(t, "top", readOf(t, r, "top"), 0.5, 1e-9)
	// A fifth of all sheets are of one species, which most pages have: they read it once.
	for _, l := range r.Loads {
		if l.Place == "Kinds" && l.Item {
			near(t, "the species most read", l.Read, 400*0.5, 0.01)
		}
	}
}

// TestAlike prices what has the same value of an attribute of which nobody says how many it has: no fewer than a pattern finds
// that asks for more.
func TestAlike(t *testing.T) {
	r := herbarium(t, `
labelled: {read: Sheet, given: [label], where: height > $least, results: {average: 2, max: 2}, rate: {average: 1/s, peak: 1/s}}
whole: {read: Sheet, given: [label, state], results: {average: 200, max: 200}, rate: {average: 1/s, peak: 1/s}}
`, `
Sheets:
  attributes: {cabinetId: S, sheetId: S, label: S}
  key: {partition: cabinetId, sort: sheetId}
  gsi:
    ByLabel: {partition: label, project: all}
  items: {Sheet: {holds: Sheet}}
`, `
labelled: {steps: {s: {query: Sheets.ByLabel, items: [Sheet], where: [label], filter: height > $least}}}
whole: {steps: {s: {query: Sheets.ByLabel, items: [Sheet], where: [label], filter: state = $state}}}
`)
	near(t, "labelled", readOf(t, r, "labelled"), 0.5*math.Ceil(600*400/4096.0), 1)
	near(t, "whole", readOf(t, r, "whole"), 0.5*math.Ceil(600*400/4096.0), 1) // each of three states is asked for as often
}

// TestSiblings reads what lies under the parent of a child: large parents are met more often than they are many.
func TestSiblings(t *testing.T) {
	r := herbarium(t, `
alike:
  read: Sheet
  given: [species.sheets.cabinetId, species.sheets.sheetId]
  returns: [cabinetId, sheetId, speciesId]
  results: {average: 7_000, max: 60_000}
  rate: {average: 1/s, peak: 1/s}
ofSpecies: {read: Sheet, given: [speciesId], returns: [cabinetId, sheetId, speciesId], rate: {average: 1/s, peak: 1/s}}
`, `
Sheets:
  attributes: {cabinetId: S, sheetId: S, speciesId: S}
  key: {partition: cabinetId, sort: sheetId}
  gsi:
    BySpecies: {partition: speciesId, project: keys}
  items: {Sheet: {holds: Sheet}}
`, `
alike:
  steps:
    one: {get: Sheet, key: [cabinetId, sheetId]}
    s: {query: Sheets.BySpecies, items: [Sheet], where: {speciesId: $one.speciesId}}
  answer: {from: s}
ofSpecies: {steps: {s: {query: Sheets.BySpecies, items: [Sheet], where: [speciesId]}}}
`)
	law := dist.Power(500, 600, 60_000).Dist()
	want := law.SizeBiased().Mean() / law.Mean()
	near(t, "as many times as much", r.Pattern("alike").Read["Sheets.BySpecies"]/r.Pattern("ofSpecies").Read["Sheets.BySpecies"], want, 0.05)
}

// TestSkewOfParents reads what calls are about, a parent, besides its children: both are as hot as the skew says.
func TestSkewOfParents(t *testing.T) {
	r := herbarium(t, `
opened: {read: Sheet, given: [cabinetId], returns: [all], page: 10, order: sheetId, skew: hottest 30%, rate: {average: 1/s, peak: 1_000/s}}
shelf: {read: Cabinet, given: [cabinetId], with: [sheets], skew: hottest 20%, rate: {average: 1/s, peak: 10/s}}
`, sheetsByFound, `
opened:
  steps:
    c: {get: Cabinet, key: [cabinetId]}
    s: {query: Sheets, items: [Sheet], where: [cabinetId], evaluate: 10}
  answer: {from: s, page: 10, cursor: s}
shelf: {steps: {c: {get: Cabinet, key: [cabinetId]}, s: {query: Sheets, items: [Sheet], where: [cabinetId]}}, answer: {from: [c, s]}}
`)
	cabinets := 0.0
	for _, l := range r.Loads {
		if l.Place == "Cabinets" && l.Item {
			cabinets = l.Read
		}
	}
	near(t, "the cabinet", cabinets, 0.5*(0.3*1_000+0.2*10), 1e-3)
	near(t, "its sheets", hottestKey(t, r, "Sheets").Read, 0.3*1_000*0.5+0.2*10*147, 0.01)
}

// TestFlips moves what an update sets: an enum changes its value, and each value is entered as often as it is left.
func TestFlips(t *testing.T) {
	r := herbarium(t, `
turn: {write: {update: Sheet, set: [state]}, rate: {average: 1/s, peak: 1/s}}
lose: {write: {update: Sheet, set: {state: lost}}, rate: {average: 1/s, peak: 1/s}}
torn: {read: Sheet, where: state = torn, returns: [cabinetId, sheetId, found], order: found, page: 10, results: {average: 45_000, max: 45_000}, rate: {average: 1/s, peak: 1/s}}
`, `
Sheets:
  attributes: {cabinetId: S, found: S, sheetId: S, torn: S}
  key: {partition: cabinetId, sort: sheetId}
  gsi:
    Torn: {partition: torn, sort: found, project: keys}
  items: {Sheet: {holds: Sheet, set: {torn: {value: y, when: state = 'torn'}}}}
`, `
turn: {steps: {w: {update: Sheet, key: [cabinetId, sheetId], set: [state], if: present}}}
lose: {steps: {w: {update: Sheet, key: [cabinetId, sheetId], set: {state: "'lost'"}, if: present}}}
torn: {steps: {s: {query: Sheets.Torn, items: [Sheet], evaluate: 10}}, answer: {page: 10}}
`)
	// whole 80, torn 15, lost 5 %: the flows between two are as their product.
	wt, wl, tl := 0.8*0.15, 0.8*0.05, 0.15*0.05
	near(t, "turn", r.Pattern("turn").Write["Sheets.Torn"], (wt+tl)/(wt+wl+tl), 1e-9)
	near(t, "lose", r.Pattern("lose").Write["Sheets.Torn"], 0.15/(0.15+0.8), 1e-9) // what is lost was not lost before
}

// TestTwoOfOneKind updates two of an entity at once: each is changed as its own action says.
func TestTwoOfOneKind(t *testing.T) {
	r := herbarium(t, `
replace:
  write:
    - {update: Sheet, key: {cabinetId: $from, sheetId: $old}, set: {state: lost}}
    - {update: Sheet, key: {cabinetId: $to, sheetId: $new}, set: {found: $found}}
  rate: {average: 1/s, peak: 1/s}
torn: {read: Sheet, where: state = torn, returns: [cabinetId, sheetId, found], order: found, page: 10, results: {average: 45_000, max: 45_000}, rate: {average: 1/s, peak: 1/s}}
`, `
Sheets:
  attributes: {cabinetId: S, found: S, sheetId: S, torn: S}
  key: {partition: cabinetId, sort: sheetId}
  gsi:
    Torn: {partition: torn, sort: found, project: keys}
  items: {Sheet: {holds: Sheet, set: {torn: {value: y, when: state = 'torn'}}}}
`, `
replace:
  steps:
    w:
      transact:
        - {update: Sheet, key: {cabinetId: $from, sheetId: $old}, set: {state: "'lost'"}, if: present}
        - {update: Sheet, key: {cabinetId: $to, sheetId: $new}, set: {found: $found}, if: present}
torn: {steps: {s: {query: Sheets.Torn, items: [Sheet], evaluate: 10}}, answer: {page: 10}}
`)
	near(t, "one is lost, and another found", r.Pattern("replace").Write["Sheets.Torn"], 0.15/(0.15+0.8)+2*0.15, 1e-9)
}

// TestOptionalSet sets what a call states: each of two attributes in a share of the calls.
func TestOptionalSet(t *testing.T) {
	r := herbarium(t, `
change: {write: {update: Sheet, set: [found, speciesId]}, optional: {found: 30%, speciesId: 20%}, rate: {average: 1/s, peak: 1/s}}
ofSpecies: {read: Sheet, given: [speciesId], rate: {average: 1/s, peak: 1/s}}
`, `
Sheets:
  attributes: {cabinetId: S, found: S, sheetId: S, speciesId: S}
  key: {partition: cabinetId, sort: sheetId}
  gsi:
    ByFound: {partition: cabinetId, sort: found, project: all}
    BySpecies: {partition: speciesId, project: keys}
  items: {Sheet: {holds: Sheet}}
`, `
change: {steps: {w: {update: Sheet, key: [cabinetId, sheetId], set: [found, speciesId], if: present}}}
ofSpecies: {steps: {s: {query: Sheets.BySpecies, items: [Sheet], where: [speciesId]}, g: {batch-get: Sheet, each: $s, key: {cabinetId: $each.cabinetId, sheetId: $each.sheetId}}}, answer: {from: g}}
`)
	near(t, "table", r.Pattern("change").Write["Sheets"], 1, 1e-9)
	near(t, "moved, or another attribute of the entry changed", r.Pattern("change").Write["Sheets.ByFound"], 0.3*2+0.7*0.2, 1e-9)
	near(t, "keys only", r.Pattern("change").Write["Sheets.BySpecies"], 0.2*2, 1e-9)
}

// hottestKey is the load of the hottest key of a place, besides items.
func hottestKey(t *testing.T, r *cost.Report, place string) cost.Load {
	t.Helper()
	for _, l := range r.Loads {
		if l.Place == place && !l.Item {
			return l
		}
	}
	t.Fatalf("no load of %s: %v", place, r.Loads)
	return cost.Load{}
}

// A ferry: tickets are sold in a state, on a day, for a crossing.
func ferry(t *testing.T, skew, create, tables, item string) *cost.Report {
	t.Helper()
	attributes := ""
	for _, name := range []string{"crossingId", "day", "state", "hour", "shard", "soldAt"} {
		if strings.Contains(tables, name) {
			attributes += ", " + name + ": S"
		}
	}
	return cost.Price(compileText(t, fmt.Sprintf(`
tablewright: 1
application: ferry
entities:
  Crossing: {identity: [crossingId], attributes: {crossingId: {type: string, bytes: 8}}, count: 1_000}
  Ticket:
    identity: [ticketId]
    attributes:
      ticketId: {type: string, generated: ksuid}
      crossingId: {references: Crossing, inverse: tickets, per-parent: {average: 1_000, max: 2_000%s}}
      soldAt: {type: timestamp, generated: now}
      day: date
      state: {states: [sold, boarded, landed], share: {sold: 5%%, boarded: 5%%}}
    bytes: 200
    count: 1_000_000
patterns:
  addCrossing: {write: {create: Crossing}, rate: {average: 0.001/s, peak: 1/s}}
  sell: {write: {create: Ticket}, rate: {average: 1/s, peak: 800/s}%s}
  move: {write: {update: Ticket, set: {state: $state}}, rate: {average: 1/s, peak: 100/s}}
  getTicket: {read: Ticket, given: [ticketId], rate: {average: 1/s, peak: 1/s}}
  getCrossing: {read: Crossing, given: [crossingId], rate: {average: 1/s, peak: 1/s}}
`, skew, create), `
tablewright: 1
application: ferry
tables:
  Crossings: {attributes: {crossingId: S}, key: {partition: crossingId}, items: {Crossing: {holds: Crossing}}}
  Tickets:
    attributes: {ticketId: S`+attributes+`}
    key: {partition: ticketId}
    gsi: `+tables+`
    items: {Ticket: {holds: Ticket`+item+`}}
plans:
  addCrossing: {steps: {w: {put: Crossing, if: absent}}}
  sell: {steps: {w: {put: Ticket, if: absent}}}
  move: {steps: {w: {update: Ticket, key: [ticketId], set: [state], if: [present, state in before($state)]}}}
  getTicket: {steps: {g: {get: Ticket, key: [ticketId]}}}
  getCrossing: {steps: {g: {get: Crossing, key: [crossingId]}}}
`), nil)
}

// TestHeatOfNow holds on which keys writes fall: all that is created begins in one state, on one day, in one hour.
func TestHeatOfNow(t *testing.T) {
	hour := `, set: {hour: "{soldAt:hour}"}`
	shards := `, set: {shard: "{shard}"}, shard: {of: 8, by: ticketId}`
	for _, c := range []struct {
		what, skew, create, index, item string
		value                           string
		want                            float64
	}{
		{"the first state: created, and left", "", "", "{Now: {partition: state, sort: soldAt, project: keys}}", "", "sold", 800 + 100*0.5},
		{"shards of another index do not count", "", "", "{Now: {partition: state, project: keys}, Other: {partition: [state, shard], project: keys}}", shards, "sold", 850},
		{"its own shards do", "", "", "{Now: {partition: [state, shard], project: keys}}", shards, "sold", 850.0 / 8},
		{"a date", "", "", "{Now: {partition: day, project: keys}}", "", "now", 800},
		{"the hour of a time", "", "", "{Now: {partition: hour, project: keys}}", hour, "now", 800},
		{"a date and a crossing", "", "", "{Now: {partition: [day, crossingId], project: keys}}", "", "now", 800 * 2_000 / 1_000_000.0},
		{"a crossing", "", "", "{Now: {partition: crossingId, project: keys}}", "", "", 800 * 2_000 / 1_000_000.0},
		{"as children are skewed", ", skew: hottest 40%", "", "{Now: {partition: crossingId, project: keys}}", "", "", 800 * 0.4},
		{"as its own calls are skewed", "", ", skew: hottest 30%", "{Now: {partition: crossingId, project: keys}}", "", "", 800 * 0.3},
	} {
		r := ferry(t, c.skew, c.create, c.index, c.item)
		l := hottestKey(t, r, "Tickets.Now")
		near(t, c.what, l.Write, c.want, 1e-3)
		if l.Value != c.value {
			t.Errorf("%s: the hottest is %q, not %q", c.what, l.Value, c.value)
		}
		cut := false
		for _, f := range r.Findings() {
			cut = cut || f.Code == "skew" && strings.Contains(f.Message, "40 %") && strings.Contains(f.Message, "0.2 %")
		}
		if cut != strings.Contains(c.skew, "40%") {
			t.Errorf("%s: a skew that the maximum contradicts: %v", c.what, cut)
		}
	}
}

// TestPartOfIdentity prices what lies under a part of an identity, which many have: reads through a filter, and the heat of
// creations.
func TestPartOfIdentity(t *testing.T) {
	r := cost.Price(compileText(t, `
tablewright: 1
application: weather
entities:
  Reading:
    identity: [station, at]
    attributes:
      station: {type: string, bytes: 8}
      at: timestamp
      wind: {type: number, digits: 3}
    bytes: 200
    count: 1_000_000
patterns:
  add: {write: {create: Reading}, rate: {average: 1/s, peak: 1_000/s}}
  of: {read: Reading, given: [station], order: at, page: 100, results: {average: 5_000, max: 50_000}, rate: {average: 1/s, peak: 1/s}}
  stormy: {read: Reading, given: [station], where: at between $from and $to and wind > $least, results: {average: 300, max: 500}, rate: {average: 1/s, peak: 1/s}}
`, `
tablewright: 1
application: weather
tables:
  Readings: {attributes: {station: S, at: S}, key: {partition: station, sort: at}, items: {Reading: {holds: Reading}}}
plans:
  add: {steps: {w: {put: Reading, if: absent}}}
  of: {steps: {r: {query: Readings, items: [Reading], where: [station], evaluate: 100}}, answer: {page: 100}}
  stormy: {steps: {r: {query: Readings, items: [Reading], where: {station: $station, at: {between: [$from, $to]}}, filter: wind > $least}}}
`), nil)
	near(t, "stormy", readOf(t, r, "stormy"), 0.5*(600*200/4096.0+0.5), 0.05)
	near(t, "creations", hottestKey(t, r, "Readings").Write, 1_000*50_000/1_000_000.0, 1e-3)
}

// TestHeatOfEmbedded holds that a child which is put into its parent's item falls on the parent's day, not on today.
func TestHeatOfEmbedded(t *testing.T) {
	r := cost.Price(compileText(t, `
tablewright: 1
application: regatta
entities:
  Race:
    identity: [raceId]
    attributes:
      raceId: {type: string, bytes: 8}
      day: date
    bytes: 100
    count: 1_000
  Boat:
    identity: [raceId, sail]
    attributes:
      raceId: {parent: Race, inverse: boats, per-parent: 10}
      sail: {type: string, bytes: 6}
    bytes: 60
patterns:
  plan: {write: {create: Race}, rate: {average: 0.001/s, peak: 0.001/s}}
  enter: {write: {create: Boat, requires: [race]}, rate: {average: 1/s, peak: 1_000/s}}
  ofDay: {read: Race, given: [day], with: [boats], results: {average: 10, max: 20}, rate: {average: 1/s, peak: 1/s}}
`, `
tablewright: 1
application: regatta
tables:
  Races:
    attributes: {raceId: S, day: S}
    key: {partition: raceId}
    gsi: {ByDay: {partition: day, project: all}}
    items: {Race: {holds: Race, embed: {boats: {as: map, by: sail}}}}
plans:
  plan: {steps: {w: {put: Race, if: absent}}}
  enter: {steps: {w: {put: Race.boats, if: absent}}}
  ofDay: {steps: {r: {query: Races.ByDay, items: [Race], where: [day]}}}
`), nil)
	near(t, "a day's races", hottestKey(t, r, "Races.ByDay").Write, 1_000*20/1_000.0, 0.1)
}

// TestReportOfTheSame prices a report of what is mostly so already: an entry that shows it is written where it changes.
func TestReportOfTheSame(t *testing.T) {
	r := herbarium(t, "examine: {write: {update: Sheet, set: {state: $state, height: $height}}, rate: {average: 1/s, peak: 1/s}}", `
Sheets:
  attributes: {cabinetId: S, sheetId: S, speciesId: S}
  key: {partition: cabinetId, sort: sheetId}
  gsi:
    BySpecies: {partition: speciesId, project: {include: [state]}}
  items: {Sheet: {holds: Sheet}}
`, "examine: {steps: {w: {update: Sheet, key: [cabinetId, sheetId], set: {state: $state, height: $height}, if: present}}}")
	near(t, "entries", r.Pattern("examine").Write["Sheets.BySpecies"], 1-(0.8*0.8+0.15*0.15+0.05*0.05), 1e-9)
}
