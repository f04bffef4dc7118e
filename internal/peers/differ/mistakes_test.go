package differ_test

import "strings"

// spoil makes one mistake in a request.
func (g *gen) spoil(r *request) {
	in := r.in
	// In batches and transactions, one element gets the mistake.
	switch r.operation {
	case "BatchGetItem", "BatchWriteItem":
		g.spoilBatch(r.operation, in)
		return
	case "TransactWriteItems", "TransactGetItems":
		g.spoilTransaction(in)
		return
	}
	g.spoilOne(r.operation, in)
}

func (g *gen) spoilOne(operation string, in obj) {
	for range 20 { // until one applies
		mistake := pick(g, mistakes...)
		if mistake(g, operation, in) {
			return
		}
	}
}

// mistakes answer whether they apply to a request.
var mistakes = []func(g *gen, operation string, in obj) bool{
	// names of tables and indexes
	func(g *gen, _ string, in obj) bool {
		in["TableName"] = pick(g, "absent", "ab", "bad name", "", strings.Repeat("x", 256))
		return true
	},
	func(g *gen, _ string, in obj) bool { delete(in, "TableName"); return true },
	func(g *gen, operation string, in obj) bool {
		if operation != "Query" && operation != "Scan" {
			return false
		}
		in["IndexName"] = pick(g, "absent", "x", "four", "keys")
		return true
	},
	// keys
	func(g *gen, _ string, in obj) bool { return g.spoilKey(in) },
	func(g *gen, _ string, in obj) bool { return g.spoilKey(in) },
	func(g *gen, _ string, in obj) bool {
		if in["Key"] == nil && in["Item"] == nil {
			return false
		}
		delete(in, "Key")
		delete(in, "Item")
		return true
	},
	// items
	func(g *gen, _ string, in obj) bool { return g.spoilItem(in) },
	func(g *gen, _ string, in obj) bool { return g.spoilItem(in) },
	func(g *gen, _ string, in obj) bool { // too large
		item, ok := in["Item"].(obj)
		if ok && g.chance(0.2) {
			item["b"] = obj{"S": strings.Repeat("x", 410_000)}
		}
		return ok
	},
	// placeholders
	func(g *gen, _ string, in obj) bool {
		values, ok := in["ExpressionAttributeValues"].(obj)
		if ok {
			values[":unused"] = obj{"N": "1"}
		} else {
			in["ExpressionAttributeValues"] = obj{":unused": obj{"N": "1"}}
		}
		return true
	},
	func(g *gen, _ string, in obj) bool {
		names, ok := in["ExpressionAttributeNames"].(obj)
		if ok {
			names["#unused"] = "a"
		} else {
			in["ExpressionAttributeNames"] = obj{"#unused": "a"}
		}
		return true
	},
	func(g *gen, _ string, in obj) bool { // a placeholder of nothing
		values, ok := in["ExpressionAttributeValues"].(obj)
		if ok {
			delete(values, pick(g, sortedKeys(values)...))
			if len(values) == 0 && g.chance(0.5) {
				delete(in, "ExpressionAttributeValues")
			}
		}
		return ok
	},
	func(g *gen, _ string, in obj) bool {
		names, ok := in["ExpressionAttributeNames"].(obj)
		if ok {
			delete(names, pick(g, sortedKeys(names)...))
		}
		return ok
	},
	func(g *gen, _ string, in obj) bool { // names of placeholders
		values, ok := in["ExpressionAttributeValues"].(obj)
		if ok {
			values[pick(g, "noColon", ":", ":a-b", "#a")] = obj{"N": "1"}
		}
		return ok
	},
	func(g *gen, _ string, in obj) bool {
		values, ok := in["ExpressionAttributeValues"].(obj)
		if ok {
			values[pick(g, sortedKeys(values)...)] = g.badValue()
		}
		return ok
	},
	func(g *gen, _ string, in obj) bool { // a value of another type
		values, ok := in["ExpressionAttributeValues"].(obj)
		if ok {
			values[pick(g, sortedKeys(values)...)] = g.any(0)
		}
		return ok
	},
	// texts
	func(g *gen, _ string, in obj) bool { return g.spoilText(in) },
	func(g *gen, _ string, in obj) bool { return g.spoilText(in) },
	func(g *gen, _ string, in obj) bool { return g.spoilText(in) },
	// parameters
	func(g *gen, operation string, in obj) bool {
		switch operation {
		case "PutItem", "DeleteItem", "UpdateItem":
			in["ReturnValues"] = pick(g, "ALL_NEW", "UPDATED_OLD", "SOME", "all_old")
		case "Query", "Scan":
			in["Select"] = pick(g, "SOME", "count", "SPECIFIC_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES")
		default:
			in["ReturnConsumedCapacity"] = pick(g, "ALL", "total")
		}
		return true
	},
	func(g *gen, operation string, in obj) bool {
		if operation != "Query" && operation != "Scan" {
			return false
		}
		in["Limit"] = pick(g, 0, -1)
		return true
	},
	func(g *gen, operation string, in obj) bool {
		if operation != "Scan" {
			return false
		}
		for name, value := range pick(g, obj{"Segment": 0}, obj{"TotalSegments": 2}, obj{"Segment": 3, "TotalSegments": 3}, obj{"Segment": -1, "TotalSegments": 2}, obj{"Segment": 0, "TotalSegments": 0}, obj{"Segment": 1, "TotalSegments": 1000001}) {
			in[name] = value
		}
		return true
	},
	func(g *gen, operation string, in obj) bool { // cursors
		s := shapeOf(in["TableName"])
		if s == nil || operation != "Query" && operation != "Scan" {
			return false
		}
		k := g.key(s)
		x := s.index(in["IndexName"])
		if x != nil && g.chance(0.8) {
			for _, name := range append(append([]string{}, x.hash...), x.sort...) {
				k[name] = g.keyValue(s.types[name], 3)
			}
		}
		switch g.IntN(5) {
		case 0:
			delete(k, pick(g, sortedKeys(k)...))
		case 1:
			k["extra"] = obj{"S": "x"}
		case 2:
			k[pick(g, sortedKeys(k)...)] = pick(g, obj{"BOOL": true}, obj{"S": "k0"}, obj{"N": "1"})
		case 3:
			if operation == "Query" {
				break // outside of what is asked for, most often
			}
			k = obj{}
		default:
			if operation != "Query" {
				k["extra"] = obj{"S": "x"}
			}
		}
		in["ExclusiveStartKey"] = k
		return true
	},
}

