package engine_test

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/engine/internal/kv"
	"github.com/tablewright/tablewright/wire"
)

// anyone is how a request may be signed where any credentials will do.
const anyone = "AWS4-HMAC-SHA256 Credential=any/20260801/us-east-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date, Signature=any"

// signed is the same in a request's text.
const signed = "Authorization: " + anyone + "\r\nX-Amz-Date: 20260801T000000Z\r\n"

func sign(h http.Header) {
	h.Set("Authorization", anyone)
	h.Set("X-Amz-Date", "20260801T000000Z")
}

// post sends a request and checks the headers of the answer.
func post(t *testing.T, url, operation string, body []byte, header http.Header) (int, []byte) {
	t.Helper()
	req, err := http.NewRequest(http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-amz-json-1.0")
	req.Header.Set("X-Amz-Target", "DynamoDB_20120810."+operation)
	sign(req.Header)
	for k, v := range header {
		req.Header[k] = v
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	if want := strconv.FormatUint(uint64(crc32.ChecksumIEEE(answer)), 10); resp.Header.Get("x-amz-crc32") != want {
		t.Errorf("%s: x-amz-crc32 is %q, want %s", operation, resp.Header.Get("x-amz-crc32"), want)
	}
	if id := resp.Header.Get("x-amzn-RequestId"); !requestID.MatchString(id) {
		t.Errorf("%s: x-amzn-RequestId is %q", operation, id)
	}
	return resp.StatusCode, answer
}

var requestID = regexp.MustCompile(`^[0-9A-Z]{52}$`)

func TestHTTP(t *testing.T) {
	e := open(t, "", nil)
	server := httptest.NewServer(e.Handler())
	defer server.Close()
	get := func(method, path, contentType string) (int, string) {
		req, err := http.NewRequest(method, server.URL+path, strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", contentType)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return resp.StatusCode, string(body)
	}
	// Captured on AWS.
	if status, body := get("GET", "/", ""); status != 200 || body != "healthy: dynamodb.us-east-1.amazonaws.com " {
		t.Errorf("GET / answers %d %q", status, body)
	}
	for _, c := range [][3]string{{"PUT", "/", "application/x-amz-json-1.0"}, {"DELETE", "/", "application/x-amz-json-1.0"}, {"POST", "/", "text/html"}, {"GET", "/x", ""}} {
		if status, body := get(c[0], c[1], c[2]); status != 404 || body != "<UnknownOperationException/>\n" {
			t.Errorf("%v answers %d %q", c, status, body)
		}
	}
	status, body := post(t, server.URL, "MakeCoffee", []byte("{}"), nil)
	if status != 400 || string(body) != `{"__type":"com.amazon.coral.service#UnknownOperationException"}` {
		t.Errorf("unknown operation: %d %s", status, body)
	}
	status, body = post(t, server.URL, "MakeCoffee", []byte("{"), nil)
	if status != 400 || string(body) != `{"__type":"com.amazon.coral.service#SerializationException"}` {
		t.Errorf("unknown operation, no JSON: %d %s", status, body) // JSON comes first
	}
	status, body = post(t, server.URL, "GetItem", []byte("{}"), http.Header{"X-Amz-Target": {"Other.GetItem"}})
	if status != 400 || string(body) != `{"__type":"com.amazon.coral.service#UnknownOperationException"}` {
		t.Errorf("target of another service: %d %s", status, body)
	}
	for _, encoding := range []string{"gzip", "deflate", "deflate, without a header"} {
		var packed bytes.Buffer
		var z io.WriteCloser
		switch encoding {
		case "gzip":
			z = gzip.NewWriter(&packed)
		case "deflate":
			z = zlib.NewWriter(&packed)
		default:
			z, _ = flate.NewWriter(&packed, flate.BestSpeed)
		}
		fmt.Fprint(z, `{"TableName":"nope"}`)
		z.Close()
		name, _, _ := strings.Cut(encoding, ",")
		status, body = post(t, server.URL, "DescribeTable", packed.Bytes(), http.Header{"Content-Encoding": {name}})
		if want := `{"__type":"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException","message":"Requested resource not found: Table: nope not found"}`; status != 400 || string(body) != want {
			t.Errorf("%s: %d %s", encoding, status, body)
		}
	}
	status, _ = post(t, server.URL, "DescribeTable", []byte("no gzip"), http.Header{"Content-Encoding": {"gzip"}})
	if status != 400 {
		t.Errorf("damaged gzip: %d", status)
	}
}

func TestTooLargeRequest(t *testing.T) {
	e := open(t, "", nil)
	// A member that the operation does not know makes a request of the largest size, and one of a byte more.
	const largest = 16 << 20
	for size, want := range map[int]int{largest: http.StatusOK, largest + 1: http.StatusRequestEntityTooLarge} {
		body := fmt.Appendf(nil, `{"x":"%s"}`, strings.Repeat("x", size-8))
		got := http.StatusOK
		if _, err := e.Do(context.Background(), "ListTables", body); err != nil {
			var refused *wire.Error
			if !errors.As(err, &refused) {
				t.Fatal(err)
			}
			got = refused.HTTPStatus()
		}
		if got != want {
			t.Errorf("%d bytes in process: %d, want %d", size, got, want)
		}
		req := httptest.NewRequest(http.MethodPost, "/", bytes.NewReader(body)) // which tells its length
		if size > largest {
			req.ContentLength = -1 // found out when it comes
		}
		req.Header.Set("Content-Type", "application/x-amz-json-1.0")
		req.Header.Set("X-Amz-Target", "DynamoDB_20120810.ListTables")
		sign(req.Header)
		rec := httptest.NewRecorder()
		e.Handler().ServeHTTP(rec, req)
		if rec.Code != want {
			t.Errorf("%d bytes over HTTP: %d, want %d", size, rec.Code, want)
		}
	}
	server := httptest.NewServer(e.Handler())
	defer server.Close()
	// Refused by what it says it will be, before it is sent.
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprint(conn, "POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-amz-json-1.0\r\n"+signed+"X-Amz-Target: DynamoDB_20120810.GetItem\r\nContent-Length: 70000000\r\n\r\n{")
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("over HTTP %d", resp.StatusCode)
	}
	// Who sends everything first finds the answer then.
	conn, err = net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-amz-json-1.0\r\n"+signed+"X-Amz-Target: DynamoDB_20120810.GetItem\r\nContent-Length: %d\r\n\r\n", 2*largest)
	if _, err := conn.Write(make([]byte, 2*largest)); err != nil {
		t.Fatal(err)
	}
	resp, err = http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("after all was sent: %d", resp.StatusCode)
	}
}

// TestPromisedLength: memory is taken for what has come of a request, not for what its header says will come.
func TestPromisedLength(t *testing.T) {
	h := open(t, "", nil).Handler()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	req := httptest.NewRequest(http.MethodPost, "/", strings.NewReader("{"))
	req.ContentLength = 16 << 20
	req.Header.Set("Content-Type", "application/x-amz-json-1.0")
	req.Header.Set("X-Amz-Target", "DynamoDB_20120810.ListTables")
	sign(req.Header)
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, req)
	runtime.ReadMemStats(&after)
	if rec.Code != http.StatusBadRequest {
		t.Errorf("%d", rec.Code)
	}
	if n := after.TotalAlloc - before.TotalAlloc; n > 1<<20 {
		t.Errorf("%d bytes for a body of one", n)
	}
}

