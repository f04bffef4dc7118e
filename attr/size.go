package attr

// Size is the value's size in bytes as DynamoDB counts it towards the 400 KB limit and capacity units, without the
// attribute's name.
func (v Value) Size() int { panic("attr: to be written") }

// Size is the item's size in bytes as DynamoDB counts it: names and values of all attributes.
func (it Item) Size() int { panic("attr: to be written") }
