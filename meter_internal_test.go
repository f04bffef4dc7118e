package tablewright

import "testing"

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
