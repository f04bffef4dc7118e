package engine

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/wire"
)

const provisioned, onDemand = "PROVISIONED", "PAY_PER_REQUEST"

// checkCapacity checks the capacity that a new table asks for, in the service's order.
func checkCapacity(in *wire.CreateTableInput) *wire.Error {
	if in.BillingMode == onDemand {
		if in.Throughput != nil {
			return wire.Invalid(inv + "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST")
		}
	} else {
		if in.Throughput == nil {
			return wire.Invalid(inv + "ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED")
		}
		if err := checkBounds(in.Throughput); err != nil {
			return err
		}
		if err := noOnDemand(in.OnDemand, ""); err != nil {
			return err
		}
	}
	if err := checkOnDemand(in.OnDemand, "", false); err != nil {
		return err
	}
	return checkWarm(in.Warm, in.Throughput, in.BillingMode, "")
}

// checkIndexCapacity checks the capacity that a new global index asks for; update is whether an UpdateTable adds it.
func checkIndexCapacity(x *wire.Index, mode string, update bool) *wire.Error {
	switch {
	case mode == onDemand && x.Throughput != nil && update:
		return wire.Invalid(inv + "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified for index: " + x.Name + " when BillingMode is PAY_PER_REQUEST")
	case mode == onDemand && x.Throughput != nil:
		return wire.Invalid(inv + "ProvisionedThroughput should not be specified for index: " + x.Name + " when BillingMode is PAY_PER_REQUEST")
	case mode != onDemand && x.Throughput == nil && update:
		return wire.Invalid(inv + "Both ReadCapacityUnits and WriteCapacityUnits must be specified for index: " + x.Name)
	case mode != onDemand && x.Throughput == nil:
		return wire.Invalid(inv + "ProvisionedThroughput is not specified for index: " + x.Name)
	}
	if mode != onDemand {
		if err := noOnDemand(x.OnDemand, x.Name); err != nil {
			return err
		}
	}
	if err := checkOnDemand(x.OnDemand, x.Name, false); err != nil {
		return err
	}
	return checkWarm(x.Warm, x.Throughput, mode, x.Name)
}

// checkBounds refuses units beyond what any table could have (catalogued on AWS by the authors of dynalite); the account's
// quota, far below, is looked at later.
func checkBounds(t *wire.Throughput) *wire.Error {
	const most = 1_000_000_000_000
	switch {
	case t == nil:
		return nil
	case t.Read > most:
		return wire.Invalid("Given value " + strconv.FormatInt(t.Read, 10) + " for ReadCapacityUnits is out of bounds")
	case t.Write > most:
		return wire.Invalid("Given value " + strconv.FormatInt(t.Write, 10) + " for WriteCapacityUnits is out of bounds")
	}
	return nil
}

// noOnDemand refuses limits of on-demand capacity on a provisioned table; index is empty for the table's own.
func noOnDemand(o *wire.OnDemandThroughput, index string) *wire.Error {
	if o == nil || o.Read == nil && o.Write == nil {
		return nil
	}
	member := "MaxReadRequestUnits"
	if o.Read == nil {
		member = "MaxWriteRequestUnits"
	}
	of := ""
	if index != "" {
		of = " for index : " + index
	}
	return wire.Invalid(inv + member + " for OnDemandThroughput" + of + " cannot be specified when table BillingMode is PROVISIONED.")
}

// checkOnDemand holds limits of on-demand capacity to their range: -1, no limit, is for updates (captured on AWS, 2026-10).
func checkOnDemand(o *wire.OnDemandThroughput, index string, update bool) *wire.Error {
	if o == nil {
		return nil
	}
	of := " for table"
	if index != "" {
		of = " for index : " + index
	}
	for _, m := range []struct {
		units *int64
		name  string
	}{{o.Read, "MaxReadRequestUnits"}, {o.Write, "MaxWriteRequestUnits"}} {
		if m.units == nil || *m.units >= 1 || update && *m.units == -1 {
			continue
		}
		return wire.Invalid(inv + "Requested " + m.name + " for OnDemandThroughput" + of + " is outside of valid range")
	}
	return nil
}

