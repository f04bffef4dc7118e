package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/stats"
)

var datedPartitionKeys = &Rule{
	ID:       "dated-partition-keys",
	Title:    "Partition keys that go up with time, the newest of which has all the load",
	Category: Reliability,
	Looks: "At the partition keys with the most load that differ in a date, a time or a number only: whether they are busy one after the other, in that order, how much " +
		"of the load of the table or index they have together, and how much the busiest has in its busiest minute.",
	Fires: "When such keys, each in its turn, have at least half of the load, and the key of one day, hour or number takes a hundredth or more of what one partition does: 3,000 " +
		"read units or 1,000 write units a second. As a warning from half of Thresholds.HotKey on.",
	Rests: "On the form alone: a key for each day with little load does no harm. When the date is one part of a key with others, such as a device, which spread the " +
		"load. On numbers, such as those of orders, under each of which little is written: keys are hashed, and neighbours lie apart.",
	Sources: []string{page("bp-partition-key-design"), page("bp-time-series"), page("bp-partition-key-sharding")},
	Find:    findDatedPartitionKeys,
}

const (
	// newestShare is the share of the load that the keys of one form have to have, each in its turn.
	newestShare = 0.5
	// noticeable is the share of a partition's throughput from which it is worth a word.
	noticeable = 0.01
	// lastingMinutes is how many of its busiest minutes a number's load has to be, on average, for it to be one that much is put under,
	// and underNumber how many items have to lie under each where it is not.
	lastingMinutes = 3
	underNumber    = 20
	// unlikely is one in how many orders of keys the one in which they were busy has to be, for it to be no chance: 5!.
	unlikely = 120
)

func findDatedPartitionKeys(in *Input) (found []Finding) {
	forms := map[string][]timedKey{}
	var order []string
	for i := range in.Stats.Partitions.List {
		t, ok := timed(&in.Stats.Partitions.List[i])
		if !ok || t.Table == others {
			continue
		}
		id := t.Table + "\x00" + t.Index + "\x00" + t.form
		if forms[id] == nil {
			order = append(order, id)
		}
		forms[id] = append(forms[id], t)
	}
	for _, id := range order {
		keys := forms[id]
		slices.SortFunc(keys, func(a, b timedKey) int { return cmp.Compare(a.number, b.number) })
		if hot := in.newest(keys); hot != nil {
			found = append(found, in.dated(keys, hot))
		}
	}
	return found
}

// newest is the key with the highest peak, if these keys are busy one after the other and have most of the load together; else nil.
func (in *Input) newest(keys []timedKey) (hot *timedKey) {
	c := in.consumed(keys[0].Table, keys[0].Index)
	if c == nil || !in.inTurn(keys) {
		return nil
	}
	load, peaks := 0.0, 0.0
	for i := range keys {
		load += keys[i].Load
		peaks += keys[i].Peak
		if hot == nil || peakHeat(keys[i].Key) > peakHeat(hot.Key) {
			hot = &keys[i]
		}
	}
	if load < newestShare*stats.Load(c.Read, c.Write) || peakHeat(hot.Key) < noticeable {
		return nil
	}
	if hot.at.IsZero() && load < lastingMinutes*peaks && (c.Partitions == nil || in.items(hot.Table) < underNumber*c.Partitions.Count()) {
		return nil // numbers that are used once, such as orders'
	}
	return hot
}

// peakHeat is the share of what one partition does that a key took in its busiest minute.
func peakHeat(k *stats.Key) float64 {
	return capacity.Heat(capacity.ReadUnits(k.PeakRead/60), capacity.WriteUnits(k.PeakWrite/60))
}

// inTurn reports whether keys, which are in their order, are busy in that order: of those with a time it is enough that it is the
// time of the statistics.
func (in *Input) inTurn(keys []timedKey) bool {
	turns, steps := 0, 0
	orders, same := 1.0, 1.0 // in how many orders keys with these minutes can be, and how many there were with this one
	for i := 1; i < len(keys); i++ {
		same++
		if before, now := keys[i-1].PeakMinute, keys[i].PeakMinute; now != before {
			same = 1
			steps++
			if now > before {
				turns++
			}
		}
		orders *= float64(i+1) / same
	}
	if timed := !keys[len(keys)-1].at.IsZero() || clocked(keys); steps >= 2 && timed || orders >= unlikely { // a few numbers are in order by chance
		return float64(turns) >= 0.9*float64(steps)
	}
	last := keys[len(keys)-1].at
	return !last.IsZero() && !last.Before(in.Stats.From.AddDate(0, -1, 0)) && !last.After(in.Stats.To.Add(24*time.Hour)) && turns == steps
}

