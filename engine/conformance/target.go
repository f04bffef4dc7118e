package conformance

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"

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

// Do implements Target.
func (e *Endpoint) Do(ctx context.Context, operation string, body []byte) ([]byte, error) {
	to, service := e.URL, "DynamoDB_20120810."
	switch operation {
	case "DescribeStream", "GetRecords", "GetShardIterator", "ListStreams": // a service of its own, elsewhere on AWS
		service = "DynamoDBStreams_20120810."
		if e.Streams != "" {
			to = e.Streams
		}
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, to, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	r.Header.Set("X-Amz-Target", service+operation)
	if e.Sign != nil {
		if err := e.Sign(r, body); err != nil {
			return nil, fmt.Errorf("conformance: signing: %w", err)
		}
	} else {
		r.Header.Set("X-Amz-Date", "20260801T000000Z")
		r.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=conformance/20260801/"+caseRegion+"/dynamodb/aws4_request, "+
			"SignedHeaders=host;x-amz-date;x-amz-target, Signature=0")
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
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != http.StatusOK {
		return nil, wire.DecodeError(resp.StatusCode, answer)
	}
	return answer, nil
}
