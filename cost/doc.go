// Package cost prices a data model: it walks the plans of a [plan.Program] and computes, from the requirements alone and
// before anything is run, what each access pattern consumes per call ([Estimate]), what a month costs ([Price]), and how
// hot single items and keys get at peak ([Report.Loads]).
//
// All arithmetic of units and money is package capacity's; this package knows which items a plan touches, how many, and
// how large they are. Sizes, results and children are rank laws (package internal/dist), so a figure is the expectation
// of rounded units, never the rounding of an average: 12 items of 90 bytes on average cost more than one block of
// 4,096 bytes now and then.
package cost
