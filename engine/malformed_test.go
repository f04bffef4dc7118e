package engine_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/internal/norace"
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
	{"UntagResource", `{"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/tbl","TagKeys":["a"]}`},
	{"PutResourcePolicy", `{"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/tbl","Policy":"{\"Version\":\"2012-10-17\",\"Statement\":[{\"Effect\":\"Allow\",\"Principal\":{\"AWS\":\"123456789012\"},\"Action\":\"dynamodb:GetItem\",\"Resource\":\"*\"}]}"}`},
	{"UpdateContinuousBackups", `{"TableName":"tbl","PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true,"RecoveryPeriodInDays":7}}`},
	{"UpdateContributorInsights", `{"TableName":"tbl","ContributorInsightsAction":"ENABLE","ContributorInsightsMode":"THROTTLED_KEYS"}`},
	{"EnableKinesisStreamingDestination", `{"TableName":"tbl","StreamArn":"arn:aws:kinesis:us-east-1:000000000000:stream/changes","EnableKinesisStreamingConfiguration":{"ApproximateCreationDateTimePrecision":"MICROSECOND"}}`},
	{"ListTagsOfResource", `{"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/tbl","NextToken":"x"}`},
	{"DescribeTimeToLive", `{"TableName":"tbl"}`},
	{"DeleteTable", `{"TableName":"nope"}`},
	{"ListStreams", `{"TableName":"tbl","ExclusiveStartStreamArn":"arn:aws:dynamodb:us-east-1:000000000000:table/tbl/stream/2026-08-01T12:00:00.000","Limit":10}`},
	{"DescribeStream", `{"StreamArn":"arn:aws:dynamodb:us-east-1:000000000000:table/tbl/stream/2026-08-01T12:00:00.000","ExclusiveStartShardId":"shardId-00000001592367572726-07776efd","Limit":10,"ShardFilter":{"Type":"CHILD_SHARDS","ShardId":"shardId-00000001592367572726-07776efd"}}`},
	{"GetShardIterator", `{"StreamArn":"arn:aws:dynamodb:us-east-1:000000000000:table/tbl/stream/2026-08-01T12:00:00.000","ShardId":"shardId-00000001592367572726-07776efd","ShardIteratorType":"AT_SEQUENCE_NUMBER","SequenceNumber":"100000000000000000001","Timestamp":1785585600.5}`},
	{"GetRecords", `{"ShardIterator":"arn:aws:dynamodb:us-east-1:000000000000:table/tbl/stream/2026-08-01T12:00:00.000|1|AAAAAAAAAAEAAAAAAAAAAhjHhV7MKAAAAAAAAA==","Limit":10}`},
	{"DescribeLimits", `{}`},
	{"DescribeEndpoints", `{}`},
}

// strange are values put in the place of others.
var strange = []string{`null`, `true`, `0`, `-1`, `1.5`, `1e400`, `99999999999999999999`, strings.Repeat("9", 5000), `""`, `"x"`, `"5"`, `"\ud800"`, "\"\xff\xfe\"", `[]`, `{}`,
	`[null]`, `[[]]`, `{"":null}`, `{"S":null}`, `{"N":"1e"}`, `{"N":"9e999"}`, `{"N":5}`, `{"M":{"":{"S":""}}}`, `{"L":[{}]}`, `{"SS":[]}`, `{"NS":["1","1.0"]}`, `{"B":"?"}`,
	`{"S":"a","N":"1"}`, `{"Q":"a"}`, `"((((((((((a"`, `"a = :v AND"`, `"#"`, `":"`, `"SET"`, `"a.b[99999999999]"`, `"\u0000"`, `{"pk":{"S":""}}`,
	`"` + strings.Repeat("x", 5000) + `"`, `"` + strings.Repeat("(", 2000) + `"`, `"` + strings.Repeat("NOT ", 1000) + `a"`,
	strings.Repeat("[", 200) + strings.Repeat("]", 200), strings.Repeat(`{"L":[`, 100) + strings.Repeat(`]}`, 100), strings.Repeat(`{"M":{"a":`, 40) + `{"S":""}` + strings.Repeat(`}}`, 40)}

