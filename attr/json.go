package attr

// AppendValue appends v in DynamoDB JSON ({"S":"text"}) to dst.
func AppendValue(dst []byte, v Value) []byte { panic("attr: to be written") }

// AppendItem appends the item in DynamoDB JSON, attributes in the order of their names, to dst.
func AppendItem(dst []byte, it Item) []byte { panic("attr: to be written") }

// ParseValue reads one DynamoDB JSON value, strictly as the service does. The value does not alias data.
func ParseValue(data []byte) (Value, error) { panic("attr: to be written") }

// ParseItem reads an item in DynamoDB JSON. The item does not alias data.
func ParseItem(data []byte) (Item, error) { panic("attr: to be written") }
