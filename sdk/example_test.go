package sdk_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/sdk"
	"github.com/tablewright/tablewright/stats"
)

// A program that has a client of the SDK's already, with its own middleware and endpoint, uses it for typed entities too.
func ExampleTransport() {
	ctx := context.Background()
	cfg, err := config.LoadDefaultConfig(ctx)
	if err != nil {
		log.Fatal(err)
	}
	client := dynamodb.NewFromConfig(cfg)
	db := tablewright.New(sdk.Transport(client), tablewright.Options{})
	account, err := Accounts.Get("a").Run(ctx, db)
	fmt.Println(account.Owner, err)
}

// Code written for the SDK runs on an engine in this process.
func ExampleClient() {
	e, err := engine.Open("", nil)
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()
	ctx, db := context.Background(), tablewright.New(tablewright.InProcess(e), tablewright.Options{})
	if err := bank.CreateIn(ctx, db); err != nil {
		log.Fatal(err)
	}
	client := sdk.Client(db)
	_, err = client.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("Bank"), Item: map[string]types.AttributeValue{
		"id": &types.AttributeValueMemberS{Value: "a"}, "owner": &types.AttributeValueMemberS{Value: "Ann"},
	}})
	if err != nil {
		log.Fatal(err)
	}
	account, err := Accounts.Get("a").Run(ctx, db)
	fmt.Println(account.Owner, err)
	// Output: Ann <nil>
}

// Calls of the SDK's client are named, so that statistics tell what each access pattern costs.
func ExampleNamed() {
	e, err := engine.Open("", nil)
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()
	collector := stats.NewCollector(stats.Options{})
	ctx, db := context.Background(), tablewright.New(tablewright.InProcess(e), tablewright.Options{Hooks: []tablewright.Hook{collector.Hook}})
	if err := bank.CreateIn(ctx, db); err != nil {
		log.Fatal(err)
	}
	client := sdk.Client(db)
	_, err = client.GetItem(sdk.Named(ctx, "accountById"), &dynamodb.GetItemInput{TableName: aws.String("Bank"),
		Key: map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: "a"}}})
	if err != nil {
		log.Fatal(err)
	}
	for _, o := range collector.Of(bank).Stats().Operations {
		if o.Pattern != "" {
			fmt.Println(o.Pattern, o.Read)
		}
	}
	// Output: accountById 0.5
}

// Error handling that was written for the SDK goes on working.
func ExampleServiceError() {
	e, err := engine.Open("", nil)
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()
	ctx, db := context.Background(), tablewright.New(tablewright.InProcess(e), tablewright.Options{})
	_, err = Accounts.Get("a").Run(ctx, db)
	var missing *types.ResourceNotFoundException
	fmt.Println(errors.As(sdk.ServiceError(err), &missing))
	// Output: true
}
