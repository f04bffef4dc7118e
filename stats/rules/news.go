package rules

import (
	"context"
	"log/slog"
	"time"
)

// news are the findings that were told already.
type news struct {
	told map[string]told // by cause
}

type told struct {
	severity Severity
	seen     time.Time // last
}

// forgotten is for how long a finding is not seen until it is news again.
const forgotten = 24 * time.Hour

// Report logs what is found for the first time, and again what has become more severe since: advice at the level Info, warnings at
// Warn, critical findings at Error. What was not found for a day is news when it comes back. It answers how many it logged.
// Finding.Key is left out; a title may name a partition key all the same, unless the collector hashes keys.
func (a *Adviser) Report(ctx context.Context, log *slog.Logger) int {
	found := a.All()
	a.mu.Lock()
	now := a.of.To
	if a.news.told == nil {
		a.news.told = map[string]told{}
	}
	for cause, t := range a.news.told {
		if now.Sub(t.seen) > forgotten {
			delete(a.news.told, cause)
		}
	}
	var fresh []*Finding
	for i := range found {
		f := &found[i]
		before, known := a.news.told[f.Cause]
		if !known || f.Severity > before.severity {
			fresh = append(fresh, f)
		}
		a.news.told[f.Cause] = told{max(f.Severity, before.severity), now}
	}
	a.mu.Unlock()
	for _, f := range fresh {
		log.LogAttrs(ctx, f.Severity.level(), f.Title, f.attributes()...)
	}
	return len(fresh)
}

// Watch reports every minute until ctx ends, most often in a goroutine of its own:
//
//	go adviser.Watch(ctx, slog.Default())
//
// Options.Clock of the Collector tells the minutes where it can sleep, as a DB's does.
func (a *Adviser) Watch(ctx context.Context, log *slog.Logger) {
	sleep := func(ctx context.Context, d time.Duration) error {
		t := time.NewTimer(d)
		defer t.Stop()
		select {
		case <-t.C:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if s, ok := a.c.Options().Clock.(interface {
		Sleep(context.Context, time.Duration) error
	}); ok {
		sleep = s.Sleep
	}
	for sleep(ctx, time.Minute) == nil {
		a.Report(ctx, log)
	}
}

func (s Severity) level() slog.Level {
	switch s {
	case Critical:
		return slog.LevelError
	case Warning:
		return slog.LevelWarn
	}
	return slog.LevelInfo
}

// attributes are what a log is told of a finding, beside its title.
func (f *Finding) attributes() []slog.Attr {
	as := []slog.Attr{slog.String("rule", f.Rule), slog.String("severity", f.Severity.String())}
	for _, named := range []struct{ name, value string }{{"table", f.Table}, {"index", f.Index}} {
		if named.value != "" {
			as = append(as, slog.String(named.name, named.value))
		}
	}
	if len(f.Patterns) > 0 {
		as = append(as, slog.Any("patterns", f.Patterns))
	}
	if len(f.Evidence) > 0 {
		as = append(as, slog.String("seen", f.Evidence[0].String()))
	}
	if m := f.Saving.Monthly(); m > 0 {
		as = append(as, slog.Float64("dollarsMonthly", m.Dollars()))
	}
	return append(as, slog.String("change", f.Remedy.Text))
}
