package differ_test

import (
	"strconv"

	"github.com/tablewright/tablewright/internal/peers/ledger"
)

// A request is one of the operation's, before it is written as JSON.
type request struct {
	operation string
	in        obj
	total     bool // what a statement reads has one order
}

// next makes a request: most are valid, the others have one mistake, or two.
func (g *gen) next() request {
	s := pick(g, shapes...)
	var r request
	switch n := g.IntN(100); {
	case n < 22:
		r = request{operation: "PutItem", in: g.put(s)}
	case n < 42:
		r = request{operation: "UpdateItem", in: g.change(s)}
	case n < 48:
		r = request{operation: "DeleteItem", in: g.remove(s)}
	case n < 54:
		r = request{operation: "GetItem", in: g.get(s)}
	case n < 70:
		r = request{operation: "Query", in: g.query(s)}
	case n < 78:
		r = request{operation: "Scan", in: g.scan(s)}
	case n < 82:
		r = request{operation: "BatchGetItem", in: g.batchGet()}
	case n < 86:
		r = request{operation: "BatchWriteItem", in: g.batchWrite()}
	case n < 93:
		r = request{operation: "TransactWriteItems", in: g.transactWrite()}
	case n < 96:
		r = request{operation: "TransactGetItems", in: g.transactGet()}
	default:
		return g.tables()
	}
	switch {
	case g.chance(0.5):
		r.in["ReturnConsumedCapacity"] = "INDEXES"
	case g.chance(0.5):
		r.in["ReturnConsumedCapacity"] = "TOTAL"
	}
	if g.chance(g.mistakes) {
		g.spoil(&r)
	}
	return r
}

func (g *gen) put(s *shape) obj {
	in := obj{"TableName": s.name, "Item": g.item(s)}
	p := g.phrases(s)
	if g.chance(0.3) {
		in["ConditionExpression"] = p.condition(2)
		g.onFailure(in)
	}
	if g.chance(0.3) {
		in["ReturnValues"] = pick(g, "NONE", "ALL_OLD")
	}
	p.into(in)
	return in
}

func (g *gen) onFailure(in obj) {
	if g.chance(0.3) {
		in["ReturnValuesOnConditionCheckFailure"] = pick(g, "ALL_OLD", "NONE")
	}
}

func (g *gen) change(s *shape) obj {
	in := obj{"TableName": s.name, "Key": g.key(s)}
	p := g.phrases(s)
	if g.chance(0.97) {
		in["UpdateExpression"] = p.update()
	}
	if g.chance(0.25) {
		in["ConditionExpression"] = p.condition(2)
		g.onFailure(in)
	}
	if g.chance(0.6) {
		in["ReturnValues"] = pick(g, "NONE", "ALL_OLD", "ALL_NEW", "UPDATED_OLD", "UPDATED_NEW")
	}
	p.into(in)
	return in
}

func (g *gen) remove(s *shape) obj {
	in := obj{"TableName": s.name, "Key": g.key(s)}
	p := g.phrases(s)
	if g.chance(0.5) {
		in["ConditionExpression"] = p.condition(1)
		g.onFailure(in)
	}
	if g.chance(0.5) {
		in["ReturnValues"] = pick(g, "NONE", "ALL_OLD")
	}
	p.into(in)
	return in
}

func (g *gen) get(s *shape) obj {
	in := obj{"TableName": s.name, "Key": g.key(s)}
	p := g.phrases(s)
	if g.chance(0.5) {
		in["ProjectionExpression"] = p.projection()
	}
	if g.chance(0.5) {
		in["ConsistentRead"] = g.chance(0.5)
	}
	p.into(in)
	return in
}

// reading adds what Query and Scan have in common.
func (g *gen) reading(in obj, p *phrases, x *indexShape) {
	if x != nil {
		in["IndexName"] = x.name
	}
	if g.chance(0.35) {
		in["FilterExpression"] = p.condition(2)
	}
	switch {
	case g.chance(0.25):
		in["ProjectionExpression"] = p.projection()
	case g.chance(0.25):
		in["Select"] = pick(g, "COUNT", "COUNT", "ALL_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES", "SPECIFIC_ATTRIBUTES")
	}
	if g.chance(0.35) {
		in["Limit"] = 1 + g.IntN(6)
	}
	if g.chance(0.3) {
		in["ConsistentRead"] = x == nil || x.local || g.chance(0.1)
	}
	p.into(in)
}

