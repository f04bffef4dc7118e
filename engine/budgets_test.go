package engine_test

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/tablewright/tablewright/engine"
)

// TestDecreases: four decreases of provisioned throughput in a day, then one an hour, each table and index for itself; the
// text is that measured on AWS in 2026-10 (ServiceQuotas).
func TestDecreases(t *testing.T) {
	c := newClock() // noon
	e := open(t, "", &engine.Options{Clock: c, SweepEvery: -1})
	do(t, e, "CreateTable", `{"TableName":"tbl","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],
		"ProvisionedThroughput":{"ReadCapacityUnits":20,"WriteCapacityUnits":20},"GlobalSecondaryIndexes":[{"IndexName":"gsi","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],
		"Projection":{"ProjectionType":"ALL"},"ProvisionedThroughput":{"ReadCapacityUnits":20,"WriteCapacityUnits":20}}]}`)
	const table, index = `"ProvisionedThroughput":{"ReadCapacityUnits":%d,"WriteCapacityUnits":20}`,
		`"GlobalSecondaryIndexUpdates":[{"Update":{"IndexName":"gsi","ProvisionedThroughput":{"ReadCapacityUnits":%d,"WriteCapacityUnits":20}}}]`
	set := func(what string, units int) error {
		_, err := try(e, "UpdateTable", `{"TableName":"tbl",`+fmt.Sprintf(what, units)+`}`)
		return err
	}
	for units := 19; units > 15; units-- {
		if err := set(table, units); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 { // one that is refused does not count
		err := set(table, 15)
		if want := "LimitExceededException: Subscriber limit exceeded: Provisioned throughput decreases are limited within a given UTC day. " +
			"After the first 4 decreases, each subsequent decrease in the same UTC day can be performed at most once every 3600 seconds. " +
			"Number of decreases today: 4. Last decrease at Saturday, August 1, 2026 at 12:00:00 PM Coordinated Universal Time. " +
			"Next decrease can be made at Saturday, August 1, 2026 at 1:00:00 PM Coordinated Universal Time"; err == nil || err.Error() != want {
			t.Errorf("the fifth decrease: %v\n  want %s", err, want)
		}
		c.move(29 * time.Minute)
	}
	if err := set(index, 19); err != nil {
		t.Errorf("the first decrease of the index: %v", err)
	}
	if err := set(table, 17); err != nil {
		t.Errorf("an increase: %v", err)
	}
	c.move(2 * time.Minute)
	if err := set(table, 15); err != nil {
		t.Errorf("after an hour: %v", err)
	}
	if err := set(table, 14); err == nil {
		t.Error("and another one at once")
	}
	c.move(11 * time.Hour) // the next day
	if err := set(table, 13); err != nil {
		t.Errorf("on the next day: %v", err)
	}
	d := do(t, e, "DescribeTable", `{"TableName":"tbl"}`)["Table"].(map[string]any)["ProvisionedThroughput"].(map[string]any)
	if d["NumberOfDecreasesToday"] != 1.0 || d["LastDecreaseDateTime"] == nil || d["LastIncreaseDateTime"] == nil {
		t.Errorf("described as %v", d)
	}
}

// TestOtherBudgets: the table class changes twice in 30 days, encryption four times in a day (ServiceQuotas).
func TestOtherBudgets(t *testing.T) {
	c := newClock()
	e := open(t, "", &engine.Options{Clock: c, SweepEvery: -1})
	do(t, e, "CreateTable", schema)
	toggle := func(n int) (err error) {
		_, err = try(e, "UpdateTable", `{"TableName":"tbl","SSESpecification":{"Enabled":%v}}`, n%2 == 0)
		return err
	}
	for i := range 4 {
		if err := toggle(i); err != nil {
			t.Fatal(err)
		}
	}
	refuses(t, e, "LimitExceededException: Subscriber limit exceeded: Encryption mode changes are limited", "UpdateTable", `{"TableName":"tbl","SSESpecification":{"Enabled":true}}`)
	c.move(6 * time.Hour)
	if err := toggle(0); err != nil {
		t.Errorf("after six hours: %v", err)
	}
	class := func(class string) error {
		_, err := try(e, "UpdateTable", `{"TableName":"tbl","TableClass":"%s"}`, class)
		return err
	}
	if err := class("STANDARD_INFREQUENT_ACCESS"); err != nil {
		t.Error(err)
	}
	if err := class("STANDARD"); err != nil {
		t.Error(err)
	}
	if err := class("STANDARD_INFREQUENT_ACCESS"); err == nil {
		t.Error("a third change of the class")
	}
	c.move(30 * 24 * time.Hour)
	if err := class("STANDARD_INFREQUENT_ACCESS"); err != nil {
		t.Errorf("after 30 days: %v", err)
	}
}

// TestLater: what is not there yet is refused by name.
func TestLater(t *testing.T) {
	e := open(t, "", nil)
	do(t, e, "CreateTable", schema)
	server := httptest.NewServer(e.Handler())
	defer server.Close()
	for operation, want := range map[string]string{
		"CreateBackup":      "UnknownOperationException: Not supported by this engine yet: backups (CreateBackup)",
		"ListBackups":       "UnknownOperationException: Not supported by this engine yet: backups (ListBackups)",
		"ImportTable":       "UnknownOperationException: Not supported by this engine yet: imports (ImportTable)",
		"StartBulkPutItems": "UnknownOperationException: Not supported by this engine yet: bulk puts (StartBulkPutItems)",
		"SearchVectors":     "UnknownOperationException: Not supported by this engine yet: vector indexes (SearchVectors)",
		"Frobnicate":        "UnknownOperationException",
	} {
		if _, err := try(e, operation, `{}`); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", operation, err, want)
		}
		_, told, _ := strings.Cut(want, ": ")
		if status, body := post(t, server.URL, operation, []byte(`{}`), nil); status != 400 || !strings.Contains(string(body), told) {
			t.Errorf("%s over HTTP: %d %s, want %s", operation, status, body, told)
		}
	}
	refuses(t, e, "Not supported by this engine yet: global tables (ReplicaUpdates)", "UpdateTable", `{"TableName":"tbl","ReplicaUpdates":[{"Create":{"RegionName":"eu-west-1"}}]}`)
	refuses(t, e, "Not supported by this engine yet: vector indexes (VectorIndexes)", "CreateTable", hashTable, `,"VectorIndexes":[{}]`)
	do(t, e, "UpdateTable", `{"TableName":"tbl","ReplicaUpdates":[],"DeletionProtectionEnabled":false}`)
}
