package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/tablewright/tablewright/engine"
)

// TestConformance holds an endpoint that has one fault to the cases: the fault is found, told with its reason, and taken
// for granted once it is listed. Tables of others stay.
func TestConformance(t *testing.T) {
	e, err := engine.Open("", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	mine := []byte(`{"TableName":"mine","AttributeDefinitions":[{"AttributeName":"k","AttributeType":"S"}],"KeySchema":[{"AttributeName":"k","KeyType":"HASH"}],"BillingMode":"PAY_PER_REQUEST"}`)
	if _, err := e.In("eu-west-3").Do(t.Context(), "CreateTable", mine); err != nil {
		t.Fatal(err)
	}
	var signed, faulty atomic.Bool
	faulty.Store(true)
	engineHandler := e.Handler()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.Header.Get("Authorization"), "/eu-west-3/dynamodb/aws4_request") {
			signed.Store(true)
		}
		answer := httptest.NewRecorder()
		engineHandler.ServeHTTP(answer, r)
		body := answer.Body.String()
		if faulty.Load() {
			body = strings.ReplaceAll(body, "Missing the key", "Where is the key")
		}
		w.WriteHeader(answer.Code)
		_, _ = w.Write([]byte(body)) // the client may be gone
	}))
	defer server.Close()
	list := filepath.Join(t.TempDir(), "differences.txt")
	do := func(want int, args ...string) string {
		t.Helper()
		var out, complaints bytes.Buffer
		args = append([]string{"conformance", "--endpoint", server.URL, "--region", "eu-west-3", "--parallel", "4", "--only", "put_item:", "--only", "tables:"}, args...)
		if got := run(args, nil, &out, &complaints); got != want {
			t.Fatalf("%v exits with %d, want %d\n%s%s", args, got, want, &out, &complaints)
		}
		return out.String()
	}
	contains := func(text string, parts ...string) {
		t.Helper()
		for _, part := range parts {
			if !strings.Contains(text, part) {
				t.Errorf("%q is not in\n%s", part, text)
			}
		}
	}
	text := do(exitDiffers)
	contains(text, "\nput_item: missing key\n  expected ValidationException: One or more parameter values were invalid: Missing the key pk in the item\n"+
		"  got      ValidationException: One or more parameter values were invalid: Where is the key pk in the item\n  because  PutItem")
	contains(do(exitDiffers, "--details"), "put_item.txt:", `request  PutItem {"TableName":"tbl"`)
	do(exitOK, "--write-known", list)
	if written, err := os.ReadFile(list); err != nil || !strings.Contains(string(written), "\nput_item: missing key\n  got ValidationException: One or more parameter values were invalid: Where is the key pk") {
		t.Errorf("%v %s", err, written)
	}
	contains(do(exitOK, "--known", list), "1 difference as listed in "+list+", 0 not")
	contains(do(exitOK, "--known", list, "--output", "junit"), `<skipped message="known to differ: PutItem`)
	var out struct {
		Passed, Failed, Skipped, Known int
		Surprise                       []string
		Results                        []struct {
			Name    string
			Status  string
			Failure *struct{ Expected, Got string }
		}
	}
	if err := json.Unmarshal([]byte(do(exitOK, "--known", list, "--output", "json")), &out); err != nil {
		t.Fatal(err)
	}
	if out.Failed != 1 || out.Known != 1 || out.Surprise != nil || out.Skipped == 0 || out.Passed+out.Failed+out.Skipped != len(out.Results) {
		t.Errorf("%d passed, %d failed, %d skipped, %d known, surprise %v, %d results", out.Passed, out.Failed, out.Skipped, out.Known, out.Surprise, len(out.Results))
	}
	faulty.Store(false)
	contains(do(exitDiffers, "--known", list), "put_item: missing key\n  passes, and is listed as one that does not")
	if !signed.Load() {
		t.Error("requests are not signed for the Region")
	}
	if tables, err := e.In("eu-west-3").Do(t.Context(), "ListTables", []byte("{}")); err != nil || string(tables) != `{"TableNames":["mine"]}` {
		t.Errorf("tables afterwards: %s %v", tables, err)
	}
}
