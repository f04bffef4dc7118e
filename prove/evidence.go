package prove

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/tablewright/tablewright/attr"
)

// Evidence is what a proof found. It is written as proof.json; the same program, requirements and seed give the same
// bytes: it holds no times of day and no run times.
type Evidence struct {
	Tablewright int               `json:"tablewright"` // version of the format
	Application string            `json:"application"`
	Seed        uint64            `json:"seed"`
	Proven      bool              `json:"proven"`
	Staleness   string            `json:"staleness"` // how far reads could lag behind writes
	Entities    map[string]int    `json:"entities"`  // how many of each were stored
	Patterns    []*PatternResult  `json:"patterns"`
	Cuts        []Cut             `json:"cuts"`
	Uniqueness  []ConcurrentCheck `json:"concurrent,omitempty"`
	Peak        []PeakLoad        `json:"peak"`                // what the hottest item and the hottest key of each table and index carry
	Throttled   *Throttled        `json:"throttled,omitempty"` // with Options.Throttle

	// Samples are a few items of each table and index, by Table and Table.Index, as they lay there after the data was
	// made. They are for documents and not part of the file.
	Samples map[string][]Sample `json:"-"`
}

// PatternResult is the verdict on one access pattern.
type PatternResult struct {
	Name     string         `json:"name"`
	Kind     string         `json:"kind"` // read or write
	Proven   bool           `json:"proven"`
	Calls    int            `json:"calls"`
	Aims     map[string]int `json:"aims"`               // calls by what their arguments were to hit: [Aim], [Intent], or when they were made
	Refused  map[string]int `json:"refused,omitempty"`  // of a write: calls by refusal code
	Requests map[string]int `json:"requests,omitempty"` // by DynamoDB operation
	// Units per call by table and index: as estimated on the proof's data before any run, and as consumed by calls with
	// the stated skew. Within 10 % of each other in sum, else the pattern is not proven.
	Estimated map[string]float64 `json:"estimated"`
	Consumed  map[string]float64 `json:"consumed"`
	Measured  int                `json:"measured"` // calls whose consumption was measured
	Verdicts  Verdicts           `json:"verdicts"`
	Failure   *Counterexample    `json:"failure,omitempty"`
}

// Counterexample is the first call of a pattern that went wrong, in full.
type Counterexample struct {
	Cause    string    `json:"cause"`
	Aim      string    `json:"aim"`
	Input    any       `json:"input,omitempty"` // none where all calls together are at fault
	Expected any       `json:"expected,omitempty"`
	Got      any       `json:"got,omitempty"`
	Requests []Request `json:"requests,omitempty"`
}

// Request is one request that a call has sent.
type Request struct {
	Operation string          `json:"operation"`
	Body      json.RawMessage `json:"body"`
}

// PeakLoad is what the hottest key of a table or index, or the hottest item, carries when all patterns are at their peak
// rates. It is computed from the skew, the sizes and the counts of the requirements, not from the proof's data.
type PeakLoad struct {
	Where      string  `json:"where"` // Table or Table.Index
	Of         string  `json:"of"`    // the entity whose instance it is, or the attributes that make the key
	Item       bool    `json:"item"`  // a single item, that no split of its partition helps
	Read       float64 `json:"read"`  // units per second
	Write      float64 `json:"write"`
	Limit      float64 `json:"limit"`                // share used of what one partition can do
	Contention float64 `json:"contention,omitempty"` // share of transactions on it that conflict
}

// ConcurrentCheck is a write that was attempted by several callers at once.
type ConcurrentCheck struct {
	Pattern  string `json:"pattern"`
	What     string `json:"what"`
	Attempts int    `json:"attempts"`
	Happened int    `json:"happened"`
}

// UnitsAlone reports whether nothing keeps the model from being proven but units that differ from the estimate: all answers
// are right, and nothing was throttled that should not have been.
func (e *Evidence) UnitsAlone() bool {
	differ := false
	for _, p := range e.Patterns {
		v := p.Verdicts
		if !v.Answers.Right || v.Heat.Throttled != nil && !v.Heat.Fits {
			return false
		}
		differ = differ || !v.Units.Within
	}
	return differ
}

// Pattern finds the verdict on a pattern; nil if there is none.
func (e *Evidence) Pattern(name string) *PatternResult {
	for _, p := range e.Patterns {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// Count is how many patterns are proven.
func (e *Evidence) Count() (proven, all int) {
	for _, p := range e.Patterns {
		if p.Proven {
			proven++
		}
	}
	return proven, len(e.Patterns)
}

// Write writes the evidence as indented JSON.
func (e *Evidence) Write(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(e)
}

// String is the failure in one line.
func (c *Counterexample) String() string { return fmt.Sprintf("%s (%s call)", c.Cause, c.Aim) }

// plainItem is an item as people read JSON: without types. Sets are lists, binaries base64.
func plainItem(it attr.Item) map[string]any {
	m := make(map[string]any, it.Len())
	for name, v := range it.All() {
		m[name] = plain(v)
	}
	return m
}

func plain(v attr.Value) any {
	switch v.Kind() {
	case attr.KindN:
		return json.Number(v.Str())
	case attr.KindB:
		return v.Bytes()
	case attr.KindBOOL:
		return v.Bool()
	case attr.KindM:
		return plainItem(v.Map())
	case attr.KindL, attr.KindSS, attr.KindNS, attr.KindBS:
		l := make([]any, len(v.Elems()))
		for i, e := range v.Elems() {
			l[i] = plain(e)
		}
		return l
	case attr.KindS:
		return v.Str()
	}
	return nil
}

// shownValue turns what a mismatch holds into what the evidence holds.
func shownValue(v any) any {
	switch v := v.(type) {
	case attr.Item:
		return plainItem(v)
	case attr.Value:
		return plain(v)
	}
	return v
}
