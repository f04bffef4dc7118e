// Package invent makes requirements by chance, over the whole language that a requirements file has, to find what no example
// asks of the designer, the pricer and the proof.
//
//	text := invent.Requirements(17, invent.Small)  // the same seed gives the same text, without errors
//	used := invent.Count(requirements)             // which constructs of the language it uses
//	for _, c := range invent.Changes {             // what must hold between two designs
//		changed := c.Apply(1, text)                // nil: there is nothing to change
//	}
//	other := invent.Variant(17, text)              // another application of stated requirements
//	small := invent.Shrink(ctx, text, fails)       // what is left of it while it still fails
//
// Where to start reading: invent.go (an application), entity.go, read.go, write.go and condition.go (its parts), coverage.go (the
// constructs of the language), transform.go (changes), variant.go, shrink.go and repair.go, run_test.go (the run below).
//
// # Running it
//
// The test TestRandom designs what is invented, each case in a process of its own that can be ended, and reports what comes
// out: counts by kind, and of each kind of failure the smallest example. Without flags it runs 80 cases, as far as they fit into
// 30 seconds; with -invent.n, an application that is refused for some of its patterns is looked at again without them.
//
//	go test ./internal/invent -run TestRandom -v -invent.n=1000 -invent.from=1
//
// designs the applications of 1000 seeds from 1 on. Further flags:
//
//	-invent.size=small|large|both  which applications (small)
//	-invent.of='FILES'             variants of the requirements in these files instead
//	-invent.time=20s               how long one design may take before it counts as hanging
//	-invent.relations=false        only design: no changes of the requirements
//	-invent.prove                  also prove each designed model in six times that time, and report verdicts and the ratio of
//	                               estimated to consumed units
//	-invent.shrink                 shrink the smallest example of each kind of failure, for ten minutes each at most
//	-invent.only=panic             look only at failures whose kind or text contains this
//	-invent.out=DIR                write the example of each kind of failure to a file
//	-invent.workers=2              so many processes at once (1)
//
// Variants of what people have stated find other failures than what is drawn by chance:
//
//	go test ./internal/invent -run TestRandom -v -invent.n=300 -invent.prove -invent.relations=false -invent.of='../../design/testdata/workloads/*.yaml'
//
// What was found and mended is in testdata/found, which TestFound designs and proves.
//
// What a proof says of a condition on constants that nothing stored meets, and of values that nobody has together, is
// no failure of what was invented by chance: the report counts such statements apart.
//
// To look at one case: -invent.n=1 -invent.from=SEED -invent.shrink.
package invent
