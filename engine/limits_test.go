package engine_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/engine/internal/kv"
	"github.com/tablewright/tablewright/wire"
)

// refusal is the message of a ValidationException, or "" for an answer.
func refusal(t *testing.T, err error) string {
	t.Helper()
	if err == nil {
		return ""
	}
	var refused *wire.Error
	if !errors.As(err, &refused) || refused.Code != wire.CodeValidation {
		t.Fatalf("%v", err)
	}
	return strings.TrimPrefix(refused.Message, "1 validation error detected: ")
}

// TestLimits holds limits that are too large for the cases' files, at their exact boundary (Constraints).
func TestLimits(t *testing.T) {
	e := open(t, "", nil)
	do(t, e, "CreateTable", schema)
	do(t, e, "CreateTable", `{"TableName":"plain","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],"BillingMode":"PAY_PER_REQUEST"}`)
	do(t, e, "CreateTable", `{"TableName":"sorted","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"S"}],"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],"BillingMode":"PAY_PER_REQUEST"}`)
	xs := func(n int) string { return strings.Repeat("x", n) }
	const (
		tooLarge = "Item size has exceeded the maximum allowed size"
		update   = "Item size to update has exceeded the maximum allowed size"
		longName = "Attribute name is too large, must be less than 65536 bytes"
	)
	for _, c := range []struct {
		what, operation, request, want string
	}{
		// "pk", "a" and "v" are 4 bytes of the 409,600.
		{"item of 400 KB", "PutItem", `{"TableName":"plain","Item":{"pk":{"S":"a"},"v":{"S":"` + xs(409_600-4) + `"}}}`, ""},
		{"item above 400 KB", "PutItem", `{"TableName":"plain","Item":{"pk":{"S":"a"},"v":{"S":"` + xs(409_600-3) + `"}}}`, tooLarge},
		{"batch item above 400 KB", "BatchWriteItem", `{"RequestItems":{"plain":[{"PutRequest":{"Item":{"pk":{"S":"a"},"v":{"S":"` + xs(409_600) + `"}}}}]}}`, tooLarge},
		{"update above 400 KB", "UpdateItem", `{"TableName":"plain","Key":{"pk":{"S":"b"}},"UpdateExpression":"SET v = :v","ExpressionAttributeValues":{":v":{"S":"` + xs(409_600-3) + `"}}}`, update},
		// What a statement names counts with 3 bytes and 19 for each SET; what it does not name does not (found on AWS, 2026-08).
		{"update of what an item may hold less 22 bytes", "UpdateItem", `{"TableName":"plain","Key":{"pk":{"S":"u"}},"UpdateExpression":"SET v = :v","ExpressionAttributeValues":{":v":{"S":"` + xs(409_600-1-22) + `"}}}`, ""},
		{"update of a byte more", "UpdateItem", `{"TableName":"plain","Key":{"pk":{"S":"u"}},"UpdateExpression":"SET v = :v","ExpressionAttributeValues":{":v":{"S":"` + xs(409_600-1-21) + `"}}}`, update},
		{"the same in a transaction", "TransactWriteItems", `{"TransactItems":[{"Update":{"TableName":"plain","Key":{"pk":{"S":"u"}},"UpdateExpression":"SET v = :v","ExpressionAttributeValues":{":v":{"S":"` + xs(409_600-1-21) + `"}}}}]}`, ""},
		{"two SETs", "UpdateItem", `{"TableName":"plain","Key":{"pk":{"S":"u"}},"UpdateExpression":"SET v = :v, w = :w","ExpressionAttributeValues":{":w":{"S":"w"},":v":{"S":"` + xs(409_600-1-2-41) + `"}}}`, ""},
		{"two SETs of a byte more", "UpdateItem", `{"TableName":"plain","Key":{"pk":{"S":"u"}},"UpdateExpression":"SET v = :v, w = :w","ExpressionAttributeValues":{":w":{"S":"w"},":v":{"S":"` + xs(409_600-1-2-40) + `"}}}`, update},
		{"another attribute is not counted", "UpdateItem", `{"TableName":"plain","Key":{"pk":{"S":"u"}},"UpdateExpression":"SET v = :v","ExpressionAttributeValues":{":v":{"S":"` + xs(409_600-1-22) + `"}}}`, ""},
		{"name of 65,535 bytes", "PutItem", `{"TableName":"plain","Item":{"pk":{"S":"a"},"m":{"M":{"` + xs(65535) + `":{"S":""}}}}}`, ""},
		{"name of 64 KB", "PutItem", `{"TableName":"plain","Item":{"pk":{"S":"a"},"` + xs(65536) + `":{"S":""}}}`, longName},
		{"nested name of 64 KB", "PutItem", `{"TableName":"plain","Item":{"pk":{"S":"a"},"l":{"L":[{"M":{"` + xs(65536) + `":{"S":""}}}]}}}`, longName},
		{"updated name of 64 KB", "UpdateItem", `{"TableName":"plain","Key":{"pk":{"S":"b"}},"UpdateExpression":"SET v = :v","ExpressionAttributeValues":{":v":{"M":{"` + xs(65536) + `":{"S":""}}}}}`, longName},
		{"name of 64 KB in AttributeUpdates", "UpdateItem", `{"TableName":"plain","Key":{"pk":{"S":"b"}},"AttributeUpdates":{"` + xs(65536) + `":{"Value":{"S":""}}}}`, longName},
		{"name of 64 KB in Expected", "DeleteItem", `{"TableName":"plain","Key":{"pk":{"S":"b"}},"Expected":{"` + xs(65536) + `":{"Exists":false}}}`, longName},
		{"name of 64 KB in ScanFilter", "Scan", `{"TableName":"plain","ScanFilter":{"` + xs(65536) + `":{"ComparisonOperator":"NULL"}}}`, longName},
		{"name of 64 KB in AttributesToGet", "GetItem", `{"TableName":"plain","Key":{"pk":{"S":"b"}},"AttributesToGet":["` + xs(65536) + `"]}`, longName},
		{"300 operators", "Scan", `{"TableName":"plain","FilterExpression":"` + strings.TrimSuffix(strings.Repeat("a=b OR ", 150), " OR ") + `"}`, ""},
		{"301 operators", "Scan", `{"TableName":"plain","FilterExpression":"NOT NOT ` + strings.TrimSuffix(strings.Repeat("a=b OR ", 150), " OR ") + `"}`,
			"Invalid FilterExpression: The expression contains too many operators; operator count: 301"},
		{"sort key of 1,024 bytes", "PutItem", `{"TableName":"sorted","Item":{"pk":{"S":"a"},"sk":{"S":"` + xs(1024) + `"}}}`, ""},
		{"sort key above", "GetItem", `{"TableName":"sorted","Key":{"pk":{"S":"a"},"sk":{"S":"` + xs(1025) + `"}}}`, "One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size limit of 1024 bytes"},
		{"placeholder of 255 bytes", "GetItem", `{"TableName":"plain","Key":{"pk":{"S":"a"}},"ProjectionExpression":"#` + xs(254) + `","ExpressionAttributeNames":{"#` + xs(254) + `":"a"}}`, ""},
		{"too deep in a condition check", "TransactWriteItems", `{"TransactItems":[{"ConditionCheck":{"TableName":"plain","Key":{"pk":{"S":"zz"}},"ConditionExpression":"pk <> :v","ExpressionAttributeValues":{":v":` + strings.Repeat(`{"L":[`, 32) + `{"S":"x"}` + strings.Repeat(`]}`, 32) + `}}}]}`, ""},
		{"token of 37 characters", "TransactWriteItems", `{"ClientRequestToken":"` + xs(37) + `","TransactItems":[{"Delete":{"TableName":"plain","Key":{"pk":{"S":"q"}}}}]}`, "Value '" + xs(37) + "' at 'clientRequestToken' failed to satisfy constraint: Member must have length less than or equal to 36"},
		{"partition key of 2,048 bytes", "PutItem", `{"TableName":"plain","Item":{"pk":{"S":"` + xs(2048) + `"}}}`, ""},
		{"partition key above", "PutItem", `{"TableName":"plain","Item":{"pk":{"S":"` + xs(2049) + `"}}}`, "One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of2048 bytes"},
		{"index key of 2,048 bytes", "PutItem", `{"TableName":"tbl","Item":{"pk":{"S":"a"},"sk":{"N":"1"},"g":{"S":"` + xs(2048) + `"}}}`, ""},
		{"index key above", "PutItem", `{"TableName":"tbl","Item":{"pk":{"S":"a"},"sk":{"N":"1"},"g":{"S":"` + xs(2049) + `"}}}`,
			"One or more parameter values were invalid: Size limit exceeded for Index Key g Actual Size: 2049 bytes Max Size: 2048 bytes IndexName: gsi"},
		{"nesting of 31", "PutItem", `{"TableName":"plain","Item":{"pk":{"S":"a"},"v":` + strings.Repeat(`{"L":[`, 31) + `{"S":"x"}` + strings.Repeat(`]}`, 31) + `}}`, ""},
		{"nesting of 32", "PutItem", `{"TableName":"plain","Item":{"pk":{"S":"a"},"v":` + strings.Repeat(`{"L":[`, 32) + `{"S":"x"}` + strings.Repeat(`]}`, 32) + `}}`,
			"Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit"},
		{"25 writes", "BatchWriteItem", `{"RequestItems":{"plain":[` + many(25, `{"DeleteRequest":{"Key":{"pk":{"S":"%d"}}}}`) + `]}}`, ""},
		{"26 writes", "BatchWriteItem", `{"RequestItems":{"plain":[` + many(26, `{"DeleteRequest":{"Key":{"pk":{"S":"%d"}}}}`) + `]}}`, "…Member must have length less than or equal to 25, Member must have length greater than or equal to 1]"},
		{"26 writes to two tables", "BatchWriteItem", `{"RequestItems":{"plain":[` + many(20, `{"DeleteRequest":{"Key":{"pk":{"S":"%d"}}}}`) + `],"tbl":[` + many(6, `{"DeleteRequest":{"Key":{"pk":{"S":"a"},"sk":{"N":"%d"}}}}`) + `]}}`,
			"Too many items requested for the BatchWriteItem call"},
		{"100 keys", "BatchGetItem", `{"RequestItems":{"plain":{"Keys":[` + many(100, `{"pk":{"S":"%d"}}`) + `]}}}`, ""},
		{"101 keys", "BatchGetItem", `{"RequestItems":{"plain":{"Keys":[` + many(101, `{"pk":{"S":"%d"}}`) + `]}}}`, "Value at 'RequestItems.plain.member.Keys' failed to satisfy constraint: Member must have length less than or equal to 100"},
		{"100 actions", "TransactWriteItems", `{"TransactItems":[` + many(100, `{"Delete":{"TableName":"plain","Key":{"pk":{"S":"%d"}}}}`) + `]}`, ""},
		{"101 actions", "TransactWriteItems", `{"TransactItems":[` + many(101, `{"Delete":{"TableName":"plain","Key":{"pk":{"S":"%d"}}}}`) + `]}`, "…Member must have length less than or equal to 100"},
		{"transaction above 4 MB", "TransactWriteItems", `{"TransactItems":[` + many(11, `{"Put":{"TableName":"plain","Item":{"pk":{"S":"%d"},"v":{"S":"`+xs(400_000)+`"}}}}`) + `]}`,
			"Transaction size has exceeded the maximum allowed size"},
		{"expression of 4 KB", "GetItem", `{"TableName":"plain","Key":{"pk":{"S":"a"}},"ProjectionExpression":"` + xs(4096) + `"}`, ""},
		{"expression above 4 KB", "GetItem", `{"TableName":"plain","Key":{"pk":{"S":"a"}},"ProjectionExpression":"` + xs(4097) + `"}`,
			"Invalid ProjectionExpression: Expression size has exceeded the maximum allowed size;"},
	} {
		_, err := try(e, c.operation, c.request)
		got := refusal(t, err)
		if end, ok := strings.CutPrefix(c.want, "…"); ok {
			if !strings.HasSuffix(got, end) {
				t.Errorf("%s: %.300s", c.what, got)
			}
		} else if got != c.want {
			t.Errorf("%s: %.300s", c.what, got)
		}
	}
}

