package sdk_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
)

// ordersTable has orders of customers, with an index of several attributes and one of its partition's.
func ordersTable(name string) *dynamodb.CreateTableInput {
	key := func(name string, kind types.KeyType) types.KeySchemaElement {
		return types.KeySchemaElement{AttributeName: aws.String(name), KeyType: kind}
	}
	return &dynamodb.CreateTableInput{
		TableName: aws.String(name),
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("customer"), AttributeType: types.ScalarAttributeTypeS},
			{AttributeName: aws.String("order"), AttributeType: types.ScalarAttributeTypeS},
			{AttributeName: aws.String("country"), AttributeType: types.ScalarAttributeTypeS},
			{AttributeName: aws.String("status"), AttributeType: types.ScalarAttributeTypeS},
			{AttributeName: aws.String("amount"), AttributeType: types.ScalarAttributeTypeN},
		},
		KeySchema: []types.KeySchemaElement{key("customer", types.KeyTypeHash), key("order", types.KeyTypeRange)},
		GlobalSecondaryIndexes: []types.GlobalSecondaryIndex{{
			IndexName:  aws.String("by-place"),
			KeySchema:  []types.KeySchemaElement{key("country", types.KeyTypeHash), key("status", types.KeyTypeHash), key("amount", types.KeyTypeRange), key("order", types.KeyTypeRange)},
			Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll},
		}},
		LocalSecondaryIndexes: []types.LocalSecondaryIndex{{
			IndexName:  aws.String("by-amount"),
			KeySchema:  []types.KeySchemaElement{key("customer", types.KeyTypeHash), key("amount", types.KeyTypeRange)},
			Projection: &types.Projection{ProjectionType: types.ProjectionTypeKeysOnly},
		}},
		BillingMode: types.BillingModePayPerRequest,
		Tags:        []types.Tag{{Key: aws.String("team"), Value: aws.String("shop")}},
	}
}

func order(customer, n int) item {
	return item{
		"customer": str("c" + strconv.Itoa(customer)), "order": str(fmt.Sprintf("o%04d", n)),
		"country": str([]string{"de", "fr"}[n%2]), "status": str("open"), "amount": num(strconv.Itoa(n * 10)),
	}
}

func createTable(t *testing.T, c *dynamodb.Client, in *dynamodb.CreateTableInput) *types.TableDescription {
	t.Helper()
	if _, err := c.CreateTable(t.Context(), in); err != nil {
		t.Fatal(err)
	}
	return waitForTable(t, c, *in.TableName)
}

