package engine

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"context"
	"crypto/rand"
	"errors"
	"hash/crc32"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/tablewright/tablewright/wire"
)

// Handler serves the service's protocol: POST to /, the operation in the header X-Amz-Target, JSON both ways, up to 16 MB of
// it. Neither signatures nor the header Host are looked at: listen on a loopback address, and where there is a browser on
// the machine refuse other hosts, as the command tablewright serve does. Timeouts are the http.Server's.
func (e *Engine) Handler() http.Handler { return http.HandlerFunc(e.serve) }

// What stands before the operation in X-Amz-Target: streams have an endpoint of their own with the service, and here the
// same.
const (
	targetPrefix  = "DynamoDB_20120810."
	streamsTarget = "DynamoDBStreams_20120810."
)

// streamOperations are those of the endpoint of streams.
var streamOperations = map[string]bool{"DescribeStream": true, "GetRecords": true, "GetShardIterator": true, "ListStreams": true}

// operationOf is the operation that a header X-Amz-Target names; empty if it is none of the service's.
func operationOf(target string) string {
	if operation, ok := strings.CutPrefix(target, streamsTarget); ok {
		if streamOperations[operation] {
			return operation
		}
		return ""
	}
	operation, ok := strings.CutPrefix(target, targetPrefix)
	if !ok || streamOperations[operation] {
		return ""
	}
	return operation
}

var bodies = sync.Pool{New: func() any { b := make([]byte, 0, 4096); return &b }}

// maxKeptBody is the size above which a body's buffer is not kept for the next request.
const maxKeptBody = 1 << 20

func (e *Engine) serve(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("x-amzn-RequestId", requestID())
	if r.Method == http.MethodGet && r.URL.Path == "/" {
		answer(w, http.StatusOK, "text/plain", []byte("healthy: dynamodb."+e.options.Region+".amazonaws.com "))
		return
	}
	contentType, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
	contentType = strings.TrimSpace(contentType)
	if r.Method != http.MethodPost || contentType != "application/x-amz-json-1.0" && contentType != "application/json" {
		answer(w, http.StatusNotFound, "", []byte("<UnknownOperationException/>\n"))
		return
	}
	buffer := bodies.Get().(*[]byte)
	body, err := readBody(r, (*buffer)[:0])
	defer func() {
		if cap(body) <= maxKeptBody {
			*buffer = body[:0]
		}
		bodies.Put(buffer)
	}()
	var out []byte
	if err == nil {
		if operation := operationOf(r.Header.Get("X-Amz-Target")); operation != "" {
			// A client that has sent its request may close its side and still read: net/http takes that for its end.
			out, err = e.do(context.WithoutCancel(r.Context()), e.regionOf(r), operation, body)
		} else {
			err = &wire.Error{Code: wire.CodeUnknownOperation}
		}
	}
	status := http.StatusOK
	if err != nil {
		var refused *wire.Error
		if !errors.As(err, &refused) {
			refused = &wire.Error{Code: wire.CodeInternal, Message: err.Error()}
		}
		status, out = refused.HTTPStatus(), refused.Append(nil)
	}
	answer(w, status, contentType, out)
}

var errTooLarge = &wire.Error{Code: "RequestEntityTooLargeException", Status: http.StatusRequestEntityTooLarge,
	Message: "Request size exceeded the limit of " + strconv.Itoa(maxRequest) + " bytes"}

// readBody reads a request's body, unpacked, into buf, which is replaced by larger ones as it fills.
func readBody(r *http.Request, buf []byte) ([]byte, error) {
	if r.ContentLength > int64(maxRequest) {
		return buf, errTooLarge
	}
	var src io.Reader = r.Body
	var err error
	switch r.Header.Get("Content-Encoding") {
	case "gzip":
		src, err = gzip.NewReader(r.Body)
	case "deflate":
		src, err = inflate(r.Body)
	}
	if err != nil {
		return buf, &wire.Error{Code: wire.CodeSerialization}
	}
	for {
		if len(buf) == cap(buf) { // what a header promises is no reason to have room for it before it comes
			buf = slices.Grow(buf, max(len(buf), bytes.MinRead))
		}
		n, err := src.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		switch {
		case len(buf) > maxRequest:
			return buf, errTooLarge
		case err == io.EOF:
			return buf, nil
		case err != nil:
			return buf, &wire.Error{Code: wire.CodeSerialization}
		}
	}
}

// inflate unpacks "deflate", which is the zlib format (RFC 9110, 8.4.1.2), but some send without its header.
func inflate(body io.Reader) (io.Reader, error) {
	b := bufio.NewReader(body)
	head, err := b.Peek(2)
	if err == nil && head[0]&0x0f == 8 && (int(head[0])<<8|int(head[1]))%31 == 0 {
		return zlib.NewReader(b)
	}
	return flate.NewReader(b), nil
}

// answer writes a response with the headers that SDKs look at.
func answer(w http.ResponseWriter, status int, contentType string, body []byte) {
	h := w.Header()
	if contentType != "" {
		h.Set("Content-Type", contentType)
	}
	h.Set("x-amz-crc32", strconv.FormatUint(uint64(crc32.ChecksumIEEE(body)), 10))
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) // the client may be gone
}

// requestID makes an id as the service's are: 52 characters, upper case letters and digits.
func requestID() string {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	var b [52]byte
	rand.Read(b[:]) // never fails
	for i := range b {
		b[i] = letters[int(b[i])%len(letters)]
	}
	return string(b[:])
}

// regionOf is the Region that a request is signed for, as its credential scope tells; the engine's own if it is not signed.
func (e *Engine) regionOf(r *http.Request) string {
	authorization := r.Header.Get("Authorization")
	_, scope, ok := strings.Cut(authorization, "Credential=")
	if !ok {
		return e.options.Region
	}
	scope, _, _ = strings.Cut(scope, ",")
	parts := strings.Split(strings.TrimSpace(scope), "/") // key, date, Region, service, "aws4_request"; a key may hold a slash
	if len(parts) < 5 || parts[len(parts)-3] == "" {
		return e.options.Region
	}
	return parts[len(parts)-3]
}
