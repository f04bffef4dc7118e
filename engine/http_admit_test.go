package engine_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/engine"
)

// TestUnsignedBodies: of a request that cannot be signed with a key there is, not more is read than tells its mistakes in the
// service's order; what is signed with a key may be as large as any.
func TestUnsignedBodies(t *testing.T) {
	c := authenticated(t, nil)
	unsigned, other := c, c
	unsigned.AccessKeyID = ""
	other.SecretAccessKey += "x"
	large := `{"TableName":"none","x":"` + strings.Repeat("x", 1<<20) + `"}`
	for name, q := range map[string]struct {
		client
		operation, body, want string
	}{
		"small":               {unsigned, "DescribeTable", `{"TableName":"none"}`, "MissingAuthenticationToken"},
		"small, no JSON":      {unsigned, "DescribeTable", `{`, "SerializationException"},
		"small, no operation": {unsigned, "MakeCoffee", `{}`, "UnknownOperation"},
		"large":               {unsigned, "DescribeTable", large, "MissingAuthenticationToken"},
		"large, no JSON":      {unsigned, "DescribeTable", large + "}", "MissingAuthenticationToken"},
		"large, unknown key":  {c.as("nobody"), "DescribeTable", large, "UnrecognizedClient"},
		"large, wrong secret": {other, "DescribeTable", large, "InvalidSignature"},
		"large, signed":       {c, "DescribeTable", large, "ResourceNotFound"},
	} {
		if got := q.do(q.operation, q.body, nil); !strings.Contains(got, q.want) {
			t.Errorf("%s: %.300s, want %s", name, got, q.want)
		}
	}
}

// TestUnsignedPacked: a small packed body does not become a large one in memory.
func TestUnsignedPacked(t *testing.T) {
	h := open(t, "", &engine.Options{Credentials: []engine.Credential{{KeyID: "a", Secret: "s"}}}).Handler()
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = io.WriteString(z, `{"x":"`+strings.Repeat("x", 15<<20)+`"}`)
	z.Close()
	r := httptest.NewRequest(http.MethodPost, "/", &packed)
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	r.Header.Set("Content-Encoding", "gzip")
	r.Header.Set("X-Amz-Target", "DynamoDB_20120810.ListTables")
	rec := httptest.NewRecorder()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	h.ServeHTTP(rec, r)
	runtime.ReadMemStats(&after)
	if got := rec.Body.String(); rec.Code != 400 || !strings.Contains(got, "MissingAuthenticationToken") {
		t.Errorf("%d %s", rec.Code, got)
	}
	if n := after.TotalAlloc - before.TotalAlloc; n > 2<<20 {
		t.Errorf("%d bytes for an unsigned body of %d", n, packed.Cap())
	}
}

// TestSignedRegion: a request is for the Region that is signed, not for another one that its header also has.
func TestSignedRegion(t *testing.T) {
	c := authenticated(t, nil)
	c.do("CreateTable", schema, nil)
	got := c.do("ListTables", "{}", func(r *http.Request) {
		a := r.Header.Get("Authorization")
		r.Header.Set("Authorization", strings.Replace(a, " ", " NoCredential=admin/20260801/eu-west-1/dynamodb/aws4_request, ", 1))
	})
	if got != `{"TableNames":["tbl"]}` {
		t.Error(got)
	}
}

// TestRegionOfNoName: without signatures a Region that cannot be one is none, so that its tables are not out of reach after a
// restart.
func TestRegionOfNoName(t *testing.T) {
	dir := t.TempDir()
	o := &engine.Options{NoSync: true, SweepEvery: -1}
	e, err := engine.Open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest(http.MethodPost, "/?X-Amz-Credential=a/b/%FFx/dynamodb/aws4_request", strings.NewReader(schema))
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	r.Header.Set("X-Amz-Target", "DynamoDB_20120810.CreateTable")
	rec := httptest.NewRecorder()
	e.Handler().ServeHTTP(rec, r)
	if rec.Code != 200 {
		t.Fatal(rec.Body)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if got := do(t, open(t, dir, o), "ListTables", "{}"); len(got["TableNames"].([]any)) != 1 {
		t.Error(got)
	}
}