// waitForTable waits as programs do, also for the indexes, which the SDK's waiter does not look at.
func waitForTable(t *testing.T, c *dynamodb.Client, name string) *types.TableDescription {
	t.Helper()
	waiter := dynamodb.NewTableExistsWaiter(c, func(o *dynamodb.TableExistsWaiterOptions) { o.MinDelay = 10 * time.Millisecond })
	for range 500 {
		out, err := waiter.WaitForOutput(t.Context(), &dynamodb.DescribeTableInput{TableName: &name}, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(out.Table.GlobalSecondaryIndexes, func(x types.GlobalSecondaryIndexDescription) bool {
			return x.IndexStatus != types.IndexStatusActive
		}) {
			return out.Table
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("an index does not become active")
	return nil
}

func must[O any](out O, err error) func(t *testing.T) O {
	return func(t *testing.T) O {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
}

func TestGoTables(t *testing.T) {
	ctx, c := t.Context(), newClient(t, startServe(t))
	name := aws.String("orders")
	table := createTable(t, c, ordersTable("orders"))
	if table.TableStatus != types.TableStatusActive || table.TableId == nil || table.CreationDateTime == nil ||
		time.Since(*table.CreationDateTime).Abs() > time.Minute || len(table.KeySchema) != 2 ||
		len(table.GlobalSecondaryIndexes) != 1 || len(table.GlobalSecondaryIndexes[0].KeySchema) != 4 || len(table.LocalSecondaryIndexes) != 1 ||
		table.BillingModeSummary.BillingMode != types.BillingModePayPerRequest || *table.DeletionProtectionEnabled {
		t.Errorf("%+v", table)
	}
	if _, err := c.CreateTable(ctx, ordersTable("orders")); !is[*types.ResourceInUseException](err) {
		t.Error(err)
	}
	createTable(t, c, ordersTable("orders-2"))
	names := must(c.ListTables(ctx, &dynamodb.ListTablesInput{Limit: aws.Int32(1)}))(t)
	pages := dynamodb.NewListTablesPaginator(c, &dynamodb.ListTablesInput{Limit: aws.Int32(1)})
	var all []string
	for pages.HasMorePages() {
		all = append(all, must(pages.NextPage(ctx))(t).TableNames...)
	}
	if len(names.TableNames) != 1 || !slices.Equal(all, []string{"orders", "orders-2"}) {
		t.Error(names.TableNames, all)
	}

	// An index is added to a table that has items, and is complete once it is active.
	for i := range 40 {
		must(c.PutItem(ctx, &dynamodb.PutItemInput{TableName: name, Item: order(i%4, i)}))(t)
	}
	must(c.UpdateTable(ctx, &dynamodb.UpdateTableInput{
		TableName:            name,
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("status"), AttributeType: types.ScalarAttributeTypeS}, {AttributeName: aws.String("order"), AttributeType: types.ScalarAttributeTypeS}},
		GlobalSecondaryIndexUpdates: []types.GlobalSecondaryIndexUpdate{{Create: &types.CreateGlobalSecondaryIndexAction{
			IndexName:  aws.String("by-status"),
			KeySchema:  []types.KeySchemaElement{{AttributeName: aws.String("status"), KeyType: types.KeyTypeHash}, {AttributeName: aws.String("order"), KeyType: types.KeyTypeRange}},
			Projection: &types.Projection{ProjectionType: types.ProjectionTypeInclude, NonKeyAttributes: []string{"amount"}},
		}}},
	}))(t)
	if table = waitForTable(t, c, "orders"); len(table.GlobalSecondaryIndexes) != 2 || table.ItemCount == nil || *table.ItemCount != 40 {
		t.Errorf("%+v", table)
	}
	found := must(c.Query(ctx, &dynamodb.QueryInput{
		TableName: name, IndexName: aws.String("by-status"), KeyConditionExpression: aws.String("#s = :s"),
		ExpressionAttributeNames: map[string]string{"#s": "status"}, ExpressionAttributeValues: item{":s": str("open")},
	}))(t)
	if want := (item{"customer": str("c1"), "order": str("o0001"), "status": str("open"), "amount": num("10")}); found.Count != 40 || !reflect.DeepEqual(found.Items[1], want) {
		t.Error(found.Count, found.Items[1])
	}
	must(c.UpdateTable(ctx, &dynamodb.UpdateTableInput{TableName: name, GlobalSecondaryIndexUpdates: []types.GlobalSecondaryIndexUpdate{
		{Delete: &types.DeleteGlobalSecondaryIndexAction{IndexName: aws.String("by-place")}},
	}}))(t)
	for range 500 {
		if table = waitForTable(t, c, "orders"); len(table.GlobalSecondaryIndexes) == 1 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if *table.GlobalSecondaryIndexes[0].IndexName != "by-status" || len(table.AttributeDefinitions) != 4 {
		t.Errorf("%+v", table)
	}

	// Tags.
	tags := func() []string {
		var list []string
		for _, tag := range must(c.ListTagsOfResource(ctx, &dynamodb.ListTagsOfResourceInput{ResourceArn: table.TableArn}))(t).Tags {
			list = append(list, *tag.Key+"="+*tag.Value)
		}
		slices.Sort(list)
		return list
	}
	must(c.TagResource(ctx, &dynamodb.TagResourceInput{ResourceArn: table.TableArn, Tags: []types.Tag{{Key: aws.String("stage"), Value: aws.String("test")}, {Key: aws.String("team"), Value: aws.String("core")}}}))(t)
	if got := tags(); !slices.Equal(got, []string{"stage=test", "team=core"}) {
		t.Error(got)
	}
	must(c.UntagResource(ctx, &dynamodb.UntagResourceInput{ResourceArn: table.TableArn, TagKeys: []string{"team"}}))(t)
	if got := tags(); !slices.Equal(got, []string{"stage=test"}) {
		t.Error(got)
	}

	// Settings, protection and the end.
	must(c.UpdateTable(ctx, &dynamodb.UpdateTableInput{
		TableName: name, BillingMode: types.BillingModeProvisioned,
		ProvisionedThroughput: &types.ProvisionedThroughput{ReadCapacityUnits: aws.Int64(7), WriteCapacityUnits: aws.Int64(8)},
		GlobalSecondaryIndexUpdates: []types.GlobalSecondaryIndexUpdate{{Update: &types.UpdateGlobalSecondaryIndexAction{
			IndexName: aws.String("by-status"), ProvisionedThroughput: &types.ProvisionedThroughput{ReadCapacityUnits: aws.Int64(3), WriteCapacityUnits: aws.Int64(4)}}}},
	}))(t)
	must(c.UpdateTable(ctx, &dynamodb.UpdateTableInput{TableName: name, DeletionProtectionEnabled: aws.Bool(true)}))(t) // alone: so the service wants it
	table = waitForTable(t, c, "orders")
	if *table.ProvisionedThroughput.ReadCapacityUnits != 7 || *table.GlobalSecondaryIndexes[0].ProvisionedThroughput.WriteCapacityUnits != 4 {
		t.Errorf("%+v", table)
	}
	var refused smithy.APIError
	if _, err := c.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: name}); !errors.As(err, &refused) || refused.ErrorCode() != "ValidationException" || !strings.Contains(refused.ErrorMessage(), "protected against deletion") {
		t.Error(err)
	}
	must(c.UpdateTable(ctx, &dynamodb.UpdateTableInput{TableName: name, DeletionProtectionEnabled: aws.Bool(false)}))(t)
	must(c.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: name}))(t)
	gone := dynamodb.NewTableNotExistsWaiter(c, func(o *dynamodb.TableNotExistsWaiterOptions) { o.MinDelay = 10 * time.Millisecond })
	if err := gone.Wait(ctx, &dynamodb.DescribeTableInput{TableName: name}, time.Minute); err != nil {
		t.Error(err)
	}
	if _, err := c.GetItem(ctx, &dynamodb.GetItemInput{TableName: name, Key: item{"customer": str("c1"), "order": str("o0001")}}); !is[*types.ResourceNotFoundException](err) {
		t.Error(err)
	}
}

