package streams

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/wire"
)

// Every shard that a group knows has an item, its lease: how far the shard is handled, and which worker has it. All writes
// of it are conditions on the worker and the term, which changes whenever the lease changes hands: who has lost it writes
// nothing any more, and neither does a transaction with the checkpoint in it. A lease is kept by raising its beat; who sees
// the same beat for as long as a lease lasts, by a clock of its own, takes the lease for abandoned.

// lease is the state of a shard. The names of its attributes keep off those that tables have as their key.
type lease struct {
	Group  string    `ddb:"leaseGroup"` // with the stream's label: a stream that was enabled anew has other shards
	Shard  string    `ddb:"leaseShard"`
	Parent string    `ddb:"parent,omitzero"`
	Follow bool      `ddb:"follows,omitzero"` // the group had a lease on the parent: what is not there any more is lost
	Owner  string    `ddb:"worker,omitzero"`
	Wanted string    `ddb:"wanted,omitzero"` // the worker that asks for it
	Term   int64     `ddb:"term"`
	Beat   int64     `ddb:"beat"`
	After  string    `ddb:"after,omitzero"`      // sequence number of the last change that was handled
	At     time.Time `ddb:"at,epoch-s,omitzero"` // when that was made
	Done   bool      `ddb:"done,omitzero"`
}

type leaseKey struct{ Group, Shard string }

// beginning is where a group began with a stream; it does not change.
type beginning struct {
	Group string    `ddb:"leaseGroup"`
	From  time.Time `ddb:"from,epoch-s,omitzero"` // zero: with the oldest change
}

// marker says that a change was handled; see Change.Once.
type marker struct {
	Group  string    `ddb:"leaseGroup"`
	ID     string    `ddb:"changeId"`
	Expiry attr.Item `ddb:",rest"` // the table's time to live
}

type markerKey struct{ Group, ID string }

type leases struct {
	tablewright.Entity[leaseKey, lease]
	Owner   tablewright.Text[lease, string]
	Wanted  tablewright.Text[lease, string]
	Term    tablewright.Number[lease, int64]
	Beat    tablewright.Number[lease, int64]
	After   tablewright.Text[lease, string]
	At      tablewright.Time[lease]
	Done    tablewright.Attr[lease, bool]
	OfGroup tablewright.Index1[lease, string, string] `index:"."`
}

// store is the table of leases, for one group on one stream.
type store struct {
	db        *tablewright.DB
	group     string
	me        string // this worker
	ttl       string // attribute; "": the table has none
	leases    leases
	beginning tablewright.Entity[string, beginning]
	markers   tablewright.Entity[markerKey, marker]
}

// newStore declares the items of leases in t, beside what t itself declares.
func newStore(db *tablewright.DB, t *tablewright.Table, me string) (s *store, err error) {
	p := t.Definition()
	for _, name := range []string{p.Key.Partition, p.Key.Sort} {
		if name == "" || p.Attributes[name] != "" && p.Attributes[name] != plan.S {
			return nil, fmt.Errorf("streams: table %s cannot keep leases: its key is not two texts", p.Name)
		}
	}
	defer func() { // declarations panic; here they are no mistake of a program's own text
		if r := recover(); r != nil {
			err = fmt.Errorf("streams: table %s cannot keep leases: %v", p.Name, r)
		}
	}()
	own := tablewright.NewTable(plan.Table{Name: p.Name, Key: p.Key, TTL: p.TTL})
	key := func(partition, sort string) map[string]string {
		return map[string]string{p.Key.Partition: partition, p.Key.Sort: sort}
	}
	s = &store{db: db, me: me, ttl: p.TTL}
	s.leases = *tablewright.Declare[leases](own, plan.Item{Name: "lease", Key: key("streams#{leaseGroup}", "shard#{leaseShard}")})
	s.beginning = *tablewright.Declare[tablewright.Entity[string, beginning]](own, plan.Item{Name: "beginning", Key: key("streams#{leaseGroup}", "beginning")})
	s.markers = *tablewright.Declare[tablewright.Entity[markerKey, marker]](own, plan.Item{Name: "marker", Key: key("seen#{leaseGroup}", "{changeId}")})
	return s, own.Seal()
}

// of is the store for one stream.
func (s *store) of(group, label string) *store {
	c := *s
	c.group = group + "@" + label
	return &c
}

// begin notes where the group begins with the stream, unless it has begun, and answers where that is.
func (s *store) begin(ctx context.Context, from time.Time) (beginning, error) {
	b := beginning{Group: s.group, From: from}
	for {
		have, err := s.beginning.Get(s.group).Consistent().Run(ctx, s.db)
		if !errors.Is(err, tablewright.ErrNotFound) {
			return have, err
		}
		err = s.beginning.Create(b).Run(ctx, s.db)
		if !errors.Is(err, tablewright.ErrConditionFailed) {
			return b, err
		}
	}
}

