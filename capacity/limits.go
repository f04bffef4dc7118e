package capacity

// Blocks in which operations are counted (read-write-operations).
const (
	ReadBlock  = 4 * KB
	WriteBlock = 1 * KB
)

// Limits of items and keys (Constraints, ServiceQuotas).
const (
	ItemBytes                    = 400 * KB // names and values; with LSIs the item and its entries in them together
	PartitionKeyBytes      Bytes = 2048
	SortKeyBytes           Bytes = 1024
	IndexPartitionBytes          = PartitionKeyBytes // all partition key attributes of a GSI together
	IndexSortBytes               = SortKeyBytes      // all sort key attributes of a GSI together
	AttributeNameBytes           = 64*KB - 1         // 1 to 65,535; 255 for key attributes and projected ones
	KeyAttributeNameBytes  Bytes = 255
	NestingLevels                = 32 // the attribute itself and 31 inside
	TableNameBytesLeast    Bytes = 3
	TableNameBytes         Bytes = 255
	ItemCollectionBytes          = 10 * GB // items of one partition key with their LSI entries; only tables with LSIs (LSI)
	StoredItemOverhead     Bytes = 100
	StoredReplicaOverhead  Bytes = 48  // more for each item of a global table
	ProjectedAttributes          = 100 // named by INCLUDE, summed over all indexes of a table
	IndexPartitionKeyParts       = 4   // partition key attributes of a GSI (GSI.DesignPattern.MultiAttributeKeys)
	IndexSortKeyParts            = 4   // sort key attributes of a GSI
)

// Limits of operations (Constraints, ServiceQuotas, and the API reference of each).
const (
	PageBytes                = 1 * MB  // what a Query or Scan evaluates before it ends a page (Query.Pagination)
	BatchGetItems            = 100     // keys of a BatchGetItem
	BatchWriteItems          = 25      // puts and deletes of a BatchWriteItem
	BatchBytes               = 16 * MB // of a BatchGetItem's answer or a BatchWriteItem's request
	BatchPartition           = 1 * MB  // of a BatchGetItem's answer, per partition
	TransactionActions       = 100     // of TransactWriteItems or TransactGetItems (transaction-apis)
	TransactionBytes         = 4 * MB  // of all their items together
	ExpressionBytes          = 4 * KB
	ExpressionOperands       = 300 // operators and functions in one expression
	InOperands               = 100 // of IN
	PlaceholderBytes   Bytes = 255
	SubstitutionBytes        = 2 * MB // of all expression attribute names and values
	StatementBytes           = 8 * KB // of a PartiQL statement
)

// Throughput that cannot be raised: every partition, and so every single item, is held to it
// (bp-partition-key-design, throttling-key-range-limit-exceeded-mitigation).
const (
	PartitionReads  ReadUnits  = 3_000 // per second
	PartitionWrites WriteUnits = 1_000 // per second
)

// PartitionBytes is what a partition holds at most (HowItWorks.Partitions; the guide's "roughly 10 GB").
const PartitionBytes = 10 * GB

// How tables on demand follow their traffic (on-demand-capacity-mode): they take up to OnDemandGrowth times their previous
// peak at once; more than that within OnDemandGrowthMinutes may be throttled.
const (
	OnDemandGrowth        = 2
	OnDemandGrowthMinutes = 30
)

// Quotas that can be raised (ServiceQuotas).
const (
	GlobalIndexes                = 20 // of a table
	TableReads        ReadUnits  = 40_000
	TableWrites       WriteUnits = 40_000
	AccountReads      ReadUnits  = 80_000 // provisioned tables of a Region together
	AccountWrites     WriteUnits = 80_000
	Tables                       = 2_500  // of a Region
	NewTableReads     ReadUnits  = 12_000 // what a new on-demand table is warm for (warm-throughput)
	NewTableWrites    WriteUnits = 4_000
	BurstSeconds                 = 300 // of unused provisioned throughput that are kept (burst-adaptive-capacity)
	LocalIndexes                 = 5   // of a table; cannot be raised
	TargetUtilization            = 0.7 // what auto scaling aims at unless told otherwise (AutoScaling)
)
