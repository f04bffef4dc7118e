package sdk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	awsmiddleware "github.com/aws/aws-sdk-go-v2/aws/middleware"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/aws/smithy-go"
	"github.com/aws/smithy-go/middleware"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/internal/unsent"
	"github.com/tablewright/tablewright/wire"
)

// Transport sends calls through a client of the AWS SDK, with all that it is configured with: credentials, Region, endpoint
// rules, HTTP client, middleware, interceptors, tracing. Only its retries are left out, since one budget for all of a call is
// kept above the transport (tablewright.Retry).
//
// DynamoDB Streams is another service to the SDK: its operations, as package streams sends them, go through a client of its
// own, made of the same configuration. It has the same BaseEndpoint unless that is one of AWS's, and the endpoint resolver
// and the retry settings of the SDK's own; options change what else is to be different.
//
// An operation that the SDK's client, in the version compiled in, does not know is ErrInvalid before anything is sent, and is
// not tried again.
func Transport(client *dynamodb.Client, options ...func(*dynamodbstreams.Options)) tablewright.Transport {
	streams := streamsClient(client.Options(), options)
	return tablewright.TransportFunc(func(ctx context.Context, c *tablewright.Call) error {
		p := &protocol{call: c, target: tablesTarget}
		var metadata middleware.Metadata
		var err error
		if invoke := operations[c.Operation]; invoke != nil {
			metadata, err = invoke(ctx, client, c.Table, p.tables)
		} else if invoke := streamsOperations[c.Operation]; invoke != nil {
			p.target = streamsTarget
			metadata, err = invoke(ctx, streams, "", p.streams)
		} else {
			return unsent.Error{Err: fmt.Errorf("%w: the AWS SDK's client is not asked for %s", tablewright.ErrInvalid, c.Operation)}
		}
		c.RequestID, _ = awsmiddleware.GetRequestIDMetadata(metadata)
		if err == nil {
			return nil
		}
		var answer *wire.Error
		if errors.As(err, &answer) { // without what the SDK puts around it: operation and status are the caller's anyway
			if c.RequestID == "" {
				c.RequestID = p.requestID
			}
			answer.RequestID = c.RequestID
			return answer
		}
		if p.sent == 0 || unsent.Dialing(err) {
			return unsent.Error{Err: err}
		}
		return err
	})
}

// The two APIs' targets (docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.LowLevelAPI.html).
const (
	tablesTarget  = "DynamoDB_20120810."
	streamsTarget = "DynamoDBStreams_20120810."
)

// protocol puts the bytes of a call where the generated client would write its input, and takes those of the answer.
type protocol struct {
	smithyhttp.ClientProtocol // what is not about single requests
	call                      *tablewright.Call
	target                    string // before the operation's name
	sent                      int    // requests that were given to the HTTP client
	requestID                 string
}

func (p *protocol) tables(o *dynamodb.Options) {
	p.ClientProtocol, o.Protocol = o.Protocol, p
	o.Retryer = aws.NopRetryer{}
	o.APIOptions = append(o.APIOptions[:len(o.APIOptions):len(o.APIOptions)], p.stack)
}

func (p *protocol) streams(o *dynamodbstreams.Options) {
	p.ClientProtocol, o.Protocol = o.Protocol, p
	o.Retryer = aws.NopRetryer{}
	o.APIOptions = append(o.APIOptions[:len(o.APIOptions):len(o.APIOptions)], p.stack)
}

func (p *protocol) stack(s *middleware.Stack) error {
	_, _ = s.Initialize.Remove("OperationInputValidation") // of an input that has only the table's name
	return s.Deserialize.Add(middleware.DeserializeMiddlewareFunc("TablewrightSent", func(
		ctx context.Context, in middleware.DeserializeInput, next middleware.DeserializeHandler,
	) (middleware.DeserializeOutput, middleware.Metadata, error) {
		p.sent++
		return next.HandleDeserialize(ctx, in)
	}), middleware.After)
}

// SerializeRequest writes the call's bytes, as the JSON protocol wants them
// (smithy.io/2.0/aws/protocols/aws-json-1_0-protocol.html).
func (p *protocol) SerializeRequest(_ context.Context, _ *smithy.OperationSchema, _ smithy.Serializable, req *smithyhttp.Request) error {
	req.Method = "POST"
	req.URL.Path, req.URL.RawPath = "/", "/"
	req.Header.Set("Content-Type", "application/x-amz-json-1.0")
	req.Header.Set("X-Amz-Target", p.target+p.call.Operation)
	// A copy: an HTTP client may go on reading after the call is given back.
	with, err := req.SetStream(strings.NewReader(string(p.call.Request)))
	if err == nil {
		*req = *with
	}
	return err
}

// DeserializeResponse takes the answer's bytes; an answer that is an error is a *wire.Error.
func (p *protocol) DeserializeResponse(_ context.Context, _ *smithy.OperationSchema, _ *smithy.TypeRegistry, resp *smithyhttp.Response, _ smithy.Deserializable) error {
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		p.requestID = resp.Header.Get("X-Amzn-Requestid")
		return wire.DecodeError(resp.StatusCode, body)
	}
	p.call.Response = append(p.call.Response[:0], body...)
	return nil
}
