package rules

import (
	"fmt"

	"github.com/tablewright/tablewright/capacity"
)

var tableClass = &Rule{
	ID:       "table-class",
	Title:    "The other table class costs less",
	Category: Cost,
	Looks: "At what a table and its indexes store, as the service counts it, with 100 bytes more for each item and entry, and at the units that they consume, " +
		"or that are provisioned for them: the price of both in either class.",
	Fires:   "When the other class costs a tenth less of the table's whole bill, and a cent a month.",
	Rests:   "When nobody asked the service how much is stored. Near the break-even: where storage is about two fifths of what throughput costs in the standard class, both cost the same.",
	Sources: []string{page("WorkingWithTables.tableclasses"), page("HowItWorks.TableClasses"), "https://aws.amazon.com/dynamodb/pricing/"},
	Find:    findTableClass,
}

// leastClassSaving is what a change of class has to save a month.
const leastClassSaving = capacity.Dollar / 100

func findTableClass(in *Input) (found []Finding) {
	for _, t := range in.Tables {
		if t.Live == nil || in.watched() <= 0 {
			continue
		}
		name, was := t.Declared.Name, t.class()
		other := capacity.InfrequentAccess
		if was == other {
			other = capacity.Standard
		}
		billing := in.billing(name)
		now, then := in.monthly(t, was, billing), in.monthly(t, other, billing)
		s := Saving{Before: now.Total(), After: then.Total(), Assumes: "Nothing of the table is paid by reserved capacity, which there is for the standard class only."}
		for _, p := range in.sites(t) {
			c := in.consumed(name, p.index)
			if c == nil {
				continue
			}
			s.ReadBefore, s.WriteBefore = s.ReadBefore+in.perSecond(c.Read), s.WriteBefore+in.perSecond(c.Write)
		}
		s.ReadAfter, s.WriteAfter = s.ReadBefore, s.WriteBefore
		if s.Monthly() < leastClassSaving || 10*s.Monthly() < s.Before {
			continue
		}
		throughput := now.Reads + now.Writes
		f := Finding{
			Severity: Advice, Table: name, Cause: cause(ofTable, name, "class"),
			Title: fmt.Sprintf("%s costs %s a month in the class %s, %s of it storage; in the class %s it would cost %s", name, s.Before, was,
				percent(now.Storage.Dollars()/max(s.Before.Dollars(), 1e-9)), other, s.After),
			Evidence: []Evidence{
				{What: "storage a month, now", Value: now.Storage.Dollars(), Unit: "$"},
				{What: "reads and writes a month, now", Value: throughput.Dollars(), Unit: "$"},
				{What: "storage a month, in the other class", Value: then.Storage.Dollars(), Unit: "$", Source: "https://aws.amazon.com/dynamodb/pricing/"},
				{What: "reads and writes a month, in the other class", Value: (then.Reads + then.Writes).Dollars(), Unit: "$", Source: "https://aws.amazon.com/dynamodb/pricing/"},
			},
			Remedy: Remedy{
				Text: "Change the table's class; its indexes change with it. Requests are answered as before, while and after it changes. The class can be changed twice in thirty days.",
				Snippets: []Snippet{
					{Kind: "aws", Text: "aws dynamodb update-table --table-name " + name + " --table-class " + map[capacity.Class]string{capacity.Standard: "STANDARD", capacity.InfrequentAccess: "STANDARD_INFREQUENT_ACCESS"}[other]},
					{Kind: "go", Text: fmt.Sprintf("plan.Table{Name: %q, Class: %q, …}", name, other)},
				},
				Ease: Setting,
			},
			Saving: &s,
		}
		in.affect(&f, in.everything(name, consumes)...)
		f.Confidence, f.Because = in.sure(0.9, "Another month may read and write more.")
		found = append(found, f)
	}
	return found
}

// monthly is what a table and its indexes cost, at the traffic that was seen, in a class.
func (in *Input) monthly(t *Table, class capacity.Class, billing capacity.Billing) capacity.Bill {
	name, tariff := t.Declared.Name, in.Prices.Tariff(class, billing)
	var sum capacity.Bill
	for _, p := range in.sites(t) {
		var u capacity.Usage
		if billing == capacity.Provisioned {
			u.Read, u.Write = capacity.ReadUnits(p.haveRead), capacity.WriteUnits(p.haveWrite)
		} else if c := in.consumed(name, p.index); c != nil {
			u.Read, u.Write = capacity.ReadUnits(in.perSecond(c.Read)), capacity.WriteUnits(in.perSecond(c.Write))
		}
		u.Stored = in.stored(name, p.index)
		sum = sum.Plus(tariff.Bill(u))
	}
	for local := range t.Declared.LSI {
		u := capacity.Usage{}
		if c := in.consumed(name, local); c != nil && billing == capacity.OnDemand {
			u.Read, u.Write = capacity.ReadUnits(in.perSecond(c.Read)), capacity.WriteUnits(in.perSecond(c.Write))
		}
		u.Stored = in.stored(name, local)
		sum = sum.Plus(tariff.Bill(u))
	}
	return sum
}

// bill is what a table and its indexes cost a month, at the traffic that was seen. Of a table of which nothing is known it is
// what was consumed.
func (in *Input) bill(table string) capacity.Bill {
	tariff, billing := in.tariff(table), in.billing(table)
	if t := in.table(table); t != nil {
		return in.monthly(t, t.class(), billing)
	}
	var sum capacity.Bill
	for _, c := range in.Stats.Consumed {
		if c.Table == table {
			sum = sum.Plus(tariff.Bill(capacity.Usage{Read: capacity.ReadUnits(in.perSecond(c.Read)), Write: capacity.WriteUnits(in.perSecond(c.Write))}))
		}
	}
	return sum
}
