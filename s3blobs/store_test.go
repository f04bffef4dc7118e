package s3blobs_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"

	"github.com/tablewright/tablewright/s3blobs"
)

// script answers requests one after another; what a whole server does is tested in internal/peers/clients/s3.
type script struct {
	t      *testing.T
	mu     sync.Mutex
	steps  []func(w http.ResponseWriter, r *http.Request)
	asked  []string
	bodies []string
}

func (s *script) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	body, _ := io.ReadAll(r.Body)
	s.asked = append(s.asked, r.Method+" "+r.URL.EscapedPath())
	s.bodies = append(s.bodies, string(body))
	if len(s.steps) == 0 {
		s.t.Errorf("%s %s was not expected", r.Method, r.URL)
		w.WriteHeader(http.StatusTeapot)
		return
	}
	step := s.steps[0]
	s.steps = s.steps[1:]
	step(w, r)
}

func fails(status int, code string) func(http.ResponseWriter, *http.Request) {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Amz-Request-Id", "r1")
		w.WriteHeader(status)
		if r.Method != http.MethodHead {
			fmt.Fprintf(w, "<Error><Code>%s</Code><Message>so it is</Message></Error>", code)
		}
	}
}

func has(header map[string]string, body string) func(http.ResponseWriter, *http.Request) {
	return func(w http.ResponseWriter, _ *http.Request) {
		for name, value := range header {
			w.Header().Set(name, value)
		}
		fmt.Fprint(w, body)
	}
}

func cut(w http.ResponseWriter, _ *http.Request) {
	c, _, err := w.(http.Hijacker).Hijack()
	if err == nil {
		c.Close()
	}
}

func open(t *testing.T, steps ...func(http.ResponseWriter, *http.Request)) (*s3blobs.Store, *script) {
	t.Helper()
	sc := &script{t: t, steps: steps}
	server := httptest.NewServer(sc)
	t.Cleanup(func() {
		server.Close()
		if len(sc.steps) > 0 {
			t.Errorf("%d requests were not made", len(sc.steps))
		}
	})
	s, err := s3blobs.Open(t.Context(), s3blobs.Options{Bucket: "shop", Prefix: "p/", Endpoint: server.URL, Region: "eu-central-1", Owner: "123456789012",
		AWS:   &aws.Config{Credentials: credentials.NewStaticCredentialsProvider("AKID", "secret", "token")},
		Retry: s3blobs.Retry{Attempts: 3, Pause: time.Millisecond}})
	if err != nil {
		t.Fatal(err)
	}
	return s, sc
}

const sumOfX = "LXEWQrcmsEQBYnyp+6wy9chTD7GQPMTbAiWHF5IaSIE=" // printf x | openssl dgst -sha256 -binary | base64

// TestRepeats: what passes is repeated, what does not is told at once.
func TestRepeats(t *testing.T) {
	s, sc := open(t, fails(503, "SlowDown"), cut, func(w http.ResponseWriter, r *http.Request) {
		for name, want := range map[string]string{"X-Amz-Checksum-Sha256": sumOfX, "X-Amz-Expected-Bucket-Owner": "123456789012", "X-Amz-Security-Token": "token"} {
			if got := r.Header.Get(name); got != want {
				t.Errorf("%s: %q", name, got)
			}
		}
		if a := r.Header.Get("Authorization"); !strings.Contains(a, "/eu-central-1/s3/aws4_request") || !strings.Contains(a, "x-amz-checksum-sha256") {
			t.Error(a)
		}
	})
	if err := s.Put(t.Context(), "a b+c", []byte("x")); err != nil {
		t.Error(err)
	}
	if sc.asked[2] != "PUT /shop/p/a%20b%2Bc" || sc.bodies[2] != "x" {
		t.Error(sc.asked, sc.bodies)
	}
	s, _ = open(t, fails(500, "InternalError"), fails(500, "InternalError"), fails(500, "InternalError"))
	var e *s3blobs.Error
	if err := s.Put(t.Context(), "a", nil); !errors.As(err, &e) || e.Status != 500 || e.RequestID != "r1" || e.Operation != "PutObject" {
		t.Error(err)
	}
	s, _ = open(t, fails(403, "AccessDenied"))
	if _, err := s.Get(t.Context(), "a"); !errors.As(err, &e) || e.Code != "AccessDenied" || errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "so it is") {
		t.Error(err)
	}
	s, _ = open(t, fails(404, "NoSuchBucket"), fails(404, "NoSuchKey"), fails(404, "NoSuchKey"))
	if _, err := s.Get(t.Context(), "a"); errors.Is(err, fs.ErrNotExist) || err == nil {
		t.Errorf("a missing bucket is no missing value: %v", err)
	}
	if _, err := s.Get(t.Context(), "a"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if err := s.Delete(t.Context(), "a"); err != nil {
		t.Error(err)
	}
	s, _ = open(t, has(map[string]string{"X-Amz-Bucket-Region": "us-west-2", "Location": "http://elsewhere.invalid"}, ""), func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Amz-Bucket-Region", "us-west-2")
		w.Header().Set("Location", "http://elsewhere.invalid")
		w.WriteHeader(http.StatusMovedPermanently)
	})
	if _, err := s.Get(t.Context(), "a"); err != nil {
		t.Error(err)
	}
	if _, err := s.Get(t.Context(), "a"); err == nil || !strings.Contains(err.Error(), "the bucket is in us-west-2") {
		t.Error(err)
	}
	for _, key := range []string{"", strings.Repeat("k", 1023)} {
		if err := s.Put(t.Context(), key, nil); err == nil {
			t.Errorf("a key of %d bytes was taken", len(key))
		}
	}
}

