package engine

import (
	"slices"
	"strings"

	"github.com/tablewright/tablewright/wire"
)

// checkBusy refuses changes of a table that is being changed (texts captured on AWS, 2026-10). Protection against deletion
// and warm throughput change at any time.
func (e *session) checkBusy(def *definition, in *wire.UpdateTableInput) *wire.Error {
	if def.State.at(e.nanoseconds()) != updating {
		return nil
	}
	p := partsOf(in)
	what, change := "", ""
	switch {
	case p.throughput || in.BillingMode == provisioned:
		what, change = doingThroughput, "change table IOPS"
	case p.stream:
		what, change = doingStream, "enable or disable stream"
	case p.online:
		what, change = doingIndex, "create or delete index"
	case p.class:
		what, change = doingClass, "update table class"
	case p.limits:
		what = "OnDemandThroughput"
	default:
		return nil
	}
	name := def.Create.TableName
	text := ""
	switch def.Doing {
	case doingThroughput, doingMode:
		switch what {
		case doingThroughput:
			text = "Table IOPS are currently being updated. Table: " + name
		case "OnDemandThroughput":
			text = "OnDemandThroughput cannot be updated while BillingMode update is in progress"
		default:
			text = "Can't " + change + " while table IOPS are being updated. Table: " + name
		}
	case doingStream:
		operation := "DISABLE"
		if def.Create.Stream != nil && def.Create.Stream.Enabled {
			operation = "ENABLE"
		}
		about := "Table: " + name + " Stream: " + def.StreamLabel + " Operation: " + operation
		switch what {
		case doingStream:
			text = "A stream status change is currently in progress. " + about
		case "OnDemandThroughput":
			text = "OnDemandThroughput cannot be updated while stream status update is in progress"
		default:
			text = "Can't " + change + " when stream status is being updated. " + about
		}
	case doingClass:
		if what == "OnDemandThroughput" {
			text = "OnDemandThroughput cannot be updated while TableClass update is in progress"
		} else {
			text = "Can't " + change + " when a table class update is in progress. Table: " + name + " TableClassUpdateInProgress: " + def.Create.Class
		}
	case doingIndex:
		if what == doingIndex { // told by its own limit
			return nil
		}
		text = e.busyIndexes(def, change, what)
	}
	return wire.NewError(wire.CodeResourceInUse, inUse+text)
}

// busyIndexes tells that a change has to wait for indexes.
func (e *session) busyIndexes(def *definition, change, what string) string {
	if what == doingStream {
		change = "change stream status"
	}
	now, is := e.nanoseconds(), "created"
	var names []string
	for _, x := range def.Indexes {
		if x.State.at(now) == creating {
			names = append(names, x.Name)
		}
	}
	if len(def.Going) > 0 {
		is = "deleted"
		for _, g := range def.Going {
			names = append(names, g.Index.Name)
		}
	}
	if what == "OnDemandThroughput" {
		return "OnDemandThroughput cannot be updated while index " + map[string]string{"created": "creation", "deleted": "deletion"}[is] + " is in progress"
	}
	return "Can't " + change + " when an index is being " + is + ". Table: " + def.Create.TableName + " Indexes: [" + strings.Join(names, ", ") + "]"
}

// checkDeletable refuses to delete a table that is protected or being changed.
func (e *session) checkDeletable(t *table) *wire.Error {
	if err := e.changeable(t); err != nil {
		return err
	}
	def, now := t.def, e.nanoseconds()
	busy := len(e.stillGoing(def.Going)) > 0
	if e.options.StateTime > 0 { // else an index that is being filled is no state to wait for
		busy = busy || slices.ContainsFunc(def.Indexes, func(x indexDefinition) bool {
			return x.Kind == globalIndex && (x.State.at(now) != "" || x.Filling)
		})
	}
	switch {
	case def.Create.DeletionProtection:
		return wire.Invalid("Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.")
	case busy:
		return wire.NewError(wire.CodeResourceInUse, inUse+"Cannot delete table while indexes are being created, updated, or deleted.")
	case def.State.at(now) == updating && def.Doing == doingStream:
		return wire.NewError(wire.CodeResourceInUse, inUse+"Cannot delete table while stream is being enabled/disabled.")
	case def.State.at(now) == updating, def.SSEState.at(now) != "", def.Warm.State.at(now) != "":
		return wire.NewError(wire.CodeResourceInUse, inUse+"Table: "+t.name+" is in the process of being updated.")
	}
	return nil
}