// began reports whether the group has begun with the stream.
func (s *store) began(ctx context.Context) (bool, error) {
	_, err := s.beginning.Get(s.group).Consistent().Run(ctx, s.db)
	if errors.Is(err, tablewright.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// all reads the leases of the group on the stream.
func (s *store) all(ctx context.Context) ([]lease, error) {
	return s.leases.OfGroup.Of(s.group).Consistent().Slice(ctx, s.db)
}

// add makes a lease that nobody has; it may be there already.
func (s *store) add(ctx context.Context, shard wire.Shard, follows bool) error {
	err := s.leases.Create(lease{Group: s.group, Shard: shard.ID, Parent: shard.Parent, Follow: follows}).Run(ctx, s.db)
	if errors.Is(err, tablewright.ErrConditionFailed) {
		return nil
	}
	return err
}

// forget removes a lease that is done.
func (s *store) forget(ctx context.Context, l lease) error {
	err := s.leases.Delete(s.key(l)).If(s.leases.Done.Equals(true)).Run(ctx, s.db)
	if errors.Is(err, tablewright.ErrConditionFailed) {
		return nil
	}
	return err
}

func (s *store) key(l lease) leaseKey { return leaseKey{l.Group, l.Shard} }

// take makes a lease this worker's that is as it was seen: the same term and beat, so that its owner has not moved.
func (s *store) take(ctx context.Context, l lease) (lease, error) {
	d := &s.leases
	got, err := d.Update(s.key(l), d.Owner.Set(s.me), d.Wanted.Remove(), d.Term.Set(l.Term+1), d.Beat.Set(l.Beat+1)).
		If(d.Term.Equals(l.Term), d.Beat.Equals(l.Beat)).Else(ErrLeaseLost).New(ctx, s.db)
	return got, err
}

// ask tells the owner of a lease that this worker would like to have it.
func (s *store) ask(ctx context.Context, l lease) error {
	d := &s.leases
	err := d.Update(s.key(l), d.Wanted.Set(s.me)).If(d.Term.Equals(l.Term), d.Wanted.Absent()).Run(ctx, s.db)
	if errors.Is(err, tablewright.ErrConditionFailed) {
		return nil
	}
	return err
}

// mine is the condition that this worker has the lease in the term of l.
func (s *store) mine(l lease) []tablewright.Cond[lease] {
	return []tablewright.Cond[lease]{s.leases.Owner.Equals(s.me), s.leases.Term.Equals(l.Term)}
}

// checkpoint are the changes that note how far the shard was handled; none is nothing yet.
func (s *store) checkpoint(after string, at time.Time) []tablewright.Change[lease] {
	if after == "" {
		return nil
	}
	return []tablewright.Change[lease]{s.leases.After.Set(after), s.leases.At.Set(at)}
}

// keep raises the beat and notes a checkpoint; the answer tells who wants the lease.
func (s *store) keep(ctx context.Context, l lease, after string, at time.Time) (lease, error) {
	changes := append(s.checkpoint(after, at), s.leases.Beat.Set(l.Beat+1))
	return s.leases.Update(s.key(l), changes...).If(s.mine(l)...).Else(ErrLeaseLost).New(ctx, s.db)
}

// release gives a lease up, to the worker that wants it if there is one; done says that the shard is.
func (s *store) release(ctx context.Context, l lease, after string, at time.Time, done bool) error {
	d := &s.leases
	changes := append(s.checkpoint(after, at), d.Term.Set(l.Term+1), d.Wanted.Remove())
	switch {
	case done:
		changes = append(changes, d.Done.Set(true), d.Owner.Remove())
	case l.Wanted != "":
		changes = append(changes, d.Owner.Set(l.Wanted))
	default:
		changes = append(changes, d.Owner.Remove())
	}
	return d.Update(s.key(l), changes...).If(s.mine(l)...).Else(ErrLeaseLost).Run(ctx, s.db)
}

// transact does writes together with the checkpoint, which must be the one before: so that of several tries, the ones that
// seemed lost included, one has effect.
func (s *store) transact(ctx context.Context, l lease, after string, at time.Time, writes []tablewright.TxWrite) error {
	d := &s.leases
	before := d.After.Absent()
	if l.After != "" {
		before = d.After.Equals(l.After)
	}
	step := d.Update(s.key(l), append(s.checkpoint(after, at), d.Beat.Set(l.Beat+1))...).If(append(s.mine(l), before)...).Else(ErrLeaseLost)
	return tablewright.Transact(append([]tablewright.TxWrite{step}, writes...)...).Run(ctx, s.db)
}

// read reads a lease as it is.
func (s *store) read(ctx context.Context, l lease) (lease, error) {
	return s.leases.Get(s.key(l)).Consistent().Run(ctx, s.db)
}

// markersLife is how long a marker is kept: twice as long as its change can come again.
const markersLife = 48 * time.Hour

// once is the part of a transaction that marks a change.
func (s *store) once(id string) tablewright.TxWrite {
	group, _, _ := strings.Cut(s.group, "@") // ids are unique: also those of other streams
	m := marker{Group: group, ID: id}
	if s.ttl != "" {
		m.Expiry.Set(s.ttl, attr.Num(attr.Int(s.db.Now().Add(markersLife).Unix())))
	}
	return s.markers.Create(m).Else(ErrHandled)
}

// create makes the table of leases if it is not there, and waits until it is usable.
func createLeases(ctx context.Context, db *tablewright.DB, t *tablewright.Table) error {
	err := t.CreateIn(ctx, db)
	if err == nil || !errors.Is(err, tablewright.ErrExists) && !hasCode(err, wire.CodeResourceInUse) {
		return err
	}
	for { // another process may be making it
		text := fmt.Appendf(nil, `{"TableName":%s}`, attr.AppendText(nil, db.TableName(t.Name())))
		answer, err := db.Send(ctx, "DescribeTable", t.Name(), text)
		if err != nil && !hasCode(err, wire.CodeResourceNotFound) {
			return err
		}
		if err == nil && strings.Contains(string(answer), `"TableStatus":"ACTIVE"`) {
			return nil
		}
		if err := pause(ctx, time.Second); err != nil {
			return err
		}
	}
}

// pause waits, in real time, whatever clock the client has: another one may stand still.
func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-t.C:
		return nil
	}
}
