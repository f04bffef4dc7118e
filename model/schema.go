package model

import (
	"encoding/json"
	"reflect"
	"strings"

	"go.yaml.in/yaml/v3"
)

// RequirementsSchema is the JSON Schema (draft 2020-12) of a requirements file, made from the same Go types that read
// it, so that editors complete and check what the program accepts. The schema knows keys, kinds and the forms of single
// values; names, types and figures are for [ReadRequirements] to check.
func RequirementsSchema() []byte {
	return schemaOf(reflect.TypeFor[requirementsDoc](), "requirements", "Tablewright requirements",
		"What an application needs of its data: entities, relationships and access patterns.")
}

// schemaOf makes the schema of a document type.
func schemaOf(t reflect.Type, name, title, description string) []byte {
	g := &schemaMaker{defs: map[string]*schemaNode{}}
	root := g.structure(t)
	root.Schema = "https://json-schema.org/draft/2020-12/schema"
	root.ID = "urn:tablewright:" + name + ":1"
	root.Title, root.Description = title, description
	root.Defs = g.defs
	text, err := json.MarshalIndent(root, "", "  ")
	if err != nil {
		panic("model: " + err.Error()) // plain data
	}
	return append(text, '\n')
}

// schemaNode is one schema, as far as documents need it. Maps print with sorted keys.
type schemaNode struct {
	Schema               string                 `json:"$schema,omitempty"`
	ID                   string                 `json:"$id,omitempty"`
	Ref                  string                 `json:"$ref,omitempty"`
	Title                string                 `json:"title,omitempty"`
	Description          string                 `json:"description,omitempty"`
	Type                 any                    `json:"type,omitempty"`
	Enum                 []string               `json:"enum,omitempty"`
	Pattern              string                 `json:"pattern,omitempty"`
	Examples             []any                  `json:"examples,omitempty"`
	Properties           map[string]*schemaNode `json:"properties,omitempty"`
	Required             []string               `json:"required,omitempty"`
	AdditionalProperties any                    `json:"additionalProperties,omitempty"`
	PropertyNames        *schemaNode            `json:"propertyNames,omitempty"`
	Items                *schemaNode            `json:"items,omitempty"`
	AnyOf                []*schemaNode          `json:"anyOf,omitempty"`
	Defs                 map[string]*schemaNode `json:"$defs,omitempty"`
}

type schemaMaker struct{ defs map[string]*schemaNode }

// of is the schema of what a type accepts: the counterpart of findings.value.
func (g *schemaMaker) of(t reflect.Type, tag fieldTag) *schemaNode {
	switch {
	case t.Kind() == reflect.Pointer:
		return g.of(t.Elem(), tag)
	case isScalar(t):
		return g.scalar(t, tag)
	case is[severalType](t):
		return &schemaNode{AnyOf: []*schemaNode{g.of(t.Elem(), tag), {Type: "array", Items: g.of(t.Elem(), tag)}}}
	case is[mapType](t):
		value := reflect.Zero(t).Interface().(mapType).value()
		m := &schemaNode{Type: "object", AdditionalProperties: g.of(value, fieldTag{words: tag.words})}
		if is[pathMapType](t) {
			return &schemaNode{AnyOf: []*schemaNode{m, {Type: "array", Items: &schemaNode{Type: "string"}}}}
		}
		return m
	case is[eitherType](t):
		return &schemaNode{AnyOf: []*schemaNode{g.of(t.Field(0).Type, tag), g.of(t.Field(1).Type, tag)}}
	case t.Kind() == reflect.Slice:
		return &schemaNode{Type: "array", Items: g.of(t.Elem(), tag)}
	}
	name := strings.TrimSuffix(t.Name(), "Doc")
	if _, ok := g.defs[name]; !ok {
		g.defs[name] = &schemaNode{} // a type may hold itself
		s := g.structure(t)
		if o, ok := obvious(t); ok {
			s = &schemaNode{AnyOf: []*schemaNode{g.of(o.Type, tagOf(o)), s}}
		}
		*g.defs[name] = *s
	}
	return &schemaNode{Ref: "#/$defs/" + name}
}

func (g *schemaMaker) structure(t reflect.Type) *schemaNode {
	s := &schemaNode{Type: "object", Properties: map[string]*schemaNode{}, AdditionalProperties: false}
	for f := range t.Fields() {
		tag := tagOf(f)
		property := g.of(f.Type, tag)
		if property.Ref != "" || property.Description != "" { // what stands beside $ref would be read as another schema's
			property = &schemaNode{AnyOf: []*schemaNode{property}}
		}
		property.Description = tag.about
		if tag.example != "" {
			var example any
			if err := yaml.Unmarshal([]byte(tag.example), &example); err != nil {
				panic("model: the example of " + tag.name + " is not YAML: " + err.Error())
			}
			property.Examples = []any{example}
		}
		if s.Properties[tag.name] = property; tag.required || tag.needed {
			s.Required = append(s.Required, tag.name)
		}
	}
	return s
}

// described is implemented by the kinds of single values: a pattern, "" if that would say too little, and what it is.
type described interface {
	describe() (pattern, description string)
}

// scalar is the schema of a single value. YAML reads 350 and true as other types than text: all are welcome where their
// text is.
func (g *schemaMaker) scalar(t reflect.Type, tag fieldTag) *schemaNode {
	if d, ok := reflect.Zero(t).Interface().(described); ok {
		pattern, description := d.describe()
		return &schemaNode{Type: []string{"string", "number", "boolean"}, Pattern: pattern, Description: description}
	}
	switch t.Kind() {
	case reflect.Bool:
		return &schemaNode{Type: "boolean"}
	case reflect.Int, reflect.Float64:
		return &schemaNode{Type: []string{"number", "string"}, Pattern: "^" + numberPattern + "$"}
	}
	if len(tag.words) > 0 {
		return &schemaNode{Enum: tag.words}
	}
	return &schemaNode{Type: []string{"string", "number", "boolean"}}
}