// panicking is a store whose views or updates, when told, panic with a user's value.
type panicking struct {
	kv.Store
	views, updates bool
}

const usersValue = "alice@example.org"

func (s *panicking) View(f func(kv.Reader) error) error {
	if s.views {
		panic(usersValue)
	}
	return s.Store.View(f)
}

func (s *panicking) Update(f func(kv.Writer) error) error {
	return s.Store.Update(func(w kv.Writer) error {
		if s.updates {
			panic(errors.New(usersValue))
		}
		return f(w)
	})
}

// TestPanic: a fault of the engine is an InternalServerError, over HTTP and in process, and what it logs tells where it was
// but nothing of anybody's data.
func TestPanic(t *testing.T) {
	s := &panicking{Store: kv.NewMemory()}
	e := openOn(t, s, nil)
	do(t, e, "CreateTable", schema)
	s.views, s.updates = true, true
	defer func() { s.views, s.updates = false, false }() // for the last check
	var log bytes.Buffer
	defer slog.SetDefault(slog.Default())
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	for operation, request := range map[string]string{
		"GetItem": `{"TableName":"tbl","Key":{"pk":{"S":"` + usersValue + `"},"sk":{"N":"1"}}}`,
		"PutItem": `{"TableName":"tbl","Item":{"pk":{"S":"` + usersValue + `"},"sk":{"N":"1"}}}`,
	} {
		log.Reset()
		rec := httptest.NewRecorder()
		req := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(request))
		req.Header.Set("Content-Type", "application/x-amz-json-1.0")
		req.Header.Set("X-Amz-Target", "DynamoDB_20120810."+operation)
		sign(req.Header)
		e.Handler().ServeHTTP(rec, req)
		_, err := e.Do(context.Background(), operation, []byte(request))
		var failure *wire.Error
		if !errors.As(err, &failure) || failure.Code != wire.CodeInternal {
			t.Fatalf("%s: %v", operation, err)
		}
		if rec.Code != http.StatusInternalServerError || rec.Body.String() != string(failure.Append(nil)) {
			t.Errorf("%s over HTTP: %d %s", operation, rec.Code, rec.Body)
		}
		if text := log.String(); strings.Contains(text, usersValue) || strings.Count(text, "engine/http_test.go") < 2 || strings.Contains(failure.Message, usersValue) {
			t.Errorf("%s logs %s", operation, text)
		}
	}
}

