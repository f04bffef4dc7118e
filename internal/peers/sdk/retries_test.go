package sdk_test

import (
	"errors"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go/middleware"
)

// TestGoRetries: what the SDK does by itself when something goes wrong (faults_test.go), and what it tells of errors.
func TestGoRetries(t *testing.T) {
	ctx, url := t.Context(), startFaulty(t)
	var warnings []string
	once := newClientThatWarns(url, func(warning string) { warnings = append(warnings, warning) })
	patient := dynamodb.New(once.Options(), func(o *dynamodb.Options) {
		o.RetryMaxAttempts, o.Retryer = 3, retry.NewStandard(func(r *retry.StandardOptions) { r.MaxBackoff = 50 * time.Millisecond }) // else as it is by default
	})
	name := aws.String("faults")
	createTable(t, once, &dynamodb.CreateTableInput{
		TableName: name, KeySchema: []types.KeySchemaElement{{AttributeName: aws.String("pk"), KeyType: types.KeyTypeHash}},
		AttributeDefinitions:  []types.AttributeDefinition{{AttributeName: aws.String("pk"), AttributeType: types.ScalarAttributeTypeS}},
		ProvisionedThroughput: &types.ProvisionedThroughput{ReadCapacityUnits: aws.Int64(9), WriteCapacityUnits: aws.Int64(9)},
	})
	key := func(pk string) item { return item{"pk": str(pk)} }
	attempts := func(of middleware.Metadata) int {
		results, _ := retry.GetAttemptResults(of)
		return len(results.Results)
	}
	put := func(c *dynamodb.Client, pk string) (*dynamodb.PutItemOutput, error) {
		return c.PutItem(ctx, &dynamodb.PutItemInput{TableName: name, Item: key(pk)})
	}
	for pk, want := range map[string]int{"throttled": 3, "broken": 2, "lost": 2} {
		if n := attempts(must(put(patient, pk))(t).ResultMetadata); n != want {
			t.Errorf("%s: %d attempts", pk, n)
		}
	}
	if n := attempts(must(patient.GetItem(ctx, &dynamodb.GetItemInput{TableName: name, Key: key("refused")}))(t).ResultMetadata); n != 2 {
		t.Errorf("refused: %d attempts", n)
	}

	_, err := put(once, "always")
	var throttled *types.ProvisionedThroughputExceededException
	if !errors.As(err, &throttled) || len(throttled.ThrottlingReasons) != 1 || *throttled.ThrottlingReasons[0].Reason != "TableWriteKeyRangeThroughputExceeded" ||
		!strings.HasSuffix(*throttled.ThrottlingReasons[0].Resource, ":table/faults") {
		t.Errorf("%v %+v", err, throttled)
	}
	_, err = once.UpdateItem(ctx, &dynamodb.UpdateItemInput{TableName: name, Key: key("conflicted"), UpdateExpression: aws.String("ADD n :n"), ExpressionAttributeValues: item{":n": num("1")}})
	if !is[*types.TransactionConflictException](err) {
		t.Error(err)
	}
	_, err = once.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
		{Put: &types.Put{TableName: name, Item: key("other")}}, {Put: &types.Put{TableName: name, Item: key("cancelled")}},
	}})
	var cancelled *types.TransactionCanceledException
	if !errors.As(err, &cancelled) || *cancelled.CancellationReasons[0].Code != "None" || *cancelled.CancellationReasons[1].Code != "ProvisionedThroughputExceeded" {
		t.Errorf("%v %+v", err, cancelled)
	}

	// A batch is sent again as it was left over.
	writes := map[string][]types.WriteRequest{*name: {{PutRequest: &types.PutRequest{Item: key("left-over")}}, {PutRequest: &types.PutRequest{Item: key("left-out")}}}}
	var left []int
	for len(writes) > 0 && len(left) < 5 {
		writes = must(once.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{RequestItems: writes}))(t).UnprocessedItems
		left = append(left, len(writes[*name]))
	}
	if !slices.Equal(left, []int{1, 0}) {
		t.Error(left)
	}
	keys := map[string]types.KeysAndAttributes{*name: {Keys: []item{key("left-over"), key("left-out")}, ConsistentRead: aws.Bool(true)}}
	var got []item
	for range 5 {
		out := must(once.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{RequestItems: keys}))(t)
		got = append(got, out.Responses[*name]...)
		if keys = out.UnprocessedKeys; len(keys) == 0 {
			break
		}
		if !*keys[*name].ConsistentRead {
			t.Error("what was left over is not read consistently")
		}
	}
	if !reflect.DeepEqual(got, []item{key("left-over"), key("left-out")}) {
		t.Error(got)
	}
	if len(warnings) > 0 {
		t.Error(warnings)
	}
}

// TestGoGzip: large answers are compressed for a client that asks for it, and the checksum is that of what is sent.
func TestGoGzip(t *testing.T) {
	ctx, plain := t.Context(), newClient(t, startServe(t))
	compressed := 0
	c := dynamodb.New(plain.Options(), func(o *dynamodb.Options) {
		o.EnableAcceptEncodingGzip = true
		o.HTTPClient = doer(func(r *http.Request) (*http.Response, error) {
			resp, err := http.DefaultTransport.RoundTrip(r)
			if err == nil && resp.Header.Get("Content-Encoding") == "gzip" {
				compressed++
			}
			return resp, err
		})
	})
	createTable(t, c, ordersTable("orders"))
	large := order(1, 1)
	large["note"] = str(strings.Repeat("a long story ", 20_000))
	must(c.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("orders"), Item: large}))(t)
	before := compressed
	got := must(c.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String("orders"), Key: item{"customer": large["customer"], "order": large["order"]}}))(t)
	if !reflect.DeepEqual(got.Item, large) || compressed != before+1 {
		t.Errorf("%d attributes, %d answers compressed", len(got.Item), compressed-before)
	}
}

type doer func(*http.Request) (*http.Response, error)

func (d doer) Do(r *http.Request) (*http.Response, error) { return d(r) }
