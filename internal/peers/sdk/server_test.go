package sdk_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go/logging"

	"github.com/tablewright/tablewright/engine"
)

// startEngine serves an engine that looks for expired items many times a second. When the test is over, what it holds
// has to fit together.
func startEngine(t *testing.T, wrap func(http.Handler) http.Handler) (url string) {
	t.Helper()
	e, err := engine.Open("", &engine.Options{SweepEvery: 20 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(wrap(e.Handler()))
	t.Cleanup(func() {
		server.Close()
		if err := e.Check(); err != nil {
			t.Error(err)
		}
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return server.URL
}

func asItIs(h http.Handler) http.Handler { return h }

// newClient is a client whose warnings, such as of a wrong checksum, are failures.
func newClient(t *testing.T, url string) *dynamodb.Client {
	return newClientThatWarns(url, func(warning string) { t.Error(warning) })
}

func newClientThatWarns(url string, warn func(string)) *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{
		Region:       "us-east-1",
		BaseEndpoint: aws.String(url),
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "peers", SecretAccessKey: "peers"}, nil
		}),
		RetryMaxAttempts: 1, // a failure is one, not the first of three
		Logger: logging.LoggerFunc(func(_ logging.Classification, format string, v ...any) {
			warn(fmt.Sprintf(format, v...))
		}),
	})
}

type item = map[string]types.AttributeValue

func str(s string) types.AttributeValue    { return &types.AttributeValueMemberS{Value: s} }
func num(s string) types.AttributeValue    { return &types.AttributeValueMemberN{Value: s} }
func set(s ...string) types.AttributeValue { return &types.AttributeValueMemberSS{Value: s} }
