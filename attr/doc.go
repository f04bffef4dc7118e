// Package attr holds DynamoDB's attribute values and items: the ten types, exact decimal numbers, their order and
// size, DynamoDB JSON, and the codec between Go structs and items.
package attr
