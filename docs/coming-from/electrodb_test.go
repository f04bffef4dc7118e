package comingfrom

import (
	"context"
	"fmt"
	"log"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/docs/internal/local"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/sdk"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

//page:begin electrodb

// Task is the entity tasks, version 1, of the service taskapp. Its keys are put together as ElectroDB does.
type Task struct {
	Team     string `ddb:"team"`
	ID       string `ddb:"task"`
	Employee string `ddb:"employee"`
	Project  string `ddb:"project"`
	Points   int    `ddb:"points"`
}

type TaskKey struct{ Team, ID string }

var Electro = tablewright.NewTable(plan.Table{
	Name: "electro", Key: plan.Key{Partition: "pk", Sort: "sk"},
	GSI: map[string]plan.Index{"gsi1": {Partition: []string{"gsi1pk"}, Sort: []string{"gsi1sk"}}},
})

var Tasks = tablewright.Declare[struct {
	tablewright.Entity[TaskKey, Task]
	Points   tablewright.Number[Task, int]
	OfTeam   tablewright.Index1[Task, string, string]         `index:"electro"`
	Assigned tablewright.Index2[Task, string, string, string] `index:"gsi1"`
}](Electro, plan.Item{
	Name: "Task",
	Key:  map[string]string{"pk": "$taskapp#team_{team}", "sk": "$tasks_1#task_{task}"},
	Set: map[string]plan.Template{
		"gsi1pk":    {Value: "$taskapp#employee_{employee}"},
		"gsi1sk":    {Value: "$tasks_1#project_{project}#task_{task}"},
		"__edb_e__": {Value: "tasks"},
		"__edb_v__": {Value: "1"},
	},
})

//page:end electrodb

// What ElectroDB has written is read, and what is written here it reads.
func Example_electrodb() {
	ctx, db := open(Electro)
	item := map[string]types.AttributeValue{}
	for name, value := range map[string]string{
		"pk": "$taskapp#team_green", "sk": "$tasks_1#task_t1", "gsi1pk": "$taskapp#employee_ada", "gsi1sk": "$tasks_1#project_engine#task_t1",
		"__edb_e__": "tasks", "__edb_v__": "1", "team": "green", "task": "t1", "employee": "ada", "project": "engine",
	} {
		item[name] = &types.AttributeValueMemberS{Value: value}
	}
	item["points"] = &types.AttributeValueMemberN{Value: "3"}
	if _, err := sdk.Client(db).PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("electro"), Item: item}); err != nil {
		log.Fatal(err)
	}
	//page:begin electrodb-use
	tasks, err := Tasks.Assigned.Of("ada").Is("engine").Slice(ctx, db) // written by ElectroDB
	fmt.Println(tasks, err)
	err = Tasks.Update(TaskKey{"green", "t1"}, Tasks.Points.Plus(2)).Run(ctx, db)
	fmt.Println(err)
	stored, err := Tasks.Encode(Task{Team: "green", ID: "t2", Employee: "ada", Project: "engine", Points: 1})
	fmt.Println(string(stored), err)
	// Output:
	// [{green t1 ada engine 3}] <nil>
	// <nil>
	// {"employee":{"S":"ada"},"points":{"N":"1"},"project":{"S":"engine"},"task":{"S":"t2"},"team":{"S":"green"},"pk":{"S":"$taskapp#team_green"},"sk":{"S":"$tasks_1#task_t2"},"__edb_e__":{"S":"tasks"},"__edb_v__":{"S":"1"},"gsi1pk":{"S":"$taskapp#employee_ada"},"gsi1sk":{"S":"$tasks_1#project_engine#task_t2"}} <nil>
	//page:end electrodb-use
}

func open(tables ...*tablewright.Table) (context.Context, *tablewright.DB) {
	return local.Open(tables...)
}
