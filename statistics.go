package tablewright

import (
	"log/slog"
	"os"
	"sync"
)

// Collector gathers statistics of the calls that pass its hook. Package stats has one.
type Collector interface {
	Hook(next Transport) Transport
}

// Statistics is the hook of a collector, for Options.Hooks. As the first hook it sees what callers see, answers of a cache
// included; as the last one it sees what goes to the service.
func Statistics(c Collector) Hook { return c.Hook }

// statisticsVariable turns a collector on without a line of code: see package stats for its settings.
const statisticsVariable = "TABLEWRIGHT_STATS"

// registered is what RegisterStatistics was given last.
var registered struct {
	mu   sync.Mutex
	open func(setting string) (Collector, error)
}

// RegisterStatistics says what collector the environment variable TABLEWRIGHT_STATS stands for: every DB that is made while it
// is set, and not to 0, off or false, has that collector's hook behind those of its Options. Package stats registers its own
// when it is imported; a program that needs no other line of it imports it as _. open is called for every DB with the
// variable's text; it may answer the same collector each time. Its error is logged, and the DB works without.
func RegisterStatistics(open func(setting string) (Collector, error)) {
	registered.mu.Lock()
	defer registered.mu.Unlock()
	registered.open = open
}

// environmentCollector is the collector that the environment asks for; nil if there is none.
func environmentCollector(log *slog.Logger) Collector {
	setting := os.Getenv(statisticsVariable)
	switch setting {
	case "", "0", "off", "false":
		return nil
	}
	if log == nil {
		log = slog.Default()
	}
	registered.mu.Lock()
	open := registered.open
	registered.mu.Unlock()
	if open == nil {
		log.Warn(statisticsVariable + " is set, but the program has no collector: import github.com/tablewright/tablewright/stats")
		return nil
	}
	c, err := open(setting)
	if err != nil {
		log.Warn(statisticsVariable+" cannot be used: there will be no statistics", slog.Any("error", err))
		return nil
	}
	return c
}
