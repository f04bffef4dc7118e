package tablewright

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/tablewright/tablewright/wire"
)

// connect opens a DB to a server of one handler, without the machine's own configuration.
func connect(t *testing.T, h http.HandlerFunc) *DB {
	t.Helper()
	bareEnvironment(t)
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	db, err := Connect(t.Context(), Options{Endpoint: server.URL, Retry: Retry{Attempts: 2}})
	if err != nil {
		t.Fatal(err)
	}
	return db
}

func get(t *testing.T, db *DB) (string, error) {
	t.Helper()
	c := newCall("GetItem")
	defer c.release()
	c.Request = append(c.Request, `{"TableName":"T"}`...)
	b := db.budget()
	err := db.send(t.Context(), c, &b, harmless)
	return string(c.Response), err
}

func TestHTTPRequest(t *testing.T) {
	var got *http.Request
	var sent string
	db := connect(t, func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		got, sent = r, string(b)
		w.Header().Set("X-Amz-Crc32", fmt.Sprint(crc32.ChecksumIEEE([]byte(`{"Item":{}}`))))
		io.WriteString(w, `{"Item":{}}`)
	})
	text, err := get(t, db)
	if err != nil || text != `{"Item":{}}` || sent != `{"TableName":"T"}` {
		t.Errorf("%q, %v, sent %q", text, err, sent)
	}
	if got.Method != "POST" || got.URL.Path != "/" || got.Header.Get("X-Amz-Target") != "DynamoDB_20120810.GetItem" ||
		got.Header.Get("Content-Type") != "application/x-amz-json-1.0" || got.ContentLength != int64(len(sent)) {
		t.Errorf("%+v", got)
	}
	if a := got.Header.Get("Authorization"); !strings.HasPrefix(a, "AWS4-HMAC-SHA256 Credential=local/") || !strings.Contains(a, "/local/dynamodb/aws4_request") {
		t.Errorf("signed as %s", a)
	}
}

func TestHTTPAnswers(t *testing.T) {
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	z.Write([]byte(`{"Count":1}`))
	z.Close()
	write := func(status int, header, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if name, value, ok := strings.Cut(header, ": "); ok {
				w.Header().Set(name, value)
			}
			w.Header().Set("X-Amzn-Requestid", "ABC")
			w.WriteHeader(status)
			io.WriteString(w, body)
		}
	}
	t.Run("gzip", func(t *testing.T) {
		if text, err := get(t, connect(t, write(200, "Content-Encoding: gzip", zipped.String()))); err != nil || text != `{"Count":1}` {
			t.Errorf("%q, %v", text, err)
		}
	})
	t.Run("damaged", func(t *testing.T) {
		if _, err := get(t, connect(t, write(200, "X-Amz-Crc32: 1", "{}"))); err == nil || !strings.Contains(err.Error(), "checksum") {
			t.Error(err)
		}
	})
	t.Run("error", func(t *testing.T) {
		_, err := get(t, connect(t, write(400, "", `{"__type":"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException","message":"Requested resource not found"}`)))
		var w *wire.Error
		var e *Error
		if !errors.As(err, &w) || w.Code != wire.CodeResourceNotFound || !errors.As(err, &e) || e.RequestID != "ABC" || e.Attempt != 1 {
			t.Errorf("%v, %+v", err, e)
		}
	})
	t.Run("not DynamoDB", func(t *testing.T) {
		_, err := get(t, connect(t, write(502, "", "<html>bad gateway</html>")))
		var e *Error
		if !errors.As(err, &e) || e.Attempt != 2 {
			t.Errorf("%v", err)
		}
	})
}

func TestNotSent(t *testing.T) {
	db := connect(t, nil)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close() // nobody listens there now
	m := db.transport.(metered)
	m.next.(*httpTransport).endpoint.text = "http://" + l.Addr().String()
	c := newCall("UpdateItem")
	c.Request = append(c.Request, `{}`...)
	b := db.budget()
	if err := db.send(t.Context(), c, &b, harmful); err == nil || errors.Is(err, ErrUnknownOutcome) || c.Attempt != 2 {
		t.Errorf("%d tries, %v", c.Attempt, err)
	}
}

