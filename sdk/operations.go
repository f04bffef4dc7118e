package sdk

import (
	"context"
	"reflect"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/aws/smithy-go/middleware"
)

// operation calls one method of a generated client C with options S.
type operation[C, S any] func(ctx context.Context, c C, table string, options ...func(*S)) (middleware.Metadata, error)

// method makes an operation of a method of a generated client. Of its input only the table's name is filled in, for endpoint
// rules and interceptors.
func method[C, S, I, O any](m func(C, context.Context, *I, ...func(*S)) (*O, error)) operation[C, S] {
	return func(ctx context.Context, c C, table string, options ...func(*S)) (metadata middleware.Metadata, err error) {
		in := new(I)
		if field := reflect.ValueOf(in).Elem().FieldByName("TableName"); field.IsValid() && table != "" {
			field.Set(reflect.ValueOf(&table))
		}
		out, err := m(c, ctx, in, options...)
		if err == nil {
			metadata, _ = reflect.ValueOf(out).Elem().FieldByName("ResultMetadata").Interface().(middleware.Metadata)
		}
		return metadata, err
	}
}

// streamsOperations are all that the client of DynamoDB Streams has.
var streamsOperations = map[string]operation[*dynamodbstreams.Client, dynamodbstreams.Options]{
	"DescribeStream":   method((*dynamodbstreams.Client).DescribeStream),
	"GetRecords":       method((*dynamodbstreams.Client).GetRecords),
	"GetShardIterator": method((*dynamodbstreams.Client).GetShardIterator),
	"ListStreams":      method((*dynamodbstreams.Client).ListStreams),
}

// operations are all that the client has.
var operations = map[string]operation[*dynamodb.Client, dynamodb.Options]{
	"BatchExecuteStatement":               method((*dynamodb.Client).BatchExecuteStatement),
	"BatchGetItem":                        method((*dynamodb.Client).BatchGetItem),
	"BatchWriteItem":                      method((*dynamodb.Client).BatchWriteItem),
	"CancelBulkOperation":                 method((*dynamodb.Client).CancelBulkOperation),
	"CreateBackup":                        method((*dynamodb.Client).CreateBackup),
	"CreateGlobalTable":                   method((*dynamodb.Client).CreateGlobalTable),
	"CreateTable":                         method((*dynamodb.Client).CreateTable),
	"DeleteBackup":                        method((*dynamodb.Client).DeleteBackup),
	"DeleteItem":                          method((*dynamodb.Client).DeleteItem),
	"DeleteResourcePolicy":                method((*dynamodb.Client).DeleteResourcePolicy),
	"DeleteTable":                         method((*dynamodb.Client).DeleteTable),
	"DescribeBackup":                      method((*dynamodb.Client).DescribeBackup),
	"DescribeBulkOperation":               method((*dynamodb.Client).DescribeBulkOperation),
	"DescribeContinuousBackups":           method((*dynamodb.Client).DescribeContinuousBackups),
	"DescribeContributorInsights":         method((*dynamodb.Client).DescribeContributorInsights),
	"DescribeEndpoints":                   method((*dynamodb.Client).DescribeEndpoints),
	"DescribeExport":                      method((*dynamodb.Client).DescribeExport),
	"DescribeGlobalTable":                 method((*dynamodb.Client).DescribeGlobalTable),
	"DescribeGlobalTableSettings":         method((*dynamodb.Client).DescribeGlobalTableSettings),
	"DescribeImport":                      method((*dynamodb.Client).DescribeImport),
	"DescribeKinesisStreamingDestination": method((*dynamodb.Client).DescribeKinesisStreamingDestination),
	"DescribeLimits":                      method((*dynamodb.Client).DescribeLimits),
	"DescribeTable":                       method((*dynamodb.Client).DescribeTable),
	"DescribeTableReplicaAutoScaling":     method((*dynamodb.Client).DescribeTableReplicaAutoScaling),
	"DescribeTimeToLive":                  method((*dynamodb.Client).DescribeTimeToLive),
	"DisableKinesisStreamingDestination":  method((*dynamodb.Client).DisableKinesisStreamingDestination),
	"EnableKinesisStreamingDestination":   method((*dynamodb.Client).EnableKinesisStreamingDestination),
	"ExecuteStatement":                    method((*dynamodb.Client).ExecuteStatement),
	"ExecuteTransaction":                  method((*dynamodb.Client).ExecuteTransaction),
	"ExportTableToPointInTime":            method((*dynamodb.Client).ExportTableToPointInTime),
	"GetItem":                             method((*dynamodb.Client).GetItem),
	"GetResourcePolicy":                   method((*dynamodb.Client).GetResourcePolicy),
	"ImportTable":                         method((*dynamodb.Client).ImportTable),
	"ListBackups":                         method((*dynamodb.Client).ListBackups),
	"ListBulkOperations":                  method((*dynamodb.Client).ListBulkOperations),
	"ListContributorInsights":             method((*dynamodb.Client).ListContributorInsights),
	"ListExports":                         method((*dynamodb.Client).ListExports),
	"ListGlobalTables":                    method((*dynamodb.Client).ListGlobalTables),
	"ListImports":                         method((*dynamodb.Client).ListImports),
	"ListTables":                          method((*dynamodb.Client).ListTables),
	"ListTagsOfResource":                  method((*dynamodb.Client).ListTagsOfResource),
	"PutItem":                             method((*dynamodb.Client).PutItem),
	"PutResourcePolicy":                   method((*dynamodb.Client).PutResourcePolicy),
	"Query":                               method((*dynamodb.Client).Query),
	"RestoreTableFromBackup":              method((*dynamodb.Client).RestoreTableFromBackup),
	"RestoreTableToPointInTime":           method((*dynamodb.Client).RestoreTableToPointInTime),
	"Scan":                                method((*dynamodb.Client).Scan),
	"SearchVectors":                       method((*dynamodb.Client).SearchVectors),
	"StartBulkPutItems":                   method((*dynamodb.Client).StartBulkPutItems),
	"TagResource":                         method((*dynamodb.Client).TagResource),
	"TransactGetItems":                    method((*dynamodb.Client).TransactGetItems),
	"TransactWriteItems":                  method((*dynamodb.Client).TransactWriteItems),
	"UntagResource":                       method((*dynamodb.Client).UntagResource),
	"UpdateContinuousBackups":             method((*dynamodb.Client).UpdateContinuousBackups),
	"UpdateContributorInsights":           method((*dynamodb.Client).UpdateContributorInsights),
	"UpdateGlobalTable":                   method((*dynamodb.Client).UpdateGlobalTable),
	"UpdateGlobalTableSettings":           method((*dynamodb.Client).UpdateGlobalTableSettings),
	"UpdateItem":                          method((*dynamodb.Client).UpdateItem),
	"UpdateKinesisStreamingDestination":   method((*dynamodb.Client).UpdateKinesisStreamingDestination),
	"UpdateTable":                         method((*dynamodb.Client).UpdateTable),
	"UpdateTableReplicaAutoScaling":       method((*dynamodb.Client).UpdateTableReplicaAutoScaling),
	"UpdateTimeToLive":                    method((*dynamodb.Client).UpdateTimeToLive),
}
