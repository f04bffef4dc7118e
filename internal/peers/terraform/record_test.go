package terraform_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/tablewright/tablewright/engine"
)

// sign signs a request as one may be where any credentials will do.
func sign(h http.Header) {
	h.Set("X-Amz-Date", "20260801T000000Z")
	h.Set("Authorization", "AWS4-HMAC-SHA256 Credential=any/20260801/us-east-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date, Signature=any")
}

var recording = flag.Bool("record", false, "write what Terraform asks and reads to testdata")

const (
	recorded = "testdata/calls-2019.txt" // what the provider that make terraform builds asks
	written  = "testdata/calls-2026.txt" // what its successors ask
)

// call is a request of the provider's and its answer.
type call struct {
	operation, request, answer string
	status                     int
}

// recorder keeps what passes through a handler.
type recorder struct {
	handler http.Handler
	mu      sync.Mutex
	calls   []call
}

func (r *recorder) ServeHTTP(w http.ResponseWriter, in *http.Request) {
	request, err := io.ReadAll(in.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	in.Body = io.NopCloser(bytes.NewReader(request))
	out := &copied{ResponseWriter: w, status: http.StatusOK}
	r.handler.ServeHTTP(out, in)
	_, operation, _ := strings.Cut(in.Header.Get("X-Amz-Target"), ".")
	r.add(call{operation, string(request), out.body.String(), out.status})
}

func (r *recorder) add(c call) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.calls = append(r.calls, c)
}

// copied is an answer that is kept as it is given.
type copied struct {
	http.ResponseWriter
	body   bytes.Buffer
	status int
}

func (c *copied) WriteHeader(status int) {
	c.status = status
	c.ResponseWriter.WriteHeader(status)
}

func (c *copied) Write(b []byte) (int, error) {
	c.body.Write(b)
	return c.ResponseWriter.Write(b)
}

// read is what the provider reads of a description, by operation.
var read = map[string]any{
	"DescribeTable": object{"Table": object{
		"TableName": true, "TableArn": true, "DeletionProtectionEnabled": true, "OnDemandThroughput": true, "WarmThroughput": true,
		"TableClassSummary": object{"TableClass": true}, "TableStatus": true, "AttributeDefinitions": true, "KeySchema": true, "BillingModeSummary": object{"BillingMode": true},
		"ProvisionedThroughput": object{"ReadCapacityUnits": true, "WriteCapacityUnits": true},
		"GlobalSecondaryIndexes": object{"IndexName": true, "IndexStatus": true, "KeySchema": true, "Projection": true, "OnDemandThroughput": true, "WarmThroughput": true,
			"ProvisionedThroughput": object{"ReadCapacityUnits": true, "WriteCapacityUnits": true}},
		"LocalSecondaryIndexes": object{"IndexName": true, "KeySchema": true, "Projection": true},
		"StreamSpecification":   true, "SSEDescription": object{"Status": true, "KMSMasterKeyArn": true},
	}},
	"DescribeTimeToLive": true, "ListTagsOfResource": true,
	"GetResourcePolicy":                   object{"Policy": true},
	"DescribeContributorInsights":         object{"TableName": true, "IndexName": true, "ContributorInsightsStatus": true, "ContributorInsightsMode": true},
	"DescribeKinesisStreamingDestination": object{"KinesisDataStreamDestinations": object{"StreamArn": true, "DestinationStatus": true, "ApproximateCreationDateTimePrecision": true}},
	"DescribeContinuousBackups":           object{"ContinuousBackupsDescription": object{"PointInTimeRecoveryDescription": object{"PointInTimeRecoveryStatus": true, "RecoveryPeriodInDays": true}}},
}

// part is the part of an answer that is read; what is read and not there is null, as cases say it.
func part(answer, read any) any {
	members, ok := read.(object)
	if !ok || answer == nil {
		return answer
	}
	if list, ok := answer.([]any); ok {
		for i, x := range list {
			list[i] = part(x, read)
		}
		return list
	}
	out := object{}
	for name, r := range members {
		out[name] = part(answer.(object)[name], r)
	}
	return out
}

// line is what of the answer is read, in the form of cases of package conformance; empty if nothing is.
func (c call) line() string {
	var answer object
	if err := json.Unmarshal([]byte(c.answer), &answer); err != nil && c.answer != "" {
		return fmt.Sprintf("%s: %v", c.answer, err)
	}
	if c.status != http.StatusOK {
		_, code, _ := strings.Cut(fmt.Sprint(answer["__type"]), "#")
		return fmt.Sprintf("! %s: %v\n", code, answer["message"])
	}
	members, ok := read[c.operation]
	if !ok {
		return ""
	}
	text, err := json.Marshal(part(answer, members))
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("~ %s\n", text)
}

// String is the calls with what of the answers is read, where it says something new: providers read everything before each plan.
func (r *recorder) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var out strings.Builder
	said := map[string]string{} // by operation and request
	for _, c := range r.calls {
		line := c.line()
		if line != "" && said[c.operation+c.request] == line {
			continue
		}
		said[c.operation+c.request] = line
		fmt.Fprintf(&out, "> %s %s\n%s", c.operation, c.request, line)
	}
	return out.String()
}

// TestCalls asks what Terraform asks in the life of a table, and between that aside: it has to be answered what the provider is
// content with.
func TestCalls(t *testing.T) {
	for _, name := range []string{recorded, written} {
		t.Run(filepath.Base(name), func(t *testing.T) { replay(t, name) })
	}
}

func replay(t *testing.T, name string) {
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.Open("", &engine.Options{SweepEvery: -1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(e.Check(), e.Close()); err != nil {
			t.Error(err)
		}
	})
	again := &recorder{handler: e.Handler()}
	var is strings.Builder
	for line := range strings.Lines(string(text)) {
		switch line[0] {
		case '#':
			is.WriteString(line)
		case '>':
			is.WriteString(line)
			operation, request, _ := strings.Cut(strings.TrimSpace(line[1:]), " ")
			in := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(request))
			in.Header.Set("X-Amz-Target", "DynamoDB_20120810."+operation)
			sign(in.Header)
			in.Header.Set("Content-Type", "application/x-amz-json-1.0")
			again.ServeHTTP(httptest.NewRecorder(), in)
			is.WriteString(again.calls[len(again.calls)-1].line())
		}
	}
	if *recording {
		if err := os.WriteFile(name, []byte(is.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, want := strings.Split(is.String(), "\n"), strings.Split(string(text), "\n")
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			t.Fatalf("%s:%d:\n  is   %s\n  want %s", name, i+1, got[i], want[i])
		}
	}
	if len(got) != len(want) {
		t.Errorf("%s: %d lines, want %d", name, len(got), len(want))
	}
}
