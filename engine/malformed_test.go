package engine_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/wire"
)

// wellFormed are requests that the engine takes, from which malformed ones are made.
var wellFormed = [][2]string{
	{"PutItem", `{"TableName":"tbl","Item":{"pk":{"S":"p"},"sk":{"N":"1"},"m":{"M":{"a":{"L":[{"BOOL":true},{"NULL":true},{"B":"AQ=="},{"SS":["a","b"]},{"NS":["1"]}]}}}},"ConditionExpression":"attribute_not_exists(#p) OR x = :v","ExpressionAttributeNames":{"#p":"pk"},"ExpressionAttributeValues":{":v":{"N":"1"}},"ReturnValues":"ALL_OLD","ReturnConsumedCapacity":"INDEXES","ReturnItemCollectionMetrics":"SIZE"}`},
	{"GetItem", `{"TableName":"tbl","Key":{"pk":{"S":"p"},"sk":{"N":"1"}},"ProjectionExpression":"m.a[0], #p","ExpressionAttributeNames":{"#p":"pk"},"ConsistentRead":true}`},
	{"UpdateItem", `{"TableName":"tbl","Key":{"pk":{"S":"p"},"sk":{"N":"1"}},"UpdateExpression":"SET a = if_not_exists(a, :v) + :v, l = list_append(:l, :l) REMOVE b ADD c :v DELETE d :s","ExpressionAttributeValues":{":v":{"N":"1"},":l":{"L":[]},":s":{"SS":["x"]}},"ReturnValues":"UPDATED_NEW"}`},
	{"DeleteItem", `{"TableName":"tbl","Key":{"pk":{"S":"p"},"sk":{"N":"1"}},"ConditionExpression":"size(x) BETWEEN :a AND :b AND NOT contains(y, :a)","ExpressionAttributeValues":{":a":{"N":"1"},":b":{"N":"2"}},"ReturnValuesOnConditionCheckFailure":"ALL_OLD"}`},
	{"Query", `{"TableName":"tbl","IndexName":"gsi","KeyConditionExpression":"g = :g AND h = :h AND sk BETWEEN :a AND :b","FilterExpression":"x IN (:a, :b)","ExpressionAttributeValues":{":g":{"S":"g"},":h":{"N":"1"},":a":{"N":"1"},":b":{"N":"2"}},"Limit":5,"ScanIndexForward":false,"ExclusiveStartKey":{"pk":{"S":"p"},"sk":{"N":"1"},"g":{"S":"g"},"h":{"N":"1"}},"Select":"ALL_ATTRIBUTES"}`},
	{"Scan", `{"TableName":"tbl","Segment":0,"TotalSegments":3,"FilterExpression":"begins_with(pk, :p)","ExpressionAttributeValues":{":p":{"S":"p"}},"Limit":10,"ReturnConsumedCapacity":"TOTAL"}`},
	{"BatchGetItem", `{"RequestItems":{"tbl":{"Keys":[{"pk":{"S":"p"},"sk":{"N":"1"}},{"pk":{"S":"p"},"sk":{"N":"2"}}],"ProjectionExpression":"pk"}}}`},
	{"BatchWriteItem", `{"RequestItems":{"tbl":[{"PutRequest":{"Item":{"pk":{"S":"p"},"sk":{"N":"1"}}}},{"DeleteRequest":{"Key":{"pk":{"S":"p"},"sk":{"N":"2"}}}}]}}`},
	{"TransactWriteItems", `{"ClientRequestToken":"t","TransactItems":[{"Put":{"TableName":"tbl","Item":{"pk":{"S":"p"},"sk":{"N":"1"}}}},{"Update":{"TableName":"tbl","Key":{"pk":{"S":"p"},"sk":{"N":"2"}},"UpdateExpression":"SET x = :v","ExpressionAttributeValues":{":v":{"N":"1"}}}},{"ConditionCheck":{"TableName":"tbl","Key":{"pk":{"S":"p"},"sk":{"N":"3"}},"ConditionExpression":"attribute_not_exists(pk)"}}]}`},
	{"TransactGetItems", `{"TransactItems":[{"Get":{"TableName":"tbl","Key":{"pk":{"S":"p"},"sk":{"N":"1"}},"ProjectionExpression":"pk"}}]}`},
	{"CreateTable", schema},
	{"UpdateTable", `{"TableName":"tbl","AttributeDefinitions":[{"AttributeName":"z","AttributeType":"S"}],"GlobalSecondaryIndexUpdates":[{"Create":{"IndexName":"zzz","KeySchema":[{"AttributeName":"z","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}}]}`},
	{"DescribeTable", `{"TableName":"tbl"}`},
	{"ListTables", `{"Limit":10,"ExclusiveStartTableName":"aaa"}`},
	{"UpdateTimeToLive", `{"TableName":"tbl","TimeToLiveSpecification":{"AttributeName":"ttl","Enabled":true}}`},
	{"TagResource", `{"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/tbl","Tags":[{"Key":"a","Value":"b"}]}`},
}

