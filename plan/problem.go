package plan

import "strings"

// Severity of a problem.
type Severity uint8

// Severities. A model with an error must not be used; a warning is worth a look.
const (
	Warning Severity = iota + 1
	Error
)

// String is "warning" or "error".
func (s Severity) String() string {
	if s == Warning {
		return "warning"
	}
	return "error"
}

// Problem is something wrong with a model, with the place in the document that says it.
type Problem struct {
	Severity Severity
	Code     string   // stable, in lower case with dashes: see the list in codes.go
	Path     []string // keys from the top of the document: ["plans", "placeOrder", "steps", "tx", "transact", "0"]
	Message  string   // what is wrong and why, naming the pattern or item
	Remedy   string   // what to do about it
}

// String is one line: place, severity, message, code and remedy.
func (p Problem) String() string {
	var b strings.Builder
	b.WriteString(strings.Join(p.Path, "."))
	b.WriteString(": " + p.Severity.String() + ": " + p.Message + " (" + p.Code + ")")
	if p.Remedy != "" {
		b.WriteString("; " + p.Remedy)
	}
	return b.String()
}