// many fills a pattern with 0 … n-1, with commas between.
func many(n int, pattern string) string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = fmt.Sprintf(pattern, i)
	}
	return strings.Join(parts, ",")
}

// TestTagLengths: keys have up to 128 characters and values 256 (API_Tag), whatever their bytes.
func TestTagLengths(t *testing.T) {
	e := open(t, "", nil)
	do(t, e, "CreateTable", schema)
	tag := func(key, value int) string {
		_, err := try(e, "TagResource", `{"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/tbl","Tags":[{"Key":"%s","Value":"%s"}]}`,
			strings.Repeat("ü", key), strings.Repeat("語", value))
		return refusal(t, err)
	}
	if got := tag(128, 256); got != "" {
		t.Error(got)
	}
	for _, l := range [][2]int{{129, 1}, {1, 257}, {0, 1}} {
		if tag(l[0], l[1]) == "" {
			t.Errorf("a tag with lengths %v is taken", l)
		}
	}
}

// TestTagARNs: what is no table of this account and Region is refused by what is wrong with it.
func TestTagARNs(t *testing.T) {
	e := open(t, "", nil)
	for arn, want := range map[string]string{
		"tbl": wire.CodeValidation,
		"arn:aws:dynamodb:us-east-1:000000000000:table/tbl":  wire.CodeResourceNotFound,
		"arn:aws:dynamodb:us-east-1:000000000000:stream/tbl": wire.CodeValidation,
		"arn:aws:dynamodb:eu-west-1:000000000000:table/tbl":  wire.CodeValidation,
		"arn:aws:dynamodb:eu-west-1:123456789012:table/tbl":  "AccessDeniedException",
		"arn:aws:sqs:us-east-1:000000000000:tbl":             "AccessDeniedException",
	} {
		_, err := try(e, "ListTagsOfResource", `{"ResourceArn":"%s"}`, arn)
		var refused *wire.Error
		if !errors.As(err, &refused) || refused.Code != want {
			t.Errorf("%s: %v, want a %s", arn, err, want)
		}
	}
	tags := many(51, `{"Key":"%d","Value":""}`)
	_, err := try(e, "CreateTable", strings.TrimSuffix(schema, "}")+`,"Tags":[`+tags+`]}`)
	if refusal(t, err) != "Number of Tags exceed the current limit for the provided ResourceArn" {
		t.Errorf("a table with 51 tags: %v", err)
	}
}

