// Package cache keeps what was read of DynamoDB near the program: a hook that answers eventually consistent reads of single
// items from memory, joins equal reads under way into one, remembers what is not there, and forgets what is written.
//
//	near, err := cache.New(cache.Options{TTL: time.Minute, Tables: []string{"Products"}})
//	db, err := tablewright.Connect(ctx, tablewright.Options{Hooks: []tablewright.Hook{near.Hook}})
//
// Nothing else of the program changes. What a read costs where it is answered from here is nothing: no request, no units.
//
// # What is kept
//
// GetItem without ConsistentRead, with its projection. A read that asks for consistency always goes to the service. With
// Options.Queries also pages of queries of a table, not of its indexes. Batches, transactions and scans pass by.
//
// # What is forgotten
//
// Every write of this program to a table, of whatever kind, makes all be forgotten that was read under the partition keys it
// writes, also by reads that are on their way: what they bring is handed over, but not kept. Since an eventually consistent
// read may bring the state before a write for some time after it (docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.ReadConsistency.html:
// usually within one second), a key is not kept again before Options.Settle has passed. A statement of PartiQL that writes, and
// an operation on a table, empty it for all of the table.
//
// Writes of other programs are seen when Options.TTL is over, or when a stream's consumer calls Drop.
package cache
