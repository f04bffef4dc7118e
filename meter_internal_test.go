package tablewright

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// Consumed capacity is asked for where there is any, and once.
func TestMeasureAsksOnce(t *testing.T) {
	var asked []string
	db := New(TransportFunc(func(_ context.Context, c *Call) error {
		asked = append(asked, string(c.Request))
		c.Response = append(c.Response[:0], "{}"...)
		return nil
	}), Options{Hooks: []Hook{func(next Transport) Transport {
		return TransportFunc(func(ctx context.Context, c *Call) error {
			c.Measure = true
			return next.Do(ctx, c)
		})
	}}})
	for _, test := range []struct {
		operation, request string
		want               int
	}{
		{"GetItem", `{"TableName":"Shop","Key":{"id":{"S":"1"}}}`, 1},
		{"GetItem", `{"TableName":"Shop","Key":{"id":{"S":"1"}},"ReturnConsumedCapacity":"TOTAL"}`, 1},
		{"PutItem", `{"ReturnConsumedCapacity":"NONE","TableName":"Shop","Item":{"id":{"S":"1"}}}`, 1},
		{"Query", "{\"TableName\":\"Shop\" }\n", 1},
		{"TagResource", `{"ResourceArn":"x","Tags":[]}`, 0},
		{"DescribeTable", `{"TableName":"Shop"}`, 0},
		{"UpdateTimeToLive", `{"TableName":"Shop"}`, 0},
		{"GetRecords", `{"ShardIterator":"x"}`, 0},
		{"Scan", `{}`, 0},
	} {
		asked = nil
		if _, err := db.Send(t.Context(), test.operation, "Shop", []byte(test.request)); err != nil {
			t.Errorf("%s: %v", test.operation, err)
		}
		if len(asked) != 1 || strings.Count(asked[0], "ReturnConsumedCapacity") != test.want {
			t.Errorf("%s was asked %v", test.operation, asked)
		}
	}
}

// What a get consumed is found wherever it stands in the answer, and an attribute of the same name is none.
func TestMeterOfGets(t *testing.T) {
	const told = `"ConsumedCapacity":{"TableName":"Shop","CapacityUnits":1.5,"Table":{"CapacityUnits":1.5}}`
	for answer, want := range map[string]struct {
		items int
		read  float64
		arms  int
	}{
		`{"Item":{"a":{"S":"x"}},` + told + `}`:   {1, 1.5, 1},
		`{` + told + `,"Item":{"a":{"S":"x"}}}`:   {1, 1.5, 1},
		`{"Item":{"a":{"S":"x"}}, ` + told + ` }`: {1, 1.5, 1},
		`{` + told + `}`:                          {0, 1.5, 1},
		`{"Item":{"a":{"S":"x"}}}`:                {1, 0, 0},
		`{"Item":{"a":{"N":"1"},` + told + `}}`:   {1, 0, 0},
		`{"Item":{"a":{"S":",\"ConsumedCapacity\":{\"CapacityUnits\":7}}"}},` + told + `}`: {1, 1.5, 1},
		`{"Item":{"a":{"S":"x"},"ConsumedCapacity":{"S":"y"}},` + told + `}`:               {1, 1.5, 1},
		`{"Item":{"a":{"S":"x"},"ConsumedCapacity":{"M":{"CapacityUnits":{"N":"9"}}}}}`:    {1, 0, 0},
		`{}`: {0, 0, 0},
	} {
		c := &Call{Operation: "GetItem", Table: "Shop", Measure: true, Response: []byte(answer)}
		if err := c.meter(); err != nil || c.Items != want.items || float64(c.Read) != want.read || len(c.arms) != want.arms {
			t.Errorf("%s: %d items, %v units, %d arms, %v; want %+v", answer, c.Items, c.Read, len(c.arms), err, want)
		}
	}
}

