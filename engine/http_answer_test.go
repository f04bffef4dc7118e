package engine_test

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"fmt"
	"hash/crc32"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/engine"
)

// TestPackedAnswers: large answers are packed for who accepts it; the checksum is of what is sent.
func TestPackedAnswers(t *testing.T) {
	e := open(t, "", nil)
	do(t, e, "CreateTable", aTable)
	do(t, e, "PutItem", `{"TableName":"tbl","Item":{"k":{"S":"large"},"v":{"S":"`+strings.Repeat("0123456789", 1000)+`"}}}`)
	do(t, e, "PutItem", `{"TableName":"tbl","Item":{"k":{"S":"small"}}}`)
	server := httptest.NewServer(e.Handler())
	defer server.Close()
	transport := &http.Transport{DisableCompression: true}
	defer transport.CloseIdleConnections()
	for _, c := range []struct{ item, accept, want string }{
		{"small", "gzip", ""},
		{"large", "", ""},
		{"large", "identity", ""},
		{"large", "br", ""},
		{"large", "gzip;q=0", ""},
		{"large", "*;q=0", ""},
		{"large", "gzip", "gzip"},
		{"large", "GZIP", "gzip"},
		{"large", "br, deflate, gzip", "gzip"},
		{"large", "deflate", "deflate"},
		{"large", "gzip;q=0.1, deflate; q=0.5", "deflate"},
		{"large", "gzip;q=0, *", ""},
		{"large", "*", "gzip"},
		{"large", "gzip;q=x", ""},
	} {
		r, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL, strings.NewReader(`{"TableName":"tbl","Key":{"k":{"S":"`+c.item+`"}}}`))
		r.Header.Set("Content-Type", "application/x-amz-json-1.0")
		r.Header.Set("X-Amz-Target", "DynamoDB_20120810.GetItem")
		sign(r.Header)
		if c.accept != "" {
			r.Header.Set("Accept-Encoding", c.accept)
		}
		resp, err := transport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		sent, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		if got := resp.Header.Get("Content-Encoding"); got != c.want {
			t.Errorf("%s to %q: encoding %q, want %q", c.item, c.accept, got, c.want)
		}
		if want := fmt.Sprint(crc32.ChecksumIEEE(sent)); resp.Header.Get("x-amz-crc32") != want || resp.Header.Get("Content-Length") != strconv.Itoa(len(sent)) {
			t.Errorf("%s to %q: %v for %d bytes with the checksum %s", c.item, c.accept, resp.Header, len(sent), want)
		}
		var body io.Reader = bytes.NewReader(sent)
		switch resp.Header.Get("Content-Encoding") {
		case "gzip":
			body, err = gzip.NewReader(body)
		case "deflate":
			body, err = zlib.NewReader(body)
		}
		if err != nil {
			t.Fatal(err)
		}
		if text, err := io.ReadAll(body); err != nil || !bytes.HasPrefix(text, []byte(`{"Item":{"k":{"S":"`+c.item)) {
			t.Errorf("%s to %q: %.40s, %v", c.item, c.accept, text, err)
		}
	}
}

// TestCORS: scripts of web pages may read answers where there are keys, as at the service, or where their page is named.
func TestCORS(t *testing.T) {
	keys := []engine.Credential{{KeyID: "a", Secret: "s"}}
	for _, c := range []struct {
		options engine.Options
		origin  string
		want    string
	}{
		{engine.Options{}, "http://localhost:3000", ""},
		{engine.Options{Origins: []string{"http://localhost:3000"}}, "http://localhost:3000", "http://localhost:3000"},
		{engine.Options{Origins: []string{"http://localhost:3000"}}, "http://evil.example", ""},
		{engine.Options{Origins: []string{"*"}}, "http://evil.example", "*"},
		{engine.Options{Credentials: keys}, "http://a.example", "*"},
		{engine.Options{Credentials: keys, Origins: []string{}}, "http://a.example", ""},
		{engine.Options{Credentials: keys}, "", ""},
	} {
		h := open(t, "", &c.options).Handler()
		for _, method := range []string{http.MethodOptions, http.MethodPost} {
			r := httptest.NewRequest(method, "/", strings.NewReader("{}"))
			if c.origin != "" {
				r.Header.Set("Origin", c.origin)
			}
			r.Header.Set("Content-Type", "application/x-amz-json-1.0")
			r.Header.Set("X-Amz-Target", "DynamoDB_20120810.ListTables")
			sign(r.Header)
			r.Header.Set("Access-Control-Request-Headers", "x-amz-target,authorization")
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			got := w.Result().Header
			if got.Get("Access-Control-Allow-Origin") != c.want {
				t.Errorf("%s from %q with %+v: %v", method, c.origin, c.options, got)
			}
			asked := method == http.MethodOptions && c.want != ""
			if (got.Get("Access-Control-Allow-Headers") == "x-amz-target,authorization") != asked || (got.Get("Access-Control-Max-Age") == "172800") != asked {
				t.Errorf("%s from %q with %+v: %v", method, c.origin, c.options, got)
			}
			if method == http.MethodOptions && (w.Code == http.StatusOK) != asked {
				t.Errorf("%s from %q: %d", method, c.origin, w.Code)
			}
		}
	}
}
