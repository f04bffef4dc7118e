package differ_test

// Parameters from before expressions (LegacyConditionalParameters): the same things said another way.

// legacy makes a request with them.
func (g *gen) legacy() request {
	s := pick(g, shapes...)
	var r request
	switch n := g.IntN(100); {
	case n < 20:
		r = request{operation: "PutItem", in: obj{"TableName": s.name, "Item": g.item(s)}}
		g.expected(r.in, s)
	case n < 55:
		r = request{operation: "UpdateItem", in: obj{"TableName": s.name, "Key": g.key(s)}}
		g.attributeUpdates(r.in, s)
		if g.chance(0.3) {
			g.expected(r.in, s)
		}
		if g.chance(0.6) {
			r.in["ReturnValues"] = pick(g, "NONE", "ALL_OLD", "ALL_NEW", "UPDATED_OLD", "UPDATED_NEW")
		}
	case n < 62:
		r = request{operation: "DeleteItem", in: obj{"TableName": s.name, "Key": g.key(s)}}
		g.expected(r.in, s)
	case n < 67:
		r = request{operation: "GetItem", in: obj{"TableName": s.name, "Key": g.key(s), "AttributesToGet": g.attributesToGet(s)}}
	case n < 70:
		r = request{operation: "BatchGetItem", in: obj{"RequestItems": obj{s.name: obj{"Keys": list{g.key(s)}, "AttributesToGet": g.attributesToGet(s)}}}}
	case n < 88:
		x := g.source(s)
		r = request{operation: "Query", in: obj{"TableName": s.name, "KeyConditions": g.keyConditions(s, x)}}
		g.oldReading(r.in, "QueryFilter", s, x)
		if g.chance(0.5) {
			r.in["ScanIndexForward"] = g.chance(0.4)
		}
	default:
		r = request{operation: "Scan", in: obj{"TableName": s.name}}
		g.oldReading(r.in, "ScanFilter", s, g.source(s))
	}
	if g.chance(0.3) {
		r.in["ReturnConsumedCapacity"] = "INDEXES"
	}
	return r
}

// compared is a comparison of an attribute, valid most of the time.
func (g *gen) compared(kind string) obj {
	one := func() obj {
		if g.chance(0.1) {
			return g.any(1)
		}
		return g.value(kind, 1)
	}
	scalar := func() obj {
		if kind != "S" && kind != "N" && kind != "B" && !g.chance(0.1) {
			kind = pick(g, "S", "N", "B")
		}
		return one()
	}
	var values list
	operator := pick(g, "EQ", "EQ", "NE", "LE", "LT", "GE", "GT", "NOT_NULL", "NULL", "CONTAINS", "NOT_CONTAINS", "BEGINS_WITH", "IN", "BETWEEN")
	switch operator {
	case "NOT_NULL", "NULL":
	case "EQ", "NE":
		values = list{one()}
	case "IN":
		for range 1 + g.IntN(3) {
			values = append(values, scalar())
		}
	case "BETWEEN":
		values = list{scalar(), scalar()}
	case "BEGINS_WITH":
		if kind != "S" && kind != "B" {
			kind = pick(g, "S", "S", "B")
		}
		values = list{one()}
	default:
		values = list{scalar()}
	}
	if g.chance(0.04) {
		values = append(values, one())
	}
	c := obj{"ComparisonOperator": operator}
	if values != nil {
		c["AttributeValueList"] = values
	}
	return c
}

// attributeOf is an attribute that conditions are about, and the type it usually has.
func (g *gen) attributeOf(s *shape) (name, kind string) {
	return g.phrases(s).attribute()
}

func (g *gen) conditions(s *shape, condition func(kind string) obj) obj {
	all := obj{}
	for range 1 + g.IntN(3) {
		name, kind := g.attributeOf(s)
		all[name] = condition(kind)
	}
	return all
}

func (g *gen) operator(in obj, conditions obj) {
	if len(conditions) > 1 && g.chance(0.5) || g.chance(0.03) {
		in["ConditionalOperator"] = pick(g, "AND", "OR")
	}
}

