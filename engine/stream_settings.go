package engine

import (
	"github.com/tablewright/tablewright/wire"
)

// Most words about streams of tables were captured on AWS: those about a stream that is enabled or disabled already in
// public issue threads of 2020–2026; those of Invalid StreamViewType are DynamoDB Local's.

// checkStreamView checks the form of a stream's specification.
func checkStreamView(s *wire.StreamSpecification) *wire.Error {
	switch {
	case s == nil:
	case s.Enabled && s.View == "":
		return wire.Invalid("Invalid StreamViewType: Stream ViewType must not be null or empty when enabling streams.")
	case !s.Enabled && s.View != "":
		return wire.Invalid("Invalid StreamViewType: Stream StreamEnabled was false but a StreamViewType was present.")
	}
	return nil
}

// updateStream enables or disables the stream of a table. Its view cannot be changed: a stream is disabled and another one
// enabled for that.
func (e *Engine) updateStream(def *definition, in *wire.UpdateTableInput) *wire.Error {
	s, c := in.Stream, &def.Create
	on := c.Stream != nil && c.Stream.Enabled
	switch {
	case in.Throughput != nil || in.BillingMode != "":
		return wire.Invalid(inv + "You cannot modify stream status while updating table IOPS")
	case s.Enabled && on:
		return wire.Invalid("Table already has an enabled stream: TableName: " + c.TableName)
	case !s.Enabled && !on:
		return wire.Invalid("Table has no stream to disable: TableName: " + c.TableName)
	case s.Enabled:
		def.StreamLabel = e.newStreamLabel(tableID{def.Region, c.TableName})
	}
	c.Stream = s
	return nil
}
