package engine

import (
	"slices"

	"github.com/tablewright/tablewright/engine/internal/kv"
	"github.com/tablewright/tablewright/wire"
)

func (e *session) updateTable(body []byte) ([]byte, error) {
	in, err := wire.DecodeUpdateTable(body)
	if err != nil {
		return nil, err
	}
	if len(in.Unread) > 0 {
		return nil, unsupported(in.Unread)
	}
	if err := checkTogether(in); err != nil {
		return nil, err
	}
	if err := checkNewBilling(in); err != nil {
		return nil, err
	}
	if err := checkDefinitions(in.Attributes); err != nil {
		return nil, err
	}
	if err := checkUpdates(in.Global); err != nil {
		return nil, err
	}
	if err := checkStreamView(in.Stream); err != nil {
		return nil, err
	}
	if err := checkEncryption(in.SSE); err != nil {
		return nil, err
	}
	var out wire.TableOutput
	name := e.nameOf(in.TableName)
	err = e.define(e.id(name), func(w kv.Writer) (*definition, error) {
		t, err := e.named(name)
		if err != nil {
			return nil, err
		}
		if err := e.changeable(t); err != nil {
			return nil, err
		}
		def := *t.def
		def.Indexes, def.Going = slices.Clone(def.Indexes), e.stillGoing(def.Going)
		c := &def.Create
		c.Global, c.Attributes = slices.Clone(c.Global), slices.Clone(c.Attributes)
		if err := e.checkBusy(&def, in); err != nil {
			return nil, err
		}
		before := def.Create
		before.Global = t.def.Create.Global
		def.Before = &before
		if err := e.updateSettings(&def, in); err != nil {
			return nil, err
		}
		if err := e.updateIndexes(&def, in, w); err != nil {
			return nil, err
		}
		out.Table = e.describe(build(&def), w)
		answerCleared(&out.Table, in)
		return &def, nil
	})
	if err != nil {
		return nil, err
	}
	return out.Append(nil, false), nil
}

// answerCleared tells limits that were taken away as they were asked for, -1: only the answer does (captured on AWS).
func answerCleared(d *wire.TableDescription, in *wire.UpdateTableInput) {
	cleared := func(at **wire.OnDemandThroughput, asked *wire.OnDemandThroughput) {
		if asked == nil {
			return
		}
		o := wire.OnDemandThroughput{}
		if *at != nil {
			o = **at
		}
		if asked.Read != nil {
			o.Read = asked.Read
		}
		if asked.Write != nil {
			o.Write = asked.Write
		}
		if o != (wire.OnDemandThroughput{}) {
			*at = &o
		}
	}
	cleared(&d.OnDemand, in.OnDemand)
	for _, u := range in.Global {
		if u.Update == nil {
			continue
		}
		if i := slices.IndexFunc(d.Global, func(x wire.IndexDescription) bool { return x.Name == u.Update.Name }); i >= 0 {
			cleared(&d.Global[i].OnDemand, u.Update.OnDemand)
		}
	}
}

// parts are the changes that an UpdateTable asks for, as far as the service lets them stand together or not.
type parts struct {
	throughput, mode, limits, warm, stream, cipher, class, protection bool
	online, index                                                     bool // an index is created or deleted; its settings are changed
	empty                                                             bool // a list of index updates without any
}

func partsOf(in *wire.UpdateTableInput) (p parts) {
	p.throughput, p.mode = in.Throughput != nil, in.BillingMode != ""
	p.limits = in.OnDemand != nil && *in.OnDemand != wire.OnDemandThroughput{}
	p.warm = in.Warm != nil && *in.Warm != wire.WarmUnits{}
	p.stream, p.cipher, p.class, p.protection = in.Stream != nil, in.SSE != nil, in.Class != "", in.DeletionProtection != nil
	p.empty = in.Global != nil && len(in.Global) == 0
	for _, u := range in.Global {
		if u.Create != nil || u.Delete != nil {
			p.online = true
		} else {
			p.index = true
		}
	}
	return p
}

