// Package tablewrighttest is a kit for tests of what uses the client: an engine for each test, in the same process, with the
// tables in it that the program declares.
//
//	func TestPay(t *testing.T) {
//		kit := tablewrighttest.Start(t, Shop)
//		kit.Load(t, "testdata/shop.yaml")
//		if err := Pay(t.Context(), kit.DB, "o1"); err != nil {
//			t.Fatal(err)
//		}
//		if o := tablewrighttest.Has(t, kit, Orders, "o1"); o.Status != Paid {
//			t.Error(o.Status)
//		}
//		kit.Golden(t, "testdata/paid.golden")
//		kit.NoScans(t)
//	}
//
// Start takes microseconds and a table some tens more, so that every test, subtest and parallel test has a database of its
// own; it ends with the test. Nothing is mocked: conditions, transactions, indexes, streams and limits are the engine's,
// which answers as DynamoDB does.
//
// # Time
//
// Kit.Clock stands still until the test moves it, for the engine and the client alike: kit.Clock.Advance(2 * time.Hour), and
// what has expired is gone. Waiting for a retry moves it and takes no real time. Generated identifiers are the same in every
// run.
//
// # Items
//
// [Kit.Load] reads items from files, by table and kind of item, attributes as a person writes them; the keys are computed. A
// raw list has items as they are stored:
//
//	Shop:
//	  Order:
//	    - {orderId: o1, customerId: c1, status: placed, placedAt: 2026-11-21T12:00:00Z, total: 19.90}
//	  raw:
//	    - {PK: {S: legacy#7}, SK: {S: x}}
//
// [Has], [HasNot] and [HasEqual] look at one item. [Kit.Golden] holds all items to a file, which
//
//	go test ./… -update
//
// writes anew, and tells a difference by items and attributes.
//
// # What goes wrong
//
// [Kit.Inject] has requests fail, wait, be throttled, or be done and their answer lost, by operation, table, index and key, so
// many times:
//
//	kit.Inject(tablewrighttest.Fault{Operation: "UpdateItem", Key: tablewrighttest.Key(Orders, "o1"), Times: 1, DropAnswer: true})
//
// The engine can do more: kit.Engine.Hold (a transaction is on an item), HoldIndex (an index lags), SplitShard. A [Script] is
// a transport that has no engine behind it and answers what the test says.
//
// # What was asked
//
// [Kit.Count] tells requests, units and items of an operation, table, index or access pattern; [Kit.Expect] and
// [Kit.NoScans] hold them to what the test wants; [Kit.Reset] forgets what came before.
//
// # What a reviewer would say
//
//	TABLEWRIGHT_REVIEW=1 go test -v ./…
//
// has each test with a Kit end with what a reviewer would say of its requests: scans, filters that throw away most of what was
// read, writes without a condition, pages nobody took the rest of, requests one after another where a batch would do. With
// TABLEWRIGHT_REVIEW=fail they fail the test; Options.Review says the same for one, and [Kit.Review] are the remarks as values.
package tablewrighttest