func (g *gen) expected(in obj, s *shape) {
	all := g.conditions(s, func(kind string) obj {
		switch g.IntN(6) {
		case 0:
			return obj{"Value": g.value(kind, 1)}
		case 1:
			return obj{"Exists": true, "Value": g.value(kind, 1)}
		case 2:
			return obj{"Exists": false}
		case 3:
			if g.chance(0.2) {
				return pick(g, obj{"Exists": true}, obj{}, obj{"Exists": false, "Value": g.any(1)}, obj{"Exists": false, "ComparisonOperator": "NULL"},
					obj{"AttributeValueList": list{g.any(1)}}, obj{"ComparisonOperator": "EQ"}, obj{"Value": g.any(1), "ComparisonOperator": "EQ"},
					obj{"Value": g.any(1), "AttributeValueList": list{g.any(1)}, "ComparisonOperator": "EQ"})
			}
		}
		return g.compared(kind)
	})
	in["Expected"] = all
	g.operator(in, all)
	g.onFailure(in)
}

func (g *gen) attributeUpdates(in obj, s *shape) {
	all := obj{}
	for range 1 + g.IntN(3) {
		name, kind := g.attributeOf(s)
		for _, key := range s.keys {
			if name == key && !g.chance(0.1) {
				name, kind = "b", "S"
			}
		}
		u := obj{}
		// Without an action Local does nothing, and not always tells: requests.txt has that.
		switch action := pick(g, "PUT", "PUT", "PUT", "ADD", "ADD", "DELETE", "DELETE"); {
		case action == "DELETE" && g.chance(0.6):
			u["Action"] = action
		default:
			u["Action"], u["Value"] = action, g.value(kind, 1)
			if g.chance(0.05) {
				delete(u, "Value")
			}
		}
		all[name] = u
	}
	in["AttributeUpdates"] = all
}

func (g *gen) attributesToGet(s *shape) list {
	var all list
	for range 1 + g.IntN(3) {
		name, _ := g.attributeOf(s)
		if g.chance(0.05) {
			name += pick(g, ".x", "[0]", "#")
		}
		all = append(all, name)
	}
	return all
}

func (g *gen) keyConditions(s *shape, x *indexShape) obj {
	hash, sort := s.keys[:1], s.keys[1:]
	if x != nil {
		hash, sort = x.hash, x.sort
	}
	all := obj{}
	value := func(name string) obj { return g.keyValue(s.types[name], 4) }
	for _, name := range hash {
		all[name] = obj{"ComparisonOperator": "EQ", "AttributeValueList": list{value(name)}}
		if g.chance(0.02) {
			all[name].(obj)["ComparisonOperator"] = pick(g, "GT", "BEGINS_WITH", "NE")
		}
	}
	for i, name := range sort {
		if g.chance(0.3) {
			break
		}
		operator := "EQ"
		if last := i == len(sort)-1 || g.chance(0.4); last {
			operator = pick(g, "EQ", "LE", "LT", "GE", "GT", "BEGINS_WITH", "BETWEEN")
		}
		values := list{value(name)}
		if operator == "BETWEEN" {
			values = append(values, value(name))
		}
		if operator == "BEGINS_WITH" && s.types[name] == "S" {
			values = list{obj{"S": "k"}}
		}
		all[name] = obj{"ComparisonOperator": operator, "AttributeValueList": values}
		if g.chance(0.03) {
			all[name].(obj)["ComparisonOperator"] = pick(g, "NE", "IN", "CONTAINS", "NULL", "NOT_NULL")
		}
		if operator != "EQ" {
			break
		}
	}
	return all
}

func (g *gen) oldReading(in obj, filter string, s *shape, x *indexShape) {
	if x != nil {
		in["IndexName"] = x.name
	}
	if g.chance(0.6) {
		all := g.conditions(s, g.compared)
		in[filter] = all
		g.operator(in, all)
	}
	if g.chance(0.25) {
		in["AttributesToGet"] = g.attributesToGet(s)
	} else if g.chance(0.2) {
		in["Select"] = pick(g, "COUNT", "ALL_ATTRIBUTES", "SPECIFIC_ATTRIBUTES")
	}
	if g.chance(0.35) {
		in["Limit"] = 1 + g.IntN(6)
	}
}