// is reports whether an error is of one of the SDK's types.
func is[E error](err error) bool {
	var e E
	return errors.As(err, &e)
}

func TestGoItems(t *testing.T) {
	ctx, c := t.Context(), newClient(t, startServe(t))
	name := aws.String("orders")
	createTable(t, c, ordersTable("orders"))
	whole := item{
		"customer": str("c1"), "order": str("o0001"), "s": str("ä\n\"\\\u2028😀"), "n": num("-12345678901234567890.123456789012345678"),
		"b": &types.AttributeValueMemberB{Value: []byte{0, 255}}, "bool": &types.AttributeValueMemberBOOL{Value: true},
		"null": &types.AttributeValueMemberNULL{Value: true}, "ss": set("a"), "ns": &types.AttributeValueMemberNS{Value: []string{"3"}},
		"bs": &types.AttributeValueMemberBS{Value: [][]byte{{1, 2}}}, "l": &types.AttributeValueMemberL{Value: []types.AttributeValue{str(""), num("1")}},
		"m": &types.AttributeValueMemberM{Value: item{"deep": &types.AttributeValueMemberM{Value: item{"x": num("1")}}}},
	}
	key := item{"customer": whole["customer"], "order": whole["order"]}
	must(c.PutItem(ctx, &dynamodb.PutItemInput{TableName: name, Item: whole}))(t)
	got := must(c.GetItem(ctx, &dynamodb.GetItemInput{TableName: name, Key: key, ConsistentRead: aws.Bool(true), ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal}))(t)
	if !reflect.DeepEqual(got.Item, whole) || *got.ConsumedCapacity.CapacityUnits != 1 {
		t.Error(got.Item, got.ConsumedCapacity)
	}
	projected := must(c.GetItem(ctx, &dynamodb.GetItemInput{TableName: name, Key: key, ProjectionExpression: aws.String("l[1], m.deep.x, nope")}))(t)
	if want := (item{"l": &types.AttributeValueMemberL{Value: []types.AttributeValue{num("1")}}, "m": whole["m"]}); !reflect.DeepEqual(projected.Item, want) {
		t.Error(projected.Item)
	}
	updated := must(c.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: name, Key: key, ReturnValues: types.ReturnValueUpdatedNew,
		UpdateExpression:          aws.String("SET m.deep.x = m.deep.x + :one, l = list_append(l, :l) ADD ss :ss REMOVE bs DELETE ns :ns"),
		ConditionExpression:       aws.String("attribute_type(m.deep, :map) AND size(l) = :two"),
		ExpressionAttributeValues: item{":one": num("1"), ":two": num("2"), ":l": &types.AttributeValueMemberL{Value: []types.AttributeValue{num("2")}}, ":ss": set("b"), ":ns": &types.AttributeValueMemberNS{Value: []string{"3"}}, ":map": str("M")},
	}))(t)
	if x := updated.Attributes["m"].(*types.AttributeValueMemberM).Value["deep"].(*types.AttributeValueMemberM).Value["x"]; !reflect.DeepEqual(x, num("2")) || updated.Attributes["ns"] != nil {
		t.Error(updated.Attributes)
	}

	// A condition that fails is an error of its own type, with the item if it was asked for.
	_, err := c.DeleteItem(ctx, &dynamodb.DeleteItemInput{
		TableName: name, Key: key, ConditionExpression: aws.String("attribute_exists(bs)"),
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	})
	var failed *types.ConditionalCheckFailedException
	if !errors.As(err, &failed) || failed.ErrorMessage() != "The conditional request failed" || !reflect.DeepEqual(failed.Item["s"], whole["s"]) {
		t.Error(err)
	}
	var refused smithy.APIError
	_, err = c.UpdateItem(ctx, &dynamodb.UpdateItemInput{TableName: name, Key: key, UpdateExpression: aws.String("SET status = :s"), ExpressionAttributeValues: item{":s": str("x")}})
	if !errors.As(err, &refused) || !strings.HasSuffix(refused.ErrorMessage(), "Invalid UpdateExpression: Attribute name is a reserved keyword; reserved keyword: status") {
		t.Error(err)
	}
	deleted := must(c.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: name, Key: key, ReturnValues: types.ReturnValueAllOld}))(t)
	if len(deleted.Attributes) != len(whole)-2 {
		t.Error(deleted.Attributes)
	}
	if got := must(c.GetItem(ctx, &dynamodb.GetItemInput{TableName: name, Key: key}))(t); got.Item != nil {
		t.Error(got.Item)
	}
}

