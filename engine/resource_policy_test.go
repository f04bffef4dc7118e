package engine_test

import (
	"strings"
	"testing"
	"time"

	"github.com/tablewright/tablewright/engine"
)

func quoted(s string) string { return `"` + strings.ReplaceAll(s, `"`, `\"`) + `"` }

// TestResourcePolicyDecides: what a table's policy allows and denies holds for those that it names, beside their own
// policies, and for who puts it (access-control-resource-based).
func TestResourcePolicyDecides(t *testing.T) {
	c := authenticated(t, map[string]string{
		"bob": `{"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"dynamodb:*","Resource":"*"}}`,
	})
	admin, alice, bob := c.as("admin"), c.as("alice"), c.as("bob")
	admin.do("CreateTable", schema, nil)
	const get = `{"TableName":"tbl","Key":{"pk":{"S":"a"},"sk":{"N":"1"}}}`
	refused := func(answer string) bool { return strings.Contains(answer, "AccessDeniedException") }
	if !refused(alice.do("GetItem", get, nil)) || refused(bob.do("GetItem", get, nil)) {
		t.Fatal("without a policy alice may read or bob may not")
	}
	put := func(statements string) string {
		return admin.do("PutResourcePolicy", `{"ResourceArn":"`+tableARN+`","Policy":`+quoted(`{"Version":"2012-10-17","Statement":[`+statements+`]}`)+`}`, nil)
	}
	answer := put(`{"Effect":"Allow","Principal":{"AWS":"arn:aws:iam::000000000000:user/alice"},"Action":"dynamodb:GetItem","Resource":"` + tableARN + `"},` +
		`{"Effect":"Deny","Principal":{"AWS":"arn:aws:iam::000000000000:user/staff/bob"},"Action":["dynamodb:GetItem"],"Resource":"` + tableARN + `"}`)
	if !strings.Contains(answer, "RevisionId") {
		t.Fatal(answer)
	}
	if got := alice.do("GetItem", get, nil); refused(got) {
		t.Errorf("alice, whom the policy allows to read: %s", got)
	}
	if got := alice.do("Scan", `{"TableName":"tbl"}`, nil); !refused(got) {
		t.Errorf("alice scans: %s", got)
	}
	if got := bob.do("GetItem", get, nil); !strings.Contains(got, "explicit deny in a resource-based policy") {
		t.Errorf("bob, whom the policy denies to read: %s", got)
	}
	const deny = `{"Effect":"Deny","Principal":"*","Action":"dynamodb:PutResourcePolicy","Resource":"*"}`
	if got := put(deny); !strings.Contains(got, "will not allow you to update the resource policy in the future") {
		t.Errorf("a policy that locks its owner out: %s", got)
	}
	if got := admin.do("DeleteResourcePolicy", `{"ResourceArn":"`+tableARN+`"}`, nil); !strings.Contains(got, "RevisionId") {
		t.Error(got)
	}
	if got := alice.do("GetItem", get, nil); !refused(got) {
		t.Errorf("alice, after the policy is gone: %s", got)
	}
}

// TestResourcePolicySurvives: a policy is there after a restart, as it was, and decides again.
func TestResourcePolicySurvives(t *testing.T) {
	dir := t.TempDir()
	o := &engine.Options{NoSync: true, SweepEvery: -1}
	e, err := engine.Open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	do(t, e, "CreateTable", schema)
	policy := quoted(`{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":{"AWS":"123456789012"},"Action":["dynamodb:GetItem"],"Resource":"*"}]}`)
	put := do(t, e, "PutResourcePolicy", `{"ResourceArn":"`+tableARN+`","Policy":`+policy+`}`)
	before := do(t, e, "GetResourcePolicy", `{"ResourceArn":"`+tableARN+`"}`)
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	e = open(t, dir, o)
	after := do(t, e, "GetResourcePolicy", `{"ResourceArn":"`+tableARN+`"}`)
	if after["Policy"] != before["Policy"] || after["RevisionId"] != put["RevisionId"] {
		t.Errorf("before %v, after %v", before, after)
	}
	time.Sleep(2 * time.Millisecond) // a revision is a time in milliseconds
	again := do(t, e, "PutResourcePolicy", `{"ResourceArn":"`+tableARN+`","Policy":`+policy+`}`)
	if again["RevisionId"] != put["RevisionId"] {
		t.Errorf("the same policy again has revision %v, was %v", again["RevisionId"], put["RevisionId"])
	}
}

// TestResourcePolicyIsNotGuessed: a policy in which an element stands twice, or beside its opposite, is refused: whichever of
// the two counted, its owner may have meant the other.
func TestResourcePolicyIsNotGuessed(t *testing.T) {
	e := engine.New(t)
	do(t, e, "CreateTable", schema)
	const rest = `"Principal":{"AWS":"123456789012"},"Resource":"*"`
	for _, statement := range []string{
		`{"Effect":"Deny","Effect":"Allow","Action":"dynamodb:GetItem",` + rest + `}`,
		`{"Effect":"Deny","Action":"dynamodb:GetItem","NotAction":"dynamodb:PutItem",` + rest + `}`,
		`{"Effect":"Deny","Action":"dynamodb:GetItem",` + rest + `,"NotResource":"` + tableARN + `"}`,
		`{"Effect":"Deny","Action":"dynamodb:GetItem",` + rest + `,"NotPrincipal":"*"}`,
		`{"Effect":"Deny","Action":"dynamodb:GetItem",` + rest + `,"Condition":{"Bool":{"aws:SecureTransport":"true"},"Bool":{"aws:ViaAWSService":"true"}}}`,
	} {
		_, err := try(e, "PutResourcePolicy", `{"ResourceArn":"`+tableARN+`","Policy":`+quoted(`{"Version":"2012-10-17","Statement":[`+statement+`]}`)+`}`)
		if err == nil || !strings.Contains(err.Error(), "Invalid policy document") {
			t.Errorf("%s: %v", statement, err)
		}
	}
}
