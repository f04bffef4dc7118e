package stats

import "time"

// EpisodeKind is what several calls did together.
type EpisodeKind string

// The kinds of episodes. A caller is who gives the same context to several calls, as the handler of one request does.
const (
	// SingleGets is a run of gets of a table's items by one caller, with nothing between them, that one BatchGetItem could be. Two runs
	// of different tables may take turns.
	SingleGets EpisodeKind = "single-gets"
	// SinglePuts is the same of puts and deletes without condition or answer, that BatchWriteItem could be.
	SinglePuts EpisodeKind = "single-puts"
	// ReadPut is a get and, by the same caller, an unconditional put of the same item; Checked is one with a condition. Either may be
	// one of a batch or transaction of the table, whose conditions are those of all its parts.
	ReadPut        EpisodeKind = "read-put"
	ReadPutChecked EpisodeKind = "read-put-checked"
	// ReadUpdate is a get and, by the same caller, an update of the same item.
	ReadUpdate EpisodeKind = "read-update"
	// LostUpdate is a ReadPut whose item somebody else wrote in between: the put undid that write, as did one on a condition that was still
	// met. So did an unconditional update, if it set what both changed to a value of the program's.
	LostUpdate EpisodeKind = "lost-update"
	// ReadAgain is a get of an item that the same caller got before, and nobody seen here wrote since.
	ReadAgain EpisodeKind = "read-again"
	// Unpaged is a page that ended at 1 MB, or at a limit before a filter, whose cursor nobody took; UnpagedLimit one that ended at
	// the limit that was asked for, which may be all that was wanted.
	Unpaged      EpisodeKind = "unpaged"
	UnpagedLimit EpisodeKind = "unpaged-limit"
	// IndexReadOwn is a read of a global index's partition key within a second after the same caller wrote an item there: the
	// index may not have it yet.
	IndexReadOwn EpisodeKind = "index-read-own"
	// ConsistentFresh is a strongly consistent read of an item or partition key that was written within the second before, by
	// anybody seen here; ConsistentStill one of what nobody wrote for longer.
	ConsistentFresh EpisodeKind = "consistent-fresh"
	ConsistentStill EpisodeKind = "consistent-still"
)

// Episode is how often several calls did something together, of one kind, at one place, by one access pattern. Callers and
// items are followed for a part of them only, those whose hashes are smallest; numbers are weighted, so that they stand for all.
type Episode struct {
	Kind  EpisodeKind `json:"kind"`
	Table string      `json:"table"`
	Index string      `json:"index,omitempty"`

	Operation    string `json:"operation"`         // of the call that completes it
	Pattern      string `json:"pattern,omitempty"` // and its access pattern
	As           string `json:"as,omitempty"`      // of a statement: see Operation.As
	First        string `json:"first,omitempty"`   // operation of the call that begins it, where it is another one
	FirstAs      string `json:"firstAs,omitempty"`
	FirstPattern string `json:"firstPattern,omitempty"`

	Count float64 `json:"count"` // how often
	Seen  float64 `json:"seen"`  // how many of these were really seen, not weighted: few say little
	Calls float64 `json:"calls"` // that take part, of all together
	Read  float64 `json:"read"`  // units of those calls
	Write float64 `json:"write"`
	// Returned is how many items came back in those calls; of an unpaged query those of the page that was not gone on from.
	Returned float64 `json:"returned,omitempty"`
	// Squares is, of runs, the sum of the squares of how many calls each is of: with Count and Calls it tells whether they are loops of
	// about one length, or chance.
	Squares float64 `json:"squares,omitempty"`
	// Callers is how many different callers did so, Items to how many different items or partition keys it was done: estimates.
	// More callers than items are several on one item.
	Callers float64 `json:"callers,omitempty"`
	Items   float64 `json:"items,omitempty"`
	// Pairs is how many different callers did so to how many items, each counted with each: three callers of the same ten are thirty.
	Pairs float64 `json:"pairs,omitempty"`
	// ItemSketch is what Items is the count of. Those of several processes merge: an item that both know is one.
	ItemSketch FewDistinct `json:"itemSketch,omitzero"`
	// Took is from the beginning of the first call to the end of the last, on average.
	Took time.Duration `json:"took"`
	Key  string        `json:"key,omitempty"` // of an example: the item, or the partition key; see Key.Key
}
