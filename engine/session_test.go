package engine_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/engine"
)

const aTable = `{"TableName":"tbl","AttributeDefinitions":[{"AttributeName":"k","AttributeType":"S"}],"KeySchema":[{"AttributeName":"k","KeyType":"HASH"}],"BillingMode":"PAY_PER_REQUEST"}`

// label is that of the stream of the table.
func label(t *testing.T, r *engine.Region) string {
	t.Helper()
	answer, err := r.Do(t.Context(), "DescribeTable", []byte(`{"TableName":"tbl"}`))
	if err != nil {
		t.Fatal(err)
	}
	_, label, _ := strings.Cut(string(answer), `"LatestStreamLabel":"`)
	label, _, _ = strings.Cut(label, `"`)
	return label
}

// TestRegions: a table is of one Region, by name and by ARN, in process and as a request is signed; shared on request.
func TestRegions(t *testing.T) {
	for _, shared := range []bool{false, true} {
		e, err := engine.Open("", &engine.Options{ShareRegions: shared})
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		west := e.In("eu-west-1")
		out, err := west.Do(t.Context(), "CreateTable", []byte(strings.TrimSuffix(aTable, "}")+`,"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"}}`))
		if err != nil {
			t.Fatal(err)
		}
		if want := `"TableArn":"arn:aws:dynamodb:eu-west-1:000000000000:table/tbl"`; strings.Contains(string(out), want) == shared {
			t.Errorf("shared %v: created %s", shared, out)
		}
		for _, table := range []string{"tbl", "arn:aws:dynamodb:eu-west-1:000000000000:table/tbl"} {
			if _, err := west.Do(t.Context(), "DescribeTable", []byte(`{"TableName":"`+table+`"}`)); err != nil {
				t.Errorf("shared %v: %s: %v", shared, table, err)
			}
		}
		for operation, body := range map[string]string{
			"GetItem":              `{"TableName":"%s","Key":{"k":{"S":"a"}}}`,
			"TagResource":          `{"ResourceArn":"%s","Tags":[{"Key":"a","Value":"b"}]}`,
			"ListTagsOfResource":   `{"ResourceArn":"%s"}`,
			"DeleteResourcePolicy": `{"ResourceArn":"%s"}`,
			"DescribeStream":       `{"StreamArn":"%s/stream/` + label(t, west) + `"}`,
		} {
			for region, there := range map[string]bool{"eu-west-1": true, "us-east-1": shared, "ap-south-1": shared} {
				arn := "arn:aws:dynamodb:" + region + ":000000000000:table/tbl"
				if _, err := west.Do(t.Context(), operation, []byte(strings.Replace(body, "%s", arn, 1))); (err == nil) != there {
					t.Errorf("shared %v: %s of %s: %v", shared, operation, arn, err)
				}
			}
		}
		if _, err := e.Do(t.Context(), "PutItem", []byte(`{"TableName":"tbl","Item":{"k":{"S":"a"}}}`)); (err == nil) != shared {
			t.Errorf("shared %v: put in another Region: %v", shared, err)
		}
		server := httptest.NewServer(e.Handler())
		defer server.Close()
		for region, there := range map[string]bool{"eu-west-1": true, "us-east-1": shared, "": shared} {
			r, _ := http.NewRequestWithContext(t.Context(), "POST", server.URL, strings.NewReader("{}"))
			r.Header.Set("Content-Type", "application/x-amz-json-1.0")
			r.Header.Set("X-Amz-Target", "DynamoDB_20120810.ListTables")
			sign(r.Header)
			credential := "a/key"
			if region != "" {
				credential += "/20260101/" + region + "/dynamodb/aws4_request"
			}
			r.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential="+credential+", SignedHeaders=host, Signature=00")
			answer, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			body := make([]byte, 100)
			n, _ := answer.Body.Read(body)
			answer.Body.Close()
			if got := strings.Contains(string(body[:n]), `"tbl"`); got != there {
				t.Errorf("shared %v: tables in %q: %s", shared, region, body[:n])
			}
		}
	}
}
