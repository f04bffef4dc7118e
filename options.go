package tablewright

import (
	"context"
	"log/slog"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
)

// Options of a DB; the zero value works.
type Options struct {
	AWS      *aws.Config // used instead of AWS's own configuration chain; Connect only
	Region   string      // overrides the chain's; Connect only
	Endpoint string      // such as http://127.0.0.1:8000; overrides the chain's; Connect only
	HTTP     aws.HTTPClient

	StreamsEndpoint string // of DynamoDB Streams, where it is not the one of tables or AWS's; Connect only

	TableName func(declared string) string // the table's name at the service; nil: as declared
	Retry     Retry
	Hooks     []Hook       // the first is outermost
	Logger    *slog.Logger // warns of scans that were not marked as intended; nil: slog.Default()
	Debug     Debug        // logs requests and answers; DebugOff: as TABLEWRIGHT_DEBUG says
	Clock     Clock        // nil: the system's
	IDs       IDs          // nil: made from Clock and crypto/rand

	// CheckReads is called with every item that is read and breaks the rules of its type; see DB.CheckReads. nil: reads are
	// not checked.
	CheckReads func(*BrokenItem) error

	// OwnTexts gives every text and binary of an item that is read memory of its own. Otherwise the texts of a page share a few
	// buffers, which is faster: one text that is kept when its item is long gone keeps up to 8 KB alive, unless it is kept as
	// strings.Clone of it.
	OwnTexts bool

	CursorKey []byte // seals cursors, so that a caller can neither read nor forge one; nil: they are readable and checked only against mistakes
}

// Retry is one budget for a whole call: repeated requests, the unprocessed items of a batch and conflicts of transactions
// draw on it together. It is counted anew after progress: a page received, a part of a batch done.
//
// After a lost answer, when a request may have been carried out, it is repeated only if that does no harm. It does none to
// a read, to a put, to a delete, to an update that sets and removes attributes, to whatever demands the version that it
// found, and to a transaction, which has a token. Others end with ErrUnknownOutcome: an update that counts or appends, one
// of an entity with a version that does not demand it (a Version.Equals(v) among its conditions does), and whatever is to
// answer the item before. In a transaction of one action, at twice the price, each of them is repeated.
//
// A repeat whose condition fails has perhaps met what the first try wrote: that is ErrUnknownOutcome and
// ErrConditionFailed, but neither ErrStale nor ErrExists nor the error given with Else. Refused has the stored item then.
type Retry struct {
	Attempts int           // tries of one request, the first included; 0: 10, 1: no repetition
	Budget   time.Duration // time spent in failed tries and waiting; 0: 5 s

	// Adaptive slows the whole DB down when the service throttles, reads and writes of each table apart, and comes back as
	// far as it is let: for jobs that share a table with others. Without it each call waits and tries again for itself. The
	// time that a request is held back draws on the Budget; one whose turn would come after it is ErrThrottled, unsent.
	Adaptive bool
}

// Clock tells the time. One that also has Sleep(context.Context, time.Duration) error decides how waiting passes.
type Clock interface{ Now() time.Time }

type sleeper interface {
	Sleep(ctx context.Context, d time.Duration) error
}

type systemClock struct{}

func (systemClock) Now() time.Time { return time.Now() }

func (systemClock) Sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
