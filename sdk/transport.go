package sdk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"reflect"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	awsmiddleware "github.com/aws/aws-sdk-go-v2/aws/middleware"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go"
	"github.com/aws/smithy-go/middleware"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/wire"
)

// Transport sends calls through a client of the AWS SDK, with all that it is configured with: credentials, Region, endpoint
// rules, HTTP client, middleware, interceptors, tracing. Only its retries are left out, since one budget for all of a call is
// kept above the transport (tablewright.Retry).
//
// An operation that the SDK's client, in the version compiled in, does not know is ErrInvalid before anything is sent.
func Transport(client *dynamodb.Client) tablewright.Transport {
	return tablewright.TransportFunc(func(ctx context.Context, c *tablewright.Call) error {
		invoke := operations[c.Operation]
		if invoke == nil {
			return unsent{fmt.Errorf("%w: the AWS SDK's client is not asked for %s", tablewright.ErrInvalid, c.Operation)}
		}
		p := &protocol{call: c}
		metadata, err := invoke(ctx, client, c.Table, p.options)
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
		if p.sent == 0 || dialing(err) {
			return unsent{err}
		}
		return err
	})
}

// dialing reports whether an error is that no connection could be made.
func dialing(err error) bool {
	var op *net.OpError
	var dns *net.DNSError
	return errors.As(err, &op) && op.Op == "dial" || errors.As(err, &dns)
}

// unsent is the error of a request that did not leave.
type unsent struct{ error }

func (e unsent) Unwrap() error { return e.error }

// NotSent is true: the outcome is known, nothing happened.
func (e unsent) NotSent() bool { return true }

// protocol puts the bytes of a call where the generated client would write its input, and takes those of the answer.
type protocol struct {
	smithyhttp.ClientProtocol // what is not about single requests
	call                      *tablewright.Call
	sent                      int // requests that were given to the HTTP client
	requestID                 string
}

func (p *protocol) options(o *dynamodb.Options) {
	p.ClientProtocol, o.Protocol = o.Protocol, p
	o.Retryer = aws.NopRetryer{}
	o.APIOptions = append(o.APIOptions[:len(o.APIOptions):len(o.APIOptions)], func(s *middleware.Stack) error {
		_, _ = s.Initialize.Remove("OperationInputValidation") // of an input that has only the table's name
		return s.Deserialize.Add(middleware.DeserializeMiddlewareFunc("TablewrightSent", func(
			ctx context.Context, in middleware.DeserializeInput, next middleware.DeserializeHandler,
		) (middleware.DeserializeOutput, middleware.Metadata, error) {
			p.sent++
			return next.HandleDeserialize(ctx, in)
		}), middleware.After)
	})
}

