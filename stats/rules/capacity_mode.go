package rules

import (
	"fmt"
	"strings"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/plan"
)

var capacityMode = &Rule{
	ID:       "capacity-mode",
	Title:    "The other capacity mode costs less",
	Category: Cost,
	Looks: "At the units that a table and its global indexes consumed minute by minute, for a day at least, and at what is provisioned. What provisioned " +
		"mode would cost is found by letting auto scaling follow these minutes: two minutes above 70 % scale out, fifteen below 50 % scale in, decreases " +
		"are limited as the service limits them, unused units of 300 seconds serve bursts, and an hour is paid by its dearest minute.",
	Fires: "When the other mode would cost an eighth less, and ten dollars a month, and auto scaling would not have refused a single unit.",
	Rests: "When less than a day was seen: nights and mornings decide. When traffic rises faster than auto scaling follows. When a table's mode is not known.",
	Sources: []string{page("capacity-mode"), page("AutoScaling"), page("ServiceQuotas"), page("burst-adaptive-capacity"), page("bp-switching-capacity-modes"),
		"https://repost.aws/knowledge-center/dynamodb-auto-scaling", "https://aws.amazon.com/dynamodb/pricing/"},
	Find: findCapacityMode,
}

// What a change of mode has to save a month, and of the bill: provisioned capacity wants attention, which is not free.
const (
	leastModeSaving = 5 * capacity.Dollar
	leastModeShare  = 0.125
)

func findCapacityMode(in *Input) (found []Finding) {
	if in.watched() < day || in.gaps() {
		return nil
	}
	for _, t := range in.Tables {
		billing := in.billing(t.Declared.Name)
		var f *Finding
		if billing == capacity.OnDemand {
			f = in.toProvisioned(t)
		} else {
			f = in.toOnDemand(t)
		}
		if f != nil {
			f.Table, f.Cause = t.Declared.Name, cause(ofTable, t.Declared.Name, "capacity")
			ops := in.everything(f.Table, consumes)
			in.affect(f, ops...)
			found = append(found, *f)
		}
	}
	return found
}

// gaps reports whether nobody watched for more than a twentieth of the time: minutes without calls are then not known to be
// quiet ones.
func (in *Input) gaps() bool { return in.watched() < in.Stats.Span()*19/20 }

// toProvisioned compares a table on demand with auto scaling.
func (in *Input) toProvisioned(t *Table) *Finding {
	name := t.Declared.Name
	now := in.tariff(name)
	then := in.Prices.Tariff(t.class(), capacity.Provisioned)
	s := Saving{Assumes: "Traffic goes on as in the minutes that were seen, and auto scaling aims at 70 %."}
	var commands []string
	var peak, mean float64
	for _, p := range in.sites(t) {
		if len(p.read.units) == 0 && len(p.write.units) == 0 { // an index that nothing touched: one unit each is what there must be
			s.After += money(then, 1, 1)
			continue
		}
		read, write := p.read.best(), p.write.best()
		if read.throttled > 0 || write.throttled > 0 {
			return nil
		}
		s.ReadBefore, s.WriteBefore = s.ReadBefore+p.read.mean(), s.WriteBefore+p.write.mean()
		s.Before += money(now, p.read.mean(), p.write.mean())
		s.After += money(then, max(read.average, 1), max(write.average, 1))
		peak, mean = peak+p.read.peak()+p.write.peak(), mean+p.read.mean()+p.write.mean()
		commands = append(commands, scalingCommands(name, p.index, "Read", read), scalingCommands(name, p.index, "Write", write))
	}
	s.ReadAfter, s.WriteAfter = s.ReadBefore, s.WriteBefore
	if s.Monthly() < leastModeSaving || float64(s.Monthly()) < leastModeShare*float64(s.Before) {
		return nil
	}
	f := &Finding{
		Severity: Advice,
		Title:    fmt.Sprintf("%s costs %s a month on demand and would cost %s provisioned with auto scaling", name, s.Before, s.After),
		Evidence: []Evidence{
			{What: "reads and writes on demand, a month", Value: s.Before.Dollars(), Unit: "$"},
			{What: "the same provisioned, auto scaling simulated over what was seen, a month", Value: s.After.Dollars(), Unit: "$", Source: page("AutoScaling")},
			{What: "busiest minute against the average", Value: peak / mean, Unit: "times"},
		},
		Remedy: Remedy{
			Text: "Change the table to provisioned capacity, with auto scaling of the table and of every index between these units: bursts were never refused in the " +
				"simulation. Changing back is possible at any time, four times a day at most.",
			Snippets: []Snippet{{Kind: "aws", Text: strings.Join(append([]string{in.modeCommand(t)}, commands...), "\n")}},
			Ease:     Setting,
		},
		Saving: &s,
	}
	f.Confidence, f.Because = 0.8, "The next months may be unlike what was seen."
	if in.watched() < 7*day {
		f.Confidence, f.Because = 0.7, fmt.Sprintf("%s were seen: a busier day of the week or month is not among them.", lasting(in.watched()))
	}
	return f
}

