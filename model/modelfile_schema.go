package model

import "reflect"

// ModelSchema is the JSON Schema (draft 2020-12) of a model file, made from the same Go types that read it.
func ModelSchema() []byte {
	return schemaOf(reflect.TypeFor[modelDoc](), "model", "Tablewright model",
		"A DynamoDB data model: tables, what an item is, and one plan per access pattern.")
}
