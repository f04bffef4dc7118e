package sdk_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/sdk"
	"github.com/tablewright/tablewright/stats"
	"github.com/tablewright/tablewright/wire"
)

type account struct {
	ID    string `ddb:"id"`
	Owner string `ddb:"owner"`
	Units int    `ddb:"units"`
}

type accounts struct {
	tablewright.Entity[string, account]
	Owner tablewright.Text[account, string]
	Units tablewright.Number[account, int]
}

var (
	bank     = tablewright.NewTable(plan.Table{Name: "Bank", Key: plan.Key{Partition: "id"}})
	Accounts = tablewright.Declare[accounts](bank, plan.Item{Name: "Account"})
)

// generated is a client of the SDK's to a server with an engine of its own; the counter is of the requests that came.
func generated(t *testing.T) (*dynamodb.Client, *engine.Engine, *atomic.Int64) {
	e := engine.New(t)
	var requests atomic.Int64
	handler := e.Handler()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return clientOf(server.URL), e, &requests
}

func clientOf(url string) *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{Region: "eu-north-1", BaseEndpoint: aws.String(url), Credentials: credentials.NewStaticCredentialsProvider("AKIDEXAMPLE", "secret", "")})
}

// TestTransport runs calls of every kind over the SDK's client.
func TestTransport(t *testing.T) {
	client, e, requests := generated(t)
	ctx, db := t.Context(), tablewright.New(sdk.Transport(client), tablewright.Options{Retry: tablewright.Retry{Attempts: 4}})
	if err := bank.CreateIn(ctx, db); err != nil {
		t.Fatal(err)
	}
	var used tablewright.Usage
	err := tablewright.Transact(Accounts.Create(account{"a", "Ann", 10}), Accounts.Create(account{"b", "Ben", 0})).Run(ctx, db.Measure(&used))
	if err != nil || used.Write != 4 {
		t.Fatalf("%v, %v units", err, used.Write)
	}
	got, err := Accounts.Update("a", Accounts.Units.Plus(5)).If(Accounts.Owner.Equals("Ann")).New(ctx, db)
	if err != nil || got != (account{"a", "Ann", 15}) {
		t.Errorf("%+v, %v", got, err)
	}
	err = Accounts.Update("b", Accounts.Units.Plus(5)).If(Accounts.Owner.Equals("Ann")).Run(ctx, db)
	if refused, ok := Accounts.Refused(err); !ok || refused.Owner != "Ben" {
		t.Errorf("refused by %+v, %v: %v", refused, ok, err)
	}
	var failure *tablewright.Error
	if !errors.As(err, &failure) || failure.RequestID == "" || failure.Attempt != 1 || !errors.Is(err, tablewright.ErrConditionFailed) {
		t.Errorf("%#v", err)
	}
	var cancelled *tablewright.TxError
	err = tablewright.Transact(Accounts.Create(account{"c", "Cid", 1}), Accounts.Create(account{"a", "Eve", 1})).Run(ctx, db)
	if !errors.As(err, &cancelled) || len(cancelled.Reasons) != 1 || cancelled.Reasons[0].Action != 1 || !errors.Is(err, tablewright.ErrExists) {
		t.Errorf("%v", err)
	}
	found, err := Accounts.GetAll([]string{"b", "x", "a"}).Run(ctx, db)
	if err != nil || found[0].Item.Owner != "Ben" || found[1].OK || found[2].Item.Units != 15 {
		t.Errorf("%+v, %v", found, err)
	}
	// One budget: with the SDK's own retries below, four tries would be twelve requests.
	e.Inject(engine.Fault{Operation: "GetItem", Err: wire.NewError(wire.CodeThroughputExceeded, "slow down")})
	before := requests.Load()
	_, err = Accounts.Get("a").Run(ctx, db)
	if n := requests.Load() - before; n != 4 || !errors.Is(err, tablewright.ErrThrottled) {
		t.Errorf("%d requests, %v", n, err)
	}
}