// TestLocalIndexesCountForTheItem: an item and its entries in local indexes share the 400 KB (LSI).
func TestLocalIndexesCountForTheItem(t *testing.T) {
	e := open(t, "", nil)
	do(t, e, "CreateTable", `{"TableName":"tbl","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"S"},{"AttributeName":"l","AttributeType":"S"}],
		"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],
		"LocalSecondaryIndexes":[{"IndexName":"lsi","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"l","KeyType":"RANGE"}],"Projection":{"ProjectionType":"ALL"}}]}`)
	put := func(n int, l string) string {
		_, err := try(e, "PutItem", `{"TableName":"tbl","Item":{"pk":{"S":"a"},"sk":{"S":"a"},"v":{"S":"`+strings.Repeat("x", n)+`"}`+l+`}}`)
		return refusal(t, err)
	}
	if got := put(300_000, ""); got != "" {
		t.Error(got)
	}
	if got := put(300_000, `,"l":{"S":"l"}`); got != "Item size has exceeded the maximum allowed size" {
		t.Error(got)
	}
	if got := put(200_000, `,"l":{"S":"l"}`); got != "" {
		t.Error(got)
	}
	metrics := do(t, e, "PutItem", `{"TableName":"tbl","Item":{"pk":{"S":"a"},"sk":{"S":"b"}},"ReturnItemCollectionMetrics":"SIZE"}`)
	if got := fmt.Sprint(metrics); got != "map[ItemCollectionMetrics:map[ItemCollectionKey:map[pk:map[S:a]] SizeEstimateRangeGB:[0 1]]]" {
		t.Error(got)
	}
}