// FuzzServe: whatever is around a body and however it is packed, the answer is not a failure of the server.
func FuzzServe(f *testing.F) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	fmt.Fprint(z, `{"TableName":"tbl"}`)
	z.Close()
	f.Add("POST", "application/x-amz-json-1.0", "DynamoDB_20120810.DescribeTable", "", []byte(`{"TableName":"tbl"}`))
	f.Add("POST", "application/json; charset=utf-8", "DynamoDB_20120810.DescribeTable", "gzip", packed.Bytes())
	f.Add("POST", "application/x-amz-json-1.0", "DynamoDB_20120810.ListTables", "deflate", []byte{0xab, 0xae, 0x05, 0x00})
	f.Add("POST", "application/x-amz-json-1.0", "DynamoDB_20120810.ListTables", "deflate", []byte{0x78, 0x9c, 0xab, 0xae, 0x05, 0x00, 0x01, 0x75, 0x00, 0xf9})
	f.Add("GET", "", "", "", []byte{})
	e, err := engine.Open("", nil)
	if err != nil {
		f.Fatal(err)
	}
	do(f, e, "CreateTable", schema)
	handler := e.Handler()
	f.Fuzz(func(t *testing.T, method, contentType, target, encoding string, body []byte) {
		if !validMethod.MatchString(method) { // net/http lets no other through
			return
		}
		req := httptest.NewRequest(method, "/", bytes.NewReader(body))
		req.Header.Set("Content-Type", contentType)
		req.Header.Set("X-Amz-Target", target)
		sign(req.Header)
		req.Header.Set("Content-Encoding", encoding)
		rec := httptest.NewRecorder()
		handler.ServeHTTP(rec, req)
		if rec.Code >= 500 {
			t.Errorf("%d %s", rec.Code, rec.Body)
		}
	})
}

var validMethod = regexp.MustCompile(`^[A-Z]+$`)

// TestEndpoints: a client that is told where to go comes back.
func TestEndpoints(t *testing.T) {
	server := httptest.NewServer(open(t, "", nil).Handler())
	defer server.Close()
	status, body := post(t, server.URL, "DescribeEndpoints", []byte("{}"), nil)
	if want := `{"Endpoints":[{"Address":"` + server.Listener.Addr().String() + `","CachePeriodInMinutes":1440}]}`; status != 200 || string(body) != want {
		t.Errorf("%d %s, want %s", status, body, want)
	}
}
