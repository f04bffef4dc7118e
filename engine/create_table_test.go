package engine_test

import (
	"fmt"
	"testing"
)

// TestForeignARN: a table is not made under an ARN that cannot be its own, nor under a name that is none without an ARN.
func TestForeignARN(t *testing.T) {
	e := open(t, "", nil)
	const rest = `"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],"BillingMode":"PAY_PER_REQUEST"}`
	for arn, want := range map[string]string{
		"arn:aws:dynamodb:eu-west-1:000000000000:table/tbl": "Invalid TableArn: Invalid ResourceArn provided as input arn:aws:dynamodb:eu-west-1:000000000000:table/tbl",
		"arn:aws:dynamodb:us-east-1:123456789012:table/tbl": "Invalid TableArn: Invalid ResourceArn provided as input arn:aws:dynamodb:us-east-1:123456789012:table/tbl",
		"arn:aws:dynamodb:us-east-1:000000000000:table/ab":  "TableName must be at least 3 characters long and at most 255 characters long",
		"arn:aws:dynamodb:us-east-1:000000000000:table/abc": "",
	} {
		_, err := try(e, "CreateTable", `{"TableName":"`+arn+`",`+rest)
		if got := refusal(t, err); got != want {
			t.Errorf("%s: %s, want %s", arn, got, want)
		}
	}
	if got, want := fmt.Sprint(do(t, e, "ListTables", `{}`)), "map[TableNames:[abc]]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
