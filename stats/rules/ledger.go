package rules

import (
	"cmp"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/plan"
)

// billing is the capacity mode of a table; of one that nobody knows it is taken to be on demand.
func (in *Input) billing(table string) capacity.Billing {
	if in.table(table).provisioned() {
		return capacity.Provisioned
	}
	return capacity.OnDemand
}

// provisioned is what a table or index has; zero on demand, and where nothing is known of the table.
func (in *Input) provisioned(table, index string) plan.Billing {
	t := in.table(table)
	if t == nil {
		return plan.Billing{}
	}
	b := t.Declared.Billing
	if index != "" && t.Live != nil {
		b = cmp.Or(t.Live.Indexes[index].Billing, b)
	}
	return b
}

// ledger adds up what a remedy changes of a table's bill.
//
// On demand what is consumed is paid. Of a provisioned table what is provisioned is: it is taken to fall or rise as the
// consumption of the table or index does, so that as much of it is used as before, and to be 1 unit at least; see assumes.
type ledger struct {
	in      *Input
	table   string
	tariff  capacity.Tariff
	billing capacity.Billing
	saving  Saving
}

func (in *Input) ledger(table string) *ledger {
	l := &ledger{in: in, table: table}
	l.tariff, l.billing = in.tariff(table), in.billing(table)
	if l.billing == capacity.Provisioned {
		l.saving.Assumes = "What is provisioned is lowered with what is consumed, to the same utilization as now."
	}
	return l
}

// reads notes that the read units of a table or index change, per second.
func (l *ledger) reads(index string, before, after float64) {
	l.saving.ReadBefore += before
	l.saving.ReadAfter += after
	l.saving.Before += l.tariff.Reads(capacity.ReadUnits(before * l.perUnit(index, true)))
	l.saving.After += l.tariff.Reads(capacity.ReadUnits(after * l.perUnit(index, true)))
}

// writes is reads of write units.
func (l *ledger) writes(index string, before, after float64) {
	l.saving.WriteBefore += before
	l.saving.WriteAfter += after
	l.saving.Before += l.tariff.Writes(capacity.WriteUnits(before * l.perUnit(index, false)))
	l.saving.After += l.tariff.Writes(capacity.WriteUnits(after * l.perUnit(index, false)))
}

// storage notes that what is stored changes, in bytes as billed.
func (l *ledger) storage(before, after capacity.Bytes) {
	l.saving.Before += l.tariff.Storage(before)
	l.saving.After += l.tariff.Storage(after)
}

// added notes the write units per second and bytes of what the remedy adds, such as an index.
func (l *ledger) added(index string, writes float64, stored capacity.Bytes) {
	was := l.saving.After
	l.writes(index, 0, writes)
	l.storage(0, stored)
	l.saving.Remedy += l.saving.After - was
}

// perUnit is how many units are paid for one that is consumed.
func (l *ledger) perUnit(index string, read bool) float64 {
	if l.billing == capacity.OnDemand {
		return 1
	}
	for _, at := range []string{index, ""} { // an index that is not there yet is provisioned like its table
		b, used := l.in.provisioned(l.table, at), 0.0
		have := b.Write
		if read {
			have = b.Read
		}
		if c := l.in.consumed(l.table, at); c != nil {
			if used = l.in.perSecond(c.Write); read {
				used = l.in.perSecond(c.Read)
			}
		}
		if used > 0 && have > 0 {
			return have / used
		}
	}
	return 1 / capacity.TargetUtilization
}

// leastSaving is what a remedy saves a month that is worth a word, at the traffic that was seen, which may be that of a test: some
// thousand units.
const leastSaving = capacity.Dollar / 1000

// worth is the saving if it is one that can be told from the error of its parts, a tenth of what changes, and worth a word.
func (l *ledger) worth() *Saving {
	s := l.saving
	if s.Monthly() < leastSaving || 10*s.Monthly() < s.Before {
		return nil
	}
	return &s
}

// stored is how many bytes of a table or index are billed, as the service told; 0 where nobody asked it.
func (in *Input) stored(table, index string) capacity.Bytes {
	count, bytes, known := in.table(table).stored(index)
	if !known {
		return 0
	}
	return capacity.Stored(count, bytes)
}

// items is how many items a table has: what the service tells, or how many different ones were seen.
func (in *Input) items(table string) float64 {
	var n float64
	if t := in.table(table); t != nil && t.Live != nil {
		n = float64(t.Live.Items)
	}
	if c := in.consumed(table, ""); c != nil && c.Items != nil {
		n = max(n, c.Items.Count())
	}
	return n
}
