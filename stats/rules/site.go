package rules

import (
	"slices"

	"github.com/tablewright/tablewright/capacity"
)

// site is a table or an index of it with throughput of its own: local indexes use their table's.
type site struct {
	index               string
	read, write         curve
	haveRead, haveWrite float64 // provisioned
}

// sites are a table and its global indexes.
func (in *Input) sites(t *Table) []site {
	name, form := t.Declared.Name, t.Declared
	names := []string{""}
	for x := range form.GSI {
		names = append(names, x)
	}
	slices.Sort(names)
	var out []site
	for _, x := range names {
		c, have := in.consumed(name, x), in.provisioned(name, x)
		p := site{index: x, read: in.curveOf(c, true), write: in.curveOf(c, false), haveRead: have.Read, haveWrite: have.Write}
		if x == "" {
			for local := range form.LSI {
				c := in.consumed(name, local)
				p.read.add(in.curveOf(c, true))
				p.write.add(in.curveOf(c, false))
			}
		}
		out = append(out, p)
	}
	return out
}

// add adds another curve of the same time.
func (c *curve) add(o curve) {
	if len(c.units) == 0 {
		*c = o
		return
	}
	for i, u := range o.units {
		at := o.first + int64(i) - c.first
		if at < 0 || at >= int64(len(c.units)) {
			continue
		}
		c.units[at] += u
	}
}

// money is what a month of so many units per second costs at a place.
func money(t capacity.Tariff, read, write float64) capacity.Money {
	return t.Reads(capacity.ReadUnits(read)) + t.Writes(capacity.WriteUnits(write))
}