// clocked reports whether the numbers of keys are those of the time when each was busy: days, hours or minutes since 1970, days of the
// year or month, hours of the day or minutes of the hour, as in 06:30.
func clocked(keys []timedKey) bool {
	for _, number := range []func(at time.Time) int64{
		func(at time.Time) int64 { return at.Unix() / 86400 },
		func(at time.Time) int64 { return at.Unix() / 3600 },
		func(at time.Time) int64 { return at.Unix() / 60 },
		func(at time.Time) int64 { return int64(at.YearDay()) },
		func(at time.Time) int64 { return int64(at.Day()) },
		func(at time.Time) int64 { return int64(at.Hour()) },
		func(at time.Time) int64 { return int64(at.Minute()) },
	} {
		if !slices.ContainsFunc(keys, func(k timedKey) bool { return float64(number(time.Unix(60*k.PeakMinute, 0).UTC())) != k.number }) {
			return true
		}
	}
	return false
}

func (in *Input) dated(keys []timedKey, hot *timedKey) Finding {
	heat := peakHeat(hot.Key)
	f := Finding{
		Severity: Advice, Table: hot.Table, Index: hot.Index, Key: hot.Key.Key, Cause: causeOfKey(hot.Key),
		Title: fmt.Sprintf("The traffic of %s meets on its newest partition key, such as %s: %s of what one partition does", place(hot.Table, hot.Index),
			keyName(hot.Key), percent(heat)),
		Evidence: []Evidence{
			{What: "of one partition's throughput, in the busiest minute of the newest key", Value: 100 * heat, Unit: "%", Limit: 100 * in.Thresholds.HotKey,
				Source: page("bp-partition-key-design")},
			{What: "write units of that key in that minute", Value: hot.PeakWrite / 60, Unit: "write units/s", Limit: float64(capacity.PartitionWrites)},
			{What: "read units of that key in that minute", Value: hot.PeakRead / 60, Unit: "read units/s", Limit: float64(capacity.PartitionReads)},
			{What: "keys of this form that were busy one after the other", Value: float64(len(keys)), Unit: "keys"},
		},
		Confidence: 0.85,
		Because:    "The load may stay as it is, far enough from the limit.",
	}
	if heat >= in.Thresholds.HotKey/2 {
		f.Severity, f.Because = Warning, "Which attribute the data is asked for by is for the program to say."
	}
	shards := max(capacity.Shards(capacity.ReadUnits(hot.PeakRead/60), capacity.WriteUnits(hot.PeakWrite/60)), 2)
	f.Remedy = in.spread(hot, shards)
	in.affect(&f, in.operations(hot.Table, hot.Index)...)
	return f
}

func (in *Input) spread(hot *timedKey, shards int) Remedy {
	ease, how := Migration, "Items lie under the new key from then on; those that are there are read under the old one until they are gone or moved, item by item with Move."
	if hot.Index != "" {
		ease, how = NewIndex, "Make the new index beside the old one, fill it with migrate.Backfill, move the queries, and drop the old one."
	}
	return Remedy{
		Text: fmt.Sprintf("Put what the data is asked for by, such as a device or a tenant, before the %s in the partition key: readings of one device in one day are a partition then. "+
			"Where everything of a time is asked for, spread it over shards: with %d the newest bears %[2]d times as much, and a query reads all of them, merged in order, for a request "+
			"each. The time itself belongs into the sort key. %s", timeOrNumber(hot), shards, how),
		Snippets: []Snippet{
			{"go", `plan.Item{Name: "Reading", Key: map[string]string{"PK": "{device}#{at:day}", "SK": "{at:iso}"}}`},
			{"go", fmt.Sprintf(`plan.Item{Name: "Reading", Key: map[string]string{"PK": "{at:day}#{shard}", "SK": "{at:iso}#{id}"}, Shard: &plan.Shard{Of: %d, By: "id"}}`, shards)},
		},
		Ease: ease,
	}
}

func timeOrNumber(t *timedKey) string {
	if strings.Contains(t.form, "<time>") || !t.at.IsZero() {
		return "time"
	}
	return "number"
}
