package generate

import "github.com/tablewright/tablewright/attr"

// Proof is what a proof found, as far as documents tell of it: package prove's evidence as values.
type Proof struct {
	Seed       uint64
	Patterns   []Verdict // in the order of the requirements
	Entities   map[string]int
	Concurrent []Concurrent
	Cuts       []Cut
	Samples    map[string][]Sample // by Table and Table.Index
	Throttled  *Throttled          // nil: not run
}

// Verdict is that on one access pattern.
type Verdict struct {
	Name                string
	Proven              bool
	Cause               string  // why it is not proven
	Remark              string  // which stated figure the proof's data does not have, where that decides what a call consumes; "": none
	Answers             bool    // all were right
	Low, High           float64 // the mean of any number of calls consumes between these, with 95 % confidence; both 0: not known
	Heat                float64 // share of what a partition does, of the hottest key that it reads or writes; 0: not known
	Calls               int
	Aims                map[string]int // calls by what they were to hit
	Refused             map[string]int // calls by refusal code
	Estimated, Consumed map[string]float64
	Measured            int // calls whose units were measured
}

// Concurrent is a write that several callers attempted at once.
type Concurrent struct {
	Pattern, What      string
	Attempts, Happened int
}

// Cut is a figure of the requirements that the proof's data does not reach.
type Cut struct {
	What         string
	Stated, Used float64
	Because      string
}

// Sample is an item as it lay in a table, or an entry of an index.
type Sample struct {
	Kind string
	Item attr.Item
}

// verdict is it in words; with a cause where it is not proven.
func (v *Verdict) verdict() string {
	switch {
	case v.Proven:
		return "proven"
	case v.Answers:
		return "**answers right, not proven**: " + v.Cause
	}
	return "**not proven**: " + v.Cause
}

func (p *Proof) pattern(name string) *Verdict {
	for i := range p.Patterns {
		if p.Patterns[i].Name == name {
			return &p.Patterns[i]
		}
	}
	return nil
}

// count is how many access patterns are proven.
func (p *Proof) count() (proven, all int) {
	for _, v := range p.Patterns {
		if v.Proven {
			proven++
		}
	}
	return proven, len(p.Patterns)
}
