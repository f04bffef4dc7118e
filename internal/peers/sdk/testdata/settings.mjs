// What a table has beside its items, each there and back: capacity, tags, policies, time to live, recovery, Kinesis,
// insights; and what the API tells about itself.
import {
  CreateTableCommand, DeleteResourcePolicyCommand, DeleteTableCommand, DescribeContinuousBackupsCommand,
  DescribeContributorInsightsCommand, DescribeEndpointsCommand, DescribeKinesisStreamingDestinationCommand, DescribeLimitsCommand,
  DescribeTableCommand, DescribeTableReplicaAutoScalingCommand, DescribeTimeToLiveCommand, DisableKinesisStreamingDestinationCommand,
  EnableKinesisStreamingDestinationCommand, GetResourcePolicyCommand, ListTagsOfResourceCommand, PolicyNotFoundException,
  PutResourcePolicyCommand, ResourceNotFoundException, TagResourceCommand, UntagResourceCommand, UpdateContinuousBackupsCommand,
  UpdateContributorInsightsCommand, UpdateKinesisStreamingDestinationCommand, UpdateTableCommand, UpdateTimeToLiveCommand,
  paginateListContributorInsights, waitUntilKinesisStreamingDestinationActive, waitUntilTableExists, waitUntilTableNotExists,
  waitUntilContributorInsightsEnabled,
} from "@aws-sdk/client-dynamodb";
import { active, assert, client, eventually, key, rejects, send, strings, wait } from "./common.mjs";

const TableName = "settings";
await send(new CreateTableCommand({
  TableName, KeySchema: key("id"), AttributeDefinitions: strings("id", "kind"), ProvisionedThroughput: { ReadCapacityUnits: 3, WriteCapacityUnits: 4 },
  GlobalSecondaryIndexes: [{
    IndexName: "kinds", KeySchema: key("kind"), Projection: { ProjectionType: "INCLUDE", NonKeyAttributes: ["name"] },
    ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 1 },
  }],
  SSESpecification: { Enabled: true }, TableClass: "STANDARD_INFREQUENT_ACCESS", DeletionProtectionEnabled: true, Tags: [{ Key: "team", Value: "shop" }],
}));
await waitUntilTableExists(wait, { TableName });
let table = await active(TableName);
const ResourceArn = table.TableArn;
assert.equal(table.TableClassSummary.TableClass, "STANDARD_INFREQUENT_ACCESS");
assert.equal(table.SSEDescription.SSEType, "KMS");
assert.deepEqual([table.ProvisionedThroughput.ReadCapacityUnits, table.ProvisionedThroughput.WriteCapacityUnits], [3, 4]);
await assert.rejects(send(new DeleteTableCommand({ TableName })), { name: "ValidationException", message: /protected against deletion/ });
assert.equal((await send(new DescribeTableCommand({ TableName: ResourceArn }))).Table.TableId, table.TableId); // an ARN is a name too

// Capacity, protection
await send(new UpdateTableCommand({ TableName, BillingMode: "PAY_PER_REQUEST", OnDemandThroughput: { MaxReadRequestUnits: 50, MaxWriteRequestUnits: 60 } }));
table = await active(TableName);
assert.equal(table.BillingModeSummary.BillingMode, "PAY_PER_REQUEST");
assert.deepEqual(table.OnDemandThroughput, { MaxReadRequestUnits: 50, MaxWriteRequestUnits: 60 });
assert.ok(table.BillingModeSummary.LastUpdateToPayPerRequestDateTime instanceof Date);
await send(new UpdateTableCommand({ TableName, WarmThroughput: { ReadUnitsPerSecond: 15000, WriteUnitsPerSecond: 5000 } }));
table = await eventually(() => active(TableName), (t) => t.WarmThroughput.Status === "ACTIVE");
assert.equal(table.WarmThroughput.ReadUnitsPerSecond, 15000);

// Tags
await send(new TagResourceCommand({ ResourceArn, Tags: [{ Key: "stage", Value: "test" }, { Key: "empty", Value: "" }] }));
await send(new UntagResourceCommand({ ResourceArn, TagKeys: ["team", "none"] }));
const { Tags } = await send(new ListTagsOfResourceCommand({ ResourceArn }));
assert.deepEqual(Tags.sort((a, b) => (a.Key < b.Key ? -1 : 1)), [{ Key: "empty", Value: "" }, { Key: "stage", Value: "test" }]);