// What a page tells of itself is found wherever it stands, however the answer is written, and whatever its items hold.
func TestMeterOfPages(t *testing.T) {
	items := []string{`{"a":{"S":"x"}}`, `{"a":{"S":",\"ScannedCount\":9}"}}`, `{"ScannedCount":{"N":"7"}}`, `{"LastEvaluatedKey":{"M":{"ConsumedCapacity":{"M":{}}}}}`,
		`{"a":{"S":"\\"},"Count":{"L":[{"N":"1"}]}}`, `{"a":{"S":"],"},"b":{"S":"},\"LastEvaluatedKey\":{"}}`, `{"a":{"M":{"b":{"N":"1"},"ConsumedCapacity":{"S":"}"}}}}`,
		`{"a":{"S":"` + strings.Repeat("ü", 300) + `"}}`}
	keys := []string{`{"PK":{"S":"x"}}`, `{"PK":{"S":"]"},"ConsumedCapacity":{"N":"1"}}`, `{"PK":{"S":",\"LastEvaluatedKey\":{}"},"LastEvaluatedKey":{"S":"y"}}`,
		`{"PK":{"B":"` + strings.Repeat("AAAA", 2700) + `"}}`}
	const told = `{"TableName":"Shop","CapacityUnits":3,"Table":{"CapacityUnits":2},"GlobalSecondaryIndexes":{"ConsumedCapacity":{"CapacityUnits":1}}}`
	rng := rand.New(rand.NewPCG(1, 2))
	read := 0
	for range 20_000 {
		n, scanned := rng.IntN(4), rng.IntN(200)
		var page []string
		for range n {
			page = append(page, items[rng.IntN(len(items))])
		}
		members := []string{fmt.Sprintf(`"Count":%d`, n), `"Items":[` + strings.Join(page, ",") + `]`, fmt.Sprintf(`"ScannedCount":%d`, scanned)}
		more, priced := rng.IntN(2) == 0, rng.IntN(2) == 0
		if more {
			members = append(members, `"LastEvaluatedKey":`+keys[rng.IntN(len(keys))])
		}
		if priced {
			members = append(members, `"ConsumedCapacity":`+told)
		}
		if slices.Sort(members); rng.IntN(2) == 0 {
			rng.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
		}
		answer := "{" + strings.Join(members, ",") + "}"
		switch rng.IntN(8) {
		case 0:
			answer = "{" + strings.Join(members, " ,\n") + " }\n"
		case 1:
			answer = strings.ReplaceAll(answer, `":`, `": `) // also in texts
		}
		c := &Call{Operation: "Query", Table: "Shop", Measure: true, Response: []byte(answer)}
		if err := c.meter(); err != nil || c.Items != n || c.Scanned != scanned || c.More != more || priced != (c.Read == 3) || priced != (len(c.arms) == 2) {
			t.Fatalf("%s: %d items of %d, more %v, %v units, %d arms, %v", answer, c.Items, c.Scanned, c.More, c.Read, len(c.arms), err)
		}
		if c.meterEnd(']') {
			read++
		}
	}
	if read < 1000 {
		t.Errorf("only %d answers are read from their end", read)
	}
	for _, broken := range []string{`{"Items":[`, `{"Items":[]`, `{"Items":]}`, `{"Items":5}`, `{"Items":`, `{"Item":{}`, `{"Item":5}`, `{"Items":[]"ScannedCount":1}`, `{"Items":[],"ScannedCount":1]`} {
		c := &Call{Operation: "Query", Measure: true, Response: []byte(broken)}
		_ = c.meter() // whoever reads the items says what is wrong
	}
}

