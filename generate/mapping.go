package generate

import (
	"fmt"
	"strings"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/cost"
	"github.com/tablewright/tablewright/internal/show"
	"github.com/tablewright/tablewright/plan"
)

// mapping says how each access pattern is served, reads then writes.
func (in *Input) mapping(p *page) {
	p.heading(2, "Access pattern mapping")
	for _, writes := range []bool{false, true} {
		var rows [][]string
		for _, x := range in.Requirements.Patterns {
			if x.Writes() != writes {
				continue
			}
			proc, c := in.Program.Procedure(x.Name), in.Price.Pattern(x.Name)
			if proc == nil || c == nil {
				rows = append(rows, []string{code(x.Name), "no plan", "", "", "", ""})
				continue
			}
			rows = append(rows, []string{code(x.Name), planText(proc), in.tripsText(proc), unitsText(c.Read), unitsText(c.Write), c.Cost.String()})
		}
		if len(rows) == 0 {
			continue
		}
		head := "Reads"
		if writes {
			head = "Writes"
		}
		p.heading(3, "%s", head)
		p.table([]string{"access pattern", "plan", ">round trips a call", ">read units a call", ">write units a call", ">a month"}, rows)
	}
	p.text("Round trips are the requests of a call that wait for each other: what does not depend on an answer is sent at once, so that there can be more requests than round trips. " +
		"A call that reads more than 1 MB, or more than fits into a page, goes on with another one.")
	p.text("Units are expectations: every request and item is rounded up as DynamoDB bills it, over the stated sizes and numbers. Their decimals are the share of calls that need a unit more: " +
		"an item whose size varies around a border (1 KB of a write, 4 KB of a read) crosses it now and then, even where two access patterns change the same attribute. " +
		"A write shows its table and each index that it changes; inside a transaction the table's units are doubled, those of indexes are not.")
}

// planText is a plan in one cell of a table.
func planText(proc *plan.Procedure) string {
	var out []string
	for _, line := range Steps(proc) {
		out = append(out, code(strings.TrimSpace(line)))
	}
	return strings.Join(out, "<br>")
}

// unitsText are units by table and index.
func unitsText(units map[string]float64) string {
	var out []string
	for _, name := range sortedKeys(units) {
		out = append(out, show.Units(units[name])+" "+name)
	}
	return strings.Join(out, "<br>")
}

const (
	loadsShown = 12
	cool       = 0.01 // of a key's limit at peak: what is below needs no look
	cold       = 0.001
)

// slight is a rate of units that may be next to nothing.
func slight(n float64) string {
	if n > 0 && n < 0.005 {
		return "< 0.01"
	}
	return show.Number(n)
}

// percentOf is a share that may be next to nothing.
func percentOf(share float64) string {
	if share > 0 && share < 0.001 {
		return "< 0.1 %"
	}
	return show.Percent(share)
}

// heat is the hot partition analysis.
func (in *Input) heat(p *page) {
	p.heading(2, "Hot partitions")
	p.text("One partition, and so every single item and every key, carries at most 3,000 read and 1,000 write units per second; no setting raises that. " +
		"What the hottest keys carry at peak is added up over all access patterns that touch a key: calls per second at peak × share of them that fall on the hottest key × units of a call there.")
	var rows [][]string
	var left []cost.Load
	for i, l := range in.Price.Loads {
		if i >= loadsShown || i > 0 && l.Heat < cool {
			left = in.Price.Loads[i:]
			break
		}
		var parts []string
		for _, x := range l.Parts {
			n := x.Rate * x.Share * x.Units
			if n < 0.005*(l.Read+l.Write) || n < 0.0005 {
				continue
			}
			unit := "RU"
			if x.Write {
				unit = "WU"
			}
			parts = append(parts, fmt.Sprintf("%s: %s × %s × %s = %s %s/s", x.Pattern, show.Number(x.Rate), show.Percent(x.Share), show.Units(x.Units), show.Number(n), unit))
		}
		what := l.Of + " of " + code(l.Place)
		if l.Item {
			what += " (one item)"
		}
		verdict := "fits"
		switch {
		case l.Heat > 1:
			verdict = "**exceeds the limit**"
		case l.Heat > 0.5:
			verdict = "above half of the limit"
		}
		rows = append(rows, []string{what, strings.Join(parts, "<br>"), slight(l.Read), slight(l.Write), percentOf(l.Heat), verdict})
	}
	if loads := in.Price.Loads; len(loads) > 0 && loads[0].Heat < cold {
		p.text("No key stands out: even the hottest, one %s of %s, carries less than %s of its limit at peak.", loads[0].Of, code(loads[0].Place), show.Percent(cold))
		rows, left = nil, nil
	}
	p.table([]string{"key", "calls/s × share × units", ">read units/s", ">write units/s", ">of its limit", "verdict"}, rows)
	if len(left) > 0 {
		var names []string
		for _, l := range left {
			names = appendNew(names, code(l.Place))
		}
		most := "below " + show.Percent(cool)
		if left[0].Heat >= cool {
			most = "at " + show.Percent(left[0].Heat) + " at most"
		}
		p.text("All other keys (the hottest of %s) stay %s of their limit.", show.List(names), most)
	}
	var warm []string
	for _, f := range in.Price.Findings() {
		warm = append(warm, sentence(f.Message))
	}
	if len(warm) == 0 {
		p.text("No key comes near half of its limit, no item near 400 KB, and no table or number of indexes near its quota.")
	}
	p.list(warm...)
}

// cost is the cost table.
func (in *Input) cost(p *page) {
	r := in.Price
	p.heading(2, "Cost")
	p.text("A month at the stated average rates, on demand, %s, prices of %s, storage of today's numbers. The free tier (%s a month for an account that uses it for nothing else) is not deducted. "+
		"If every access pattern ran at its peak all month it would be %s. Provisioned is what reads and writes would cost with auto scaling at 70 %% utilization at average rates, with all else added.",
		r.Prices.Region, r.Prices.Date, r.Free, r.Peak())
	var rows [][]string
	provisioned := r.Bill.Storage + r.Bill.Streams + r.Bill.Recovery
	for _, x := range r.Places {
		name := "**" + x.Name + "**"
		if x.Index != nil {
			name = "· " + x.Index.Index
		}
		provisioned += x.Provisioned
		rows = append(rows, []string{name, x.Bill.Reads.String(), x.Bill.Writes.String(), x.Bill.Storage.String(), something(x.Bill.Streams), something(x.Bill.Recovery), x.Bill.Total().String(), (x.Provisioned + x.Bill.Storage + x.Bill.Streams + x.Bill.Recovery).String()})
	}
	rows = append(rows, []string{"**all**", r.Bill.Reads.String(), r.Bill.Writes.String(), r.Bill.Storage.String(), something(r.Bill.Streams), something(r.Bill.Recovery), "**" + r.Total().String() + "**", provisioned.String()})
	p.table([]string{"table, index", ">reads", ">writes", ">storage", ">streams", ">point-in-time recovery", ">a month", ">provisioned"}, rows)
	rows = nil
	for _, x := range r.Patterns {
		if x.Cost == 0 {
			continue
		}
		rows = append(rows, []string{code(x.Name), show.Number(x.Rate.Average), x.Cost.String(), percentOf(float64(x.Cost) / float64(max(r.Bill.Reads+r.Bill.Writes, 1)))})
	}
	p.text("Where the reads and writes go:")
	p.table([]string{"access pattern", ">calls/s", ">a month", ">share of reads and writes"}, rows)
}

// something leaves out a column of nothing.
func something(m capacity.Money) string {
	if m == 0 {
		return ""
	}
	return m.String()
}
