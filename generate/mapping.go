package generate

import (
	"fmt"
	"strings"

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
				rows = append(rows, []string{code(x.Name), "no plan", "", "", ""})
				continue
			}
			rows = append(rows, []string{code(x.Name), planText(proc), unitsText(c.Read), unitsText(c.Write), c.Cost.String()})
		}
		if len(rows) == 0 {
			continue
		}
		head := "Reads"
		if writes {
			head = "Writes"
		}
		p.heading(3, "%s", head)
		p.table([]string{"access pattern", "plan", ">read units a call", ">write units a call", ">a month"}, rows)
	}
	p.text("Units are expectations of rounded units over the stated sizes and numbers. A write shows its table and each index that it changes; inside a transaction the table's units are doubled, those of indexes are not.")
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

// heat is the hot partition analysis.
func (in *Input) heat(p *page) {
	p.heading(2, "Hot partitions")
	p.text("One partition, and so every single item and every key, carries at most 3,000 read and 1,000 write units per second; no setting raises that. " +
		"Below are the hottest keys at peak, all access patterns that touch a key added up: calls per second at peak × share of them that fall on the hottest key × units of a call there.")
	var rows [][]string
	for i, l := range in.Price.Loads {
		if i >= 12 || i >= 6 && l.Heat < 0.01 {
			break
		}
		var parts []string
		for _, x := range l.Parts {
			n := x.Rate * x.Share * x.Units
			if n < 0.005*(l.Read+l.Write) {
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
		rows = append(rows, []string{what, strings.Join(parts, "<br>"), show.Number(l.Read), show.Number(l.Write), show.Percent(l.Heat), verdict})
	}
	p.table([]string{"key", "calls/s × share × units", ">read units/s", ">write units/s", ">of its limit", "verdict"}, rows)
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
		"If every access pattern ran at its peak all month it would be %s. Provisioned is what reads and writes would cost with auto scaling at 70 %% utilization at average rates, storage added.",
		r.Prices.Region, r.Prices.Date, r.Free, r.Peak())
	var rows [][]string
	provisioned := r.Bill.Storage
	for _, x := range r.Places {
		name := "**" + x.Name + "**"
		if x.Index != nil {
			name = "· " + x.Index.Index
		}
		provisioned += x.Provisioned
		rows = append(rows, []string{name, x.Bill.Reads.String(), x.Bill.Writes.String(), x.Bill.Storage.String(), recovery(x.Bill.Recovery.String()), x.Bill.Total().String(), (x.Provisioned + x.Bill.Storage).String()})
	}
	rows = append(rows, []string{"**all**", r.Bill.Reads.String(), r.Bill.Writes.String(), r.Bill.Storage.String(), recovery(r.Bill.Recovery.String()), "**" + r.Total().String() + "**", provisioned.String()})
	p.table([]string{"table, index", ">reads", ">writes", ">storage", ">recovery", ">a month", ">provisioned"}, rows)
	rows = nil
	for _, x := range r.Patterns {
		if x.Cost == 0 {
			continue
		}
		rows = append(rows, []string{code(x.Name), show.Number(x.Rate.Average), x.Cost.String(), show.Percent(float64(x.Cost) / float64(max(r.Bill.Reads+r.Bill.Writes, 1)))})
	}
	p.text("Where the reads and writes go:")
	p.table([]string{"access pattern", ">calls/s", ">a month", ">share of reads and writes"}, rows)
}

// recovery leaves out a column of nothing.
func recovery(s string) string {
	if s == "$0.00" {
		return ""
	}
	return s
}
