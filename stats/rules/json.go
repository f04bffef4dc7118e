package rules

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/tablewright/tablewright/capacity"
)

var severityNames = []string{"", "advice", "warning", "critical"}
var easeNames = []string{"", "migration", "new index", "code", "setting"}

// MarshalText writes "advice", "warning" or "critical", for JSON as well.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (s *Severity) UnmarshalText(text []byte) error {
	i := slices.Index(severityNames, string(text))
	if i < 1 {
		return fmt.Errorf("severity %q: it is advice, warning or critical", text)
	}
	*s = Severity(i)
	return nil
}

// String is "migration", "new index", "code" or "setting".
func (e Ease) String() string {
	if e > 0 && int(e) < len(easeNames) {
		return easeNames[e]
	}
	return "?"
}

// MarshalText writes "migration", "new index", "code" or "setting", for JSON as well.
func (e Ease) MarshalText() ([]byte, error) { return []byte(e.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (e *Ease) UnmarshalText(text []byte) error {
	i := slices.Index(easeNames, string(text))
	if i < 1 {
		return fmt.Errorf("ease %q: it is migration, new index, code or setting", text)
	}
	*e = Ease(i)
	return nil
}

// savingJSON is a Saving with money in dollars, as others read it.
type savingJSON struct {
	Monthly     float64 `json:"monthly"`
	Before      float64 `json:"before"`
	After       float64 `json:"after"`
	Remedy      float64 `json:"remedy,omitempty"`
	ReadBefore  float64 `json:"readBefore"`
	ReadAfter   float64 `json:"readAfter"`
	WriteBefore float64 `json:"writeBefore"`
	WriteAfter  float64 `json:"writeAfter"`
	Assumes     string  `json:"assumes,omitempty"`
}

// MarshalJSON writes money in dollars and units per second; "monthly" is what is saved, as by Monthly.
func (s *Saving) MarshalJSON() ([]byte, error) {
	return json.Marshal(savingJSON{s.Monthly().Dollars(), s.Before.Dollars(), s.After.Dollars(), s.Remedy.Dollars(),
		s.ReadBefore, s.ReadAfter, s.WriteBefore, s.WriteAfter, s.Assumes})
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (s *Saving) UnmarshalJSON(text []byte) error {
	var in savingJSON
	if err := json.Unmarshal(text, &in); err != nil {
		return err
	}
	money := func(dollars float64) capacity.Money { return capacity.MoneyOf(dollars * float64(capacity.Dollar)) }
	*s = Saving{money(in.Before), money(in.After), money(in.Remedy), in.ReadBefore, in.ReadAfter, in.WriteBefore, in.WriteAfter, in.Assumes}
	return nil
}
