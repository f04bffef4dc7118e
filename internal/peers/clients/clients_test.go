package clients

import (
	"context"
	"strconv"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// A task is one operation, done by each client. n is how many items it has.
type task struct {
	name   string
	answer string
	ours   func(ctx context.Context, c *Clients) error
	sdk    func(ctx context.Context, c *Clients) error
	guregu func(ctx context.Context, c *Clients) error
}

func tasks() []task {
	str := func(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }
	query := func(n int) task {
		return task{"query of " + strconv.Itoa(n), Page(n),
			func(ctx context.Context, c *Clients) error {
				items, err := Orders.ByCustomer.Of("c-4711").Slice(ctx, c.Tablewright)
				return counted(len(items), n, err)
			},
			func(ctx context.Context, c *Clients) error {
				out, err := c.SDK.Query(ctx, &dynamodb.QueryInput{TableName: aws.String("Orders"), IndexName: aws.String("ByCustomer"),
					KeyConditionExpression: aws.String("customerId = :c"), ExpressionAttributeValues: map[string]types.AttributeValue{":c": str("c-4711")}})
				if err != nil {
					return err
				}
				var items []Order
				err = attributevalue.UnmarshalListOfMaps(out.Items, &items)
				return counted(len(items), n, err)
			},
			func(ctx context.Context, c *Clients) error {
				var items []Order
				err := c.Guregu.Table("Orders").Get("customerId", "c-4711").Index("ByCustomer").All(ctx, &items)
				return counted(len(items), n, err)
			},
		}
	}
	const batch = 25
	var many []Order
	for i := range batch {
		many = append(many, Example(i))
	}
	o := Example(1)
	return []task{
		query(1), query(100),
		{"get", `{"Item":` + Item(1) + `}`,
			func(ctx context.Context, c *Clients) error {
				_, err := Orders.Get("o-000001").Run(ctx, c.Tablewright)
				return err
			},
			func(ctx context.Context, c *Clients) error {
				out, err := c.SDK.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String("Orders"), Key: map[string]types.AttributeValue{"orderId": str("o-000001")}})
				if err != nil {
					return err
				}
				var o Order
				return attributevalue.UnmarshalMap(out.Item, &o)
			},
			func(ctx context.Context, c *Clients) error {
				var o Order
				return c.Guregu.Table("Orders").Get("orderId", "o-000001").One(ctx, &o)
			}},
		{"put", `{}`,
			func(ctx context.Context, c *Clients) error { return Orders.Put(o).Run(ctx, c.Tablewright) },
			func(ctx context.Context, c *Clients) error {
				it, err := attributevalue.MarshalMap(o)
				if err != nil {
					return err
				}
				_, err = c.SDK.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("Orders"), Item: it})
				return err
			},
			func(ctx context.Context, c *Clients) error { return c.Guregu.Table("Orders").Put(o).Run(ctx) }},
		{"update on condition", `{}`,
			func(ctx context.Context, c *Clients) error {
				return Orders.Update("o-000001", Orders.Status.Set("paid"), Orders.Version.Plus(1)).If(Orders.Status.Equals("placed")).Run(ctx, c.Tablewright)
			},
			func(ctx context.Context, c *Clients) error {
				_, err := c.SDK.UpdateItem(ctx, &dynamodb.UpdateItemInput{TableName: aws.String("Orders"), Key: map[string]types.AttributeValue{"orderId": str("o-000001")},
					UpdateExpression: aws.String("SET #s = :paid, version = version + :one"), ConditionExpression: aws.String("attribute_exists(orderId) AND #s = :placed"),
					ExpressionAttributeNames:  map[string]string{"#s": "status"},
					ExpressionAttributeValues: map[string]types.AttributeValue{":paid": str("paid"), ":placed": str("placed"), ":one": &types.AttributeValueMemberN{Value: "1"}}})
				return err
			},
			func(ctx context.Context, c *Clients) error {
				return c.Guregu.Table("Orders").Update("orderId", "o-000001").Set("status", "paid").SetExpr("version = version + ?", 1).
					If("attribute_exists(orderId) AND 'status' = ?", "placed").Run(ctx)
			}},
		{"batch write of 25", `{"UnprocessedItems":{}}`,
			func(ctx context.Context, c *Clients) error {
				return Orders.PutAll(func(yield func(Order) bool) {
					for _, o := range many {
						if !yield(o) {
							return
						}
					}
				}).Run(ctx, c.Tablewright)
			},
			func(ctx context.Context, c *Clients) error {
				writes := make([]types.WriteRequest, len(many))
				for i, o := range many {
					it, err := attributevalue.MarshalMap(o)
					if err != nil {
						return err
					}
					writes[i].PutRequest = &types.PutRequest{Item: it}
				}
				_, err := c.SDK.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{"Orders": writes}})
				return err
			},
			func(ctx context.Context, c *Clients) error {
				w := c.Guregu.Table("Orders").Batch("orderId").Write()
				for _, o := range many {
					w.Put(o)
				}
				_, err := w.Run(ctx)
				return err
			}},
		{"transaction of 2", `{}`,
			func(ctx context.Context, c *Clients) error { return ours2(o).Run(ctx, c.Tablewright) },
			func(ctx context.Context, c *Clients) error {
				it, err := attributevalue.MarshalMap(o)
				if err != nil {
					return err
				}
				_, err = c.SDK.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
					{Put: &types.Put{TableName: aws.String("Orders"), Item: it, ConditionExpression: aws.String("attribute_not_exists(orderId)")}},
					{Delete: &types.Delete{TableName: aws.String("Orders"), Key: map[string]types.AttributeValue{"orderId": str("o-000002")}}},
				}})
				return err
			},
			func(ctx context.Context, c *Clients) error {
				t := c.Guregu.Table("Orders")
				return c.Guregu.WriteTx().Put(t.Put(o).If("attribute_not_exists(orderId)")).Delete(t.Delete("orderId", "o-000002")).Run(ctx)
			}},
	}
}

func BenchmarkClients(b *testing.B) {
	for _, t := range tasks() {
		c, err := New(t.answer)
		if err != nil {
			b.Fatal(err)
		}
		for _, who := range []struct {
			name string
			run  func(ctx context.Context, c *Clients) error
		}{{"tablewright", t.ours}, {"sdk", t.sdk}, {"guregu", t.guregu}} {
			b.Run(t.name+"/"+who.name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if err := who.run(b.Context(), c); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