// source is the table itself or one of its indexes.
func (g *gen) source(s *shape) *indexShape {
	if n := g.IntN(len(s.indexes) + 1); n < len(s.indexes) {
		return &s.indexes[n]
	}
	return nil
}

func (g *gen) query(s *shape) obj {
	in, p, x := obj{"TableName": s.name}, g.phrases(s), g.source(s)
	hash, sort := s.keys[:1], s.keys[1:]
	if x != nil {
		hash, sort = x.hash, x.sort
	}
	in["KeyConditionExpression"] = p.keyCondition(hash, sort)
	if g.chance(0.5) {
		in["ScanIndexForward"] = g.chance(0.4)
	}
	g.reading(in, p, x)
	return in
}

func (g *gen) scan(s *shape) obj {
	in, p := obj{"TableName": s.name}, g.phrases(s)
	g.reading(in, p, g.source(s))
	return in
}

func (g *gen) batchGet() obj {
	tables := obj{}
	for range 1 + g.IntN(2) {
		s := pick(g, shapes...)
		one, p, seen, keys := obj{}, g.phrases(s), map[string]bool{}, list{}
		for range 1 + g.IntN(5) {
			if k := g.key(s); !seen[ledger.Text(k)] {
				seen[ledger.Text(k)] = true
				keys = append(keys, k)
			}
		}
		one["Keys"] = keys
		if g.chance(0.3) {
			one["ProjectionExpression"] = p.projection()
			if len(p.names) > 0 {
				one["ExpressionAttributeNames"] = p.names
			}
		}
		if g.chance(0.3) {
			one["ConsistentRead"] = true
		}
		tables[s.name] = one
	}
	return obj{"RequestItems": tables}
}

func (g *gen) batchWrite() obj {
	tables := obj{}
	for range 1 + g.IntN(2) {
		s := pick(g, shapes...)
		seen, writes := map[string]bool{}, list{}
		for range 1 + g.IntN(5) {
			item := g.item(s)
			k := obj{}
			for _, name := range s.keys {
				k[name] = item[name]
			}
			if seen[ledger.Text(k)] {
				continue
			}
			seen[ledger.Text(k)] = true
			if g.chance(0.7) {
				writes = append(writes, obj{"PutRequest": obj{"Item": item}})
			} else {
				writes = append(writes, obj{"DeleteRequest": obj{"Key": k}})
			}
		}
		tables[s.name] = writes
	}
	in := obj{"RequestItems": tables}
	if g.chance(0.2) {
		in["ReturnItemCollectionMetrics"] = "SIZE"
	}
	return in
}

func (g *gen) transactWrite() obj {
	var actions list
	for range 1 + g.IntN(4) {
		s := pick(g, shapes...)
		switch g.IntN(4) {
		case 0:
			a := g.put(s)
			delete(a, "ReturnValues")
			actions = append(actions, obj{"Put": a})
		case 1:
			a := g.change(s)
			delete(a, "ReturnValues")
			actions = append(actions, obj{"Update": a})
		case 2:
			a := g.remove(s)
			delete(a, "ReturnValues")
			actions = append(actions, obj{"Delete": a})
		default:
			a, p := obj{"TableName": s.name, "Key": g.key(s)}, g.phrases(s)
			a["ConditionExpression"] = p.condition(1)
			g.onFailure(a)
			p.into(a)
			actions = append(actions, obj{"ConditionCheck": a})
		}
	}
	return obj{"TransactItems": actions}
}

func (g *gen) transactGet() obj {
	var actions list
	for range 1 + g.IntN(4) {
		a := g.get(pick(g, shapes...))
		delete(a, "ConsistentRead")
		actions = append(actions, obj{"Get": a})
	}
	return obj{"TransactItems": actions}
}

// tables asks about tables, and tries to make some that cannot be.
func (g *gen) tables() request {
	name := pick(g, shapes...).name
	if g.chance(0.2) {
		name = pick(g, "absent", "ab", "bad name")
	}
	switch g.IntN(6) {
	case 0:
		return request{operation: "DescribeTable", in: obj{"TableName": name}}
	case 1:
		in := obj{}
		if g.chance(0.7) {
			in["Limit"] = g.IntN(4)
		}
		if g.chance(0.4) {
			in["ExclusiveStartTableName"] = name
		}
		return request{operation: "ListTables", in: in}
	case 2:
		return request{operation: "DescribeTimeToLive", in: obj{"TableName": name}}
	}
	in := pick(g, shapes...).create()
	in["TableName"] = "made-" + strconv.Itoa(g.IntN(1000))
	g.spoilTable(in)
	return request{operation: "CreateTable", in: in}
}
