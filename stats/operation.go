package stats

import (
	"cmp"
	"maps"
	"slices"
	"time"
)

// Operation is what one operation on one table, index and access pattern did. All numbers of calls are weighted: a call that
// stands for ten, because one of ten was recorded, counts ten.
type Operation struct {
	Operation string `json:"operation"`
	Table     string `json:"table,omitempty"`
	Index     string `json:"index,omitempty"`
	Pattern   string `json:"pattern,omitempty"`
	// As is, of statements of PartiQL, the operation that does the same: GetItem of a SELECT with the whole key, Query of one that names
	// the partition key, Scan of another; PutItem, UpdateItem and DeleteItem; and of several statements BatchGetItem and so on. It is ""
	// of other operations, and of statements that cannot be read, or not without the names of the table's keys. See
	// Snapshot.WithoutStatements.
	As string `json:"as,omitempty"`

	First time.Time `json:"first"` // the first call, and the last
	Last  time.Time `json:"last"`

	Counts
	// Arms are what these calls consumed, by the table or index that it was consumed from, in their order: a put has one for
	// each index that it writes to. Of more than 64 the others are missing.
	Arms []Arm `json:"arms,omitempty"`
	// MostItems is how many items the answer had that had most.
	MostItems int `json:"mostItems,omitempty"`

	Attributes map[string]*AttributeCounts `json:"attributes,omitempty"`
	Throttling map[string]float64          `json:"throttling,omitempty"` // reasons by "Reason Table.Index", both as the service tells them
	// Entries are what its writes did to each index of Table, by the index's name, and to those of other tables by Table.Index: see
	// EntriesOf. Indexes that none of them touched are missing.
	Entries map[string]*EntryCounts `json:"entries,omitempty"`

	Took     *Distribution `json:"took"`     // nanoseconds of one try
	Sent     *Distribution `json:"sent"`     // bytes of requests, in JSON
	Received *Distribution `json:"received"` // bytes of answers, in JSON
	Sizes    *Distribution `json:"sizes"`    // bytes of items, as DynamoDB counts them, of calls that were looked into
	Traffic  *Traffic      `json:"traffic"`
}

// Counts are sums over calls.
type Counts struct {
	Calls   float64 `json:"calls"`   // tries: each repetition is a call of its own
	Retries float64 `json:"retries"` // those that repeat another one

	Outcomes [outcomes]float64 `json:"outcomes"` // by Outcome

	Read  float64 `json:"read"` // units, computed ones included
	Write float64 `json:"write"`
	// ComputedRead and ComputedWrite are the part of Read and Write that the service did not tell.
	ComputedRead  float64 `json:"computedRead"`
	ComputedWrite float64 `json:"computedWrite"`

	Items       float64 `json:"items"` // returned
	Scanned     float64 `json:"scanned"`
	Pages       float64 `json:"pages"`       // answers of queries and scans
	More        float64 `json:"more"`        // pages that were not the last
	Resumed     float64 `json:"resumed"`     // requests that went on after a page
	Empty       float64 `json:"empty"`       // reads that found nothing
	Parts       float64 `json:"parts"`       // items of batches and transactions
	Unprocessed float64 `json:"unprocessed"` // of those, what the service left
	Refused     float64 `json:"refused"`     // conditions that did not hold
	Slow        float64 `json:"slow"`        // calls above Thresholds.SlowCall
	High        float64 `json:"high"`        // calls above Thresholds.HighRead or HighWrite

	// Preceded are gets that came right after another one of their caller whose answer was looked into, and Led those of them that ask
	// for a key which stood in it: no batch could have got both.
	Preceded float64 `json:"preceded,omitempty"`
	Led      float64 `json:"led,omitempty"`

	// Surfaced are writes of single items whose condition failed and whose error the client gave to whoever had called, and Asked
	// those of them whose error somebody asked what it is: see tablewright.Call.Follow for which errors that is known of. An error
	// may be asked about at any time: Asked counts where that was seen, so that of a short time it can be more than Surfaced. Neither
	// can be computed from a Journal, for what is done with an error comes after its call.
	Surfaced float64 `json:"surfaced,omitempty"`
	Asked    float64 `json:"asked,omitempty"`

	// Detailed is how many calls those stand for that were looked into: all, on average, unless Options say none. The
	// following are of these.
	Detailed    float64 `json:"detailed"`
	Consistent  float64 `json:"consistent"`
	Conditional float64 `json:"conditional"`
	Filtered    float64 `json:"filtered"`
	Projected   float64 `json:"projected"`
	Counted     float64 `json:"counted"`
	Limited     float64 `json:"limited"`
	Tokened     float64 `json:"tokened"`
	Returned    float64 `json:"returned"`
}

