package rules

import (
	"fmt"

	"github.com/tablewright/tablewright/stats"
)

var unitsUnobserved = &Rule{
	ID:       "units-unobserved",
	Title:    "Capacity that nobody asks for",
	Category: Practice,
	Looks:    "At how much of the consumed units the service told, and how much had to be computed from what was sent and received.",
	Fires:    "When half of the units of reads that were answered, or of writes, are computed ones, over Thresholds.FewCalls calls.",
	Rests:    "When only writes whose condition failed are computed, of which the service tells nothing.",
	Sources:  []string{page("CapacityUnitCalculations"), "https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ConsumedCapacity.html"},
	Find:     findUnitsUnobserved,
}

func findUnitsUnobserved(in *Input) []Finding {
	var calls, read, write, computedRead, computedWrite, refused float64
	var unseen []*stats.Operation
	for _, o := range in.Stats.Operations {
		if o.Read+o.Write == 0 {
			continue
		}
		calls += o.Calls
		read += o.Read
		write += o.Write
		computedRead += o.ComputedRead
		// A refused write is about as large as others.
		of := o.ComputedWrite
		if n := o.Outcomes[stats.Refused]; n > 0 {
			of = max(of-o.Write*n/max(o.Outcomes[stats.Done]+n, 1), 0)
			refused += n
		}
		computedWrite += of
		if o.ComputedRead > 0.5*o.Read || of > 0.5*o.Write {
			unseen = append(unseen, o)
		}
	}
	sum, computed := read+write, computedRead+computedWrite
	if calls < in.Thresholds.FewCalls || computed < 0.5*sum || sum == 0 {
		return nil
	}
	f := Finding{
		Severity: Advice, Cause: cause(ofProgram, "units"),
		Title: fmt.Sprintf("%s of the consumed units are computed, not told by the service", percent(computed/sum)),
		Evidence: []Evidence{
			share("units that were computed", computed/sum, 0.5, "https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ConsumedCapacity.html"),
			{What: "units in all", Value: in.perSecond(sum), Unit: "units/s"},
		},
		Remedy: Remedy{
			Text: "Let the collector ask for consumed capacity: leave Options.NoUnits out. It adds some hundred bytes to an answer and no units. Without it writes are taken for the least that " +
				"they can have cost, what they do to indexes is left out, and so are findings about these.",
			Snippets: []Snippet{{"go", "collector := stats.NewCollector(stats.Options{}) // not NoUnits"}, {"go", "TABLEWRIGHT_STATS=… // without units=off"}},
			Ease:     Setting,
		},
		Confidence: 1,
	}
	in.affect(&f, unseen...)
	return []Finding{f}
}
