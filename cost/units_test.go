package cost_test

import (
	"bufio"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/cost"
	"github.com/tablewright/tablewright/spec"
)

// TestUnitsByHand holds every verb, and every arm of an index, to figures computed by hand: no more and no fewer arms
// than the file has.
func TestUnitsByHand(t *testing.T) {
	type arm struct{ pattern, direction, place string }
	want := map[arm]float64{}
	f, err := os.Open("testdata/archive.units")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		line, _, _ := strings.Cut(s.Text(), "#")
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		n, err := strconv.ParseFloat(words[len(words)-1], 64)
		if err != nil || len(words) != 4 {
			t.Fatalf("%q: %v", s.Text(), err)
		}
		want[arm{words[0], words[1], words[2]}] = n
	}
	p := archive(t)
	got := map[arm]float64{}
	for _, x := range cost.Price(p, nil).Patterns {
		for place, n := range x.Read {
			got[arm{x.Name, "read", place}] = n
		}
		for place, n := range x.Write {
			got[arm{x.Name, "write", place}] = n
		}
	}
	for a, n := range want {
		near(t, a.pattern+" "+a.direction+" "+a.place, got[a], n, 1e-9)
	}
	for a, n := range got {
		if _, ok := want[a]; !ok {
			t.Errorf("%s %s %s: %v units that nobody asked for", a.pattern, a.direction, a.place, n)
		}
	}

	// An estimate on the requirements' own figures is the same, reads and writes together.
	estimate := cost.Estimate(p, cost.Figures{})
	if len(estimate) != len(p.Procedures) {
		t.Errorf("%d patterns estimated of %d", len(estimate), len(p.Procedures))
	}
	near(t, "changeEmail", estimate["changeEmail"]["Accounts"], 1+4, 1e-9)
}

// TestFigures replaces counts, children and results by those of a smaller data set.
func TestFigures(t *testing.T) {
	p := archive(t)
	account, doc := p.Requirements.Entity("Account"), p.Requirements.Entity("Doc")
	fig := cost.Figures{
		Count:    map[*spec.Entity]float64{doc: 2_000},
		Children: map[*spec.Relationship]spec.Children{doc.Parent: {Stated: true, Average: 2, Max: 2}},
		Results:  map[*spec.Pattern]spec.Size{p.Requirements.Pattern("getDocs"): {Average: 2, Max: 2}, p.Requirements.Pattern("getDocsOfFolder"): {Average: 1, Max: 1}},
	}
	got := cost.Estimate(p, fig)
	near(t, "getDocs", got["getDocs"]["Accounts"], 1, 1e-9)                            // 2 x 3,016 bytes: 2 blocks
	near(t, "getAccountWithDocs", got["getAccountWithDocs"]["Accounts"], 1, 1e-9)      // 1,507 + 6,032: 2 blocks
	near(t, "getDocsOfFolder", got["getDocsOfFolder"]["Accounts.ByFolder"], 0.5, 1e-9) // 1 block
	near(t, "getPinned", got["getPinned"]["Accounts"], 0.15, 1e-9)                     // its results are not replaced: 3 x 10 %
	if account.Count != 1_000 || doc.Count != 3_000 {
		t.Error("the requirements have changed")
	}
}

// TestOptionalForeignKey reads a parent whose key half of the children have: the other half costs one request only.
func TestOptionalForeignKey(t *testing.T) {
	p := compileText(t, `
tablewright: 1
application: nodes
entities:
  Node:
    identity: [nodeId]
    attributes:
      nodeId: {type: string, bytes: 8}
      upId: {references: Node, inverse: below, optional: true, share: 50%, per-parent: {average: 0.5, max: 4}}
      text: string
    bytes: 300
    count: 1_000
patterns:
  getNode: {read: Node, given: [nodeId], rate: {average: 1/s, peak: 1/s}}
  getUp: {read: Node, given: [below.nodeId], rate: {average: 1/s, peak: 1/s}}
  addNode: {write: {create: Node}, rate: {average: 1/s, peak: 1/s}}
`, `
tablewright: 1
application: nodes
tables:
  Nodes:
    attributes: {nodeId: S, upId: S}
    key: {partition: nodeId}
    gsi: {Below: {partition: upId, project: keys}}
    items: {Node: {}}
plans:
  getNode: {steps: {n: {get: Node, key: [nodeId]}}}
  getUp: {steps: {n: {get: Node, key: [nodeId]}, u: {get: Node, key: {nodeId: $n.upId}}}, answer: {from: u}}
  addNode: {steps: {n: {put: Node, if: absent}}}
`)
	got := cost.Estimate(p, cost.Figures{})
	near(t, "getUp", got["getUp"]["Nodes"], 0.5+0.5*0.5, 1e-9)
	near(t, "addNode", got["addNode"]["Nodes.Below"], 0.5, 1e-9)

	// An entry has its key for sure: nodeId 6+8 and upId 4+8 bytes, for half of the nodes.
	below := cost.Price(p, nil).Place("Nodes.Below").Items[0]
	near(t, "entries", below.Count, 500, 1e-9)
	near(t, "bytes of an entry", below.Bytes, 26, 1e-9)
}
