package engine

import (
	"crypto/rand"
	"slices"
	"strconv"
	"strings"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/engine/internal/kv"
	"github.com/tablewright/tablewright/wire"
)

func (e *session) createTable(body []byte) ([]byte, error) {
	in, err := wire.DecodeCreateTable(body)
	if err != nil {
		return nil, err
	}
	if in.TableName, err = e.newName(in.TableName); err != nil {
		return nil, err
	}
	if err := checkCapacity(in); err != nil {
		return nil, err
	}
	if err := checkCreate(in); err != nil {
		return nil, err
	}
	if err := e.checkQuotas(in); err != nil {
		return nil, err
	}
	var out wire.TableOutput
	err = e.define(e.id(in.TableName), func(w kv.Writer) (*definition, error) {
		if err := e.checkNew(in.TableName); err != nil {
			return nil, err
		}
		def, err := e.newDefinition(in, w)
		if err != nil {
			return nil, err
		}
		out.Table = e.describe(build(def), w)
		if out.Table.Billing != nil { // the rest is told by DescribeTable only
			out.Table.Billing = &wire.BillingModeSummary{Mode: def.Create.BillingMode}
		}
		if in.Warm == nil || *in.Warm == (wire.WarmUnits{}) {
			out.Table.Warm = nil
		}
		for i := range out.Table.Global {
			out.Table.Global[i].Warm = nil
		}
		return def, nil
	})
	if err != nil {
		return nil, err
	}
	return out.Append(nil, false), nil
}

// newName is the name that a table is to have, which may be given as an ARN: of this account and Region, and with a name of
// proper length. The words are those for ARNs of tags.
func (e *session) newName(given string) (string, error) {
	name := e.nameOf(given)
	switch {
	case strings.HasPrefix(name, "arn:"):
		return "", wire.Invalid("Invalid TableArn: Invalid ResourceArn provided as input " + given)
	case name != given && (len(name) < int(capacity.TableNameBytesLeast) || len(name) > int(capacity.TableNameBytes)):
		return "", wire.Invalid("TableName must be at least 3 characters long and at most 255 characters long")
	}
	return name, nil
}

// newDefinition is the definition of the table that is asked for, which is being created.
func (e *session) newDefinition(in *wire.CreateTableInput, w kv.Writer) (*definition, error) {
	now := e.now()
	def := &definition{Region: e.region, Space: e.number(w), ID: newID(), Create: *in, Created: now.UnixNano(), State: e.entering(creating)}
	c := &def.Create
	if c.BillingMode == onDemand {
		def.OnDemandSince = def.Created
	} else {
		c.BillingMode = provisioned
	}
	c.OnDemand = noLimits(c.OnDemand)
	def.Warm.grow(c.Throughput)
	def.Warm.raise(c.Warm, state{updating, def.State.Until})
	for i := range c.Local {
		def.Indexes = append(def.Indexes, indexDefinition{Name: c.Local[i].Name, Kind: localIndex, Space: e.number(w)})
	}
	c.Global = slices.Clone(c.Global)
	for i := range c.Global {
		x := &c.Global[i]
		x.OnDemand = noLimits(x.OnDemand)
		d := indexDefinition{Name: x.Name, Kind: globalIndex, Space: e.number(w), State: def.State}
		d.Warm.grow(x.Throughput)
		d.Warm.raise(x.Warm, state{updating, def.State.Until})
		def.Indexes = append(def.Indexes, d)
	}
	if c.Stream != nil && c.Stream.Enabled {
		def.StreamLabel = e.newStreamLabel(e.id(c.TableName))
	}
	if !encrypts(c.SSE) {
		c.SSE = nil
	}
	if c.ResourcePolicy != nil {
		document, err := e.parsePolicy(*c.ResourcePolicy, tableActions)
		if err != nil {
			return nil, err
		}
		def.Policies = []policy{{Document: document, Revision: newRevision(now)}}
		c.ResourcePolicy = nil
	}
	return def, nil
}

// noLimits is nil for limits of which none is set.
func noLimits(o *wire.OnDemandThroughput) *wire.OnDemandThroughput {
	if o == nil || *o == (wire.OnDemandThroughput{}) {
		return nil
	}
	return o
}

// checkNew refuses a table that exists, and one too many (ServiceQuotas).
func (e *session) checkNew(name string) *wire.Error {
	now := e.nanoseconds()
	if t := e.find(e.id(name)); t != nil {
		if t.def.State.at(now) == creating {
			return e.changeable(t)
		}
		return wire.NewError(wire.CodeResourceInUse, "Table already exists: "+name)
	}
	tables := 0
	for id, t := range e.catalog.Load().byID {
		if id.region == e.region && !t.gone(now) {
			tables++
		}
	}
	if tables >= capacity.Tables {
		return wire.NewError(wire.CodeLimitExceeded, "Subscriber limit exceeded: There is a limit of "+strconv.Itoa(capacity.Tables)+" tables per subscriber")
	}
	return nil
}

// checkQuotas holds provisioned throughput to the account's quotas.
func (e *session) checkQuotas(in *wire.CreateTableInput) *wire.Error {
	if err := e.checkQuota(in.Throughput, ""); err != nil {
		return err
	}
	for i := range in.Global {
		if err := e.checkQuota(in.Global[i].Throughput, in.Global[i].Name); err != nil {
			return err
		}
	}
	return nil
}

// newID makes a random UUID.
func newID() string {
	var b [16]byte
	rand.Read(b[:]) // never fails
	return uuid(b)
}
