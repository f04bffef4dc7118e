package plan_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/plan"
)

const harboursRequirements = `
tablewright: 1
application: harbours
entities:
  Flag:
    identity: [flagId]
    attributes:
      flagId: {type: string, bytes: 3}
      name: {type: string, bytes: 20}
    bytes: 60
    count: 190
  Boat:
    identity: [boatId]
    attributes:
      boatId: {type: string, bytes: 8}
      harbour: {type: string, bytes: 8, distinct: 50}
      flagId: {references: Flag, inverse: boats, per-parent: 50}
      wins: {type: number, digits: 4, min: 0}
    bytes: 120
    count: 9_500
patterns:
  addFlag: {write: {create: Flag}, rate: {average: 1/month, peak: 1/s}}
  addBoat: {write: {create: Boat}, rate: {average: 1/s, peak: 1/s}}
  win: {write: {update: Boat, set: {wins: wins + 1}}, rate: {average: 1/s, peak: 1/s}}
  inHarbour: {read: Boat, given: [harbour], order: [wins descending, boatId], results: 190, returns: [all, flag.name], rate: {average: 1/s, peak: 1/s}}
`

const harboursModel = `
tablewright: 1
application: harbours
tables:
  Flags: {attributes: {flagId: S}, key: {partition: flagId}, items: {Flag: {}}}
  Boats:
    attributes: {boatId: S, harbour: S, winsDown: N}
    key: {partition: boatId}
    gsi: {ByHarbour: {partition: harbour, sort: [winsDown, boatId], project: all}}
    items: {Boat: {set: {winsDown: "{wins:negated}"}}}
plans:
  addFlag: {steps: {w: {put: Flag, if: absent}}}
  addBoat: {steps: {w: {put: Boat, if: absent}}}
  win: {steps: {w: {update: Boat, key: [boatId], set: {wins: wins + 1}, if: present}}}
  inHarbour:
    steps:
      boat: {query: Boats.ByHarbour, items: [Boat], where: [harbour]}
      flag: {scan: Flags, items: [Flag], after: [boat]}
    answer: {from: [boat, flag]}
`

// TestLookup: a list may read all of the few that it refers to, and says so; what holds a number with its sign turned
// is known.
func TestLookup(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"r.yaml": harboursRequirements, "m.yaml": harboursModel} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	m, _ := document(t, filepath.Join(dir, "m.yaml"), nil)
	r := requirements(t, filepath.Join(dir, "r.yaml"), nil)
	p, problems := plan.Compile(m, r)
	for _, x := range problems {
		t.Fatal(x)
	}
	for _, s := range p.Procedure("inHarbour").Stages {
		if got := s.Handful(); got != (s.Name == "flag") {
			t.Errorf("%s reads all of the few: %v", s.Name, got)
		}
	}
	boat := p.Kind("Boat")
	for name, want := range map[string][]string{"wins": {"winsDown"}, "harbour": nil} {
		if got := boat.Mirrors(boat.Entity.Attribute(name)); !slices.Equal(got, want) {
			t.Errorf("%s is turned in %v, not %v", name, got, want)
		}
	}
	r.Entity("Flag").Count = 1e6
	if _, problems := plan.Compile(m, r); len(problems) != 1 || problems[0].Code != plan.CodeScan {
		t.Errorf("a million flags: %v", problems)
	}
}

// TestLookupInIndex: what an index holds of each flag is little, however long a flag's item is; that of an index with
// all of it is not.
func TestLookupInIndex(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "r.yaml")
	long := strings.Replace(harboursRequirements, "bytes: 60\n    count: 190", "bytes: 6_000\n    count: 190", 1)
	if err := os.WriteFile(path, []byte(long), 0o600); err != nil {
		t.Fatal(err)
	}
	r := requirements(t, path, nil)
	for project, want := range map[string]int{"keys": 0, "{include: [name]}": 0, "{include: [name, rest]}": 1, "all": 1} {
		index := "items: {Flag: {stores: [flagId, name, rest]}}, gsi: {ByFlag: {partition: flagId, project: " + project + "}}}"
		text := strings.Replace(harboursModel, "items: {Flag: {}}}", index, 1)
		text = strings.Replace(text, "{scan: Flags, items", "{scan: Flags.ByFlag, items", 1)
		file := filepath.Join(dir, "m.yaml")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		m, _ := document(t, file, nil)
		_, problems := plan.Compile(m, r)
		scans := 0
		for _, x := range problems {
			if x.Code == plan.CodeScan {
				scans++
			}
		}
		if scans != want {
			t.Errorf("an index that projects %s: %v", project, problems)
		}
	}
	r.Entity("Flag").Count = 1e6
	m, _ := document(t, filepath.Join(dir, "m.yaml"), nil)
	if _, problems := plan.Compile(m, r); len(problems) == 0 || problems[0].Code != plan.CodeScan {
		t.Errorf("a million flags: %v", problems)
	}
}
