package sdk

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"github.com/tablewright/tablewright/wire"
)

// ServiceError is an error of this module with the AWS SDK's error of the same answer beside it: errors.As finds the SDK's
// *types.ConditionalCheckFailedException with its Item, *types.TransactionCanceledException with its CancellationReasons,
// *types.ProvisionedThroughputExceededException with its ThrottlingReasons, …, those of DynamoDB Streams too, or smithy.APIError for a code that has no type,
// and errors.Is and errors.As find all that they found before. The text stays the same.
//
// An error that is no answer of the service is returned as it is, as is nil.
func ServiceError(err error) error {
	var answer *wire.Error
	if !errors.As(err, &answer) {
		return err
	}
	var typed error
	for _, types := range []*smithy.TypeRegistry{dynamodb.TypeRegistry, dynamodbstreams.TypeRegistry} {
		resp := &smithyhttp.Response{Response: &http.Response{
			StatusCode: answer.HTTPStatus(), Header: http.Header{}, Body: io.NopCloser(bytes.NewReader(answer.Append(nil))),
		}}
		typed = generated.DeserializeResponse(context.Background(), nil, types, resp, nil)
		var untyped *smithy.GenericAPIError
		if !errors.As(typed, &untyped) {
			break
		}
	}
	if typed == nil {
		return err
	}
	return &serviceError{err, typed}
}

// generated is how the SDK's clients read answers.
var generated = dynamodb.New(dynamodb.Options{}).Options().Protocol

type serviceError struct{ err, typed error }

func (e *serviceError) Error() string { return e.err.Error() }

func (e *serviceError) Unwrap() []error { return []error{e.err, e.typed} }
