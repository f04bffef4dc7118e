package rules

import "strings"

// cause names what is behind a finding. Rules that may be about the same thing make it of the same kind and parts: kinds are
// listed here, so that who adds a rule finds those that it must agree with.
func cause(kind string, parts ...string) string { return kind + " " + strings.Join(parts, "/") }

// The kinds of causes, and of what their parts are.
const (
	ofKey       = "key"       // table, index, partition key: its load, whatever told of it
	ofItem      = "item"      // table, item: what happens to a single item
	ofIndex     = "index"     // table, index: that it is there, or what it holds
	ofReads     = "reads"     // table, index, operation, pattern: how a read is done
	ofWrites    = "writes"    // table, operation, pattern: how a write is done; and rows, of those that could be one request
	ofErrors    = "errors"    // table, operation, pattern: what the program does with the errors that calls end with
	ofTable     = "table"     // table, setting: capacity, class, ttl, …
	ofAttribute = "attribute" // table, attribute
	ofProgram   = "program"   // what: nothing of a single table
)
