package iam

import (
	"slices"
	"strings"
	"testing"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/plan"
)

// TestOf looks at requests that the methods of the client do not send, and at names that are ARNs.
func TestOf(t *testing.T) {
	const arn = "arn:aws:dynamodb:us-east-1:000000000000:table/Shop"
	for _, c := range []struct{ operation, body, want string }{
		{"GetItem", `{"TableName":"` + arn + `","Key":{}}`, "GetItem table/Shop"},
		{"Query", `{"TableName":"` + arn + `","IndexName":"x"}`, "Query table/Shop/index/x"},
		{"BatchWriteItem", `{"RequestItems":{"b":[],"a":[]}}`, "BatchWriteItem table/a, BatchWriteItem table/b"},
		{"TransactWriteItems", `{"TransactItems":[{"Put":{"TableName":"a"}},{"ConditionCheck":{"TableName":"b"}}]}`, "PutItem table/a, ConditionCheckItem table/b"},
		{"CreateTable", `{"TableName":"a","Tags":[{"Key":"k","Value":"v"}],"ResourcePolicy":"{}"}`, "CreateTable table/a, TagResource table/a, PutResourcePolicy table/a"},
		{"CreateTable", `{"TableName":"a","Tags":[]}`, "CreateTable table/a"},
		{"TagResource", `{"ResourceArn":"` + arn + `","Tags":[{"Key":"k","Value":"v"}]}`, "TagResource table/Shop"},
		{"BatchExecuteStatement", `{"Statements":[{"Statement":"DELETE FROM abc WHERE k = ?","Parameters":[{"S":"x"}]},{"Statement":"SELECT * FROM \"abc\".\"xyz\""},{"Statement":"nonsense"}]}`,
			"PartiQLDelete table/abc, PartiQLSelect table/abc/index/xyz"},
		{"ExecuteTransaction", `{"TransactStatements":[{"Statement":"EXISTS(SELECT * FROM abc WHERE k = 'x')"}]}`, "PartiQLSelect table/abc"},
		{"ExecuteStatement", `{"Statement":7}`, ""},
		{"DescribeStream", `{"StreamArn":"` + arn + `/stream/2026-11-21T12:00:00.000"}`, "DescribeStream table/Shop/stream/*"},
		{"GetRecords", `{"ShardIterator":"opaque"}`, ""},
		{"ListTables", `{}`, "ListTables *"},
		{"ListStreams", `{"TableName":"a"}`, "ListStreams *"},
		{"DescribeContinuousBackups", `{"TableName":"a"}`, "DescribeContinuousBackups table/a"},
		{"ListBackups", `{}`, "ListBackups *"},
		{"GetItem", `{`, ""},
	} {
		var got []string
		for _, n := range of(c.operation, []byte(c.body)) {
			got = append(got, strings.TrimPrefix(n.Action, "dynamodb:")+" "+n.Resource)
		}
		if s := strings.Join(got, ", "); s != c.want {
			t.Errorf("%s %s: %s, not %s", c.operation, c.body, s, c.want)
		}
	}
}

func TestPolicy(t *testing.T) {
	needs := []Need{{"dynamodb:PutItem", "table/b"}, {"dynamodb:GetItem", "table/a"}, {"dynamodb:GetItem", "table/b"}, {"dynamodb:PutItem", "table/a"},
		{"dynamodb:ListTables", "*"}, {"dynamodb:Query", "table/a/index/x"}, {"dynamodb:GetItem", "table/a"}}
	got := string(Policy(Account{Partition: "aws-cn", Region: "cn-north-1"}, needs))
	const where = "arn:aws-cn:dynamodb:cn-north-1:*:table/"
	want := `{"Version":"2012-10-17","Statement":[` +
		`{"Effect":"Allow","Action":["dynamodb:ListTables"],"Resource":["*"]},` +
		`{"Effect":"Allow","Action":["dynamodb:GetItem","dynamodb:PutItem"],"Resource":["` + where + `a","` + where + `b"]},` +
		`{"Effect":"Allow","Action":["dynamodb:Query"],"Resource":["` + where + `a/index/x"]}]}`
	if flat := strings.Join(strings.Fields(got), ""); flat != want {
		t.Errorf("%s\nnot\n%s", flat, want)
	}
	slices.Reverse(needs)
	if again := string(Policy(Account{Partition: "aws-cn", Region: "cn-north-1"}, needs)); again != got {
		t.Error("the order of needs makes another policy:", again)
	}
	if Policy(Account{}, nil) != nil {
		t.Error("a policy without statements")
	}
}

type account struct {
	ID      string `ddb:"id"`
	Balance int    `ddb:"balance"`
}

type entry struct {
	ID     string `ddb:"id"`
	Amount int    `ddb:"amount"`
}

var (
	accountsTable = tablewright.NewTable(plan.Table{Name: "Accounts", Key: plan.Key{Partition: "id"}})
	entriesTable  = tablewright.NewTable(plan.Table{Name: "Entries", Key: plan.Key{Partition: "id"}})
	accounts      = tablewright.Declare[struct {
		tablewright.Entity[string, account]
		Balance tablewright.Number[account, int]
	}](accountsTable, plan.Item{Name: "Account"})
	entries = tablewright.Declare[tablewright.Entity[string, entry]](entriesTable, plan.Item{Name: "Entry"})
	_       = tablewright.NewPattern(accountsTable, "book", func(e entry) tablewright.Tx {
		return tablewright.Transact(accounts.Update("a1", accounts.Balance.Add(e.Amount)), entries.Create(e), accounts.Check("a2"))
	})
	_ = tablewright.NewPattern(entriesTable, "audit", func(struct{}) tablewright.Scan[entry] { return entries.Scan().Intended() })
	_ = tablewright.NewPattern(accountsTable, "close", func(id string) tablewright.Delete[account] { return accounts.Delete(id) })
)

// TestOfPatterns: a transaction over two tables, and a scan of one.
func TestOfPatterns(t *testing.T) {
	var got []string
	for _, n := range OfPatterns(nil, accountsTable, entriesTable) {
		got = append(got, n.String())
	}
	want := []string{"dynamodb:ConditionCheckItem on table/Accounts", "dynamodb:DeleteItem on table/Accounts", "dynamodb:UpdateItem on table/Accounts", "dynamodb:PutItem on table/Entries",
		"dynamodb:Scan on table/Entries"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
