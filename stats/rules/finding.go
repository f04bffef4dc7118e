package rules

import (
	"time"

	"github.com/tablewright/tablewright/capacity"
)

// Finding is a claim about a running program that can be checked: what was seen, what to change, and what that saves.
type Finding struct {
	Rule     string   `json:"rule"`           // ID of the rule; of several that say the same of one cause, the one that says most
	Also     []string `json:"also,omitempty"` // the others
	Severity Severity `json:"severity"`
	Category Category `json:"category"`

	Title string `json:"title"` // the finding in one sentence, with its main figure
	Table string `json:"table,omitempty"`
	Index string `json:"index,omitempty"` // "": the table
	Key   string `json:"key,omitempty"`   // the partition key or item that it is about, as in stats.Key; "" if none, or keys are hashed

	// Cause names what is behind it, the same whenever it is found again, without figures: findings of one cause are one. A
	// rule that another one may agree with uses the same: see causes.go.
	Cause string `json:"cause"`

	Evidence   []Evidence     `json:"evidence"` // the figures that made the rule fire, the decisive one first
	Remedy     Remedy         `json:"remedy"`
	Saving     *Saving        `json:"saving,omitempty"`     // nil: none is claimed
	Faster     *Faster        `json:"faster,omitempty"`     // nil: latency is not the point
	Operations []OperationRef `json:"operations,omitempty"` // affected, from the most calls to the least
	Patterns   []string       `json:"patterns,omitempty"`   // affected access patterns, in order
	Calls      float64        `json:"calls"`                // affected calls per second, on average

	// Confidence is how likely the remedy is right, 0 to 1, and Because what speaks against more.
	Confidence float64 `json:"confidence"`
	Because    string  `json:"because,omitempty"`

	replaces string // the Cause of findings about what the remedy does away with
}

// OperationRef is an operation on a table or index by an access pattern.
type OperationRef struct {
	Operation string `json:"operation"`
	Table     string `json:"table,omitempty"`
	Index     string `json:"index,omitempty"`
	Pattern   string `json:"pattern,omitempty"`
}

// Evidence is a figure that was measured.
type Evidence struct {
	What  string  `json:"what"` // "read units of one key in its busiest minute, per second"
	Value float64 `json:"value"`
	Unit  string  `json:"unit,omitempty"` // read units/s, %, B, calls, … as one reads it
	// Limit is what it is compared with, a threshold or a limit of DynamoDB; 0: nothing. Source says which.
	Limit  float64 `json:"limit,omitempty"`
	Source string  `json:"source,omitempty"` // Thresholds.HotKey, or a page of the developer guide
}

// Remedy is what to change, in the user's own terms.
type Remedy struct {
	Text     string    `json:"text"` // sentences: what, and what it means for patterns and data that are there
	Snippets []Snippet `json:"snippets,omitempty"`
	Ease     Ease      `json:"ease"`
}

// Snippet is a piece of code or of a document to put in place.
type Snippet struct {
	Kind string `json:"kind"` // go, requirements, model, terraform, aws (a command line)
	Text string `json:"text"`
}

// Ease is how much work a remedy is.
type Ease int

// The eases, from the most work: changing keys means to move all data, an index is built while the program runs, a line of code
// is a line of code, and a setting needs no deployment.
const (
	Migration Ease = iota + 1
	NewIndex
	Code
	Setting
)

// Saving is what a remedy changes of the monthly bill, at the traffic that was seen. All three are computed with package
// capacity; what applying the remedy and replaying the same traffic consumes is within 10 % of it.
type Saving struct {
	Before capacity.Money // a month of what the remedy changes, now
	After  capacity.Money // the same with the remedy, with what the remedy itself costs
	Remedy capacity.Money // of After, what the remedy adds: writes and storage of an index, say

	// The same in units per second, for who replays: of reads and writes, of all tables and indexes that change.
	ReadBefore, ReadAfter   float64
	WriteBefore, WriteAfter float64

	Assumes string // what is taken for granted, in a sentence; "" if nothing
}

// Monthly is what is saved a month.
func (s *Saving) Monthly() capacity.Money {
	if s == nil {
		return 0
	}
	return s.Before - s.After
}

// Faster is the effect on who waits.
type Faster struct {
	Before     time.Duration `json:"before"` // of the whole that one caller does; nanoseconds
	After      time.Duration `json:"after"`
	RoundTrips float64       `json:"roundTrips"` // saved per second
}
