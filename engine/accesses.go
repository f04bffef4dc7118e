package engine

import (
	"github.com/tablewright/tablewright/wire"
)

// reader tells what a request does, with the actions and resources of the Service Authorization Reference; or why the
// request cannot be read, as the operation does.
type reader func(e *session, body []byte) ([]*access, error)

// readers are those of all operations: each decodes the request as the operation does, and takes the resource from the
// one member that names it there. What is not in the table is denied.
var readers map[string]reader

func init() {
	nothing := func(e *session, body []byte) ([]*access, error) {
		if err := wire.DecodeEmpty(body, e.operation+"Input"); err != nil {
			return nil, err
		}
		return []*access{e.onTable(e.operation, "", "")}, nil
	}
	named := classed(wire.DecodeNamedTable, func(e *session, in *wire.NamedTable) []*access { return e.one(in.TableName, "") })
	kinesis := classed(wire.DecodeKinesis, func(e *session, in *wire.KinesisInput) []*access { return e.one(in.TableName, "") })
	insights := classed(wire.DecodeInsights, func(e *session, in *wire.InsightsInput) []*access { return e.one(in.TableName, in.IndexName) })
	policies := classed(wire.DecodeResourcePolicy, func(e *session, in *wire.ResourcePolicyInput) []*access {
		return []*access{e.onARN(e.operation, in.ResourceARN)}
	})
	tags := classed(wire.DecodeTags, func(e *session, in *wire.TagsInput) []*access {
		a := e.onARN(e.operation, in.ResourceARN)
		a.tags(in.Tags)
		for _, key := range in.Keys {
			a.add("aws:tagkeys", key)
		}
		return []*access{a}
	})
	readers = map[string]reader{
		"BatchExecuteStatement": reads(wire.DecodeBatchExecuteStatement, func(e *session, in *wire.BatchExecuteStatementInput) []*access {
			return e.onStatements(in.Statements, in.ReturnConsumed)
		}),
		"BatchGetItem":   reads(wire.DecodeBatchGetItem, (*session).batchGets),
		"BatchWriteItem": reads(wire.DecodeBatchWriteItem, (*session).batchWrites),
		"CreateTable":    reads(wire.DecodeCreateTable, (*session).creates),
		"DeleteItem": reads(wire.DecodeDeleteItem, func(e *session, in *wire.DeleteItemInput) []*access {
			return e.writes(in.TableName, &in.Key, &in.Condition, &in.Expectations, in.ReturnValues, &in.Report)
		}),
		"DeleteResourcePolicy":                policies,
		"DeleteTable":                         named,
		"DescribeContinuousBackups":           named,
		"DescribeContributorInsights":         insights,
		"DescribeEndpoints":                   nothing,
		"DescribeKinesisStreamingDestination": named,
		"DescribeLimits":                      nothing,
		"DescribeStream": reads(wire.DecodeDescribeStream, func(e *session, in *wire.DescribeStreamInput) []*access {
			return []*access{e.onARN(e.operation, in.ARN)}
		}),
		"DescribeTable":                      named,
		"DescribeTableReplicaAutoScaling":    named,
		"DescribeTimeToLive":                 named,
		"DisableKinesisStreamingDestination": kinesis,
		"EnableKinesisStreamingDestination":  kinesis,
		"ExecuteStatement": reads(wire.DecodeExecuteStatement, func(e *session, in *wire.ExecuteStatementInput) []*access {
			return e.onStatements([]wire.Statement{in.Statement}, in.ReturnConsumed)
		}),
		"ExecuteTransaction": reads(wire.DecodeExecuteTransaction, func(e *session, in *wire.ExecuteTransactionInput) []*access {
			return e.onStatements(in.Statements, in.ReturnConsumed)
		}),
		"GetItem":           reads(wire.DecodeGetItem, (*session).gets),
		"GetRecords":        reads(wire.DecodeGetRecords, (*session).getsRecords),
		"GetResourcePolicy": policies,
		"GetShardIterator": reads(wire.DecodeGetShardIterator, func(e *session, in *wire.GetShardIteratorInput) []*access {
			return []*access{e.onARN(e.operation, in.ARN)}
		}),
		"ListContributorInsights": classed(wire.DecodeInsights, func(e *session, in *wire.InsightsInput) []*access { return e.one(in.TableName, "") }),
		// Policies allow it on all resources only, whatever table is asked for: aws/aws-cdk#10631 mended grants on a stream's ARN, which
		// allowed nothing. The example in iam-policy-read-stream-only names the streams.
		"ListStreams":        reads(wire.DecodeListStreams, func(e *session, _ *wire.ListStreamsInput) []*access { return e.one("", "") }),
		"ListTables":         reads(wire.DecodeListTables, func(e *session, _ *wire.ListTablesInput) []*access { return e.one("", "") }),
		"ListTagsOfResource": tags,
		"PutItem": reads(wire.DecodePutItem, func(e *session, in *wire.PutItemInput) []*access {
			return e.writes(in.TableName, &in.Item, &in.Condition, &in.Expectations, in.ReturnValues, &in.Report)
		}),
		"PutResourcePolicy":  policies,
		"Query":              reads(wire.DecodeQuery, (*session).queries),
		"Scan":               reads(wire.DecodeScan, (*session).scans),
		"TagResource":        tags,
		"TransactGetItems":   reads(wire.DecodeTransactGetItems, (*session).transactGets),
		"TransactWriteItems": reads(wire.DecodeTransactWriteItems, (*session).transactWrites),
		"UntagResource":      tags,
		"UpdateContinuousBackups": reads(wire.DecodeUpdateContinuousBackups, func(e *session, in *wire.UpdateContinuousBackupsInput) []*access {
			return e.one(in.TableName, "")
		}),
		"UpdateContributorInsights":         insights,
		"UpdateItem":                        reads(wire.DecodeUpdateItem, (*session).updates),
		"UpdateKinesisStreamingDestination": kinesis,
		"UpdateTable":                       reads(wire.DecodeUpdateTable, func(e *session, in *wire.UpdateTableInput) []*access { return e.one(in.TableName, "") }),
		"UpdateTimeToLive":                  reads(wire.DecodeUpdateTimeToLive, func(e *session, in *wire.UpdateTimeToLiveInput) []*access { return e.one(in.TableName, "") }),
	}
}

