package s3blobs

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Error is what S3 answered instead. Its texts are the service's own.
type Error struct {
	Operation, Bucket string
	Status            int    // of HTTP
	Code              string // such as AccessDenied, NoSuchBucket, SlowDown
	Message           string
	RequestID         string
	Region            string // of the bucket, where the request went to another Region's endpoint
}

// Error names operation, bucket, code and message.
func (e *Error) Error() string {
	text := fmt.Sprintf("s3blobs: %s %s: %s (HTTP status %d)", e.Operation, e.Bucket, e.Code, e.Status)
	if e.Message != "" {
		text += ": " + e.Message
	}
	if e.Region != "" {
		text += "; the bucket is in " + e.Region + ": state it in Options.Region"
	}
	return text
}

// retryable reports whether the same request may succeed later
// (docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html).
func (e *Error) retryable() bool {
	switch e.Code {
	case "RequestTimeout", "SlowDown", "InternalError", "ServiceUnavailable", "OperationAborted", "ConditionalRequestConflict", "BadDigest", "IncompleteBody":
		return true
	}
	return e.Status >= 500 && e.Status != http.StatusNotImplemented || e.Status == http.StatusTooManyRequests || e.Status == http.StatusRequestTimeout
}

// request is a request of a bucket or object.
type request struct {
	operation, method, key string // key "": the bucket
	query                  url.Values
	header                 http.Header
	body                   []byte
	sum                    string // SHA-256 of the body, in hexadecimal
	verify                 bool   // the answer is an object
}

// answer is what came.
type answer struct {
	header http.Header
	body   []byte
	lost   bool // an earlier try may have been carried out
}

const checksumHeader = "X-Amz-Checksum-Sha256"

// emptySum is the SHA-256 of nothing.
var emptySum = fmt.Sprintf("%x", sha256.Sum256(nil))

// do sends a request until it is answered, its error is final or the tries are used up.
func (s *Store) do(ctx context.Context, r *request) (answer, error) {
	lost := false
	for try := 1; ; try++ {
		a, err := s.once(ctx, r)
		a.lost = lost
		if err == nil {
			return a, nil
		}
		var e *Error
		told := errors.As(err, &e)
		again := ctx.Err() == nil && (told && e.retryable() || !told && !errors.Is(err, errFinal))
		lost = lost || !told || e.Status >= 500
		if !again || try >= s.o.Retry.Attempts {
			if ctx.Err() != nil && !errors.Is(err, ctx.Err()) {
				err = errors.Join(ctx.Err(), err)
			}
			return a, err
		}
		// Full jitter: callers who failed together do not come again together.
		pause := rand.N(min(s.o.Retry.Pause<<min(try-1, 10), 10*time.Second))
		t := time.NewTimer(pause)
		select {
		case <-t.C:
		case <-ctx.Done():
			t.Stop()
			return a, errors.Join(ctx.Err(), err)
		}
	}
}

// errFinal marks an error that is the same however often a request is sent.
var errFinal = errors.New("no repetition helps")

type final struct{ error }

func (f final) Is(target error) bool { return target == errFinal }
func (f final) Unwrap() error        { return f.error }

