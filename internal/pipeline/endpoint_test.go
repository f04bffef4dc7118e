package pipeline_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/internal/pipeline"
)

// service is an engine behind HTTP that holds tables of somebody else's, and watches what requests name.
type service struct {
	url    string
	engine *engine.Engine
	fail   func(operation string) bool  // answers it with an error; nil: never
	seen   func(operation, body string) // is told of each request; nil: nobody is

	mu      sync.Mutex
	foreign int             // requests that name somebody else's table
	proof   map[string]bool // tables of proofs that were asked for
}

const theirs = "Customers"

func serve(t *testing.T) *service {
	t.Helper()
	e, err := engine.Open("", nil)
	if err != nil {
		t.Fatal(err)
	}
	s := &service{engine: e, proof: map[string]bool{}}
	handler := e.Handler()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		s.watch(t, body)
		_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
		if s.seen != nil {
			s.mu.Lock()
			s.seen(operation, string(body))
			s.mu.Unlock()
		}
		if s.fail != nil && s.fail(operation) {
			w.Header().Set("Content-Type", "application/x-amz-json-1.0")
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"__type":"com.amazonaws.dynamodb.v20120810#LimitExceededException","message":"too many"}`)
			return
		}
		handler.ServeHTTP(w, r)
	}))
	s.url = server.URL
	t.Cleanup(func() {
		server.Close()
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	s.do(t, "CreateTable", `{"TableName":"`+theirs+`","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],"KeySchema":[{"AttributeName":"id","KeyType":"HASH"}]}`)
	s.do(t, "PutItem", `{"TableName":"`+theirs+`","Item":{"id":{"S":"1"},"name":{"S":"kept"}}}`)
	return s
}

func (s *service) do(t *testing.T, operation, body string) string {
	t.Helper()
	out, err := s.engine.Do(context.Background(), operation, []byte(body))
	if err != nil {
		t.Fatal(operation, err)
	}
	return string(out)
}

// watch notes which tables a request names, wherever in it.
func (s *service) watch(t *testing.T, body []byte) {
	var request any
	if err := json.Unmarshal(body, &request); err != nil {
		t.Errorf("%v: %.100s", err, body)
	}
	var names []string
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, x := range v {
				walk(x)
			}
		case map[string]any:
			for k, x := range v {
				switch k {
				case "TableName":
					names = append(names, x.(string))
				case "RequestItems":
					for name := range x.(map[string]any) {
						names = append(names, name)
					}
				case "Item", "Key", "ExpressionAttributeValues":
				default:
					walk(x)
				}
			}
		}
	}
	walk(request)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, name := range names {
		if strings.HasPrefix(name, "tablewright-proof-") {
			s.proof[name] = true
		} else {
			s.foreign++
		}
	}
}