func TestGoBatchesAndQueries(t *testing.T) {
	ctx, c := t.Context(), newClient(t, startServe(t))
	name := aws.String("orders")
	createTable(t, c, ordersTable("orders"))
	const orders = 60
	for from := 0; from < orders; from += 20 {
		var puts []types.WriteRequest
		for i := from; i < from+20; i++ {
			puts = append(puts, types.WriteRequest{PutRequest: &types.PutRequest{Item: order(i%3, i)}})
		}
		out := must(c.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{"orders": puts}, ReturnConsumedCapacity: types.ReturnConsumedCapacityIndexes}))(t)
		if u := out.ConsumedCapacity[0]; len(out.UnprocessedItems) != 0 || *u.CapacityUnits != 60 || *u.GlobalSecondaryIndexes["by-place"].CapacityUnits != 20 {
			t.Error(out.UnprocessedItems, u)
		}
	}
	keys := []item{}
	for i := range 5 {
		o := order(i%3, i)
		keys = append(keys, item{"customer": o["customer"], "order": o["order"]})
	}
	keys = append(keys, item{"customer": str("nobody"), "order": str("none")})
	got := must(c.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{"orders": {Keys: keys, ConsistentRead: aws.Bool(true)}}}))(t)
	if len(got.Responses["orders"]) != 5 || len(got.UnprocessedKeys) != 0 {
		t.Error(got.Responses)
	}

	// Every item comes once over the pages, in order, forwards and backwards, on the table and its indexes.
	queries := []struct {
		index, condition string
		values           item
		want             int
		member           string
	}{
		{"", "customer = :c", item{":c": str("c1")}, orders / 3, "order"},
		{"", "customer = :c AND #o BETWEEN :a AND :b", item{":c": str("c1"), ":a": str("o0010"), ":b": str("o0031")}, 8, "order"},
		{"by-amount", "customer = :c AND amount >= :t", item{":c": str("c2"), ":t": num("300")}, 10, "amount"},
		{"by-place", "country = :x AND #s = :s AND amount > :t", item{":x": str("de"), ":s": str("open"), ":t": num("99.5")}, 25, "amount"},
	}
	for _, q := range queries {
		for _, forward := range []bool{true, false} {
			in := &dynamodb.QueryInput{
				TableName: name, KeyConditionExpression: &q.condition, ExpressionAttributeValues: q.values,
				ScanIndexForward: &forward, Limit: aws.Int32(3),
			}
			if q.index != "" {
				in.IndexName = &q.index
			}
			in.ExpressionAttributeNames = map[string]string{}
			for alias, attribute := range map[string]string{"#o": "order", "#s": "status"} {
				if strings.Contains(q.condition, alias) {
					in.ExpressionAttributeNames[alias] = attribute
				}
			}
			if len(in.ExpressionAttributeNames) == 0 {
				in.ExpressionAttributeNames = nil
			}
			var seen []string
			for pages := dynamodb.NewQueryPaginator(c, in); pages.HasMorePages(); {
				page := must(pages.NextPage(ctx))(t)
				if page.Count > 3 {
					t.Error(page.Count)
				}
				for _, i := range page.Items {
					switch v := i[q.member].(type) {
					case *types.AttributeValueMemberN:
						seen = append(seen, fmt.Sprintf("%04s", v.Value))
					case *types.AttributeValueMemberS:
						seen = append(seen, v.Value)
					}
				}
			}
			if !forward {
				slices.Reverse(seen)
			}
			if len(seen) != q.want || !slices.IsSorted(seen) || len(slices.Compact(slices.Clone(seen))) != q.want {
				t.Errorf("%s forward %v: %d of %d: %v", q.condition, forward, len(seen), q.want, seen)
			}
		}
	}

	// Segments together have every item once; the filter is applied to what was read.
	segments, read := map[string]bool{}, int32(0)
	for s := range int32(3) {
		for pages := dynamodb.NewScanPaginator(c, &dynamodb.ScanInput{
			TableName: name, Segment: aws.Int32(s), TotalSegments: aws.Int32(3), Limit: aws.Int32(7),
			FilterExpression: aws.String("country = :f"), ExpressionAttributeValues: item{":f": str("fr")},
		}); pages.HasMorePages(); {
			page := must(pages.NextPage(ctx))(t)
			read += page.ScannedCount
			for _, i := range page.Items {
				segments[i["order"].(*types.AttributeValueMemberS).Value] = true
			}
		}
	}
	if len(segments) != orders/2 || read != orders {
		t.Error(len(segments), read)
	}
}