// once sends a request and reads the whole answer.
func (s *Store) once(ctx context.Context, r *request) (a answer, err error) {
	creds, err := s.credentials.Retrieve(ctx)
	if err != nil {
		return a, fmt.Errorf("s3blobs: credentials: %w", err)
	}
	if s.endpoint.plain && !s.endpoint.stated && creds.SessionToken != "" {
		return a, final{fmt.Errorf("s3blobs: the endpoint %s, of environment or profile, is not encrypted and not on this machine: "+
			"the credentials' session token is not sent there unless Options.Endpoint states it", s.endpoint.url.Host)}
	}
	u := s.endpoint.url
	u.RawPath = u.EscapedPath() + escape(r.key)
	u.Path += r.key
	u.RawQuery = strings.ReplaceAll(r.query.Encode(), "+", "%20") // as signatures have it
	req, err := http.NewRequestWithContext(ctx, r.method, u.String(), bytes.NewReader(r.body))
	if err != nil {
		return a, final{fmt.Errorf("s3blobs: %s: %w", r.operation, err)}
	}
	req.URL = &u
	for name, values := range r.header {
		req.Header[name] = values
	}
	req.Header.Set("X-Amz-Content-Sha256", r.sum)
	req.Header.Set("User-Agent", "tablewright")
	req.Header.Set("Accept-Encoding", "identity") // what is stored, as it is stored
	if s.o.Owner != "" {
		req.Header.Set("X-Amz-Expected-Bucket-Owner", s.o.Owner)
	}
	if err := s.signer.SignHTTP(ctx, creds, req, r.sum, "s3", s.region, s.now()); err != nil {
		return a, final{fmt.Errorf("s3blobs: signing: %w", err)}
	}
	resp, err := s.client.Do(req)
	if err != nil {
		return a, fmt.Errorf("s3blobs: %s %s: %w", r.operation, s.o.Bucket, err)
	}
	defer resp.Body.Close()
	a.header = resp.Header
	if a.body, err = io.ReadAll(resp.Body); err != nil { // what is shorter than its header says is an error, too
		return a, fmt.Errorf("s3blobs: %s %s: answer: %w", r.operation, s.o.Bucket, err)
	}
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return a, s.failure(r, resp, a.body)
	}
	if r.verify {
		return a, checked(r, a)
	}
	return a, nil
}

// checked holds a download to the checksum that is stored with it. One of parts (an object that was uploaded in parts by
// other means) ends in a dash and their number, and is of no use here.
func checked(r *request, a answer) error {
	want := a.header.Get(checksumHeader)
	if want == "" || strings.Contains(want, "-") {
		return nil
	}
	sum := sha256.Sum256(a.body)
	if got := base64.StdEncoding.EncodeToString(sum[:]); got != want {
		return fmt.Errorf("s3blobs: %s: the object was damaged on the way: its SHA-256 is %s, computed %s", r.operation, want, got)
	}
	return nil
}

// failure reads an error. A HEAD has none to read but its status.
func (s *Store) failure(r *request, resp *http.Response, body []byte) *Error {
	e := &Error{Operation: r.operation, Bucket: s.o.Bucket, Status: resp.StatusCode, RequestID: resp.Header.Get("X-Amz-Request-Id")}
	var told struct{ Code, Message, Region string }
	if xml.Unmarshal(body, &told) == nil {
		e.Code, e.Message = told.Code, told.Message
	}
	if e.Code == "" {
		e.Code = strings.ReplaceAll(http.StatusText(resp.StatusCode), " ", "")
	}
	region := resp.Header.Get("X-Amz-Bucket-Region")
	if region == "" {
		region = told.Region
	}
	if region != s.region && (e.Status == http.StatusMovedPermanently || e.Status == http.StatusTemporaryRedirect || e.Code == "AuthorizationHeaderMalformed") {
		e.Region = region
	}
	return e
}

// escape writes a key as a path: all but letters, digits and -._~/ is escaped, as signatures want it
// (docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html).
func escape(key string) string {
	var b strings.Builder
	for i := range len(key) {
		c := key[i]
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-._~/", c) >= 0 {
			b.WriteByte(c)
			continue
		}
		fmt.Fprintf(&b, "%%%02X", c)
	}
	return b.String()
}

func newHTTPClient() *http.Client {
	dialer := &net.Dialer{Timeout: 5 * time.Second, KeepAlive: 30 * time.Second}
	return &http.Client{
		Transport: &http.Transport{
			Proxy:                 http.ProxyFromEnvironment,
			DialContext:           dialer.DialContext,
			TLSHandshakeTimeout:   5 * time.Second,
			ResponseHeaderTimeout: 60 * time.Second,
			MaxIdleConnsPerHost:   256,
			IdleConnTimeout:       90 * time.Second,
			ExpectContinueTimeout: time.Second,
			DisableCompression:    true,
			ForceAttemptHTTP2:     true,
		},
		// A redirection is to another Region, for which the signature is not: failure says which.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}