// checkWarm holds the warm throughput of a new table or index to the least that it has anyway.
func checkWarm(w *wire.WarmUnits, t *wire.Throughput, mode, index string) *wire.Error {
	if w == nil {
		return nil
	}
	least := baseWarmth(t)
	for _, m := range warmMembers(w, least.Read, least.Write) {
		if m.units == nil || *m.units >= m.than {
			continue
		}
		text := inv + "Requested " + m.name + " for WarmThroughput" + forIndex(index) + " is lower than "
		if mode == onDemand {
			return wire.Invalid(text + "initial throughput for OnDemand. See: " +
				"https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html#on-demand-capacity-mode-initial")
		}
		return wire.Invalid(text + m.capacity + " of ProvisionedThroughput")
	}
	return nil
}

func forIndex(index string) string {
	if index == "" {
		return " for table"
	}
	return " for index " + index
}

// warmth is the throughput that a table or index takes at once. It grows with what is provisioned and with what is asked
// for, and never shrinks (captured on AWS, 2026-10). From is what is told while it is raised.
type warmth struct {
	Read, Write         int64
	FromRead, FromWrite int64
	State               state
}

// baseWarmth is what a table is ready for unasked: what is provisioned, or what a new on-demand table is (warm-throughput).
func baseWarmth(t *wire.Throughput) warmth {
	if t != nil {
		return warmth{Read: t.Read, Write: t.Write}
	}
	return warmth{Read: int64(capacity.NewTableReads), Write: int64(capacity.NewTableWrites)}
}

// grow makes it at least as much as what the throughput t is ready for.
func (w *warmth) grow(t *wire.Throughput) {
	base := baseWarmth(t)
	w.Read, w.Write = max(w.Read, base.Read), max(w.Write, base.Write)
}

// raise makes it what is asked for, which is no less than it is.
func (w *warmth) raise(to *wire.WarmUnits, s state) {
	if to == nil {
		return
	}
	w.FromRead, w.FromWrite, w.State = w.Read, w.Write, s
	if to.Read != nil {
		w.Read = *to.Read
	}
	if to.Write != nil {
		w.Write = *to.Write
	}
}

// checkRaise refuses less than there is.
func (w *warmth) checkRaise(to *wire.WarmUnits, index string) *wire.Error {
	if to == nil {
		return nil
	}
	for _, m := range warmMembers(to, w.Read, w.Write) {
		if m.units != nil && *m.units < m.than {
			return wire.Invalid(inv + "Requested " + m.name + " for WarmThroughput" + forIndex(index) +
				" is lower than current WarmThroughput, decreasing WarmThroughput is not supported")
		}
	}
	return nil
}

// describe is how it is told at a time.
func (w warmth) describe(now int64) *wire.WarmThroughput {
	if w.State.at(now) != "" {
		return &wire.WarmThroughput{Read: w.FromRead, Write: w.FromWrite, Status: updating}
	}
	return &wire.WarmThroughput{Read: w.Read, Write: w.Write, Status: active}
}

// warmMember is one of the two members of a WarmThroughput, and what it is held to.
type warmMember struct {
	units          *int64
	than           int64
	name, capacity string
}

func warmMembers(w *wire.WarmUnits, read, write int64) []warmMember {
	return []warmMember{
		{w.Read, read, "ReadUnitsPerSecond", "ReadCapacityUnits"},
		{w.Write, write, "WriteUnitsPerSecond", "WriteCapacityUnits"},
	}
}

// budget counts changes that are limited in a day.
type budget struct {
	Day   int64 `json:",omitempty"` // since 1970, UTC
	Count int64 `json:",omitempty"` // on that day
}

// budgets are those of a table. Changes are times in nanoseconds since 1970.
type budgets struct {
	Decreases     budget
	ClassChanges  []int64 `json:",omitempty"`
	CipherChanges []int64 `json:",omitempty"`
}

