package both

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/guregu/dynamo/v2"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/sdk"
)

//page:begin sdk-struct

// Note is a type that a program for the SDK has: its tags are read as they are.
type Note struct {
	ID     string    `dynamodbav:"noteId"`
	Text   string    `dynamodbav:"text"`
	Due    time.Time `dynamodbav:"due,unixtime"`
	Labels []string  `dynamodbav:"labels,stringset,omitempty"`
}

var NotesTable = tablewright.NewTable(plan.Table{Name: "Notes", Key: plan.Key{Partition: "noteId"}})

var Notes = tablewright.Declare[struct {
	tablewright.Entity[string, Note]
	Text   tablewright.Text[Note, string]
	Labels tablewright.Set[Note, string]
}](NotesTable, plan.Item{Name: "Note"})

//page:end sdk-struct

//page:begin guregu-struct

// Task is a type that a program for guregu/dynamo has, with the tags of both.
type Task struct {
	User  int       `dynamo:"UserID,hash" ddb:"UserID"`
	Time  time.Time `dynamo:"Time,range,unixtime" ddb:"Time,epoch-s"`
	Text  string    `dynamo:"Text" ddb:"Text,omitzero"` // guregu/dynamo leaves empty texts out
	Count int       `dynamo:"Count" ddb:"Count"`
}

type TaskKey struct {
	User int
	Time time.Time
}

var TasksTable = tablewright.NewTable(plan.Table{Name: "Tasks", Key: plan.Key{Partition: "UserID", Sort: "Time"}})

var Tasks = tablewright.Declare[struct {
	tablewright.Entity[TaskKey, Task]
	Count  tablewright.Number[Task, int]
	OfUser tablewright.Index1[Task, int, time.Time] `index:"Tasks"`
}](TasksTable, plan.Item{Name: "Task"})

//page:end guregu-struct

// existing is the SDK's client that a program has already; here it leads to an engine in the same process.
func existing(ctx context.Context, table *tablewright.Table) *dynamodb.Client {
	e, err := engine.Open("", nil)
	if err != nil {
		log.Fatal(err)
	}
	db := tablewright.New(tablewright.InProcess(e), tablewright.Options{})
	if err := table.CreateIn(ctx, db); err != nil {
		log.Fatal(err)
	}
	return sdk.Client(db)
}

// One way to the service for both: credentials, Region, middleware and endpoint are those of the client that there is.
func Example_sdk() {
	ctx := context.Background()
	client := existing(ctx, NotesTable)
	//page:begin sdk-both
	db := tablewright.New(sdk.Transport(client), tablewright.Options{}) // client is the *dynamodb.Client that there is

	item, err := attributevalue.MarshalMap(Note{ID: "n1", Text: "ring", Due: time.Unix(1795262400, 0), Labels: []string{"home"}})
	if err != nil {
		log.Fatal(err)
	}
	if _, err := client.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("Notes"), Item: item}); err != nil {
		log.Fatal(err)
	}
	note, err := Notes.Update("n1", Notes.Labels.Insert("urgent")).If(Notes.Text.Equals("ring")).New(ctx, db)
	fmt.Println(note.Due.Unix(), len(note.Labels), err)

	out, err := client.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String("Notes"), Key: map[string]types.AttributeValue{
		"noteId": &types.AttributeValueMemberS{Value: "n1"}}})
	if err != nil {
		log.Fatal(err)
	}
	var same Note
	fmt.Println(attributevalue.UnmarshalMap(out.Item, &same), len(same.Labels))
	// Output:
	// 1795262400 2 <nil>
	// <nil> 2
	//page:end sdk-both
}

// What handles the SDK's errors goes on doing so.
func Example_errors() {
	ctx := context.Background()
	db := tablewright.New(sdk.Transport(existing(ctx, NotesTable)), tablewright.Options{})
	//page:begin sdk-errors
	err := Notes.Replace(Note{ID: "n2"}).Run(ctx, db)
	fmt.Println(errors.Is(err, tablewright.ErrNotFound))
	_, old := errors.AsType[*types.ConditionalCheckFailedException](sdk.ServiceError(err))
	fmt.Println(old)
	// Output:
	// true
	// true
	//page:end sdk-errors
}

// guregu/dynamo over the same client, or over a DB, and the other way around.
func Example_guregu() {
	ctx := context.Background()
	client := existing(ctx, TasksTable)
	//page:begin guregu-both
	there := dynamo.NewFromIface(client)                                // guregu/dynamo, as before
	db := tablewright.New(sdk.Transport(client), tablewright.Options{}) // both over the same *dynamodb.Client

	noon := time.Unix(1795262400, 0).UTC()
	if err := there.Table("Tasks").Put(Task{User: 613, Time: noon, Text: "hello"}).Run(ctx); err != nil {
		log.Fatal(err)
	}
	task, err := Tasks.Update(TaskKey{613, noon}, Tasks.Count.Add(1)).New(ctx, db)
	fmt.Println(task.Text, task.Count, err)

	var all []Task
	err = there.Table("Tasks").Get("UserID", 613).Range("Time", dynamo.GreaterOrEqual, noon.Unix()).All(ctx, &all)
	fmt.Println(len(all), all[0].Count, err)
	// Output:
	// hello 1 <nil>
	// 1 1 <nil>
	//page:end guregu-both
}