// spoilKey damages a key, in Key or Item.
func (g *gen) spoilKey(in obj) bool {
	s := shapeOf(in["TableName"])
	k, ok := in["Key"].(obj)
	if !ok {
		k, ok = in["Item"].(obj)
	}
	if !ok || s == nil {
		return false
	}
	name := pick(g, s.keys...)
	switch g.IntN(6) {
	case 0:
		delete(k, name)
	case 1:
		if in["Key"] == nil {
			return false
		}
		k["extra"] = obj{"S": "x"}
	case 2:
		k[name] = pick(g, obj{"BOOL": true}, obj{"NULL": true}, obj{"L": list{}}, obj{"SS": list{"a"}}, obj{"S": "k0"}, obj{"N": "1"}, obj{"B": "YQ=="})
	case 3:
		k[name] = pick(g, obj{"S": ""}, obj{"B": ""})
	case 4:
		k[name] = obj{s.types[name]: strings.Repeat("1234", 513)}
	default:
		k[name] = g.badValue()
	}
	return true
}

// spoilItem damages an attribute of an item, index attributes among them.
func (g *gen) spoilItem(in obj) bool {
	s := shapeOf(in["TableName"])
	item, ok := in["Item"].(obj)
	if !ok || s == nil {
		return false
	}
	name := pick(g, sortedKeys(s.types)...)
	switch g.IntN(4) {
	case 0:
		item[name] = pick(g, obj{"BOOL": true}, obj{"NULL": true}, obj{"S": "k0"}, obj{"N": "1"}, obj{"M": obj{}})
	case 1:
		item[name] = pick(g, obj{"S": ""}, obj{"B": ""})
	case 2:
		v := any(obj{"S": "deep"})
		for range 30 + g.IntN(4) {
			v = obj{"L": list{v}}
		}
		item["c"] = v
	default:
		item[pick(g, "a", "b", "c")] = g.badValue()
	}
	return true
}