// checkTogether refuses a request without a change, and changes that cannot be in one request: the service makes one at a
// time, but for some that belong to the billing mode (captured on AWS, 2026-10, in two Regions).
func checkTogether(in *wire.UpdateTableInput) *wire.Error {
	p := partsOf(in)
	n := 0
	for _, is := range []bool{p.throughput || p.mode, p.limits, p.warm, p.stream, p.cipher, p.class, p.protection, p.online, p.index} {
		if is {
			n++
		}
	}
	iops := p.throughput || in.BillingMode == provisioned
	only := " modification must be the only operation in the request"
	switch {
	case n == 0:
		return wire.Invalid(nothingToUpdate)
	case p.empty:
		return wire.Invalid(inv + "List of GlobalSecondaryIndexUpdates is empty")
	case p.cipher && n > 1:
		return wire.Invalid(inv + "Server-Side Encryption" + only)
	case p.class && n > 1:
		return wire.Invalid(inv + "TableClass" + only)
	case p.protection && n > 1:
		return wire.Invalid(inv + "DeletionProtection" + only)
	case p.warm && p.online:
		return wire.Invalid(inv + "Create global secondary index cannot be specified when updating WarmThroughput")
	case p.warm && n > 1:
		return wire.Invalid(inv + "WarmThroughput must be the only operation in the request")
	case p.limits && (p.stream || p.online || p.throughput): // with limits of indexes Terraform's AWS provider sends them (v6, 2026)
		return wire.Invalid(inv + "OnDemandThroughput can only be combined with BillingMode in an UpdateTable request")
	case p.stream && iops:
		return wire.Invalid(inv + "You cannot modify stream status while updating table IOPS")
	case p.online && iops:
		return wire.Invalid(inv + "You cannot create or delete index while updating table IOPS")
	case p.online && p.stream:
		return wire.Invalid(inv + "You cannot create or delete index while changing stream status")
	}
	return nil
}

// nothingToUpdate is what the service says to a request without a change; since 2026-10 some Regions list more members.
const nothingToUpdate = "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates or SSESpecification or ReplicaUpdates is required"

// checkNewBilling checks that billing mode and throughput of a request belong together, whatever table it names.
func checkNewBilling(in *wire.UpdateTableInput) *wire.Error {
	switch {
	case in.BillingMode == onDemand && in.Throughput != nil:
		return wire.Invalid(inv + "ProvisionedThroughput cannot be specified when BillingMode is PAY_PER_REQUEST")
	case in.BillingMode == provisioned && in.Throughput == nil:
		return wire.Invalid(inv + "ProvisionedThroughput must be specified when BillingMode is PROVISIONED")
	}
	return checkBounds(in.Throughput)
}

// checkUpdates checks the form of a request's index updates: one action each, on an index of its own.
func checkUpdates(updates []wire.IndexUpdate) *wire.Error {
	seen := map[string]bool{}
	for _, u := range updates {
		var names []string
		if u.Create != nil {
			names = append(names, u.Create.Name)
		}
		if u.Update != nil {
			names = append(names, u.Update.Name)
		}
		if u.Delete != nil {
			names = append(names, u.Delete.Name)
		}
		switch {
		case len(names) == 0:
			return wire.Invalid(inv + "One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, GlobalSecondaryIndexUpdate.Delete must not be null")
		case len(names) > 1:
			return wire.Invalid(inv + "Only one global secondary index action is allowed per GlobalSecondaryIndexUpdate object")
		case seen[names[0]]:
			return wire.Invalid(inv + "Only one global secondary index update per index is allowed simultaneously. Index: " + names[0])
		case u.Update != nil && u.Update.Warm != nil && *u.Update.Warm == wire.WarmUnits{}:
			return wire.Invalid(inv + "WarmThroughput must have at least one of ReadUnitsPerSecond or WriteUnitsPerSecond specified for index: " + names[0])
		}
		seen[names[0]] = true
	}
	return nil
}