// TestBatchGetLimits: what passes 16 MB, or 1 MB of a partition, comes back as unprocessed (BatchGetItem, ServiceQuotas).
func TestBatchGetLimits(t *testing.T) {
	e := open(t, "", nil)
	do(t, e, "CreateTable", `{"TableName":"tbl","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"N"}],
		"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}]}`)
	pad := strings.Repeat("x", 300_000)
	for i := range 60 {
		do(t, e, "PutItem", `{"TableName":"tbl","Item":{"pk":{"S":"%d"},"sk":{"N":"1"},"v":{"S":"%s"}}}`, i, pad)
	}
	for i := range 5 {
		do(t, e, "PutItem", `{"TableName":"tbl","Item":{"pk":{"S":"one"},"sk":{"N":"%d"},"v":{"S":"%s"}}}`, i, pad)
	}
	get := func(keys string) (found, left int) {
		body, err := e.Do(context.Background(), "BatchGetItem", []byte(`{"RequestItems":{"tbl":{"Keys":[`+keys+`],"ConsistentRead":true}}}`))
		if err != nil {
			t.Fatal(err)
		}
		answer, err := wire.DecodeBatchGetItemOutput(body)
		if err != nil {
			t.Fatal(err)
		}
		for _, rest := range answer.Unprocessed {
			left += len(rest.Keys)
			if !rest.ConsistentRead {
				t.Error("what is left over is no longer to be read consistently")
			}
		}
		return answer.Responses[0].Items.Len(), left
	}
	if found, left := get(many(60, `{"pk":{"S":"%d"},"sk":{"N":"1"}}`)); found != 55 || left != 5 {
		t.Errorf("of 60 items of 300 KB: %d found, %d left over", found, left)
	}
	if found, left := get(many(5, `{"pk":{"S":"one"},"sk":{"N":"%d"}}`)); found != 3 || left != 2 {
		t.Errorf("of 5 items of 300 KB in one partition: %d found, %d left over", found, left)
	}
}

