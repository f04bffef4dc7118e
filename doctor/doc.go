// Package doctor examines an application on DynamoDB: it holds what was promised against what was measured, looks at tables and
// samples of items, and has the rules of package stats/rules tell what to change.
//
//	report := doctor.Compare(program, snapshot, nil)   // a plan.Program and a stats.Snapshot
//	for _, p := range report.Patterns {
//		fmt.Println(p.Name, p.Average.Measured, p.Average.Is) // calls a second; within, above or below
//	}
//	report.WriteText(os.Stdout)
//
// # Promise against reality
//
// A model is designed and priced for figures: how often each access pattern is called, how many items it reads or writes, how
// large these are, what one call consumes, how hot the hottest key gets. [Compare] finds each of them in the statistics of
// running processes and says which have left their range; [Ranges] is how far a figure may lie from its promise. Patterns that
// run and are in no model, and patterns of the model that nobody calls, are listed. [Comparison.Findings] has the same as
// findings, of the rules that [Rules] lists.
//
// What was promised is what a plan or item of the model states under `promise`; what it does not state is what package cost
// computes from the requirements.
//
// [Update] writes the measured figures into a copy of the requirements, so that the model can be designed again for them.
//
// # Calls of a pattern
//
// Statistics count requests. How often a pattern was called follows from the plan: from the requests of a step that runs once in
// each call, without repetitions, and without those that only go on where the last page ended, unless pages are what the
// pattern's calls are. Where no step of the plan does, or a program serves the pattern by other requests than the plan's, the
// number is that of the request that the pattern sends most, and [Pattern.Estimated] says so.
//
// # Items
//
// [Sampler] fills the part of a [stats.Snapshot] that tells of items (sizes, shapes of values, types) from any source: a file, or a
// scan of a table that reads a part of it ([Sample]), so that rules that look at items have something to look at before any
// statistics are gathered.
package doctor
