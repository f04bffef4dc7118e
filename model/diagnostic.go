package model

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Severity says what a diagnostic does to the result.
type Severity string

// An error leaves nothing to go on with. A warning says that a result can be had, and what is doubtful about it.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
)

// Range is a place on one line of a file. Lines and columns count from 1, columns in characters; the end is the column
// after the last character.
type Range struct {
	Line      int `json:"line"`
	Column    int `json:"column"`
	EndColumn int `json:"endColumn"`
}

// Diagnostic is one finding in a document.
type Diagnostic struct {
	File string `json:"file"`
	Range
	Severity Severity `json:"severity"`
	Code     string   `json:"code"`             // stable: see Codes
	Of       string   `json:"of,omitempty"`     // what it is about: an entity, Entity.attribute or a pattern
	Message  string   `json:"message"`          // what is wrong
	Remedy   string   `json:"remedy,omitempty"` // what to do; of a model's problems "" if that is plain from the message
	Source   string   `json:"source,omitempty"` // the offending line
}

// String is the diagnostic's first line: file:line:column: severity: message (code).
func (d Diagnostic) String() string {
	return fmt.Sprintf("%s:%d:%d: %s: %s (%s)", d.File, d.Line, d.Column, d.Severity, d.Message, d.Code)
}

// Text is the diagnostic for people: its first line, the offending line with a mark, and the remedy.
func (d Diagnostic) Text() string {
	var b strings.Builder
	b.WriteString(d.String())
	b.WriteByte('\n')
	if d.Source != "" && d.Column > 0 {
		line := []rune(d.Source)
		fmt.Fprintf(&b, "%5d | %s\n      | ", d.Line, d.Source)
		for i := 0; i < d.Column-1; i++ {
			if i < len(line) && line[i] == '\t' {
				b.WriteByte('\t')
			} else {
				b.WriteByte(' ')
			}
		}
		b.WriteByte('^')
		b.WriteString(strings.Repeat("~", max(0, min(d.EndColumn, len(line)+1)-d.Column-1)))
		b.WriteByte('\n')
	}
	if d.Remedy != "" {
		fmt.Fprintf(&b, "      = %s\n", d.Remedy)
	}
	return b.String()
}

// Diagnostics are all findings in a document, in the order of their places.
type Diagnostics []Diagnostic

// Errors counts those of severity Error.
func (ds Diagnostics) Errors() int {
	n := 0
	for _, d := range ds {
		if d.Severity == Error {
			n++
		}
	}
	return n
}

// Warnings counts those of severity Warning.
func (ds Diagnostics) Warnings() int { return len(ds) - ds.Errors() }

// Err is nil if there are no errors, else an error that names the first and says how many more there are.
func (ds Diagnostics) Err() error {
	n := ds.Errors()
	for _, d := range ds {
		switch {
		case d.Severity != Error:
		case n == 1:
			return fmt.Errorf("%s", d)
		default:
			return fmt.Errorf("%s, and %d more", d, n-1)
		}
	}
	return nil
}

// WriteText writes all diagnostics for people, with an empty line between two.
func (ds Diagnostics) WriteText(w io.Writer) error {
	for i, d := range ds {
		text := d.Text()
		if i > 0 {
			text = "\n" + text
		}
		if _, err := io.WriteString(w, text); err != nil {
			return err
		}
	}
	return nil
}

// WriteJSON writes all diagnostics as a JSON array of objects, one to a line; an empty array if there are none.
func (ds Diagnostics) WriteJSON(w io.Writer) error {
	var b strings.Builder
	b.WriteByte('[')
	for i, d := range ds {
		line, err := json.Marshal(d)
		if err != nil {
			return err
		}
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n  ")
		b.Write(line)
	}
	if len(ds) > 0 {
		b.WriteByte('\n')
	}
	b.WriteString("]\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// Sorted brings diagnostics into the order of their places and drops repetitions.
func (ds Diagnostics) Sorted() Diagnostics {
	slices.SortStableFunc(ds, func(a, b Diagnostic) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column),
			cmp.Compare(a.Severity, b.Severity), cmp.Compare(a.Code, b.Code))
	})
	if len(ds) == 0 {
		return nil
	}
	return slices.Compact(ds)
}