// TestUpdateTableLimits: what CreateTable refuses UpdateTable does as well (ServiceQuotas).
func TestUpdateTableLimits(t *testing.T) {
	e := open(t, "", nil)
	index := `{"IndexName":"i%d","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],"Projection":{"ProjectionType":"KEYS_ONLY"}}`
	do(t, e, "CreateTable", hashTable, `,"GlobalSecondaryIndexes":[`+many(19, strings.ReplaceAll(index, "i%d", "index%d"))+`]`)
	update := func(definitions, name string) string {
		e.WaitFilled() // one creation at a time
		_, err := try(e, "UpdateTable", `{"TableName":"tbl","AttributeDefinitions":[`+definitions+`],"GlobalSecondaryIndexUpdates":[{"Create":`+strings.ReplaceAll(index, "i%d", name)+`}]}`)
		return refusal(t, err)
	}
	const pk = `{"AttributeName":"pk","AttributeType":"S"}`
	if got := update(pk+","+pk, "twice"); got != "Attribute Name is duplicated: pk" {
		t.Errorf("an attribute defined twice: %s", got)
	}
	if got := update(`{"AttributeName":"`+strings.Repeat("x", 256)+`","AttributeType":"S"},`+pk, "long"); !strings.HasSuffix(got, "Member must have length less than or equal to 255") {
		t.Errorf("a name of 256 bytes: %s", got)
	}
	if got := update(pk, "index20"); got != "" {
		t.Errorf("the 20th index: %s", got)
	}
	e.WaitFilled()
	_, err := try(e, "UpdateTable", `{"TableName":"tbl","AttributeDefinitions":[`+pk+`],"GlobalSecondaryIndexUpdates":[{"Create":`+strings.ReplaceAll(index, "i%d", "index21")+`}]}`)
	if !errors.Is(err, wire.ErrLimit) || !strings.Contains(err.Error(), "Number of global secondary indexes exceeds per-table limit of 20") {
		t.Errorf("the 21st index: %v", err)
	}
}

// TestTransactionSize: 4 MB hold for all items of a transaction together, whatever writes them (transaction-apis).
func TestTransactionSize(t *testing.T) {
	e := open(t, "", nil)
	do(t, e, "CreateTable", hashTable, "")
	half := strings.Repeat("x", 350_000)
	puts := many(6, `{"Put":{"TableName":"tbl","Item":{"pk":{"S":"p%d"},"v":{"S":"`+half+`"}}}}`)
	updates := func(n int) string {
		return many(n, `{"Update":{"TableName":"tbl","Key":{"pk":{"S":"u%d"}},"UpdateExpression":"SET v = :v","ExpressionAttributeValues":{":v":{"S":"`+half+`"}}}}`)
	}
	for n, want := range map[int]string{5: "", 6: "Transaction size has exceeded the maximum allowed size"} {
		_, err := try(e, "TransactWriteItems", `{"TransactItems":[`+puts+`,`+updates(n)+`]}`)
		if got := refusal(t, err); got != want {
			t.Errorf("6 puts and %d updates of 350 KB: %q", n, got)
		}
	}
}