// spoilText damages an expression.
func (g *gen) spoilText(in obj) bool {
	var there []string
	for _, name := range []string{"ConditionExpression", "FilterExpression", "KeyConditionExpression", "ProjectionExpression", "UpdateExpression"} {
		if in[name] != nil {
			there = append(there, name)
		}
	}
	if len(there) == 0 {
		return false
	}
	name := pick(g, there...)
	text := in[name].(string)
	condition := name == "ConditionExpression" || name == "FilterExpression"
	switch n := g.IntN(16); {
	case n == 0:
		text = ""
	case n == 1:
		text += pick(g, " AND", " ,", " )", " (", " =", " %", " :v0", " pk")
	case n == 2:
		text = pick(g, "(", ", ", "= ", "AND ") + text
	case n == 3:
		text = strings.Replace(text, "a", "status", 1)
	case n == 4:
		text = strings.Replace(text, " ", "  \n", 3)
	case n == 5:
		text = text[:g.IntN(len(text))]
	case n == 6:
		text = strings.Replace(text, ":v0", ":nope", 1)
	case n == 7:
		text = strings.Replace(text, ":v1", ":v0", 1)
	case n == 8 && condition:
		text = pick(g, "((", "(((") + text + pick(g, "))", ")))")
	case n == 9 && condition:
		text = pick(g, "foo(a)", "if_not_exists(a, b)", "attribute_exists(a, b)", "size(a)", "a", "contains(a, a)", "attribute_exists(size(a))",
			"begins_with(a)", "Attribute_Exists(a)", "size(size(a)) = b", "a = b = c", "a BETWEEN b", "a IN ()", "NOT", "a.b.c[0][1] = #", "attribute_exists(#)",
			"a[-1] = b", "a[01] = b", "a[99999999999] = b", "a..b = c", ".a = b", "begins_with(a, b) = c")
	case n == 10 && name == "UpdateExpression":
		text = pick(g, text+" SET b = a", "SET", "SET a", "SET a = ", "SET a = a + a + a", "SET a = (a + a)", "SET a = size(b)", "SET pk = a", "REMOVE pk", "ADD a b",
			"SET a = b, a = c", "SET d.x = a, d = b", "REMOVE c[0], c[0]", "SET a = attribute_exists(b)", "DELETE a", "ADD a", "SET a = b REMOVE a", "UPDATE a = b",
			"SET a = if_not_exists(b)", "SET a = list_append(b)", "SET a += b", "SET a = a - b", "SET a = c + b", "SET c = list_append(a, c)", "SET absent.x = a",
			"SET a[0] = b", "SET d[0] = a", "SET c.x = a", "REMOVE a.b", "REMOVE absent.b", "SET a = absent", "ADD d.x a")
	case n == 11 && name == "KeyConditionExpression":
		text = pick(g, text+" AND a = :v0", text+" OR "+text, "NOT "+text, "a = :v0", strings.ReplaceAll(text, " = ", " < "), strings.ReplaceAll(text, " = ", " <> "),
			text+" AND "+text, "begins_with("+strings.Fields(text)[0]+", :v0)", "contains(pk, :v0)", "attribute_exists(pk)", "pk = pk", "pk IN (:v0)", "pk.a = :v0", "size(pk) = :v0",
			"("+text+")", ":v0 = pk")
	case n == 12 && name == "ProjectionExpression":
		text = pick(g, "a, a", "d, d.x", "d.x, d", "c[0], c", "a,", ",", "a b", "c[x]", "c[]", "size(a)", ":v", "a.", "c[0], c[0]", "d.x.y, d.x")
	case n == 13 && condition:
		text = "a" + strings.Repeat(pick(g, " = b OR a", " = b AND NOT a"), 90+g.IntN(20)) + " = b"
	case n == 14:
		text += strings.Repeat(" ", 4097-min(len(text), 4090)+g.IntN(3)-1)
	default:
		return false
	}
	in[name] = text
	return true
}

func (g *gen) spoilBatch(operation string, in obj) {
	tables := in["RequestItems"].(obj)
	name := pick(g, sortedKeys(tables)...)
	switch n := g.IntN(9); {
	case n == 0:
		in["RequestItems"] = obj{}
	case n == 1:
		delete(in, "RequestItems")
	case n == 2:
		tables[pick(g, "absent", "ab", "bad name")] = tables[name]
	case operation == "BatchGetItem":
		one := tables[name].(obj)
		keys := one["Keys"].(list)
		switch n {
		case 3:
			one["Keys"] = append(keys, keys[0])
		case 4:
			one["Keys"] = list{}
		case 5:
			one["ProjectionExpression"] = pick(g, "", "a,", "status", "a, a", "#n")
		case 6:
			one["ExpressionAttributeNames"] = obj{"#x": "a"}
		default:
			g.spoilKey(obj{"TableName": name, "Key": keys[0]})
		}
	default:
		writes := tables[name].(list)
		switch n {
		case 3:
			tables[name] = append(writes, writes[0])
		case 4:
			tables[name] = list{}
		case 5:
			tables[name] = append(writes, obj{})
		case 6:
			writes[0].(obj)["DeleteRequest"] = obj{"Key": g.key(shapeOf(name))}
			writes[0].(obj)["PutRequest"] = obj{"Item": g.item(shapeOf(name))}
		default:
			if p, ok := writes[0].(obj)["PutRequest"].(obj); ok {
				one := obj{"TableName": name, "Item": p["Item"]}
				if g.chance(0.5) {
					g.spoilItem(one)
				} else {
					g.spoilKey(one)
				}
			} else {
				g.spoilKey(obj{"TableName": name, "Key": writes[0].(obj)["DeleteRequest"].(obj)["Key"]})
			}
		}
	}
}

