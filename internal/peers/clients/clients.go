package clients

import (
	"bytes"
	"context"
	"fmt"
	"hash/crc32"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/guregu/dynamo/v2"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/plan"
)

// Canned answers every HTTP request with the same body, as the service would send it, without a network.
type Canned struct {
	body   []byte
	header http.Header
	Hit    func() // nil: nothing
}

// NewCanned makes an answer of a body.
func NewCanned(body string) *Canned {
	h := http.Header{}
	h.Set("Content-Type", "application/x-amz-json-1.0")
	h.Set("X-Amzn-Requestid", "4KBNVRGD25RG1KEO9UT4V3FQDJVV4KQNSO5AEMVJF66Q9ASUAAJG")
	h.Set("X-Amz-Crc32", strconv.FormatUint(uint64(crc32.ChecksumIEEE([]byte(body))), 10))
	return &Canned{body: []byte(body), header: h}
}

// RoundTrip reads the request and answers.
func (c *Canned) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		_, _ = io.Copy(io.Discard, r.Body)
		r.Body.Close()
	}
	return &http.Response{Status: "200 OK", StatusCode: http.StatusOK, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: c.header,
		Body: io.NopCloser(bytes.NewReader(c.body)), ContentLength: int64(len(c.body)), Request: r}, nil
}

// Clients are the three, all with the same credentials and the same answers.
type Clients struct {
	Tablewright *tablewright.DB
	SDK         *dynamodb.Client
	Guregu      *dynamo.DB
}

// New makes the clients of one answer. Hooks are Tablewright's.
func New(answer string, hooks ...tablewright.Hook) (*Clients, error) {
	client := &http.Client{Transport: NewCanned(answer)}
	cfg := aws.Config{
		Region:     "eu-central-1",
		HTTPClient: client,
		Credentials: aws.NewCredentialsCache(aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "AKIDEXAMPLE", SecretAccessKey: "secret", Source: "benchmark"}, nil
		})),
	}
	db, err := tablewright.Connect(context.Background(), tablewright.Options{AWS: &cfg, HTTP: client, Hooks: hooks})
	if err != nil {
		return nil, err
	}
	sdk := dynamodb.NewFromConfig(cfg)
	return &Clients{Tablewright: db, SDK: sdk, Guregu: dynamo.NewFromIface(sdk)}, nil
}

// Order is the item of the measurements: 12 attributes, tagged for each of the libraries.
type Order struct {
	ID       string    `ddb:"orderId" dynamodbav:"orderId" dynamo:"orderId,hash"`
	Customer string    `ddb:"customerId" dynamodbav:"customerId" dynamo:"customerId"`
	Status   string    `ddb:"status" dynamodbav:"status" dynamo:"status"`
	PlacedAt time.Time `ddb:"placedAt,iso" dynamodbav:"placedAt" dynamo:"placedAt"`
	Total    float64   `ddb:"total" dynamodbav:"total" dynamo:"total"`
	Street   string    `ddb:"street" dynamodbav:"street" dynamo:"street"`
	City     string    `ddb:"city" dynamodbav:"city" dynamo:"city"`
	Country  string    `ddb:"country" dynamodbav:"country" dynamo:"country"`
	Note     string    `ddb:"note" dynamodbav:"note" dynamo:"note"`
	Lines    int       `ddb:"lines" dynamodbav:"lines" dynamo:"lines"`
	Paid     bool      `ddb:"paid" dynamodbav:"paid" dynamo:"paid"`
	Version  int       `ddb:"version" dynamodbav:"version" dynamo:"version"`
}

// Example is the order with a number.
func Example(i int) Order {
	return Order{ID: fmt.Sprintf("o-%06d", i), Customer: "c-4711", Status: "placed", PlacedAt: time.Date(2026, 11, 21, 12, 0, i%60, 0, time.UTC), Total: 19.9 + float64(i),
		Street: "Karl Johans gate 1", City: "Oslo", Country: "NO", Note: "ring twice, then wait", Lines: 3, Paid: i%2 == 0, Version: 7}
}

// Items is n orders as the service answers them.
func Items(n int) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(Item(i))
	}
	return b.String()
}

// Item is one order as the service answers it.
func Item(i int) string {
	o := Example(i)
	return fmt.Sprintf(`{"orderId":{"S":%q},"customerId":{"S":%q},"status":{"S":%q},"placedAt":{"S":%q},"total":{"N":"%v"},"street":{"S":%q},"city":{"S":%q},`+
		`"country":{"S":%q},"note":{"S":%q},"lines":{"N":"%d"},"paid":{"BOOL":%t},"version":{"N":"%d"}}`,
		o.ID, o.Customer, o.Status, o.PlacedAt.Format("2006-01-02T15:04:05.000Z"), o.Total, o.Street, o.City, o.Country, o.Note, o.Lines, o.Paid, o.Version)
}

// Page is a page of a query with n orders.
func Page(n int) string {
	return fmt.Sprintf(`{"Count":%d,"Items":[%s],"ScannedCount":%d}`, n, Items(n), n)
}

// The declarations of the measurements.
type orders struct {
	tablewright.Entity[string, Order]
	Status     tablewright.Text[Order, string]
	Version    tablewright.Number[Order, int]
	ByCustomer tablewright.Index1[Order, string, time.Time]
}

// Orders is the table's only entity.
var Orders = tablewright.Declare[orders](tablewright.NewTable(plan.Table{Name: "Orders", Key: plan.Key{Partition: "orderId"},
	GSI: map[string]plan.Index{"ByCustomer": {Partition: []string{"customerId"}, Sort: []string{"placedAt"}}}}), plan.Item{Name: "Order"})

// CheckedOrder is an Order with a rule for each of its attributes.
type CheckedOrder struct {
	ID       string    `ddb:"orderId" check:"len=1..40"`
	Customer string    `ddb:"customerId" check:"len=1..40"`
	Status   string    `ddb:"status" check:"enum=placed|paid|shipped"`
	PlacedAt time.Time `ddb:"placedAt,iso"`
	Total    float64   `ddb:"total" check:"range=0.."`
	Street   string    `ddb:"street" check:"len=1..200"`
	City     string    `ddb:"city" check:"len=1..100"`
	Country  string    `ddb:"country" check:"pattern=^[A-Z][A-Z]$"`
	Note     string    `ddb:"note" check:"len=..2000"`
	Lines    int       `ddb:"lines" check:"range=1..100"`
	Paid     bool      `ddb:"paid"`
	Version  int       `ddb:"version" check:"range=0.."`
}

// Checked has the same items with the rules.
var Checked = tablewright.Declare[tablewright.Entity[string, CheckedOrder]](
	tablewright.NewTable(plan.Table{Name: "Checked", Key: plan.Key{Partition: "orderId"}}), plan.Item{Name: "CheckedOrder"})

func ours2(o Order) tablewright.Tx {
	return tablewright.Transact(Orders.Create(o), Orders.Delete("o-000002"))
}

// counted says if not all items came.
func counted(n, want int, err error) error {
	if err == nil && n != want {
		err = fmt.Errorf("%d items, not %d", n, want)
	}
	return err
}