func TestGoTransactions(t *testing.T) {
	ctx, c := t.Context(), newClient(t, startServe(t))
	name := aws.String("orders")
	createTable(t, c, ordersTable("orders"))
	a, b := order(1, 1), order(2, 2)
	keyOf := func(i item) item { return item{"customer": i["customer"], "order": i["order"]} }
	place := &dynamodb.TransactWriteItemsInput{
		ClientRequestToken: aws.String("place-a-and-b"), ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
		TransactItems: []types.TransactWriteItem{
			{Put: &types.Put{TableName: name, Item: a, ConditionExpression: aws.String("attribute_not_exists(customer)")}},
			{Put: &types.Put{TableName: name, Item: b}},
			{ConditionCheck: &types.ConditionCheck{TableName: name, Key: item{"customer": str("c9"), "order": str("-")}, ConditionExpression: aws.String("attribute_not_exists(customer)")}},
		},
	}
	first := must(c.TransactWriteItems(ctx, place))(t)
	again := must(c.TransactWriteItems(ctx, place))(t) // the same token: done once, read the second time
	if *first.ConsumedCapacity[0].WriteCapacityUnits != 2*2+2*2+2 || again.ConsumedCapacity[0].WriteCapacityUnits != nil {
		t.Error(first.ConsumedCapacity[0], again.ConsumedCapacity[0])
	}
	_, err := c.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{ClientRequestToken: place.ClientRequestToken, TransactItems: place.TransactItems[1:]})
	if !is[*types.IdempotentParameterMismatchException](err) {
		t.Error(err)
	}

	_, err = c.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
		{Update: &types.Update{TableName: name, Key: keyOf(b), UpdateExpression: aws.String("SET paid = :t"), ExpressionAttributeValues: item{":t": num("1")}}},
		{Put: &types.Put{TableName: name, Item: a, ConditionExpression: aws.String("attribute_not_exists(customer)"), ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld}},
		{Delete: &types.Delete{TableName: name, Key: item{"customer": str("c9"), "order": str("-")}, ConditionExpression: aws.String("attribute_exists(customer)")}},
	}})
	var cancelled *types.TransactionCanceledException
	if !errors.As(err, &cancelled) {
		t.Fatal(err)
	}
	var codes []string
	for _, r := range cancelled.CancellationReasons {
		codes = append(codes, *r.Code)
	}
	if !slices.Equal(codes, []string{"None", "ConditionalCheckFailed", "ConditionalCheckFailed"}) || !reflect.DeepEqual(cancelled.CancellationReasons[1].Item, a) {
		t.Errorf("%v %+v", codes, cancelled.CancellationReasons)
	}
	read := must(c.TransactGetItems(ctx, &dynamodb.TransactGetItemsInput{TransactItems: []types.TransactGetItem{
		{Get: &types.Get{TableName: name, Key: keyOf(b)}},
		{Get: &types.Get{TableName: name, Key: item{"customer": str("c9"), "order": str("-")}}},
		{Get: &types.Get{TableName: name, Key: keyOf(a), ProjectionExpression: aws.String("amount")}},
	}}))(t)
	if !reflect.DeepEqual(read.Responses[0].Item, b) || read.Responses[1].Item != nil || !reflect.DeepEqual(read.Responses[2].Item, item{"amount": a["amount"]}) {
		t.Error(read.Responses)
	}
}