// Resource policies, versioned; blanks are the service's own affair
await rejects(send(new GetResourcePolicyCommand({ ResourceArn })), PolicyNotFoundException);
const Policy = JSON.stringify({ Version: "2012-10-17", Statement: [{ Effect: "Allow", Principal: { AWS: "arn:aws:iam::000000000000:root" }, Action: "dynamodb:*", Resource: ResourceArn }] }, null, 1);
const put = await send(new PutResourcePolicyCommand({ ResourceArn, Policy, ExpectedRevisionId: "NO_POLICY" }));
const got = await send(new GetResourcePolicyCommand({ ResourceArn }));
assert.deepEqual([JSON.parse(got.Policy), got.RevisionId], [JSON.parse(Policy), put.RevisionId]);
await assert.rejects(send(new PutResourcePolicyCommand({ ResourceArn, Policy: Policy.replace("*", "GetItem"), ExpectedRevisionId: "1" })), { name: /^PolicyNotFoundException$/ });
await send(new DeleteResourcePolicyCommand({ ResourceArn, ExpectedRevisionId: put.RevisionId }));
await rejects(send(new GetResourcePolicyCommand({ ResourceArn })), PolicyNotFoundException);

// Time to live, recovery
const ttl = { AttributeName: "until", Enabled: true };
assert.deepEqual((await send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification: ttl }))).TimeToLiveSpecification, ttl);
assert.deepEqual((await send(new DescribeTimeToLiveCommand({ TableName }))).TimeToLiveDescription, { AttributeName: "until", TimeToLiveStatus: "ENABLED" });
await send(new UpdateContinuousBackupsCommand({ TableName, PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true, RecoveryPeriodInDays: 5 } }));
const { ContinuousBackupsDescription: backups } = await send(new DescribeContinuousBackupsCommand({ TableName }));
assert.equal(backups.ContinuousBackupsStatus, "ENABLED");
assert.equal(backups.PointInTimeRecoveryDescription.RecoveryPeriodInDays, 5);
assert.ok(backups.PointInTimeRecoveryDescription.LatestRestorableDateTime instanceof Date);

// Kinesis destinations
const StreamArn = "arn:aws:kinesis:us-east-1:000000000000:stream/changes";
await send(new EnableKinesisStreamingDestinationCommand({ TableName, StreamArn, EnableKinesisStreamingConfiguration: { ApproximateCreationDateTimePrecision: "MILLISECOND" } }));
if (waitUntilKinesisStreamingDestinationActive) await waitUntilKinesisStreamingDestinationActive(wait, { TableName });
const destinations = async () => (await send(new DescribeKinesisStreamingDestinationCommand({ TableName }))).KinesisDataStreamDestinations;
await eventually(destinations, ([d]) => d.DestinationStatus === "ACTIVE");
await send(new UpdateKinesisStreamingDestinationCommand({ TableName, StreamArn, UpdateKinesisStreamingConfiguration: { ApproximateCreationDateTimePrecision: "MICROSECOND" } }));
await eventually(destinations, ([d]) => d.DestinationStatus === "ACTIVE" && d.ApproximateCreationDateTimePrecision === "MICROSECOND");
await send(new DisableKinesisStreamingDestinationCommand({ TableName, StreamArn }));
await eventually(destinations, ([d]) => d.DestinationStatus === "DISABLED");

// Insights, of the table and of an index
for (const IndexName of [undefined, "kinds"]) {
  await send(new UpdateContributorInsightsCommand({ TableName, IndexName, ContributorInsightsAction: "ENABLE" }));
  if (waitUntilContributorInsightsEnabled) await waitUntilContributorInsightsEnabled(wait, { TableName, IndexName });
  await eventually(() => send(new DescribeContributorInsightsCommand({ TableName, IndexName })), (d) => d.ContributorInsightsStatus === "ENABLED");
}
const insights = [];
for await (const page of paginateListContributorInsights({ client, pageSize: 1 }, {})) insights.push(...page.ContributorInsightsSummaries);
assert.deepEqual(insights.map((i) => i.IndexName).sort(), ["kinds", undefined]);

// The API about itself
const limits = await send(new DescribeLimitsCommand({}));
assert.deepEqual([limits.TableMaxReadCapacityUnits, limits.AccountMaxWriteCapacityUnits], [40000, 80000]);
const { Endpoints } = await send(new DescribeEndpointsCommand({}));
assert.ok(Endpoints[0].Address.length > 0 && Endpoints[0].CachePeriodInMinutes > 0);
await rejects(send(new DescribeTableReplicaAutoScalingCommand({ TableName })), ResourceNotFoundException); // it is no global table

// The end
await send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: false }));
await active(TableName);
await send(new DeleteTableCommand({ TableName }));
await waitUntilTableNotExists(wait, { TableName });
await rejects(send(new DescribeTimeToLiveCommand({ TableName })), ResourceNotFoundException);
