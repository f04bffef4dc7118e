package model

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"
)

func compileSchema(t *testing.T, text []byte) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	if err := c.AddResource("schema.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// asJSON is a YAML text as a validator sees it: what an editor makes of it.
func asJSON(t *testing.T, text []byte) any {
	t.Helper()
	var doc any
	if err := yaml.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func requirementsFiles(t *testing.T) []string {
	t.Helper()
	all, err := filepath.Glob("../examples/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, f := range all {
		if !strings.HasSuffix(f, "model.yaml") {
			files = append(files, f)
		}
	}
	if len(files) < 3 {
		t.Fatalf("only %d examples", len(files))
	}
	return files
}

func TestRequirementsSchema(t *testing.T) {
	schema := compileSchema(t, RequirementsSchema())
	for _, file := range requirementsFiles(t) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(asJSON(t, text)); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
	if err := schema.Validate(asJSON(t, Starter())); err != nil {
		t.Errorf("the starter file: %v", err)
	}
}

// The schema of models takes every model there is, and each as it is written.
func TestModelSchemaTakesModels(t *testing.T) {
	schema := compileSchema(t, ModelSchema())
	var files []string
	for _, pattern := range []string{"../examples/*model.yaml", "../plan/testdata/*.model.yaml", "testdata/*.model.yaml", "testdata/*.written.yaml"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatal(pattern, err)
		}
		files = append(files, found...)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(asJSON(t, text)); err != nil {
			t.Errorf("%s: %v", file, err)
		}
		for _, c := range []struct{ old, new string }{{"\ntables:", "\ntabels:"}, {"\nplans:", "\nplants:"}, {"partition:", "partitoin:"}, {"holds:", "hold:"}, {"steps:", "step:"}} {
			changed := strings.Replace(string(text), c.old, c.new, 1)
			if changed == string(text) {
				continue
			}
			if schema.Validate(asJSON(t, []byte(changed))) == nil {
				t.Errorf("%s: %q passes", file, c.new)
			}
			if _, _, ds := ReadModel(file, []byte(changed)); ds.Errors() == 0 {
				t.Errorf("%s: the reader lets %q pass", file, c.new)
			}
		}
	}
}

// What the schema refuses, the reader refuses too; and it refuses what an editor should mark.
func TestRequirementsSchemaRefuses(t *testing.T) {
	schema := compileSchema(t, RequirementsSchema())
	whole := string(Starter())
	if err := schema.Validate(asJSON(t, []byte(whole))); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new string }{
		{"tablewright: 1", "tabelwright: 1"},
		{"identity:", "identify:"},
		{"rate: {average:", "rate: {mean:"},
		{"count: ", "count: many "},
		{"peak: ", "peak: often "},
		{"given: [", "given: {a: "},
	} {
		if !strings.Contains(whole, c.old) {
			t.Fatalf("the starter file has no %q", c.old)
		}
		changed := strings.Replace(whole, c.old, c.new, 1)
		if c.new[len(c.new)-3:] == "a: " {
			changed = strings.Replace(whole, "given: [", "given: {a: [", 1)
			i := strings.Index(changed, "given: {a: [")
			j := strings.Index(changed[i:], "]")
			changed = changed[:i+j+1] + "}" + changed[i+j+1:]
		}
		if schema.Validate(asJSON(t, []byte(changed))) == nil {
			t.Errorf("%q passes", c.new)
		}
		if _, _, ds := ReadRequirements("starter.yaml", []byte(changed)); ds.Errors() == 0 {
			t.Errorf("the reader lets %q pass", c.new)
		}
	}
}

// Every key says what it is, and its example is accepted by its own schema.
func TestSchemaDescribesEveryKey(t *testing.T) {
	var doc struct {
		Defs map[string]struct {
			Properties map[string]json.RawMessage
			AnyOf      []struct{ Properties map[string]json.RawMessage }
		} `json:"$defs"`
		Properties map[string]json.RawMessage
	}
	if err := json.Unmarshal(RequirementsSchema(), &doc); err != nil {
		t.Fatal(err)
	}
	check := func(where string, properties map[string]json.RawMessage) {
		for name, p := range properties {
			var s struct {
				Description string
				Examples    []any
			}
			if err := json.Unmarshal(p, &s); err != nil {
				t.Fatal(err)
			}
			if s.Description == "" {
				t.Errorf("%s.%s has no description", where, name)
			}
			if len(s.Examples) == 0 {
				continue
			}
			var whole map[string]any
			if err := json.Unmarshal(RequirementsSchema(), &whole); err != nil {
				t.Fatal(err)
			}
			var property any
			if err := json.Unmarshal(p, &property); err != nil {
				t.Fatal(err)
			}
			text, err := json.Marshal(map[string]any{"$schema": whole["$schema"], "$defs": whole["$defs"], "allOf": []any{property}})
			if err != nil {
				t.Fatal(err)
			}
			if err := compileSchema(t, text).Validate(s.Examples[0]); err != nil {
				t.Errorf("%s.%s does not accept its own example %v: %v", where, name, s.Examples[0], err)
			}
		}
	}
	check("requirements", doc.Properties)
	for name, d := range doc.Defs {
		check(name, d.Properties)
		for _, a := range d.AnyOf {
			check(name, a.Properties)
		}
	}
	if len(doc.Defs) < 10 {
		t.Errorf("only %d definitions", len(doc.Defs))
	}
}

// The decoder and the schema read the same tags: every field of a document type has a key, and each key once.
func TestDocumentTags(t *testing.T) {
	seen := map[reflect.Type]bool{}
	var walk func(reflect.Type)
	walk = func(r reflect.Type) {
		for r.Kind() == reflect.Pointer || r.Kind() == reflect.Slice && !isScalar(r) && !is[mapType](r) {
			r = r.Elem()
		}
		switch {
		case isScalar(r):
			return
		case is[mapType](r):
			walk(reflect.Zero(r).Interface().(mapType).value())
			return
		case is[eitherType](r):
			walk(r.Field(0).Type)
			walk(r.Field(1).Type)
			if a, b := accepted(r.Field(0).Type), accepted(r.Field(1).Type); a&b != 0 {
				t.Errorf("%s: both sides accept %s", r, a&b)
			}
			return
		case seen[r]:
			return
		}
		seen[r] = true
		keys := map[string]bool{}
		for f := range r.Fields() {
			tag := tagOf(f)
			if tag.name == "" || keys[tag.name] || tag.about == "" {
				t.Errorf("%s.%s: key %q, about %q", r, f.Name, tag.name, tag.about)
			}
			keys[tag.name] = true
			walk(f.Type)
		}
	}
	walk(reflect.TypeFor[requirementsDoc]())
	if len(seen) < 10 {
		t.Errorf("only %d types", len(seen))
	}
}
