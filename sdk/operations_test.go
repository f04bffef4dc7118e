package sdk

import (
	"reflect"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
)

// TestOperations has the transport know every operation of the SDK's clients.
func TestOperations(t *testing.T) {
	if n := known(t, reflect.TypeFor[*dynamodb.Client](), operations); n < 50 {
		t.Errorf("the client has %d operations", n)
	}
	if n := known(t, reflect.TypeFor[*dynamodbstreams.Client](), streamsOperations); n != 4 {
		t.Errorf("the client of DynamoDB Streams has %d operations", n)
	}
}

func known[C, S any](t *testing.T, client reflect.Type, table map[string]operation[C, S]) (n int) {
	for method := range client.Methods() {
		if method.Type.NumIn() != 4 || method.Type.NumOut() != 2 {
			continue // Options
		}
		if n++; table[method.Name] == nil {
			t.Errorf("%s is not in the table", method.Name)
		}
	}
	if n != len(table) {
		t.Errorf("the client has %d operations, the table %d", n, len(table))
	}
	return n
}

// TestStreamsClient is made of all that the client of tables is configured with and that the two have in common.
func TestStreamsClient(t *testing.T) {
	of := func(o dynamodb.Options, options ...func(*dynamodbstreams.Options)) dynamodbstreams.Options {
		return streamsClient(dynamodb.New(o).Options(), options).Options()
	}
	for stated, want := range map[string]string{
		"http://127.0.0.1:8000": "http://127.0.0.1:8000", "https://dynamodb.eu-north-1.amazonaws.com": "", "https://a.dynamodb.eu-north-1.vpce.amazonaws.com": "",
	} {
		if got := aws.ToString(of(dynamodb.Options{BaseEndpoint: &stated}).BaseEndpoint); got != want {
			t.Errorf("%s: %q", stated, got)
		}
	}
	o := dynamodb.Options{Region: "eu-north-1", AppID: "shop"}
	o.EndpointOptions.UseFIPSEndpoint = aws.FIPSEndpointStateEnabled
	o.EndpointOptions.UseDualStackEndpoint = aws.DualStackEndpointStateEnabled
	got := of(o, func(o *dynamodbstreams.Options) { o.AppID = "shop streams" })
	if got.Region != "eu-north-1" || got.AppID != "shop streams" || got.EndpointOptions.UseFIPSEndpoint != aws.FIPSEndpointStateEnabled ||
		got.EndpointOptions.UseDualStackEndpoint != aws.DualStackEndpointStateEnabled {
		t.Errorf("%+v", got)
	}
}