// An answer as the service writes it tells the same as when it is read by a Decoder, which is what reads it with white space in it.
func TestMeterWritten(t *testing.T) {
	const item = `{"PK":{"S":"o#o1"},"note":{"S":"\"}"}}`
	numbers := []string{"0", "0.5", "1", "12", "128.5", "0.1", "409.6", "123456789.123456", "1e2", "12345678901234567890", "1.25E1"}
	rng := rand.New(rand.NewPCG(3, 4))
	number := func() string { return numbers[rng.IntN(len(numbers))] }
	units := func(operation string) string {
		if strings.HasPrefix(operation, "Transact") {
			return `"CapacityUnits":` + number() + `,"ReadCapacityUnits":` + number() + `,"WriteCapacityUnits":` + number()
		}
		return `"CapacityUnits":` + number()
	}
	table := func(operation string) string {
		members := []string{`"TableName":"Shop"`, units(operation)}
		for name, index := range map[string]string{"GlobalSecondaryIndexes": "ByCustomer", "LocalSecondaryIndexes": `By\u0044ate`} {
			switch rng.IntN(4) {
			case 0:
				members = append(members, `"`+name+`":{"`+index+`":{`+units(operation)+`}}`)
			case 1:
				members = append(members, `"`+name+`":{"ByDate":{`+units(operation)+`},"ByState":{`+units(operation)+`}}`)
			case 2:
				members = append(members, `"`+name+`":{}`)
			}
		}
		if rng.IntN(3) > 0 {
			members = append(members, `"Table":{`+units(operation)+`}`)
		}
		rng.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
		return "{" + strings.Join(members, ",") + "}"
	}
	written := 0
	for range 20_000 {
		operation := []string{"GetItem", "PutItem", "Query", "BatchGetItem", "TransactWriteItems", "ExecuteStatement"}[rng.IntN(6)]
		told := table(operation)
		var members []string
		switch operation {
		case "GetItem":
			members = []string{`"Item":` + item}
		case "Query", "ExecuteStatement":
			members = []string{`"Count":2`, `"Items":[` + item + `,` + item + `]`, `"ScannedCount":7`, `"LastEvaluatedKey":` + item}
		case "BatchGetItem":
			members, told = []string{`"Responses":{"Shop":[` + item + `]}`}, `[`+told+`,`+table(operation)+`]`
		case "TransactWriteItems":
			told = `[` + told + `]`
		}
		members = append(members[:rng.IntN(len(members)+1)], `"ConsumedCapacity":`+told)
		rng.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
		answer := "{" + strings.Join(members, ",") + "}"
		one := &Call{Operation: operation, Index: "ByDate", Measure: true, Response: []byte(answer)}
		two := &Call{Operation: operation, Index: "ByDate", Measure: true, Response: []byte(" {" + strings.Join(members, " , ") + " } ")}
		if err := errors.Join(one.meter(), two.meter()); err != nil {
			t.Fatalf("%s: %v", answer, err)
		}
		if one.Read != two.Read || one.Write != two.Write || !slices.Equal(one.arms, two.arms) || one.Items != two.Items || one.Scanned != two.Scanned || one.More != two.More {
			t.Fatalf("%s %s:\n%v %v, %d of %d items, %v\nand with white space\n%v %v, %d of %d items, %v", operation, answer,
				one.Read, one.Write, one.Items, one.Scanned, one.arms, two.Read, two.Write, two.Items, two.Scanned, two.arms)
		}
		if (&Call{Operation: operation, Measure: true, Response: []byte(answer)}).meterWritten() {
			written++
		}
	}
	if written < 1000 {
		t.Errorf("only %d answers are read as they are written", written)
	}
	for _, damaged := range []string{`{`, `{"`, `{"Count`, `{"Count":`, `{"Count":1`, `{"Count":1,`, `{"ConsumedCapacity":`, `{"ConsumedCapacity":[`, `{"ConsumedCapacity":[{`,
		`{"ConsumedCapacity":{"TableName":"`, `{"ConsumedCapacity":{"Table":{`, `{"ConsumedCapacity":{"GlobalSecondaryIndexes":{"x":{"CapacityUnits":1}`, `{"Count":.5}`, `{"Count":1.}`,
		`{"ConsumedCapacity":{"TableName":null}}`, `{"ConsumedCapacity":null}`, `{"Count":-1}`} {
		if (&Call{Operation: "Query", Measure: true, Response: []byte(damaged)}).meterWritten() {
			t.Errorf("%s is read as if it were written by the service", damaged)
		}
	}
}

// BenchmarkMeter is what hooks and Usage take of an answer: a page of 100 items, with units and without, and an item with units.
func BenchmarkMeter(b *testing.B) {
	const told, item = `"ConsumedCapacity":{"CapacityUnits":0.5,"Table":{"CapacityUnits":0.5},"TableName":"Shop"}`,
		`{"PK":{"S":"o#o1"},"SK":{"S":"o"},"orderId":{"S":"o1"},"customerId":{"S":"c1"},"placedAt":{"S":"2026-11-21T12:00:00.000Z"},"total":{"N":"19.9"}}`
	page := `"Count":100,"Items":[` + item + strings.Repeat(","+item, 99) + `],"LastEvaluatedKey":{"PK":{"S":"o#o1"},"SK":{"S":"o"}},"ScannedCount":100}`
	for name, c := range map[string]*Call{
		"page":       {Operation: "Query", Response: []byte(`{` + page)},
		"page,units": {Operation: "Query", Measure: true, Response: []byte(`{` + told + `,` + page)},
		"item,units": {Operation: "GetItem", Measure: true, Response: []byte(`{` + told + `,"Item":` + item + `}`)},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				c.Read, c.arms = 0, c.arms[:0]
				if err := c.meter(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
