package plan_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/plan"
)

const studRequirements = `
tablewright: 1
application: stud
entities:
  Horse:
    identity: [horseId]
    attributes:
      horseId: {type: string, generated: ulid}
      name: {type: string, bytes: 14}
      damId: {references: Horse, as: dam, optional: true, share: 85%, inverse: foals, per-parent: {average: 0.85, max: 22}}
    count: 900
patterns:
  getHorse: {read: Horse, given: [horseId], returns: [horseId, name, dam.name], rate: {average: 1/s, peak: 5/s}}
  foal: {write: {create: Horse, requires: [dam]}, rate: {average: 1/day, peak: 1/s}}
  import: {write: {create: Horse}, rate: {average: 1/day, peak: 1/s}}
`

const studModel = `
tablewright: 1
application: stud
tables:
  Horses: {attributes: {horseId: S}, key: {partition: horseId}, items: {Horse: {copies: {damName: dam.name}}}}
plans:
  getHorse: {steps: {horse: {get: Horse, key: [horseId]}}}
  foal:
    steps:
      mother: {get: Horse, key: {horseId: $horse.damId}, consistent: true}
      w:
        transact:
          - {put: Horse, with: {dam.name: $mother.name}, if: absent}
          - {check: Horse, key: {horseId: $horse.damId}, if: present}
  import:
    steps:
      mother: {get: Horse, key: {horseId: $horse.damId}, consistent: true}
      w: {put: Horse, with: {dam.name: $mother.name}, if: absent}
`

// TestLookups copies the name of a dam into her foals. A foal without a dam has no copy, nor has an import whose dam
// is not in the book. A write that requires the dam is refused without her.
func TestLookups(t *testing.T) {
	m, _ := document(t, "stud.model.yaml", []byte(studModel))
	p, problems := plan.Compile(m, requirements(t, "stud.yaml", []byte(studRequirements)))
	for _, x := range problems {
		t.Fatal(x)
	}
	f := newFake(p)
	write := func(pattern, name, dam string) (string, error) {
		horse := attr.ItemOf(attr.Field{Name: "name", Value: attr.Text(name)})
		if dam != "" {
			horse.Set("damId", attr.Text(dam))
		}
		reply, err := f.run(pattern, attr.ItemOf(attr.Field{Name: "horse", Value: attr.Map(horse)}), nil)
		if err != nil {
			return "", err
		}
		return reply.Items[0].Get("horseId").Str(), nil
	}
	must := func(pattern, name, dam string) string {
		t.Helper()
		id, err := write(pattern, name, dam)
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	bella := must("import", "Bella", "")
	for _, x := range []struct{ pattern, dam, want string }{
		{"import", bella, "Bella"}, {"import", "unknown", ""}, {"foal", bella, "Bella"}, {"foal", "", ""},
	} {
		id := must(x.pattern, "Foal", x.dam)
		reply, err := f.run("getHorse", attr.ItemOf(attr.Field{Name: "horseId", Value: attr.Text(id)}), nil)
		if err != nil || len(reply.Items) != 1 {
			t.Fatal(reply, err)
		}
		if got := reply.Items[0].Get("dam").Map().Get("name").Str(); got != x.want {
			t.Errorf("%s by %q: the dam is called %q, not %q", x.pattern, x.dam, got, x.want)
		}
	}
	var refusal *plan.Refusal
	if _, err := write("foal", "Foal", "unknown"); !errors.As(err, &refusal) || refusal.Code != plan.RefusedMissing {
		t.Errorf("a foal by an unknown dam: %v", err)
	}
}

// TestLookupsLater lets what is looked up and not found come later, go, or change: no item may lack its copy then.
func TestLookupsLater(t *testing.T) {
	const later = "  import: {write"
	for _, x := range []struct{ name, old, is, model string }{
		{"the caller names it", "{type: string, generated: ulid}", "{type: string, bytes: 26}", ""},
		{
			"an upsert makes it", later, "  put: {write: {upsert: Horse, requires: [dam]}, rate: {average: 1/day, peak: 1/s}}\n" + later,
			strings.Replace(studModel[strings.Index(studModel, "  foal:"):strings.Index(studModel, "  import:")], "foal:", "put:", 1),
		},
		{
			"it is deleted", later, "  bury: {write: {delete: Horse}, rate: {average: 1/day, peak: 1/s}}\n" + later,
			"  bury: {steps: {w: {delete: Horse, key: [horseId]}}}\n",
		},
		{
			"it changes", later, "  rename: {write: {update: Horse, set: [name]}, rate: {average: 1/day, peak: 1/s}}\n" + later,
			"  rename: {steps: {w: {update: Horse, key: [horseId], set: [name], if: present}}}\n",
		},
	} {
		m, _ := document(t, "stud.model.yaml", []byte(studModel+x.model))
		text := strings.Replace(studRequirements, x.old, x.is, 1)
		_, problems := plan.Compile(m, requirements(t, "stud.yaml", []byte(text)))
		refused := false
		for _, q := range problems {
			refused = refused || q.Code == plan.CodeKept && strings.Contains(q.Message, "import copies dam.name of a dam that may not be there")
		}
		if !refused {
			t.Errorf("%s: %v", x.name, problems)
		}
	}
}
