// Package telemetry tells OpenTelemetry, and a structured log, what a client does: hooks for tablewright.Options.
//
//	db, err := tablewright.Connect(ctx, tablewright.Options{Hooks: []tablewright.Hook{
//		telemetry.Hook(telemetry.Options{}),                        // the global providers
//		telemetry.Log(slog.Default(), telemetry.LogOptions{}),      // failures, and what takes longer than a second
//	}})
//
// Names follow OpenTelemetry's conventions for database clients (opentelemetry.io/docs/specs/semconv/database) and DynamoDB's
// additions (opentelemetry.io/docs/specs/semconv/database/dynamodb). A hook stands below the retries of a call: each request is
// a span and a count of its own, with the number of the try. Hooks that answer themselves, such as a cache, belong in front of
// these in the list to be left out of them, behind them to be counted.
//
// # Spans
//
// A span is called after operation and table ("Query Shop"), is of kind client, and has
//
//	db.system.name                 aws.dynamodb
//	db.operation.name              Query
//	db.collection.name             Shop, as declared; missing where a request concerns several tables
//	aws.dynamodb.table_names       [Shop]
//	aws.dynamodb.index_name        of a Query or Scan of an index
//	aws.dynamodb.count             items returned, of reads
//	aws.dynamodb.scanned_count     items looked at
//	aws.dynamodb.consumed_capacity for each table or index, JSON: {"TableName":"Shop","IndexName":"Open","CapacityUnits":2.5}
//	aws.request_id                 where the answer has one
//	db.response.status_code        the service's code of an error, such as ConditionalCheckFailedException
//	error.type                     that, or timeout, canceled, connection
//	tablewright.pattern            the access pattern, if the call has a name
//	tablewright.attempt            from 2 on
//
// A condition that did not hold is an answer that programs ask for: the span has its code but not the status of an error.
//
// # Metrics
//
//	db.client.operation.duration          seconds, histogram
//	db.client.response.returned_rows      items of a read, histogram
//	tablewright.consumed.read             read capacity units, sum, by table and index
//	tablewright.consumed.write            write capacity units, sum, by table and index
//
// with operation, table, index, access pattern and error.type as above. None has values of attributes or keys of items: the
// number of series is bounded by what a program declares.
package telemetry
