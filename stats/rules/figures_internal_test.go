package rules

import (
	"testing"

	"github.com/tablewright/tablewright/stats"
)

// What is done to a table itself is not among what a finding affects: its traffic is.
func TestAffectedOperations(t *testing.T) {
	s := &stats.Snapshot{}
	for _, name := range []string{"CreateTable", "DescribeTable", "UpdateTimeToLive", "PutItem", "Query"} {
		s.Operations = append(s.Operations, &stats.Operation{Operation: name, Table: "Pickups", Pattern: "by" + name, Counts: stats.Counts{Calls: 1}})
	}
	in := &Input{Stats: s}
	var f Finding
	in.affect(&f, s.Operations...)
	if len(f.Operations) != 2 || f.Operations[0].Operation != "PutItem" || f.Operations[1].Operation != "Query" || len(f.Patterns) != 2 {
		t.Errorf("%+v", f)
	}
}
