package proofs_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/internal/peers"
	"github.com/tablewright/tablewright/internal/peers/ledger"
)

// mirror stands between a proof and DynamoDB Local. It gives every request to an engine of its own too, and holds what
// DynamoDB Local answers against what that engine does. The proof gets DynamoDB Local's answer; only a consumed capacity
// that differs as the ledger says is replaced by the engine's, since the proof would rightly miss the estimate with it.
type mirror struct {
	local  string
	client *http.Client
	engine http.Handler
	rules  *ledger.Ledger
	report func(difference string) // the first one of each kind that the ledger does not have

	mu       sync.Mutex // one request at a time, so that both sides have them in the same order
	requests int
	measured int            // answers that told what was consumed
	replaced int            // of these, where the ledger knows better
	found    map[string]int // differences that the ledger does not have, by operation and place
}

// newMirror starts a mirror in front of DynamoDB Local. The engine's handler can be wrapped.
func newMirror(t *testing.T, local string, rules *ledger.Ledger, wrap func(http.Handler) http.Handler) (m *mirror, url string) {
	t.Helper()
	e, err := engine.Open("", &engine.Options{Region: "ddblocal", SweepEvery: -1})
	if err != nil {
		t.Fatal(err)
	}
	m = &mirror{
		local: local, client: &http.Client{Transport: &http.Transport{}}, engine: wrap(e.Handler()), rules: rules,
		report: func(d string) { t.Error(d) }, found: map[string]int{},
	}
	server := httptest.NewServer(m)
	t.Cleanup(func() {
		server.Close()
		m.client.CloseIdleConnections()
		if err := e.Check(); err != nil {
			t.Error(err)
		}
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return m, server.URL
}

func (m *mirror) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	in, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client has gone
	}
	_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	m.mu.Lock()
	defer m.mu.Unlock()
	if strings.HasSuffix(operation, "TimeToLive") {
		// DynamoDB Local deletes what has expired whenever it likes to, which would make answers differ. Where it never
		// does, the proof is the harder one: plans have to pass over everything that has expired. That it deletes is
		// for package sdk to see.
		r.Body = io.NopCloser(bytes.NewReader(in))
		m.engine.ServeHTTP(w, r)
		return
	}
	status, answer, err := peers.Send(context.WithoutCancel(r.Context()), m.client, m.local, operation, in)
	if err != nil {
		m.report(operation + ": " + err.Error())
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	answer = m.compare(operation, in, status, answer, r.Clone(context.WithoutCancel(r.Context())))
	w.Header().Set("Content-Type", "application/x-amz-json-1.0")
	w.Header().Set("X-Amz-Crc32", strconv.FormatUint(uint64(crc32.ChecksumIEEE(answer)), 10))
	w.WriteHeader(status)
	_, _ = w.Write(answer)
}

// compare gives the request to the engine and answers what the proof gets.
func (m *mirror) compare(operation string, in []byte, status int, theirs []byte, r *http.Request) []byte {
	m.requests++
	r.Body = io.NopCloser(strings.NewReader(string(in)))
	recorded := httptest.NewRecorder()
	m.engine.ServeHTTP(recorded, r)
	ours := recorded.Body.Bytes()
	switch operation {
	case "CreateTable", "DescribeTable", "DeleteTable", "ListTables":
		return theirs // package differ compares these
	case "Scan":
		return theirs // each side has an order, and so cursors, of its own; the proof looks with it at whole tables
	}
	a, b := ledger.NewAnswer(recorded.Code, ours), ledger.NewAnswer(status, theirs)
	switch operation {
	case "BatchGetItem":
		unordered(a.Body, b.Body)
	case "Query":
		if !comparable(in, a.Body, b.Body) {
			return theirs
		}
	}
	if tells(b.Body) {
		m.measured++
	}
	replace := false
	for _, d := range ledger.Compare(operation, a, b) {
		if m.rules.Explain(string(in), d) == nil {
			if m.found[d.Operation+" "+d.At]++; m.found[d.Operation+" "+d.At] == 1 {
				m.report(fmt.Sprintf("%s\n  %.3000s", d, in))
			}
			continue
		}
		replace = replace || strings.HasPrefix(d.At, "ConsumedCapacity")
	}
	if !replace {
		return theirs
	}
	m.replaced++
	return withCapacityOf(theirs, ours)
}

func tells(body any) bool {
	m, _ := body.(map[string]any)
	return m["ConsumedCapacity"] != nil
}

// unordered sorts what has no order in the answers: what a batch has read.
func unordered(answers ...any) {
	for _, body := range answers {
		m, _ := body.(map[string]any)
		tables, _ := m["Responses"].(map[string]any)
		for _, items := range tables {
			ledger.Sort(items)
		}
	}
}

// comparable prepares the answers to a Query. Items of an index whose keys are equal may come in any order, so that the
// items of a page are compared as a set. Where an answer has several pages, such items may even lie on different ones:
// pages that do not hold the same items are then left to the proof's oracle.
func comparable(in []byte, ours, theirs any) bool {
	var q struct {
		IndexName         string
		ExclusiveStartKey map[string]any
	}
	if json.Unmarshal(in, &q) != nil || q.IndexName == "" {
		return true
	}
	a, _ := ours.(map[string]any)
	b, _ := theirs.(map[string]any)
	ledger.Sort(a["Items"])
	ledger.Sort(b["Items"])
	if q.ExclusiveStartKey == nil && a["LastEvaluatedKey"] == nil && b["LastEvaluatedKey"] == nil {
		return true
	}
	delete(a, "LastEvaluatedKey")
	delete(b, "LastEvaluatedKey")
	return reflect.DeepEqual(a["Items"], b["Items"])
}

// withCapacityOf is an answer with the consumed capacity of another.
func withCapacityOf(answer, other []byte) []byte {
	var a, b map[string]json.RawMessage
	if json.Unmarshal(answer, &a) != nil || json.Unmarshal(other, &b) != nil {
		return answer
	}
	a["ConsumedCapacity"] = b["ConsumedCapacity"]
	out, err := json.Marshal(a)
	if err != nil {
		return answer
	}
	return out
}

// TestMirrorSees gives a mirror an engine that answers wrongly and demands that it says so, and an entry of the ledger, and
// demands that the capacity is replaced.
func TestMirrorSees(t *testing.T) {
	local, _ := peers.StartLocal(t, peers.Brief...)
	rules, err := ledger.Read(strings.NewReader("Query\n at ConsumedCapacity.Table.CapacityUnits\n ours 0.5\n theirs 0\n why read-write-operations"))
	if err != nil {
		t.Fatal(err)
	}
	m, url := newMirror(t, local, rules, func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			recorded := httptest.NewRecorder()
			h.ServeHTTP(recorded, r)
			w.WriteHeader(recorded.Code)
			_, _ = w.Write(bytes.ReplaceAll(recorded.Body.Bytes(), []byte("right"), []byte("wrong")))
		})
	})
	var reported []string
	m.report = func(d string) { reported = append(reported, d) }
	ask := func(operation, in string) string {
		t.Helper()
		status, answer, err := peers.Send(t.Context(), http.DefaultClient, url, operation, []byte(in))
		if err != nil || status != http.StatusOK {
			t.Fatalf("%s: %d %v %s", operation, status, err, answer)
		}
		return string(answer)
	}
	ask("CreateTable", `{"TableName": "sees", "BillingMode": "PAY_PER_REQUEST", "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
		"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]}`)
	ask("PutItem", `{"TableName": "sees", "Item": {"pk": {"S": "a"}, "answer": {"S": "right"}}}`)
	empty := ask("Query", `{"TableName": "sees", "KeyConditionExpression": "pk = :p", "ExpressionAttributeValues": {":p": {"S": "b"}}, "ReturnConsumedCapacity": "INDEXES"}`)
	if len(reported) > 0 || m.replaced != 1 || !strings.Contains(empty, "0.5") {
		t.Error(reported, m.replaced, empty)
	}
	if got := ask("GetItem", `{"TableName": "sees", "Key": {"pk": {"S": "a"}}}`); len(reported) != 1 || !strings.Contains(reported[0], "wrong") || strings.Contains(got, "wrong") {
		t.Error(reported, got)
	}
}
