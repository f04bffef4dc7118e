package conformance

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/wire"
)

// Target is an implementation of DynamoDB's API: an operation's JSON in, its JSON or a *wire.Error out. Any other error
// says that the target could not be asked. It has to be safe for concurrent use where cases run side by side.
type Target interface {
	Do(ctx context.Context, operation string, body []byte) ([]byte, error)
}

// HTTP is the target at an address such as "http://127.0.0.1:8000", with a signature that servers without accounts take.
func HTTP(url string) Target { return &Endpoint{URL: url} }

// Endpoint is a target over HTTP.
type Endpoint struct {
	URL     string       // "http://127.0.0.1:8000"
	Streams string       // where DynamoDB Streams are; "": at URL too
	Client  *http.Client // nil: http.DefaultClient
	// Sign adds to a request what proves who asks; body is what will be sent. Nil: a signature that is none, for servers
	// that do not look at it.
	Sign func(r *http.Request, body []byte) error
}

// Request is an HTTP request of DynamoDB's protocol.
type Request struct {
	Method, Path string // "POST", "/"
	Operation    string // "GetItem"
	Header       http.Header
	Body         []byte
}

// Response is the answer to it, as it was sent.
type Response struct {
	Status int
	Header http.Header
	Body   []byte // still packed, if it was
}

// Sender is a target over HTTP. Cases that are about HTTP itself are skipped with others.
type Sender interface {
	Target
	// Send sends a request; headers that are not in it are those that Do sends, and a header without values is not sent.
	Send(ctx context.Context, r Request) (*Response, error)
}

// Do implements Target.
func (e *Endpoint) Do(ctx context.Context, operation string, body []byte) ([]byte, error) {
	r, err := e.Send(ctx, Request{Method: http.MethodPost, Path: "/", Operation: operation, Body: body})
	if err != nil {
		return nil, err
	}
	if r.Status != http.StatusOK {
		return nil, wire.DecodeError(r.Status, r.Body)
	}
	return r.Body, nil
}

// Send implements Sender.
func (e *Endpoint) Send(ctx context.Context, request Request) (*Response, error) {
	to, service := e.URL, "DynamoDB_20120810."
	switch request.Operation {
	case "DescribeStream", "GetRecords", "GetShardIterator", "ListStreams": // a service of its own, elsewhere on AWS
		service = "DynamoDBStreams_20120810."
		if e.Streams != "" {
			to = e.Streams
		}
	}
	r, err := http.NewRequestWithContext(ctx, request.Method, strings.TrimSuffix(to, "/")+request.Path, bytes.NewReader(request.Body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	r.Header.Set("X-Amz-Target", service+request.Operation)
	r.Header.Set("Accept-Encoding", "identity") // otherwise net/http asks for gzip, and unpacks
	for name, values := range request.Header {
		if r.Header[name] = slices.Clone(values); len(values) == 0 { // the signer of the AWS SDK writes into what it finds
			delete(r.Header, name)
		}
	}
	if e.Sign != nil {
		if err := e.Sign(r, request.Body); err != nil {
			return nil, fmt.Errorf("conformance: signing: %w", err)
		}
	} else {
		r.Header.Set("X-Amz-Date", "20260801T000000Z")
		r.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=conformance/20260801/"+caseRegion+"/dynamodb/aws4_request, "+
			"SignedHeaders=host;x-amz-date;x-amz-target, Signature=0")
	}
	for _, name := range []string{"Authorization", "X-Amz-Date"} { // what a case says of these counts, and not the signer's
		switch values, given := request.Header[name]; {
		case given && len(values) == 0:
			delete(r.Header, name)
		case given:
			r.Header[name] = values
		}
	}
	client := e.Client
	if client == nil {
		client = http.DefaultClient
	}
	resp, err := client.Do(r)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	return &Response{resp.StatusCode, resp.Header, body}, nil
}
