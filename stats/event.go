package stats

import (
	"context"
	"errors"
	"time"

	"github.com/tablewright/tablewright/wire"
)

// Event is one call as a Collector records it: what its hook saw, or what a Journal kept. Everything that a Collector tells
// is computed from these.
type Event struct {
	Start int64         // nanoseconds since 1970
	Took  time.Duration // of this try

	Operation, Table, Index, Pattern string // as in tablewright.Call; of a statement those that it names
	// As is, of statements of PartiQL, the operation that does the same: see Operation.As.
	As string

	Partition KeyID // the partition key, of the index if one was asked
	Item      KeyID // the whole key of the one item that is read or written

	// Caller is the same number for calls that were given the same context, as those of one request usually are: 1 of
	// context.Background, 0 where it is not known.
	Caller         uint64
	Attempt        int // from 1
	Items, Scanned int // returned, and looked at
	Sent, Received int // bytes of JSON

	Read, Write float64 // units of all arms
	Arms        []Arm   // by table and index; empty where units were computed, and are the table's, or the index's that was read
	Units       Source

	Outcome     Outcome
	Throttling  []Throttle
	Refused     int  // conditions that did not hold
	Unprocessed int  // parts of a batch that the service left
	More        bool // the answer is a page that is not the last
	Resumed     bool // goes on where a page ended

	Weight float64 // how many calls this one stands for, because others were not looked at; at least 1

	Asks    Asks     // what the request asks for; see Detail.Asks. Of calls without Detail as far as episodes need it
	Entries []uint64 // hashes of the partition keys of global indexes under which the item lies that was put or updated, where episodes need it

	Parts  []Part  // of a batch or transaction
	Detail *Detail // nil where it was not looked at
}

// KeyID is one key: its hash, and what it is unless keys are hashed.
type KeyID struct {
	Hash uint64 // 0: there is none
	Text []byte // DynamoDB JSON
}

// Arm is what one table or index consumed.
type Arm struct {
	Table string  `json:"table"`
	Index string  `json:"index,omitempty"`
	Read  float64 `json:"read"` // units
	Write float64 `json:"write"`
}

// Throttle is a reason why a call was throttled, such as TableReadKeyRangeThroughputExceeded, and of which table or index;
// both are empty where the service told none (docs.aws.amazon.com/amazondynamodb/latest/developerguide/throttling-diagnosing.html).
type Throttle struct{ Reason, Resource string }

// Part is an item of a batch or transaction, or an index entry of a write. Its units are its share of the call's.
type Part struct {
	Action      string // Get, Put, Update, Delete, ConditionCheck; "" of an index entry
	Table       string
	Index       string // of an index entry
	Partition   KeyID
	Item        KeyID // zero of an index entry
	Read, Write float64
	Weight      float64 // how many such parts it stands for, where it was seen in a part of the calls only; 0: the call's
}

// Source says where an Event's units are from.
type Source uint8

// The sources of units.
const (
	Unknown  Source = iota // no units: the call failed, or is none that consumes
	Reported               // by the service
	Computed               // by package capacity from what was sent and received: see the package's documentation
)

// Outcome is how a call ended.
type Outcome uint8

// The outcomes of calls.
const (
	Done      Outcome = iota
	Refused           // a condition did not hold, alone or in a transaction
	Conflict          // another transaction worked on the item
	Throttled         // more than the table, index or key may take
	Invalid           // a mistake in the request, a table that is not there, a limit
	Failed            // the service failed
	Lost              // no answer: the connection failed
	Ended             // no answer: the caller's context ended
	outcomes
)

var outcomeNames = [outcomes]string{"done", "refused", "conflict", "throttled", "invalid", "failed", "lost", "ended"}

// String is "done", "refused", "conflict", "throttled", "invalid", "failed", "lost" or "ended".
func (o Outcome) String() string {
	if o < outcomes {
		return outcomeNames[o]
	}
	return "?"
}