// SerializeRequest writes the call's bytes, as the JSON protocol wants them
// (smithy.io/2.0/aws/protocols/aws-json-1_0-protocol.html).
func (p *protocol) SerializeRequest(_ context.Context, _ *smithy.OperationSchema, _ smithy.Serializable, req *smithyhttp.Request) error {
	req.Method = "POST"
	req.URL.Path, req.URL.RawPath = "/", "/"
	req.Header.Set("Content-Type", "application/x-amz-json-1.0")
	req.Header.Set("X-Amz-Target", "DynamoDB_20120810."+p.call.Operation)
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

// operation calls one method of the generated client.
type operation func(ctx context.Context, c *dynamodb.Client, table string, options ...func(*dynamodb.Options)) (middleware.Metadata, error)

// method makes an operation of a method of the generated client. Of its input only the table's name is filled in, for
// endpoint rules and interceptors.
func method[I, O any](m func(*dynamodb.Client, context.Context, *I, ...func(*dynamodb.Options)) (*O, error)) operation {
	return func(ctx context.Context, c *dynamodb.Client, table string, options ...func(*dynamodb.Options)) (metadata middleware.Metadata, err error) {
		in := new(I)
		if field := reflect.ValueOf(in).Elem().FieldByName("TableName"); field.IsValid() && table != "" {
			field.Set(reflect.ValueOf(&table))
		}
		out, err := m(c, ctx, in, options...)
		if err == nil {
			metadata, _ = reflect.ValueOf(out).Elem().FieldByName("ResultMetadata").Interface().(middleware.Metadata)
		}
		return metadata, err
	}
}

// operations are all that the client has.
var operations = map[string]operation{
	"BatchExecuteStatement":               method((*dynamodb.Client).BatchExecuteStatement),
	"BatchGetItem":                        method((*dynamodb.Client).BatchGetItem),
	"BatchWriteItem":                      method((*dynamodb.Client).BatchWriteItem),
	"CancelBulkOperation":                 method((*dynamodb.Client).CancelBulkOperation),
	"CreateBackup":                        method((*dynamodb.Client).CreateBackup),
	"CreateGlobalTable":                   method((*dynamodb.Client).CreateGlobalTable),
	"CreateTable":                         method((*dynamodb.Client).CreateTable),
	"DeleteBackup":                        method((*dynamodb.Client).DeleteBackup),
	"DeleteItem":                          method((*dynamodb.Client).DeleteItem),
	"DeleteResourcePolicy":                method((*dynamodb.Client).DeleteResourcePolicy),
	"DeleteTable":                         method((*dynamodb.Client).DeleteTable),
	"DescribeBackup":                      method((*dynamodb.Client).DescribeBackup),
	"DescribeBulkOperation":               method((*dynamodb.Client).DescribeBulkOperation),
	"DescribeContinuousBackups":           method((*dynamodb.Client).DescribeContinuousBackups),
	"DescribeContributorInsights":         method((*dynamodb.Client).DescribeContributorInsights),
	"DescribeEndpoints":                   method((*dynamodb.Client).DescribeEndpoints),
	"DescribeExport":                      method((*dynamodb.Client).DescribeExport),
	"DescribeGlobalTable":                 method((*dynamodb.Client).DescribeGlobalTable),
	"DescribeGlobalTableSettings":         method((*dynamodb.Client).DescribeGlobalTableSettings),
	"DescribeImport":                      method((*dynamodb.Client).DescribeImport),
	"DescribeKinesisStreamingDestination": method((*dynamodb.Client).DescribeKinesisStreamingDestination),
	"DescribeLimits":                      method((*dynamodb.Client).DescribeLimits),
	"DescribeTable":                       method((*dynamodb.Client).DescribeTable),
	"DescribeTableReplicaAutoScaling":     method((*dynamodb.Client).DescribeTableReplicaAutoScaling),
	"DescribeTimeToLive":                  method((*dynamodb.Client).DescribeTimeToLive),
	"DisableKinesisStreamingDestination":  method((*dynamodb.Client).DisableKinesisStreamingDestination),
	"EnableKinesisStreamingDestination":   method((*dynamodb.Client).EnableKinesisStreamingDestination),
	"ExecuteStatement":                    method((*dynamodb.Client).ExecuteStatement),
	"ExecuteTransaction":                  method((*dynamodb.Client).ExecuteTransaction),
	"ExportTableToPointInTime":            method((*dynamodb.Client).ExportTableToPointInTime),
	"GetItem":                             method((*dynamodb.Client).GetItem),
	"GetResourcePolicy":                   method((*dynamodb.Client).GetResourcePolicy),
	"ImportTable":                         method((*dynamodb.Client).ImportTable),
	"ListBackups":                         method((*dynamodb.Client).ListBackups),
	"ListBulkOperations":                  method((*dynamodb.Client).ListBulkOperations),
	"ListContributorInsights":             method((*dynamodb.Client).ListContributorInsights),
	"ListExports":                         method((*dynamodb.Client).ListExports),
	"ListGlobalTables":                    method((*dynamodb.Client).ListGlobalTables),
	"ListImports":                         method((*dynamodb.Client).ListImports),
	"ListTables":                          method((*dynamodb.Client).ListTables),
	"ListTagsOfResource":                  method((*dynamodb.Client).ListTagsOfResource),
	"PutItem":                             method((*dynamodb.Client).PutItem),
	"PutResourcePolicy":                   method((*dynamodb.Client).PutResourcePolicy),
	"Query":                               method((*dynamodb.Client).Query),
	"RestoreTableFromBackup":              method((*dynamodb.Client).RestoreTableFromBackup),
	"RestoreTableToPointInTime":           method((*dynamodb.Client).RestoreTableToPointInTime),
	"Scan":                                method((*dynamodb.Client).Scan),
	"SearchVectors":                       method((*dynamodb.Client).SearchVectors),
	"StartBulkPutItems":                   method((*dynamodb.Client).StartBulkPutItems),
	"TagResource":                         method((*dynamodb.Client).TagResource),
	"TransactGetItems":                    method((*dynamodb.Client).TransactGetItems),
	"TransactWriteItems":                  method((*dynamodb.Client).TransactWriteItems),
	"UntagResource":                       method((*dynamodb.Client).UntagResource),
	"UpdateContinuousBackups":             method((*dynamodb.Client).UpdateContinuousBackups),
	"UpdateContributorInsights":           method((*dynamodb.Client).UpdateContributorInsights),
	"UpdateGlobalTable":                   method((*dynamodb.Client).UpdateGlobalTable),
	"UpdateGlobalTableSettings":           method((*dynamodb.Client).UpdateGlobalTableSettings),
	"UpdateItem":                          method((*dynamodb.Client).UpdateItem),
	"UpdateKinesisStreamingDestination":   method((*dynamodb.Client).UpdateKinesisStreamingDestination),
	"UpdateTable":                         method((*dynamodb.Client).UpdateTable),
	"UpdateTableReplicaAutoScaling":       method((*dynamodb.Client).UpdateTableReplicaAutoScaling),
	"UpdateTimeToLive":                    method((*dynamodb.Client).UpdateTimeToLive),
}