func dayOf(t time.Time) int64 { return t.Unix() / (24 * 60 * 60) }

// today is how many changes there were on the day of a time.
func (b budget) today(now time.Time) int64 {
	if b.Day != dayOf(now) {
		return 0
	}
	return b.Count
}

// decreases that may follow each other at once on one day, and the pause between those after them (ServiceQuotas).
const (
	freeDecreases = 4
	decreasePause = time.Hour
)

// decrease counts a decrease of provisioned throughput, the last of which was at a time, and refuses one too many.
func (b *budget) decrease(now time.Time, last int64) *wire.Error {
	n := b.today(now)
	before := time.Unix(0, last).UTC()
	if n >= freeDecreases && now.Sub(before) < decreasePause {
		next := before.Add(decreasePause)
		if midnight := before.Truncate(24 * time.Hour).Add(24 * time.Hour); midnight.Before(next) {
			next = midnight
		}
		const layout = "Monday, January 2, 2006 at 3:04:05 PM"
		return wire.NewError(wire.CodeLimitExceeded, fmt.Sprintf("Subscriber limit exceeded: Provisioned throughput decreases are limited within a given UTC day. "+
			"After the first %d decreases, each subsequent decrease in the same UTC day can be performed at most once every 3600 seconds. "+
			"Number of decreases today: %d. Last decrease at %s Coordinated Universal Time. Next decrease can be made at %s Coordinated Universal Time",
			freeDecreases, n, before.Format(layout), next.Format(layout)))
	}
	b.Day, b.Count = dayOf(now), n+1
	return nil
}

// recent are the times of a list that are no longer ago than a span.
func recent(times []int64, now time.Time, span time.Duration) []int64 {
	return slices.DeleteFunc(slices.Clone(times), func(t int64) bool { return now.Sub(time.Unix(0, t)) >= span })
}

// checkQuota holds provisioned throughput of a table or index to the account's quota for one (ServiceQuotas).
func (e *session) checkQuota(t *wire.Throughput, index string) *wire.Error {
	if t == nil {
		return nil
	}
	of, each := "", "per table"
	if index != "" {
		of, each = " for index "+index, "per index"
	}
	for _, m := range []struct {
		units int64
		most  int64
		name  string
	}{{t.Read, int64(capacity.TableReads), "ReadCapacityUnits"}, {t.Write, int64(capacity.TableWrites), "WriteCapacityUnits"}} {
		if m.units > m.most {
			return wire.NewError(wire.CodeLimitExceeded, fmt.Sprintf("The requested %s%s, %d, is above the %s maximum for the account in %s. %s maximum: %d. "+
				"Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.",
				m.name, of, m.units, each, e.region, "P"+each[1:], m.most))
		}
	}
	return nil
}

// throughputOf is what the provisioned throughput of a table or index has been through.
type throughputOf struct {
	kind, name           string // "table", or "index" and its name after a blank
	budget               *budget
	increased, decreased *int64
}

// change notes the change of provisioned throughput from was to now, and refuses one that is none or one too many.
func (o throughputOf) change(was, now *wire.Throughput, at time.Time) *wire.Error {
	if *was == *now {
		return wire.Invalid(fmt.Sprintf("The provisioned throughput for the %[1]s%[2]s will not change. The requested value equals the current value. "+
			"Current ReadCapacityUnits provisioned for the %[1]s: %[3]d. Requested ReadCapacityUnits: %[3]d. "+
			"Current WriteCapacityUnits provisioned for the %[1]s: %[4]d. Requested WriteCapacityUnits: %[4]d. "+
			"Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.", o.kind, o.name, now.Read, now.Write))
	}
	if now.Read < was.Read || now.Write < was.Write {
		if err := o.budget.decrease(at, *o.decreased); err != nil {
			return err
		}
		*o.decreased = at.UnixNano()
	}
	if now.Read > was.Read || now.Write > was.Write {
		*o.increased = at.UnixNano()
	}
	return nil
}