// toOnDemand compares what is provisioned with on-demand prices.
func (in *Input) toOnDemand(t *Table) *Finding {
	name := t.Declared.Name
	now := in.tariff(name)
	then := in.Prices.Tariff(t.class(), capacity.OnDemand)
	var s Saving
	var have, used float64
	for _, p := range in.sites(t) {
		s.Before += money(now, p.haveRead, p.haveWrite)
		s.After += money(then, p.read.mean(), p.write.mean())
		s.ReadBefore, s.WriteBefore = s.ReadBefore+p.read.mean(), s.WriteBefore+p.write.mean()
		have, used = have+p.haveRead+p.haveWrite, used+p.read.mean()+p.write.mean()
	}
	s.ReadAfter, s.WriteAfter = s.ReadBefore, s.WriteBefore
	s.Assumes = "What is provisioned stays as it was found: if auto scaling changes it, compare with the bill."
	if s.Monthly() < leastModeSaving || float64(s.Monthly()) < leastModeShare*float64(s.Before) || have == 0 {
		return nil
	}
	f := &Finding{
		Severity: Advice,
		Title:    fmt.Sprintf("%s is provisioned for %s a month, of which %s are used; on demand it would cost %s", name, s.Before, percent(used/have), s.After),
		Evidence: []Evidence{
			{What: "provisioned reads and writes, a month", Value: s.Before.Dollars(), Unit: "$"},
			{What: "the same units on demand, a month", Value: s.After.Dollars(), Unit: "$", Source: page("capacity-mode")},
			{What: "use of what is provisioned, on average", Value: 100 * used / have, Unit: "%"},
		},
		Remedy: Remedy{
			Text: "Change the table to on-demand capacity. It takes twice its earlier peak at once, so that no unit has to be provisioned ahead. Where there is " +
				"reserved capacity, that is paid nevertheless.",
			Snippets: []Snippet{{Kind: "aws", Text: "aws dynamodb update-table --table-name " + name + " --billing-mode PAY_PER_REQUEST"},
				{Kind: "model", Text: "tables:\n  " + name + ":\n    billing: on-demand"}},
			Ease: Setting,
		},
		Saving: &s,
	}
	f.Confidence, f.Because = 0.75, "Auto scaling, if there is any, may provision less at other times than when the table was asked for."
	return f
}

// modeCommand changes a table to provisioned capacity, with what its busiest minute needs: auto scaling lowers it.
func (in *Input) modeCommand(t *Table) string {
	then := map[string]plan.Billing{}
	for _, p := range in.sites(t) {
		then[p.index] = plan.Billing{Read: needed(p.read.peak()), Write: needed(p.write.peak())}
	}
	return updateTable(t.Declared.Name, then) + " --billing-mode PROVISIONED"
}

// scalingCommands have auto scaling follow the reads or writes of a table or index.
func scalingCommands(table, index, what string, s scaled) string {
	resource, dimension := "table/"+table, "dynamodb:table:"+what+"CapacityUnits"
	if index != "" {
		resource, dimension = resource+"/index/"+index, "dynamodb:index:"+what+"CapacityUnits"
	}
	const spare = 2 // the most that is allowed, above the most that was needed
	return fmt.Sprintf("aws application-autoscaling register-scalable-target --service-namespace dynamodb --resource-id %s \\\n"+
		"  --scalable-dimension %s --min-capacity %.0f --max-capacity %.0f\n"+
		"aws application-autoscaling put-scaling-policy --service-namespace dynamodb --resource-id %s \\\n"+
		"  --scalable-dimension %s --policy-name %sTracking --policy-type TargetTrackingScaling \\\n"+
		"  --target-tracking-scaling-policy-configuration '{\"TargetValue\":70,\"PredefinedMetricSpecification\":{\"PredefinedMetricType\":\"DynamoDB%sCapacityUtilization\"}}'",
		resource, dimension, max(s.least, 1), spare*max(s.most, 1), resource, dimension, what, what)
}
