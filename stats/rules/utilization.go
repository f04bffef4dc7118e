package rules

import (
	"fmt"
	"strings"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/plan"
)

var utilization = &Rule{
	ID:       "utilization",
	Title:    "Provisioned capacity that is too much, or too little",
	Category: Capacity,
	Looks:    "At provisioned tables and their global indexes: what they consume, minute by minute, against what is provisioned, reads and writes each for itself.",
	Fires: "When less than 30 % (Thresholds.LowUse) is used on average and less can be provisioned without refusing anything; and when more than 80 % " +
		"(Thresholds.HighUse) was used for fifteen minutes on end, so that no burst is left.",
	Rests:   "On demand. While less than an hour was seen. When short peaks need what is provisioned and auto scaling would follow too late. When more than 80 % are used for some minutes only: bursts are what the 300 seconds of unused units are for.",
	Sources: []string{page("CostOptimization_TableCapacityMode"), page("AutoScaling"), page("burst-adaptive-capacity"), "https://repost.aws/knowledge-center/dynamodb-auto-scaling"},
	Find:    findUtilization,
}

// highMinutes is for how long use above the limit is no burst.
const highMinutes = 15

// policyWorth is what auto scaling has to provision of what a fixed number is, to be advised: a policy has to be kept.
const policyWorth = 0.67

// use is how reads or writes of a place use what is provisioned.
type use struct {
	index, what string // read, write
	have, mean  float64
	peak        float64
	longest     int // minutes on end above the limit
	fixed       float64
	scaled      scaled
}

func findUtilization(in *Input) (found []Finding) {
	if in.watched().Hours() < 1 || in.gaps() {
		return nil
	}
	for _, t := range in.Tables {
		tariff, billing := in.tariff(t.Declared.Name), in.billing(t.Declared.Name)
		if billing != capacity.Provisioned {
			continue
		}
		var low, high []use
		l := in.ledger(t.Declared.Name)
		l.saving.Assumes = ""
		for _, p := range in.sites(t) {
			for _, u := range []use{{index: p.index, what: "read", have: p.haveRead}, {index: p.index, what: "write", have: p.haveWrite}} {
				c := p.write
				if u.what == "read" {
					c = p.read
				}
				if len(c.units) == 0 || u.have == 0 {
					continue
				}
				u.mean, u.peak, u.longest = c.mean(), c.peak(), c.above(in.Thresholds.HighUse*u.have)
				switch {
				case u.longest >= highMinutes:
					high = append(high, u)
				case u.mean < in.Thresholds.LowUse*u.have:
					u.fixed, u.scaled = needed(u.peak), c.best()
					if least := u.least(); least < u.have {
						low = append(low, u)
						l.provision(tariff, u, least)
					}
				}
			}
		}
		saving := l.worth()
		if len(high) == 0 && (len(low) == 0 || saving == nil) {
			continue
		}
		f := Finding{Table: t.Declared.Name, Cause: cause(ofTable, t.Declared.Name, "capacity"), Remedy: Remedy{Ease: Setting}}
		if len(high) > 0 {
			f.tooLittle(in, high)
		} else {
			f.tooMuch(in, low, saving)
		}
		in.affect(&f, in.everything(f.Table, consumes)...)
		found = append(found, f)
	}
	return found
}

// least is what has to be provisioned on average: all the time, or by auto scaling if that never refuses anything.
func (u use) least() float64 {
	if u.scaled.throttled == 0 && u.scaled.average < policyWorth*u.fixed {
		return u.scaled.average
	}
	return u.fixed
}

// provision notes that so much less is provisioned: what is consumed stays.
func (l *ledger) provision(t capacity.Tariff, u use, least float64) {
	if u.what == "read" {
		l.saving.Before += t.Reads(capacity.ReadUnits(u.have))
		l.saving.After += t.Reads(capacity.ReadUnits(least))
		l.saving.ReadBefore += u.mean
		l.saving.ReadAfter += u.mean
		return
	}
	l.saving.Before += t.Writes(capacity.WriteUnits(u.have))
	l.saving.After += t.Writes(capacity.WriteUnits(least))
	l.saving.WriteBefore += u.mean
	l.saving.WriteAfter += u.mean
}