// strange are values put in the place of others.
var strange = []string{`null`, `true`, `0`, `-1`, `1e400`, `99999999999999999999`, `""`, `"x"`, `"\ud800"`, `[]`, `{}`, `[null]`, `[[]]`, `{"":null}`,
	`{"S":null}`, `{"N":"1e"}`, `{"N":"9e999"}`, `{"M":{"":{"S":""}}}`, `{"L":[{}]}`, `{"SS":[]}`, `{"B":"?"}`, `{"S":"a","N":"1"}`, `"((((((((((a"`,
	`"a = :v AND"`, `"#"`, `":"`, `"SET"`, `"a.b[99999999999]"`, `"\u0000"`, `{"pk":{"S":""}}`, strings.Repeat("[", 200) + strings.Repeat("]", 200)}

// mutate makes a malformed request of a proper one: a value replaced, a member lost or doubled, text cut or damaged.
func mutate(r *rand.Rand, body string) string {
	places := value.FindAllStringIndex(body, -1)
	for range 1 + r.IntN(3) {
		switch r.IntN(6) {
		case 0, 1, 2: // another value
			if p := places[r.IntN(len(places))]; p[1] <= len(body) {
				body = body[:p[0]] + strange[r.IntN(len(strange))] + body[p[1]:]
			}
		case 3: // cut
			if r.IntN(3) == 0 {
				body = body[:r.IntN(len(body)+1)]
			}
		case 4: // damaged
			if len(body) > 0 {
				b := []byte(body)
				b[r.IntN(len(b))] = byte(r.IntN(256))
				body = string(b)
			}
		case 5: // something of it twice
			if len(body) > 2 {
				i := r.IntN(len(body) - 1)
				j := i + r.IntN(len(body)-i)
				body = body[:j] + body[i:j] + body[j:]
			}
		}
	}
	return body
}

// value finds scalars and small objects in JSON, where something else can be put.
var value = regexp.MustCompile(`"[^"]*"|\{[^{}]*\}|\[[^\[\]]*\]|true|[0-9]+`)

// TestMalformedRequests: 10,000 malformed requests over HTTP, and none of them is a failure of the server.
func TestMalformedRequests(t *testing.T) {
	e := open(t, "", nil)
	do(t, e, "CreateTable", schema)
	server := httptest.NewServer(e.Handler())
	defer server.Close()
	n := 10_000
	if testing.Short() {
		n = 1000
	}
	refused := 0
	for i := range n {
		r := rand.New(rand.NewPCG(1, uint64(i)))
		w := wellFormed[r.IntN(len(wellFormed))]
		operation, body := w[0], mutate(r, w[1])
		status, answer := post(t, server.URL, operation, []byte(body), nil)
		if status >= 500 {
			t.Errorf("request %d: %d %s\n%s %s", i, status, answer, operation, body)
		}
		if status != http.StatusOK {
			refused++
		}
		if len(answer) > 0 && !json.Valid(answer) { // some operations answer nothing
			t.Errorf("request %d: the answer is not JSON: %s", i, answer)
		}
	}
	if refused < n/2 {
		t.Errorf("only %d of %d requests were refused: they are not malformed enough", refused, n)
	}
}