// TestTransportWithoutAnswer tells what certainly was not done from what may have been.
func TestTransportWithoutAnswer(t *testing.T) {
	once := tablewright.Options{Retry: tablewright.Retry{Attempts: 1}}
	nobody := tablewright.New(sdk.Transport(clientOf("http://127.0.0.1:1")), once)
	err := Accounts.Update("a", Accounts.Units.Plus(5)).Run(t.Context(), nobody)
	if err == nil || errors.Is(err, tablewright.ErrUnknownOutcome) {
		t.Errorf("nobody listens: %v", err)
	}
	client, e, requests := generated(t)
	db := tablewright.New(sdk.Transport(client), once)
	if err := bank.CreateIn(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	e.Inject(engine.Fault{Operation: "UpdateItem", DropAnswer: true})
	if err = Accounts.Update("a", Accounts.Units.Add(5)).Upsert().Run(t.Context(), db); !errors.Is(err, tablewright.ErrUnknownOutcome) {
		t.Errorf("a lost answer: %v", err)
	}
	before := requests.Load()
	noCredentials := dynamodb.New(client.Options(), func(o *dynamodb.Options) {
		o.Credentials = aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{}, errors.New("the vault is shut")
		})
	})
	err = Accounts.Update("a", Accounts.Units.Add(5)).Upsert().Run(t.Context(), tablewright.New(sdk.Transport(noCredentials), once))
	if err == nil || !strings.Contains(err.Error(), "the vault is shut") || errors.Is(err, tablewright.ErrUnknownOutcome) || requests.Load() != before {
		t.Errorf("no credentials, %d requests: %v", requests.Load()-before, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	e.Inject(engine.Fault{Operation: "GetItem", Until: t.Context().Done()})
	time.AfterFunc(20*time.Millisecond, cancel)
	start := time.Now()
	if _, err := Accounts.Get("a").Run(ctx, db); !errors.Is(err, context.Canceled) || time.Since(start) > 5*time.Second {
		t.Errorf("after %v: %v", time.Since(start), err)
	}
	var failure *tablewright.Error
	patient := tablewright.New(sdk.Transport(client), tablewright.Options{})
	if _, err = patient.Send(t.Context(), "PressLemons", "", []byte(`{}`)); !errors.Is(err, tablewright.ErrInvalid) || !errors.As(err, &failure) || failure.Attempt != 1 ||
		errors.Is(err, tablewright.ErrUnknownOutcome) {
		t.Errorf("an unknown operation: %v", err)
	}
}

// TestClient is a table's life by the SDK's client over DBs of every kind.
func TestClient(t *testing.T) {
	over, _, _ := generated(t)
	server := httptest.NewServer(engine.New(t).Handler())
	defer server.Close()
	connected, err := tablewright.Connect(t.Context(), tablewright.Options{Endpoint: server.URL, Region: "eu-north-1"})
	if err != nil {
		t.Fatal(err)
	}
	for name, db := range map[string]*tablewright.DB{
		"in process":                 tablewright.New(tablewright.InProcess(engine.New(t)), tablewright.Options{}),
		"over HTTP":                  connected,
		"over a client of the SDK's": tablewright.New(sdk.Transport(over), tablewright.Options{}),
	} {
		t.Run(name, func(t *testing.T) {
			var used tablewright.Usage
			client := sdk.Client(db.Measure(&used))
			life(t, client)
			if used.Write == 0 || used.Read == 0 || used.Requests < 5 {
				t.Errorf("measured %v and %v units, %d requests", used.Read, used.Write, used.Requests)
			}
		})
	}
}

func life(t *testing.T, client *dynamodb.Client) {
	t.Helper()
	ctx, name := t.Context(), aws.String("Bank")
	if _, err := client.ListTables(ctx, &dynamodb.ListTablesInput{}); err != nil { // a request without members
		t.Fatal(err)
	}
	_, err := client.CreateTable(ctx, &dynamodb.CreateTableInput{
		TableName: name, BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("id"), AttributeType: types.ScalarAttributeTypeS}},
		KeySchema:            []types.KeySchemaElement{{AttributeName: aws.String("id"), KeyType: types.KeyTypeHash}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := dynamodb.NewTableExistsWaiter(client).Wait(ctx, &dynamodb.DescribeTableInput{TableName: name}, time.Minute); err != nil {
		t.Fatal(err)
	}
	item := map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: "a"}, "units": &types.AttributeValueMemberN{Value: "10"}}
	if _, err := client.PutItem(ctx, &dynamodb.PutItemInput{TableName: name, Item: item, ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal}); err != nil {
		t.Fatal(err)
	}
	got, err := client.GetItem(ctx, &dynamodb.GetItemInput{TableName: name, Key: map[string]types.AttributeValue{"id": item["id"]}})
	if err != nil || got.Item["units"].(*types.AttributeValueMemberN).Value != "10" {
		t.Fatalf("%+v, %v", got, err)
	}
	_, err = client.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: name, Item: item, ConditionExpression: aws.String("attribute_not_exists(id)"),
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	})
	var refused *types.ConditionalCheckFailedException
	if !errors.As(err, &refused) || len(refused.Item) != 2 {
		t.Errorf("%#v", err)
	}
	_, err = client.CreateBackup(ctx, &dynamodb.CreateBackupInput{TableName: aws.String("Nowhere"), BackupName: aws.String("b")})
	var answered smithy.APIError
	if !errors.As(err, &answered) { // asked and answered, though this module has no method for it
		t.Errorf("%v", err)
	}
	if _, err := client.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: name}); err != nil {
		t.Error(err)
	}
}

