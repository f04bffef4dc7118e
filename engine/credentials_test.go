package engine_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	signer "github.com/aws/aws-sdk-go-v2/aws/signer/v4"

	"github.com/tablewright/tablewright/engine"
)

// client signs requests to a server with a key.
type client struct {
	t   *testing.T
	url string
	aws.Credentials
	at time.Time
}

func (c client) as(key string) client {
	c.AccessKeyID, c.SecretAccessKey = key, "secret of "+key
	return c
}

// do sends a request, to the streams' API if the operation has its prefix; change may change it after it was signed. It answers the text of the body.
func (c client) do(operation, body string, change func(r *http.Request)) string {
	c.t.Helper()
	r, err := http.NewRequestWithContext(c.t.Context(), http.MethodPost, c.url, strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	if !strings.Contains(operation, ".") {
		operation = "DynamoDB_20120810." + operation
	}
	r.Header.Set("X-Amz-Target", operation)
	hash := sha256.Sum256([]byte(body))
	if c.AccessKeyID != "" {
		if err := signer.NewSigner().SignHTTP(c.t.Context(), c.Credentials, r, hex.EncodeToString(hash[:]), "dynamodb", "us-east-1", c.at); err != nil {
			c.t.Fatal(err)
		}
	}
	if change != nil {
		change(r)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		c.t.Fatal(err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	if bytes.Contains(answer, []byte("__type")) != (resp.StatusCode != http.StatusOK) || resp.StatusCode != 200 && resp.StatusCode != 400 {
		c.t.Errorf("%s: %d %s", operation, resp.StatusCode, answer)
	}
	return string(answer)
}

// authenticated serves an engine with keys "admin", "alice", "bob" and "temp"; alice may read what her policy says.
func authenticated(t *testing.T, policies map[string]string) client {
	t.Helper()
	now := time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)
	e := open(t, "", &engine.Options{Clock: fixed(now), SweepEvery: -1, Credentials: []engine.Credential{
		{KeyID: "admin", Secret: "secret of admin", Admin: true, Policy: []byte(policies["admin"])},
		{KeyID: "alice", Secret: "secret of alice", Policy: []byte(policies["alice"])},
		{KeyID: "bob", Secret: "secret of bob", Principal: "arn:aws:iam::000000000000:user/staff/bob", Policy: []byte(policies["bob"])},
		{KeyID: "temp", Secret: "secret of temp", SessionToken: "token", Expires: now.Add(time.Hour), Principal: "arn:aws:sts::000000000000:assumed-role/reader/s", Admin: true},
		{KeyID: "ended", Secret: "secret of ended", SessionToken: "token", Expires: now, Admin: true},
	}})
	server := httptest.NewServer(e.Handler())
	t.Cleanup(server.Close)
	return client{t: t, url: server.URL, at: now}.as("admin")
}

type fixed time.Time

func (f fixed) Now() time.Time { return time.Time(f) }

const coral = `{"__type":"com.amazon.coral.service#`

// TestAuthentication: only what is signed with a key, now, and has not been altered, is answered; refusals are AWS's and come
// in its order.
func TestAuthentication(t *testing.T) {
	c := authenticated(t, nil)
	if got := c.do("ListTables", "{}", nil); got != `{"TableNames":[]}` {
		t.Errorf("signed: %s", got)
	}
	unsigned, unknown, other := c, c.as("nobody"), c
	unsigned.AccessKeyID = ""
	other.SecretAccessKey += "x"
	stale, early := c, c
	stale.at, early.at = c.at.Add(-15*time.Minute-time.Second), c.at.Add(15*time.Minute+time.Second)
	temp, tokenless, ended, surplus := c.as("temp"), c.as("temp"), c.as("ended"), c
	temp.SessionToken, ended.SessionToken, surplus.SessionToken = "token", "token", "token"
	wrong := temp
	wrong.SessionToken = "another"
	const invalidToken = coral + `UnrecognizedClientException","message":"The security token included in the request is invalid."}`
	const mismatch = coral + `InvalidSignatureException","message":"The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details."}`
	missing := coral + `MissingAuthenticationTokenException","message":"Request is missing Authentication Token"}`
	for name, q := range map[string]struct {
		client
		operation, body, want string
		change                func(r *http.Request)
	}{
		"unsigned":       {unsigned, "ListTables", "{}", missing, nil},
		"unknown key":    {unknown, "ListTables", "{}", invalidToken, nil},
		"wrong secret":   {other, "ListTables", "{}", mismatch, nil},
		"altered":        {c, "ListTables", "{}", mismatch, func(r *http.Request) { r.Header.Set("X-Amz-Target", "DynamoDB_20120810.DescribeLimits") }},
		"other body":     {c, "ListTables", "{}", mismatch, func(r *http.Request) { r.Body = io.NopCloser(strings.NewReader("[]")) }},
		"stale":          {stale, "ListTables", "{}", coral + `InvalidSignatureException","message":"Signature expired: 20260801T114459Z is now earlier than 20260801T114500Z (20260801T120000Z - 15 min.)"}`, nil},
		"early":          {early, "ListTables", "{}", coral + `InvalidSignatureException","message":"Signature not yet current: 20260801T121501Z is still later than 20260801T121500Z (20260801T120000Z + 15 min.)"}`, nil},
		"session":        {temp, "ListTables", "{}", `{"TableNames":[]}`, nil},
		"no token":       {tokenless, "ListTables", "{}", invalidToken, nil},
		"wrong token":    {wrong, "ListTables", "{}", invalidToken, nil},
		"token too many": {surplus, "ListTables", "{}", invalidToken, nil},
		"session ended":  {ended, "ListTables", "{}", coral + `ExpiredTokenException","message":"The security token included in the request is expired"}`, nil},
		// JSON and target come before the signature, the types of members after it.
		"no JSON":            {unsigned, "ListTables", "{", coral + `SerializationException"}`, nil},
		"no operation":       {unsigned, "MakeCoffee", "{}", coral + `UnknownOperationException"}`, nil},
		"of another API":     {c, "ListStreams", "{}", coral + `UnknownOperationException"}`, nil},
		"wrong type":         {unsigned, "ListTables", `{"Limit":"x"}`, missing, nil},
		"wrong type, signed": {c, "ListTables", `{"Limit":"x"}`, coral + `SerializationException","Message":"STRING_VALUE cannot be converted to Integer"}`, nil},
	} {
		if got := q.do(q.operation, q.body, q.change); got != q.want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, q.want)
		}
	}
}

