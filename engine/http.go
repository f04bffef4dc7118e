package engine

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"hash"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/tablewright/tablewright/engine/internal/sigv4"
	"github.com/tablewright/tablewright/wire"
)

// Handler serves the service's protocol: POST to /, the operation in the header X-Amz-Target, JSON both ways, up to 16 MB of
// it. Requests have to say how they were signed, as those of every SDK do. With Options.Credentials that has to be true. Without,
// any credentials will do, and the header Host is not looked at: listen on a loopback address, and where there is a browser on
// the machine refuse other hosts, as the command tablewright serve does. Timeouts are the http.Server's.
func (e *Engine) Handler() http.Handler { return http.HandlerFunc(e.serve) }

// The prefixes of the header X-Amz-Target, one for each API.
const (
	targetTables  = "DynamoDB_20120810."
	targetStreams = "DynamoDBStreams_20120810."
)

// operationOf is the operation that a target names; empty if it is none of its API's.
func operationOf(target string) string {
	name, streams := strings.CutPrefix(target, targetStreams)
	if !streams {
		var tables bool
		if name, tables = strings.CutPrefix(target, targetTables); !tables {
			return ""
		}
	}
	known := handlers[name] != nil || laterOperations[name] != ""
	if !known || streamsOperations[name] != streams {
		return ""
	}
	return name
}

// streamsOperations are those of the streams' API (API_Operations_Amazon_DynamoDB_Streams).
var streamsOperations = map[string]bool{"DescribeStream": true, "GetRecords": true, "GetShardIterator": true, "ListStreams": true}

var bodies = sync.Pool{New: func() any { b := make([]byte, 0, 4096); return &b }}

// maxKeptBody is the size above which a body's buffer is not kept for the next request.
const maxKeptBody = 1 << 20

func (e *Engine) serve(w http.ResponseWriter, r *http.Request) {
	id := requestID()
	w.Header().Set("x-amzn-RequestId", id)
	if e.cors(w, r) {
		return
	}
	if headerSize(r) > maxHeader {
		answer(w, r, http.StatusBadRequest, "text/plain", []byte("The request line and the headers have more than 16 KB\n"))
		return
	}
	if r.Method == http.MethodGet && r.URL.Path == "/" {
		answer(w, r, http.StatusOK, "text/plain", []byte("healthy: dynamodb."+e.options.Region+".amazonaws.com "))
		return
	}
	contentType, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
	contentType = strings.TrimSpace(contentType)
	if r.Method != http.MethodPost || contentType != "application/x-amz-json-1.0" && contentType != "application/json" {
		answer(w, r, http.StatusNotFound, "", []byte("<UnknownOperationException/>\n"))
		return
	}
	buffer := bodies.Get().(*[]byte)
	region := e.options.Region
	if e.keys == nil { // else it is that of the signature, once it is proven
		region = e.regionOf(r)
	}
	// A client that has sent its request may close its side and still read: net/http takes that for its end.
	s := e.session(context.WithoutCancel(r.Context()), region, operationOf(r.Header.Get("X-Amz-Target")))
	s.requestID, s.host = id, r.Host
	body, out, whole, err := s.serve(r, (*buffer)[:0])
	defer func() {
		if cap(body) <= maxKeptBody {
			*buffer = body[:0]
		}
		bodies.Put(buffer)
	}()
	status := http.StatusOK
	if lost := (*lostError)(nil); errors.As(err, &lost) {
		panic(http.ErrAbortHandler) // the connection ends without an answer
	}
	if err != nil {
		var refused *wire.Error
		if !errors.As(err, &refused) {
			refused = &wire.Error{Code: wire.CodeInternal, Message: err.Error()}
		}
		status, out = refused.HTTPStatus(), refused.Append(nil)
		if !whole {
			answerEarly(w, r, status, contentType, out)
			return
		}
	}
	answer(w, r, status, contentType, out)
}

// maxHeader is how many bytes the request line and the headers may have (measured on AWS, 2025: issue threads of ScyllaDB).
const maxHeader = 16 << 10

// headerSize is how many bytes the request line and the headers had, about.
func headerSize(r *http.Request) int {
	n := len(r.Method) + len(r.RequestURI) + len(r.Host)
	for name, values := range r.Header {
		for _, v := range values {
			n += len(name) + len(": \r\n") + len(v)
		}
	}
	return n
}

// serve reads the request, into the buffer or a larger one, and answers it; whole is whether the body was read to its end. What
// is wrong is told in the service's order: the body, the target, the signature, and then all that the operation looks at
// (captured on AWS).
func (e *session) serve(r *http.Request, buf []byte) (body, out []byte, whole bool, err error) {
	if body, err = e.admit(r, buf); err != nil {
		e.observe(0, err)
		refused := (*unreadError)(nil)
		if errors.As(err, &refused) {
			return body, nil, false, refused.error
		}
		return body, nil, err != errTooLarge, err
	}
	out, err = e.do(body)
	return body, out, true, err
}

// unreadError is an answer that does not wait for the rest of the body.
type unreadError struct{ error }

func (e *unreadError) Unwrap() error { return e.error }

// maxUnsigned is how much is read, unpacked, of a request that cannot have been signed with a key there is: enough to tell
// first what the service tells first.
const maxUnsigned = 64 << 10

