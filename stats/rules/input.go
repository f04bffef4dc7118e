package rules

import (
	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/stats"
)

// Input is what rules look at. Only Stats is needed; what is not known makes the rules that need it rest.
type Input struct {
	Stats *stats.Snapshot
	// Tables are what is known of tables beside their statistics; of those that are missing the declarations are in Stats, if its Collector
	// knew them.
	Tables []*Table
	// Prices are those of the tables' Region. Nil: the embedded ones, us-east-1.
	Prices *capacity.Prices
	// Thresholds are what is compared with. Figures that are 0 are those of Stats.
	Thresholds stats.Thresholds
}

// Table is what is known of a table beside its statistics.
type Table struct {
	// Declared is what the program declares. Of a table that was asked for at the service it is what stands there.
	Declared plan.Table
	// TTLUnknown says that Declared does not tell whether the table has a time to live.
	TTLUnknown bool
	// Live is the table as it is at the service; nil if nobody asked.
	Live *tablewright.Description
}
