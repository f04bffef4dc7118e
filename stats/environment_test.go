package stats_test

import (
	"bytes"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/stats"
)

// A program that says nothing of statistics has them when its environment does. It is this test in a process of its own, since
// a process has one such collector.
func TestEnvironment(t *testing.T) {
	if os.Getenv("STATS_TEST_CHILD") != "" {
		child(t)
		return
	}
	for name, test := range map[string]struct{ setting, want string }{
		"a file":          {"rate=1,detail=1,units=on,every=1h,file=" + filepath.Join(t.TempDir(), "stats.json"), "calls 2"},
		"on":              {"on", "calls 2"},
		"keys are hashed": {"hash=secret,keys=64,hours=1", "calls 2 hashed"},
		"none":            {"rate=0", "calls 0"},
		"off":             {"off", "none"},
		"not set":         {"", "none"},
		"a mistake":       {"rate=2", `none, and: setting \"rate=2\": 2 is not between 0 and 1`},
		"another":         {"rat=1", "none, and: the settings are"},
		"too often":       {"every=1ms", "none, and: less than a second"},
	} {
		t.Run(name, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestEnvironment$", "-test.v")
			cmd.Env = append(os.Environ(), "STATS_TEST_CHILD=1", "TABLEWRIGHT_STATS="+test.setting)
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			want, warning, _ := strings.Cut(test.want, ", and: ")
			if !strings.Contains(string(out), "RESULT "+want+"\n") || !strings.Contains(string(out), warning) {
				t.Errorf("%s", out)
			}
			if _, file, _ := strings.Cut(test.setting, "file="); file != "" {
				f, err := os.Open(file)
				must(t, err)
				defer f.Close()
				s, err := stats.ReadSnapshot(f)
				must(t, err)
				if len(s.Operations) != 1 || s.Operations[0].Calls != 2 {
					t.Errorf("the file has %d operations", len(s.Operations))
				}
			}
		})
	}
}

func child(t *testing.T) {
	var log bytes.Buffer
	for range 2 { // two DBs, one collector
		db := tablewright.New(nothing, tablewright.Options{Logger: slog.New(slog.NewTextHandler(&log, nil))})
		must(t, db.Transport().Do(t.Context(), getCall(1)))
	}
	os.Stdout.Write(log.Bytes())
	result := "none"
	if c := stats.FromEnvironment(); c != nil {
		s := c.Snapshot()
		result = "calls 0"
		if len(s.Operations) == 1 && s.Operations[0].Calls == 2 {
			result = "calls 2"
		}
		if s.Hashed {
			result += " hashed"
		}
	}
	must(t, stats.Flush())
	os.Stdout.WriteString("RESULT " + result + "\n")
}
