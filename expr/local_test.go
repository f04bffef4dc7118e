package expr_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/expr"
)

// localDiffers are the cases that DynamoDB Local 3.3 answers in other words, by parts of what Local and we say, and why we do
// not follow.
var localDiffers = []struct{ local, ours, reason string }{
	{"typeSet: ALLOWED_FOR_", "", "Local appends the set of types; AWS answered without it when captured"},
	{"valid types: {", "", "the order of a set; ours was captured on AWS"},
	{"attribute_type, operand type: {", "", "the names of a set; ours were captured on AWS"},
	{"Key attributes must be scalars", "", "AWS: KeyConditionExpressions cannot have conditions on nested attributes"},
	{"KeyConditionExpressions ", "Invalid KeyConditionExpression: KeyConditionExpressions ", "AWS says which expression since 2026"},
	{"Query condition missed key schema element", "", "AWS adds the name of the attribute"},
	{"DynamoDB only supports precision up to 38 digits", "", "AWS: Attempting to store more than 38 significant digits in a Number"},
	{"Internal server error", "", "a crash on a.:v"},
	{"true", "reserved keyword: size", "Local does not reserve SIZE and CONVERT; the documentation does"},
}

// TestDynamoDBLocal gives the cases of testdata to DynamoDB Local. It needs TABLEWRIGHT_DYNAMODB_LOCAL, the folder of
// DynamoDBLocal.jar, and Java 17.
func TestDynamoDBLocal(t *testing.T) {
	local := startLocal(t)
	for _, file := range caseFiles(t) {
		var stored string
		forCases(t, file, func(at string, c testCase, want string) string {
			switch c.command {
			case "print", "paths", "statement", "reach": // statements are compared by the cases of engine/conformance
				return want
			}
			if item := string(attr.AppendItem(nil, c.item)); stored != item && c.item.Len() > 0 || c.command == "update" {
				local.must("PutItem", `{"TableName":"ttt","Item":`+item+`}`)
				stored = item
			}
			got, failed := local.ask(c)
			ours, err := c.run()
			if err != nil {
				ours = err.Error()
			}
			if c.command == "key" && !failed && err == nil {
				return want // the items that it finds are the engine's affair
			}
			if got == ours {
				return want
			}
			for _, d := range localDiffers {
				if err != nil && strings.Contains(got, d.local) && strings.Contains(ours, d.ours) {
					return want
				}
			}
			t.Errorf("%s: %s\n  ours %s\n Local %s", at, c.text, ours, got)
			return want
		})
	}
}

type localDB struct {
	t   *testing.T
	url string
}

func startLocal(t *testing.T) *localDB {
	dir := os.Getenv("TABLEWRIGHT_DYNAMODB_LOCAL")
	if dir == "" {
		t.Skip("TABLEWRIGHT_DYNAMODB_LOCAL is not set")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	l.Close()
	cmd := exec.Command("java", "-Xmx300m", "-Djava.library.path="+filepath.Join(dir, "DynamoDBLocal_lib"), "-jar", filepath.Join(dir, "DynamoDBLocal.jar"), "-inMemory", "-port", fmt.Sprint(port))
	cmd.Dir = dir
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	db := &localDB{t, fmt.Sprintf("http://127.0.0.1:%d/", port)}
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(100 * time.Millisecond) {
		if conn, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port)); err == nil {
			conn.Close()
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("DynamoDB Local did not start")
		}
	}
	const definitions = `"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}%s],"BillingMode":"PAY_PER_REQUEST"`
	more := ""
	for name, kind := range map[string]string{"sk": "S", "h1": "S", "h2": "S", "r1": "S", "r2": "S", "r3": "N"} {
		more += fmt.Sprintf(`,{"AttributeName":%q,"AttributeType":%q}`, name, kind)
	}
	db.must("CreateTable", `{"TableName":"ttt",`+fmt.Sprintf(definitions, more)+`,
		"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],
		"GlobalSecondaryIndexes":[{"IndexName":"ggg","Projection":{"ProjectionType":"ALL"},"KeySchema":[
			{"AttributeName":"h1","KeyType":"HASH"},{"AttributeName":"h2","KeyType":"HASH"},
			{"AttributeName":"r1","KeyType":"RANGE"},{"AttributeName":"r2","KeyType":"RANGE"},{"AttributeName":"r3","KeyType":"RANGE"}]}]}`)
	db.must("CreateTable", `{"TableName":"hash",`+fmt.Sprintf(definitions, "")+`,"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]}`)
	return db
}

