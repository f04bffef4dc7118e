// Package stats knows what each access pattern of a running program costs: a hook that sees every call, and keeps of it what can
// be told about all of them in bounded memory.
//
//	collector := stats.NewCollector(stats.Options{})
//	db, err := tablewright.Connect(ctx, tablewright.Options{Hooks: []tablewright.Hook{tablewright.Statistics(collector)}})
//	…
//	for _, o := range collector.Of(Shop).Stats().Operations {
//		fmt.Println(o.Pattern, o.Calls, o.Read, time.Duration(o.Took.Quantile(0.99)))
//	}
//
// A program that imports the package is also watched without such a line where the environment variable TABLEWRIGHT_STATS is
// set: see FromEnvironment.
//
// # What is known
//
// A Snapshot has, for every Operation on a table, index and access pattern, counts and sums of units, items, outcomes and
// reasons of throttling; quantiles of latencies and sizes; traffic by minute; and the attributes that are written, read, asked
// for and tested. For every table and index it has what was consumed there, by whatever operation, and how many different
// keys were seen; over all of them, the partition keys and items with the most load, those that are throttled and those that
// writers contend for; and how the items of a table grow. Snapshots of many processes become one with Merge; they are written
// as JSON, for Prometheus, and for OpenTelemetry (package otelstats).
//
// A Journal keeps single calls, from which all that can be computed again. Thresholds are the figures to compare with.
//
// # How exact it is
//
// Counts and sums are exact; with Options.Rate below 1 they are right on average, with a standard error of the square root of
// (1-rate)/(rate × calls). Quantiles are within RelativeError of the exact ones. Numbers of distinct keys have a standard error
// of DistinctError. What is said of a key encloses the truth: between Key.Load and Key.Load + Key.Missed, and a key that is not
// listed has had Keys.Lost at most, itself at most 1.8/Options.Keys of all load: with the default, every key above 1/1,000 of it is
// found. What needs a look into requests and answers (sizes, attributes, kinds of conditions) is of the calls of Options.Detail,
// and stands for all.
//
// Units are what the service reports. Where it does not, because Options.NoUnits and nobody else asks, or because a condition
// failed, which is charged but not told, they are computed with package capacity and counted as such. That is exact for reads by
// key and for whole pages. It is the least possible for writes, since what was stored before is not known, and leaves their
// indexes out; of items that a filter dropped the average size of the others is taken. The units of a batch or transaction are
// the table's; they are shared among its items, those of writes by the size of what is put.
//
// # What it costs
//
// Recording a call takes some 250 ns and allocates nothing, on one core of a server of 2020 (BenchmarkHook); looking into it
// takes a microsecond, more for large answers, as does a batch for each of its items. Calls of different processors are recorded in
// different parts of the Collector, which a Snapshot merges: callers do not wait for each other.
//
// Memory is bounded whatever passes: a key sketch has Options.Keys × 3/4 keys of some 220 bytes, two of them for each of up to 8
// processors: 11 MB. An Operation takes 5 to 20 KB for each of these, and 1.4 KB for each hour of its traffic. There are at most
// Options.Operations of them.
//
// # Privacy
//
// Snapshots hold keys of items, no other values. With Options.HashKeys they hold none: hashes that cannot be turned back
// without the secret. A Journal holds hashes unless it is asked for keys.
package stats
