package engine

import (
	"cmp"
	"context"
	"strings"
)

// session is the engine as one request sees it: the Region that it is for and what it asks.
type session struct {
	*Engine
	ctx       context.Context // the caller's
	region    string
	operation string

	caller    *caller     // who signed it; nil: nobody had to
	permitted *permitted  // with a caller: what its policies were asked about
	table     string      // the last one looked up, for the log
	requestID string      // of HTTP
	host      string      // the client's name for the endpoint; empty in the same process
	waits     []*Injected // faults that the request has met and is to wait for
}

// Region is the engine's tables in one Region, which know nothing of those in others.
type Region struct {
	engine *Engine
	name   string
}

// In is the engine's tables in a Region, by its name, such as "eu-west-1". With Options.ShareRegions there is only the one
// of Options.Region, whatever name is given.
func (e *Engine) In(region string) *Region { return &Region{e, region} }

// Do is Engine.Do in the Region.
func (r *Region) Do(ctx context.Context, operation string, body []byte) (answer []byte, err error) {
	return r.engine.do(ctx, r.name, operation, body)
}

// tableID is what tells a table from all others: names are of a Region.
type tableID struct{ region, name string }

// compare orders by Region, then by name.
func (t tableID) compare(o tableID) int {
	return cmp.Or(cmp.Compare(t.region, o.region), cmp.Compare(t.name, o.name))
}

// id is the identity of a table in the session's Region.
func (e *session) id(table string) tableID { return tableID{e.region, table} }

// Tests name a table of Options.Region by its name, one of another Region with that before it: "eu-west-1/Books".

// regionTable is what a test's name of a table means.
func (e *Engine) regionTable(name string) (region, table string) {
	if region, table, other := strings.Cut(name, "/"); other {
		return region, table
	}
	return e.options.Region, name
}

// testName is how a test names a table.
func (e *Engine) testName(id tableID) string {
	if id.region == e.options.Region {
		return id.name
	}
	return id.region + "/" + id.name
}
