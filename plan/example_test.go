package plan_test

import (
	"fmt"
	"time"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/model"
	"github.com/tablewright/tablewright/plan"
)

const messages = `
tablewright: 1
application: chat
entities:
  Message:
    identity: [messageId]
    attributes:
      messageId: {type: string, generated: ulid, bytes: 26}
      room: {type: string, bytes: 8}
      sentAt: {type: timestamp, generated: now}
      text: {type: string, bytes: {average: 80, max: 2_000}}
    count: 1_000_000
patterns:
  send: {write: {create: Message}, rate: {average: 5/s, peak: 40/s}}
  latest:
    read: Message
    given: [room]
    order: sentAt descending
    page: 20
    results: {average: 500, max: 90_000}
    rate: {average: 20/s, peak: 200/s}
`

// fixed is a Source for examples and tests: always the same moment and identifier.
type fixed struct{}

func (fixed) Now() time.Time   { return time.Date(2026, 11, 21, 9, 4, 0, 0, time.UTC) }
func (fixed) ID(string) string { return "01KAJ3S5M0Z7Q8R9T0V1W2X3Y4" }
func (fixed) Random(int) int   { return 0 }

// A model is checked against the requirements it serves; what is wrong has a place, a code and a remedy.
func ExampleCompile() {
	requirements, _, _ := model.ReadRequirements("chat.yaml", []byte(messages))
	m := &plan.Model{
		Application: "chat",
		Tables: []plan.Table{{
			Name:       "Chat",
			Attributes: map[string]plan.Type{"PK": plan.S, "SK": plan.S},
			Key:        plan.Key{Partition: "PK", Sort: "SK"},
			Items: map[string]plan.Item{
				"Message": {Key: map[string]string{"PK": "r#{room}", "SK": "{sentAt:day}#{messageId}"}},
			},
		}},
		Plans: []plan.Plan{
			{Name: "send", Steps: map[string]plan.Step{"m": {Put: "Message", If: []string{"absent"}}}},
			{Name: "latest", Steps: map[string]plan.Step{"q": {
				Query: "Chat", Items: []string{"Message"}, Where: map[string]plan.Range{"room": {Is: "$room"}}, Order: "descending", Evaluate: 20,
			}}, Answer: plan.Answer{From: []string{"q"}, Page: 20}},
		},
	}
	_, problems := plan.Compile(m, requirements)
	for _, p := range problems {
		fmt.Println(p)
	}
	// Within a day the messages come in the order of their identifiers. With the whole time in the key:
	m.Tables[0].Items["Message"].Key["SK"] = "{sentAt:iso}#{messageId}"
	_, problems = plan.Compile(m, requirements)
	fmt.Println(len(problems), "problems")
	// Output:
	// plans.latest.steps.q: error: latest wants pages ordered by sentAt descending, and step q finds its items in another order (order); put the order's paths into the sort key behind what is bound, and mind the direction
	// 0 problems
}

// A call is a loop: ask for the next requests, send them, tell what came back.
func ExampleCall() {
	requirements, _, _ := model.ReadRequirements("chat.yaml", []byte(messages))
	m, _, _ := model.ReadModel("chat.model.yaml", []byte(`
tablewright: 1
application: chat
tables:
  Chat:
    attributes: {PK: S, SK: S}
    key: {partition: PK, sort: SK}
    items: {Message: {holds: Message, key: {PK: "r#{room}", SK: "{sentAt:iso}#{messageId}"}}}
plans:
  send: {steps: {m: {put: Message, if: absent}}}
  latest:
    steps: {q: {query: Chat, items: [Message], where: [room], order: descending, evaluate: 20}}
    answer: {from: q, page: 20}
`))
	program, problems := plan.Compile(m, requirements)
	if len(problems) > 0 {
		panic(problems)
	}
	call, err := program.Procedure("latest").Begin(attr.ItemOf(attr.Field{Name: "room", Value: attr.Text("lobby")}), nil, fixed{})
	if err != nil {
		panic(err)
	}
	for {
		requests, err := call.Next()
		if err != nil {
			panic(err)
		}
		if len(requests) == 0 {
			break
		}
		for _, r := range requests {
			fmt.Print(r)
			if err := call.Done(r, plan.Result{}); err != nil { // nothing was found, and nothing follows
				panic(err)
			}
		}
	}
	reply, err := call.Answer()
	fmt.Println(len(reply.Items), "messages,", reply.Next == nil, err)
	// Output:
	// Query Chat descending limit 20
	//   where: PK = {"S":"r#lobby"}
	// 0 messages, true <nil>
}
