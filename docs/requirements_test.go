package docs

import (
	"context"
	"os"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/tablewright/tablewright/design"
	"github.com/tablewright/tablewright/model"
)

// TestRequirements joins the blocks of the page about requirements to one file: it has nothing to report, and a model
// serves it.
func TestRequirements(t *testing.T) {
	page, err := os.ReadFile("requirements.md")
	if err != nil {
		t.Fatal(err)
	}
	whole := &yaml.Node{Kind: yaml.MappingNode}
	for i, part := range strings.Split(string(page), "```yaml\n") {
		if i == 0 {
			continue
		}
		block, _, _ := strings.Cut(part, "```")
		var doc yaml.Node
		if err := yaml.Unmarshal([]byte(block), &doc); err != nil {
			t.Fatalf("block %d: %v", i, err)
		}
		join(whole, doc.Content[0])
	}
	text, err := yaml.Marshal(whole)
	if err != nil {
		t.Fatal(err)
	}
	r, _, found := model.ReadRequirements("requirements.yaml", text)
	if len(found) > 0 {
		var said strings.Builder
		_ = found.WriteText(&said)
		t.Fatalf("the blocks of requirements.md are not one file without mistakes:\n%s", &said)
	}
	if _, err := design.Design(context.Background(), r, design.Options{Steps: 2000}); err != nil {
		t.Errorf("nothing serves the blocks of requirements.md: %v", err)
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
