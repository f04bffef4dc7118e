package tablewright

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"

	"github.com/tablewright/tablewright/wire"
)

// httpTransport sends calls as signed HTTP requests in the JSON protocol of DynamoDB
// (docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.LowLevelAPI.html).
type httpTransport struct {
	client      aws.HTTPClient
	endpoint    endpoint
	streams     endpoint // of DynamoDB Streams
	region      string
	credentials aws.CredentialsProvider
	signer      *v4.Signer
	clock       Clock
	patience    time.Duration // with a service that sends nothing
}

const (
	contentType  = "application/x-amz-json-1.0"
	targetPrefix = "DynamoDB_20120810."
	userAgent    = "tablewright"
)

// answerTime is how long one try waits for the next bytes of its answer, the making of its connection included: much longer
// than DynamoDB takes for its largest answers, and short enough for a call to try again.
const answerTime = 15 * time.Second

// errSilent ends a try in which nothing came for too long. It is no end of the caller's context: the call may try again.
var errSilent = errors.New("tablewright: the service sent nothing for too long")

// maxAnswer bounds what is read of one answer. A page is at most 1 MB of items and a batch 16 MB; their JSON is a few
// times as large.
const maxAnswer = 256 << 20

// Do sends one request and reads the whole answer.
func (t *httpTransport) Do(ctx context.Context, c *Call) error {
	creds, err := t.credentials.Retrieve(ctx)
	if err != nil {
		return notSent{fmt.Errorf("tablewright: credentials: %w", err)}
	}
	at := &t.endpoint
	if streamsOperation(c.Operation) {
		at = &t.streams
	}
	to, err := at.url(creds)
	if err != nil {
		return unsendable{err}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	silence := time.AfterFunc(t.patience, func() { cancel(errSilent) })
	defer silence.Stop()
	body := &requestBody{data: c.Request}
	defer body.detach()
	var way connection
	req, err := http.NewRequestWithContext(way.watch(ctx), http.MethodPost, to, body.reader())
	if err != nil {
		return unsendable{err}
	}
	req.ContentLength = int64(len(c.Request))
	// With this net/http goes to another connection when an idle one turns out closed before a byte was written. Of a
	// POST it repeats nothing else: what is repeated and when is decided above, where it is known what the request does.
	req.GetBody = func() (io.ReadCloser, error) { return body.reader(), nil }
	req.Header["Content-Type"] = []string{contentType}
	req.Header["X-Amz-Target"] = []string{target(c.Operation)}
	req.Header["User-Agent"] = []string{userAgent}
	// Asked for by name, so that net/http does not unpack what the checksum was computed of.
	req.Header["Accept-Encoding"] = []string{"identity"}
	sum := sha256.Sum256(c.Request)
	if err := t.signer.SignHTTP(ctx, creds, req, hex.EncodeToString(sum[:]), "dynamodb", t.region, t.clock.Now()); err != nil {
		return notSent{fmt.Errorf("tablewright: signing: %w", err)}
	}
	resp, err := t.client.Do(req)
	if err != nil {
		return way.failure(ctx, err)
	}
	defer resp.Body.Close()
	c.RequestID = resp.Header.Get("X-Amzn-Requestid")
	if c.Response, err = readAnswer(c.Response[:0], resp, patientReader{resp.Body, silence, t.patience}); err != nil {
		if context.Cause(ctx) == errSilent {
			return errSilent
		}
		return err
	}
	if resp.StatusCode == http.StatusOK {
		return nil
	}
	failure := wire.DecodeError(resp.StatusCode, c.Response)
	failure.RequestID = c.RequestID
	return failure
}

// patientReader puts off the end of a try as long as bytes come.
type patientReader struct {
	io.Reader
	silence  *time.Timer
	patience time.Duration
}

func (r patientReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if n > 0 {
		r.silence.Reset(r.patience)
	}
	return n, err
}

// connection watches whether a request got a connection. Before that, the making of one and its TLS handshake included, no
// byte of the request has left.
type connection struct{ asked, got atomic.Bool }

func (w *connection) watch(ctx context.Context) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn: func(string) { w.asked.Store(true) },
		GotConn: func(httptrace.GotConnInfo) { w.got.Store(true) },
	})
}

