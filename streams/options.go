package streams

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/wire"
)

// Options of a consumer. Only Group has to be given.
type Options struct {
	// Group names the consumer: processes that run the same handlers share its checkpoints and divide the shards among
	// them. Two groups on one table each get every change.
	Group string
	// Workers is how many shards' changes this process handles at a time; the changes of one shard are handled one after
	// another. 0: 4.
	Workers int
	// Ahead is of how many shards this process has changes in memory at a time: being read, waiting to fill a batch or for a
	// worker. Each is up to Batch of them. The other shards wait with reading. 0: 16 times Workers.
	Ahead int
	// Start is where a new group begins; a group that has begun goes on where it was. The zero Start is Oldest.
	Start Start
	// Leases is the table with checkpoints and leases: any table whose key is two texts. Beside other items it takes the
	// partition keys that begin with "streams#" and "seen#". Nil: LeaseTable.
	Leases *tablewright.Table
	// Create makes the table of Leases if it is not there.
	Create bool

	// Batch is how many changes are handled before the checkpoint is written, at most 1000. 0: 100.
	Batch int
	// Wait is how long to wait until a batch is full. 0: what is there is handled at once.
	Wait time.Duration
	// Poll is how long to wait when there is nothing new in a shard. The service takes five reads of a shard in a second
	// (docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_streams_GetRecords.html). 0: half a second.
	Poll time.Duration

	// Retry is how often and how fast a handler that fails is called again.
	Retry Retry
	// Poison takes a change that a handler could not handle in all its attempts, with its last error, in DynamoDB's own
	// attributes: to keep it somewhere and go on, return nil. An error ends Run. Nil: the first such change ends Run, with
	// a *PoisonError, and stands in the way until it can be handled.
	Poison func(ctx context.Context, c Change[attr.Item], err error) error
	// Lost is told of changes that the service has removed before they were read: it keeps them for 24 hours. To go on
	// without them, return nil. Nil: Run ends with the *Loss.
	Lost func(ctx context.Context, l *Loss) error

	// Lease is how long a worker that does not answer keeps its shards: then others take them, and its handlers' contexts
	// have ended a tenth before that. 0: 15 s; not below a second.
	Lease time.Duration
	// Discover is how often to look for shards that nobody told of; the children of a shard that ended are looked for at
	// once. 0: 10 s.
	Discover time.Duration
	// Grace is how long handlers may go on after ctx ended, before their own contexts end. 0: 30 s.
	Grace time.Duration
	// Drain ends Run, without an error, when everything that was in the stream has been handled, apart from what other
	// workers of the group have leases on: for tests, and for jobs that run now and then. With DynamoDB itself it is a
	// good guess: it may answer that there is nothing where a moment later there is something.
	Drain bool

	// Watch is told how far each shard is.
	Watch *Watch
	// Logger takes what happens to leases and shards, and what went wrong and is tried again. It has no values of items.
	// Nil: nothing is logged.
	Logger *slog.Logger
}

// Start is where a new group begins in a stream.
type Start struct {
	latest bool
	at     time.Time
}

// Oldest begins with the oldest change that the service still has: up to 24 hours back.
func Oldest() Start { return Start{} }

// Latest begins with what is written after the group is made, by the client's clock and with the rest of the second that
// is running: changes are stamped with whole seconds.
func Latest() Start { return Start{latest: true} }

// At begins with the changes of a time, to the second. A time before the oldest change is Oldest.
func At(t time.Time) Start { return Start{at: t} }

// Retry is how a handler that fails is called again: after Wait, then after twice that, up to Longest, each time a random
// part less. Errors that are nobody's fault are tried without end: throttling, conflicts, lost answers and the service's own
// failures, as errors.Is and *wire.Error tell, and what Later wraps.
type Retry struct {
	Attempts int           // for one change; 0: 5
	Wait     time.Duration // 0: 100 ms
	Longest  time.Duration // 0: 10 s
}

// LeaseTable is where checkpoints and leases are kept unless Options.Leases says otherwise. It goes by the DB's TableName,
// as all tables do.
var LeaseTable = tablewright.NewTable(plan.Table{
	Name:       "StreamLeases",
	Key:        plan.Key{Partition: "pk", Sort: "sk"},
	Attributes: map[string]plan.Type{"pk": plan.S, "sk": plan.S},
	TTL:        "expires",
})

// withDefaults checks the options and fills in what is not given.
func (o Options) withDefaults() (Options, error) {
	if o.Group == "" {
		return o, errors.New("streams: Options.Group is not given")
	}
	if o.Batch < 0 || o.Batch > wire.MaxRecords {
		return o, fmt.Errorf("streams: Options.Batch is %d: at most %d records come at a time", o.Batch, wire.MaxRecords)
	}
	if o.Lease != 0 && o.Lease < time.Second {
		return o, fmt.Errorf("streams: Options.Lease is %v, less than a second", o.Lease)
	}
	if o.Leases == nil {
		o.Leases = LeaseTable
	}
	number := func(n *int, usual int) {
		if *n <= 0 {
			*n = usual
		}
	}
	number(&o.Workers, 4)
	number(&o.Ahead, 16*o.Workers)
	number(&o.Batch, 100)
	number(&o.Retry.Attempts, 5)
	span := func(d *time.Duration, usual time.Duration) {
		if *d <= 0 {
			*d = usual
		}
	}
	span(&o.Poll, 500*time.Millisecond)
	span(&o.Lease, 15*time.Second)
	span(&o.Discover, 10*time.Second)
	span(&o.Grace, 30*time.Second)
	span(&o.Retry.Wait, 100*time.Millisecond)
	span(&o.Retry.Longest, 10*time.Second)
	if o.Watch == nil {
		o.Watch = new(Watch)
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o, nil
}
