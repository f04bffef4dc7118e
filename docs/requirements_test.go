package docs

import (
	"os"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/cost"
	"github.com/tablewright/tablewright/design"
	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/model"
	"github.com/tablewright/tablewright/prove"
)

// TestRequirements joins the blocks of the page about requirements to one file, and those of the page about models to one of its
// models: they have nothing to report, the model is proven, and the designer serves the requirements for no more.
func TestRequirements(t *testing.T) {
	r, _, found := model.ReadRequirements("requirements.yaml", blocks(t, "requirements.md"))
	clean(t, "requirements.md", found)
	m, source, found := model.ReadModel("model.yaml", blocks(t, "model.md"))
	clean(t, "model.md", found)
	program, found := model.CompileModel(m, source, r)
	clean(t, "model.md", found)
	clock, lag := prove.NewSimulated(time.Date(2026, 1, 15, 9, 0, 0, 0, time.UTC)), 200*time.Millisecond
	e, err := engine.Open("", &engine.Options{Clock: clock, Lag: &engine.Lag{Max: lag, Seed: 1}, SweepEvery: -1})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	evidence, err := prove.Run(t.Context(), program, prove.Options{Clock: clock, Lag: lag, Open: func(o tablewright.Options) (*tablewright.DB, error) {
		return tablewright.New(tablewright.InProcess(e), o), nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range evidence.Patterns {
		if !p.Proven {
			t.Errorf("%s of model.md is not proven: %+v", p.Name, p.Verdicts)
		}
	}
	designed, err := design.Design(t.Context(), r, design.Options{})
	if err != nil {
		t.Fatalf("nothing serves the blocks of requirements.md: %v", err)
	}
	total := 0.0
	for _, c := range designed.Components {
		total += c.Chosen.Cost.Dollars()
	}
	if by := cost.Price(program, nil).Total().Dollars(); total > by {
		t.Errorf("what is designed costs $%.2f, the model of the page $%.2f", total, by)
	}
}

// blocks are the blocks of YAML on a page as one document.
func blocks(t *testing.T, page string) []byte {
	t.Helper()
	b, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	whole := &yaml.Node{Kind: yaml.MappingNode}
	for i, part := range strings.Split(string(b), "```yaml\n") {
		if i == 0 {
			continue
		}
		block, _, _ := strings.Cut(part, "```")
		var doc yaml.Node
		if err := yaml.Unmarshal([]byte(block), &doc); err != nil {
			t.Fatalf("%s: block %d: %v", page, i, err)
		}
		join(whole, doc.Content[0])
	}
	text, err := yaml.Marshal(whole)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// clean fails the test if there is anything to report of a page.
func clean(t *testing.T, page string, found model.Diagnostics) {
	t.Helper()
	if len(found) > 0 {
		var said strings.Builder
		_ = found.WriteText(&said)
		t.Fatalf("the blocks of %s are not one file without mistakes:\n%s", page, &said)
	}
}

// join adds what is in one map of YAML to another: maps of one name are joined.
func join(to, from *yaml.Node) {
	for i := 0; i < len(from.Content); i += 2 {
		key, value := from.Content[i], from.Content[i+1]
		if at := find(to, key.Value); at != nil && at.Kind == yaml.MappingNode {
			join(at, value)
			continue
		}
		to.Content = append(to.Content, key, value)
	}
}

// find is the value of a key in a map of YAML; nil if it has none.
func find(in *yaml.Node, key string) *yaml.Node {
	for i := 0; i < len(in.Content); i += 2 {
		if in.Content[i].Value == key {
			return in.Content[i+1]
		}
	}
	return nil
}