// TestClientAndHooks has hooks see the SDK's calls, and ask for units where the program did not, but not twice.
func TestClientAndHooks(t *testing.T) {
	var seen []string
	hook := func(next tablewright.Transport) tablewright.Transport {
		return tablewright.TransportFunc(func(ctx context.Context, c *tablewright.Call) error {
			c.Measure = true
			err := next.Do(ctx, c)
			seen = append(seen, fmt.Sprintf("%s %s.%s %v %v", c.Operation, c.Table, c.Index, c.Read+0, c.Scanned))
			if n := bytes.Count(c.Request, []byte("ReturnConsumedCapacity")); n > 1 {
				t.Errorf("%s", c.Request)
			}
			return err
		})
	}
	client := sdk.Client(tablewright.New(tablewright.InProcess(engine.New(t)), tablewright.Options{Hooks: []tablewright.Hook{hook}}))
	life(t, client)
	text := strings.Join(seen, "\n")
	for _, want := range []string{"ListTables . 0 0", "GetItem Bank. 0.5 1", "PutItem Bank. 0 0", "CreateBackup Nowhere. 0 0"} {
		if !strings.Contains(text, want) {
			t.Errorf("hooks did not see %q in:\n%s", want, text)
		}
	}
}

// Calls that a program names are statistics of access patterns; those of one request are still one caller's.
func TestNamed(t *testing.T) {
	collector := stats.NewCollector(stats.Options{})
	db := tablewright.New(tablewright.InProcess(engine.New(t)), tablewright.Options{Hooks: []tablewright.Hook{collector.Hook}})
	if err := bank.CreateIn(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	client := sdk.Client(db)
	get := func(ctx context.Context, id string) {
		t.Helper()
		_, err := client.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String("Bank"), Key: map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: id}}})
		if err != nil {
			t.Error(err)
		}
	}
	for range 20 { // as a handler does for a request
		ctx, cancel := context.WithCancel(t.Context())
		for i := range 5 {
			get(sdk.Named(ctx, "accountById"), fmt.Sprint(i))
		}
		cancel()
	}
	get(t.Context(), "a")
	calls, runs := map[string]float64{}, 0.0
	s := collector.Snapshot()
	for _, o := range s.Operations {
		if o.Operation == "GetItem" {
			calls[o.Pattern] = o.Calls
		}
	}
	for _, e := range s.Episodes {
		if e.Kind == stats.SingleGets && e.Pattern == "accountById" {
			runs += e.Count
		}
	}
	if calls["accountById"] != 100 || calls[""] != 1 || runs != 20 {
		t.Errorf("calls %v, %v runs of gets", calls, runs)
	}
}

// TestServiceError finds the SDK's types in errors of this module, and still its own.
func TestServiceError(t *testing.T) {
	ctx, db := t.Context(), tablewright.New(tablewright.InProcess(engine.New(t)), tablewright.Options{Retry: tablewright.Retry{Attempts: 1}})
	if err := bank.CreateIn(ctx, db); err != nil {
		t.Fatal(err)
	}
	if err := Accounts.Create(account{"a", "Ann", 10}).Run(ctx, db); err != nil {
		t.Fatal(err)
	}
	err := sdk.ServiceError(Accounts.Update("a", Accounts.Units.Plus(5)).If(Accounts.Owner.Equals("Ben")).Run(ctx, db))
	var refused *types.ConditionalCheckFailedException
	if !errors.As(err, &refused) || refused.Item["owner"].(*types.AttributeValueMemberS).Value != "Ann" || !errors.Is(err, tablewright.ErrConditionFailed) {
		t.Errorf("%#v", err)
	}
	err = sdk.ServiceError(tablewright.Transact(Accounts.Create(account{"b", "Ben", 1}), Accounts.Create(account{"a", "Ann", 1})).Run(ctx, db))
	var cancelled *types.TransactionCanceledException
	if !errors.As(err, &cancelled) || len(cancelled.CancellationReasons) != 2 || *cancelled.CancellationReasons[1].Code != "ConditionalCheckFailed" {
		t.Errorf("%#v", err)
	}
	throttled := &wire.Error{Code: wire.CodeThroughputExceeded, Message: "slow down", Throttling: []wire.ThrottlingReason{{Reason: "TableReadProvisionedThroughputExceeded", Resource: "arn:aws:dynamodb:eu-north-1:123456789012:table/Bank"}}}
	var busy *types.ProvisionedThroughputExceededException
	if err := sdk.ServiceError(throttled); !errors.As(err, &busy) || len(busy.ThrottlingReasons) != 1 || *busy.ThrottlingReasons[0].Reason != throttled.Throttling[0].Reason {
		t.Errorf("%#v", err)
	}
	limited := &wire.Error{Code: wire.CodeThrottling, Message: "slow down", Throttling: throttled.Throttling}
	var throttling *types.ThrottlingException
	if err := sdk.ServiceError(limited); !errors.As(err, &throttling) || len(throttling.ThrottlingReasons) != 1 || *throttling.ThrottlingReasons[0].Reason != throttled.Throttling[0].Reason {
		t.Errorf("%v: %+v", err, throttling)
	}
	var other smithy.APIError
	if err := sdk.ServiceError(wire.Invalid("no")); !errors.As(err, &other) || other.ErrorCode() != "ValidationException" || other.ErrorMessage() != "no" {
		t.Errorf("%#v", err)
	}
	if err := sdk.ServiceError(tablewright.ErrNotFound); err != tablewright.ErrNotFound || sdk.ServiceError(nil) != nil {
		t.Errorf("%v", err)
	}
}