// TestPackedAndSigned: the signature is over the bytes as they come, packed.
func TestPackedAndSigned(t *testing.T) {
	c := authenticated(t, nil)
	var packed bytes.Buffer
	gz := gzip.NewWriter(&packed)
	_, _ = io.WriteString(gz, `{"TableName":"nope"}`)
	gz.Close()
	// The signer is told the hash of what is sent.
	r, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, c.url, bytes.NewReader(packed.Bytes()))
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	r.Header.Set("Content-Encoding", "gzip")
	r.Header.Set("X-Amz-Target", "DynamoDB_20120810.DescribeTable")
	hash := sha256.Sum256(packed.Bytes())
	if err := signer.NewSigner().SignHTTP(t.Context(), c.Credentials, r, hex.EncodeToString(hash[:]), "dynamodb", "us-east-1", c.at); err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if answer, _ := io.ReadAll(resp.Body); !bytes.Contains(answer, []byte("ResourceNotFoundException")) {
		t.Errorf("%s", answer)
	}
}

// TestAuthorization: what a user may do is what policies say, with AWS's text where they do not.
func TestAuthorization(t *testing.T) {
	c := authenticated(t, map[string]string{
		"alice": `{"Version":"2012-10-17","Statement":[
			{"Effect":"Allow","Action":["dynamodb:GetItem","dynamodb:Query","dynamodb:PutItem","dynamodb:BatchGetItem","dynamodb:BatchWriteItem","dynamodb:ConditionCheckItem","dynamodb:PartiQLSelect"],
			 "Resource":["arn:aws:dynamodb:us-east-1:000000000000:table/notes","arn:aws:dynamodb:us-east-1:000000000000:table/notes/index/*"],
			 "Condition":{"ForAllValues:StringEquals":{"dynamodb:LeadingKeys":["${aws:username}"]}}},
			{"Effect":"Deny","Action":"*","Resource":"*","Condition":{"ForAnyValue:StringEquals":{"dynamodb:Attributes":["secret"]}}}]}`,
		"bob":   `{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"dynamodb:*","Resource":"*"},{"Effect":"Deny","Action":"dynamodb:DeleteTable","Resource":"*"},{"Effect":"Deny","Action":"dynamodb:GetItem","Resource":"*","Condition":{"Null":{"dynamodb:EnclosingOperation":"true"}}}]}`,
		"admin": ``,
	})
	for _, name := range []string{"notes", "other"} {
		table := `{"TableName":"` + name + `","AttributeDefinitions":[{"AttributeName":"user","AttributeType":"S"},{"AttributeName":"id","AttributeType":"N"}],
			"KeySchema":[{"AttributeName":"user","KeyType":"HASH"},{"AttributeName":"id","KeyType":"RANGE"}],"BillingMode":"PAY_PER_REQUEST"}`
		if got := c.do("CreateTable", table, nil); strings.Contains(got, "__type") {
			t.Fatal(got)
		}
		waitActive(t, c, name)
	}
	denied := func(user, action, resource, why string) string {
		text, _ := json.Marshal("User: arn:aws:iam::000000000000:user/" + user + " is not authorized to perform: dynamodb:" + action + " on resource: " + resource + " " + why)
		return coral + `AccessDeniedException","Message":` + string(text) + `}`
	}
	const notes, other = "arn:aws:dynamodb:us-east-1:000000000000:table/notes", "arn:aws:dynamodb:us-east-1:000000000000:table/other"
	implicit := func(action string) string {
		return "because no identity-based policy allows the dynamodb:" + action + " action"
	}
	const explicit = "with an explicit deny in an identity-based policy"
	for _, q := range []struct{ user, operation, body, want string }{
		{"alice", "ListTables", `{}`, denied("alice", "ListTables", "*", implicit("ListTables"))},
		{"alice", "PutItem", `{"TableName":"notes","Item":{"user":{"S":"alice"},"id":{"N":"1"},"text":{"S":"a"}}}`, `{}`},
		{"alice", "PutItem", `{"TableName":"` + notes + `","Item":{"user":{"S":"alice"},"id":{"N":"2"}}}`, `{}`},
		{"alice", "PutItem", `{"TableName":"notes","Item":{"user":{"S":"bob"},"id":{"N":"1"}}}`, denied("alice", "PutItem", notes, implicit("PutItem"))},
		{"alice", "PutItem", `{"TableName":"other","Item":{"user":{"S":"alice"},"id":{"N":"1"}}}`, denied("alice", "PutItem", other, implicit("PutItem"))},
		{"alice", "PutItem", `{"TableName":"none","Item":{"user":{"S":"alice"},"id":{"N":"1"}}}`, denied("alice", "PutItem", "arn:aws:dynamodb:us-east-1:000000000000:table/none", implicit("PutItem"))},
		{"alice", "DeleteItem", `{"TableName":"notes","Key":{"user":{"S":"alice"},"id":{"N":"1"}}}`, denied("alice", "DeleteItem", notes, implicit("DeleteItem"))},
		{"alice", "GetItem", `{"TableName":"notes","Key":{"user":{"S":"alice"},"id":{"N":"1"}},"ProjectionExpression":"#t, id","ExpressionAttributeNames":{"#t":"text"}}`, `{"Item":{"id":{"N":"1"},"text":{"S":"a"}}}`},
		{"alice", "GetItem", `{"TableName":"notes","Key":{"user":{"S":"alice"},"id":{"N":"1"}},"ProjectionExpression":"#t","ExpressionAttributeNames":{"#t":"secret"}}`, denied("alice", "GetItem", notes, explicit)},
		{"alice", "GetItem", `{"TableName":"notes","TableName":"other","Key":{"user":{"S":"alice"},"id":{"N":"1"}}}`, denied("alice", "GetItem", other, implicit("GetItem"))},
		{"alice", "Query", `{"TableName":"notes","KeyConditionExpression":"#u = :u","ExpressionAttributeNames":{"#u":"user"},"ExpressionAttributeValues":{":u":{"S":"alice"}},"Select":"COUNT"}`, `{"Count":2,"ScannedCount":2}`},
		{"alice", "Query", `{"TableName":"notes","KeyConditionExpression":"#u = :u","ExpressionAttributeNames":{"#u":"user"},"ExpressionAttributeValues":{":u":{"S":"bob"}}}`, denied("alice", "Query", notes, implicit("Query"))},
		{"alice", "ExecuteStatement", `{"Statement":"SELECT id FROM notes WHERE \"user\" = ?","Parameters":[{"S":"alice"}]}`, `{"Items":[{"id":{"N":"1"}},{"id":{"N":"2"}}]}`},
		{"alice", "ExecuteStatement", `{"Statement":"SELECT id FROM notes WHERE \"user\" IN ['alice', 'bob']"}`, denied("alice", "PartiQLSelect", notes, implicit("PartiQLSelect"))},
		{"alice", "ExecuteStatement", `{"Statement":"SELECT secret FROM notes WHERE \"user\" = 'alice'"}`, denied("alice", "PartiQLSelect", notes, explicit)},
		{"alice", "ExecuteStatement", `{"Statement":"DELETE FROM notes WHERE \"user\" = 'alice' AND id = 1"}`, denied("alice", "PartiQLDelete", notes, implicit("PartiQLDelete"))},
		{"alice", "BatchExecuteStatement", `{"Statements":[{"Statement":"SELECT id FROM notes WHERE \"user\" = 'alice' AND id = 1"},{"Statement":"SELECT id FROM other WHERE \"user\" = 'alice' AND id = 1"}]}`, denied("alice", "PartiQLSelect", other, implicit("PartiQLSelect"))},
		{"alice", "ExecuteTransaction", `{"TransactStatements":[{"Statement":"INSERT INTO notes VALUE {'user':'alice','id':7}"}]}`, denied("alice", "PartiQLInsert", notes, implicit("PartiQLInsert"))},
		{"alice", "Query", `{"TableName":"notes","KeyConditions":{"user":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"bob"}]}}}`, denied("alice", "Query", notes, implicit("Query"))},
		{"alice", "Query", `{"TableName":"notes","KeyConditionExpression":"#u = :u","FilterExpression":"secret > :s","ExpressionAttributeNames":{"#u":"user"},"ExpressionAttributeValues":{":u":{"S":"alice"},":s":{"N":"1"}}}`, denied("alice", "Query", notes, explicit)},
		{"alice", "BatchGetItem", `{"RequestItems":{"notes":{"Keys":[{"user":{"S":"alice"},"id":{"N":"2"}}]}}}`, `{"Responses":{"notes":[{"id":{"N":"2"},"user":{"S":"alice"}}]},"UnprocessedKeys":{}}`},
		{"alice", "BatchGetItem", `{"RequestItems":{"notes":{"Keys":[{"user":{"S":"alice"},"id":{"N":"2"}}]},"other":{"Keys":[{"user":{"S":"alice"},"id":{"N":"2"}}]}}}`, denied("alice", "BatchGetItem", other, implicit("BatchGetItem"))},
		{"alice", "BatchWriteItem", `{"RequestItems":{"notes":[{"PutRequest":{"Item":{"user":{"S":"alice"},"id":{"N":"3"}}}},{"DeleteRequest":{"Key":{"user":{"S":"bob"},"id":{"N":"3"}}}}]}}`, denied("alice", "BatchWriteItem", notes, implicit("BatchWriteItem"))},
		{"alice", "TransactWriteItems", `{"TransactItems":[{"Put":{"TableName":"notes","Item":{"user":{"S":"alice"},"id":{"N":"4"}}}},{"ConditionCheck":{"TableName":"notes","Key":{"user":{"S":"alice"},"id":{"N":"1"}},"ConditionExpression":"attribute_exists(id)"}}]}`, `{}`},
		{"alice", "TransactWriteItems", `{"TransactItems":[{"Put":{"TableName":"notes","Item":{"user":{"S":"alice"},"id":{"N":"4"}}}},{"Delete":{"TableName":"notes","Key":{"user":{"S":"alice"},"id":{"N":"1"}}}}]}`, denied("alice", "DeleteItem", notes, implicit("DeleteItem"))},
		{"alice", "GetItem", `{"TableName":7}`, coral + `SerializationException","Message":"NUMBER_VALUE cannot be converted to String"}`},
		{"bob", "DeleteTable", `{"TableName":"notes"}`, denied("staff/bob", "DeleteTable", notes, explicit)},
		{"bob", "GetItem", `{"TableName":"notes","Key":{"user":{"S":"alice"},"id":{"N":"1"}}}`, denied("staff/bob", "GetItem", notes, explicit)},
		{"bob", "TransactGetItems", `{"TransactItems":[{"Get":{"TableName":"notes","Key":{"user":{"S":"alice"},"id":{"N":"2"}}}}]}`, `{"Responses":[{"Item":{"id":{"N":"2"},"user":{"S":"alice"}}}]}`},
		{"bob", "ListTagsOfResource", `{"ResourceArn":"` + notes + `"}`, `{"Tags":[]}`},
	} {
		if got := c.as(q.user).do(q.operation, q.body, nil); got != q.want {
			t.Errorf("%s %s %s:\n got %s\nwant %s", q.user, q.operation, q.body, got, q.want)
		}
	}
}

