package engine_test

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
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

// TestPackedOften: a header that says that a body is packed hundreds of times does not take room for as many.
func TestPackedOften(t *testing.T) {
	h := open(t, "", nil).Handler()
	for _, encoding := range []string{"gzip", "deflate"} {
		for times, want := range map[int]int{1: 200, 5: 200, 6: 400, 1500: 400} {
			body := []byte(`{}`)
			for range min(times, 6) {
				var packed bytes.Buffer
				var z io.WriteCloser = gzip.NewWriter(&packed)
				if encoding == "deflate" {
					z = zlib.NewWriter(&packed)
				}
				_, _ = z.Write(body)
				z.Close()
				body = packed.Bytes()
			}
			r := httptest.NewRequest(http.MethodPost, "/", bytes.NewReader(body))
			r.Header.Set("Content-Type", "application/x-amz-json-1.0")
			r.Header.Set("Content-Encoding", strings.Repeat(encoding+",", times-1)+encoding)
			r.Header.Set("X-Amz-Target", "DynamoDB_20120810.ListTables")
			sign(r.Header)
			rec := httptest.NewRecorder()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			h.ServeHTTP(rec, r)
			runtime.ReadMemStats(&after)
			if got := rec.Body.String(); rec.Code != want || want == 400 && !strings.Contains(got, "SerializationException") {
				t.Errorf("%d times %s: %d %s", times, encoding, rec.Code, got)
			}
			if n := after.TotalAlloc - before.TotalAlloc; n > 2<<20 {
				t.Errorf("%d bytes for a body of %d that is packed %d times with %s", n, len(body), times, encoding)
			}
		}
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
	sign(r.Header)
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

// TestAnyCredentials: without keys any credentials are accepted, but a request has to have some, as for the service, DynamoDB
// Local and other emulators: a client that forgets to sign is found before it meets AWS.
func TestAnyCredentials(t *testing.T) {
	h := open(t, "", nil).Handler()
	const missing = coral + `MissingAuthenticationTokenException","message":"Request is missing Authentication Token"}`
	for _, q := range []struct{ query, authorization, date, target, body, want string }{
		{"", "", "", "ListTables", "{}", missing},
		{"", "Bearer abc", "", "ListTables", "{}", missing},
		{"", "", "", "ListTables", `{"Limit":"x"}`, missing},
		{"", "", "", "ListTables", "{", coral + `SerializationException"}`},
		{"", "", "", "MakeCoffee", "{}", coral + `UnknownOperationException"}`},
		{"", "AWS4-HMAC-SHA256 Credential=any", "20260801T000000Z", "ListTables", "{}", coral + `IncompleteSignatureException","message":"Authorization header requires 'Signature' parameter. Authorization header requires 'SignedHeaders' parameter. Authorization=AWS4-HMAC-SHA256 Credential=any"}`},
		{"", anyone, "", "ListTables", "{}", coral + `IncompleteSignatureException","message":"Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. Authorization=` + anyone + `"}`},
		{"", anyone, "20010101T000000Z", "ListTables", "{}", `{"TableNames":[]}`},
		{"?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=a/20260801/us-east-1/dynamodb/aws4_request&X-Amz-Signature=0&X-Amz-SignedHeaders=host&X-Amz-Date=20260801T000000Z", "", "", "ListTables", "{}", `{"TableNames":[]}`},
	} {
		r := httptest.NewRequest(http.MethodPost, "/"+q.query, strings.NewReader(q.body))
		r.Header.Set("Content-Type", "application/x-amz-json-1.0")
		r.Header.Set("X-Amz-Target", "DynamoDB_20120810."+q.target)
		if q.authorization != "" {
			r.Header.Set("Authorization", q.authorization)
		}
		if q.date != "" {
			r.Header.Set("X-Amz-Date", q.date)
		}
		rec := httptest.NewRecorder()
		h.ServeHTTP(rec, r)
		if got := rec.Body.String(); got != q.want {
			t.Errorf("%q %q %s:\n got %s\nwant %s", q.authorization, q.date, q.body, got, q.want)
		}
	}
}
