package stats

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/tablewright/tablewright"
)

// environment is the collector of the whole process that TABLEWRIGHT_STATS asks for, made when the first DB is.
var environment struct {
	mu        sync.Mutex
	made      bool
	collector *Collector
	err       error
	stop      func() error
}

func init() {
	tablewright.RegisterStatistics(func(setting string) (tablewright.Collector, error) {
		c, err := fromSetting(setting)
		if err != nil {
			return nil, err
		}
		return c, nil
	})
}

// FromEnvironment is the Collector of this process that the environment variable TABLEWRIGHT_STATS asks for; nil if it is not
// set, or no DB was made yet. Its value is "on", or settings with commas between them:
//
//	rate=0.1          Options.Rate, 0 for none
//	detail=0.05       Options.Detail
//	units=off         Options.NoUnits
//	hash=secret       Options.HashKeys
//	keys=1024         Options.Keys
//	hours=168         Options.Hours
//	file=/tmp/%p.json writes a Snapshot there, again and again; %p is the number of the process
//	every=10s         how often; a minute otherwise
//
// as in TABLEWRIGHT_STATS=rate=0.1,file=/var/tmp/shop-%p.json. Settings that cannot be read are logged by the DB, and there are
// no statistics then.
func FromEnvironment() *Collector {
	environment.mu.Lock()
	defer environment.mu.Unlock()
	return environment.collector
}

// Flush writes the file of FromEnvironment once more, for programs that end; without one it does nothing.
func Flush() error {
	environment.mu.Lock()
	defer environment.mu.Unlock()
	if environment.stop == nil {
		return nil
	}
	stop := environment.stop
	environment.stop = nil
	return stop()
}

func fromSetting(setting string) (*Collector, error) {
	environment.mu.Lock()
	defer environment.mu.Unlock()
	if !environment.made {
		environment.made = true
		var s settings
		if s, environment.err = readSettings(setting); environment.err == nil {
			environment.collector = NewCollector(s.options)
			if s.none {
				environment.collector.SetRate(0)
			}
			if s.file != "" {
				environment.stop = environment.collector.Export(s.file, s.every)
			}
		}
	}
	return environment.collector, environment.err
}

// settings are what the environment says.
type settings struct {
	options Options
	none    bool // rate=0
	file    string
	every   time.Duration
}

func readSettings(text string) (s settings, err error) {
	s.every = time.Minute
	for one := range strings.SplitSeq(text, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(one), "=")
		var bad error
		switch name {
		case "on", "1", "true", "yes", "":
		case "rate":
			s.options.Rate, bad = readShare(value)
			s.none = s.options.Rate == 0
		case "detail":
			if s.options.Detail, bad = readShare(value); s.options.Detail == 0 {
				s.options.Detail = -1
			}
		case "units":
			s.options.NoUnits = value == "off" || value == "0" || value == "false"
		case "hash":
			if s.options.HashKeys = []byte(value); value == "" {
				bad = fmt.Errorf("no secret")
			}
		case "keys":
			s.options.Keys, bad = positive(value)
		case "hours":
			s.options.Hours, bad = positive(value)
		case "file":
			s.file = strings.ReplaceAll(value, "%p", strconv.Itoa(os.Getpid()))
		case "every":
			if s.every, bad = time.ParseDuration(value); bad == nil && s.every < time.Second {
				bad = fmt.Errorf("less than a second")
			}
		default:
			bad = fmt.Errorf("the settings are on, rate, detail, units, hash, keys, hours, file and every")
		}
		if bad != nil {
			return s, fmt.Errorf("statistics: setting %q: %w", one, bad)
		}
	}
	return s, nil
}

// readShare reads a number from 0 to 1.
func readShare(text string) (float64, error) {
	f, err := strconv.ParseFloat(text, 64)
	if err == nil && !(f >= 0 && f <= 1) {
		err = fmt.Errorf("%s is not between 0 and 1", text)
	}
	return f, err
}

func positive(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err == nil && n <= 0 {
		err = fmt.Errorf("%d is not above 0", n)
	}
	return n, err
}

// WriteFile writes a Snapshot to a file, which is replaced only when the new one is whole.
func (c *Collector) WriteFile(path string) error {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	err = c.Snapshot().Write(f)
	if bad := f.Close(); err == nil {
		err = bad
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}

// Export writes a Snapshot to a file again and again, until stop is called, which writes it a last time and is the error of
// that; errors before are forgotten when a later time succeeds. every is a second at least.
func (c *Collector) Export(path string, every time.Duration) (stop func() error) {
	done := make(chan struct{})
	var ended sync.WaitGroup
	ended.Go(func() {
		t := time.NewTicker(max(every, time.Second))
		defer t.Stop()
		for {
			select {
			case <-done:
				return
			case <-t.C:
				_ = c.WriteFile(path)
			}
		}
	})
	return sync.OnceValue(func() error {
		close(done)
		ended.Wait()
		return c.WriteFile(path)
	})
}
