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
	"net/url"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"

	"github.com/tablewright/tablewright/internal/unsent"
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
	own         requestSigner
	signer      *v4.Signer // of endpoints with a path
	places      atomic.Pointer[address]
	clock       Clock
	patience    time.Duration // with a service that sends nothing
}

const (
	contentType  = "application/x-amz-json-1.0"
	targetPrefix = "DynamoDB_20120810."
	userAgent    = "tablewright"

	acceptEncoding = "identity"
)

// answerTime is how long one try waits for a part of its request to be taken, or for the next bytes of its answer, the making of its
// connection included: much longer than DynamoDB takes for its largest answers, and short enough for a call to try again.
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
		return unsent.Error{Err: credentialsError{fmt.Errorf("tablewright: credentials: %w", err)}}
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
	try := &attempt{data: c.Request, silence: silence, patience: t.patience}
	try.first.try = try
	defer try.detach()
	req, err := t.request(try.watch(ctx), to, c, creds)
	if err != nil {
		return err
	}
	req.Body = &try.first
	// With this net/http goes to another connection when an idle one turns out closed before a byte was written. Of a
	// POST it repeats nothing else: what is repeated and when is decided above, where it is known what the request does.
	req.GetBody = try.again
	resp, err := t.send(req)
	if err != nil {
		return try.failure(ctx, err)
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

// send sends a request. An *http.Client only adds cookies, a time limit and redirections to its Transport, none of which
// DynamoDB has, and copies every request for them: it is passed by unless it was given one.
func (t *httpTransport) send(req *http.Request) (*http.Response, error) {
	if c, plain := t.client.(*http.Client); plain && c.Jar == nil && c.Timeout == 0 {
		if c.Transport != nil {
			return c.Transport.RoundTrip(req)
		}
		return http.DefaultTransport.RoundTrip(req)
	}
	return t.client.Do(req)
}

// request makes the signed request of a call, without its body.
func (t *httpTransport) request(ctx context.Context, to string, c *Call, creds aws.Credentials) (*http.Request, error) {
	place := t.places.Load()
	if place == nil || place.text != to {
		u, err := url.Parse(to)
		if err != nil {
			return nil, unsendable{err}
		}
		place = &address{text: to, url: u, plain: (u.Path == "" || u.Path == "/") && u.RawQuery == "" && u.Port() != "80" && u.Port() != "443" && u.Host != ""}
		t.places.Store(place)
	}
	blank := http.Request{Method: http.MethodPost, URL: place.url, Host: place.url.Host, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		ContentLength: int64(len(c.Request))}
	req := blank.WithContext(ctx)
	to = target(c.Operation)
	// One array holds all headers' values. Encodings are asked for by name, so that net/http does not unpack what the
	// checksum was computed of.
	values := [...]string{contentType, to, userAgent, acceptEncoding, "", "", creds.SessionToken}
	h := make(http.Header, len(values))
	h["Content-Type"], h["X-Amz-Target"], h["User-Agent"], h["Accept-Encoding"] = values[0:1:1], values[1:2:2], values[2:3:3], values[3:4:4]
	req.Header = h
	sum := sha256.Sum256(c.Request)
	if !place.plain {
		if err := t.signer.SignHTTP(ctx, creds, req, hex.EncodeToString(sum[:]), signingService, t.region, t.clock.Now()); err != nil {
			return nil, unsent.Error{Err: fmt.Errorf("tablewright: signing: %w", err)}
		}
		return req, nil
	}
	values[4], values[5] = t.own.sign(creds, req.Host, to, len(c.Request), &sum, t.clock.Now())
	h["X-Amz-Date"], h["Authorization"] = values[4:5:5], values[5:6:6]
	if creds.SessionToken != "" {
		h["X-Amz-Security-Token"] = values[6:7:7]
	}
	return req, nil
}

// readAll appends what is read to dst, up to a little more than maxAnswer.
func readAll(dst []byte, from io.Reader) ([]byte, error) {
	for {
		if len(dst) == cap(dst) {
			dst = slices.Grow(dst, max(512, len(dst)))
		}
		n, err := from.Read(dst[len(dst):cap(dst)])
		dst = dst[:len(dst)+n]
		switch {
		case err == io.EOF || len(dst) > maxAnswer:
			return dst, nil
		case err != nil:
			return dst, err
		}
	}
}

// address is an endpoint, parsed.
type address struct {
	text  string
	url   *url.URL
	plain bool // its requests have the one form that requestSigner signs
}

// attempt is one request under way. It lends the call's bytes to net/http, which may go on reading after Do has returned,
// when they belong to another call already: detach ends that. And it watches whether the request got a connection: before
// that, the making of one and its TLS handshake included, no byte of it has left.
type attempt struct {
	mu    sync.Mutex
	data  []byte
	first bodyReader

	silence  *time.Timer
	patience time.Duration

	asked, got atomic.Bool
	trace      httptrace.ClientTrace
}

func (w *attempt) watch(ctx context.Context) context.Context {
	w.trace.GetConn = func(string) { w.asked.Store(true) }
	w.trace.GotConn = func(httptrace.GotConnInfo) { w.got.Store(true) }
	return httptrace.WithClientTrace(ctx, &w.trace)
}

func (w *attempt) again() (io.ReadCloser, error) { return &bodyReader{try: w}, nil }

func (w *attempt) detach() {
	w.mu.Lock()
	w.data = nil
	w.mu.Unlock()
}

// failure says of the error of a request that has no answer what it means.
func (w *attempt) failure(ctx context.Context, err error) error {
	var certificate *tls.CertificateVerificationError
	if errors.As(err, &certificate) {
		return unsendable{err}
	}
	if context.Cause(ctx) == errSilent {
		err = errSilent
	}
	// Clients of the caller's own may not tell of their connections.
	if w.asked.Load() && !w.got.Load() || unsent.Dialing(err) {
		return unsent.Error{Err: err}
	}
	return err
}

// readAnswer appends the body to dst, checks its checksum and unpacks it.
func readAnswer(dst []byte, resp *http.Response, body io.Reader) ([]byte, error) {
	if n := resp.ContentLength; n >= int64(cap(dst)) && n <= maxAnswer {
		dst = make([]byte, 0, n+1) // the end is seen only where there is room behind it
	}
	dst, err := readAll(dst, body)
	if err != nil {
		return dst, err
	}
	if len(dst) > maxAnswer {
		return nil, fmt.Errorf("tablewright: answer of more than %d bytes", maxAnswer)
	}
	// The checksum is of the bytes as they were sent, after compression.
	if want, err := strconv.ParseUint(resp.Header.Get("X-Amz-Crc32"), 10, 32); err == nil {
		if got := crc32.ChecksumIEEE(dst); got != uint32(want) {
			return dst, fmt.Errorf("tablewright: %w: checksum %d, computed %d", errDamaged, want, got)
		}
	}
	if resp.Header.Get("Content-Encoding") != "gzip" {
		return dst, nil
	}
	z, err := gzip.NewReader(bytes.NewReader(dst))
	if err != nil {
		return nil, fmt.Errorf("tablewright: answer is not the gzip it is called: %w", err)
	}
	text, err := io.ReadAll(io.LimitReader(z, maxAnswer+1))
	if err == nil && len(text) > maxAnswer {
		err = fmt.Errorf("tablewright: answer of more than %d bytes", maxAnswer)
	}
	return text, err
}

// bodyReader reads the bytes of an attempt.
type bodyReader struct {
	try *attempt
	at  int
}

func (r *bodyReader) Read(p []byte) (int, error) {
	r.try.mu.Lock()
	defer r.try.mu.Unlock()
	if r.at >= len(r.try.data) {
		return 0, io.EOF
	}
	if r.at > 0 { // what came before was taken: a large request may be long on its way
		r.try.silence.Reset(r.try.patience)
	}
	n := copy(p, r.try.data[r.at:])
	r.at += n
	return n, nil
}

func (r *bodyReader) Close() error { return nil }

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

// unsendable wraps an error of a request that did not leave and never will: it breaks a rule of the configuration.
type unsendable struct{ error }

func (e unsendable) Unwrap() []error { return []error{ErrInvalid, e.error} }

// NotSent is true: the outcome is known, nothing happened.
func (e unsendable) NotSent() bool { return true }