// call sends a request and answers the body, and whether it is an error's.
func (db *localDB) call(operation, body string) ([]byte, bool) {
	r, err := http.NewRequest("POST", db.url, strings.NewReader(body))
	if err != nil {
		db.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	r.Header.Set("X-Amz-Target", "DynamoDB_20120810."+operation)
	r.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=local/20200101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		db.t.Fatal(err)
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(answer.Body)
	if err != nil {
		db.t.Fatal(err)
	}
	return data, answer.StatusCode != http.StatusOK
}

func (db *localDB) must(operation, body string) {
	db.t.Helper()
	if data, failed := db.call(operation, body); failed {
		db.t.Fatalf("%s %s: %s", operation, body, data)
	}
}

// ask answers a case as testCase.run does.
func (db *localDB) ask(c testCase) (answer string, failed bool) {
	operations := map[string][2]string{
		"filter": {"Scan", "FilterExpression"}, "update": {"UpdateItem", "UpdateExpression"},
		"projection": {"GetItem", "ProjectionExpression"}, "key": {"Query", "KeyConditionExpression"},
	}
	operation, parameter := operations[c.command][0], operations[c.command][1]
	request := map[string]any{"TableName": "ttt", parameter: c.text}
	switch c.command {
	case "update":
		request["ReturnValues"] = "ALL_NEW"
		fallthrough
	case "projection":
		request["Key"] = json.RawMessage(`{"pk":{"S":"p"},"sk":{"S":"s"}}`)
	case "key":
		if c.arg == "gsi" {
			request["IndexName"] = "ggg"
		} else if c.arg == "hash" {
			request["TableName"] = "hash"
		}
	}
	if c.names != nil {
		request["ExpressionAttributeNames"] = c.names
	}
	if c.values != nil {
		values := map[string]json.RawMessage{}
		for ref, v := range c.values {
			values[ref] = attr.AppendValue(nil, v)
		}
		request["ExpressionAttributeValues"] = values
	}
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(request); err != nil {
		db.t.Fatal(err)
	}
	data, failed := db.call(operation, body.String())
	var parsed struct {
		Message          string
		Count            int
		Item, Attributes json.RawMessage
	}
	if err := json.Unmarshal(data, &parsed); err != nil {
		db.t.Fatalf("%s: %v", data, err)
	}
	if failed {
		return parsed.Message, true
	}
	switch c.command {
	case "filter":
		return fmt.Sprint(parsed.Count == 1), false
	case "update":
		after, err := attr.ParseItem(parsed.Attributes)
		if err != nil {
			db.t.Fatalf("%s: %v", data, err)
		}
		return difference(c.item, after), false
	case "projection":
		it, err := attr.ParseItem(parsed.Item)
		if err != nil {
			db.t.Fatalf("%s: %v", data, err)
		}
		return string(attr.AppendItem(nil, it)), false
	}
	return "ok", false
}

// TestReservedOnLocal asks DynamoDB Local for every reserved word. It lets two through that the documentation lists.
func TestReservedOnLocal(t *testing.T) {
	local := startLocal(t)
	for _, word := range reservedWords(t) {
		c := testCase{command: "filter", text: word + " = " + word + "x"}
		got, failed := local.ask(c)
		_, err := expr.ParseFilter(c.text, nil)
		if word == "CONVERT" || word == "SIZE" {
			failed, got = true, err.Error()
		}
		if !failed || got != err.Error() {
			t.Errorf("%s:\n  ours %v\n Local %s", word, err, got)
		}
	}
}
