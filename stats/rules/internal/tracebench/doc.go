// Package tracebench plays traffic on an engine in the same process and watches it as a program is watched: with collectors as
// they are by default, on a clock that moves. Beside them it keeps an account of its own of what the engine really consumed, so
// that what a rule claims can be held to it.
//
// A Trace is a program with a fault planted, or with something that only looks like one:
//
//	tracebench.Trace{
//		Name:   "an index nobody reads",
//		Tables: []plan.Table{shop(byStatus)},
//		Fires:  []string{"unused-index"},
//		Run: func(w *tracebench.World) {
//			id := w.Zipf(1, 500)
//			w.Traffic(8*24*time.Hour, 2_000, tracebench.Daily, func(c *tracebench.Caller) {
//				c.Put("Shop", tracebench.Item{"PK": fmt.Sprint("o#", id()), "status": "placed"}, tracebench.Pattern("placeOrder"))
//			})
//		},
//		Remedied: &tracebench.Remedied{Tables: []plan.Table{shop()}},
//	}
//
// Play makes its tables, runs it and answers a Result: the statistics of all its processes together, and the account. Played again
// as Remedied says, the same random choices at the same times show what the remedy really changes.
//
// # Time
//
// A World's clock moves by World.Traffic and World.Pause, so that a month takes as long as its calls do, some 40 µs each: a trace of a
// thousand calls is a good one. A
// Caller is one request that the program serves: all its calls have one context, and each takes some milliseconds of
// the caller's own time. Many callers may be at work at one moment; one that works for longer than a moment moves the clock.
//
// # Many calls
//
// Times makes a call stand for many alike of other callers: three calls with Times(1_000) are a load that 3,000 callers
// make, in the statistics and in the account. What is decided call by call, as throttling and conditions are, is decided once for all of
// them.
package tracebench