func (g *gen) spoilTransaction(in obj) {
	actions := in["TransactItems"].(list)
	switch g.IntN(10) {
	case 0:
		in["TransactItems"] = list{}
	case 1:
		delete(in, "TransactItems")
	case 2:
		in["TransactItems"] = append(actions, actions[0])
	case 3:
		in["TransactItems"] = append(actions, obj{})
	default:
		action := actions[g.IntN(len(actions))].(obj)
		for kind, one := range action { // there is one
			g.spoilOne(map[string]string{"Put": "Transact", "Update": "Transact", "Delete": "Transact", "ConditionCheck": "Transact", "Get": "TransactGet"}[kind], one.(obj))
		}
	}
}

// spoilTable damages the definition of a table.
func (g *gen) spoilTable(in obj) {
	keys := in["KeySchema"].(list)
	attributes := in["AttributeDefinitions"].(list)
	global, _ := in["GlobalSecondaryIndexes"].(list)
	local, _ := in["LocalSecondaryIndexes"].(list)
	for range 20 {
		switch n := g.IntN(24); {
		case n == 0:
			in["TableName"] = pick(g, "ab", "bad name", "", "plain", strings.Repeat("x", 256))
		case n == 1:
			delete(in, pick(g, "TableName", "KeySchema", "AttributeDefinitions", "BillingMode"))
		case n == 2:
			in["BillingMode"] = pick(g, "FREE", "PROVISIONED")
		case n == 3:
			in["ProvisionedThroughput"] = obj{"ReadCapacityUnits": 1, "WriteCapacityUnits": pick(g, 0, 1)}
		case n == 4:
			in["AttributeDefinitions"] = append(attributes, obj{"AttributeName": "unused", "AttributeType": "S"})
		case n == 5:
			in["AttributeDefinitions"] = attributes[1:]
		case n == 6:
			attributes[0].(obj)["AttributeType"] = pick(g, "SS", "X", "BOOL")
		case n == 7:
			in["KeySchema"] = append(keys, obj{"AttributeName": "k1", "KeyType": pick(g, "HASH", "RANGE")})
		case n == 8:
			keys[0].(obj)["KeyType"] = pick(g, "RANGE", "SORT")
		case n == 9:
			in["KeySchema"] = list{}
		case n == 10:
			keys[0].(obj)["AttributeName"] = pick(g, "absent", "")
		case n == 11 && len(global) > 0:
			in["GlobalSecondaryIndexes"] = append(global, global[0])
		case n == 12 && len(local) > 0:
			in["LocalSecondaryIndexes"] = append(local, local[0])
		case n == 13:
			in[pick(g, "GlobalSecondaryIndexes", "LocalSecondaryIndexes")] = list{}
		case n == 14 && len(global) > 0:
			x := global[0].(obj)
			x["Projection"] = pick(g, obj{"ProjectionType": "INCLUDE"}, obj{"ProjectionType": "ALL", "NonKeyAttributes": list{"a"}}, obj{"ProjectionType": "SOME"}, obj{})
		case n == 15 && len(global) > 0:
			delete(global[0].(obj), pick(g, "IndexName", "KeySchema", "Projection"))
		case n == 16 && len(global) > 0:
			global[0].(obj)["IndexName"] = pick(g, "x", "bad name", "")
		case n == 17 && len(global) > 0:
			schema := global[0].(obj)["KeySchema"].(list)
			global[0].(obj)["KeySchema"] = pick(g, append(schema, obj{"AttributeName": "absent", "KeyType": "RANGE"}), append(schema, schema[0]), append(schema, obj{"AttributeName": "sk", "KeyType": "HASH"}))
		case n == 18 && len(local) > 0:
			local[0].(obj)["KeySchema"] = pick(g, keySchema([]string{"k1"}, []string{"pk"}), keySchema([]string{"pk"}, []string{"k1", "k2"}), keySchema([]string{"pk"}, nil))
		case n == 19:
			in["StreamSpecification"] = pick(g, obj{"StreamEnabled": true}, obj{"StreamEnabled": false, "StreamViewType": "KEYS_ONLY"}, obj{"StreamEnabled": true, "StreamViewType": "SOME"})
		case n == 20 && len(global) > 0:
			global[0].(obj)["ProvisionedThroughput"] = obj{"ReadCapacityUnits": 1, "WriteCapacityUnits": 1}
		case n == 21:
			in["LocalSecondaryIndexes"] = list{obj{"IndexName": "new", "KeySchema": keySchema([]string{"pk"}, []string{"sk"}), "Projection": obj{"ProjectionType": "ALL"}}}
		case n == 22:
			var many list
			for i := range 21 {
				many = append(many, obj{"IndexName": "index" + string(rune('a'+i)), "KeySchema": keySchema([]string{"pk"}, nil), "Projection": obj{"ProjectionType": "ALL"}})
			}
			in["GlobalSecondaryIndexes"] = many
		default:
			continue
		}
		return
	}
}