// post sends a request and checks the headers of the answer.
func post(t *testing.T, url, operation string, body []byte, header http.Header) (int, []byte) {
	t.Helper()
	req, err := http.NewRequest(http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-amz-json-1.0")
	req.Header.Set("X-Amz-Target", "DynamoDB_20120810."+operation)
	for k, v := range header {
		req.Header[k] = v
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	if want := strconv.FormatUint(uint64(crc32.ChecksumIEEE(answer)), 10); resp.Header.Get("x-amz-crc32") != want {
		t.Errorf("%s: x-amz-crc32 is %q, want %s", operation, resp.Header.Get("x-amz-crc32"), want)
	}
	if id := resp.Header.Get("x-amzn-RequestId"); !requestID.MatchString(id) {
		t.Errorf("%s: x-amzn-RequestId is %q", operation, id)
	}
	return resp.StatusCode, answer
}

var requestID = regexp.MustCompile(`^[0-9A-Z]{52}$`)

func TestHTTP(t *testing.T) {
	e := open(t, "", nil)
	server := httptest.NewServer(e.Handler())
	defer server.Close()
	get := func(method, path, contentType string) (int, string) {
		req, err := http.NewRequest(method, server.URL+path, strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", contentType)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return resp.StatusCode, string(body)
	}
	// Captured on AWS.
	if status, body := get("GET", "/", ""); status != 200 || body != "healthy: dynamodb.us-east-1.amazonaws.com " {
		t.Errorf("GET / answers %d %q", status, body)
	}
	for _, c := range [][3]string{{"PUT", "/", "application/x-amz-json-1.0"}, {"DELETE", "/", "application/x-amz-json-1.0"}, {"POST", "/", "text/html"}, {"GET", "/x", ""}} {
		if status, body := get(c[0], c[1], c[2]); status != 404 || body != "<UnknownOperationException/>\n" {
			t.Errorf("%v answers %d %q", c, status, body)
		}
	}
	status, body := post(t, server.URL, "MakeCoffee", []byte("{}"), nil)
	if status != 400 || string(body) != `{"__type":"com.amazon.coral.service#UnknownOperationException"}` {
		t.Errorf("unknown operation: %d %s", status, body)
	}
	status, body = post(t, server.URL, "MakeCoffee", []byte("{"), nil)
	if status != 400 || string(body) != `{"__type":"com.amazon.coral.service#SerializationException"}` {
		t.Errorf("unknown operation, no JSON: %d %s", status, body) // JSON comes first
	}
	status, body = post(t, server.URL, "GetItem", []byte("{}"), http.Header{"X-Amz-Target": {"Other.GetItem"}})
	if status != 400 || string(body) != `{"__type":"com.amazon.coral.service#UnknownOperationException"}` {
		t.Errorf("target of another service: %d %s", status, body)
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	fmt.Fprint(z, `{"TableName":"nope"}`)
	z.Close()
	status, body = post(t, server.URL, "DescribeTable", packed.Bytes(), http.Header{"Content-Encoding": {"gzip"}})
	if want := `{"__type":"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException","message":"Requested resource not found: Table: nope not found"}`; status != 400 || string(body) != want {
		t.Errorf("gzip: %d %s", status, body)
	}
	status, _ = post(t, server.URL, "DescribeTable", []byte("no gzip"), http.Header{"Content-Encoding": {"gzip"}})
	if status != 400 {
		t.Errorf("damaged gzip: %d", status)
	}
}

func TestTooLargeRequest(t *testing.T) {
	e := open(t, "", nil)
	_, err := e.Do(context.Background(), "GetItem", make([]byte, 65<<20))
	var refused *wire.Error
	if !errors.As(err, &refused) || refused.HTTPStatus() >= 500 {
		t.Errorf("%.100v", err)
	}
	server := httptest.NewServer(e.Handler())
	defer server.Close()
	// Refused by what it says it will be, before it is sent.
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprint(conn, "POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-amz-json-1.0\r\nX-Amz-Target: DynamoDB_20120810.GetItem\r\nContent-Length: 70000000\r\n\r\n{")
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("over HTTP %d", resp.StatusCode)
	}
}

// FuzzDo: whatever the operation and body, the engine answers JSON or an error that is not its own failure, and stays in
// order.
func FuzzDo(f *testing.F) {
	for _, w := range wellFormed {
		f.Add(w[0], w[1])
	}
	e, err := engine.Open("", nil)
	if err != nil {
		f.Fatal(err)
	}
	do(f, e, "CreateTable", schema)
	f.Fuzz(func(t *testing.T, operation, body string) {
		answer, err := e.Do(context.Background(), operation, []byte(body))
		var refused *wire.Error
		if err != nil && (!errors.As(err, &refused) || refused.HTTPStatus() >= 500) {
			t.Errorf("%v", err)
		}
		if err == nil && len(answer) > 0 && !json.Valid(answer) {
			t.Errorf("not JSON: %s", answer)
		}
		if err := e.Check(); err != nil {
			t.Error(err)
		}
	})
}