// span is where a value stands in JSON, and where the member that it is the value of begins, name included; that of an
// element begins where the value does.
type span struct{ member, from, to int }

// spans finds all values in JSON.
func spans(text string) (all []span) {
	d := json.NewDecoder(strings.NewReader(text))
	var value func(member int)
	begin := func() int { // of the next token
		i := int(d.InputOffset())
		for strings.IndexByte(", :\n\t", text[i]) >= 0 {
			i++
		}
		return i
	}
	next := func() json.Token {
		token, err := d.Token()
		if err != nil {
			panic(err)
		}
		return token
	}
	value = func(member int) {
		from := begin()
		if member < 0 {
			member = from
		}
		opened, _ := next().(json.Delim)
		for opened != 0 && d.More() {
			m := -1
			if opened == '{' {
				m = begin()
				next()
			}
			value(m)
		}
		if opened != 0 {
			next()
		}
		all = append(all, span{member, from, int(d.InputOffset())})
	}
	value(-1)
	return all
}

// malformed makes more than 10,000 requests, each a proper one with something wrong: first every value of all of them replaced by every
// strange one, every member lost, doubled, renamed; then random damage of one to three kinds at once.
func malformed() (all [][2]string) {
	add := func(operation, body string) { all = append(all, [2]string{operation, body}) }
	for _, w := range wellFormed {
		operation, body := w[0], w[1]
		for _, s := range spans(body) {
			for _, other := range strange {
				add(operation, body[:s.from]+other+body[s.to:])
			}
			member := body[s.member:s.to]
			add(operation, body[:s.to]+","+member+body[s.to:])
			rest := strings.TrimLeft(body[s.to:], ", \n\t")
			add(operation, body[:s.member]+rest) // of the last one a comma is left over: no JSON
			add(operation, strings.TrimRight(body[:s.member], ", \n\t")+body[s.to:])
			if s.member < s.from {
				add(operation, body[:s.member]+`"Unknown":`+body[s.from:])
				add(operation, body[:s.member]+strings.ToLower(member)+body[s.to:])
			}
			add(operation, body[:s.from]) // cut off
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 3000 {
		w := wellFormed[i%len(wellFormed)]
		add(w[0], damage(r, w[1]))
	}
	return all
}

// damage changes a body at random.
func damage(r *rand.Rand, body string) string {
	for range 1 + r.IntN(3) {
		if len(body) < 3 {
			return body
		}
		i := r.IntN(len(body) - 1)
		j := i + r.IntN(len(body)-i)
		switch r.IntN(7) {
		case 0:
			body = body[:i]
		case 1: // any byte
			body = body[:i] + string([]byte{byte(r.IntN(256))}) + body[i+1:]
		case 2: // one bit
			body = body[:i] + string([]byte{body[i] ^ 1<<r.IntN(8)}) + body[i+1:]
		case 3: // twice
			body = body[:j] + body[i:j] + body[j:]
		case 4: // lost
			body = body[:i] + body[j:]
		case 5:
			body = body[:i] + strange[r.IntN(len(strange))] + body[i:]
		case 6: // no UTF-8
			body = body[:i] + []string{"\xff", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82"}[r.IntN(5)] + body[i:]
		}
	}
	return body
}

// TestMalformedRequests: over 10,000 malformed requests, each to a server and to an engine in the same process, and none of
// them is a failure of theirs: no panic, no answer of 500 and above, nothing but JSON, and both answer alike. Afterwards
// the data is in order, and proper requests are served.
func TestMalformedRequests(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	fixed := &engine.Options{Clock: newClock(), SweepEvery: -1}
	served, inProcess := open(t, "", fixed), open(t, "", fixed)
	handler := served.Handler()
	do(t, served, "CreateTable", schema)
	do(t, inProcess, "CreateTable", schema)
	all := malformed()
	if len(all) < 10_000 {
		t.Fatalf("only %d requests were made", len(all))
	}
	refused, codes := 0, map[string]bool{}
	for i, m := range all {
		operation, body := m[0], m[1]
		rec := httptest.NewRecorder()
		req := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
		req.Header.Set("Content-Type", "application/x-amz-json-1.0")
		req.Header.Set("X-Amz-Target", targetOf(operation))
		sign(req.Header)
		req.Host = "dynamodb.us-east-1.amazonaws.com" // of which DescribeEndpoints tells
		handler.ServeHTTP(rec, req)
		answer := rec.Body.String()
		if rec.Code >= 500 {
			t.Errorf("request %d: %d %s\n%s %.2000s", i, rec.Code, answer, operation, body)
		}
		if len(answer) > 0 && !json.Valid([]byte(answer)) { // some operations answer nothing
			t.Errorf("request %d: the answer is not JSON: %s\n%s %.2000s", i, answer, operation, body)
		}
		direct, err := inProcess.Do(context.Background(), operation, []byte(body))
		if err != nil {
			refused++
			var e *wire.Error
			if !errors.As(err, &e) {
				t.Errorf("request %d: %v\n%s %.2000s", i, err, operation, body)
				continue
			}
			codes[e.Code] = true
			direct = e.Append(nil)
		}
		served.WaitFilled() // a table has one index added at a time: both have to be as far
		inProcess.WaitFilled()
		if (err == nil) != (rec.Code == http.StatusOK) || string(direct) != answer && !describes(operation) {
			t.Errorf("request %d: over HTTP %d %s\nin process %s\n%s %.2000s", i, rec.Code, answer, direct, operation, body)
		}
	}
	t.Logf("%d of %d were refused", refused, len(all))
	if refused < len(all)*2/3 {
		t.Errorf("only %d of %d requests were refused: they are not malformed enough", refused, len(all))
	}
	for _, code := range []string{wire.CodeSerialization, wire.CodeValidation, wire.CodeResourceNotFound, wire.CodeTransactionCanceled} {
		if !codes[code] {
			t.Errorf("no request was refused by a %s", code)
		}
	}
	do(t, served, "PutItem", `{"TableName":"tbl","Item":{"pk":{"S":"after"},"sk":{"N":"1"}}}`)
}

// describes reports whether an answer of the operation has a table's id, which is another one in every engine.
func describes(operation string) bool { return strings.HasSuffix(operation, "Table") }

// TestMalformedHTTP: requests whose fault is around the body, over a connection, are refused by what the service says.
func TestMalformedHTTP(t *testing.T) {
	e := open(t, "", nil)
	do(t, e, "CreateTable", schema)
	server := httptest.NewServer(e.Handler())
	defer server.Close()
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	fmt.Fprint(z, `{"TableName":"tbl"}`)
	z.Close()
	const target, json10 = "DynamoDB_20120810.DescribeTable", "application/x-amz-json-1.0"
	requests, answered := 0, map[int]int{}
	for _, method := range []string{"POST", "PUT", "GET", "HEAD", "DELETE", "PATCH", "OPTIONS", "BREW"} {
		for _, path := range []string{"/", "/x", "//", "/?a=b", "/%00", "*"} {
			for _, contentType := range []string{json10, json10 + "; charset=utf-8", "application/json", "text/plain", "", ";", "\x80"} {
				for _, target := range []string{target, "DynamoDB_20120810.", "DynamoDB_20120810.describetable", "DynamoDBStreams_20120810.ListStreams", "DescribeTable", "", strings.Repeat("x", 3000), "DynamoDB_20120810.\xff"} {
					for _, encoding := range []string{"", "gzip", "deflate", "br"} {
						requests++
						if requests%7 != 0 && method != "POST" { // enough of them
							continue
						}
						body := `{"TableName":"tbl"}`
						if requests%3 == 0 {
							body = packed.String()
						}
						status := raw(t, server.Listener.Addr().String(), fmt.Sprintf("%s %s HTTP/1.1\r\nHost: x\r\nContent-Type: %s\r\n"+signed+"X-Amz-Target: %s\r\nContent-Encoding: %s\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s",
							method, path, contentType, target, encoding, len(body), body))
						answered[status]++
						if status >= 500 || status < 200 {
							t.Errorf("%s %s of %q, target %.40q, %s: status %d", method, path, contentType, target, encoding, status)
						}
					}
				}
			}
		}
	}
	t.Log("answers by status: ", answered)
	if answered[200] == 0 || answered[400] == 0 || answered[404] == 0 {
		t.Errorf("answers by status %v: not all of 200, 400 and 404", answered)
	}
	// What net/http itself refuses or sees end early; the server must outlive it.
	for _, text := range []string{"", "\r\n", "POST", "POST / HTTP/9.9\r\n\r\n", "POST / HTTP/1.1\r\n\r\n", "\x16\x03\x01\x02\x00",
		"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n{}",
		"POST / HTTP/1.1\r\nHost: x\r\nContent-Type: " + json10 + "\r\n" + signed + "X-Amz-Target: " + target + "\r\nContent-Length: 500\r\n\r\n{\"Tab",
		"POST / HTTP/1.1\r\nHost: x\r\nContent-Type: " + json10 + "\r\n" + signed + "X-Amz-Target: " + target + "\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n{}",
		"POST / HTTP/1.1\r\nHost: x\r\nContent-Type: " + json10 + "\r\n" + signed + "X-Amz-Target: " + target + "\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"} {
		if status := raw(t, server.Listener.Addr().String(), text); status >= 500 && status != http.StatusHTTPVersionNotSupported {
			t.Errorf("%q: status %d", text, status)
		}
	}
	if status, body := post(t, server.URL, "DescribeTable", []byte(`{"TableName":"tbl"}`), nil); status != 200 {
		t.Errorf("afterwards: %d %s", status, body)
	}
}

// raw sends a text as it is, says that nothing follows, and returns the status of the answer, 400 if there is none.
func raw(t *testing.T, address, text string) int {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(10 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(conn, text); err != nil {
		return http.StatusBadRequest
	}
	if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
		return http.StatusBadRequest
	}
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		var late net.Error
		if errors.As(err, &late) && late.Timeout() {
			t.Errorf("no answer to %.200q", text)
		}
		return http.StatusBadRequest
	}
	resp.Body.Close()
	return resp.StatusCode
}

// TestDeepRequests: however deep a body nests and however large it is within the limit, the stack holds it.
func TestDeepRequests(t *testing.T) {
	e := open(t, "", nil)
	do(t, e, "CreateTable", schema)
	const deep = 1 << 20
	for _, nest := range []struct{ open, middle, close string }{
		{`[`, ``, `]`}, {`{"a":`, `1`, `}`}, {`{"L":[`, ``, `]}`}, {`{"M":{"a":`, `{"S":""}`, `}}`}} {
		for _, depth := range []int{31, 32, 33, 1000, 9_000, deep} {
			value := strings.Repeat(nest.open, depth) + nest.middle + strings.Repeat(nest.close, depth)
			for _, closed := range []string{value, strings.Repeat(nest.open, depth)} {
				for _, w := range [][2]string{{"PutItem", `{"TableName":"tbl","Item":{"pk":{"S":"a"},"sk":{"N":"1"},"x":%s}}`}, {"GetItem", `%s`},
					{"Query", `{"TableName":"tbl","KeyConditionExpression":"pk = :p","ExpressionAttributeValues":{":p":%s}}`}, {"CreateTable", `{"Unknown":%s}`}} {
					before, after, _ := strings.Cut(w[1], "%s")
					_, err := e.Do(context.Background(), w[0], []byte(before+closed+after))
					var refused *wire.Error
					if err != nil && (!errors.As(err, &refused) || refused.HTTPStatus() >= 500) {
						t.Errorf("%s of %d %s: %v", w[0], depth, nest.open, err)
					}
					if err == nil && depth > 32 {
						t.Errorf("%s of %d %s is taken", w[0], depth, nest.open)
					}
				}
			}
		}
	}
	for _, operators := range []string{"NOT ", "(", "a.", "a[0]", "size("} {
		text := strings.Repeat(operators, 4096/len(operators))
		if _, err := try(e, "Scan", `{"TableName":"tbl","FilterExpression":%s}`, strconv.Quote(text)); err == nil {
			t.Errorf("%s… is taken", operators)
		}
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
