package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/prove"
	"github.com/tablewright/tablewright/stats"
)

// chatStatistics are those of a day and a bit of the chat in doctor/testdata: posts come more often than planned, messages are
// nowhere read one by one, everything else is as it was planned.
var chatStatistics = sync.OnceValue(func() []byte {
	clock := prove.NewSimulated(time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC))
	c := stats.NewCollector(stats.Options{Clock: clock, Keys: 64})
	begin := clock.Now()
	for _, o := range []struct {
		event   stats.Event
		perHour int
	}{
		{stats.Event{Operation: "Query", Table: "Chat", Index: "ByRoom", Pattern: "messagesOfRoom", Items: 20, Read: 0.6, Arms: []stats.Arm{{Table: "Chat", Index: "ByRoom", Read: 0.6}}}, 9},
		{stats.Event{Operation: "Query", Table: "Chat", Pattern: "reactionsOf", Items: 2, Read: 0.5, Arms: []stats.Arm{{Table: "Chat", Read: 0.5}}}, 9},
		{stats.Event{Operation: "PutItem", Table: "Chat", Pattern: "post", Write: 2, Arms: []stats.Arm{{Table: "Chat", Write: 1}, {Table: "Chat", Index: "ByRoom", Write: 1}}}, 15},
		{stats.Event{Operation: "TransactWriteItems", Table: "Chat", Pattern: "react", Write: 4, Arms: []stats.Arm{{Table: "Chat", Write: 4}}}, 9},
	} {
		for i := range 26 * o.perHour {
			e := o.event
			e.Start, e.Took, e.Attempt, e.Weight, e.Units = begin.Add(time.Duration(i)*time.Hour/time.Duration(o.perHour)).UnixNano(), time.Millisecond, 1, 1, stats.Reported
			c.Record(&e)
		}
	}
	clock.Advance(26 * time.Hour)
	var text strings.Builder
	if err := c.Snapshot().Write(&text); err != nil {
		panic(err)
	}
	return []byte(text.String())
})

// chatJournal writes a journal: of an hour of posts, one every ten seconds.
func chatJournal(to io.Writer) error {
	clock := prove.NewSimulated(time.Date(2026, 1, 6, 0, 0, 0, 0, time.UTC))
	c := stats.NewCollector(stats.Options{Clock: clock})
	j := c.Journal(stats.JournalOptions{})
	hook := c.Hook(tablewright.TransportFunc(func(context.Context, *tablewright.Call) error { return nil }))
	for range 360 {
		call := tablewright.Call{Operation: "PutItem", Table: "Chat", Pattern: "post", Attempt: 1, Write: 2}
		if err := hook.Do(context.Background(), &call); err != nil {
			return err
		}
		clock.Advance(10 * time.Second)
	}
	_, err := j.WriteTo(to)
	return err
}

// hashedStatistics writes statistics of another program, of a quarter of its calls, with hashed keys.
func hashedStatistics(to io.Writer) error {
	c := stats.NewCollector(stats.Options{HashKeys: []byte("secret"), Rate: 0.25})
	c.Record(&stats.Event{Start: 1, Operation: "GetItem", Table: "Elsewhere", Pattern: "getElsewhere", Read: 0.5, Weight: 1})
	return c.Snapshot().Write(to)
}