// untouched reports whether all that is left is what was there before.
func (s *service) untouched(t *testing.T) {
	t.Helper()
	var list struct{ TableNames []string }
	if err := json.Unmarshal([]byte(s.do(t, "ListTables", `{}`)), &list); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(list.TableNames, []string{theirs}) {
		t.Errorf("tables afterwards: %v", list.TableNames)
	}
	if got := s.do(t, "Scan", `{"TableName":"`+theirs+`"}`); !strings.Contains(got, `"Count":1`) || !strings.Contains(got, "kept") {
		t.Error("their items afterwards:", got)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.foreign > 0 {
		t.Errorf("%d requests named tables of somebody else's", s.foreign)
	}
	if len(s.proof) == 0 {
		t.Error("no request named a table of the proof")
	}
}

func sessions(t *testing.T) *pipeline.Job {
	t.Helper()
	// No configuration of whoever runs the test takes part.
	for _, name := range []string{"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"} {
		t.Setenv(name, "test")
	}
	for _, name := range []string{"AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE"} {
		t.Setenv(name, filepath.Join(t.TempDir(), "none"))
	}
	t.Setenv("AWS_EC2_METADATA_DISABLED", "true")
	d, err := pipeline.Open(filepath.Join("..", "..", "examples", "session-management.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	j, err := pipeline.Read(d)
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Design(t.Context(), pipeline.Options{}); err != nil {
		t.Fatal(err)
	}
	return j
}

func few(s *service) *pipeline.Endpoint {
	return &pipeline.Endpoint{URL: s.url, Region: "eu-central-1", Calls: 4, Measured: 256}
}

func TestEndpoint(t *testing.T) {
	s, j := serve(t), sessions(t)
	if err := j.Prove(t.Context(), pipeline.Options{Endpoint: few(s)}); err != nil {
		t.Fatal(err)
	}
	for _, p := range j.Evidence.Patterns {
		if !p.Proven {
			t.Errorf("%s: %s", p.Name, p.Failure)
		}
	}
	s.untouched(t)

	first := s.proof
	s.proof = map[string]bool{}
	if err := j.Prove(t.Context(), pipeline.Options{Endpoint: few(s)}); err != nil {
		t.Fatal(err)
	}
	for name := range s.proof {
		if first[name] {
			t.Errorf("two proofs used the table %s", name)
		}
	}
}

// Whoever interrupts a proof finds nothing of it left.
func TestEndpointInterrupted(t *testing.T) {
	for _, phase := range []string{"load", "reads", "capacity", "writes", "concurrency"} {
		t.Run(phase, func(t *testing.T) {
			s, j := serve(t), sessions(t)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if phase == "load" { // before the first word about it
				n := atomic.Int32{}
				s.fail = func(operation string) bool {
					if operation == "PutItem" && n.Add(1) == 20 {
						cancel()
					}
					return false
				}
			}
			err := j.Prove(ctx, pipeline.Options{Endpoint: few(s), Progress: func(e pipeline.Event) {
				if e.Stage == "prove" && strings.HasPrefix(e.Detail, phase) {
					cancel()
				}
			}})
			if !errors.Is(err, context.Canceled) {
				t.Errorf("error %v", err)
			}
			s.untouched(t)
		})
	}
}

// Where tables cannot all be made, those that were are deleted.
func TestEndpointFails(t *testing.T) {
	s, j := serve(t), sessions(t)
	made := atomic.Bool{}
	s.fail = func(operation string) bool {
		made.Store(made.Load() || operation == "CreateTable")
		return operation == "DescribeTable" // as long as it is asked whether the table is there
	}
	s.fail = failFirst(s.fail, 3)
	err := j.Prove(t.Context(), pipeline.Options{Endpoint: few(s)})
	if err == nil || !made.Load() {
		t.Errorf("error %v, tables made: %v", err, made.Load())
	}
	s.untouched(t)
}

// failFirst lets the first n requests fail that f names.
func failFirst(f func(string) bool, n int32) func(string) bool {
	left := atomic.Int32{}
	left.Store(n)
	return func(operation string) bool { return f(operation) && left.Add(-1) >= 0 }
}

func TestEndpointCostsTooMuch(t *testing.T) {
	s, j := serve(t), sessions(t)
	e := few(s)
	e.MaxCost = capacity.MoneyOf(1)
	err := j.Prove(t.Context(), pipeline.Options{Endpoint: e})
	if err == nil || !strings.Contains(err.Error(), "more than the limit of") {
		t.Errorf("error %v", err)
	}
	s.untouched(t)
}

func TestEndpointIsAWS(t *testing.T) {
	for url, aws := range map[string]bool{
		"":                      true,
		"http://127.0.0.1:8000": false,
		"http://localhost:8000": false,
		"https://dynamodb.eu-central-1.amazonaws.com":          true,
		"https://DynamoDB.cn-north-1.amazonaws.com.cn":         true,
		"https://123456789012.ddb.us-east-1.amazonaws.com":     true,
		"https://dynamodb.us-east-1.api.aws":                   true,
		"https://amazonaws.com.example.org":                    false,
		"https://vpce-1.dynamodb.us-east-1.vpce.amazonaws.com": true,
	} {
		if got := (&pipeline.Endpoint{URL: url}).AWS(); got != aws {
			t.Errorf("AWS() of %q = %v", url, got)
		}
	}
}