// list is every sum, in an order of its own.
func (c *Counts) list() []*float64 {
	l := []*float64{&c.Calls, &c.Retries, &c.Read, &c.Write, &c.ComputedRead, &c.ComputedWrite, &c.Items, &c.Scanned, &c.Pages, &c.More,
		&c.Resumed, &c.Empty, &c.Parts, &c.Unprocessed, &c.Refused, &c.Slow, &c.High, &c.Detailed, &c.Consistent, &c.Conditional, &c.Filtered,
		&c.Projected, &c.Counted, &c.Limited, &c.Tokened, &c.Returned, &c.Preceded, &c.Led,
		&c.Surfaced, &c.Asked}
	for i := range c.Outcomes {
		l = append(l, &c.Outcomes[i])
	}
	return l
}

func (c *Counts) add(o *Counts) {
	to := c.list()
	for i, n := range o.list() {
		*to[i] += *n
	}
}

// AttributeCounts are the uses of a top-level attribute, in items or calls, of calls that were looked into.
type AttributeCounts struct {
	Written float64 `json:"written,omitempty"` // items put with it, or updates that change it
	Read    float64 `json:"read,omitempty"`    // items returned with it
	Asked   float64 `json:"asked,omitempty"`   // projections that name it
	Tested  float64 `json:"tested,omitempty"`  // conditions, key conditions and filters that name it, and updates that reckon with it
	Keyed   float64 `json:"keyed,omitempty"`   // of Tested: key conditions
	Sifted  float64 `json:"sifted,omitempty"`  // of Tested: filters
	Bare    float64 `json:"bare,omitempty"`    // expressions that name it as it is, without a placeholder such as #n
	Equal   float64 `json:"equal,omitempty"`   // of Sifted: filters that compare it with = or IN and hold only if it is so
	// Reckoned is, of Tested, updates that make a value of it, such as n of SET n = n + :one: no condition.
	Reckoned float64 `json:"reckoned,omitempty"`
	Bytes    float64 `json:"bytes,omitempty"` // of names and values written and read
}

func (a *AttributeCounts) add(use Use, n, bytes float64) {
	switch use {
	case Written:
		a.Written += n
	case Read:
		a.Read += n
	case Asked:
		a.Asked += n
	case Tested:
		a.Tested += n
	case Keyed:
		a.Tested += n
		a.Keyed += n
	case Sifted:
		a.Tested += n
		a.Sifted += n
	case Equal:
		a.Tested += n
		a.Sifted += n
		a.Equal += n
	case Reckoned:
		a.Tested += n
		a.Reckoned += n
	case Bare:
		a.Bare += n
	}
	a.Bytes += bytes
}

func (a *AttributeCounts) merge(o *AttributeCounts) {
	a.Written += o.Written
	a.Read += o.Read
	a.Asked += o.Asked
	a.Tested += o.Tested
	a.Keyed += o.Keyed
	a.Sifted += o.Sifted
	a.Bare += o.Bare
	a.Reckoned += o.Reckoned
	a.Equal += o.Equal
	a.Bytes += o.Bytes
}

