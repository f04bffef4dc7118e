package migrate

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/capacity"
)

// Backfill rewrites the items of a table that are not what they would be written as today; see [tablewright.Kind.Renew].
// Items of kinds that nobody declared are left alone.
type Backfill struct {
	Table *tablewright.Table

	// ReadRate and WriteRate hold it to so many units a second; 0: as fast as may be. What the service counts for indexes
	// is counted, too.
	ReadRate  capacity.ReadUnits
	WriteRate capacity.WriteUnits
	Segments  int                // of the table that are read at once; 0: 1
	Writers   int                // items that are written at once; 0: 1
	From      tablewright.Cursor // Progress.At of a run that was broken off, with the same Segments

	// Remove names attributes that are taken out of all items of declared kinds: old key attributes, once nothing
	// declares them any more.
	Remove []string

	// Progress, if it is not nil, is told after each page. An error ends the run and is returned.
	Progress func(Progress) error
}

// Progress is how far a run has come.
type Progress struct {
	Read    int // items that were looked at
	Written int // of which so many were rewritten
	Again   int // of these, so many were read again because somebody else had changed them meanwhile
	Gone    int // were deleted meanwhile
	Unknown int // are of no kind that was declared

	ReadUnits  capacity.ReadUnits
	WriteUnits capacity.WriteUnits

	// At is where to go on from: Backfill.From of the next run. It is "" at the end.
	At tablewright.Cursor
}

// tries is how often an item is read again that others change at the same time.
const tries = 10

// Run rewrites the items. After an error, Progress.At is where to go on; what was written before stays so, and is only
// looked at if it is met again.
func (b Backfill) Run(ctx context.Context, db *tablewright.DB) (p Progress, err error) {
	if b.Table == nil {
		return p, errors.New("migrate: Backfill without a Table")
	}
	var reads, writes tablewright.Usage
	run := &backfill{Backfill: b, kinds: b.Table.Kinds(), db: db, writing: db.Measure(&writes), usage: &writes, begun: db.Now()}
	p.At = b.From
	scan := b.Table.Raw().Scan().Intended().Parallel(max(b.Segments, 1)).Rate(b.ReadRate).Resume(b.From)
	for page, err := range scan.Pages(ctx, db.Measure(&reads)) {
		if err != nil {
			return p, err
		}
		done, err := run.page(ctx, page.Items)
		p.Read += done.Read
		p.Written += done.Written
		p.Again += done.Again
		p.Gone += done.Gone
		p.Unknown += done.Unknown
		p.ReadUnits, p.WriteUnits = reads.Sum().Read, writes.Sum().Write // segments go on reading
		if err != nil {
			return p, err
		}
		p.At = page.Next
		if b.Progress == nil {
			continue
		}
		if err := b.Progress(p); err != nil {
			return p, err
		}
	}
	return p, nil
}

// backfill is a run.
type backfill struct {
	Backfill
	kinds   []tablewright.Kind
	db      *tablewright.DB
	writing *tablewright.DB
	begun   time.Time

	usage *tablewright.Usage // of writing: read when no write is under way
}

// page rewrites the items of a page, several at once.
func (b *backfill) page(ctx context.Context, items []attr.Item) (sum Progress, err error) {
	writers := max(b.Writers, 1)
	for len(items) > 0 {
		n := min(writers, len(items))
		if err := b.pace(ctx); err != nil {
			return sum, err
		}
		done, errs := make([]Progress, n), make([]error, n)
		var wait sync.WaitGroup
		for i := range n {
			wait.Go(func() { done[i], errs[i] = b.item(ctx, items[i]) })
		}
		wait.Wait()
		for _, d := range done {
			sum.Read++
			sum.Written += d.Written
			sum.Again += d.Again
			sum.Gone += d.Gone
			sum.Unknown += d.Unknown
		}
		if err := errors.Join(errs...); err != nil {
			return sum, err
		}
		items = items[n:]
	}
	return sum, nil
}

// pace waits until what was written is due.
func (b *backfill) pace(ctx context.Context) error {
	if b.WriteRate <= 0 {
		return ctx.Err()
	}
	due := time.Duration(float64(b.usage.Write) / float64(b.WriteRate) * float64(time.Second))
	if left := due - b.db.Now().Sub(b.begun); left > 0 {
		return b.db.Sleep(ctx, left)
	}
	return ctx.Err()
}

// item rewrites one item if it has to be.
func (b *backfill) item(ctx context.Context, it attr.Item) (p Progress, err error) {
	kind, ok := kindOf(b.kinds, it)
	if !ok {
		p.Unknown++
		return p, nil
	}
	raw := b.Table.Raw()
	for range tries {
		update, needed, err := kind.Renew(it, b.Remove...)
		if err != nil {
			return p, fmt.Errorf("%w (its key: %s)", err, attr.AppendItem(nil, raw.Key(it)))
		}
		if !needed {
			return p, nil
		}
		err = update.Run(ctx, b.writing)
		if err == nil {
			p.Written++
			return p, nil
		}
		lost := errors.Is(err, tablewright.ErrUnknownOutcome)
		if !lost && !errors.Is(err, tablewright.ErrConditionFailed) && !errors.Is(err, tablewright.ErrNotFound) {
			return p, err
		}
		if p.Again++; p.Again == tries {
			return p, err
		}
		if it, err = raw.Get(raw.Key(it)).Consistent().Run(ctx, b.db); errors.Is(err, tablewright.ErrNotFound) {
			p.Gone++
			return p, nil
		} else if err != nil {
			return p, err
		}
	}
	return p, nil
}

// kindOf finds the kind of an item.
func kindOf(kinds []tablewright.Kind, it attr.Item) (tablewright.Kind, bool) {
	stored := attr.AppendItem(nil, it)
	for _, k := range kinds {
		if k.Holds(stored) {
			return k, true
		}
	}
	return tablewright.Kind{}, false
}
