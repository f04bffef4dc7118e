// Package bulk writes the items of a table to a file and loads a file into a table: as many as there are, with a limit of
// capacity units a second, and from where it stopped when it is run again.
//
//	done, err := bulk.Export(ctx, db, Orders.Scan().Parallel(4).Rate(200), "orders.jsonl.gz", bulk.ExportOptions{})
//
//	f, err := os.Open("orders.jsonl.gz")
//	done, err := bulk.Import(ctx, db, &Orders.Entity, f, bulk.ImportOptions{Rate: 100, State: "orders.state"})
//	for _, r := range done.Refusals {
//		log.Printf("line %d: %v", r.Line, r.Err)
//	}
//
// With an entity the lines are its items: what its type knows is written, and loading computes keys and index attributes and
// checks its schema. With [tablewright.Table.Raw] they are items as they are stored, of all kinds:
//
//	d, err := tablewright.Describe(ctx, db, "Shop") // a table that the program need not declare
//	table := tablewright.NewTable(d.Table).Raw()
//	done, err := bulk.Export(ctx, db, table.Scan().Intended(), "shop.jsonl", bulk.ExportOptions{})
//
// # Formats
//
// [DynamoDBJSON] has on each line {"Item":{"isbn":{"S":"978-0"}}}: what DynamoDB exports to S3 and imports from there
// (docs.aws.amazon.com/amazondynamodb/latest/developerguide/S3DataExport.Output.html, S3DataImport.Format.html), so that
// files go both ways. Loading it also takes a line that is the item without the "Item" around it. [JSON] has on each line
// an object as people write it, {"isbn":"978-0"}: sets are read back as lists and binaries as texts. [CSV] is loaded only:
// attributes are named by the first line, or by Header, and are texts but those that a key or Types says otherwise of, as in
// DynamoDB's own import; an empty field is no attribute. Packed files (gzip) are recognized by their first bytes.
//
// # When it stops
//
// An export goes to FILE.part and becomes FILE when it is complete, readable for its owner only. Its state, in FILE.state,
// is saved every few seconds; Export with the same arguments goes on from there. An export is no moment's picture: it is a scan
// (docs.aws.amazon.com/amazondynamodb/latest/developerguide/Scan.html), and what is written meanwhile may be in it or not.
//
// An import goes on behind the last block that was done as a whole, so that some items are written again, which does no harm:
// a put of the same item leaves the same item. Lines that cannot be written (no item, no key, too large, refused by schema or
// service) are told with their numbers and do not stop it; throttling that outlasts the retry budget, a lost connection or
// a missing permission do. Two lines with one key are written in their order only without Parallel.
//
// # Cost
//
// [EstimateExport] and [EstimateImport] say what it would consume, take and cost, before anything is sent.
package bulk