// Asks are properties of a request, and of a get how it hangs together with its caller's get before.
type Asks uint16

// What a request may ask for.
const (
	Consistent  Asks = 1 << iota // a strongly consistent read
	Conditional                  // a condition on a write, of any part of a transaction
	Filtered                     // a filter
	Projected                    // some attributes only
	Counted                      // only the number of items
	Limited                      // a number of items to look at
	Tokened                      // a ClientRequestToken
	Returned                     // a write that answers attributes
	GoesOn                       // a read whose next page the client asks for itself if it is wanted: tablewright.Call.GoesOn
	Preceded                     // a get right after another one whose answer was looked into
	Led                          // of those, one that asks for a key which stood in that answer
	Inserted                     // an INSERT, which is a put if there is no such item
)

// Detail is what is in a request and its answer.
type Detail struct {
	Weight     float64 // how many calls it stands for
	Step       float64 // of so many items of the answer one was looked at; 0 is 1
	Asks       Asks
	Sizes      []Size
	Attributes []Attribute
}

func (d *Detail) step() float64 { return max(d.Step, 1) }

// Size is the size of an item that was read or written whole.
type Size struct {
	Table string
	Item  KeyID // zero where it is not known
	Bytes int   // as DynamoDB counts them

	// Content is a hash of the item as it was written down, 0 where the item is none of the sample. Prints are its attributes, in
	// the order of names, where Content is another than the time before.
	Content uint64
	Prints  []SeenPrint
}

// Attribute is a use of a top-level attribute.
type Attribute struct {
	Name  []byte
	Use   Use
	Bytes int // of name and value, where it was written or read
	Count int // how many items
}

// Use is what is done with an attribute.
type Use uint8

// The uses of attributes.
const (
	Written  Use = iota // put, or changed by an update
	Read                // in an item that was returned
	Asked               // named in a projection
	Tested              // named in a condition
	Keyed               // named in a key condition
	Sifted              // named in a filter
	Equal               // the same, and the filter holds only if it equals something
	Bare                // named as it is, without a placeholder; told beside one of the others
	Reckoned            // read by an update that makes a value of it
	uses
)

// classify says how a call ended that has an error, and is what the service answered, nil if nothing.
func (e *Event) classify(ctx context.Context, err error) *wire.Error {
	w, ok := err.(*wire.Error)
	if !ok {
		w, ok = errors.AsType[*wire.Error](err)
	}
	if !ok {
		e.Outcome = Lost
		if ctx.Err() != nil {
			e.Outcome = Ended
		}
		return nil
	}
	for _, t := range w.Throttling {
		e.Throttling = append(e.Throttling, Throttle{t.Reason, resource(t.Resource)})
	}
	if w.Code == wire.CodeConditionFailed || w.Code == wire.CodeDuplicateItem {
		e.Refused = 1
	}
	for _, r := range w.Reasons {
		if r.Is(wire.ErrConditionFailed) || r.Code == "DuplicateItem" {
			e.Refused++
		}
	}
	switch {
	case e.Refused > 0:
		e.Outcome = Refused
	case w.Is(wire.ErrThrottled):
		e.Outcome = Throttled
		if len(e.Throttling) == 0 {
			e.Throttling = append(e.Throttling, Throttle{})
		}
	case w.Is(wire.ErrConflict):
		e.Outcome = Conflict
	case w.HTTPStatus() >= 500:
		e.Outcome = Failed
	default:
		e.Outcome = Invalid
	}
	return w
}

// resource is the table or Table.Index of an ARN, arn:aws:dynamodb:eu-west-1:123456789012:table/Shop/index/ByCustomer.
func resource(arn string) string {
	table, index := cutLast(arn, "/index/")
	if _, name := cutLast(table, "table/"); name != "" {
		table = name
	}
	if index != "" {
		return table + "." + index
	}
	return table
}