func TestIDs(t *testing.T) {
	clock := &steppingClock{t: time.UnixMilli(1_469_918_176_385)}
	ids := New(nil, Options{Clock: clock}).ids
	for kind, test := range map[string]struct {
		prefix string // of the time alone
		length int
	}{
		"ulid":  {"01ARYZ6S41", 26}, // the example of the ULID specification
		"uuid":  {"01563df3-6481-7", 36},
		"ksuid": {"", 27},
	} {
		if id := ids.ID(kind); !strings.HasPrefix(id, test.prefix) || len(id) != test.length || id == ids.ID(kind) {
			t.Errorf("%s: %s", kind, id)
		}
	}
}

func TestCursor(t *testing.T) {
	for _, key := range []string{"", "secret"} {
		box := newCursorBox([]byte(key))
		c := box.seal([]byte("query"), []byte(`{"PK":{"S":"a"}}`))
		if got, err := box.open([]byte("query"), c); err != nil || string(got) != `{"PK":{"S":"a"}}` {
			t.Errorf("key %q: %q, %v", key, got, err)
		}
		if strings.Trim(string(c), "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
			t.Errorf("key %q: %s is not safe in URLs", key, c)
		}
		for _, wrong := range []Cursor{"", "x", "%", c[1:], c + "A", "A" + c[1:], c[:len(c)/2]} {
			if _, err := box.open([]byte("query"), wrong); !errors.Is(err, ErrCursor) {
				t.Errorf("key %q: %q opens: %v", key, wrong, err)
			}
		}
		if _, err := box.open([]byte("other"), c); !errors.Is(err, ErrCursor) {
			t.Errorf("key %q: another query's cursor opens: %v", key, err)
		}
		if other := newCursorBox([]byte(key + "2")); other.aead != nil {
			if _, err := other.open([]byte("query"), c); !errors.Is(err, ErrCursor) {
				t.Errorf("key %q: a cursor of another key opens: %v", key, err)
			}
		}
	}
}

// FuzzCursor: no text but a cursor of the same query opens, and what opens seals to the same text.
func FuzzCursor(f *testing.F) {
	boxes := []cursorBox{newCursorBox(nil), newCursorBox([]byte("secret"))}
	for _, box := range boxes {
		f.Add("query", string(box.seal([]byte("query"), []byte(`{"PK":{"S":"a"}}`))))
		f.Add("query", string(box.seal([]byte("other"), nil)))
	}
	f.Add("", "%")
	f.Fuzz(func(t *testing.T, query, text string) {
		for _, box := range boxes {
			position, err := box.open([]byte(query), Cursor(text))
			if err != nil {
				if !errors.Is(err, ErrCursor) {
					t.Fatal(err)
				}
				continue
			}
			if again := box.seal([]byte(query), position); string(again) != text {
				t.Fatalf("%s opens, and seals to %s", text, again)
			}
		}
	})
}

// FuzzPosition: whatever text a cursor holds, a plan's position is read from it or refused; what is read is written alike.
func FuzzPosition(f *testing.F) {
	f.Add(`{"s":{"S":"q"},"p":{"L":[{"M":{"a":{"M":{"PK":{"S":"a"}}}}},{"M":{"e":{"BOOL":true}}}]}}`)
	f.Add(`{}`)
	f.Fuzz(func(t *testing.T, text string) {
		c, err := readPosition([]byte(text))
		if err != nil {
			return
		}
		written := appendPosition(nil, c)
		again, err := readPosition(written)
		if err != nil || string(appendPosition(nil, again)) != string(written) {
			t.Fatalf("%s is written as %s: %v", text, written, err)
		}
	})
}
