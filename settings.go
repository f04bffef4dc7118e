package tablewright

import (
	"context"
	"maps"
	"slices"
)

// Setting is what CreateIn gives a table beside what its declaration says: what belongs to one place of it, not to all.
type Setting struct{ set func(*settings) }

type settings struct {
	tags        map[string]string
	protected   bool
	recoverable bool
}

// Tags gives a table tags, for the bill and for who may do what.
func Tags(tags map[string]string) Setting {
	return Setting{func(s *settings) {
		if s.tags == nil {
			s.tags = map[string]string{}
		}
		maps.Copy(s.tags, tags)
	}}
}

// Protected makes the service refuse to delete a table until the protection is taken off.
func Protected() Setting { return Setting{func(s *settings) { s.protected = true }} }

// Recoverable turns on continuous backups: a table can be restored as it was at any second of the last 35 days, for a
// price per gigabyte and month (docs.aws.amazon.com/amazondynamodb/latest/developerguide/Point-in-time-recovery.html).
func Recoverable() Setting { return Setting{func(s *settings) { s.recoverable = true }} }

func settingsOf(all []Setting) (s settings) {
	for _, one := range all {
		if one.set != nil {
			one.set(&s)
		}
	}
	return s
}

// write writes the members of CreateTable.
func (s *settings) write(w *body) {
	if len(s.tags) > 0 {
		w.key("Tags")
		w.b = append(w.b, '[')
		for i, name := range slices.Sorted(maps.Keys(s.tags)) {
			if i > 0 {
				w.b = append(w.b, ',')
			}
			w.open()
			w.text("Key", name)
			w.text("Value", s.tags[name])
			w.close()
		}
		w.b = append(w.b, ']')
		w.full = true
	}
	w.flag("DeletionProtectionEnabled", s.protected)
}

// after turns on what CreateTable cannot.
func (s *settings) after(ctx context.Context, db *DB, table string) error {
	if !s.recoverable {
		return nil
	}
	return control(ctx, db, "UpdateContinuousBackups", table, func(w *body) {
		w.key("PointInTimeRecoverySpecification")
		w.open()
		w.flag("PointInTimeRecoveryEnabled", true)
		w.close()
	}, nil)
}
