// Package cost prices a data model: it walks the plans of a [plan.Program] and computes, from the requirements alone and
// before anything is run, what each access pattern consumes per call ([Estimate]), what a month costs and what is stored
// ([Price]), how hot single items and keys get at peak ([Report.Loads]), and which limits come near ([Report.Findings]).
//
//	report := cost.Price(program, nil)          // nil: the embedded prices of us-east-1
//	report.Total()                              // dollars a month at average rates, free tier not deducted
//	report.Pattern("placeOrder").Write          // map[Orders:4.03 Orders.ByCustomer:1.00 …] units per call
//	report.Place("Orders.ByCustomer").Stored    // bytes, as billed
//	report.Findings()                           // what exceeds or approaches a limit at peak
//
// All arithmetic of units and money is package capacity's; this package knows which items a plan touches, how many, and
// how large they are. Sizes, results and children are rank laws (package internal/dist), so a figure is the expectation
// of rounded units, never the rounding of an average: 12 items of 273 bytes are one block of 4,096 bytes, but where a few
// parents have 40 of them, a query costs 0.52 units on average, not 0.5.
//
// # What is assumed
//
// Requirements state averages and maxima; package workload says what they mean, and how many, how often and how hot follows
// from them. What plans leave open is assumed alike everywhere:
//
//   - Rank 1 of an entity is the largest in all of its quantities: the order with most items has most shipments as well.
//     Which shipment has most items of its own says nothing about whose shipment it is.
//   - A range of keys in front of a filter holds what the pattern's results say, divided by the share that the filter leaves;
//     where nobody states that share it is half, and [Report.Findings] says so.
//   - What ends when enough have been found, a page or a top, evaluates as many as it takes by chance, in steps of `evaluate`
//     or of 1 MB. Pages of one answer are read equally often.
//   - An update that only writes the state an item is in already consumes its table's arm, and no arm of an index.
//   - Calls succeed. One whose condition fails consumes the same on its table (read-write-operations), and retries of
//     transactions that conflict come on top: see [Load.Contention].
//   - What expires by time to live is deleted free of charge, on the table and on its indexes (howitworks-ttl); until
//     then, up to days later, it is stored and read (ttl-expired-items). Entities' counts are taken as what is stored.
//
// # Inside
//
// figures.go holds what has been computed, bound.go and matches.go what a read binds and how many items it meets, size.go
// and share.go how large they are and which of them have an attribute or an entry. On these stand read.go and write.go, units
// per call, kept.go, what the consumer of a stream does, and on these price.go, money, load.go, heat, and worst.go, the unlucky call.
package cost