func TestGoTimeToLive(t *testing.T) {
	ctx, c := t.Context(), newClient(t, startEngine(t, asItIs))
	name := aws.String("orders")
	createTable(t, c, ordersTable("orders"))
	enable := &dynamodb.UpdateTimeToLiveInput{TableName: name, TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: aws.String("expires"), Enabled: aws.Bool(true)}}
	must(c.UpdateTimeToLive(ctx, enable))(t)
	d := must(c.DescribeTimeToLive(ctx, &dynamodb.DescribeTimeToLiveInput{TableName: name}))(t).TimeToLiveDescription
	if d.TimeToLiveStatus != types.TimeToLiveStatusEnabled || *d.AttributeName != "expires" {
		t.Errorf("%+v", d)
	}
	now := time.Now()
	for i, at := range []time.Time{now.Add(-time.Minute), now.Add(time.Hour), now.AddDate(-6, 0, 0)} {
		o := order(1, i)
		o["expires"] = num(strconv.FormatInt(at.Unix(), 10))
		must(c.PutItem(ctx, &dynamodb.PutItemInput{TableName: name, Item: o}))(t)
	}
	// What is over goes, from the index too; what is not, or has been for more than five years, stays.
	for range 250 {
		left := must(c.Query(ctx, &dynamodb.QueryInput{
			TableName: name, IndexName: aws.String("by-place"), KeyConditionExpression: aws.String("country = :c AND #s = :s"),
			ExpressionAttributeNames: map[string]string{"#s": "status"}, ExpressionAttributeValues: item{":c": str("de"), ":s": str("open")},
		}))(t)
		if left.Count == 1 {
			all := must(c.Scan(ctx, &dynamodb.ScanInput{TableName: name}))(t)
			if all.Count != 2 {
				t.Error(all.Items)
			}
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Error("nothing expired")
}

// TestGoChecksum shows that the SDK's check of an answer's CRC32 is on: it is content with what the engine sends, and not
// with the same answer when one byte of it is changed. What it does then is to warn.
func TestGoChecksum(t *testing.T) {
	url := startEngine(t, func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			recorded := httptest.NewRecorder()
			h.ServeHTTP(recorded, r)
			for k, v := range recorded.Header() {
				w.Header()[k] = v
			}
			body := recorded.Body.Bytes()
			if i := strings.Index(string(body), "genuine"); i >= 0 {
				body[i] = 'G'
			}
			w.WriteHeader(recorded.Code)
			_, _ = w.Write(body)
		})
	})
	var warnings []string
	c := newClientThatWarns(url, func(warning string) { warnings = append(warnings, warning) })
	createTable(t, c, ordersTable("orders"))
	for _, note := range []string{"untouched", "genuine"} {
		o := order(1, 1)
		o["note"] = str(note)
		must(c.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("orders"), Item: o}))(t)
		must(c.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: aws.String("orders"), Key: item{"customer": o["customer"], "order": o["order"]}}))(t)
		if note == "untouched" && len(warnings) > 0 || note == "genuine" && (len(warnings) != 1 || !strings.Contains(warnings[0], "checksum")) {
			t.Errorf("%s: %v", note, warnings)
		}
	}
}
