package engine_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/engine/internal/kv"
)

// TestDiskFull: while there is no room, writes are refused with an error that says so, reads go on, and it is counted and
// logged; when there is room again, writes are taken again.
func TestDiskFull(t *testing.T) {
	for fault, want := range map[error]string{
		syscall.ENOSPC: "The disk is full, nothing was written, reads go on: engine: commit: write tables.db: no space left on device",
		syscall.EIO:    "The data cannot be written or read: engine: commit: write tables.db: input/output error",
	} {
		var log bytes.Buffer
		s := &failingStore{Store: kv.NewMemory(), after: 1 << 30, err: fault}
		e, err := engine.OpenStore(s, &engine.Options{SweepEvery: -1, Logger: slog.New(slog.NewTextHandler(&log, nil))})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { e.Close() })
		do(t, e, "CreateTable", aTable)
		do(t, e, "PutItem", `{"TableName":"tbl","Item":{"k":{"S":"a"}}}`)
		s.after = 0
		_, err = e.Do(t.Context(), "PutItem", []byte(`{"TableName":"tbl","Item":{"k":{"S":"secret"}}}`))
		if err == nil || err.Error() != "InternalServerError: "+want {
			t.Errorf("write: %v", err)
		}
		for range 9 {
			_, _ = e.Do(t.Context(), "DeleteItem", []byte(`{"TableName":"tbl","Key":{"k":{"S":"a"}}}`))
		}
		if n := strings.Count(log.String(), "level=ERROR"); n > 3 { // one a second
			t.Errorf("the log has %d lines", n)
		}
		if got := fmt.Sprint(do(t, e, "Scan", `{"TableName":"tbl"}`)["Count"]); got != "1" {
			t.Errorf("read: %s items", got)
		}
		if m := scrape(t, e); !strings.Contains(m, "\ntablewright_disk_failures_total 10\n") {
			t.Errorf("metrics:\n%s", m)
		}
		if !strings.Contains(log.String(), "level=ERROR") || strings.Contains(log.String(), "secret") {
			t.Errorf("log: %s", &log)
		}
		s.after = 1 << 30
		do(t, e, "PutItem", `{"TableName":"tbl","Item":{"k":{"S":"b"}}}`)
	}
}