// reads makes a reader of how an operation decodes its request, and of what it does then.
func reads[T any](decode func([]byte) (*T, error), does func(*session, *T) []*access) reader {
	return func(e *session, body []byte) ([]*access, error) {
		in, err := decode(body)
		if err != nil {
			return nil, err
		}
		return does(e, in), nil
	}
}

// classed is reads for requests of several operations, which differ by the name of the structure.
func classed[T any](decode func([]byte, string) (*T, error), does func(*session, *T) []*access) reader {
	return func(e *session, body []byte) ([]*access, error) {
		in, err := decode(body, e.operation+"Input")
		if err != nil {
			return nil, err
		}
		return does(e, in), nil
	}
}

// one is what an operation on one table or index does.
func (e *session) one(table, index string) []*access {
	return []*access{e.onTable(e.operation, table, index)}
}

// creates: who makes a table with a policy or with tags puts these, too (API_CreateTable, rbac-create-table).
func (e *session) creates(in *wire.CreateTableInput) []*access {
	a := e.onTable(e.operation, in.TableName, "")
	a.tags(in.Tags)
	l := []*access{a}
	if in.ResourcePolicy != nil {
		l = append(l, e.onTable("PutResourcePolicy", in.TableName, ""))
	}
	if len(in.Tags) > 0 {
		tag := e.onTable("TagResource", in.TableName, "")
		tag.tags(in.Tags)
		l = append(l, tag)
	}
	return l
}

// getsRecords: an iterator belongs to a stream.
func (e *session) getsRecords(in *wire.GetRecordsInput) []*access {
	arn, _, ok := parseIterator(in.Iterator)
	if !ok {
		a := e.onTable(e.operation, "", "")
		a.unread = true
		return []*access{a}
	}
	return []*access{e.onARN(e.operation, arn)}
}
