// Package prove shows that a data model does what its requirements say, before anything is deployed.
//
// [Run] makes a data set that honours the requirements ([Populate] says how large, and what was cut), through the
// model's own write plans. Then it calls every access pattern many times, with arguments that hit, miss and stand at the
// edges, and holds every answer against an [Oracle] that knows entities and patterns only, never tables or keys:
// contents, order up to ties, each item exactly once over the pages, what writes change in all later reads, refused writes
// that change nothing, several callers who want the same, expiry.
//
// A proof is bounded by work and takes seconds, however many entities are stated: stored states are given when data is made
// (seed.go), what calls look at is kept and indexed (pool.go), and a phase reads so much and no more (work.go).
// Options.Scale makes it larger.
//
// Index entries may lag behind their table, and so may reads of tables that do not ask for consistency: right after a write
// an answer may be stale where the pattern tolerates it, and nowhere else. What calls consume is measured and compared
// with the estimate of package cost, which is computed before any run from the plan and from what calls meet in the oracle's
// data (walk.go). Where the laws of stated figures come to something else, a remark says so beside the verdict. Calls are
// drawn evenly
// over their distributions, and as many are measured as it takes until the verdict is clear, so that it rests on the model
// and not on the seed. A regular write that is refused is tried again at the same size: the mean is one over all calls, not
// over small ones.
//
// The result is [Evidence]: per pattern three verdicts ([Verdicts]: answers, units, heat), and of what failed the first
// counterexample in full, with the requests that were sent.
//
// On a [Simulated] clock, which the engine must share, a proof waits for nothing and gives the same bytes every time.
//
// With Options.Throttle the model is also run at the peak rates of all patterns within DynamoDB's limits ([AtPeak]): tables
// and indexes as provisioned, on demand as warm as they are, and partitions that are divided for heat and size. Keys are
// drawn as the real load would have them, whatever the model was priced with (peak_values.go). What is throttled then is
// told with its key, its reason and the remedy.
//
// Where to start reading: run.go (the phases), session.go (one call and its check), oracle.go, read.go and write.go
// (what is right), population.go (how much data), load.go and seed.go (making it), arguments.go, reads.go and writes.go
// (what calls say), targets.go and scene.go (what writes are about, one action after another, and all together),
// stage.go (making what they need and nothing stored has), elements.go (what their lists hold), compare.go (what
// differs), met.go and walk.go (what calls meet), spread.go and measure.go (what they consume), verdict.go (what is
// said of it), turns.go and replicas.go (how calls meet, and what they may miss), past.go and keeper.go (how old copies
// may be), peak.go, peak_keys.go, peak_values.go and peak_limits.go (what limits let pass at peak).
package prove
