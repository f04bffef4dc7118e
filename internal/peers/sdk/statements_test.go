package sdk_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// TestGoStatements: PartiQL through the SDK, one by one, page by page, in batches and transactions.
func TestGoStatements(t *testing.T) {
	ctx, c := t.Context(), newClient(t, startServe(t))
	createTable(t, c, ordersTable("orders"))
	run := func(text string, parameters ...types.AttributeValue) (*dynamodb.ExecuteStatementOutput, error) {
		return c.ExecuteStatement(ctx, &dynamodb.ExecuteStatementInput{Statement: &text, Parameters: parameters})
	}
	for n := range 5 {
		o := order(1, n)
		must(run(`INSERT INTO orders VALUE {'customer':?, 'order':?, 'country':?, 'status':?, 'amount':?}`,
			o["customer"], o["order"], o["country"], o["status"], o["amount"]))(t)
	}
	_, err := run(`INSERT INTO orders VALUE {'customer':'c1', 'order':'o0000'}`)
	if !is[*types.DuplicateItemException](err) {
		t.Error(err)
	}
	_, err = run(`UPDATE orders SET paid = true WHERE customer = 'c1' AND "order" = 'none'`)
	if !is[*types.ConditionalCheckFailedException](err) {
		t.Error(err)
	}
	updated := must(run(`UPDATE orders SET amount = amount + 5 REMOVE country WHERE customer = 'c1' AND "order" = 'o0001' RETURNING MODIFIED NEW *`))(t)
	if len(updated.Items) != 1 || len(updated.Items[0]) != 1 || updated.Items[0]["amount"].(*types.AttributeValueMemberN).Value != "15" {
		t.Error(updated.Items)
	}

	var found []string
	pages := 0
	p := &dynamodb.ExecuteStatementInput{Statement: aws.String(`SELECT "order" FROM "orders"."by-amount" WHERE customer = 'c1' AND amount > 5 ORDER BY amount DESC`), Limit: aws.Int32(2)}
	for {
		out := must(c.ExecuteStatement(ctx, p))(t)
		pages++
		for _, it := range out.Items {
			found = append(found, it["order"].(*types.AttributeValueMemberS).Value)
		}
		if p.NextToken = out.NextToken; p.NextToken == nil {
			break
		}
	}
	if !slices.Equal(found, []string{"o0004", "o0003", "o0002", "o0001"}) || pages != 3 {
		t.Error(found, pages)
	}

	batch := must(c.BatchExecuteStatement(ctx, &dynamodb.BatchExecuteStatementInput{Statements: []types.BatchStatementRequest{
		{Statement: aws.String(`DELETE FROM orders WHERE customer = 'c1' AND "order" = 'o0002' RETURNING ALL OLD *`)},
		{Statement: aws.String(`DELETE FROM orders WHERE customer = 'c1' AND "order" = 'o0003' AND amount = 0`)},
		{Statement: aws.String(`DELETE FROM none WHERE customer = 'c1'`)},
	}}))(t)
	if r := batch.Responses; len(r) != 3 || r[0].Error != nil || len(r[0].Item) != 5 || r[1].Error.Code != types.BatchStatementErrorCodeEnumConditionalCheckFailed ||
		r[2].Error.Code != types.BatchStatementErrorCodeEnumResourceNotFound {
		t.Errorf("%+v", r)
	}

	statements := []types.ParameterizedStatement{
		{Statement: aws.String(`INSERT INTO orders VALUE {'customer':'c2', 'order':'o1'}`)},
		{Statement: aws.String(`EXISTS(SELECT * FROM orders WHERE customer = 'c1' AND "order" = 'o0003' AND amount = ?)`), Parameters: []types.AttributeValue{num("30")}},
	}
	transaction := &dynamodb.ExecuteTransactionInput{TransactStatements: statements, ClientRequestToken: aws.String("once")}
	must(c.ExecuteTransaction(ctx, transaction))(t)
	must(c.ExecuteTransaction(ctx, transaction))(t)
	_, err = c.ExecuteTransaction(ctx, &dynamodb.ExecuteTransactionInput{TransactStatements: statements})
	var cancelled *types.TransactionCanceledException
	if !errors.As(err, &cancelled) || *cancelled.CancellationReasons[0].Code != "DuplicateItem" || *cancelled.CancellationReasons[1].Code != "None" {
		t.Error(err)
	}
	read := must(c.ExecuteTransaction(ctx, &dynamodb.ExecuteTransactionInput{TransactStatements: []types.ParameterizedStatement{
		{Statement: aws.String(`SELECT customer FROM orders WHERE customer = 'c2' AND "order" = 'o1'`)},
		{Statement: aws.String(`SELECT customer FROM orders WHERE customer = 'c2' AND "order" = 'o2'`)},
	}}))(t)
	if len(read.Responses) != 2 || read.Responses[0].Item["customer"].(*types.AttributeValueMemberS).Value != "c2" || read.Responses[1].Item != nil {
		t.Errorf("%+v", read.Responses)
	}
}