func waitActive(t *testing.T, c client, table string) {
	t.Helper()
	for range 200 {
		if strings.Contains(c.do("DescribeTable", `{"TableName":"`+table+`"}`, nil), `"TableStatus":"ACTIVE"`) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("%s does not become active", table)
}

// TestBadCredentials: an engine is not opened with keys that cannot be meant.
func TestBadCredentials(t *testing.T) {
	for want, l := range map[string][]engine.Credential{
		"without any":            {},
		"no key id or no secret": {{KeyID: "a"}},
		"letters and digits":     {{KeyID: "a/b", Secret: "s"}},
		"two credentials":        {{KeyID: "a", Secret: "s"}, {KeyID: "a", Secret: "t"}},
		"not of the engine's":    {{KeyID: "a", Secret: "s", Principal: "arn:aws:iam::123456789012:user/x"}},
		"the policy of arn:aws:iam::000000000000:user/a: there is no Statement": {{KeyID: "a", Secret: "s", Policy: []byte("{}")}},
	} {
		e, err := engine.Open("", &engine.Options{Credentials: l})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
		if err == nil {
			e.Close()
		}
	}
}

// TestRoleInPolicies: for a session of a role aws:PrincipalArn is the ARN of the role (reference_policies_condition-keys).
func TestRoleInPolicies(t *testing.T) {
	now := time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)
	policy := func(arn string) []byte {
		return []byte(`{"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"dynamodb:ListTables","Resource":"*","Condition":{"ArnEquals":{"aws:PrincipalArn":"` + arn + `"}}}}`)
	}
	e := open(t, "", &engine.Options{Clock: fixed(now), SweepEvery: -1, Credentials: []engine.Credential{
		{KeyID: "role", Secret: "secret of role", Principal: "arn:aws:sts::000000000000:assumed-role/reader/s", Policy: policy("arn:aws:iam::000000000000:role/reader")},
		{KeyID: "session", Secret: "secret of session", Principal: "arn:aws:sts::000000000000:assumed-role/reader/t", Policy: policy("arn:aws:sts::000000000000:assumed-role/reader/t")},
	}})
	server := httptest.NewServer(e.Handler())
	defer server.Close()
	c := client{t: t, url: server.URL, at: now}
	if got := c.as("role").do("ListTables", "{}", nil); got != `{"TableNames":[]}` {
		t.Error(got)
	}
	if got := c.as("session").do("ListTables", "{}", nil); !strings.Contains(got, "AccessDenied") {
		t.Error(got)
	}
}

