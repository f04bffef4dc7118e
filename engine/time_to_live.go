package engine

import (
	"slices"
	"time"

	"github.com/tablewright/tablewright/engine/internal/kv"
	"github.com/tablewright/tablewright/wire"
)

func (e *session) updateTimeToLive(body []byte) ([]byte, error) {
	in, err := wire.DecodeUpdateTimeToLive(body)
	if err != nil {
		return nil, err
	}
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
		def.Indexes = slices.Clone(def.Indexes)
		if err := e.changeTTL(&def, in.TTL, w); err != nil {
			return nil, err
		}
		return &def, nil
	})
	if err != nil {
		return nil, err
	}
	out := wire.UpdateTimeToLiveOutput{TTL: in.TTL}
	return out.Append(nil), nil
}

func (e *Engine) changeTTL(def *definition, ttl wire.TimeToLive, w kv.Writer) *wire.Error {
	switch {
	case ttl.Enabled && def.TTL == ttl.Attribute:
		return wire.Invalid("TimeToLive is already enabled")
	case ttl.Enabled && def.TTL != "":
		return wire.Invalid("TimeToLive is active on a different AttributeName: current AttributeName is " + def.TTL)
	case !ttl.Enabled && def.TTL == "":
		return wire.Invalid("TimeToLive is already disabled")
	case !ttl.Enabled && def.TTL != ttl.Attribute:
		return wire.Invalid("TimeToLive is active on a different AttributeName: current AttributeName is " + def.TTL)
	}
	now := e.now()
	if def.TTLChanged != 0 && now.Sub(time.Unix(0, def.TTLChanged)) < e.options.TimeToLiveRest {
		return wire.Invalid("Time to live has been modified multiple times within a fixed interval")
	}
	def.TTLBefore, def.TTLChanged = def.TTL, now.UnixNano()
	if ttl.Enabled {
		def.TTL = ttl.Attribute
		def.Indexes = append(def.Indexes, indexDefinition{Name: expiryName, Kind: expiryIndex, Space: e.number(w), Filling: true})
		return nil
	}
	def.TTL = ""
	def.Indexes = slices.DeleteFunc(def.Indexes, func(x indexDefinition) bool {
		if x.Kind == expiryIndex {
			dropSpace(w, x.Space)
		}
		return x.Kind == expiryIndex
	})
	return nil
}

func (e *session) describeTimeToLive(body []byte) ([]byte, error) {
	in, err := wire.DecodeNamedTable(body, "DescribeTimeToLiveInput")
	if err != nil {
		return nil, err
	}
	t, err := e.named(in.TableName)
	if err != nil {
		return nil, err
	}
	out := wire.DescribeTimeToLiveOutput{TTL: e.describeTTL(t.def)}
	return out.Append(nil), nil
}

// describeTTL is what a table's time to live is told to be: on the way for Options.StateTime after a change.
func (e *Engine) describeTTL(def *definition) wire.TimeToLiveDescription {
	changing := def.TTLChanged != 0 && e.nanoseconds() < def.TTLChanged+int64(max(e.options.StateTime, 0))
	switch {
	case def.TTL != "" && changing:
		return wire.TimeToLiveDescription{Status: enabling, Attribute: def.TTL}
	case def.TTL != "":
		return wire.TimeToLiveDescription{Status: enabled, Attribute: def.TTL}
	case changing:
		return wire.TimeToLiveDescription{Status: disabling, Attribute: def.TTLBefore}
	}
	return wire.TimeToLiveDescription{Status: disabled}
}