// admit reads the request and finds the caller, if there are keys.
func (e *session) admit(r *http.Request, buf []byte) (body []byte, err error) {
	var claim *claim
	var wrong error
	var sum hash.Hash
	if e.keys == nil {
		wrong = sigv4.Complete(r)
	} else if claim, wrong = e.claims(r); wrong == nil {
		sum = sha256.New()
	}
	if wrong == nil && claim == nil {
		return readBody(r, buf, maxRequest, nil)
	}
	limit := maxRequest
	if wrong != nil {
		limit, wrong = maxUnsigned, asRefusal(wrong)
	}
	body, err = readBody(r, buf, limit, sum)
	switch {
	case err == errTooLarge && wrong != nil:
		return body, &unreadError{wrong}
	case err != nil:
		return body, err
	case !json.Valid(body):
		return body, &wire.Error{Code: wire.CodeSerialization}
	case e.operation == "":
		return body, &wire.Error{Code: wire.CodeUnknownOperation}
	case wrong != nil:
		return body, wrong
	}
	return body, e.prove(claim, r, [sha256.Size]byte(sum.Sum(nil)))
}

var errTooLarge = &wire.Error{Code: "RequestEntityTooLargeException", Status: http.StatusRequestEntityTooLarge,
	Message: "Request size exceeded the limit of " + strconv.Itoa(maxRequest) + " bytes"}

// answerEarly answers a request whose body has not been read to its end, and passes over what is left of it for a while:
// most clients look for the answer after they have sent all, and would find the connection reset.
func answerEarly(w http.ResponseWriter, r *http.Request, status int, contentType string, out []byte) {
	c := http.NewResponseController(w)
	_ = c.EnableFullDuplex() // else net/http gives the body up before it answers
	_ = c.SetReadDeadline(time.Now().Add(10 * time.Second))
	w.Header().Set("Connection", "close")
	answer(w, r, status, contentType, out)
	_ = c.Flush()
	_, _ = io.Copy(io.Discard, io.LimitReader(r.Body, 4*int64(maxRequest)))
}

// readBody reads a request's body, unpacked, into buf, which is replaced by larger ones as it fills, up to limit bytes. What
// comes, packed as it is, also goes to sum if there is one.
func readBody(r *http.Request, buf []byte, limit int, sum hash.Hash) ([]byte, error) {
	if r.ContentLength > int64(limit) {
		return buf, errTooLarge
	}
	var packed io.Reader = r.Body
	if sum != nil {
		packed = io.TeeReader(r.Body, sum)
	}
	src, err := unpack(packed, r.Header["Content-Encoding"])
	if err != nil {
		return buf, &wire.Error{Code: wire.CodeSerialization}
	}
	if sum != nil && src != packed { // behind what was packed there may be more, which is signed too
		defer func() { _, _ = io.Copy(io.Discard, io.LimitReader(packed, int64(maxRequest))) }()
	}
	for {
		if len(buf) == cap(buf) { // what a header promises is no reason to have room for it before it comes
			buf = slices.Grow(buf, max(len(buf), bytes.MinRead))
		}
		n, err := src.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		switch {
		case len(buf) > limit:
			return buf, errTooLarge
		case err == io.EOF:
			return buf, nil
		case err != nil:
			return buf, &wire.Error{Code: wire.CodeSerialization}
		}
	}
}

// unpack reads a body through the encodings that it was packed with, the last of them first (RFC 9110, 8.4). One that is not
// known is passed over, as DynamoDB Local does: the body may be JSON all the same.
func unpack(body io.Reader, headers []string) (src io.Reader, err error) {
	if src = body; len(headers) == 0 {
		return src, nil
	}
	names := strings.Split(strings.Join(headers, ","), ",")
	if len(names) > maxEncodings {
		return nil, errPackedOften
	}
	for _, name := range slices.Backward(names) {
		switch strings.ToLower(strings.TrimSpace(name)) {
		case "gzip", "x-gzip":
			src, err = gzip.NewReader(src)
		case "deflate":
			src, err = inflate(src)
		}
		if err != nil {
			return nil, err
		}
	}
	return src, nil
}

// maxEncodings is how often a body may be packed: unpacking takes 40 KB each time, even where nothing comes.
const maxEncodings = 5

var errPackedOften = errors.New("engine: a body is packed too often")

// inflate unpacks "deflate", which is the zlib format (RFC 9110, 8.4.1.2), but some send without its header.
func inflate(body io.Reader) (io.Reader, error) {
	b := bufio.NewReader(body)
	head, err := b.Peek(2)
	if err == nil && head[0]&0x0f == 8 && (int(head[0])<<8|int(head[1]))%31 == 0 {
		return zlib.NewReader(b)
	}
	return flate.NewReader(b), nil
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

// regionOf is the Region that a request says it is signed for, in its credential scope; the engine's own if it does not say
// one that can be.
func (e *Engine) regionOf(r *http.Request) string {
	_, scope, ok := strings.Cut(r.Header.Get("Authorization"), "Credential=")
	if !ok && r.URL.RawQuery != "" {
		scope = r.URL.Query().Get("X-Amz-Credential")
	}
	scope, _, _ = strings.Cut(scope, ",")
	parts := strings.Split(strings.TrimSpace(scope), "/") // key, date, Region, service, "aws4_request"; a key may hold a slash
	if len(parts) < 5 || !sigv4.ValidRegion(parts[len(parts)-3]) {
		return e.options.Region
	}
	return parts[len(parts)-3]
}
