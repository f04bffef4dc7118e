package engine

import (
	"time"

	"github.com/tablewright/tablewright/engine/internal/kv"
	"github.com/tablewright/tablewright/wire"
)

// Recovery to a point in time is described as it was asked for; there is nothing to restore from yet.

// pointInTime is a table's setting. Since is when it was switched on, in nanoseconds since 1970.
type pointInTime struct {
	Enabled bool  `json:",omitempty"`
	Days    int   `json:",omitempty"`
	Since   int64 `json:",omitempty"`
}

// restoreLag is how long ago the latest time is that a table can be restored to (Point-in-time-recovery).
const restoreLag = 5 * time.Minute

// backedUp finds the table of an operation on backups, which have a code of their own for one that is not there.
func (e *session) backedUp(name string) (*table, error) {
	name = e.nameOf(name)
	t := e.find(e.id(name))
	if t == nil || !e.usable(t) || !e.permits(t) {
		return nil, wire.NewError(wire.CodeTableNotFound, "Table not found: "+name)
	}
	return t, nil
}

func (e *session) updateContinuousBackups(body []byte) ([]byte, error) {
	in, err := wire.DecodeUpdateContinuousBackups(body)
	if err != nil {
		return nil, err
	}
	to := in.Recovery
	if !to.Enabled && to.Days != nil {
		return nil, wire.Invalid("Invalid Request: Cannot specify RecoveryPeriodInDays when disabling point-in-time recovery.")
	}
	var out wire.ContinuousBackupsOutput
	err = e.define(e.id(e.nameOf(in.TableName)), func(kv.Writer) (*definition, error) {
		t, err := e.backedUp(in.TableName)
		if err != nil {
			return nil, err
		}
		def := *t.def
		b := &def.Backups
		switch {
		case !to.Enabled:
			*b = pointInTime{}
		case !b.Enabled:
			*b = pointInTime{Enabled: true, Days: wire.LongestRecovery, Since: e.now().UnixNano()}
		}
		if to.Days != nil {
			b.Days = *to.Days
		}
		out.Description = e.describeBackups(&def)
		return &def, nil
	})
	if err != nil {
		return nil, err
	}
	return out.Append(nil), nil
}

func (e *session) describeContinuousBackups(body []byte) ([]byte, error) {
	in, err := wire.DecodeNamedTable(body, "DescribeContinuousBackupsInput")
	if err != nil {
		return nil, err
	}
	t, err := e.backedUp(in.TableName)
	if err != nil {
		return nil, err
	}
	out := wire.ContinuousBackupsOutput{Description: e.describeBackups(t.def)}
	return out.Append(nil), nil
}

// describeBackups tells what the table can be restored to. Every table has continuous backups, whether or not that is
// (captured on AWS, 2026-10).
func (e *session) describeBackups(def *definition) (d wire.ContinuousBackups) {
	d.Status, d.Recovery.Status = "ENABLED", "DISABLED"
	b := def.Backups
	if !b.Enabled {
		return d
	}
	now := e.now().UnixNano()
	earliest := max(b.Since, now-int64(b.Days)*int64(24*time.Hour))
	d.Recovery = wire.PointInTimeDescription{Status: "ENABLED", Days: b.Days, Earliest: seconds(earliest),
		Latest: seconds(max(b.Since, now-int64(restoreLag)))}
	return d
}
