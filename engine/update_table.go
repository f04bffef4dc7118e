package engine

import (
	"fmt"
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
	if in.BillingMode == "" && in.Throughput == nil && in.OnDemand == nil && in.Global == nil && in.Stream == nil &&
		in.SSE == nil && in.Class == "" && in.DeletionProtection == nil {
		return nil, wire.Invalid("At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates or SSESpecification or ReplicaUpdates is required")
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
	var out wire.TableOutput
	name := e.nameOf(in.TableName)
	err = e.define(e.id(name), func(w kv.Writer) (*definition, error) {
		t, err := e.named(name)
		if err != nil {
			return nil, err
		}
		def := *t.def
		def.Indexes = slices.Clone(def.Indexes)
		c := &def.Create
		c.Global, c.Attributes = slices.Clone(c.Global), slices.Clone(c.Attributes)
		if err := e.updateSettings(&def, in); err != nil {
			return nil, err
		}
		if err := updateIndexes(&def, in, w); err != nil {
			return nil, err
		}
		out.Table = e.describe(build(&def), w)
		if len(in.Global) > 0 || in.BillingMode != "" || in.Throughput != nil || in.SSE != nil || in.Stream != nil {
			out.Table.Status = "UPDATING"
		}
		return &def, nil
	})
	if err != nil {
		return nil, err
	}
	return out.Append(nil, false), nil
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
		}
		seen[names[0]] = true
	}
	return nil
}

// updateSettings changes what is not an index.
func (e *Engine) updateSettings(def *definition, in *wire.UpdateTableInput) *wire.Error {
	c, now := &def.Create, e.now()
	mode := c.BillingMode
	if in.BillingMode != "" {
		mode = in.BillingMode
	}
	switch {
	case mode == "PAY_PER_REQUEST" && in.Throughput != nil:
		return checkBilling(mode, in.Throughput, nil)
	case mode == "PROVISIONED" && mode != c.BillingMode && in.Throughput == nil:
		return checkBilling(mode, nil, nil)
	case mode == "PROVISIONED" && in.OnDemand != nil:
		return checkBilling(mode, &wire.Throughput{}, in.OnDemand)
	}
	if mode != c.BillingMode {
		c.BillingMode = mode
		if mode == "PAY_PER_REQUEST" {
			def.OnDemandSince, c.Throughput = now.UnixNano(), nil
			for i := range c.Global {
				c.Global[i].Throughput = nil
			}
		} else {
			c.OnDemand = nil
			for i := range c.Global {
				c.Global[i].OnDemand = nil
				if c.Global[i].Throughput == nil && !slices.ContainsFunc(in.Global, func(u wire.IndexUpdate) bool {
					return u.Update != nil && u.Update.Name == c.Global[i].Name && u.Update.Throughput != nil
				}) {
					return wire.Invalid(inv + "ProvisionedThroughput must be specified for index: " + c.Global[i].Name)
				}
			}
		}
	}
	if t := in.Throughput; t != nil {
		if old := c.Throughput; old != nil {
			if *old == *t {
				return wire.Invalid(fmt.Sprintf("The provisioned throughput for the table will not change. The requested value equals the current value. "+
					"Current ReadCapacityUnits provisioned for the table: %d. Requested ReadCapacityUnits: %d. "+
					"Current WriteCapacityUnits provisioned for the table: %d. Requested WriteCapacityUnits: %d. "+
					"Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.",
					old.Read, t.Read, old.Write, t.Write))
			}
			if t.Read > old.Read || t.Write > old.Write {
				def.Increased = now.UnixNano()
			}
			if t.Read < old.Read || t.Write < old.Write {
				def.Decreased = now.UnixNano()
			}
		}
		c.Throughput = t
	}
	if o := in.OnDemand; o != nil {
		merged := wire.OnDemandThroughput{}
		if c.OnDemand != nil {
			merged = *c.OnDemand
		}
		if o.Read != 0 {
			merged.Read = o.Read
		}
		if o.Write != 0 {
			merged.Write = o.Write
		}
		c.OnDemand = &merged
	}
	if in.Stream != nil {
		if err := e.updateStream(def, in); err != nil {
			return err
		}
	}
	if in.SSE != nil {
		c.SSE = in.SSE
	}
	if in.Class != "" {
		c.Class = in.Class
	}
	if in.DeletionProtection != nil {
		c.DeletionProtection = *in.DeletionProtection
	}
	return nil
}

// updateIndexes creates, changes and deletes global indexes: one creation or deletion at a time, where an index may also be
// deleted while it is filled (API_GlobalSecondaryIndexDescription).
func updateIndexes(def *definition, in *wire.UpdateTableInput, w kv.Writer) *wire.Error {
	c := &def.Create
	online := 0
	for _, u := range in.Global {
		if u.Create == nil && u.Delete == nil {
			continue
		}
		online++
		busy := slices.ContainsFunc(def.Indexes, func(x indexDefinition) bool {
			return x.Filling && x.Kind == globalIndex && (u.Delete == nil || u.Delete.Name != x.Name)
		})
		if online > 1 || busy {
			return wire.NewError(wire.CodeLimitExceeded, "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table")
		}
	}
	find := func(name string) int {
		return slices.IndexFunc(c.Global, func(x wire.Index) bool { return x.Name == name })
	}
	missing := func(name string) *wire.Error {
		return wire.NewError(wire.CodeResourceNotFound, "Requested resource not found: Index: "+name+" not found")
	}
	for _, u := range in.Global {
		switch {
		case u.Create != nil:
			// The definitions of a request are added to the table's; only the new index's keys must be in it, and types
			// that are known stay (captured on AWS).
			if err := checkGlobalIndex(u.Create, in.Attributes, c.BillingMode); err != nil {
				return err
			}
			if err := checkIndexNamed(u.Create, c.Global, c.Local); err != nil {
				return err
			}
			for _, a := range in.Attributes {
				if len(undefined([]wire.KeyElement{{Name: a.Name}}, c.Attributes)) > 0 {
					c.Attributes = append(c.Attributes, a)
				}
			}
			c.Global = append(c.Global, *u.Create)
			def.Indexes = append(def.Indexes, indexDefinition{Name: u.Create.Name, Kind: globalIndex, Space: number(w), Filling: true})
		case u.Update != nil:
			i := find(u.Update.Name)
			if i < 0 {
				return missing(u.Update.Name)
			}
			if u.Update.Throughput != nil {
				if c.BillingMode == "PAY_PER_REQUEST" {
					return indexThroughputOnDemand(u.Update.Name)
				}
				c.Global[i].Throughput = u.Update.Throughput
			}
			if u.Update.OnDemand != nil {
				c.Global[i].OnDemand = u.Update.OnDemand
			}
		case u.Delete != nil:
			i := find(u.Delete.Name)
			if i < 0 {
				return missing(u.Delete.Name)
			}
			c.Global = slices.Delete(c.Global, i, i+1)
			def.Indexes = slices.DeleteFunc(def.Indexes, func(x indexDefinition) bool {
				if x.Name == u.Delete.Name {
					dropSpace(w, x.Space)
				}
				return x.Name == u.Delete.Name
			})
		}
	}
	if err := checkIndexLimits(c); err != nil {
		return err
	}
	used := usedNames(c)
	c.Attributes = slices.DeleteFunc(c.Attributes, func(a wire.AttributeDefinition) bool { return !slices.Contains(used, a.Name) })
	return nil
}
