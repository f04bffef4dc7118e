package engine

import (
	"slices"
	"time"

	"github.com/tablewright/tablewright/wire"
)

// What a table is updated for while it is UPDATING.
const (
	doingThroughput = "IOPS"
	doingMode       = "BillingMode"
	doingStream     = "stream"
	doingClass      = "class"
	doingIndex      = "index"
)

// begin makes the table UPDATING.
func (e *session) begin(def *definition, doing string) {
	def.State, def.Doing = e.entering(updating), doing
}

// updateSettings changes what is not an index.
func (e *session) updateSettings(def *definition, in *wire.UpdateTableInput) *wire.Error {
	if err := e.updateBilling(def, in); err != nil {
		return err
	}
	if w := in.Warm; w != nil && *w != (wire.WarmUnits{}) {
		if err := def.warmth().checkRaise(w, ""); err != nil {
			return err
		}
		def.Warm.raise(w, e.entering(updating))
	}
	if in.Stream != nil {
		if err := e.updateStream(def, in); err != nil {
			return err
		}
		e.begin(def, doingStream)
	}
	if in.SSE != nil {
		if err := e.changeEncryption(def, in.SSE); err != nil {
			return err
		}
	}
	if in.Class != "" {
		if err := e.updateClass(def, in.Class); err != nil {
			return err
		}
	}
	if in.DeletionProtection != nil {
		def.Create.DeletionProtection = *in.DeletionProtection
	}
	return nil
}

// updateBilling changes the billing mode, the provisioned throughput and the limits of on-demand throughput.
func (e *session) updateBilling(def *definition, in *wire.UpdateTableInput) *wire.Error {
	c, now := &def.Create, e.now()
	mode := c.BillingMode
	if in.BillingMode != "" {
		mode = in.BillingMode
	}
	if mode == onDemand && in.Throughput != nil {
		return wire.Invalid(inv + "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST")
	}
	if mode == provisioned {
		if err := noOnDemand(in.OnDemand, ""); err != nil {
			return err
		}
	}
	if err := checkOnDemand(in.OnDemand, "", true); err != nil {
		return err
	}
	if err := e.checkQuota(in.Throughput, ""); err != nil {
		return err
	}
	warm := def.warmth()
	if mode != c.BillingMode {
		if err := e.switchMode(def, in, mode); err != nil {
			return err
		}
		e.begin(def, doingMode)
	} else if t := in.Throughput; t != nil {
		o := throughputOf{"table", "", &def.Budgets.Decreases, &def.Increased, &def.Decreased}
		if err := o.change(c.Throughput, t, now); err != nil {
			return err
		}
		e.begin(def, doingThroughput)
	} else if in.BillingMode != "" { // as it is: told as a change, and is none (captured on AWS, 2026-10)
		e.begin(def, doingMode)
	}
	if in.Throughput != nil {
		c.Throughput = in.Throughput
	}
	if in.Throughput != nil || in.BillingMode != "" {
		warm.grow(c.Throughput)
	}
	if in.OnDemand != nil {
		c.OnDemand = mergeLimits(c.OnDemand, in.OnDemand)
	}
	return nil
}

// switchMode changes the billing mode of the table and its indexes.
func (e *session) switchMode(def *definition, in *wire.UpdateTableInput, mode string) *wire.Error {
	c := &def.Create
	c.BillingMode = mode
	if mode == onDemand {
		def.OnDemandSince, c.Throughput = e.now().UnixNano(), nil
	} else {
		c.OnDemand = nil
	}
	for i := range c.Global {
		x := &c.Global[i]
		if mode == onDemand {
			x.Throughput = nil
			def.warmthOf(x.Name).grow(nil)
			continue
		}
		x.OnDemand = nil
		if !slices.ContainsFunc(in.Global, func(u wire.IndexUpdate) bool {
			return u.Update != nil && u.Update.Name == x.Name && u.Update.Throughput != nil || u.Delete != nil && u.Delete.Name == x.Name
		}) {
			return wire.Invalid(inv + "ProvisionedThroughput must be specified for index: " + x.Name)
		}
	}
	return nil
}

// mergeLimits changes limits one by one: -1 takes one away, and none are no limits (captured on AWS).
func mergeLimits(was, to *wire.OnDemandThroughput) *wire.OnDemandThroughput {
	merged := wire.OnDemandThroughput{}
	if was != nil {
		merged = *was
	}
	merge := func(at **int64, n *int64) {
		switch {
		case n == nil:
		case *n == -1:
			*at = nil
		default:
			*at = n
		}
	}
	merge(&merged.Read, to.Read)
	merge(&merged.Write, to.Write)
	if merged == (wire.OnDemandThroughput{}) {
		return nil
	}
	return &merged
}

// Changes of the table class that may be made in a span (WorkingWithTables.tableclasses).
const (
	classChanges = 2
	classSpan    = 30 * 24 * time.Hour
)

// updateClass changes the table class. One that a table has anyway is told as a change, and is none.
func (e *session) updateClass(def *definition, class string) *wire.Error {
	c, now := &def.Create, e.now()
	changes := recent(def.Budgets.ClassChanges, now, classSpan)
	if len(changes) >= classChanges {
		return wire.NewError(wire.CodeLimitExceeded, "Subscriber limit exceeded: Updates to TableClass are limited to 2 times in 30 day(s).")
	}
	e.begin(def, doingClass)
	if class == c.Class || class == "STANDARD" && c.Class == "" {
		return nil
	}
	def.Budgets.ClassChanges, c.Class = append(changes, now.UnixNano()), class
	return nil
}