func scrape(t *testing.T, e *engine.Engine) string {
	t.Helper()
	var b bytes.Buffer
	if err := e.WriteMetrics(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestMetrics: what is counted is what happened, in Prometheus' format, without values.
func TestMetrics(t *testing.T) {
	e := open(t, t.TempDir(), nil)
	fill(t, e)
	ask := func(operation, request string) { _, _ = e.Do(context.Background(), operation, []byte(request)) }
	ask("GetItem", `{"TableName":"tbl","Key":{"k":{"S":"hidden"}}}`)
	ask("GetItem", `{"TableName":"nope","Key":{"k":{"S":"hidden"}}}`)
	ask("GetItem", `{`)
	ask("hidden", `{}`)
	m := scrape(t, e)
	for _, want := range []string{
		`tablewright_requests_total{operation="PutItem",code="OK"} 80`,
		`tablewright_requests_total{operation="GetItem",code="OK"} 1`,
		`tablewright_requests_total{operation="GetItem",code="ResourceNotFoundException"} 1`,
		`tablewright_requests_total{operation="GetItem",code="SerializationException"} 1`,
		`tablewright_requests_total{operation="unknown",code="UnknownOperationException"} 1`,
		`tablewright_request_duration_seconds_bucket{operation="PutItem",le="+Inf"} 80`,
		`tablewright_request_duration_seconds_count{operation="GetItem"} 3`,
		`tablewright_tables 3`,
		`tablewright_items{region="us-east-1",table="orders",index=""} 40`,
		`tablewright_items{region="us-east-1",table="orders",index="by-state"} 40`,
		`tablewright_consumed_units_total{region="us-east-1",table="orders",index="",kind="write"} 40`,
		`tablewright_consumed_units_total{region="us-east-1",table="orders",index="by-amount",kind="write"} 40`,
		`tablewright_consumed_units_total{region="us-east-1",table="tbl",index="",kind="read"} 0.5`,
		`tablewright_index_fills 0`,
	} {
		if !strings.Contains(m, "\n"+want+"\n") {
			t.Errorf("there is no %s in\n%s", want, m)
		}
	}
	if strings.Contains(m, "hidden") {
		t.Errorf("it tells what a client sent:\n%s", m)
	}
	sample := regexp.MustCompile(`^[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? [0-9.e+-]+$`)
	comment := regexp.MustCompile(`^# (HELP|TYPE) ([a-z_]+) .+$`)
	described := map[string]int{}
	for line := range strings.Lines(m) {
		line = strings.TrimSuffix(line, "\n")
		if c := comment.FindStringSubmatch(line); c != nil {
			described[c[2]]++
		} else if !sample.MatchString(line) {
			t.Errorf("no line of the format: %s", line)
		}
	}
	for name, n := range described {
		if n != 2 {
			t.Errorf("%s is described %d times", name, n)
		}
	}
}

// TestLog: a line for each request at the level Debug, a warning for a slow one, and never a value.
func TestLog(t *testing.T) {
	var log bytes.Buffer
	e := open(t, "", &engine.Options{SlowRequest: -1, Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))})
	do(t, e, "CreateTable", aTable)
	do(t, e, "PutItem", `{"TableName":"tbl","Item":{"k":{"S":"hidden"}}}`)
	_, _ = e.Do(t.Context(), "PutItem", []byte(`{"TableName":"tbl","Item":{"hidden":{"S":"hidden"}}}`))
	for _, want := range []string{
		`level=DEBUG msg=request operation=PutItem code=OK took=\S+ region=us-east-1 table=tbl\n`,
		`level=DEBUG msg=request operation=PutItem code=ValidationException took=\S+ region=us-east-1 table=tbl\n`,
	} {
		if !regexp.MustCompile(want).Match(log.Bytes()) {
			t.Errorf("there is no %s in\n%s", want, &log)
		}
	}
	if strings.Contains(log.String(), "hidden") {
		t.Errorf("it has a value:\n%s", &log)
	}
	log.Reset()
	slow := open(t, "", &engine.Options{SlowRequest: time.Nanosecond, Logger: slog.New(slog.NewTextHandler(&log, nil))})
	do(t, slow, "ListTables", `{}`)
	if !regexp.MustCompile(`level=WARN msg="slow request" operation=ListTables code=OK `).Match(log.Bytes()) {
		t.Errorf("log:\n%s", &log)
	}
}

// TestLocked: a directory is one engine's, and who has it is told.
func TestLocked(t *testing.T) {
	dir := t.TempDir()
	if os.Getenv("TABLEWRIGHT_LOCK") != "" { // the other process
		_, err := engine.Open(os.Getenv("TABLEWRIGHT_LOCK"), nil)
		fmt.Println(err)
		return
	}
	e, err := engine.Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := engine.Open(dir, nil); !errors.Is(err, engine.ErrInUse) || !strings.Contains(err.Error(), "is in use by this process") {
		t.Errorf("opened twice: %v", err)
	}
	other := exec.Command(os.Args[0], "-test.run", "^TestLocked$")
	other.Env = append(os.Environ(), "TABLEWRIGHT_LOCK="+dir)
	out, err := other.CombinedOutput()
	if want := fmt.Sprintf("engine: %s is in use by the process with the id %d", dir, os.Getpid()); err != nil || !strings.Contains(string(out), want) {
		t.Errorf("%s, %v; want %s", out, err, want)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	// What a process left that was killed holds nobody up.
	if err := os.WriteFile(filepath.Join(dir, "lock"), []byte("1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	open(t, dir, nil)
}