// TestActionsThatDoNotExist are taken, as IAM takes them, and told in the log with what may be meant.
func TestActionsThatDoNotExist(t *testing.T) {
	var log bytes.Buffer
	open(t, "", &engine.Options{Logger: slog.New(slog.NewTextHandler(&log, nil)), Credentials: []engine.Credential{{KeyID: "a", Secret: "b", Policy: []byte(`{"Version":"2012-10-17","Statement":[
		{"Effect":"Allow","Action":["dynamodb:GetItems","dynamodb:TransactWriteItems","dynamodb:Get*","DynamoDB:getitem","s3:Nonsense","dynamodb:Frobnicate","dynamodb:ConditionCheckItem","dynamodb:ListStreams","*"],"Resource":"*"},
		{"Effect":"Deny","NotAction":"dynamodb:GetItems","Resource":"*"}]}`)}}})
	var got []string
	for line := range strings.Lines(log.String()) {
		_, line, _ = strings.Cut(strings.TrimSpace(line), "user/a action=")
		got = append(got, line)
	}
	want := []string{"dynamodb:GetItems meant=dynamodb:GetItem", `dynamodb:TransactWriteItems instead="dynamodb:PutItem, UpdateItem, DeleteItem and ConditionCheckItem"`, "dynamodb:Frobnicate"}
	if !slices.Equal(got, want) {
		t.Errorf("the log has %q", got)
	}
}
