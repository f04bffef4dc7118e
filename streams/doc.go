// Package streams consumes the changes of a table's items, from DynamoDB Streams: typed, in order, shared by any number of
// processes, and exactly once where that is wanted.
//
//	err := streams.Run(ctx, db, Shop, streams.Options{Group: "mailer", Create: true},
//		streams.On(Orders, func(ctx context.Context, c streams.Change[Order]) error {
//			if c.New == nil { // deleted; c.Old is nil of one that is new
//				return nil
//			}
//			return mail(c.Old, c.New)
//		}))
//
// The table has a stream if it was declared with one: plan.Table{…, Stream: plan.NewAndOld}. Run goes on until ctx ends and
// then returns nil; run it in every process of a service, with the same Group. Create makes the table with the group's
// checkpoints, LeaseTable, at the first start; Options.Leases names another one, also one with other items in it.
//
// # What a handler can rely on
//
// Changes of one item come in the order in which they were made, one at a time, whichever process handles them, also when
// the service divides shards. Each comes at least once: again after a failure, and when a process ended between the change
// and the checkpoint behind it, which is written every Options.Batch changes and whenever there is nothing more.
//
//   - [On] calls a function for each change of a kind of items, [OnBatch] for many, [Else] for those of kinds that have no
//     handler, also undeclared ones, as they are stored.
//   - [OnTx] does the writes that its function answers in one transaction with the checkpoint: exactly once.
//   - [Change.Once] makes a transaction of a handler's own take effect once; Change.ID is a key by which other systems can
//     tell what they have seen.
//   - [Aggregate] keeps counts and sums in other items, exactly once; [Copy] keeps copies of attributes.
//
// A handler's ctx ends when its process loses the shard: what is not done by then is done by another one.
//
// # What goes wrong
//
// A handler that fails is called again, later and later ([Retry]). What is nobody's fault (throttling, conflicts, lost
// answers, what [Later] wraps) is tried without end; after Retry.Attempts other failures the change is poison, and
// Options.Poison decides: it takes the change away, or Run ends with a [PoisonError] and the change stands in the way until
// it can be handled. Without Poison it is the latter: nothing is passed over in silence.
//
// The service keeps changes for 24 hours. A consumer that was away for longer, or is that far behind, learns from
// Options.Lost which stretch of which shard is gone; without it Run ends with the [Loss].
//
// [Watch] tells how far each shard is: its age, what is read and not handled, what fails.
//
// # How shards are shared
//
// Each shard has an item in the table of leases: its checkpoint and the worker that has it. A shard is begun when its
// parent is handled to its end. Workers look every third of Options.Lease: they take what nobody has up to an even share, and
// ask who has two more than they for one, which is handed over between two changes. Who dies keeps its shards for one
// Options.Lease; its own handlers' contexts have ended before that, and a checkpoint of a worker that lost the shard is
// refused, so that two never count for one.
//
// Times of leases are real time as each process measures it: clocks need not agree, and a clock that a test holds does not
// stop them. A stream that was enabled anew is another one; Run goes through the old one to its end first.
//
// # Permissions
//
// On the table's streams: dynamodb:ListStreams, DescribeStream, GetShardIterator, GetRecords. On the table of leases:
// GetItem, PutItem, UpdateItem, DeleteItem, Query, and for Create also CreateTable, DescribeTable, UpdateTimeToLive.
//
// # Reading the source
//
// run.go looks after leases (balance.go divides them, shards.go knows the lineage, lease.go the items), holding.go is one
// shard under a lease, read.go reads it, deliver.go calls handlers, retries and notes checkpoints.
package streams