func (f *Finding) tooMuch(in *Input, low []use, saving *Saving) {
	worst := low[0]
	for _, u := range low {
		if u.have-u.least() > worst.have-worst.least() {
			worst = u
		}
	}
	f.Severity = Advice
	f.Title = fmt.Sprintf("%s uses %s of the %s units that are provisioned for it", place(f.Table, worst.index), percent(worst.mean/worst.have), worst.what)
	var steps []string
	var commands []string
	for _, u := range low {
		where := place(f.Table, u.index)
		f.Evidence = append(f.Evidence,
			Evidence{What: "use of provisioned " + u.what + " units of " + where + ", on average", Value: 100 * u.mean / u.have, Unit: "%",
				Limit: 100 * in.Thresholds.LowUse, Source: "Thresholds.LowUse"},
			Evidence{What: "busiest minute of it", Value: 100 * u.peak / u.have, Unit: "%"})
		if u.least() < u.fixed {
			steps = append(steps, fmt.Sprintf("%s units of %s by auto scaling from %.0f to %.0f, %s on average instead of %.0f", u.what, where, max(u.scaled.least, 1), u.scaled.most, number(u.scaled.average), u.have))
			commands = append(commands, scalingCommands(f.Table, u.index, strings.ToUpper(u.what[:1])+u.what[1:], u.scaled))
			continue
		}
		steps = append(steps, fmt.Sprintf("%.0f %s units of %s instead of %.0f", u.fixed, u.what, where, u.have))
	}
	f.Remedy.Text = "Provision " + strings.Join(steps, "; ") + ". That leaves 30 % above the busiest minute, or follows it; nothing of what was seen would have been refused."
	if len(commands) > 0 {
		f.Remedy.Snippets = []Snippet{{Kind: "aws", Text: strings.Join(commands, "\n")}}
	} else {
		f.Remedy.Snippets = []Snippet{{Kind: "aws", Text: in.throughputCommand(f.Table, low, use.least)}}
	}
	f.Saving = saving
	f.Confidence, f.Because = in.sure(0.8, "Busier days than those that were seen need more.")
}

func (f *Finding) tooLittle(in *Input, high []use) {
	worst := high[0]
	for _, u := range high {
		if u.peak/u.have > worst.peak/worst.have {
			worst = u
		}
	}
	f.Severity = Warning
	f.Title = fmt.Sprintf("%s used more than %s of its provisioned %s units for %d minutes on end", place(f.Table, worst.index), percent(in.Thresholds.HighUse), worst.what, worst.longest)
	var steps []string
	for _, u := range high {
		where := place(f.Table, u.index)
		f.Evidence = append(f.Evidence,
			Evidence{What: "minutes on end above the limit, " + u.what + " units of " + where, Value: float64(u.longest), Unit: "minutes", Limit: highMinutes,
				Source: page("burst-adaptive-capacity")},
			Evidence{What: "busiest minute of it", Value: 100 * u.peak / u.have, Unit: "%", Limit: 100 * in.Thresholds.HighUse, Source: "Thresholds.HighUse"})
		steps = append(steps, fmt.Sprintf("%.0f %s units of %s instead of %.0f", needed(u.peak), u.what, where, u.have))
	}
	f.Remedy.Text = "Provision " + strings.Join(steps, "; ") + ", or let auto scaling do it, or change to on-demand capacity: what is refused is tried again by the client, later, " +
		"until its attempts are used up."
	f.Remedy.Snippets = []Snippet{{Kind: "aws", Text: in.throughputCommand(f.Table, high, func(u use) float64 { return needed(u.peak) })}}
	f.Confidence, f.Because = in.sure(0.85, "Auto scaling may provision more already than when the table was asked for.")
}

// above is for how many minutes on end a curve was above a limit.
func (c curve) above(limit float64) int {
	longest, now := 0, 0
	for _, u := range c.units {
		if now++; u <= limit {
			now = 0
		}
		longest = max(longest, now)
	}
	return longest
}

// throughputCommand provisions other units for those uses of a table and its indexes.
func (in *Input) throughputCommand(table string, uses []use, units func(use) float64) string {
	then := map[string]plan.Billing{}
	for _, u := range uses {
		b, known := then[u.index]
		if !known {
			b = in.provisioned(table, u.index)
		}
		if u.what == "read" {
			b.Read = units(u)
		} else {
			b.Write = units(u)
		}
		then[u.index] = b
	}
	return updateTable(table, then)
}

// updateTable is the command that provisions units for a table and its indexes.
func updateTable(table string, then map[string]plan.Billing) string {
	text := "aws dynamodb update-table --table-name " + table
	var indexes []string
	for _, index := range sortedKeys(then) {
		b := then[index]
		if index == "" {
			text += fmt.Sprintf(" --provisioned-throughput ReadCapacityUnits=%.0f,WriteCapacityUnits=%.0f", b.Read, b.Write)
			continue
		}
		indexes = append(indexes, fmt.Sprintf(`{"Update":{"IndexName":%q,"ProvisionedThroughput":{"ReadCapacityUnits":%.0f,"WriteCapacityUnits":%.0f}}}`, index, b.Read, b.Write))
	}
	if len(indexes) > 0 {
		text += " --global-secondary-index-updates '[" + strings.Join(indexes, ",") + "]'"
	}
	return text
}
