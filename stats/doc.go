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
// writers contend for; and how the items of a table grow, and what their attributes are made of. Of conditions that failed it has how
// many of the errors that the client made of them somebody asked what they are. Episodes are what several calls
// did together: gets that one batch could be, puts that undo what others wrote, pages whose cursor nobody took. Snapshots of many processes become one with Merge; they are written
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
// Episodes are of callers, which are told apart by their contexts: calls that were given the same context belong to one. A context
// whose calls overlap for as long as it lives, such as context.Background in a server, is nobody's: what follows each other there
// has nothing to do with each other, and only of items that are read twice and then put twice something can be said. As many callers are
// followed as there is room for, some thousand at a time; of more a part by their hashes, as of items, which stands for all: see
// Episode.Seen. Episodes need every call: with Options.Rate below 1 there are none. Where contexts are
// made for single calls, by context.WithTimeout or context.WithValue, as for a span, and by the SDK's client, the caller is who they are
// made from: that is learned from the first hundred calls or so, which count as callers of their own.
//
// Requests that this module's client did not make, such as those of the SDK's client over a DB, do not say what their keys are
// called. Where Options.Tables and no declaration do, it is learned from calls that make or describe tables, if they pass, as is
// what their indexes project, what is provisioned and the time to live (Snapshot.Tables), and from what gets and queries name; of a
// table that is only ever written, and of an index that is not queried, there are no keys then.
//
// A statement of PartiQL is counted under the operation that it is sent as, with what it does in Operation.As, and seen as that from its
// keys to its episodes: as a get where a SELECT names the whole key by = and nothing else, as a query where it names a partition key, else as
// a scan; as a put on the condition that there is no such item, an update or a delete, on the condition of what WHERE asks for beside the key.
// That takes the names of the keys, as above, which a SELECT does not tell. Of a SELECT with a filter the service does not say how many
// items it looked at: Counts.Scanned are those that came back. 2,048 different texts are read, of 1 MB together, in which values written into the text are
// left out; of further ones, and of those that cannot be read, the calls are counted and their units.
//
// Units are what the service reports. Where it does not, because Options.NoUnits and nobody else asks, or because a condition
// failed, which is charged but not told, they are computed with package capacity and counted as such. That is exact for reads by
// key and for whole pages. It is the least possible for writes, since what was stored before is not known, and leaves their
// indexes out; of items that a filter dropped the average size of the others is taken. The units of a batch or transaction are
// shared among its items: of writes a put has what its size takes, what is over is of updates and deletes, and the units of an index
// are shared evenly among what is put there.
//
// # What it costs
//
// Recording a call takes some 220 to 250 ns and allocates nothing, on one core of a server of 2020 (BenchmarkHook), of a batch or
// transaction 600 ns more for each of its parts, and of a write 200 to 600 ns more where its caller is followed, whose request is read
// for conditions and the keys of index entries then. Looking into a call takes a microsecond for each item of a quarter of a kilobyte
// that it reads, in proportion for larger ones, and more for one of the sample that has changed (BenchmarkOperations): requests and
// answers are passed once, batches and transactions once more. A statement of PartiQL takes 100 ns more than the operation that does the
// same, one with values in its text 160. Calls of different processors are recorded in different parts of the Collector, which a Snapshot merges, and followed by
// caller and item: callers do not wait for each other.
//
// Memory is bounded whatever passes: a key sketch has Options.Keys × 3/4 keys of some 240 bytes, two of them for each of up to 8
// processors: 11 MB. An Operation takes 5 to 20 KB for each of these, and 1.4 KB for each hour of its traffic. There are at most
// Options.Operations of them. Callers and items that are followed take 4 MB at most, the attributes of sampled items some 2 KB for
// each of 256 items of a table, 4,096 in all, texts of statements 6 MB. The contexts of callers that are followed, a thousand at most, are held until others
// take their place, so that no other context comes to the same address.
//
// # Privacy
//
// Snapshots hold keys of items; of other values hashes, what they look like, and numbers that can be times. What a value looks like
// shows a word only in front of a separator, where three of the sampled items have the same, in whatever case, and a twentieth of them. With
// Options.HashKeys there are no keys, no words, and hashes that cannot be turned back without the secret: without one, a value that
// can be guessed is found by its hash. A Journal holds hashes unless it is asked for keys.
package stats