// TestDamage: a download that is not what is stored is asked for again, and never handed out.
func TestDamage(t *testing.T) {
	short := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "5")
		fmt.Fprint(w, "x")
	}
	damaged := has(map[string]string{"X-Amz-Checksum-Sha256": sumOfX}, "y")
	s, _ := open(t, damaged, short, has(map[string]string{"X-Amz-Checksum-Sha256": sumOfX}, "x"))
	if data, err := s.Get(t.Context(), "a"); err != nil || string(data) != "x" {
		t.Errorf("%q %v", data, err)
	}
	s, _ = open(t, damaged, damaged, damaged)
	if data, err := s.Get(t.Context(), "a"); err == nil || !strings.Contains(err.Error(), "damaged") {
		t.Errorf("%q %v", data, err)
	}
	s, _ = open(t, has(map[string]string{"X-Amz-Checksum-Sha256": "abc-2"}, "y"), has(nil, "z"))
	for _, want := range []string{"y", "z"} { // uploaded in parts, and by a server without checksums
		if data, err := s.Get(t.Context(), "a"); err != nil || string(data) != want {
			t.Errorf("%q %v", data, err)
		}
	}
}

// TestCreateAfterLostAnswer: what the first try wrote is not somebody else's.
func TestCreateAfterLostAnswer(t *testing.T) {
	there := fails(412, "PreconditionFailed")
	s, sc := open(t, cut, there, has(map[string]string{"X-Amz-Checksum-Sha256": sumOfX}, ""))
	if err := s.Create(t.Context(), "a", []byte("x")); err != nil {
		t.Error(err)
	}
	if sc.asked[2] != "HEAD /shop/p/a" {
		t.Error(sc.asked)
	}
	s, _ = open(t, cut, there, has(map[string]string{"X-Amz-Checksum-Sha256": "other"}, ""))
	if err := s.Create(t.Context(), "a", []byte("x")); !errors.Is(err, fs.ErrExist) {
		t.Error(err)
	}
	s, _ = open(t, there)
	if err := s.Create(t.Context(), "a", []byte("x")); !errors.Is(err, fs.ErrExist) {
		t.Error(err)
	}
	s, _ = open(t, fails(409, "ConditionalRequestConflict"), has(nil, ""))
	if err := s.Create(t.Context(), "a", []byte("x")); err != nil {
		t.Error(err)
	}
}

// TestEnds: a request ends with its context, also between two tries.
func TestEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s, _ := open(t, func(w http.ResponseWriter, r *http.Request) { cancel(); fails(503, "SlowDown")(w, r) })
	if err := s.Put(ctx, "a", nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	for _, err := range s.List(ctx) {
		if !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
}

// TestPlainToken: the token of temporary credentials is not sent in the clear to an endpoint that the environment names.
func TestPlainToken(t *testing.T) {
	t.Setenv("AWS_ENDPOINT_URL_S3", "http://s3.example.invalid")
	t.Setenv("AWS_ACCESS_KEY_ID", "AKID")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	t.Setenv("AWS_SESSION_TOKEN", "token")
	t.Setenv("AWS_REGION", "eu-central-1")
	s, err := s3blobs.Open(t.Context(), s3blobs.Options{Bucket: "shop"})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Put(t.Context(), "a", nil); err == nil || !strings.Contains(err.Error(), "session token is not sent") {
		t.Error(err)
	}
}

func TestListing(t *testing.T) {
	s, sc := open(t, has(nil, `<ListBucketResult><EncodingType>url</EncodingType><IsTruncated>true</IsTruncated><NextContinuationToken>a+b</NextContinuationToken>
		<Contents><Key>p/</Key></Contents><Contents><Key>p/one%20%2B+two</Key><LastModified>2026-08-01T12:00:00.000Z</LastModified></Contents></ListBucketResult>`),
		func(w http.ResponseWriter, r *http.Request) {
			if got := r.URL.Query().Get("continuation-token"); got != "a+b" || r.URL.Query().Get("prefix") != "p/" {
				t.Errorf("query %v", r.URL.Query())
			}
			has(nil, `<ListBucketResult><IsTruncated>false</IsTruncated><Contents><Key>p/three%</Key></Contents></ListBucketResult>`)(w, r)
		}, has(nil, `no XML`))
	var keys []string
	for b, err := range s.List(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, b.Key)
	}
	if strings.Join(keys, ",") != "one + two,three%" || sc.asked[0] != "GET /shop/" {
		t.Errorf("%q %q", keys, sc.asked)
	}
	for _, err := range s.List(t.Context()) {
		if err == nil {
			t.Error("no error")
		}
	}
}

// TestImports: the package does not bring the SDK's client for S3 along, nor that for DynamoDB.
func TestImports(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	for path := range strings.Lines(string(out)) {
		if strings.Contains(path, "/service/s3") || strings.Contains(path, "/service/dynamodb") || strings.Contains(path, "/feature/s3") || strings.Contains(path, "tablewright/engine") {
			t.Errorf("it imports %s", path)
		}
	}
}