// failure says of the error of a request that has no answer what it means.
func (w *connection) failure(ctx context.Context, err error) error {
	var certificate *tls.CertificateVerificationError
	if errors.As(err, &certificate) {
		return unsendable{err}
	}
	if context.Cause(ctx) == errSilent {
		err = errSilent
	}
	// Clients of the caller's own may not tell of their connections.
	if w.asked.Load() && !w.got.Load() || unsent(err) {
		return notSent{err}
	}
	return err
}

// readAnswer appends the body to dst, checks its checksum and unpacks it.
func readAnswer(dst []byte, resp *http.Response, body io.Reader) ([]byte, error) {
	if n := resp.ContentLength; n > int64(cap(dst)) && n <= maxAnswer {
		dst = make([]byte, 0, n)
	}
	buf := bytes.NewBuffer(dst)
	if _, err := buf.ReadFrom(io.LimitReader(body, maxAnswer+1)); err != nil {
		return buf.Bytes(), err
	}
	if buf.Len() > maxAnswer {
		return nil, fmt.Errorf("tablewright: answer of more than %d bytes", maxAnswer)
	}
	// The checksum is of the bytes as they were sent, after compression.
	if want, err := strconv.ParseUint(resp.Header.Get("X-Amz-Crc32"), 10, 32); err == nil {
		if got := crc32.ChecksumIEEE(buf.Bytes()); got != uint32(want) {
			return buf.Bytes(), fmt.Errorf("tablewright: answer was damaged on the way: checksum %d, computed %d", want, got)
		}
	}
	if resp.Header.Get("Content-Encoding") != "gzip" {
		return buf.Bytes(), nil
	}
	z, err := gzip.NewReader(buf)
	if err != nil {
		return nil, fmt.Errorf("tablewright: answer is not the gzip it is called: %w", err)
	}
	text, err := io.ReadAll(io.LimitReader(z, maxAnswer+1))
	if err == nil && len(text) > maxAnswer {
		err = fmt.Errorf("tablewright: answer of more than %d bytes", maxAnswer)
	}
	return text, err
}

// requestBody lends a call's request to net/http, which may go on reading after Do has returned, when the bytes belong to
// another call already: detach ends that.
type requestBody struct {
	mu   sync.Mutex
	data []byte
}

func (b *requestBody) reader() io.ReadCloser { return &bodyReader{body: b} }

func (b *requestBody) detach() {
	b.mu.Lock()
	b.data = nil
	b.mu.Unlock()
}

type bodyReader struct {
	body *requestBody
	at   int
}

func (r *bodyReader) Read(p []byte) (int, error) {
	r.body.mu.Lock()
	defer r.body.mu.Unlock()
	if r.at >= len(r.body.data) {
		return 0, io.EOF
	}
	n := copy(p, r.body.data[r.at:])
	r.at += n
	return n, nil
}

func (r *bodyReader) Close() error { return nil }

// unsent reports whether the error itself says that no connection could be made.
func unsent(err error) bool {
	var op *net.OpError
	if errors.As(err, &op) && op.Op == "dial" {
		return true
	}
	var dns *net.DNSError
	return errors.As(err, &dns)
}

// newHTTPClient is a client that keeps as many connections as there are callers: the ten per host of the SDK's, and the
// two of net/http's, make every further caller open a connection per request.
func newHTTPClient() *http.Client {
	dialer := &net.Dialer{Timeout: 5 * time.Second, KeepAlive: 30 * time.Second}
	return &http.Client{
		Transport: &http.Transport{
			Proxy:                 http.ProxyFromEnvironment,
			DialContext:           dialer.DialContext,
			TLSHandshakeTimeout:   5 * time.Second,
			MaxIdleConnsPerHost:   2048,
			IdleConnTimeout:       90 * time.Second,
			ExpectContinueTimeout: time.Second,
			DisableCompression:    true,
			ForceAttemptHTTP2:     true,
		},
		// DynamoDB never redirects; following one would send credentials' signatures elsewhere.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// notSent wraps an error of a request that did not leave.
type notSent struct{ error }

func (e notSent) Unwrap() error { return e.error }

// NotSent is true: the outcome is known, nothing happened.
func (e notSent) NotSent() bool { return true }

// unsendable wraps an error of a request that did not leave and never will: it breaks a rule of the configuration.
type unsendable struct{ error }

func (e unsendable) Unwrap() []error { return []error{ErrInvalid, e.error} }

// NotSent is true: the outcome is known, nothing happened.
func (e unsendable) NotSent() bool { return true }
