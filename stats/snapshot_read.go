package stats

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// Write writes a Snapshot as JSON.
func (s *Snapshot) Write(w io.Writer) error { return json.NewEncoder(w).Encode(s) }

// ReadSnapshot reads what Write wrote. The error says what is wrong with the text; numbers that no Collector can have are
// refused too, so that what was read can be merged without harm.
func ReadSnapshot(r io.Reader) (*Snapshot, error) {
	var s Snapshot
	d := json.NewDecoder(r)
	if err := d.Decode(&s); err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
			err = fmt.Errorf("the text ends in the middle (%w): it was cut, or is still being written", err)
		}
		return nil, fmt.Errorf("statistics: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("statistics: more follows after the export, at byte %d: several are read one by one, and merged by Merge", d.InputOffset())
	}
	if err := s.check(); err != nil {
		return nil, fmt.Errorf("statistics: %w", err)
	}
	return &s, nil
}

// maxKept bounds the lists of keys that are read, maxEpisodes and maxPeriods those of episodes and of when somebody watched.
const (
	maxKept     = 1 << 20
	maxEpisodes = 1 << 16
	maxPeriods  = 1 << 16
)

// check says what is wrong with a Snapshot that was read, and makes what is missing in it empty.
func (s *Snapshot) check() error {
	switch {
	case s.Format == 0:
		return errors.New(`no member "tablewrightStats": this is no export of statistics`)
	case s.Format > Format:
		return fmt.Errorf("format %d is newer than this program, which knows %d", s.Format, Format)
	case s.Format < 0:
		return fmt.Errorf("a format %d there is not", s.Format)
	case s.Kept < 1 || s.Kept > maxKept:
		return fmt.Errorf("kept is %d, and can be 1 to %d", s.Kept, maxKept)
	case s.Sources < 0 || bad(s.Rate) || s.Rate > 1:
		return fmt.Errorf("%d sources at a rate of %v cannot be", s.Sources, s.Rate)
	case s.To.Before(s.From):
		return fmt.Errorf("it ends (to, %v) before it begins (from, %v)", s.To, s.From)
	}
	for _, o := range s.Operations {
		if o == nil {
			return errors.New("an operation is null")
		}
		if err := o.check(); err != nil {
			return fmt.Errorf("%s: %w", o.Operation, err)
		}
	}
	for _, c := range s.Consumed {
		if c == nil || anyBad(c.Read, c.Write, c.ComputedRead, c.ComputedWrite) {
			return errors.New("a table or index consumed what cannot be")
		}
		filled(&c.Traffic)
		filled(&c.Partitions)
		filled(&c.Items)
	}
	for _, k := range []**Keys{&s.Partitions, &s.Items, &s.Throttled, &s.Contended} {
		if err := filled(k).check(); err != nil {
			return err
		}
	}
	for _, z := range s.Sizes {
		if z == nil {
			return errors.New("sizes of no table")
		}
		if err := z.check(); err != nil {
			return fmt.Errorf("%s: %w", z.Table, err)
		}
	}
	if err := checkForms(s.Tables); err != nil {
		return err
	}
	if len(s.Watched) > maxPeriods {
		return fmt.Errorf("%d periods", len(s.Watched))
	}
	for _, p := range s.Watched {
		if p.To.Before(p.From) {
			return errors.New("a period that ends before it begins")
		}
	}
	if len(s.Episodes) > maxEpisodes {
		return fmt.Errorf("%d kinds of episodes", len(s.Episodes))
	}
	for _, e := range s.Episodes {
		if e == nil || anyBad(e.Count, e.Seen, e.Calls, e.Read, e.Write, e.Returned, e.Squares, e.Callers, e.Items, e.Pairs) || e.Took < 0 {
			return errors.New("an episode that cannot be")
		}
	}
	return nil
}

// filled makes what an export left out empty.
func filled[T any](of **T) *T {
	if *of == nil {
		*of = new(T)
	}
	return *of
}

// check also puts the Arms in order, and makes what is missing empty.
func (o *Operation) check() error {
	for _, n := range o.Counts.list() {
		if bad(*n) {
			return fmt.Errorf("a sum of %v", *n)
		}
	}
	for _, a := range o.Arms {
		if anyBad(a.Read, a.Write) {
			return fmt.Errorf("%s consumed what cannot be", a.Table)
		}
	}
	slices.SortFunc(o.Arms, func(a, b Arm) int { return cmp.Or(cmp.Compare(a.Table, b.Table), cmp.Compare(a.Index, b.Index)) })
	for name, a := range o.Attributes {
		if a == nil || anyBad(a.Written, a.Read, a.Asked, a.Tested, a.Keyed, a.Sifted, a.Equal, a.Bare, a.Reckoned, a.Bytes) {
			return fmt.Errorf("attribute %s", name)
		}
	}
	for index, n := range o.Entries {
		if n == nil || anyBad(n.Calls, n.Write) || len(n.Keys) > entryKeysKept || slices.ContainsFunc(n.Keys, func(k EntryKey) bool { return bad(k.Write) }) {
			return fmt.Errorf("entries of index %s", index)
		}
	}
	for reason, n := range o.Throttling {
		if bad(n) {
			return fmt.Errorf("%s has %v", reason, n)
		}
	}
	for _, d := range []**Distribution{&o.Took, &o.Sent, &o.Received, &o.Sizes} {
		filled(d)
	}
	filled(&o.Traffic)
	return nil
}

func (z *ItemSizes) check() error {
	for _, one := range slices.Concat(z.Largest, z.Sample) {
		if one.FirstBytes < 0 || one.LastBytes < 0 || one.MaxBytes < 0 || bad(one.Seen) {
			return fmt.Errorf("an item of %d bytes", one.MaxBytes)
		}
		if len(one.Attributes) > printsKept || slices.ContainsFunc(one.Attributes, func(p Print) bool { return p.bad() }) {
			return errors.New("attributes of an item that cannot be")
		}
	}
	return nil
}

func (k *Keys) check() error {
	if anyBad(k.Total, k.Lost) || len(k.List) > maxKept {
		return errors.New("keys with a load that cannot be")
	}
	seen := make(map[uint64]bool, len(k.List))
	for i := range k.List {
		key := &k.List[i]
		if seen[key.Hash] || anyBad(key.Load, key.Missed, key.Read, key.Write, key.Calls, key.Peak, key.PeakRead, key.PeakWrite,
			key.PeakReadMost, key.PeakWriteMost, key.RangeReads, key.RangeWrites) {
			return fmt.Errorf("key %d is there twice, or has a load that cannot be", key.Hash)
		}
		seen[key.Hash] = true
	}
	return nil
}

func anyBad(all ...float64) bool { return slices.ContainsFunc(all, bad) }