func (o *Operation) key() operationKey {
	return operationKey{o.Operation, o.Table, o.Index, o.Pattern, o.As}
}

// merge adds the calls of p.
func (o *Operation) merge(p *Operation) {
	if o.First.IsZero() || !p.First.IsZero() && p.First.Before(o.First) {
		o.First = p.First
	}
	if p.Last.After(o.Last) {
		o.Last = p.Last
	}
	o.Counts.add(&p.Counts)
	for i := range p.Arms {
		o.consume(&p.Arms[i])
	}
	o.MostItems = max(o.MostItems, p.MostItems)
	for _, name := range slices.Sorted(maps.Keys(p.Attributes)) {
		o.attribute(name).merge(p.Attributes[name])
	}
	for index, n := range p.Entries {
		o.entries(index).merge(n)
	}
	for reason, n := range p.Throttling {
		if o.Throttling == nil {
			o.Throttling = map[string]float64{}
		}
		o.Throttling[reason] += n
	}
	o.Took.Merge(p.Took)
	o.Sent.Merge(p.Sent)
	o.Received.Merge(p.Received)
	o.Sizes.Merge(p.Sizes)
	o.Traffic.merge(p.Traffic)
}

// EntriesOf is what the operation's writes did to an index of a table; nil if nothing.
func (o *Operation) EntriesOf(table, index string) *EntryCounts {
	return o.Entries[entriesName(o.Table, table, index)]
}

// entriesName is what an index is called in Entries of an operation on a table, "" for several.
func entriesName(of, table, index string) string {
	if of == table {
		return index
	}
	return table + "." + index
}

// entries is what was done to an index, by the name that it has in Entries. There are no more than a table may have.
func (o *Operation) entries(index string) *EntryCounts {
	if o.Entries == nil {
		o.Entries = map[string]*EntryCounts{}
	}
	if o.Entries[index] == nil && len(o.Entries) >= armsKept {
		index = others
	}
	if o.Entries[index] == nil {
		o.Entries[index] = new(EntryCounts)
	}
	return o.Entries[index]
}

// consume adds what a table or index consumed.
func (o *Operation) consume(a *Arm) {
	i, known := slices.BinarySearchFunc(o.Arms, a, func(x Arm, y *Arm) int {
		return cmp.Or(cmp.Compare(x.Table, y.Table), cmp.Compare(x.Index, y.Index))
	})
	switch {
	case known:
		o.Arms[i].Read += a.Read
		o.Arms[i].Write += a.Write
	case len(o.Arms) < armsKept:
		o.Arms = slices.Insert(o.Arms, i, *a)
	}
}

// attribute is the counts of an attribute; beyond the bound those of all others.
func (o *Operation) attribute(name string) *AttributeCounts {
	if o.Attributes == nil {
		o.Attributes = map[string]*AttributeCounts{}
	}
	if o.Attributes[name] == nil && len(o.Attributes) >= attributesKept {
		name = others
	}
	if o.Attributes[name] == nil {
		o.Attributes[name] = new(AttributeCounts)
	}
	return o.Attributes[name]
}

func newOperation(k operationKey) *Operation {
	return &Operation{Operation: k.operation, As: k.as, Table: k.table, Index: k.index, Pattern: k.pattern,
		Took: new(Distribution), Sent: new(Distribution), Received: new(Distribution), Sizes: new(Distribution), Traffic: new(Traffic)}
}

// operationKey tells operations apart.
type operationKey struct{ operation, table, index, pattern, as string }

// does is the operation, or what a statement is instead of one.
func (k operationKey) does() string { return cmp.Or(k.as, k.operation) }

func (k operationKey) compare(o operationKey) int {
	return cmp.Or(cmp.Compare(k.table, o.table), cmp.Compare(k.index, o.index), cmp.Compare(k.operation, o.operation), cmp.Compare(k.pattern, o.pattern), cmp.Compare(k.as, o.as))
}
