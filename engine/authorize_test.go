package engine_test

import (
	"encoding/json"
	"strings"
	"testing"
)

const (
	account = "arn:aws:dynamodb:us-east-1:000000000000:table/"
	streams = "DynamoDBStreams_20120810."
)

// guarded is a server with tables that alice and bob may use in part: alice all of Mine, of Own the items of partition
// "alice", and of Prod its indexes; bob everything but Prod, attributes called v, and a few actions. What Guarded's own
// policy denies bob is in it.
func guarded(t *testing.T) (c client, prodStream string) {
	c = authenticated(t, map[string]string{
		"alice": `{"Version":"2012-10-17","Statement":[
			{"Effect":"Allow","Action":"dynamodb:*","Resource":["` + account + `Mine","` + account + `Mine/*","` + account + `Prod/index/*"]},
			{"Effect":"Allow","Action":"dynamodb:*","Resource":"` + account + `Own","Condition":{"ForAllValues:StringEquals":{"dynamodb:LeadingKeys":["alice"]}}}]}`,
		"bob": `{"Version":"2012-10-17","Statement":[
			{"Effect":"Allow","Action":"dynamodb:*","Resource":"*"},
			{"Effect":"Deny","Action":"dynamodb:*","Resource":"` + account + `Prod"},
			{"Effect":"Deny","Action":"dynamodb:DeleteItem","Resource":"` + account + `Own"},
			{"Effect":"Deny","Action":"dynamodb:PutResourcePolicy","Resource":"` + account + `NewPolicy"},
			{"Effect":"Deny","Action":"dynamodb:TagResource","Resource":"` + account + `NewTags"},
			{"Effect":"Deny","Action":"dynamodb:UntagResource","Resource":"*","Condition":{"ForAnyValue:StringEquals":{"aws:TagKeys":["owner"]}}},
			{"Effect":"Deny","Action":"*","Resource":"*","Condition":{"ForAnyValue:StringEquals":{"dynamodb:Attributes":["v"]}}}]}`,
	})
	for _, name := range []string{"Mine", "Own", "Prod", "Guarded"} {
		if got := c.do("CreateTable", newTable(name, `,"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"}`), nil); strings.Contains(got, "__type") {
			t.Fatal(got)
		}
		waitActive(t, c, name)
		for _, key := range []string{"alice", "bob"} {
			c.do("PutItem", `{"TableName":"`+name+`","Item":{"pk":{"S":"`+key+`"},"v":{"N":"1"}}}`, nil)
		}
	}
	policy := quoted(`{"Version":"2012-10-17","Statement":[{"Effect":"Deny","Principal":{"AWS":"arn:aws:iam::000000000000:user/staff/bob"},"Action":"dynamodb:*","Resource":"*"}]}`)
	if got := c.do("PutResourcePolicy", `{"ResourceArn":"`+account+`Guarded","Policy":`+policy+`}`, nil); !strings.Contains(got, "RevisionId") {
		t.Fatal(got)
	}
	var described struct {
		Table struct{ LatestStreamArn string }
	}
	if err := json.Unmarshal([]byte(c.do("DescribeTable", `{"TableName":"Prod"}`, nil)), &described); err != nil || described.Table.LatestStreamArn == "" {
		t.Fatal(described, err)
	}
	return c, described.Table.LatestStreamArn
}

func newTable(name, more string) string {
	return `{"TableName":"` + name + `","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],
		"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],"BillingMode":"PAY_PER_REQUEST"` + more + `}`
}