// chatFiles puts the chat's requirements, model and statistics into a folder.
func chatFiles(dir string) error {
	if err := os.WriteFile(filepath.Join(dir, "statistics.json"), chatStatistics(), 0o600); err != nil {
		return err
	}
	for name, export := range map[string]func(io.Writer) error{"calls.journal": chatJournal, "hashed.json": hashedStatistics} {
		var text bytes.Buffer
		err := export(&text)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), text.Bytes(), 0o600)
		}
		if err != nil {
			return err
		}
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, err := z.Write(chatStatistics())
	err = errors.Join(err, z.Close(),
		os.WriteFile(filepath.Join(dir, "packed.json.gz"), packed.Bytes(), 0o600), os.WriteFile(filepath.Join(dir, "cut.json.gz"), packed.Bytes()[:packed.Len()/2], 0o600))
	if err != nil {
		return err
	}
	for name, from := range map[string]string{"rooms.yaml": "rooms.yaml", "model.yaml": "rooms.model.yaml"} {
		text, err := os.ReadFile(filepath.Join("../../doctor/testdata", from))
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), text, 0o600)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// TestDoctorOfAProgram reads the statistics of a running program from the page that it has of them, or from what answers them
// alone; what has none is told so.
func TestDoctorOfAProgram(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := chatFiles(dir); err != nil {
		t.Fatal(err)
	}
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/missing":
			http.NotFound(w, r)
		case r.URL.Path == "/debug/tablewright/" && r.URL.Query().Get("show") == "statistics", r.URL.Path == "/statistics":
			_, _ = w.Write(chatStatistics())
		default:
			_, _ = w.Write([]byte("<html>a page</html>"))
		}
	}))
	defer page.Close()
	for _, c := range []struct{ path, says string }{
		{"/debug/tablewright/", "post is called"},
		{"/statistics", "post is called"},
		{"/missing", "404"},
		{"/else", "has no statistics"},
	} {
		doctor := exec.CommandContext(t.Context(), program(), "doctor", page.URL+c.path, "--model", "model.yaml", "--promises")
		doctor.Dir = dir
		out, _ := doctor.CombinedOutput()
		if !strings.Contains(string(out), c.says) {
			t.Errorf("%s: %s", c.path, out)
		}
	}
}

// TestDoctorMay: who may describe and scan a table, and nothing else, has it examined; what is missing is told. describe needs no more.
func TestDoctorMay(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	keys := "credentials:\n  - {key-id: admin, secret: admin-secret, admin: true}\n"
	for name, actions := range map[string]string{
		"all":    "dynamodb:DescribeTable, dynamodb:DescribeTimeToLive, dynamodb:Scan",
		"noscan": "dynamodb:DescribeTable, dynamodb:DescribeTimeToLive",
		"nottl":  "dynamodb:DescribeTable, dynamodb:Scan",
	} {
		keys += "  - {key-id: " + name + ", secret: " + name + "-secret, user: " + name + `, policy: {Version: "2012-10-17", Statement: {Effect: Allow, Action: [` + actions + `], Resource: "arn:aws:dynamodb:*:*:table/books"}}}` + "\n"
	}
	write(t, dir, "keys.yaml", keys)
	s := start(t, dir, "--in-memory", "--listen", "127.0.0.1:0", "--credentials", "keys.yaml")
	defer s.stop(t)
	run := func(key string, args ...string) string {
		c := exec.CommandContext(t.Context(), program(), append(args, "--endpoint", s.url)...)
		c.Dir = dir
		c.Env = append(os.Environ(), "AWS_ACCESS_KEY_ID="+key, "AWS_SECRET_ACCESS_KEY="+key+"-secret", "AWS_REGION=us-east-1")
		out, _ := c.CombinedOutput()
		return string(out)
	}
	if _, got := ask(t, http.DefaultClient, s.url, "CreateTable", makeBooks, "admin"); !strings.Contains(got, `"TableName":"books"`) {
		t.Fatal(got)
	}
	for _, c := range []struct {
		key  string
		args []string
		says string
	}{
		{"all", []string{"doctor", "--table", "books"}, "table books: nothing to object to"},
		{"all", []string{"describe", "books"}, "isbn"},
		{"all", []string{"doctor"}, "and ListTables where neither"},
		{"noscan", []string{"doctor", "--table", "books"}, "Scan for a sample"},
		{"noscan", []string{"doctor", "--table", "books", "--read-units", "0"}, "table books: nothing to object to"},
		{"nottl", []string{"doctor", "--table", "books"}, "needs dynamodb:DescribeTable and DescribeTimeToLive"},
		{"admin", []string{"doctor", "--table", "boks"}, "there is no table boks; did you mean books?"},
		{"admin", []string{"describe", "boks"}, "there is no table boks; did you mean books?"},
	} {
		if out := run(c.key, c.args...); !strings.Contains(out, c.says) {
			t.Errorf("%s %v: %s", c.key, c.args, out)
		}
	}
}
