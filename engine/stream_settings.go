package engine

import (
	"github.com/tablewright/tablewright/wire"
)

// Most words about streams of tables were captured on AWS: those about a stream that is enabled or disabled already in
// public issue threads of 2020–2026; those about views were measured there (2026-10).

// checkStreamView checks the form of a stream's specification.
func checkStreamView(s *wire.StreamSpecification) *wire.Error {
	switch {
	case s == nil:
	case s.Enabled && s.View == "":
		return wire.Invalid(inv + "If stream is being enabled then UpdateViewType is required")
	case !s.Enabled && s.View != "":
		return wire.Invalid(inv + "If stream is being disabled, then UpdateViewType must not be specified")
	}
	return nil
}

// updateStream enables or disables the stream of a table. Its view cannot be changed: a stream is disabled and another one
// enabled for that.
func (e *Engine) updateStream(def *definition, in *wire.UpdateTableInput) *wire.Error {
	s, c := in.Stream, &def.Create
	on := c.Stream != nil && c.Stream.Enabled
	switch {
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