// TestCollectionLimit: an item collection of a table with local indexes ends at 10 GB, for what grows it only (LSI, Item
// collection size limit). The figures of a collection are set to what it would be, since 10 GB are too many to write.
func TestCollectionLimit(t *testing.T) {
	dir := t.TempDir()
	e, err := engine.Open(dir, &engine.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	do(t, e, "CreateTable", schema)
	do(t, e, "PutItem", `{"TableName":"tbl","Item":{"pk":{"S":"full"},"sk":{"N":"1"},"v":{"S":"xxxxxxxxxx"}}}`)
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	const collections = 16 | 1<<31 // the space of the figures of the first table's
	b, err := kv.OpenDurable(dir, kv.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	err = b.Update(func(w kv.Writer) error {
		var key []byte
		w.Ascend(collections, nil, nil, func(k, _ []byte) bool { key = bytes.Clone(k); return false })
		w.Put(collections, key, binary.BigEndian.AppendUint64(nil, 10<<30-40))
		return nil
	})
	if err := errors.Join(err, b.Close()); err != nil {
		t.Fatal(err)
	}
	if e, err = engine.Open(dir, &engine.Options{NoSync: true}); err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	code := func(operation, request string) string {
		_, err := try(e, operation, request)
		var refused *wire.Error
		switch {
		case err == nil:
			return ""
		case !errors.As(err, &refused):
			t.Fatal(err)
		case len(refused.Reasons) > 0:
			return refused.Reasons[0].Code
		}
		return refused.Code
	}
	pad := strings.Repeat("x", 100)
	for _, c := range [][3]string{
		{"PutItem", `{"TableName":"tbl","Item":{"pk":{"S":"full"},"sk":{"N":"2"},"v":{"S":"` + pad + `"}}}`, wire.CodeCollectionSizeExceeded},
		{"UpdateItem", `{"TableName":"tbl","Key":{"pk":{"S":"full"},"sk":{"N":"1"}},"UpdateExpression":"SET v = :v","ExpressionAttributeValues":{":v":{"S":"` + pad + `"}}}`, wire.CodeCollectionSizeExceeded},
		{"TransactWriteItems", `{"TransactItems":[{"Put":{"TableName":"tbl","Item":{"pk":{"S":"full"},"sk":{"N":"2"},"v":{"S":"` + pad + `"}}}}]}`, "ItemCollectionSizeLimitExceeded"},
		{"BatchWriteItem", `{"RequestItems":{"tbl":[{"PutRequest":{"Item":{"pk":{"S":"full"},"sk":{"N":"2"},"v":{"S":"` + pad + `"}}}}]}}`, wire.CodeCollectionSizeExceeded},
		{"BatchWriteItem", `{"RequestItems":{"tbl":[{"PutRequest":{"Item":{"pk":{"S":"full"},"sk":{"N":"2"},"v":{"S":"12345678"}}}},{"PutRequest":{"Item":{"pk":{"S":"full"},"sk":{"N":"3"},"v":{"S":"12345678"}}}},{"PutRequest":{"Item":{"pk":{"S":"full"},"sk":{"N":"4"},"v":{"S":"12345678"}}}}]}}`, wire.CodeCollectionSizeExceeded},
		{"PutItem", `{"TableName":"tbl","Item":{"pk":{"S":"other"},"sk":{"N":"2"},"v":{"S":"` + pad + `"}}}`, ""},
		{"UpdateItem", `{"TableName":"tbl","Key":{"pk":{"S":"full"},"sk":{"N":"1"}},"UpdateExpression":"SET v = :v","ExpressionAttributeValues":{":v":{"S":"shorter"}}}`, ""},
		{"DeleteItem", `{"TableName":"tbl","Key":{"pk":{"S":"full"},"sk":{"N":"1"}}}`, ""},
	} {
		if got := code(c[0], c[1]); got != c[2] {
			t.Errorf("%s %s\n  got %q, want %q", c[0], c[1], got, c[2])
		}
	}
	metrics := do(t, e, "PutItem", `{"TableName":"tbl","Item":{"pk":{"S":"full"},"sk":{"N":"1"}},"ReturnItemCollectionMetrics":"SIZE"}`)
	if got := fmt.Sprint(metrics["ItemCollectionMetrics"].(map[string]any)["SizeEstimateRangeGB"]); got != "[9 10]" {
		t.Errorf("the estimate of 10 GB is %s", got)
	}
}
