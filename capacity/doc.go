// Package capacity is DynamoDB's arithmetic: what an operation consumes, how large an index entry is, what a month of
// it costs, and which limits bind. It is the only place with such arithmetic: an engine that answers ConsumedCapacity,
// an estimate of a design and a recommendation's saving all come from here.
//
// Quantities have types that do not mix: [Bytes], [ReadUnits], [WriteUnits] and [Money].
//
// Start with the operation:
//
//	capacity.Get(size, capacity.Eventual)          // GetItem, and each item of BatchGetItem and TransactGetItems
//	capacity.Query(sum, capacity.Strong)           // one page of Query or Scan: the sizes of all items evaluated
//	capacity.Write(before, after)                  // PutItem, UpdateItem, DeleteItem: the table's arm
//	index.Write(before, after)                     // the same write's arm on one index
//	capacity.Transact(capacity.Write(before, after)) // inside TransactWriteItems: the table's arm doubles, index arms do not
//
// Sizes are what attr's Size methods say. Where only a distribution of sizes is known, the Expect functions give the
// expectation of the rounded units, which is not the rounded units of the expectation: 60 % of items of 600 bytes and
// 40 % of 1,100 average 800 bytes and cost 1.4 units, not 1.
//
// [DefaultPrices] turns units into [Money] per month; [LoadPrices] reads another price file. [Bill] has a month's cost of a
// table by part, with what the free tier would take off apart.
//
// Facts are cited where they stand, by page of the developer guide
// (docs.aws.amazon.com/amazondynamodb/latest/developerguide/NAME.html). What the guide leaves open was measured on AWS;
// testdata/ledger.txt lists those figures with their sources, and a test holds this package to them.
package capacity
