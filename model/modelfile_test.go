package model_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/tablewright/tablewright/model"
	"github.com/tablewright/tablewright/plan"
)

var updateModels = flag.Bool("update-models", false, "rewrite testdata/*.written.yaml")

// Models written and read again are the same, and written again the same bytes.
func TestModelRoundTrip(t *testing.T) {
	for _, file := range []string{"../examples/online-shop.published-model.yaml", "../plan/testdata/forum.model.yaml", "testdata/every-key.model.yaml"} {
		m, _, found, err := model.LoadModel(file)
		if err != nil {
			t.Fatal(err)
		}
		if m == nil {
			t.Fatalf("%s", found)
		}
		text := model.AppendModel(nil, m)
		again, _, found := model.ReadModel("again", text)
		if again == nil {
			t.Fatalf("%s\n%s", text, found)
		}
		if !reflect.DeepEqual(m, again) {
			t.Errorf("%s reads back differently from\n%s", file, text)
		}
		if second := model.AppendModel(nil, again); !bytes.Equal(text, second) {
			t.Errorf("%s is written differently the second time", file)
		}
		golden := filepath.Join("testdata", filepath.Base(file[:len(file)-len(".yaml")])+".written.yaml")
		if *updateModels {
			if err := os.WriteFile(golden, text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(text, want) {
			t.Errorf("%s differs from what is written (rewrite with -update-models)", golden)
		}
		for i, line := range bytes.Split(text, []byte("\n")) {
			if len(line) > 200 {
				t.Errorf("%s:%d is %d bytes long", golden, i+1, len(line))
			}
		}
	}
}

// A model in JSON is the same model.
func TestModelJSON(t *testing.T) {
	text := `{"tablewright": 1, "application": "a", "tables": {"T": {"key": {"partition": "id"}, "attributes": {"id": "S"}, "items": {"X": {}}}},
		"plans": {"p": {"steps": {"g": {"get": "X", "key": ["id"]}}}}}`
	m, _, found := model.ReadModel("m.json", []byte(text))
	if m == nil {
		t.Fatal(found)
	}
	want := &plan.Model{
		Application: "a",
		Tables: []plan.Table{{
			Name: "T", Key: plan.Key{Partition: "id"}, Attributes: map[string]plan.Type{"id": plan.S},
			Items: map[string]plan.Item{"X": {Name: "X", Holds: plan.Holds{Entity: "X"}}},
		}},
		Plans: []plan.Plan{{Name: "p", Steps: map[string]plan.Step{"g": {Get: "X", Key: map[string]string{"id": "$id"}}}}},
	}
	if !reflect.DeepEqual(m, want) {
		t.Errorf("got %+v", m)
	}
}

// The schema is JSON, and describes every key.
func TestModelSchema(t *testing.T) {
	var s map[string]any
	if err := json.Unmarshal(model.ModelSchema(), &s); err != nil {
		t.Fatal(err)
	}
	for _, def := range s["$defs"].(map[string]any) {
		properties, _ := def.(map[string]any)["properties"].(map[string]any)
		for key, p := range properties {
			if d, _ := p.(map[string]any)["description"].(string); d == "" {
				t.Errorf("%s has no description", key)
			}
		}
	}
}

// Texts of all kinds survive being written, in lines and inside braces.
func FuzzModelText(f *testing.F) {
	for _, s := range []string{"o#{orderId}", "a: b", "- x", "no", "~", "x?", ":name", "1_000", "'q'", "a, b", "[x]", "tab\there", "nul\x00", " lead", "é\u2028", "back\\slash \"quote\"", "# c", "a #b", "%", "", "x:", "{", "\u0085", "\ufeff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if s == "" || bytes.ContainsRune([]byte(s), '\ufffd') || !bytes.Equal([]byte(s), bytes.ToValidUTF8([]byte(s), nil)) {
			return
		}
		trimmed := string(bytes.TrimSpace([]byte(s)))
		if trimmed == "" || trimmed != s {
			return // readers trim values
		}
		m := &plan.Model{
			Application: "a",
			Tables:      []plan.Table{{Name: "T", Key: plan.Key{Partition: "id"}, Items: map[string]plan.Item{"X": {Name: "X", Holds: plan.Holds{Entity: "X"}, Key: map[string]string{"id": s}, Set: map[string]plan.Template{"y": {Value: s}}}}}},
			Decisions:   []plan.Decision{{About: s, Because: s + " and " + s, Inputs: []plan.Input{{Name: "n", Value: s}}}},
		}
		text := model.AppendModel(nil, m)
		again, _, found := model.ReadModel("m.yaml", text)
		if again == nil {
			t.Fatalf("%q\n%s\n%s", s, text, found)
		}
		if !reflect.DeepEqual(m.Tables[0].Items, again.Tables[0].Items) || !reflect.DeepEqual(m.Decisions, again.Decisions) {
			t.Fatalf("%q\n%s\n%+v", s, text, again)
		}
	})
}