// TestRequestSaysOneThing: members that an operation does not have, members given twice, and expressions written so that
// another reader might miss a name in them do not get past policies.
func TestRequestSaysOneThing(t *testing.T) {
	c, stream := guarded(t)
	var shards struct {
		StreamDescription struct{ Shards []struct{ ShardId string } }
	}
	if err := json.Unmarshal([]byte(c.do(streams+"DescribeStream", `{"StreamArn":"`+stream+`"}`, nil)), &shards); err != nil || len(shards.StreamDescription.Shards) == 0 {
		t.Fatal(shards, err)
	}
	begin := `"StreamArn":"` + stream + `","ShardId":"` + shards.StreamDescription.Shards[0].ShardId + `","ShardIteratorType":"TRIM_HORIZON"}`
	var iterator struct{ ShardIterator string }
	if err := json.Unmarshal([]byte(c.do(streams+"GetShardIterator", "{"+begin, nil)), &iterator); err != nil {
		t.Fatal(err)
	}
	const prod = `"ResourceArn":"` + account + `Prod"`
	policy := `,"Policy":` + quoted(`{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":{"AWS":"arn:aws:iam::000000000000:user/alice"},"Action":"dynamodb:*","Resource":"*"}]}`)
	const key, other = `"Key":{"pk":{"S":"alice"}}`, `"Key":{"pk":{"S":"bob"}}`
	const query = `{"TableName":"Own","KeyConditionExpression":"pk=:k",`
	for _, q := range []struct{ user, operation, body string }{
		// The resource is what the operation has, whatever else a request has.
		{"alice", "PutResourcePolicy", `{"TableName":"Mine",` + prod + policy + `}`},
		{"alice", "DeleteResourcePolicy", `{"TableName":"Mine",` + prod + `}`},
		{"alice", "GetResourcePolicy", `{"TableName":"Mine",` + prod + `}`},
		{"alice", "ListTagsOfResource", `{"TableName":"Mine",` + prod + `}`},
		{"alice", "TagResource", `{"TableName":"Mine",` + prod + `,"Tags":[{"Key":"a","Value":"b"}]}`},
		{"alice", "GetItem", `{"TableName":"Prod","IndexName":"any",` + key + `}`},
		{"alice", "DescribeTable", `{"TableName":"Prod","IndexName":"any"}`},
		{"alice", "DescribeTable", `{"TableName":"Prod","TableName":"Mine","TableName":"Prod"}`},
		{"alice", streams + "DescribeStream", `{"TableName":"Mine","StreamArn":"` + stream + `"}`},
		{"alice", streams + "DescribeStream", `{"ResourceArn":"` + account + `Mine","StreamArn":"` + stream + `"}`},
		{"alice", streams + "GetShardIterator", `{"TableName":"Mine",` + begin},
		{"alice", streams + "GetRecords", `{"TableName":"Mine","ShardIterator":"` + iterator.ShardIterator + `"}`},
		{"alice", streams + "GetRecords", `{"StreamArn":"` + account + `Mine/stream/x","ShardIterator":"` + iterator.ShardIterator + `"}`},
		{"bob", "DeleteItem", `{"TableName":"Prod","IndexName":"any",` + key + `}`},
		{"bob", "DeleteTable", `{"TableName":"Prod","IndexName":"any"}`},
		{"bob", "GetItem", `{"TableName":"Guarded","IndexName":"any/stream/any",` + key + `}`},
		{"bob", "Scan", `{"TableName":"Guarded"}`},
		// A member that is given twice counts as the operation reads it.
		{"bob", "TransactWriteItems", `{"TransactItems":[{"Delete":{"TableName":"Own",` + key + `}}],"TransactItems":[{"ConditionCheck":{"TableName":"Mine",` + key + `,"ConditionExpression":"attribute_exists(pk)"}}]}`},
		{"alice", "Query", query + `"ExpressionAttributeValues":{":k":{"S":"bob"}},"ExpressionAttributeValues":null}`},
		{"alice", "Query", query + `"ExpressionAttributeValues":{":k":{"S":"alice"},":k":{"S":"bob"}}}`},
		{"alice", "BatchGetItem", `{"RequestItems":{"Own":{"Keys":[{"pk":{"S":"bob"}}],"Keys":null}}}`},
		{"alice", "BatchGetItem", `{"RequestItems":{"Own":{"Keys":[{"pk":{"S":"bob"}}]},"Own":{"Keys":[{"pk":{"S":"alice"}}]}}}`},
		{"alice", "BatchWriteItem", `{"RequestItems":{"Own":[{"DeleteRequest":{` + other + `}}],"Own":[{"DeleteRequest":{` + key + `}}]}}`},
		{"alice", "BatchExecuteStatement", `{"Statements":[{"Statement":"SELECT v FROM Own WHERE pk=?","Parameters":[{"S":"bob"}],"Parameters":null}]}`},
		{"alice", "BatchExecuteStatement", `{"Statements":[{"Statement":"SELECT v FROM Own WHERE pk=?","Parameters":[{"S":"bob"}],"Parameters":null},{"Statement":"SELECT v FROM Own WHERE pk='alice'"}]}`},
		{"alice", "ExecuteTransaction", `{"TransactStatements":[{"Statement":"SELECT v FROM Own WHERE pk=?","Parameters":[{"S":"bob"}],"Parameters":null},{"Statement":"SELECT v FROM Own WHERE pk='alice'"}]}`},
		// Attributes are those of the parsed expressions.
		{"bob", "Scan", `{"TableName":"Mine","FilterExpression":"NOT #n=:v","ExpressionAttributeNames":{"#n":"v"},"ExpressionAttributeValues":{":v":{"N":"7"}}}`},
		{"bob", "Scan", `{"TableName":"Mine","FilterExpression":"NOT#n=:v","ExpressionAttributeNames":{"#n":"v"},"ExpressionAttributeValues":{":v":{"N":"7"}}}`},
		{"bob", "UpdateItem", `{"TableName":"Mine",` + key + `,"UpdateExpression":"SET#n=:v","ExpressionAttributeNames":{"#n":"v"},"ExpressionAttributeValues":{":v":{"N":"7"}}}`},
		{"bob", "UpdateItem", `{"TableName":"Mine",` + key + `,"UpdateExpression":"REMOVE#n","ExpressionAttributeNames":{"#n":"v"}}`},
		{"bob", "UpdateItem", `{"TableName":"Mine",` + key + `,"UpdateExpression":"SET seen = if_not_exists(absent, v)"}`},
		{"bob", "UpdateItem", `{"TableName":"Mine",` + key + `,"AttributeUpdates":{"v":{"Action":"DELETE"}}}`},
		{"bob", "TransactWriteItems", `{"TransactItems":[{"Update":{"TableName":"Mine",` + key + `,"UpdateExpression":"SET#n=:v","ExpressionAttributeNames":{"#n":"v"},"ExpressionAttributeValues":{":v":{"N":"7"}}}}]}`},
		{"bob", "TransactGetItems", `{"TransactItems":[{"Get":{"TableName":"Mine",` + key + `,"ProjectionExpression":"pk,v"}}]}`},
		{"bob", "BatchGetItem", `{"RequestItems":{"Mine":{"Keys":[{"pk":{"S":"alice"}}],"AttributesToGet":["v"]}}}`},
		{"bob", "BatchWriteItem", `{"RequestItems":{"Mine":[{"PutRequest":{"Item":{"pk":{"S":"x"},"v":{"N":"1"}}}}]}}`},
		{"bob", "DeleteItem", `{"TableName":"Mine",` + key + `,"Expected":{"v":{"Value":{"N":"1"}}}}`},
		{"bob", "ExecuteStatement", `{"Statement":"UPDATE Mine SET seen = v WHERE pk='alice'"}`},
		// No policy of a table's allows to list its streams.
		{"alice", streams + "ListStreams", `{"TableName":"Mine"}`},
		// Making a table with a policy or tags is putting them.
		{"bob", "CreateTable", newTable("NewPolicy", `,"ResourcePolicy":`+quoted(`{"Version":"2012-10-17","Statement":[]}`))},
		{"bob", "CreateTable", newTable("NewTags", `,"Tags":[{"Key":"owner","Value":"bob"}]`)},
		{"bob", "UntagResource", `{"ResourceArn":"` + account + `Mine","TagKeys":["owner"]}`},
	} {
		if got := c.as(q.user).do(q.operation, q.body, nil); !strings.Contains(got, "AccessDeniedException") {
			t.Errorf("%s %s %s: %s", q.user, q.operation, q.body, got)
		}
	}
	for _, name := range []string{"Mine", "Own", "Prod", "Guarded"} {
		if got := c.do("Scan", `{"TableName":"`+name+`","FilterExpression":"v = :v AND attribute_not_exists(seen)","Select":"COUNT","ExpressionAttributeValues":{":v":{"N":"1"}}}`, nil); got != `{"Count":2,"ScannedCount":2}` {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// TestAllowedStays: what the policies allow goes on, in all its forms.
func TestAllowedStays(t *testing.T) {
	c, _ := guarded(t)
	const key = `"Key":{"pk":{"S":"alice"}}`
	for _, q := range []struct{ user, operation, body string }{
		{"alice", "ListTagsOfResource", `{"ResourceArn":"` + account + `Mine"}`},
		{"alice", "TagResource", `{"ResourceArn":"` + account + `Mine","Tags":[{"Key":"owner","Value":"b"}]}`},
		{"alice", "DescribeTable", `{"TableName":"` + account + `Mine"}`},
		{"alice", "DescribeTimeToLive", `{"TableName":"Mine"}`},
		{"alice", "DescribeContinuousBackups", `{"TableName":"Mine"}`},
		{"alice", "DescribeKinesisStreamingDestination", `{"TableName":"Mine"}`},
		{"alice", "DescribeContributorInsights", `{"TableName":"Mine"}`},
		{"alice", "UpdateTable", `{"TableName":"Mine","DeletionProtectionEnabled":false}`},
		{"alice", "Query", `{"TableName":"Own","KeyConditionExpression":"pk=:k","ExpressionAttributeValues":{":k":{"S":"alice"}}}`},
		{"alice", "Query", `{"TableName":"Own","KeyConditions":{"pk":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"alice"}]}}}`},
		{"alice", "BatchGetItem", `{"RequestItems":{"Own":{"Keys":[{"pk":{"S":"alice"}}]},"Mine":{"Keys":[{"pk":{"S":"bob"}}]}}}`},
		{"alice", "ExecuteTransaction", `{"TransactStatements":[{"Statement":"UPDATE Own SET w=1 WHERE pk='alice'"},{"Statement":"UPDATE Mine SET w=1 WHERE pk='bob'"}]}`},
		{"bob", "UpdateItem", `{"TableName":"Mine",` + key + `,"UpdateExpression":"SET w = :v","ExpressionAttributeValues":{":v":{"N":"7"}}}`},
		{"bob", "UpdateItem", `{"TableName":"Mine",` + key + `,"AttributeUpdates":{"w":{"Action":"PUT","Value":{"S":"v"}}}}`},
		{"bob", "TransactWriteItems", `{"TransactItems":[{"Delete":{"TableName":"Mine",` + key + `}}]}`},
		{"bob", "CreateTable", newTable("NewPlain", `,"Tags":[{"Key":"a","Value":"b"}]`)},
		{"bob", "UntagResource", `{"ResourceArn":"` + account + `Mine","TagKeys":["a"]}`},
		{"bob", "ListTables", `{}`},
		{"bob", streams + "ListStreams", `{"TableName":"Mine"}`},
		{"bob", "DescribeLimits", `{}`},
	} {
		// The answers of tags have no body; all others are the operation's.
		if got := c.as(q.user).do(q.operation, q.body, nil); strings.Contains(got, "__type") {
			t.Errorf("%s %s %s: %s", q.user, q.operation, q.body, got)
		}
	}
}

// TestAuthorizationOfNonsense: what is no request is refused as the operation refuses it, and nothing panics.
func TestAuthorizationOfNonsense(t *testing.T) {
	c, _ := guarded(t)
	for _, body := range []string{`null`, `[]`, `5`, `{}`, `{"RequestItems":{"Mine":null}}`, `{"RequestItems":{"Mine":5}}`, `{"RequestItems":{"Mine":[null]}}`,
		`{"RequestItems":{"Mine":{"Keys":[null]}}}`, `{"RequestItems":5}`, `{"TransactItems":[null]}`, `{"TransactItems":[{}]}`, `{"TransactItems":[{"Put":null,"Delete":5}]}`,
		`{"Statements":[null]}`, `{"TransactStatements":[{}]}`, `{"Statement":"SELECT"}`, `{"TableName":"","ResourceArn":"","StreamArn":"","ShardIterator":"|1|"}`,
		`{"TableName":"Mine","Key":null,"Item":null,"KeyConditionExpression":""}`, `{"TableName":"Mine","Key":{},"UpdateExpression":"SET","ConditionExpression":"("}`} {
		for _, operation := range []string{"BatchGetItem", "BatchWriteItem", "TransactGetItems", "TransactWriteItems", "BatchExecuteStatement", "ExecuteTransaction",
			"ExecuteStatement", "GetItem", "PutItem", "UpdateItem", "DeleteItem", "Query", "TagResource", "PutResourcePolicy", "UpdateTable", "DescribeTable",
			streams + "GetRecords", streams + "GetShardIterator", streams + "DescribeStream"} {
			got := c.as("bob").do(operation, body, nil)
			if !strings.Contains(got, "Validation") && !strings.Contains(got, "Serialization") && !strings.Contains(got, "AccessDenied") && !strings.Contains(got, "ResourceNotFound") && !strings.Contains(got, `"Responses":[{"Error"`) && operation != "DescribeTable" {
				t.Errorf("%s %s: %s", operation, body, got)
			}
		}
	}
}
