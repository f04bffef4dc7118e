// Package jsonscan walks JSON text that a caller holds whole in memory, without building values: it finds where members
// and elements begin and end, so that the few that matter can be decoded and the rest skipped. It checks as much of the
// grammar as it needs to find the ends; text that is cut off or unbalanced is an error, never a panic.
package jsonscan
