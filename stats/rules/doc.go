// Package rules tells what to change about a running program: of what package stats measured, each rule makes findings that
// name the evidence, the remedy and what it saves a month.
//
//	collector := stats.NewCollector(stats.Options{})
//	db, err := tablewright.Connect(ctx, tablewright.Options{Hooks: []tablewright.Hook{tablewright.Statistics(collector)}})
//	adviser := rules.NewAdviser(collector, rules.Options{DB: db})
//	…
//	for _, f := range adviser.Recommendations(Shop) {
//		fmt.Println(f.String()) // warning: Shop.ByStatus was not read for 9 days, and costs $11.96 a month (unused-index)
//	}
//
// # Ways to it
//
// A program asks an [Adviser], which finds nothing out unless it is asked, and answers everybody from what is a minute old at most.
// Adviser.Watch tells a log what is new, once; Adviser.Handler is a page for people and JSON for programs:
//
//	go adviser.Watch(ctx, slog.Default())
//	http.Handle("/debug/tablewright/", adviser.Handler())
//
// [Recommend] does the same with a Snapshot that was exported, or several of different processes that were merged; `tablewright
// doctor` is that as a command. [WriteText] prints findings for people; their JSON has stable names. In tests, package
// tablewrighttest says without any traffic what a reviewer would.
//
// # What a finding is
//
// A claim that can be checked. Evidence are the figures that made the rule fire, each with what it is compared with: a threshold, all
// of which are in stats.Thresholds, or a limit of DynamoDB and the page of the developer guide that has it. Remedy says what to change,
// in code, settings or data, and how much work that is. Saving is computed with package capacity, with what the remedy itself
// costs; nothing is claimed where no unit is saved: a filter and a projection expression save none. Confidence says how likely the
// remedy is right and Because what speaks against it, such as a month that was not seen.
//
// What several rules say of one cause is one finding: that of the rule that says most, which names the others. The order is severity,
// saving, frequency, and how easy the remedy is. Causes are stable, so that a finding can be told from a new one. A title may name a
// partition key, where the collector does not hash them.
//
// # How it is held to the truth
//
// Each rule is tested with traffic on the embedded engine: traces in which its fault is planted, traces that only look like it, and whole
// programs without faults, in one process and several, steady, in spikes, growing and skewed. A saving that is claimed is compared with
// what the engine consumes when the same traffic is played again with the remedy applied, and agrees within a tenth. The page of each
// rule ([Page], and the folder pages) is written from these.
//
// # Where things are
//
// rule.go, finding.go and input.go are the forms; a rule is a file named after it and a line in all.go. figures.go has what all
// rules compute with, causes.go what makes two findings one, recommend.go the order. adviser.go, news.go and handler.go are for
// running programs; text.go and json.go print. Package internal/tracebench plays traces.
package rules
