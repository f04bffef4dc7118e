package streams

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/wire"
)

// service is the API of streams as a consumer needs it.
type service struct {
	db    *tablewright.DB
	table string // as declared
}

// streams are the streams that the table has, and those that it had and that can still be read, oldest first: a table has
// a new one whenever its stream is enabled again (docs.aws.amazon.com/amazondynamodb/latest/developerguide/Streams.html).
func (s service) streams(ctx context.Context) ([]wire.StreamSummary, error) {
	in := wire.ListStreamsInput{TableName: s.db.TableName(s.table)}
	var all []wire.StreamSummary
	for {
		answer, err := s.db.Send(ctx, "ListStreams", s.table, in.Append(nil))
		if err != nil {
			return nil, err
		}
		out, err := wire.DecodeListStreamsOutput(answer)
		if err != nil {
			return nil, err
		}
		all = append(all, out.Streams...)
		if in.Start = out.Last; in.Start == "" {
			break
		}
	}
	slices.SortFunc(all, func(a, b wire.StreamSummary) int { return strings.Compare(a.Label, b.Label) }) // a time that sorts
	return all, nil
}

// describe reads what a stream is, with all its shards.
func (s service) describe(ctx context.Context, arn string) (d wire.StreamDescription, err error) {
	in := wire.DescribeStreamInput{ARN: arn}
	for {
		answer, err := s.db.Send(ctx, "DescribeStream", s.table, in.Append(nil))
		if err != nil {
			return d, err
		}
		out, err := wire.DecodeDescribeStreamOutput(answer)
		if err != nil {
			return d, err
		}
		shards := append(d.Shards, out.Stream.Shards...)
		d = out.Stream
		d.Shards = shards
		if in.Start = d.LastShard; in.Start == "" {
			return d, nil
		}
	}
}

func (s service) iterator(ctx context.Context, in wire.GetShardIteratorInput) (string, error) {
	db := s.db
	if in.Type == "AT_TIMESTAMP" { // see holding.begin
		db = db.WithRetry(tablewright.Retry{Attempts: 2})
	}
	answer, err := db.Send(ctx, "GetShardIterator", s.table, in.Append(nil))
	if err != nil {
		return "", err
	}
	out, err := wire.DecodeGetShardIteratorOutput(answer)
	if err != nil {
		return "", err
	}
	return out.Iterator, nil
}

func (s service) records(ctx context.Context, iterator string, limit int) (*wire.GetRecordsOutput, error) {
	answer, err := s.db.Send(ctx, "GetRecords", s.table, (&wire.GetRecordsInput{Iterator: iterator, Limit: &limit}).Append(nil))
	if err != nil {
		return nil, err
	}
	return wire.DecodeGetRecordsOutput(answer)
}

// lineage is what is known of a stream's shards: those that the service lists, and the leases of the group.
type lineage struct {
	listed map[string]wire.Shard
	leases map[string]lease
}

func newLineage(shards []wire.Shard, leases []lease) lineage {
	g := lineage{listed: map[string]wire.Shard{}, leases: map[string]lease{}}
	for _, s := range shards {
		g.listed[s.ID] = s
	}
	for _, l := range leases {
		g.leases[l.Shard] = l
	}
	return g
}

// ready reports whether a shard may be read: its parent is handled to its end, or nobody can read that any more.
func (g lineage) ready(l lease) bool {
	if l.Done {
		return false
	}
	parent, leased := g.leases[l.Parent]
	_, listed := g.listed[l.Parent]
	switch {
	case l.Parent == "":
		return true
	case leased:
		return parent.Done
	}
	return !listed // a lease is about to be made for it
}

// missing are the shards without a lease, in the order in which they began.
func (g lineage) missing() []wire.Shard {
	var l []wire.Shard
	for id, s := range g.listed {
		if _, ok := g.leases[id]; !ok {
			l = append(l, s)
		}
	}
	slices.SortFunc(l, func(a, b wire.Shard) int { return strings.Compare(a.ID, b.ID) })
	return l
}

// stale are leases that nobody needs: of shards that are done, not listed any more, and without a change that could be read
// again if the list was wrong.
func (g lineage) stale(now time.Time) []lease {
	var l []lease
	for id, have := range g.leases {
		if _, listed := g.listed[id]; have.Done && !listed && now.Sub(have.At) > retention {
			l = append(l, have)
		}
	}
	return l
}

// retention is how long the service keeps changes (docs.aws.amazon.com/amazondynamodb/latest/developerguide/Streams.html).
const retention = 24 * time.Hour

// finished reports whether everything in the lineage is handled.
func (g lineage) finished() bool {
	for id := range g.listed {
		if !g.leases[id].Done {
			return false
		}
	}
	for _, l := range g.leases {
		if !l.Done {
			return false
		}
	}
	return true
}
